//! Structures that mix boxes, `Rc` and `Weak`: a class that is held in two ways, a cycle that would pass through a box, a
//! chain that is entered through a weak pointer before its holder is known.

use std::collections::HashSet;
use std::rc::{Rc, Weak};

use korat::{Finitize, rep_ok};

use crate::canonical::canonical_fields;
use crate::harness::{CannotHold, Frozen, Owned, Space, Subject};

/// A leaf that is held in two ways.
#[derive(Debug, Finitize)]
pub struct Leaf {
    dry: bool,
}

/// Leaves alone and leaves in common.
#[derive(Debug, Finitize)]
pub struct Twig {
    alone: Option<Box<Leaf>>,
    common: Option<Rc<Leaf>>,
    other: Option<Box<Leaf>>,
    again: Rc<Leaf>,
}

#[rep_ok]
impl Twig {
    pub fn rep_ok(&self) -> bool {
        let Some(common) = self.common.as_ref() else { return self.alone.is_none() };
        match (&self.alone, &self.other) {
            (Some(one), Some(two)) => one.dry && !two.dry && !std::ptr::eq(&**one, &**two),
            (Some(only), None) | (None, Some(only)) => only.dry == common.dry,
            (None, None) => Rc::ptr_eq(common, &self.again),
        }
    }
}

canonical_fields! { Leaf { dry } Twig { alone, common, other, again } }

impl Subject for Twig {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = true;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        let mut space = Space::default();
        let boxes = [space.slot(scope + 1), space.slot(scope + 1)];
        let (common, again) = (space.slot(scope + 1), space.slot(scope));
        let leaves = space.objects(scope, [2]);
        space.each(|raw| {
            let [alone, other] = boxes.map(|place| raw[place].checked_sub(1));
            let (common, again) = (raw[common].checked_sub(1), raw[again]);
            let counted = [common, Some(again)];
            if (alone.is_some() && alone == other)
                || [alone, other].iter().any(|boxed| boxed.is_some() && counted.contains(boxed))
            {
                return;
            }
            let leaf = |object: usize| Leaf { dry: raw[leaves[object][0]] == 1 };
            let shared: Vec<Rc<Leaf>> = (0..scope).map(|object| Rc::new(leaf(object))).collect();
            visit(Twig {
                alone: alone.map(|object| Box::new(leaf(object))),
                common: common.map(|object| Rc::clone(&shared[object])),
                other: other.map(|object| Box::new(leaf(object))),
                again: Rc::clone(&shared[again]),
            });
        });
    }
}

/// A desk behind an `Rc`.
#[derive(Debug, Finitize)]
pub struct Desk {
    drawer: Option<Box<Drawer>>,
}

/// A drawer in a box, which names a desk.
#[derive(Debug, Finitize)]
pub struct Drawer {
    names: Option<Rc<Desk>>,
}

/// Two desks; a drawer never names the desk it is in, at any distance.
#[derive(Debug, Finitize)]
pub struct Office {
    one: Option<Rc<Desk>>,
    two: Option<Rc<Desk>>,
}

#[rep_ok]
impl Office {
    pub fn rep_ok(&self) -> bool {
        let depths = [&self.one, &self.two].map(|desk| desk.as_ref().map_or(Some(0), |desk| Self::depth(desk, 2)));
        matches!(depths, [Some(one), Some(two)] if one >= two)
    }

    fn depth(desk: &Desk, most: u8) -> Option<u8> {
        let below = match desk.drawer.as_ref().and_then(|drawer| drawer.names.as_ref()) {
            Some(named) if most > 0 => Self::depth(named, most - 1)?,
            Some(_) => return None,
            None => 0,
        };
        Some(below + 1)
    }
}

canonical_fields! { Desk { drawer } Drawer { names } Office { one, two } }

