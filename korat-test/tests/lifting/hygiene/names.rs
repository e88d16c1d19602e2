//! Fields whose names are keywords, in every kind of struct, with every kind of visibility.

use korat::{Finitize, rep_ok};

/// A unit struct.
#[derive(Debug, Finitize)]
pub struct Unit;

/// Braces without fields.
#[derive(Debug, Finitize)]
pub struct Braces {}

/// A tuple struct.
#[derive(Debug, Finitize)]
pub struct Pair(pub u8, pub(crate) Option<Box<Pair>>, #[finitize(0..1)] usize);

/// A class and fields with raw names.
#[derive(Debug, Finitize)]
pub(crate) struct r#Match {
    r#type: bool,
    r#fn: Option<Box<r#Match>>,
    __korat_plan: u8,
    scope: u8,
}

/// Every kind.
#[derive(Debug, Finitize)]
pub struct Root {
    unit: Option<Box<Unit>>,
    pub braces: Option<Box<Braces>>,
    pub(crate) pair: Option<Box<Pair>>,
    pub(super) r#loop: Option<Box<r#Match>>,
}

#[rep_ok]
impl Root {
    /// Everything is there, once.
    pub fn rep_ok(&self) -> bool {
        let (Some(_), Some(_), Some(pair), Some(matched)) = (&self.unit, &self.braces, &self.pair, &self.r#loop) else {
            return false;
        };
        let once = pair.1.is_none() && matched.r#fn.is_none();
        once && pair.0 as usize == pair.2 && matched.r#type && matched.__korat_plan == matched.scope
    }
}

#[rep_ok]
impl Unit {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        let Some(next) = &self.1 else { return self.0 == 0 };
        next.1.is_none() && self.0 < next.0
    }
}

#[test]
fn keywords_are_field_names() {
    let report = korat::for_each_valid(Root::scope(1), |root| assert!(root.rep_ok()));
    assert_eq!(report.valid, 2);
}

#[test]
fn raw_names_are_overridden_and_drawn() {
    let bounds = Root::scope(1).domain(korat::field!(r#Match.r#type), [true]);
    let bounds = bounds.domain(korat::field!(Pair.0), 0..=0).domain(korat::field!(r#Match.scope), [0]);
    let search = korat::Search::new(bounds);
    insta::assert_snapshot!(search.draw(1).concat(), @r"
    Root
    |- unit: Unit
    |- braces: Braces
    |- pair: Pair { 0: 0, 2: 0 }
    `- r#loop: r#Match { r#type: true, __korat_plan: 0, scope: 0 }
    ");
}

#[test]
fn a_unit_struct_has_one_value() {
    assert_eq!(korat::for_each_valid(Unit::scope(1), |unit| assert!(unit.rep_ok())).valid, 1);
}

#[test]
fn tuple_fields_are_read_by_number() {
    // Alone with 0, or before a larger one.
    let report = korat::for_each_valid(Pair::scope(2), |pair| assert!(pair.rep_ok()));
    assert_eq!(report.valid, 1 + 3);
}
