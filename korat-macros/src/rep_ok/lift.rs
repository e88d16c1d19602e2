//! Lifts methods over `&T` to methods over views. The methods keep the user's tokens and spans, but change as follows:
//!
//! - `x.f` becomes `(*(&x.f).__korat_read())`, which reads a slot; on any other field it is the identity. Where the
//!   field may be modified (the left side of an assignment, `&mut x.f`, the receiver of a method) it stays `x.f`: a
//!   slot is then read by auto-deref, and a local remains a place. In `unsafe` code, `*x.f` may dereference a raw
//!   pointer, and auto-deref does not get from the slot to its target: fields are read explicitly there, except where
//!   they are certainly written.
//! - Types become types over views (see `types`), and names of std types with a twin become the path of the twin.
//! - Patterns that destructure a class or a sequence bind its cells, which are read afterwards (see `patterns`).
//! - Every loop iteration, call and closure counts a step, so that a predicate that does not terminate is detected.

mod alternatives;
mod body;
mod chains;
mod locals;
mod macros;
mod paths;
mod pattern_lifter;
mod patterns;
mod places;
mod probed;
mod types;
mod variants;
mod views;

pub(super) use chains::allow_chains;
pub(super) use locals::BoundNames;
pub(super) use places::is_compound_assignment;

use quote::ToTokens;
use syn::{
    Block, Error, Expr, FnArg, GenericParam, Generics, Ident, ImplItemFn, Path, Result, Safety, Signature, Type,
    parse_quote,
};

use super::digest::digest;
use super::parse::{self, Form};
use crate::errors::Errors;
use crate::walk::visit::Visit;
use crate::walk::visit_mut::VisitMut;
use locals::InTuples;
pub(crate) use paths::helper_name;
use views::GenericNames;

/// A block whose methods are lifted to views.
pub(crate) struct Lifted {
    pub(crate) form: Form,
    /// Functions outside the block that have a lifted form, too.
    pub(crate) uses: Vec<Path>,
    pub(crate) class: Type,
    pub(crate) generics: Generics,
    pub(crate) class_name: Ident,
    pub(crate) methods: Vec<ImplItemFn>,
    pub(crate) has_rep_ok: bool,
    pub(crate) reexecute: bool,
    pub(crate) filter: Option<Expr>,
    pub(crate) panics_reject: bool,
    /// A hash of what the user has written.
    pub(crate) digest: u64,
    pub(crate) krate: Path,
}

