//! A value as plain data: which objects it has, what stands in their fields. Takes an assignment, gives what a drawing needs.

use crate::engine::layout::{SlotKind, VARIANT};
use crate::engine::{Engine, UNASSIGNED};
use crate::ids::ObjectId;

/// The objects of one value, the root first, in the order in which a walk meets them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Every object once.
    pub objects: Vec<OutlineObject>,
}

/// One object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineObject {
    /// Its class; of an enum, with the variant: `Expr::Add`.
    pub class: String,
    /// Its fields in order; elements of a vector are fields.
    pub fields: Vec<(String, OutlineValue)>,
}

/// What stands in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutlineValue {
    /// A plain value, printed.
    Plain(String),
    /// No object.
    Null,
    /// The object at this position of `Outline::objects`.
    Object(usize),
}

pub(crate) fn outline(engine: &Engine) -> Outline {
    let root = engine.links.root();
    let mut positions = vec![None; engine.layout.objects.len()];
    positions[root.index()] = Some(0);
    let mut order: Vec<ObjectId> = vec![root];
    let mut objects = Vec::new();
    let mut next = 0;
    while next < order.len() {
        let object = order[next];
        next += 1;
        let mut fields = Vec::new();
        let mut class = engine.layout.classes[engine.layout.objects[object.index()].class.index()].name.to_string();
        let mut variant = None;
        for slot in engine.layout.slots_of(object) {
            let index = engine.value(slot);
            if index == UNASSIGNED {
                continue;
            }
            let field = &engine.layout.fields[engine.layout.slots[slot.index()].field.index()];
            let value = match field.kind {
                SlotKind::Value { .. } | SlotKind::Index(_) | SlotKind::Name(_) => {
                    OutlineValue::Plain(field.show(index))
                }
                SlotKind::Reference(reference) => match reference.object(index) {
                    None => OutlineValue::Null,
                    Some(ordinal) => {
                        let target = engine.layout.object_of(reference, ordinal);
                        let position = *positions[target.index()].get_or_insert_with(|| {
                            order.push(target);
                            order.len() - 1
                        });
                        OutlineValue::Object(position)
                    }
                },
            };
            if field.name == VARIANT {
                let name = field.show(index);
                class = format!("{class}::{name}");
                variant = Some(format!("{name}."));
                continue;
            }
            let name = variant.as_ref().and_then(|variant| field.name.strip_prefix(variant)).unwrap_or(&field.name);
            fields.push((name.to_string(), value));
        }
        objects.push(OutlineObject { class, fields });
    }
    Outline { objects }
}
