//! The snapshot macros without the feature `insta`: each says what to turn on.

#[doc(hidden)]
#[macro_export]
macro_rules! __without_insta {
    () => {
        ::core::compile_error!(
            "snapshots need the feature `insta`; turn it on: `cargo add --dev korat-test --features insta`"
        )
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! assert_valid_snapshot {
    ($($tokens:tt)*) => {
        $crate::__without_insta!()
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! snapshot_value {
    ($($tokens:tt)*) => {
        $crate::__without_insta!()
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! snapshot_each {
    ($($tokens:tt)*) => {
        $crate::__without_insta!()
    };
}
