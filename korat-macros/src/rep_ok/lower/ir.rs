//! Intermediate representation of the machine: methods, blocks, their steps and how they end. It contains the user's
//! syntax as `Code`, which also lists where the syntax leaves its block.

use std::fmt;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, Ident, Item, Lifetime, Pat, Path, Stmt, Type};

use super::liveness::Hoisted;
use super::source::shown;

/// Index of a block in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BlockId(pub(super) usize);

/// Index of a method in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct MethodId(pub(super) usize);

/// A method of the machine.
#[derive(Clone)]
pub(crate) struct Method {
    pub(super) name: String,
    pub(super) params: Vec<Param>,
    pub(super) output: Type,
    /// The first block.
    pub(super) entry: BlockId,
    pub(super) locals: Vec<Local>,
    /// Names in patterns that were renamed as locals. If one of them is in fact a constant, the renamed pattern would
    /// mean something else, so generated code makes rustc reject it.
    pub(super) bindings: Vec<Ident>,
    /// The reads and calls of the source in evaluation order, for `verify`.
    pub(super) atoms: Vec<String>,
}

#[derive(Clone)]
pub(super) struct Param {
    pub(super) name: Ident,
    pub(super) ty: Type,
}

/// A local of a method. Its name is unique in the method.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(super) name: Ident,
    /// Whether it is declared `mut`.
    pub(super) is_mut: bool,
    /// Whether it is a `&mut` to a container, which logs its own changes.
    pub(super) is_mut_container: bool,
    /// Whether its binding makes it a reference, so that borrowing through it does not borrow from it.
    pub(super) is_reference: bool,
    /// Whether it may be or contain a closure.
    pub(super) holds_closure: bool,
}

/// Syntax of the user, with the names of the machine's locals, and the exits by which it leaves its block early.
#[derive(Clone)]
pub(super) struct Code<T> {
    pub(super) syntax: T,
    pub(super) exits: Vec<Exit>,
}

/// A `break` or `continue` of a loop that was split. Labels are unique in a method.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Exit {
    pub(super) leave: Leave,
    pub(super) label: Lifetime,
    pub(super) to: BlockId,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leave {
    Break,
    Continue,
}

/// One step of a block.
#[derive(Clone)]
pub(super) enum Op {
    /// Runs a statement of the user.
    Run(Code<Stmt>),
    /// Declares a local whose value is assigned in several blocks: `let name;`.
    Declare(Ident, Option<Type>),
    /// Binds the result of the method that has just returned.
    Result { callee: MethodId, name: Ident },
}

/// How a block ends.
#[derive(Clone)]
pub(super) enum Terminator {
    /// Continues with another block.
    Goto(BlockId),
    /// Continues with one of two blocks; the bindings of the condition are defined in `then`.
    Test { cond: Code<Expr>, then: BlockId, other: BlockId },
    /// Continues with the block of the matching arm, in which the bindings of its pattern are defined.
    Select { scrutinee: Code<Expr>, arms: Vec<Choice> },
    /// Calls a method, and continues with the block `then` after its return. Without `then` it is a tail call: the
    /// result becomes that of the running activation.
    Call { callee: MethodId, args: Vec<Code<Expr>>, then: Option<BlockId> },
    /// Ends the activation with a result.
    Return(Code<Expr>),
    /// Unreachable, because a step before it has left the block.
    Never,
}

/// An arm of a `match` that was split.
#[derive(Clone)]
pub(super) struct Choice {
    pub(super) attrs: Vec<syn::Attribute>,
    /// Includes the guard.
    pub(super) pat: Pat,
    pub(super) exits: Vec<Exit>,
    pub(super) to: BlockId,
}

/// A sequence of steps, and how it ends.
#[derive(Clone)]
pub(super) struct Block {
    pub(super) method: MethodId,
    pub(super) ops: Vec<Op>,
    pub(super) end: Terminator,
    /// The statement at which the block can be re-entered, if it may make choices.
    pub(super) source: Option<Source>,
    /// Whether the block may run several times in one activation.
    pub(super) in_loop: bool,
    /// Whether the user wrote its steps in an `unsafe` block.
    pub(super) is_unsafe: bool,
}

