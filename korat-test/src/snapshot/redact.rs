//! Redacts plain fields whose values must not appear in a snapshot.

use korat_core::{Outline, OutlineValue};

/// The fields to redact, and their replacements.
#[derive(Default)]
pub struct Redactions {
    redactions: Vec<Redaction>,
}

struct Redaction {
    /// `Node`, or one variant of an enum: `Expr::Add`.
    class: String,
    field: String,
    replacement: String,
    /// Whether an object of the class was found.
    class_met: bool,
    /// Whether a field of that name was found.
    field_met: bool,
}

impl Redactions {
    /// Creates redactions from pairs of `Class.field` and the text to show.
    #[track_caller]
    pub fn new(redactions: Vec<(&str, String)>) -> Self {
        let redaction = |(selector, replacement): (&str, String)| {
            let Some((class, field)) =
                selector.split_once('.').filter(|(class, field)| !class.is_empty() && !field.is_empty())
            else {
                panic!("`{selector}` names no field to redact; write class and field, as in \"Node.key\"");
            };
            Redaction {
                class: class.to_string(),
                field: field.to_string(),
                replacement,
                class_met: false,
                field_met: false,
            }
        };
        Redactions { redactions: redactions.into_iter().map(redaction).collect() }
    }

    pub(super) fn apply(&mut self, outline: &mut Outline) {
        for object in &mut outline.objects {
            for redaction in &mut self.redactions {
                let enum_name = object.class.split("::").next();
                if object.class != redaction.class && enum_name != Some(&redaction.class) {
                    continue;
                }
                redaction.class_met = true;
                for (field, value) in &mut object.fields {
                    if !is_part_of(field, &redaction.field) {
                        continue;
                    }
                    redaction.field_met = true;
                    match value {
                        OutlineValue::Plain(_) | OutlineValue::Index { .. } => {
                            *value = OutlineValue::Plain(redaction.replacement.clone());
                        }
                        OutlineValue::Null(_) | OutlineValue::Object { .. } => {}
                    }
                }
            }
        }
    }

    /// Checks, after the last outline, that every redacted field exists in its class.
    #[track_caller]
    pub(super) fn check(&self) {
        for redaction in &self.redactions {
            if redaction.class_met && !redaction.field_met {
                panic!(
                    "no object of {} has a field `{}` to redact; fields are named as in the drawing",
                    redaction.class, redaction.field
                );
            }
        }
    }
}

/// Returns whether a field is the named one, or an element or a part of it.
fn is_part_of(field: &str, named: &str) -> bool {
    field.strip_prefix(named).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
}

#[cfg(test)]
mod tests {
    use super::is_part_of;

    #[test]
    fn elements_and_parts_belong_to_their_field() {
        assert!(["keys", "keys[0]", "keys.len"].iter().all(|field| is_part_of(field, "keys")));
        assert!(!is_part_of("keys_of", "keys") && !is_part_of("key", "keys"));
    }
}
