//! Writes statements and methods of a predicate on parts.

use super::scope::{Level, Part, Scope, Variable};
use super::types::{By, Helper, Plain, Ret, class_of};
use super::writer::{Writer, fresh_value};

impl Writer {
    fn statements(&mut self, most: usize, ret: Ret, depth: usize) -> String {
        let number = 1 + self.below(most);
        (0..number).map(|_| self.statement(ret, depth)).collect()
    }

    fn statement(&mut self, ret: Ret, depth: usize) -> String {
        match self.below(12) {
            0 | 1 => {
                let (test, value) = (self.truth(2), self.left_with(ret));
                format!("if {test} {{\nreturn {value};\n}}\n")
            }
            2 => {
                let (value, name) = (self.num(2), self.fresh("x"));
                self.scope.nums.push(name.clone());
                format!("let {name} = {value};\n")
            }
            3..=5 => {
                let Some((call, of)) = self.call() else { return String::new() };
                self.called(&call, of, ret)
            }
            6 => self.change(),
            7 | 8 => self.opened(ret, depth),
            9 => self.loop_over(ret, depth),
            10 => {
                let (name, kind) = (self.fresh("m"), self.one_of([Plain::MutNum, Plain::MutCount, Plain::MutList]));
                let value = fresh_value(kind);
                let of = if kind == Plain::MutList { ": Vec<u8>" } else { "" };
                let variable = Variable { name: name.clone(), kind, is_reference: false };
                if self.scope.is_free {
                    self.scope.variables.insert(0, variable);
                }
                format!("let mut {name}{of} = {value};\n")
            }
            _ => {
                let test = self.truth(1);
                let (one, two) = (self.block(1, ret, depth), self.block(1, ret, depth));
                format!("if {test} {{\n{one}}} else {{\n{two}}}\n")
            }
        }
    }

    /// What is returned early.
    fn left_with(&mut self, ret: Ret) -> String {
        match ret {
            Ret::Bool if self.current.is_none() => self.one_of(["false", "false", "true"]).to_string(),
            _ => self.value(ret, 1),
        }
    }

    /// A call whose result is kept, ignored, or decides.
    fn called(&mut self, call: &str, of: Ret, ret: Ret) -> String {
        let name = self.fresh("r");
        match self.below(8) {
            0 => return format!("let _ = {call};\n"),
            1 | 2 if of == Ret::OptUsize => {
                let else_value = self.value(ret, 0);
                self.scope.nums.push(format!("({name} as u8)"));
                return format!("let Some({name}) = {call} else {{\nreturn {else_value};\n}};\n");
            }
            3 | 4 if of == ret && matches!(ret, Ret::OptUsize | Ret::Result) => {
                let read = if ret == Ret::OptUsize { format!("({name} as u8)") } else { name.clone() };
                self.scope.nums.push(read);
                return format!("let {name} = {call}?;\n");
            }
            5 if of == ret => return format!("if {} {{\nreturn {call};\n}}\n", self.truth(0)),
            _ => {}
        }
        if of == Ret::Unit {
            return format!("{call};\n");
        }
        self.scope.results.push((name.clone(), of));
        format!("let {name} = {call};\n")
    }

    /// A change of a variable.
    fn change(&mut self) -> String {
        if !self.scope.is_free {
            return String::new();
        }
        let Some(variable) = self.pick(&self.scope.variables.clone()) else { return String::new() };
        let (by, name) = (self.num(1), self.fresh("t"));
        let place = variable.value();
        let change = match variable.kind {
            Plain::MutList => format!("if {place}.len() < 3 {{\n{place}.push({name});\n}}\n"),
            Plain::MutCount => format!("{place} += usize::from({name} % 2);\n"),
            _ => format!("{place} = ({place}).wrapping_add({name}) % 4;\n"),
        };
        format!("let {name} = {by};\n{change}")
    }

    /// A block with a scope of its own.
    fn block(&mut self, most: usize, ret: Ret, depth: usize) -> String {
        let old = self.scope.clone();
        let text = self.statements(most, ret, depth.saturating_sub(1));
        self.scope = old;
        text
    }

