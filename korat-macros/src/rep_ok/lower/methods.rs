//! Selects the methods of the machine: those of the block, and the functions nested in their bodies. Records why a
//! method is excluded.

use std::collections::HashSet;

use quote::quote;
use syn::{FnArg, ImplItem, ImplItemFn, Item, Lifetime, ReceiverKind, ReturnType, Signature, Stmt, Type, parse_quote};

use super::arguments;
use super::source::one_line;
use super::words::words;
use crate::rep_ok::lift::Lifted;
use crate::rep_ok::same_tokens;
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::VisitMut;

/// A method before it is split.
pub(super) struct Uncut {
    pub(super) name: String,
    pub(super) sig: Signature,
    pub(super) body: syn::Block,
}

/// The methods of a machine.
pub(super) struct Chosen {
    pub(super) uncut: Vec<Uncut>,
    /// Types, constants and functions declared in the bodies.
    pub(super) items: Vec<Item>,
    /// The excluded methods, and why.
    pub(super) left_out: Vec<(String, String)>,
}

/// Excludes all methods, because `verify` found a fault in the blocks of the machine.
pub(super) fn none(lifted: &Lifted, fault: &str) -> Chosen {
    let why = format!("korat's check of its own work has failed, which is a bug in korat; please report it: {fault}");
    let left_out = lifted.methods.iter().map(|method| (method.sig.ident.to_string(), why.clone())).collect();
    Chosen { uncut: Vec::new(), items: Vec::new(), left_out }
}

pub(super) fn choose(lifted: &Lifted) -> Chosen {
    let mut uncut = Vec::new();
    let mut items = Vec::new();
    let mut left_out: Vec<(String, String)> = Vec::new();
    let is_unrestorable = |method: &ImplItemFn| {
        let known = |word: String| UNRESTORABLE.contains(&word.as_str()) || word.starts_with("Atomic");
        words(quote!(#method)).into_iter().any(known)
    };
    let any_unrestorable = lifted.methods.iter().any(is_unrestorable);
    for method in &lifted.methods {
        let name = method.sig.ident.to_string();
        if lifted.reexecute {
            left_out.push((name, "`#[rep_ok(reexecute)]` says so".to_string()));
            continue;
        }
        if any_unrestorable {
            let why = "the block names a type whose values change unseen, or act when they are dropped";
            left_out.push((name, why.to_string()));
            continue;
        }
        // Names that the other methods use, and that items of this method must not shadow.
        let others = lifted.methods.iter().filter(|other| other.sig.ident != method.sig.ident);
        let others = others.flat_map(free_words).collect();
        take_out(method.clone(), &others, &mut uncut, &mut items, &mut left_out);
    }
    Chosen { uncut, items, left_out }
}

/// Types whose values change without `mut` or act when they are dropped, so that activation records cannot keep them.
/// Generated code also checks the type of each kept local (`Restorable`); this list rejects them before anything runs,
/// and a wrong entry costs only time.
const UNRESTORABLE: &[&str] = &[
    "Drop",
    "LazyCell",
    "LazyLock",
    "ManuallyDrop",
    "MaybeUninit",
    "Mutex",
    "OnceCell",
    "OnceLock",
    "RwLock",
    "UnsafeCell",
    "from_raw",
    "into_raw",
    "leak",
    "static",
];

/// Returns the return type of a method, with its lifetimes left to inference.
pub(super) fn output_of(sig: &Signature) -> Type {
    let mut output: Type = match &sig.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, ty) => (**ty).clone(),
    };
    forget_lifetimes(&mut output);
    output
}

pub(super) fn plain_name(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_string()
}

/// Returns why a method cannot be lowered, and is called in its lifted form instead.
fn obstacle(method: &ImplItemFn) -> Option<String> {
    if has_cfg(method) {
        return Some("parts of it are compiled conditionally".to_string());
    }
    if let Some(name) = consuming_method(&method.block) {
        return Some(format!("it declares `{name}`, which consumes its value"));
    }
    let unknown = unknown_macro(&method.block);
    unknown.or_else(|| obstacle_in(&method.sig).map(ToString::to_string))
}

