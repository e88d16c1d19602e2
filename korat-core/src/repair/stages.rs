//! The heuristics for one fault, in order of how many faults each explains. A stage names the slots to change and the values to try; a list of
//! steps per kind of fault says which stages apply.
//!
//! The first steps change again what was changed before, which adds no change; then come single changes, pairs, and triples. A link that is the only
//! one to its target looks right, so it stays as long as anything else helps.

use super::choices::alternatives::Target;
use Step::{Best, Grow, One, Revise, Through, Together, TogetherIfRight};

/// Slots to change, and the values to try for each.
pub(super) struct Stage {
    pub(super) place: Place,
    pub(super) kind: Kind,
    /// Maximum number of values of each target kind for a link.
    pub(super) values: u32,
    /// Maximum number of slots.
    pub(super) most: usize,
}

/// Where a stage looks for slots to change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The last `n` reads, the other slots of the objects read there, and those of the object that leads to the last one.
    Near(usize),
    /// The last read, if it lies in the root.
    Last,
    /// All reads.
    Anywhere,
    /// Objects on the path from the root to the last-read one.
    Path,
    /// Objects that those on the path refer to: a fault in a subtree may show when the predicate has left it.
    Beside,
    /// Fields of the root outside its vectors.
    Root,
    /// Numbers of the root among the remembered reads: one mask covers many objects, so it is read long before them.
    RootNumbers,
    /// Slots that were changed before.
    Changed,
}

/// What a stage tries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A plain field that was compared gets what it was compared with.
    Compared,
    /// A field that was compared for equality gets that number, if the predicate then accepts, or, unless it was read last, another comparison
    /// rejects: a count.
    Count,
    /// A slot that was changed before gets another value.
    Changed,
    /// A link gets an object of a kind: mostly a lost one, to which nothing refers.
    Link(Links, Target),
    /// A suspect link becomes null, or gets what comparisons suggest.
    Null,
    /// A link, wherever it was read, gets an object that nothing refers to: the predicate has reached its end without it.
    Missing(Links),
    /// A field that the user declares as derived gets what comparisons suggest, or any of a few values.
    Derived,
    /// Plain values, and what comparisons suggest or nothing refers to for suspect links.
    Likely,
    /// A number from which the compared ones follow: near the rejection a summand, in the root a mask with one wrong bit.
    Behind,
    /// A plain field with few values, such as a colour.
    Few,
    /// Everything.
    All,
}

/// The links that a stage changes. A link is suspect if it is null, or has the same target as another one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// Suspect links but those by which the predicate first reached their targets.
    Later,
    Suspect,
    /// Null links.
    Null,
    /// Links with the same target as another one: the lost object lay between them and this target, and was left out.
    Shared,
    /// Those, and links that were changed before.
    SharedOrChanged,
    Any,
}

impl Kind {
    /// Returns the kind of objects, if nothing else is tried.
    pub(super) fn target(self) -> Option<Target> {
        match self {
            Kind::Link(_, target) => Some(target),
            Kind::Missing(_) => Some(Target::Lost),
            _ => None,
        }
    }
}

/// Number of last reads that a rejecting statement is usually about: the fields of two or three objects.
pub(super) const NEAR: usize = 12;
/// Number of last reads that are remembered by slot. Larger than the depth of a balanced tree times the fields of a node.
pub(super) const REMEMBERED: usize = 256;
/// Maximum number of objects on the path from the root: the depth of any balanced tree, and the end of a long list.
pub(super) const ABOVE: usize = 64;
/// Plain values or targets per slot where nothing is suggested: the first few of a domain are as good as any others.
pub(super) const FEW: u32 = 4;
/// Maximum number of lost objects for a link, in the order of their numbers. Each costs a run; a hundred faults lose about as many.
const MANY: u32 = 256;
/// Everything that a domain of usual size lists.
const THOROUGH_VALUES: u32 = 1024;
/// All unreached objects: one of them is right, and nothing tells which.
const ALL_UNREACHED: u32 = u32::MAX;
/// Compared slots on the path: the two sides of a comparison.
const BOTH_SIDES: usize = 2;
/// Fields of the root that may be the count that was compared.
const MOST_COUNTS: usize = 4;
/// Masks of the root.
const MOST_MASKS: usize = 8;

const fn stage(kind: Kind, place: Place, values: u32) -> Stage {
    Stage { place, kind, values, most: usize::MAX }
}

const NEAR_BY: Place = Place::Near(NEAR);

