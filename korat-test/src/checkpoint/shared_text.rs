//! Where several threads stand, as numbers.

use std::ops::Range;

use super::numbers::{numbers, numbers_of, pairs, pass_numbers, pass_text};
use crate::threads::{DonePiece, Kind, PassCounts};
use crate::values::SharedStanding;

const KINDS: [Kind; 4] = [Kind::Pieces, Kind::Waiting, Kind::Summaries, Kind::Numbered];

/// Returns names and texts.
pub(super) fn written(standing: &SharedStanding) -> [(&'static str, String); 7] {
    let SharedStanding { kind, pass, depth, given, first, solved, numbers: done, pieces, counts, uses } = standing;
    let PassCounts { field_inits, undo_ops, compared, hit_size_bound } = *counts;
    let kind = KINDS.iter().position(|it| it == kind).map_or(0, |at| at as u64);
    let pairs =
        |all: &[(usize, u64)]| all.iter().flat_map(|(size, values)| [*size as u64, *values]).collect::<Vec<_>>();
    let pieces = pieces.iter().flat_map(|DonePiece { numbers, explored, values }| {
        let first = [numbers.start, numbers.end, *explored, values.len() as u64];
        first.into_iter().chain(pairs(values))
    });
    [
        ("pass", pass_text(pass)),
        ("shared", numbers([kind, *depth, *first, *solved])),
        ("before", numbers(pairs(given))),
        ("done", numbers(done.within(0..u64::MAX).flat_map(|range| [range.start, range.end]))),
        ("pieces", numbers(pieces)),
        ("counts", numbers([field_inits, undo_ops, compared, hit_size_bound.into()])),
        ("uses", numbers(uses.iter().copied())),
    ]
}

/// Reads what `written` gives; `None` if it is something else.
pub(super) fn read<'t>(line: impl Fn(&str) -> Option<&'t str>) -> Option<SharedStanding> {
    let all = |name: &str| numbers_of(line(name)?);
    let [kind, depth, first, solved] = all("shared")?[..] else { return None };
    let [field_inits, undo_ops, compared, hit_size_bound] = all("counts")?[..] else { return None };
    let mut pieces = Vec::new();
    let mut rest = all("pieces")?.into_iter();
    let mut last = 0;
    while let Some(start) = rest.next() {
        let numbers = range(start, rest.next()?, &mut last)?;
        let (explored, sizes) = (rest.next()?, rest.next()?);
        let values = (0..sizes).map(|_| Some((usize::try_from(rest.next()?).ok()?, rest.next()?)));
        pieces.push(DonePiece { numbers, explored, values: values.collect::<Option<_>>()? });
    }
    let (mut last, done) = (0, all("done")?);
    Some(SharedStanding {
        kind: *KINDS.get(usize::try_from(kind).ok()?)?,
        pass: pass_numbers(&all("pass")?)?,
        depth,
        given: pairs(&all("before")?)?,
        first,
        solved,
        numbers: done.chunks(2).map(|pair| range(pair[0], *pair.get(1)?, &mut last)).collect::<Option<_>>()?,
        pieces,
        counts: PassCounts { field_inits, undo_ops, compared, hit_size_bound: hit_size_bound != 0 },
        uses: all("uses")?,
    })
}

/// Returns the range, if it comes after the last one.
fn range(start: u64, end: u64, last: &mut u64) -> Option<Range<u64>> {
    let follows = *last <= start && start < end;
    *last = end;
    follows.then_some(start..end)
}
