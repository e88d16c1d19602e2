//! Natural numbers of any size. Those that fit in 128 bits, which are nearly all, take no memory of their own.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::ops::{AddAssign, Mul, Sub};

use num_bigint::BigUint;

/// A natural number of any size: how many values there are.
///
/// ```
/// use korat::Natural;
///
/// let number: Natural = "20638459510168675769".parse().unwrap();
/// assert!(number > 1_000_000);
/// assert_eq!(number.to_string(), "20638459510168675769");
/// assert_eq!(Natural::from(12_u64), 12);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Natural(Size);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Size {
    Small(u128),
    /// Only what is not small.
    Large(BigUint),
}

impl Natural {
    /// Zero.
    pub const ZERO: Self = Natural(Size::Small(0));
    /// One.
    pub const ONE: Self = Natural(Size::Small(1));

    fn large(number: BigUint) -> Self {
        match u128::try_from(&number) {
            Ok(small) => Natural(Size::Small(small)),
            Err(_) => Natural(Size::Large(number)),
        }
    }

    fn to_large(&self) -> BigUint {
        match &self.0 {
            Size::Small(small) => BigUint::from(*small),
            Size::Large(large) => large.clone(),
        }
    }

    /// Returns whether the number is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Size::Small(0))
    }

    /// Returns the number, if it is small enough.
    pub fn to_u64(&self) -> Option<u64> {
        match self.0 {
            Size::Small(small) => u64::try_from(small).ok(),
            Size::Large(_) => None,
        }
    }

    /// Returns about the same number.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Size::Small(small) => *small as f64,
            Size::Large(large) => {
                let shift = large.bits() - 64;
                let top = u64::try_from(&(large >> shift)).unwrap_or(u64::MAX);
                top as f64 * 2f64.powi(i32::try_from(shift).unwrap_or(i32::MAX))
            }
        }
    }

    /// Returns the quotient and the remainder of a division by a number that is not zero.
    pub fn divided(&self, by: &Self) -> (Self, Self) {
        match (&self.0, &by.0) {
            (Size::Small(one), Size::Small(two)) => (Natural(Size::Small(one / two)), Natural(Size::Small(one % two))),
            _ => {
                let (one, two) = (self.to_large(), by.to_large());
                (Natural::large(&one / &two), Natural::large(&one % &two))
            }
        }
    }

    /// Returns a number below this one, which must not be zero, each with the same probability; `entropy` returns random words.
    pub fn below(&self, entropy: &mut dyn FnMut() -> u64) -> Self {
        let largest = self.clone() - &Natural::ONE;
        let bits = match &largest.0 {
            Size::Small(small) => u64::from(u128::BITS - small.leading_zeros()),
            Size::Large(large) => large.bits(),
        };
        loop {
            let words = bits.div_ceil(64);
            let mut number = Natural::ZERO;
            for word in 0..words {
                let drawn = entropy();
                let spare = if word == 0 { words * 64 - bits } else { 0 };
                number = number * &Natural(Size::Small(1 << 64));
                number += &Natural::from(drawn >> spare);
            }
            if number <= largest {
                return number;
            }
        }
    }
}

impl From<u64> for Natural {
    fn from(number: u64) -> Self {
        Natural(Size::Small(u128::from(number)))
    }
}

impl AddAssign<&Natural> for Natural {
    #[inline]
    fn add_assign(&mut self, other: &Natural) {
        if let (Size::Small(one), Size::Small(two)) = (&self.0, &other.0)
            && let Some(sum) = one.checked_add(*two)
        {
            self.0 = Size::Small(sum);
            return;
        }
        *self = Natural::large(self.to_large() + other.to_large());
    }
}

impl Natural {
    /// Adds a product.
    #[inline]
    pub(crate) fn add_product(&mut self, one: &Natural, two: &Natural) {
        if let (Size::Small(sum), Size::Small(one), Size::Small(two)) = (&mut self.0, &one.0, &two.0)
            && let Some(product) = small_product(*one, *two)
            && let Some(all) = sum.checked_add(product)
        {
            *sum = all;
            return;
        }
        *self += &(one * two);
    }
}

