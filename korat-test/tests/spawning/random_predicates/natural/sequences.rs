//! What vectors, arrays, maps and sets are read for: iterators with adapters, slices, loops.

use super::num::Paren;
use super::types::Ty;
use super::writer::{By, Var, Writer};

impl Writer {
    /// Reads a vector.
    pub fn sequence(&mut self, var: &Var, inner: Ty, d: usize) -> String {
        let text = &var.text;
        if d == 0 || !self.spend() {
            return self.one_of([format!("({text}.len() as u32)"), format!("u32::from({text}.is_empty())")]);
        }
        if self.chance(45) {
            return self.slice(var, inner, d);
        }
        let (it, at, rest) = (self.fresh("it"), self.fresh("at"), self.num(0));
        let local = [Var::of(it.clone(), inner, By::Ref)];
        let twice = [Var::of(it.clone(), inner, By::RefRef)];
        match self.below(13) {
            0 => format!("{text}.iter().map(|{it}| {}).sum::<u32>()", self.closure(&local, |w| w.num(d - 1))),
            1 => {
                let test = self.closure(&twice, |w| w.test(&w.vars[w.vars.len() - 1].clone(), d - 1));
                format!("({text}.iter().filter(|{it}| {test}).count() as u32)")
            }
            2 => {
                let (count, read) = (self.fresh("count"), self.with(&local, |w| w.num(d - 1)));
                let stop = self.with(&local, |w| w.cond(d - 1));
                let way = self.one_of(["break", "continue"]);
                let over = if self.chance(50) { format!("{text}.iter()") } else { var.reference() };
                let label = self.label();
                format!(
                    "{{ let mut {count} = 0; {label}: for {it} in {over} {{ if {stop} {{ {way} {label}; }} {count} += {read}; }} {count} }}"
                )
                .paren()
            }
            3 => {
                let also = [local[0].clone(), Var::of(at.clone(), Ty::Usize, By::Place)];
                let read = self.closure(&also, |w| w.num(d - 1));
                let how = self.one_of(["", ".rev()", ".skip(1)"]);
                format!("{text}.iter().enumerate(){how}.map(|({at}, {it})| {read}).max().unwrap_or({rest})")
            }
            4 => {
                let test = self.closure(&local, |w| w.cond(d - 1));
                let method = self.one_of(["any", "all"]);
                format!("u32::from({text}.iter().{method}(|{it}| {test}))")
            }
            5 => {
                let read = self.closure(&local, |w| w.num(d - 1));
                format!("{text}.iter().fold({rest}, |sum: u32, {it}| sum.wrapping_mul(3) ^ {read})")
            }
            6 => {
                let test = self.closure(&local, |w| w.cond(d - 1));
                format!("{text}.iter().position(|{it}| {test}).map_or({rest}, |{at}| {at} as u32)")
            }
            7 => {
                let (test, read) = (self.closure(&twice, |w| w.cond(d - 1)), self.closure(&local, |w| w.num(d - 1)));
                let method = self.one_of(["take_while", "skip_while", "filter"]);
                format!("{text}.iter().{method}(|{it}| {test}).map(|{it}| {read}).sum::<u32>()")
            }
            8 => {
                let read = self.closure(&local, |w| w.num(d - 1));
                let next = self.fresh("next");
                format!("{text}.iter().zip({text}.iter().skip(1)).map(|({it}, {next})| {read}).sum::<u32>()")
            }
            9 => {
                let (test, read) = (self.closure(&local, |w| w.cond(d - 1)), self.closure(&local, |w| w.num(d - 1)));
                format!("{text}.iter().filter_map(|{it}| ({test}).then(|| {read})).next().unwrap_or({rest})")
            }
            10 => {
                let read = self.closure(&local, |w| w.num(d - 1));
                format!("{text}.iter().map(|{it}| {read}).collect::<std::collections::BTreeSet<u32>>().len() as u32")
                    .paren()
            }
            11 => {
                let read = self.closure(&local, |w| w.num(d - 1));
                format!("{{ let mut all: Vec<u32> = {text}.iter().map(|{it}| {read}).collect(); all.sort_unstable(); all.dedup(); all.first().copied().unwrap_or({rest}) }}").paren()
            }
            _ => {
                let (i, read) = (
                    self.fresh("i"),
                    self.with(&[Var::of(format!("{text}[{at}]"), inner, By::Place)], |w| w.num(d - 1)),
                );
                format!("{{ let mut {i} = 0; for {at} in 0..{text}.len() {{ {i} += {read}; }} {i} }}").paren()
            }
        }
    }

