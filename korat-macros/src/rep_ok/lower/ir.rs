//! The machine as data: methods, blocks, their steps and how they end. Every stage after `rename` takes or gives this; `verify` checks it.
//! The user's own syntax is in it as `Code`, which says where it leaves its block.

use std::fmt;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, Ident, Item, Lifetime, Pat, Path, Stmt, Type};

use super::liveness::Hoisted;
use super::source::shown;

/// The number of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BlockId(pub(super) usize);

/// The number of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct MethodId(pub(super) usize);

/// A method of the machine.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(super) name: String,
    pub(super) params: Vec<Param>,
    pub(super) output: Type,
    /// Where it begins.
    pub(super) entry: BlockId,
    /// Its locals.
    pub(super) locals: Vec<Local>,
    /// Names in patterns that bind locals, unless they are those of constants, which rustc has to refuse: they have other names in the
    /// machine.
    pub(super) bindings: Vec<Ident>,
    /// Its reads and calls in the order of their evaluation, before it was taken apart.
    pub(super) atoms: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: Ident,
    pub(super) ty: Type,
}

/// A local of a method, whose name no other local of the method has.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(super) name: Ident,
    /// Whether it is declared `mut`.
    pub(super) is_mut: bool,
    /// Whether it is `&mut` of a container, which saves its own changes.
    pub(super) is_mut_container: bool,
    /// Whether the way it was bound makes it a reference, so that borrowing through it does not borrow from it.
    pub(super) is_reference: bool,
    /// Whether it may be, or hold, a closure.
    pub(super) holds_closure: bool,
}

/// Syntax of the user's, with names of the machine's locals, and where it leaves its block otherwise than by its end.
#[derive(Clone)]
pub(super) struct Code<T> {
    pub(super) syntax: T,
    pub(super) exits: Vec<Exit>,
}

/// A `break` or `continue` of a loop that was taken apart. Labels are unique in a method.
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
    /// Runs a statement of the user's.
    Run(Code<Stmt>),
    /// `let name;` for a value that several blocks give.
    Declare(Ident, Option<Type>),
    /// `let name = ..` the result of the method that has returned.
    Result { callee: MethodId, name: Ident },
}

/// How a block ends.
#[derive(Clone)]
pub(super) enum End {
    /// Goes on with another block.
    Goto(BlockId),
    /// Goes on with one of two blocks; what the condition binds is there in the first.
    Test { cond: Code<Expr>, then: BlockId, other: BlockId },
    /// Goes on with the block of the arm that matches; what its pattern binds is there.
    Select { scrutinee: Code<Expr>, arms: Vec<Choice> },
    /// Begins an activation of a method; the machine goes on with the block after its return. Without a block, the result is
    /// that of the running activation.
    Call { callee: MethodId, args: Vec<Code<Expr>>, then: Option<BlockId> },
    /// Ends the activation.
    Return(Code<Expr>),
    /// Is not reached: a step before it has left the block.
    Never,
}

/// One arm of a `match` that was taken apart.
#[derive(Clone)]
pub(super) struct Choice {
    pub(super) attrs: Vec<syn::Attribute>,
    /// With its guard.
    pub(super) pat: Pat,
    pub(super) exits: Vec<Exit>,
    pub(super) to: BlockId,
}

/// A run of steps and how it ends.
#[derive(Clone)]
pub(super) struct Block {
    pub(super) method: MethodId,
    pub(super) ops: Vec<Op>,
    pub(super) end: End,
    /// What of the user's source the choices of this block re-enter.
    pub(super) source: Option<Source>,
    /// Whether the block may run more than once in one activation.
    pub(super) in_loop: bool,
    /// Whether the user wrote its steps in an `unsafe` block.
    pub(super) is_unsafe: bool,
}

/// A statement that can be re-entered.
#[derive(Clone)]
pub(super) struct Source {
    pub(super) line: usize,
    pub(super) text: String,
    pub(super) replayed: &'static str,
}

/// The machine of one `impl`.
pub(crate) struct Program {
    pub(super) methods: Vec<Method>,
    pub(super) blocks: Vec<Block>,
    /// Types, constants and functions that bodies declare.
    pub(super) items: Vec<Item>,
    pub(super) hoisted: Hoisted,
    /// The blocks that the machine can get to.
    pub(super) reached: Vec<BlockId>,
    /// Those among them that it gets to in one way only, and that are not re-entered.
    pub(super) inlined: Vec<BlockId>,
    /// Methods that are not part of it, and why.
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

    /// The methods with their numbers.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (MethodId, &Method)> {
        self.methods.iter().enumerate().map(|(number, method)| (MethodId(number), method))
    }

    /// Whether a local may be, or hold, a closure.
    pub(super) fn holds_closure(&self, method: MethodId, name: &Ident) -> bool {
        self.method(method).locals.iter().any(|local| local.name == *name && local.holds_closure)
    }

    /// Whether the machine itself calls a method.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.blocks.iter().any(|block| match &block.end {
            End::Call { callee, .. } => self.method(*callee).name == name,
            End::Goto(_) | End::Test { .. } | End::Select { .. } | End::Return(_) | End::Never => false,
        })
    }
}

