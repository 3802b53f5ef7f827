//! JSON Pointers (RFC 6901) to nodes and back. Nothing is kept for them: a pointer is worked out
//! from the root when something must be shown.

use super::{Doc, Field, Kind, Span, View};

impl Doc {
    /// The node at a JSON Pointer.
    pub fn at(&self, pointer: &str) -> Option<View<'_>> {
        self.root().at(pointer)
    }

    /// The pointer of the innermost value around a span. A span in a key gives the key's value.
    pub fn pointer_at(&self, span: Span) -> String {
        let mut pointer = String::new();
        let mut view = self.root();
        while let Some((step, inner)) = view.around(span) {
            step.push_on(&mut pointer);
            view = inner;
        }
        pointer
    }
}

impl<'d> View<'d> {
    /// The node at a JSON Pointer, from here.
    pub fn at(self, pointer: &str) -> Option<View<'d>> {
        let Some(path) = pointer.strip_prefix('/') else {
            return pointer.is_empty().then_some(self);
        };
        path.split('/').try_fold(self, |view, step| view.step(step))
    }

    fn step(self, step: &str) -> Option<View<'d>> {
        let step = unescaped(step)?;
        match self.kind() {
            Kind::List => {
                let exact = step == "0" || !step.starts_with(['0', '+']);
                self.items().nth(step.parse().ok().filter(|_| exact)?)
            }
            _ => self.get(&step),
        }
    }

    /// The JSON Pointer of this node. A node that aliases share has the pointer of its anchor.
    pub fn pointer(self) -> String {
        let root = self.doc().root();
        let mut pointer = String::new();
        let mut view = root;
        while view.id() != self.id() {
            let Some((step, inner)) = view.holding(self) else {
                return search(root, self).unwrap_or_default();
            };
            step.push_on(&mut pointer);
            view = inner;
        }
        pointer
    }

    /// The child that is `target` or whose text is around it.
    fn holding(self, target: View<'d>) -> Option<(Step<'d>, View<'d>)> {
        let exact = self.steps().find(|(_, child)| child.id() == target.id());
        exact.or_else(|| {
            self.steps()
                .find(|(_, child)| self.inside(*child) && child.span().contains(target.span()))
        })
    }

    fn around(self, span: Span) -> Option<(Step<'d>, View<'d>)> {
        self.steps().find(|(step, child)| {
            let key = matches!(step, Step::Key(field) if field.key_span.contains(span));
            key || (self.inside(*child) && child.span().contains(span))
        })
    }

    /// Whether a child stands in this node's own text; one that an alias stands for does not.
    fn inside(self, child: View<'d>) -> bool {
        self.span().contains(child.span())
    }

    fn steps(self) -> impl Iterator<Item = (Step<'d>, View<'d>)> {
        let items = self.items().enumerate().map(|(at, item)| (Step::Index(at), item));
        items.chain(self.fields().map(|field| (Step::Key(field), field.value)))
    }
}

enum Step<'d> {
    Key(Field<'d>),
    Index(usize),
}

impl Step<'_> {
    fn push_on(&self, pointer: &mut String) {
        pointer.push('/');
        match self {
            Self::Index(at) => pointer.push_str(&at.to_string()),
            Self::Key(field) => pointer.push_str(&field.key.replace('~', "~0").replace('/', "~1")),
        }
    }
}

/// `None` for a `~` that begins neither `~0` nor `~1`.
fn unescaped(step: &str) -> Option<String> {
    let mut parts = step.split('~');
    let mut out = parts.next()?.to_owned();
    for part in parts {
        out.push(match part.bytes().next()? {
            b'0' => '~',
            b'1' => '/',
            _ => return None,
        });
        out.push_str(&part[1..]);
    }
    Some(out)
}

/// Looks at every node once: for nodes that only an alias leads to.
fn search(root: View<'_>, target: View<'_>) -> Option<String> {
    let mut seen = vec![false; root.doc().len()];
    let mut open = vec![(root, String::new())];
    while let Some((view, pointer)) = open.pop() {
        if view.id() == target.id() {
            return Some(pointer);
        }
        for (step, child) in view.steps() {
            if !std::mem::replace(&mut seen[child.id().index()], true) {
                let mut deeper = pointer.clone();
                step.push_on(&mut deeper);
                open.push((child, deeper));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::source::{Limits, Source, parse_json, parse_yaml};

    #[test]
    fn pointers_lead_back_to_their_nodes() {
        let text = r#"{"a/b":[1,{"~":[true]}],"":{"x":null},"a":1,"a":[2]}"#;
        let doc = parse_json(Source::new("x", text), Limits::MANIFEST).unwrap();
        for pointer in [
            "",
            "/a~1b",
            "/a~1b/0",
            "/a~1b/1",
            "/a~1b/1/~0",
            "/a~1b/1/~0/0",
            "/",
            "//x",
            "/a",
            "/a/0",
        ] {
            assert_eq!(doc.at(pointer).expect(pointer).pointer(), pointer);
        }
        for none in ["a", "/a~1b/00", "/a~1b/+1", "/a~1b/2", "/a~1b/-", "/~", "/~2", "/b"] {
            assert!(doc.at(none).is_none(), "{none}");
        }
    }

    #[test]
    fn spans_lead_to_the_innermost_pointer() {
        let doc = parse_json(Source::new("x", r#"{"a": [1, {"b": "c"}]}"#), Limits::MANIFEST).unwrap();
        let at = |pointer: &str| doc.at(pointer).unwrap().span();
        assert_eq!(doc.pointer_at(at("/a/1/b")), "/a/1/b");
        assert_eq!(doc.pointer_at(at("/a/1")), "/a/1");
        assert_eq!(doc.pointer_at(doc.root().field("a").unwrap().key_span), "/a");
        assert_eq!(doc.pointer_at(at("")), "");
    }

    #[test]
    fn a_shared_node_has_the_pointer_of_its_anchor() {
        let text = "a: *no\n".replace("*no", "&x {b: [1]}") + "c: *x\nd: {<<: *x, e: 2}\n? &k key\n: *k\n";
        let doc = parse_yaml(Source::new("x", text), Limits::MANIFEST).unwrap();
        assert_eq!(doc.at("/c/b/0").unwrap().pointer(), "/a/b/0");
        assert_eq!(doc.at("/d/b").unwrap().pointer(), "/a/b");
        assert_eq!(doc.at("/key").unwrap().as_str(), Some("key"));
        assert_eq!(doc.at("/key").unwrap().pointer(), "/key");
    }
}
