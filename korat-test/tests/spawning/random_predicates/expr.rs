//! Expressions of a wanted type. Operands come from the variables in scope and, first of all, from fields of the structure.

use super::env::{Access, Ty, VarId};
use super::family::{Handle, Kind};
use super::writer::{LIMITS, Writer};

/// How often a form is drawn that the scope may not allow, before a literal is written.
pub const TRIES: usize = 6;

impl Writer {
    /// A `usize`.
    pub fn num(&mut self, depth: usize) -> String {
        for _ in 0..TRIES {
            let form = self.below(if depth == 0 { 6 } else { 24 });
            if let Some(text) = self.num_form(form, depth) {
                return text;
            }
        }
        self.below(4).to_string()
    }

    fn num_form(&mut self, form: usize, depth: usize) -> Option<String> {
        Some(match form {
            0 => self.below(4).to_string(),
            1 | 2 => {
                let id = self.var(Access::Read, &[Ty::Num])?;
                self.value(id)
            }
            3..=5 => self.num_field(depth)?,
            6 => {
                let operator = self.one_of(["+", "+", "*", "^"]);
                format!("({} {operator} {})", self.num(depth - 1), self.num(depth - 1))
            }
            7 => format!("({} % {})", self.num(depth - 1), 2 + self.below(3)),
            8 => {
                let function = self.one_of(["max", "min", "saturating_sub", "wrapping_sub"]);
                format!("usize::{function}({}, {})", self.num(depth - 1), self.num(depth - 1))
            }
            9..=11 => self.num_of_own(depth)?,
            12 => format!(
                "(if {} {{ {} }} else {{ {} }})",
                self.boolean(depth - 1),
                self.num(depth - 1),
                self.num(depth - 1)
            ),
            13 => format!("usize::from({})", self.boolean(depth - 1)),
            14 => self.match_node(depth)?,
            15 => {
                // Written to between its two reads.
                let id = self.var(Access::Write, &[Ty::Num])?;
                if self.chance(50) {
                    let amount = self.num(depth - 1);
                    format!("{{ {} += {amount}; {} }}", self.place(id), self.value(id))
                } else {
                    let amount = self.lending(id, true, |w| w.num(depth - 1));
                    format!("std::mem::replace({}, {amount})", self.mutably(id))
                }
            }
            16 => {
                let id = self.var(Access::Write, &[Ty::Nums])?;
                let name = self.name_of(id);
                format!("{name}.pop().unwrap_or({})", self.num(depth - 1))
            }
            17 => {
                let id = self.var(Access::Write, &[Ty::NumQueue])?;
                let end = self.one_of(["front", "back"]);
                format!("{}.pop_{end}().unwrap_or({})", self.name_of(id), self.num(depth - 1))
            }
            18 => self.call_local(depth)?,
            19 => self.call_for(Ty::Num)?,
            20 => {
                let maybe = self.maybe_num(depth - 1)?;
                format!("{maybe}.unwrap_or({})", self.num(depth - 1))
            }
            21 => self.block_value(depth)?,
            _ => self.extra_num(depth)?,
        })
    }

    /// `{ let x = ..; .. }` as a value.
    fn block_value(&mut self, depth: usize) -> Option<String> {
        let name = self.fresh("t");
        let first = self.num(depth - 1);
        Some(self.scoped(|w| {
            w.env.declare(&name, Ty::Num, true);
            let change = w.simple_statement().unwrap_or_default();
            format!("{{ let mut {name}: usize = {first}; {change} {name} + {} }}", w.num(depth - 1))
        }))
    }

