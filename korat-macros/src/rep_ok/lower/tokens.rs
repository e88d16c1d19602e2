//! Emits the body of the function that creates the machine, from the blocks and the kept locals:
//!
//! ```text
//! struct __KoratLocalsOf_rep_ok<T0, T1> { seen: Local<T0>, work: Local<T1> }      // one activation record per method
//! let rep_ok_frames = Frames::<__KoratLocalsOf_rep_ok<_, _>, bool>::new();
//! Machine::new(.., move |m| {
//!     let mut pc = m.start();
//!     loop {
//!         let verdict = 'machine: loop {
//!             match pc {
//!                 0 => { let f = rep_ok_frames.enter(m, 1); ..; pc = 2; continue 'machine; }
//!                 2 => { let f = rep_ok_frames.current(m); ..; m.at(3); pc = 3; continue 'machine; }
//!                 3 => 'block: loop { .. if m.again(3) { continue 'block } break 'machine false; }   // can be re-entered
//!                 ..
//!             }
//!         };
//!         match m.finish(verdict) { Some(next) => pc = next, None => return verdict }
//!     }
//! })
//! ```
//!
//! Names of kept locals become `(*f.x.get())`, `f.x.value()` and so on; all other tokens are the user's. Types are left
//! to inference, which processes the blocks in the order of the source.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Lifetime, Stmt};

use super::Written;
use super::hygiene::{block_label, frames_of, machine_label, own};
use super::ir::{Block, BlockId, Method, MethodId, Op, Param, Program, Terminator};
use super::patterns::BoundIdents;
use super::uses::Writer;
use crate::rep_ok::compared::{self, Hooking};
use crate::walk::visit::Visit;
use crate::walk::visit_mut::VisitMut;

fn struct_of(method: &Method) -> Ident {
    format_ident!("__KoratLocalsOf_{}", method.name.replace('.', "_in_").replace("r#", ""))
}

/// Returns the statements of a block without its braces.
fn unbraced(block: TokenStream) -> TokenStream {
    let mut tokens = block.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Group(group)), None) => group.stream(),
        _ => block,
    }
}

