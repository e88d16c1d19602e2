//! Which blocks lead to which. Takes the blocks, gives those that the machine can get to, and those that can stand where the
//! one jump to them is.

use syn::Macro;
use syn::visit::Visit;

use super::jumps::jump_target;
use super::{Block, BlockId, Op, Program};

/// Notes the blocks that are reached, and those that are inlined.
pub(super) fn find(program: &mut Program) {
    let mut jumps = vec![0usize; program.blocks.len()];
    let mut reached = vec![false; program.blocks.len()];
    let mut called = vec![false; program.blocks.len()];
    let mut todo: Vec<BlockId> = program.methods.iter().map(|method| method.entry).collect();
    todo.iter().for_each(|entry| called[entry.0] = true);
    while let Some(id) = todo.pop() {
        if std::mem::replace(&mut reached[id.0], true) {
            continue;
        }
        let targets = Targets::of(&program.blocks[id.0]);
        for to in &targets.jumps {
            jumps[to.0] += 1;
        }
        for to in &targets.returns {
            called[to.0] = true;
        }
        todo.extend(targets.jumps);
        todo.extend(targets.returns);
    }
    let all = || (0..program.blocks.len()).map(BlockId);
    let stands_alone = |id: &BlockId| called[id.0] || jumps[id.0] != 1 || program.blocks[id.0].source.is_some();
    let inlined = all().filter(|id| reached[id.0] && !stands_alone(id)).collect();
    let reached = all().filter(|id| reached[id.0]).collect();
    (program.reached, program.inlined) = (reached, inlined);
}

/// Where a block leads.
#[derive(Default)]
struct Targets {
    /// By jumps.
    jumps: Vec<BlockId>,
    /// By the return of what it calls.
    returns: Vec<BlockId>,
}

impl Targets {
    fn of(block: &Block) -> Self {
        let mut targets = Targets::default();
        for op in &block.ops {
            match op {
                Op::Stmt(stmt) => targets.visit_stmt(stmt),
                Op::Call { args, then, .. } => {
                    args.iter().for_each(|arg| targets.visit_expr(arg));
                    targets.returns.extend(*then);
                }
                Op::Return(value) => targets.visit_expr(value),
                Op::Goto(to) => targets.jumps.push(*to),
                Op::Declare(..) | Op::Result { .. } => {}
            }
            // Nothing comes after a jump.
            if matches!(op, Op::Goto(_) | Op::Return(_) | Op::Call { .. }) {
                break;
            }
        }
        targets
    }
}

impl<'ast> Visit<'ast> for Targets {
    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.jumps.extend(jump_target(mac));
    }
}
