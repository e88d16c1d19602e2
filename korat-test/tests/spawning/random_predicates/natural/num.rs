//! Numbers, `u32`, and conditions; and what plain parts of the structure, strings and pairs are read for. Every expression can
//! stand as an operand.

use super::types::Ty;
use super::writer::{By, Var, Writer};

impl Writer {
    /// A number.
    pub fn num(&mut self, d: usize) -> String {
        match self.below(if d == 0 { 6 } else { 16 }) {
            0 => self.below(4).to_string(),
            1 => {
                let nums = self.nums.clone();
                self.pick(&nums).unwrap_or_else(|| "1".to_string())
            }
            2..=9 => match self.some_var() {
                Some(var) => self.read(&var, d),
                None => self.below(3).to_string(),
            },
            10 => format!("({} + {})", self.num(d - 1), self.num(d - 1)),
            11 => {
                let method = self.one_of(["max", "min", "abs_diff", "saturating_sub", "wrapping_add"]);
                format!("u32::{method}({}, {})", self.num(d - 1), self.num(d - 1))
            }
            12 => format!("({} % 5 * {})", self.num(d - 1), 1 + self.below(3)),
            13 => format!("(if {} {{ {} }} else {{ {} }})", self.cond(d - 1), self.num(d - 1), self.num(d - 1)),
            14 => {
                let callables = self.callables.clone();
                match self.pick(&callables) {
                    Some(name) => format!("{name}({})", self.num(d - 1)),
                    None => self.num(d - 1),
                }
            }
            _ => format!("u32::from({})", self.cond(d - 1)),
        }
    }

    /// A part of the structure: those that came into scope last, first of all.
    pub fn some_var(&mut self) -> Option<Var> {
        let vars = self.vars.clone();
        let recent = vars.len().saturating_sub(3);
        if self.chance(70) { self.pick(&vars[recent..]) } else { self.pick(&vars) }
    }

    /// A condition.
    pub fn cond(&mut self, d: usize) -> String {
        let forms = if d == 0 { 5 } else { 10 };
        let d = d.saturating_sub(1);
        match self.below(forms) {
            0..=4 => {
                let operator = self.one_of(["==", "!=", "<", "<=", ">"]);
                format!("({} {operator} {})", self.num(d), self.num(d))
            }
            5 => format!("({} && {})", self.cond(d), self.cond(d)),
            6 => format!("({} || {})", self.cond(d), self.cond(d)),
            7 => format!("!{}", self.cond(d)),
            8 => format!("(1..=3).contains(&{})", self.num(d)),
            _ => match self.some_var() {
                Some(var) => self.test(&var, d),
                None => "true".to_string(),
            },
        }
    }

    /// Reads a part of the structure for a number.
    pub fn read(&mut self, var: &Var, d: usize) -> String {
        match var.ty {
            Ty::U8 | Ty::Usize | Ty::Bool | Ty::Char | Ty::Color => self.plain(var, d),
            Ty::Text => self.text(var, d),
            Ty::Class(name) => self.class(var, name, d),
            Ty::Opt(inner) => self.option(var, *inner, d),
            Ty::Boxed(inner) | Ty::Rc(inner) => self.read(&var.unboxed(*inner), d),
            Ty::Weak(inner) => self.weak(var, *inner, d),
            Ty::RefCell(inner) => {
                let guard = self.fresh("held");
                let held = Var::of(guard.clone(), *inner, By::Guard);
                let read = self.with(std::slice::from_ref(&held), |w| w.read(&held, d));
                format!("{{ let {guard} = {}.borrow(); {read} }}", var.text).paren()
            }
            Ty::Cell(inner) => {
                let (got, name) = (Var::of(format!("{}.get()", var.text), *inner, By::Place), self.fresh("got"));
                if self.chance(60) {
                    return self.plain(&got, d);
                }
                let held = Var::of(name.clone(), *inner, By::Place);
                format!("{{ let {name} = {}; {} }}", got.text, self.plain(&held, d)).paren()
            }
            Ty::Vec(inner) => self.sequence(var, *inner, d),
            Ty::Array(inner) => self.array(var, *inner, d),
            Ty::Pair(one, other) => self.pair(var, *one, *other, d),
            Ty::Map(key, value) => self.map(var, *key, *value, d),
            Ty::Set(key) => self.set(var, *key, d),
        }
    }

    /// A plain value as a number.
    fn as_num(&mut self, var: &Var) -> String {
        let place = var.place();
        match var.ty {
            Ty::U8 | Ty::Bool | Ty::Char if self.chance(60) => format!("u32::from({place})"),
            Ty::Color if self.chance(50) => format!("u32::from({place} == Color::Red)"),
            Ty::Color => format!("match {} {{ Color::Red => 0, Color::Black => 2 }}", var.reference()).paren(),
            _ => format!("({place} as u32)"),
        }
    }

