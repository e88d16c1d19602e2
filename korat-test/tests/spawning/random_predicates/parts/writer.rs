//! Writes expressions of a predicate on parts: numbers, truth values, calls of helpers.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::super::dice::dice;
use super::scope::{Level, Part, Scope};
use super::types::{By, CLASSES, Helper, Plain, Ret};

pub struct Writer {
    rng: SmallRng,
    names: usize,
    pub seed: u64,
    /// The root class.
    pub root: &'static str,
    pub helpers: Vec<Helper>,
    /// The helper that is being written; `None` for `rep_ok`.
    pub current: Option<usize>,
    pub scope: Scope,
    /// How many more calls the method may have.
    pub calls: usize,
}

dice!(Writer);

impl Writer {
    pub fn new(seed: u64, roots: usize) -> Self {
        let mut w = Writer {
            rng: SmallRng::seed_from_u64(seed ^ 0x7061_7274),
            names: 0,
            seed,
            root: "",
            helpers: Vec::new(),
            current: None,
            scope: Scope::default(),
            calls: 0,
        };
        w.root = CLASSES[w.below(roots)].name;
        w
    }

    /// The text of a class.
    pub fn class(&self, name: &str) -> String {
        if name == self.root { format!("{name}<{}>", self.seed) } else { name.to_string() }
    }

    /// A number, `u8`.
    pub fn num(&mut self, depth: usize) -> String {
        if depth > 0 && self.chance(35) {
            return match self.below(4) {
                0 => format!("({}).wrapping_add({})", self.num(depth - 1), self.num(depth - 1)),
                1 => format!("({} % {})", self.num(depth - 1), self.one_of([2, 3])),
                2 => {
                    let (test, one, two) = (self.truth(depth - 1), self.num(depth - 1), self.num(depth - 1));
                    format!("(if {test} {{ {one} }} else {{ {two} }})")
                }
                _ => self.call_as(depth, true),
            };
        }
        let variables: Vec<String> = match self.scope.is_free {
            true => self.scope.variables.iter().map(variable_as_num).collect(),
            false => Vec::new(),
        };
        let all: Vec<String> = self.scope.nums.iter().cloned().chain(variables).collect();
        match self.pick(&all) {
            Some(one) if self.chance(75) => one,
            _ if self.chance(40) => self.result_as(true).unwrap_or_else(|| "1u8".to_string()),
            _ => format!("{}u8", self.below(3)),
        }
    }

    /// A truth value.
    pub fn truth(&mut self, depth: usize) -> String {
        if depth > 0 && self.chance(75) {
            return match self.below(9) {
                0 | 1 => format!("{} && {}", self.operand(depth - 1), self.operand(depth - 1)),
                2 => format!("{} || {}", self.operand(depth - 1), self.operand(depth - 1)),
                3 => format!("!{}", self.operand(depth - 1)),
                4 => self.of_row(depth),
                _ => self.call_as(depth, false),
            };
        }
        match self.below(6) {
            0 => match self.pick(&self.scope.bools.clone()) {
                Some(known) => known,
                None => self.compared(depth),
            },
            1 => match self.pick(&self.scope.parts.clone()) {
                Some(part) if part.by != By::Node => {
                    format!("{}.{}()", part.place, self.one_of(["is_some", "is_none"]))
                }
                _ => self.compared(depth),
            },
            2 => match self.result_as(false) {
                Some(text) => text,
                None => self.compared(depth),
            },
            _ => self.compared(depth),
        }
    }

    /// A number that depends on something, if anything can be found.
    fn known_num(&mut self, depth: usize) -> String {
        let mut known = self.num(depth);
        for _ in 0..4 {
            if !known.ends_with("u8") {
                break;
            }
            known = self.num(1);
        }
        known
    }

    fn operand(&mut self, depth: usize) -> String {
        format!("({})", self.truth(depth))
    }

