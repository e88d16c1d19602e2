//! The types of the structures in `classes.rs`, as the writer knows them.

/// A type of a field or of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    U8,
    Usize,
    Bool,
    Char,
    Color,
    Text,
    Class(&'static str),
    Opt(&'static Ty),
    Boxed(&'static Ty),
    Rc(&'static Ty),
    Weak(&'static Ty),
    RefCell(&'static Ty),
    Cell(&'static Ty),
    Vec(&'static Ty),
    Array(&'static Ty),
    Pair(&'static Ty, &'static Ty),
    Map(&'static Ty, &'static Ty),
    Set(&'static Ty),
}

impl Ty {
    /// Whether a value is read as a whole, and may be copied.
    pub fn is_plain(self) -> bool {
        matches!(self, Ty::U8 | Ty::Usize | Ty::Bool | Ty::Char | Ty::Color)
    }

    /// As the user writes it.
    pub fn name(self) -> String {
        match self {
            Ty::U8 => "u8".to_string(),
            Ty::Usize => "usize".to_string(),
            Ty::Bool => "bool".to_string(),
            Ty::Char => "char".to_string(),
            Ty::Color => "Color".to_string(),
            Ty::Text => "String".to_string(),
            Ty::Class(name) => name.to_string(),
            Ty::Opt(inner) => format!("Option<{}>", inner.name()),
            Ty::Boxed(inner) => format!("Box<{}>", inner.name()),
            Ty::Rc(inner) => format!("Rc<{}>", inner.name()),
            Ty::Weak(inner) => format!("Weak<{}>", inner.name()),
            Ty::RefCell(inner) => format!("RefCell<{}>", inner.name()),
            Ty::Cell(inner) => format!("Cell<{}>", inner.name()),
            Ty::Vec(inner) => format!("Vec<{}>", inner.name()),
            Ty::Array(inner) => format!("[{}; 2]", inner.name()),
            Ty::Pair(one, other) => format!("({}, {})", one.name(), other.name()),
            Ty::Map(key, value) => format!("BTreeMap<{}, {}>", key.name(), value.name()),
            Ty::Set(key) => format!("BTreeSet<{}>", key.name()),
        }
    }
}

/// A variant of an enum.
pub struct Variant {
    pub name: &'static str,
    /// With names, or by position if the first has none.
    pub fields: &'static [(&'static str, Ty)],
}

/// A struct, or an enum with data.
pub struct Class {
    pub name: &'static str,
    pub fields: &'static [(&'static str, Ty)],
    pub variants: &'static [Variant],
}

const NODE: Ty = Ty::Opt(&Ty::Boxed(&Ty::Class("Node")));
const FORK: Ty = Ty::Opt(&Ty::Boxed(&Ty::Class("Fork")));
const EXPR: Ty = Ty::Boxed(&Ty::Class("Expr"));
const VERTEX: Ty = Ty::RefCell(&Ty::Class("Vertex"));

/// Every class, the roots first.
pub const CLASSES: [Class; 16] = [
    root("List", &[("head", NODE), ("len", Ty::Usize)]),
    root("Tree", &[("root", FORK), ("size", Ty::Usize)]),
    root("Program", &[("body", EXPR), ("fuel", Ty::U8)]),
    root("Arena", &[("items", Ty::Vec(&Ty::Class("Item"))), ("first", Ty::Opt(&Ty::Usize))]),
    root(
        "Book",
        &[
            ("entries", Ty::Vec(&Ty::Class("Entry"))),
            ("current", Ty::Cell(&Ty::Bool)),
            ("log", Ty::RefCell(&Ty::Vec(&Ty::U8))),
            ("grid", Ty::Array(&Ty::Bool)),
        ],
    ),
    root(
        "Table",
        &[
            ("cells", Ty::Map(&Ty::U8, &Ty::Bool)),
            ("sizes", Ty::Map(&Ty::U8, &Ty::Color)),
            ("marks", Ty::Set(&Ty::Bool)),
            ("title", Ty::Text),
            ("pair", Ty::Pair(&Ty::Bool, &Ty::Color)),
            ("limit", Ty::Opt(&Ty::U8)),
        ],
    ),
    root("Graph", &[("start", Ty::Opt(&Ty::Rc(&VERTEX))), ("bound", Ty::U8)]),
    root("Family", &[("eldest", Ty::Opt(&Ty::Rc(&Ty::Class("Person")))), ("members", Ty::Usize)]),
    root("Node", &[("key", Ty::U8), ("next", NODE)]),
    root("Fork", &[("key", Ty::U8), ("left", FORK), ("right", FORK)]),
    root("Item", &[("up", Ty::Opt(&Ty::Usize)), ("weight", Ty::U8), ("tag", Ty::Opt(&Ty::Char))]),
    root("Entry", &[("id", Ty::U8), ("state", Ty::Class("State")), ("name", Ty::Opt(&Ty::Text))]),
    root("Vertex", &[("label", Ty::U8), ("next", Ty::Opt(&Ty::Rc(&VERTEX))), ("back", Ty::Opt(&Ty::Weak(&VERTEX)))]),
    root(
        "Person",
        &[
            ("parent", Ty::RefCell(&Ty::Weak(&Ty::Class("Person")))),
            ("children", Ty::RefCell(&Ty::Vec(&Ty::Rc(&Ty::Class("Person"))))),
            ("age", Ty::Cell(&Ty::U8)),
        ],
    ),
    Class {
        name: "Expr",
        fields: &[],
        variants: &[
            Variant { name: "Lit", fields: &[("", Ty::U8)] },
            Variant { name: "Neg", fields: &[("", EXPR)] },
            Variant { name: "Add", fields: &[("", EXPR), ("", EXPR)] },
            Variant { name: "If", fields: &[("test", Ty::Bool), ("then", EXPR), ("other", Ty::Opt(&EXPR))] },
        ],
    },
    Class {
        name: "State",
        fields: &[],
        variants: &[
            Variant { name: "Idle", fields: &[] },
            Variant { name: "Running", fields: &[("since", Ty::Bool), ("color", Ty::Color)] },
            Variant { name: "Done", fields: &[("", Ty::U8), ("", Ty::Bool)] },
        ],
    },
];

/// How many of the classes are roots.
pub const ROOTS: usize = 8;

const fn root(name: &'static str, fields: &'static [(&'static str, Ty)]) -> Class {
    Class { name, fields, variants: &[] }
}

/// The class of a name.
pub fn class(name: &str) -> &'static Class {
    const ALL: &[Class] = &CLASSES;
    ALL.iter().find(|class| class.name == name).expect("every class is listed")
}
