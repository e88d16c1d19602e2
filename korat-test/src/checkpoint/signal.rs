//! SIGTERM: while searches keep where they stand, it ends the process after the next file is written, and a second one at once. There is none on Windows.

#[cfg(unix)]
mod unix {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex, OnceLock, PoisonError};

    use signal_hook::consts::SIGTERM;
    use signal_hook::flag::{register, register_conditional_default};

    /// What the signal does.
    struct Flags {
        /// Whether it was raised.
        raised: Arc<AtomicBool>,
        /// Whether it ends the process at once: nobody would look at `raised`.
        at_once: Arc<AtomicBool>,
    }

    fn flags() -> Option<&'static Flags> {
        static FLAGS: OnceLock<Option<Flags>> = OnceLock::new();
        let register_all = || {
            let flags = Flags { raised: Arc::default(), at_once: Arc::default() };
            register_conditional_default(SIGTERM, Arc::clone(&flags.at_once)).ok()?;
            register_conditional_default(SIGTERM, Arc::clone(&flags.raised)).ok()?;
            register(SIGTERM, Arc::clone(&flags.raised)).ok()?;
            Some(flags)
        };
        FLAGS.get_or_init(register_all).as_ref()
    }

    /// A search that looks at the signal from time to time.
    pub(in super::super) struct Watch(());

    impl Watch {
        pub(in super::super) fn begin() -> Self {
            Watch::change(1);
            Watch(())
        }

        fn change(by: isize) {
            static WATCHING: Mutex<usize> = Mutex::new(0);
            let mut watching = WATCHING.lock().unwrap_or_else(PoisonError::into_inner);
            *watching = watching.wrapping_add_signed(by);
            if let Some(flags) = flags() {
                flags.at_once.store(*watching == 0, Ordering::SeqCst);
            }
        }

        /// Returns whether the process is to end.
        pub(in super::super) fn is_raised(&self) -> bool {
            flags().is_some_and(|flags| flags.raised.load(Ordering::SeqCst))
        }

        /// Ends the process as the signal does.
        pub(in super::super) fn end_process(&self) {
            let _ = signal_hook::low_level::emulate_default_handler(SIGTERM);
        }
    }

    impl Drop for Watch {
        fn drop(&mut self) {
            Watch::change(-1);
            // If it was raised after the last look, nobody else may look.
            if self.is_raised() {
                self.end_process();
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
