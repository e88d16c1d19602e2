//! Tables of std names: which types have a twin in a lifted predicate, and which are kept.

/// Containers, cells and guards that are replaced by their twin wherever they are named.
const TWINS: &[&str] = &[
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "Cell",
    "HashMap",
    "HashSet",
    "LinkedList",
    "Ref",
    "RefMut",
    "Vec",
    "VecDeque",
];

/// Pointers and cells that are replaced by their twin when they contain a part of the structure, with the name of the
/// twin. Twins that are read-only have names of their own, because a predicate that names the std type may modify it.
const STRUCTURAL_TWINS: &[(&str, &str)] = &[
    ("Arc", "Arc"),
    ("Box", "Box"),
    ("Mutex", "Locked"),
    ("OnceCell", "Once"),
    ("OnceLock", "Once"),
    ("Rc", "Rc"),
    ("RefCell", "RefCell"),
    ("RwLock", "Locked"),
    ("Weak", "Weak"),
];

/// The types in `STRUCTURAL_TWINS` that have a different twin when they contain anything else.
const OWN_TWINS: &[(&str, &str)] = &[("RefCell", "OwnRefCell")];

/// Functions of pointers that a predicate calls on pointers of the structure; the other functions create new pointers.
const POINTER_FUNCTIONS: &[(&str, &[&str])] = &[
    ("Arc", &["as_ptr", "as_ref", "clone", "downgrade", "ptr_eq"]),
    ("Box", &["as_ref"]),
    ("Rc", &["as_ptr", "as_ref", "clone", "downgrade", "ptr_eq"]),
    ("RefCell", &["borrow", "try_borrow"]),
    ("Weak", &["as_ptr", "clone", "new", "ptr_eq", "upgrade"]),
];

/// Types and traits of std, and maps of `slotmap` in which predicates keep notes. The types are kept, and their
/// arguments are lifted.
const KEPT: &[&str] = &[
    "Add",
    "Any",
    "AsRef",
    "Borrow",
    "Bound",
    "BuildHasher",
    "BuildHasherDefault",
    "Chain",
    "Clone",
    "Cloned",
    "ControlFlow",
    "Copied",
    "Copy",
    "Cow",
    "Debug",
    "Default",
    "DefaultHasher",
    "Deref",
    "DerefMut",
    "Display",
    "Div",
    "DoubleEndedIterator",
    "Drop",
    "Duration",
    "Enumerate",
    "Eq",
    "Error",
    "ExactSizeIterator",
    "Extend",
    "Filter",
    "FilterMap",
    "FlatMap",
    "Fn",
    "FnMut",
    "FnOnce",
    "Formatter",
    "From",
    "FromIterator",
    "FusedIterator",
    "Hash",
    "Hasher",
    "Index",
    "IndexMut",
    "Instant",
    "Into",
    "IntoIterator",
    "Iterator",
    "Map",
    "Mul",
    "Neg",
    "NonNull",
    "NonZero",
    "NonZeroI128",
    "NonZeroI16",
    "NonZeroI32",
    "NonZeroI64",
    "NonZeroI8",
    "NonZeroIsize",
    "NonZeroU128",
    "NonZeroU16",
    "NonZeroU32",
    "NonZeroU64",
    "NonZeroU8",
    "NonZeroUsize",
    "Not",
    "Option",
    "Ord",
    "Ordering",
    "PartialEq",
    "PartialOrd",
    "Peekable",
    "PhantomData",
    "Pin",
    "Product",
    "RandomState",
    "Range",
    "RangeBounds",
    "RangeFrom",
    "RangeFull",
    "RangeInclusive",
    "RangeTo",
    "RangeToInclusive",
    "Rem",
    "Result",
    "Rev",
    "Reverse",
    "Saturating",
    "SecondaryMap",
    "Send",
    "Sized",
    "Skip",
    "SparseSecondaryMap",
    "StepBy",
    "String",
    "Sub",
    "Sum",
    "Sync",
    "Take",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Wrapping",
    "Zip",
    "bool",
    "char",
    "f32",
    "f64",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "isize",
    "str",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "usize",
];

/// How lifting replaces the name of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Always replaced by its twin.
    Twin,
    /// Replaced by its twin if it contains a part of the structure.
    TwinAroundStructure,
    /// Kept.
    Kept,
    /// Replaced by its `Lift::Lifted`.
    Lifted,
}

pub(crate) fn fate(name: &str) -> Fate {
    if TWINS.contains(&name) {
        Fate::Twin
    } else if structural_twin(name).is_some() {
        Fate::TwinAroundStructure
    } else if KEPT.contains(&name) {
        Fate::Kept
    } else {
        Fate::Lifted
    }
}

/// Returns the twin of a pointer or cell that contains a part of the structure.
pub(crate) fn structural_twin(name: &str) -> Option<&'static str> {
    STRUCTURAL_TWINS.iter().find(|(known, _)| *known == name).map(|(_, twin)| *twin)
}

/// Returns the twin of a pointer or cell that the predicate created, if it has one.
pub(crate) fn own_twin(name: &str) -> Option<&'static str> {
    OWN_TWINS.iter().find(|(known, _)| *known == name).map(|(_, twin)| *twin)
}

/// Returns whether a std type has no generic arguments.
pub(crate) fn stands_alone(name: &str) -> bool {
    const ALONE: &[&str] = &["DefaultHasher", "Duration", "Instant", "Ordering", "RandomState", "RangeFull", "String"];
    name.starts_with(char::is_lowercase) || name.starts_with("NonZero") || ALONE.contains(&name)
}

/// Returns whether `Type::function` is a function that a predicate calls on pointers of the structure.
pub(crate) fn is_pointer_function(ty: &str, function: &str) -> bool {
    POINTER_FUNCTIONS.iter().any(|(name, functions)| *name == ty && functions.contains(&function))
}

/// Macros whose arguments are expressions.
pub(crate) const EXPRESSION_MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];
