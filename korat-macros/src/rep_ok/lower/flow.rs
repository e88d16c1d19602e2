//! Computes the reachable blocks, and those that can be inlined at the only jump to them.

use super::ir::{BlockId, Program};

/// Sets `reached` and `inlined` of the program.
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
        let block = program.block(id);
        for to in block.jumps() {
            jumps[to.0] += 1;
            todo.push(to);
        }
        if let Some(then) = block.returns_to() {
            called[then.0] = true;
            todo.push(then);
        }
    }
    let all = || (0..program.blocks.len()).map(BlockId);
    let stands_alone = |id: &BlockId| called[id.0] || jumps[id.0] != 1 || program.block(*id).source.is_some();
    let inlined = all().filter(|id| reached[id.0] && !stands_alone(id)).collect();
    let reached = all().filter(|id| reached[id.0]).collect();
    (program.reached, program.inlined) = (reached, inlined);
}
