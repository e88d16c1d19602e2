//! The report of a repair for its user: the path of each changed object, the old and the new content of its field, and what was lost or added.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::VecDeque;

use super::choices::Choices;
use super::loss::Less;
use super::{ChangedSlot, Repairer};
use crate::heap::outline;
use crate::model::ids::{ObjectId, SlotId};
use crate::model::outline::Outline;
use crate::slots::kinds::SlotKind;
use crate::slots::layout::VARIANT;
use crate::slots::slot::UNASSIGNED;

/// One field that a repair has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// Where the object lies in the value as it was: `root.left.right`; empty for the value itself. The same field many times in
    /// a row is written once, `head.next{523}`.
    pub path: String,
    /// The class of the object.
    pub class: &'static str,
    /// The field, `left` or `children[2]`.
    pub field: String,
    /// What stood there: a plain value as `Debug` shows it, a path for an object, `None` for none.
    pub old: String,
    /// What stands there now. An object that the value did not have is `a new Node`.
    pub new: String,
    /// New fields that came with it, and their content: the elements of a longer vector, the
    /// fields of another variant, or those of a new object. At most sixteen; where nothing says what they are to be, they are the first of
    /// their domains.
    pub brings: Vec<(String, String)>,
}

/// Maximum number of new fields to list per change, and to print on one line.
const MOST_BROUGHT: usize = 16;
const MOST_TOLD: usize = 4;

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Change { path, field, old, new, brings, .. } = self;
        let dot = if path.is_empty() { "" } else { "." };
        write!(f, "{path}{dot}{field}: {old} -> {new}")?;
        if brings.is_empty() {
            return Ok(());
        }
        let told: Vec<String> =
            brings.iter().take(MOST_TOLD).map(|(field, value)| format!("{field}: {value}")).collect();
        let rest = if brings.len() > MOST_TOLD { ", .." } else { "" };
        write!(f, " ({}{rest})", told.join(", "))
    }
}

/// The changes of a repair.
#[derive(Clone, Debug, Default)]
pub struct Fix {
    /// The changed fields, in the order of a walk from the root.
    pub changes: Vec<Change>,
    /// Paths of the objects that the value has lost. An arena element that remains but is unreachable is listed by its index.
    pub dropped: Vec<String>,
    /// Classes of the new objects.
    pub added: Vec<&'static str>,
    /// Number of objects, elements and entries that the value has lost, those inside lost elements included; an object that was an element counts once.
    pub lost: usize,
    /// Drawings of the value before and after, if it is small.
    pub pictures: Option<(Outline, Outline)>,
}

/// Maximum number of objects in a drawing: about a screen.
const MOST_DRAWN: usize = 40;

impl Repairer<'_> {
    /// Describes the changes before they are written, without drawings.
    pub(super) fn describe(&self, changed: &[ChangedSlot], less: &Less) -> Fix {
        let choices = self.choices();
        let layout = &choices.engine.layout;
        let paths = Paths { by: OnceCell::new() };
        let describe = |change: &ChangedSlot| {
            let info = layout.slots[change.slot.index()];
            let name = layout.field_name(change.slot);
            let class = layout.classes[layout.objects[info.object.index()].class.index()].name;
            Change {
                path: paths.path(choices, info.object),
                class,
                field: field_name(&name).to_string(),
                old: paths.shown(choices, change.slot, change.old),
                new: paths.shown(choices, change.slot, change.new),
                brings: paths.brought(choices, change),
            }
        };
        let changes = changed.iter().map(describe).collect();
        let dropped = less.objects.iter().map(|&(slot, index)| paths.shown(choices, slot, index)).collect();
        let class = |object: ObjectId| layout.objects[object.index()].class;
        let added = choices.added_objects().into_iter();
        let added = added.map(|(object, _)| layout.classes[class(object).index()].name).collect();
        Fix { changes, dropped, added, lost: less.count, pictures: None }
    }

    /// Draws the value before and after the repair.
    pub(super) fn pictures(&mut self) -> Option<(Outline, Outline)> {
        let heap = &mut self.searcher.heap;
        if heap.engine.layout.objects.len() > MOST_DRAWN {
            return None;
        }
        let after = if self.is_dry {
            let present = heap.present();
            let values = heap.engine.values.iter().zip(present);
            values.map(|(&index, is_present)| if is_present { index } else { UNASSIGNED }).collect()
        } else {
            // SAFETY: the value is borrowed mutably for as long as this lives, and nothing writes to it while it is drawn.
            unsafe { self.value.assignment(heap) }.ok()?
        };
        let before = self.state.original.clone();
        let mut draw = |values| heap.engine.with_assignment(values, |engine| outline::outline(engine));
        Some((draw(before), draw(after)))
    }
}