    /// Reads a vector as a slice.
    fn slice(&mut self, var: &Var, inner: Ty, d: usize) -> String {
        let text = &var.text;
        let (it, last, rest) = (self.fresh("it"), self.fresh("last"), self.num(0));
        let local = [Var::of(it.clone(), inner, By::Ref)];
        let both = [local[0].clone(), Var::of(last.clone(), inner, By::Ref)];
        match self.below(9) {
            0 => {
                let (one, two) = (self.with(&local, |w| w.num(d - 1)), self.with(&both, |w| w.num(d - 1)));
                let scrutinee = self.one_of([format!("{text}.as_slice()"), format!("&{text}[..]")]);
                format!("match {scrutinee} {{ [] => {rest}, [{it}] => {one}, [{it}, .., {last}] => {two} }}").paren()
            }
            1 => {
                let one = self.with(&local, |w| w.num(d - 1));
                let tail = self.fresh("tail");
                format!(
                    "if let [{it}, {tail} @ ..] = {text}.as_slice() {{ {one} + {tail}.len() as u32 }} else {{ {rest} }}"
                )
                .paren()
            }
            2 => {
                let method = self.one_of(["first()", "last()", "get(0)", "get(1)", "iter().next()"]);
                let read = self.closure(&local, |w| w.num(d - 1));
                format!("{text}.{method}.map_or({rest}, |{it}| {read})")
            }
            3 => {
                let pair = self.fresh("pair");
                let parts =
                    [Var::of(format!("{pair}[0]"), inner, By::Place), Var::of(format!("{pair}[1]"), inner, By::Place)];
                let test = self.closure(&parts, |w| w.cond(d - 1));
                format!("u32::from({text}.windows(2).all(|{pair}| {test}))")
            }
            4 => {
                let read = self.with(&local, |w| w.num(d - 1));
                let tail = self.fresh("tail");
                format!("match {text}.split_first() {{ Some(({it}, {tail})) => {read} + {tail}.len() as u32, None => {rest} }}").paren()
            }
            5 if self.has_helpers => {
                let key = format!("of_{}", inner.name().replace(|c: char| !c.is_alphanumeric(), "_").to_lowercase());
                if !self.helpers.iter().any(|(known, _)| *known == key) {
                    let parameter = [Var::of("first", inner, By::Ref)];
                    let read = self.function(super::writer::Ret::Num, &parameter, |w| w.num(d - 1));
                    let helper = format!(
                        "fn {key}(all: &[{}]) -> u32 {{ let [first, rest @ ..] = all else {{ return 0 }}; {read} + Self::{key}(rest) }}\n",
                        inner.name()
                    );
                    self.helpers.push((key.clone(), helper));
                }
                format!("Self::{key}(&{text})")
            }
            6 if inner.is_plain() => {
                let value = Var::of(it.clone(), inner, By::Place);
                let read = self.closure(std::slice::from_ref(&value), |w| w.read(&value, d - 1));
                let how =
                    self.one_of([format!("iter().copied().map(|{it}| {read})"), format!("iter().map(|&{it}| {read})")]);
                format!("{text}.{how}.sum::<u32>()")
            }
            7 => {
                let (items, read) = (self.fresh("items"), self.with(&local, |w| w.num(d - 1)));
                format!("{{ let mut {items} = {text}.iter().rev().peekable(); let mut sum = 0; while let Some({it}) = {items}.next() {{ sum += {read}; if {items}.peek().is_none() {{ break; }} }} sum }}").paren()
            }
            _ => {
                let (read, key) = (
                    self.closure(&local, |w| w.num(d - 1)),
                    self.closure(&[Var::of(it.clone(), inner, By::RefRef)], |w| w.num(0)),
                );
                let method = self.one_of(["max_by_key", "min_by_key"]);
                format!("{text}.iter().{method}(|{it}| {key}).map_or({rest}, |{it}| {read})")
            }
        }
    }

