//! Expressions that are options: of a node, by links and out of containers, and of a number.

use super::env::{Access, Ty};
use super::expr::TRIES;
use super::family::{Handle, Kind};
use super::writer::Writer;

impl Writer {
    /// An option of a node at hand.
    pub fn maybe_node(&mut self, depth: usize) -> Option<String> {
        for _ in 0..TRIES {
            let form = self.below(if depth == 0 { 4 } else { 11 });
            if let Some(text) = self.maybe_node_form(form, depth) {
                return Some(text);
            }
        }
        self.linked()
    }

    /// What a link leads to.
    pub fn linked(&mut self) -> Option<String> {
        let (field, kind) = self.field(&[Kind::Link, Kind::Link, Kind::Weak])?;
        Some(match (kind, self.family.handle) {
            (Kind::Weak, _) => format!("{field}.upgrade()"),
            (_, Handle::Ref) => self.one_of([format!("{field}.as_deref()"), format!("{field}.as_ref().map(|x| &**x)")]),
            _ => self.one_of([
                format!("{field}.clone()"),
                format!("{field}.as_ref().cloned()"),
                format!("{field}.as_ref().map(Rc::clone)"),
            ]),
        })
    }

    fn maybe_node_form(&mut self, form: usize, depth: usize) -> Option<String> {
        let cloned = if self.family.copies() { "copied" } else { "cloned" };
        Some(match form {
            0..=2 => self.linked()?,
            3 => {
                let id = self.var(Access::Read, &[Ty::MaybeNode])?;
                self.value(id)
            }
            4 => {
                let id = self.var(Access::Read, &[Ty::Node])?;
                format!("Some({})", self.value(id))
            }
            5 => {
                let (one, other) = (self.maybe_node(depth - 1)?, self.maybe_node(depth - 1)?);
                self.one_of([format!("{one}.or({other})"), format!("{one}.or_else(|| {other})")])
            }
            6 => {
                let maybe = self.maybe_node(depth - 1)?;
                let test = self.closure(Ty::Node, true, |w, _| w.boolean(depth - 1));
                format!("{maybe}.filter({test})")
            }
            7 => {
                // The closure owns its parameter, so what it gives back must not borrow from it: links are cloned.
                let maybe = self.maybe_node(depth - 1)?;
                let next = self.closure(Ty::Node, false, |w, _| w.linked().unwrap_or("None".to_string()));
                format!("{maybe}.and_then({next})")
            }
            8 => {
                let id = self.var(Access::Write, &[Ty::Nodes])?;
                format!("{}.pop()", self.name_of(id))
            }
            9 => {
                let id = self.var(Access::Read, &[Ty::Nodes, Ty::NodeQueue])?;
                let (name, ty) = (self.name_of(id), self.env.get(id).ty);
                let ends = if ty == Ty::Nodes { ["first", "last"] } else { ["front", "back"] };
                format!("{name}.{}().{cloned}()", self.one_of(ends))
            }
            _ => {
                let (one, other) = (self.maybe_node(depth - 1)?, self.maybe_node(depth - 1)?);
                format!("(if {} {{ {one} }} else {{ {other} }})", self.boolean(depth - 1))
            }
        })
    }

    /// An `Option<usize>`.
    pub fn maybe_num(&mut self, depth: usize) -> Option<String> {
        let inner = depth.saturating_sub(1);
        Some(match self.below(8) {
            0 => {
                let id = self.var(Access::Read, &[Ty::MaybeNum])?;
                self.value(id)
            }
            1 => format!("Some({})", self.num(inner)),
            2 => format!("usize::checked_sub({}, {})", self.num(inner), self.num(inner)),
            3 => {
                let maybe = self.maybe_node(inner)?;
                let map = self.closure(Ty::Node, false, |w, _| w.num(inner));
                format!("{maybe}.map({map})")
            }
            4 => {
                let id = self.var(Access::Read, &[Ty::Nums])?;
                let name = self.name_of(id);
                let function = self.one_of(["position", "rposition"]);
                let test = self.lending(id, false, |w| w.closure(Ty::Num, true, |w, _| w.boolean(inner)));
                if function == "rposition" {
                    format!("{name}.iter().{function}({test})")
                } else {
                    let found = format!("{name}.iter().{function}({test})");
                    self.one_of([found, format!("{name}.last().copied()")])
                }
            }
            5 => {
                let id = self.var(Access::Write, &[Ty::Map, Ty::SortedMap])?;
                let name = self.name_of(id);
                let key = self.lending(id, true, |w| w.num(inner));
                let value = self.lending(id, true, |w| w.num(inner));
                self.one_of([format!("{name}.remove(&{key})"), format!("{name}.insert({key}, {value})")])
            }
            6 => self.call_for(Ty::MaybeNum)?,
            _ => {
                let id = self.var(Access::Write, &[Ty::Nums])?;
                format!("{}.pop()", self.name_of(id))
            }
        })
    }
}
