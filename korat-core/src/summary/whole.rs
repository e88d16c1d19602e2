//! Parts with few values: each value is assembled once, as a whole, instead of from the parts that it is made of.

use std::rc::Rc;

use super::assembly::{Assembly, Placed};
use super::choices::Choices;
use super::cursor::Cursor;
use super::solver::Solver;
use crate::model::ids::ClassId;

/// The most values that are assembled of one part. The last parts of a value change most often: with as many values, the parts before
/// them change with few of the values that follow one another.
const MOST_VALUES: u64 = 64;

/// How often a part begins with its first value before its values are assembled: to assemble them takes as long as going through them.
const BEGINNINGS: u32 = 3;

/// The most slots that are assembled in all, of 16 bytes each.
const MOST_SLOTS: usize = 1 << 18;

impl Choices {
    /// Returns whether there are few values.
    fn are_few(&self) -> bool {
        let values = self.list.last().and_then(|last| last.upto.to_u64());
        values.is_some_and(|values| values <= MOST_VALUES)
    }
}

impl Solver {
    /// Returns whether the values of a part are assembled, which begins with the first of them on these objects.
    #[inline]
    pub(super) fn has_wholes(&mut self, choices: &Rc<Choices>, objects: &[Placed]) -> bool {
        if choices.wholes.get().is_some() {
            return true;
        }
        let begun = choices.begun.get().saturating_add(1);
        choices.begun.set(begun);
        begun == BEGINNINGS && self.assemble_wholes(choices, objects)
    }

    /// Assembles the values of a part on these objects, if they are few.
    #[cold]
    #[inline(never)]
    fn assemble_wholes(&mut self, choices: &Rc<Choices>, objects: &[Placed]) -> bool {
        if !choices.are_few() || self.built.assembled >= MOST_SLOTS {
            return false;
        }
        let classes: Vec<ClassId> = objects.iter().map(|object| object.class(&self.shape)).collect();
        let mut wholes: Vec<Assembly> = Vec::new();
        let mut cursor = Cursor::default();
        self.begin_on(&mut cursor, &classes, choices);
        loop {
            let whole = Assembly::of_whole(&self.shape, cursor.built(), &classes, wholes.last());
            self.built.assembled += cursor.built().slots.len();
            wholes.push(whole);
            if !self.advance(&mut cursor) {
                break;
            }
        }
        choices.wholes.set(wholes).is_ok()
    }
}
