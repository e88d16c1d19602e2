//! What must be the same for a search to go on: the program, and with it the invariant and the property, the bounds and the settings.

use korat_core::UntypedSearcher;
use parking_lot::Mutex;

use crate::config::Config;
use crate::digest::Digest;
use crate::error::Error;

/// The name of what tells programs apart.
pub(super) const PROGRAM: &str = "program";

/// What a search is, as names and texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint(pub(super) Vec<(&'static str, String)>);

impl Fingerprint {
    /// `beside` tells what the property gets beside the values of the search.
    pub(crate) fn of(config: &Config, searcher: &UntypedSearcher, beside: String) -> Result<Self, Error> {
        let Config { sizes, order, backtracking, pruning, unread, summaries, self_check, .. } = config;
        let Config { sample, seed, ranks, shard, limit, stats, step_limit, stack_limit, .. } = config;
        let Config { summary_memory, form_memory, .. } = config;
        let number = |number: &Option<u64>| number.map_or("none".to_string(), |number| number.to_string());
        let all = vec![
            ("korat", env!("CARGO_PKG_VERSION").to_string()),
            (PROGRAM, program()?),
            ("bounds", Digest::of(&searcher.bounds_text())),
            ("beside", beside),
            ("sizes", format!("{sizes:?}")),
            ("order", format!("{order:?}")),
            ("backtracking", format!("{backtracking:?}")),
            ("pruning", format!("{pruning:?}")),
            ("unread", format!("{unread:?}")),
            ("summaries", format!("{summaries:?}")),
            ("self_check", format!("{self_check:?}")),
            ("sample", number(sample)),
            ("seed", seed.to_string()),
            ("ranks", ranks.as_ref().map_or("all".to_string(), |ranks| format!("{}..{}", ranks.start, ranks.end))),
            ("shard", shard.map_or("none".to_string(), |shard| format!("{}/{}", shard.index(), shard.of()))),
            ("limit", number(limit)),
            ("stats", stats.to_string()),
            ("step_limit", step_limit.to_string()),
            ("stack_limit", stack_limit.to_string()),
            ("summary_memory", summary_memory.to_string()),
            ("form_memory", form_memory.to_string()),
        ];
        Ok(Fingerprint(all))
    }
}

/// Returns a digest of the running program, which has the invariant and the property in it.
fn program() -> Result<String, Error> {
    static PROGRAM: Mutex<Option<Result<String, String>>> = Mutex::new(None);
    let digest = || {
        let bytes = std::env::current_exe().and_then(std::fs::read).map_err(|error| error.to_string())?;
        let (words, rest) = bytes.as_chunks::<8>();
        let words = words.iter().map(|word| u64::from_le_bytes(*word)).chain(rest.iter().map(|byte| u64::from(*byte)));
        // The multiplier of FNV-1a. Each step can be undone, so that another word gives another digest.
        let digest = words.fold(0, |digest: u64, word| (digest ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29));
        Ok(format!("{digest:016x}, {} bytes", bytes.len()))
    };
    PROGRAM.lock().get_or_insert_with(digest).clone().map_err(|why| {
        Error::Expectation(format!(
            "KORAT_CHECKPOINT needs to tell this program from others, but it cannot be read: {why}"
        ))
    })
}
