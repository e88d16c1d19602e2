//! Plain values: one slot, whose domain is a list.

use std::cmp::{Ordering, Reverse};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{Range, RangeInclusive};
use std::panic::{RefUnwindSafe, UnwindSafe};

use super::pointed::{AtPlace, Pointed, ToValue};
use super::tuple_option::Copied;
use super::whole::Whole;
use crate::class::abstraction::{Abstraction, OutOfBounds};
use crate::class::census::Gathered;
use crate::class::codec::{Codec, Field};
use crate::class::copies::Copies;
use crate::class::form::{FormReader, FormWriter};
use crate::class::list_cap;
use crate::class::patch::Patch;
use crate::class::plan::meaning::LeafValues;
use crate::class::plan::planner::{Attrs, Planner};
use crate::class::plan::slot_maker::SlotMaker;
use crate::class::traits::Lift;
use crate::model::ids::{FieldId, to_u32};
use crate::predicate::machine::probe::drops_unobservably;
use crate::predicate::twin::Elem;
use crate::slots::lookup::OffsetGuess;
use crate::slots::object_view::Located;
use crate::slots::slot::{AnySlot, Slot};

/// The codec of fields with listed values: integers, `bool`, `char`, `Ordering`, fieldless enums, options of these, and
/// any type with `#[finitize(values = [..])]`.
pub struct Listed<T>(PhantomData<T>);

/// The plan of a listed field.
pub struct ListedPlan<T: 'static> {
    field: FieldId,
    values: LeafValues<T>,
    /// The field's values in a value, while they are gathered.
    gathered: Gathered<T>,
    distance: OffsetGuess,
}

impl<T: Clone + PartialEq + Debug + 'static> Codec for Listed<T> {
    type Value = T;
    type Leaf = T;
    type Lifted = T;
    type Cell = Slot<T>;
    type Plan = ListedPlan<T>;

    fn plan(planner: &mut Planner<'_>, attrs: Attrs<T>) -> ListedPlan<T> {
        let gathered = Gathered::new(planner.declared_path());
        let (field, values) = planner.leaf_field(attrs.values);
        ListedPlan { field, values, gathered, distance: OffsetGuess::default() }
    }

    fn cell(plan: &ListedPlan<T>, slots: &mut SlotMaker<'_>) -> Slot<T> {
        slots.listed(plan.field, plan.values.list())
    }

    fn elem(cell: &'static Slot<T>, _: &mut SlotMaker<'_>) -> Elem<T> {
        Elem::field(cell)
    }

    fn visit(cell: &Slot<T>, visit: &mut dyn FnMut(&dyn AnySlot)) {
        visit(cell);
    }

    fn copy_out(cell: &Slot<T>, _: &mut Copies) -> T {
        cell.__korat_read().clone()
    }
    fn materialise(cell: &Slot<T>, plan: &ListedPlan<T>) -> T {
        plan.values.list().values()[cell.index() as usize].clone()
    }
    fn patches() -> bool {
        drops_unobservably::<T>()
    }
    #[inline]
    fn patch(value: &mut T, cell: &Slot<T>, _: &ListedPlan<T>, _: &mut Patch) {
        *value = cell.assigned().clone();
    }

    #[inline]
    fn write_form<const DRAFTS: bool>(value: &T, to: &mut FormWriter<'_, DRAFTS>) {
        to.plain(value);
    }
    fn read_form(from: &mut FormReader<'_>) -> T {
        from.plain()
    }
    fn abstract_to(
        value: &T,
        cell: &Slot<T>,
        plan: &ListedPlan<T>,
        to: &mut Abstraction<'_>,
    ) -> Result<(), OutOfBounds> {
        let list = plan.values.list();
        if to.gathers() {
            return plan.search(value, cell, to);
        }
        // Avoid reading the list: it may be long, and consecutive values may lie anywhere in it.
        if let Some(index) = list.known_position(value) {
            to.set_slot_to(cell, to_u32(index), value);
        } else if let Some(index) = plan.distance.guess(list.values(), value) {
            to.set_slot(cell, to_u32(index));
        } else {
            plan.search(value, cell, to)?;
        }
        Ok(())
    }
}

