//! Lowers lifted methods to the blocks of one machine that can be re-entered at its choices, in the stages
//! `methods -> rename -> blocks -> flow -> liveness -> verify -> tokens`.
//!
//! A block is a sequence of the user's statements. At most one of them may make choices; it comes first, and its block
//! can be re-entered. Control flow around choices becomes jumps between blocks, and everything else stays as the user
//! wrote it. Calls of methods of the same `impl` become jumps with an activation record, so that recursion needs no
//! stack. Code that cannot be split without changing its meaning is kept whole, and replayed from its start.
//!
//! # Example
//!
//! A predicate over a list:
//!
//! ```text
//! fn rep_ok(&self) -> bool {
//!     let mut at = &self.head;
//!     while let Some(node) = at {
//!         if node.marked { return false; }
//!         at = &node.next;
//!     }
//!     true
//! }
//! ```
//!
//! Its blocks, as `Program` prints them. Each read of a field may be a choice, so the statements that read `head`, `marked`
//! and `next` begin blocks that can be re-entered. `step()` counts the steps of the predicate, to detect endless loops:
//!
//! ```text
//! rep_ok: begins at 0, keeps [this, at, node]
//!   0:
//!     step();
//!     goto 1
//!   1 (can be re-entered):
//!     let mut at = &this.head;
//!     goto 2
//!   2:
//!     if let Some(node) = at goto 3, else 6
//!   3:
//!     step();
//!     goto 4
//!   4 (can be re-entered):
//!     if node.marked { return false; }
//!     goto 5
//!   5 (can be re-entered):
//!     at = &node.next;
//!     goto 2
//!   6:
//!     return true
//! ```
//!
//! The machine, in essence. Labels 0 and 1 are its start and end, and block `n` has label `n + 2`. Blocks 3 and 6 have a single
//! predecessor and cannot be re-entered, so they are inlined. `this`, `at` and `node` live in the activation record `f`:
//!
//! ```text
//! match pc {
//!     0 => { let f = frames.enter(m, 1); f.this.give(root); pc = 2 }
//!     1 => break 'machine frames.returned(m),
//!     2 => { step(); m.at(3); pc = 3 }
//!     3 => { f.at.init(&read(f.this.head)); pc = 4 }
//!     4 => {
//!         if let Some(node) = f.at { f.node.set(node); step(); m.at(6); pc = 6 } else { break 'machine true }
//!     }
//!     6 => 'block: loop {
//!         if read(f.node.marked) { if m.again(6) { continue 'block } break 'machine false }
//!         m.at(7);
//!         pc = 7;
//!         continue 'machine
//!     }
//!     7 => { f.at.assign(&read(f.node.next)); pc = 4 }
//! }
//! ```
//!
//! `m.at(6)` makes block 4 the resume point of the choices that follow. Suppose that `node.marked` is such a choice and the
//! predicate rejects: the search undoes what has changed since then, selects the next value of the slot, and enters the machine
//! at label 6 instead of label 0. `m.again(6)` is a shortcut for the case that the next candidate resumes at the same block.

pub(super) mod arguments;
mod blocks;
mod choices;
mod early;
mod exits;
mod flow;
pub(super) mod format_captures;
mod hygiene;
mod ir;
mod liveness;
mod methods;
mod order;
mod patterns;
mod rename;
mod source;
mod tokens;
mod uses;
mod values;
mod verify;
mod words;

use proc_macro2::TokenStream;

use super::lift::Lifted;
use ir::Program;

/// A machine as tokens.
pub(crate) struct Written {
    /// The body of a function that creates the machine, and a probe for each type that has to be checked.
    pub(crate) body: TokenStream,
    /// Number of probes.
    pub(crate) probes: usize,
}

/// Returns the machine of a lifted block, whose entry point is `rep_ok`.
pub(crate) fn lower(lifted: &Lifted) -> Written {
    tokens::machine(&checked(lifted))
}

/// Returns the blocks of a lifted `impl` after verification. A failure is a bug in this module; the machine then has no
/// methods, and the predicate runs from the top.
fn checked(lifted: &Lifted) -> Program {
    let program = built(lifted);
    match verify::verify(&program) {
        Ok(()) => program,
        Err(fault) => blocks::split(lifted, methods::none(lifted, &fault)),
    }
}

