//! Structures of boxes: lists, a don't-care payload, an array of children, a box that may not be null, a root that is an
//! object of the class it points to, a vector of boxes.

use korat::{Finitize, rep_ok};

use crate::canonical::canonical_fields;
use crate::harness::{CannotHold, Owned, Space, Subject};

/// A cell of a list.
#[derive(Debug, Finitize)]
pub struct Cell {
    #[finitize(0..=1)]
    value: u8,
    next: Option<Box<Cell>>,
}

/// A singly linked list in order, with its length.
#[derive(Debug, Finitize)]
pub struct List {
    head: Option<Box<Cell>>,
    len: usize,
}

#[rep_ok]
impl List {
    pub fn rep_ok(&self) -> bool {
        let mut at = &self.head;
        let mut count = 0;
        let mut last = None;
        while let Some(cell) = at {
            count += 1;
            if count > self.len || last.is_some_and(|last| last > cell.value) {
                return false;
            }
            last = Some(cell.value);
            at = &cell.next;
        }
        count == self.len
    }
}

impl List {
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

canonical_fields! { Cell { value, next } List { head, len } }

impl Subject for List {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        fn cell(
            raw: &[usize],
            cells: &[[usize; 2]],
            digit: usize,
            owned: &mut Owned,
        ) -> Result<Option<Box<Cell>>, CannotHold> {
            let Some(object) = owned.take(digit)? else { return Ok(None) };
            let [value, next] = cells[object].map(|place| raw[place]);
            Ok(Some(Box::new(Cell { value: value as u8, next: cell(raw, cells, next, owned)? })))
        }
        let mut space = Space::default();
        let (head, len) = (space.slot(scope + 1), space.slot(scope + 1));
        let cells = space.objects(scope, [2, scope + 1]);
        space.each(|raw| {
            if let Ok(head) = cell(raw, &cells, raw[head], &mut Owned::none_of(scope)) {
                visit(List { head, len: raw[len] });
            }
        });
    }
}

/// A chunk whose data nobody looks at.
#[derive(Debug, Finitize)]
pub struct Chunk {
    #[finitize(0..=2)]
    data: u8,
    next: Option<Box<Chunk>>,
}

/// A list whose invariant says nothing of its payload, nor how long it is.
#[derive(Debug, Finitize)]
pub struct Buffer {
    first: Option<Box<Chunk>>,
}

#[rep_ok]
impl Buffer {
    pub fn rep_ok(&self) -> bool {
        let mut seen = Vec::new();
        let mut at = self.first.as_deref();
        loop {
            match at {
                Some(chunk) if !seen.contains(&std::ptr::from_ref(chunk)) => {
                    seen.push(std::ptr::from_ref(chunk));
                    at = chunk.next.as_deref();
                }
                _ => break,
            }
        }
        seen.len() <= 3
    }
}

canonical_fields! { Chunk { data, next } Buffer { first } }

impl Subject for Buffer {
    // A list that bites its own tail is fine with this invariant.
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let first = space.slot(scope + 1);
        let chunks = space.objects(scope, [3, scope + 1]);
        space.each(|raw| {
            let mut owned = Owned::none_of(scope);
            let (mut data, mut digit) = (Vec::new(), raw[first]);
            loop {
                match owned.take(digit) {
                    Ok(Some(object)) => {
                        data.push(raw[chunks[object][0]] as u8);
                        digit = raw[chunks[object][1]];
                    }
                    Ok(None) => break,
                    Err(CannotHold) => return,
                }
            }
            let first = data.into_iter().rev().fold(None, |next, data| Some(Box::new(Chunk { data, next })));
            visit(Buffer { first });
        });
    }
}

/// A node of a set of binary words.
#[derive(Debug, Finitize)]
pub struct Prefix {
    is_word: bool,
    longer: [Option<Box<Prefix>>; 2],
}

/// A set of binary words; a leaf is a word.
#[derive(Debug, Finitize)]
pub struct Words {
    top: Option<Box<Prefix>>,
}

#[rep_ok]
impl Words {
    pub fn rep_ok(&self) -> bool {
        match &self.top {
            Some(top) => Self::words(top, 3).is_some(),
            None => true,
        }
    }

    fn words(prefix: &Prefix, depth: usize) -> Option<usize> {
        if depth == 0 {
            return None;
        }
        let mut words = usize::from(prefix.is_word);
        for longer in prefix.longer.iter().flatten() {
            words += Self::words(longer, depth - 1)?;
        }
        (words > 0).then_some(words)
    }
}

canonical_fields! { Prefix { is_word, longer } Words { top } }

