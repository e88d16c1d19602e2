//! Macros of the user's own, one for each kind of fragment, and their uses.

use super::writer::Writer;

/// Every macro, in the order of their names; those that are used are written beside the block.
pub const MACROS: [(&str, &str); 18] = [
    ("swap_both", "($x:expr, $y:expr) => { std::mem::swap(&mut $x, &mut $y) };"),
    ("add_to", "($x:expr, $y:expr) => { bump(&mut $x, $y) };"),
    ("assign", "($x:expr, $y:expr) => { $x = $x.wrapping_mul(3).wrapping_add($y) };"),
    ("set_ident", "($x:ident, $y:expr) => { $x = $y };"),
    ("raw", "($($all:tt)*) => { $($all)* };"),
    ("cast_to", "($x:expr, $type:ty) => { (($x) as $type) as u8 };"),
    ("fits", "($x:expr, $pattern:pat) => { match $x { $pattern => true, _ => false } };"),
    ("doing", "($statement:stmt) => { $statement };"),
    ("running", "($block:block) => { $block };"),
    ("plus", "($x:expr, $by:literal) => { $x = $x.wrapping_add($by) };"),
    ("leaving", "($label:lifetime) => { break $label };"),
    ("called", "($path:path, $x:expr, $y:expr) => { $path(&mut $x, $y) };"),
    ("give_up", "($x:expr) => { if $x { return false; } };"),
    ("captured", "($x:ident) => { |by: u8| { $x = $x.wrapping_mul(2).wrapping_add(by); $x } };"),
    ("lent", "($x:expr) => { &mut $x };"),
    ("declare", "($x:ident = $y:expr) => { let mut $x: u8 = $y; };"),
    ("twice", "($x:expr) => { ($x).wrapping_add($x) };"),
    (
        "hygienic",
        "($x:expr, $y:expr) => {{ let sum = 3u8; let by = $y; $x = $x.wrapping_add(by).wrapping_mul(sum); }};",
    ),
];

impl Writer {
    /// A number by a macro.
    pub fn macro_value(&mut self, d: usize) -> Option<String> {
        Some(match self.below(8) {
            0 => format!("twice!({})", self.num(d)),
            1 => format!("cast_to!({}, {})", self.num(d), self.one_of(["u16", "u8", "i32"])),
            2 => format!("u8::from(fits!({} % 4, {}))", self.num(d), self.one_of(["0 | 3", "1..=2", "2"])),
            3 => format!("raw!(({} ^ {}))", self.num(d), self.num(d)),
            4 => {
                let place = self.changeable()?;
                format!("running!({{ {place} = {}; {} }})", self.num(d), self.num(d))
            }
            5 | 6 => {
                let place = self.changeable()?;
                let by = self.locking(&place, |w| w.num(d));
                self.one_of([format!("add_to!({place}, {by})"), format!("called!(bump, {place}, {by})")])
            }
            _ => format!(
                "(|| -> Option<u8> {{ Some(raw!(({}).checked_sub({})?)) }})().unwrap_or(7)",
                self.num(d),
                self.num(d)
            ),
        })
    }

    /// A statement by a macro.
    pub fn macro_statement(&mut self) -> Option<String> {
        Some(match self.below(13) {
            0 => {
                let (one, other) = self.two_changeable()?;
                format!("swap_both!({one}, {other});\n")
            }
            1 => {
                let place = self.changeable()?;
                let by = self.locking(&place, |w| w.num(2));
                format!("add_to!({place}, {by});\n")
            }
            2 => format!("assign!({}, {});\n", self.changeable()?, self.num(2)),
            3 => format!("set_ident!({}, {});\n", self.changeable_name()?, self.num(2)),
            4 => format!("raw! {{ {} = {}; }}\n", self.changeable()?, self.num(2)),
            5 => format!("doing!({} = {});\n", self.changeable()?, self.num(2)),
            6 => format!("plus!({}, {});\n", self.changeable()?, 1 + self.below(4)),
            7 => format!("hygienic!({}, {});\n", self.changeable()?, self.num(2)),
            8 if self.chance(50) => format!("give_up!({});\n", self.condition(1)),
            9 => {
                let name = self.changeable_name()?;
                let closure = self.fresh("f");
                let rest = self.locking(&name, |w| {
                    w.scoped(|w| {
                        w.callables.push(closure.clone());
                        w.statements(2)
                    })
                });
                format!("{{\nlet mut {closure} = captured!({name});\n{rest}{closure}(1);\n}}\n")
            }
            10 => {
                let name = self.changeable_name()?;
                let held = self.fresh("p");
                let rest = self.locking(&name, |w| {
                    w.scoped(|w| {
                        w.places.push(format!("(*{held})"));
                        w.statements(2)
                    })
                });
                format!("{{\nlet {held} = lent!({name});\n{rest}}}\n")
            }
            11 => {
                let (name, value) = (self.fresh("d"), self.num(2));
                self.places.push(name.clone());
                format!("declare!({name} = {value});\n")
            }
            12 => {
                let label = self.labels.last()?.clone();
                format!("if {} {{\nleaving!('{label});\n}}\n", self.condition(1))
            }
            _ => return None,
        })
    }
}
