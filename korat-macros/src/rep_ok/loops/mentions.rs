//! Finds the locals that code names.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::{Block, Expr, ExprForLoop, ExprIf, ExprMatch, ExprWhile, Local, Macro, Pat};

use super::super::lift::BoundNames;
use super::super::lower::arguments;
use super::super::lower::format_captures::{captures, is_argument};
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