    fn compared(&mut self, depth: usize) -> String {
        let by = self.one_of(["==", "!=", "<=", "<=", "<", ">="]);
        let known = self.known_num(depth.saturating_sub(1));
        let other = if self.chance(60) { format!("{}u8", self.one_of([0, 1, 1, 2])) } else { self.num(0) };
        if known == other { format!("{known} == {}u8", self.below(2)) } else { format!("{known} {by} {other}") }
    }

    /// A closure over the elements of a vector.
    fn of_row(&mut self, depth: usize) -> String {
        let Some(row) = self.pick(&self.scope.rows.clone()) else { return self.call_as(depth, false) };
        if self.chance(25) {
            return format!("{}.len() {} {}", row.place, self.one_of(["==", "<", ">"]), self.below(3));
        }
        let name = self.fresh("c");
        let form = self.one_of(["all", "any"]);
        let old = self.scope.clone();
        self.scope.parts.push(Part::node(&name, row.is_boxed, row.class, row.level));
        self.scope.open(&name, row.class, row.level);
        let body = self.truth(depth - 1);
        self.scope = old;
        format!("{}.iter().{form}(|{name}| {body})", row.place)
    }

    /// A call, read as something else.
    fn call_as(&mut self, depth: usize, is_num: bool) -> String {
        for _ in 0..3 {
            if let Some((text, ret)) = self.call()
                && let Some(read) = self.read(&text, ret, is_num)
            {
                return read;
            }
        }
        if is_num { self.num(depth - 1) } else { self.compared(depth - 1) }
    }

    /// A result in scope, read as something else.
    fn result_as(&mut self, is_num: bool) -> Option<String> {
        let (name, ret) = self.pick(&self.scope.results.clone())?;
        self.read(&name, ret, is_num)
    }

    /// What has been returned, as a number or a truth value.
    fn read(&mut self, text: &str, ret: Ret, is_num: bool) -> Option<String> {
        if is_num { self.as_num(text, ret) } else { self.as_truth(text, ret) }
    }

    pub fn as_num(&mut self, text: &str, ret: Ret) -> Option<String> {
        Some(match ret {
            Ret::Num => text.to_string(),
            Ret::OptUsize => format!("{text}.map_or({}u8, |v| v as u8)", self.below(3)),
            Ret::Pair => format!("{text}.0"),
            Ret::Result => format!("{text}.unwrap_or({})", self.below(3)),
            Ret::Text | Ret::List => format!("({text}.len() as u8)"),
            Ret::Bool => format!("u8::from({text})"),
            Ret::Color | Ret::Unit => return None,
        })
    }

    pub fn as_truth(&mut self, text: &str, ret: Ret) -> Option<String> {
        Some(match ret {
            Ret::Bool => text.to_string(),
            Ret::Num => format!("{text} {} {}", self.one_of(["==", "!=", ">="]), self.below(3)),
            Ret::OptUsize => match self.below(3) {
                0 => format!("{text}.is_some()"),
                1 => format!("{text} == Some({})", self.below(3)),
                _ => format!("{text}.is_none()"),
            },
            Ret::Pair => format!("{text}.1"),
            Ret::Result => format!("{text}.is_ok()"),
            Ret::Text => self.one_of([format!("{text}.is_empty()"), format!("{text} != \"ab\"")]),
            Ret::List => self.one_of([format!("{text}.is_empty()"), format!("{text}.contains(&1)")]),
            Ret::Color => format!("({text} == Color::Red)"),
            Ret::Unit => return None,
        })
    }

    /// A value of a type.
    pub fn value(&mut self, ret: Ret, depth: usize) -> String {
        match ret {
            Ret::Bool => self.truth(depth),
            Ret::Num => self.num(depth),
            Ret::OptUsize => match self.below(5) {
                0 => "None".to_string(),
                1 | 2 => format!("Some(usize::from({}))", self.num(depth)),
                _ => format!("({}).then(|| usize::from({}))", self.truth(depth), self.num(0)),
            },
            Ret::Pair => format!("({}, {})", self.num(depth), self.truth(depth)),
            Ret::Result => match self.below(4) {
                0 => "Err(())".to_string(),
                _ => format!("Ok({})", self.num(depth)),
            },
            Ret::Text => {
                let (test, one, two) = (self.truth(depth), self.letters(), self.letters());
                format!("(if {test} {{ {one:?} }} else {{ {two:?} }}).to_string()")
            }
            Ret::Unit => "()".to_string(),
            Ret::Color => format!("(if {} {{ Color::Red }} else {{ Color::Black }})", self.truth(depth)),
            Ret::List => format!("vec![{}, {}]", self.num(depth), self.num(0)),
        }
    }

