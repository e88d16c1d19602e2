//! What the type of a field is made of, as far as its tokens say: an alias hides it.

use syn::{GenericArgument, PathArguments, Type};

/// Types of std, and arenas of other crates, whose values lie in the field itself or behind it.
const AROUND: &[&str] = &[
    "Arc", "Arena", "BTreeMap", "Box", "Cell", "HashMap", "Mutex", "OnceCell", "OnceLock", "Option", "Rc", "RefCell",
    "RwLock", "SlotMap", "Vec", "VecDeque", "Weak",
];

/// Of these, the ones with keys.
const MAPS: &[&str] = &["BTreeMap", "HashMap"];

/// The name of a type with arguments, and those that are types.
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

/// The last argument of a type with this name.
pub(super) fn argument<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let (applied, types) = applied(ty)?;
    if applied == name { types.last().copied() } else { None }
}

/// The parts of a type: elements, members, arguments.
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

/// The type of the plain values in a field: what its vectors, arrays, maps and cells hold; an option of it counts.
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

/// Whether there is a map in the type, whose domain is its keys.
pub(super) fn has_map(ty: &Type) -> bool {
    applied(ty).is_some_and(|(name, _)| MAPS.contains(&name.as_str())) || parts(ty).into_iter().any(has_map)
}
