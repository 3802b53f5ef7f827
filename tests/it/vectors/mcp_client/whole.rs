//! The vectors that need the whole program: signals, and memory that is measured from outside.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::stage::Stage;
use super::{LIMITS, call, expected, is};
use becket::mcp::Limits;

/// Memory that the program may take through the largest lines, in kB.
const MEMORY: u64 = 128 << 10;

/// A gigabyte on standard error, in its own time.
pub(super) fn flood(stage: &Stage) -> Result<(), String> {
    let limits = Limits {
        call: Duration::from_secs(60),
        ..LIMITS
    };
    let mut session = stage.session(stage.settings(limits));
    expected("call-ok", &call(&mut session, stage))
}

fn start(stage: &Stage) -> Child {
    let folder = stage.folder.path().to_string_lossy().into_owned();
    let mut command = stage.command(&["call", &folder, "today"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

/// Waits until the program's server plays.
fn playing(stage: &Stage, child: u32) -> Result<(), String> {
    let ends = Instant::now() + Duration::from_secs(20);
    while Instant::now() < ends {
        let processes = stage.processes();
        if processes
            .iter()
            .any(|(id, line)| *id != child && line.contains("fake_mcp") && !line.contains("call"))
        {
            // It plays once it has read the call.
            std::thread::sleep(Duration::from_millis(1500));
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Err("the server never came".to_owned())
}

fn signal(name: &str, child: &Child) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

pub(super) fn interrupted(stage: &Stage) -> Result<(), String> {
    let mut child = start(stage);
    let played = playing(stage, child.id());
    let started = Instant::now();
    signal("INT", &child);
    let status = child.wait().map_err(|error| error.to_string())?;
    played?;
    is(
        status.code() == Some(130) && started.elapsed() < Duration::from_secs(1),
        &(status, started.elapsed()),
    )?;
    let left = stage.left(Duration::from_secs(2));
    is(left.is_empty(), &left)
}

pub(super) fn killed(stage: &Stage) -> Result<(), String> {
    let mut child = start(stage);
    let played = playing(stage, child.id());
    signal("KILL", &child);
    child.wait().map_err(|error| error.to_string())?;
    played?;
    let left = stage.left(Duration::from_secs(2));
    is(left.is_empty(), &left)
}

/// The most memory that the program takes for a call, in kB, and how it ends.
pub(super) fn memory(stage: &Stage) -> Result<(u64, Option<i32>), String> {
    let mut child = start(stage);
    let mut most = 0;
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let size = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        most = most.max(size.unwrap_or(0));
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok((most, status.code()));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The vectors with long lines, through the program itself.
#[test]
fn memory_stays_small() {
    let Some(vectors) = super::load("mcp_client.json") else { return };
    let long: Vec<_> = vectors
        .iter()
        .filter(|vector| {
            matches!(
                vector["id"].as_str(),
                Some("mcpc-024" | "mcpc-025" | "mcpc-028" | "mcpc-074" | "mcpc-061" | "mcpc-056")
            )
        })
        .collect();
    let mut failures = Vec::new();
    for vector in &long {
        let stage = super::Play::new(vector).stage();
        match memory(&stage) {
            Ok((most, Some(0 | 5))) if (1..MEMORY).contains(&most) => {}
            other => failures.push(format!("{}: {other:?}", vector["id"])),
        }
    }
    super::figures("mcp memory", long.len(), &failures);
}
