//! What people are told: every text is that of a real run, in a process of its own. The scenarios are ignored tests of this very
//! file, which the others run.

#[path = "reports/child.rs"]
mod child;
#[path = "reports/dying.rs"]
mod dying;
#[path = "reports/endings.rs"]
mod endings;
#[path = "reports/failures.rs"]
mod failures;
#[path = "reports/kept.rs"]
mod kept;
#[path = "reports/pasted.rs"]
mod pasted;
#[path = "reports/scenarios.rs"]
mod scenarios;
#[path = "reports/settings.rs"]
mod settings;
