//! Loops, each with an end that does not depend on the structure: over ranges, over the predicate's own containers, over
//! work that the body adds to, along links; and blocks with a label.

use super::env::{Access, Ty, VarId};
use super::family::{Handle, Kind};
use super::writer::{Around, Writer};

/// How deep loops may nest.
const NESTING: usize = 2;

impl Writer {
    pub fn any_loop(&mut self) -> Option<String> {
        if self.frame.loops >= NESTING {
            return None;
        }
        match self.below(13) {
            12 => self.work_list(),
            0 | 1 => Some(self.for_range()),
            2..=4 => self.for_container(),
            5 => Some(self.while_bounded()),
            6 | 7 => self.while_pop(),
            8 => Some(self.loop_with_value()),
            9 | 10 => self.along_links(),
            _ => self.while_next(),
        }
    }

    /// Writes the body of a loop.
    pub fn body(&mut self, gives_num: bool, write: impl FnOnce(&mut Self) -> String) -> (String, String) {
        let label = self.fresh("l");
        self.frame.around.push(Around { label: label.clone(), gives_num, is_block: false });
        self.frame.loops += 1;
        let body = self.scoped(write);
        self.frame.loops -= 1;
        self.frame.around.pop();
        // A label that nothing names is a warning at most.
        (format!("'{label}: "), body)
    }

    /// Counts rounds in a variable that statements cannot write to; the loop must be left at the bound.
    fn rounds(&mut self) -> (String, VarId) {
        let name = self.fresh("rounds");
        let id = self.env.declare(&name, Ty::Num, false);
        self.env.get_mut(id).pinned = true;
        (name, id)
    }

    fn for_range(&mut self) -> String {
        let item = self.fresh("i");
        let ranges = [
            format!("0..{}", 1 + self.below(3)),
            format!("(0..={}).rev()", self.below(3)),
            format!("0..({} % 4)", self.num(1)),
            format!("0..{}.min(3)", self.num_variable()),
        ];
        let range = self.one_of(ranges);
        let (label, body) = self.body(false, |w| {
            w.env.declare(&item, Ty::Num, false);
            w.statements(3)
        });
        format!("{label}for {item} in {range} {{\n{body}}}\n")
    }

    /// A number that a method can be called on.
    fn num_variable(&mut self) -> String {
        match self.var(Access::Read, &[Ty::Num]) {
            Some(id) => format!("({})", self.place(id)),
            None => "2usize".to_string(),
        }
    }

    fn for_container(&mut self) -> Option<String> {
        let types = [Ty::Nums, Ty::Nums, Ty::Nodes, Ty::NumQueue, Ty::NodeQueue, Ty::Sorted, Ty::SortedMap];
        let form = self.below(7);
        match form {
            // By value: the container is gone afterwards.
            0 => {
                let id = self.var(Access::Move, &types)?;
                let (name, ty) = (self.name_of(id), self.env.get(id).ty);
                Some(self.for_items(&name, ty, false))
            }
            1 => {
                let id = self.var(Access::Write, &types)?;
                let (taken, ty) = (format!("std::mem::take({})", self.mutably(id)), self.env.get(id).ty);
                Some(self.for_items(&taken, ty, false))
            }
            2 => {
                let id = self.var(Access::Read, &types)?;
                let (copy, ty) = (format!("{}.clone()", self.name_of(id)), self.env.get(id).ty);
                Some(self.for_items(&copy, ty, false))
            }
            3 => {
                // Each element is written to.
                let id = self.var(Access::Write, &[Ty::Nums, Ty::NumQueue])?;
                let (name, item) = (self.name_of(id), self.fresh("y"));
                let (label, body) = self.lending(id, true, |w| {
                    w.body(false, |w| {
                        let id = w.env.declare(&item, Ty::Num, true);
                        w.env.get_mut(id).by_ref = true;
                        w.statements(2)
                    })
                });
                Some(format!("{label}for {item} in {name}.iter_mut() {{\n{body}}}\n"))
            }
            4 => {
                let id = self.var(Access::Read, &[Ty::Nums, Ty::Nodes, Ty::NumQueue])?;
                let (name, ty) = (self.name_of(id), self.env.get(id).ty);
                let (at, item) = (self.fresh("i"), self.fresh("y"));
                let of = if ty == Ty::Nodes { Ty::Node } else { Ty::Num };
                let (label, body) = self.lending(id, false, |w| {
                    w.body(false, |w| {
                        w.env.declare(&at, Ty::Num, false);
                        let id = w.env.declare(&item, of, false);
                        w.env.get_mut(id).by_ref = true;
                        w.statements(3)
                    })
                });
                Some(format!("{label}for ({at}, {item}) in {name}.iter().enumerate() {{\n{body}}}\n"))
            }
            _ => {
                let id = self.var(Access::Read, &types)?;
                let (name, ty) = (self.name_of(id), self.env.get(id).ty);
                let borrowed = self.env.get(id).by_ref;
                let forms =
                    [format!("{name}.iter()"), if borrowed { format!("{name}.iter()") } else { format!("&{name}") }];
                let source = self.one_of(forms);
                Some(self.lending(id, false, |w| w.for_items(&source, ty, true)))
            }
        }
    }

