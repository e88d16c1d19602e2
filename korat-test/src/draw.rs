//! Draws a value as text: a tree of objects by their fields, with shared objects named. Takes an outline, gives lines.

use korat_core::{Outline, OutlineObject, OutlineValue};

pub(crate) fn draw(outline: &Outline) -> String {
    let mut mentions = vec![0; outline.objects.len()];
    for object in &outline.objects {
        for (_, value) in &object.fields {
            if let OutlineValue::Object(target) = value {
                mentions[*target] += 1;
            }
        }
    }
    let mut drawing = Drawing { outline, mentions, drawn: vec![false; outline.objects.len()], text: String::new() };
    drawing.object(0, "", "", "");
    drawing.text
}

/// The value on one line, objects by their numbers: `List { head: Node#1 }, Node#1 { key: 0, next: null }`.
pub(crate) fn one_line(outline: &Outline) -> String {
    let value = |value: &OutlineValue| match value {
        OutlineValue::Plain(shown) => shown.replace('\n', " "),
        OutlineValue::Null => "null".to_string(),
        OutlineValue::Object(target) => format!("{}#{target}", outline.objects[*target].class),
    };
    let object = |(at, object): (usize, &OutlineObject)| {
        let fields: Vec<String> =
            object.fields.iter().map(|(field, shown)| format!("{field}: {}", value(shown))).collect();
        let number = if at == 0 { String::new() } else { format!("#{at}") };
        format!("{}{number} {{ {} }}", object.class, fields.join(", "))
    };
    outline.objects.iter().enumerate().map(object).collect::<Vec<_>>().join(", ")
}

struct Drawing<'o> {
    outline: &'o Outline,
    /// How many references lead to each object; more than one, and it gets a number.
    mentions: Vec<usize>,
    drawn: Vec<bool>,
    text: String,
}

impl Drawing<'_> {
    /// One line for the object, then one branch per reference. `first` stands before the line, `rest` before what is below.
    fn object(&mut self, at: usize, first: &str, label: &str, rest: &str) {
        let object = &self.outline.objects[at];
        let name = self.name(at, object);
        if std::mem::replace(&mut self.drawn[at], true) {
            self.text.push_str(&format!("{first}{label}-> {name}\n"));
            return;
        }
        let plain: Vec<String> = (object.fields.iter())
            .filter_map(|(field, value)| match value {
                OutlineValue::Plain(shown) => Some(format!("{field}: {shown}")),
                OutlineValue::Null | OutlineValue::Object(_) => None,
            })
            .collect();
        let plain = if plain.is_empty() { String::new() } else { format!(" {{ {} }}", plain.join(", ")) };
        self.text.push_str(&format!("{first}{label}{name}{plain}\n"));
        let references: Vec<(&String, usize)> = (object.fields.iter())
            .filter_map(|(field, value)| match value {
                OutlineValue::Object(target) => Some((field, *target)),
                OutlineValue::Null | OutlineValue::Plain(_) => None,
            })
            .collect();
        for (place, (field, target)) in references.iter().enumerate() {
            let last = place + 1 == references.len();
            let (corner, below) = if last { ("`- ", "   ") } else { ("|- ", "|  ") };
            self.object(*target, &format!("{rest}{corner}"), &format!("{field}: "), &format!("{rest}{below}"));
        }
    }

    fn name(&self, at: usize, object: &OutlineObject) -> String {
        if self.mentions[at] > 1 || (at == 0 && self.mentions[0] > 0) {
            format!("{}#{at}", object.class)
        } else {
            object.class.clone()
        }
    }
}
