//! Lowers lifted methods to the blocks of one machine: `rename -> blocks -> flow -> liveness -> tokens`.
//!
//! A block is a run of the user's statements, at most one of which may make choices; that one comes first, and its block can be
//! re-entered. Control flow around choices becomes jumps between blocks; everything else stays as the user wrote it. Calls of
//! methods of the same `impl` become jumps with an activation record, so that recursion needs no stack.

mod blocks;
mod choices;
mod flow;
mod hygiene;
mod jumps;
mod liveness;
mod methods;
mod order;
mod patterns;
mod rename;
mod source;
mod tokens;
mod uses;
mod values;
mod words;

use std::fmt;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, Ident, Item, Path, Stmt, Type};

use super::lift::Lifted;
pub(crate) use liveness::Hoisted;

/// The number of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BlockId(usize);

/// A method of the machine.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    name: String,
    params: Vec<Param>,
    output: Type,
    /// Where it begins.
    entry: BlockId,
    /// Its locals.
    locals: Vec<Local>,
}

#[derive(Clone, Debug)]
struct Param {
    name: Ident,
    ty: Type,
}

/// A local of a method, whose name no other local of the method has.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    name: Ident,
    /// Whether it is declared `mut`.
    is_mut: bool,
    /// Whether it is `&mut` of a container, which saves its own changes.
    is_mut_container: bool,
    /// Whether the way it was bound makes it a reference, so that borrowing through it does not borrow from it.
    is_reference: bool,
}

/// One step of a block.
#[derive(Clone)]
enum Op {
    /// A statement of the user's. Jumps in it are `__korat_goto!(n)`.
    Stmt(Stmt),
    /// `let name;` for a value that several blocks give.
    Declare(Ident, Option<Type>),
    /// Begins an activation of a method; the machine goes on with the block after its return. Without a block, the result is
    /// that of the running activation.
    Call { callee: usize, args: Vec<Expr>, then: Option<BlockId> },
    /// `let name = ..` the result of the method that has returned.
    Result { callee: usize, name: Ident },
    /// Goes on with another block.
    Goto(BlockId),
    /// Ends the activation.
    Return(Expr),
}

/// A run of steps, the last of which always jumps.
#[derive(Clone)]
struct Block {
    method: usize,
    ops: Vec<Op>,
    /// What of the user's source the choices of this block re-enter.
    source: Option<Source>,
    /// Whether the block may run more than once in one activation.
    in_loop: bool,
    /// Whether the user wrote its steps in an `unsafe` block.
    is_unsafe: bool,
}

/// A statement that can be re-entered.
#[derive(Clone)]
struct Source {
    line: usize,
    text: String,
    replayed: &'static str,
}

/// The machine of one `impl`.
pub(crate) struct Program {
    methods: Vec<Method>,
    blocks: Vec<Block>,
    /// Types, constants and functions that bodies declare.
    items: Vec<Item>,
    hoisted: Hoisted,
    /// The blocks that the machine can get to.
    reached: Vec<BlockId>,
    /// Those among them that it gets to in one way only, and that are not re-entered.
    inlined: Vec<BlockId>,
    /// Methods that are not part of it, and why.
    left_out: Vec<(String, &'static str)>,
    private: Path,
}

/// The machine of a lifted block whose `rep_ok` is its entry.
pub(crate) fn lower(lifted: &Lifted) -> Program {
    let mut program = blocks::split(lifted);
    flow::find(&mut program);
    program.hoisted = liveness::hoist(&program);
    program
}

impl Program {
    /// Whether the machine itself calls a method.
    fn is_called(&self, name: &str) -> bool {
        let calls = self.blocks.iter().flat_map(|block| &block.ops);
        calls
            .filter_map(|op| if let Op::Call { callee, .. } = op { Some(*callee) } else { None })
            .any(|callee| self.methods[callee].name == name)
    }

    /// The body of `fn machine(view: &'static View) -> Machine`.
    pub(crate) fn to_tokens(&self) -> TokenStream {
        tokens::machine(self)
    }
}

/// The blocks as people read them.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, method) in self.methods.iter().enumerate() {
            let locals: Vec<String> = self.hoisted.of(number).map(ToString::to_string).collect();
            writeln!(f, "{}: begins at {}, keeps [{}]", method.name, method.entry.0, locals.join(", "))?;
            for BlockId(id) in self.reached.iter().copied().filter(|id| self.blocks[id.0].method == number) {
                let block = &self.blocks[id];
                writeln!(f, "  {id}{}", if block.source.is_some() { " (can be re-entered):" } else { ":" })?;
                for op in &block.ops {
                    match op {
                        Op::Stmt(stmt) => writeln!(f, "    {}", shown(stmt))?,
                        Op::Declare(name, _) => writeln!(f, "    let {name};")?,
                        Op::Call { callee, args, then } => {
                            let args: Vec<String> = args.iter().map(shown).collect();
                            let name = &self.methods[*callee].name;
                            match then {
                                Some(then) => writeln!(f, "    call {name}({}), then {}", args.join(", "), then.0)?,
                                None => writeln!(f, "    return {name}({})", args.join(", "))?,
                            }
                        }
                        Op::Result { callee, name } => {
                            writeln!(f, "    let {name} = result of {};", self.methods[*callee].name)?;
                        }
                        Op::Goto(to) => writeln!(f, "    goto {}", to.0)?,
                        Op::Return(value) => writeln!(f, "    return {}", shown(value))?,
                    }
                }
            }
        }
        Ok(())
    }
}

/// Tokens on one line.
fn one_line(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same, nearly as the user wrote it: without the reads and the paths that lifting has put in.
fn shown(tokens: &impl ToTokens) -> String {
    let text = one_line(tokens);
    let text = text.replace(":: korat :: __private :: twin :: ", "").replace(":: korat :: __private :: ", "");
    let text = text.replace("__korat_goto ! ", "goto ").replace("usize)", ")");
    let mut plain = String::new();
    let mut rest = text.as_str();
    // `(* (& x . f) . __korat_read ())` was `x . f`.
    while let Some(end) = rest.find(") . __korat_read ())") {
        let Some(start) = rest[..end].rfind("(* (& ") else { break };
        plain.push_str(&rest[..start]);
        plain.push_str(&rest[start + "(* (& ".len()..end]);
        rest = &rest[end + ") . __korat_read ())".len()..];
    }
    plain.push_str(rest);
    for (spaced, tight) in
        [(" . ", "."), (" (", "("), (" ;", ";"), (" ,", ","), ("& ", "&"), ("* ", "*"), ("! ", "!"), (" :: ", "::")]
    {
        plain = plain.replace(spaced, tight);
    }
    plain
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;

    use crate::rep_ok::{lift, parse};

    /// The blocks of a predicate, and the machine they become.
    fn lowered(block: TokenStream) -> String {
        let lifted = parse::parse(TokenStream::new(), block).and_then(lift::lift);
        let program = super::lower(&lifted.unwrap_or_else(|error| panic!("{error}")));
        let machine = program.to_tokens();
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
