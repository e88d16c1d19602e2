//! The body of a predicate: statements with locals, early returns, closures and local items; and the helpers of its block.

use super::types::{Ty, class};
use super::writer::{By, Ret, Var, Writer};

impl Writer {
    /// Calls a helper of the block with a part of the structure.
    pub fn helper(&mut self, var: &Var, ty: Ty, d: usize) -> String {
        if !self.has_helpers {
            return self.below(3).to_string();
        }
        let key = format!("weigh_{}", ty.name().replace(|c: char| !c.is_alphanumeric(), "_").to_lowercase());
        if !self.helpers.iter().any(|(known, _)| *known == key) {
            let parameter = Var::of("part", ty, By::Ref);
            let takes_self = self.chance(40);
            let (receiver, by) = if takes_self { ("&self, ", "self.") } else { ("", "Self::") };
            let body = self.function(Ret::Num, std::slice::from_ref(&parameter), |w| {
                let first = if w.chance(40) {
                    format!("if {} {{ return {}; }}\n", w.cond(d), w.below(3))
                } else {
                    String::new()
                };
                format!("{first}{}", w.read(&parameter, d))
            });
            let helper = format!("fn {key}({receiver}part: &{}) -> u32 {{\n{body}\n}}\n", ty.name());
            self.helpers.push((key.clone(), helper));
            self.helpers.push((format!("{key}!"), by.to_string()));
        }
        let by = self.helpers.iter().find(|(known, _)| *known == format!("{key}!")).map_or("Self::", |(_, by)| by);
        let by = if by == "self." && !self.vars.iter().any(|var| var.text.starts_with("self")) {
            return "1".to_string();
        } else {
            by
        };
        format!("{by}{key}({})", var.reference())
    }

    /// The statements of `rep_ok`.
    pub fn body(&mut self) -> String {
        let root = class(self.root);
        let mark = root.fields[if matches!(self.root, "Book") { 1 } else { root.fields.len() - 1 }];
        self.vars.extend(root.fields.iter().map(|(field, ty)| Var::of(format!("self.{field}"), *ty, By::Place)));
        let mark_var = Var::of(format!("self.{}", mark.0), mark.1, By::Place);
        let mut text = String::new();
        if self.chance(20) {
            let fields: Vec<&str> = root.fields.iter().map(|(field, _)| *field).collect();
            text += &format!("let Self {{ {} }} = self;\n", fields.join(", "));
            self.vars.extend(root.fields.iter().map(|(field, ty)| Var::of(*field, *ty, By::Ref)));
        }
        text += "let mut total = 0u32;\n";
        self.nums.push("total".to_string());
        self.muts.push("total".to_string());
        for _ in 0..2 + self.below(3) {
            text += &self.statement();
        }
        let (last, modulus, mark) = (self.num(2), 2 + self.below(2), self.read(&mark_var, 1));
        text + &match self.below(4) {
            0 => format!("total += {last};\ntotal % {modulus} == {mark}\n"),
            1 => format!("(total + {last}) % {modulus} == {mark}\n"),
            2 => format!("let ok = total % {modulus} <= {mark};\nok && {last} != {mark}\n"),
            _ => format!(
                "if total > {last} + 3 {{\nreturn {mark} == 0;\n}}\ntotal.wrapping_sub({last}) % {modulus} == {mark}\n"
            ),
        }
    }

