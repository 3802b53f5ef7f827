//! Text from files and streams, within limits. Never waits on a pipe or a device: what is not a
//! plain file is refused before it is opened.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{Limits, Source};

/// Why there is no text to read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("`{}` does not exist", path.display())]
    NotFound { path: PathBuf },
    #[error("`{}` is a link that leads nowhere", path.display())]
    BrokenLink { path: PathBuf },
    #[error("`{}` is a folder, not a file", path.display())]
    Folder { path: PathBuf },
    /// A pipe, a device or a socket: reading it could wait for ever.
    #[error("`{}` is {kind}, not a file", path.display())]
    NotAFile { path: PathBuf, kind: &'static str },
    #[error("no permission to read `{}`", path.display())]
    NoPermission { path: PathBuf },
    #[error("`{name}` is larger than {}", size(*.limit))]
    TooLarge { name: String, limit: usize },
    #[error("`{name}` is not UTF-8 text: byte {} is wrong", offset + 1)]
    NotUtf8 { name: String, offset: usize, utf16: bool },
    #[error("cannot read `{name}`: {source}")]
    Failed { name: String, source: io::Error },
}

impl ReadError {
    /// What to do about it, as an order.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::NotAFile { path, .. } if is_standard_input(path) => Some("write `-` for standard input"),
            Self::NotFound { .. } => Some("check the path"),
            Self::BrokenLink { .. } => Some("point the link at a file, or remove it"),
            Self::Folder { .. } => Some("name a file in the folder"),
            Self::NotAFile { .. } => Some("save the text to a file first"),
            Self::NoPermission { .. } => Some("change who may read the file or its folders"),
            Self::NotUtf8 { utf16: true, .. } => Some("save the file as UTF-8; it seems to be UTF-16"),
            Self::NotUtf8 { .. } => Some("save the file as UTF-8"),
            Self::TooLarge { .. } => Some("check that it is the right file"),
            Self::Failed { .. } => None,
        }
    }
}