impl<T: Clone + PartialEq + Debug + 'static> ListedPlan<T> {
    /// Plans a field that is neither an index nor a name, whatever is declared.
    pub(in crate::codec) fn without_meaning(planner: &mut Planner<'_>, values: Result<Vec<T>, String>) -> Self {
        let gathered = Gathered::new(planner.declared_path());
        let (field, list) = planner.listed_field(values);
        ListedPlan { field, values: LeafValues::Listed(list), gathered, distance: OffsetGuess::default() }
    }

    /// Abstracts a value whose position in the list could not be guessed, or gathers it.
    #[cold]
    #[inline(never)]
    fn search(&self, value: &T, cell: &Slot<T>, to: &mut Abstraction<'_>) -> Result<(), OutOfBounds> {
        #[allow(clippy::eq_op, reason = "a value that does not equal itself has no place in a list")]
        if value != value {
            return Err(OutOfBounds::value(value));
        }
        if let Some(plain_values) = to.gathered() {
            plain_values.add(&self.gathered, value);
            return Ok(());
        }
        let values = self.values.list().values();
        let index = self.distance.position(values, value, || to.position(values, value));
        let index = index.ok_or_else(|| OutOfBounds::value(value))?;
        to.set_slot(cell, to_u32(index));
        Ok(())
    }
}

impl<T: Clone + PartialEq + Debug + 'static> Copied for Listed<T> {
    type Member = Self::Lifted;
    fn value(cell: &Slot<T>) -> T {
        cell.__korat_read().clone()
    }
    fn stamp(cell: &Slot<T>, tell: &mut dyn FnMut(u32)) {
        tell(cell.index());
    }
}

/// A type `T` for which `Option<T>` can be a field: a listed value, a nullable reference, or an optional part.
#[diagnostic::on_unimplemented(
    message = "a field of type `Option<{Self}>` cannot be finitized",
    label = "korat does not know the values of `{Self}`",
    note = "derive `Finitize` for a type of your own; list the values of any other: `#[finitize(values = [..])]`; or leave the field out: `#[finitize(skip = ..)]`"
)]
pub trait Optional: Sized + 'static {
    /// Handles fields of type `Option<Self>`.
    type Codec: Codec<Value = Option<Self>>;
    /// Returns the default values of one slot at a scope.
    fn default_values(scope: usize) -> Result<Vec<<Self::Codec as Codec>::Leaf>, String>;
}

impl<T: Optional> Field for Option<T> {
    type Codec = T::Codec;
    type Element = T::Codec;
    fn default_values(scope: usize) -> Result<Vec<<T::Codec as Codec>::Leaf>, String> {
        T::default_values(scope)
    }
}

impl<T: PlainField> Located for Option<T> {
    type Place = Slot<Option<T>>;
}

impl<T: PlainField> Pointed for Option<T> {
    type Target = ToValue;
}

impl<T: Located<Place = Slot<T>> + Clone + PartialEq + Debug> AtPlace for Listed<T> {
    fn place(cell: &'static Slot<T>, _: &mut SlotMaker<'_>) -> &'static Slot<T> {
        cell
    }
}

/// A type that a class's type parameter may stand for: its values are listed as a whole. The unwind-safety bounds
/// exclude interior mutability, so that locals and closures of a generic predicate that hold such values count as
/// restorable (`Restorable`).
#[diagnostic::on_unimplemented(
    message = "a type parameter of a class stands for plain values, and `{Self}` is not plain",
    label = "not a plain value",
    note = "integers, `bool`, `char`, and types that derive `Finitize` with `#[finitize(plain)]` and enums without fields are plain; for other arguments, list the instances of the class: `#[finitize(instances(List<Node>))]`"
)]
pub trait PlainField:
    Field<Codec = Listed<Self>, Element = Listed<Self>>
    + Optional<Codec = Listed<Option<Self>>>
    + Lift<Lifted = Self>
    + Located<Place = Slot<Self>>
    + Pointed<Target = ToValue>
    + Clone
    + PartialEq
    + Debug
    + RefUnwindSafe
    + UnwindSafe
{
}
#[diagnostic::do_not_recommend]
impl<T> PlainField for T where
    T: Field<Codec = Listed<T>, Element = Listed<T>>
        + Optional<Codec = Listed<Option<T>>>
        + Lift<Lifted = T>
        + Located<Place = Slot<T>>
        + Pointed<Target = ToValue>
        + Clone
        + PartialEq
        + Debug
        + RefUnwindSafe
        + UnwindSafe
{
}

/// A type that a field of a plain type may have: its values are listed as a whole, too.
#[diagnostic::on_unimplemented(
    message = "a plain type has plain fields, and `{Self}` is not plain",
    label = "not a plain value",
    note = "remove `#[finitize(plain)]` from the type, which makes it a class; or list the values of the field: `#[finitize(values = [..])]`"
)]
pub trait PlainPart: Field<Codec: Whole<Self>> {}
#[diagnostic::do_not_recommend]
impl<T: Field<Codec: Whole<T>>> PlainPart for T {}

