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
mod written;

use std::collections::HashSet;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    Block, Expr, ExprIf, ExprMatch, ImplItemFn, Item, ItemFn, Path, ReturnType, Signature, Stmt, Type, parse_quote,
};

use super::known::{self, Known, Names};
use super::mentions;
use super::scope::{Binding, Scope};
use super::watched;
use crate::walk::visit::Visit;
use borrows::Flow;
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
    let mut walker =
        Walker { k, name: sig.ident.to_string(), output, flow, scope: Scope { own_methods, locals: Vec::new() } };
    sig.inputs.iter().for_each(|input| walker.scope.bind_param(input));
    walker.visit_block(block, &HashSet::new());
}

struct Walker<'k> {
    k: &'k Path,
    /// The name and the result of the function.
    name: String,
    output: Type,
    flow: Flow,
    scope: Scope<'k>,
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
        if walker.scope.find(name).is_some() || most == 0 {
            return walker.scope.local(name);
        }
        let inside = Inside { walker, most: most - 1 };
        let sources = walker.flow.sources(name).map(|source| known::of_expr(source, &inside));
        sources.reduce(Known::and).map_or_else(Known::default, Known::inside)
    }
    fn is_own_method(&self, name: &str) -> bool {
        self.walker.scope.is_own_method(name)
    }
}

impl Walker<'_> {
    /// Rewrites the loops of a block, after which the function may use the words in `later`. Returns how deep the loops that
    /// were rewritten are nested.
    fn visit_block(&mut self, block: &mut Block, later: &HashSet<String>) -> usize {
        let (outside, mut depth) = (self.scope.locals.len(), 0);
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
                    self.scope.bind_local(local);
                    let bound = mentions::bound_by(&local.pat);
                    outer.retain(|name| !bound.contains(name));
                }
                Stmt::Expr(expr @ (Expr::While(_) | Expr::Loop(_)), _) => {
                    depth = depth.max(self.visit_loop(expr, &later));
                }
                Stmt::Expr(expr, _) => depth = depth.max(self.visit_expr(expr, &later)),
                Stmt::Item(Item::Fn(ItemFn { sig, block, .. })) => watch_fn(sig, block, self.scope.own_methods, self.k),
                Stmt::Item(_) | Stmt::Macro(_) => {}
            }
        }
        self.scope.locals.truncate(outside);
        depth
    }

    /// Rewrites the loops that are statements of blocks in an expression.
    fn visit_expr(&mut self, expr: &mut Expr, later: &HashSet<String>) -> usize {
        let outside = self.scope.locals.len();
        let depth = match expr {
            Expr::Block(block) => self.visit_block(&mut block.block, later),
            Expr::Unsafe(block) => self.visit_block(&mut block.block, later),
            Expr::If(ExprIf { cond, then_branch, else_branch, .. }) => {
                self.scope.bind_condition(cond);
                let depth = self.visit_block(then_branch, later);
                self.scope.locals.truncate(outside);
                depth.max(else_branch.as_mut().map_or(0, |(_, otherwise)| self.visit_expr(otherwise, later)))
            }
            Expr::Match(ExprMatch { expr, arms, .. }) => {
                let mut depth = 0;
                for arm in arms {
                    self.scope.bind_to(&arm.pat, expr);
                    depth = depth.max(self.visit_expr(&mut arm.body, later));
                    self.scope.locals.truncate(outside);
                }
                depth
            }
            Expr::While(_) | Expr::Loop(_) | Expr::ForLoop(_) => self.visit_rounds(expr, later),
            _ => 0,
        };
        self.scope.locals.truncate(outside);
        depth
    }

    /// Rewrites the loops in the body of a loop.
    fn visit_rounds(&mut self, repeat: &mut Expr, later: &HashSet<String>) -> usize {
        let mut again = later.clone();
        mentions::add_words(repeat.to_token_stream(), &mut again);
        let outside = self.scope.locals.len();
        let depth = match repeat {
            Expr::While(repeat) => {
                self.scope.bind_condition(&repeat.cond);
                self.visit_block(&mut repeat.body, &again)
            }
            Expr::Loop(repeat) => self.visit_block(&mut repeat.body, &again),
            Expr::ForLoop(repeat) => {
                self.scope.bind(&repeat.pat, Known::default(), true);
                self.visit_block(&mut repeat.body, &again)
            }
            _ => 0,
        };
        self.scope.locals.truncate(outside);
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
        let locals: Vec<&Binding> = used.iter().filter_map(|name| self.scope.find(name)).collect();
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
        let holders: Vec<String> = self.scope.locals.iter().map(|binding| binding.name.to_string()).collect();
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