    fn letters(&mut self) -> &'static str {
        self.one_of(["", "a", "ab"])
    }

    /// A call of a helper on a part in scope.
    pub fn call(&mut self) -> Option<(String, Ret)> {
        if self.calls == 0 {
            return None;
        }
        let may_call = |w: &Self, part: &Part, number: usize| {
            let helper = &w.helpers[number];
            let later = w.current.is_none_or(|current| number > current);
            let from_method = w.current.is_some_and(|current| w.helpers[current].is_method);
            let (by, class) = helper.parts[0];
            class == part.class
                && part.passed(by).is_some()
                && (part.level == Level::Below || part.level == Level::Same && later)
                && (helper.is_method || !from_method)
        };
        let mut all: Vec<(Part, usize)> = Vec::new();
        for part in &self.scope.parts {
            all.extend((0..self.helpers.len()).filter(|&it| may_call(self, part, it)).map(|it| (part.clone(), it)));
        }
        let (part, number) = self.pick(&all)?;
        self.calls -= 1;
        let helper = self.helpers[number].clone();
        let mut arguments = Vec::new();
        if !helper.is_method {
            arguments.extend(part.passed(helper.parts[0].0));
        }
        for &(by, class) in &helper.parts[1..] {
            let parts = self.scope.parts.iter().filter(|part| part.class == class);
            let fitting: Vec<String> = parts.filter_map(|part| part.passed(by)).collect();
            let nothing = if by == By::Node { None } else { Some(if by == By::Opt { "None" } else { "&None" }) };
            arguments.push(self.pick(&fitting).or(nothing.map(str::to_string))?);
        }
        let is_plain = self.current.is_some_and(|current| self.helpers[current].is_plain);
        let is_free = self.scope.is_free;
        let mut left = self.scope.variables.clone();
        let changes = helper.plain.iter().any(|plain| plain.is_mut());
        self.scope.is_free &= !changes;
        for &plain in &helper.plain {
            let argument = match plain {
                Plain::Num => self.num(1 - usize::from(changes || is_plain)),
                Plain::Bool => self.truth(0),
                Plain::OptNum => self.optional(),
                Plain::RefNum => format!("&({})", self.num(0)),
                _ => match left.iter().position(|variable| variable.kind == plain) {
                    Some(at) if is_free => left.remove(at).borrowed(),
                    _ => format!("&mut {}", fresh_value(plain)),
                },
            };
            arguments.push(argument);
        }
        self.scope.is_free = is_free;
        let arguments = arguments.join(", ");
        let text = match helper.is_method {
            true => format!("{}.{}({arguments})", part.place, helper.name),
            false => format!("Self::{}({arguments})", helper.name),
        };
        Some((text, helper.ret))
    }

    fn optional(&mut self) -> String {
        match self.below(3) {
            0 => "None".to_string(),
            _ => format!("Some({})", self.num(0)),
        }
    }
}

/// The value that a variable begins with.
pub fn fresh_value(plain: Plain) -> &'static str {
    match plain {
        Plain::MutList => "Vec::new()",
        Plain::MutCount => "0usize",
        _ => "1u8",
    }
}

fn variable_as_num(variable: &super::scope::Variable) -> String {
    match variable.kind {
        Plain::MutList => format!("({}.len() as u8)", variable.name),
        Plain::MutCount => format!("({} as u8)", variable.value()),
        _ => format!("({})", variable.value()),
    }
}
