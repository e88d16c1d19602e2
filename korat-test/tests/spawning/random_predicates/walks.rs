//! More loops: over vectors of the structure, over nodes with their depths, by a struct of the body's own, draining.

use super::env::{Access, Ty};
use super::family::{Handle, Kind};
use super::writer::Writer;

impl Writer {
    /// A struct of the body's own that holds where a walk is.
    pub fn walk_struct(&mut self) -> Option<String> {
        if self.family.handle != Handle::Ref || self.frame.loops > 0 {
            return None;
        }
        let link = self.family.node_fields.iter().find(|field| field.kind == Kind::Link)?.name;
        let (start, walk, item, node) = (self.maybe_node(1)?, self.fresh("walk"), self.fresh("w"), self.family.node);
        self.frame.loops += 1;
        let around = std::mem::take(&mut self.frame.around);
        let body = self.scoped(|w| {
            let id = w.env.declare(&item, Ty::Node, false);
            w.env.get_mut(id).pinned = true;
            (w.statements(2), w.num(1))
        });
        self.frame.around = around;
        self.frame.loops -= 1;
        let (body, value) = body;
        let total = self.fresh("n");
        self.env.declare(&total, Ty::Num, true);
        Some(format!(
            "struct Walk{walk}<'w> {{\nat: Option<&'w {node}>,\nsteps: usize,\npair: (usize, Vec<usize>),\n}}\n\
             let mut {walk} = Walk{walk} {{ at: {start}, steps: 0, pair: (0, Vec::new()) }};\n\
             while let Some({item}) = {walk}.at {{\n{walk}.steps += 1;\nif {walk}.steps > 4 {{\nbreak;\n}}\n\
             {body}{walk}.pair.0 += 1;\n{walk}.pair.1.push({value});\n{walk}.at = {item}.{link}.as_deref();\n}}\n\
             let mut {total}: usize = {walk}.pair.0 + {walk}.pair.1.iter().sum::<usize>();\n"
        ))
    }

    /// A vector is emptied by the loop over it.
    pub fn drain(&mut self) -> Option<String> {
        let id = self.var(Access::Write, &[Ty::Nums, Ty::NumQueue])?;
        if self.frame.loops > 1 {
            return None;
        }
        let (name, item) = (self.name_of(id), self.fresh("y"));
        self.frame.loops += 1;
        let around = std::mem::take(&mut self.frame.around);
        let body = self.lending(id, true, |w| {
            w.scoped(|w| {
                w.env.declare(&item, Ty::Num, false);
                w.statements(2)
            })
        });
        self.frame.around = around;
        self.frame.loops -= 1;
        Some(format!("for {item} in {name}.drain(..) {{\n{body}}}\n"))
    }

    /// A loop over a vector or array of the structure.
    pub fn for_field(&mut self) -> Option<String> {
        if self.frame.loops > 1 {
            return None;
        }
        let (field, kind) = self.field(&[Kind::Numbers, Kind::Pair])?;
        let (item, at) = (self.fresh("y"), self.fresh("i"));
        let numbered = self.chance(30);
        let (label, body) = self.body(false, |w| {
            let id = w.env.declare(&item, Ty::Num, false);
            w.env.get_mut(id).by_ref = kind == Kind::Numbers;
            if numbered {
                w.env.declare(&at, Ty::Num, false);
            }
            w.statements(3)
        });
        let items = match kind {
            Kind::Pair => self.one_of([
                format!("{field}.iter().map(|x| usize::from(*x))"),
                format!("{field}.into_iter().map(usize::from)"),
            ]),
            _ => format!("{field}.iter()"),
        };
        Some(match (numbered, kind) {
            (true, _) => format!("{label}for ({at}, {item}) in {items}.enumerate() {{\n{body}}}\n"),
            (false, Kind::Numbers) if self.chance(50) => format!("{label}for {item} in &{field} {{\n{body}}}\n"),
            (false, _) => format!("{label}for {item} in {items} {{\n{body}}}\n"),
        })
    }

    /// Nodes with their depths, as work.
    pub fn work_of_pairs(&mut self) -> Option<String> {
        if self.frame.loops > 0 {
            return None;
        }
        let start = self.maybe_node(1)?;
        let (work, item, depth, rounds) = (self.fresh("work"), self.fresh("w"), self.fresh("d"), self.fresh("rounds"));
        let links: Vec<&str> =
            self.family.node_fields.iter().filter(|field| field.kind == Kind::Link).map(|field| field.name).collect();
        let (label, body) = self.body(false, |w| {
            let id = w.env.declare(&item, Ty::Node, false);
            w.env.get_mut(id).pinned = true;
            let id = w.env.declare(&depth, Ty::Num, false);
            w.env.get_mut(id).pinned = true;
            let mut body = w.statements(3);
            for link in links {
                let next = match w.family.handle {
                    Handle::Ref => format!("&{item}.{link}"),
                    Handle::Rc => format!("{item}.{link}.clone()"),
                    Handle::Cell => format!("{item}.borrow().{link}.clone()"),
                };
                body += &format!("if let Some(next) = {next} {{\n{work}.push((next, {depth} + 1));\n}}\n");
                if w.chance(30) {
                    body += &w.simple_statement().unwrap_or_default();
                }
            }
            body
        });
        Some(format!(
            "let mut {work} = Vec::new();\nif let Some(next) = {start} {{\n{work}.push((next, 0));\n}}\n\
             let mut {rounds}: usize = 0;\n{label}while let Some(({item}, {depth})) = {work}.pop() {{\n\
             {rounds} += 1;\nif {rounds} > 6 {{\nbreak;\n}}\n{body}}}\n"
        ))
    }
}
