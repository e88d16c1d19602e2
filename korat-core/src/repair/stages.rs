//! Which changes are tried for a fault: one stage after the other, from what explains most faults to what explains hardly any.
//!
//! First what was changed before is changed again, which adds no change; then one more is made, then two. A link that is all right
//! as far as anybody can tell, since it alone leads where it does, is left alone as long as anything else helps.

use Step::{Best, Grow, One, Revise, Through, Together, TogetherIfRight};

use super::near::REMEMBERED;

/// Changes that are tried.
pub(super) struct Stage {
    /// Among how many of the last reads, and what belongs to them; or of how many objects on the way.
    pub(super) reads: usize,
    /// How many values of each kind a link is changed to.
    pub(super) values: u32,
    /// Of which slots.
    pub(super) which: Which,
    /// Of how many of them.
    pub(super) most: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// The plain value that was read last, if it lies in the root, and only what it was compared with, if the predicate accepts then:
    /// a size, at the end.
    Last,
    /// What was changed before: to something wrong, as it turns out.
    Changed,
    /// Links that were changed before, wherever they were read, and only what nothing leads to any more.
    ChangedLinks,
    /// Links that lead nowhere or where others lead, too, and only what nothing leads to any more: it is most likely what they led
    /// to.
    Lost,
    /// The links of `Lost`, except the link by which the predicate first reached its target.
    LostLater,
    /// Links that lead where others lead, too, or were changed before, and only what was not reached yet: another wrong link leads
    /// there.
    Unreached,
    /// All links, and only what nothing leads to any more.
    LostAnywhere,
    /// The links of `LostLater`, to what nothing leads to, or nowhere.
    NullLater,
    /// The links of `LostLater`, to rings that nothing else leads to.
    Rings,
    /// Plain values, and links that lead nowhere or where others lead, too, to what nothing leads to, or nowhere.
    Likely,
    /// Plain values, and links to what nothing leads to, or nowhere.
    Local,
    /// All.
    All,
    /// Plain values that were compared last, wherever they were read, and only what they were compared with.
    Compared,
    /// Plain values that were compared last, in objects on the path from the root to the last-read object.
    ComparedAbove,
    /// Plain values of the root that were compared last and lie in no vector: a count, read at the beginning and compared at the end.
    ComparedInRoot,
    /// Numbers that may be parts of sums that were compared.
    Parts,
    /// Numbers that may be masks, if bits were compared, and only with one other bit.
    Bits,
    /// Masks in the root, with one other bit: one mask covers many objects, so it is read long before them.
    BitsInRoot,
    /// The numbers of `Bits`, whatever was compared, for example the number of set bits.
    AnyBits,
    /// Plain values that can be one of a few, such as colours, of what the objects on the way lead to: what is wrong with a part may
    /// show when it is left, and another one beside it was looked at.
    FewBeside,
    /// Links that lead where others lead, too, wherever they were read, and only what nothing leads to any more: what was lost leads
    /// there, and was left out.
    Bypassing,
    /// Links that lead nowhere, and only what nothing leads to any more: the predicate has come to its end without it. Those before
    /// the last that was found, and what that has led to.
    VacantBefore,
    /// All links that lead nowhere, and only to what nothing leads to any more.
    Vacant,
}

impl Which {
    pub(super) fn is_vacant(self) -> bool {
        matches!(self, Which::VacantBefore | Which::Vacant)
    }

    /// Whether something is missing, and is looked for everywhere.
    pub(super) fn is_for_missing(self) -> bool {
        self.is_vacant() || matches!(self, Which::ChangedLinks | Which::Bypassing)
    }

    /// Whether only numbers are tried from which those follow that were compared.
    pub(super) fn is_behind(self) -> bool {
        self == Which::Parts || self.is_for_bits()
    }

    pub(super) fn is_for_bits(self) -> bool {
        matches!(self, Which::Bits | Which::BitsInRoot | Which::AnyBits)
    }

    /// Whether only what is lost is tried.
    pub(super) fn links_lost(self) -> bool {
        matches!(self, Which::Lost | Which::LostLater | Which::LostAnywhere | Which::Rings) || self.is_for_missing()
    }
}

const fn stage(which: Which, reads: usize, values: u32) -> Stage {
    Stage { reads, values, which, most: usize::MAX }
}

/// So many of the last reads are near.
pub(super) const NEAR: usize = 12;
/// So many objects on the way to the one that was read last are looked at.
pub(super) const ABOVE: usize = 64;