/// Emits a jump; no other function does. If the target can be re-entered, the jump, and not the target itself, records
/// it as a resume point with `m.at`: when the search re-enters the block, it is already recorded. A block with a single
/// predecessor that cannot be re-entered is emitted right here, in the same arm.
pub(super) fn jump(program: &Program, arm: Option<BlockId>, to: BlockId) -> TokenStream {
    let (m, pc, label, number) = (own("m"), own("pc"), machine_label(), label_number(to));
    if program.inlined.contains(&to) {
        let steps = steps(program, arm, program.block(to));
        return quote!({ #steps });
    }
    let at = program.block(to).source.is_some().then(|| quote!(#m.at(#number);));
    quote!({ #at #pc = #number; continue #label; })
}

pub(super) fn label_number(id: BlockId) -> TokenTree {
    // 0 and 1 are the start and the end of the machine.
    let mut number = proc_macro2::Literal::usize_unsuffixed(id.0 + 2);
    number.set_span(Span::mixed_site());
    number.into()
}

pub(super) fn machine(program: &Program) -> Written {
    let k = &program.private;
    let (m, pc, f, label) = (own("m"), own("pc"), own("f"), machine_label());
    let mut items = program.items.clone();
    items.iter_mut().for_each(|item| Hooking { private: k }.visit_item_mut(item));
    let structs = program.numbered().map(|(number, method)| locals_struct(program, number, method));
    let frames = program.numbered().map(|(number, method)| {
        let (name, locals) = (frames_of(method), struct_of(method));
        let types = program.hoisted.of(number).iter().map(|kept| {
            method
                .params
                .iter()
                .find(|param| param.name == *kept)
                .map_or_else(|| quote!(_), |param| param.ty.to_token_stream())
        });
        let output = &method.output;
        quote!(let #name = #k::Frames::<#locals<#(#types),*>, #output>::new();)
    });
    let Some(entry) = program.methods.iter().find(|method| method.name == "rep_ok") else {
        // The only resume point is the start.
        let about = about(program);
        let body = quote! {
            (#k::Machine::new(#about, move |#m: &mut #k::Control| -> #k::std::primitive::bool {
                #m.at(0);
                <Self as #k::Located>::look(__korat_root).rep_ok()
            }),)
        };
        return Written { body, probes: 0 };
    };
    let about = about(program);
    let entry_frames = frames_of(entry);
    let begin = jump(program, None, entry.entry);
    let arms = program.reached.iter().filter(|id| !program.inlined.contains(id)).map(|id| {
        let (number, body) = (label_number(*id), block_tokens(program, *id));
        quote!(#number => #body)
    });
    let verdict = own("verdict");
    let self_param = entry.params.first().map(|param| {
        let name = &param.name;
        quote!(#f.#name.give(<Self as #k::Located>::look(__korat_root));)
    });
    let mut probes: Vec<TokenStream> = Vec::new();
    let mut asked = TokenStream::new();
    for (number, method) in program.numbered() {
        let frames = frames_of(method);
        probes.push(quote!(#k::Probe::of_result(#frames)));
        for kept in program.hoisted.of(number) {
            let probe = quote!(#k::Probe::of(#frames, |f| &f.#kept));
            asked.extend(quote!((&&#probe).note_cloner();));
            if !program.holds_closure(number, kept) {
                asked.extend(quote!(machine.note_unrestorable((&&(&&#probe).saved()).lock());));
            }
            probes.push(quote!((&&#probe).saved()));
        }
    }
    // If one of these names is a constant, the machine would treat it as a local, so let rustc reject its binding here.
    let bindings: Vec<&Ident> = program.methods.iter().flat_map(|method| &method.bindings).collect();
    let bindings = (!bindings.is_empty()).then(|| quote!(if false { #(let #bindings @ _ = ();)* }));
    let body = quote! {
        #(#items)*
        #bindings
        #(#structs)*
        #(#frames)*
        let mut machine = #k::Machine::new(
            #about,
            move |#m: &mut #k::Control| -> #k::std::primitive::bool {
                let mut #pc = #m.start();
                loop {
                    let #verdict = #label: loop {
                        match #pc {
                            0 => {
                                let #f = #entry_frames.enter(#m, 1);
                                #self_param
                                #begin
                            }
                            1 => break #label #entry_frames.returned(#m),
                            #(#arms)*
                            _ => #k::std::unreachable!("[korat internal bug] no such block"),
                        }
                    };
                    match #m.finish(#verdict) {
                        #k::std::option::Option::Some(next) => #pc = next,
                        #k::std::option::Option::None => return #verdict,
                    }
                }
            },
        );
        // All types are inferred at this point, except the captures of closures.
        #asked
        (machine, #(#probes,)*)
    };
    Written { body, probes: probes.len() }
}

/// Returns the description of the machine that appears in reports.
fn about(program: &Program) -> TokenStream {
    let k = &program.private;
    let blocks = program.blocks.iter().map(|block| match &block.source {
        Some(source) => {
            let (line, text, replayed) = (source.line as u32, &source.text, source.replayed);
            let method = &program.method(block.method).name;
            quote!(#k::block(#line, #method, #text, #replayed))
        }
        None => quote!(#k::NO_BLOCK),
    });
    let left_out = program.left_out.iter().map(|(name, why)| quote!((#name, #why)));
    quote! {
        #k::MachineInfo {
            file: #k::std::file!(),
            blocks: const { &[#k::NO_BLOCK, #k::NO_BLOCK, #(#blocks),*] },
            left_out: const { &[#(#left_out),*] },
        }
    }
}

/// Returns the activation record of a method. The types of its locals are inferred.
fn locals_struct(program: &Program, number: MethodId, method: &Method) -> TokenStream {
    let k = &program.private;
    let name = struct_of(method);
    let kept = program.hoisted.of(number);
    let types: Vec<Ident> = (0..kept.len()).map(|at| format_ident!("T{at}")).collect();
    quote! {
        struct #name<#(#types),*> {
            #(#kept: #k::Local<#types>,)*
        }
    }
}

/// Returns the match arm of a block.
fn block_tokens(program: &Program, id: BlockId) -> TokenStream {
    let (m, f, label) = (own("m"), own("f"), block_label());
    let block = program.block(id);
    let frames = frames_of(program.method(block.method));
    let steps = steps(program, block.source.as_ref().map(|_| id), block);
    let body = quote!({ let #f = #frames.current(#m); #steps });
    if names_label(&steps, &label) { quote!(#label: loop #body) } else { body }
}

/// Returns whether a label occurs in the tokens.
fn names_label(tokens: &TokenStream, label: &Lifetime) -> bool {
    let mut after_tick = false;
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => names_label(&group.stream(), label),
        TokenTree::Punct(punct) => {
            after_tick = punct.as_char() == '\'';
            false
        }
        TokenTree::Ident(word) => std::mem::replace(&mut after_tick, false) && word == label.ident,
        TokenTree::Literal(_) => false,
    })
}

/// Returns whether a name in a pattern binds a local.
fn is_binding(name: &Ident) -> bool {
    !name.to_string().starts_with(char::is_uppercase)
}

/// Returns the statements of a block in the arm of block `arm`, which is `Some` if that block can be re-entered.
fn steps(program: &Program, arm: Option<BlockId>, block: &Block) -> TokenStream {
    let k = &program.private;
    let (m, f) = (own("m"), own("f"));
    let mut body = TokenStream::new();
    let mut writer = Writer::new(program, block, arm);
    for op in &block.ops {
        match op {
            Op::Run(code) => {
                writer.exits = code.exits.clone();
                writer.statement(code.syntax.clone(), &mut body);
                if let Stmt::Local(local) = &code.syntax
                    && !matches!(block.end, Terminator::Return(_))
                {
                    let mut bound = BoundIdents(Vec::new());
                    bound.visit_pat(&local.pat);
                    let left = bound.0.iter().filter(|name| is_binding(name) && !writer.kept(name));
                    body.extend(quote!(#(#k::check_early_drop(&#left);)*));
                }
            }
            Op::Declare(name, ty) => {
                let ty = ty.as_ref().map(|ty| quote!(let _: &#k::Local<#ty> = &#f.#name;));
                let declare = if block.in_loop { own("declare_again") } else { own("declare") };
                body.extend(quote!(#ty #f.#name.#declare();));
            }
            Op::Result { callee, name } => {
                let frames = frames_of(program.method(*callee));
                body.extend(quote!(let #name = #frames.returned(#m);));
                body.extend(writer.keep(std::slice::from_ref(name)));
            }
        }
    }
    body.extend(end(&mut writer, &block.end));
    if block.is_unsafe { quote!(unsafe { #body }) } else { body }
}

/// Returns the tokens that end a block.
fn end(writer: &mut Writer<'_>, end: &Terminator) -> TokenStream {
    let (program, arm) = (writer.program, writer.arm);
    match end {
        Terminator::Goto(to) => unbraced(jump(program, arm, *to)),
        Terminator::Test { cond, then, other } => {
            writer.exits = cond.exits.clone();
            let (then, other) = (jump(program, arm, *then), jump(program, arm, *other));
            writer.test(cond.syntax.clone(), &then, &other)
        }
        Terminator::Select { scrutinee, arms } => {
            let jumps: Vec<TokenStream> = arms.iter().map(|choice| jump(program, arm, choice.to)).collect();
            writer.select(scrutinee, arms, &jumps)
        }
        Terminator::Call { callee, args, then } => {
            let callee = program.method(*callee);
            let begin = jump(program, arm, callee.entry);
            let (m, g, frames) = (own("m"), own("g"), frames_of(callee));
            let enter = match then {
                Some(then) => {
                    let then = label_number(*then);
                    quote!(enter(#m, #then))
                }
                None => quote!(enter_last(#m)),
            };
            let params = callee.params.iter().map(|param| &param.name);
            let gives = callee.params.iter().map(|param| {
                let is_mut = callee.locals.iter().any(|local| local.name == param.name && local.is_mut);
                let name = if is_mut { "init" } else { "give" };
                // rustc reports type errors at the type of the parameter.
                Ident::new(name, Span::mixed_site().located_at(param.ty.span()))
            });
            let escapes = args.iter().any(|arg| !arg.exits.is_empty() || escapes(&arg.syntax));
            let mut given: Vec<TokenStream> = Vec::new();
            for arg in args {
                writer.exits = arg.exits.clone();
                given.push(writer.argument(arg.syntax.clone()).into_token_stream());
            }
            let mut before = TokenStream::new();
            if escapes {
                // Arguments that may leave the block are evaluated before the activation begins.
                for (at, (arg, Param { ty, .. })) in given.iter_mut().zip(&callee.params).enumerate() {
                    let name = own(&format!("arg_{at}"));
                    before.extend(quote!(let #name: #ty = #arg;));
                    *arg = quote!(#name);
                }
            }
            quote! {
                #before
                let #g = #frames.#enter;
                #(#g.#params.#gives(#given);)*
                #begin
            }
        }
        Terminator::Return(value) => {
            writer.exits = value.exits.clone();
            let value = writer.value(value.syntax.clone());
            let leave = writer.leave(&value);
            quote!(#leave;)
        }
        Terminator::Never => {
            let k = &program.private;
            quote!(#k::std::unreachable!("[korat internal bug] a block has no end"))
        }
    }
}

/// Returns whether evaluating the expression may leave the block, by `?` or `return`.
fn escapes(expr: &Expr) -> bool {
    compared::escapes(expr, |_| false)
}
