//! Statements about what the predicate made for itself: containers are made, changed, moved and lent.

use super::env::{Access, Ty, VarId};
use super::writer::Writer;

impl Writer {
    /// A value of a container type, new.
    fn made(&mut self, ty: Ty) -> String {
        let fill = self.chance(40);
        match ty {
            Ty::Nums if fill => format!("vec![{}, {}]", self.num(1), self.num(1)),
            Ty::Nums => self.one_of(["Vec::new()", "vec![]", "Vec::with_capacity(4)"]).to_string(),
            Ty::Nodes if fill => {
                let maybe = self.maybe_node(1);
                maybe.map_or("Vec::new()".to_string(), |maybe| format!("{maybe}.into_iter().collect()"))
            }
            Ty::Nodes => "Vec::new()".to_string(),
            Ty::NumQueue if fill => format!("(0..{}).collect()", 1 + self.below(3)),
            Ty::NumQueue | Ty::NodeQueue => "VecDeque::new()".to_string(),
            Ty::NumSet if fill => format!("(0..{}).collect()", 1 + self.below(3)),
            Ty::NumSet | Ty::Seen => "HashSet::new()".to_string(),
            Ty::Sorted if fill => format!("BTreeSet::from([{}, {}])", self.num(1), self.num(1)),
            Ty::Sorted => "BTreeSet::new()".to_string(),
            Ty::Map | Ty::Ranks => "HashMap::new()".to_string(),
            Ty::SortedMap if fill => format!("BTreeMap::from([({}, {})])", self.num(1), self.num(1)),
            Ty::SortedMap => "BTreeMap::new()".to_string(),
            Ty::Slots => format!("[{}, 0, 0]", self.num(1)),
            Ty::Pair => format!("({}, Vec::new())", self.num(1)),
            _ => unreachable!("{ty:?} is no container"),
        }
    }

    /// `let mut` of a container.
    pub fn let_container(&mut self) -> String {
        let ty = self.one_of(Ty::CONTAINERS);
        let stem = match ty {
            Ty::Nodes | Ty::NodeQueue => "nodes",
            Ty::Seen => "seen",
            Ty::Map | Ty::SortedMap | Ty::Ranks => "map",
            _ => "list",
        };
        let (made, name) = (self.made(ty), self.name(stem));
        self.env.declare(&name, ty, true);
        format!("let mut {name}: {} = {made};\n", self.type_text(ty, ""))
    }

    /// A container, cell or struct of its own is changed; one line.
    pub fn change_container(&mut self) -> Option<String> {
        let mut types = Ty::CONTAINERS.to_vec();
        types.retain(|ty| *ty != Ty::Ranks);
        types.extend([Ty::State, Ty::State]);
        if self.chance(20)
            && let Some(text) = self.change_extra()
        {
            return Some(text);
        }
        if self.chance(15) {
            let id = self.var(Access::Read, &[Ty::Counter])?;
            let name = self.name_of(id);
            return Some(format!("{name}.set({name}.get() + {});\n", self.purely(|w| w.num(1))));
        }
        let id = self.var(Access::Write, &types)?;
        let (name, ty) = (self.name_of(id), self.env.get(id).ty);
        // What is pushed may look at what it is pushed to.
        if ty == Ty::Nums && self.chance(20) {
            return Some(format!("{name}.push({name}.len() + {});\n", self.purely(|w| w.num(1))));
        }
        let text = self.lending(id, true, |w| match ty {
            Ty::Nums => w.change_nums(&name),
            Ty::NumQueue => w.change_queue(&name),
            Ty::Nodes | Ty::NodeQueue => w.change_nodes(&name, ty)?.into(),
            Ty::Seen => {
                let node = w.var(Access::Read, &[Ty::Node])?;
                let identity = w.identity(node);
                w.one_of([format!("{name}.insert({identity})"), format!("{name}.remove(&({identity}))")]).into()
            }
            Ty::NumSet | Ty::Sorted => w.change_set(&name),
            Ty::Map | Ty::SortedMap => w.change_map(&name),
            Ty::Slots => {
                let at = w.num(1);
                let operator = w.one_of(["+=", "=", "^="]);
                Some(format!("{name}[({at}) % 3] {operator} {}", w.num(1)))
            }
            Ty::Pair => {
                let (one, two) = (w.num(1), w.num(1));
                w.one_of([format!("{name}.0 += {one}"), format!("{name}.1.push({two})")]).into()
            }
            _ => {
                let (one, two, three) = (w.num(1), w.num(1), w.boolean(1));
                let forms = [
                    format!("{name}.count += {one}"),
                    format!("{name}.list.push({two})"),
                    format!("{name}.on = !{name}.on"),
                    format!("{name}.on ^= {three}"),
                    format!("{name}.list.truncate(2)"),
                ];
                w.one_of(forms).into()
            }
        });
        text.map(|text| format!("{text};\n"))
    }