    fn statement(&mut self) -> String {
        let d = 3;
        match self.below(30) {
            0..=3 => format!("total += {};\n", self.num(d)),
            4 | 5 => {
                let leave = self.leave().unwrap_or_default();
                format!("if {} {{\n{leave};\n}}\n", self.cond(d))
            }
            6 => {
                let (name, value) = (self.one_of(["n", "m", "count"]), self.num(d));
                self.nums.push(name.to_string());
                format!("let {name} = {value};\n")
            }
            7 | 8 => self.let_else(),
            9 => {
                let (name, value) = (self.fresh("f"), self.outside_total(|w| w.closure(&[], |w| w.num(d))));
                self.callables.push(name.clone());
                format!("let {name} = |n: u32| n + {value};\n")
            }
            10 => format!(
                "{{\nlet mut add = |n: u32| total += n;\nadd({});\nadd({});\n}}\n",
                self.outside_total(|w| w.num(d)),
                self.outside_total(|w| w.num(1))
            ),
            11 => {
                let key = "bump".to_string();
                if !self.helpers.iter().any(|(known, _)| *known == key) {
                    self.helpers.push((
                        key,
                        "fn bump(total: &mut u32, by: u32) -> bool {\n*total += by;\n*total > 5\n}\n".to_string(),
                    ));
                }
                let by = self.outside_total(|w| w.num(d));
                format!("if Self::bump(&mut total, {by}) {{\ntotal -= 1;\n}}\n")
            }
            12 => {
                let name = self.fresh("Seen");
                let (first, second) = (self.num(d), self.num(1));
                let local = name.to_lowercase();
                self.nums.push(format!("{local}.count"));
                format!(
                    "struct {name} {{ count: u32, last: Option<u32> }}\nimpl {name} {{ fn add(&mut self, by: u32) -> &mut Self {{ self.count += by; self.last = Some(by); self }} }}\n\
                     let mut {local} = {name} {{ count: 0, last: None }};\n{local}.add({first}).add({second});\nif {local}.last == Some({}) {{ total += 1; }}\n",
                    self.below(3)
                )
            }
            13 => {
                let name = self.fresh("Kind");
                let (test, value) = (self.cond(d), self.num(d));
                format!(
                    "enum {name} {{ Low, High(u32) }}\nlet kind = if {test} {{ {name}::Low }} else {{ {name}::High({value}) }};\n\
                     total += match kind {{ {name}::Low => 1, {name}::High(n) if n > 1 => n, {name}::High(_) => 0 }};\n"
                )
            }
            14 => {
                let name = self.fresh("twice");
                self.callables.push(name.clone());
                format!("fn {name}(n: u32) -> u32 {{ n * 2 % 7 }}\n")
            }
            15 => {
                let Some(var) = self.some_var() else { return String::new() };
                let (name, twice) = (self.fresh("part"), self.fresh("twice"));
                let text = format!("let {name} = {};\n", var.reference());
                self.vars.push(Var::of(name.clone(), var.ty, By::Ref));
                if self.chance(50) {
                    self.vars.push(Var::of(twice.clone(), var.ty, By::RefRef));
                    return format!("{text}let {twice} = &{name};\n");
                }
                text
            }
            16 => {
                let (stop, read, label) = (self.cond(d), self.num(2), self.label());
                format!(
                    "{label}: for i in 0..3u32 {{\nfor j in 0..i {{\nif {stop} {{\ncontinue {label};\n}}\ntotal += i ^ j;\n}}\ntotal += {read};\n}}\n"
                )
            }
            17 => {
                let (a, b) = (self.num(2), self.num(2));
                let (one, other) = (self.fresh("a"), self.fresh("b"));
                self.nums.extend([one.clone(), other.clone()]);
                format!("let ({one}, {other}) = ({a}, {b});\n")
            }
            18 => format!(
                "total += vec![{}, {}].iter().filter(|n| **n > 1).copied().max().unwrap_or(1);\n",
                self.num(2),
                self.num(1)
            ),
            19 => {
                let (first, name) = (self.num(2), self.fresh("found"));
                let stop = self.num(1);
                self.nums.push(name.clone());
                format!(
                    "let {name} = {{\nlet mut n = {first};\nloop {{\nif n >= {stop} || n > 4 {{\nbreak n;\n}}\nn += 1;\n}}\n}};\n"
                )
            }
            20..=23 => self.walk(),
            _ => {
                let idiom = self.idiom();
                if self.muts.is_empty() { String::new() } else { format!("{{\n{idiom}}}\n") }
            }
        }
    }

    /// Writes what does not use the sum.
    fn outside_total(&mut self, write: impl FnOnce(&mut Self) -> String) -> String {
        let nums = self.nums.clone();
        self.nums.retain(|name| name != "total");
        let callables = std::mem::take(&mut self.callables);
        let text = write(self);
        (self.nums, self.callables) = (nums, callables);
        text
    }

