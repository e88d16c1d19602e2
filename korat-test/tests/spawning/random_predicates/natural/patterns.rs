//! Patterns for references to parts of the structure, and what is read of classes: their fields, and what patterns bind.

use super::num::Paren;
use super::types::{Ty, class};
use super::writer::{By, Var, Writer};

impl Writer {
    /// A pattern for a `&T`, nested at most so deep, and what it binds.
    pub fn pattern(&mut self, ty: Ty, depth: usize) -> (String, Vec<Var>) {
        let mut bound = Vec::new();
        let text = self.pattern_into(ty, depth, &mut bound);
        (text, bound)
    }

    fn binding(&mut self, stem: &str, ty: Ty, bound: &mut Vec<Var>) -> String {
        let name = self.fresh(stem);
        bound.push(Var::of(name.clone(), ty, By::Ref));
        name
    }

    fn pattern_into(&mut self, ty: Ty, depth: usize, bound: &mut Vec<Var>) -> String {
        if depth == 0 || self.chance(15) {
            return if self.chance(25) { "_".to_string() } else { self.binding("p", ty, bound) };
        }
        match ty {
            Ty::U8 | Ty::Usize => match self.below(5) {
                0 => "0".to_string(),
                1 => "1 | 2".to_string(),
                2 => format!("{} @ 1..=2", self.binding("k", ty, bound)),
                3 => format!("{} @ (0 | 2)", self.binding("k", ty, bound)),
                _ => self.binding("k", ty, bound),
            },
            Ty::Bool => match self.below(3) {
                0 => "true".to_string(),
                1 => "false".to_string(),
                _ => self.binding("flag", ty, bound),
            },
            Ty::Char => match self.below(3) {
                0 => "'a'".to_string(),
                1 => format!("{} @ 'a'..='b'", self.binding("c", ty, bound)),
                _ => self.binding("c", ty, bound),
            },
            Ty::Color => match self.below(3) {
                0 => "Color::Red".to_string(),
                1 => format!("{} @ Color::Black", self.binding("color", ty, bound)),
                _ => self.binding("color", ty, bound),
            },
            Ty::Opt(inner) => match self.below(4) {
                0 => "None".to_string(),
                1 if !matches!(inner, Ty::Boxed(_) | Ty::Rc(_) | Ty::Weak(_)) => {
                    let whole = self.binding("whole", ty, bound);
                    format!("{whole} @ Some(_)")
                }
                _ => format!("Some({})", self.pattern_into(*inner, depth - 1, bound)),
            },
            Ty::Pair(one, other) => {
                let first = self.pattern_into(*one, depth - 1, bound);
                format!("({first}, {})", self.pattern_into(*other, depth - 1, bound))
            }
            Ty::Class(name) => self.class_pattern(name, depth, bound),
            Ty::Text
            | Ty::Boxed(_)
            | Ty::Rc(_)
            | Ty::Weak(_)
            | Ty::RefCell(_)
            | Ty::Cell(_)
            | Ty::Vec(_)
            | Ty::Array(_)
            | Ty::Map(..)
            | Ty::Set(_) => self.binding("p", ty, bound),
        }
    }

    fn class_pattern(&mut self, name: &str, depth: usize, bound: &mut Vec<Var>) -> String {
        let class = class(name);
        if class.variants.is_empty() {
            return format!("{name} {{ {} }}", self.named_fields(class.fields, depth, bound));
        }
        let variant = &class.variants[self.below(class.variants.len())];
        let path = format!("{name}::{}", variant.name);
        match variant.fields.first() {
            None => path,
            Some(("", _)) => {
                if self.chance(15) {
                    return format!("{path}(..)");
                }
                let all: Vec<String> =
                    variant.fields.iter().map(|(_, ty)| self.pattern_into(*ty, depth - 1, bound)).collect();
                format!("{path}({})", all.join(", "))
            }
            Some(_) => format!("{path} {{ {} }}", self.named_fields(variant.fields, depth, bound)),
        }
    }

