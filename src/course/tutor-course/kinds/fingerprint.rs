//! A hash that shows whether a question has changed since it was asked.

/// FNV-1a with 64 bits: small, and the same on every platform and in every release.
pub struct Fnv(pub u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a text and an end mark, so that `ab`, `c` differs from `a`, `bc`.
    pub fn text(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