/// A statement that can be re-entered, for reports.
#[derive(Clone)]
pub(super) struct Source {
    pub(super) line: usize,
    pub(super) text: String,
    pub(super) replayed: &'static str,
}

/// The machine of one `impl` block.
pub(crate) struct Program {
    pub(super) methods: Vec<Method>,
    pub(super) blocks: Vec<Block>,
    /// Types, constants and functions declared in bodies.
    pub(super) items: Vec<Item>,
    pub(super) hoisted: Hoisted,
    /// The reachable blocks.
    pub(super) reached: Vec<BlockId>,
    /// The reachable blocks that are the target of exactly one jump, and cannot be re-entered.
    pub(super) inlined: Vec<BlockId>,
    /// Methods that the machine excludes, and why.
    pub(super) left_out: Vec<(String, String)>,
    pub(super) private: Path,
}

impl Program {
    pub(super) fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0]
    }

    pub(super) fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.0]
    }

    /// Returns the methods with their indices.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (MethodId, &Method)> {
        self.methods.iter().enumerate().map(|(number, method)| (MethodId(number), method))
    }

    /// Returns whether a local may be or contain a closure.
    pub(super) fn holds_closure(&self, method: MethodId, name: &Ident) -> bool {
        self.method(method).locals.iter().any(|local| local.name == *name && local.holds_closure)
    }

    /// Returns whether the machine itself calls a method.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.blocks.iter().any(|block| match &block.end {
            Terminator::Call { callee, .. } => self.method(*callee).name == name,
            Terminator::Goto(_)
            | Terminator::Test { .. }
            | Terminator::Select { .. }
            | Terminator::Return(_)
            | Terminator::Never => false,
        })
    }
}

impl Op {
    /// Returns the user's tokens, and the name that the step defines.
    pub(super) fn tokens(&self) -> TokenStream {
        match self {
            Op::Run(code) => code.syntax.to_token_stream(),
            Op::Declare(name, _) | Op::Result { name, .. } => name.to_token_stream(),
        }
    }
}