fn built(lifted: &Lifted) -> Program {
    let mut program = blocks::split(lifted, methods::choose(lifted));
    flow::find(&mut program);
    program.hoisted = liveness::hoist(&program);
    program
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;

    use crate::rep_ok::{lift, parse};

    /// Returns a dump of the blocks of a predicate, followed by the code of its machine.
    fn lowered(block: TokenStream) -> String {
        let lifted = parse::parse(TokenStream::new(), block).and_then(lift::lift);
        let program = super::built(&lifted.unwrap_or_else(|error| panic!("{error}")));
        super::verify::verify(&program).unwrap_or_else(|fault| panic!("{fault}"));
        let machine = super::tokens::machine(&program).body;
        let file = syn::parse2(quote!(fn machine(&'static self) -> Machine { #machine })).expect("a machine parses");
        format!("{program}\n{}", prettyplease::unparse(&file).replace("::korat::__private::", "k::"))
    }

    #[test]
    fn a_work_list() {
        insta::assert_snapshot!(lowered(quote! {
            impl BinaryTree {
                fn rep_ok(&self) -> bool {
                    let Some(root) = &self.root else { return self.size == 0 };
                    let mut seen: HashSet<*const Node> = HashSet::new();
                    let mut work: Vec<&Node> = Vec::new();
                    seen.insert(&**root);
                    work.push(root);
                    while let Some(node) = work.pop() {
                        if let Some(left) = &node.left {
                            if !seen.insert(&**left) {
                                return false;
                            }
                            work.push(left);
                        }
                        if let Some(right) = &node.right {
                            if !seen.insert(&**right) {
                                return false;
                            }
                            work.push(right);
                        }
                    }
                    seen.len() == self.size
                }
            }
        }));
    }

    #[test]
    fn a_recursion_with_a_visited_set() {
        insta::assert_snapshot!(lowered(quote! {
            impl Tree {
                fn rep_ok(&self) -> bool {
                    let mut seen = HashSet::new();
                    Self::all_new(&self.root, &mut seen) && seen.len() == self.size
                }
                fn all_new(node: &Option<Box<Node>>, seen: &mut HashSet<*const Node>) -> bool {
                    let Some(node) = node else { return true };
                    if !seen.insert(&**node) {
                        return false;
                    }
                    Self::all_new(&node.left, seen) && Self::all_new(&node.right, seen)
                }
            }
        }));
    }

    #[test]
    fn bounds_and_question_marks() {
        insta::assert_snapshot!(lowered(quote! {
            impl SearchTree {
                fn rep_ok(&self) -> bool {
                    Self::ordered(&self.root, None, None) == Some(self.size)
                }
                fn ordered(node: &Option<Box<Node>>, lo: Option<usize>, hi: Option<usize>) -> Option<usize> {
                    let Some(n) = node else { return Some(0) };
                    if lo.is_some_and(|lo| n.key <= lo) || hi.is_some_and(|hi| n.key >= hi) {
                        return None;
                    }
                    let left = Self::ordered(&n.left, lo, Some(n.key))?;
                    let right = Self::ordered(&n.right, Some(n.key), hi)?;
                    Some(left + right + 1)
                }
            }
        }));
    }

    #[test]
    fn a_walk_in_an_unsafe_block() {
        insta::assert_snapshot!(lowered(quote! {
            impl Ring {
                fn rep_ok(&self) -> bool {
                    unsafe {
                        let mut at = self.first;
                        while !at.is_null() {
                            if (*at).marked {
                                return false;
                            }
                            at = (*at).next;
                        }
                    }
                    self.closed
                }
            }
        }));
    }

    #[test]
    fn loops_with_labels_and_values() {
        insta::assert_snapshot!(lowered(quote! {
            impl Grid {
                fn rep_ok(&self) -> bool {
                    let mut sum = 0;
                    'rows: for row in 0..3 {
                        for column in 0..3 {
                            match self.cells[row * 3 + column] {
                                0 => continue 'rows,
                                cell if cell > sum => sum += cell,
                                _ => return false,
                            }
                        }
                    }
                    let limit = loop {
                        if sum > self.limit {
                            break sum;
                        }
                        sum += self.step;
                    };
                    limit % 2 == 0
                }
            }
        }));
    }

    #[test]
    fn a_reference_into_a_container_of_its_own() {
        insta::assert_snapshot!(lowered(quote! {
            impl List {
                fn rep_ok(&self) -> bool {
                    let mut counts = vec![0; 3];
                    let mut at = &self.head;
                    while let Some(node) = at {
                        let count = &mut counts[node.kind];
                        if node.marked {
                            *count += 1;
                        }
                        at = &node.next;
                    }
                    counts.iter().all(|count| *count < 2)
                }
            }
        }));
    }
}
