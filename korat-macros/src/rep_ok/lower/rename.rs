//! Gives every local and every label of a method a unique name, so that blocks need no scopes.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Block, Expr, ExprBlock, ExprBreak, ExprContinue, ExprForLoop, ExprLoop, ExprStruct, ExprWhile, FieldPat,
    FieldValue, Ident, Item, Label, Lifetime, Local as LetStmt, Macro, Member, Pat, Stmt, Type, UnOp,
};

use super::arguments;
use super::format_captures::{captures, is_argument};
use super::ir::Local;
use super::methods::names_of_item;
use crate::rep_ok::names::{EXPRESSION_MACROS, Fate, fate};
use crate::walk::visit_mut::{self, VisitMut};

/// The names and locals of one method.
#[derive(Default)]
pub(super) struct Renamer {
    /// Names in scope, innermost last, and their new names; `None` for items, which shadow locals and keep their names.
    scope: Vec<(String, Option<Ident>)>,
    /// Labels in scope, innermost last, and their new names. Loops without a label get one.
    labels: Vec<(Option<String>, Lifetime)>,
    /// Whether the label at the same index in `labels` belongs to a loop.
    loops: Vec<bool>,
    /// Number of labels assigned so far.
    labelled: usize,
    /// How often each name was bound.
    given: HashMap<String, usize>,
    /// Every identifier in the method.
    pub(super) words: HashSet<String>,
    /// Functions nested in bodies or outside the block, which are called by name.
    pub(super) reserved: HashSet<String>,
    pub(super) locals: Vec<Local>,
    /// The original names of renamed bindings that may in fact be constants, which only rustc knows.
    pub(super) bindings: Vec<Ident>,
}

impl Renamer {
    /// Declares a local, and returns its unique name.
    fn bind(&mut self, name: &Ident, is_mut: bool, is_reference: bool) -> Ident {
        let count = self.given.entry(name.to_string()).or_insert(0);
        *count += 1;
        let unique = if name == "self" {
            self.given.insert("this".to_string(), 1);
            Ident::new("this", name.span())
        } else if *count == 1 && !self.reserved.contains(&name.to_string()) {
            name.clone()
        } else {
            // Avoid names that the user has given to something else.
            loop {
                let unique = format_ident!("{name}_{count}", span = name.span());
                if !self.words.contains(&unique.to_string()) {
                    break unique;
                }
                *count += 1;
            }
        };
        self.scope.push((name.to_string(), Some(unique.clone())));
        self.locals.push(Local {
            name: unique.clone(),
            is_mut,
            is_mut_container: false,
            is_reference,
            holds_closure: false,
        });
        unique
    }

    /// Declares the local of a parameter, and returns its unique name.
    pub(super) fn bind_param(&mut self, name: &Ident, is_mut: bool, ty: &Type) -> Ident {
        let unique = self.bind(name, is_mut, matches!(ty, Type::Reference(_)));
        if let (Type::Reference(reference), Some(local)) = (ty, self.locals.last_mut()) {
            local.is_mut_container = reference.mutability.is_some() && is_container(&reference.elem);
        }
        unique
    }