    /// A part that is read directly, be it before or after a call on it.
    fn opened(&mut self, ret: Ret, depth: usize) -> String {
        let Some(part) = self.pick(&self.scope.parts.clone()) else { return String::new() };
        if depth == 0 {
            return String::new();
        }
        let old = self.scope.clone();
        let name = self.fresh("n");
        let class = class_of(part.class);
        let mut text = String::new();
        if part.by == By::Node {
            if class.variants.is_empty() {
                self.scope.open(&part.place, part.class, part.level);
                text = self.statements(2, ret, depth - 1);
                // What was declared stays in scope, and the fields, too.
                return text;
            }
            let (pattern, fields) = self.pick(class.variants).expect("an enum has variants");
            let level = if part.level == Level::Other { Level::Other } else { Level::Below };
            fields.iter().for_each(|&field| self.scope.add(field, None, level));
            let scrutinee =
                part.option.strip_prefix("Some(").and_then(|it| it.strip_suffix(')')).unwrap_or(&part.place);
            text += &format!("if let {pattern} = {scrutinee} {{\n{}}}\n", self.statements(2, ret, depth - 1));
        } else {
            let (is_boxed, from) = match part.by {
                By::Link => (true, part.reference.clone()),
                By::Opt | By::Node => (false, part.option.clone()),
            };
            // What is opened is not below the first part of the method if it is that part.
            self.scope.parts.push(Part::node(&name, is_boxed, part.class, part.level));
            self.scope.open(&name, part.class, part.level);
            text += &format!("if let Some({name}) = {from} {{\n{}}}\n", self.statements(3, ret, depth - 1));
        }
        self.scope = old;
        text
    }

    fn loop_over(&mut self, ret: Ret, depth: usize) -> String {
        let Some(row) = self.pick(&self.scope.rows.clone()) else { return self.opened(ret, depth) };
        if depth == 0 {
            return String::new();
        }
        let (old, name) = (self.scope.clone(), self.fresh("c"));
        self.scope.parts.push(Part::node(&name, row.is_boxed, row.class, row.level));
        self.scope.open(&name, row.class, row.level);
        let body = self.statements(3, ret, depth - 1);
        self.scope = old;
        format!("for {name} in &{} {{\n{body}}}\n", row.place.trim_start_matches('&')).replace("in &all ", "in all ")
    }

