//! Writes the machine. Takes blocks and the locals they keep, gives the body of a function that makes the machine:
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
//! The names of kept locals become `(*f.x.get())`, `f.x.value()` and so on; all else is the user's tokens. Types are left to
//! inference, which sees the blocks in the order of the source.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Expr, Ident, Lifetime, Stmt, parse_quote};

use super::super::compared;
use super::hygiene::{block_label, frames_of, machine_label, own};
use super::jumps::{expanded, jump_target};
use super::patterns::BoundNames;
use super::uses::Writer;
use super::{Block, BlockId, Method, Op, Program};
use crate::rep_ok::compared::Hooking;

fn struct_of(method: &Method) -> Ident {
    format_ident!("__KoratLocalsOf_{}", method.name.replace('.', "_in_").replace("r#", ""))
}

/// The statements of a block, without its braces.
fn unbraced(block: TokenStream) -> TokenStream {
    let mut tokens = block.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Group(group)), None) => group.stream(),
        _ => block,
    }
}

/// Jumps: the one place that knows how. A block that can be re-entered is noted on the way to it, so that the search, which
/// knows it already, comes back to it without that. A block that is only jumped to from here stands here, in the same arm.
fn jump(program: &Program, arm: Option<BlockId>, to: BlockId) -> TokenStream {
    let (m, pc, label, number) = (own("m"), own("pc"), machine_label(), label_number(to));
    if program.inlined.contains(&to) {
        let steps = steps(program, arm, &program.blocks[to.0]);
        return quote!({ #steps });
    }
    let at = program.blocks[to.0].source.is_some().then(|| quote!(#m.at(#number);));
    quote!({ #at #pc = #number; continue #label; })
}

pub(super) fn label_number(id: BlockId) -> TokenTree {
    // The first two are the beginning and the end.
    let mut number = proc_macro2::Literal::usize_unsuffixed(id.0 + 2);
    number.set_span(Span::mixed_site());
    number.into()
}

pub(super) fn machine(program: &Program) -> TokenStream {
    let k = &program.private;
    let (m, pc, f, label) = (own("m"), own("pc"), own("f"), machine_label());
    let mut items = program.items.clone();
    items.iter_mut().for_each(|item| Hooking { private: k }.visit_item_mut(item));
    let structs = program.methods.iter().enumerate().map(|(number, method)| locals_struct(program, number, method));
    let frames = program.methods.iter().enumerate().map(|(number, method)| {
        let (name, locals) = (frames_of(method), struct_of(method));
        let types = program.hoisted.of(number).map(|kept| {
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
        // Nothing can be re-entered but the beginning.
        let about = about(program);
        return quote! {
            #k::Machine::new(#about, move |#m: &mut #k::Control| -> #k::std::primitive::bool {
                #m.at(0);
                <Self as #k::Seen>::look(__korat_root).rep_ok()
            })
        };
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
        quote!(#f.#name.give(<Self as #k::Seen>::look(__korat_root));)
    });
    let probes = program.methods.iter().enumerate().flat_map(|(number, method)| {
        let frames = frames_of(method);
        program.hoisted.of(number).map(move |kept| {
            quote! {
                let probe = #k::Probe::of(#frames, |f| &f.#kept);
                (&&probe).note_cloner();
                machine.note_unseen((&&probe).unseen());
            }
        })
    });
    quote! {
        #(#items)*
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
        // All types are known by now.
        #(#probes)*
        machine
    }
}

/// What people are told of the machine.
fn about(program: &Program) -> TokenStream {
    let k = &program.private;
    let blocks = program.blocks.iter().map(|block| match &block.source {
        Some(source) => {
            let (line, text, replayed) = (source.line as u32, &source.text, source.replayed);
            let method = &program.methods[block.method].name;
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

/// The activation record of a method: what its locals are is inferred.
fn locals_struct(program: &Program, number: usize, method: &Method) -> TokenStream {
    let k = &program.private;
    let name = struct_of(method);
    let kept: Vec<&Ident> = program.hoisted.of(number).collect();
    let types: Vec<Ident> = (0..kept.len()).map(|at| format_ident!("T{at}")).collect();
    quote! {
        struct #name<#(#types),*> {
            #(#kept: #k::Local<#types>,)*
        }
    }
}

/// The arm of a block.
fn block_tokens(program: &Program, id: BlockId) -> TokenStream {
    let (m, f, label) = (own("m"), own("f"), block_label());
    let block = &program.blocks[id.0];
    let frames = frames_of(&program.methods[block.method]);
    let steps = steps(program, block.source.as_ref().map(|_| id), block);
    let body = quote!({ let #f = #frames.current(#m); #steps });
    if names_label(&steps, &label) { quote!(#label: loop #body) } else { body }
}

/// Whether a label is among the tokens.
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

/// Whether the method ends with the block.
fn ends_method(block: &Block) -> bool {
    matches!(block.ops.last(), Some(Op::Return(_)))
}

/// Whether a name in a pattern is that of a local.
fn is_binding(name: &Ident) -> bool {
    !name.to_string().starts_with(char::is_uppercase)
}

/// The statements of a block that stands in an arm, which is named if it can be re-entered.
fn steps(program: &Program, arm: Option<BlockId>, block: &Block) -> TokenStream {
    let k = &program.private;
    let (m, f) = (own("m"), own("f"));
    let mut body = TokenStream::new();
    let mut writer = Writer {
        program,
        method: block.method,
        arm,
        in_loop: block.in_loop,
        plain: Vec::new(),
        in_closure: false,
        detached: false,
        handles: None,
        in_macro: false,
    };
    for op in &block.ops {
        match op {
            Op::Stmt(stmt) => {
                writer.statement(stmt.clone(), &mut body);
                if let Stmt::Local(local) = stmt
                    && !ends_method(block)
                {
                    let mut bound = BoundNames(Vec::new());
                    bound.visit_pat(&local.pat);
                    let left = bound.0.iter().filter(|name| is_binding(name) && !writer.kept(name));
                    body.extend(quote!(#(#k::ends_early(&#left);)*));
                }
            }
            Op::Declare(name, ty) => {
                let ty = ty.as_ref().map(|ty| quote!(let _: &#k::Local<#ty> = &#f.#name;));
                let declare = if block.in_loop { own("declare_again") } else { own("declare") };
                body.extend(quote!(#ty #f.#name.#declare();));
            }
            Op::Call { callee, args, then } => {
                let callee = &program.methods[*callee];
                let (frames, begin) = (frames_of(callee), jump(program, arm, callee.entry));
                let enter = match then {
                    Some(then) => {
                        let then = label_number(*then);
                        quote!(enter(#m, #then))
                    }
                    None => quote!(enter_last(#m)),
                };
                let g = own("g");
                let params = callee.params.iter().map(|param| &param.name);
                let gives = callee.params.iter().map(|param| {
                    let is_mut = callee.locals.iter().any(|local| local.name == param.name && local.is_mut);
                    let name = if is_mut { "init" } else { "give" };
                    // What is wrong with the type is said where it stands.
                    Ident::new(name, Span::mixed_site().located_at(param.ty.span()))
                });
                let escapes = args.iter().any(escapes);
                let mut args: Vec<Expr> = args.iter().map(|arg| writer.argument(arg.clone())).collect();
                if escapes {
                    // What leaves the block must do so before the activation begins.
                    for (at, arg) in args.iter_mut().enumerate() {
                        let name = own(&format!("arg_{at}"));
                        body.extend(quote!(let #name = #arg;));
                        *arg = parse_quote!(#name);
                    }
                }
                body.extend(quote! {
                    let #g = #frames.#enter;
                    #(#g.#params.#gives(#args);)*
                    #begin
                });
            }
            Op::Result { callee, name } => {
                let frames = frames_of(&program.methods[*callee]);
                body.extend(quote!(let #name = #frames.returned(#m);));
                body.extend(writer.keep(std::slice::from_ref(name)));
            }
            Op::Goto(to) => body.extend(unbraced(jump(program, arm, *to))),
            Op::Return(value) => {
                let value = writer.value(value.clone());
                let leave = writer.leave(&value);
                body.extend(quote!(#leave;));
            }
        }
    }
    let body = expanded(body, &|to| jump(program, arm, to));
    if block.is_unsafe { quote!(unsafe { #body }) } else { body }
}

/// Whether evaluating the expression may leave the block: by `?`, `return` or a jump.
fn escapes(expr: &Expr) -> bool {
    compared::escapes(expr, |mac| jump_target(mac).is_some())
}