impl Subject for Office {
    // One box in two desks is fine with this invariant.
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        struct Raw<'r> {
            digits: &'r [usize],
            desks: &'r [[usize; 1]],
            drawers: &'r [[usize; 1]],
        }
        fn desk(
            raw: &Raw<'_>,
            digit: usize,
            made: &mut Frozen<Desk>,
            owned: &mut Owned,
        ) -> Result<Option<Rc<Desk>>, CannotHold> {
            let Some(object) = digit.checked_sub(1) else { return Ok(None) };
            let make = |made: &mut Frozen<Desk>| {
                let drawer = match owned.take(raw.digits[raw.desks[object][0]])? {
                    Some(drawer) => {
                        let names = desk(raw, raw.digits[raw.drawers[drawer][0]], made, owned)?;
                        Some(Box::new(Drawer { names }))
                    }
                    None => None,
                };
                Ok(Desk { drawer })
            };
            made.get(object, make).map(Some)
        }
        let mut space = Space::default();
        let (one, two) = (space.slot(scope + 1), space.slot(scope + 1));
        let (desks, drawers) = (space.objects(scope, [scope + 1]), space.objects(scope, [scope + 1]));
        space.each(|digits| {
            let raw = Raw { digits, desks: &desks, drawers: &drawers };
            let (mut made, mut owned) = (Frozen::none_of(scope), Owned::none_of(scope));
            let Ok(one) = desk(&raw, digits[one], &mut made, &mut owned) else { return };
            let Ok(two) = desk(&raw, digits[two], &mut made, &mut owned) else { return };
            visit(Office { one, two });
        });
    }
}

/// A sheet of paper.
#[derive(Debug, Finitize)]
pub struct Sheet {
    next: Option<Rc<Sheet>>,
    white: bool,
}

/// Sheets, with a mark on one of them; the mark is followed first.
#[derive(Debug, Finitize)]
pub struct Marked {
    mark: Weak<Sheet>,
    first: Option<Rc<Sheet>>,
}

#[rep_ok]
impl Marked {
    pub fn rep_ok(&self) -> bool {
        let Some(mark) = self.mark.upgrade() else { return false };
        let mut from_mark = HashSet::new();
        let mut at = Some(&mark);
        while let Some(sheet) = at {
            if !from_mark.insert(Rc::as_ptr(sheet)) {
                return false;
            }
            at = sheet.next.as_ref();
        }
        // From the first sheet on, the mark is met, and all before it is white.
        let mut at = &self.first;
        loop {
            match at {
                None => return false,
                Some(sheet) if Rc::ptr_eq(sheet, &mark) => return true,
                Some(sheet) if !sheet.white || from_mark.contains(&Rc::as_ptr(sheet)) => return false,
                Some(sheet) => at = &sheet.next,
            }
        }
    }
}

canonical_fields! { Sheet { next, white } Marked { mark, first } }

impl Subject for Marked {
    const EXCLUDES_IMPOSSIBLE_SHAPES: bool = false;

    fn untouched(&self) -> bool {
        self.rep_ok()
    }

    fn each_raw(scope: usize, visit: &mut dyn FnMut(Self)) {
        fn sheet(
            raw: &[usize],
            sheets: &[[usize; 2]],
            digit: usize,
            made: &mut Frozen<Sheet>,
        ) -> Result<Option<Rc<Sheet>>, CannotHold> {
            let Some(object) = digit.checked_sub(1) else { return Ok(None) };
            let [next, white] = sheets[object].map(|place| raw[place]);
            made.get(object, |made| Ok(Sheet { next: sheet(raw, sheets, next, made)?, white: white == 1 })).map(Some)
        }
        let mut space = Space::default();
        let (mark, first) = (space.slot(scope + 1), space.slot(scope + 1));
        let sheets = space.objects(scope, [scope + 1, 2]);
        space.each(|raw| {
            let mut made = Frozen::none_of(scope);
            let Ok(first) = sheet(raw, &sheets, raw[first], &mut made) else { return };
            // A sheet that is not made by now is held by nobody.
            let marked = raw[mark].checked_sub(1).and_then(|object| made.known(object));
            visit(Marked { mark: marked.as_ref().map_or_else(Weak::new, Rc::downgrade), first });
        });
    }
}
