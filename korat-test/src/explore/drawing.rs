//! States as text: drawn if there are objects in them, and by their `Debug` otherwise.

use std::fmt::{self, Debug, Write};

use korat_core::{Forms, Outline};

use super::State;
use crate::panics::caught;
use crate::picture;
use crate::type_text::any_type_text;

/// Draws a state.
pub(super) fn drawn<S: State>(forms: &mut Forms, state: &S) -> String {
    text(outline(forms, state).as_ref(), state)
}

/// Returns the text of a state with this outline.
pub(super) fn text<S: State>(outline: Option<&Outline>, state: &S) -> String {
    outline.map_or_else(|| debug_text(state), |outline| picture::text(outline).trim_end().to_string())
}

/// Returns the outline of a state, if there are objects in it.
pub(super) fn outline<S: State>(forms: &mut Forms, state: &S) -> Option<Outline> {
    let mut outline = caught(|| forms.outline(state)).ok()?.ok()?;
    let has_objects = outline.objects.len() > 1 || !outline.objects[0].class.is_empty();
    let root = &mut outline.objects[0].class;
    if root.is_empty() {
        *root = any_type_text::<S>();
    }
    has_objects.then_some(outline)
}

/// The longest `Debug` text of a state. One that prints itself without end, as a cycle may, ends here.
const LONGEST: usize = 4_000;

fn debug_text(state: &impl Debug) -> String {
    struct Text(String);
    impl Write for Text {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            self.0.push_str(part);
            if self.0.len() > LONGEST { Err(fmt::Error) } else { Ok(()) }
        }
    }
    let mut text = Text(String::new());
    match caught(|| write!(text, "{state:?}").is_ok()) {
        Ok(true) => {}
        Ok(false) => text.0.push_str(" .. (its `Debug` does not end here)"),
        Err(_) => text.0.push_str(" .. (its `Debug` panics)"),
    }
    text.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_does_not_end_is_cut() {
        let long = vec![7_u8; 100_000];
        assert!(drawn(&mut Forms::default(), &long).ends_with(".. (its `Debug` does not end here)"));
        assert_eq!(drawn(&mut Forms::default(), &(1_u8, Some(2_u8))), "(1, Some(2))");
    }
}