/// Finds a macro in a body that is not from std. Only rustc knows what it does with its arguments, and whether it returns.
fn unknown_macro(body: &syn::Block) -> Option<String> {
    struct Finder(Option<String>);
    impl Visit for Finder {
        fn visit_macro(&mut self, mac: &syn::Macro) {
            if !arguments::is_known(mac) {
                let name = one_line(&mac.path);
                self.0.get_or_insert(format!("it calls `{name}!`, and korat does not see what that becomes"));
                return;
            }
            // Check the macros among the arguments.
            arguments::look(mac, &mut |arg| self.visit_expr(arg));
        }
        fn visit_item_macro(&mut self, item: &syn::ItemMacro) {
            let name = item.ident.as_ref().map(ToString::to_string).unwrap_or_default();
            self.0.get_or_insert(format!("it declares `{name}!`, and korat does not see what that becomes"));
        }
    }
    let mut finder = Finder(None);
    finder.visit_block(body);
    finder.0
}

/// Finds a method that takes `self` by value, of a type that the body declares and that is not `Copy`. Calls of a method are
/// known by its name alone, and borrow a local.
fn consuming_method(body: &syn::Block) -> Option<String> {
    #[derive(Default)]
    struct Finder {
        /// Types that cannot be copied.
        moved: Vec<String>,
        /// Types with methods that consume them, and the names of these.
        consumed: Vec<(String, String)>,
    }
    impl Visit for Finder {
        fn visit_item(&mut self, item: &Item) {
            let (name, attrs) = match item {
                Item::Struct(item) => (&item.ident, &item.attrs),
                Item::Enum(item) => (&item.ident, &item.attrs),
                Item::Impl(block) => {
                    let methods = block.items.iter().filter_map(|item| match item {
                        ImplItem::Fn(method) => Some(&method.sig),
                        _ => None,
                    });
                    let consumes = |sig: &&Signature| {
                        sig.receiver().is_some_and(|receiver| !matches!(receiver.kind, ReceiverKind::Reference(..)))
                    };
                    let consumed =
                        methods.filter(consumes).map(|sig| (one_line(&*block.self_ty), sig.ident.to_string()));
                    self.consumed.extend(consumed);
                    return visit::visit_item(self, item);
                }
                _ => return visit::visit_item(self, item),
            };
            if !words(quote!(#(#attrs)*)).iter().any(|word| word == "Copy") {
                self.moved.push(name.to_string());
            }
        }
    }
    let mut finder = Finder::default();
    finder.visit_block(body);
    let Finder { moved, consumed } = finder;
    let is_moved = |class: &str| moved.iter().any(|name| class.split(' ').next() == Some(name));
    consumed.into_iter().find(|(class, _)| is_moved(class)).map(|(_, method)| method)
}

fn obstacle_in(sig: &Signature) -> Option<&'static str> {
    let by_reference =
        sig.receiver().is_none_or(|receiver| matches!(receiver.kind, ReceiverKind::Reference(_, _, None)));
    let words = |ty: &Type| one_line(ty).split(' ').map(ToString::to_string).collect::<Vec<_>>();
    let has = |ty: &Type, word: &str| words(ty).iter().any(|known| known == word);
    let types = sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&*typed.ty),
        FnArg::Receiver(_) => None,
    });
    let output = match &sig.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some(&**ty),
    };
    let all: Vec<&Type> = types.chain(output).collect();
    let is_generic = !sig.generics.params.iter().all(|param| matches!(param, syn::GenericParam::Lifetime(_)));
    if !by_reference {
        Some("it does not take `&self`")
    } else if is_generic || all.iter().any(|ty| has(ty, "impl")) {
        Some("it is generic")
    } else if all.iter().any(|ty| has(ty, "dyn")) {
        Some("it is given a `dyn` type")
    } else if output.is_some_and(|ty| matches!(ty, Type::Never(_))) {
        Some("it never returns")
    } else {
        None
    }
}

