//! Properties that wait, in tests of tokio.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use korat::{Finitize, Search, label, rep_ok};

#[derive(Debug, Finitize)]
struct Node {
    key: u8,
    next: Option<Box<Node>>,
}

#[derive(Debug, Finitize)]
struct List {
    head: Option<Box<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let mut at = &self.head;
        while let Some(node) = at {
            if node.key > 1 {
                return false;
            }
            at = &node.next;
        }
        true
    }
}

impl List {
    fn len(&self) -> usize {
        std::iter::successors(self.head.as_deref(), |node| node.next.as_deref()).count()
    }
}

#[tokio::test]
async fn every_value_is_waited_for() {
    let mut sizes = Vec::new();
    let report = korat::for_each_valid_async(List::scope(3), async |list| {
        tokio::time::sleep(Duration::from_micros(10)).await;
        sizes.push(list.len());
    })
    .await;
    report.expect_count(1 + 2 + 4 + 8);
    assert_eq!(sizes.len(), 15);
    assert!(sizes.is_sorted());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn properties_hand_their_work_to_other_threads() {
    let report = korat::for_each_valid_async(List::scope(2), async |list| {
        let len = list.len();
        let other = tokio::spawn(async move { len }).await.map_err(|error| error.to_string())?;
        if other == len { Ok(()) } else { Err("the lengths differ".to_string()) }
    })
    .await;
    report.expect_count(7);
}

/// The text of the panic in which a future ends.
async fn message_of<R>(run: impl Future<Output = R>) -> String {
    let mut run = std::pin::pin!(run);
    let ended = std::future::poll_fn(|context| {
        match std::panic::catch_unwind(AssertUnwindSafe(|| run.as_mut().poll(context))) {
            Ok(polled) => polled.map(|_| None),
            Err(panic) => std::task::Poll::Ready(panic.downcast::<String>().ok()),
        }
    });
    *ended.await.expect("the run fails with a text")
}

#[tokio::test]
async fn failures_after_waiting_are_told_like_others() {
    let run = korat::for_each_valid_async(List::scope(3), async |list| {
        tokio::task::yield_now().await;
        assert!(list.len() < 2, "too long");
    });
    let text = message_of(run).await;
    assert!(text.starts_with("property failed on structure #4, size 2, smallest failing: too long"), "{text}");
    assert!(text.contains("later.rs:"), "{text}");
    let run = Search::new(List::scope(3)).for_each_async(async |list| {
        tokio::task::yield_now().await;
        list.head.is_none()
    });
    let text = message_of(run).await;
    assert!(text.contains("structure #2, size 1, smallest failing: it returned false"), "{text}");
}

#[tokio::test]
async fn drawn_values_are_shrunk_after_waiting_too() {
    let run = Search::new(List::scope(9)).sample(10).regressions(false).for_each_async(async |list| {
        tokio::task::yield_now().await;
        assert!(list.len() < 2, "too long");
    });
    let text = message_of(run).await;
    assert!(
        text.starts_with("property failed on a structure of size 2, smallest failing, shrunk from structure #"),
        "{text}"
    );
}

#[tokio::test]
async fn labels_belong_to_the_value_however_often_it_waits() {
    let report = Search::new(List::scope(1))
        .stats(true)
        .for_each_async(async |list| {
            label!("length {}", list.len());
            tokio::task::yield_now().await;
            label!("length {}", list.len());
            if list.len() == 1 {
                label!("not empty");
            }
        })
        .await;
    let stats = report.stats.expect("they were asked for");
    assert_eq!(stats.labels().collect::<Vec<_>>(), [("length 0", 1), ("length 1", 2), ("not empty", 2)]);
    assert_eq!(stats.unlabelled(), 0);
}