/// The paths of the value's objects.
struct Paths {
    /// Per object, the slot by which a walk from the root first reaches it; computed on demand.
    by: OnceCell<Vec<Option<SlotId>>>,
}

impl Paths {
    /// Returns the slot by which a walk from the root first reaches an object.
    fn by(&self, choices: Choices<'_>, object: ObjectId) -> Option<SlotId> {
        // Most parts of the root lie where their numbers say.
        if let Some(slot) = choices.part_at(object) {
            return Some(slot);
        }
        if object == choices.engine.links.root() || !choices.was_present(object) {
            return None;
        }
        self.by.get_or_init(|| walk(choices))[object.index()]
    }

    /// `root.left.right`; empty for the root, and for an object that is new.
    fn path(&self, choices: Choices<'_>, object: ObjectId) -> String {
        let mut steps: Vec<(Cow<'_, str>, usize)> = Vec::new();
        let mut at = object;
        while let Some(slot) = self.by(choices, at) {
            let name = choices.engine.layout.field_name(slot);
            match steps.last_mut() {
                Some((last, times)) if *last == name => *times += 1,
                _ => steps.push((name, 1)),
            }
            at = choices.engine.layout.slots[slot.index()].object;
        }
        let step = |(name, times): &(Cow<'_, str>, usize)| match times {
            1 => name.to_string(),
            _ => format!("{name}{{{times}}}"),
        };
        steps.iter().rev().map(step).collect::<Vec<_>>().join(".")
    }

    /// Returns the new fields that a change brings, with their values.
    fn brought(&self, choices: Choices<'_>, change: &ChangedSlot) -> Vec<(String, String)> {
        let layout = &choices.engine.layout;
        let info = layout.slots[change.slot.index()];
        let field = &layout.fields[info.field.index()];
        let object = match field.kind {
            SlotKind::Reference(to) => {
                let object = to.object(change.new).map(|ordinal| layout.object_of(to, ordinal));
                object.filter(|&object| !choices.was_present(object))
            }
            _ => field.is_shape.then_some(info.object),
        };
        // A null reference brings nothing.
        let is_null =
            |slot| matches!(layout.kind(slot), SlotKind::Reference(to) if choices.engine.value(slot) < to.nulls);
        let is_new = |&slot: &SlotId| {
            choices.original(slot).is_none() && choices.engine.value(slot) != UNASSIGNED && !is_null(slot)
        };
        // A key brings its own value, and nothing where it disappears.
        let entry = layout.keyed(change.slot).map(|(_, value)| value);
        let is_of_entry = |slot: SlotId| match &entry {
            Some(entry) => change.new > 0 && layout.field_name(slot).starts_with(entry.as_str()),
            None => true,
        };
        let is_of_field = |&slot: &SlotId| {
            object != Some(info.object)
                || field.is_variant
                || layout.declared(slot) == field.declared && is_of_entry(slot)
        };
        let slots = object.into_iter().flat_map(|object| layout.slots_of(object));
        let slots = slots.filter(is_of_field).filter(is_new).take(MOST_BROUGHT);
        let told = |slot| (layout.field_name(slot).to_string(), self.shown(choices, slot, choices.engine.value(slot)));
        slots.map(told).collect()
    }

    /// Returns the text for a slot with an index.
    fn shown(&self, choices: Choices<'_>, slot: SlotId, index: u32) -> String {
        let field = &choices.engine.layout.fields[choices.engine.layout.slots[slot.index()].field.index()];
        let SlotKind::Reference(reference) = field.kind else { return field.show(index) };
        let Some(ordinal) = reference.object(index) else { return "None".to_string() };
        let object = choices.engine.layout.object_of(reference, ordinal);
        match self.by(choices, object) {
            Some(_) => self.path(choices, object),
            None => format!("a new {}", choices.engine.layout.classes[reference.target.index()].name),
        }
    }
}

/// Returns, per object of the original value, the slot by which a walk from the root first reaches it.
fn walk(choices: Choices<'_>) -> Vec<Option<SlotId>> {
    let mut by: Vec<Option<SlotId>> = vec![None; choices.engine.layout.objects.len()];
    let root = choices.engine.links.root();
    let mut queue = VecDeque::from([root]);
    while let Some(object) = queue.pop_front() {
        for slot in choices.engine.layout.slots_of(object) {
            if let SlotKind::Reference(reference) = choices.engine.layout.kind(slot)
                && let Some(ordinal) = choices.original(slot).and_then(|index| reference.object(index))
                && let target = choices.engine.layout.object_of(reference, ordinal)
                && target != root
                && by[target.index()].is_none()
            {
                by[target.index()] = Some(slot);
                queue.push_back(target);
            }
        }
    }
    by
}

/// Returns the name of a field for messages: the slot of a variant has none of its own.
fn field_name(name: &str) -> &str {
    if name == VARIANT { "variant" } else { name }
}
