//! Keys: the security schemes of a description, parameters that are keys in all but name, and what
//! the caller adds. Which of them an operation needs is worked out for the chosen operations.

use super::Options;
use super::files::At;
use super::key_words::prefix_in;
use super::ledger::NoteKind;
use super::names::{Names, key_name};
use super::refs::Scope;
use super::text::{clean, prose};
use crate::model::{is_forbidden_header, is_header_name};
use crate::source::{Kind, View};

/// A key that requests carry.
#[derive(Debug, Clone)]
pub struct ApiKey {
    /// The scheme or the parameter that declares it.
    pub declared_as: String,
    pub env: String,
    pub place: Place,
    /// What stands before the key's value.
    pub prefix: Prefix,
    pub about: String,
    pub origin: Origin,
    pub at: At,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Header(String),
    Query(String),
}

impl Place {
    pub fn words(&self) -> String {
        match self {
            Self::Header(name) => format!("header {name}"),
            Self::Query(name) => format!("query parameter {name}"),
        }
    }

    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Header(one), Self::Header(other)) => one.eq_ignore_ascii_case(other),
            (one, other) => one == other,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prefix {
    None,
    Known(String),
    /// The header is `Authorization`, and no text says what stands before the key.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    ApiKey,
    Bearer,
    Basic,
    /// OAuth or OpenID Connect: a token is pasted, and it expires.
    Pasted,
    /// A parameter that is a key in all but name.
    Parameter,
    /// The caller said so.
    Asked,
}

/// A scheme of the description, by name.
struct Scheme<'d> {
    name: &'d str,
    /// `None` when a connector cannot carry it.
    key: Option<usize>,
    cookie: bool,
}

/// What an operation says about keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Need {
    /// Nothing is said: every key there is may be needed.
    Unstated,
    /// One of these sets of keys; none of them for "no key".
    OneOf(Vec<Vec<usize>>),
    /// Only a key in a cookie would do.
    Cookie,
}

/// All keys of a description.
pub(super) struct Keys<'d> {
    pub(super) keys: Vec<ApiKey>,
    schemes: Vec<Scheme<'d>>,
    names: Names,
    /// What the caller asked for replaces what the description has in the same place.
    asked: usize,
}

impl<'d> Keys<'d> {
    pub(super) fn read(scope: &Scope<'d>, root: View<'d>, options: &Options) -> Self {
        let mut keys = Self {
            keys: Vec::new(),
            schemes: Vec::new(),
            names: Names::default(),
            asked: 0,
        };
        keys.ask(scope, root, options);
        let components = root.get("components").and_then(|components| components.get("securitySchemes"));
        let Some(map) = scope.map(components.or_else(|| root.get("securityDefinitions"))) else {
            return keys;
        };
        let mut fields: Vec<_> = map.fields().collect();
        fields.sort_unstable_by_key(|field| field.key);
        for field in fields {
            let scheme = keys.scheme(scope, field.key, field.value);
            keys.schemes.push(scheme);
        }
        keys
    }

    fn ask(&mut self, scope: &Scope<'d>, root: View<'d>, options: &Options) {
        for header in &options.headers {
            let prefix = header.prefix.as_ref().map_or(Prefix::None, |prefix| Prefix::Known(prefix.clone()));
            self.add(
                "AUTH_HEADER".to_owned(),
                &header.name,
                Place::Header(header.name.clone()),
                prefix,
                Origin::Asked,
                scope.files.at(root),
            );
        }
        for name in &options.query_keys {
            self.add(
                key_name(name),
                name,
                Place::Query(name.clone()),
                Prefix::None,
                Origin::Asked,
                scope.files.at(root),
            );
        }
        self.asked = self.keys.len();
    }

    fn add(&mut self, env: String, declared_as: &str, place: Place, prefix: Prefix, origin: Origin, at: At) -> usize {
        let about = match origin {
            Origin::Basic => "base64 of user:password".to_owned(),
            Origin::Pasted => "paste a token; it expires, and sign-in is not done here".to_owned(),
            _ => String::new(),
        };
        self.keys.push(ApiKey {
            declared_as: declared_as.to_owned(),
            env: self.names.take(env),
            place,
            prefix,
            about,
            origin,
            at,
        });
        self.keys.len() - 1
    }

