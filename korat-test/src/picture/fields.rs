//! Abbreviates the plain fields of an object: a vector of plain values becomes one list, a set or a map one pair of
//! braces. References are drawn as edges instead; a list of references appears here only if it is empty or has nulls.
//!
//! The outline lists a container as fields such as `keys.len()`, `keys[0]`; the result is pairs of name and text.

use std::borrow::Cow;

use korat_core::OutlineValue;

/// Lists with more elements than this are truncated in the middle.
const LONGEST: usize = 64;
/// Number of elements before and after the cut in a truncated list.
const BEFORE_AND_AFTER: (usize, usize) = (32, 4);

type FieldRef<'o> = (Cow<'o, str>, &'o OutlineValue);

/// Returns every plain field of an object with its text.
pub(super) fn plain(fields: &[(String, OutlineValue)]) -> Vec<(String, String)> {
    shortened(&fields.iter().map(|(name, value)| (Cow::from(name), value)).collect::<Vec<_>>())
}

/// Returns every plain field of one element of a vector, which only pictures draw by itself. Field names start with the name of the element, which is
/// removed; the name of the whole element is empty.
#[cfg(feature = "pictures")]
pub(super) fn plain_inside(fields: &[(String, OutlineValue)], element: &str) -> Vec<(String, String)> {
    let inside = fields.iter().filter_map(|(name, value)| Some((Cow::from(inside(name, element)?), value)));
    shortened(&inside.collect::<Vec<_>>())
}

/// Returns the rest of a field name after the name of the element that contains it, or `None` if it is not inside the element.
pub(super) fn inside<'n>(name: &'n str, element: &str) -> Option<&'n str> {
    let rest = name.strip_prefix(element)?;
    (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
}

/// Formats an index. The index that means "no element" is often the largest integer, which is abbreviated to `none`.
fn index_text(shown: &str, names_element: bool) -> String {
    if !names_element && shown.len() > "4294967294".len() { "none".to_string() } else { shown.to_string() }
}

fn shortened(fields: &[FieldRef<'_>]) -> Vec<(String, String)> {
    let mut shown = Vec::new();
    let mut rest = fields;
    while let Some((name, value)) = rest.first() {
        let done = if let Some((vector, len)) = length(name, value) {
            let end = run(&rest[1..], |name| name.starts_with(&format!("{vector}["))) + 1;
            shown.extend(list(vector, &rest[1..end], len).map(|text| (vector.to_string(), text)));
            end
        } else if let Some((keyed, asked_by)) = asked(name) {
            let asks = format!("{keyed}.{asked_by}(");
            let end = run(rest, |name| name.starts_with(&asks) || name.starts_with(&format!("{keyed}[")));
            shown.extend(braces(keyed, &asks, &rest[..end]).map(|text| (keyed.to_string(), text)));
            end
        } else if let Some(array) = name.strip_suffix("[0]").filter(|_| is_plain(value)) {
            let end = run(rest, |name| name.starts_with(&format!("{array}[")));
            let mut elements = &rest[..end];
            let len = (0..).take_while(|at| !taken(&mut elements, &format!("{array}[{at}]")).is_empty()).count();
            shown.extend(list(array, &rest[..end], len).map(|text| (array.to_string(), text)));
            end
        } else {
            if let Shown::Text(text) = alone(value) {
                shown.push((name.to_string(), text));
            }
            1
        };
        rest = &rest[done..];
    }
    shown
}

/// Returns whether the value is not a reference. The elements of an array of references are told apart by the labels of
/// their edges.
fn is_plain(value: &OutlineValue) -> bool {
    match value {
        OutlineValue::Plain(_) | OutlineValue::Index { .. } => true,
        OutlineValue::Null(_) | OutlineValue::Object { .. } => false,
    }
}

/// Returns how many of the first fields have matching names.
fn run(fields: &[FieldRef<'_>], is_one: impl Fn(&str) -> bool) -> usize {
    fields.iter().take_while(|(name, _)| is_one(name)).count()
}

/// Splits off and returns the leading fields that belong to one element.
fn taken<'f, 'o>(fields: &mut &'f [FieldRef<'o>], element: &str) -> &'f [FieldRef<'o>] {
    let (own, rest) = fields.split_at(run(fields, |name| inside(name, element).is_some()));
    *fields = rest;
    own
}

