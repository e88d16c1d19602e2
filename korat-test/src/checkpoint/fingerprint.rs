//! What must be the same for a search to go on: the program, and with it the invariant and the property, the bounds and the settings.

use std::sync::OnceLock;

use korat_core::UntypedSearcher;

use crate::config::Config;
use crate::digest::Digest;
use crate::error::Error;

/// What a search is, as names and texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint(pub(super) Vec<(&'static str, String)>);

impl Fingerprint {
    pub(crate) fn of(config: &Config, searcher: &UntypedSearcher) -> Result<Self, Error> {
        let mut all = vec![
            ("korat", env!("CARGO_PKG_VERSION").to_string()),
            ("program", program()?),
            ("bounds", Digest::of(&searcher.bounds_text())),
        ];
        let Config { sizes, order, backtracking, pruning, unread, summaries, self_check, .. } = config;
        all.push((
            "settings",
            format!("{sizes:?} {order:?} {backtracking:?} {pruning:?} {unread:?} {summaries:?} {self_check:?}"),
        ));
        let Config { sample, seed, ranks, shard, stats, step_limit, stack_limit, summary_memory, .. } = config;
        all.push(("values", format!("{sample:?} {seed} {ranks:?} {shard:?} {stats}")));
        all.push(("limits", format!("{step_limit} {stack_limit} {summary_memory}")));
        Ok(Fingerprint(all))
    }
}

/// Returns a digest of the running program, which has the invariant and the property in it.
fn program() -> Result<String, Error> {
    static PROGRAM: OnceLock<Result<String, String>> = OnceLock::new();
    let digest = || {
        let bytes = std::env::current_exe().and_then(std::fs::read).map_err(|error| error.to_string())?;
        let (words, rest) = bytes.as_chunks::<8>();
        let words = words.iter().map(|word| u64::from_le_bytes(*word)).chain(rest.iter().map(|byte| u64::from(*byte)));
        // The multiplier of FNV-1a. Each step can be undone, so that another word gives another digest.
        let digest = words.fold(0, |digest: u64, word| (digest ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29));
        Ok(format!("{digest:016x}, {} bytes", bytes.len()))
    };
    PROGRAM.get_or_init(digest).clone().map_err(|why| {
        Error::Expectation(format!(
            "KORAT_CHECKPOINT needs to tell this program from others, but it cannot be read: {why}"
        ))
    })
}
