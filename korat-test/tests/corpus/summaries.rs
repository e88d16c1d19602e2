//! Calls on parts of a structure that summaries could confuse with others: what they are given looks the same, and they can tell
//! the difference.

use korat::{Finitize, rep_ok};

use crate::harness::corpus;
use crate::nodes::Node;
use crate::trace::Traced;

macro_rules! pairs {
    ($($Pair:ident)*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Pair {
            one: Option<Box<Node>>,
            two: Option<Box<Node>>,
            #[finitize(0..=1)]
            key: u8,
        }
    )*};
}

pairs! { SameLink SameNumber OwnNumber ReferenceBack Crossed Beside Later }

/// Whether two references lead to one link.
#[rep_ok]
impl SameLink {
    fn rep_ok(&self) -> bool {
        Self::same(&self.one, &self.one) && !Self::same(&self.one, &self.two) && Self::apart(&self.one)
    }

    fn same(one: &Option<Box<Node>>, two: &Option<Box<Node>>) -> bool {
        one.is_none() || std::ptr::eq(one, two)
    }

    fn apart(link: &Option<Box<Node>>) -> bool {
        link.as_ref().is_none_or(|node| {
            Self::same(&node.left, &node.left)
                && !std::ptr::eq(&node.left, &node.right)
                && Self::apart(&node.left)
                && Self::apart(&node.right)
        })
    }
}

/// Whether two references lead to one number.
#[rep_ok]
impl SameNumber {
    fn rep_ok(&self) -> bool {
        Self::left(&self.one, &self.key, &self.key) && Self::right(&self.one, &self.key, &self.key)
    }

    fn left(link: &Option<Box<Node>>, one: &u8, two: &u8) -> bool {
        link.as_ref().is_none_or(|node| node.key == *one && std::ptr::eq(one, two) && Self::left(&node.left, one, two))
    }

    fn right(link: &Option<Box<Node>>, one: &u8, two: &u8) -> bool {
        link.as_ref().is_none_or(|node| std::ptr::eq(one, two) && Self::right(&node.right, one, two))
    }
}

/// Whether a reference leads to the node's own number, or to an equal one.
#[rep_ok]
impl OwnNumber {
    fn rep_ok(&self) -> bool {
        match (&self.one, &self.two) {
            (Some(one), Some(two)) => Self::is_of(one, &one.key) && !Self::is_of(one, &two.key),
            _ => true,
        }
    }

    fn is_of(node: &Node, key: &u8) -> bool {
        std::ptr::eq(&node.key, key) && node.left.is_none()
    }
}

/// Where a reference that is returned leads to.
#[rep_ok]
impl ReferenceBack {
    fn rep_ok(&self) -> bool {
        match (&self.one, Self::largest(&self.one)) {
            (Some(node), Some(largest)) => std::ptr::eq(&node.key, largest) && Self::largest(&self.two).is_none(),
            _ => Self::largest(&self.two) == Some(&1),
        }
    }

    fn largest(link: &Option<Box<Node>>) -> Option<&u8> {
        let node = link.as_ref()?;
        let below = Self::largest(&node.left).into_iter().chain(Self::largest(&node.right));
        Some(below.fold(&node.key, |most, key| if key > most { key } else { most }))
    }
}

/// Two parts in one call, in both orders, and one of them twice.
#[rep_ok]
impl Crossed {
    fn rep_ok(&self) -> bool {
        Self::below(&self.one, &self.two)
            && !Self::below(&self.two, &self.one)
            && Self::below(&self.one, &self.one) == (self.key == 0)
    }

    fn below(one: &Option<Box<Node>>, two: &Option<Box<Node>>) -> bool {
        match (one, two) {
            (None, _) => true,
            (_, None) => false,
            (Some(one), Some(two)) => {
                one.key <= two.key && Self::below(&one.left, &two.right) && Self::below(&two.left, &one.right)
            }
        }
    }
}

/// What a call reads beside its part is an object, nothing, or the part itself.
#[rep_ok]
impl Beside {
    fn rep_ok(&self) -> bool {
        self.one.as_ref().is_none_or(|node| {
            Self::below(&node.left, &self.one)
                && Self::below(&node.right, &None)
                && Self::below(&node.left, &node.left) == (self.key == 0)
        })
    }

    fn below(link: &Option<Box<Node>>, over: &Option<Box<Node>>) -> bool {
        match (link, over) {
            (None, _) => true,
            (Some(node), None) => node.key == 0,
            (Some(node), Some(over)) => node.key <= over.key && Self::below(&node.left, &node.right),
        }
    }
}

/// A second call on one part, which is made only if the other part has two nodes; no result says how many nodes there are.
#[rep_ok]
impl Later {
    fn rep_ok(&self) -> bool {
        let is_odd = Self::is_odd(&self.one);
        Self::has_two(&self.two) && Self::has_odd_sum(&self.one) == is_odd
    }

