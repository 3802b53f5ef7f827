//! The stream on which a server of the older era asks outside of any call: opened once the session
//! is, read on a thread of its own, until the server ends it or the program does.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use super::{Dialect, Envelope, Events, PAUSE, RESUMES, Remote, header};
use crate::exec::Client;
use crate::model::Method;

/// How long we wait for the stream to begin. Many servers have none.
const BEGINS: Duration = Duration::from_secs(3);
/// Seconds that it may last.
const LASTS: u32 = 3600;

impl Remote<'_> {
    /// Opens it, and waits until the server has said whether it has one: what it would ask before
    /// that would be lost.
    pub(in crate::mcp) fn listen(&self, dialect: &Dialect) {
        let names = self.headers.iter().map(|(_, key)| key.as_str());
        let (base, keys, dialect) = (self.base.clone(), self.keys.copy_of(names), dialect.clone());
        let (name, headers, session) = (self.name.clone(), self.headers.clone(), self.session.clone());
        let (limits, input) = (self.limits, self.input);
        let (begun, begins) = sync_channel(1);
        thread::spawn(move || {
            let mut remote = Remote {
                name,
                client: Client::default(),
                base: &base,
                headers,
                keys: &keys,
                limits,
                input,
                session,
                changed: false,
            };
            remote.hear(&dialect, &begun);
        });
        // It ends as soon as the thread does.
        let _ = begins.recv_timeout(BEGINS);
    }

    fn hear(&mut self, dialect: &Dialect, begun: &SyncSender<()>) {
        let envelope = Envelope {
            dialect,
            method: "",
            mirrored: &[],
        };
        let mut last = None;
        for _ in 0..=RESUMES {
            let mut plan = self.plan(Method::Get, &envelope, LASTS);
            plan.headers.extend(last.as_deref().map(|last| header("Last-Event-ID", last)));
            let Ok(incoming) = self.client.open(&plan, self.keys) else { return };
            let media = incoming.header("content-type").unwrap_or_default().to_ascii_lowercase();
            if !(200..300).contains(&incoming.status()) || !media.starts_with("text/event-stream") {
                return;
            }
            let _ = begun.try_send(());
            let mut events = Events::new(self.limits.answer);
            // No request has this number, so nothing is an answer.
            let _ = self.events(incoming, &mut events, 0, &envelope);
            last = events.last.filter(|last| !last.is_empty()).or(last);
            if last.is_none() {
                return;
            }
            thread::sleep(Duration::from_millis(events.retry.unwrap_or(PAUSE)));
        }
    }
}
