//! Cuts methods into blocks. Takes lifted methods, gives blocks of statements that jump to each other.
//!
//! A statement that may make choices begins a block of its own. A compound statement is taken apart if choices are made in
//! several of its parts, in a loop, or by a call of the machine's own methods; the others stay whole, and are replayed from
//! their start. What is evaluated before a call of the machine is put into locals first, so that everything is still read in
//! the user's order.

use proc_macro2::Span;
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{
    Arm, BinOp, Expr, ExprBlock, ExprBreak, ExprClosure, ExprForLoop, ExprIf, ExprLoop, ExprMatch, ExprWhile, FnArg,
    Ident, Item, Lifetime, Local as LetStmt, LocalInit, Pat, Path, Stmt, Type, UnOp, parse_quote,
};

use super::choices::{Callees, Kind, call_may_choose, is_logical, weight, weight_of_stmt};
use super::jumps::{Jumps, Loop, find_loop, goto, jump_target, number_blocks};
use super::methods::{Chosen, Uncut, choose, forget_lifetimes, output_of, plain_name};
use super::order::{has_unsteady_let, is_unsteady};
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

    fn stmts(&mut self, stmts: Vec<Stmt>, dest: &Dest) {
        let count = stmts.len();
        for (at, stmt) in stmts.into_iter().enumerate() {
            let is_last = at + 1 == count;
            match stmt {
                Stmt::Expr(expr, None) if is_last => return self.expr(expr, dest),
                // A loop or a branch as the last statement has no semicolon, and may have no value.
                Stmt::Expr(expr, semi) => {
                    let diverges = diverges(&expr);
                    self.statement(Stmt::Expr(expr, semi));
                    if diverges && is_last {
                        return;
                    }
                }
                Stmt::Macro(mac) if is_last && mac.semi_token.is_none() => {
                    let mac = mac.mac;
                    return self.expr(parse_quote!(#mac), dest);
                }
                stmt => {
                    let ends = matches!(&stmt, Stmt::Macro(mac) if is_last && is_panic(&mac.mac));
                    self.statement(stmt);
                    if ends {
                        return;
                    }
                }
            }
        }
        self.finish(parse_quote!(()), dest);
    }

    /// Puts a value, which is not taken apart, where it belongs.
    fn finish(&mut self, value: Expr, dest: &Dest) {
        let never_comes = |expr: &Expr| {
            matches!(expr, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_))
                || matches!(expr, Expr::Macro(mac) if jump_target(&mac.mac).is_some())
        };
        match dest {
            Dest::Ignore if matches!(&value, Expr::Tuple(tuple) if tuple.elems.is_empty()) => {}
            _ if never_comes(&value) => self.whole(parse_quote!(#value;)),
            Dest::Ignore => self.whole(Stmt::Expr(value, Some(Default::default()))),
            Dest::Into(name) => self.whole(parse_quote!(#name = #value;)),
            Dest::Return => {
                if weight(&value) > 0 {
                    let whole: Stmt = parse_quote!(return #value;);
                    self.begin_choosing(&whole, reason(&whole));
                }
                let value = self.with_jumps(value);
                self.push(Op::Return(value));
            }
        }
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

    fn statement(&mut self, stmt: Stmt) {
        match stmt {
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(expr, _) if self.is_split(&expr) => self.expr(expr, &Dest::Ignore),
            Stmt::Item(item) => self.items.push(item),
            stmt => self.whole(stmt),
        }
    }

    fn local(&mut self, mut local: LetStmt) {
        if let (Pat::Type(typed), Some(init)) = (&local.pat, &mut local.init) {
            type_closure(&mut init.expr, &typed.ty);
        }
        let Some(LocalInit { expr, diverge, .. }) = &local.init else { return self.whole(Stmt::Local(local)) };
        let split_else = diverge.as_ref().is_some_and(|(_, otherwise)| self.is_split(otherwise));
        if !self.is_split(expr) && !split_else {
            let init = self.steady((**expr).clone());
            if let Some(place) = &mut local.init {
                *place.expr = init;
            }
            return self.whole(Stmt::Local(local));
        }
        let init = (**expr).clone();
        if let Some((_, otherwise)) = diverge
            && split_else
        {
            // A test, whose other side jumps away.
            let init = self.flat(init);
            let (then, other) = (self.new_block(), self.new_block());
            let (pat, otherwise) = (pat_of(&local.pat), (**otherwise).clone());
            self.test(parse_quote!(let #pat = #init), then, other);
            self.begin(other);
            self.expr(otherwise, &Dest::Ignore);
            // It never comes here; a jump keeps the block well formed.
            self.goto(then);
            self.begin(then);
            return;
        }
        if let (Pat::Ident(ident), None, None) = (pat_of(&local.pat), diverge, self.callees.of(&init))
            && ident.subpat.is_none()
            && ident.by_ref.is_none()
            && is_control_flow(&init)
        {
            let ty = match &local.pat {
                Pat::Type(typed) => Some((*typed.ty).clone()),
                _ => None,
            };
            self.push(Op::Declare(ident.ident.clone(), ty));
            return self.expr(init, &Dest::Into(ident.ident.clone()));
        }
        let init = self.flat(init);
        if let Some(place) = &mut local.init {
            *place.expr = init;
        }
        self.whole(Stmt::Local(local));
    }

    /// An expression whose value goes to `dest`.
    pub(super) fn expr(&mut self, expr: Expr, dest: &Dest) {
        if !self.is_split(&expr) {
            return self.finish(expr, dest);
        }
        match expr {
            expr if self.is_last_call(&expr, dest) => self.last_call(expr),
            Expr::Paren(paren) => self.expr(*paren.expr, dest),
            Expr::Group(group) => self.expr(*group.expr, dest),
            Expr::If(branch) => self.branch(branch, dest),
            Expr::Match(choice) => self.choice(choice, dest),
            Expr::Block(ExprBlock { label: None, block, .. }) => self.stmts(block.stmts, dest),
            Expr::Block(ExprBlock { label: Some(label), block, .. }) => {
                let after = self.new_block();
                self.loops.push(Loop { label: Some(label.name), next: after, after, result: dest.clone() });
                self.stmts(block.stmts, dest);
                self.goto(after);
                self.loops.pop();
                self.begin(after);
            }
            Expr::Unsafe(inside) => {
                let (first, after) = (self.new_block(), self.new_block());
                self.goto(first);
                let outside = std::mem::replace(&mut self.is_unsafe, true);
                self.begin(first);
                self.stmts(inside.block.stmts, dest);
                self.goto(after);
                self.is_unsafe = outside;
                self.begin(after);
            }
            Expr::Loop(ExprLoop { label, body, .. }) => {
                let (next, after) = (self.new_block(), self.new_block());
                self.goto(next);
                self.loops.push(Loop { label: label.map(|label| label.name), next, after, result: dest.clone() });
                self.begin(next);
                self.stmts(body.stmts, &Dest::Ignore);
                self.goto(next);
                self.loops.pop();
                self.begin(after);
            }
            Expr::While(ExprWhile { label, cond, body, .. }) => {
                let (next, inside, after) = (self.new_block(), self.new_block(), self.new_block());
                self.goto(next);
                self.loops.push(Loop { label: label.map(|label| label.name), next, after, result: Dest::Ignore });
                self.begin(next);
                self.test(*cond, inside, after);
                self.begin(inside);
                self.stmts(body.stmts, &Dest::Ignore);
                self.goto(next);
                self.loops.pop();
                self.begin(after);
                self.finish(parse_quote!(()), dest);
            }
            Expr::ForLoop(repeat) => self.for_loop(repeat, dest),
            Expr::Binary(binary) if is_logical(&binary.op) => {
                let (right, short, after) = (self.new_block(), self.new_block(), self.new_block());
                let is_or = matches!(binary.op, BinOp::Or(_));
                let (yes, no) = if is_or { (short, right) } else { (right, short) };
                self.test(*binary.left, yes, no);
                self.begin(short);
                self.finish(parse_quote!(#is_or), dest);
                self.goto(after);
                self.begin(right);
                self.expr(*binary.right, dest);
                self.goto(after);
                self.begin(after);
            }
            Expr::Return(give) => match give.expr {
                Some(value) => self.expr(*value, &Dest::Return),
                None => self.finish(parse_quote!(()), &Dest::Return),
            },
            Expr::Break(ExprBreak { label, expr: Some(value), .. }) if self.target(label.as_ref()).is_some() => {
                let target = self.target(label.as_ref()).map(|target| (target.result.clone(), target.after));
                let Some((result, after)) = target else { return };
                self.expr(*value, &result);
                self.goto(after);
                let never = self.new_block();
                self.begin(never);
            }
            expr => {
                let expr = self.flat(expr);
                self.finish(expr, dest);
            }
        }
    }

    fn target(&self, label: Option<&Lifetime>) -> Option<&Loop> {
        find_loop(&self.loops, label)
    }

    fn branch(&mut self, branch: ExprIf, dest: &Dest) {
        let (then, other, after) = (self.new_block(), self.new_block(), self.new_block());
        self.test(*branch.cond, then, other);
        self.begin(then);
        self.stmts(branch.then_branch.stmts, dest);
        self.goto(after);
        self.begin(other);
        match branch.else_branch {
            Some((_, otherwise)) => self.expr(*otherwise, dest),
            None => self.finish(parse_quote!(()), dest),
        }
        self.goto(after);
        self.begin(after);
    }

    /// `match`: what is matched is decided in one block, which jumps to that of the arm.
    fn choice(&mut self, choice: ExprMatch, dest: &Dest) {
        let scrutinee = self.flat(*choice.expr);
        let scrutinee = self.steady(scrutinee);
        let after = self.new_block();
        let targets: Vec<BlockId> = choice.arms.iter().map(|_| self.new_block()).collect();
        let arms = choice.arms.iter().zip(&targets).map(|(arm, to)| {
            let (attrs, pat, jump) = (&arm.attrs, &arm.pat, goto(*to));
            let arm: Arm = parse_quote!(#(#attrs)* #pat => #jump,);
            arm
        });
        let test: Expr = parse_quote!(match #scrutinee { #(#arms)* });
        self.whole(Stmt::Expr(test, Some(Default::default())));
        for (arm, to) in choice.arms.into_iter().zip(targets) {
            self.begin(to);
            self.expr(*arm.body, dest);
            self.goto(after);
        }
        self.begin(after);
    }

    fn for_loop(&mut self, repeat: ExprForLoop, dest: &Dest) {
        let ExprForLoop { label, pat, expr, body, for_token, .. } = repeat;
        let private = self.private;
        let (next, inside, after) = (self.new_block(), self.new_block(), self.new_block());
        let iterated = self.flat(*expr);
        let iter = self.fresh(for_token.span);
        if let Some(local) = self.renamer.locals.last_mut() {
            local.is_mut = true;
        }
        let iterated = self.steady(iterated);
        self.whole(parse_quote!(let mut #iter = #private::std::iter::IntoIterator::into_iter(#iterated);));
        self.goto(next);
        self.loops.push(Loop { label: label.map(|label| label.name), next, after, result: Dest::Ignore });
        self.begin(next);
        let some = quote!(#private::std::option::Option::Some);
        let test: Expr = parse_quote!(let #some(#pat) = #private::std::iter::Iterator::next(&mut #iter));
        self.test(test, inside, after);
        self.begin(inside);
        self.stmts(body.stmts, &Dest::Ignore);
        self.goto(next);
        self.loops.pop();
        self.begin(after);
        self.finish(parse_quote!(()), dest);
    }

    /// A condition: goes on with `then` or `other`.
    fn test(&mut self, cond: Expr, then: BlockId, other: BlockId) {
        match cond {
            Expr::Paren(paren) => self.test(*paren.expr, then, other),
            Expr::Binary(binary)
                if is_logical(&binary.op)
                    && (has_unsteady_let(&binary.right) || self.is_split(&Expr::Binary(binary.clone()))) =>
            {
                let middle = self.new_block();
                match binary.op {
                    BinOp::And(_) => self.test(*binary.left, middle, other),
                    _ => self.test(*binary.left, then, middle),
                }
                self.begin(middle);
                self.test(*binary.right, then, other);
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) && self.is_split(&unary.expr) => {
                self.test(*unary.expr, other, then);
            }
            Expr::Let(mut test) if is_unsteady(&test.expr) => {
                *test.expr = self.steady(*test.expr);
                self.test(Expr::Let(test), then, other);
            }
            Expr::Let(mut test) if self.is_split(&test.expr) => {
                *test.expr = self.flat(*test.expr);
                self.test(Expr::Let(test), then, other);
            }
            cond if self.is_split(&cond) => {
                let flat = self.flat(cond);
                self.test(flat, then, other);
            }
            Expr::Lit(lit) if matches!(&lit.lit, syn::Lit::Bool(value) if value.value) => self.goto(then),
            cond => {
                let (yes, no) = (goto(then), goto(other));
                let mut test: ExprIf = parse_quote!(if #cond { #yes } else { #no });
                crate::rep_ok::lift::allow_chains(&mut test.if_token.span);
                self.whole(Stmt::Expr(Expr::If(test), Some(Default::default())));
            }
        }
    }
}

/// Whether nothing comes after the expression.
fn diverges(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(mac) => is_panic(&mac.mac),
        _ => false,
    }
}

fn is_panic(mac: &syn::Macro) -> bool {
    let names = ["panic", "todo", "unimplemented", "unreachable"];
    mac.path.segments.last().is_some_and(|last| names.iter().any(|name| last.ident == name))
}

fn pat_of(pat: &Pat) -> &Pat {
    match pat {
        Pat::Type(typed) => &typed.pat,
        pat => pat,
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

/// `&|x| ..` of type `&dyn Fn(&Node) -> bool` gets the types of its parameters, which its own statement would not give it.
fn type_closure(expr: &mut Expr, ty: &Type) {
    let (Expr::Reference(reference), Type::Reference(ty)) = (expr, ty) else { return };
    let (Expr::Closure(closure), Type::TraitObject(object)) = (&mut *reference.expr, &*ty.elem) else { return };
    let inputs = object.bounds.iter().find_map(|bound| match bound {
        syn::TypeParamBound::Trait(bound) => match &bound.path.segments.last()?.arguments {
            syn::PathArguments::Parenthesized(arguments) => Some(&arguments.inputs),
            _ => None,
        },
        _ => None,
    });
    for (input, ty) in closure.inputs.iter_mut().zip(inputs.into_iter().flatten()) {
        if !matches!(input, Pat::Type(_)) {
            let pat = &*input;
            *input = Pat::Type(parse_quote!(#pat: #ty));
        }
    }
}
