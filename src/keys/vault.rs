//! Sealed bytes: what a passphrase opens and nothing else. argon2id makes a key of the passphrase,
//! XChaCha20-Poly1305 seals with it. Touches no file; `docs/keys.md` describes the format.
//!
//! ```text
//! 0   8  BECKETKV
//! 8   1  version, 1
//! 9   1  derivation, 1: argon2id, version 0x13, 32 bytes
//! 10  1  cipher, 1: XChaCha20-Poly1305
//! 11  1  kind, 1: keys, 2: an export
//! 12  4  memory in KiB, little-endian, as the next two
//! 16  4  passes
//! 20  4  lanes
//! 24 16  salt
//! 40 24  nonce
//! 64     the sealed bytes, 16 more than there were; the 64 before them are authenticated too
//! ```

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use zeroize::Zeroizing;

use super::Secret;

const MAGIC: &[u8; 8] = b"BECKETKV";
const VERSION: u8 = 1;
const HEADER: usize = 64;
const TAG: usize = 16;
const SALT: std::ops::Range<usize> = 24..40;
const NONCE: std::ops::Range<usize> = 40..64;
/// What is asked of this computer to open what a stranger sealed, at most.
const MOST: Cost = Cost {
    memory: 256 << 10,
    passes: 8,
    lanes: 4,
};
const LEAST_MEMORY: u32 = 8 << 10;
/// What we ask.
const USUAL: Cost = Cost {
    memory: 19 << 10,
    passes: 2,
    lanes: 1,
};

/// What sealed bytes hold. One kind is never read as the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Keys = 1,
    Export = 2,
}

/// Why sealed bytes cannot be opened, or bytes not be sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VaultError {
    #[error("it is not a sealed file of this program")]
    NotSealed,
    #[error("it is cut short")]
    Truncated,
    #[error("it has version {0}, and this program reads version 1")]
    Version(u8),
    #[error("it is sealed in a way that this program does not know")]
    Unknown,
    #[error("it holds something else")]
    OtherKind,
    #[error("it asks for {memory} KiB of memory, {passes} passes and {lanes} lanes to be opened, which is outside of what is allowed")]
    Cost { memory: u32, passes: u32, lanes: u32 },
    #[error("the passphrase is wrong, or the file was changed")]
    Refused,
    #[error("there is not enough memory for the passphrase")]
    Memory,
    #[error("the system gives no random numbers")]
    Random,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cost {
    /// In KiB.
    memory: u32,
    passes: u32,
    lanes: u32,
}

/// Seals bytes with a passphrase.
pub fn seal(kind: Kind, passphrase: &Secret, bytes: &[u8]) -> Result<Vec<u8>, VaultError> {
    let mut random = [0; NONCE.end - SALT.start];
    getrandom::fill(&mut random).map_err(|_| VaultError::Random)?;
    seal_with(&header(kind, USUAL, &random), passphrase, bytes)
}

/// Opens what was sealed with the passphrase.
pub fn open(kind: Kind, passphrase: &Secret, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, VaultError> {
    let header = read_header(kind, sealed)?;
    let cost = cost(&header)?;
    let body = &sealed[HEADER..];
    let payload = Payload { msg: body, aad: &header };
    let opened = cipher(passphrase, &header, cost)?.decrypt(&nonce(&header), payload);
    opened.map(Zeroizing::new).map_err(|_| VaultError::Refused)
}

fn header(kind: Kind, cost: Cost, random: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&[VERSION, 1, 1, kind as u8]);
    header[12..16].copy_from_slice(&cost.memory.to_le_bytes());
    header[16..20].copy_from_slice(&cost.passes.to_le_bytes());
    header[20..24].copy_from_slice(&cost.lanes.to_le_bytes());
    header[SALT.start..].copy_from_slice(random);
    header
}

fn seal_with(header: &[u8; HEADER], passphrase: &Secret, bytes: &[u8]) -> Result<Vec<u8>, VaultError> {
    let payload = Payload { msg: bytes, aad: header };
    let sealed = cipher(passphrase, header, cost(header)?)?.encrypt(&nonce(header), payload);
    let mut out = header.to_vec();
    out.extend(sealed.map_err(|_| VaultError::Memory)?);
    Ok(out)
}

fn read_header(kind: Kind, sealed: &[u8]) -> Result<[u8; HEADER], VaultError> {
    if !sealed.starts_with(&MAGIC[..sealed.len().min(MAGIC.len())]) {
        return Err(VaultError::NotSealed);
    }
    if let Some(version) = sealed.get(8).filter(|version| **version != VERSION) {
        return Err(VaultError::Version(*version));
    }
    if sealed.len() < HEADER + TAG {
        return Err(VaultError::Truncated);
    }
    if sealed[9..11] != [1, 1] {
        return Err(VaultError::Unknown);
    }
    match sealed[11] == kind as u8 {
        true => Ok(sealed[..HEADER].try_into().expect("there are 64 bytes")),
        false => Err(VaultError::OtherKind),
    }
}

/// What the header asks for, within what is allowed.
fn cost(header: &[u8; HEADER]) -> Result<Cost, VaultError> {
    let number = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let Cost { memory, passes, lanes } = Cost {
        memory: number(12),
        passes: number(16),
        lanes: number(20),
    };
    let allowed =
        (LEAST_MEMORY..=MOST.memory).contains(&memory) && (1..=MOST.passes).contains(&passes) && (1..=MOST.lanes).contains(&lanes);
    match allowed {
        true => Ok(Cost { memory, passes, lanes }),
        false => Err(VaultError::Cost { memory, passes, lanes }),
    }
}

