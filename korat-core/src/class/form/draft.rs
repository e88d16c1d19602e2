//! Outlines of values without bounds, drafted while their forms are written.

use std::fmt::{Debug, Display, Write};

use crate::class::traits::Class;
use crate::model::outline::{Outline, OutlineLink, OutlineObject, OutlineValue};

/// The part of an option's path that has its value. No field is named like this, and no element.
pub(super) const SOME: &str = ".Some";

/// The outline of a value in the making.
pub(super) struct Draft {
    /// The value first. It has no class if it is not an object.
    objects: Vec<OutlineObject>,
    inside: Inside,
    /// The fields that lead to the object, the value's own first.
    outside: Vec<Inside>,
    /// The positions of the shared objects, by their numbers.
    shared: Vec<usize>,
    /// The positions of the boxed objects that have numbers.
    boxed: Vec<usize>,
    /// The position of the object whose fields are written next.
    next: usize,
}

/// The field that is written.
#[derive(Default)]
struct Inside {
    object: usize,
    /// Its name, with the positions in it.
    path: String,
}

/// A list of numbered objects.
pub(super) enum Numbers {
    Shared,
    Boxed,
}

impl Draft {
    pub(super) fn new() -> Self {
        let mut draft = Draft {
            objects: Vec::new(),
            inside: Inside::default(),
            outside: Vec::new(),
            shared: Vec::new(),
            boxed: Vec::new(),
            next: 0,
        };
        draft.add();
        draft
    }

    pub(super) fn into_outline(self) -> Outline {
        Outline { objects: self.objects }
    }

    fn add(&mut self) -> usize {
        self.objects.push(OutlineObject { class: String::new(), fields: Vec::new(), arenas: Vec::new() });
        self.objects.len() - 1
    }

    fn note(&mut self, value: OutlineValue) {
        let Inside { object, path } = &self.inside;
        let field = path.trim_end_matches(SOME);
        let somes = (path.len() - field.len()) / SOME.len();
        let within = |text: &str| format!("{}{text}{}", "Some(".repeat(somes), ")".repeat(somes));
        let (field, value) = match value {
            OutlineValue::Plain(text) => (field, OutlineValue::Plain(within(&text))),
            OutlineValue::Null(_) if somes > 0 => (field, OutlineValue::Plain(within("None"))),
            // `None` is drawn as such, so an object is in one `Some` if there is an option around it.
            value => (path.strip_suffix(SOME).unwrap_or(path), value),
        };
        self.objects[*object].fields.push((field.to_string(), value));
    }

    pub(super) fn plain(&mut self, value: &dyn Debug) {
        self.note(OutlineValue::Plain(format!("{value:?}")));
    }

    pub(super) fn null(&mut self, link: OutlineLink) {
        self.note(OutlineValue::Null(link));
    }

    pub(super) fn len(&mut self, len: usize) {
        let path = self.enter(format_args!(".len()"));
        self.note(OutlineValue::Plain(len.to_string()));
        self.leave(path);
    }

    /// Goes to a field of the object.
    pub(super) fn field(&mut self, name: &str) {
        self.inside.path.clear();
        self.inside.path.push_str(name);
    }

    /// Goes to a part of the field. Returns what `leave` takes.
    pub(super) fn enter(&mut self, part: impl Display) -> usize {
        let path = &mut self.inside.path;
        let len = path.len();
        write!(path, "{part}").expect("writing to a string cannot fail");
        if len == 0 && path.starts_with('.') && path != SOME {
            path.remove(0);
        }
        len
    }

    pub(super) fn leave(&mut self, path: usize) {
        self.inside.path.truncate(path);
    }

    /// Goes to an object with a number, which may be new.
    pub(super) fn go_to(&mut self, numbers: Numbers, number: usize) {
        let known = match numbers {
            Numbers::Shared => &self.shared,
            Numbers::Boxed => &self.boxed,
        };
        self.next = known.get(number).copied().unwrap_or_else(|| {
            let position = self.add();
            match numbers {
                Numbers::Shared => self.shared.push(position),
                Numbers::Boxed => self.boxed.push(position),
            }
            position
        });
    }

    /// Notes that the field leads to an object with a number, and goes there.
    pub(super) fn link(&mut self, numbers: Numbers, number: usize, link: OutlineLink) {
        self.go_to(numbers, number);
        self.note(OutlineValue::Object { to: self.next, link });
    }

    /// Adds an object that lies in the field or behind it, and goes there.
    pub(super) fn part(&mut self, link: OutlineLink) {
        let is_root = self.objects.len() == 1 && self.objects[0].class.is_empty() && self.inside.path.is_empty();
        if is_root && self.objects[0].fields.is_empty() {
            self.next = 0;
        } else {
            self.next = self.add();
            self.note(OutlineValue::Object { to: self.next, link });
        }
    }

    /// Goes into the object.
    pub(super) fn begin<C: Class>(&mut self) {
        self.objects[self.next].class = C::NAME.to_string();
        let inside = Inside { object: self.next, path: String::new() };
        self.outside.push(std::mem::replace(&mut self.inside, inside));
    }

    /// Goes back to the field that leads to the object.
    pub(super) fn end(&mut self) {
        self.inside = self.outside.pop().expect("[korat internal bug] an object ends that did not begin");
    }

    pub(super) fn variant<C: Class>(&mut self, index: usize) {
        self.objects[self.inside.object].class = format!("{}::{}", C::NAME, C::VARIANTS[index]);
    }

    /// Notes that a map or a set has a key, whose own draft this is. Returns what tells a set from a map later.
    pub(super) fn key(&mut self, key: &Draft) -> usize {
        let key = key.plain_text();
        let path = self.enter(format_args!(".contains_key({key})"));
        self.plain(&true);
        self.leave(path);
        self.enter(format_args!("[{key}]"))
    }

    /// Leaves the value of a key; that of a set has nothing in it.
    pub(super) fn end_key(&mut self, path: usize) {
        let fields = &mut self.objects[self.inside.object].fields;
        if let Some((name, _)) = fields.last_mut()
            && let Some((set, key)) = name.split_once(".contains_key(")
        {
            *name = format!("{set}.contains({key}");
        }
        self.leave(path);
    }

    /// Returns a value without objects on one line.
    fn plain_text(&self) -> String {
        let values = self.objects[0].fields.iter().map(|(_, value)| match value {
            OutlineValue::Plain(text) => text.as_str(),
            _ => "..",
        });
        let values: Vec<&str> = values.collect();
        if let [only] = *values { only.to_string() } else { format!("({})", values.join(", ")) }
    }
}