/// Returns the default values of a field of a plain type.
pub fn plain_values<T: PlainPart>(scope: usize) -> Result<Vec<T>, String> {
    <T::Codec as Whole<T>>::values(scope)
}

/// Returns `None`, then `Some` of each value.
pub fn optional_values<T: Field<Codec = Listed<T>> + Clone + PartialEq + Debug>(
    scope: usize,
) -> Result<Vec<Option<T>>, String> {
    let some = T::default_values(scope)?;
    Ok(std::iter::once(None).chain(some.into_iter().map(Some)).collect())
}

/// Declares types with a default list of values. Inlined, so that only the lists of types that a crate uses are compiled.
macro_rules! listed {
    ($($type:ty => |$scope:ident| $values:expr;)*) => {$(
        impl Field for $type {
            type Codec = Listed<$type>;
            type Element = Listed<$type>;
            #[inline]
            fn default_values($scope: usize) -> Result<Vec<$type>, String> {
                $values
            }
        }
        impl Optional for $type {
            type Codec = Listed<Option<$type>>;
            #[inline]
            fn default_values(scope: usize) -> Result<Vec<Option<$type>>, String> {
                optional_values::<$type>(scope)
            }
        }
        impl Located for $type {
            type Place = Slot<$type>;
        }
        impl Pointed for $type {
            type Target = ToValue;
        }
    )*};
}

/// What to do about a float without a domain.
const NO_FLOATS: &str = "floats have no default values; list some, `#[finitize([0.0, 0.5])]`, or all values of the field, `#[finitize(values = [..])]`";

macro_rules! listed_integers {
    ($($type:ty)*) => {
        listed! {$( $type => |scope| crate::class::bounds::into_values(0..=scope); )*}
    };
}

macro_rules! listed_nonzero {
    ($($type:ty)*) => {
        listed! {$( NonZero<$type> => |scope| crate::class::bounds::into_values(1..=scope); )*}
    };
}

listed_nonzero! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
listed_integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
listed! {
    bool => |_scope| Ok(vec![false, true]);
    char => |scope| {
        let letters: Vec<char> = ('a'..='z').take(scope.saturating_add(1)).collect();
        if letters.len() > scope || list_cap::current().is_some() { Ok(letters) } else { Err(format!("there are only 26 letters, and scope {scope} asks for more")) }
    };
    f32 => |_scope| Err(NO_FLOATS.to_string());
    f64 => |_scope| Err(NO_FLOATS.to_string());
    () => |_scope| Ok(vec![()]);
    Ordering => |_scope| Ok(vec![Ordering::Less, Ordering::Equal, Ordering::Greater]);
}

/// Returns every pair of default values.
fn pairs<T: PlainField>(scope: usize) -> Result<Vec<(T, T)>, String> {
    let values = <T as Field>::default_values(list_cap::scope_of_combined(scope))?;
    let pairs = values.iter().flat_map(|one| values.iter().map(move |two| (one.clone(), two.clone())));
    crate::class::bounds::listed(pairs)
}

macro_rules! listed_generic {
    ($([$($generics:tt)*] $type:ty => |$scope:ident| $values:expr;)*) => {$(
        impl<$($generics)*> Field for $type {
            type Codec = Listed<$type>;
            type Element = Listed<$type>;
            fn default_values($scope: usize) -> Result<Vec<$type>, String> {
                $values
            }
        }
        impl<$($generics)*> Optional for $type {
            type Codec = Listed<Option<$type>>;
            fn default_values(scope: usize) -> Result<Vec<Option<$type>>, String> {
                optional_values::<$type>(scope)
            }
        }
        impl<$($generics)*> Located for $type {
            type Place = Slot<$type>;
        }
        impl<$($generics)*> Pointed for $type {
            type Target = ToValue;
        }
    )*};
}

listed_generic! {
    [T: ?Sized + 'static] PhantomData<T> => |_scope| Ok(vec![PhantomData]);
    [T: PlainField] Wrapping<T> => |scope| Ok(<T as Field>::default_values(scope)?.into_iter().map(Wrapping).collect());
    [T: PlainField] Saturating<T> => |scope| Ok(<T as Field>::default_values(scope)?.into_iter().map(Saturating).collect());
    [T: PlainField] Range<T> => |scope| Ok(pairs::<T>(scope)?.into_iter().map(|(start, end)| start..end).collect());
    [T: PlainField] RangeInclusive<T> => |scope| Ok(pairs::<T>(scope)?.into_iter().map(|(start, end)| start..=end).collect());
    [T: PlainPart + Clone + PartialEq + Debug] Reverse<T> => |scope| Ok(T::Codec::values(scope)?.into_iter().map(Reverse).collect());
}
