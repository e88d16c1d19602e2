//! Splits lifted methods into blocks of statements that jump to each other.
//!
//! A statement that may make choices begins a block of its own. A compound statement is split if it makes choices in
//! several of its parts, in a loop, or by calling a method of the machine; other statements are kept whole, and
//! replayed from their start. Operands evaluated before a call of the machine are first stored in locals, so that the
//! machine reads everything in the user's order.

mod control;
mod statements;

use proc_macro2::Span;
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, ExprClosure, FnArg, Ident, Item, Macro, Pat, Path, Stmt, Type, parse_quote};

use super::arguments;
use super::choices::{CalleeKind, Callees, call_may_choose, is_logical, weight_of_stmt};
use super::exits::{self, Loop};
use super::ir::{Block, BlockId, Local, Method, MethodId, Op, Param, Program, Source, Terminator};
use super::liveness::Hoisted;
use super::methods::{Chosen, Uncut, inputs_of, output_of, plain_name};
use super::order::Atoms;
use super::rename::Renamer;
use super::source::{self, one_line};
use super::words::words;
use crate::rep_ok::lift::{BoundNames, Lifted};
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::VisitMut;

/// Where the value of an expression goes.
#[derive(Clone)]
pub(super) enum Dest {
    /// The value is discarded.
    Ignore,
    /// Into a declared local.
    Into(Ident),
    /// To the caller, as the result of the method.
    Return,
}

pub(super) struct Splitter<'p> {
    pub(super) private: &'p Path,
    pub(super) callees: Callees,
    /// Functions outside the block, which are called by name.
    helpers: Vec<String>,
    /// The types of the parameters of each method.
    pub(super) inputs: Vec<Vec<Type>>,
    /// The return type of each method.
    pub(super) outputs: Vec<Type>,
    pub(super) method: MethodId,
    pub(super) renamer: Renamer,
    blocks: Vec<Option<Open>>,
    /// Blocks in the order in which they were begun, which is the order of the source.
    order: Vec<BlockId>,
    current: BlockId,
    pub(super) loops: Vec<Loop>,
    /// Whether the current code is inside an `unsafe` block.
    is_unsafe: bool,
    fresh: usize,
    items: Vec<Item>,
}

/// A block under construction.
struct Open {
    method: MethodId,
    ops: Vec<Op>,
    end: Option<Terminator>,
    source: Option<Source>,
    in_loop: bool,
    is_unsafe: bool,
}

