//! A piece table: a text under edit, as pieces of two strings, one immutable and one append-only.

use std::ops::Range;

use korat::{Finitize, rep_ok};

/// The string that a piece belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
enum Source {
    Original,
    Added,
}

/// A part of one of the two strings; offsets are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Finitize)]
struct Piece {
    source: Source,
    start: usize,
    #[finitize(1..=scope)]
    len: usize,
}

#[rep_ok(helpers)]
impl Piece {
    fn end(&self) -> usize {
        self.start + self.len
    }

    /// Returns whether `next` directly follows this piece in the same string.
    fn is_continued_by(&self, next: &Piece) -> bool {
        self.source == next.source && self.end() == next.start
    }
}

/// A text that is cheap to edit anywhere: an edit moves only pieces.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct PieceTable {
    /// The initial text.
    #[finitize(values = (0..=scope).map(|len| "abcdefgh"[..len].to_string()))]
    original: String,
    /// All text that was ever inserted, in chronological order.
    #[finitize(values = (0..=scope).map(|len| "ABCDEFGH"[..len].to_string()))]
    added: String,
    /// The pieces of the text.
    pieces: Vec<Piece>,
    /// The length of the text in bytes.
    #[finitize(0..=2 * scope)]
    len: usize,
}

#[rep_ok]
impl PieceTable {
    /// Returns whether pieces lie within their strings, no part of a string is used twice, pieces of the original keep
    /// their order, adjacent pieces are merged where possible, and `len` is the total length.
    pub fn rep_ok(&self) -> bool {
        let mut original_done = 0;
        for (i, piece) in self.pieces.iter().enumerate() {
            // `get` returns `None` for a range beyond the end, and for one that splits a character.
            if piece.len == 0 || self.string(piece.source).get(piece.start..piece.end()).is_none() {
                return false;
            }
            let earlier = &self.pieces[..i];
            if earlier.last().is_some_and(|last| last.is_continued_by(piece)) {
                return false;
            }
            match piece.source {
                Source::Original if piece.start < original_done => return false,
                Source::Original => original_done = piece.end(),
                Source::Added => {
                    let mut added = earlier.iter().filter(|other| other.source == Source::Added);
                    if added.any(|other| other.start < piece.end() && piece.start < other.end()) {
                        return false;
                    }
                }
            }
        }
        self.len == self.pieces.iter().map(|piece| piece.len).sum::<usize>()
    }

    fn string(&self, source: Source) -> &str {
        match source {
            Source::Original => &self.original,
            Source::Added => &self.added,
        }
    }
}

impl PieceTable {
    /// Creates a piece table for a text.
    pub fn new(original: impl Into<String>) -> Self {
        let original = original.into();
        let len = original.len();
        let mut pieces = Vec::new();
        if len > 0 {
            pieces.push(Piece { source: Source::Original, start: 0, len });
        }
        Self { original, added: String::new(), pieces, len }
    }

    /// Returns the length of the text in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the text.
    pub fn text(&self) -> String {
        self.chunks().collect()
    }

    /// Returns the text in parts, without copying.
    pub fn chunks(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().map(|piece| &self.string(piece.source)[piece.start..piece.end()])
    }

    /// Returns the byte at `at`.
    pub fn byte(&self, at: usize) -> Option<u8> {
        let mut before = 0;
        for piece in &self.pieces {
            if at < before + piece.len {
                return Some(self.string(piece.source).as_bytes()[piece.start + at - before]);
            }
            before += piece.len;
        }
        None
    }

    /// Inserts `text` before the byte at `at`, or at the end. Panics if `at` lies within a character or beyond the end.
    pub fn insert(&mut self, at: usize, text: &str) {
        let i = self.split(at);
        if !text.is_empty() {
            self.pieces.insert(i, Piece { source: Source::Added, start: self.added.len(), len: text.len() });
            self.added.push_str(text);
            self.len += text.len();
        }
        // If the previous insertion ended here, as in typing, its piece grows.
        self.join(i);
    }

    /// Deletes a part of the text. Panics if it begins or ends within a character or beyond the end.
    pub fn delete(&mut self, range: Range<usize>) {
        assert!(range.start <= range.end, "{range:?} ends before it begins");
        let first = self.split(range.start);
        let end = self.split(range.end);
        self.pieces.drain(first..end);
        self.len -= range.len();
        // The remaining neighbours may have been one piece earlier.
        self.join(first);
    }

    /// Returns the index of the piece that begins at `at`, splitting a piece if necessary.
    fn split(&mut self, at: usize) -> usize {
        let mut before = 0;
        for i in 0..self.pieces.len() {
            let Piece { source, start, len } = self.pieces[i];
            if at <= before {
                return i;
            }
            if at < before + len {
                let cut = at - before;
                assert!(self.string(source).is_char_boundary(start + cut), "{at} lies within a character");
                self.pieces[i].len = cut;
                self.pieces.insert(i + 1, Piece { source, start: start + cut, len: len - cut });
                return i + 1;
            }
            before += len;
        }
        assert!(at == before, "{at} lies beyond the end");
        self.pieces.len()
    }

