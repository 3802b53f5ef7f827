//! Opens a description: a file, standard input or an address, and what it refers to beside it.

use std::path::{Path, PathBuf};

use url::Url;

use super::super::address;
use super::super::args::OpenApi;
use super::super::exit::Exit;
use super::super::fault::Fault;
use super::super::paths;
use super::super::{Session, call_fault};
use super::web_page;
use crate::exec::{Client, Failure, Page, PageError};
use crate::model;
use crate::openapi::{Beside, Files, Open};
use crate::source::{self, Doc, Limits, Source, SyntaxError, read_file, read_stream};

const FETCH: model::Limits = model::Limits {
    seconds: 60,
    bytes: 30 << 20,
};
const ACCEPT: &str = "application/json, application/yaml, application/vnd.oai.openapi, text/yaml, */*;q=0.1";

/// A description and where it came from.
pub(super) struct Description {
    pub(super) files: Files,
    /// What is written as the connector's `source`.
    pub(super) source: Option<String>,
}

impl Description {
    pub(super) fn open(args: &OpenApi, session: &Session) -> Result<Self, Fault> {
        match address::parse(&args.spec)? {
            Some(url) => fetched(&url, args, session),
            None => local(args),
        }
    }
}

fn local(args: &OpenApi) -> Result<Description, Fault> {
    let path = Path::new(&args.spec);
    let read = match args.spec.as_str() {
        "-" => read_stream("standard input", std::io::stdin().lock(), Limits::DESCRIPTION),
        _ => read_file(path, Limits::DESCRIPTION),
    };
    let source = read.map_err(|error| paths::unreadable(&error))?;
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let open: Open = match args.spec.as_str() {
        "-" => Box::new(|_| Err("a description on standard input has no files beside it".to_owned())),
        _ => Box::new(move |beside| file_beside(&folder, beside)),
    };
    Ok(Description {
        files: Files::new(parsed(source)?, None, open),
        source: None,
    })
}

fn file_beside(folder: &Path, beside: &Beside) -> Result<Doc, String> {
    let Beside::File(name) = beside else {
        return Err("a file refers to an address; fetch it and refer to the copy".to_owned());
    };
    let path = inside(folder, name).ok_or("it leads out of the description's folder")?;
    let source = read_file(&path, Limits::DESCRIPTION).map_err(|error| error.to_string())?;
    source::parse(source, Limits::DESCRIPTION).map_err(|error| error.message)
}

/// The file, unless a link takes it out of the folder.
fn inside(folder: &Path, name: &str) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(name);
    let real = path.canonicalize();
    let stays = real.is_ok_and(|real| folder.canonicalize().is_ok_and(|folder| real.starts_with(folder)));
    (stays || !path.exists()).then_some(path)
}

fn fetched(url: &Url, args: &OpenApi, session: &Session) -> Result<Description, Fault> {
    let client = Client::default();
    let page = session
        .io
        .waiting(&format!("fetching {}", address::public(url)), || client.fetch(url, ACCEPT, FETCH))
        .map_err(|error| unfetched(url, &error))?;
    if web_page::is_one(&page) {
        return Err(web_page::fault(&page));
    }
    let source = text(&page).map_err(|error| Fault::new(Exit::Findings, "not_a_description", error))?;
    let follow = args.address.follow_refs;
    let open: Open = Box::new(move |beside| match beside {
        Beside::Address(url) if follow => address_beside(&client, url),
        _ => Err("it is another address; `--follow-refs` follows those of the same origin".to_owned()),
    });
    Ok(Description {
        source: Some(address::public(url)),
        files: Files::new(parsed(source)?, Some(page.address), open),
    })
}

fn address_beside(client: &Client, url: &Url) -> Result<Doc, String> {
    let page = client.fetch(url, ACCEPT, FETCH).map_err(|error| error.to_string())?;
    source::parse(text(&page)?, Limits::DESCRIPTION).map_err(|error| error.message)
}

fn text(page: &Page) -> Result<Source, String> {
    read_stream(&address::public(&page.address), page.bytes.as_slice(), Limits::DESCRIPTION).map_err(|error| error.to_string())
}

fn unfetched(url: &Url, error: &PageError) -> Fault {
    let message = format!("cannot read the description at {}", address::public(url));
    let failure = match error {
        PageError::Address(why) => return Fault::usage("bad_address", message).cause(why.to_string()),
        PageError::Failure(failure) => failure,
    };
    let fault = call_fault::unfetched(message, failure);
    match instead(failure) {
        Some(hint) => fault.hint(hint),
        None => fault,
    }
}

/// What to do about a description that cannot be fetched.
fn instead(failure: &Failure) -> Option<&'static str> {
    match failure {
        Failure::Answered { status: 404 | 410, .. } => {
            Some("open the address in a browser; many services publish it as /openapi.yaml or /swagger.json")
        }
        Failure::Refused { .. } | Failure::KeyRefused { .. } => {
            Some("sign in with a browser, save the description as a file and give its path")
        }
        Failure::RedirectOutside { .. } => Some("give the address that it leads to, when that is what you want"),
        _ => None,
    }
}

fn parsed(source: Source) -> Result<Doc, Fault> {
    let kept = source.clone();
    source::parse(source, Limits::DESCRIPTION).map_err(|error| unparsed(&kept, &error))
}

fn unparsed(source: &Source, error: &SyntaxError) -> Fault {
    let place = source.position(error.span.start);
    let fault = Fault::new(
        Exit::Findings,
        "not_a_description",
        format!("{}:{}:{}: {}", source.name(), place.line, place.column, error.message),
    );
    match &error.help {
        Some(help) => fault.hint(help.clone()),
        None => fault,
    }
}
