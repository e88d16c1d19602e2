//! A piece table: a text under edit, as pieces of two strings that never change but at the end of one of them.

use std::ops::Range;

use korat::{Finitize, rep_ok};

/// Which of the two strings a piece is from.
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

    /// Whether `next` is what comes next in the same string.
    fn is_continued_by(&self, next: &Piece) -> bool {
        self.source == next.source && self.end() == next.start
    }
}

/// A text that is cheap to edit anywhere: nothing is moved but pieces.
#[derive(Clone, Debug, PartialEq, Finitize)]
pub struct PieceTable {
    /// The text as it was first.
    #[finitize(values = (0..=scope).map(|len| "abcdefgh"[..len].to_string()))]
    original: String,
    /// All text that was ever inserted, in the order of time.
    #[finitize(values = (0..=scope).map(|len| "ABCDEFGH"[..len].to_string()))]
    added: String,
    /// The pieces that make the text.
    pieces: Vec<Piece>,
    /// The length of the text in bytes.
    #[finitize(0..=2 * scope)]
    len: usize,
}

#[rep_ok]
impl PieceTable {
    /// Pieces lie within their strings, no part of a string is used twice, what is left of the original is in its old
    /// order, pieces that could be one are one, and `len` is their total length.
    pub fn rep_ok(&self) -> bool {
        let mut original_done = 0;
        for (i, piece) in self.pieces.iter().enumerate() {
            // A range beyond the end gives no string, nor does one that cuts a character.
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
    /// A text to be edited.
    pub fn new(original: impl Into<String>) -> Self {
        let original = original.into();
        let len = original.len();
        let mut pieces = Vec::new();
        if len > 0 {
            pieces.push(Piece { source: Source::Original, start: 0, len });
        }
        Self { original, added: String::new(), pieces, len }
    }

    /// The length of the text in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The text.
    pub fn text(&self) -> String {
        self.chunks().collect()
    }

    /// The text in parts that can be had without copying.
    pub fn chunks(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().map(|piece| &self.string(piece.source)[piece.start..piece.end()])
    }

    /// The byte at `at`.
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
        // If this is where the text before was inserted just now, as in typing, then its piece grows.
        self.join(i);
    }

    /// Deletes a part of the text. Panics if it begins or ends within a character or beyond the end.
    pub fn delete(&mut self, range: Range<usize>) {
        assert!(range.start <= range.end, "{range:?} ends before it begins");
        let first = self.split(range.start);
        let end = self.split(range.end);
        self.pieces.drain(first..end);
        self.len -= range.len();
        // What is left on both sides may have been one piece once.
        self.join(first);
    }

    /// The index of the piece that begins at `at`, cutting one in two if need be.
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

    /// Makes one piece of piece `i` and the one before, if they are one after the other in their string, too.
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
mod tests {
    use super::*;
    use crate::seeded::found_at;

    type Insert = fn(&mut PieceTable, usize, &str);

    /// `insert` with a bug: to make typing fast, a piece of added text grows, but it need not be the one added last.
    fn insert_extending_any_piece(table: &mut PieceTable, at: usize, text: &str) {
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

    /// Deleting what was inserted gives the same pieces as before, not only the same text.
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

    /// What one would write by hand: edits at the beginning, in the middle, at the end, and some typing.
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

    /// Two bytes that were added, of which the text has only the first: what is typed after it is not what follows
    /// it in `added`. The example types in one place, and elsewhere inserts only where nothing was inserted.
    #[test]
    fn extending_an_old_piece_is_found() {
        let found = found_at(0, |scope| {
            korat::for_each_valid(PieceTable::scope(scope), |table| check_insert(&table, insert_extending_any_piece));
        });
        assert_eq!(found, Some(2));
    }
}
