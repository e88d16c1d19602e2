//! Lowers lifted methods to the blocks of one machine: `methods -> rename -> blocks -> flow -> liveness -> verify -> tokens`.
//!
//! A block is a run of the user's statements, at most one of which may make choices; that one comes first, and its block can be
//! re-entered. Control flow around choices becomes jumps between blocks; everything else stays as the user wrote it. Calls of
//! methods of the same `impl` become jumps with an activation record, so that recursion needs no stack. What cannot be taken apart
//! without changing what it means is left whole, and run again from its start.

mod arguments;
mod blocks;
mod choices;
mod exits;
mod flow;
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
    /// The body of a function that makes the machine, and a probe of each type that is asked about it.
    pub(crate) body: TokenStream,
    /// How many probes.
    pub(crate) probes: usize,
}

/// The machine of a lifted block whose `rep_ok` is its entry.
pub(crate) fn lower(lifted: &Lifted) -> Written {
    tokens::machine(&checked(lifted))
}

/// The blocks of a lifted block. Where they do not pass the check, that is a bug here; the machine has no methods then, and the predicate is run from the top.
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

    /// The blocks of a predicate, and the machine they become.
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