pub(super) const LAST: Stage = stage(Which::Last, 1, 0);
const CHANGED: Stage = stage(Which::Changed, NEAR, 256);
pub(super) const LOST: Stage = stage(Which::Lost, NEAR, 256);
const LOST_LATER: Stage = stage(Which::LostLater, NEAR, 256);
const LOST_ANYWHERE: Stage = stage(Which::LostAnywhere, NEAR, 256);
const UNREACHED: Stage = stage(Which::Unreached, NEAR, u32::MAX);
const NULL_LATER: Stage = stage(Which::NullLater, NEAR, 4);
const RINGS: Stage = stage(Which::Rings, NEAR, 256);
pub(super) const LIKELY: Stage = stage(Which::Likely, NEAR, 4);
const LOCAL: Stage = stage(Which::Local, NEAR, 256);
const VACANT_BEFORE: Stage = stage(Which::VacantBefore, usize::MAX, 256);
const BYPASSING: Stage = stage(Which::Bypassing, usize::MAX, 256);
const VACANT: Stage = stage(Which::Vacant, usize::MAX, 256);
const CHANGED_LINKS: Stage = stage(Which::ChangedLinks, usize::MAX, 256);
const COMPARED: Stage = Stage { most: 32, ..stage(Which::Compared, usize::MAX, 0) };
pub(super) const COMPARED_NEAR: Stage = Stage { most: 2, ..stage(Which::Compared, REMEMBERED, 0) };
const COMPARED_ABOVE: Stage = Stage { most: 2, ..stage(Which::ComparedAbove, ABOVE, 0) };
const COMPARED_IN_ROOT: Stage = Stage { most: 4, ..stage(Which::ComparedInRoot, 0, 0) };
const PARTS: Stage = stage(Which::Parts, NEAR, 0);
const BITS: Stage = stage(Which::Bits, NEAR, 0);
const ANY_BITS: Stage = stage(Which::AnyBits, NEAR, 0);
const BITS_IN_ROOT: Stage = Stage { most: 8, ..stage(Which::BitsInRoot, REMEMBERED, 0) };
const FEW_BESIDE: Stage = stage(Which::FewBeside, ABOVE, 4);
const THOROUGH: Stage = stage(Which::All, NEAR, 1024);
const WIDE: Stage = stage(Which::All, REMEMBERED, 4);

/// What is tried.
pub(super) enum Step {
    /// One change.
    One(&'static Stage),
    /// One of the changes of earlier steps that did not lead far, and so many more near it.
    Together(usize),
    /// One of the changes of earlier steps that may be right, and so many more near it.
    TogetherIfRight(usize),
    /// One of the changes of earlier steps that did not lead far, and whatever else helps against the faults that it leads to.
    Through,
    /// The best of those changes, though it does not lead far.
    Best,
    /// Something else for one of the faults before.
    Revise,
    /// What is missing is made anew.
    Grow,
}

/// How many changes are tried together with one more, and with two more.
pub(super) const MOST_TOGETHER: [usize; 2] = [24, 12];

/// Links that may be wrong, and what is lost.
const LINKS: [Step; 4] = [One(&LOST_LATER), One(&RINGS), One(&NULL_LATER), One(&LOST)];
/// Steps for a link to an object that was reached before. What was linked before may be right, and have a fault of its own, or it may be wrong;
/// both is likelier than that the link is which has led there first.
const SHARED: [Step; 7] =
    [One(&LOST_LATER), One(&RINGS), One(&CHANGED), One(&NULL_LATER), TogetherIfRight(1), Revise, One(&LOST)];
/// Steps for a fault where something is missing at the end.
const MISSING: [Step; 11] = [
    One(&BYPASSING),
    One(&VACANT_BEFORE),
    One(&VACANT),
    TogetherIfRight(1),
    One(&COMPARED_IN_ROOT),
    One(&LIKELY),
    One(&CHANGED_LINKS),
    Through,
    One(&CHANGED),
    Together(1),
    One(&UNREACHED),
];
/// What is near, for any other.
const NEAR_BY: [Step; 5] =
    [TogetherIfRight(1), One(&LOST_ANYWHERE), One(&COMPARED_IN_ROOT), One(&COMPARED_ABOVE), One(&LIKELY)];
const REVISE: [Step; 3] = [TogetherIfRight(1), One(&BITS_IN_ROOT), Revise];
const SEVERAL: [Step; 5] = [One(&FEW_BESIDE), TogetherIfRight(1), One(&UNREACHED), Grow, Together(1)];
/// When all that did not help.
const LAST_RESORT: [Step; 8] =
    [One(&PARTS), One(&ANY_BITS), Together(2), One(&LOCAL), Best, One(&THOROUGH), One(&WIDE), Best];

/// What is tried instead of several changes.
pub(super) const INSTEAD: [&Stage; 5] = [&LOST, &LIKELY, &PARTS, &BITS, &BITS_IN_ROOT];

/// What a fault is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// The value that was read last, but not it alone.
    Last,
    /// A link to what was come to before, which was read last.
    Shared,
    /// The end, where something is missing.
    End,
    Other,
}

/// What is tried for a fault.
pub(super) fn steps(about: About) -> impl Iterator<Item = &'static Step> {
    let parts: [&[Step]; 6] = match about {
        About::End => [&LINKS, &MISSING, &[One(&COMPARED)], &REVISE[1..], &[One(&FEW_BESIDE), Grow], &[]],
        About::Shared => [&SHARED, &NEAR_BY, &SEVERAL, &[], &[], &[]],
        About::Last => [&[One(&CHANGED)], &LINKS, &NEAR_BY, &[One(&COMPARED)], &REVISE, &SEVERAL],
        About::Other => [&[One(&CHANGED)], &LINKS, &NEAR_BY, &REVISE, &SEVERAL, &[One(&COMPARED)]],
    };
    parts.into_iter().flatten().chain(&LAST_RESORT)
}