    fn named_fields(&mut self, fields: &[(&'static str, Ty)], depth: usize, bound: &mut Vec<Var>) -> String {
        let mut all = Vec::new();
        let mut has_rest = false;
        for (field, ty) in fields {
            match self.below(4) {
                0 => has_rest = true,
                1 if !bound.iter().any(|it| it.text == *field) => {
                    bound.push(Var::of(*field, *ty, By::Ref));
                    all.push(field.to_string());
                }
                _ => all.push(format!("{field}: {}", self.pattern_into(*ty, depth - 1, bound))),
            }
        }
        if has_rest || self.chance(20) {
            all.push("..".to_string());
        }
        all.join(", ")
    }

    /// Reads an object of a class.
    pub fn class(&mut self, var: &Var, name: &'static str, d: usize) -> String {
        let class = class(name);
        let is_enum = !class.variants.is_empty();
        if is_enum && d == 0 {
            let (pattern, _) = self.pattern(var.ty, 1);
            return format!("u32::from(matches!({}, {pattern}))", var.reference());
        }
        let goes_on = d > 0 && self.spend();
        match self.below(10) {
            0..=3 if !is_enum => {
                let plain: Vec<_> = class.fields.iter().filter(|(_, ty)| ty.is_plain() || goes_on).collect();
                match self.pick(&plain) {
                    Some((field, ty)) => self.read(&var.field(field, *ty), d.saturating_sub(1)),
                    None => self.below(3).to_string(),
                }
            }
            4 if goes_on && !is_enum => {
                let fields: Vec<Var> = class.fields.iter().map(|(field, ty)| var.field(field, *ty)).collect();
                self.with(&fields, |w| format!("({} + {})", w.num(d - 1), w.num(d - 1)))
            }
            5 if goes_on && !is_enum => {
                let mut bound = Vec::new();
                let pattern = class_bindings(self, class.fields, &mut bound);
                let read = self.with(&bound, |w| w.num(d - 1));
                format!("{{ let {name} {{ {pattern} }} = {}; {read} }}", var.reference()).paren()
            }
            6 if goes_on => self.helper(var, Ty::Class(name), d),
            7 if goes_on => {
                let (f, it) = (self.fresh("f"), self.fresh("it"));
                let local = Var::of(it.clone(), var.ty, By::Ref);
                let read = self.closure(std::slice::from_ref(&local), |w| w.read(&local, d - 1));
                format!("{{ let {f} = |{it}: &{name}| {read}; {f}({}) }}", var.reference()).paren()
            }
            _ if goes_on || is_enum => self.class_match(var, d),
            _ => self.below(3).to_string(),
        }
    }

    fn class_match(&mut self, var: &Var, d: usize) -> String {
        let inner = d.saturating_sub(1);
        let scrutinee = var.reference();
        let (first, bound) = self.pattern(var.ty, 1 + inner.min(2));
        let read = self.with(&bound, |w| w.num(inner));
        let rest = self.num(inner.min(1));
        match self.below(5) {
            0 => format!("if let {first} = {scrutinee} {{ {read} }} else {{ {rest} }}").paren(),
            1 => {
                let label = self.label();
                format!("{label}: {{ let {first} = {scrutinee} else {{ break {label} {rest} }}; {read} }}").paren()
            }
            2 => {
                let guard = self.with(&bound, |w| w.cond(inner));
                format!("if let {first} = {scrutinee} && {guard} {{ {read} }} else {{ {rest} }}").paren()
            }
            _ => {
                let guard = if self.chance(50) {
                    format!(" if {}", self.with(&bound, |w| w.cond(inner)))
                } else {
                    String::new()
                };
                let (second, also) = self.pattern(var.ty, 2);
                let other = self.with(&also, |w| w.num(inner));
                format!("match {scrutinee} {{ {first}{guard} => {read}, {second} => {other}, _ => {rest} }}").paren()
            }
        }
    }
}

/// A pattern that always matches, and what it binds.
fn class_bindings(w: &mut Writer, fields: &[(&'static str, Ty)], bound: &mut Vec<Var>) -> String {
    let mut all = Vec::new();
    for (field, ty) in fields {
        match w.below(4) {
            0 => all.push(format!("{field}: _")),
            1 => {
                let name = w.fresh("part");
                bound.push(Var::of(name.clone(), *ty, By::Ref));
                all.push(format!("{field}: {name}"));
            }
            _ => {
                bound.push(Var::of(*field, *ty, By::Ref));
                all.push(field.to_string());
            }
        }
    }
    all.join(", ")
}
