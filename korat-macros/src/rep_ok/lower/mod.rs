//! Lowers lifted methods to the blocks of one machine: `rename -> blocks -> liveness -> tokens`.
//!
//! A block is a run of the user's statements, at most one of which may make choices; that one comes first, and its block can be
//! re-entered. Control flow around choices becomes jumps between blocks; everything else stays as the user wrote it. Calls of
//! methods of the same `impl` become jumps with an activation record, so that recursion needs no stack.

mod blocks;
mod choices;
mod liveness;
mod rename;
mod source;
mod tokens;

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
    /// Methods that are not part of it, and why.
    left_out: Vec<(String, &'static str)>,
    private: Path,
}

/// The machine of a lifted block whose `rep_ok` is its entry.
pub(crate) fn lower(lifted: &Lifted) -> Program {
    let mut program = blocks::split(lifted);
    program.hoisted = liveness::hoist(&program);
    program
}

impl Program {
    /// Whether the machine itself calls a method.
    fn is_called(&self, name: &str) -> bool {
        let calls = self.blocks.iter().flat_map(|block| &block.ops);
        calls.filter_map(|op| if let Op::Call { callee, .. } = op { Some(*callee) } else { None })
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
            for (id, block) in self.blocks.iter().enumerate().filter(|(_, block)| block.method == number) {
                writeln!(f, "  {id}{}", if block.source.is_some() { " (can be re-entered):" } else { ":" })?;
                for op in &block.ops {
                    match op {
                        Op::Stmt(stmt) => writeln!(f, "    {}", one_line(stmt))?,
                        Op::Declare(name, _) => writeln!(f, "    let {name};")?,
                        Op::Call { callee, args, then } => {
                            let args: Vec<String> = args.iter().map(one_line).collect();
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
                        Op::Return(value) => writeln!(f, "    return {}", one_line(value))?,
                    }
                }
            }
        }
        Ok(())
    }
}

/// Tokens on one line, without the reads that lifting has put in.
fn one_line(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
