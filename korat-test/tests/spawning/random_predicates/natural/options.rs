//! What options, links and weak pointers are read for: patterns, adapters, and walks along links.

use super::num::Paren;
use super::types::{Ty, class};
use super::writer::{By, Ret, Var, Writer};

impl Writer {
    /// Reads an option.
    pub fn option(&mut self, var: &Var, inner: Ty, d: usize) -> String {
        let text = &var.text;
        if d == 0 || !self.spend() {
            let method = self.one_of(["is_some", "is_none"]);
            return format!("u32::from({text}.{method}())");
        }
        if inner.is_plain() && self.chance(50) {
            return self.plain_option(var, inner, d);
        }
        if let Ty::Boxed(Ty::Class(name)) = inner
            && self.chance(45)
        {
            return self.link(var, name, d);
        }
        let it = self.fresh("it");
        let local = [Var::of(it.clone(), inner, By::Ref)];
        let rest = self.num(0);
        match self.below(13) {
            0 | 1 => {
                let read = self.with(&local, |w| w.read(&local[0], d - 1));
                format!("match {} {{ Some({it}) => {read}, None => {rest} }}", var.reference()).paren()
            }
            2 => {
                let read = self.with(&local, |w| w.num(d - 1));
                format!("if let Some({it}) = {} {{ {read} }} else {{ {rest} }}", var.reference()).paren()
            }
            3 => {
                let read = self.closure(&local, |w| w.num(d - 1));
                format!("{text}.as_ref().map_or({rest}, |{it}| {read})")
            }
            4 => {
                let read = self.closure(&local, |w| w.num(d - 1));
                format!("{text}.iter().map(|{it}| {read}).sum::<u32>()")
            }
            5 => {
                let (read, guard) = (self.with(&local, |w| w.num(d - 1)), self.with(&local, |w| w.cond(d - 1)));
                format!("match {} {{ Some(ref {it}) if {guard} => {read}, Some(_) => 1, None => {rest} }}", var.place())
                    .paren()
            }
            6 => {
                let read = self.closure(&local, |w| w.num(d - 1));
                format!("(|| -> Option<u32> {{ let {it} = {text}.as_ref()?; Some({read}) }})().unwrap_or({rest})")
            }
            7 => {
                let read = self.with(&local, |w| w.num(d - 1));
                let leave = self.leave().unwrap_or_else(|| "break 'here 0".to_string());
                format!("'here: {{ let Some({it}) = {} else {{ {leave} }}; {read} }}", var.reference()).paren()
            }
            8 => {
                let twice = Var::of(it.clone(), inner, By::RefRef);
                let (test, read) = (
                    self.closure(std::slice::from_ref(&twice), |w| w.test(&twice, d - 1)),
                    self.closure(&local, |w| w.num(d - 1)),
                );
                format!("{text}.as_ref().filter(|{it}| {test}).map(|{it}| {read}).unwrap_or_else(|| {rest})")
            }
            9 => {
                let others: Vec<Var> =
                    self.vars.iter().filter(|it| it.ty == var.ty && it.text != var.text).cloned().collect();
                let Some(other) = self.pick(&others) else { return self.helper(var, var.ty, d) };
                let that = self.fresh("that");
                let both = [local[0].clone(), Var::of(that.clone(), inner, By::Ref)];
                let (two, one) = (self.with(&both, |w| w.num(d - 1)), self.with(&local, |w| w.num(d - 1)));
                format!(
                    "match ({}, {}) {{ (Some({it}), Some({that})) => {two}, (Some({it}), None) | (None, Some({it})) => {one}, (None, None) => {rest} }}",
                    var.reference(),
                    other.reference()
                )
                .paren()
            }
            10 => {
                let test = self.option_test(var, inner, d);
                format!("u32::from({test})")
            }
            11 => {
                let (pattern, bound) = self.pattern(var.ty, 3);
                let read = self.with(&bound, |w| w.num(d - 1));
                format!("match {} {{ {pattern} => {read}, _ => {rest} }}", var.reference()).paren()
            }
            _ => self.helper(var, var.ty, d),
        }
    }

    /// Tests an option.
    pub fn option_test(&mut self, var: &Var, inner: Ty, d: usize) -> String {
        let (text, it) = (&var.text, self.fresh("it"));
        let local = [Var::of(it.clone(), inner, By::Ref)];
        match self.below(5) {
            0 => format!("{text}.is_some()"),
            1 => format!("{text}.is_none()"),
            2 => {
                let test = self.closure(&local, |w| w.test(&w.vars[w.vars.len() - 1].clone(), d.saturating_sub(1)));
                format!("{text}.as_ref().is_some_and(|{it}| {test})")
            }
            3 => {
                let test = self.with(&local, |w| w.test(&w.vars[w.vars.len() - 1].clone(), d.saturating_sub(1)));
                format!("matches!({}, Some({it}) if {test})", var.reference())
            }
            _ => {
                let test = self.closure(&local, |w| w.cond(d.saturating_sub(1)));
                format!("{text}.as_ref().is_none_or(|{it}| {test})")
            }
        }
    }

