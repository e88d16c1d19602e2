//! References that rustc converts on the way to where they are used: a box becomes what is in it, a vector a slice. For an enum,
//! a plain value in a box and a vector this reads a field, at the moment of the conversion and not when something is done with it.
//! In all of these, something after it reads a field as well.

#![allow(clippy::borrow_deref_ref, clippy::explicit_auto_deref, clippy::if_same_then_else, clippy::vec_init_then_push)]

use korat::{Finitize, rep_ok};

use crate::harness::corpus;

#[derive(Debug, Finitize)]
#[finitize(objects = 2)]
pub enum Body {
    Empty,
    Pair(#[finitize(0..=1)] u8, bool),
}

#[rep_ok(helpers)]
impl Body {
    fn weight(&self, by: u8) -> u8 {
        match self {
            Body::Empty => by,
            Body::Pair(first, second) => first + 2 * u8::from(*second) + by,
        }
    }

    fn is_empty(&self) -> bool {
        matches!(self, Body::Empty)
    }
}

#[rep_ok(helpers)]
fn weighed(body: &Body, by: u8) -> u8 {
    body.weight(by)
}

#[rep_ok(helpers)]
fn longest(items: &[u8], by: u8) -> usize {
    items.len() + usize::from(by)
}

macro_rules! subjects {
    ($($Name:ident { $($rep_ok:tt)* })*) => {$(
        #[derive(Debug, Finitize)]
        pub struct $Name {
            body: Box<Body>,
            other: Option<Box<Body>>,
            #[finitize(0..=1)]
            boxed: Box<u8>,
            #[finitize(len = 0..=2, 0..=1)]
            items: Vec<u8>,
            #[finitize(0..=1)]
            key: u8,
            flag: bool,
        }

        #[rep_ok(uses(weighed, longest))]
        #[allow(dead_code, unused_mut)]
        impl $Name {
            $($rep_ok)*

            fn key(&self) -> u8 {
                self.key
            }

            fn some_key(&self) -> Option<u8> {
                (self.key < 1).then_some(self.key)
            }

            fn three(body: &Body, key: u8, by: &mut u8) -> bool {
                *by += 1;
                body.weight(key) == *by
            }

            fn two(body: &Body, key: u8) -> u8 {
                body.weight(key)
            }

            fn both(one: &Body, boxed: &u8, key: u8) -> bool {
                one.weight(*boxed) == key
            }

            fn total(items: &[u8], key: u8) -> u8 {
                items.iter().sum::<u8>() + key
            }

            fn in_the_box(body: &Box<Body>, key: u8, by: &mut u8) -> bool {
                key > 0 && body.weight(key) > *by
            }
        }
    )*};
}

subjects! {
    BeforeATemporary { fn rep_ok(&self) -> bool { Self::three(&self.body, self.key, &mut 1u8) } }
    BeforeAResult { fn rep_ok(&self) -> bool { Self::three(&self.body, self.key, &mut self.key()) } }
    BeforeACall { fn rep_ok(&self) -> bool { Self::two(&self.body, self.key()) == 1 } }
    NotConverted { fn rep_ok(&self) -> bool { Self::in_the_box(&self.body, self.key, &mut 1u8) } }
    PlainInABox { fn rep_ok(&self) -> bool { Self::both(&self.body, &self.boxed, self.key()) } }
    BoundByAPattern {
        fn rep_ok(&self) -> bool { self.other.as_ref().is_some_and(|_| true) && self.in_pattern() }
        fn in_pattern(&self) -> bool {
            let Some(other) = &self.other else { return false };
            Self::two(other, self.key()) == 1 && Self::three(other, self.key, &mut 0)
        }
    }
    Dereferenced {
        fn rep_ok(&self) -> bool {
            let Some(other) = &self.other else { return false };
            Self::two(&*other, self.key()) == 1 || Self::three(&**other, self.key, &mut 0)
        }
    }
    ByAsRef { fn rep_ok(&self) -> bool { Self::two(self.body.as_ref(), self.key()) == 2 } }
    ToAFunction { fn rep_ok(&self) -> bool { weighed(&self.body, self.key()) == 2 } }
    ToAFunctionByAPattern {
        fn rep_ok(&self) -> bool {
            let Some(other) = &self.other else { return false };
            weighed(other, self.key()) == 2
        }
    }
    Receiver { fn rep_ok(&self) -> bool { self.body.weight(self.key()) == 2 } }
    ReceiverBoundByAPattern {
        fn rep_ok(&self) -> bool {
            let Some(other) = &self.other else { return false };
            other.weight(self.key()) == 2 || (*other).weight(self.key()) == 0 && (**other).weight(self.key()) == 0
        }
    }
    Scrutinee {
        fn rep_ok(&self) -> bool {
            match (&*self.body, self.key()) {
                (Body::Empty, key) => key == 0,
                (Body::Pair(first, _), key) => *first == key,
            }
        }
    }
    BoxInAScrutinee {
        fn rep_ok(&self) -> bool {
            match (&self.body, self.key()) {
                (body, 0) => body.is_empty(),
                (body, key) => body.weight(key) == 2,
            }
        }
    }
    Literal {
        fn rep_ok(&self) -> bool {
            let weights = [Self::two(&self.body, self.key()), Self::two(&self.body, u8::from(self.flag))];
            let pair: (&Body, u8) = (&self.body, self.key());
            weights[0] < weights[1] && pair.0.weight(pair.1) == 1
        }
    }
    TypedTuple {
        fn rep_ok(&self) -> bool {
            let pair: (&Body, u8) = (&self.body, self.key());
            pair.0.weight(pair.1) == 1
        }
    }
    TypedArray {
        fn rep_ok(&self) -> bool {
            let Some(other) = &self.other else { return false };
            let both: [&Body; 2] = [other, self.first(&self.body, self.key())];
            both.iter().all(|body| body.is_empty())
        }
        fn first<'b>(&self, body: &'b Body, key: u8) -> &'b Body {
            if key == self.key { body } else { body }
        }
    }
    TypedOption {
        fn rep_ok(&self) -> bool {
            let pair: Option<(&Body, u8)> = Some((&self.body, self.key()));
            pair.is_some_and(|(body, key)| body.weight(key) == 1)
        }
    }
    Indexed { fn rep_ok(&self) -> bool { self.items.len() == 2 && self.items[usize::from(self.key())] == 1 } }
    IndexedFirst { fn rep_ok(&self) -> bool { self.key < 1 || !self.items.is_empty() && self.items[usize::from(self.key()) - 1] == 1 } }
    Got { fn rep_ok(&self) -> bool { self.items.get(usize::from(self.key())) == Some(&1) } }
    Slice { fn rep_ok(&self) -> bool { Self::total(&self.items, self.key()) == 1 } }
    SliceBeforeATemporary {
        fn rep_ok(&self) -> bool { Self::sum(&self.items, self.key, &mut 1) }
        fn sum(items: &[u8], key: u8, by: &mut u8) -> bool { *by += 1; items.len() == usize::from(key + *by) }
    }
    SliceToAFunction { fn rep_ok(&self) -> bool { longest(&self.items, self.key()) == 1 } }
    Compound {
        fn rep_ok(&self) -> bool {
            let mut sum = 1;
            sum += Self::two(&self.body, self.key());
            let mut sums = [0, 0];
            sums[usize::from(self.flag)] += Self::two(&self.body, self.key());
            sum == 3 && sums[1] > 0
        }
    }
    Chosen {
        fn rep_ok(&self) -> bool {
            let Some(other) = &self.other else { return false };
            Self::two(if self.flag { &self.body } else { other }, self.key()) == 1
                && Self::three(if self.flag { other } else { &self.body }, self.key, &mut 0)
        }
    }
    ChangedTemporary {
        fn rep_ok(&self) -> bool { self.added(&mut 0, if self.flag { self.key } else { 1 }) == 1 }
        fn added(&self, sum: &mut u8, more: u8) -> u8 {
            *sum += more;
            if self.flag { *sum } else { 1 }
        }
    }
    Tried {
        fn rep_ok(&self) -> bool { self.tried() == Some(1) }
        fn tried(&self) -> Option<u8> { Some(Self::two(&self.body, self.some_key()?)) }
    }
    TriedLast {
        fn rep_ok(&self) -> bool { self.tried() == Some(1) }
        fn tried(&self) -> Option<u8> { self.checked(&self.body, self.key, self.some_key()?) }
        fn checked(&self, body: &Body, key: u8, by: u8) -> Option<u8> { Some(body.weight(key + by)) }
    }
    Nested {
        fn rep_ok(&self) -> bool {
            Self::two(&self.body, Self::two(&self.body, self.key())) == 2 && weighed(&self.body, weighed(&self.body, self.key())) == 2
        }
    }
    Compared { fn rep_ok(&self) -> bool { *self.boxed == self.key() && *self.boxed + self.key() < 2 && self.boxed.pow(u32::from(self.key())) == 1 } }
    BoxedMethod { fn rep_ok(&self) -> bool { self.boxed.pow(u32::from(self.key())) == 1 } }
    InAVector {
        fn rep_ok(&self) -> bool {
            let mut all: Vec<(&Body, u8)> = Vec::new();
            all.push((&self.body, self.key()));
            all.iter().all(|(body, key)| body.weight(*key) == 1)
        }
    }
}

