//! The text of a checkpoint: a line for each thing, and a digest of all of them.

use std::collections::BTreeMap;
use std::fmt::Write;

use korat_core::Bookmark;

use super::fingerprint::PROGRAM;
use super::numbers::{numbers, numbers_of, pairs, pass_numbers, pass_text};
use super::shared_text;
use super::{Fingerprint, Progress};
use crate::digest::Digest;
use crate::stats::Stats;
use crate::values::{Place, Standing};

const FIRST_LINE: &str = "korat checkpoint 1";

/// Returns the text.
pub(super) fn written(progress: &Progress, fingerprint: &Fingerprint) -> String {
    let Progress { standing: Standing { given, passed, checks, place }, by_size, stats } = progress;
    let mut text = format!("{FIRST_LINE}\n");
    let mut put = |name: &str, value: &str| writeln!(text, "{name} {value}").expect("writing to a string cannot fail");
    for (name, value) in &fingerprint.0 {
        put(name, &value.escape_debug().to_string());
    }
    put("given", &numbers([*given, *passed]));
    put("checks", &numbers(*checks));
    put("by_size", &numbers(by_size.iter().flat_map(|(size, values)| [*size as u64, *values])));
    if let Some(stats) = stats {
        put("unlabelled", &stats.unlabelled().to_string());
        for (label, values) in stats.labels() {
            put("label", &format!("{values} {}", label.escape_debug()));
        }
    }
    match place {
        Place::Beginning => put("place", "beginning"),
        Place::Pass(pass) => {
            put("place", "pass");
            put("pass", &pass_text(pass));
        }
        Place::Step(pass, Bookmark(bookmark)) => {
            put("place", "step");
            put("pass", &pass_text(pass));
            put("bookmark", &numbers(bookmark.iter().copied()));
        }
        Place::Summaries { pass, size, number, solved } => {
            put("place", "summaries");
            put("pass", &pass_text(pass));
            put("numbers", &numbers([*size, *number, *solved]));
        }
        Place::Shared(standing) => {
            put("place", "shared");
            shared_text::written(standing).iter().for_each(|(name, value)| put(name, value));
        }
    }
    let digest = Digest::of(&text);
    text + &format!("end {digest}\n")
}

/// Reads the text of a checkpoint of the search with this fingerprint, or says why it is not one.
pub(super) fn parse(text: &str, fingerprint: &Fingerprint) -> Result<Progress, String> {
    let first = text.lines().next().unwrap_or_default();
    if first != FIRST_LINE {
        let version = first.strip_prefix("korat checkpoint ");
        return Err(match version.filter(|version| version.chars().all(|c| c.is_ascii_digit())) {
            Some(version) => format!("it has version {version}, and this korat reads version 1"),
            None => "it is damaged, or no checkpoint".to_string(),
        });
    }
    read(text, fingerprint).unwrap_or_else(|| Err("it is damaged".to_string()))
}

/// Returns `None` if the file was changed.
fn read(text: &str, fingerprint: &Fingerprint) -> Option<Result<Progress, String>> {
    let (body, digest) = text.strip_suffix('\n')?.rsplit_once("\nend ")?;
    if Digest::of(&format!("{body}\n")) != digest {
        return None;
    }
    let mut lines: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in body.lines().skip(1) {
        let (name, value) = line.split_once(' ')?;
        lines.entry(name).or_default().push(value);
    }
    let line = |name: &str| Some(*lines.get(name)?.first()?);
    for (name, value) in &fingerprint.0 {
        let (then, now) = (line(name)?, value.escape_debug().to_string());
        if then != now {
            return Some(Err(different(name, then, &now)));
        }
    }
    let pass = || pass_numbers(&numbers_of(line("pass")?)?);
    let place = match line("place")? {
        "beginning" => Place::Beginning,
        "pass" => Place::Pass(pass()?),
        "step" => Place::Step(pass()?, Bookmark(numbers_of(line("bookmark")?)?)),
        "summaries" => {
            let [size, number, solved] = numbers_of(line("numbers")?)?[..] else { return None };
            Place::Summaries { pass: pass()?, size, number, solved }
        }
        "shared" => Place::Shared(Box::new(shared_text::read(line)?)),
        _ => return None,
    };
    let [given, passed] = numbers_of(line("given")?)?[..] else { return None };
    let by_size = pairs(&numbers_of(line("by_size")?)?)?;
    let stats = match line("unlabelled") {
        None => None,
        Some(unlabelled) => {
            let labels = lines.get("label").into_iter().flatten().map(|line| {
                let (values, label) = line.split_once(' ')?;
                Some((unescaped(label)?, values.parse().ok()?))
            });
            Some(Stats::with_labels(labels.collect::<Option<_>>()?, unlabelled.parse().ok()?))
        }
    };
    let checks = numbers_of(line("checks")?)?.try_into().ok()?;
    let standing = Standing { given, passed, checks, place };
    Some(Ok(Progress { standing, by_size, stats }))
}

