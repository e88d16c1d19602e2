//! SIGTERM and SIGINT: while searches keep where they stand, the process ends when each of them has written its file. A later signal ends it at once.
//! There are none on Windows.

#[cfg(unix)]
mod unix {
    use std::sync::Once;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    use parking_lot::{Condvar, Mutex};
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    /// Signals within this time are one: `timeout` and shells send it to the process, and to its group.
    const ONE: Duration = Duration::from_secs(1);

    /// How long searches have to write their files. A property may take longer for one value; schedulers wait for half a minute.
    const MOST: Duration = Duration::from_secs(10);

    struct State {
        /// The searches that look at the signal, and how many of them have written their files since.
        watching: usize,
        written: usize,
        /// The first signal, and when it came.
        raised: Option<(i32, Instant)>,
    }

    static STATE: Mutex<State> = Mutex::new(State { watching: 0, written: 0, raised: None });
    static CHANGED: Condvar = Condvar::new();
    static IS_RAISED: AtomicBool = AtomicBool::new(false);

    fn end_process(signal: i32) {
        let _ = emulate_default_handler(signal);
    }

    /// Takes note of signals from now on.
    fn take_notes() {
        static TAKEN: Once = Once::new();
        TAKEN.call_once(|| {
            let Ok(mut signals) = Signals::new([SIGTERM, SIGINT]) else { return };
            thread::spawn(move || {
                for signal in signals.forever() {
                    let mut state = STATE.lock();
                    match state.raised {
                        None if state.watching > 0 => {
                            state.raised = Some((signal, Instant::now()));
                            IS_RAISED.store(true, Ordering::Release);
                        }
                        Some((_, first)) if first.elapsed() < ONE => {}
                        None | Some(_) => end_process(signal),
                    }
                }
            });
        });
    }

    /// A search that looks at the signals from time to time.
    pub(in super::super) struct Watch(());

    impl Watch {
        pub(in super::super) fn begin() -> Self {
            STATE.lock().watching += 1;
            take_notes();
            Watch(())
        }

        /// Returns whether the process is to end.
        pub(in super::super) fn is_raised(&self) -> bool {
            IS_RAISED.load(Ordering::Acquire)
        }

        /// Ends the process as the signal does, when the other searches have written their files, too.
        pub(in super::super) fn end_process(&self) {
            let (mut state, began) = (STATE.lock(), Instant::now());
            state.written += 1;
            CHANGED.notify_all();
            while state.written < state.watching && began.elapsed() < MOST {
                let left = MOST.saturating_sub(began.elapsed());
                CHANGED.wait_for(&mut state, left);
            }
            state.raised.into_iter().for_each(|(signal, _)| end_process(signal));
        }
    }

    impl Drop for Watch {
        fn drop(&mut self) {
            let mut state = STATE.lock();
            state.watching -= 1;
            CHANGED.notify_all();
            // If it was raised after the last look, nobody else may look.
            if state.watching == 0 {
                state.raised.into_iter().for_each(|(signal, _)| end_process(signal));
            }
        }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    /// Looks at nothing.
    pub(in super::super) struct Watch;

    impl Watch {
        pub(in super::super) fn begin() -> Self {
            Watch
        }

        pub(in super::super) fn is_raised(&self) -> bool {
            false
        }

        pub(in super::super) fn end_process(&self) {}
    }
}

#[cfg(not(unix))]
pub(super) use elsewhere::Watch;
#[cfg(unix)]
pub(super) use unix::Watch;
