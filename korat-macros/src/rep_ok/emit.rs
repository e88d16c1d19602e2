//! Emits the lifted methods and the machine, next to the user's block, which stays unchanged:
//!
//! ```ignore
//! impl Tree { fn rep_ok(&self) -> bool { .. } }          // untouched
//! const _: () = {
//!     impl __KoratTree { fn rep_ok(&self) -> bool { .. } }   // lifted: inherent methods of the view, found by the same calls
//!     impl RepOk for Tree { .. }                             // both forms, for the search
//! };
//! ```

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Ident, ImplItemFn, Path, Type, TypePath, parse_quote};

use super::compared::Hooking;
use super::lift::{Lifted, helper_name};
use super::lower::Written;
use super::parse::Form;
use super::{loops, rests, watched};
use crate::finitize::{bounded, lints, view_name};
use crate::walk::visit_mut::VisitMut;

/// Returns the lifted methods and the machine of a block, which see `items`.
pub(crate) fn emit(items: &TokenStream, lifted: &Lifted, machine: Option<&Written>) -> TokenStream {
    let Lifted { class, methods, krate, .. } = lifted;
    let k: Path = parse_quote!(#krate::__private);
    let mut methods = methods.clone();
    let is_generic = |method: &&ImplItemFn| method.sig.generics.type_params().next().is_some();
    let own_methods = methods.iter().filter(|method| !is_generic(method)).map(|method| method.sig.ident.to_string());
    let own_methods: Vec<String> = own_methods.collect();
    let callees = match lifted.form {
        Form::Inherent => methods.iter().map(|method| (method.sig.ident.to_string(), watched::line(method))).collect(),
        Form::Trait(..) | Form::Function(_) => Vec::new(),
    };
    let show = |method: &mut ImplItemFn| rests::watch(method, &callees, &own_methods, &k);
    let shows: Vec<bool> = methods.iter_mut().map(show).collect();
    methods.iter_mut().for_each(|method| loops::watch(method, &own_methods, &k));
    methods.iter_mut().for_each(|method| Hooking { private: &k }.visit_impl_item_fn_mut(method));
    for (method, shows) in methods.iter_mut().zip(shows) {
        let name = &method.sig.ident;
        let callee = match &lifted.form {
            Form::Inherent => quote!(Self::#name),
            Form::Trait(path, _) => quote!(<Self as #path>::#name),
            Form::Function(_) => helper_name(name).into_token_stream(),
        };
        watched::watch(method, &callee, &k);
        if shows {
            method.block.stmts.insert(0, rests::is_body(&k));
        }
    }
    let k = quote!(#k);
    if let Form::Function(_) = lifted.form {
        for method in &mut methods {
            let imports = imports(&k, &lifted.uses);
            let body = &method.block;
            method.block = parse_quote!({ #imports #body });
            method.sig.ident = helper_name(&method.sig.ident);
        }
    }
    let view = view_path(lifted);
    let lints = lints();
    let generics = bounded(&lifted.generics, &k);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let rep_ok = lifted.has_rep_ok.then(|| {
        let rejecting = |verdict: TokenStream| match lifted.panics_reject {
            true => quote!(#k::panics_reject(|| #verdict)),
            false => verdict,
        };
        let runs_lifted = rejecting(quote!(<#view as #k::Located>::look(view).rep_ok()));
        let holds = rejecting(quote!(<#class>::rep_ok(self)));
        let rejecting_panics = lifted.panics_reject.then(|| quote!(.rejecting_panics()));
        let filter = lifted.filter.as_ref().map(|filter| {
            let passes = rejecting(quote_spanned!(filter.span()=> #k::Verdict::accepts((filter)(self))));
            quote! {
                const FILTERS: #k::std::primitive::bool = true;
                fn filter(&self) -> #k::std::primitive::bool {
                    let filter: fn(&Self) -> _ = #filter;
                    #passes
                }
            }
        });
        let digest = lifted.digest;
        quote! {
            #[automatically_derived]
            impl #impl_generics #k::RepOk for #class #where_clause {
                const DIGEST: #k::std::primitive::u64 = #digest;
                #[inline]
                fn lifted(view: &#k::View<Self>) -> #k::std::primitive::bool {
                    #runs_lifted
                }
                fn machine(view: &'static #k::View<Self>) -> #k::Machine {
                    <#view>::__korat_machine(view)#rejecting_panics
                }
                fn holds(&self) -> #k::std::primitive::bool {
                    #holds
                }
                #filter
            }
        }
    });
    let machine = machine.map(|Written { body, probes }| {
        let types = (0..*probes).map(|_| quote!(#k::Probe<impl #k::AnyType + ?#k::std::marker::Sized>));
        let names: Vec<Ident> = (0..*probes).map(|at| format_ident!("probe_{at}")).collect();
        quote! {
            #[automatically_derived]
            impl #impl_generics #view #where_clause {
                // The captures of a closure are known only outside the function that creates it.
                fn __korat_made(__korat_root: &'static <Self as #k::Located>::Place) -> (#k::Machine, #(#types,)*) {
                    #body
                }
                fn __korat_machine(__korat_root: &'static <Self as #k::Located>::Place) -> #k::Machine {
                    let (mut machine, #(#names,)*) = Self::__korat_made(__korat_root);
                    #(machine.note_unrestorable((&&#names).unrestorable());)*
                    machine
                }
            }
        }
    });
    let imports = imports(&k, &lifted.uses);
    let lifted_items = match &lifted.form {
        Form::Function(vis) => return quote!(#lints #(#vis #methods)*),
        // A class may be imported without its view.
        Form::Trait(path, rest) if generics.params.is_empty() => {
            quote!(impl #path for <#class as #k::Lift>::Lifted { #(#rest)* #(#methods)* })
        }
        Form::Trait(path, rest) => quote!(impl #impl_generics #path for #view #where_clause { #(#rest)* #(#methods)* }),
        Form::Inherent => quote!(impl #impl_generics #view #where_clause { #(#methods)* }),
    };
    quote! {
        #lints
        const _: () = {
            #imports
            #items

            #[automatically_derived]
            #lifted_items

            #machine

            #rep_ok
        };
    }
}

/// Imports the traits whose methods generated code calls, and the lifted forms of functions that are called by a single
/// name, which variables may shadow. Longer paths are replaced where they stand.
fn imports(k: &TokenStream, uses: &[Path]) -> TokenStream {
    let names: Vec<&Ident> = uses.iter().filter_map(Path::get_ident).collect();
    let lifted_names = names.iter().map(|name| helper_name(name));
    quote! {
        #(use #lifted_names as #names;)*
        use #k::{CapturedAny as _, CloneOut as _, CapturedCopy as _, CapturedMut as _, Clonable as _, NotMutReference as _, Lend as _};
        use #k::{MaybeLocked as _, Look as _, NotClonable as _, NotRestorable as _, Opaque as _, Read as _, Receive as _};
        use #k::{Restorable as _, ReceiverAny as _, ReceiverInto as _, ReceiverIterator as _, ReceiverObject as _, ReceiverOption as _};
        use #k::{ReceiverOrd as _, ReceiverPlain as _, MutReference as _, Translucent as _, LockFree as _};
        use #k::twin::{AnyWhole as _, Matched as _, PlainRest as _, TwinRest as _};
    }
}

/// Returns the unchanged block, the error messages, and a stub of the rejected `RepOk` impl, so that no further errors
/// appear where the class is searched.
pub(crate) fn fallback(untouched: TokenStream, errors: Error, refused: Option<(Type, Path)>) -> TokenStream {
    let messages = errors.into_compile_error();
    let rep_ok = refused.map(|(class, krate)| {
        let k = quote!(#krate::__private);
        quote! {
            #[automatically_derived]
            impl #k::RepOk for #class {
                fn lifted(_: &#k::View<Self>) -> #k::std::primitive::bool { #k::std::unreachable!() }
                fn machine(_: &'static #k::View<Self>) -> #k::Machine { #k::std::unreachable!() }
                fn holds(&self) -> #k::std::primitive::bool { #k::std::unreachable!() }
            }
        }
    });
    quote!(#untouched #messages #rep_ok)
}

/// Returns the path of the view: the path of the class, with the name of the view as its last segment.
fn view_path(lifted: &Lifted) -> Path {
    let Type::Path(TypePath { path, .. }) = &lifted.class else { unreachable!("`parse` takes a path only") };
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.ident = view_name(&lifted.class_name);
    }
    path
}