/// Separates a method, the functions nested in it, and its other items. The items of all methods share one scope, so a
/// method whose items have names that mean something else in another method is excluded, and called in its lifted form.
fn take_out(
    method: ImplItemFn,
    others: &HashSet<String>,
    uncut: &mut Vec<Uncut>,
    items: &mut Vec<Item>,
    left_out: &mut Vec<(String, String)>,
) {
    #[derive(Default)]
    struct Items {
        owner: String,
        nested: Vec<Uncut>,
        items: Vec<Item>,
    }
    impl Items {
        /// Removes the items of a body. Items of inner blocks stay, because they shadow names only there.
        fn take(&mut self, block: &mut syn::Block) {
            let mut kept = Vec::new();
            for stmt in std::mem::take(&mut block.stmts) {
                let Stmt::Item(item) = stmt else {
                    kept.push(stmt);
                    continue;
                };
                if let Item::Fn(item) = &item
                    && obstacle_in(&item.sig).is_none()
                    && unknown_macro(&item.block).is_none()
                {
                    let name = format!("{}.{}", self.owner, item.sig.ident);
                    self.nested.push(Uncut { name, sig: item.sig.clone(), body: (*item.block).clone() });
                }
                // Keep the item: closures call nested functions in their lifted form.
                self.items.push(item);
            }
            block.stmts = kept;
        }
    }
    let name = method.sig.ident.to_string();
    if let Some(why) = obstacle(&method) {
        left_out.push((name, why));
        return;
    }
    let mut found = Items::default();
    let mut methods = Vec::new();
    let mut todo = vec![Uncut { name: method.sig.ident.to_string(), sig: method.sig, body: method.block }];
    while let Some(mut next) = todo.pop() {
        found.owner = next.name.clone();
        let known = found.items.len();
        found.take(&mut next.body);
        if next.name.contains('.') {
            // Items of a nested function stay inside it, so it is called in its lifted form.
            if found.items.len() > known {
                found.items.truncate(known);
                found.nested.clear();
                continue;
            }
        }
        todo.append(&mut found.nested);
        methods.push(next);
    }
    let names = |items: &[Item]| -> Vec<String> { items.iter().flat_map(names_of_item).collect() };
    // Equal `use` items in two methods are merged.
    let is_known = |item: &Item| items.iter().any(|known| same_tokens(known, item));
    found.items.retain(|item| !matches!(item, Item::Use(_)) || !is_known(item));
    let (known, new) = (names(items), names(&found.items));
    let repeated = (0..new.len()).any(|at| new[..at].contains(&new[at]) || known.contains(&new[at]));
    let seen_by_others = new.iter().any(|name| others.contains(name));
    if repeated || seen_by_others {
        let why = "something it declares has a name that means something else in another method";
        left_out.push((name, why.to_string()));
    } else {
        uncut.extend(methods);
        items.extend(found.items);
    }
}

/// Returns whether parts of the method are conditionally compiled, which only rustc can decide.
fn has_cfg(method: &ImplItemFn) -> bool {
    struct Finder(bool);
    impl Visit for Finder {
        fn visit_attribute(&mut self, attribute: &syn::Attribute) {
            self.0 |= attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr");
        }
    }
    let mut finder = Finder(false);
    finder.visit_impl_item_fn(method);
    finder.0
}

/// Collects the names that a `use` brings into scope.
fn names_of_use(tree: &syn::UseTree, names: &mut Vec<String>) {
    match tree {
        syn::UseTree::Path(path) => names_of_use(&path.tree, names),
        syn::UseTree::Name(name) => names.push(name.ident.to_string()),
        syn::UseTree::Rename(rename) => names.push(rename.rename.to_string()),
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| names_of_use(tree, names)),
        syn::UseTree::Glob(_) => {}
    }
}

pub(super) fn names_of_item(item: &Item) -> Vec<String> {
    match item {
        Item::Use(item) => {
            let mut names = Vec::new();
            names_of_use(&item.tree, &mut names);
            names
        }
        Item::Macro(item) => item.ident.iter().map(ToString::to_string).collect(),
        item => name_of_item(item).into_iter().collect(),
    }
}

/// Returns the identifiers in a method that it does not bind itself.
fn free_words(method: &ImplItemFn) -> HashSet<String> {
    struct Bound(HashSet<String>);
    impl Visit for Bound {
        fn visit_pat_ident(&mut self, pat: &syn::PatIdent) {
            if !pat.ident.to_string().starts_with(char::is_uppercase) {
                self.0.insert(pat.ident.to_string());
            }
            visit::visit_pat_ident(self, pat);
        }
        fn visit_item(&mut self, item: &Item) {
            self.0.extend(names_of_item(item));
            visit::visit_item(self, item);
        }
    }
    let mut bound = Bound(HashSet::new());
    bound.visit_impl_item_fn(method);
    let all = words(quote!(#method)).into_iter();
    all.filter(|word| !bound.0.contains(word)).collect()
}

fn name_of_item(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Returns the types of the parameters.
pub(super) fn inputs_of(sig: &Signature) -> Vec<Type> {
    let ty = |input: &FnArg| match input {
        FnArg::Receiver(_) => parse_quote!(&Self),
        FnArg::Typed(typed) => {
            let mut ty = (*typed.ty).clone();
            forget_lifetimes(&mut ty);
            ty
        }
    };
    sig.inputs.iter().map(ty).collect()
}

/// Leaves lifetimes to inference, since everything in a machine lives as long as the machine.
fn forget_lifetimes(ty: &mut Type) {
    struct Forget;
    impl VisitMut for Forget {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = Lifetime::new("'_", lifetime.span());
        }
    }
    Forget.visit_type_mut(ty);
}
