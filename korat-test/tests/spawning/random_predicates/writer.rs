//! The state of one predicate being written: dice, variables, the function around. What all forms of code share.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::dice::dice;
use super::env::{Access, Env, Ty, VarId};
use super::family::{FAMILIES, Family, Field, Handle, Kind};
use super::helpers::Helper;

/// Whether forms are written that are fine in plain Rust and that the lifting refuses or gets wrong; each is where this is
/// asked. Off, so that every predicate compiles: set it to look at the messages, and drop the question with the limit.
pub const LIMITS: bool = false;

/// What a function gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ret {
    Bool,
    Num,
    MaybeNum,
    /// `Result<usize, usize>`.
    Checked,
    MaybeNode,
    Nums,
    Unit,
}

/// A loop, or a block with a label, around the code being written.
#[derive(Clone, Debug)]
pub struct Around {
    pub label: String,
    /// Whether a break carries a number.
    pub gives_num: bool,
    pub is_block: bool,
}

/// A closure or a nested function in scope: takes one number, gives one.
#[derive(Clone, Debug)]
pub struct Callable {
    pub name: String,
    /// Whether a call needs the closure's variable for itself.
    pub mutates: bool,
}

/// The function being written.
#[derive(Debug)]
pub struct Frame {
    /// None in a closure, where there is no returning from the function.
    pub ret: Option<Ret>,
    pub has_self: bool,
    pub around: Vec<Around>,
    /// How many loops there are around, those around a closure included.
    pub loops: usize,
    pub in_closure: bool,
    pub callables: Vec<Callable>,
    /// The helpers that may be called from here.
    pub callees: Vec<usize>,
    /// How many more calls of helpers there may be in this body.
    pub calls_left: usize,
    /// The name of the parameter that bounds recursion, if this function is part of one.
    pub depth: Option<&'static str>,
}

impl Frame {
    pub fn of(ret: Ret, has_self: bool) -> Self {
        Frame {
            ret: Some(ret),
            has_self,
            around: Vec::new(),
            loops: 0,
            in_closure: false,
            callables: Vec::new(),
            callees: Vec::new(),
            calls_left: 2,
            depth: None,
        }
    }
}

/// Writes one predicate.
pub struct Writer {
    pub rng: SmallRng,
    pub family: &'static Family,
    pub env: Env,
    pub frame: Frame,
    pub helpers: Vec<Helper>,
    /// How many statements there may still be in this function.
    pub budget: i32,
    /// Above zero where nothing may be written to.
    pub pure: u32,
    names: usize,
}

dice!(Writer);

impl Writer {
    pub fn new(seed: u64) -> Self {
        // Neighbouring seeds take turns among the families.
        let family = &FAMILIES[(seed % FAMILIES.len() as u64) as usize];
        Writer {
            rng: SmallRng::seed_from_u64(seed),
            family,
            env: Env::default(),
            frame: Frame::of(Ret::Bool, true),
            helpers: Vec::new(),
            budget: 0,
            pure: 0,
            names: 0,
        }
    }

    /// A name for a `let`; sometimes that of another variable.
    pub fn name(&mut self, stem: &str) -> String {
        if self.chance(12)
            && let Some(name) = self.pick(&self.env.names_to_shadow())
        {
            return name;
        }
        self.fresh(stem)
    }

    /// A variable that can be used so, and is from now on.
    pub fn var(&mut self, access: Access, types: &[Ty]) -> Option<VarId> {
        if access != Access::Read && self.pure > 0 {
            return None;
        }
        let found = self.env.usable(access, |var| types.contains(&var.ty));
        let id = self.pick(&found)?;
        self.env.mention(id, access);
        Some(id)
    }

    pub fn name_of(&self, id: VarId) -> String {
        self.env.get(id).name.clone()
    }

    /// The variable as something to write to, or a number to read.
    pub fn place(&self, id: VarId) -> String {
        let var = self.env.get(id);
        if var.by_ref { format!("*{}", var.name) } else { var.name.clone() }
    }

    /// The variable's value, copied or cloned.
    pub fn value(&self, id: VarId) -> String {
        let var = self.env.get(id);
        match var.ty {
            Ty::Num | Ty::Bool | Ty::MaybeNum | Ty::Slots => self.place(id),
            Ty::Node | Ty::MaybeNode if self.family.copies() => self.place(id),
            _ => format!("{}.clone()", var.name),
        }
    }

    /// A `&mut` of the variable.
    pub fn mutably(&self, id: VarId) -> String {
        let var = self.env.get(id);
        if var.by_ref { format!("&mut *{}", var.name) } else { format!("&mut {}", var.name) }
    }

    /// Writes code while a variable is lent.
    pub fn lending<T>(&mut self, id: VarId, exclusive: bool, write: impl FnOnce(&mut Self) -> T) -> T {
        self.env.lend(id, exclusive);
        let written = write(self);
        self.env.give_back(id, exclusive);
        written
    }

