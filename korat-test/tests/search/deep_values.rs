//! Values that are deeper than a stack: they are counted from summaries, however deep.

use korat::{Finitize, Natural, Search, Summaries, rep_ok};

#[derive(Debug, Finitize)]
struct Link {
    #[finitize(0..=1)]
    bit: u8,
    next: Option<Box<Link>>,
}

#[derive(Debug, Finitize)]
struct Recursive {
    head: Option<Box<Link>>,
}

#[rep_ok]
impl Recursive {
    fn rep_ok(&self) -> bool {
        Self::is_sorted(&self.head, 0)
    }

    fn is_sorted(link: &Option<Box<Link>>, least: u8) -> bool {
        match link {
            None => true,
            Some(link) => link.bit >= least && Self::is_sorted(&link.next, link.bit),
        }
    }
}

#[derive(Debug, Finitize)]
struct Looped {
    head: Option<Box<Link>>,
}

#[rep_ok]
impl Looped {
    fn rep_ok(&self) -> bool {
        let (mut rest, mut least) = (&self.head, 0);
        while let Some(link) = rest {
            if link.bit < least {
                return false;
            }
            least = link.bit;
            rest = &link.next;
        }
        true
    }
}

/// Each table stands for one length: there are as many as objects.
#[derive(Debug, Finitize)]
struct Measured {
    head: Option<Box<Link>>,
}

#[rep_ok]
impl Measured {
    fn rep_ok(&self) -> bool {
        Self::is_short(&self.head, 0)
    }

    fn is_short(link: &Option<Box<Link>>, before: usize) -> bool {
        match link {
            None => true,
            Some(link) => link.bit == 1 && before < 1_500 && Self::is_short(&link.next, before + 1),
        }
    }
}

/// Sorted lists of at most this many bits.
fn sorted(len: u64) -> Natural {
    Natural::from((len + 1) * (len + 2) / 2)
}

#[test]
fn are_counted() {
    assert_eq!(Search::new(Recursive::scope(3_000)).count(), sorted(3_000));
    assert_eq!(Search::new(Looped::scope(3_000)).count(), sorted(3_000));
    assert_eq!(Search::new(Measured::scope(2_000)).count(), 1_501);
}

#[test]
fn are_generated_smallest_first() {
    let search = Search::new(Recursive::scope(3_000)).summaries(Summaries::Always).limit(200);
    assert_eq!(search.report().valid, 200);
}

#[derive(Debug, Finitize)]
struct Tagged {
    #[finitize(0..=9)]
    tag: u8,
    head: Option<Box<Link>>,
}

#[rep_ok]
impl Tagged {
    fn rep_ok(&self) -> bool {
        self.tag < 9 && Self::is_one(&self.head)
    }

    fn is_one(link: &Option<Box<Link>>) -> bool {
        match link {
            None => true,
            Some(link) => link.bit == 1 && Self::is_one(&link.next),
        }
    }
}

/// Each value has the same long chain of parts after its tag.
#[test]
fn long_chains_of_parts_are_put_together_again() {
    let mut seen = 0;
    let search = Search::new(Tagged::scope(3_000)).exact().summaries(Summaries::Always);
    let report = search.for_each(|list| seen += u32::from(list.tag));
    assert_eq!((report.valid, seen), (9, 36));
}
