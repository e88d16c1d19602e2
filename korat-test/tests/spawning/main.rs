//! Tests that run cargo: they write packages as users would, build them, and compare what is printed.

mod clusters;
mod found;
mod guide;
mod older_editions;
mod random_predicates;
mod snapshots_of_users;
mod ui;