pub(crate) fn lift(block: parse::RepOkImpl) -> Result<Lifted> {
    let krate = &block.krate;
    let params = block.generics.type_params().map(|param| &param.ident);
    let mut lifter = Lifter {
        private: parse_quote!(#krate::__private),
        uses: block.uses.clone(),
        class: block.class.clone(),
        class_name: block.class_name.clone(),
        own_names: block.plain.iter().chain(params).map(ToString::to_string).collect(),
        params: parameter_names(&block.generics).collect(),
        own_values: Vec::new(),
        own_pointers: Vec::new(),
        in_tuples: Vec::new(),
        view_aliases: Vec::new(),
        fresh_names: 0,
        in_unsafe: false,
        self_changes: false,
        class_arguments: Vec::new(),
        is_generic: block.is_generic,
        generic_names: GenericNames::of(&block.methods),
        imports_variants: false,
        copies: block.copies,
        errors: Errors::default(),
    };
    let filter = block.filter.iter().map(|filter| filter as &dyn ToTokens);
    let digest = digest(block.methods.iter().map(|method| method as &dyn ToTokens).chain(filter));
    let mut methods = block.methods;
    for method in &mut methods {
        method.attrs.retain(|attr| attr.path().is_ident("cfg"));
        lifter.lift_fn(&mut method.sig, &mut method.block);
    }
    lifter.errors.into_result()?;
    let parse::RepOkImpl {
        form,
        uses,
        class,
        generics,
        class_name,
        has_rep_ok,
        reexecute,
        filter,
        panics_reject,
        krate,
        ..
    } = block;
    Ok(Lifted {
        form,
        uses,
        class,
        generics,
        class_name,
        methods,
        has_rep_ok,
        reexecute,
        filter,
        panics_reject,
        digest,
        krate,
    })
}

struct Lifter {
    /// `::korat::__private`.
    private: Path,
    /// Functions outside the block that have a lifted form.
    uses: Vec<Path>,
    /// The type of the user's block.
    class: Type,
    /// The last segment of the path of `class`.
    class_name: Ident,
    /// Types that lifting leaves alone: generic parameters, types declared in a body, and types that the user lists as plain.
    own_names: Vec<String>,
    /// Type and const parameters in scope.
    params: Vec<String>,
    /// Variables in scope, innermost last, and whether each certainly holds a struct or tuple that the predicate created.
    own_values: Vec<(String, bool)>,
    /// Variables that hold an `Rc` or `Arc` that the predicate created.
    own_pointers: Vec<String>,
    /// Variables of the current function that patterns of tuples bind.
    in_tuples: Vec<String>,
    /// Type aliases for views that patterns in the current function use.
    view_aliases: Vec<(Ident, Path)>,
    /// Whether the block has type parameters.
    is_generic: bool,
    /// Types that the block names with generic arguments.
    generic_names: Vec<String>,
    /// Number of fresh names generated so far.
    fresh_names: usize,
    /// Whether a variant was already rejected because it is imported.
    imports_variants: bool,
    /// Whether the class is copied, and has a constructor.
    copies: bool,
    /// Whether the current code may dereference raw pointers.
    in_unsafe: bool,
    /// Whether `self` is a value of a type declared in a body that the current method may change.
    self_changes: bool,
    /// Type parameters that the current function passes to a class as arguments.
    class_arguments: Vec<Ident>,
    errors: Errors,
}

impl Lifter {
    fn refuse(&mut self, at: &dyn ToTokens, message: &str) {
        self.errors.push(Error::new_spanned(at, message));
    }

    fn lift_fn(&mut self, sig: &mut Signature, block: &mut Block) {
        if let Some(token) = sig.asyncness {
            self.refuse(&token, "an `async` function cannot be lifted; write the invariant without awaiting");
        }
        sig.constness = None;
        let (known, known_params) = (self.own_names.len(), self.params.len());
        self.params.extend(parameter_names(&sig.generics));
        for param in &sig.generics.params {
            if let GenericParam::Type(param) = param {
                self.own_names.push(param.ident.to_string());
            }
        }
        let outer_aliases = std::mem::take(&mut self.view_aliases);
        let outer_values = std::mem::take(&mut self.own_values);
        let outer_pointers = std::mem::take(&mut self.own_pointers);
        let mut in_tuples = InTuples(self.in_tuples.clone());
        sig.inputs.iter().for_each(|input| {
            if let FnArg::Typed(typed) = input {
                in_tuples.visit_pat(&typed.pat);
            }
        });
        in_tuples.visit_block(block);
        let outer_tuples = std::mem::replace(&mut self.in_tuples, in_tuples.0);
        let outer_unsafe = std::mem::replace(&mut self.in_unsafe, matches!(sig.safety, Safety::Unsafe(_)));
        let outer_arguments = std::mem::take(&mut self.class_arguments);
        self.visit_signature_mut(sig);
        self.visit_block_mut(block);
        let class_arguments = std::mem::replace(&mut self.class_arguments, outer_arguments);
        for param in sig.generics.type_params_mut().filter(|param| class_arguments.contains(&param.ident)) {
            // The derive and the block bound the parameters of the class in this way.
            let private = &self.private;
            param.bounds.push(parse_quote!(#private::PlainField));
        }
        for input in &mut sig.inputs {
            if let FnArg::Typed(typed) = input {
                self.bind_cells(&mut typed.pat, block);
            }
        }
        self.own_names.truncate(known);
        self.params.truncate(known_params);
        self.own_values = outer_values;
        self.own_pointers = outer_pointers;
        self.in_tuples = outer_tuples;
        self.in_unsafe = outer_unsafe;
        let private = &self.private;
        block.stmts.insert(0, parse_quote!(#private::call();));
        for (alias, class) in std::mem::replace(&mut self.view_aliases, outer_aliases) {
            let lifted = self.lifted_class(&parse_quote!(#class), None);
            block.stmts.insert(0, parse_quote!(type #alias = #lifted;));
        }
    }
}

/// Returns the names of type and const parameters.
fn parameter_names(generics: &Generics) -> impl Iterator<Item = String> {
    generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => Some(param.ident.to_string()),
        GenericParam::Const(param) => Some(param.ident.to_string()),
        GenericParam::Lifetime(_) => None,
    })
}