    fn change_nums(&mut self, name: &str) -> Option<String> {
        Some(match self.below(16) {
            0..=5 => format!("{name}.push({})", self.num(2)),
            6 => format!("{name}.pop()"),
            7 => format!("{name}.sort()"),
            8 => format!("{name}.truncate({})", 1 + self.below(3)),
            9 => {
                let keep = self.closure(Ty::Num, true, |w, _| w.boolean(1));
                format!("{name}.retain({keep})")
            }
            10 => format!("{name}.extend([{}, {}])", self.num(1), self.num(1)),
            11 => format!("{name}.insert(0, {})", self.num(1)),
            12 => format!("{name}.reverse()"),
            13 => format!("{name}.dedup()"),
            14 => {
                let other = self.var(Access::Read, &[Ty::Nums, Ty::Sorted])?;
                format!("{name}.extend({}.iter().take(2))", self.name_of(other))
            }
            _ => format!("{name}.clear()"),
        })
    }

    fn change_queue(&mut self, name: &str) -> Option<String> {
        Some(match self.below(6) {
            0 | 1 => format!("{name}.push_back({})", self.num(1)),
            2 => format!("{name}.push_front({})", self.num(1)),
            3 => format!("{name}.pop_front()"),
            4 => {
                let keep = self.closure(Ty::Num, true, |w, _| w.boolean(1));
                format!("{name}.retain({keep})")
            }
            _ => format!("{name}.truncate({})", 1 + self.below(3)),
        })
    }

    fn change_nodes(&mut self, name: &str, ty: Ty) -> Option<String> {
        let push = if ty == Ty::Nodes { "push" } else { "push_back" };
        Some(match self.below(6) {
            0..=2 => {
                let node = self.var(Access::Read, &[Ty::Node])?;
                format!("{name}.{push}({})", self.value(node))
            }
            3 => format!("{name}.extend({})", self.maybe_node(1)?),
            4 => {
                let keep = self.closure(Ty::Node, true, |w, _| w.boolean(1));
                format!("{name}.retain({keep})")
            }
            _ => format!("{name}.truncate({})", 1 + self.below(3)),
        })
    }

    fn change_set(&mut self, name: &str) -> Option<String> {
        Some(match self.below(6) {
            0..=2 => format!("{name}.insert({})", self.num(2)),
            3 => format!("{name}.remove(&{})", self.num(1)),
            4 => format!("{name}.extend([{}, {}])", self.num(1), self.num(1)),
            _ => {
                // In any order the same, so nothing is written to.
                let keep = self.purely(|w| w.closure(Ty::Num, true, |w, item| w.order_free(item)));
                format!("{name}.retain({keep})")
            }
        })
    }

    fn change_map(&mut self, name: &str) -> Option<String> {
        let (key, value) = (self.num(1), self.num(1));
        Some(match self.below(6) {
            0 => format!("{name}.insert({key}, {value})"),
            1 | 2 => format!("*{name}.entry({key}).or_insert({value}) += {}", self.num(1)),
            3 => format!("*{name}.entry({key}).or_default() += {value}"),
            4 => format!("{name}.remove(&{key})"),
            _ => {
                let slot = self.fresh("y");
                format!("{name}.entry({key}).and_modify(|{slot}| *{slot} += 1).or_insert({value})")
            }
        })
    }

    /// A condition on an item of a hashed container: a field may be read for it, but the same one for every item.
    fn order_free(&mut self, item: VarId) -> String {
        let item = self.place(item);
        let other = self.num(0);
        format!("({item} != {other})")
    }

