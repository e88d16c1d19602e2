//! The bounds of a search as text: equal for searches of one space.

use std::fmt::Write;

use super::untyped::UntypedSearcher;
use crate::slots::kinds::SlotKind;

impl UntypedSearcher {
    /// Returns the bounds, with a line for the number of objects of each class and for the values of each plain field.
    pub fn bounds_text(&self) -> String {
        let layout = &self.heap.engine.layout;
        let mut text = String::new();
        let mut put =
            |line: std::fmt::Arguments<'_>| writeln!(text, "{line}").expect("writing to a string cannot fail");
        for class in &layout.classes {
            put(format_args!("{}: {} objects", class.name, class.count));
        }
        for field in &layout.fields {
            if let SlotKind::Value { len } = field.kind {
                let values: Vec<String> = (0..len).map(|index| field.show(index)).collect();
                put(format_args!("{}.{}: {}", layout.classes[field.class.index()].name, field.name, values.join(", ")));
            }
        }
        text
    }
}