    fn for_items(&mut self, source: &str, ty: Ty, by_ref: bool) -> String {
        let item = self.fresh("y");
        let second = self.fresh("z");
        let (label, body) = self.body(false, |w| {
            let of = if matches!(ty, Ty::Nodes | Ty::NodeQueue) { Ty::Node } else { Ty::Num };
            let mut ids = vec![w.env.declare(&item, of, false)];
            if ty == Ty::SortedMap {
                ids.push(w.env.declare(&second, Ty::Num, false));
            }
            for id in ids {
                w.env.get_mut(id).by_ref = by_ref;
            }
            w.statements(3)
        });
        let pattern = if ty == Ty::SortedMap { format!("({item}, {second})") } else { item };
        format!("{label}for {pattern} in {source} {{\n{body}}}\n")
    }

    fn while_bounded(&mut self) -> String {
        let bound = 1 + self.below(4);
        self.scoped(|w| {
            let (rounds, _) = w.rounds();
            let (label, text) = w.body(false, |w| {
                let condition = w.condition();
                let rest = w.statements(3);
                format!("while {rounds} < {bound} && {condition} {{\n{rounds} += 1;\n{rest}}}\n")
            });
            format!("let mut {rounds}: usize = 0;\n{label}{text}")
        })
    }

    /// Work that the body adds to.
    fn while_pop(&mut self) -> Option<String> {
        let id = self.var(Access::Write, &[Ty::Nodes, Ty::Nodes, Ty::NodeQueue, Ty::Nums, Ty::NumQueue])?;
        self.env.get_mut(id).pinned = true;
        let (name, ty) = (self.name_of(id), self.env.get(id).ty);
        let pop = if matches!(ty, Ty::Nodes | Ty::Nums) { "pop" } else { self.one_of(["pop_front", "pop_back"]) };
        Some(self.while_some(&format!("{name}.{pop}()"), matches!(ty, Ty::Nodes | Ty::NodeQueue), None))
    }

    /// Every node from the root on, or some of them, with work on each.
    pub fn work_list(&mut self) -> Option<String> {
        let start = self.linked()?;
        let name = self.fresh("work");
        let (ty, new, add, pop) = self.one_of([
            (Ty::Nodes, "Vec::new()", "push", "pop"),
            (Ty::NodeQueue, "VecDeque::new()", "push_back", "pop_front"),
        ]);
        let declared = self.type_text(ty, "");
        let id = self.env.declare(&name, ty, true);
        self.env.get_mut(id).pinned = true;
        let begin = self.one_of([
            format!("{name}.extend({start});\n"),
            format!("if let Some(first) = {start} {{\n{name}.{add}(first);\n}}\n"),
        ]);
        let rounds = self.while_some(&format!("{name}.{pop}()"), true, Some(&name));
        Some(format!("let mut {name}: {declared} = {new};\n{begin}{rounds}"))
    }

    /// `while let Some(item) = source`, some rounds at most; the links of each item become work.
    fn while_some(&mut self, source: &str, nodes: bool, work: Option<&str>) -> String {
        let (item, bound) = (self.fresh("w"), 4 + self.below(5));
        let seen = self.fresh("seen");
        let with_seen = work.is_some() && self.chance(50);
        self.scoped(|w| {
            let (rounds, _) = w.rounds();
            let mut begin = format!("let mut {rounds}: usize = 0;\n");
            if with_seen {
                let id = w.env.declare(&seen, Ty::Seen, false);
                w.env.get_mut(id).pinned = true;
                begin += &format!("let mut {seen}: {} = HashSet::new();\n", w.type_text(Ty::Seen, ""));
            }
            let (label, body) = w.body(false, |w| {
                let id = w.env.declare(&item, if nodes { Ty::Node } else { Ty::Num }, false);
                w.env.get_mut(id).pinned = true;
                let mut body = format!("{rounds} += 1;\nif {rounds} > {bound} {{\nbreak;\n}}\n");
                if with_seen {
                    let identity = w.identity(id);
                    let leave = w.leave().unwrap_or_default();
                    body += &format!("if !{seen}.insert({identity}) {{\n{leave}\n}}\n");
                }
                body += &w.statement();
                body += &w.statements(3);
                body += &work.map(|work| w.add_links(&item, work)).unwrap_or_default();
                body
            });
            format!("{begin}{label}while let Some({item}) = {source} {{\n{body}}}\n")
        })
    }