    /// A container changes hands.
    pub fn move_container(&mut self) -> Option<String> {
        let moved = self.env.moved_here(|var| Ty::CONTAINERS.contains(&var.ty));
        if self.chance(40)
            && let Some(id) = self.pick(&moved)
        {
            // Given a new value after it was moved.
            let text = format!("{} = {};\n", self.name_of(id), self.made(self.env.get(id).ty));
            self.env.mention(id, Access::Write);
            self.env.revive(id);
            return Some(text);
        }
        if self.chance(35) {
            let types = Ty::CONTAINERS.map(|ty| if ty == Ty::Slots { Ty::Pair } else { ty });
            let id = self.var(Access::Move, &types)?;
            let (old, ty, name) = (self.name_of(id), self.env.get(id).ty, self.fresh("moved"));
            if ty == Ty::Pair {
                let list = self.fresh("list");
                self.env.declare(&name, Ty::Num, true);
                self.env.declare(&list, Ty::Nums, true);
                return Some(format!("let (mut {name}, mut {list}) = {old};\n"));
            }
            self.env.declare(&name, ty, true);
            let forms = [
                format!("let mut {name} = {old};\n"),
                format!("let (mut {name}, _) = ({old}, 1);\n"),
                format!("let mut {name} = {{ let inner = {old}; inner }};\n"),
            ];
            return Some(self.one_of(forms));
        }
        let id =
            self.var(Access::Write, &[Ty::Nums, Ty::NumQueue, Ty::Nodes, Ty::NumSet, Ty::Sorted, Ty::SortedMap])?;
        let (old, ty) = (self.mutably(id), self.env.get(id).ty);
        let other = self.lending(id, true, |w| w.var(Access::Write, &[ty]));
        if let Some(other) = other
            && self.chance(50)
        {
            return Some(format!("std::mem::swap({old}, {});\n", self.mutably(other)));
        }
        let name = self.fresh("taken");
        self.env.declare(&name, ty, true);
        Some(format!("let mut {name} = std::mem::take({old});\n"))
    }

    /// A reference into a container, held while fields are read.
    pub fn reference(&mut self) -> Option<String> {
        let form = self.below(5);
        let types: &[Ty] = match form {
            0 => &[Ty::Num],
            1 | 2 => &[Ty::Nums],
            3 => &[Ty::Map, Ty::SortedMap],
            _ => &[Ty::Slots],
        };
        let id = self.var(Access::Write, types)?;
        let name = self.name_of(id);
        let held = self.fresh("held");
        let key = self.lending(id, true, |w| w.num(1));
        let body = self.lending(id, true, |w| {
            w.scoped(|w| {
                let held = w.env.declare(&held, Ty::Num, true);
                w.env.get_mut(held).by_ref = true;
                w.env.get_mut(held).pinned = true;
                let before = w.statements(1);
                let change = format!("*{} += {};\n", w.name_of(held), w.num(2));
                let after = if w.chance(50) { w.statements(1) } else { String::new() };
                format!("{before}{change}{after}")
            })
        });
        Some(match form {
            0 => format!("{{\nlet {held} = {};\n{body}}}\n", self.mutably(id)),
            1 => {
                let end = self.one_of(["first_mut", "last_mut"]);
                format!("if let Some({held}) = {name}.{end}() {{\n{body}}}\n")
            }
            2 => format!("if let Some({held}) = {name}.get_mut({key}) {{\n{body}}}\n"),
            3 => {
                let entry = self.one_of([
                    format!("{name}.entry({key}).or_insert(0)"),
                    format!("{name}.entry({key}).or_insert_with(|| 2)"),
                ]);
                format!("{{\nlet {held} = {entry};\n{body}}}\n")
            }
            _ => format!("{{\nlet {held} = &mut {name}[({key}) % 3];\n{body}}}\n"),
        })
    }

    /// A shared reference to a whole container, or to an element, read again after later choices.
    pub fn shared_reference(&mut self) -> Option<String> {
        let id = self.var(Access::Read, &[Ty::Nums])?;
        let name = self.name_of(id);
        let held = self.fresh("held");
        let whole = self.chance(50);
        let body = self.lending(id, false, |w| {
            w.scoped(|w| {
                let held = w.env.declare(&held, if whole { Ty::Nums } else { Ty::Num }, false);
                w.env.get_mut(held).by_ref = true;
                w.statements(2)
            })
        });
        let by = if self.env.get(id).by_ref { "&*" } else { "&" };
        Some(if whole {
            format!("{{\nlet {held} = {by}{name};\n{body}}}\n")
        } else {
            format!("if let Some({held}) = {name}.last() {{\n{body}}}\n")
        })
    }
}