/// A number of bytes in the largest unit that it fills: `5 MB`.
pub fn size(bytes: usize) -> String {
    match bytes {
        0x10_0000.. if bytes.is_multiple_of(0x10_0000) => format!("{} MB", bytes >> 20),
        0x400.. if bytes.is_multiple_of(0x400) => format!("{} kB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}

/// Names under which shells and habits reach standard input.
fn is_standard_input(path: &Path) -> bool {
    ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]
        .iter()
        .any(|name| path == Path::new(name))
}

/// The text of a file, named by its path as given.
pub fn read_file(path: &Path, limits: Limits) -> Result<Source, ReadError> {
    plain_file(path, &std::fs::metadata(path).map_err(|error| unreachable(path, error))?)?;
    read_seen_file(path, limits)
}

/// As [`read_file`], of a path that was seen to be a plain file a moment ago.
pub fn read_seen_file(path: &Path, limits: Limits) -> Result<Source, ReadError> {
    let file = File::open(path).map_err(|error| unreachable(path, error))?;
    // What was opened may have come between the question and the opening.
    let facts = file.metadata().map_err(|error| unreachable(path, error))?;
    plain_file(path, &facts)?;
    let name = path.display().to_string();
    let size = usize::try_from(facts.len()).unwrap_or(usize::MAX);
    if size > limits.bytes {
        let limit = limits.bytes;
        return Err(ReadError::TooLarge { name, limit });
    }
    text(name, file, size, limits)
}

/// The text of a stream, read to its end. `name` is what messages call it.
pub fn read_stream(name: &str, stream: impl Read, limits: Limits) -> Result<Source, ReadError> {
    text(name.to_owned(), stream, 0, limits)
}

fn text(name: String, stream: impl Read, size: usize, limits: Limits) -> Result<Source, ReadError> {
    let bytes = match bytes(stream, size, limits.bytes.saturating_add(1)) {
        Ok(bytes) => bytes,
        Err(source) => return Err(ReadError::Failed { name, source }),
    };
    if bytes.len() > limits.bytes {
        let limit = limits.bytes;
        return Err(ReadError::TooLarge { name, limit });
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => Err(ReadError::NotUtf8 {
            name,
            offset: error.utf8_error().valid_up_to(),
            utf16: error.as_bytes().starts_with(&[0xff, 0xfe]) || error.as_bytes().starts_with(&[0xfe, 0xff]),
        }),
    }
}

/// At most `most` bytes of a stream. A file promises its `size`: when that and no more comes at
/// once, there is no need to ask for the end.
fn bytes(mut stream: impl Read, size: usize, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; size.min(most) + 1];
    let first = match stream.read(&mut bytes) {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
        read => read?,
    };
    bytes.truncate(first);
    if first == 0 || first != size {
        let rest = most.saturating_sub(first) as u64;
        stream.take(rest).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn plain_file(path: &Path, facts: &Metadata) -> Result<(), ReadError> {
    let path = path.to_owned();
    if facts.is_dir() {
        return Err(ReadError::Folder { path });
    }
    if !facts.is_file() {
        let kind = kind(facts);
        return Err(ReadError::NotAFile { path, kind });
    }
    Ok(())
}

#[cfg(unix)]
fn kind(facts: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = facts.file_type();
    match () {
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () if kind.is_char_device() || kind.is_block_device() => "a device",
        () => "a special file",
    }
}

#[cfg(not(unix))]
fn kind(_: &Metadata) -> &'static str {
    "a device"
}

fn unreachable(path: &Path, error: io::Error) -> ReadError {
    let is_link = std::fs::symlink_metadata(path).is_ok_and(|facts| facts.is_symlink());
    let path = path.to_owned();
    match error.kind() {
        io::ErrorKind::PermissionDenied => ReadError::NoPermission { path },
        _ if is_link => ReadError::BrokenLink { path },
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::NotFound { path },
        _ => ReadError::Failed {
            name: path.display().to_string(),
            source: error,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Limits = Limits {
        bytes: 8,
        ..Limits::MANIFEST
    };

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder for this test")
    }

    fn written(text: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = folder();
        let path = folder.path().join("a.json");
        std::fs::write(&path, text).unwrap();
        (folder, path)
    }

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let (_folder, path) = written(b"\xef\xbb\xbf{\"a\"}");
        let source = read_file(&path, SMALL).unwrap();
        assert_eq!(source.text(), "{\"a\"}");
        assert_eq!(source.name(), path.display().to_string());
        let (_folder, path) = written(b"123456789");
        assert!(matches!(read_file(&path, SMALL), Err(ReadError::TooLarge { limit: 8, .. })));
    }

    #[test]
    fn a_stream_is_cut_at_the_limit() {
        assert_eq!(read_stream("-", &b"12345678"[..], SMALL).unwrap().text(), "12345678");
        let endless = io::repeat(b' ');
        assert!(matches!(read_stream("-", endless, SMALL), Err(ReadError::TooLarge { .. })));
    }

    #[test]
    fn what_is_not_utf8_is_named_by_its_byte() {
        let error = read_stream("x", &b"a: \xff\n"[..], SMALL).unwrap_err();
        assert_eq!(error.to_string(), "`x` is not UTF-8 text: byte 4 is wrong");
        assert_eq!(error.help(), Some("save the file as UTF-8"));
        let error = read_stream("x", &b"\xff\xfea\0"[..], SMALL).unwrap_err();
        assert_eq!(error.help(), Some("save the file as UTF-8; it seems to be UTF-16"));
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        assert!(matches!(read_file(folder.path(), SMALL), Err(ReadError::Folder { .. })));
        assert!(matches!(read_file(&path("none"), SMALL), Err(ReadError::NotFound { .. })));
        let (_other, file) = written(b"x");
        assert!(matches!(read_file(&file.join("x"), SMALL), Err(ReadError::NotFound { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn links_pipes_and_devices_do_not_block() {
        use std::os::unix::fs::symlink;
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        symlink(path("none"), path("broken")).unwrap();
        symlink(path("round"), path("round")).unwrap();
        for name in ["broken", "round"] {
            assert!(matches!(read_file(&path(name), SMALL), Err(ReadError::BrokenLink { .. })), "{name}");
        }
        let made = std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap();
        assert!(made.success());
        symlink(path("pipe"), path("to-pipe")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        let kinds = [
            (path("pipe"), "a pipe"),
            (path("to-pipe"), "a pipe"),
            (path("socket"), "a socket"),
            ("/dev/zero".into(), "a device"),
        ];
        for (path, wanted) in kinds {
            match read_file(&path, SMALL) {
                Err(ReadError::NotAFile { kind, .. }) => assert_eq!(kind, wanted),
                other => panic!("{}: {other:?}", path.display()),
            }
        }
    }
}
