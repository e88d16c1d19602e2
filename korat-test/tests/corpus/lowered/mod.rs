//! What lowering has got wrong once: each of these did not compile, or was searched wrongly, as a machine.

mod bindings;
mod changes;
mod closures;
mod fallbacks;
mod names;
mod order;
