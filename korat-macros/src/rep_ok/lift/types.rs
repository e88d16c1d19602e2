//! Lifts types in signatures and annotations to types over views:
//!
//! | written | lifted |
//! | --- | --- |
//! | `Node` | `<Node as Lift>::Lifted`, its view |
//! | `&T`, `*const T`, tuples, `Option<T>`, .. | the same type around the lifted `T` |
//! | `Box<Node>`, `Rc<RefCell<Node>>`, `Arc<Mutex<Node>>`, `Weak<..>` | the twin pointer; the std pointer around other types |
//! | `RefCell<Node>` | `<RefCell<Node> as Lift>::Lifted`, a cell around the place of the object |
//! | `RefCell<u8>` | the twin for cells that the predicate creates |
//! | `Vec<T>`, `HashSet<T>`, `BTreeMap<K, V>`, `Cell<T>`, .. | the twin container |
//! | `[T]`, `&[T; N]` | the twin slice or array |

use syn::spanned::Spanned;
use syn::{GenericArgument, Ident, PathArguments, PathSegment, Type, TypePath, parse_quote_spanned};

use super::Lifter;
use crate::rep_ok::names::{Fate, fate, own_twin, stands_alone, structural_twin};
use crate::walk::visit_mut;

/// Returns how lifting replaces a type. Most std types have arguments; a name without any must be the user's own.
fn type_fate(last: &PathSegment) -> Fate {
    let name = last.ident.to_string();
    if last.arguments.is_empty() && !stands_alone(&name) { Fate::Lifted } else { fate(&name) }
}

/// Returns the type argument, if it is the only argument.
fn only_type(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(args) = &segment.arguments else { return None };
    match args.args.first()? {
        GenericArgument::Type(ty) if args.args.len() == 1 => Some(ty),
        _ => None,
    }
}

/// Returns the arguments that are a single identifier, such as `K` in `Node<K>`.
fn named_arguments(segment: &PathSegment) -> Vec<Ident> {
    let PathArguments::AngleBracketed(args) = &segment.arguments else { return Vec::new() };
    let names = args.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(Type::Path(path)) => path.path.get_ident().cloned(),
        _ => None,
    });
    names.collect()
}

/// Removes the hasher from the arguments of a map or a set, whose twin has none.
fn drop_hasher(container: &mut PathSegment) {
    let count = match container.ident.to_string().as_str() {
        "HashMap" => 2,
        "HashSet" => 1,
        _ => return,
    };
    if let PathArguments::AngleBracketed(args) = &mut container.arguments {
        args.args = std::mem::take(&mut args.args).into_iter().take(count).collect();
    }
}

fn is_self(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("Self"))
}

/// Returns whether a type that is part of the structure is a pointer or cell to another one.
fn is_pointer(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| type_fate(last) != Fate::Lifted))
}

impl Lifter {
    pub(super) fn lift_type(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(path) => {
                if let Some(lifted) = self.lift_path(path) {
                    *ty = lifted;
                }
            }
            Type::Slice(slice) => {
                self.lift_type(&mut slice.elem);
                let (private, elem) = (&self.private, &slice.elem);
                *ty = parse_quote_spanned!(slice.span()=> #private::twin::Slice<#elem>);
            }
            Type::Reference(reference) => {
                if let Type::Array(array) = &mut *reference.elem {
                    self.lift_type(&mut array.elem);
                    let (private, elem, len) = (&self.private, &array.elem, &array.len);
                    *reference.elem = parse_quote_spanned!(array.span()=> #private::twin::Array<#elem, #len>);
                } else {
                    self.lift_type(&mut reference.elem);
                }
            }
            // Keep the shape and lift the parts.
            Type::Array(_)
            | Type::FnPtr(_)
            | Type::Group(_)
            | Type::ImplTrait(_)
            | Type::Infer(_)
            | Type::Macro(_)
            | Type::Never(_)
            | Type::Paren(_)
            | Type::Ptr(_)
            | Type::TraitObject(_)
            | Type::Tuple(_)
            | Type::Verbatim(_) => visit_mut::visit_type_mut(self, ty),
            // `Type` is non-exhaustive; leave unknown kinds of types to rustc.
            _ => {}
        }
    }

    fn lift_path(&mut self, path: &mut TypePath) -> Option<Type> {
        if path.qself.is_some() {
            visit_mut::visit_type_path_mut(self, path);
            return None;
        }
        let last = path.path.segments.last()?;
        let name = last.ident.to_string();
        let first = path.path.segments.first()?.ident.to_string();
        if first == "Self" || self.own_names.contains(&name) {
            visit_mut::visit_type_path_mut(self, path);
            return None;
        }
        let fate = type_fate(last);
        let around_structure = fate == Fate::TwinAroundStructure && self.holds_structure(last);
        if fate == Fate::Lifted {
            self.class_arguments.extend(named_arguments(last));
            let private = &self.private;
            return Some(parse_quote_spanned!(path.span()=> <#path as #private::Lift>::Lifted));
        }
        if name == "RefCell"
            && around_structure
            && let Some(class) = only_type(last)
            && !is_pointer(class)
        {
            // The cell wraps the place of the object; for an enum that is the slot of its variant, not its view.
            let class = if is_self(class) { &self.class } else { class };
            if let Type::Path(class) = class
                && let Some(last) = class.path.segments.last()
            {
                self.class_arguments.extend(named_arguments(last));
            }
            let private = &self.private;
            return Some(
                parse_quote_spanned!(path.span()=> <#private::std::cell::RefCell<#class> as #private::Lift>::Lifted),
            );
        }
        visit_mut::visit_type_path_mut(self, path);
        let mut last = path.path.segments.last()?.clone();
        if fate == Fate::TwinAroundStructure {
            let twin = if around_structure { structural_twin(&name) } else { own_twin(&name) };
            last.ident = Ident::new(twin?, last.ident.span());
        }
        drop_hasher(&mut last);
        let private = &self.private;
        (fate != Fate::Kept).then(|| parse_quote_spanned!(last.span()=> #private::twin::#last))
    }

    /// Returns whether an argument of `Box<..>`, `Rc<..>` or `RefCell<..>` is part of the structure.
    fn holds_structure(&self, pointer: &PathSegment) -> bool {
        let PathArguments::AngleBracketed(args) = &pointer.arguments else { return false };
        args.args.iter().any(|arg| matches!(arg, GenericArgument::Type(ty) if self.is_structure(ty)))
    }

    fn is_structure(&self, ty: &Type) -> bool {
        let Type::Path(TypePath { qself: None, path, .. }) = ty else { return false };
        let Some(last) = path.segments.last() else { return false };
        let name = last.ident.to_string();
        if name == "Self" {
            return true;
        }
        if self.own_names.contains(&name) {
            return false;
        }
        match type_fate(last) {
            Fate::Lifted => true,
            Fate::TwinAroundStructure => self.holds_structure(last),
            Fate::Twin | Fate::Kept => false,
        }
    }
}
