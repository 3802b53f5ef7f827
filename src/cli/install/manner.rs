//! How changes of the connectors folder are made. A build for tests can be killed at a step:
//! `BECKET_STOP_AT=placed`, or `written:3` for the third time; and made to do without the exchange of
//! two folders in one rename: `BECKET_NO_EXCHANGE=1`. A release build reads neither.

use crate::install::Manner;

#[cfg(not(all(unix, debug_assertions)))]
pub(in crate::cli) fn manner() -> Manner<'static> {
    Manner::PLAIN
}

#[cfg(all(unix, debug_assertions))]
pub(in crate::cli) fn manner() -> Manner<'static> {
    Manner {
        reached: &testing::reached,
        without_exchange: std::env::var_os("BECKET_NO_EXCHANGE").is_some(),
    }
}

#[cfg(all(unix, debug_assertions))]
mod testing {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use rustix::process::{Signal, getpid, kill_process};

    use crate::install::Step;

    static SEEN: AtomicUsize = AtomicUsize::new(0);

    pub(super) fn reached(step: Step) {
        let Ok(asked) = std::env::var("BECKET_STOP_AT") else { return };
        let (word, nth) = asked.split_once(':').unwrap_or((&asked, "1"));
        if word == step.word() && (SEEN.fetch_add(1, Ordering::SeqCst) + 1).to_string() == nth {
            // Nothing is written or removed from here on.
            let _killed = kill_process(getpid(), Signal::KILL);
        }
    }
}
