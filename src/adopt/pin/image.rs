//! Images of containers: `[host/]name[:tag][@sha256:…]`.

use super::Spec;

/// Letters of a SHA-256 digest.
const DIGEST: usize = 64;

pub(super) fn spec(text: &str) -> Spec {
    if let Some((name, digest)) = text.split_once("@sha256:")
        && digest.len() == DIGEST
        && digest.bytes().all(|byte| byte.is_ascii_hexdigit())
    {
        return Spec::Exact { name: name.to_owned() };
    }
    let text = text.split('@').next().unwrap_or(text);
    let last = text.rfind('/').map_or(0, |slash| slash + 1);
    let (name, tag) = match text[last..].split_once(':') {
        Some((_, tag)) => (&text[..text.len() - tag.len() - 1], tag),
        None => (text, ""),
    };
    match is_exact(tag) {
        true => Spec::Exact { name: name.to_owned() },
        false => Spec::Loose {
            name: name.to_owned(),
            asked: tag.to_owned(),
            lead: Some(format!("{name}:")),
        },
    }
}

/// A tag that is a whole version. Whoever owns the image can still move it; a digest stays.
fn is_exact(tag: &str) -> bool {
    let bare = tag.strip_prefix('v').unwrap_or(tag);
    let end = bare.find(['-', '_', '+']).unwrap_or(bare.len());
    let numbers: Vec<&str> = bare[..end].split('.').collect();
    numbers.len() >= 3
        && numbers
            .iter()
            .all(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}
