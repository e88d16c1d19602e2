//! What lowering has got wrong once: each of these did not compile, or was searched wrongly, as a machine.

#![allow(warnings, reason = "people write these, and they must work")]

mod bindings;
mod changes;
mod classes;
mod closures;
mod fallbacks;
mod names;
mod order;