/// Returns the product of two numbers, if it is small; most factors take one word.
#[inline]
fn small_product(one: u128, two: u128) -> Option<u128> {
    match (u64::try_from(one), u64::try_from(two)) {
        (Ok(one), Ok(two)) => Some(u128::from(one) * u128::from(two)),
        _ => one.checked_mul(two),
    }
}

impl Mul<&Natural> for Natural {
    type Output = Natural;
    #[inline]
    fn mul(self, other: &Natural) -> Natural {
        &self * other
    }
}

impl Mul<&Natural> for &Natural {
    type Output = Natural;
    #[inline]
    fn mul(self, other: &Natural) -> Natural {
        if let (Size::Small(one), Size::Small(two)) = (&self.0, &other.0)
            && let Some(product) = small_product(*one, *two)
        {
            return Natural(Size::Small(product));
        }
        Natural::large(self.to_large() * other.to_large())
    }
}

impl Sub<&Natural> for Natural {
    type Output = Natural;
    /// Panics if the other number is larger.
    fn sub(self, other: &Natural) -> Natural {
        match (&self.0, &other.0) {
            (Size::Small(one), Size::Small(two)) => Natural(Size::Small(one - two)),
            _ => Natural::large(self.to_large() - other.to_large()),
        }
    }
}

impl Sum for Natural {
    fn sum<I: Iterator<Item = Natural>>(all: I) -> Self {
        all.fold(Natural::ZERO, |mut sum, one| {
            sum += &one;
            sum
        })
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Size::Small(one), Size::Small(two)) => one.cmp(two),
            (Size::Large(one), Size::Large(two)) => one.cmp(two),
            (Size::Small(_), Size::Large(_)) => Ordering::Less,
            (Size::Large(_), Size::Small(_)) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq<u64> for Natural {
    fn eq(&self, other: &u64) -> bool {
        matches!(self.0, Size::Small(small) if small == u128::from(*other))
    }
}

impl PartialOrd<u64> for Natural {
    fn partial_cmp(&self, other: &u64) -> Option<Ordering> {
        self.partial_cmp(&Natural::from(*other))
    }
}

impl std::str::FromStr for Natural {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let digits: String = text.chars().filter(|c| !matches!(c, ',' | '_')).collect();
        digits.parse().map(Natural::large).map_err(|_| format!("`{text}` is not a natural number"))
    }
}

/// Writes the digits; the alternate form `{:#}` groups them, as in `18,438,200`.
impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = match &self.0 {
            Size::Small(small) => small.to_string(),
            Size::Large(large) => large.to_string(),
        };
        if !f.alternate() {
            return f.pad(&digits);
        }
        let mut grouped = String::with_capacity(digits.len() * 4 / 3);
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        f.pad(&grouped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Natural {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_become_large_and_small_again() {
        let large = number("340282366920938463463374607431768211455");
        let mut sum = large.clone();
        sum += &Natural::ONE;
        assert_eq!(sum.to_string(), "340282366920938463463374607431768211456");
        assert!(sum > large && sum > 7);
        assert_eq!(sum - &Natural::ONE, large);
        let square = &large * &large;
        assert_eq!(square.divided(&large), (large, Natural::ZERO));
    }

    #[test]
    fn digits_are_grouped() {
        let shown = |text| format!("{:#}", number(text));
        assert_eq!((shown("7"), shown("1234"), shown("18438200")), ("7".into(), "1,234".into(), "18,438,200".into()));
    }

    #[test]
    fn drawn_numbers_are_below_and_all_occur() {
        let mut state = 1_u64;
        let mut entropy = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state >> 33
        };
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[Natural::from(5).below(&mut entropy).to_u64().unwrap() as usize] += 1;
        }
        assert!(seen.iter().all(|times| *times > 120), "{seen:?}");
        let large = number("340282366920938463463374607431768211457");
        assert!((0..1000).all(|_| large.below(&mut entropy) < large));
    }
}
