//! One predicate: a module of Rust source made from a seed, the classes, the block with `rep_ok` and its helpers.

use super::env::{Access, Env, Ty};
use super::extras::ON_DEMAND;
use super::helpers::with_items;
use super::writer::{Frame, Ret, Writer};

/// The module of a seed: always the same.
pub struct Predicate {
    pub seed: u64,
    /// The name of the root class.
    pub root: &'static str,
    pub source: String,
}

const IMPORTS: &str = "
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::rc::{Rc, Weak};

#[cfg(feature = \"lifted\")]
use korat::{Finitize, rep_ok};
";

impl Predicate {
    pub fn of(seed: u64) -> Self {
        let mut writer = Writer::new(seed);
        let family = writer.family;
        writer.sign_helpers();
        let mut tidy = "";
        let mut methods = vec![writer.rep_ok()];
        if let Some((source, call)) = family.tidy
            && methods[0].contains(call)
        {
            tidy = source;
        }
        for number in 0..writer.helpers.len() {
            methods.push(writer.helper(number));
        }
        for (name, method) in ON_DEMAND {
            if methods.iter().any(|known| known.contains(name)) {
                methods.push(method.to_string());
            }
        }
        let root = family.root;
        let (classes, methods) = (family.source, methods.join("\n"));
        let lifted = "#[cfg_attr(feature = \"lifted\", rep_ok)]";
        let text = format!("{IMPORTS}{classes}\n{lifted}\nimpl {root} {{\n{methods}{tidy}}}\n");
        Predicate { seed, root, source: indented(&text) }
    }

    /// The name of its module.
    pub fn name(&self) -> String {
        format!("p{:04}", self.seed)
    }
}

impl Writer {
    fn rep_ok(&mut self) -> String {
        (self.env, self.frame) = (Env::default(), Frame::of(Ret::Bool, true));
        self.budget = 4 + self.below(8) as i32;
        self.frame.callees = (0..self.helpers.len()).collect();
        let mut body = String::new();
        for _ in 0..1 + self.below(2) {
            let name = self.fresh("count");
            self.env.declare(&name, Ty::Num, true);
            body += &format!("let mut {name}: usize = 0;\n");
        }
        for _ in 0..1 + self.below(2) {
            body += &self.let_container();
        }
        if self.chance(60) {
            body += &self.work_list().unwrap_or_default();
        }
        body += &self.statements(4);
        for number in 0..self.helpers.len() {
            if self.chance(70) {
                body += &self.let_call(number).unwrap_or_default();
            }
        }
        body += &self.statements(2);
        let tidy = self.family.tidy.map(|(_, call)| call).filter(|_| self.chance(75));
        let verdict = self.verdict();
        match tidy {
            Some(call) if self.chance(25) => body = format!("if !({call}) {{\nreturn false;\n}}\n{body}{verdict}"),
            Some(call) => body += &format!("{verdict} && {call}"),
            None => body += &verdict,
        }
        format!("pub fn rep_ok(&self) -> bool {{\n{}\n}}\n", with_items(&body))
    }

    /// What the predicate says in the end: something about the state it has come to.
    fn verdict(&mut self) -> String {
        let mut terms = Vec::new();
        for id in self.env.usable(Access::Read, |_| true) {
            let (name, ty) = (self.name_of(id), self.env.get(id).ty);
            let term = match ty {
                Ty::Num => name,
                Ty::Bool => format!("usize::from({name})"),
                Ty::MaybeNum => format!("{name}.unwrap_or(1)"),
                Ty::MaybeNode => format!("usize::from({name}.is_some())"),
                Ty::Nums | Ty::Sorted | Ty::NumSet => format!("{name}.iter().sum::<usize>()"),
                Ty::Map | Ty::SortedMap => format!("{name}.values().sum::<usize>()"),
                Ty::Nodes | Ty::NumQueue | Ty::NodeQueue | Ty::Seen | Ty::Ranks | Ty::Heap | Ty::Text => {
                    format!("{name}.len()")
                }
                Ty::Slots => format!("{name}[1]"),
                Ty::Pair => format!("{name}.0"),
                Ty::State => format!("{name}.count"),
                Ty::Counter => format!("{name}.get()"),
                Ty::Log => format!("{name}.borrow().len()"),
                Ty::Phase => format!("usize::from({name} == Phase::Even)"),
                Ty::Node | Ty::Guard => continue,
            };
            if self.chance(70) {
                self.env.mention(id, Access::Read);
                terms.push(term);
            }
        }
        terms.push(self.num(1));
        let (modulus, rest) = (2 + self.below(3), self.below(2));
        let mut verdict = format!("(({}) % {modulus} != {rest})", terms.join(" + "));
        if self.chance(35) {
            let operator = self.one_of(["&&", "||"]);
            verdict = format!("({verdict} {operator} {})", self.boolean(2));
        }
        verdict
    }
}

/// The text with one level per brace; no brace is in a literal.
pub fn indented(text: &str) -> String {
    let mut level = 0usize;
    let mut out = String::new();
    for line in text.trim_start().lines() {
        let line = line.trim();
        let closes = line.chars().take_while(|c| *c == '}').count();
        let indent = level.saturating_sub(closes);
        if line.is_empty() {
            out.push('\n');
        } else {
            out += &format!("{:width$}{line}\n", "", width = 4 * indent);
        }
        level += line.matches('{').count();
        level -= line.matches('}').count().min(level);
    }
    out
}
