//! Predicates of `../containers.rs` that are ordinary Rust, but whose lifted form does not compile: methods that give
//! several `&mut`. No `mod` names this file; `#[path = "uncompilable/containers.rs"] mod uncompilable;` at the end of
//! `containers.rs` tries them.

use super::*;

on_rows! {
    chunks_mut []

    fn rep_ok(&self) -> bool {
        let mut all = vec![1u8, 2, 3, 4];
        {
            let mut chunks = all.chunks_mut(2);
            for key in &self.keys {
                if let Some(chunk) = chunks.next() {
                    chunk[1] = chunk[1].wrapping_add(chunk[0] ^ *key);
                }
            }
        }
        all.iter().fold(0u8, |sum, n| sum.wrapping_mul(3).wrapping_add(*n)) % 5 == self.mark
    }
}
