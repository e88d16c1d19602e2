//! Formats a value on one line, for files that people review.

use korat_core::{Outline, OutlineObject, OutlineValue};

/// Formats the objects with their numbers: `List { head: Node#1 }, Node#1 { key: 0, next: null }`.
pub(crate) fn line(outline: &Outline) -> String {
    let value = |value: &OutlineValue| match value {
        OutlineValue::Plain(shown) | OutlineValue::Index { shown, .. } => shown.replace('\n', " "),
        OutlineValue::Null(_) => "null".to_string(),
        OutlineValue::Object { to, .. } => format!("{}#{to}", outline.objects[*to].class),
    };
    let object = |(at, object): (usize, &OutlineObject)| {
        let fields: Vec<String> =
            object.fields.iter().map(|(field, shown)| format!("{field}: {}", value(shown))).collect();
        let number = if at == 0 { String::new() } else { format!("#{at}") };
        format!("{}{number} {{ {} }}", object.class, fields.join(", "))
    };
    outline.objects.iter().enumerate().map(object).collect::<Vec<_>>().join(", ")
}
