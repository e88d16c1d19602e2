//! What a mistake gets from the compiler: one case per mistake, one message per case. `TRYBUILD=overwrite` writes the
//! messages anew; read them before they are kept.

use std::fs;
use std::path::Path;

/// Cases with several messages, each with the reason.
const SEVERAL: &[(&str, usize)] = &[
    // As many mistakes as messages.
    ("finitize/copy_with_attributes", 2),
    ("finitize/plain_with_meaning", 3),
    ("finitize/several_mistakes", 3),
    ("finitize/wrong_instances", 7),
    ("finitize/wrong_via", 5),
    ("rep_ok/layout_of_a_class", 2),
    ("rep_ok/operators_as_helpers", 4),
    ("rep_ok/several_mistakes", 3),
    ("rep_ok/uses_of_own_methods", 3),
    // rustc checks a bound of the type again wherever a field has the type.
    ("finitize/enum_that_is_not_clone", 3),
    ("finitize/plain_that_is_not_clone", 3),
    // The derive and the attribute see a lifetime each, and neither sees the other.
    ("rep_ok/impl_with_lifetime", 2),
    // The attribute cannot stand in for `rep_ok`: another block may have it, and this one be a block of helpers.
    ("rep_ok/missing", 2),
    // Without the derive there is no view, which the attribute names, and no class, which it implements.
    ("rep_ok/generic_type_without_derive", 3),
    ("rep_ok/type_without_derive", 3),
    // rustc checks the user's method and its copy.
    ("rep_ok/unknown_field", 2),
    // The copy and the machine name the type in several places; only rustc knows that it is unknown.
    ("rep_ok/unknown_type_of_a_parameter", 5),
];

#[test]
fn every_mistake_gets_one_message() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/finitize/*.rs");
    cases.compile_fail("tests/ui/rep_ok/*.rs");
    cases.compile_fail("tests/ui/search/*.rs");
}

#[test]
fn no_message_is_kept_twice() {
    for group in ["finitize", "rep_ok", "search"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui").join(group);
        for entry in fs::read_dir(folder).expect("the cases are there") {
            let path = entry.expect("a case").path();
            if path.extension().is_none_or(|extension| extension != "stderr") {
                continue;
            }
            let name = format!("{group}/{}", path.file_stem().expect("a case has a name").display());
            let text = fs::read_to_string(&path).expect("a text");
            let messages = text.lines().filter(|line| line.starts_with("error")).count();
            let expected = SEVERAL.iter().find(|(several, _)| *several == name).map_or(1, |(_, count)| *count);
            assert_eq!(messages, expected, "messages for {name}");
        }
    }
}
