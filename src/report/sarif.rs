//! SARIF 2.1.0, the exchange format of code scanning: what is said of each finding. The shapes
//! are in `shapes`.

mod shapes;

use std::collections::BTreeMap;

use shapes::{
    ArtifactChange, ArtifactContent, ArtifactLocation, Driver, FileLocation, FilePlace, FixShape, Help, Invocation, Location, Log, Message,
    Notification, PhysicalLocation, Properties, Region, Replacement, ReportingDescriptor, ResultShape, RuleConfiguration, Run, Tool,
};

use super::sheet::{Entry, Place, Sheet};
use super::text::{self, visible};
use super::words::{totals, with_guess};
use super::{Stop, page_address};
use crate::diag::{Fix, Level, Rule};

/// The longest text of a place that is quoted.
const QUOTED: usize = 200;

pub(super) fn write(sheets: &[Sheet<'_>]) -> String {
    let rules = rules(sheets);
    let mut seen = BTreeMap::new();
    let mut results = Vec::new();
    for sheet in sheets {
        for entry in sheet.entries() {
            results.push(result(sheet, entry, &rules, &mut seen));
        }
    }
    text::json(&Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool { driver: driver(&rules) },
            column_kind: "unicodeCodePoints",
            invocations: invocation(sheets).into_iter().collect(),
            properties: omitted(sheets),
            results,
        }],
    })
}

