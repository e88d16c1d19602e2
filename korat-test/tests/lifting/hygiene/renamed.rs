//! Korat under another name.

/// Where a project keeps its tools.
pub mod tools {
    /// korat itself, under another name.
    pub mod exhaustive {
        pub use korat::*;
    }
}

/// A fieldless enum.
#[derive(Clone, Debug, PartialEq, tools::exhaustive::Finitize)]
#[finitize(crate = crate::hygiene::renamed::tools::exhaustive)]
pub enum Side {
    /// One.
    Left,
    /// The other.
    Right,
}

/// A class.
#[derive(Clone, Debug, tools::exhaustive::Finitize)]
#[finitize(crate = crate::hygiene::renamed::tools::exhaustive, objects = 1)]
pub struct Door {
    side: Side,
    open: bool,
}

#[tools::exhaustive::rep_ok(crate = crate::hygiene::renamed::tools::exhaustive)]
impl Door {
    /// The left one is closed.
    pub fn rep_ok(&self) -> bool {
        self.side == Side::Right || !self.open
    }
}

#[test]
fn korat_is_found_where_the_attribute_says() {
    use tools::exhaustive::Finitize;
    let report = tools::exhaustive::for_each_valid(Door::scope(1), |door| assert!(door.rep_ok()));
    assert_eq!(report.valid, 3);
}