    /// Merges piece `i` with the one before if they are adjacent in their string.
    fn join(&mut self, i: usize) {
        if i == 0 || i == self.pieces.len() {
            return;
        }
        let (left, right) = (self.pieces[i - 1], self.pieces[i]);
        if left.is_continued_by(&right) {
            self.pieces[i - 1].len += right.len;
            self.pieces.remove(i);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::seeded::found_at;

    type Insert = fn(&mut PieceTable, usize, &str);

    /// A buggy `insert`: to speed up typing it extends a piece of added text, even if that is not the one added last.
    pub(crate) fn insert_extending_any_piece(table: &mut PieceTable, at: usize, text: &str) {
        let i = table.split(at);
        match table.pieces[..i].last_mut() {
            Some(piece) if piece.source == Source::Added => {
                piece.len += text.len();
                table.added.push_str(text);
                table.len += text.len();
                table.join(i);
            }
            _ => table.insert(at, text),
        }
    }

    fn check_insert(table: &PieceTable, insert: Insert) {
        for text in ["", "x", "xy"] {
            for at in 0..=table.len() {
                let mut table = table.clone();
                let mut model = table.text();
                insert(&mut table, at, text);
                model.insert_str(at, text);
                assert!(table.rep_ok());
                assert_eq!(table.text(), model);
            }
        }
    }

    fn check_delete(table: &PieceTable) {
        for start in 0..=table.len() {
            for end in start..=table.len() {
                let mut table = table.clone();
                let mut model = table.text();
                table.delete(start..end);
                model.replace_range(start..end, "");
                assert!(table.rep_ok());
                assert_eq!(table.text(), model);
            }
        }
    }

    /// Checks that deleting an insertion restores the pieces, not only the text.
    fn check_delete_undoes_insert(table: &PieceTable) {
        for at in 0..=table.len() {
            let mut changed = table.clone();
            changed.insert(at, "xy");
            changed.delete(at..at + 2);
            assert_eq!(changed.pieces, table.pieces);
        }
    }

    fn check_queries(table: &PieceTable) {
        let text = table.text();
        assert_eq!(table.len(), text.len());
        assert_eq!(table.is_empty(), text.is_empty());
        for at in 0..=text.len() {
            assert_eq!(table.byte(at), text.as_bytes().get(at).copied());
        }
    }

    /// A typical hand-written test: edits at the beginning, in the middle and at the end, and some typing.
    fn example(insert: Insert) {
        let mut table = PieceTable::new("hello world");
        insert(&mut table, 5, ",");
        insert(&mut table, 12, "!");
        insert(&mut table, 0, ">> ");
        assert_eq!(table.text(), ">> hello, world!");
        table.delete(3..10);
        assert_eq!(table.text(), ">> world!");
        for (i, letter) in ["g", "r", "e", "e", "n", " "].into_iter().enumerate() {
            insert(&mut table, 4 + i, letter);
        }
        assert_eq!(table.text(), ">> wgreen orld!");
        table.delete(3..table.len());
        assert_eq!(table.text(), ">> ");
        assert_eq!((table.byte(1), table.len()), (Some(b'>'), 3));
    }

    #[test]
    fn a_text_is_edited() {
        example(PieceTable::insert);
        example(insert_extending_any_piece);
    }

    #[test]
    fn operations_agree_with_a_string_on_some_texts() {
        let mut table = PieceTable::new("abc");
        for (at, text) in [(1, "X"), (3, "YZ"), (2, "Q"), (0, "")] {
            table.insert(at, text);
            check_queries(&table);
            check_insert(&table, PieceTable::insert);
            check_delete(&table);
            check_delete_undoes_insert(&table);
        }
        table.delete(1..4);
        check_insert(&table, PieceTable::insert);
        check_delete(&table);
    }

    #[test]
    #[should_panic(expected = "within a character")]
    fn a_character_is_not_cut() {
        PieceTable::new("né").insert(2, "x");
    }

    #[test]
    fn queries_say_what_the_text_says() {
        korat::for_each_valid(PieceTable::scope(3), |table| check_queries(&table));
    }

    #[test]
    fn insert_does_what_a_string_does() {
        korat::for_each_valid(PieceTable::scope(3), |table| check_insert(&table, PieceTable::insert));
    }

    #[test]
    fn delete_does_what_a_string_does() {
        korat::for_each_valid(PieceTable::scope(3), |table| {
            check_delete(&table);
            check_delete_undoes_insert(&table);
        });
    }

    /// Two added bytes suffice, of which the text has only the first: what is typed after it does not follow it in
    /// `added`. The hand-written test types in one place, and inserts elsewhere only where nothing was inserted before.
    #[test]
    fn extending_an_old_piece_is_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(PieceTable::scope(scope), |table| check_insert(&table, insert_extending_any_piece));
        });
        assert_eq!(found, Some(2));
    }
}
