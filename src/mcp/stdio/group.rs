//! The processes of one program: it and everything that it starts, ended together. Groups that are
//! alive are known here, so that Ctrl-C ends them too.

#[cfg(unix)]
mod imp {
    use std::process::{Child, ExitStatus};
    use std::sync::{Mutex, PoisonError};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

    static ALIVE: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

    /// How often we look whether something has ended.
    const TICK: Duration = Duration::from_millis(5);

    /// A program that leads a group of its own.
    pub(in crate::mcp) struct Group {
        child: Child,
        leader: Pid,
    }

    impl Group {
        pub(in crate::mcp) fn new(child: Child) -> Self {
            let leader = Pid::from_child(&child);
            alive().push(leader);
            Self { child, leader }
        }

        pub(in crate::mcp) fn id(&self) -> u32 {
            self.child.id()
        }

        /// Waits for the leader.
        pub(in crate::mcp) fn ended(&mut self, wait: Duration) -> Option<ExitStatus> {
            let ends = Instant::now() + wait;
            loop {
                match self.child.try_wait() {
                    Ok(Some(status)) => return Some(status),
                    Ok(None) if Instant::now() < ends => sleep(TICK),
                    _ => return None,
                }
            }
        }

        /// Ends the whole group: the leader may take `patience` by itself, then everything gets
        /// TERM, and after `grace` KILL. How the leader ended, when it did so by itself.
        pub(in crate::mcp) fn stop(&mut self, patience: Duration, grace: Duration) -> Option<ExitStatus> {
            let status = self.ended(patience);
            let _ = kill_process_group(self.leader, Signal::TERM);
            if !self.gone(grace) {
                let _ = kill_process_group(self.leader, Signal::KILL);
                // A launcher that has not made its group yet.
                let _ = self.child.kill();
                self.gone(grace);
            }
            alive().retain(|leader| *leader != self.leader);
            status
        }

        /// Whether nothing of the group is left. One that nobody has waited for counts as left.
        fn gone(&mut self, wait: Duration) -> bool {
            let ends = Instant::now() + wait;
            loop {
                let leader = matches!(self.child.try_wait(), Ok(Some(_)));
                if leader && test_kill_process_group(self.leader).is_err() {
                    return true;
                }
                if Instant::now() >= ends {
                    return false;
                }
                sleep(TICK);
            }
        }
    }

    fn alive() -> std::sync::MutexGuard<'static, Vec<Pid>> {
        ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills every group at once.
    pub(in crate::mcp) fn kill_all() {
        for leader in alive().drain(..) {
            let _ = kill_process_group(leader, Signal::KILL);
            let _ = rustix::process::kill_process(leader, Signal::KILL);
        }
    }

    /// How a program ended, in words that go on after its name.
    pub(in crate::mcp) fn words(status: ExitStatus) -> String {
        use std::os::unix::process::ExitStatusExt;
        match (status.code(), status.signal()) {
            (Some(code), _) => format!("exited with {code}"),
            (None, Some(9)) => "was killed by SIGKILL (out of memory?)".to_owned(),
            (None, Some(signal)) => format!("was ended by {}", name(signal)),
            (None, None) => "ended".to_owned(),
        }
    }

    fn name(signal: i32) -> String {
        const NAMES: [(i32, &str); 7] = [
            (2, "SIGINT"),
            (4, "SIGILL"),
            (6, "SIGABRT"),
            (8, "SIGFPE"),
            (11, "SIGSEGV"),
            (13, "SIGPIPE"),
            (15, "SIGTERM"),
        ];
        let found = NAMES.into_iter().find(|(number, _)| *number == signal);
        found.map_or_else(|| format!("signal {signal}"), |(_, name)| name.to_owned())
    }
}

#[cfg(not(unix))]
mod imp {
    use std::process::{Child, ExitStatus};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    /// A program. Here only it can be ended, not what it has started.
    pub(in crate::mcp) struct Group {
        child: Child,
    }

    impl Group {
        pub(in crate::mcp) fn new(child: Child) -> Self {
            Self { child }
        }

        pub(in crate::mcp) fn id(&self) -> u32 {
            self.child.id()
        }

        pub(in crate::mcp) fn ended(&mut self, wait: Duration) -> Option<ExitStatus> {
            let ends = Instant::now() + wait;
            loop {
                match self.child.try_wait() {
                    Ok(Some(status)) => return Some(status),
                    Ok(None) if Instant::now() < ends => sleep(Duration::from_millis(5)),
                    _ => return None,
                }
            }
        }

        pub(in crate::mcp) fn stop(&mut self, patience: Duration, _grace: Duration) -> Option<ExitStatus> {
            let status = self.ended(patience);
            let _ = self.child.kill();
            let _ = self.child.wait();
            status
        }
    }

    pub(in crate::mcp) fn kill_all() {}

    pub(in crate::mcp) fn words(status: ExitStatus) -> String {
        match status.code() {
            Some(code) => format!("exited with {code}"),
            None => "ended".to_owned(),
        }
    }
}

pub(in crate::mcp) use imp::{Group, kill_all, words};
