//! Determines the locals that live across blocks, which activation records keep. All other locals stay local to their block.

mod escapes;

use std::collections::{HashMap, HashSet};

use quote::ToTokens;
use syn::{Expr, ExprBinary, ExprClosure, ExprPath, Ident, Macro, PatIdent, Stmt, parse_quote};

use super::arguments;
use super::ir::{Block, MethodId, Op, Program, Terminator};
use super::words::words;
use crate::rep_ok::lift::BoundNames;
use crate::walk::visit::{self, Visit};

/// The kept locals of each method.
#[derive(Default)]
pub(crate) struct Hoisted {
    names: Vec<Vec<Ident>>,
    sets: Vec<HashSet<String>>,
}

impl Hoisted {
    /// Returns the kept locals of a method, in the order of their declaration.
    pub(super) fn of(&self, method: MethodId) -> &[Ident] {
        self.names.get(method.0).map_or(&[], Vec::as_slice)
    }

    pub(super) fn contains(&self, method: MethodId, name: &Ident) -> bool {
        self.sets.get(method.0).is_some_and(|set| set.contains(&name.to_string()))
    }
}

pub(super) fn hoist(program: &Program) -> Hoisted {
    let mut hoisted = Hoisted::default();
    for (number, method) in program.numbered() {
        let blocks = || program.blocks.iter().enumerate().filter(|(_, block)| block.method == number);
        // A local bound in a closure does not outlive the call of the closure.
        let mut in_closures = InClosures::default();
        for (_, block) in blocks() {
            statements_of(block).iter().for_each(|stmt| in_closures.visit_stmt(stmt));
            match &block.end {
                Terminator::Call { args, .. } => args.iter().for_each(|arg| in_closures.visit_expr(&arg.syntax)),
                Terminator::Return(value) => in_closures.visit_expr(&value.syntax),
                Terminator::Goto(_) | Terminator::Test { .. } | Terminator::Select { .. } | Terminator::Never => {}
            }
        }
        let locals = method.locals.iter().map(|local| local.name.to_string());
        let locals: HashSet<String> = locals.filter(|name| !in_closures.names.contains(name)).collect();
        let references: HashSet<String> =
            method.locals.iter().filter(|local| local.is_reference).map(|local| local.name.to_string()).collect();
        // Parameters are defined in the block of the caller.
        let mut kept: HashSet<String> = method.params.iter().map(|param| param.name.to_string()).collect();
        let mut first_block: HashMap<String, usize> = HashMap::new();
        let mut statements: Vec<Mentions> = Vec::new();
        let mut given: HashSet<String> = HashSet::new();
        for (id, block) in blocks() {
            for tokens in block.ops.iter().map(Op::tokens).chain([block.end.tokens()]) {
                for name in words(tokens) {
                    if locals.contains(&name) && *first_block.entry(name.clone()).or_insert(id) != id {
                        kept.insert(name);
                    }
                }
            }
            let found = statements_of(block);
            statements.extend(found.iter().map(|stmt| Mentions::of(stmt, &locals, &references)));
            for op in &block.ops {
                if let Op::Declare(name, _) = op {
                    kept.insert(name.to_string());
                }
            }
            if let Terminator::Call { args, .. } = &block.end {
                // The callee keeps its arguments.
                let args = args.iter().map(|arg| &arg.syntax);
                let call: Stmt = parse_quote!(__korat_given(#(#args),*););
                let mentions = Mentions::of(&call, &locals, &references);
                kept.extend(mentions.borrowed);
                given.extend(mentions.all);
            }
        }
        // Also keep every local from which a kept local, or an argument of a callee, may borrow.
        loop {
            let before = kept.len() + given.len();
            for statement in &statements {
                if statement.all.iter().any(|name| kept.contains(name) || given.contains(name)) {
                    kept.extend(statement.borrowed.iter().cloned());
                    given.extend(statement.moved.iter().cloned());
                }
            }
            if kept.len() + given.len() == before {
                break;
            }
        }
        let mut seen = HashSet::new();
        let in_order = method.locals.iter().map(|local| local.name.clone());
        let names = in_order.filter(|name| kept.contains(&name.to_string()) && seen.insert(name.to_string())).collect();
        hoisted.names.push(names);
        hoisted.sets.push(kept);
    }
    hoisted
}

/// Returns the user's code in a block as statements, without the arguments of a call and the value of a return.
fn statements_of(block: &Block) -> Vec<Stmt> {
    let mut found = Vec::new();
    for op in &block.ops {
        match op {
            Op::Run(code) => found.push(code.syntax.clone()),
            Op::Declare(..) | Op::Result { .. } => {}
        }
    }
    found.extend(match &block.end {
        Terminator::Goto(_) | Terminator::Call { .. } | Terminator::Return(_) | Terminator::Never => None,
        Terminator::Test { cond, .. } => {
            let cond = &cond.syntax;
            Some(parse_quote!(if #cond {}))
        }
        Terminator::Select { scrutinee, arms } => {
            let (scrutinee, pats) = (&scrutinee.syntax, arms.iter().map(|arm| &arm.pat));
            Some(parse_quote!(match #scrutinee { #(#pats => (),)* }))
        }
    });
    found
}

/// Collects the names that closures bind.
#[derive(Default)]
struct InClosures {
    names: Vec<String>,
    depth: usize,
}

impl Visit for InClosures {
    fn visit_expr_closure(&mut self, closure: &ExprClosure) {
        self.depth += 1;
        visit::visit_expr_closure(self, closure);
        self.depth -= 1;
    }

    fn visit_pat_ident(&mut self, pat: &PatIdent) {
        if self.depth > 0 {
            self.names.push(pat.ident.to_string());
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_macro(&mut self, mac: &Macro) {
        arguments::look(mac, &mut |arg| self.visit_expr(arg));
    }
}

/// The locals that a statement mentions, those it may borrow from, and those whose values it moves into another.
struct Mentions {
    all: Vec<String>,
    borrowed: Vec<String>,
    moved: Vec<String>,
}

impl Mentions {
    fn of(stmt: &Stmt, locals: &HashSet<String>, references: &HashSet<String>) -> Self {
        let is_local = |name: &String| locals.contains(name);
        let mut all = words(stmt.to_token_stream());
        all.retain(is_local);
        let mut finder = Borrows { names: Vec::new(), direct: Vec::new(), in_closure: Vec::new() };
        finder.visit_stmt(stmt);
        let mut borrowed = finder.names;
        borrowed.retain(|name| !references.contains(name));
        // `&x` refers to the local itself, even if the local is a reference.
        borrowed.extend(finder.direct);
        borrowed.retain(is_local);
        let inner = escapes::bound_inside(stmt);
        if !escapes::escape(stmt, &inner) {
            borrowed.retain(|name| !inner.contains(name));
        }
        let mut moved = Moved::default();
        if let Stmt::Local(local) = stmt
            && let Some(init) = &local.init
        {
            moved.visit_expr(&init.expr);
        }
        moved.0.retain(is_local);
        Mentions { all, borrowed, moved: moved.0 }
    }
}

/// Collects the names whose values may become part of an expression's value, or be borrowed by it: all but those that only operators or
/// closures use. One too many costs a record with one local more, one too few an error of rustc's.
#[derive(Default)]
struct Moved(Vec<String>);

impl Visit for Moved {
    fn visit_expr_path(&mut self, path: &ExprPath) {
        self.0.extend(path.path.get_ident().map(ToString::to_string));
    }
    fn visit_macro(&mut self, mac: &Macro) {
        arguments::look(mac, &mut |arg| self.visit_expr(arg));
    }
    fn visit_expr_binary(&mut self, _: &ExprBinary) {}
    fn visit_expr_closure(&mut self, _: &ExprClosure) {}
}

/// Finds the locals that are borrowed: by `&`, as receivers, through fields, and by closures.
struct Borrows {
    names: Vec<String>,
    /// The locals that directly follow a `&`.
    direct: Vec<String>,
    /// Parameters of the enclosing closures.
    in_closure: Vec<String>,
}

impl Borrows {
    fn borrow(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(ExprPath { qself: None, path, .. }) => {
                if let Some(name) = path.get_ident()
                    && !self.in_closure.contains(&name.to_string())
                {
                    self.names.push(name.to_string());
                }
            }
            Expr::Field(field) => self.borrow(&field.base),
            Expr::Index(index) => self.borrow(&index.expr),
            Expr::Paren(paren) => self.borrow(&paren.expr),
            Expr::Unary(unary) => self.borrow(&unary.expr),
            _ => {}
        }
    }
}

impl Visit for Borrows {
    fn visit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Reference(reference) => {
                self.borrow(&reference.expr);
                if let Expr::Path(path) = &*reference.expr
                    && let Some(name) = path.path.get_ident()
                    && !self.in_closure.contains(&name.to_string())
                {
                    self.direct.push(name.to_string());
                }
            }
            Expr::MethodCall(call) => self.borrow(&call.receiver),
            Expr::Field(_) | Expr::Index(_) => self.borrow(expr),
            Expr::Unary(unary) => self.borrow(&unary.expr),
            Expr::Match(choice) => self.borrow(&choice.expr),
            Expr::Let(test) => self.borrow(&test.expr),
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, mac: &Macro) {
        arguments::look(mac, &mut |arg| self.visit_expr(arg));
    }

    fn visit_expr_closure(&mut self, closure: &ExprClosure) {
        // The closure may hold a reference to every name in it, except those that it binds itself.
        let mut bound = BoundNames(Vec::new());
        bound.visit_expr_closure(closure);
        let mentioned = words(closure.body.to_token_stream()).into_iter();
        let outer = mentioned.filter(|name| !bound.0.contains(name) && !self.in_closure.contains(name));
        self.names.extend(outer);
        let outside = self.in_closure.len();
        self.in_closure.extend(bound.0);
        visit::visit_expr_closure(self, closure);
        self.in_closure.truncate(outside);
    }
}

#[cfg(test)]
mod tests;
