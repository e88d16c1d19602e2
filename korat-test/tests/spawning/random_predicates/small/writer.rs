//! Writes one small predicate: a loop over the keys of a structure, statements of all families in it, and a verdict on the
//! numbers it has come to. Only code that borrow checking accepts is written.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::super::dice::dice;

/// The structure of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Keys in linked nodes.
    List,
    /// Keys in a vector.
    Row,
}

/// What can be read of one key in scope.
#[derive(Clone)]
pub struct Key {
    /// The key itself.
    pub read: String,
    /// What helpers of the block take.
    pub argument: String,
}

/// What is being written.
pub struct Writer {
    rng: SmallRng,
    pub shape: Shape,
    /// Places of type `u8` that can be read and changed: locals, parts of them, and what references lead to.
    pub places: Vec<String>,
    /// Locals that a borrow forbids to use, once for each borrow.
    locked: Vec<String>,
    /// Closures that change what they have captured.
    pub callables: Vec<String>,
    /// Types of the predicate's own with methods, and the locals of them.
    pub tallies: Vec<super::tallies::Tally>,
    /// The keys of the loops around.
    pub keys: Vec<Key>,
    /// The labels of the loops around, innermost last; none inside a closure.
    pub labels: Vec<String>,
    /// Items beside the block.
    pub items: Vec<String>,
    /// How many pieces of code around forbid changes.
    pure: u32,
    /// Whether numbers may overflow.
    pub panics: bool,
    /// How many more statements that nest there may be.
    pub budget: usize,
    names: usize,
}

dice!(Writer);

impl Writer {
    pub fn new(seed: u64) -> Self {
        let mut rng = SmallRng::seed_from_u64(seed);
        let shape = if rng.random_range(0..2) == 0 { Shape::List } else { Shape::Row };
        let panics = rng.random_range(0..12) == 0;
        Writer {
            rng,
            shape,
            places: Vec::new(),
            locked: Vec::new(),
            callables: Vec::new(),
            tallies: Vec::new(),
            keys: Vec::new(),
            labels: Vec::new(),
            items: Vec::new(),
            pure: 0,
            panics,
            budget: 3,
            names: 0,
        }
    }

    /// An item beside the block, once.
    pub fn item(&mut self, text: &str) {
        if !self.items.iter().any(|item| item == text) {
            self.items.push(text.to_string());
        }
    }

    fn is_free(&self, place: &str) -> bool {
        !self.locked.iter().any(|locked| locked == base(place))
    }

    /// A place to read.
    pub fn readable(&mut self) -> Option<String> {
        let free: Vec<String> = self.places.iter().filter(|place| self.is_free(place)).cloned().collect();
        self.pick(&free)
    }

    /// A place to change.
    pub fn changeable(&mut self) -> Option<String> {
        if self.pure > 0 { None } else { self.readable() }
    }

    /// A local to change, by its name.
    pub fn changeable_name(&mut self) -> Option<String> {
        if self.pure > 0 {
            return None;
        }
        let is_name = |place: &&String| place.chars().all(char::is_alphanumeric);
        let free: Vec<String> =
            self.places.iter().filter(is_name).filter(|place| self.is_free(place)).cloned().collect();
        self.pick(&free)
    }

    /// Two places of different locals, to change.
    pub fn two_changeable(&mut self) -> Option<(String, String)> {
        let one = self.changeable()?;
        let other = self.locking(&one, |w| w.changeable())?;
        Some((one, other))
    }

    /// Two locals.
    pub fn two_names(&mut self) -> Option<(String, String)> {
        let one = self.changeable_name()?;
        let other = self.locking(&one, |w| w.changeable_name())?;
        Some((one, other))
    }

    pub fn callable(&mut self) -> Option<String> {
        if self.pure > 0 {
            return None;
        }
        let free: Vec<String> = self.callables.iter().filter(|name| self.is_free(name)).cloned().collect();
        self.pick(&free)
    }

    /// Whether a tally's local can be used.
    pub fn is_usable(&self, name: &str, changing: bool) -> bool {
        self.is_free(name) && !(changing && self.pure > 0)
    }

    /// Writes code while the local of a place cannot be used.
    pub fn locking<T>(&mut self, place: &str, write: impl FnOnce(&mut Self) -> T) -> T {
        self.locked.push(base(place).to_string());
        let written = write(self);
        self.locked.pop();
        written
    }

    /// Writes code that changes nothing.
    pub fn purely<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        self.pure += 1;
        let written = write(self);
        self.pure -= 1;
        written
    }

    /// Writes code inside a block of its own: what it declares is gone afterwards.
    pub fn scoped<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let (places, callables, tallies) = (self.places.len(), self.callables.len(), self.tallies.len());
        let written = write(self);
        self.places.truncate(places);
        self.callables.truncate(callables);
        self.tallies.truncate(tallies);
        written
    }

    /// A loop over the keys of the structure, with these statements in it.
    pub fn walk(&mut self, label: Option<String>, write: impl FnOnce(&mut Self) -> String) -> String {
        let at = self.fresh("at");
        let label_text = label.as_ref().map(|label| format!("'{label}: ")).unwrap_or_default();
        let shape = self.shape;
        let (head, key) = match shape {
            Shape::List => {
                let node = self.fresh("node");
                let head = format!(
                    "let mut {at} = &self.head;\n{label_text}while let Some({node}) = {at} {{\n{at} = &{node}.next;\n"
                );
                (head, Key { read: format!("{node}.key"), argument: node })
            }
            Shape::Row if self.chance(50) => {
                let head = format!("{label_text}for {at} in 0..self.keys.len() {{\n");
                (head, Key { read: format!("self.keys[{at}]"), argument: at })
            }
            Shape::Row => {
                let key = self.fresh("key");
                let head = format!("{label_text}for ({at}, {key}) in self.keys.iter().enumerate() {{\n");
                (head, Key { read: format!("(*{key})"), argument: at })
            }
        };
        self.keys.push(key);
        self.labels.extend(label.clone());
        let body = self.scoped(write);
        if label.is_some() {
            self.labels.pop();
        }
        self.keys.pop();
        format!("{head}{body}}}\n")
    }

    /// A call of a helper of the block that changes the place by a key.
    pub fn helper_call(&mut self, place: &str) -> Option<String> {
        let key = self.pick(&self.keys.clone())?;
        Some(match self.shape {
            Shape::List => format!("Self::bump_by(&mut {place}, {})", key.argument),
            Shape::Row => format!("self.bump_by(&mut {place}, {})", key.argument),
        })
    }
}

/// The local of a place: the first name in it.
fn base(place: &str) -> &str {
    let start = place.find(|c: char| c.is_alphabetic()).unwrap_or(0);
    let rest = &place[start..];
    &rest[..rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())]
}