    /// The signature of a helper.
    pub fn helper(&mut self, classes: &[&'static str]) -> Helper {
        let is_method = self.chance(35);
        let first = self.pick(classes).expect("a structure has classes");
        let by = if is_method { By::Node } else { self.by_of(first) };
        let mut parts = vec![(by, first)];
        if self.chance(30) {
            let class = if self.chance(25) { self.root } else { self.pick(classes).expect("there are some") };
            let by = if class == self.root { By::Node } else { self.by_of(class) };
            parts.push((by, class));
        }
        let number = self.below(3);
        let is_plain = self.chance(30);
        let plain = |w: &mut Self| if is_plain { w.one_of([Plain::Num, Plain::Bool]) } else { w.one_of(Plain::ALL) };
        let plain = (0..number).map(|_| plain(self)).collect();
        let name = self.fresh("h");
        let name = if is_method { format!("{name}_{}", self.seed) } else { name };
        Helper { name, is_method, is_plain, parts, plain, ret: self.one_of(Ret::ALL) }
    }

    /// How a part of a class is passed, most of all.
    fn by_of(&mut self, class: &str) -> By {
        match class {
            "Twig" | "Bough" => self.one_of([By::Node, By::Node, By::Opt]),
            "Even" | "Expr" | "Cap" => self.one_of([By::Node, By::Node, By::Link, By::Opt]),
            _ => self.one_of([By::Link, By::Link, By::Node, By::Opt]),
        }
    }

    /// A helper as text.
    pub fn method(&mut self, number: usize) -> String {
        let helper = self.helpers[number].clone();
        (self.current, self.calls) = (Some(number), 4);
        self.scope = Scope { is_free: true, ..Scope::default() };
        let mut params = Vec::new();
        for (at, &(by, class)) in helper.parts.iter().enumerate() {
            let level = if at == 0 { Level::Same } else { Level::Other };
            if at == 0 && helper.is_method {
                params.push("&self".to_string());
                self.scope.parts.push(Part::param("self", by, class, level));
                continue;
            }
            let (name, class_text) = (format!("p{at}"), self.class(class));
            params.push(match by {
                By::Link => format!("{name}: &Option<Box<{class_text}>>"),
                By::Node => format!("{name}: &{class_text}"),
                By::Opt => format!("{name}: Option<&{class_text}>"),
            });
            self.scope.parts.push(Part::param(&name, by, class, level));
        }
        for (at, &plain) in helper.plain.iter().enumerate() {
            let name = format!("a{at}");
            params.push(format!("{name}: {}", plain.text()));
            match plain {
                Plain::Num => self.scope.nums.push(name),
                Plain::RefNum => self.scope.nums.push(format!("(*{name})")),
                Plain::Bool => self.scope.bools.push(name),
                Plain::OptNum => {
                    self.scope.bools.push(format!("{name}.is_some()"));
                    self.scope.nums.push(format!("{name}.unwrap_or(1)"));
                }
                kind => self.scope.variables.push(Variable { name, kind, is_reference: true }),
            }
        }
        let body = self.method_body(&helper);
        format!("fn {}({}) -> {} {{\n{body}}}\n", helper.name, params.join(", "), helper.ret.text())
    }

    fn method_body(&mut self, helper: &Helper) -> String {
        let (by, class) = helper.parts[0];
        let ret = helper.ret;
        let mut text = String::new();
        if !helper.is_plain && self.chance(30) {
            text += &self.statements(2, ret, 1);
        }
        let mut node = if helper.is_method { "self" } else { "p0" };
        if by != By::Node {
            let base = self.value(ret, 1);
            text += &format!("let Some(n) = p0 else {{\nreturn {base};\n}};\n");
            self.scope.parts.push(Part::node("n", by == By::Link, class, Level::Same));
            node = "n";
        }
        let of = class_of(class);
        if of.variants.is_empty() {
            self.scope.open(node, class, Level::Same);
            text += &if helper.is_plain { self.plain_statements(ret) } else { self.statements(4, ret, 2) };
            return text + &format!("{}\n", self.value(ret, 2));
        }
        let scrutinee = if by == By::Link { "&**n" } else { node };
        let mut arms = String::new();
        for &(pattern, fields) in of.variants {
            if self.chance(15) {
                break;
            }
            let old = self.scope.clone();
            fields.iter().for_each(|&field| self.scope.add(field, None, Level::Below));
            let (body, value) = (self.statements(2, ret, 2), self.value(ret, 2));
            self.scope = old;
            self.calls = self.calls.max(1);
            arms += &format!("{pattern} => {{\n{body}{value}\n}}\n");
        }
        let rest = self.value(ret, 0);
        text + &format!("match {scrutinee} {{\n{arms}_ => {{\n{rest}\n}}\n}}\n")
    }

    /// Calls as statements, with reads before, between and after them.
    fn plain_statements(&mut self, ret: Ret) -> String {
        self.scope.is_free = false;
        let mut text = String::new();
        for _ in 0..2 + self.below(4) {
            let call = if self.chance(75) { self.call() } else { None };
            let calls = std::mem::take(&mut self.calls);
            text += &match call {
                Some((call, of)) => self.called(&call, of, ret),
                None if self.chance(40) => {
                    let (test, value) = (self.truth(1), self.left_with(ret));
                    format!("if {test} {{\nreturn {value};\n}}\n")
                }
                None => {
                    let (value, name) = (self.num(1), self.fresh("x"));
                    self.scope.nums.push(name.clone());
                    format!("let {name} = {value};\n")
                }
            };
            self.calls = calls;
        }
        self.calls = 0;
        text
    }

    /// `rep_ok` as text.
    pub fn rep_ok(&mut self) -> String {
        (self.current, self.calls) = (None, 5);
        self.scope = Scope { is_free: true, ..Scope::default() };
        let level = if self.root == "Own" { Level::Same } else { Level::Other };
        self.scope.parts.push(Part::param("self", By::Node, self.root, level));
        self.scope.open("self", self.root, Level::Same);
        let first = self.statements(3, Ret::Bool, 2);
        self.calls = self.calls.max(2);
        let mut last = self.truth(3);
        for _ in 0..8 {
            if last.contains("h1") || last.contains("h2") || last.contains("h3") {
                break;
            }
            self.calls = self.calls.max(2);
            last = self.truth(3);
        }
        format!("fn rep_ok(&self) -> bool {{\n{first}{last}\n}}\n")
    }
}