    fn lookup(&self, name: &Ident) -> Option<&Ident> {
        self.scope.iter().rev().find(|(known, _)| name == known).and_then(|(_, unique)| unique.as_ref())
    }

    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let outside = self.scope.len();
        visit(self);
        self.scope.truncate(outside);
    }

    /// Gives a loop or labeled block a unique label while `visit` processes it. `is_loop` tells whether `break` and
    /// `continue` without a label refer to it.
    fn labelled(&mut self, label: &mut Option<Label>, is_loop: bool, visit: &mut dyn FnMut(&mut Self)) {
        if label.is_none() && !is_loop {
            return visit(self);
        }
        self.labelled += 1;
        let known = label.as_ref().map(|label| label.name.ident.to_string());
        let text = format!("'{}_{}", known.as_deref().unwrap_or("__korat_loop"), self.labelled);
        let span = label.as_ref().map_or_else(Span::call_site, |label| label.name.span());
        let unique = Lifetime::new(&text, span);
        *label = Some(Label { name: unique.clone(), colon_token: Default::default() });
        // A `break` or `continue` without a label never refers to a labeled block.
        self.labels.push((known, unique));
        self.loops.push(is_loop);
        visit(self);
        self.loops.pop();
        self.labels.pop();
    }

    /// Returns the new label to which a `break` or `continue` refers.
    fn target(&self, label: Option<&Lifetime>) -> Option<Lifetime> {
        let mut known = self.labels.iter().zip(&self.loops).rev();
        let found = match label {
            Some(label) => known.find(|((known, _), _)| known.as_ref().is_some_and(|known| label.ident == known)),
            None => known.find(|(_, is_loop)| **is_loop),
        };
        found.map(|((_, unique), _)| unique.clone())
    }

    /// Binds the names of a pattern. `is_reference` tells whether a reference is matched, so that the names are references too.
    pub(super) fn bind_pat(&mut self, pat: &mut Pat, is_reference: bool) {
        self.bind_names(pat, is_reference, false);
    }

    fn bind_names(&mut self, pat: &mut Pat, is_reference: bool, always: bool) {
        Binder { first: self.scope.len(), renamer: self, is_reference, always }.visit_pat_mut(pat);
    }

    /// Returns the locals captured by a format string as named arguments, `name = unique`.
    fn captured(&self, mac: &Macro) -> TokenStream {
        let name = mac.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if !EXPRESSION_MACROS.contains(&name.as_str()) || name == "vec" {
            return TokenStream::new();
        }
        let mut named = TokenStream::new();
        let mut seen: Vec<String> = Vec::new();
        for token in mac.tokens.clone() {
            let TokenTree::Literal(literal) = token else { continue };
            for word in captures(&literal.to_string()) {
                let ident = Ident::new(&word, literal.span());
                if let Some(unique) = self.lookup(&ident)
                    && !seen.contains(&word)
                    && !is_argument(&mac.tokens, &word)
                {
                    named.extend(quote!(, #ident = #unique));
                    seen.push(word);
                }
            }
        }
        named
    }
}

/// Returns whether the type is a container that a predicate creates.
fn is_container(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|segment| fate(&segment.ident.to_string()) == Fate::Twin)
}

/// Returns whether matching a pattern against the expression binds references, judging by names. A wrong answer only
/// changes how many locals are kept: it costs time or causes an error in rustc, but never a wrong result.
fn gives_reference(expr: &Expr) -> bool {
    match expr {
        Expr::Reference(_) => true,
        Expr::Paren(paren) => gives_reference(&paren.expr),
        Expr::MethodCall(call) => {
            ["__korat_read", "__korat_cell", "__korat_object", "as_ref", "as_deref", "iter", "first", "last", "get"]
                .iter()
                .any(|name| call.method == name)
        }
        _ => false,
    }
}

/// Binds the names of one pattern.
struct Binder<'r> {
    renamer: &'r mut Renamer,
    /// Index in `scope` of the first name of this pattern.
    first: usize,
    /// Whether the pattern is irrefutable, so that uppercase names are not constants.
    always: bool,
    is_reference: bool,
}

impl VisitMut for Binder<'_> {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        match pat {
            Pat::Ident(ident) => {
                let name = ident.ident.clone();
                let is_constant = !self.always
                    && name.to_string().starts_with(char::is_uppercase)
                    && ident.subpat.is_none()
                    && ident.by_ref.is_none()
                    && ident.mutability.is_none();
                if is_constant {
                    return;
                }
                // Another alternative has bound the same name.
                let known = self.renamer.scope[self.first..].iter().find(|(known, _)| name == known);
                ident.ident = match known {
                    Some((_, Some(unique))) => unique.clone(),
                    Some((_, None)) | None => {
                        let is_reference = self.is_reference || ident.by_ref.is_some();
                        let unique = self.renamer.bind(&name, ident.mutability.is_some(), is_reference);
                        if unique != name && !self.always && ident.subpat.is_none() && ident.by_ref.is_none() {
                            self.renamer.bindings.push(name);
                        }
                        unique
                    }
                };
                if let Some((_, pat)) = &mut ident.subpat {
                    self.visit_pat_mut(pat);
                }
            }
            Pat::Guard(guarded) => {
                self.visit_pat_mut(&mut guarded.pat);
                self.renamer.visit_expr_mut(&mut guarded.guard);
            }
            Pat::Reference(reference) => {
                let outside = std::mem::replace(&mut self.is_reference, false);
                self.visit_pat_mut(&mut reference.pat);
                self.is_reference = outside;
            }
            _ => visit_mut::visit_pat_mut(self, pat),
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        // `Point { x }` binds `x` and also names the field.
        if field.colon_token.is_none() {
            field.colon_token = Some(Default::default());
        }
        self.visit_pat_mut(&mut field.pat);
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}
}

