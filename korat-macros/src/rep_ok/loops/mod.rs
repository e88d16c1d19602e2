//! Makes loops over a chain calls that may be answered. What a loop does from its head on depends on the locals that it uses;
//! so a search that has met it with such locals, on a part like this one, need not run it again:
//!
//! ```ignore
//! while let Some(node) = at { len += 1; at = &node.next; }
//! // becomes, where `at` is not used afterwards:
//! {
//!     static __KORAT_LOOP: CallSite = ..;
//!     let __korat_loop = like((&at, &len)).body(|__korat_loop, (mut at, mut len)| -> Exit<_, ()> {
//!         { /* the loop below */ }
//!         Exit::Left((len,))
//!     });
//!     let __korat_loop = (&__korat_loop).to_loop();   // the types decide whether the locals can be packed
//!     loop {
//!         if are_watched() {
//!             if let Some(exit) = __korat_loop.ask(&__KORAT_LOOP, (&at, &len)) {
//!                 match exit { Exit::Left((left,)) => { len = left; break; } Exit::Returned(()) => unreachable!() }
//!             }
//!         }
//!         if let Some(node) = at { len += 1; at = &node.next; } else { break; }
//!     }
//! }
//! ```
//!
//! The function captures nothing, and the user's loop stays in its place. A loop is left alone unless the syntax shows that
//! its locals can be borrowed at its head, and that rustc knows their types there.

mod borrows;
mod fit;
mod known;
mod mentions;
mod written;

use std::collections::HashSet;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    Block, Expr, ExprIf, ExprMatch, FnArg, Ident, ImplItemFn, Item, ItemFn, Local, Pat, Path, ReceiverKind, ReturnType,
    Signature, Stmt, Type, parse_quote,
};

use super::watched;
use crate::walk::visit::Visit;
use borrows::Flow;
use known::{Known, Names};
use written::Plan;

/// The most locals that a loop may use: `calls::loops::Lent` is implemented up to this length.
const MOST_LOCALS: usize = 10;

/// Rewrites the loops of a method.
pub(super) fn watch(method: &mut ImplItemFn, own_methods: &[String], k: &Path) {
    watch_fn(&method.sig, &mut method.block, own_methods, k);
}

fn watch_fn(sig: &Signature, block: &mut Block, own_methods: &[String], k: &Path) {
    let mut flow = Flow::default();
    flow.visit_block(block);
    if flow.has_macros || sig.asyncness.is_some() || sig.constness.is_some() {
        return;
    }
    let output = match &sig.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, ty) => (**ty).clone(),
    };
    let mut walker = Walker { k, own_methods, name: sig.ident.to_string(), output, flow, scope: Vec::new() };
    sig.inputs.iter().for_each(|input| walker.bind_param(input));
    walker.visit_block(block, &HashSet::new());
}

/// A local in scope.
struct Binding {
    name: Ident,
    is_mut: bool,
    /// Whether it is bound by value, and initialised.
    is_plain: bool,
    known: Known,
}

struct Walker<'k> {
    k: &'k Path,
    /// The methods of the block that have no type parameters.
    own_methods: &'k [String],
    /// The name and the result of the function.
    name: String,
    output: Type,
    flow: Flow,
    /// The locals in scope, innermost last.
    scope: Vec<Binding>,
}

impl Names for Walker<'_> {
    fn local(&self, name: &str) -> Known {
        self.find(name).map_or_else(Known::default, |binding| binding.known)
    }
    fn is_own_method(&self, name: &str) -> bool {
        self.own_methods.iter().any(|known| known == name)
    }
}

/// The names in a loop, which may also be bound inside.
struct Inside<'w> {
    walker: &'w Walker<'w>,
    /// How many more names are looked up: a local may be assigned to itself.
    most: usize,
}

