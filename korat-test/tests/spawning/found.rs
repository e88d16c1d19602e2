//! The programs of the page on bugs in published crates. Each becomes a test of one package, which depends on these crates.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::guide::book::workspace;
use crate::guide::chapter::{Block, Chapter};

/// The crate that a program is for, as its first line names it: `// slab = "=0.4.12"`.
pub fn dependency(block: &Block) -> Option<&str> {
    block.text.lines().next()?.strip_prefix("// ").filter(|line| line.contains(" = "))
}

#[test]
#[ignore = "fetches the crates from the registry"]
fn found_bugs_are_still_there() {
    let page = Chapter::read(&workspace().join("docs/src/found.md"));
    let (mut dependencies, mut tests) = (String::new(), String::new());
    for (number, block) in page.blocks().iter().enumerate() {
        let Some(dependency) = dependency(block) else { continue };
        let program = block.text.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>();
        dependencies += &format!("{dependency}\n");
        tests += &format!("#[test]\nfn program_{number}() {{\n{program}}}\n\n");
    }
    assert_eq!(tests.matches("#[test]").count(), 10);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("found");
    fs::create_dir_all(folder.join("src")).expect("the package can be made");
    let manifest = format!(
        "[workspace]\n\n[package]\nname = \"found\"\nedition = \"2024\"\npublish = false\n\n[dev-dependencies]\n{dependencies}"
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("the package can be written");
    let panics = "#[cfg(test)]\nfn panics(run: impl FnOnce()) -> bool {\n    \
                  std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err()\n}\n\n";
    fs::write(folder.join("src/lib.rs"), panics.to_string() + &tests).expect("the package can be written");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    let ran = cargo.arg("test").current_dir(&folder).output().expect("cargo can be run");
    let output = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(ran.status.success() && output.contains("10 passed"), "{output}");
}
