//! Writes the user's statements. Takes the statements of one block, gives them with every name of a kept local as the use of
//! its cell: looked at, moved, changed, lent. What is changed is saved by the cell.

mod bindings;
mod exprs;
mod places;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprLit, Ident, Lifetime, Lit, LitBool, Stmt, parse_quote, parse_quote_spanned};

use super::hygiene::{block_label, frames_of, handle, machine_label, own};
use super::ir::{Block, BlockId, Exit, Leave, Local, MethodId, Program};
use super::tokens::{jump, label_number};

/// Writes the statements of one block.
pub(super) struct Writer<'p> {
    pub(super) program: &'p Program,
    method: MethodId,
    /// The block in whose arm the statements stand, if it can be re-entered.
    pub(super) arm: Option<BlockId>,
    in_loop: bool,
    /// Where the code that is being written leaves the block.
    pub(super) exits: Vec<Exit>,
    /// Kept locals that are just being bound, and are still plain names.
    plain: Vec<String>,
    /// Whether the expression is kept in the activation record.
    detached: bool,
    /// In a closure: what it names of the kept locals.
    captured: Option<Vec<Captured>>,
    /// In a closure that is kept: the locals it has handles of.
    handles: Option<Vec<Ident>>,
    /// Whether `return` and `?` are those of a closure.
    in_closure: bool,
    /// Whether the expression is an argument of a macro that may want it as it is.
    in_macro: bool,
}

/// A kept local that a closure names.
struct Captured {
    name: Ident,
    /// Whether the closure may change it.
    is_changed: bool,
}

/// How the name of a kept local is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    /// Moved or copied, to where what it leads to may be changed.
    Value,
    /// Copied or moved into an operation that changes nothing.
    Operand,
    /// Looked at.
    Place,
    /// The receiver of a method; a container saves its own changes.
    Receiver,
    /// The receiver of a method that may put something else in its place.
    Whole,
    /// A part of it is the receiver of a method.
    Part,
    /// Called.
    Callee,
    /// Indexed, and an element copied.
    Indexed,
    /// Changed, by what saves it.
    Bare,
    /// Changed.
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
                    // Most often the next candidate begins where this one has ended.
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

    /// A use of a kept local.
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

    /// A use of a kept local in a closure: through a reference that is made with the closure, so that rustc decides what is captured, and
    /// when it is looked at, as it does in the user's own.
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

    /// The references that a closure is made with.
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

    /// The handles that a closure which is kept is made with. Called later, it sees what the local is then, so that the local must not be
    /// able to get another value meanwhile.
    fn handed(&self, handles: &[Ident]) -> TokenStream {
        let f = own("f");
        let handed = handles.iter().map(|name| {
            let (at, is_mut) = (handle(name), self.local(name).is_some_and(|local| local.is_mut));
            let check = is_mut.then(|| quote!((&&#f.#name).outlives_capture();));
            quote!(#check let #at = &#f.#name;)
        });
        handed.collect()
    }

    /// Where a `break` or `continue` leads, if it leaves the block.
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

    /// An argument of a machine call: the callee keeps it, and saves what it changes through it.
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
