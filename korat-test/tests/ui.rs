//! What a mistake gets from the compiler: one case per mistake, one message per case. `TRYBUILD=overwrite` writes the
//! messages anew; read them before they are kept.

#[test]
fn every_mistake_gets_one_message() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/finitize/*.rs");
    cases.compile_fail("tests/ui/rep_ok/*.rs");
    cases.compile_fail("tests/ui/search/*.rs");
}
