//! Cuts methods into blocks. Takes lifted methods, gives blocks of statements that jump to each other.
//!
//! A statement that may make choices begins a block of its own. A compound statement is taken apart if choices are made in
//! several of its parts, in a loop, or by a call of the machine's own methods; the others stay whole, and are replayed from
//! their start. What is evaluated before a call of the machine is put into locals first, so that everything is still read in
//! the user's order.

mod control;
mod statements;

use proc_macro2::Span;
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprClosure, FnArg, Ident, Item, Pat, Path, Stmt, Type, parse_quote};

use super::choices::{Callees, Kind, call_may_choose, is_logical, weight, weight_of_stmt};
use super::jumps::{Jumps, Loop, number_blocks};
use super::methods::{Chosen, Uncut, choose, forget_lifetimes, output_of, plain_name};
use super::rename::Renamer;
use super::source;
use super::words::words;
use super::{Block, BlockId, Hoisted, Method, Op, Param, Program, Source};
use crate::rep_ok::lift::Lifted;

/// Where the value of an expression goes.
#[derive(Clone)]
pub(super) enum Dest {
    /// Nowhere.
    Ignore,
    /// Into a declared local.
    Into(Ident),
    /// To the caller.
    Return,
}

pub(super) struct Splitter<'p> {
    pub(super) private: &'p Path,
    pub(super) callees: Callees,
    /// What each method gives.
    pub(super) outputs: Vec<Type>,
    pub(super) method: usize,
    pub(super) renamer: Renamer,
    blocks: Vec<Option<Block>>,
    /// Blocks in the order in which they were begun: that of the source.
    order: Vec<BlockId>,
    current: BlockId,
    loops: Vec<Loop>,
    /// Whether what follows is in an `unsafe` block.
    is_unsafe: bool,
    fresh: usize,
    items: Vec<Item>,
}

pub(super) fn split(lifted: &Lifted) -> Program {
    let krate = &lifted.krate;
    let private: Path = parse_quote!(#krate::__private);
    let class_name = &lifted.class_name;
    let class_path: Type = parse_quote!(<#class_name as #private::Lift>::Lifted);
    let Chosen { uncut, items, left_out } = choose(lifted);
    let kind = |uncut: &Uncut| match uncut.sig.receiver() {
        Some(_) => Kind::WithSelf,
        None if uncut.name.contains('.') => Kind::Nested,
        None => Kind::Associated,
    };
    let methods = uncut.iter().map(|uncut| (plain_name(&uncut.name), kind(uncut))).collect();
    let outputs = uncut.iter().map(|uncut| output_of(&uncut.sig)).collect();
    let callees = Callees { class_path: super::one_line(&class_path), methods };
    let mut splitter = Splitter {
        private: &private,
        callees,
        outputs,
        method: 0,
        renamer: Renamer::default(),
        blocks: Vec::new(),
        order: Vec::new(),
        current: BlockId(0),
        loops: Vec::new(),
        is_unsafe: false,
        fresh: 0,
        items,
    };
    let mut methods = Vec::new();
    for (number, uncut) in uncut.into_iter().enumerate() {
        methods.push(splitter.method(number, uncut));
    }
    let Splitter { blocks, order, items, .. } = splitter;
    let mut program = Program {
        methods,
        blocks: Vec::new(),
        items,
        hoisted: Hoisted::default(),
        reached: Vec::new(),
        inlined: Vec::new(),
        left_out,
        private: private.clone(),
    };
    number_blocks(&mut program, blocks, &order);
    program
}

/// Why a statement that may make several choices is replayed as a whole.
fn reason(stmt: &Stmt) -> &'static str {
    struct Finder {
        closure: bool,
        call: bool,
    }
    impl<'ast> syn::visit::Visit<'ast> for Finder {
        fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {
            self.closure = true;
        }
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            // A loop of the user's, taken apart.
            let of_loop = matches!(&*call.func, Expr::Path(path) if path.path.segments.last().is_some_and(|last| {
                last.ident == "into_iter" || last.ident == "next"
            }));
            self.call |= call_may_choose(call) && !of_loop;
            syn::visit::visit_expr_call(self, call);
        }
    }
    let mut finder = Finder { closure: false, call: false };
    syn::visit::Visit::visit_stmt(&mut finder, stmt);
    match finder {
        Finder { closure: true, .. } => "it has a closure",
        Finder { call: true, .. } => "it calls a function that is not part of the machine",
        Finder { .. } => "",
    }
}

