//! The operator `?` in a machine. std's traits for it are unstable, so these traits replace them for the types that
//! support `?`.

use std::convert::Infallible;
use std::ops::ControlFlow;

/// A type that supports `?`.
pub trait Try {
    /// The value that `?` evaluates to.
    type Output;
    /// The value that `?` returns early.
    type Residual;
    /// Splits the value into one to continue with and one to return early.
    fn branch(self) -> ControlFlow<Self::Residual, Self::Output>;
}

/// A type that a function with `?` can return.
pub trait FromResidual<R> {
    /// Converts the value that `?` returns early.
    fn from_residual(residual: R) -> Self;
}

impl<T> Try for Option<T> {
    type Output = T;
    type Residual = Option<Infallible>;
    #[inline(always)]
    fn branch(self) -> ControlFlow<Option<Infallible>, T> {
        match self {
            Some(value) => ControlFlow::Continue(value),
            None => ControlFlow::Break(None),
        }
    }
}

impl<T> FromResidual<Option<Infallible>> for Option<T> {
    #[inline(always)]
    fn from_residual(_: Option<Infallible>) -> Self {
        None
    }
}

impl<T, E> Try for Result<T, E> {
    type Output = T;
    type Residual = Result<Infallible, E>;
    #[inline(always)]
    fn branch(self) -> ControlFlow<Result<Infallible, E>, T> {
        match self {
            Ok(value) => ControlFlow::Continue(value),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }
}

impl<T, E, F: From<E>> FromResidual<Result<Infallible, E>> for Result<T, F> {
    #[inline(always)]
    fn from_residual(residual: Result<Infallible, E>) -> Self {
        match residual {
            Ok(never) => match never {},
            Err(error) => Err(error.into()),
        }
    }
}

impl<B, C> Try for ControlFlow<B, C> {
    type Output = C;
    type Residual = ControlFlow<B, Infallible>;
    #[inline(always)]
    fn branch(self) -> ControlFlow<ControlFlow<B, Infallible>, C> {
        match self {
            ControlFlow::Continue(value) => ControlFlow::Continue(value),
            ControlFlow::Break(value) => ControlFlow::Break(ControlFlow::Break(value)),
        }
    }
}

impl<B, C> FromResidual<ControlFlow<B, Infallible>> for ControlFlow<B, C> {
    #[inline(always)]
    fn from_residual(residual: ControlFlow<B, Infallible>) -> Self {
        match residual {
            ControlFlow::Continue(never) => match never {},
            ControlFlow::Break(value) => ControlFlow::Break(value),
        }
    }
}
