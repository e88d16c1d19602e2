//! A hash for texts that are compared between machines and versions.

use std::hash::Hasher;

use fnv::FnvHasher;

/// A hash that is the same on every machine and in every version: 64-bit FNV-1a.
#[derive(Default)]
pub(crate) struct Digest(FnvHasher);

impl Digest {
    /// Returns the hash of one text, as 16 digits.
    pub(crate) fn of(text: &str) -> String {
        let mut digest = Digest::default();
        digest.add(text);
        digest.text()
    }

    /// Returns the hash as 16 digits.
    pub(crate) fn text(&self) -> String {
        format!("{:016x}", self.0.finish())
    }

    /// Adds a text and a terminator that occurs in no text.
    pub(crate) fn add(&mut self, text: &str) {
        self.0.write(text.as_bytes());
        self.0.write(&[0xff]);
    }
}

#[cfg(test)]
mod tests {
    use std::hash::Hasher;

    use super::Digest;

    #[test]
    fn a_digest_is_the_published_hash() {
        // FNV-1a of the bytes "foobar" is 85944171f73967e8; the terminator adds one byte.
        let mut digest = Digest::default();
        digest.add("foobar");
        assert_eq!(digest.0.finish(), (0x8594_4171_f739_67e8_u64 ^ 0xff).wrapping_mul(0x0000_0100_0000_01b3));
    }

    #[test]
    fn texts_have_ends() {
        let digest = |texts: &[&str]| {
            let mut digest = Digest::default();
            texts.iter().for_each(|text| digest.add(text));
            digest.text()
        };
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
    }
}
