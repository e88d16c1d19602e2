//! A hash for texts that are compared between machines and versions.

/// A hash that is the same on every machine and in every version: 64-bit FNV-1a.
pub(crate) struct Digest(pub(crate) u64);

impl Digest {
    pub(crate) fn new() -> Self {
        Digest(0xcbf2_9ce4_8422_2325)
    }

    /// Returns the hash of one text, as 16 digits.
    pub(crate) fn of(text: &str) -> String {
        let mut digest = Digest::new();
        digest.add(text);
        digest.text()
    }

    /// Returns the hash as 16 digits.
    pub(crate) fn text(&self) -> String {
        format!("{:016x}", self.0)
    }

    /// Adds a text and a terminator that occurs in no text.
    pub(crate) fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn a_digest_is_the_published_hash() {
        // FNV-1a of the bytes "foobar" is 85944171f73967e8; the terminator adds one byte.
        let mut digest = Digest::new();
        digest.add("foobar");
        assert_eq!(digest.0, (0x8594_4171_f739_67e8_u64 ^ 0xff).wrapping_mul(0x0000_0100_0000_01b3));
    }

    #[test]
    fn texts_have_ends() {
        let digest = |texts: &[&str]| {
            let mut digest = Digest::new();
            texts.iter().for_each(|text| digest.add(text));
            digest.0
        };
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
    }
}