/// How the run went, where something kept us from looking.
fn invocation(sheets: &[Sheet<'_>]) -> Option<Invocation> {
    let stops = sheets.iter().filter_map(|sheet| Some((sheet, sheet.stop.as_ref()?)));
    let notifications: Vec<_> = stops.map(|(sheet, stop)| notification(sheet, stop)).collect();
    (!notifications.is_empty()).then_some(Invocation {
        execution_successful: false,
        tool_execution_notifications: notifications,
    })
}

fn notification(sheet: &Sheet<'_>, stop: &Stop) -> Notification {
    let text: Vec<_> = stop.text().split('\n').map(visible).collect();
    Notification {
        level: "error",
        message: Message::new(text.join("\n")),
        locations: [FileLocation {
            physical_location: FilePlace {
                artifact_location: artifact(sheet),
            },
        }],
    }
}

/// What is counted and not listed.
fn omitted(sheets: &[Sheet<'_>]) -> Option<Properties> {
    let omitted = sheets.iter().map(|sheet| sheet.omitted).sum();
    let totals = totals(sheets);
    (omitted > 0).then_some(Properties {
        found: totals.errors + totals.warnings + totals.notes,
        omitted,
    })
}

/// The rules that were broken, each once, by code.
fn rules(sheets: &[Sheet<'_>]) -> Vec<&'static Rule> {
    let entries = sheets.iter().flat_map(Sheet::entries);
    let by_code: BTreeMap<_, _> = entries.map(|entry| (entry.rule.code, entry.rule)).collect();
    by_code.into_values().collect()
}

fn driver(rules: &[&'static Rule]) -> Driver {
    Driver {
        name: "becket",
        version: env!("CARGO_PKG_VERSION"),
        semantic_version: env!("CARGO_PKG_VERSION"),
        information_uri: Some(env!("CARGO_PKG_REPOSITORY")).filter(|address| !address.is_empty()),
        rules: rules.iter().map(|rule| descriptor(rule)).collect(),
    }
}

fn descriptor(rule: &'static Rule) -> ReportingDescriptor {
    ReportingDescriptor {
        id: rule.code,
        name: rule.slug,
        short_description: Message::new(rule.summary),
        full_description: Message::new(first_paragraph(rule.page).unwrap_or(rule.summary)),
        default_configuration: RuleConfiguration { level: level(rule.level) },
        help: Some(rule.page).filter(|page| !page.trim().is_empty()).map(|page| Help {
            text: page,
            markdown: page,
        }),
        help_uri: page_address(rule.code),
    }
}

/// The first text of a page that is not a heading.
fn first_paragraph(page: &str) -> Option<&str> {
    page.split("\n\n")
        .map(str::trim)
        .find(|part| !part.is_empty() && !part.starts_with(['#', '`']))
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}

fn result(sheet: &Sheet<'_>, entry: &Entry<'_>, rules: &[&Rule], seen: &mut BTreeMap<u64, usize>) -> ResultShape {
    let related = entry.related.iter().enumerate();
    ResultShape {
        rule_id: entry.rule.code,
        rule_index: rules
            .iter()
            .position(|rule| *rule == entry.rule)
            .expect("every rule that occurs is listed"),
        level: level(entry.level),
        message: Message::new(message(entry)),
        locations: [location(sheet, &entry.place)],
        related_locations: related
            .map(|(at, (place, text))| related_location(sheet, at + 1, place, text))
            .collect(),
        fixes: entry.fix.iter().map(|fix| fix_shape(sheet, fix)).collect(),
        partial_fingerprints: BTreeMap::from([("becketFinding/v1", fingerprint(sheet, entry, seen))]),
    }
}

/// The message, and the remedy unless the message ends with it.
fn message(entry: &Entry<'_>) -> String {
    let message = visible(&with_guess(entry));
    match &entry.help {
        Some(help) if !help.starts_with("did you mean") => format!("{message}\nhelp: {}", visible(help)),
        _ => message,
    }
}

fn location(sheet: &Sheet<'_>, place: &Place) -> Location {
    let snippet = snippet(sheet, place);
    Location {
        id: None,
        message: None,
        physical_location: PhysicalLocation {
            artifact_location: artifact(sheet),
            region: Region { snippet, ..region(place) },
        },
    }
}

fn related_location(sheet: &Sheet<'_>, id: usize, place: &Place, text: &str) -> Location {
    Location {
        id: Some(id),
        message: Some(Message::new(visible(text))),
        ..location(sheet, place)
    }
}

fn region(place: &Place) -> Region {
    Region {
        start_line: place.start.line,
        start_column: place.start.column,
        end_line: place.end.line,
        end_column: place.end.column,
        snippet: None,
    }
}

/// The text of a short place, a star for each hidden character.
fn snippet(sheet: &Sheet<'_>, place: &Place) -> Option<ArtifactContent> {
    let bytes = place.bytes.clone();
    let text = sheet
        .text()
        .get(bytes.clone())
        .filter(|text| !text.is_empty() && text.len() <= QUOTED)?;
    let letters = text.char_indices();
    let text = letters
        .map(|(at, letter)| if sheet.hides(bytes.start + at) { '*' } else { letter })
        .collect();
    Some(ArtifactContent { text })
}

fn fix_shape(sheet: &Sheet<'_>, fix: &Fix) -> FixShape {
    let replacement = |edit: &crate::diag::Edit| Replacement {
        deleted_region: region(&sheet.place(edit.span)),
        inserted_content: ArtifactContent { text: edit.text.clone() },
    };
    FixShape {
        description: Message::new(visible(&fix.title)),
        artifact_changes: [ArtifactChange {
            artifact_location: artifact(sheet),
            replacements: fix.edits.iter().map(replacement).collect(),
        }],
    }
}

/// The same for a finding that moved to another line: made of file, code and message, and a
/// number for those that are alike.
fn fingerprint(sheet: &Sheet<'_>, entry: &Entry<'_>, seen: &mut BTreeMap<u64, usize>) -> String {
    let hash = fnv(&[sheet.name(), entry.rule.code, &entry.message]);
    let alike = seen.entry(hash).or_default();
    *alike += 1;
    format!("{hash:016x}:{alike}")
}

/// FNV-1a: short, and the same on every machine and with every compiler.
fn fnv(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn artifact(sheet: &Sheet<'_>) -> ArtifactLocation {
    ArtifactLocation { uri: uri(sheet.name()) }
}

/// A path or an address as a URI reference: relative stays relative.
fn uri(name: &str) -> String {
    if name.starts_with("https://") || name.starts_with("http://") {
        return url::Url::parse(name).map_or_else(|_| encoded(name), String::from);
    }
    let path = if cfg!(windows) { name.replace('\\', "/") } else { name.to_owned() };
    let path = path.strip_prefix("./").unwrap_or(&path);
    match path.as_bytes() {
        [b'/', ..] => format!("file://{}", encoded(path)),
        [drive, b':', b'/', ..] if drive.is_ascii_alphabetic() => format!("file:///{}:{}", char::from(*drive), encoded(&path[2..])),
        _ => encoded(path),
    }
}

/// Everything but unreserved characters and the slash as `%XX` (RFC 3986).
fn encoded(path: &str) -> String {
    let byte = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    path.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uri_references() {
        let cases = [
            ("petstore/connector.json", "petstore/connector.json"),
            ("./a b/ü:1.json", "a%20b/%C3%BC%3A1.json"),
            ("/srv/a%b.json", "file:///srv/a%25b.json"),
            ("C:/x/y.json", "file:///C:/x/y.json"),
            ("https://example.com/a b?c", "https://example.com/a%20b?c"),
        ];
        for (name, expected) in cases {
            assert_eq!(uri(name), expected);
        }
    }

    #[test]
    fn the_hash_is_the_published_one() {
        // FNV-1a of no bytes and of "a", before our separator.
        assert_eq!(fnv(&[]), 0xcbf2_9ce4_8422_2325);
        let a = 0xaf63_dc4c_8601_ec8c_u64;
        assert_eq!(fnv(&["a"]), (a ^ 0xff).wrapping_mul(0x0100_0000_01b3));
    }

    #[test]
    fn a_page_is_described_by_its_first_text() {
        assert_eq!(
            first_paragraph("# P302\n\nA key is in the path.\n\nWhy"),
            Some("A key is in the path.")
        );
        assert_eq!(first_paragraph("# P302\n"), None);
    }
}