impl Splitter<'_> {
    pub(super) fn new_block(&mut self) -> BlockId {
        self.blocks.push(None);
        BlockId(self.blocks.len() - 1)
    }

    /// Goes on with a block, whose steps follow.
    pub(super) fn begin(&mut self, id: BlockId) {
        let in_loop = !self.loops.is_empty();
        self.blocks[id.0] =
            Some(Block { method: self.method, ops: Vec::new(), source: None, in_loop, is_unsafe: self.is_unsafe });
        self.order.push(id);
        self.current = id;
    }

    fn block(&mut self) -> &mut Block {
        self.blocks[self.current.0].as_mut().expect("the current block was begun")
    }

    pub(super) fn push(&mut self, op: Op) {
        self.block().ops.push(op);
    }

    fn goto(&mut self, to: BlockId) {
        if !matches!(self.block().ops.last(), Some(Op::Goto(_) | Op::Return(_) | Op::Call { .. })) {
            self.push(Op::Goto(to));
        }
    }

    /// Makes sure that choices of what follows re-enter a block that begins with it.
    pub(super) fn begin_choosing(&mut self, what: &impl ToTokens, replayed: &'static str) {
        if !self.block().ops.is_empty() || self.block().source.is_some() {
            let next = self.new_block();
            self.goto(next);
            self.begin(next);
        }
        let (line, text) = source::line_of(what);
        self.block().source = Some(Source { line, text, replayed });
    }

    pub(super) fn fresh(&mut self, span: Span) -> Ident {
        self.fresh += 1;
        let name = format_ident!("__korat_{}", self.fresh, span = span);
        self.renamer.locals.push(super::Local {
            name: name.clone(),
            is_mut: false,
            is_mut_container: false,
            is_reference: false,
        });
        name
    }

    fn method(&mut self, number: usize, uncut: Uncut) -> Method {
        let Uncut { name, sig, mut body } = uncut;
        self.method = number;
        self.renamer = Renamer::default();
        self.renamer.words = words(quote!(#sig #body)).into_iter().collect();
        let nested = self.callees.methods.iter().filter(|(_, kind)| *kind == Kind::Nested);
        self.renamer.reserved = nested.map(|(name, _)| name.clone()).collect();
        self.fresh = 0;
        let mut params = Vec::new();
        let mut taken_apart = Vec::new();
        for (place, input) in sig.inputs.iter().enumerate() {
            match input {
                FnArg::Receiver(receiver) => {
                    let ident = Ident::new("self", receiver.self_token.span);
                    let ty: Type = parse_quote!(&Self);
                    params.push(Param { name: self.renamer.bind_param(&ident, false, &ty), ty });
                }
                FnArg::Typed(typed) => {
                    let mut ty = (*typed.ty).clone();
                    forget_lifetimes(&mut ty);
                    let name = match &*typed.pat {
                        Pat::Ident(ident) if ident.subpat.is_none() && ident.by_ref.is_none() => {
                            self.renamer.bind_param(&ident.ident, ident.mutability.is_some(), &ty)
                        }
                        pat => {
                            let name = format_ident!("__korat_arg_{place}");
                            let unique = self.renamer.bind_param(&name, false, &ty);
                            taken_apart.push((pat.clone(), unique.clone()));
                            unique
                        }
                    };
                    params.push(Param { name, ty });
                }
            }
        }
        let mut lets: Vec<Stmt> = Vec::new();
        for (mut pat, name) in taken_apart {
            self.renamer.bind_pat(&mut pat, false);
            lets.push(parse_quote!(let #pat = #name;));
        }
        self.renamer.visit_block_mut(&mut body);
        body.stmts.splice(0..0, lets);
        // The machine needs no stack; its steps are counted all the same.
        let private = self.private;
        for stmt in &mut body.stmts {
            if super::one_line(stmt) == super::one_line(&quote!(#private::call();)) {
                *stmt = parse_quote!(#private::step(););
            }
        }
        let output = output_of(&sig);
        let entry = self.new_block();
        self.begin(entry);
        self.stmts(body.stmts, &Dest::Return);
        let locals = std::mem::take(&mut self.renamer.locals);
        Method { name, params, output, entry, locals }
    }

    /// Whether an expression has to be taken apart.
    pub(super) fn is_split(&self, expr: &Expr) -> bool {
        if self.callees.calls_in(expr) {
            return true;
        }
        struct Finder(bool);
        impl<'ast> syn::visit::Visit<'ast> for Finder {
            fn visit_expr(&mut self, expr: &'ast Expr) {
                self.0 |= match expr {
                    Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Unsafe(_) => weight(expr) > 1,
                    Expr::Binary(binary) if is_logical(&binary.op) => weight(expr) > 1,
                    Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) => weight(expr) > 0,
                    _ => false,
                };
                if !self.0 {
                    syn::visit::visit_expr(self, expr);
                }
            }
            fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
            fn visit_item(&mut self, _: &'ast Item) {}
        }
        let mut finder = Finder(false);
        syn::visit::Visit::visit_expr(&mut finder, expr);
        finder.0
    }

    /// A statement that stays whole.
    pub(super) fn whole(&mut self, stmt: Stmt) {
        if weight_of_stmt(&stmt) > 0 {
            self.begin_choosing(&stmt, reason(&stmt));
        }
        let mut stmt = stmt;
        Jumps { loops: &self.loops, inside: 0, labels: Vec::new() }.visit_stmt_mut(&mut stmt);
        self.push(Op::Stmt(stmt));
    }

    pub(super) fn with_jumps(&self, mut expr: Expr) -> Expr {
        Jumps { loops: &self.loops, inside: 0, labels: Vec::new() }.visit_expr_mut(&mut expr);
        expr
    }
}

pub(super) fn is_control_flow(expr: &Expr) -> bool {
    match expr {
        Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Unsafe(_) | Expr::Loop(_) | Expr::While(_) => true,
        Expr::ForLoop(_) | Expr::Return(_) | Expr::Break(_) => true,
        Expr::Binary(binary) => is_logical(&binary.op),
        _ => false,
    }
}
