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
        // A const parameter as an argument looks like a type.
        let is_parameter = path.path.is_ident(&name) && self.params.contains(&name);
        if first == "Self" || is_parameter || self.own_names.contains(&name) {
            visit_mut::visit_type_path_mut(self, path);
            return None;
        }
        let fate = type_fate(last);
        let around_structure = fate == Fate::TwinAroundStructure && self.holds_structure(last);
        if fate == Fate::Lifted {
            self.class_arguments.extend(named_arguments(last));
            let mut other = path.clone();
            visit_mut::visit_type_path_mut(self, &mut other);
            return Some(self.lifted_class(path, Some(&Type::Path(other))));
        }
        if name == "RefCell"
            && around_structure
            && let Some(class) = only_type(last)
            && !is_pointer(class)
        {
            // The cell wraps the place of the object; for an enum that is the slot of its variant, not its view.
            let class = if is_self(class) { self.class.clone() } else { class.clone() };
            if let Type::Path(class) = &class
                && let Some(last) = class.path.segments.last()
            {
                self.class_arguments.extend(named_arguments(last));
            }
            let mut inside = class.clone();
            self.lift_type(&mut inside);
            let private = &self.private;
            let cell = parse_quote_spanned!(path.span()=> #private::std::cell::RefCell<#class>);
            let other = parse_quote_spanned!(path.span()=> #private::twin::OwnRefCell<#inside>);
            return Some(self.lifted_class(&cell, Some(&other)));
        }
        let inside = around_structure.then(|| self.structure_inside(last)).flatten().cloned();
        visit_mut::visit_type_path_mut(self, path);
        let mut last = path.path.segments.last()?.clone();
        drop_hasher(&mut last);
        let private = &self.private;
        let twin = |name: &str| -> Type {
            let mut last = last.clone();
            last.ident = Ident::new(name, last.ident.span());
            parse_quote_spanned!(last.span()=> #private::twin::#last)
        };
        match fate {
            Fate::Kept | Fate::Lifted => None,
            Fate::Twin => Some(twin(&name)),
            Fate::TwinAroundStructure => match inside {
                Some(inside) => {
                    let other = own_twin(&name).map_or_else(|| Type::Path(path.clone()), twin);
                    Some(self.around(&inside, twin(structural_twin(&name)?), &other))
                }
                None => own_twin(&name).map(twin),
            },
        }
    }

    /// Returns whether an argument of `Box<..>`, `Rc<..>` or `RefCell<..>` may be part of the structure.
    fn holds_structure(&self, pointer: &PathSegment) -> bool {
        self.structure_inside(pointer).is_some()
    }

    /// Returns the type behind `Box<..>`, `Rc<RefCell<..>>` and so on that may be part of the structure.
    fn structure_inside<'t>(&self, pointer: &'t PathSegment) -> Option<&'t TypePath> {
        let PathArguments::AngleBracketed(args) = &pointer.arguments else { return None };
        args.args.iter().find_map(|arg| match arg {
            GenericArgument::Type(ty) => self.structure(ty),
            _ => None,
        })
    }

    fn structure<'t>(&self, ty: &'t Type) -> Option<&'t TypePath> {
        let Type::Path(path @ TypePath { qself: None, .. }) = ty else { return None };
        let last = path.path.segments.last()?;
        let name = last.ident.to_string();
        if name == "Self" {
            return Some(path);
        }
        if self.own_names.contains(&name) {
            return None;
        }
        match type_fate(last) {
            Fate::Lifted => Some(path),
            Fate::TwinAroundStructure => self.structure_inside(last),
            Fate::Twin | Fate::Kept => None,
        }
    }
}
