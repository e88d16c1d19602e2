//! Rewrites the user's statements so that every name of a kept local becomes an access to its cell: a read, a move, a
//! modification or a borrow. The cell saves the value before it changes.

mod bindings;
mod exprs;
mod places;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprLit, Ident, Lifetime, Lit, LitBool, Stmt, parse_quote, parse_quote_spanned};

use super::hygiene::{block_label, frames_of, handle, machine_label, own};
use super::ir::{Block, BlockId, Exit, Leave, Local, MethodId, Program};
use super::tokens::{jump, label_number};
use crate::walk::visit_mut::VisitMut;

/// Rewrites and emits the statements of one block.
pub(super) struct Writer<'p> {
    pub(super) program: &'p Program,
    method: MethodId,
    /// The block in whose arm the statements are emitted, if it can be re-entered.
    pub(super) arm: Option<BlockId>,
    in_loop: bool,
    /// The exits by which the current code leaves the block.
    pub(super) exits: Vec<Exit>,
    /// Kept locals that a pattern is just binding, and which are still plain variables.
    plain: Vec<String>,
    /// Whether the value of the current expression is kept in the activation record.
    detached: bool,
    /// Inside a closure: the kept locals that it names.
    captured: Option<Vec<Captured>>,
    /// Inside a kept closure: the locals of which it has handles.
    handles: Option<Vec<Ident>>,
    /// Whether `return` and `?` belong to a closure.
    in_closure: bool,
    /// Whether the expression is an argument of a macro that may depend on its exact tokens.
    in_macro: bool,
}

/// A kept local that a closure names.
struct Captured {
    name: Ident,
    /// Whether the closure may modify it.
    is_changed: bool,
}

/// How a name of a kept local is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    /// Moved or copied to code that may modify its referent.
    Value,
    /// Moved or copied into an operation that modifies nothing.
    Operand,
    /// Read in place.
    Place,
    /// The receiver of a method; a container logs its own changes.
    Receiver,
    /// The receiver of a method that may replace it as a whole.
    Whole,
    /// The owner of a part that is the receiver of a method.
    Part,
    /// Called.
    Callee,
    /// Indexed, to copy an element.
    Indexed,
    /// Modified by code that saves it first.
    Bare,
    /// Modified, after the cell has saved it.
    Changed,
}

impl<'p> Writer<'p> {
    pub(super) fn new(program: &'p Program, block: &Block, arm: Option<BlockId>) -> Self {
        Writer {
            program,
            method: block.method,
            arm,
            in_loop: block.in_loop,
            exits: Vec::new(),
            plain: Vec::new(),
            detached: false,
            captured: None,
            handles: None,
            in_closure: false,
            in_macro: false,
        }
    }
}

