//! Bounds that threads share. Values for a field that the call site gave may be of any type; those of portable types can be copied to another thread.

use std::any::Any;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use super::bounds::{Bounds, ObjectsOverride, Overrides, ValuesOverride};
use super::portable::portable_types;

/// Bounds from which each of several threads makes its own.
pub struct SharedBounds<T> {
    scope: usize,
    objects: Vec<ObjectsOverride>,
    values: Vec<SharedValues>,
    of: PhantomData<fn() -> T>,
}

/// Values of one field.
struct SharedValues {
    /// The field, with no values.
    field: ValuesOverride<()>,
    make: Result<MakeValues, String>,
}

/// Makes a `Vec` of the codec's leaf type.
type MakeValues = Arc<dyn Fn() -> Rc<dyn Any> + Send + Sync>;

impl<T> Bounds<T> {
    /// Returns bounds for other threads; or the field whose values cannot be copied to them, as `Class.field`.
    pub fn shared(&self) -> Result<SharedBounds<T>, String> {
        let Bounds { scope, overrides: Overrides { objects, values, census }, .. } = self;
        assert!(census.is_none(), "[korat internal bug] bounds of a value are not shared");
        let values = values.iter().map(|it| {
            let ValuesOverride { class, class_name, field, values } = it;
            let make = match values {
                Ok(values) => Ok(copied(&**values).ok_or_else(|| format!("{class_name}.{field}"))?),
                Err(why) => Err(why.clone()),
            };
            let field = ValuesOverride { class: *class, class_name, field, values: Ok(()) };
            Ok(SharedValues { field, make })
        });
        let values = values.collect::<Result<_, String>>()?;
        Ok(SharedBounds { scope: *scope, objects: objects.clone(), values, of: PhantomData })
    }
}

impl<T> SharedBounds<T> {
    /// Makes the bounds of this thread.
    pub fn bounds(&self) -> Bounds<T> {
        let values = self.values.iter().map(|SharedValues { field, make }| {
            let ValuesOverride { class, class_name, field, .. } = *field;
            ValuesOverride { class, class_name, field, values: make.as_ref().map(|make| make()).map_err(String::clone) }
        });
        let overrides = Overrides { objects: self.objects.clone(), values: values.collect(), census: None };
        Bounds { scope: self.scope, overrides, of: PhantomData }
    }
}

/// Returns what makes a copy of values on any thread, if they are plain.
fn copied(values: &dyn Any) -> Option<MakeValues> {
    fn of<L: Clone + Send + Sync + 'static>(values: &dyn Any) -> Option<MakeValues> {
        let values = values.downcast_ref::<Vec<L>>()?.clone();
        Some(Arc::new(move || Rc::new(values.clone())))
    }
    macro_rules! first_of {
        ($($leaf:ty)*) => {
            None$(.or_else(|| of::<$leaf>(values)).or_else(|| of::<Option<$leaf>>(values)))*
        };
    }
    portable_types!(first_of)
}