    /// Whether a key goes here.
    pub(super) fn has(&self, place: &Place) -> bool {
        self.keys.iter().any(|key| key.place.is(place))
    }

    /// What the caller asked for in this place.
    fn replaced(&self, place: &Place) -> Option<usize> {
        self.keys[..self.asked].iter().position(|key| key.place.is(place))
    }

    fn scheme(&mut self, scope: &Scope<'d>, name: &'d str, view: View<'d>) -> Scheme<'d> {
        let none = |cookie| Scheme { name, key: None, cookie };
        let Some(object) = scope.object_or_note(view) else {
            return none(false);
        };
        let about = object.text("description").unwrap_or_default();
        let kind = object.text("type").unwrap_or_default().to_ascii_lowercase();
        let http = object.text("scheme").unwrap_or_default().to_ascii_lowercase();
        let bearer = || (Place::Header("Authorization".to_owned()), Prefix::Known("Bearer".to_owned()));
        let (origin, (place, prefix)) = match (kind.as_str(), http.as_str(), object.text("in")) {
            ("apikey", _, Some("header")) => {
                let header = object.text("name").unwrap_or(name).trim();
                (
                    Origin::ApiKey,
                    (Place::Header(header.to_owned()), self.prefix(scope, view, name, header, about)),
                )
            }
            ("apikey", _, Some("query")) => {
                let place = Place::Query(object.text("name").unwrap_or(name).to_owned());
                (Origin::ApiKey, (place, Prefix::None))
            }
            ("apikey", _, Some("cookie")) => return none(true),
            ("basic", ..) | ("http", "basic", _) => {
                let basic = Prefix::Known("Basic".to_owned());
                (Origin::Basic, (Place::Header("Authorization".to_owned()), basic))
            }
            ("http", scheme, _) if is_reckoned(scheme) => {
                let text = format!("`{}` is `{scheme}`, which is reckoned anew for each request", clean(name, 60));
                scope.note(NoteKind::UnsupportedScheme, view, text);
                return none(false);
            }
            ("http" | "bearer", ..) => (Origin::Bearer, bearer()),
            ("oauth2" | "openidconnect", ..) => (Origin::Pasted, bearer()),
            _ => {
                scope.note(
                    NoteKind::UnsupportedScheme,
                    view,
                    format!("`{}` is a kind of key that a connector cannot carry", clean(name, 60)),
                );
                return none(false);
            }
        };
        if !is_header(&place) {
            scope.note(NoteKind::UnsupportedScheme, view, format!("`{}` names no header", clean(name, 60)));
            return none(false);
        }
        if origin == Origin::Pasted {
            scope.note(
                NoteKind::PastedToken,
                view,
                format!("`{}` is a sign-in: paste a token, which expires", clean(name, 60)),
            );
        }
        let key = self.replaced(&place).unwrap_or_else(|| {
            let key = self.add(key_name(name), name, place, prefix, origin, scope.files.at(view));
            let text = prose(about, 200);
            if !text.is_empty() {
                self.keys[key].about = if self.keys[key].about.is_empty() {
                    text
                } else {
                    format!("{}. {text}", self.keys[key].about)
                };
            }
            key
        });
        Scheme {
            name,
            key: Some(key),
            cookie: false,
        }
    }

    fn prefix(&self, scope: &Scope<'d>, view: View<'d>, scheme: &str, header: &str, about: &str) -> Prefix {
        if !header.eq_ignore_ascii_case("Authorization") {
            return Prefix::None;
        }
        if let Some(found) = prefix_in(scheme, about) {
            scope.note(
                NoteKind::PrefixFound,
                view,
                format!("`{found}` stands before the key in Authorization, as its description says"),
            );
            return Prefix::Known(found);
        }
        scope.note(
            NoteKind::PrefixUnknown,
            view,
            "what stands before the key in Authorization is not said; `--header Authorization=PREFIX` says it",
        );
        Prefix::Unknown
    }

    /// A key for a parameter that is one in all but name.
    pub(super) fn parameter(&mut self, scope: &Scope<'d>, view: View<'d>, place: Place, about: &str) -> usize {
        if let Some(known) = self.keys.iter().position(|key| key.place.is(&place)) {
            return known;
        }
        let name = match &place {
            Place::Header(name) | Place::Query(name) => name.clone(),
        };
        scope.note(NoteKind::KeyParameter, view, format!("`{}` is taken as a key", clean(&name, 60)));
        let prefix = match &place {
            Place::Header(header) => self.prefix(scope, view, &name, header, about),
            Place::Query(_) => Prefix::None,
        };
        self.add(key_name(&name), &name, place, prefix, Origin::Parameter, scope.files.at(view))
    }

    /// What a `security` list asks for.
    pub(super) fn need(&self, scope: &Scope<'d>, list: Option<View<'d>>) -> Need {
        let Some(list) = list.filter(|list| list.kind() == Kind::List) else {
            return Need::Unstated;
        };
        let mut sets = Vec::new();
        let mut cookie = false;
        let mut unknown = false;
        let mut unsupported = None;
        for alternative in list.items().filter(|alternative| alternative.kind() == Kind::Map) {
            let mut set = Vec::new();
            let mut whole = true;
            for field in alternative.fields() {
                match self.schemes.iter().find(|scheme| scheme.name == field.key) {
                    Some(Scheme { key: Some(key), .. }) => set.push(*key),
                    Some(scheme) => {
                        cookie |= scheme.cookie;
                        unsupported = unsupported.or((!scheme.cookie).then_some((scheme.name, alternative)));
                        whole = false;
                    }
                    None => {
                        scope.note(
                            NoteKind::UndeclaredScheme,
                            alternative,
                            format!("`{}` is not declared", clean(field.key, 60)),
                        );
                        unknown = true;
                        whole = false;
                    }
                }
            }
            set.sort_unstable();
            set.dedup();
            if let Some(place) = self.shared(&set) {
                let text = format!("asks for two keys in one place, {}", clean(&place.words(), 80));
                scope.note(NoteKind::UnsupportedScheme, alternative, text);
                whole = false;
            }
            if whole {
                sets.push(set);
            }
        }
        if let (true, false, Some((name, at))) = (sets.is_empty(), cookie, unsupported) {
            let text = format!("needs `{}`, a kind of key that a connector cannot carry", clean(name, 60));
            scope.note(NoteKind::UnsupportedScheme, at, text);
        }
        match (sets.is_empty(), cookie, unknown) {
            (true, true, false) => Need::Cookie,
            (true, _, true) => Need::Unstated,
            _ => Need::OneOf(sets),
        }
    }

    /// A place where two of these keys would go.
    fn shared(&self, set: &[usize]) -> Option<&Place> {
        let places = || set.iter().map(|key| &self.keys[*key].place);
        places()
            .enumerate()
            .find(|(at, place)| places().skip(at + 1).any(|other| other.is(place)))
            .map(|(_, place)| place)
    }

    /// The key of every scheme; the second in one place is skipped.
    pub(super) fn all(&self) -> Vec<usize> {
        let mut all: Vec<usize> = Vec::new();
        for key in self.schemes.iter().filter_map(|scheme| scheme.key) {
            if !all.iter().any(|other| self.keys[*other].place.is(&self.keys[key].place)) {
                all.push(key);
            }
        }
        all
    }

    /// The keys that the caller asked for: every request carries them.
    pub(super) fn asked(&self) -> std::ops::Range<usize> {
        0..self.asked
    }
}

/// Whether two keys go into one place.
pub(super) fn share(keys: &[ApiKey], one: usize, other: usize) -> bool {
    keys[one].place.is(&keys[other].place)
}

fn is_header(place: &Place) -> bool {
    match place {
        Place::Header(name) => is_header_name(name) && !is_forbidden_header(name),
        Place::Query(name) => !name.is_empty(),
    }
}
/// Whether a scheme of HTTP needs another header for each request, which no stored key is (RFC 7616
/// and others).
fn is_reckoned(scheme: &str) -> bool {
    ["digest", "hoba", "mutual", "negotiate", "ntlm", "vapid", "dpop", "concealed"].contains(&scheme) || scheme.starts_with("scram-")
}
