//! Just enough of a brotli writer (RFC 7932) for tests: stored text, and a bomb of zeros.

/// Bits, the lowest first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    fn put(&mut self, value: u32, count: u32) {
        for at in 0..count {
            if self.used == 0 {
                self.bytes.push(0);
            }
            let bit = ((value >> at) & 1) as u8;
            *self.bytes.last_mut().expect("just pushed") |= bit << self.used;
            self.used = (self.used + 1) % 8;
        }
    }

    fn align(&mut self) {
        self.used = 0;
    }

    /// A meta-block that is not the last, with `length` bytes (1 to 16 MiB), up to its stored bit.
    fn begin(&mut self, length: usize, stored: bool) {
        let nibbles = if length > 1 << 20 { 6 } else { 4 + u32::from(length > 1 << 16) };
        self.put(0, 1);
        self.put(nibbles - 4, 2);
        self.put(length as u32 - 1, nibbles * 4);
        self.put(stored.into(), 1);
    }

    /// A prefix code with one symbol, which then takes no bits.
    fn only(&mut self, symbol: u32, width: u32) {
        self.put(1, 2);
        self.put(0, 2);
        self.put(symbol, width);
    }
}

const BLOCK: usize = 1 << 24;
/// A window of 16 MiB.
const WINDOW: (u32, u32) = (0b1111, 4);
/// One literal, then a copy whose length is 2118 and 24 more bits.
const COMMAND: u32 = 384 + (1 << 3 | 7);
const COPY: usize = 2118;

fn finish(mut bits: Bits) -> Vec<u8> {
    bits.put(0b11, 2);
    bits.bytes
}

/// The bytes as they are, in brotli's frame.
pub(crate) fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.put(WINDOW.0, WINDOW.1);
    for block in bytes.chunks(BLOCK) {
        bits.begin(block.len(), true);
        bits.align();
        bits.bytes.extend_from_slice(block);
    }
    finish(bits)
}

/// `length` zeros, about twenty bytes for each 16 MiB.
pub(crate) fn zeros(length: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.put(WINDOW.0, WINDOW.1);
    for _ in 0..length / BLOCK {
        bits.begin(BLOCK, false);
        // One block type each for literals, commands and distances; plain distances; one tree each.
        bits.put(0, 3);
        bits.put(0, 6);
        bits.put(0, 2);
        bits.put(0, 2);
        bits.only(0, 8);
        bits.only(COMMAND, 10);
        bits.only(16, 6);
        bits.put((BLOCK - 1 - COPY) as u32, 24);
        bits.put(0, 1);
    }
    finish(bits)
}