    fn is_odd(link: &Option<Box<Node>>) -> bool {
        link.as_ref().is_some_and(|node| Self::is_odd(&node.left) == Self::is_odd(&node.right))
    }

    fn has_odd_sum(link: &Option<Box<Node>>) -> bool {
        link.as_ref()
            .is_some_and(|node| (node.key == 1) ^ Self::has_odd_sum(&node.left) ^ Self::has_odd_sum(&node.right))
    }

    fn has_two(link: &Option<Box<Node>>) -> bool {
        link.as_ref().is_some_and(|node| node.left.is_some())
    }
}

#[derive(Debug, Finitize)]
#[finitize(objects = 0)]
pub struct Never {
    next: Option<Box<Never>>,
}

/// A link that nothing reads, to a class without objects.
#[derive(Debug, Finitize)]
pub struct Nowhere {
    node: Option<Box<Node>>,
    never: Option<Box<Never>>,
}

#[rep_ok]
impl Nowhere {
    fn rep_ok(&self) -> bool {
        Self::count(&self.node) == 2
    }

    fn count(link: &Option<Box<Node>>) -> usize {
        link.as_ref().map_or(0, |node| 1 + Self::count(&node.left) + Self::count(&node.right))
    }
}

#[derive(Debug, Finitize)]
pub struct Knot<K: Ord> {
    key: K,
    left: Option<Box<Knot<K>>>,
    right: Option<Box<Knot<K>>>,
}

/// Arguments of the type of a parameter, and references to them.
#[derive(Debug, Finitize)]
pub struct AnyKeys<K: Ord> {
    root: Option<Box<Knot<K>>>,
    other: Option<Box<Knot<K>>>,
}

#[rep_ok]
impl<K: Ord + Copy> AnyKeys<K> {
    fn rep_ok(&self) -> bool {
        Self::is_between(&self.root, None, None)
            && self.root.as_ref().is_none_or(|root| Self::is_least(&self.other, root.key))
    }

    fn is_between(link: &Option<Box<Knot<K>>>, low: Option<&K>, high: Option<&K>) -> bool {
        let Some(knot) = link else { return true };
        let key = &knot.key;
        low.is_none_or(|low| low < key)
            && high.is_none_or(|high| key < high)
            && Self::is_between(&knot.left, low, Some(key))
            && Self::is_between(&knot.right, Some(key), high)
    }

    fn is_least(link: &Option<Box<Knot<K>>>, least: K) -> bool {
        link.as_ref().is_none_or(|knot| {
            least <= knot.key && Self::is_least(&knot.left, least) && Self::is_least(&knot.right, knot.key)
        })
    }
}

#[derive(Clone, Debug, Finitize, PartialEq)]
pub enum Shade {
    Light,
    Dark,
}

#[derive(Debug, Finitize)]
pub struct Spot {
    shade: Shade,
    left: Option<Box<Spot>>,
    right: Option<Box<Spot>>,
}

/// References to a plain type of the user's.
#[derive(Debug, Finitize)]
pub struct Shaded {
    root: Option<Box<Spot>>,
    shade: Shade,
}

#[rep_ok]
impl Shaded {
    fn rep_ok(&self) -> bool {
        Self::alternates(&self.root, &self.shade)
    }

    fn alternates(link: &Option<Box<Spot>>, above: &Shade) -> bool {
        link.as_ref().is_none_or(|spot| {
            spot.shade != *above
                && Self::alternates(&spot.left, &spot.shade)
                && Self::alternates(&spot.right, &spot.shade)
        })
    }
}

/// Answers come from tables where they can, and do not where a place matters.
#[test]
fn what_is_summarised() {
    let efforts = [
        ("SameLink", Traced::of::<SameLink>().summary(3)),
        ("SameNumber", Traced::of::<SameNumber>().summary(3)),
        ("Crossed", Traced::of::<Crossed>().summary(3)),
        ("Beside", Traced::of::<Beside>().summary(3)),
        ("Nowhere", Traced::of::<Nowhere>().summary(3)),
        ("AnyKeys", Traced::of::<AnyKeys<u8>>().summary(4)),
        ("Shaded", Traced::of::<Shaded>().summary(4)),
    ];
    for (name, effort) in efforts {
        let (tables, hits) = effort.unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(tables > 0 && hits > 0, "{name}: {tables} tables, {hits} hits");
    }
    assert_eq!(Traced::of::<ReferenceBack>().summary(3), Ok((0, 0)), "references are not returned from tables");
}

corpus! {
    same_link: SameLink, 3 => 172;
    same_number: SameNumber, 3 => 168;
    own_number: OwnNumber, 3 => 258;
    reference_back: ReferenceBack, 3 => 150;
    crossed: Crossed, 4 => 305;
    beside: Beside, 3 => 159;
    later: Later, 5 => 2864;
    nowhere: Nowhere, 3 => 8;
    keys_of_any_type: AnyKeys<u8>, 2 => 37;
    keys_of_two_values: AnyKeys<bool>, 3 => 70;
    shaded: Shaded, 4 => 46;
}