impl Names for Inside<'_> {
    fn local(&self, name: &str) -> Known {
        let Inside { walker, most } = *self;
        if walker.find(name).is_some() || most == 0 {
            return walker.local(name);
        }
        let inside = Inside { walker, most: most - 1 };
        let sources = walker.flow.sources(name).map(|source| known::of_expr(source, &inside));
        sources.reduce(Known::and).map_or_else(Known::default, Known::inside)
    }
    fn is_own_method(&self, name: &str) -> bool {
        self.walker.is_own_method(name)
    }
}

impl Walker<'_> {
    fn find(&self, name: &str) -> Option<&Binding> {
        self.scope.iter().rev().find(|binding| binding.name == name)
    }

    fn bind_param(&mut self, input: &FnArg) {
        match input {
            FnArg::Receiver(receiver) => {
                let is_shared = matches!(receiver.kind, ReceiverKind::Reference(_, _, None));
                let known = Known { is_known: true, is_copy: is_shared };
                let name = Ident::new("self", receiver.self_token.span);
                self.scope.push(Binding { name, is_mut: false, is_plain: is_shared, known });
            }
            FnArg::Typed(typed) => self.bind(&typed.pat, known::of_type(&typed.ty), true),
        }
    }

    /// Brings the names of a pattern into scope.
    fn bind(&mut self, pat: &Pat, known: Known, is_initialised: bool) {
        match pat {
            Pat::Ident(pat) => {
                let is_plain = is_initialised
                    && pat.by_ref.is_none()
                    && pat.subpat.is_none()
                    && !pat.ident.to_string().starts_with(char::is_uppercase);
                let (name, is_mut) = (pat.ident.clone(), pat.mutability.is_some());
                self.scope.push(Binding { name, is_mut, is_plain, known });
                if let Some((_, pat)) = &pat.subpat {
                    self.bind(pat, known.inside(), false);
                }
            }
            Pat::Type(typed) => self.bind(&typed.pat, known.or(known::of_type(&typed.ty)), is_initialised),
            Pat::Paren(paren) => self.bind(&paren.pat, known, is_initialised),
            pat => {
                struct Found(Vec<(Ident, bool, bool)>);
                impl Visit for Found {
                    fn visit_pat_ident(&mut self, pat: &syn::PatIdent) {
                        let is_plain = pat.by_ref.is_none() && pat.subpat.is_none();
                        self.0.push((pat.ident.clone(), pat.mutability.is_some(), is_plain));
                        crate::walk::visit::visit_pat_ident(self, pat);
                    }
                }
                let mut found = Found(Vec::new());
                found.visit_pat(pat);
                for (name, is_mut, is_plain) in found.0 {
                    let is_plain = is_plain && is_initialised && !name.to_string().starts_with(char::is_uppercase);
                    self.scope.push(Binding { name, is_mut, is_plain, known: known.inside() });
                }
            }
        }
    }

    /// Brings the names of a pattern into scope that is matched with a value.
    fn bind_to(&mut self, pat: &Pat, value: &Expr) {
        match (pat, value) {
            (Pat::Tuple(pats), Expr::Tuple(values)) if pats.elems.len() == values.elems.len() => {
                pats.elems.iter().zip(&values.elems).for_each(|(pat, value)| self.bind_to(pat, value));
            }
            (pat, value) => {
                let known = known::of_expr(value, self);
                self.bind(pat, known, true);
            }
        }
    }

    fn bind_local(&mut self, local: &Local) {
        match &local.init {
            Some(init) => self.bind_to(&local.pat, &init.expr),
            None => self.bind(&local.pat, Known::default(), false),
        }
    }

    /// Brings the names of a condition into scope.
    fn bind_condition(&mut self, cond: &Expr) {
        match cond {
            Expr::Let(test) => self.bind_to(&test.pat, &test.expr),
            Expr::Binary(binary) => {
                self.bind_condition(&binary.left);
                self.bind_condition(&binary.right);
            }
            _ => {}
        }
    }

    /// Rewrites the loops of a block, after which the function may use the words in `later`. Returns how deep the loops that
    /// were rewritten are nested.
    fn visit_block(&mut self, block: &mut Block, later: &HashSet<String>) -> usize {
        let (outside, mut depth) = (self.scope.len(), 0);
        let mut after = Vec::with_capacity(block.stmts.len());
        let mut words = HashSet::new();
        for stmt in block.stmts.iter().rev() {
            after.push(words.clone());
            for name in mentions::replaced(stmt) {
                words.remove(&name);
            }
            mentions::add_used_words(stmt, &mut words);
        }
        // What follows the block does not see its locals.
        let mut outer = later.clone();
        for stmt in &mut block.stmts {
            let mut later = after.pop().unwrap_or_default();
            later.extend(outer.iter().cloned());
            match stmt {
                Stmt::Local(local) => {
                    if let Some(init) = &mut local.init {
                        depth = depth.max(self.visit_expr(&mut init.expr, &later));
                    }
                    self.bind_local(local);
                    let bound = mentions::bound_by(&local.pat);
                    outer.retain(|name| !bound.contains(name));
                }
                Stmt::Expr(expr @ (Expr::While(_) | Expr::Loop(_)), _) => {
                    depth = depth.max(self.visit_loop(expr, &later));
                }
                Stmt::Expr(expr, _) => depth = depth.max(self.visit_expr(expr, &later)),
                Stmt::Item(Item::Fn(ItemFn { sig, block, .. })) => watch_fn(sig, block, self.own_methods, self.k),
                Stmt::Item(_) | Stmt::Macro(_) => {}
            }
        }
        self.scope.truncate(outside);
        depth
    }

    /// Rewrites the loops that are statements of blocks in an expression.
    fn visit_expr(&mut self, expr: &mut Expr, later: &HashSet<String>) -> usize {
        let outside = self.scope.len();
        let depth = match expr {
            Expr::Block(block) => self.visit_block(&mut block.block, later),
            Expr::Unsafe(block) => self.visit_block(&mut block.block, later),
            Expr::If(ExprIf { cond, then_branch, else_branch, .. }) => {
                self.bind_condition(cond);
                let depth = self.visit_block(then_branch, later);
                self.scope.truncate(outside);
                depth.max(else_branch.as_mut().map_or(0, |(_, otherwise)| self.visit_expr(otherwise, later)))
            }
            Expr::Match(ExprMatch { expr, arms, .. }) => {
                let mut depth = 0;
                for arm in arms {
                    self.bind_to(&arm.pat, expr);
                    depth = depth.max(self.visit_expr(&mut arm.body, later));
                    self.scope.truncate(outside);
                }
                depth
            }
            Expr::While(_) | Expr::Loop(_) | Expr::ForLoop(_) => self.visit_rounds(expr, later),
            _ => 0,
        };
        self.scope.truncate(outside);
        depth
    }

    /// Rewrites the loops in the body of a loop.
    fn visit_rounds(&mut self, repeat: &mut Expr, later: &HashSet<String>) -> usize {
        let mut again = later.clone();
        mentions::add_words(repeat.to_token_stream(), &mut again);
        let outside = self.scope.len();
        let depth = match repeat {
            Expr::While(repeat) => {
                self.bind_condition(&repeat.cond);
                self.visit_block(&mut repeat.body, &again)
            }
            Expr::Loop(repeat) => self.visit_block(&mut repeat.body, &again),
            Expr::ForLoop(repeat) => {
                self.bind(&repeat.pat, Known::default(), true);
                self.visit_block(&mut repeat.body, &again)
            }
            _ => 0,
        };
        self.scope.truncate(outside);
        depth
    }

    /// Rewrites a loop that is a statement, if it can be a function.
    fn visit_loop(&mut self, repeat: &mut Expr, later: &HashSet<String>) -> usize {
        let plan = self.plan(repeat, later);
        let depth = self.visit_rounds(repeat, later);
        // Each level doubles the code.
        match plan {
            Ok(plan) if depth < 2 => {
                *repeat = plan.write(repeat);
                depth + 1
            }
            Ok(_) => {
                self.explain(repeat, "it has loops in loops; move the inner ones to a method");
                depth
            }
            Err(why) => {
                self.explain(repeat, &why);
                depth
            }
        }
    }

    /// Has a loop that stays as it is say why, if it reads fields.
    fn explain(&self, repeat: &mut Expr, why: &str) {
        if mentions::reads_fields(repeat) {
            let told = watched::told(&format!("loop in {}", self.name), repeat.span(), why, self.k);
            *repeat = parse_quote!({ #told #repeat });
        }
    }

    /// Returns how to rewrite a loop, or why it stays as it is.
    fn plan(&self, repeat: &Expr, later: &HashSet<String>) -> Result<Plan, String> {
        let Some(exits) = fit::exits(repeat) else {
            let why =
                "it ends with a value, leaves an outer loop, declares an item or has a macro; move it to a method";
            return Err(why.to_string());
        };
        if exits.returns && !known::of_type(&self.output).is_known {
            return Err("the type of the method's result is not written out; write it".to_string());
        }
        let used = mentions::free_names(repeat);
        let locals: Vec<&Binding> = used.iter().filter_map(|name| self.find(name)).collect();
        if locals.is_empty() || locals.len() > MOST_LOCALS {
            return Err(format!("it uses no local, or more than {MOST_LOCALS}; move it to a method"));
        }
        if let Some(why) = locals.iter().find_map(|local| self.misfit(local, repeat)) {
            return Err(why);
        }
        let taken = locals.iter().map(|local| (local.name.clone(), local.is_mut)).collect();
        let left = locals.iter().filter(|local| local.is_mut && later.contains(&local.name.to_string()));
        Ok(Plan {
            k: self.k.clone(),
            name: self.name.clone(),
            taken,
            left: left.map(|local| local.name.clone()).collect(),
            returns: exits.returns.then(|| self.output.clone()),
            ends: exits.breaks || matches!(repeat, Expr::While(_)),
        })
    }

    /// Returns why a local cannot be borrowed and assigned at the head of a loop, or has a type that rustc may not know there.
    fn misfit(&self, local: &Binding, repeat: &Expr) -> Option<String> {
        let name = local.name.to_string();
        let assigned: Vec<&Expr> = if local.is_mut { self.flow.assigned(&name).collect() } else { Vec::new() };
        let inside = Inside { walker: self, most: 4 };
        let known = assigned.iter().map(|value| known::of_expr(value, &inside)).fold(local.known, Known::or);
        let holders: Vec<String> = self.scope.iter().map(|binding| binding.name.to_string()).collect();
        let is_there = !local.is_mut || known.is_copy || assigned.is_empty() || heads(repeat, &name);
        let is_free =
            known.is_copy && !local.is_mut || !self.flow.may_be_borrowed(&name, local.is_mut, known.is_copy, &holders);
        if !known.is_known {
            return Some(format!("the type of `{name}` is not written out; write `let {name}: .. =`"));
        }
        (!local.is_plain || !is_there || !is_free).then(|| {
            format!("`{name}` may be borrowed or moved at the beginning of a round; move the loop to a method")
        })
    }
}

/// Returns whether a loop begins each round by looking at a local, which is thus initialised there.
fn heads(repeat: &Expr, name: &str) -> bool {
    fn first(expr: &Expr) -> &Expr {
        match expr {
            Expr::Let(test) => first(&test.expr),
            Expr::Binary(binary) => first(&binary.left),
            Expr::Paren(paren) => first(&paren.expr),
            Expr::Reference(reference) => first(&reference.expr),
            Expr::MethodCall(call) => first(&call.receiver),
            expr => expr,
        }
    }
    let Expr::While(repeat) = repeat else { return false };
    matches!(first(&repeat.cond), Expr::Path(path) if path.path.is_ident(name))
}