impl Terminator {
    /// Returns the user's tokens.
    pub(super) fn tokens(&self) -> TokenStream {
        match self {
            Terminator::Goto(_) | Terminator::Never => TokenStream::new(),
            Terminator::Test { cond, .. } => cond.syntax.to_token_stream(),
            Terminator::Select { scrutinee, arms } => {
                let (scrutinee, pats) = (&scrutinee.syntax, arms.iter().map(|arm| &arm.pat));
                quote!(#scrutinee #(#pats)*)
            }
            Terminator::Call { args, .. } => {
                let args = args.iter().map(|arg| &arg.syntax);
                quote!(#(#args),*)
            }
            Terminator::Return(value) => value.syntax.to_token_stream(),
        }
    }
}

impl Block {
    /// Returns the targets of all jumps of the block, in the order of its steps.
    pub(super) fn jumps(&self) -> Vec<BlockId> {
        fn add(jumps: &mut Vec<BlockId>, exits: &[Exit]) {
            jumps.extend(exits.iter().map(|exit| exit.to));
        }
        let mut jumps: Vec<BlockId> = Vec::new();
        for op in &self.ops {
            match op {
                Op::Run(code) => add(&mut jumps, &code.exits),
                Op::Declare(..) | Op::Result { .. } => {}
            }
        }
        match &self.end {
            Terminator::Goto(to) => jumps.push(*to),
            Terminator::Test { cond, then, other } => {
                add(&mut jumps, &cond.exits);
                jumps.extend([*then, *other]);
            }
            Terminator::Select { scrutinee, arms } => {
                add(&mut jumps, &scrutinee.exits);
                arms.iter().for_each(|arm| add(&mut jumps, &arm.exits));
                jumps.extend(arms.iter().map(|arm| arm.to));
            }
            Terminator::Call { args, .. } => args.iter().for_each(|arg| add(&mut jumps, &arg.exits)),
            Terminator::Return(value) => add(&mut jumps, &value.exits),
            Terminator::Never => {}
        }
        jumps
    }

    /// Returns the block that follows the return of the method that this block calls.
    pub(super) fn returns_to(&self) -> Option<BlockId> {
        match &self.end {
            Terminator::Call { then, .. } => *then,
            Terminator::Goto(_)
            | Terminator::Test { .. }
            | Terminator::Select { .. }
            | Terminator::Return(_)
            | Terminator::Never => None,
        }
    }

    /// Renumbers the targets of the block.
    pub(super) fn renumber(&mut self, number: &dyn Fn(BlockId) -> BlockId) {
        let exits = |exits: &mut [Exit]| exits.iter_mut().for_each(|exit| exit.to = number(exit.to));
        for op in &mut self.ops {
            match op {
                Op::Run(code) => exits(&mut code.exits),
                Op::Declare(..) | Op::Result { .. } => {}
            }
        }
        match &mut self.end {
            Terminator::Goto(to) => *to = number(*to),
            Terminator::Test { cond, then, other } => {
                exits(&mut cond.exits);
                (*then, *other) = (number(*then), number(*other));
            }
            Terminator::Select { scrutinee, arms } => {
                exits(&mut scrutinee.exits);
                for arm in arms {
                    exits(&mut arm.exits);
                    arm.to = number(arm.to);
                }
            }
            Terminator::Call { args, then, .. } => {
                args.iter_mut().for_each(|arg| exits(&mut arg.exits));
                then.iter_mut().for_each(|then| *then = number(*then));
            }
            Terminator::Return(value) => exits(&mut value.exits),
            Terminator::Never => {}
        }
    }
}

/// A readable dump of the blocks.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, method) in self.numbered() {
            let locals: Vec<String> = self.hoisted.of(number).iter().map(ToString::to_string).collect();
            writeln!(f, "{}: begins at {}, keeps [{}]", method.name, method.entry.0, locals.join(", "))?;
            for id in self.reached.iter().copied().filter(|id| self.block(*id).method == number) {
                let block = self.block(id);
                writeln!(f, "  {}{}", id.0, if block.source.is_some() { " (can be re-entered):" } else { ":" })?;
                for op in &block.ops {
                    match op {
                        Op::Run(code) => writeln!(f, "    {}{}", shown(&code.syntax), Exits(&code.exits))?,
                        Op::Declare(name, _) => writeln!(f, "    let {name};")?,
                        Op::Result { callee, name } => {
                            writeln!(f, "    let {name} = result of {};", self.method(*callee).name)?;
                        }
                    }
                }
                self.fmt_end(&block.end, f)?;
            }
        }
        Ok(())
    }
}

impl Program {
    fn fmt_end(&self, end: &Terminator, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match end {
            Terminator::Goto(to) => writeln!(f, "    goto {}", to.0),
            Terminator::Test { cond, then, other } => {
                let (cond, exits) = (shown(&cond.syntax), Exits(&cond.exits));
                writeln!(f, "    if {cond} goto {}, else {}{exits}", then.0, other.0)
            }
            Terminator::Select { scrutinee, arms } => {
                writeln!(f, "    match {}{}", shown(&scrutinee.syntax), Exits(&scrutinee.exits))?;
                arms.iter()
                    .try_for_each(|arm| writeln!(f, "      {} goto {}{}", shown(&arm.pat), arm.to.0, Exits(&arm.exits)))
            }
            Terminator::Call { callee, args, then } => {
                let args: Vec<String> = args.iter().map(|arg| shown(&arg.syntax)).collect();
                let name = &self.method(*callee).name;
                match then {
                    Some(then) => writeln!(f, "    call {name}({}), then {}", args.join(", "), then.0),
                    None => writeln!(f, "    return {name}({})", args.join(", ")),
                }
            }
            Terminator::Return(value) => writeln!(f, "    return {}{}", shown(&value.syntax), Exits(&value.exits)),
            Terminator::Never => Ok(()),
        }
    }
}

/// Prints the exits after a step.
struct Exits<'e>(&'e [Exit]);

impl fmt::Display for Exits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Exit { leave, label, to } in self.0 {
            let leave = match leave {
                Leave::Break => "break",
                Leave::Continue => "continue",
            };
            write!(f, "  [{leave} {label}: goto {}]", to.0)?;
        }
        Ok(())
    }
}
