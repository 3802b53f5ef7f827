//! Reads an event stream by the rules of the HTML standard: three kinds of line end, a mark of the
//! byte order, several `data` lines, fields without a colon. What stands after the last blank line
//! is taken too: servers forget that line. Pure.

/// One event that has data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) data: Vec<u8>,
}

/// An event larger than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLarge;

/// A stream as far as it has come.
pub(super) struct Events {
    limit: usize,
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    after_return: bool,
    first: bool,
    /// The id of the last event, to go on from.
    pub(super) last: Option<String>,
    /// How long the server wants us to wait before we come back, in milliseconds.
    pub(super) retry: Option<u64>,
}

impl Events {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            data: Vec::new(),
            has_data: false,
            after_return: false,
            first: true,
            last: None,
            retry: None,
        }
    }

    /// Takes some bytes and gives the events that they complete.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<Vec<Event>, TooLarge> {
        let mut events = Vec::new();
        for byte in bytes {
            let after_return = std::mem::replace(&mut self.after_return, *byte == b'\r');
            match byte {
                b'\n' if after_return => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                _ => self.line.push(*byte),
            }
            if self.line.len() + self.data.len() > self.limit {
                return Err(TooLarge);
            }
        }
        Ok(events)
    }

    /// What the end of the stream completes.
    pub(super) fn end(&mut self) -> Option<Event> {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.dispatch()
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = match std::mem::take(&mut self.first) {
            true => line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line),
            false => &line[..],
        };
        if line.is_empty() {
            return self.dispatch();
        }
        let (name, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &[][..]),
        };
        self.field(name, value.strip_prefix(b" ").unwrap_or(value));
        None
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"data" => {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
                self.has_data = true;
            }
            b"id" if !value.contains(&0) => self.last = String::from_utf8(value.to_vec()).ok(),
            b"retry" => self.retry = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok()).or(self.retry),
            _ => {}
        }
    }

    fn dispatch(&mut self) -> Option<Event> {
        let data = std::mem::take(&mut self.data);
        std::mem::take(&mut self.has_data)
            .then_some(Event { data })
            .filter(|event| !event.data.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(stream: &str) -> Vec<String> {
        // Byte by byte, as it may come.
        let mut events = Events::new(100);
        let mut found = Vec::new();
        for byte in stream.as_bytes() {
            found.extend(events.take(&[*byte]).expect("small"));
        }
        found.extend(events.end());
        found
            .into_iter()
            .map(|event| String::from_utf8(event.data).expect("text"))
            .collect()
    }

    #[test]
    fn every_line_end_and_a_forgotten_last_one() {
        for stream in [
            "data: a\n\ndata: b\n\n",
            "data: a\r\n\r\ndata: b\r\n\r\n",
            "data: a\r\rdata: b\r\r",
            "\u{feff}data: a\n\ndata: b",
            "data:a\n\n: comment\nevent: ping\n\ndata\n\ndata: b\n",
        ] {
            assert_eq!(events(stream), ["a", "b"], "{stream:?}");
        }
    }

    #[test]
    fn several_data_lines_are_joined_by_line_feeds() {
        assert_eq!(events("data: {\"a\":\ndata:  1}\n\n"), ["{\"a\":\n 1}"]);
    }

    #[test]
    fn ids_and_waits_are_kept() {
        let mut all = Events::new(100);
        all.take(b"id: 7\nretry: 500\nretry: x\n\nid\ndata: a\n\n").expect("small");
        assert_eq!((all.last.as_deref(), all.retry), (Some(""), Some(500)));
    }

    #[test]
    fn an_event_has_a_limit() {
        let mut all = Events::new(100);
        let small = b"data: 0123456789\n\n".repeat(50);
        assert_eq!(all.take(&small).map(|events| events.len()), Ok(50));
        assert_eq!(all.take(&[b'x'; 101]), Err(TooLarge));
    }
}