    fn plain_option(&mut self, var: &Var, inner: Ty, d: usize) -> String {
        let (text, it) = (&var.text, self.fresh("n"));
        let local = Var::of(it.clone(), inner, By::Place);
        let rest = self.num(0);
        let read = self.closure(std::slice::from_ref(&local), |w| w.read(&local, d - 1));
        match self.below(7) {
            0 => format!("{text}.map_or({rest}, |{it}| {read})"),
            1 => {
                let by = Var::of(it.clone(), inner, By::Place);
                let test = self.closure(std::slice::from_ref(&by), |w| w.cond(d - 1));
                format!("{text}.filter(|&{it}| {test}).map_or({rest}, |{it}| {read})")
            }
            2 => format!("({}).into_iter().map(|{it}| {read}).chain([{rest}]).sum::<u32>()", var.place()),
            3 => format!("(|| {{ let {it} = ({})?; Some({read}) }})().unwrap_or({rest})", var.place()),
            4 if matches!(inner, Ty::U8 | Ty::Usize) => {
                format!("{text}.and_then(|{it}| {it}.checked_sub(1)).map_or({rest}, |{it}| {read})")
            }
            5 => format!("{text}.as_ref().copied().into_iter().fold({rest}, |sum, {it}| sum + {read})"),
            _ => {
                let read = self.with(std::slice::from_ref(&local), |w| w.read(&local, d - 1));
                format!("match {} {{ Some({it}) => {read}, None => {rest} }}", var.place()).paren()
            }
        }
    }

