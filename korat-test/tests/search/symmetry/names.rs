//! Values of which only equality matters.

use super::*;

#[derive(Clone, Debug, Finitize)]
struct Word {
    #[finitize(0..=3, identity)]
    letters: Vec<u8>,
}

#[rep_ok]
impl Word {
    fn rep_ok(&self) -> bool {
        self.letters.windows(2).all(|pair| pair[0] != pair[1])
    }
}

#[test]
fn words_without_repetition() {
    for scope in 0..=4 {
        let all = lists_up_to(&[0, 1, 2, 3], scope).into_iter().map(|letters| Word { letters });
        agree(scope, all, |word| format!("{:?}", renamed(word.letters.iter().copied())));
    }
}

#[derive(Clone, Debug, Finitize)]
struct Free {
    #[finitize(identity, len = scope..=scope)]
    items: Vec<u8>,
}

#[rep_ok]
impl Free {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[test]
fn bell_numbers() {
    let counts: Vec<u64> = (0..=6).map(|scope| Search::new(Free::scope(scope)).report().valid).collect();
    assert_eq!(counts, [1, 1, 2, 5, 15, 52, 203]);
}

#[derive(Clone, Debug, Finitize)]
struct Mixed {
    #[finitize(0..=2, identity = "keys")]
    one: u8,
    #[finitize(values = [None, Some(0), Some(1), Some(2)], identity = "keys")]
    two: Option<u8>,
    #[finitize(0..=2, identity)]
    other: u8,
}

#[rep_ok]
impl Mixed {
    fn rep_ok(&self) -> bool {
        // Read in another order than declared.
        self.two != Some(self.one) || self.other <= 2
    }
}

#[test]
fn groups_are_renamed_apart() {
    let mut all = Vec::new();
    for one in 0..=2 {
        for two in [None, Some(0), Some(1), Some(2)] {
            all.extend((0..=2).map(|other| Mixed { one, two, other }));
        }
    }
    let form = |mixed: &Mixed| {
        let keys = renamed([mixed.one].into_iter().chain(mixed.two));
        format!("{keys:?} {} {:?}", mixed.two.is_some(), renamed([mixed.other]))
    };
    assert_eq!(agree(2, all, form), 3);
}