pub(super) const LAST: Stage = stage(Kind::Count, Place::Last, 0);
const CHANGED: Stage = stage(Kind::Changed, NEAR_BY, MANY);
const LOST_LATER: Stage = stage(Kind::Link(Links::Later, Target::Lost), NEAR_BY, MANY);
const NULL_LATER: Stage = stage(Kind::Null, NEAR_BY, FEW);
pub(super) const LOST: Stage = stage(Kind::Link(Links::Suspect, Target::Lost), NEAR_BY, MANY);
const LOST_ANYWHERE: Stage = stage(Kind::Link(Links::Any, Target::Lost), NEAR_BY, MANY);
const BYPASSING: Stage = stage(Kind::Missing(Links::Shared), Place::Anywhere, MANY);
const VACANT: Stage = stage(Kind::Missing(Links::Null), Place::Anywhere, MANY);
const CHANGED_LINKS: Stage = stage(Kind::Missing(Links::Any), Place::Changed, MANY);
pub(super) const LIKELY: Stage = stage(Kind::Likely, NEAR_BY, FEW);
const UNREACHED: Stage = stage(Kind::Link(Links::SharedOrChanged, Target::Unreached), NEAR_BY, ALL_UNREACHED);
const COMPARED_ABOVE: Stage = Stage { most: BOTH_SIDES, ..stage(Kind::Compared, Place::Path, 0) };
const COUNT: Stage = Stage { most: MOST_COUNTS, ..stage(Kind::Count, Place::Root, 0) };
const BEHIND: Stage = stage(Kind::Behind, NEAR_BY, 0);
const MASKS: Stage = Stage { most: MOST_MASKS, ..stage(Kind::Behind, Place::RootNumbers, 0) };
const FEW_BESIDE: Stage = stage(Kind::Few, Place::Beside, FEW);
const THOROUGH: Stage = stage(Kind::All, NEAR_BY, THOROUGH_VALUES);

/// Derived fields near the rejection, on the path to it, and in the root.
const DERIVED: [Step; 3] = [
    One(&stage(Kind::Derived, NEAR_BY, FEW)),
    One(&stage(Kind::Derived, Place::Path, FEW)),
    One(&stage(Kind::Derived, Place::Root, FEW)),
];

/// One step of a repair.
pub(super) enum Step {
    /// One change.
    One(&'static Stage),
    /// A change of an earlier step that did not lead far, and that many more, each where the one before it leads: faults hide each other.
    Together(usize),
    /// As `Together` with one more, with the changes that may be right.
    TogetherIfRight,
    /// A change of an earlier step that did not lead far, and repairs of the faults that it leads to.
    Through,
    /// The best of those changes, though it does not lead far.
    Best,
    /// Other changes for one of the earlier faults.
    Revise,
    /// New objects where a link is null.
    Grow,
}

/// Changes beside the first: two faults that hide each other, or three, such as a wrong link and two faults in the part that it lost.
pub(super) const ONE_MORE: usize = 1;
const TWO_MORE: usize = 2;
/// Maximum number of first changes, by how many more there are: each costs two stages of trials for every other change.
pub(super) const MOST_TOGETHER: [usize; TWO_MORE] = [24, 12];

/// Suspect links, and lost objects.
const LINKS: [Step; 3] = [One(&LOST_LATER), One(&NULL_LATER), One(&LOST)];
/// Steps for a link to an object that was reached before. The link that led there first is the least suspect.
const SHARED: [Step; 6] = [One(&LOST_LATER), One(&CHANGED), One(&NULL_LATER), TogetherIfRight, Revise, One(&LOST)];
/// Steps where something is missing at the end.
const MISSING: [Step; 12] = [
    One(&BYPASSING),
    One(&VACANT),
    TogetherIfRight,
    One(&COUNT),
    One(&LIKELY),
    One(&CHANGED_LINKS),
    Through,
    One(&CHANGED),
    Together(ONE_MORE),
    One(&UNREACHED),
    One(&MASKS),
    Revise,
];
/// Everything near, for any other fault.
const NEARBY: [Step; 5] = [TogetherIfRight, One(&LOST_ANYWHERE), One(&COUNT), One(&COMPARED_ABOVE), One(&LIKELY)];
const SEVERAL: [Step; 5] = [One(&FEW_BESIDE), TogetherIfRight, One(&UNREACHED), Grow, Together(ONE_MORE)];
const LAST_RESORT: [Step; 5] = [One(&BEHIND), Together(TWO_MORE), Best, One(&THOROUGH), Best];

/// Stages for one change instead of several.
pub(super) const INSTEAD: [&Stage; 4] = [&LOST, &LIKELY, &BEHIND, &MASKS];

/// What a fault is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// A link to an object that was reached before, which was read last.
    Shared,
    /// The end, where something is missing.
    End,
    Other,
}

/// Returns the steps for a fault.
pub(super) fn steps(about: About, has_derived: bool) -> impl Iterator<Item = &'static Step> {
    let parts: [&[Step]; 5] = match about {
        About::End => [&LINKS, &MISSING, &[One(&FEW_BESIDE), Grow], &[], &[]],
        About::Shared => [&SHARED, &NEARBY, &SEVERAL, &[], &[]],
        About::Other => [&[One(&CHANGED)], &LINKS, &NEARBY, &[TogetherIfRight, One(&MASKS), Revise], &SEVERAL],
    };
    let derived = DERIVED.iter().filter(move |_| has_derived);
    derived.chain(parts.into_iter().flatten()).chain(&LAST_RESORT)
}
