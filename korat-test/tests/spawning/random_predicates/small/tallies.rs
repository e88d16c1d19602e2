//! Types of the predicate's own with methods named like std's, with every kind of receiver; and guards whose drop writes
//! to a cell.

use super::writer::Writer;

/// How a method takes its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Receiver {
    Mut,
    Ref,
    Value,
}

/// A local of a type of the predicate's own.
#[derive(Clone)]
pub struct Tally {
    name: String,
    methods: Vec<(&'static str, Receiver)>,
}

/// Names of std's that a method of a user's type may have.
const NAMES: [&str; 40] = [
    "max",
    "min",
    "count",
    "skip",
    "filter",
    "map",
    "take",
    "next",
    "last",
    "get",
    "insert",
    "push",
    "len",
    "zip",
    "rev",
    "fold",
    "sum",
    "unwrap",
    "into_inner",
    "or",
    "and",
    "iter",
    "swap",
    "replace",
    "get_mut",
    "last_mut",
    "iter_mut",
    "as_ref",
    "as_mut",
    "cloned",
    "collect",
    "by_ref",
    "borrow",
    "borrow_mut",
    "set",
    "into_iter",
    "pop",
    "expect",
    "unwrap_or",
    "product",
];

impl Writer {
    /// A type, beside the block or in the body, and a local of it.
    pub fn let_tally(&mut self) -> String {
        let (type_name, name) = (self.fresh("Tally"), self.fresh("t"));
        let copied = self.chance(50);
        let mut methods: Vec<(&'static str, Receiver)> = Vec::new();
        for _ in 0..1 + self.below(2) {
            let method = self.one_of(NAMES);
            if !methods.iter().any(|(known, _)| *known == method) {
                methods.push((method, self.one_of([Receiver::Mut, Receiver::Mut, Receiver::Ref, Receiver::Value])));
            }
        }
        let derived = if copied { "#[derive(Clone, Copy)]\n" } else { "" };
        let mut source = format!("{derived}struct {type_name} {{\nn: u8,\n}}\nimpl {type_name} {{\n");
        for (method, receiver) in &methods {
            source += &match receiver {
                Receiver::Mut => {
                    format!(
                        "fn {method}(&mut self, by: u8) -> u8 {{\nself.n = self.n.wrapping_mul(2).wrapping_add(by);\nself.n\n}}\n"
                    )
                }
                Receiver::Ref => format!("fn {method}(&self, by: u8) -> u8 {{\nself.n ^ by\n}}\n"),
                Receiver::Value => {
                    format!(
                        "fn {method}(self, by: u8) -> {type_name} {{\n{type_name} {{ n: self.n.wrapping_mul(3).wrapping_add(by) }}\n}}\n"
                    )
                }
            };
        }
        source += "}\n";
        let value = self.num(1);
        self.places.push(format!("{name}.n"));
        self.tallies.push(Tally { name: name.clone(), methods });
        let local = format!("let mut {name} = {type_name} {{ n: {value} }};\n");
        if self.chance(25) {
            return source + &local;
        }
        self.item(&source);
        local
    }

    fn tally_method(&mut self, fits: impl Fn(Receiver) -> bool) -> Option<(String, &'static str, Receiver)> {
        let mut all = Vec::new();
        for Tally { name, methods } in &self.tallies {
            for (method, receiver) in methods {
                if fits(*receiver) && self.is_usable(name, *receiver != Receiver::Ref) {
                    all.push((name.clone(), *method, *receiver));
                }
            }
        }
        self.pick(&all)
    }

    /// A call that gives a number.
    pub fn tally_value(&mut self, depth: usize) -> Option<String> {
        let (name, method, _) = self.tally_method(|receiver| receiver != Receiver::Value)?;
        let argument = self.locking(&name, |w| w.num(depth));
        Some(format!("{name}.{method}({argument})"))
    }

    /// A call as a statement.
    pub fn tally_statement(&mut self) -> Option<String> {
        let (name, method, receiver) = self.tally_method(|_| true)?;
        let argument = self.locking(&name, |w| w.num(2));
        Some(match receiver {
            Receiver::Value => format!("{name} = {name}.{method}({argument});\n"),
            Receiver::Mut | Receiver::Ref => format!("{name}.{method}({argument});\n"),
        })
    }

    /// Guards that write to the log when they go.
    pub fn guards(&mut self) -> String {
        let (held, other) = (self.fresh("guard"), self.fresh("guard"));
        let first = format!("let {held} = guard(&log, {});\n", self.num(1));
        let inner = match self.below(6) {
            0 => format!("let _ = guard(&log, {});\n", self.num(1)),
            1 => format!("let {held} = guard(&log, {held}.number ^ 1);\n"),
            2 => format!("if {} {{\ndrop({held});\n}}\n", self.condition(1)),
            3 => format!("let mut {other} = guard(&log, 1);\n{other} = guard(&log, {});\n", self.num(1)),
            4 => format!("let mut {other} = Some({held});\nif {} {{\n{other} = None;\n}}\n", self.condition(1)),
            _ => {
                let leave = self.leave().unwrap_or_default();
                format!("let {other} = guard(&log, 2);\n{leave}")
            }
        };
        let rest = self.scoped(|w| w.statements(2));
        format!("{{\n{first}{inner}{rest}}}\n")
    }
}