    fn let_else(&mut self) -> String {
        let options: Vec<Var> =
            self.vars.iter().filter(|var| matches!(var.ty, Ty::Opt(_) | Ty::Boxed(_))).cloned().collect();
        let Some(var) = self.pick(&options) else { return String::new() };
        let leave = self.leave().unwrap_or_default();
        match var.ty {
            Ty::Opt(inner) => {
                let name = self.fresh("it");
                self.vars.push(Var::of(name.clone(), *inner, By::Ref));
                match inner {
                    Ty::Boxed(inner) if self.chance(50) => {
                        self.vars.push(Var::of(name.clone(), **inner, By::Ref));
                        let at = self.vars.len() - 2;
                        self.vars.remove(at);
                        format!("let Some({name}) = {}.as_deref() else {{\n{leave};\n}};\n", var.text)
                    }
                    _ => format!("let Some({name}) = {} else {{\n{leave};\n}};\n", var.reference()),
                }
            }
            Ty::Boxed(inner) => {
                let (pattern, bound) = self.pattern(*inner, 2);
                let text = format!("let {pattern} = {} else {{\n{leave};\n}};\n", var.unboxed(*inner).reference());
                let names: Vec<String> = bound.iter().map(|var| var.text.clone()).collect();
                self.vars.retain(|var| !names.contains(&var.text));
                self.vars.extend(bound);
                text
            }
            _ => String::new(),
        }
    }

    /// A walk over the structure as people write it.
    fn walk(&mut self) -> String {
        let d = 2;
        match self.root {
            "Graph" => {
                let at = self.fresh("at");
                let var = [Var::of(at.clone(), Ty::Rc(&Ty::RefCell(&Ty::Class("Vertex"))), By::Place)];
                let (read, leave) = (self.with(&var, |w| w.num(d)), self.one_of(["break", "return false"]));
                let next = self
                    .one_of([
                        "AT.borrow().next.clone()",
                        "AT.borrow().next.as_ref().map(Rc::clone)",
                        "AT.borrow().back.as_ref().and_then(|back| back.upgrade())",
                    ])
                    .replace("AT", &at);
                format!(
                    "let mut seen = HashSet::new();\nlet mut rest = self.start.clone();\nwhile let Some({at}) = rest {{\nif !seen.insert(Rc::as_ptr(&{at})) {{\n{leave};\n}}\ntotal += {read};\nrest = {next};\n}}\ntotal += seen.len() as u32;\n"
                )
            }
            "Family" => {
                let at = self.fresh("person");
                let var = [Var::of(at.clone(), Ty::Rc(&Ty::Class("Person")), By::Place)];
                let (read, leave) = (self.with(&var, |w| w.num(d)), self.one_of(["continue", "return false"]));
                let check = self.one_of(["", "if CHILD.parent.borrow().upgrade().is_some_and(|up| !Rc::ptr_eq(&up, &AT)) {\nreturn false;\n}\n"]).replace("AT", &at).replace("CHILD", "child");
                format!(
                    "let mut seen: Vec<*const Person> = Vec::new();\nlet mut stack: Vec<Rc<Person>> = self.eldest.iter().cloned().collect();\nwhile let Some({at}) = stack.pop() {{\nif seen.contains(&Rc::as_ptr(&{at})) {{\n{leave};\n}}\nseen.push(Rc::as_ptr(&{at}));\ntotal += {read};\nfor child in {at}.children.borrow().iter() {{\n{check}stack.push(Rc::clone(child));\n}}\n}}\n"
                )
            }
            "Arena" => {
                let item = self.fresh("item");
                let var = [Var::of(item.clone(), Ty::Class("Item"), By::Ref)];
                let read = self.with(&var, |w| w.num(d));
                if self.chance(40) {
                    return format!(
                        "let mut seen = vec![false; self.items.len()];\nlet mut queue: VecDeque<usize> = self.first.into_iter().collect();\nwhile let Some(i) = queue.pop_front() {{\nlet Some({item}) = self.items.get(i) else {{\nreturn false;\n}};\nif std::mem::replace(&mut seen[i], true) {{\ncontinue;\n}}\ntotal += {read};\nqueue.extend({item}.up);\n}}\ntotal += seen.iter().filter(|&&seen| seen).count() as u32;\n"
                    );
                }
                format!(
                    "let (mut at, mut steps) = (self.first, 0);\nwhile let Some(i) = at {{\nlet Some({item}) = self.items.get(i) else {{\nreturn false;\n}};\nif steps > self.items.len() {{\nreturn false;\n}}\nsteps += 1;\ntotal += {read};\nat = {item}.up;\n}}\n"
                )
            }
            _ => {
                let var = self.some_var();
                let read = var.map(|var| self.read(&var, 3)).unwrap_or_default();
                format!("total += {read};\n")
            }
        }
    }
}