    fn plain(&mut self, var: &Var, d: usize) -> String {
        let place = var.place();
        let forms = if d == 0 || !self.spend() { 4 } else { 10 };
        match self.below(forms) {
            0..=3 => self.as_num(var),
            4 | 5 => {
                let (pattern, bound) = self.pattern(var.ty, 1);
                let (one, other) = (self.with(&bound, |w| w.num(d - 1)), self.num(d - 1));
                let guard = if self.chance(40) {
                    format!(" if {}", self.with(&bound, |w| w.cond(d - 1)))
                } else {
                    String::new()
                };
                format!("match {} {{ {pattern}{guard} => {one}, _ => {other} }}", var.reference()).paren()
            }
            6 => {
                let name = self.fresh("n");
                let local = Var::of(name.clone(), var.ty, By::Place);
                let (one, guard, other) = (
                    self.with(std::slice::from_ref(&local), |w| w.num(d - 1)),
                    self.with(std::slice::from_ref(&local), |w| w.cond(d - 1)),
                    self.num(d - 1),
                );
                format!("match {place} {{ {name} if {guard} => {one}, _ => {other} }}").paren()
            }
            7 => {
                let (name, twice) = (self.fresh("r"), self.fresh("rr"));
                let local = Var::of(twice.clone(), var.ty, By::RefRef);
                let read = self.with(std::slice::from_ref(&local), |w| w.plain(&local, d - 1));
                format!("{{ let {name} = {}; let {twice} = &{name}; {read} }}", var.reference()).paren()
            }
            8 => {
                let other = self.num(d - 1);
                format!("[{}, {other}].into_iter().max().unwrap_or_default()", self.as_num(var))
            }
            _ => {
                let other = self.num(d - 1);
                let (a, b) = (self.fresh("a"), self.fresh("b"));
                let read = self.as_num(var);
                format!(
                    "match (&{read}, &{other}) {{ (0, {b}) => *{b}, ({a}, 0 | 1) => {a} + 1, ({a}, {b}) => {a} ^ {b} }}"
                )
                .paren()
            }
        }
    }

    fn text(&mut self, var: &Var, d: usize) -> String {
        let text = &var.text;
        let letter = self.fresh("c");
        match self.below(8) {
            0 => format!("({text}.len() as u32)"),
            1 => format!("u32::from({text}.is_empty())"),
            2 => {
                let local = Var::of(letter.clone(), Ty::Char, By::Place);
                let read = self.closure(std::slice::from_ref(&local), |w| w.plain(&local, d.min(1)));
                format!("{text}.chars().map(|{letter}| {read} % 7).sum::<u32>()")
            }
            3 => format!("u32::from({text}.starts_with('a'))"),
            4 => format!(
                "match {text}.as_str() {{ \"\" => 0, \"a\" | \"b\" => {}, other => other.len() as u32 }}",
                self.num(0)
            )
            .paren(),
            5 => format!("({text}.bytes().filter(|{letter}| *{letter} == b'a').count() as u32)"),
            6 => format!("{text}.chars().next().map_or({}, |{letter}| {letter} as u32 % 3)", self.num(0)),
            _ => format!("u32::from({} == \"b\")", var.place()),
        }
    }

    fn pair(&mut self, var: &Var, one: Ty, other: Ty, d: usize) -> String {
        match self.below(4) {
            0 => self.read(&var.field("0", one), d),
            1 => self.read(&var.field("1", other), d),
            2 => {
                let (a, b) = (self.fresh("a"), self.fresh("b"));
                let bound = [Var::of(a.clone(), one, By::Ref), Var::of(b.clone(), other, By::Ref)];
                let read = self.with(&bound, |w| w.num(d));
                format!("{{ let ({a}, {b}) = {}; {read} }}", var.reference()).paren()
            }
            _ => {
                let (pattern, bound) = self.pattern(var.ty, 2);
                let (read, rest) = (self.with(&bound, |w| w.num(d)), self.num(0));
                format!("match {} {{ {pattern} => {read}, _ => {rest} }}", var.reference()).paren()
            }
        }
    }

    /// Tests a part of the structure.
    pub fn test(&mut self, var: &Var, d: usize) -> String {
        let d = d.saturating_sub(1);
        match var.ty {
            Ty::Bool => format!("({})", var.place()),
            Ty::Boxed(inner) | Ty::Rc(inner) => self.test(&var.unboxed(*inner), d),
            Ty::Opt(inner) => self.option_test(var, *inner, d),
            Ty::Class(_) | Ty::Pair(..) | Ty::U8 | Ty::Color if self.chance(60) => {
                let (pattern, bound) = self.pattern(var.ty, 2);
                let guard =
                    if self.chance(40) { format!(" if {}", self.with(&bound, |w| w.cond(d))) } else { String::new() };
                if self.chance(50) {
                    return format!("matches!({}, {pattern}{guard})", var.reference());
                }
                format!("match {} {{ {pattern}{guard} => true, _ => false }}", var.reference()).paren()
            }
            _ => format!("({} > {})", self.read(var, d), self.below(2)),
        }
    }
}

/// Parentheses around what cannot stand as an operand.
pub trait Paren {
    fn paren(self) -> String;
}

impl Paren for String {
    fn paren(self) -> String {
        format!("({self})")
    }
}
