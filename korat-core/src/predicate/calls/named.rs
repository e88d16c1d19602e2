//! Types of std that can be packed, by their identity at run time: what a type parameter stands for.
//!
//! # Safety argument
//! The functions of a type are registered with its identity, and used only with values of a type of this identity. Such types
//! differ in lifetimes at most. References that are unpacked are kept until the search backtracks, longer than any call.

use std::any::TypeId;
use std::mem::MaybeUninit;

use rustc_hash::FxHashMap;

use super::{Packed, Portable};

/// How to pack and unpack a type.
#[derive(Clone, Copy)]
pub(super) struct Named {
    pack: unsafe fn(*const (), &mut Packed),
    unpack: unsafe fn(&mut Packed, *mut ()),
}

fn of<T: Portable>() -> Named {
    unsafe fn pack<T: Portable>(value: *const (), to: &mut Packed) {
        // SAFETY: see the module's header.
        unsafe { &*value.cast::<T>() }.pack(to);
    }
    unsafe fn unpack<T: Portable>(from: &mut Packed, to: *mut ()) {
        // SAFETY: see the module's header; the place is that of a value of this type.
        unsafe { to.cast::<T>().write(T::unpack(from)) };
    }
    Named { pack: pack::<T>, unpack: unpack::<T> }
}

type All = FxHashMap<TypeId, Named>;

fn add<T: Portable + 'static>(all: &mut All)
where
    for<'r> &'r T: Portable,
{
    all.insert(TypeId::of::<T>(), of::<T>());
    all.insert(TypeId::of::<&T>(), of::<&T>());
    all.insert(TypeId::of::<Option<T>>(), of::<Option<T>>());
    all.insert(TypeId::of::<&Option<T>>(), of::<&Option<T>>());
    all.insert(TypeId::of::<Option<&T>>(), of::<Option<&T>>());
    all.insert(TypeId::of::<(T, T)>(), of::<(T, T)>());
    all.insert(TypeId::of::<(&T, &T)>(), of::<(&T, &T)>());
    all.insert(TypeId::of::<Option<(T, T)>>(), of::<Option<(T, T)>>());
    all.insert(TypeId::of::<Option<(&T, &T)>>(), of::<Option<(&T, &T)>>());
}

macro_rules! all {
    ($($type:ty)*) => {{
        let mut all = All::default();
        $( add::<$type>(&mut all); )*
        all
    }};
}

thread_local! {
    static ALL: All =
        all!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char f32 f64 String std::cmp::Ordering);
}

/// Returns how to pack a type.
pub(super) fn named<T>() -> Option<Named> {
    ALL.with(|all| all.get(&typeid::of::<T>()).copied())
}

/// Packs a value. Returns whether its type can be packed.
pub(super) fn pack_named<T>(value: &T, to: &mut Packed) -> bool {
    let Some(named) = named::<T>() else { return false };
    // SAFETY: the functions are those of the type.
    unsafe { (named.pack)(std::ptr::from_ref(value).cast(), to) };
    true
}

/// Unpacks a value of a type that can be packed.
pub(super) fn unpack_named<T>(from: &mut Packed) -> T {
    let named = named::<T>().expect("[korat internal bug] a value that cannot be packed is unpacked");
    let mut value = MaybeUninit::<T>::uninit();
    // SAFETY: the functions are those of the type, and write a value.
    unsafe {
        (named.unpack)(from, value.as_mut_ptr().cast());
        value.assume_init()
    }
}