pub(super) fn split(lifted: &Lifted, chosen: Chosen) -> Program {
    let krate = &lifted.krate;
    let private: Path = parse_quote!(#krate::__private);
    let class_name = &lifted.class_name;
    let class_path: Type = parse_quote!(<#class_name as #private::Lift>::Lifted);
    let Chosen { uncut, items, left_out } = chosen;
    let kind = |uncut: &Uncut| match uncut.sig.receiver() {
        Some(_) => CalleeKind::WithSelf,
        None if uncut.name.contains('.') => CalleeKind::Nested,
        None => CalleeKind::Associated,
    };
    let methods = uncut.iter().map(|uncut| (plain_name(&uncut.name), kind(uncut))).collect();
    let inputs = uncut.iter().map(|uncut| inputs_of(&uncut.sig)).collect();
    let outputs = uncut.iter().map(|uncut| output_of(&uncut.sig)).collect();
    let callees = Callees { class_path: one_line(&class_path), methods };
    let mut splitter = Splitter {
        private: &private,
        callees,
        helpers: lifted.uses.iter().filter_map(|path| path.get_ident().map(ToString::to_string)).collect(),
        inputs,
        outputs,
        method: MethodId(0),
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
        methods.push(splitter.method(MethodId(number), uncut));
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

/// Numbers the blocks in the order of the source.
fn number_blocks(program: &mut Program, mut blocks: Vec<Option<Open>>, order: &[BlockId]) {
    let mut numbers = vec![BlockId(usize::MAX); blocks.len()];
    for (number, id) in order.iter().enumerate() {
        numbers[id.0] = BlockId(number);
    }
    let number = |id: BlockId| numbers[id.0];
    for id in order {
        let Some(Open { method, ops, end, source, in_loop, is_unsafe }) = blocks[id.0].take() else { continue };
        let end = end.unwrap_or(Terminator::Never);
        let mut block = Block { method, ops, end, source, in_loop, is_unsafe };
        block.renumber(&number);
        program.blocks.push(block);
    }
    for method in &mut program.methods {
        method.entry = number(method.entry);
    }
}

/// Returns why a statement that may make several choices is replayed as a whole, or an empty string.
fn reason(stmt: &Stmt) -> &'static str {
    struct Finder {
        closure: bool,
        call: bool,
    }
    impl Visit for Finder {
        fn visit_expr_closure(&mut self, _: &ExprClosure) {
            self.closure = true;
        }
        fn visit_expr_call(&mut self, call: &syn::ExprCall) {
            // These calls come from splitting a `for` loop.
            let of_loop = matches!(&*call.func, Expr::Path(path) if path.path.segments.last().is_some_and(|last| {
                last.ident == "into_iter" || last.ident == "next"
            }));
            self.call |= call_may_choose(call) && !of_loop;
            visit::visit_expr_call(self, call);
        }
    }
    let mut finder = Finder { closure: false, call: false };
    Visit::visit_stmt(&mut finder, stmt);
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

    /// Begins the block `id`, to which the following steps are added.
    pub(super) fn begin(&mut self, id: BlockId) {
        let (method, in_loop, is_unsafe) = (self.method, !self.loops.is_empty(), self.is_unsafe);
        self.blocks[id.0] = Some(Open { method, ops: Vec::new(), end: None, source: None, in_loop, is_unsafe });
        self.order.push(id);
        self.current = id;
    }

    fn block(&mut self) -> &mut Open {
        self.blocks[self.current.0].as_mut().expect("the current block was begun")
    }

    /// Appends a step to the current block. After the end of a block, begins a block that is unreachable.
    pub(super) fn push(&mut self, op: Op) {
        if self.block().end.is_some() {
            let never = self.new_block();
            self.begin(never);
        }
        self.block().ops.push(op);
    }

    /// Ends the current block, unless it has ended already.
    pub(super) fn end(&mut self, end: Terminator) {
        self.block().end.get_or_insert(end);
    }

    fn goto(&mut self, to: BlockId) {
        self.end(Terminator::Goto(to));
    }

    /// Ensures that choices of the following code re-enter a block that begins with it.
    pub(super) fn begin_choosing(&mut self, what: &dyn ToTokens, replayed: &'static str) {
        let block = self.block();
        if !block.ops.is_empty() || block.source.is_some() || block.end.is_some() {
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
        self.renamer.locals.push(Local {
            name: name.clone(),
            is_mut: false,
            is_mut_container: false,
            is_reference: false,
            holds_closure: false,
        });
        name
    }

    fn method(&mut self, number: MethodId, uncut: Uncut) -> Method {
        let Uncut { name, sig, mut body } = uncut;
        self.method = number;
        self.renamer = Renamer::default();
        self.renamer.words = words(quote!(#sig #body)).into_iter().collect();
        let nested = self.callees.methods.iter().filter(|(_, kind)| *kind == CalleeKind::Nested);
        self.renamer.reserved = nested.map(|(name, _)| name).chain(&self.helpers).cloned().collect();
        self.fresh = 0;
        let mut params = Vec::new();
        let mut destructured = Vec::new();
        let types = self.inputs[number.0].clone();
        for (place, (input, ty)) in sig.inputs.iter().zip(types).enumerate() {
            match input {
                FnArg::Receiver(receiver) => {
                    let ident = Ident::new("self", receiver.self_token.span);
                    params.push(Param { name: self.renamer.bind_param(&ident, false, &ty), ty });
                }
                FnArg::Typed(typed) => {
                    let name = match &*typed.pat {
                        Pat::Ident(ident) if ident.subpat.is_none() && ident.by_ref.is_none() => {
                            self.renamer.bind_param(&ident.ident, ident.mutability.is_some(), &ty)
                        }
                        pat => {
                            let name = format_ident!("__korat_arg_{place}");
                            let unique = self.renamer.bind_param(&name, false, &ty);
                            destructured.push((pat.clone(), unique.clone()));
                            unique
                        }
                    };
                    params.push(Param { name, ty });
                }
            }
        }
        let mut lets: Vec<Stmt> = Vec::new();
        for (mut pat, name) in destructured {
            self.renamer.bind_pat(&mut pat, false);
            lets.push(parse_quote!(let #pat = #name;));
        }
        self.renamer.visit_block_mut(&mut body);
        body.stmts.splice(0..0, lets);
        // The machine does not use the stack, so a call only counts a step.
        let private = self.private;
        for stmt in &mut body.stmts {
            if one_line(stmt) == one_line(&quote!(#private::call();)) {
                *stmt = parse_quote!(#private::step(););
            }
        }
        let mut atoms = Atoms::default();
        Visit::visit_block(&mut atoms, &body);
        let output = output_of(&sig);
        let entry = self.new_block();
        self.begin(entry);
        self.stmts(body.stmts, &Dest::Return);
        let locals = std::mem::take(&mut self.renamer.locals);
        let bindings = std::mem::take(&mut self.renamer.bindings);
        Method { name, params, output, entry, locals, bindings, atoms: atoms.0 }
    }

    /// Marks the locals of a `let` that may hold a closure: the initializer contains one, or names a local that may hold one.
    fn note_closures(&mut self, stmt: &Stmt) {
        let Stmt::Local(local) = stmt else { return };
        let Some(init) = &local.init else { return };
        let mut bound = BoundNames(Vec::new());
        Visit::visit_pat(&mut bound, &local.pat);
        let mentioned = words(init.expr.to_token_stream());
        let holds = |local: &&Local| local.holds_closure && mentioned.iter().any(|word| local.name == *word);
        if has_closure(&init.expr) || self.renamer.locals.iter().any(|local| holds(&local)) {
            let locals = self.renamer.locals.iter_mut();
            let bound = locals.filter(|local| bound.0.iter().any(|name| local.name == *name));
            bound.for_each(|local| local.holds_closure = true);
        }
    }

    /// Appends a statement that is kept whole.
    pub(super) fn whole(&mut self, stmt: Stmt) {
        self.note_closures(&stmt);
        if weight_of_stmt(&stmt) > 0 {
            self.begin_choosing(&stmt, reason(&stmt));
        }
        let code = exits::stmt(stmt, &self.loops);
        self.push(Op::Run(code));
    }
}

/// Returns whether the expression contains a closure.
fn has_closure(expr: &Expr) -> bool {
    struct Finder(bool);
    impl Visit for Finder {
        fn visit_expr_closure(&mut self, _: &ExprClosure) {
            self.0 = true;
        }
        fn visit_macro(&mut self, mac: &Macro) {
            arguments::look(mac, &mut |arg| self.visit_expr(arg));
        }
        fn visit_item(&mut self, _: &Item) {}
    }
    let mut finder = Finder(false);
    finder.visit_expr(expr);
    finder.0
}

pub(super) fn is_control_flow(expr: &Expr) -> bool {
    match expr {
        Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Unsafe(_) | Expr::Loop(_) | Expr::While(_) => true,
        Expr::ForLoop(_) | Expr::Return(_) | Expr::Break(_) => true,
        Expr::Binary(binary) => is_logical(&binary.op),
        _ => false,
    }
}
