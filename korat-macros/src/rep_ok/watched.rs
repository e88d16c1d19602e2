//! Begins a lifted method by asking whether its result is known: a search that has met the same call on a part like this one need
//! not run it again. Generated code packs the arguments and unpacks the result; the types decide whether they can be packed.

use proc_macro2::{Span, TokenStream};
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
    let result: Type = match &method.sig.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, ty) => (**ty).clone(),
    };
    let params = match params(method) {
        _ if !is_concrete(&result) => Err("its result has no type that can be written out; return a plain value"),
        params => params,
    };
    let params = match params {
        Ok(params) => params,
        Err(why) => {
            let told = told(&method.sig.ident.to_string(), method.sig.ident.span(), why, k);
            return method.block.stmts.insert(0, told);
        }
    };
    let names: Vec<Ident> = (0..params.len()).map(|number| format_ident!("__korat_{number}")).collect();
    let (name, line) = (method.sig.ident.to_string(), line(method));
    let taken = names.iter().zip(&params).map(|(name, Param { ty, is_mut, .. })| {
        let mutable = is_mut.then(|| quote!(mut));
        quote!(let #mutable #name = (&&&#k::calls::Take::<#ty>::new()).unpack(__korat_from);)
    });
    let passed =
        names.iter().zip(&params).map(|(name, param)| if param.is_mut { quote!(&mut #name) } else { quote!(#name) });
    let changed = names.iter().zip(&params).filter(|(_, param)| param.is_mut).map(|(name, _)| name);
    let given = params.iter().map(|Param { name, is_mut, .. }| {
        let place = if *is_mut { quote!(&*#name) } else { quote!(&#name) };
        quote!((&&&#k::calls::Give(#place)).argument(&mut __korat_call);)
    });
    let written = params
        .iter()
        .filter(|param| param.is_mut)
        .map(|Param { name, ty, .. }| quote!(*#name = (&&&#k::calls::Take::<#ty>::new()).unpack(__korat_answer);));
    let question: Stmt = parse_quote! {
        if #k::calls::are_watched() {
            use #k::calls::{GiveBehind as _, GiveNamed as _, GivePortable as _};
            use #k::calls::{TakeBehind as _, TakeNamed as _, TakePortable as _};
            static __KORAT_SITE: #k::calls::CallSite = #k::calls::CallSite { name: #name, line: #line };
            let __korat_run = #k::calls::RunBody::Method(|__korat_from, __korat_to| {
                #( #taken )*
                #k::calls::enter_body();
                let __korat_result = #callee(#( #passed ),*);
                (&&&#k::calls::Give(&__korat_result)).result(__korat_to);
                #( (&&&#k::calls::Give(&#changed)).result(__korat_to); )*
            });
            let mut __korat_call = #k::calls::Call::new(&__KORAT_SITE, __korat_run);
            #( #given )*
            (&&&#k::calls::Take::<#result>::new()).expect(&mut __korat_call);
            if let #k::std::option::Option::Some(__korat_answer) = __korat_call.answer() {
                let __korat_result = (&&&#k::calls::Take::<#result>::new()).unpack(__korat_answer);
                #( #written )*
                return __korat_result;
            }
        }
    };
    method.block.stmts.insert(0, question);
}

/// Returns the line at which a method is declared.
pub(super) fn line(method: &ImplItemFn) -> u32 {
    u32::try_from(method.sig.ident.span().start().line).unwrap_or(0)
}

/// Returns a statement that tells why a method or a loop is run and not answered.
pub(super) fn told(name: &str, span: Span, why: &str, k: &Path) -> Stmt {
    let line = u32::try_from(span.start().line).unwrap_or(0);
    parse_quote! {
        {
            static __KORAT_SITE: #k::calls::CallSite = #k::calls::CallSite { name: #name, line: #line };
            #k::calls::is_run(&__KORAT_SITE, #why);
        }
    }
}

/// Returns the parameters of a method, if each has a name and a type that can be written down, or else why not.
fn params(method: &ImplItemFn) -> Result<Vec<Param>, &'static str> {
    let sig = &method.sig;
    let is_generic = !sig.generics.params.iter().all(|param| matches!(param, GenericParam::Lifetime(_)));
    if is_generic {
        return Err("it has type parameters; write a method for each type that it is called with");
    }
    if !matches!(sig.safety, Safety::Default) || sig.asyncness.is_some() {
        return Err("it is `unsafe` or `async`; move what is summarised to a method that is not");
    }
    sig.inputs.iter().map(param).collect()
}

fn param(input: &FnArg) -> Result<Param, &'static str> {
    match input {
        FnArg::Receiver(receiver) => match receiver.kind {
            ReceiverKind::Reference(_, _, None) => {
                let name = receiver.self_token.to_token_stream();
                Ok(Param { name, ty: parse_quote!(&Self), is_mut: false })
            }
            _ => Err("it does not take `&self`; take a reference"),
        },
        FnArg::Typed(typed) => {
            let pat = match &*typed.pat {
                Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => pat,
                _ => return Err("a parameter is a pattern; give it a name"),
            };
            if !is_concrete(&typed.ty) {
                return Err("a parameter is a closure or an `impl` type; pass plain values");
            }
            let name = &pat.ident;
            let name = quote!(#name);
            match &*typed.ty {
                Type::Reference(reference) if reference.mutability.is_some() => {
                    let ty = (*reference.elem).clone();
                    let param = is_sized(&ty).then_some(Param { name, ty, is_mut: true });
                    param.ok_or("it takes `&mut` to a slice; take `&mut Vec<_>`")
                }
                ty => Ok(Param { name, ty: ty.clone(), is_mut: false }),
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
