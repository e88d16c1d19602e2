//! The dice of all writers: chances, choices and fresh names.

/// Gives a writer, which has a generator `rng` and a count `names`, its dice.
macro_rules! dice {
    ($writer:ident) => {
        impl $writer {
            pub fn below(&mut self, bound: usize) -> usize {
                self.rng.random_range(0..bound)
            }

            pub fn chance(&mut self, percent: usize) -> bool {
                self.below(100) < percent
            }

            /// One of several, of which there is one at least.
            pub fn one_of<T: Clone, const N: usize>(&mut self, from: [T; N]) -> T {
                from[self.below(N)].clone()
            }

            pub fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
                if from.is_empty() { None } else { Some(from[self.below(from.len())].clone()) }
            }

            /// A name that nothing has.
            pub fn fresh(&mut self, stem: &str) -> String {
                self.names += 1;
                format!("{stem}{}", self.names)
            }
        }
    };
}
pub(super) use dice;
