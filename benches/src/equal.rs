//! That every program did its work, before anything is timed: a wrong answer is not a fast one.

use std::io;
use std::process::{Command, Output};

use crate::jobs::Bench;
use crate::{package, service, synthetic};

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
    Ok(())
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