/// Returns the vector whose length a field is, and the length.
fn length<'n>(name: &'n str, value: &OutlineValue) -> Option<(&'n str, usize)> {
    let vector = name.strip_suffix(".len()")?;
    let OutlineValue::Plain(len) = value else { return None };
    Some((vector, len.parse().ok()?))
}

/// Returns the map or set of which a field is a key, and the method that queries the key.
fn asked(name: &str) -> Option<(&str, &'static str)> {
    let asked_by = ["contains_key", "contains"];
    asked_by.into_iter().find_map(|asked_by| Some((name.split_once(&format!(".{asked_by}("))?.0, asked_by)))
}

/// How a drawing shows one element.
enum Shown {
    Text(String),
    Null,
    /// Drawn elsewhere.
    Object,
}

fn alone(value: &OutlineValue) -> Shown {
    match value {
        OutlineValue::Plain(text) => Shown::Text(text.clone()),
        OutlineValue::Index { shown, element } => Shown::Text(index_text(shown, element.is_some())),
        OutlineValue::Null(_) => Shown::Null,
        OutlineValue::Object { .. } => Shown::Object,
    }
}

/// Formats an element from its fields.
fn element(fields: &[FieldRef<'_>], element: &str) -> Shown {
    let own = fields.iter().filter_map(|(name, value)| Some((Cow::from(inside(name, element)?), *value)));
    let parts: Vec<FieldRef<'_>> = own.collect();
    if let [(name, value)] = &parts[..]
        && name.is_empty()
    {
        return alone(value);
    }
    let parts = shortened(&parts);
    let text = match &parts[..] {
        [(name, text)] if name.is_empty() => text.clone(),
        _ if parts.is_empty() => "_".to_string(),
        _ if parts.iter().all(|(name, _)| name.trim_start_matches('.').parse::<usize>().is_ok()) => {
            format!("({})", parts.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(", "))
        }
        _ => {
            let named = parts.iter().map(|(name, text)| format!("{}: {text}", name.trim_start_matches('.')));
            format!("{{ {} }}", named.collect::<Vec<_>>().join(", "))
        }
    };
    Shown::Text(text)
}

/// Formats a vector as a list; `None` if all its elements are drawn elsewhere.
fn list(vector: &str, mut fields: &[FieldRef<'_>], len: usize) -> Option<String> {
    let shown = (0..len).map(|at| {
        let name = format!("{vector}[{at}]");
        element(taken(&mut fields, &name), &name)
    });
    let shown: Vec<Shown> = shown.collect();
    if len > 0 && shown.iter().all(|element| matches!(element, Shown::Object)) {
        return None;
    }
    let texts: Vec<String> = shown.into_iter().map(|element| drawn_text(element).unwrap_or("..".to_string())).collect();
    let (before, after) = BEFORE_AND_AFTER;
    Some(if len > LONGEST {
        format!("[{}, .., {}] ({len} elements)", texts[..before].join(", "), texts[len - after..].join(", "))
    } else {
        format!("[{}]", texts.join(", "))
    })
}

fn drawn_text(element: Shown) -> Option<String> {
    match element {
        Shown::Text(text) => Some(text),
        Shown::Null => Some("null".to_string()),
        Shown::Object => None,
    }
}

/// Formats the keys of a map or set with their values; `None` if all of them are drawn elsewhere.
fn braces(keyed: &str, asks: &str, mut fields: &[FieldRef<'_>]) -> Option<String> {
    let mut entries = Vec::new();
    let mut drawn = 0;
    while let [(name, value), rest @ ..] = fields {
        fields = rest;
        let Some(key) = name.strip_prefix(asks).and_then(|rest| rest.strip_suffix(')')) else { continue };
        if !matches!(value, OutlineValue::Plain(present) if present == "true") {
            continue;
        }
        let entry = format!("{keyed}[{key}]");
        let inside = taken(&mut fields, &entry);
        if inside.is_empty() {
            entries.push(key.to_string());
            continue;
        }
        match drawn_text(element(inside, &entry)) {
            Some(text) => entries.push(format!("{key}: {text}")),
            None => drawn += 1,
        }
    }
    match (entries.is_empty(), drawn) {
        (true, 0) => Some("{}".to_string()),
        (true, _) => None,
        (false, 0) => Some(format!("{{{}}}", entries.join(", "))),
        (false, _) => Some(format!("{{{}, ..}}", entries.join(", "))),
    }
}
