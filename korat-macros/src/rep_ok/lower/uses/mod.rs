//! Writes the user's statements. Takes the statements of one block, gives them with every name of a kept local as the use of
//! its cell: looked at, moved, changed, lent. What is changed is saved by the cell.

mod bindings;
mod exprs;
mod places;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprLit, Ident, Lit, LitBool, Stmt, parse_quote, parse_quote_spanned};

use super::hygiene::{block_label, frames_of, handle, machine_label, own};
use super::tokens::label_number;
use super::{BlockId, Local, Program};

/// Writes the statements of one block.
pub(super) struct Writer<'p> {
    pub(super) program: &'p Program,
    pub(super) method: usize,
    /// The block in whose arm the statements stand, if it can be re-entered.
    pub(super) arm: Option<BlockId>,
    pub(super) in_loop: bool,
    /// Kept locals that are just being bound, and are still plain names.
    pub(super) plain: Vec<String>,
    pub(super) in_closure: bool,
    /// Whether the expression is kept in the activation record.
    pub(super) detached: bool,
    /// In a closure that is kept: the locals it has handles of.
    pub(super) handles: Option<Vec<Ident>>,
    /// Whether the expression is an argument of a macro that may want it as it is.
    pub(super) in_macro: bool,
}

/// How the name of a kept local is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    /// Moved or copied.
    Value,
    /// Moved or copied to a function, which may change what it leads to.
    Lent,
    /// Looked at.
    Place,
    /// The receiver of a method; a container saves its own changes.
    Receiver,
    /// The receiver of a method that may put something else in its place.
    Whole,
    /// Called.
    Callee,
    /// Changed, by what saves it.
    Bare,
}

impl Writer<'_> {
    pub(super) fn kept(&self, name: &Ident) -> bool {
        !self.plain.contains(&name.to_string()) && self.program.hoisted.contains(self.method, name)
    }

    /// Ends the activation with a value.
    pub(super) fn leave(&self, value: &Expr) -> Expr {
        let (m, pc, label) = (own("m"), own("pc"), machine_label());
        let name = &self.program.methods[self.method].name;
        if name == "rep_ok" && !self.program.is_called("rep_ok") {
            return match (value, self.arm) {
                (Expr::Lit(ExprLit { lit: Lit::Bool(LitBool { value: false, .. }), .. }), Some(arm)) => {
                    // Most often the next candidate begins where this one has ended.
                    let (number, block) = (label_number(arm), block_label());
                    parse_quote!({ if #m.again(#number) { continue #block; } break #label #value })
                }
                (Expr::Lit(_) | Expr::Path(_) | Expr::Paren(_), _) => parse_quote!(break #label #value),
                (value, _) => parse_quote!(break #label (#value)),
            };
        }
        let frames = frames_of(&self.program.methods[self.method]);
        parse_quote!({ #pc = #frames.leave(#m, #value); continue #label; })
    }

    fn kept_path<'e>(&self, expr: &'e Expr) -> Option<&'e Ident> {
        match expr {
            Expr::Path(path) if path.qself.is_none() => path.path.get_ident().filter(|name| self.kept(name)),
            Expr::Paren(paren) => self.kept_path(&paren.expr),
            _ => None,
        }
    }

    fn local(&self, name: &Ident) -> Option<&Local> {
        self.program.methods[self.method].locals.iter().find(|local| local.name == *name)
    }

    /// The cell of a kept local.
    fn cell(&mut self, name: &Ident) -> TokenStream {
        let f = own("f");
        match &mut self.handles {
            Some(handles) => {
                if !handles.contains(name) {
                    handles.push(name.clone());
                }
                handle(name).into_token_stream()
            }
            None => quote!(#f.#name),
        }
    }

    /// A use of a kept local.
    fn access(&mut self, name: &Ident, context: Context) -> Expr {
        let x = self.cell(name);
        let local = self.local(name);
        let is_mut = local.is_some_and(|local| local.is_mut);
        let span = name.span();
        match context {
            Context::Value => parse_quote_spanned!(span=> #x.value()),
            Context::Lent => parse_quote_spanned!(span=> #x.lent()),
            Context::Place => parse_quote_spanned!(span=> (*#x.get())),
            Context::Bare => parse_quote_spanned!(span=> (*#x.place())),
            Context::Receiver if local.is_some_and(|local| local.is_mut_container) => {
                parse_quote_spanned!(span=> (*#x.place()))
            }
            Context::Receiver if is_mut => parse_quote_spanned!(span=> (*#x.receiver())),
            Context::Whole if is_mut => parse_quote_spanned!(span=> (*#x.whole())),
            Context::Receiver | Context::Whole => parse_quote_spanned!(span=> (*#x.look())),
            Context::Callee if is_mut => parse_quote_spanned!(span=> (*#x.edit())),
            Context::Callee => parse_quote_spanned!(span=> (*#x.look())),
        }
    }

    /// Moves names that were just bound into the activation record.
    pub(super) fn keep(&self, names: &[Ident]) -> TokenStream {
        let f = own("f");
        let kept = names.iter().filter(|name| self.program.hoisted.contains(self.method, name));
        let gives = kept.map(|name| {
            let is_mut = self.local(name).is_some_and(|local| local.is_mut);
            let give = match (self.in_loop, is_mut) {
                (true, _) => own("set"),
                (false, true) => own("init"),
                (false, false) => own("give"),
            };
            quote!(#f.#name.#give(#name);)
        });
        quote!(#(#gives)*)
    }

    pub(super) fn statement(&mut self, stmt: Stmt, body: &mut TokenStream) {
        match stmt {
            Stmt::Local(local) => {
                for stmt in self.let_statement(local) {
                    stmt.to_tokens(body);
                }
            }
            mut stmt => {
                self.visit_stmt_mut(&mut stmt);
                stmt.to_tokens(body);
            }
        }
    }

    pub(super) fn value(&mut self, mut expr: Expr) -> Expr {
        self.visit_expr_mut(&mut expr);
        expr
    }

    /// An argument of a machine call: `&mut x` is a handle, whose user saves what it changes.
    pub(super) fn argument(&mut self, mut expr: Expr) -> Expr {
        if let Expr::Reference(reference) = &mut expr
            && reference.mutability.is_some()
        {
            self.place(&mut reference.expr);
            return expr;
        }
        self.value(expr)
    }
}