impl Writer<'_> {
    pub(super) fn kept(&self, name: &Ident) -> bool {
        !self.plain.contains(&name.to_string()) && self.program.hoisted.contains(self.method, name)
    }

    /// Ends the activation with a value.
    pub(super) fn leave(&self, value: &Expr) -> Expr {
        let (m, pc, label) = (own("m"), own("pc"), machine_label());
        let name = &self.program.method(self.method).name;
        if name == "rep_ok" && !self.program.is_called("rep_ok") {
            return match (value, self.arm) {
                (Expr::Lit(ExprLit { lit: Lit::Bool(LitBool { value: false, .. }), .. }), Some(arm)) => {
                    // Usually the next candidate resumes at the block where this one was rejected.
                    let (number, block) = (label_number(arm), block_label());
                    parse_quote!({ if #m.again(#number) { continue #block; } break #label #value })
                }
                (Expr::Lit(_) | Expr::Path(_) | Expr::Paren(_), _) => parse_quote!(break #label #value),
                (value, _) => parse_quote!(break #label (#value)),
            };
        }
        let frames = frames_of(self.program.method(self.method));
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
        self.program.method(self.method).locals.iter().find(|local| local.name == *name)
    }

    /// Returns an access to a kept local.
    fn access(&mut self, name: &Ident, context: Context) -> Expr {
        let local = self.local(name);
        let is_mut = local.is_some_and(|local| local.is_mut);
        let is_mut_container = local.is_some_and(|local| local.is_mut_container);
        let span = name.span();
        if self.captured.is_some() {
            return self.access_captured(name, context, is_mut);
        }
        let x = self.cell(name);
        if self.handles.is_some() && is_mut && matches!(context, Context::Value | Context::Operand) {
            let k = &self.program.private;
            return parse_quote_spanned!(span=> (&&&#k::Captured(#x.get())).value());
        }
        match context {
            Context::Value => parse_quote_spanned!(span=> #x.lent()),
            Context::Operand => parse_quote_spanned!(span=> #x.value()),
            Context::Place => parse_quote_spanned!(span=> (*#x.get())),
            Context::Indexed => parse_quote_spanned!(span=> (*#x.place())),
            Context::Bare => parse_quote_spanned!(span=> (*#x.reach())),
            Context::Changed => parse_quote_spanned!(span=> (*#x.edit())),
            Context::Receiver | Context::Part if is_mut_container => parse_quote_spanned!(span=> (*#x.place())),
            Context::Part if !is_mut => parse_quote_spanned!(span=> (*#x.part())),
            Context::Receiver | Context::Part if is_mut => parse_quote_spanned!(span=> (*#x.receiver())),
            Context::Whole if is_mut => parse_quote_spanned!(span=> (*#x.whole())),
            Context::Callee if is_mut => parse_quote_spanned!(span=> (*#x.edit())),
            Context::Receiver | Context::Part | Context::Whole | Context::Callee => {
                parse_quote_spanned!(span=> (*#x.look()))
            }
        }
    }

    /// Returns the cell of a kept local.
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

    /// Returns an access to a kept local in a closure, through a reference that is created with the closure. rustc then
    /// decides what is captured and when it is read, as it does for the user's closure.
    fn access_captured(&mut self, name: &Ident, context: Context, is_mut: bool) -> Expr {
        let k = &self.program.private;
        let (at, span) = (handle(name), name.span());
        let is_changed = !matches!(context, Context::Value | Context::Operand | Context::Place);
        let captured = self.captured.get_or_insert_default();
        match captured.iter_mut().find(|known| known.name == *name) {
            Some(known) => known.is_changed |= is_changed,
            None => captured.push(Captured { name: name.clone(), is_changed }),
        }
        match context {
            Context::Value | Context::Operand if is_mut => {
                parse_quote_spanned!(span=> (&&&#k::Captured(&*#at)).value())
            }
            Context::Value | Context::Operand => parse_quote_spanned!(span=> (&&&#k::Captured(&*#at)).only_value()),
            Context::Place
            | Context::Indexed
            | Context::Bare
            | Context::Changed
            | Context::Receiver
            | Context::Part
            | Context::Whole
            | Context::Callee => parse_quote_spanned!(span=> (*#at)),
        }
    }

    /// Returns the statements that create the references of a closure.
    fn captures(&self, captured: &[Captured]) -> TokenStream {
        let f = own("f");
        let captures = captured.iter().map(|Captured { name, is_changed }| {
            let (at, is_mut) = (handle(name), self.local(name).is_some_and(|local| local.is_mut));
            match (is_changed, is_mut) {
                (true, true) => quote!(let #at = #f.#name.whole();),
                (true, false) => quote!(let #at = #f.#name.look();),
                (false, _) => quote!(let #at = #f.#name.get();),
            }
        });
        captures.collect()
    }

    /// Returns the statements that create the handles of a kept closure. When the closure is called later, it sees the
    /// current value of each local, so these statements check that the local cannot get another value in between.
    fn handed(&self, handles: &[Ident]) -> TokenStream {
        let f = own("f");
        let handed = handles.iter().map(|name| {
            let (at, is_mut) = (handle(name), self.local(name).is_some_and(|local| local.is_mut));
            let check = is_mut.then(|| quote!((&&#f.#name).outlives_capture();));
            quote!(#check let #at = &#f.#name;)
        });
        handed.collect()
    }

    /// Returns the jump for a `break` or `continue`, if it leaves the block.
    fn exit(&self, leave: Leave, label: Option<&Lifetime>) -> Option<Expr> {
        let exit = self.exits.iter().find(|exit| exit.leave == leave && Some(&exit.label) == label)?;
        Some(Expr::Verbatim(jump(self.program, self.arm, exit.to)))
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

    /// Rewrites an argument of a machine call. The callee keeps it, and saves what it modifies through it.
    pub(super) fn argument(&mut self, mut expr: Expr) -> Expr {
        if let Expr::Reference(reference) = &mut expr
            && reference.mutability.is_some()
        {
            self.place(&mut reference.expr);
            return expr;
        }
        if let Some(name) = self.kept_path(&expr).cloned() {
            return self.access(&name, Context::Operand);
        }
        self.value(expr)
    }
}
