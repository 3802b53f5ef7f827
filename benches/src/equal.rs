//! That every program did its work, before anything is timed: a wrong answer is not a fast one.

use std::collections::BTreeSet;
use std::io;
use std::process::{Command, Output};

use serde_json::Value;

use crate::descriptions::{self, Description};
use crate::jobs::Bench;
use crate::{describe, package, service, synthetic};

/// Checks outputs; fails at the first that differs.
pub fn check(bench: &Bench) -> io::Result<()> {
    let expected: Vec<String> = (0..bench.count).map(headline).collect();
    let mut expected = expected;
    expected.sort();
    for words in [
        [bench.becket.as_str(), "check", "--offline", &bench.folder],
        [bench.floors.as_str(), "typed", &bench.folder, ""],
    ] {
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let mut lines: Vec<String> = output(&words, 0)?.lines().map(str::to_owned).collect();
        lines.sort();
        same(&words, &lines, &expected)?;
    }
    mistake(bench)?;
    let url = format!("{}/things/1007", bench.base);
    let answer = service::ANSWER.to_owned() + "\n";
    for words in [
        &[bench.becket.as_str(), "call", &bench.local, "thing", "id=1007"][..],
        &[bench.floors.as_str(), "get", &url],
    ] {
        same(words, &output(words, 0)?, &answer)?;
    }
    bench.descriptions.iter().try_for_each(|description| bench.told(description))
}

impl Bench {
    /// The list names each operation of the document once, and is the one that was agreed on; the
    /// connector has the capabilities that were chosen.
    fn told(&self, description: &Description) -> io::Result<()> {
        let mut words = self.list(description);
        words.push("--json".to_owned());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let text = output(&words, 0)?;
        let list: Value = serde_json::from_str(&text)?;
        let document = serde_json::from_slice(&std::fs::read(&description.path)?)?;
        let told: Vec<(String, String)> = both(&list)
            .map(|operation| (text_of(operation, "method"), text_of(operation, "path")))
            .collect();
        let expected = descriptions::operations(&document);
        same(&words, &told.len(), &expected.len())?;
        same(&words, &told.into_iter().collect::<BTreeSet<_>>(), &expected)?;
        let golden: Value = serde_json::from_str(&std::fs::read_to_string(package().join("benches/golden.json"))?)?;
        same(&words, &summary(&list), &golden[description.name])?;
        let reads = self.reads(description)?;
        let words = self.write(description, &reads);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        output(&words, 0)?;
        let file = self.room.join("written").join(description.name).join("connector.json");
        let written: Value = serde_json::from_slice(&std::fs::read(file)?)?;
        same(&words, &written["capabilities"].as_array().map_or(0, Vec::len), &reads.len())
    }

    /// The first reads of a description, as many as a connector may hold.
    pub fn reads(&self, description: &Description) -> io::Result<Vec<String>> {
        let mut words = self.list(description);
        words.push("--json".to_owned());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let list: Value = serde_json::from_str(&output(&words, 0)?)?;
        let operations = list["operations"].as_array().into_iter().flatten();
        let reads = operations.filter(|operation| operation["method"] == "GET" && operation["deprecated"] != true);
        Ok(reads.take(describe::MOST).map(|operation| text_of(operation, "id")).collect())
    }
}

fn both(list: &Value) -> impl Iterator<Item = &Value> {
    ["operations", "left_out"]
        .into_iter()
        .filter_map(|name| list[name].as_array())
        .flatten()
}

fn text_of(operation: &Value, field: &str) -> String {
    operation[field].as_str().unwrap_or_default().to_owned()
}

/// What a list says, in short: how many of each, and a number that differs when any line does.
fn summary(list: &Value) -> Value {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    for operation in both(list) {
        for field in ["id", "method", "path", "risk", "reason"] {
            for byte in text_of(operation, field).bytes().chain([0]) {
                digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    let count = |name: &str| list[name].as_array().map_or(0, Vec::len);
    serde_json::json!({"operations": count("operations"), "left_out": count("left_out"), "list": format!("{digest:016x}")})
}

fn headline(index: usize) -> String {
    let (capabilities, cases) = (synthetic::CAPABILITIES, synthetic::CASES);
    format!("{}: {capabilities} capabilities, {cases} contract cases", synthetic::name(index))
}

/// One wrong file among the others is found, with its line.
fn mistake(bench: &Bench) -> io::Result<()> {
    let folder = package().join("target/bench/mistake");
    let text = synthetic::manifest(0).replacen("\"path\": \"/invoices/{{id}}", "\"path\": \"/invoices/{{env.KEY}}", 1);
    let line = text.lines().position(|line| line.contains("{{env.KEY}}")).map_or(0, |at| at + 1);
    synthetic::write(&folder.join("wrong"), &text)?;
    synthetic::write(&folder.join("right"), &synthetic::manifest(8))?;
    let path = folder.display().to_string();
    let words = [bench.becket.as_str(), "check", "--offline", "--format", "concise", &path];
    let found = output(&words, 1)?;
    let finding = format!("wrong/connector.json:{line}:");
    let right = found.lines().any(|text| text.contains(&finding) && text.contains(" P302 "));
    if right && !found.contains("right/connector.json") {
        return Ok(());
    }
    Err(io::Error::other(format!("no P302 at line {line} in:\n{found}")))
}

fn output(words: &[&str], code: i32) -> io::Result<String> {
    let Output { status, stdout, stderr } = Command::new(words[0]).args(&words[1..]).output()?;
    if status.code() == Some(code) {
        return Ok(String::from_utf8_lossy(&stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&stderr);
    Err(io::Error::other(format!(
        "`{}` ended with {status}, not {code}: {text}",
        words.join(" ")
    )))
}

fn same<T: PartialEq + std::fmt::Debug>(words: &[&str], got: &T, expected: &T) -> io::Result<()> {
    if got == expected {
        return Ok(());
    }
    let mut text = format!("{got:?} in place of {expected:?}");
    text.truncate(text.char_indices().nth(2000).map_or(text.len(), |(at, _)| at));
    Err(io::Error::other(format!("`{}` gave {text}", words.join(" "))))
}