    /// Adds what a node's links lead to.
    fn add_links(&mut self, item: &str, work: &str) -> String {
        let mut text = String::new();
        let links = self.family.node_fields.iter().filter(|field| field.kind == Kind::Link);
        for link in links {
            let name = link.name;
            if self.chance(85) {
                text += &match self.family.handle {
                    Handle::Ref => format!("{work}.extend({item}.{name}.as_deref());\n"),
                    Handle::Rc => format!("{work}.extend({item}.{name}.clone());\n"),
                    Handle::Cell => format!("{work}.extend({item}.borrow().{name}.clone());\n"),
                };
                if self.chance(25) {
                    text += &self.simple_statement().unwrap_or_default();
                }
            }
        }
        text
    }

    fn loop_with_value(&mut self) -> String {
        let (result, bound) = (self.fresh("n"), 1 + self.below(3));
        let text = self.scoped(|w| {
            let (rounds, _) = w.rounds();
            let (label, body) = w.body(true, |w| {
                let first = w.num(1);
                let rest = w.statements(3);
                let condition = w.boolean(1);
                let second = w.num(1);
                format!(
                    "{rounds} += 1;\nif {rounds} > {bound} {{\nbreak {first};\n}}\n{rest}if {condition} {{\nbreak {second};\n}}\n"
                )
            });
            format!("let mut {rounds}: usize = 0;\nlet mut {result}: usize = {label}loop {{\n{body}}};\n")
        });
        self.env.declare(&result, Ty::Num, true);
        text
    }

    /// Follows a link from an object on.
    fn along_links(&mut self) -> Option<String> {
        let links: Vec<_> = self.family.node_fields.iter().filter(|field| field.kind == Kind::Link).collect();
        let link = self.pick(&links)?.name;
        let (at, item) = (self.fresh("at"), self.fresh("w"));
        let by_link = self.family.handle == Handle::Ref && self.chance(40);
        let start = if by_link { format!("&{}", self.field(&[Kind::Link])?.0) } else { self.maybe_node(1)? };
        let bound = 3 + self.below(4);
        let text = self.scoped(|w| {
            let (rounds, _) = w.rounds();
            let cursor = if by_link {
                None
            } else {
                let id = w.env.declare(&at, Ty::MaybeNode, false);
                w.env.get_mut(id).pinned = true;
                Some(id)
            };
            let (label, body) = w.body(false, |w| {
                let id = w.env.declare(&item, Ty::Node, false);
                w.env.get_mut(id).pinned = true;
                w.statements(3)
            });
            let source = cursor.map_or(at.clone(), |id| w.value(id));
            let opened = if by_link { format!("let {item} = &**{item};\n") } else { String::new() };
            let again = match w.family.handle {
                Handle::Ref if by_link => format!("{at} = &{item}.{link};\n"),
                Handle::Ref => format!("{at} = {item}.{link}.as_deref();\n"),
                Handle::Rc => format!("{at} = {item}.{link}.clone();\n"),
                Handle::Cell => format!("{at} = {item}.borrow().{link}.clone();\n"),
            };
            // With the step at the end, a `continue` stays where it is until the rounds are used up.
            let (first, last) = if w.chance(50) { (again, String::new()) } else { (String::new(), again) };
            format!(
                "let mut {rounds}: usize = 0;\nlet mut {at} = {start};\n{label}while let Some({item}) = {source} {{\n\
                 {opened}{first}{rounds} += 1;\nif {rounds} > {bound} {{\nbreak;\n}}\n{body}{last}}}\n"
            )
        });
        Some(text)
    }

    /// An iterator that is asked by hand, between other things.
    fn while_next(&mut self) -> Option<String> {
        let id = self.var(Access::Read, &[Ty::Nums, Ty::NumQueue, Ty::Sorted])?;
        let (name, items, item) = (self.name_of(id), self.fresh("items"), self.fresh("y"));
        let by_value = self.chance(40);
        let source = if by_value { format!("{name}.clone().into_iter()") } else { format!("{name}.iter()") };
        let (label, body) = self.lending(id, false, |w| {
            w.body(false, |w| {
                let id = w.env.declare(&item, Ty::Num, false);
                w.env.get_mut(id).by_ref = !by_value;
                w.statements(3)
            })
        });
        Some(format!(
            "{{\nlet mut {items} = {source};\n{label}while let Some({item}) = {items}.next() {{\n{body}}}\n}}\n"
        ))
    }

    /// A block that is left early with a number.
    pub fn labelled_block(&mut self) -> Option<String> {
        let (label, result) = (self.fresh("b"), self.fresh("n"));
        self.frame.around.push(Around { label: label.clone(), gives_num: true, is_block: true });
        let body = self.scoped(|w| {
            let before = w.statements(2);
            let (condition, early) = (w.boolean(1), w.num(1));
            let after = w.statements(1);
            format!("{before}if {condition} {{\nbreak '{label} {early};\n}}\n{after}{}\n", w.num(1))
        });
        self.frame.around.pop();
        self.env.declare(&result, Ty::Num, true);
        Some(format!("let mut {result}: usize = '{label}: {{\n{body}}};\n"))
    }
}
