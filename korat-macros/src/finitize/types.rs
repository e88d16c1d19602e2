//! Inspects field types by their tokens. Type aliases are opaque to these functions.

use syn::{GenericArgument, PathArguments, Type};

/// Types of std, and containers of other crates, whose type arguments are stored in the field or behind it.
const AROUND: &[&str] = &[
    "Arc",
    "Arena",
    "ArrayVec",
    "BTreeMap",
    "BinaryHeap",
    "Box",
    "Cell",
    "HashMap",
    "IndexMap",
    "LinkedList",
    "MaybeUninit",
    "Mutex",
    "OnceCell",
    "OnceLock",
    "Option",
    "Rc",
    "RefCell",
    "RwLock",
    "Slab",
    "SlotMap",
    "SmallVec",
    "Vec",
    "VecDeque",
    "Weak",
];

/// The types in `AROUND` that have keys.
const MAPS: &[&str] = &["BTreeMap", "HashMap", "IndexMap"];

/// Returns the name of a type with type arguments, and those arguments.
fn applied(ty: &Type) -> Option<(String, Vec<&Type>)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    Some((last.ident.to_string(), types.collect()))
}

/// Returns the last type argument, if the type has this name.
pub(super) fn argument<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let (applied, types) = applied(ty)?;
    if applied == name { types.last().copied() } else { None }
}

/// Returns the parts of a type: elements, members, or type arguments.
pub(super) fn parts(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Array(array) => vec![&array.elem],
        Type::Slice(slice) => vec![&slice.elem],
        Type::Paren(paren) => vec![&paren.elem],
        Type::Group(group) => vec![&group.elem],
        Type::Tuple(tuple) => tuple.elems.iter().collect(),
        _ => match applied(ty) {
            Some((name, types)) if AROUND.contains(&name.as_str()) => types,
            _ => Vec::new(),
        },
    }
}

/// Returns the type of the plain values in a field, which its vectors, arrays, maps and cells contain. An option of a
/// leaf is itself a leaf.
pub(super) fn leaf_type(ty: &Type) -> &Type {
    if let Some(inside) = argument(ty, "Option")
        && std::ptr::eq(leaf_type(inside), inside)
    {
        return ty;
    }
    match ty {
        Type::Tuple(_) => ty,
        _ => parts(ty).last().map_or(ty, |inside| leaf_type(inside)),
    }
}

/// Returns whether the type contains a map; the domain of such a field is that of the keys.
pub(super) fn has_map(ty: &Type) -> bool {
    applied(ty).is_some_and(|(name, _)| MAPS.contains(&name.as_str())) || parts(ty).into_iter().any(has_map)
}