    /// A field as a number.
    fn num_field(&mut self, depth: usize) -> Option<String> {
        let (field, kind) = self.field(&[Kind::Num, Kind::Small, Kind::Tint, Kind::Numbers, Kind::Pair])?;
        Some(match kind {
            Kind::Num => field,
            Kind::Small => self.one_of([format!("usize::from({field})"), format!("({field} as usize)")]),
            Kind::Tint => format!("(match {field} {{ Tint::Red => 0, Tint::Green => 1, Tint::Blue => 4 }})"),
            Kind::Pair => {
                let (at, any) = (self.below(2), self.purely(|w| w.num(0)));
                self.one_of([
                    format!("({field}[{at}] as usize)"),
                    format!("{field}.iter().map(|x| usize::from(*x)).sum::<usize>()"),
                    format!("usize::from({field}[{any} % 2])"),
                ])
            }
            _ => match self.below(4) {
                0 => format!("{field}.len()"),
                1 => format!("{field}.iter().sum::<usize>()"),
                2 => format!("{field}.first().copied().unwrap_or({})", self.purely(|w| w.num(depth.min(1)))),
                _ => {
                    let test = self.purely(|w| w.closure(Ty::Num, true, |w, _| w.boolean(0)));
                    // A filter's parameter is a reference to an item, which is one.
                    format!("{field}.iter().copied().filter({test}).count()")
                }
            },
        })
    }

    /// A number out of what the predicate made for itself.
    fn num_of_own(&mut self, depth: usize) -> Option<String> {
        let mut types = Ty::CONTAINERS.to_vec();
        types.extend([Ty::State, Ty::Counter]);
        let id = self.var(Access::Read, &types)?;
        let name = self.name_of(id);
        let ty = self.env.get(id).ty;
        let inner = depth - 1;
        Some(self.lending(id, false, |w| match ty {
            Ty::Nums | Ty::NumQueue => match w.below(7) {
                0 => format!("{name}.len()"),
                1 => format!("{name}.iter().sum::<usize>()"),
                2 => format!("{name}.iter().copied().max().unwrap_or({})", w.num(inner)),
                3 => {
                    let test = w.closure(Ty::Num, true, |w, _| w.boolean(inner));
                    format!("{name}.iter().copied().filter({test}).count()")
                }
                4 => {
                    let map = w.closure(Ty::Num, true, |w, _| w.num(inner));
                    format!("{name}.iter().map({map}).sum::<usize>()")
                }
                5 => {
                    let (sum, item) = (w.fresh("a"), w.fresh("x"));
                    let body = w.in_closure(|w| {
                        w.env.declare(&sum, Ty::Num, false);
                        let id = w.env.declare(&item, Ty::Num, false);
                        w.env.get_mut(id).by_ref = true;
                        w.num(inner)
                    });
                    format!("{name}.iter().fold({}, |{sum}: usize, {item}| {sum} * 2 + {body})", w.num(inner))
                }
                _ => {
                    let at = w.num(inner);
                    format!("{name}.get({at}).copied().unwrap_or({})", w.num(inner))
                }
            },
            Ty::NumSet | Ty::Sorted => match w.below(3) {
                0 => format!("{name}.len()"),
                1 => format!("{name}.iter().sum::<usize>()"),
                _ => format!("{name}.iter().copied().min().unwrap_or({})", w.num(inner)),
            },
            Ty::Map | Ty::SortedMap => match w.below(3) {
                0 => format!("{name}.len()"),
                1 => format!("{name}.values().sum::<usize>()"),
                _ => {
                    let key = w.num(inner);
                    format!("{name}.get(&{key}).copied().unwrap_or({})", w.num(inner))
                }
            },
            Ty::Slots => {
                let at = w.num(inner);
                let at = format!("{name}[({at}) % 3]");
                w.one_of([format!("{name}.iter().sum::<usize>()"), at])
            }
            Ty::Pair => w.one_of([format!("{name}.0"), format!("{name}.1.len()")]),
            Ty::State => w.one_of([format!("{name}.count"), format!("{name}.list.len()")]),
            Ty::Counter => format!("{name}.get()"),
            _ => format!("{name}.len()"),
        }))
    }

