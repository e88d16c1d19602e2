//! The variables in scope of the code being written: their types, and what borrows and moves leave of them.

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `usize`.
    Num,
    /// `bool`.
    Bool,
    /// `Option<usize>`.
    MaybeNum,
    /// A node at hand.
    Node,
    /// An option of one.
    MaybeNode,
    /// `Vec<usize>`.
    Nums,
    /// `Vec` of nodes.
    Nodes,
    /// `VecDeque<usize>`.
    NumQueue,
    /// `VecDeque` of nodes.
    NodeQueue,
    /// `HashSet<usize>`.
    NumSet,
    /// `HashSet` of identities of nodes.
    Seen,
    /// `BTreeSet<usize>`.
    Sorted,
    /// `HashMap<usize, usize>`.
    Map,
    /// `BTreeMap<usize, usize>`.
    SortedMap,
    /// `[usize; 3]`.
    Slots,
    /// `(usize, Vec<usize>)`.
    Pair,
    /// `State`, a struct of the body's own: `count: usize`, `list: Vec<usize>`, `on: bool`.
    State,
    /// `Cell<usize>`.
    Counter,
    /// `HashMap` from identities of nodes to `usize`.
    Ranks,
    /// `BinaryHeap<usize>`.
    Heap,
    /// `RefCell<Vec<usize>>`.
    Log,
    /// `String`.
    Text,
    /// `Phase`, an enum of the body's own.
    Phase,
    /// `std::cell::Ref` of a node.
    Guard,
}

impl Ty {
    /// The containers that a predicate makes for itself.
    pub const CONTAINERS: [Ty; 12] = [
        Ty::Nums,
        Ty::Nodes,
        Ty::NumQueue,
        Ty::NodeQueue,
        Ty::NumSet,
        Ty::Seen,
        Ty::Sorted,
        Ty::Map,
        Ty::SortedMap,
        Ty::Ranks,
        Ty::Slots,
        Ty::Pair,
    ];
}

/// What is to be done with a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    Move,
}

/// One variable.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    /// Whether statements may write to it.
    pub mutable: bool,
    /// Whether it is a reference to what its type says.
    pub by_ref: bool,
    /// Whether the text around relies on its name: it is not shadowed then.
    pub pinned: bool,
    /// The block that declares it; only there it is moved.
    block: usize,
    moved: bool,
    /// How many borrows forbid writing.
    shared: u32,
    /// How many borrows forbid everything.
    exclusive: u32,
}

/// A variable's place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VarId(usize);

/// Which variables some piece of code mentions.
#[derive(Debug, Default)]
pub struct Mentions {
    pub reads: Vec<VarId>,
    pub writes: Vec<VarId>,
}

/// All variables, innermost last.
#[derive(Debug, Default)]
pub struct Env {
    vars: Vec<Var>,
    /// One for each piece of code whose mentions are being collected.
    watches: Vec<Mentions>,
    block: usize,
    blocks: usize,
}

/// Where a block began.
#[derive(Debug)]
pub struct Mark {
    vars: usize,
    block: usize,
}

impl Env {
    /// A block begins.
    pub fn enter(&mut self) -> Mark {
        let mark = Mark { vars: self.vars.len(), block: self.block };
        self.blocks += 1;
        self.block = self.blocks;
        mark
    }

    /// It ends, and its variables go.
    pub fn leave(&mut self, mark: Mark) {
        self.vars.truncate(mark.vars);
        self.block = mark.block;
    }

    pub fn declare(&mut self, name: &str, ty: Ty, mutable: bool) -> VarId {
        self.vars.push(Var {
            name: name.to_string(),
            ty,
            mutable,
            by_ref: false,
            pinned: false,
            block: self.block,
            moved: false,
            shared: 0,
            exclusive: 0,
        });
        VarId(self.vars.len() - 1)
    }

    pub fn get(&self, id: VarId) -> &Var {
        &self.vars[id.0]
    }

    pub fn get_mut(&mut self, id: VarId) -> &mut Var {
        &mut self.vars[id.0]
    }

    /// The variables that can be used so, apart from those that a later one hides.
    pub fn usable(&self, access: Access, fits: impl Fn(&Var) -> bool) -> Vec<VarId> {
        let mut found = Vec::new();
        for (at, var) in self.vars.iter().enumerate() {
            let hidden = self.vars[at + 1..].iter().any(|later| later.name == var.name);
            let free = match access {
                Access::Read => var.exclusive == 0,
                Access::Write => var.mutable && var.exclusive == 0 && var.shared == 0,
                Access::Move => {
                    !var.by_ref && !var.pinned && var.block == self.block && var.exclusive == 0 && var.shared == 0
                }
            };
            if !hidden && free && !var.moved && fits(var) {
                found.push(VarId(at));
            }
        }
        found
    }

    /// Names that a new variable may take over.
    pub fn names_to_shadow(&self) -> Vec<String> {
        let pinned = |name: &String| self.vars.iter().any(|var| var.pinned && var.name == *name);
        self.vars.iter().map(|var| var.name.clone()).filter(|name| !pinned(name)).collect()
    }

    /// Says that the code being written uses the variable so.
    pub fn mention(&mut self, id: VarId, access: Access) {
        for watch in &mut self.watches {
            let list = if access == Access::Read { &mut watch.reads } else { &mut watch.writes };
            if !list.contains(&id) {
                list.push(id);
            }
        }
        if access == Access::Move {
            self.vars[id.0].moved = true;
        }
    }

    /// Gives a moved variable a value again.
    pub fn revive(&mut self, id: VarId) {
        self.vars[id.0].moved = false;
    }

    /// The moved variables that can be given a value again here.
    pub fn moved_here(&self, fits: impl Fn(&Var) -> bool) -> Vec<VarId> {
        let here = |var: &Var| var.moved && var.mutable && var.block == self.block;
        let hidden = |at: usize, var: &Var| self.vars[at + 1..].iter().any(|later| later.name == var.name);
        let all = self.vars.iter().enumerate();
        all.filter(|(at, var)| here(var) && fits(var) && !hidden(*at, var)).map(|(at, _)| VarId(at)).collect()
    }

    pub fn watch(&mut self) {
        self.watches.push(Mentions::default());
    }

    /// What was mentioned since `watch`, of the variables declared before the mark.
    pub fn watched(&mut self, before: usize) -> Mentions {
        let mut mentions = self.watches.pop().unwrap_or_default();
        mentions.reads.retain(|id| id.0 < before);
        mentions.writes.retain(|id| id.0 < before);
        mentions
    }

    pub fn count(&self) -> usize {
        self.vars.len()
    }

    /// A borrow begins.
    pub fn lend(&mut self, id: VarId, exclusive: bool) {
        let var = &mut self.vars[id.0];
        *(if exclusive { &mut var.exclusive } else { &mut var.shared }) += 1;
    }

    /// It ends.
    pub fn give_back(&mut self, id: VarId, exclusive: bool) {
        let var = &mut self.vars[id.0];
        *(if exclusive { &mut var.exclusive } else { &mut var.shared }) -= 1;
    }
}
