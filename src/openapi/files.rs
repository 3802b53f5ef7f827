//! The description and the files beside it. Files are opened only when a reference into them is
//! followed, only through the closure that the caller gives, and only inside the description's own
//! folder or on its own origin. Opens nothing itself.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use url::Url;

use crate::model::percent_decoded;
use crate::source::{Doc, Span, View};

/// More files than any real description has; what comes after is refused.
const MOST: usize = 4096;
const CHUNK: usize = 16;

/// A document that a reference names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Beside {
    /// A path below the folder of the description, with `/`, without `..`.
    File(String),
    /// An address of the same origin as the description's.
    Address(Url),
}

impl std::fmt::Display for Beside {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(path) => out.write_str(path),
            Self::Address(url) => out.write_str(url.as_str()),
        }
    }
}

/// Opens a document beside the description, or says why it does not.
pub type Open = Box<dyn Fn(&Beside) -> Result<Doc, String>>;

/// Why a reference out of the document is not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// It leaves the folder of the description.
    Folder,
    /// It goes to another origin, or to something that is no file and no web address.
    Origin,
    /// The caller did not open it.
    Unopened(String),
    TooMany,
}

/// A place in one of the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct At {
    /// 0 is the description itself.
    pub file: u32,
    pub span: Span,
}

#[derive(Debug)]
struct Sheet {
    doc: Doc,
    beside: Beside,
}

/// Documents are only added, so what was read from one stays valid while others come.
#[derive(Default)]
struct Shelf {
    sheets: [OnceCell<Sheet>; CHUNK],
    next: OnceCell<Box<Shelf>>,
}

impl Shelf {
    fn slot(&self, at: usize) -> &OnceCell<Sheet> {
        let mut shelf = self;
        for _ in 0..at / CHUNK {
            shelf = shelf.next.get_or_init(Box::default);
        }
        &shelf.sheets[at % CHUNK]
    }
}

/// The description, where it came from, and what was opened beside it so far.
pub struct Files {
    main: Doc,
    address: Option<Url>,
    open: Open,
    shelf: Shelf,
    opened: RefCell<HashMap<Beside, Result<usize, Refused>>>,
    by_doc: RefCell<HashMap<usize, usize>>,
}

impl Files {
    /// `address` is where the description was fetched from; nothing for a file.
    pub fn new(main: Doc, address: Option<Url>, open: Open) -> Self {
        Self {
            main,
            address,
            open,
            shelf: Shelf::default(),
            opened: RefCell::default(),
            by_doc: RefCell::default(),
        }
    }

    /// A description on its own: every reference out of it is refused.
    pub fn single(main: Doc, address: Option<Url>) -> Self {
        Self::new(main, address, Box::new(|_| Err("not opened".to_owned())))
    }

    pub fn main(&self) -> &Doc {
        &self.main
    }

    pub fn address(&self) -> Option<&Url> {
        self.address.as_ref()
    }

    /// How many documents were opened beside the description.
    pub fn opened(&self) -> usize {
        self.by_doc.borrow().len()
    }

    pub fn doc(&self, file: u32) -> &Doc {
        match (file as usize).checked_sub(1).and_then(|at| self.shelf.slot(at).get()) {
            Some(sheet) => &sheet.doc,
            None => &self.main,
        }
    }

    /// What a document is called in messages; nothing for the description itself.
    pub fn name(&self, file: u32) -> Option<String> {
        let at = (file as usize).checked_sub(1)?;
        self.shelf.slot(at).get().map(|sheet| sheet.beside.to_string())
    }

    pub fn at(&self, view: View<'_>) -> At {
        At {
            file: self.file(view.doc()),
            span: view.span(),
        }
    }

    fn file(&self, doc: &Doc) -> u32 {
        if std::ptr::eq(doc, &raw const self.main) {
            return 0;
        }
        let file = self.by_doc.borrow().get(&address_of(doc)).map_or(0, |at| at + 1);
        u32::try_from(file).unwrap_or_default()
    }

