//! Bounds on judging: how large a value is, and a worker with a stack and a time of its own for
//! what cannot be bounded beforehand. No clock is read.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

const TIME: Duration = Duration::from_secs(2);
/// Room for 10,000 subschemas in one chain. Only what is used is taken.
const STACK: usize = 64 << 20;
/// Deeper values are not looked at.
const DEEPEST: usize = 256;

/// The answer of `work`, or nothing after two seconds. Then the worker goes on until it is done:
/// there is no way to stop it, so whoever calls this bounds the work as well as can be.
pub(super) fn bounded<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (answer, answered) = mpsc::sync_channel(1);
    let worker = thread::Builder::new().name("schema".to_owned()).stack_size(STACK);
    worker.spawn(move || answer.send(work())).ok()?;
    answered.recv_timeout(TIME).ok()
}

/// How many values a value holds, itself included, and how deep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) values: u64,
    pub(super) depth: usize,
}

impl Size {
    pub(super) fn of(value: &Value) -> Self {
        let mut size = Self { values: 0, depth: 0 };
        size.add(value, 1);
        size
    }

    fn add(&mut self, value: &Value, depth: usize) {
        self.values += 1;
        self.depth = self.depth.max(depth);
        if depth > DEEPEST {
            return;
        }
        match value {
            Value::Array(list) => list.iter().for_each(|value| self.add(value, depth + 1)),
            Value::Object(map) => map.values().for_each(|value| self.add(value, depth + 1)),
            _ => {}
        }
    }

    /// Too deep to walk on any stack.
    pub(super) fn is_bottomless(self) -> bool {
        self.depth > DEEPEST
    }
}