corpus! {
    coerced_before_a_temporary: BeforeATemporary, 2 => 336;
    coerced_before_a_result: BeforeAResult, 2 => 336;
    coerced_before_a_call: BeforeACall, 2 => 504;
    coerced_not: NotConverted, 2 => 504;
    coerced_plain_in_a_box: PlainInABox, 2 => 420;
    coerced_bound_by_a_pattern: BoundByAPattern, 2 => 420;
    coerced_dereferenced: Dereferenced, 2 => 420;
    coerced_by_as_ref: ByAsRef, 2 => 336;
    coerced_to_a_function: ToAFunction, 2 => 336;
    coerced_to_a_function_by_a_pattern: ToAFunctionByAPattern, 2 => 280;
    coerced_receiver: Receiver, 2 => 336;
    coerced_receiver_bound_by_a_pattern: ReceiverBoundByAPattern, 2 => 560;
    coerced_scrutinee: Scrutinee, 2 => 840;
    coerced_box_in_a_scrutinee: BoxInAScrutinee, 2 => 336;
    coerced_literal: Literal, 2 => 84;
    coerced_typed_tuple: TypedTuple, 2 => 504;
    coerced_typed_array: TypedArray, 2 => 56;
    coerced_typed_option: TypedOption, 2 => 504;
    coerced_indexed: Indexed, 2 => 480;
    coerced_indexed_first: IndexedFirst, 2 => 1200;
    coerced_got: Got, 2 => 600;
    coerced_slice: Slice, 2 => 720;
    coerced_slice_before_a_temporary: SliceBeforeATemporary, 2 => 480;
    coerced_slice_to_a_function: SliceToAFunction, 2 => 360;
    coerced_compound: Compound, 2 => 168;
    coerced_chosen: Chosen, 2 => 140;
    coerced_changed_temporary: ChangedTemporary, 2 => 1260;
    coerced_tried: Tried, 2 => 168;
    coerced_tried_last: TriedLast, 2 => 168;
    coerced_nested: Nested, 2 => 168;
    coerced_compared: Compared, 2 => 420;
    coerced_boxed_method: BoxedMethod, 2 => 1260;
    coerced_in_a_vector: InAVector, 2 => 504;
}