impl VisitMut for Renamer {
    fn visit_block_mut(&mut self, block: &mut Block) {
        self.scoped(|this| {
            let items = block.stmts.iter().filter_map(|stmt| match stmt {
                Stmt::Item(item) => Some(names_of_item(item)),
                _ => None,
            });
            this.scope.extend(items.flatten().map(|name| (name, None)));
            block.stmts.iter_mut().for_each(|stmt| this.visit_stmt_mut(stmt));
        });
    }

    fn visit_local_mut(&mut self, local: &mut LetStmt) {
        let mut is_reference = false;
        if let Some(init) = &mut local.init {
            self.visit_expr_mut(&mut init.expr);
            is_reference = gives_reference(&init.expr);
            if let Some((_, otherwise)) = &mut init.diverge {
                self.visit_expr_mut(otherwise);
            }
        }
        let always = local.init.as_ref().is_none_or(|init| init.diverge.is_none());
        self.bind_names(&mut local.pat, is_reference, always);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(path) if path.qself.is_none() => {
                if let Some(name) = path.path.get_ident()
                    && let Some(unique) = self.lookup(name)
                {
                    let mut unique = unique.clone();
                    unique.set_span(name.span());
                    path.path = unique.into();
                }
            }
            Expr::Let(test) => {
                self.visit_expr_mut(&mut test.expr);
                let is_reference = gives_reference(&test.expr);
                self.bind_pat(&mut test.pat, is_reference);
            }
            Expr::If(branch) => {
                self.scoped(|this| {
                    this.visit_expr_mut(&mut branch.cond);
                    this.visit_block_mut(&mut branch.then_branch);
                });
                if let Some((_, otherwise)) = &mut branch.else_branch {
                    self.visit_expr_mut(otherwise);
                }
            }
            Expr::While(ExprWhile { label, cond, body, .. }) => self.labelled(label, true, &mut |this| {
                this.scoped(|this| {
                    this.visit_expr_mut(cond);
                    this.visit_block_mut(body);
                });
            }),
            Expr::Loop(ExprLoop { label, body, .. }) => {
                self.labelled(label, true, &mut |this| this.visit_block_mut(body));
            }
            Expr::Block(ExprBlock { label, block, .. }) => {
                self.labelled(label, false, &mut |this| this.visit_block_mut(block));
            }
            Expr::Break(ExprBreak { label, expr: value, .. }) => {
                *label = self.target(label.as_ref());
                if let Some(value) = value {
                    self.visit_expr_mut(value);
                }
            }
            Expr::Continue(ExprContinue { label, .. }) => *label = self.target(label.as_ref()),
            Expr::Match(choice) => {
                self.visit_expr_mut(&mut choice.expr);
                let is_reference = gives_reference(&choice.expr);
                for arm in &mut choice.arms {
                    self.scoped(|this| {
                        this.bind_pat(&mut arm.pat, is_reference);
                        this.visit_expr_mut(&mut arm.body);
                    });
                }
            }
            Expr::ForLoop(ExprForLoop { label, pat, expr, body, .. }) => {
                self.visit_expr_mut(expr);
                self.labelled(label, true, &mut |this| {
                    this.scoped(|this| {
                        this.bind_pat(pat, false);
                        this.visit_block_mut(body);
                    });
                });
            }
            Expr::Closure(closure) => self.scoped(|this| {
                closure.inputs.iter_mut().for_each(|input| this.bind_pat(input, false));
                this.visit_expr_mut(&mut closure.body);
            }),
            Expr::Struct(ExprStruct { fields, rest, .. }) => {
                for FieldValue { member, colon_token, expr, .. } in fields {
                    if colon_token.is_none() && matches!(member, Member::Named(_)) {
                        *colon_token = Some(Default::default());
                    }
                    self.visit_expr_mut(expr);
                }
                if let Some(rest) = rest {
                    self.visit_expr_mut(rest);
                }
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let named = self.captured(mac);
        arguments::edit(mac, &mut |arg, _| self.visit_expr_mut(arg));
        if !named.is_empty() {
            let tokens = mac.tokens.to_token_stream();
            let comma = tokens.clone().into_iter().last();
            let ends_with_comma = matches!(comma, Some(TokenTree::Punct(punct)) if punct.as_char() == ',');
            let named = if ends_with_comma { named.into_iter().skip(1).collect() } else { named };
            mac.tokens = quote!(#tokens #named);
        }
    }

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        visit_mut::visit_stmt_mut(self, stmt);
    }

    // Items cannot see locals.
    fn visit_item_mut(&mut self, _: &mut Item) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
}

/// Returns whether the expression is `*x`.
pub(super) fn is_deref(expr: &Expr) -> bool {
    matches!(expr, Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)))
}

#[cfg(test)]
mod tests;
