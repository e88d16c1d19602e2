//! Heaps of a thread that has ended go to another one only if their values are plain: others may share what only one thread may use.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::thread::{self, ThreadId};

use korat::{Finitize, RepOk, Search, Summaries, rep_ok};
use korat_core::join_thread;
use parking_lot::Mutex;

thread_local! {
    static SHARED: Arc<Shared> = Arc::default();
}

/// What all tags of a thread share: who used one of them.
#[derive(Default)]
struct Shared(Mutex<HashSet<ThreadId>>);

/// As an `Rc` does, it shares something with its clones on one thread. It notes every use.
struct Tag(Arc<Shared>, PhantomData<*const ()>);

impl Tag {
    fn new() -> Self {
        Tag(SHARED.with(Arc::clone), PhantomData)
    }

    fn note_use(&self) -> Arc<Shared> {
        self.0.0.lock().insert(thread::current().id());
        Arc::clone(&self.0)
    }
}

impl Clone for Tag {
    fn clone(&self) -> Self {
        Tag(self.note_use(), PhantomData)
    }
}

impl Drop for Tag {
    fn drop(&mut self) {
        self.note_use();
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        self.note_use();
        other.note_use();
        true
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.note_use();
        f.write_str("Tag")
    }
}

#[derive(Debug, Finitize)]
struct Listed {
    #[finitize(values = [Tag::new()])]
    _tag: Tag,
    _is_marked: bool,
}

#[derive(Debug, Finitize)]
struct Wrapped {
    #[finitize(values = [None, Some(Tag::new())])]
    _tag: Option<Tag>,
}

#[derive(Debug, Finitize)]
struct Skipped {
    #[finitize(skip = Tag::new())]
    tag: Tag,
    _is_marked: bool,
}

#[rep_ok]
impl Listed {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[rep_ok]
impl Wrapped {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[rep_ok]
impl Skipped {
    fn rep_ok(&self) -> bool {
        self.tag.eq(&self.tag)
    }
}

/// Searches on a thread. Returns what its tags share, and its name.
fn on_thread<T: Finitize + RepOk + fmt::Debug>() -> (Arc<Shared>, ThreadId) {
    thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let search = Search::new(T::scope(1)).regressions(false).crash_notes(false).summaries(Summaries::Never);
            assert!(search.for_each(|_| {}).valid > 1);
            (SHARED.with(Arc::clone), thread::current().id())
        });
        join_thread(thread).expect("it does not panic")
    })
}

/// Searches on one thread after the other: no value of one is used by another.
fn stays<T: Finitize + RepOk + fmt::Debug>() {
    let threads: Vec<_> = (0..3).map(|_| on_thread::<T>()).collect();
    for (shared, thread) in threads {
        assert_eq!(*shared.0.lock(), HashSet::from([thread]));
    }
}

#[test]
fn values_that_only_their_thread_may_use_stay_there() {
    stays::<Listed>();
    stays::<Wrapped>();
    stays::<Skipped>();
}
