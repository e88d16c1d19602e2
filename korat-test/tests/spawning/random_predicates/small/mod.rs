//! Small predicates by the thousand, of the families that a lowering could get wrong. A predicate is made from a seed; many
//! share two classes, so that compiling one takes little.

mod borrows;
mod control;
// It runs in the generated package; what is tested of it here is that it finds a difference.
#[allow(dead_code)]
pub mod driver;
mod macros;
mod num;
pub mod package;
mod tallies;
mod writer;

pub use macros::MACROS;
use writer::{Shape, Writer};

/// What every predicate may use, beside its block: the outer meanings of names that inner blocks hide.
const BESIDE: [(&str, &str); 12] = [
    ("bump", "fn bump(x: &mut u8, by: u8) -> u8 {\n*x = x.wrapping_mul(2).wrapping_add(by);\n*x\n}\n"),
    (
        "three(",
        "fn three(a: u8, b: u8, c: u8) -> u8 {\na.wrapping_mul(3).wrapping_add(b).wrapping_mul(3).wrapping_add(c)\n}\n",
    ),
    ("twist(", "fn twist(x: u8) -> u8 {\nx.wrapping_mul(2).wrapping_add(1)\n}\n"),
    ("turn", "fn turn(x: u8) -> u8 {\nx.wrapping_mul(3)\n}\n"),
    ("K", "const K: u8 = 1;\n"),
    ("GRID", "const GRID: [u8; 3] = [1, 2, 3];\n"),
    ("BASE", "static BASE: u8 = 3;\n"),
    ("Number", "type Number = u8;\n"),
    ("Pair ", "struct Pair {\na: u8,\nb: u8,\n}\n"),
    ("Weight(", "struct Weight(u8);\nimpl Weight {\nfn get(&self) -> u8 {\nself.0\n}\n}\n"),
    ("Step", "enum Step {\nSmall,\nLarge,\n}\n"),
    ("Holder", "struct Holder<'a> {\nheld: &'a mut u8,\n}\n"),
];

/// A guard whose drop is noticed.
const GUARD: &str = "struct Guard<'a> {
log: &'a std::cell::Cell<u16>,
number: u8,
}
impl Drop for Guard<'_> {
fn drop(&mut self) {
self.log.set(self.log.get().wrapping_mul(7).wrapping_add(u16::from(self.number) + 1));
}
}
fn guard(log: &std::cell::Cell<u16>, number: u8) -> Guard<'_> {
Guard { log, number }
}
";

/// A predicate: always the same for a seed.
pub struct Small {
    /// The letter of its kind, which begins its name.
    pub kind: char,
    pub seed: u64,
    /// The type that it is the predicate of.
    pub root: String,
    pub source: String,
}

impl Small {
    pub fn of(seed: u64) -> Self {
        let mut w = Writer::new(seed);
        let mut body = String::new();
        for number in 0..2 + w.below(2) {
            let name = ["x", "y", "z"][number];
            body += &format!("let mut {name}: u8 = {};\n", w.below(4));
            w.places.push(name.to_string());
        }
        if w.chance(60) {
            body += &w.let_tally();
        }
        body += &w.walk(Some("a".to_string()), |w| w.statements(3));
        if w.chance(20) {
            body += &w.statements(1);
        }
        let terms: Vec<String> =
            w.places.iter().map(|place| format!("wrapping_mul(3).wrapping_add({place})")).collect();
        let mut verdict = format!("0u8.{}", terms.join("."));
        if body.contains("guard(") {
            body = format!("let log = std::cell::Cell::new(0u16);\n{body}");
            verdict += ".wrapping_add(log.get() as u8)";
        }
        let (name, helper) = match w.shape {
            Shape::List => (
                "List",
                "fn bump_by(x: &mut u8, node: &Node) -> u8 {\n*x = x.wrapping_mul(2).wrapping_add(node.key);\n*x\n}\n",
            ),
            Shape::Row => (
                "Row",
                "fn bump_by(&self, x: &mut u8, at: usize) -> u8 {\n*x = x.wrapping_mul(2).wrapping_add(self.keys[at]);\n*x\n}\n",
            ),
        };
        let root = format!("{name}<{seed}>");
        body += &format!("{verdict} % 5 == self.mark\n");
        let mut method = format!("fn rep_ok(&self) -> bool {{\n{body}}}\n");
        if method.contains("bump_by(") {
            method += helper;
        }
        let (beside, plain) = beside(&w, &method);
        let options = if plain.is_empty() { String::new() } else { format!("(plain({}))", plain.join(", ")) };
        let lifted = format!("#[cfg_attr(feature = \"lifted\", korat::rep_ok{options})]");
        let text = format!("const _: () = {{\n{beside}\n{lifted}\nimpl {root} {{\n{method}}}\n}};\n");
        Small { kind: 's', seed, root, source: super::predicate::indented(&text) }
    }

    /// The name of its file.
    pub fn name(&self) -> String {
        format!("{}{:05}", self.kind, self.seed)
    }
}

/// The items beside the block that it uses, and the types among them.
fn beside(w: &Writer, method: &str) -> (String, Vec<String>) {
    let mut text: String = w.items.concat();
    if method.contains("guard(") {
        text += GUARD;
    }
    for (name, rules) in MACROS {
        if method.contains(&format!("{name}!")) {
            text += &format!("macro_rules! {name} {{\n{rules}\n}}\n");
        }
    }
    let all = format!("{text}{method}");
    for (mention, item) in BESIDE {
        if all.contains(mention) {
            text += item;
        }
    }
    let names = text.lines().filter_map(|line| line.strip_prefix("struct ").or_else(|| line.strip_prefix("enum ")));
    let name = |line: &str| line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_string();
    let plain = names.map(name).collect();
    (text, plain)
}
