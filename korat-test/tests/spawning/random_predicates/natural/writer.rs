//! The state of one predicate being written: dice, what is in scope, the helpers that it calls.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::super::dice::dice;
use super::types::Ty;

/// What a name in scope is to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The value itself, or a field of it: a place.
    Place,
    /// `&T`.
    Ref,
    /// `&&T`, as `filter` hands it to its closure.
    RefRef,
    /// What `borrow` gives.
    Guard,
}

/// An expression that leads to a part of the structure.
#[derive(Clone, Debug)]
pub struct Var {
    pub text: String,
    pub ty: Ty,
    pub by: By,
    /// How many boxes lie between what the expression is and the part.
    boxes: usize,
}

impl Var {
    pub fn of(text: impl Into<String>, ty: Ty, by: By) -> Self {
        Var { text: text.into(), ty, by, boxes: 0 }
    }

    /// As a place.
    pub fn place(&self) -> String {
        let derefs = match self.by {
            By::Place => 0,
            By::Ref | By::Guard => 1,
            By::RefRef => 2,
        };
        format!("{}{}", "*".repeat(derefs + self.boxes), self.text)
    }

    /// As a reference.
    pub fn reference(&self) -> String {
        match self.by {
            By::Ref if self.boxes == 0 => self.text.clone(),
            By::RefRef if self.boxes == 0 => format!("*{}", self.text),
            By::Place | By::Guard | By::Ref | By::RefRef => format!("&{}", self.place()),
        }
    }

    /// A field of it.
    pub fn field(&self, name: &str, ty: Ty) -> Var {
        Var::of(format!("{}.{name}", self.text), ty, By::Place)
    }

    /// What is in the box.
    pub fn unboxed(&self, ty: Ty) -> Var {
        Var { ty, boxes: self.boxes + 1, ..self.clone() }
    }
}

/// What a `return` gives here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ret {
    /// There is none: a closure.
    None,
    Bool,
    Num,
}

/// What is being written.
pub struct Writer {
    rng: SmallRng,
    /// Parts of the structure in scope.
    pub vars: Vec<Var>,
    /// Numbers, `u32`, in scope.
    pub nums: Vec<String>,
    /// Numbers that can be changed here.
    pub muts: Vec<String>,
    /// Closures of a number.
    pub callables: Vec<String>,
    pub ret: Ret,
    /// Helpers of the block, by what they take: their text is written once.
    pub helpers: Vec<(String, String)>,
    /// Whether helpers can be called here: not in nested functions, nor in helpers, which could then call themselves.
    pub has_helpers: bool,
    /// The root, by which helpers are called.
    pub root: &'static str,
    /// How many more forms that nest there may be.
    pub budget: usize,
    names: usize,
}

dice!(Writer);

impl Writer {
    pub fn new(seed: u64) -> Self {
        Writer {
            rng: SmallRng::seed_from_u64(seed ^ 0x006e_6174),
            vars: Vec::new(),
            nums: Vec::new(),
            muts: Vec::new(),
            callables: Vec::new(),
            ret: Ret::Bool,
            helpers: Vec::new(),
            has_helpers: true,
            root: "",
            budget: 40,
            names: 0,
        }
    }

    /// A label, now and then one that hides another.
    pub fn label(&mut self) -> String {
        self.one_of(["'outer", "'inner", "'found"]).to_string()
    }

    /// Writes code with more in scope, which hides what has the same names.
    pub fn with<T>(&mut self, vars: &[Var], write: impl FnOnce(&mut Self) -> T) -> T {
        let old = (self.vars.clone(), self.nums.clone(), self.muts.clone(), self.callables.clone());
        let is_hidden = |text: &str| vars.iter().any(|var| base(text) == var.text);
        self.vars.retain(|var| !is_hidden(&var.text));
        self.nums.retain(|name| !is_hidden(name));
        self.muts.retain(|name| !is_hidden(name));
        self.vars.extend(vars.iter().cloned());
        let written = write(self);
        (self.vars, self.nums, self.muts, self.callables) = old;
        written
    }

    /// Writes the body of a closure: nothing is changed in it, and it returns nothing from the method.
    pub fn closure<T>(&mut self, vars: &[Var], write: impl FnOnce(&mut Self) -> T) -> T {
        let (ret, muts) = (std::mem::replace(&mut self.ret, Ret::None), std::mem::take(&mut self.muts));
        let written = self.with(vars, write);
        (self.ret, self.muts) = (ret, muts);
        written
    }

    /// Writes the body of a function, with nothing in scope but this.
    pub fn function<T>(&mut self, ret: Ret, vars: &[Var], write: impl FnOnce(&mut Self) -> T) -> T {
        let old = (
            std::mem::replace(&mut self.ret, ret),
            std::mem::take(&mut self.muts),
            std::mem::take(&mut self.vars),
            std::mem::take(&mut self.nums),
            std::mem::take(&mut self.callables),
            std::mem::replace(&mut self.has_helpers, false),
        );
        let written = self.with(vars, write);
        (self.ret, self.muts, self.vars, self.nums, self.callables, self.has_helpers) = old;
        written
    }

    /// What leaves the method early.
    pub fn leave(&mut self) -> Option<String> {
        match self.ret {
            Ret::None => None,
            Ret::Bool => Some(self.one_of(["return false", "return false", "return true"]).to_string()),
            Ret::Num => Some(format!("return {}", self.below(3))),
        }
    }

    pub fn spend(&mut self) -> bool {
        self.budget = self.budget.saturating_sub(1);
        self.budget > 0
    }
}

/// The local that an expression begins with.
fn base(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}
