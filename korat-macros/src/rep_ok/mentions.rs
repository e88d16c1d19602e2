//! Finds the locals that code names.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Block, Expr, ExprForLoop, ExprIf, ExprMatch, ExprWhile, Local, Macro, Pat, Stmt};

use super::lift::BoundNames;
use super::lower::arguments;
use super::lower::format_captures::{captures, is_argument};
use crate::walk::visit::{self, Visit};

/// Returns the names that an expression takes from outside, each once.
pub(super) fn free_names(expr: &Expr) -> Vec<String> {
    let mut free = Free { bound: Vec::new(), names: Vec::new() };
    free.visit_expr(expr);
    free.names
}

/// Returns whether an expression names a local.
pub(super) fn names(expr: &Expr, name: &str) -> bool {
    free_names(expr).iter().any(|known| known == name)
}

/// Returns the names that a pattern binds. Only rustc knows whether an uppercase name is a constant.
pub(super) fn bound_by(pat: &Pat) -> Vec<String> {
    let mut names = BoundNames(Vec::new());
    names.visit_pat(pat);
    names.0
}

/// Adds all words of some tokens, those in format strings included.
pub(super) fn add_words(tokens: TokenStream, words: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add_words(group.stream(), words),
            TokenTree::Ident(ident) => {
                words.insert(ident.to_string());
            }
            TokenTree::Literal(literal) => words.extend(captures(&literal.to_string())),
            TokenTree::Punct(_) => {}
        }
    }
}

struct Free {
    /// The names that are bound inside, innermost last.
    bound: Vec<String>,
    names: Vec<String>,
}

impl Free {
    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let outside = self.bound.len();
        visit(self);
        self.bound.truncate(outside);
    }

    fn bind(&mut self, pat: &Pat) {
        self.bound.extend(bound_by(pat));
        self.visit_pat(pat);
    }

    fn mention(&mut self, name: String) {
        if !self.bound.contains(&name) && !self.names.contains(&name) {
            self.names.push(name);
        }
    }
}

impl Visit for Free {
    fn visit_block(&mut self, block: &Block) {
        self.scoped(|this| visit::visit_block(this, block));
    }

    fn visit_local(&mut self, local: &Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
        self.bind(&local.pat);
    }

    fn visit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(path) => {
                if let (None, Some(name)) = (&path.qself, path.path.get_ident()) {
                    self.mention(name.to_string());
                }
            }
            Expr::Let(test) => {
                self.visit_expr(&test.expr);
                self.bind(&test.pat);
            }
            Expr::If(ExprIf { cond, then_branch, else_branch, .. }) => {
                self.scoped(|this| {
                    this.visit_expr(cond);
                    this.visit_block(then_branch);
                });
                if let Some((_, otherwise)) = else_branch {
                    self.visit_expr(otherwise);
                }
            }
            Expr::While(ExprWhile { cond, body, .. }) => self.scoped(|this| {
                this.visit_expr(cond);
                this.visit_block(body);
            }),
            Expr::ForLoop(ExprForLoop { pat, expr, body, .. }) => {
                self.visit_expr(expr);
                self.scoped(|this| {
                    this.bind(pat);
                    this.visit_block(body);
                });
            }
            Expr::Match(ExprMatch { expr, arms, .. }) => {
                self.visit_expr(expr);
                for arm in arms {
                    self.scoped(|this| {
                        this.bind(&arm.pat);
                        this.visit_expr(&arm.body);
                    });
                }
            }
            Expr::Closure(closure) => self.scoped(|this| {
                closure.inputs.iter().for_each(|input| this.bind(input));
                this.visit_expr(&closure.body);
            }),
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_macro(&mut self, mac: &Macro) {
        arguments::look(mac, &mut |argument| self.visit_expr(argument));
        for token in mac.tokens.clone() {
            let TokenTree::Literal(literal) = token else { continue };
            let captured = captures(&literal.to_string()).into_iter();
            captured.filter(|name| !is_argument(&mac.tokens, name)).for_each(|name| self.mention(name));
        }
    }
}

/// Returns whether an expression reads fields of the structure.
pub(super) fn reads_fields(expr: &Expr) -> bool {
    let mut words = HashSet::new();
    add_words(expr.to_token_stream(), &mut words);
    words.contains("__korat_read")
}

/// Returns the names whose values before a statement are of no use after it, in the same block.
pub(super) fn replaced(stmt: &Stmt) -> Vec<String> {
    match stmt {
        Stmt::Local(local) => bound_by(&local.pat),
        Stmt::Expr(Expr::Assign(assign), _) => match &*assign.left {
            Expr::Path(path) => path.path.get_ident().map(ToString::to_string).into_iter().collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Adds the words by which a statement may use a local of before.
pub(super) fn add_used_words(stmt: &Stmt, words: &mut HashSet<String>) {
    match stmt {
        Stmt::Local(local) => add_words(
            local
                .init
                .as_ref()
                .map(|init| {
                    let (expr, otherwise) = (&init.expr, init.diverge.as_ref().map(|(_, otherwise)| otherwise));
                    quote!(#expr #otherwise)
                })
                .into_token_stream(),
            words,
        ),
        Stmt::Expr(Expr::Assign(assign), _) if matches!(&*assign.left, Expr::Path(_)) => {
            add_words(assign.right.to_token_stream(), words);
        }
        stmt => add_words(stmt.to_token_stream(), words),
    }
}
