//! How deep and how large a JSON text is, before anything is built of it. Reads no more than its
//! brackets, commas and quotes, so it says nothing about whether the text is JSON.

/// Which limit a text is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    TooDeep,
    TooMany,
}

/// Holds a text to levels of nesting and to a number of values, about. Brackets and commas in
/// strings do not count.
///
/// ```
/// use becket::source::{Excess, measure};
/// assert_eq!(measure(b"[[1], \"[[[\"]", 2, 9), Ok(()));
/// assert_eq!(measure(b"[[1]]", 1, 9), Err(Excess::TooDeep));
/// assert_eq!(measure(b"[1, 2, 3]", 9, 2), Err(Excess::TooMany));
/// ```
pub fn measure(bytes: &[u8], depth: usize, most: usize) -> Result<(), Excess> {
    let (mut level, mut values, mut inside, mut escaped) = (0usize, 0usize, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b'"' => inside = !inside,
            _ if inside => {}
            b'[' | b'{' => {
                level += 1;
                values += 1;
            }
            b']' | b'}' => level = level.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
        if level > depth {
            return Err(Excess::TooDeep);
        }
        if values > most {
            return Err(Excess::TooMany);
        }
    }
    Ok(())
}