fn nonce(header: &[u8; HEADER]) -> XNonce {
    let bytes: [u8; 24] = header[NONCE].try_into().expect("a nonce has 24 bytes");
    bytes.into()
}

fn cipher(passphrase: &Secret, header: &[u8; HEADER], cost: Cost) -> Result<XChaCha20Poly1305, VaultError> {
    let parameters = Params::new(cost.memory, cost.passes, cost.lanes, Some(32)).map_err(|_| VaultError::Unknown)?;
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters);
    let mut key = Zeroizing::new([0; 32]);
    argon
        .hash_password_into(passphrase.expose().as_bytes(), &header[SALT], &mut *key)
        .map_err(|_| VaultError::Memory)?;
    Ok(XChaCha20Poly1305::new((&*key).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unhex(text: &str) -> Vec<u8> {
        let byte = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
        (0..text.len()).step_by(2).map(byte).collect()
    }

    fn random() -> Vec<u8> {
        (0..16).chain(100..124).collect()
    }

    /// Made by libargon2 and libsodium.
    #[test]
    fn known_bytes_are_sealed_and_opened() {
        let other = Cost {
            memory: 8192,
            passes: 3,
            lanes: 2,
        };
        let known: [(Kind, Cost, &str, &[u8], &str); 2] = [
            (
                Kind::Keys,
                USUAL,
                "correct horse",
                b"{\"tides/TIDES_KEY\":\"s3\"}",
                "4245434b45544b5601010101004c00000200000001000000000102030405060708090a0b0c0d0e0f\
                 6465666768696a6b6c6d6e6f707172737475767778797a7bbb9d1f93f07381da5651655a312bbf73\
                 a2ee72315076e8091c0a435a21c8f6876063a77392e26da1",
            ),
            (
                Kind::Export,
                other,
                "grün",
                b"",
                "4245434b45544b5601010102002000000300000002000000000102030405060708090a0b0c0d0e0f\
                 6465666768696a6b6c6d6e6f707172737475767778797a7b0631b6f62d23dfaf338fb7fcb7b0f949",
            ),
        ];
        for (kind, cost, passphrase, bytes, sealed) in known {
            let passphrase = Secret::new(passphrase);
            let sealed = unhex(sealed);
            assert_eq!(seal_with(&header(kind, cost, &random()), &passphrase, bytes), Ok(sealed.clone()));
            assert_eq!(*open(kind, &passphrase, &sealed).unwrap(), bytes);
        }
    }

    #[test]
    fn what_is_sealed_opens_again_and_is_never_the_same_twice() {
        let passphrase = Secret::new("a passphrase");
        let once = seal(Kind::Keys, &passphrase, b"bytes").unwrap();
        let twice = seal(Kind::Keys, &passphrase, b"bytes").unwrap();
        assert_eq!(*open(Kind::Keys, &passphrase, &once).unwrap(), b"bytes");
        assert_ne!(once[SALT], twice[SALT]);
        assert_ne!(once[NONCE], twice[NONCE]);
        assert_ne!(once[HEADER..], twice[HEADER..]);
    }

    #[test]
    fn any_changed_bit_is_refused() {
        let passphrase = Secret::new("a passphrase");
        let least = Cost {
            memory: LEAST_MEMORY,
            passes: 1,
            lanes: 1,
        };
        let sealed = seal_with(&header(Kind::Keys, least, &random()), &passphrase, b"bytes").unwrap();
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(open(Kind::Keys, &passphrase, &changed).is_err(), "byte {at}");
        }
        for end in 0..sealed.len() {
            let error = open(Kind::Keys, &passphrase, &sealed[..end]).unwrap_err();
            let expected = if end < HEADER + TAG {
                VaultError::Truncated
            } else {
                VaultError::Refused
            };
            assert_eq!(error, expected, "{end} bytes");
        }
        assert_eq!(open(Kind::Export, &passphrase, &sealed).unwrap_err(), VaultError::OtherKind);
        assert_eq!(open(Kind::Keys, &Secret::new("another"), &sealed).unwrap_err(), VaultError::Refused);
    }

    #[test]
    fn a_header_cannot_ask_for_more_than_is_allowed() {
        let passphrase = Secret::new("a passphrase");
        for (memory, passes, lanes) in [
            (100 << 20, 2, 1),
            (1 << 10, 2, 1),
            (19 << 10, 4_000_000, 1),
            (19 << 10, 0, 1),
            (19 << 10, 2, 0xFF_FFFF),
        ] {
            let mut sealed = header(Kind::Keys, Cost { memory, passes, lanes }, &random()).to_vec();
            sealed.extend([0; 32]);
            assert_eq!(
                open(Kind::Keys, &passphrase, &sealed).unwrap_err(),
                VaultError::Cost { memory, passes, lanes }
            );
        }
        for (at, value, expected) in [
            (0, b'X', VaultError::NotSealed),
            (8, 2, VaultError::Version(2)),
            (9, 7, VaultError::Unknown),
            (10, 0, VaultError::Unknown),
        ] {
            let mut sealed = header(Kind::Keys, USUAL, &random()).to_vec();
            sealed.extend([0; 32]);
            sealed[at] = value;
            assert_eq!(open(Kind::Keys, &passphrase, &sealed).unwrap_err(), expected);
        }
    }
}