impl Op {
    /// The user's tokens, and the names that the step itself has.
    pub(super) fn tokens(&self) -> TokenStream {
        match self {
            Op::Run(code) => code.syntax.to_token_stream(),
            Op::Declare(name, _) | Op::Result { name, .. } => name.to_token_stream(),
        }
    }
}

impl End {
    /// The user's tokens.
    pub(super) fn tokens(&self) -> TokenStream {
        match self {
            End::Goto(_) | End::Never => TokenStream::new(),
            End::Test { cond, .. } => cond.syntax.to_token_stream(),
            End::Select { scrutinee, arms } => {
                let (scrutinee, pats) = (&scrutinee.syntax, arms.iter().map(|arm| &arm.pat));
                quote!(#scrutinee #(#pats)*)
            }
            End::Call { args, .. } => {
                let args = args.iter().map(|arg| &arg.syntax);
                quote!(#(#args),*)
            }
            End::Return(value) => value.syntax.to_token_stream(),
        }
    }

    /// The exits of the user's code in it.
    fn exits(&self) -> Vec<BlockId> {
        let to = |exits: &[Exit]| exits.iter().map(|exit| exit.to).collect::<Vec<_>>();
        match self {
            End::Goto(_) | End::Never => Vec::new(),
            End::Test { cond, .. } => to(&cond.exits),
            End::Select { scrutinee, arms } => {
                let guards = arms.iter().flat_map(|arm| to(&arm.exits));
                to(&scrutinee.exits).into_iter().chain(guards).collect()
            }
            End::Call { args, .. } => args.iter().flat_map(|arg| to(&arg.exits)).collect(),
            End::Return(value) => to(&value.exits),
        }
    }
}

impl Block {
    /// Where the block leads by jumps, in the order of its steps.
    pub(super) fn jumps(&self) -> Vec<BlockId> {
        let mut jumps: Vec<BlockId> = Vec::new();
        for op in &self.ops {
            match op {
                Op::Run(code) => jumps.extend(code.exits.iter().map(|exit| exit.to)),
                Op::Declare(..) | Op::Result { .. } => {}
            }
        }
        jumps.extend(self.end.exits());
        match &self.end {
            End::Goto(to) => jumps.push(*to),
            End::Test { then, other, .. } => jumps.extend([*then, *other]),
            End::Select { arms, .. } => jumps.extend(arms.iter().map(|arm| arm.to)),
            End::Call { .. } | End::Return(_) | End::Never => {}
        }
        jumps
    }

    /// Where the block leads by the return of what it calls.
    pub(super) fn returns_to(&self) -> Option<BlockId> {
        match &self.end {
            End::Call { then, .. } => *then,
            End::Goto(_) | End::Test { .. } | End::Select { .. } | End::Return(_) | End::Never => None,
        }
    }

    /// Changes the numbers of the blocks that it leads to.
    pub(super) fn renumber(&mut self, number: &dyn Fn(BlockId) -> BlockId) {
        let exits = |exits: &mut [Exit]| exits.iter_mut().for_each(|exit| exit.to = number(exit.to));
        for op in &mut self.ops {
            match op {
                Op::Run(code) => exits(&mut code.exits),
                Op::Declare(..) | Op::Result { .. } => {}
            }
        }
        match &mut self.end {
            End::Goto(to) => *to = number(*to),
            End::Test { cond, then, other } => {
                exits(&mut cond.exits);
                (*then, *other) = (number(*then), number(*other));
            }
            End::Select { scrutinee, arms } => {
                exits(&mut scrutinee.exits);
                for arm in arms {
                    exits(&mut arm.exits);
                    arm.to = number(arm.to);
                }
            }
            End::Call { args, then, .. } => {
                args.iter_mut().for_each(|arg| exits(&mut arg.exits));
                then.iter_mut().for_each(|then| *then = number(*then));
            }
            End::Return(value) => exits(&mut value.exits),
            End::Never => {}
        }
    }
}

/// The blocks as people read them.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, method) in self.numbered() {
            let locals: Vec<String> = self.hoisted.of(number).map(ToString::to_string).collect();
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
    fn fmt_end(&self, end: &End, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match end {
            End::Goto(to) => writeln!(f, "    goto {}", to.0),
            End::Test { cond, then, other } => {
                let (cond, exits) = (shown(&cond.syntax), Exits(&cond.exits));
                writeln!(f, "    if {cond} goto {}, else {}{exits}", then.0, other.0)
            }
            End::Select { scrutinee, arms } => {
                writeln!(f, "    match {}{}", shown(&scrutinee.syntax), Exits(&scrutinee.exits))?;
                arms.iter()
                    .try_for_each(|arm| writeln!(f, "      {} goto {}{}", shown(&arm.pat), arm.to.0, Exits(&arm.exits)))
            }
            End::Call { callee, args, then } => {
                let args: Vec<String> = args.iter().map(|arg| shown(&arg.syntax)).collect();
                let name = &self.method(*callee).name;
                match then {
                    Some(then) => writeln!(f, "    call {name}({}), then {}", args.join(", "), then.0),
                    None => writeln!(f, "    return {name}({})", args.join(", ")),
                }
            }
            End::Return(value) => writeln!(f, "    return {}{}", shown(&value.syntax), Exits(&value.exits)),
            End::Never => Ok(()),
        }
    }
}

/// Exits behind a step.
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
