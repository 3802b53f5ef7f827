//! Packages of PyPI, as `uvx` names them: `name[extras]==1.2.3`, `name@1.2.3`, or an address.

use super::Spec;

pub(super) fn spec(text: &str) -> Spec {
    let local = text.starts_with(['.', '/', '~']) || text.starts_with("file:");
    if local || text.ends_with(".whl") || text.ends_with(".tar.gz") && !text.contains("://") {
        return Spec::Local;
    }
    let end = name_end(text);
    let (name, rest) = (&text[..end], text[end..].trim());
    if name.is_empty() || rest.contains("://") || !(rest.is_empty() || rest.starts_with(['=', '<', '>', '~', '!', '@'])) {
        let commit = text.rsplit_once('@').map(|(_, commit)| commit.split('#').next().unwrap_or(commit));
        return Spec::address(text, commit);
    }
    let version = rest.trim_start_matches(['=', '@']).trim();
    let names_one = rest.starts_with("==") || rest.starts_with('@');
    match names_one && is_exact(version) {
        true => Spec::Exact { name: name.to_owned() },
        false => Spec::Loose {
            name: name.to_owned(),
            asked: rest.strip_prefix('@').unwrap_or(rest).to_owned(),
            lead: Some(format!("{name}==")),
        },
    }
}

/// The end of `name[extras]`.
fn name_end(text: &str) -> usize {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
    let name = text.find(|other| !letter(other)).unwrap_or(text.len());
    match text[name..].starts_with('[') {
        true => text[name..].find(']').map_or(name, |close| name + close + 1),
        false => name,
    }
}

/// `1.2.3`, `1.0rc1`, `1!2.0.post1`: not `1.*`.
fn is_exact(version: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b".!+-_".contains(&byte);
    version.starts_with(|first: char| first.is_ascii_digit()) && version.bytes().all(letter)
}

/// The version in an answer of `uv pip compile`: one line, `name==1.2.3`.
pub(super) fn compiled(text: &str) -> Option<String> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let (line, None) = (lines.next()?, lines.next()) else {
        return None;
    };
    let version = line.split_once("==")?.1.trim();
    is_exact(version).then(|| version.to_owned())
}