impl Subject for Words {
    // Two boxes on one leaf are two words to this invariant.
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        fn prefix(
            raw: &[usize],
            prefixes: &[[usize; 3]],
            digit: usize,
            owned: &mut Owned,
        ) -> Result<Option<Box<Prefix>>, CannotHold> {
            let Some(object) = owned.take(digit)? else { return Ok(None) };
            let [is_word, zero, one] = prefixes[object].map(|place| raw[place]);
            let longer = [prefix(raw, prefixes, zero, owned)?, prefix(raw, prefixes, one, owned)?];
            Ok(Some(Box::new(Prefix { is_word: is_word == 1, longer })))
        }
        let mut space = Space::default();
        let top = space.slot(scope + 1);
        let prefixes = space.objects(scope, [2, scope + 1, scope + 1]);
        space.each(|raw| {
            if let Ok(top) = prefix(raw, &prefixes, raw[top], &mut Owned::none_of(scope)) {
                visit(Words { top });
            }
        });
    }
}

/// A thing to send.
#[derive(Debug, Finitize)]
pub struct Item {
    fragile: bool,
    weight: Option<u8>,
}

/// One thing for certain, and perhaps a gift.
#[derive(Debug, Finitize)]
pub struct Parcel {
    gift: Option<Box<Item>>,
    content: Box<Item>,
}

#[rep_ok]
impl Parcel {
    pub fn rep_ok(&self) -> bool {
        let weighed = |item: &Item| item.weight.is_some();
        // The gift is looked at first, and only where there is one is the weight of the content.
        self.gift.as_ref().is_none_or(|gift| weighed(gift) && weighed(&self.content) && !gift.fragile)
            && !std::ptr::eq(&*self.content, self.gift.as_deref().map_or(std::ptr::null(), std::ptr::from_ref))
    }
}

canonical_fields! { Item { fragile, weight } Parcel { gift, content } }

impl Subject for Parcel {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let (gift, content) = (space.slot(scope + 1), space.slot(scope));
        let items = space.objects(scope, [2, scope + 2]);
        space.each(|raw| {
            let item = |object: usize| {
                let [fragile, weight] = items[object].map(|place| raw[place]);
                Box::new(Item { fragile: fragile == 1, weight: weight.checked_sub(1).map(|weight| weight as u8) })
            };
            let mut owned = Owned::none_of(scope);
            let (Ok(gift), Ok(Some(content))) = (owned.take(raw[gift]), owned.take(raw[content] + 1)) else { return };
            visit(Parcel { gift: gift.map(item), content: item(content) });
        });
    }
}

/// A tree that is its own topmost node.
#[derive(Debug, Finitize)]
pub struct Heap {
    #[finitize(1..=2)]
    key: u8,
    left: Option<Box<Heap>>,
    right: Option<Box<Heap>>,
}

#[rep_ok]
impl Heap {
    pub fn rep_ok(&self) -> bool {
        fn below(limit: u8, heap: &Option<Box<Heap>>) -> bool {
            heap.as_ref()
                .is_none_or(|heap| heap.key <= limit && below(heap.key, &heap.left) && below(heap.key, &heap.right))
        }
        below(self.key, &self.left) && below(self.key, &self.right)
    }
}

canonical_fields! { Heap { key, left, right } }

impl Subject for Heap {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        fn heap(
            raw: &[usize],
            heaps: &[[usize; 3]],
            digit: usize,
            owned: &mut Owned,
        ) -> Result<Option<Heap>, CannotHold> {
            let Some(object) = owned.take(digit)? else { return Ok(None) };
            let [key, left, right] = heaps[object].map(|place| raw[place]);
            let left = heap(raw, heaps, left, owned)?.map(Box::new);
            let right = heap(raw, heaps, right, owned)?.map(Box::new);
            Ok(Some(Heap { key: key as u8 + 1, left, right }))
        }
        let mut space = Space::default();
        let heaps = space.objects(scope, [2, scope + 1, scope + 1]);
        space.each(|raw| {
            if let Ok(Some(root)) = heap(raw, &heaps, 1, &mut Owned::none_of(scope)) {
                visit(root);
            }
        });
    }
}

/// A book.
#[derive(Debug, Finitize)]
pub struct Book {
    #[finitize(1..=3)]
    height: u8,
}

/// Books by height; no two are equally high.
#[derive(Debug, Finitize)]
#[allow(clippy::vec_box, reason = "boxes in a vector are what is tested")]
pub struct Shelf {
    books: Vec<Box<Book>>,
}

#[rep_ok]
impl Shelf {
    pub fn rep_ok(&self) -> bool {
        let heights: Vec<u8> = self.books.iter().map(|book| book.height).collect();
        heights.iter().zip(heights.iter().skip(1)).all(|(one, next)| one < next)
    }
}

canonical_fields! { Book { height } Shelf { books } }

impl Subject for Shelf {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let len = space.slot(scope + 1);
        let places = space.objects(scope, [scope]);
        let books = space.objects(scope, [3]);
        space.each(|raw| {
            let mut owned = Owned::none_of(scope);
            let taken = places[..raw[len]].iter().map(|&[place]| owned.take(raw[place] + 1));
            let Ok(taken) = taken.collect::<Result<Vec<_>, CannotHold>>() else { return };
            let book = |object: usize| Box::new(Book { height: raw[books[object][0]] as u8 + 1 });
            visit(Shelf { books: taken.into_iter().flatten().map(book).collect() });
        });
    }
}
