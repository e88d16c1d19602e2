//! Begins a lifted method by asking whether its result is known: a search that has met the same call on a part like this one need
//! not run it again. Generated code packs the arguments and unpacks the result; the types decide whether they can be packed.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{
    FnArg, GenericParam, Ident, ImplItemFn, Pat, Path, ReceiverKind, ReturnType, Safety, Stmt, Type, parse_quote,
};

use crate::walk::visit::{self, Visit};

/// A parameter of a method that may be answered.
struct Param {
    name: TokenStream,
    ty: Type,
    /// Whether the method may change the value behind it.
    is_mut: bool,
}

/// Inserts the question at the beginning of a method, which is called by `callee` with all its parameters.
pub(super) fn watch(method: &mut ImplItemFn, callee: &TokenStream, k: &Path) {
    let Some(params) = params(method) else { return };
    let result: Type = match &method.sig.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, ty) => (**ty).clone(),
    };
    if !is_concrete(&result) {
        return;
    }
    let names: Vec<Ident> = (0..params.len()).map(|number| format_ident!("__korat_{number}")).collect();
    let (name, line) = (method.sig.ident.to_string(), method.sig.ident.span().start().line);
    let line = u32::try_from(line).unwrap_or(0);
    let taken = names.iter().zip(&params).map(|(name, Param { ty, is_mut, .. })| {
        let mutable = is_mut.then(|| quote!(mut));
        quote!(let #mutable #name = (&#k::calls::Take::<#ty>::new()).unpack(__korat_from);)
    });
    let passed =
        names.iter().zip(&params).map(|(name, param)| if param.is_mut { quote!(&mut #name) } else { quote!(#name) });
    let changed = names.iter().zip(&params).filter(|(_, param)| param.is_mut).map(|(name, _)| name);
    let given = params.iter().map(|Param { name, is_mut, .. }| {
        let place = if *is_mut { quote!(&*#name) } else { quote!(&#name) };
        quote!((&#k::calls::Give(#place)).argument(&mut __korat_call);)
    });
    let written = params
        .iter()
        .filter(|param| param.is_mut)
        .map(|Param { name, ty, .. }| quote!(*#name = (&#k::calls::Take::<#ty>::new()).unpack(__korat_answer);));
    let question: Stmt = parse_quote! {
        if #k::calls::are_watched() {
            use #k::calls::{GiveOpaque as _, GivePortable as _, TakeOpaque as _, TakePortable as _};
            static __KORAT_SITE: #k::calls::CallSite = #k::calls::CallSite { name: #name, line: #line };
            let __korat_run = #k::calls::RunBody::Method(|__korat_from, __korat_to| {
                #( #taken )*
                #k::calls::enter_body();
                let __korat_result = #callee(#( #passed ),*);
                (&#k::calls::Give(&__korat_result)).result(__korat_to);
                #( (&#k::calls::Give(&#changed)).result(__korat_to); )*
            });
            let mut __korat_call = #k::calls::Call::new(&__KORAT_SITE, __korat_run);
            #( #given )*
            (&#k::calls::Take::<#result>::new()).expect(&mut __korat_call);
            if let #k::std::option::Option::Some(__korat_answer) = __korat_call.answer() {
                let __korat_result = (&#k::calls::Take::<#result>::new()).unpack(__korat_answer);
                #( #written )*
                return __korat_result;
            }
        }
    };
    method.block.stmts.insert(0, question);
}

/// Returns the parameters of a method, if each has a name and a type that can be written down.
fn params(method: &ImplItemFn) -> Option<Vec<Param>> {
    let sig = &method.sig;
    let is_generic = !sig.generics.params.iter().all(|param| matches!(param, GenericParam::Lifetime(_)));
    if is_generic || !matches!(sig.safety, Safety::Default) || sig.asyncness.is_some() {
        return None;
    }
    sig.inputs.iter().map(param).collect()
}

fn param(input: &FnArg) -> Option<Param> {
    match input {
        FnArg::Receiver(receiver) => match receiver.kind {
            ReceiverKind::Reference(_, _, None) => {
                let name = receiver.self_token.to_token_stream();
                Some(Param { name, ty: parse_quote!(&Self), is_mut: false })
            }
            _ => None,
        },
        FnArg::Typed(typed) => {
            let Pat::Ident(pat) = &*typed.pat else { return None };
            if pat.by_ref.is_some() || pat.subpat.is_some() || !is_concrete(&typed.ty) {
                return None;
            }
            let name = &pat.ident;
            let name = quote!(#name);
            match &*typed.ty {
                Type::Reference(reference) if reference.mutability.is_some() => {
                    let ty = (*reference.elem).clone();
                    is_sized(&ty).then_some(Param { name, ty, is_mut: true })
                }
                ty => Some(Param { name, ty: ty.clone(), is_mut: false }),
            }
        }
    }
}

/// Returns whether a value of the type can be a local: it is no slice, nor its twin.
fn is_sized(ty: &Type) -> bool {
    match ty {
        Type::Slice(_) => false,
        Type::Path(path) => path.path.segments.last().is_none_or(|last| last.ident != "Slice" && last.ident != "str"),
        _ => true,
    }
}

/// Returns whether a type can be written in an expression, and is the same at every call.
pub(super) fn is_concrete(ty: &Type) -> bool {
    struct Finder(bool);
    impl Visit for Finder {
        fn visit_type(&mut self, ty: &Type) {
            self.0 |= matches!(
                ty,
                Type::ImplTrait(_) | Type::TraitObject(_) | Type::Never(_) | Type::Infer(_) | Type::Macro(_)
            );
            visit::visit_type(self, ty);
        }
    }
    let mut finder = Finder(false);
    finder.visit_type(ty);
    !finder.0
}