    /// Writes code in which nothing is written to.
    pub fn purely<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        self.pure += 1;
        let written = write(self);
        self.pure -= 1;
        written
    }

    /// Writes code inside a block of its own.
    pub fn scoped<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.env.enter();
        let callables = self.frame.callables.len();
        let written = write(self);
        self.frame.callables.truncate(callables);
        self.env.leave(mark);
        written
    }

    /// Writes the body of a closure: there is no way out of it but its end.
    pub fn in_closure<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let (ret, around) = (self.frame.ret.take(), std::mem::take(&mut self.frame.around));
        let outer = std::mem::replace(&mut self.frame.in_closure, true);
        let written = self.scoped(write);
        (self.frame.ret, self.frame.around, self.frame.in_closure) = (ret, around, outer);
        written
    }

    /// A closure with one parameter.
    pub fn closure(&mut self, ty: Ty, by_ref: bool, write: impl FnOnce(&mut Self, VarId) -> String) -> String {
        let name = self.fresh("x");
        self.in_closure(|w| {
            let id = w.env.declare(&name, ty, false);
            w.env.get_mut(id).by_ref = by_ref;
            format!("|{name}| {}", write(w, id))
        })
    }

    /// An object whose fields can be read here, and its fields: `self`, or a node.
    pub fn object(&mut self) -> Option<(String, &'static [Field])> {
        let nodes = self.env.usable(Access::Read, |var| matches!(var.ty, Ty::Node | Ty::Guard));
        if self.frame.has_self && (nodes.is_empty() || self.chance(30)) {
            return Some(("self".to_string(), self.family.root_fields));
        }
        // Late variables are the more interesting ones.
        let last = nodes.last().copied();
        let id = if self.chance(50) { last? } else { self.pick(&nodes)? };
        self.env.mention(id, Access::Read);
        let var = self.env.get(id);
        let guarded = self.family.handle == Handle::Cell && var.ty == Ty::Node;
        let text = if guarded { format!("{}.borrow()", var.name) } else { var.name.clone() };
        Some((text, self.family.node_fields))
    }

    /// A field of some of these kinds, of some object: `object.field`.
    pub fn field(&mut self, kinds: &[Kind]) -> Option<(String, Kind)> {
        let (object, fields) = self.object()?;
        let fitting: Vec<Field> = fields.iter().copied().filter(|field| kinds.contains(&field.kind)).collect();
        let field = self.pick(&fitting)?;
        Some((format!("{object}.{}", field.name), field.kind))
    }

    /// The identity of a node.
    pub fn identity(&mut self, id: VarId) -> String {
        let var = self.env.get(id);
        let (name, by_ref) = (var.name.clone(), var.by_ref);
        match (self.family.handle, by_ref) {
            (Handle::Ref, true) => format!("&raw const **{name}"),
            (Handle::Ref, false) => {
                let node = self.family.node;
                let forms = [
                    format!("&raw const *{name}"),
                    format!("{name} as *const {node}"),
                    format!("std::ptr::from_ref({name})"),
                ];
                self.one_of(forms)
            }
            (Handle::Rc | Handle::Cell, true) => format!("Rc::as_ptr({name})"),
            (Handle::Rc | Handle::Cell, false) => format!("Rc::as_ptr(&{name})"),
        }
    }

    /// A type, written out.
    pub fn type_text(&self, ty: Ty, lifetime: &str) -> String {
        let node = self.family.node_type(lifetime);
        match ty {
            Ty::Num => "usize".to_string(),
            Ty::Bool => "bool".to_string(),
            Ty::MaybeNum => "Option<usize>".to_string(),
            Ty::Node => node,
            Ty::MaybeNode => format!("Option<{node}>"),
            Ty::Nums => "Vec<usize>".to_string(),
            Ty::Nodes => format!("Vec<{node}>"),
            Ty::NumQueue => "VecDeque<usize>".to_string(),
            Ty::NodeQueue => format!("VecDeque<{node}>"),
            Ty::NumSet => "HashSet<usize>".to_string(),
            Ty::Seen => format!("HashSet<{}>", self.family.pointer_type()),
            Ty::Sorted => "BTreeSet<usize>".to_string(),
            Ty::Map => "HashMap<usize, usize>".to_string(),
            Ty::SortedMap => "BTreeMap<usize, usize>".to_string(),
            Ty::Slots => "[usize; 3]".to_string(),
            Ty::Pair => "(usize, Vec<usize>)".to_string(),
            Ty::State => "State".to_string(),
            Ty::Counter => "Cell<usize>".to_string(),
            Ty::Ranks => format!("HashMap<{}, usize>", self.family.pointer_type()),
            Ty::Heap => "BinaryHeap<usize>".to_string(),
            Ty::Log => "RefCell<Vec<usize>>".to_string(),
            Ty::Text => "String".to_string(),
            Ty::Phase => "Phase".to_string(),
            Ty::Guard => format!("std::cell::Ref<{}>", self.family.node),
        }
    }
}
