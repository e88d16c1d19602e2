//! Numbers in reports: with their nouns, in groups of digits, as shares.

use korat_core::Natural;

/// Formats a count with its noun: `1 value`, `1,234 values`.
pub(crate) fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Formats the counts of a search so far.
pub(crate) fn counts(explored: u64, valid: u64) -> String {
    format!("{} explored, {} valid", grouped(explored), grouped(valid))
}

/// Formats the share of a number in a total.
pub(crate) fn share(part: u64, total: &Natural) -> String {
    match part as f64 / total.to_f64().max(1.0) * 100.0 {
        percent if percent >= 10.0 => format!("{percent:.0} %"),
        percent if percent >= 0.1 => format!("{percent:.1} %"),
        _ => "less than 0.1 %".to_string(),
    }
}

/// Formats `1234567` as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number of bytes in the largest unit that it is a multiple of: `3 MiB`.
pub(crate) fn bytes(bytes: usize) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.iter().find(|(bits, _)| bytes > 0 && bytes.trailing_zeros() >= *bits) {
        Some((bits, unit)) => format!("{} {unit}", grouped((bytes >> bits) as u64)),
        None => counted(bytes as u64, "byte"),
    }
}

#[cfg(test)]
mod tests {
    use super::{bytes, counted, grouped};

    #[test]
    fn bytes_have_the_largest_unit_that_fits() {
        let texts = [0, 1, 1_000, 1_024, 1_536, 3 << 20, 1_025 << 20, 2 << 30].map(bytes);
        let expected = ["0 bytes", "1 byte", "1,000 bytes", "1 KiB", "1,536 bytes", "3 MiB", "1,025 MiB", "2 GiB"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!([0, 1, 2000].map(|number| counted(number, "value")), ["0 values", "1 value", "2,000 values"]);
    }

    #[test]
    fn digits_are_grouped_from_the_right() {
        let texts = [0, 12, 123, 1234, 123_456, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "12", "123", "1,234", "123,456", "1,234,567"]);
    }
}
