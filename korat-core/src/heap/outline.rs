//! Outlines of the current assignment of a heap.

use crate::engine::choice_stack::Engine;
use crate::model::ids::{ObjectId, SlotId};
use crate::model::outline::{Outline, OutlineElement, OutlineLink, OutlineObject, OutlineValue};
use crate::slots::kinds::{Edge, SlotKind};
use crate::slots::layout::VARIANT;
use crate::slots::slot::UNASSIGNED;

/// Creates the outline of the current assignment.
pub(crate) fn outline(engine: &Engine) -> Outline {
    let order = walk(engine);
    let mut positions = vec![usize::MAX; engine.layout.objects.len()];
    for (position, object) in order.iter().enumerate() {
        positions[object.index()] = position;
    }
    Outline { objects: order.into_iter().map(|object| outline_object(engine, object, &positions)).collect() }
}

/// Returns the objects in the order of the outline.
fn walk(engine: &Engine) -> Vec<ObjectId> {
    let mut order = Vec::new();
    let mut numbered = vec![false; engine.layout.objects.len()];
    for followed in [|edge: Edge| edge.owns(), |edge| edge != Edge::Weak, |_| true] {
        let mut met = vec![false; engine.layout.objects.len()];
        let mut stack = vec![engine.links.root()];
        while let Some(object) = stack.pop() {
            if std::mem::replace(&mut met[object.index()], true) {
                continue;
            }
            if !std::mem::replace(&mut numbered[object.index()], true) {
                order.push(object);
            }
            let begin = stack.len();
            let targets = engine.targets(object).filter(|(reference, _)| followed(reference.edge));
            stack.extend(targets.map(|(_, target)| target));
            stack[begin..].reverse();
        }
    }
    order
}

fn outline_object(engine: &Engine, object: ObjectId, positions: &[usize]) -> OutlineObject {
    let layout = &engine.layout;
    let mut fields = Vec::new();
    let mut class = layout.classes[layout.objects[object.index()].class.index()].name.to_string();
    let variant = variant(engine, object);
    if let Some(variant) = &variant {
        class = format!("{class}::{variant}");
    }
    for slot in layout.slots_of(object) {
        let index = engine.value(slot);
        let field = &layout.fields[layout.slots[slot.index()].field.index()];
        if index == UNASSIGNED || field.name == VARIANT {
            continue;
        }
        let value = match field.kind {
            SlotKind::Value { .. } | SlotKind::Name(_) => OutlineValue::Plain(field.show(index)),
            SlotKind::Index(meaning) => {
                let position = index.checked_sub(meaning.nulls);
                let element = position.and_then(|position| element(engine, slot, position, positions));
                OutlineValue::Index { shown: field.show(index), element }
            }
            SlotKind::Reference(reference) => match engine.target(slot) {
                None => OutlineValue::Null(link(reference.edge)),
                Some((_, target)) => OutlineValue::Object { to: positions[target.index()], link: link(reference.edge) },
            },
        };
        fields.push((within(&layout.field_name(slot), variant.as_deref()), value));
    }
    let own = layout.unordered_vectors.iter().filter(|sequence| sequence.object == object && sequence.role.arena);
    let arenas = own.map(|sequence| vector_name(&layout.fields[sequence.len_field.index()].name, variant.as_deref()));
    OutlineObject { class, fields, arenas: arenas.collect() }
}

/// Returns the variant of an object, if it is an enum.
fn variant(engine: &Engine, object: ObjectId) -> Option<String> {
    engine.layout.slots_of(object).find_map(|slot| {
        let field = &engine.layout.fields[engine.layout.slots[slot.index()].field.index()];
        let index = engine.value(slot);
        (field.name == VARIANT && index != UNASSIGNED).then(|| field.show(index))
    })
}

/// Returns the name of a field without the prefix of its variant.
fn within(name: &str, variant: Option<&str>) -> String {
    let inside = variant.and_then(|variant| name.strip_prefix(variant)?.strip_prefix('.'));
    inside.unwrap_or(name).to_string()
}

/// Returns the name of a vector, given that of its length.
fn vector_name(len: &str, variant: Option<&str>) -> String {
    let name = within(len, variant);
    name.strip_suffix(".len()").map_or(name.clone(), str::to_string)
}

/// Returns the element that an index names; `None` beyond the length.
fn element(engine: &Engine, slot: SlotId, position: u32, positions: &[usize]) -> Option<OutlineElement> {
    let sequence = &engine.layout.unordered_vectors[engine.layout.membership(slot).index_of? as usize];
    let len = engine.value(sequence.len_slot);
    if len == UNASSIGNED || position >= sequence.lens[len as usize] {
        return None;
    }
    let holder = positions[sequence.object.index()];
    let arena = &engine.layout.fields[sequence.len_field.index()].name;
    let variant = variant(engine, sequence.object);
    (holder != usize::MAX).then(|| OutlineElement {
        holder,
        arena: vector_name(arena, variant.as_deref()),
        position: position as usize,
    })
}

fn link(edge: Edge) -> OutlineLink {
    match edge {
        Edge::Part => OutlineLink::Part,
        Edge::Owned => OutlineLink::Owned,
        Edge::Shared => OutlineLink::Shared,
        Edge::Weak => OutlineLink::Weak,
        Edge::Raw => OutlineLink::Raw,
    }
}
