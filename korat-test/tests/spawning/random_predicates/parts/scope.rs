//! What is in scope where a predicate on parts is being written.

use super::types::{By, Field, Plain, Ret, class_of};

/// Where a part stands to the first part of the method, by which recursion ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It is that part: only later helpers may be called on it.
    Same,
    /// It lies below: every helper may be called on it.
    Below,
    /// It is another: it is passed beside the first part.
    Other,
}

/// An expression that leads to a part of the structure.
#[derive(Clone, Debug)]
pub struct Part {
    /// As what fields and methods are called on.
    pub place: String,
    pub reference: String,
    /// As an `Option<&C>`.
    pub option: String,
    pub by: By,
    pub class: &'static str,
    pub level: Level,
}

impl Part {
    /// What is bound to a `&C`, or to a `&Box<C>`.
    pub fn node(name: &str, is_boxed: bool, class: &'static str, level: Level) -> Self {
        let option = if is_boxed { format!("Some(&**{name})") } else { format!("Some({name})") };
        let reference = if is_boxed && class == "Expr" { format!("&**{name}") } else { name.to_string() };
        Part { place: name.to_string(), reference, option, by: By::Node, class, level }
    }

    /// A parameter.
    pub fn param(name: &str, by: By, class: &'static str, level: Level) -> Self {
        let option = match by {
            By::Link => format!("{name}.as_deref()"),
            By::Node => format!("Some({name})"),
            By::Opt => name.to_string(),
        };
        Part { place: name.to_string(), reference: name.to_string(), option, by, class, level }
    }

    /// The part as an argument, if it can be passed so.
    pub fn passed(&self, by: By) -> Option<String> {
        match by {
            By::Opt => Some(self.option.clone()),
            _ if by == self.by => Some(self.reference.clone()),
            By::Link | By::Node => None,
        }
    }
}

/// A vector of parts: its place, and whether the elements are boxes.
#[derive(Clone, Debug)]
pub struct Row {
    pub place: String,
    pub is_boxed: bool,
    pub class: &'static str,
    pub level: Level,
}

/// A plain variable that can be changed.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Plain,
    /// Whether it is a `&mut`, and not the value itself.
    pub is_reference: bool,
}

impl Variable {
    pub fn borrowed(&self) -> String {
        if self.is_reference { self.name.clone() } else { format!("&mut {}", self.name) }
    }

    pub fn value(&self) -> String {
        if self.is_reference && self.kind != Plain::MutList { format!("*{}", self.name) } else { self.name.clone() }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub nums: Vec<String>,
    pub bools: Vec<String>,
    pub parts: Vec<Part>,
    pub rows: Vec<Row>,
    pub variables: Vec<Variable>,
    pub results: Vec<(String, Ret)>,
    /// Whether variables can be read and changed here.
    pub is_free: bool,
}

impl Scope {
    /// Adds the fields of a struct at a place.
    pub fn open(&mut self, place: &str, class: &str, level: Level) {
        let level = if level == Level::Other { Level::Other } else { Level::Below };
        for &field in class_of(class).fields {
            self.add(field, Some(place), level);
        }
    }

    /// Adds a field at a place, or a binding.
    pub fn add(&mut self, field: Field, of: Option<&str>, level: Level) {
        let at = |name: &str| of.map_or(name.to_string(), |of| format!("{of}.{name}"));
        let reference = |name: &str| of.map_or(name.to_string(), |of| format!("&{of}.{name}"));
        let link = |place: String, reference: String, class| Part {
            option: format!("{place}.as_deref()"),
            place,
            reference,
            by: By::Link,
            class,
            level,
        };
        match field {
            Field::Num(name) => self.nums.push(at(name)),
            Field::Bool(name) => self.bools.push(at(name)),
            Field::Color(name) => self.bools.push(format!("({} == Color::Red)", at(name))),
            Field::Link(name, class) => self.parts.push(link(at(name), reference(name), class)),
            Field::Arms(name, class) => {
                for arm in 0..2 {
                    let place = format!("{}[{arm}]", at(name));
                    self.parts.push(link(place.clone(), format!("&{place}"), class));
                }
            }
            Field::Inner(name, class) => {
                let option = match (name, of) {
                    ("cap", _) => format!("Some({})", reference(name)),
                    (_, Some(_)) => format!("Some(&*{})", at(name)),
                    (_, None) => format!("Some(&**{name})"),
                };
                let coerced = reference(name);
                // Where a box of an enum is coerced among arguments, its variant is read before or after the others.
                let inside = option.strip_prefix("Some(").and_then(|it| it.strip_suffix(')')).unwrap_or(&coerced);
                let reference = if class == "Expr" { inside.to_string() } else { coerced.clone() };
                self.parts.push(Part { place: at(name), reference, option, by: By::Node, class, level });
            }
            Field::OptInner(name, class) => {
                let option = format!("{}.as_ref()", at(name));
                let (place, reference) = (at(name), option.clone());
                self.parts.push(Part { place, reference, option, by: By::Opt, class, level });
            }
            Field::Kids(name, class) => {
                self.rows.push(Row { place: at(name), is_boxed: name == "kids" && class == "Bough", class, level });
            }
        }
    }
}
