//! Selects the nulls that are drawn: those beside the children of a box, so that a single left child is told from a
//! single right one.

use std::collections::BTreeSet;

use super::scene::{Scene, Stroke, Stub};

/// Returns whether each stub of a scene is drawn.
///
/// A null is drawn if a child of its box is reached by a reference of the same kind. Raw pointers and indices also lead
/// back, to a parent or a predecessor. A field that does so in any box of its class has no child, and its nulls carry no
/// information: the first node of a list has no predecessor.
pub(super) fn drawn(scene: &Scene) -> Vec<bool> {
    let mut kinds_below = vec![Vec::new(); scene.nodes.len()];
    for &edge in scene.hangs_on.iter().flatten() {
        kinds_below[scene.edges[edge].from].push(kind(scene.edges[edge].stroke));
    }
    let class = |node: usize| scene.nodes[node].title.split('[').next();
    let leads_back: BTreeSet<(Option<&str>, &str)> =
        scene.beside().map(|edge| (class(scene.edges[edge].from), scene.edges[edge].label.as_str())).collect();
    let is_drawn = |stub: &Stub| {
        let has_child = kinds_below[stub.from].contains(&kind(stub.stroke));
        let may_lead_back = match kind(stub.stroke) {
            Kind::Owning => false,
            Kind::Raw | Kind::Weak | Kind::Index => true,
        };
        has_child && !(may_lead_back && leads_back.contains(&(class(stub.from), stub.label.as_str())))
    };
    scene.stubs.iter().map(is_drawn).collect()
}

/// Strokes of which one may stand for a left and one for a right child.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Owning,
    Weak,
    Raw,
    Index,
}

fn kind(stroke: Stroke) -> Kind {
    match stroke {
        Stroke::Owned | Stroke::Shared => Kind::Owning,
        Stroke::Weak => Kind::Weak,
        Stroke::Raw => Kind::Raw,
        Stroke::Index => Kind::Index,
    }
}
