//! Heaps of a thread that has ended go to one other thread, all of them: they may share what only one thread may use.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Barrier, Mutex};
use std::thread::{self, ThreadId};

use korat::{Finitize, RepOk, Search, Summaries, rep_ok};
use korat_core::join_thread;

thread_local! {
    static SHARED: Arc<Shared> = Arc::default();
}

/// What all tags of a thread share: who used one of them.
#[derive(Default)]
struct Shared(Mutex<HashSet<ThreadId>>);

impl Shared {
    fn users(&self) -> HashSet<ThreadId> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// As an `Rc` does, it shares something with its clones on one thread. It notes every use.
struct Tag(Arc<Shared>, PhantomData<*const ()>);

impl Tag {
    fn new() -> Self {
        Tag(SHARED.with(Arc::clone), PhantomData)
    }

    fn note_use(&self) -> Arc<Shared> {
        self.0.0.lock().unwrap().insert(thread::current().id());
        Arc::clone(&self.0)
    }
}

impl Clone for Tag {
    fn clone(&self) -> Self {
        Tag(self.note_use(), PhantomData)
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
struct One {
    #[finitize(values = [Tag::new()])]
    _tag: Tag,
    _is_marked: bool,
}

#[rep_ok]
impl One {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[derive(Debug, Finitize)]
struct Two {
    #[finitize(values = [Tag::new()])]
    _tag: Tag,
    _one: One,
}

#[rep_ok]
impl Two {
    fn rep_ok(&self) -> bool {
        true
    }
}

fn search<T: Finitize + RepOk + fmt::Debug>() {
    let search = Search::new(T::scope(1)).regressions(false).crash_notes(false).summaries(Summaries::Never);
    assert_eq!(search.for_each(|_| {}).valid, 2);
}

/// Runs these on threads that are all there at once. Returns what the tags of each share, and its name.
fn on_threads<const N: usize>(run: [fn(); N]) -> [(Arc<Shared>, ThreadId); N] {
    let barrier = Barrier::new(N);
    thread::scope(|scope| {
        let barrier = &barrier;
        let threads = run.map(|run| {
            scope.spawn(move || {
                barrier.wait();
                run();
                barrier.wait();
                (SHARED.with(Arc::clone), thread::current().id())
            })
        });
        threads.map(|thread| join_thread(thread).expect("it does not panic"))
    })
}

#[test]
fn heaps_of_a_thread_stay_together() {
    let [(first, _)] = on_threads([|| {
        search::<One>();
        search::<Two>();
    }]);
    assert!(!first.users().is_empty());
    let [(second, one), (third, two)] = on_threads([search::<One>, search::<Two>]);
    let users = first.users();
    assert!(users == HashSet::from([one]) || users == HashSet::from([two]), "{} threads", users.len());
    // The heaps of the first thread have come along with those of one of these.
    _ = (second.users(), third.users());
    on_threads([search::<One>, search::<Two>]);
    let users = [first, second, third].map(|shared| shared.users().len());
    assert_eq!(users.iter().max(), Some(&1), "{users:?}");
}
