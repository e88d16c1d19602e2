//! Includes each chapter of the guide in `docs/` as the documentation of an item, so that its examples run as doc tests
//! of this crate.

macro_rules! chapters {
    ($($name:ident = $text:expr;)*) => {
        $(
            #[doc = $text]
            struct $name;
        )*
    };
}

chapters! {
    Introduction = include_str!("../../docs/src/introduction.md");
    GettingStarted = include_str!("../../docs/src/getting-started.md");
    InvariantsAndBounds = include_str!("../../docs/src/invariants-and-bounds.md");
    SeveralValues = include_str!("../../docs/src/several-values.md");
    Explore = include_str!("../../docs/src/explore.md");
    Failures = include_str!("../../docs/src/failures.md");
    Settings = include_str!("../../docs/src/settings.md");
    WhereTheTimeGoes = include_str!("../../docs/src/where-the-time-goes.md");
    Scale = include_str!("../../docs/src/scale.md");
    Reports = include_str!("../../docs/src/reports.md");
    Clusters = include_str!("../../docs/src/clusters.md");
    Checkpoints = include_str!("../../docs/src/checkpoints.md");
    Snapshots = include_str!("../../docs/src/snapshots.md");
    Pictures = include_str!("../../docs/src/pictures.md");
    Repair = include_str!("../../docs/src/repair.md");
    FittingIn = include_str!("../../docs/src/fitting-in.md");
    Found = include_str!("../../docs/src/found.md");
    HowItWorks = include_str!("../../docs/src/how-it-works.md");
    Troubleshooting = include_str!("../../docs/src/troubleshooting.md");
    Reference = include_str!("../../docs/src/reference.md");
}