    /// Reads a chain of boxes.
    fn link(&mut self, var: &Var, name: &'static str, d: usize) -> String {
        let links: Vec<&str> = class(name)
            .fields
            .iter()
            .filter(|(_, ty)| {
                *ty == Ty::Opt(if name == "Node" {
                    &Ty::Boxed(&Ty::Class("Node"))
                } else {
                    &Ty::Boxed(&Ty::Class("Fork"))
                })
            })
            .map(|(field, _)| *field)
            .collect();
        let (it, rest) = (self.fresh("node"), self.num(0));
        let node = [Var::of(it.clone(), Ty::Class(name), By::Ref)];
        let boxed = [Var::of(it.clone(), Ty::Boxed(var_class(name)), By::Ref)];
        let text = &var.text;
        let Some(link) = self.pick(&links) else { return self.helper(var, var.ty, d) };
        let (rest_of, count) = (self.fresh("rest"), self.fresh("count"));
        match self.below(11) {
            0 => {
                let read = self.with(&boxed, |w| w.num(d - 1));
                format!(
                    "{{ let mut {rest_of} = {}; let mut {count} = {rest}; while let Some({it}) = {rest_of} {{ {count} += {read}; {rest_of} = &{it}.{link}; }} {count} }}",
                    var.reference()
                )
                .paren()
            }
            1 => {
                let read = self.with(&node, |w| w.num(d - 1));
                let stop = self.with(&node, |w| w.cond(d - 1));
                let way = self.one_of(["break", "continue"]);
                format!(
                    "{{ let mut {rest_of} = {text}.as_deref(); let mut {count} = 0; while let Some({it}) = {rest_of} {{ {rest_of} = {it}.{link}.as_deref(); if {stop} {{ {way}; }} {count} += {read}; }} {count} }}"
                )
                .paren()
            }
            2 => {
                let read = self.closure(&node, |w| w.num(d - 1));
                let (before, adapter) = (self.fresh("at"), self.below(3));
                let adapter = ["", ".skip(1)", ".take(2)"][adapter];
                format!(
                    "std::iter::successors({text}.as_deref(), |{before}| {before}.{link}.as_deref()){adapter}.map(|{it}| {read}).sum::<u32>()"
                )
            }
            3 => {
                let read = self.with(&node, |w| w.num(d - 1));
                let push = match (links.len(), self.below(3)) {
                    (1, _) => format!("if let Some(next) = &{it}.{link} {{ {rest_of}.push(&**next); }}"),
                    (_, 0) => format!(
                        "for child in [&{it}.left, &{it}.right].into_iter().flatten() {{ {rest_of}.push(child.as_ref()); }}"
                    ),
                    (_, 1) => {
                        format!("{rest_of}.extend({it}.left.as_deref()); {rest_of}.extend({it}.right.as_deref());")
                    }
                    _ => format!(
                        "for child in [&{it}.left, &{it}.right] {{ if let Some(child) = child {{ {rest_of}.push(child); }} }}"
                    ),
                };
                format!(
                    "{{ let mut {rest_of}: Vec<&{name}> = {text}.as_deref().into_iter().collect(); let mut {count} = 0; while let Some({it}) = {rest_of}.pop() {{ {count} += {read}; {push} }} {count} }}"
                )
                .paren()
            }
            4 => {
                let read = self.function(Ret::Num, &boxed, |w| w.num(d.min(2) - 1));
                let f = self.fresh("depth");
                let sums: Vec<String> = links.iter().map(|link| format!("{f}(&{it}.{link})")).collect();
                let sum = if self.chance(50) {
                    sums.join(" + ")
                } else {
                    format!("[{}].into_iter().max().unwrap()", sums.join(", "))
                };
                format!(
                    "{{ fn {f}(link: &Option<Box<{name}>>) -> u32 {{ match link {{ None => {}, Some({it}) => 1 + {read} + {sum} }} }} {f}({}) }}",
                    self.below(2),
                    var.reference()
                )
                .paren()
            }
            5 => {
                let read = self.closure(&node, |w| w.num(d - 1));
                format!("{text}.as_deref().map(|{it}| {read}).unwrap_or({rest})")
            }
            6 => {
                let (pattern, bound) = self.pattern(Ty::Class(name), 3);
                let guard = self.with(&bound, |w| w.cond(d - 1));
                let (read, other) = (self.with(&bound, |w| w.num(d - 1)), self.with(&node, |w| w.num(d - 1)));
                format!("match {text}.as_deref() {{ Some({pattern}) if {guard} => {read}, Some({it}) => {other}, None => {rest} }}").paren()
            }
            7 => {
                let read = self.closure(&node, |w| w.num(d - 1));
                format!("{text}.as_ref().and_then(|first| first.{link}.as_deref()).map_or({rest}, |{it}| {read})")
            }
            8 if self.has_helpers => {
                let read = self.function(Ret::Num, &node, |w| w.num(d.min(2) - 1));
                let key = format!("sum_{link}");
                if !self.helpers.iter().any(|(known, _)| *known == key) {
                    let helper = format!(
                        "fn {key}({it}: Option<&{name}>, total: &mut u32) {{ let Some({it}) = {it} else {{ return }}; *total += 1 + {read}; Self::{key}({it}.{link}.as_deref(), total); }}\n"
                    );
                    self.helpers.push((key.clone(), helper));
                }
                format!("{{ let mut {count} = 0; Self::{key}({text}.as_deref(), &mut {count}); {count} }}").paren()
            }
            9 => {
                let read = self.with(&boxed, |w| w.num(d - 1));
                format!(
                    "{{ let mut {rest_of} = {}; loop {{ match {rest_of} {{ None => break {rest}, Some({it}) if {it}.{link}.is_none() => break {read}, Some({it}) => {rest_of} = &{it}.{link} }} }} }}",
                    var.reference()
                )
                .paren()
            }
            _ => {
                let read = self.with(&boxed, |w| w.num(d - 1));
                format!(
                    "{{ let mut keys = Vec::new(); let mut {rest_of} = {}; while let Some({it}) = {rest_of} {{ keys.push(u32::from({it}.key) + {read}); {rest_of} = &{it}.{link}; }} keys.windows(2).filter(|pair| pair[0] <= pair[1]).count() as u32 }}",
                    var.reference()
                )
                .paren()
            }
        }
    }

    /// Reads what a weak pointer leads to.
    pub fn weak(&mut self, var: &Var, inner: Ty, d: usize) -> String {
        let (text, it, rest) = (&var.text, self.fresh("strong"), self.num(0));
        let rc = match inner {
            Ty::Class(_) => Ty::Rc(&Ty::Class("Person")),
            _ => Ty::Rc(&Ty::RefCell(&Ty::Class("Vertex"))),
        };
        let local = [Var::of(it.clone(), rc, By::Place)];
        if d == 0 || !self.spend() {
            return format!("u32::from({text}.upgrade().is_some())");
        }
        match self.below(4) {
            0 => format!("u32::from({text}.upgrade().is_none())"),
            1 => {
                let read = self.closure(&local, |w| w.num(d - 1));
                format!("{text}.upgrade().map_or({rest}, |{it}| {read})")
            }
            2 => {
                let read = self.with(&local, |w| w.num(d - 1));
                format!("if let Some({it}) = {text}.upgrade() {{ {read} }} else {{ {rest} }}").paren()
            }
            _ => {
                let read = self.with(&local, |w| w.num(d - 1));
                format!("match {text}.upgrade() {{ Some({it}) => {read}, None => {rest} }}").paren()
            }
        }
    }
}

fn var_class(name: &str) -> &'static Ty {
    if name == "Node" { &Ty::Class("Node") } else { &Ty::Class("Fork") }
}
