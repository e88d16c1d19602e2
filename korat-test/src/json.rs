//! Writes JSON.

use std::fmt::{Display, Write};

/// An object of JSON, with a line for each field.
#[derive(Clone, Default)]
pub(crate) struct Object(String);

impl Object {
    /// Adds a field whose value is JSON: a number, or what the functions of this module return.
    pub(crate) fn field(&mut self, name: &str, value: impl Display) {
        let comma = if self.0.is_empty() { "" } else { "," };
        write!(self.0, "{comma}\n{}: {value}", string(name)).expect("writing to a string cannot fail");
    }

    /// Adds the fields of another object.
    pub(crate) fn fields(&mut self, others: &Object) {
        let comma = if self.0.is_empty() || others.0.is_empty() { "" } else { "," };
        write!(self.0, "{comma}{}", others.0).expect("writing to a string cannot fail");
    }

    /// Returns the text of the object.
    pub(crate) fn text(&self) -> String {
        format!("{{{}\n}}", self.0)
    }
}

/// Returns a list with these elements, which are JSON.
pub(crate) fn list(elements: impl IntoIterator<Item = impl Display>) -> String {
    let elements: Vec<String> = elements.into_iter().map(|element| element.to_string()).collect();
    format!("[{}]", elements.join(", "))
}

/// Returns a list of texts.
pub(crate) fn strings<'t>(texts: impl IntoIterator<Item = &'t String>) -> String {
    list(texts.into_iter().map(|text| string(text)))
}

/// Returns a value that is JSON, or null.
pub(crate) fn or_null(value: Option<impl Display>) -> String {
    value.map_or_else(|| "null".to_string(), |value| value.to_string())
}

/// Returns a text as a string of JSON.
pub(crate) fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                write!(quoted, "\\u{:04x}", u32::from(c)).expect("writing to a string cannot fail");
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