    /// `match` on an option of a node, as a number.
    fn match_node(&mut self, depth: usize) -> Option<String> {
        let maybe = self.maybe_node(depth - 1)?;
        let name = self.fresh("m");
        let (guard, some) = self.scoped(|w| {
            w.env.declare(&name, Ty::Node, false);
            let guard = w.chance(50).then(|| w.purely(|w| w.boolean(depth - 1)));
            (guard, w.num(depth - 1))
        });
        let none = self.num(depth - 1);
        let otherwise = self.num(depth - 1);
        Some(match guard {
            Some(guard) => {
                format!(
                    "(match {maybe} {{ Some({name}) if {guard} => {some}, Some(_) => {otherwise}, None => {none} }})"
                )
            }
            None => format!("(match {maybe} {{ Some({name}) => {some}, None => {none} }})"),
        })
    }

    /// A `bool`.
    pub fn boolean(&mut self, depth: usize) -> String {
        for _ in 0..TRIES {
            let form = self.below(if depth == 0 { 6 } else { 22 });
            if let Some(text) = self.bool_form(form, depth) {
                return text;
            }
        }
        let test = self.num(depth.min(1));
        format!("({test} % 3 != 1)")
    }

    fn bool_form(&mut self, form: usize, depth: usize) -> Option<String> {
        let inner = depth.saturating_sub(1);
        Some(match form {
            0 => {
                let id = self.var(Access::Read, &[Ty::Bool])?;
                self.value(id)
            }
            1..=3 => self.bool_field()?,
            4 => {
                let comparison = self.one_of(["==", "!=", "<", "<=", ">"]);
                format!("({} {comparison} {})", self.num(0), self.num(0))
            }
            5 => format!("({} % {} != {})", self.num(0), 2 + self.below(2), self.below(2)),
            6 | 7 => {
                let comparison = self.one_of(["==", "!=", "<", "<=", ">"]);
                format!("({} {comparison} {})", self.num(inner), self.num(inner))
            }
            8 => format!("!{}", self.boolean(inner)),
            9 | 10 => format!("({} && {})", self.boolean(inner), self.boolean(inner)),
            11 | 12 => format!("({} || {})", self.boolean(inner), self.boolean(inner)),
            13 | 14 => self.bool_of_node(inner)?,
            15 | 16 => self.bool_of_own(inner)?,
            17 | 18 => self.bool_of_insertion(inner)?,
            19 => self.same_node()?,
            20 => self.call_for(Ty::Bool)?,
            _ => {
                // Accumulates in the middle of a condition.
                let id = self.var(Access::Write, &[Ty::Num])?;
                let (place, value) = (self.place(id), self.value(id));
                format!("{{ {place} += {}; {value} % {} != 0 }}", self.num(inner), 2 + self.below(3))
            }
        })
    }

    fn bool_field(&mut self) -> Option<String> {
        let (field, kind) =
            self.field(&[Kind::Flag, Kind::Tint, Kind::Link, Kind::Numbers, Kind::Small, Kind::Num, Kind::Weak])?;
        let literal = self.below(3);
        Some(match kind {
            Kind::Flag => field,
            Kind::Tint => {
                let tint = self.one_of(["Red", "Green", "Blue"]);
                self.one_of([
                    format!("({field} == Tint::{tint})"),
                    format!("matches!({field}, Tint::{tint})"),
                    format!("!matches!({field}, Tint::Green | Tint::Blue)"),
                ])
            }
            Kind::Link => self.one_of([format!("{field}.is_some()"), format!("{field}.is_none()")]),
            Kind::Weak => format!("{field}.upgrade().is_some()"),
            // Elements in an alternative.
            Kind::Numbers if LIMITS && self.chance(10) => format!("matches!({field}.as_slice(), [1, ..] | [])"),
            Kind::Numbers => self.one_of([
                format!("{field}.contains(&{literal})"),
                format!("{field}.is_empty()"),
                format!("{field}.iter().all(|x| *x == {literal})"),
                format!("matches!({field}.as_slice(), [1, ..])"),
            ]),
            _ => {
                let comparison = self.one_of(["==", "!=", "<", ">"]);
                format!("({field} {comparison} {literal})")
            }
        })
    }

