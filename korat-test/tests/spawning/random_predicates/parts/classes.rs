//! The structures of predicates on parts: everything is owned by one link. The number of a root is that of its predicate.
//! Beginning of every generated program.

#![allow(warnings)]

#[cfg(feature = "lifted")]
#[path = "../driver.rs"]
mod driver;

/// The root whose `rep_ok` accepts everything: it lists the values that are shown to the plain `rep_ok` of another.
const ALL: usize = usize::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "lifted", derive(korat::Finitize))]
pub enum Color {
    Red,
    Black,
}

macro_rules! classes {
    ($($item:item)*) => {$(
        #[derive(Debug)]
        #[cfg_attr(feature = "lifted", derive(korat::Finitize))]
        $item
    )*};
}

classes! {
    pub struct Fork {
        #[cfg_attr(feature = "lifted", finitize(0..=1))]
        key: u8,
        left: Option<Box<Fork>>,
        right: Option<Box<Fork>>,
    }

    pub struct Twig {
        #[cfg_attr(feature = "lifted", finitize(0..=1))]
        key: u8,
        #[cfg_attr(feature = "lifted", finitize(len = 0..=2))]
        kids: Vec<Twig>,
    }

    pub struct Bough {
        flag: bool,
        #[cfg_attr(feature = "lifted", finitize(len = 0..=3))]
        kids: Vec<Box<Bough>>,
        color: Color,
    }

    pub struct Cross {
        #[cfg_attr(feature = "lifted", finitize(0..=1))]
        key: u8,
        flag: bool,
        arms: [Option<Box<Cross>>; 2],
    }

    pub enum Expr {
        Lit(#[cfg_attr(feature = "lifted", finitize(0..=1))] u8),
        Neg(Box<Expr>),
        Add(Box<Expr>, Box<Expr>),
        If { flag: bool, then: Box<Expr>, other: Option<Box<Expr>> },
        Seq(#[cfg_attr(feature = "lifted", finitize(len = 0..=2))] Vec<Expr>),
    }

    pub struct Even {
        #[cfg_attr(feature = "lifted", finitize(0..=1))]
        key: u8,
        odd: Option<Box<Odd>>,
    }

    pub struct Odd {
        flag: bool,
        #[cfg_attr(feature = "lifted", finitize(len = 0..=2))]
        evens: Vec<Even>,
        next: Option<Box<Odd>>,
    }

    pub struct Cap {
        #[cfg_attr(feature = "lifted", finitize(0..=1))]
        key: u8,
        under: Option<Box<Knob>>,
    }

    pub struct Knob {
        flag: bool,
        cap: Cap,
        spare: Option<Cap>,
    }

    pub struct Tree<const PREDICATE: usize> {
        root: Option<Box<Fork>>,
        #[cfg_attr(feature = "lifted", finitize(0..=2))]
        key: u8,
    }

    pub struct Pair<const PREDICATE: usize> {
        first: Option<Box<Fork>>,
        #[cfg_attr(feature = "lifted", finitize(0..=1))]
        key: u8,
        second: Option<Box<Fork>>,
    }

    pub struct Rose<const PREDICATE: usize> {
        top: Box<Twig>,
        #[cfg_attr(feature = "lifted", finitize(0..=2))]
        key: u8,
    }

    pub struct Bush<const PREDICATE: usize> {
        #[cfg_attr(feature = "lifted", finitize(len = 0..=2))]
        stems: Vec<Bough>,
        flag: bool,
    }

    pub struct Star<const PREDICATE: usize> {
        core: Option<Box<Cross>>,
        #[cfg_attr(feature = "lifted", finitize(0..=1))]
        key: u8,
    }

    pub struct Program<const PREDICATE: usize> {
        body: Box<Expr>,
        #[cfg_attr(feature = "lifted", finitize(0..=2))]
        key: u8,
    }

    pub struct House<const PREDICATE: usize> {
        even: Option<Box<Even>>,
        odd: Option<Box<Odd>>,
        #[cfg_attr(feature = "lifted", finitize(0..=1))]
        key: u8,
    }

    pub struct Door<const PREDICATE: usize> {
        knob: Option<Box<Knob>>,
        #[cfg_attr(feature = "lifted", finitize(0..=1))]
        key: u8,
    }

    pub struct Own<const PREDICATE: usize> {
        #[cfg_attr(feature = "lifted", finitize(0..=1))]
        key: u8,
        flag: bool,
        left: Option<Box<Own<PREDICATE>>>,
        right: Option<Box<Own<PREDICATE>>>,
    }
}

impl Own<ALL> {
    /// Returns this tree, of another predicate.
    fn of<const PREDICATE: usize>(self) -> Own<PREDICATE> {
        let of = |link: Option<Box<Own<ALL>>>| link.map(|own| Box::new(own.of()));
        let Own { key, flag, left, right } = self;
        Own { key, flag, left: of(left), right: of(right) }
    }
}

/// `rep_ok` of the root that lists everything, and the way from its values to those of another root.
macro_rules! shape {
    ($root:ident, $scope:expr, |$value:ident| $other:expr) => {
        #[cfg_attr(feature = "lifted", korat::rep_ok)]
        impl $root<ALL> {
            fn rep_ok(&self) -> bool {
                true
            }
        }

        #[cfg(feature = "lifted")]
        impl<const PREDICATE: usize> driver::Shape for $root<PREDICATE>
        where
            $root<PREDICATE>: korat::RepOk,
        {
            const SCOPE: usize = $scope;
            const HAS_IMPOSSIBLE_SHAPES: bool = true;

            fn every() -> Vec<Self> {
                use korat::Finitize as _;
                let bounds = <$root<ALL>>::scope($scope);
                let mut searcher = korat_core::Searcher::<$root<ALL>>::new(&bounds, korat_core::Settings::default()).unwrap();
                let mut all = Vec::new();
                while searcher.advance().unwrap() {
                    let $value = searcher.value();
                    all.push($other);
                }
                all
            }
        }
    };
}

shape!(Tree, 4, |it| Tree { root: it.root, key: it.key });
shape!(Pair, 4, |it| Pair { first: it.first, key: it.key, second: it.second });
shape!(Rose, 4, |it| Rose { top: it.top, key: it.key });
shape!(Bush, 3, |it| Bush { stems: it.stems, flag: it.flag });
shape!(Star, 3, |it| Star { core: it.core, key: it.key });
shape!(Program, 3, |it| Program { body: it.body, key: it.key });
shape!(House, 2, |it| House { even: it.even, odd: it.odd, key: it.key });
shape!(Door, 2, |it| Door { knob: it.knob, key: it.key });
shape!(Own, 3, |it| it.of());
