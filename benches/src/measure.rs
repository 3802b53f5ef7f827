//! What one command costs. The program starts itself once for each measurement, so that the
//! figures of "all children" are those of one command, and so that the memory of the runner does
//! not count: a new process begins with the peak of the one that started it.

use std::io;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

/// The word that makes the program run and measure the rest of its command line.
pub const WORD: &str = "--measure";

#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// User and system time in milliseconds.
    pub cpu: f64,
    pub wall: f64,
    /// Peak resident memory in MiB.
    pub memory: f64,
    pub code: i32,
}

/// Measures one command in a process of its own.
pub fn cost(command: &[String]) -> io::Result<Cost> {
    let own = std::env::current_exe()?;
    let told = Command::new(own).arg(WORD).args(command).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&told.stdout);
    let figures: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match figures[..] {
        [cpu, wall, memory, code] => Ok(Cost {
            cpu,
            wall,
            memory,
            code: code as i32,
        }),
        _ => Err(io::Error::other(format!("no figures for `{}`", command.join(" ")))),
    }
}

/// The other side of [`cost`].
pub fn inside(command: &[String]) -> io::Result<ExitCode> {
    let (program, words) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let started = Instant::now();
    let status = Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    let wall = started.elapsed().as_secs_f64() * 1e3;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = milliseconds(usage.user_time()) + milliseconds(usage.system_time());
    // Linux counts in kB, macOS in bytes.
    let unit = if cfg!(target_os = "macos") { 1048576.0 } else { 1024.0 };
    println!("{cpu} {wall} {} {}", usage.max_rss() as f64 / unit, status.code().unwrap_or(-1));
    Ok(ExitCode::SUCCESS)
}

fn milliseconds(time: TimeVal) -> f64 {
    time.tv_sec() as f64 * 1e3 + time.tv_usec() as f64 / 1e3
}