/// Returns whether a text is the checkpoint of another program than the one with this fingerprint.
pub(super) fn is_of_another_program(text: &str, fingerprint: &Fingerprint) -> bool {
    let own = fingerprint.0.iter().find(|(name, _)| *name == PROGRAM).map(|(_, own)| own.escape_debug().to_string());
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == PROGRAM).is_some_and(|(_, other)| own.is_some_and(|own| own != other))
}

/// Says what has changed since the file was written.
fn different(name: &str, then: &str, now: &str) -> String {
    match name {
        "korat" => format!("it is of version {then} of korat, and this is {now}"),
        PROGRAM => {
            "it is of another program: the tests were built anew, and the invariant or the property may be another"
                .to_string()
        }
        "bounds" => "the search has other bounds".to_string(),
        "beside" => "the property gets other values beside those of the search".to_string(),
        _ => format!("the search has another `{name}`: {then}, now {now}"),
    }
}

/// Undoes `escape_debug`.
fn unescaped(text: &str) -> Option<String> {
    let (mut all, mut rest) = (String::new(), text.chars());
    while let Some(c) = rest.next() {
        all.push(match c {
            '\\' => match rest.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '0' => '\0',
                'u' => {
                    let code: String = rest.by_ref().skip(1).take_while(|c| *c != '}').collect();
                    char::from_u32(u32::from_str_radix(&code, 16).ok()?)?
                }
                other => other,
            },
            c => c,
        });
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::{DonePiece, Kind, PassCounts};
    use crate::values::{PassNumbers, SharedStanding};

    fn progress(place: Place) -> Progress {
        let standing = Standing { given: 12, passed: 3, checks: [1, 2, 3, 4], place };
        let labels = vec![("two\nlines \\ é \u{7}".to_string(), 7), (String::new(), 2)];
        Progress { standing, by_size: vec![(0, 1), (4, 11)], stats: Some(Stats::with_labels(labels, 3)) }
    }

    fn fingerprint() -> Fingerprint {
        Fingerprint(vec![("korat", "0.1.0".to_string()), ("bounds", "a\nb".to_string())])
    }

    fn places() -> [Place; 6] {
        let pass = PassNumbers {
            sizes: (2, u64::MAX),
            planned: 1,
            as_found: false,
            was_cut: true,
            leaves_waiting: true,
            last_pass: 9,
            growth: Some(1.5_f64.to_bits()),
            most: [5, 6, 7, 8, 9],
        };
        [
            Place::Beginning,
            Place::Pass(pass.clone()),
            Place::Step(PassNumbers { as_found: true, growth: None, ..pass.clone() }, Bookmark(vec![0, u64::MAX, 4])),
            Place::Summaries { pass: pass.clone(), size: 4, number: 77, solved: 6 },
            Place::Shared(Box::default()),
            Place::Shared(Box::new(shared(pass))),
        ]
    }

    fn shared(pass: PassNumbers) -> SharedStanding {
        let piece = |numbers, sizes: &[(usize, u64)]| DonePiece {
            numbers,
            explored: u64::from(u32::MAX),
            values: sizes.to_vec(),
        };
        SharedStanding {
            kind: Kind::Pieces,
            pass,
            depth: 7,
            given: vec![(0, 1), (3, u64::MAX)],
            first: 5,
            solved: 9,
            numbers: [1..4, 6..7].into_iter().collect(),
            pieces: vec![piece(0..4, &[(3, 2), (4, 9)]), piece(5..6, &[]), piece(6..7, &[(4, 1)])],
            counts: PassCounts { field_inits: 4, undo_ops: 3, compared: 2, hit_size_bound: true },
            uses: vec![0, 1, 2, 3],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for place in places() {
            let progress = progress(place);
            assert_eq!(parse(&written(&progress, &fingerprint()), &fingerprint()), Ok(progress));
        }
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        for place in places() {
            let text = written(&progress(place), &fingerprint());
            for at in 0..text.len() {
                for byte in [b' ', b'0', b'7', b'\n', b'a', text.as_bytes()[at] ^ 1] {
                    let mut bytes = text.clone().into_bytes();
                    bytes[at] = byte;
                    let Ok(changed) = String::from_utf8(bytes) else { continue };
                    assert!(changed == text || parse(&changed, &fingerprint()).is_err(), "{at}: {changed}");
                }
                assert!(parse(&text[..text.floor_char_boundary(at)], &fingerprint()).is_err(), "cut at {at}");
            }
        }
    }
}