    /// The document that `reference` (without its fragment) names, seen from `from`.
    pub fn follow(&self, from: &Doc, reference: &str) -> Result<&Doc, Refused> {
        let beside = self.beside(from, reference)?;
        if self.address.is_some() && matches!(&beside, Beside::Address(url) if Some(url) == self.address.as_ref()) {
            return Ok(&self.main);
        }
        let known = self.opened.borrow().get(&beside).cloned();
        let at = match known {
            Some(at) => at?,
            None => self.open(&beside)?,
        };
        self.shelf
            .slot(at)
            .get()
            .map(|sheet| &sheet.doc)
            .ok_or_else(|| Refused::Unopened("not opened".to_owned()))
    }

    fn open(&self, beside: &Beside) -> Result<usize, Refused> {
        let at = self.by_doc.borrow().len();
        let result = if at < MOST {
            (self.open)(beside).map_err(Refused::Unopened)
        } else {
            Err(Refused::TooMany)
        };
        let placed = result.map(|doc| {
            let beside = beside.clone();
            let sheet = self.shelf.slot(at).get_or_init(|| Sheet { doc, beside });
            self.by_doc.borrow_mut().insert(address_of(&sheet.doc), at);
            at
        });
        self.opened.borrow_mut().insert(beside.clone(), placed.clone());
        placed
    }

    fn beside(&self, from: &Doc, reference: &str) -> Result<Beside, Refused> {
        let home = (self.file(from) as usize).checked_sub(1).and_then(|at| self.shelf.slot(at).get());
        let home = home.map(|sheet| &sheet.beside);
        let base = match (home, &self.address) {
            (Some(Beside::Address(url)), _) | (None, Some(url)) => url,
            (Some(Beside::File(path)), _) => return below(path, reference).map(Beside::File),
            (None, None) => return below("", reference).map(Beside::File),
        };
        let url = base.join(reference).map_err(|_| Refused::Origin)?;
        if url.origin() == base.origin() && matches!(url.scheme(), "http" | "https") {
            Ok(Beside::Address(url))
        } else {
            Err(Refused::Origin)
        }
    }
}

fn address_of(doc: &Doc) -> usize {
    std::ptr::from_ref(doc).addr()
}

/// `reference` seen from the file `home`, as a path below the description's folder.
fn below(home: &str, reference: &str) -> Result<String, Refused> {
    let reference = decode(reference);
    let scheme = reference.split(['/', '\\']).next().is_some_and(|first| first.contains(':'));
    if scheme || reference.starts_with("//") {
        return Err(Refused::Origin);
    }
    if reference.starts_with(['/', '\\', '~']) || reference.contains(['\0', '\\']) {
        return Err(Refused::Folder);
    }
    let mut steps: Vec<&str> = home.split('/').filter(|step| !step.is_empty()).collect();
    steps.pop();
    for step in reference.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop().ok_or(Refused::Folder)?;
            }
            step => steps.push(step),
        }
    }
    if steps.is_empty() {
        Err(Refused::Folder)
    } else {
        Ok(steps.join("/"))
    }
}

/// Undoes percent-encoding; what is not valid stays as it is.
pub(super) fn decode(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains('%') {
        return text.into();
    }
    percent_decoded(text).map_or_else(|| text.into(), Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_stay_below_the_folder() {
        assert_eq!(below("", "./common.yaml"), Ok("common.yaml".to_owned()));
        assert_eq!(below("a/b.yaml", "../c%20d.yaml"), Ok("c d.yaml".to_owned()));
        assert_eq!(below("a/b.yaml", "../../c.yaml"), Err(Refused::Folder));
        assert_eq!(below("", "../../etc/passwd"), Err(Refused::Folder));
        assert_eq!(below("", "%2e%2e/x"), Err(Refused::Folder));
        assert_eq!(below("", "/etc/passwd"), Err(Refused::Folder));
        assert_eq!(below("", "file:///etc/passwd"), Err(Refused::Origin));
        assert_eq!(below("", "http://169.254.169.254/x"), Err(Refused::Origin));
        assert_eq!(below("", "//evil.example/x"), Err(Refused::Origin));
    }
}
