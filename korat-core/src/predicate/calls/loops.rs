//! Loops as calls: what a loop does from its head on depends on the locals that it uses, and ends with the locals that it
//! leaves behind, or with a value that the method returns. Generated code has each such loop twice: in its place, and as a
//! function of its locals, for runs on fresh parts. Both ask for an answer at the head of each round.
//!
//! # Safety argument
//! - `Call` keeps the function of a loop as a pointer without a type. Only `Loop::ask` makes such a call, with the `run` of
//!   its own types, which therefore gives the pointer its type back. Lifetimes are of no matter: views are never freed.
//! - `Lent` shows borrowed locals as a tuple of values, bit by bit. The tuple is only read, while the locals are borrowed,
//!   and never dropped.

use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr;

use super::{Call, CallSite, Packed, Portable, RunBody, enter_body};

/// How a loop ends.
pub enum Exit<O, R> {
    /// The method goes on after the loop, with these locals.
    Left(O),
    /// The method returns.
    Returned(R),
}

impl<O: Portable, R: Portable> Portable for Exit<O, R> {
    fn pack(&self, to: &mut Packed) {
        match self {
            Exit::Left(locals) => {
                to.push(0);
                locals.pack(to);
            }
            Exit::Returned(value) => {
                to.push(1);
                value.pack(to);
            }
        }
    }
    fn unpack(from: &mut Packed) -> Self {
        if from.next_word() == 0 { Exit::Left(O::unpack(from)) } else { Exit::Returned(R::unpack(from)) }
    }
}

/// A loop as a function of its locals.
pub type LoopBody<I, O, R> = fn(Loop<I, O, R>, I) -> Exit<O, R>;

/// A loop that takes the locals `I`, and leaves the locals `O` or returns `R`.
pub struct Loop<I, O, R> {
    body: LoopBody<I, O, R>,
    packing: Option<Packing<I, O, R>>,
}

impl<I, O, R> Clone for Loop<I, O, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I, O, R> Copy for Loop<I, O, R> {}

/// How the values of a loop are packed.
pub struct Packing<I, O, R> {
    give: fn(&I, &mut Packed),
    take: fn(&mut Packed) -> Exit<O, R>,
    run: fn(*const (), &mut Packed, &mut Packed),
}

impl<I, O, R> Clone for Packing<I, O, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I, O, R> Copy for Packing<I, O, R> {}

impl<I: Portable, O: Portable, R: Portable> Packing<I, O, R> {
    const PORTABLE: Self = Packing { give: I::pack, take: Exit::unpack, run: Self::run_body };

    fn run_body(body: *const (), from: &mut Packed, to: &mut Packed) {
        // SAFETY: see the module's header.
        let body = unsafe { std::mem::transmute::<*const (), LoopBody<I, O, R>>(body) };
        let locals = I::unpack(from);
        enter_body();
        body(Loop { body, packing: Some(Self::PORTABLE) }, locals).pack(to);
    }
}

/// The types of the locals of a loop.
pub struct Like<I>(PhantomData<fn(I) -> I>);

/// Returns the types of locals.
#[inline(always)]
pub fn like<L: Lent>(_: L) -> Like<L::Owned> {
    Like(PhantomData)
}

impl<I> Like<I> {
    /// Takes a loop as a function of these locals.
    #[inline(always)]
    pub fn body<O, R>(self, body: LoopBody<I, O, R>) -> Unpacked<I, O, R> {
        Unpacked(body)
    }
}

/// A loop of which it is not known yet whether its values can be packed: `(&unpacked).to_loop()` resolves to the first of
/// the traits below whose impl applies.
pub struct Unpacked<I, O, R>(LoopBody<I, O, R>);

/// For loops whose values can be packed.
pub trait LoopPortable<I, O, R> {
    /// Returns the loop.
    fn to_loop(&self) -> Loop<I, O, R>;
}

impl<I: Portable, O: Portable, R: Portable> LoopPortable<I, O, R> for Unpacked<I, O, R> {
    #[inline(always)]
    fn to_loop(&self) -> Loop<I, O, R> {
        Loop { body: self.0, packing: Some(Packing::PORTABLE) }
    }
}

/// For all other loops.
pub trait LoopOpaque<I, O, R> {
    /// Returns the loop.
    fn to_loop(&self) -> Loop<I, O, R>;
}

impl<I, O, R> LoopOpaque<I, O, R> for &Unpacked<I, O, R> {
    #[inline(always)]
    fn to_loop(&self) -> Loop<I, O, R> {
        Loop { body: self.0, packing: None }
    }
}

impl<I, O, R> Loop<I, O, R> {
    /// Asks how the loop ends, from its head on with these locals.
    pub fn ask<L: Lent<Owned = I>>(self, site: &'static CallSite, locals: L) -> Option<Exit<O, R>> {
        let run = RunBody::Loop {
            run: self
                .packing
                .map_or(|_, _, _| unreachable!("[korat internal bug] the loop cannot be run"), |it| it.run),
            body: self.body as *const (),
        };
        let mut call = Call::new(site, run);
        match self.packing {
            Some(packing) => locals.show(&mut |locals| (packing.give)(locals, &mut call.arguments)),
            None => call.opaque = Some(std::any::type_name::<(I, R)>()),
        }
        let answer = call.answer()?;
        self.packing.map(|packing| (packing.take)(answer))
    }
}

/// Borrowed locals.
pub trait Lent {
    /// The types of the locals.
    type Owned;
    /// Shows the locals as one tuple.
    fn show(&self, to: &mut dyn FnMut(&Self::Owned));
}

macro_rules! lent {
    ($(($($name:ident)*);)*) => {$(
        impl<$($name),*> Lent for ($(&$name,)*) {
            type Owned = ($($name,)*);
            fn show(&self, to: &mut dyn FnMut(&Self::Owned)) {
                #[allow(non_snake_case)]
                let ($($name,)*) = *self;
                // SAFETY: each local is valid while it is borrowed; see the module's header.
                let locals = ManuallyDrop::new(($(unsafe { ptr::read($name) },)*));
                to(&locals);
            }
        }
    )*};
}

lent! {
    (A);
    (A B);
    (A B C);
    (A B C D);
    (A B C D E);
    (A B C D E F);
    (A B C D E F G);
    (A B C D E F G H);
    (A B C D E F G H J);
    (A B C D E F G H J K);
}