    /// Reads an array of two.
    pub fn array(&mut self, var: &Var, inner: Ty, d: usize) -> String {
        let text = &var.text;
        let (it, other) = (self.fresh("it"), self.fresh("other"));
        let both = [Var::of(it.clone(), inner, By::Ref), Var::of(other.clone(), inner, By::Ref)];
        match self.below(5) {
            0 => {
                let element = Var::of(format!("{text}[{}]", self.below(2)), inner, By::Place);
                self.read(&element, d)
            }
            1 => {
                let read = self.with(&both, |w| w.num(d));
                format!("{{ let [{it}, {other}] = {}; {read} }}", var.reference()).paren()
            }
            2 => format!("{text}.iter().map(|{it}| {}).sum::<u32>()", self.closure(&both[..1], |w| w.num(d.min(1)))),
            3 => {
                let values = [Var::of(it.clone(), inner, By::Place), Var::of(other.clone(), inner, By::Place)];
                let read = self.with(&values, |w| w.num(d));
                format!("match {} {{ [{it}, {other}] => {read} }}", var.place()).paren()
            }
            _ => {
                let (sum, value) = (self.fresh("sum"), [Var::of(it.clone(), inner, By::Place)]);
                let read = self.with(&value, |w| w.num(d.min(1)));
                format!("{{ let mut {sum} = 0; for {it} in {} {{ {sum} += {read}; }} {sum} }}", var.place()).paren()
            }
        }
    }

    /// Reads a map.
    pub fn map(&mut self, var: &Var, key: Ty, value: Ty, d: usize) -> String {
        let text = &var.text;
        let (k, v, rest) = (self.fresh("k"), self.fresh("v"), self.num(0));
        let both = [Var::of(k.clone(), key, By::Ref), Var::of(v.clone(), value, By::Ref)];
        let only = &both[1..];
        match self.below(9) {
            0 => format!("({text}.len() as u32)"),
            1 => format!("u32::from({text}.contains_key(&{}))", self.below(2)),
            2 => format!(
                "{text}.get(&{}).map_or({rest}, |{v}| {})",
                self.below(2),
                self.closure(only, |w| w.num(d.min(1)))
            ),
            3 => format!("{text}.iter().map(|({k}, {v})| {}).sum::<u32>()", self.closure(&both, |w| w.num(d.min(1)))),
            4 => format!("u32::from({text}.values().any(|{v}| {}))", self.closure(only, |w| w.cond(d.min(1)))),
            5 => format!(
                "{text}.keys().map(|{k}| {}).max().unwrap_or({rest})",
                self.closure(&both[..1], |w| w.num(d.min(1)))
            ),
            6 => {
                let (sum, read) = (self.fresh("sum"), self.with(&both, |w| w.num(d.min(1))));
                format!("{{ let mut {sum} = 0; for ({k}, {v}) in {} {{ {sum} += {read}; }} {sum} }}", var.reference())
                    .paren()
            }
            7 => {
                let read = self.with(only, |w| w.num(d.min(1)));
                format!("if let Some({v}) = {text}.get(&1) {{ {read} }} else {{ {rest} }}").paren()
            }
            _ => {
                let twice = [Var::of(k.clone(), key, By::RefRef), Var::of(v.clone(), value, By::RefRef)];
                let test = self.closure(&twice, |w| w.cond(d.min(1)));
                format!("({text}.iter().filter(|({k}, {v})| {test}).count() as u32)")
            }
        }
    }

    /// Reads a set of flags.
    pub fn set(&mut self, var: &Var, key: Ty, d: usize) -> String {
        let text = &var.text;
        let k = self.fresh("k");
        let local = [Var::of(k.clone(), key, By::Ref)];
        match self.below(5) {
            0 => format!("({text}.len() as u32)"),
            1 => format!("u32::from({text}.contains(&{}))", self.one_of(["true", "false"])),
            2 => format!("{text}.iter().map(|{k}| {}).sum::<u32>()", self.closure(&local, |w| w.num(d.min(1)))),
            3 => format!("{text}.first().map_or(2, |{k}| {})", self.closure(&local, |w| w.num(d.min(1)))),
            _ => {
                let (sum, read) = (self.fresh("sum"), self.with(&local, |w| w.num(d.min(1))));
                format!("{{ let mut {sum} = 0; for {k} in {} {{ {sum} += {read}; }} {sum} }}", var.reference()).paren()
            }
        }
    }
}
