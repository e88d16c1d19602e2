//! What the writer knows of the classes.

/// A field of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A `u8`.
    Num(&'static str),
    Bool(&'static str),
    Color(&'static str),
    /// `Option<Box<C>>`.
    Link(&'static str, &'static str),
    /// `Box<C>`, or `C` itself.
    Inner(&'static str, &'static str),
    /// `Option<C>`.
    OptInner(&'static str, &'static str),
    /// `Vec<C>` or `Vec<Box<C>>`.
    Kids(&'static str, &'static str),
    /// `[Option<Box<C>>; 2]`.
    Arms(&'static str, &'static str),
}

use Field::*;

pub struct Class {
    pub name: &'static str,
    /// The fields of a struct.
    pub fields: &'static [Field],
    /// The patterns of an enum's variants, with what they bind.
    pub variants: &'static [(&'static str, &'static [Field])],
}

const fn class(name: &'static str, fields: &'static [Field]) -> Class {
    Class { name, fields, variants: &[] }
}

/// Roots first.
pub const CLASSES: &[Class] = &[
    class("Tree", &[Link("root", "Fork"), Num("key")]),
    class("Pair", &[Link("first", "Fork"), Num("key"), Link("second", "Fork")]),
    class("Rose", &[Inner("top", "Twig"), Num("key")]),
    class("Bush", &[Kids("stems", "Bough"), Bool("flag")]),
    class("Star", &[Link("core", "Cross"), Num("key")]),
    class("Program", &[Inner("body", "Expr"), Num("key")]),
    class("House", &[Link("even", "Even"), Link("odd", "Odd"), Num("key")]),
    class("Door", &[Link("knob", "Knob"), Num("key")]),
    class("Own", &[Num("key"), Bool("flag"), Link("left", "Own"), Link("right", "Own")]),
    class("Fork", &[Num("key"), Link("left", "Fork"), Link("right", "Fork")]),
    class("Twig", &[Num("key"), Kids("kids", "Twig")]),
    class("Bough", &[Bool("flag"), Kids("kids", "Bough"), Color("color")]),
    class("Cross", &[Num("key"), Bool("flag"), Arms("arms", "Cross")]),
    Class {
        name: "Expr",
        fields: &[],
        variants: &[
            ("Expr::Lit(v)", &[Num("*v")]),
            ("Expr::Neg(e)", &[Inner("e", "Expr")]),
            ("Expr::Add(l, r)", &[Inner("l", "Expr"), Inner("r", "Expr")]),
            ("Expr::If { flag, then, other }", &[Bool("*flag"), Inner("then", "Expr"), Link("other", "Expr")]),
            ("Expr::Seq(all)", &[Kids("all", "Expr")]),
        ],
    },
    class("Even", &[Num("key"), Link("odd", "Odd")]),
    class("Odd", &[Bool("flag"), Kids("evens", "Even"), Link("next", "Odd")]),
    class("Cap", &[Num("key"), Link("under", "Knob")]),
    class("Knob", &[Bool("flag"), Inner("cap", "Cap"), OptInner("spare", "Cap")]),
];

/// How many of the classes are roots.
pub const ROOTS: usize = 9;

pub fn class_of(name: &str) -> &'static Class {
    CLASSES.iter().find(|class| class.name == name).expect("every class is listed")
}

/// A type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ret {
    Bool,
    Num,
    OptUsize,
    Pair,
    Result,
    Text,
    Unit,
    Color,
    List,
}

impl Ret {
    pub const ALL: [Ret; 14] = [
        Ret::Bool,
        Ret::Bool,
        Ret::Bool,
        Ret::Num,
        Ret::Num,
        Ret::OptUsize,
        Ret::OptUsize,
        Ret::Pair,
        Ret::Result,
        Ret::Text,
        Ret::Unit,
        Ret::Color,
        Ret::List,
        Ret::Unit,
    ];

    pub fn text(self) -> &'static str {
        match self {
            Ret::Bool => "bool",
            Ret::Num => "u8",
            Ret::OptUsize => "Option<usize>",
            Ret::Pair => "(u8, bool)",
            Ret::Result => "Result<u8, ()>",
            Ret::Text => "String",
            Ret::Unit => "()",
            Ret::Color => "Color",
            Ret::List => "Vec<u8>",
        }
    }
}

/// A plain parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    Num,
    Bool,
    OptNum,
    /// `&u8`
    RefNum,
    /// `&mut u8`
    MutNum,
    /// `&mut usize`
    MutCount,
    /// `&mut Vec<u8>`
    MutList,
}

impl Plain {
    pub const ALL: [Plain; 9] = [
        Plain::Num,
        Plain::Num,
        Plain::Bool,
        Plain::OptNum,
        Plain::RefNum,
        Plain::MutNum,
        Plain::MutNum,
        Plain::MutCount,
        Plain::MutList,
    ];

    pub fn text(self) -> &'static str {
        match self {
            Plain::Num => "u8",
            Plain::Bool => "bool",
            Plain::OptNum => "Option<u8>",
            Plain::RefNum => "&u8",
            Plain::MutNum => "&mut u8",
            Plain::MutCount => "&mut usize",
            Plain::MutList => "&mut Vec<u8>",
        }
    }

    pub fn is_mut(self) -> bool {
        matches!(self, Plain::MutNum | Plain::MutCount | Plain::MutList)
    }
}

/// How a part is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// `&Option<Box<C>>`
    Link,
    /// `&C`
    Node,
    /// `Option<&C>`
    Opt,
}

/// A helper: an associated function of the root's block, or a method of the class of its first part.
#[derive(Clone, Debug)]
pub struct Helper {
    pub name: String,
    pub is_method: bool,
    /// Whether calls are statements of its own block, and nothing is `mut`: what follows them can be found out once.
    pub is_plain: bool,
    pub parts: Vec<(By, &'static str)>,
    pub plain: Vec<Plain>,
    pub ret: Ret,
}
