//! What a search found out about `rep_ok` beside its values.

use korat_core::{Explanation, Profile, Settings, UntypedSearcher};

/// What a search found out about `rep_ok`, as far as the settings request it.
#[derive(Clone, Default)]
pub(crate) struct Found {
    pub(crate) explanation: Option<Explanation>,
    pub(crate) profile: Option<Profile>,
    /// Number of candidates that were compared with a run from the top.
    pub(crate) compared: u64,
}

impl Found {
    pub(super) fn by(searcher: &UntypedSearcher, settings: Settings) -> Self {
        let explanation = if settings.explain { searcher.explanation() } else { None };
        Found { explanation, profile: searcher.profile(), compared: searcher.checked().compared }
    }
}
