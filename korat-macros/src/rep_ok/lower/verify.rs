//! Verifies the blocks and returns the first fault. Every block is reachable and has valid targets, every local is defined
//! before it is used, every local that lives across blocks is kept, and the evaluation order is that of the source.

use std::collections::HashSet;

use syn::Stmt;

use super::arguments;
use super::ir::{Block, BlockId, Method, MethodId, Op, Program, Terminator};
use super::order::Atoms;
use crate::walk::visit::{self, Visit};

/// Names of locals.
type Names = HashSet<String>;

pub(super) fn verify(program: &Program) -> Result<(), String> {
    for (number, method) in program.numbered() {
        let checker = Checker { program, number, method };
        checker.jumps()?;
        checker.order()?;
        checker.definitions()?;
    }
    Ok(())
}

struct Checker<'p> {
    program: &'p Program,
    number: MethodId,
    method: &'p Method,
}

impl Checker<'_> {
    fn blocks(&self) -> impl Iterator<Item = (BlockId, &Block)> {
        let blocks = self.program.blocks.iter().enumerate().map(|(id, block)| (BlockId(id), block));
        blocks.filter(|(_, block)| block.method == self.number)
    }

    fn fault<T>(&self, id: BlockId, what: &str) -> Result<T, String> {
        Err(format!("`{}`, block {}: {what}", self.method.name, id.0))
    }

    /// Checks that jumps stay within the method, and that each reached block is the entry or the target of a jump.
    fn jumps(&self) -> Result<(), String> {
        let mut led_to = vec![self.method.entry];
        for (id, block) in self.blocks() {
            for to in block.jumps().into_iter().chain(block.returns_to()) {
                match self.program.blocks.get(to.0) {
                    Some(target) if target.method == self.number => {}
                    _ => return self.fault(id, &format!("it leads to {}, which is no block of the method", to.0)),
                }
                led_to.push(to);
            }
            if let Terminator::Call { callee, args, .. } = &block.end
                && self.program.methods.get(callee.0).is_none_or(|callee| callee.params.len() != args.len())
            {
                return self.fault(id, "it calls a method with other parameters");
            }
        }
        let is_lost = |id: &BlockId| self.program.block(*id).method == self.number && !led_to.contains(id);
        match self.program.reached.iter().find(|id| is_lost(id)) {
            Some(id) => self.fault(*id, "nothing leads to it"),
            None => Ok(()),
        }
    }

    /// Checks that the blocks, in sequence, make the same reads and calls as the source, in the same order.
    fn order(&self) -> Result<(), String> {
        let mut atoms = Atoms::default();
        for (_, block) in self.blocks() {
            for op in &block.ops {
                match op {
                    Op::Run(code) => atoms.visit_stmt(&code.syntax),
                    Op::Declare(..) | Op::Result { .. } => {}
                }
            }
            match &block.end {
                Terminator::Goto(_) | Terminator::Never => {}
                Terminator::Test { cond, .. } => atoms.visit_expr(&cond.syntax),
                Terminator::Select { scrutinee, arms } => {
                    atoms.visit_expr(&scrutinee.syntax);
                    arms.iter().for_each(|arm| atoms.visit_pat(&arm.pat));
                }
                Terminator::Call { callee, args, .. } => {
                    args.iter().for_each(|arg| atoms.visit_expr(&arg.syntax));
                    let name = &self.program.method(*callee).name;
                    atoms.called(name.rsplit('.').next().unwrap_or(name));
                }
                Terminator::Return(value) => atoms.visit_expr(&value.syntax),
            }
        }
        let (source, blocks) = (&self.method.atoms, &atoms.0);
        match (0..source.len().max(blocks.len())).find(|at| source.get(*at) != blocks.get(*at)) {
            Some(at) => Err(format!(
                "`{}`: evaluation {at} of the source is {:?}, that of the machine {:?}",
                self.method.name,
                source.get(at),
                blocks.get(at)
            )),
            None => Ok(()),
        }
    }

    /// Checks that every local is defined on all paths to its uses, and that it is kept if that was in another block.
    fn definitions(&self) -> Result<(), String> {
        let locals: Names = self.method.locals.iter().map(|local| local.name.to_string()).collect();
        let params: Names = self.method.params.iter().map(|param| param.name.to_string()).collect();
        let mut at_start: Vec<Option<Names>> = vec![None; self.program.blocks.len()];
        at_start[self.method.entry.0] = Some(params);
        let mut todo = vec![self.method.entry];
        while let Some(id) = todo.pop() {
            let Some(names) = &at_start[id.0] else { continue };
            for (to, names) in self.follow(id, &locals, names).leads_to {
                let before = &mut at_start[to.0];
                let after = match before {
                    Some(known) => known.intersection(&names).cloned().collect(),
                    None => names,
                };
                if before.as_ref() != Some(&after) {
                    *before = Some(after);
                    todo.push(to);
                }
            }
        }
        for (id, _) in self.blocks() {
            let Some(names) = &at_start[id.0] else { continue };
            if let Some(name) = self.follow(id, &locals, names).faults.first() {
                return self.fault(id, &format!("`{name}` is used before it is defined, or is not kept"));
            }
        }
        Ok(())
    }

    /// Processes a block with the names that are defined at its start.
    fn follow(&self, id: BlockId, locals: &Names, start: &Names) -> Followed {
        let block = self.program.block(id);
        let mut defined = start.clone();
        let mut here = Names::new();
        let mut faults = Vec::new();
        let mut leads_to = Vec::new();
        let is_kept = |name: &str| self.program.hoisted.of(self.number).iter().any(|kept| kept == name);
        let mut used = |names: Vec<String>, bound: &Names, defined: &Names, here: &Names| {
            for name in names {
                let is_own = bound.contains(&name) || here.contains(&name);
                if locals.contains(&name) && !is_own && !(defined.contains(&name) && is_kept(&name)) {
                    faults.push(name);
                }
            }
        };
        for op in &block.ops {
            match op {
                Op::Run(code) => {
                    let bound = bound_in(|names| names.visit_stmt(&code.syntax));
                    used(names_in(|names| names.visit_stmt(&code.syntax)), &bound, &defined, &here);
                    leads_to.extend(code.exits.iter().map(|exit| (exit.to, defined.clone())));
                    if let Stmt::Local(local) = &code.syntax {
                        let bound = bound_in(|names| names.visit_pat(&local.pat));
                        here.extend(bound.iter().cloned());
                        defined.extend(bound);
                    }
                }
                Op::Declare(name, _) | Op::Result { name, .. } => {
                    here.insert(name.to_string());
                    defined.insert(name.to_string());
                }
            }
        }
        let exits = block.jumps().into_iter().chain(block.returns_to());
        let bound = bound_in(|names| visit_end(names, &block.end));
        used(names_in(|names| visit_end(names, &block.end)), &bound, &defined, &here);
        let with = |names: &Names| defined.union(names).cloned().collect::<Names>();
        let mut special: Vec<(BlockId, Names)> = Vec::new();
        match &block.end {
            Terminator::Test { cond, then, .. } => {
                special.push((*then, with(&bound_in(|names| names.visit_expr(&cond.syntax)))));
            }
            Terminator::Select { arms, .. } => {
                for arm in arms {
                    special.push((arm.to, with(&bound_in(|names| names.visit_pat(&arm.pat)))));
                }
            }
            Terminator::Goto(_) | Terminator::Call { .. } | Terminator::Return(_) | Terminator::Never => {}
        }
        for to in exits {
            let names = special.iter().rfind(|(other, _)| *other == to).map_or(&defined, |(_, names)| names);
            leads_to.push((to, names.clone()));
        }
        Followed { faults, leads_to }
    }
}

