//! Numbers: expressions of type `u8` with operands in every position, of which any may change what others read.

use super::writer::Writer;

impl Writer {
    /// An expression of type `u8`, in parentheses where it needs them.
    pub fn num(&mut self, depth: usize) -> String {
        for _ in 0..8 {
            let form = self.below(if depth == 0 { 8 } else { 46 });
            if let Some(text) = self.num_form(form, depth.saturating_sub(1)) {
                return text;
            }
        }
        self.literal()
    }

    fn literal(&mut self) -> String {
        format!("{}u8", self.below(6))
    }

    fn num_form(&mut self, form: usize, d: usize) -> Option<String> {
        Some(match form {
            0 => self.literal(),
            1..=3 => self.readable()?,
            4 | 5 => {
                let keys = self.keys.clone();
                self.pick(&keys)?.read
            }
            6 => self.one_of(["K", "BASE", "self.mark"]).to_string(),
            7 => self.one_of(["(Step::Large as u8)", "((700u16 as Number) as u8)", "3u8"]).to_string(),
            8..=10 => {
                let operator = self.one_of(["^", "|", "&", "^"]);
                format!("({} {operator} {})", self.num(d), self.num(d))
            }
            11..=13 => {
                let method = self.one_of(["wrapping_add", "wrapping_mul", "wrapping_sub", "max", "min"]);
                format!("({}).{method}({})", self.num(d), self.num(d))
            }
            14..=17 => self.change(d)?,
            18 => format!("(if {} {{ {} }} else {{ {} }})", self.condition(d), self.num(d), self.num(d)),
            19 => {
                let (one, other) = (self.fresh("m"), self.fresh("m"));
                let text = format!("match ({}, {})", self.num(d), self.num(d));
                let rest = self.num(d);
                format!(
                    "({text} {{ (0, {one}) => {one}, ({one}, {other}) if {one} < {other} => {one} ^ {other}, _ => {rest} }})"
                )
            }
            20 => format!("({}, {}, {}).{}", self.num(d), self.num(d), self.num(d), self.below(3)),
            21 => format!("[{}, {}, {}][usize::from({} % 3)]", self.num(d), self.num(d), self.num(d), self.num(d)),
            22 => {
                let field = self.one_of(["a", "b"]);
                format!("(Pair {{ b: {}, a: {} }}.{field})", self.num(d), self.num(d))
            }
            23 => format!("u8::from(({}..={}).contains(&{}))", self.num(d), self.num(d), self.num(d)),
            24 => format!("((({} as u16) * 3 + ({} as u16)) as u8)", self.num(d), self.num(d)),
            25 => format!("(!{})", self.num(d)),
            26 => format!("u8::from({})", self.condition(d)),
            27 => format!("u8::from({} && {})", self.condition(d), self.condition(d)),
            28 => format!("u8::from({} || {})", self.condition(d), self.condition(d)),
            29 => format!("Some({}).zip(Some({})).map_or(0, |(a, b)| a ^ b)", self.num(d), self.num(d)),
            30 => {
                let place = self.changeable()?;
                let change = self.change_of(&place, d)?;
                format!("GRID[usize::from({place} % 3)].wrapping_mul({change})")
            }
            31 => format!("three({}, {}, {})", self.num(d), self.num(d), self.num(d)),
            32 | 33 => self.tally_value(d)?,
            34 | 35 => self.macro_value(d)?,
            36 => {
                let read = self.purely(|w| w.locking_all(|w| w.num(0)));
                format!("(|a: u8| a ^ {read})({})", self.num(d))
            }
            37 => {
                let label = self.fresh("l");
                let (test, one) = (self.condition(d), self.num(d));
                format!("'{label}: {{ if {test} {{ break '{label} {one}; }} {} }}", self.num(d))
            }
            38 => format!("u8::from(matches!(({}, {}), (a, b) if a < b))", self.num(d), self.num(d)),
            39 => {
                let list = format!("vec![{}, {}, {}]", self.num(d), self.num(d), self.num(d));
                format!("{list}.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n))")
            }
            40 => {
                let name = self.changeable_name()?;
                let other = self.purely(|w| w.num(d.min(1)));
                format!("(format!(\"{{{name}}}-{{}}\", {other}).len() as u8)")
            }
            41 => format!("twist({})", self.num(d)),
            42 => format!("Weight({}).get()", self.num(d)),
            43 | 44 => {
                let name = self.callable()?;
                let argument = self.locking(&name, |w| w.num(d));
                format!("{name}({argument})")
            }
            _ if self.panics => {
                let operator = self.one_of(["+", "-", "*"]);
                format!("({} {operator} {})", self.num(d), self.num(d))
            }
            _ => format!("({} << ({} % 3))", self.num(d), self.num(d)),
        })
    }

    /// An expression that changes something and gives a number.
    fn change(&mut self, d: usize) -> Option<String> {
        let place = self.changeable()?;
        self.change_of(&place, d)
    }

    /// An expression that changes this place.
    fn change_of(&mut self, place: &str, d: usize) -> Option<String> {
        Some(match self.below(6) {
            0 => {
                let by = self.locking(place, |w| w.num(d));
                format!("bump(&mut {place}, {by})")
            }
            1 | 2 => self.helper_call(place)?,
            3 => format!("({{ {place} = {}; {} }})", self.num(d), self.num(d)),
            4 => {
                let operator = self.one_of(["^=", "|="]);
                format!("({{ {place} {operator} {}; {place} }})", self.num(d))
            }
            _ => {
                let by = self.locking(place, |w| w.num(d));
                format!("std::mem::replace(&mut {place}, {by})")
            }
        })
    }

    /// A comparison, in parentheses.
    pub fn condition(&mut self, d: usize) -> String {
        let operator = self.one_of(["==", "!=", "<", "<=", ">"]);
        format!("(({}) {operator} ({}))", self.num(d), self.num(d))
    }

    /// Writes code that uses no place at all.
    pub fn locking_all<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let places = std::mem::take(&mut self.places);
        let (callables, tallies) = (std::mem::take(&mut self.callables), std::mem::take(&mut self.tallies));
        let written = write(self);
        (self.places, self.callables, self.tallies) = (places, callables, tallies);
        written
    }
}
