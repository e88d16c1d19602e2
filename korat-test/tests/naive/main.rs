//! Small structures of every kind of field, each also enumerated without korat: `agreement` compares the sets of valid values,
//! `round_trip` takes every value apart and builds it again.

mod agreement;
mod atomic_pointers;
mod boxes;
mod by_value;
mod canonical;
mod cells;
mod compound_keys;
mod deques;
mod enums;
mod generic;
mod harness;
mod hashers;
mod instances;
mod keyed;
mod members;
mod mixed;
mod nested;
mod nested_classes;
mod operators;
mod patterns_behind_references;
mod plain;
mod plain_pointers;
mod pointed_parts;
mod promised;
mod raw;
mod raw_enums;
mod records;
mod round_trip;
mod shared;
mod std_values;
mod threads;
#[path = "../common/trace.rs"]
mod trace;
mod tuples;
mod values;
mod via;
mod whole;