/// Visits the user's code at the end of a block.
fn visit_end(visitor: &mut dyn Visit, end: &Terminator) {
    match end {
        Terminator::Goto(_) | Terminator::Never => {}
        Terminator::Test { cond, .. } => visitor.visit_expr(&cond.syntax),
        Terminator::Select { scrutinee, arms } => {
            visitor.visit_expr(&scrutinee.syntax);
            arms.iter().for_each(|arm| visitor.visit_pat(&arm.pat));
        }
        Terminator::Call { args, .. } => args.iter().for_each(|arg| visitor.visit_expr(&arg.syntax)),
        Terminator::Return(value) => visitor.visit_expr(&value.syntax),
    }
}

/// The result of processing a block.
struct Followed {
    /// Names that are used, but not defined or not kept.
    faults: Vec<String>,
    /// The names defined at the start of each successor.
    leads_to: Vec<(BlockId, Names)>,
}

/// The names that some syntax binds itself, and those that it uses.
#[derive(Default)]
struct Scopes {
    bound: Names,
    used: Vec<String>,
}

impl Visit for Scopes {
    fn visit_pat_ident(&mut self, pat: &syn::PatIdent) {
        self.bound.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
    fn visit_expr_path(&mut self, path: &syn::ExprPath) {
        self.used.extend(path.path.get_ident().map(ToString::to_string));
    }
    fn visit_macro(&mut self, mac: &syn::Macro) {
        arguments::look(mac, &mut |arg| {
            let mut inside = Scopes::default();
            inside.visit_expr(arg);
            self.bound.extend(inside.bound);
            self.used.extend(inside.used);
        });
    }
    fn visit_item(&mut self, _: &syn::Item) {}
}

fn bound_in(visit: impl FnOnce(&mut Scopes)) -> Names {
    let mut scopes = Scopes::default();
    visit(&mut scopes);
    scopes.bound
}

fn names_in(visit: impl FnOnce(&mut Scopes)) -> Vec<String> {
    let mut scopes = Scopes::default();
    visit(&mut scopes);
    scopes.used
}