    /// A condition on an option of a node.
    fn bool_of_node(&mut self, depth: usize) -> Option<String> {
        let maybe = self.maybe_node(depth)?;
        if self.chance(30) {
            let name = self.fresh("m");
            let guard = self.scoped(|w| {
                w.env.declare(&name, Ty::Node, false);
                w.purely(|w| w.boolean(depth))
            });
            return Some(format!("matches!({maybe}, Some({name}) if {guard})"));
        }
        let function = self.one_of(["is_some_and", "is_none_or"]);
        let test = self.closure(Ty::Node, false, |w, _| w.boolean(depth));
        Some(format!("{maybe}.{function}({test})"))
    }

    fn bool_of_own(&mut self, depth: usize) -> Option<String> {
        let id =
            self.var(Access::Read, &[Ty::Nums, Ty::NumSet, Ty::Sorted, Ty::Map, Ty::Nodes, Ty::State, Ty::Seen])?;
        let (name, ty) = (self.name_of(id), self.env.get(id).ty);
        Some(self.lending(id, false, |w| match ty {
            Ty::Nums if w.chance(60) => {
                let function = w.one_of(["any", "all"]);
                let test = w.closure(Ty::Num, true, |w, _| w.boolean(depth));
                format!("{name}.iter().{function}({test})")
            }
            Ty::Nodes if w.chance(60) => {
                let function = w.one_of(["any", "all"]);
                let test = w.closure(Ty::Node, true, |w, _| w.boolean(depth));
                format!("{name}.iter().{function}({test})")
            }
            Ty::Nums | Ty::NumSet | Ty::Sorted => format!("{name}.contains(&{})", w.num(depth)),
            Ty::Map => format!("{name}.contains_key(&{})", w.num(depth)),
            Ty::State => format!("{name}.on"),
            _ => format!("{name}.is_empty()"),
        }))
    }

    /// A condition that changes a container.
    fn bool_of_insertion(&mut self, depth: usize) -> Option<String> {
        let id = self.var(Access::Write, &[Ty::NumSet, Ty::Sorted, Ty::Seen, Ty::Map, Ty::SortedMap])?;
        let (name, ty) = (self.name_of(id), self.env.get(id).ty);
        self.lending(id, true, |w| {
            let function = w.one_of(["insert", "insert", "remove", "contains"]);
            let by = if function == "insert" { "" } else { "&" };
            Some(match ty {
                Ty::Seen => {
                    let node = w.var(Access::Read, &[Ty::Node])?;
                    format!("{name}.{function}({by}({}))", w.identity(node))
                }
                Ty::Map | Ty::SortedMap => match function {
                    "insert" => format!("{name}.insert({}, {}).is_some()", w.num(depth), w.num(depth)),
                    "remove" => format!("{name}.remove(&{}).is_some()", w.num(depth)),
                    _ => format!("{name}.contains_key(&{})", w.num(depth)),
                },
                _ => format!("{name}.{function}({by}{})", w.num(depth)),
            })
        })
    }

    /// Whether two nodes are one.
    fn same_node(&mut self) -> Option<String> {
        let (one, other) = (self.var(Access::Read, &[Ty::Node])?, self.var(Access::Read, &[Ty::Node])?);
        if self.family.handle != Handle::Ref && self.chance(50) {
            let by = |w: &Self, id: VarId| if w.env.get(id).by_ref { "" } else { "&" };
            let (one_by, other_by) = (by(self, one), by(self, other));
            return Some(format!("Rc::ptr_eq({one_by}{}, {other_by}{})", self.name_of(one), self.name_of(other)));
        }
        let (one, other) = (self.identity(one), self.identity(other));
        Some(format!("std::ptr::eq({one}, {other})"))
    }

    /// A call of a closure or nested function in scope.
    fn call_local(&mut self, depth: usize) -> Option<String> {
        // A closure that is called inside another would be lent to it.
        if self.frame.in_closure {
            return None;
        }
        let pure = self.pure > 0;
        let usable: Vec<_> = self.frame.callables.iter().filter(|it| !it.mutates || !pure).cloned().collect();
        let callable = self.pick(&usable)?;
        let argument = self.purely(|w| w.num(depth - 1));
        Some(format!("{}({argument})", callable.name))
    }
}
