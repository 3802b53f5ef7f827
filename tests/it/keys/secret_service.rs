//! The real Secret Service: a bus and a gnome-keyring of each test's own. Asked for by
//! BECKET_KEYRING=1, and then a missing program is a failure.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Ended, becket, fed, run};

fn is_asked_for() -> bool {
    std::env::var_os("BECKET_KEYRING").is_some()
}

/// A session bus, and the home that its programs have.
struct Bus {
    daemon: Child,
    address: String,
    home: tempfile::TempDir,
}

impl Bus {
    fn start() -> Self {
        let home = tempfile::tempdir().expect("a folder of this test");
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address"])
            .env("HOME", home.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon is installed");
        let mut address = String::new();
        let mut lines = BufReader::new(daemon.stdout.take().expect("a pipe"));
        lines.read_line(&mut address).expect("the address of the bus");
        Self {
            daemon,
            address: address.trim().to_owned(),
            home,
        }
    }

    fn around(&self, mut command: Command) -> Command {
        command.envs([
            ("DBUS_SESSION_BUS_ADDRESS", self.address.as_str()),
            ("HOME", self.home.path().to_str().expect("UTF-8")),
            ("XDG_RUNTIME_DIR", self.home.path().to_str().expect("UTF-8")),
            ("XDG_DATA_HOME", self.home.path().join("data").to_str().expect("UTF-8")),
        ]);
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        command
    }

    /// An unlocked keyring with this password.
    fn keyring(&self) -> Keyring {
        let mut command = self.around(Command::new("gnome-keyring-daemon"));
        command.args(["--foreground", "--unlock", "--components=secrets"]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("gnome-keyring-daemon is installed");
        child.stdin.take().expect("a pipe").write_all(b"pw").expect("the password is read");
        self.until(|| self.secret(&["list"], b"").code == 0);
        Keyring(child)
    }

    fn secret(&self, words: &[&str], input: &[u8]) -> Ended {
        let mut command = self.around(becket());
        command.arg("secret").args(words);
        match input {
            b"" => run(&mut command),
            input => fed(&mut command, input),
        }
    }

    fn until(&self, mut done: impl FnMut() -> bool) {
        for _ in 0..100 {
            if done() {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the keyring does not start");
    }

    fn lock(&self) {
        let call = "org.freedesktop.Secret.Service.Lock";
        let mut command = self.around(Command::new("gdbus"));
        command.args([
            "call",
            "--session",
            "--dest",
            "org.freedesktop.secrets",
            "--object-path",
            "/org/freedesktop/secrets",
        ]);
        command.args(["--method", call, "['/org/freedesktop/secrets/collection/login']"]);
        let ended = run(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
        assert_eq!(ended.code, 0, "{ended:?}");
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        drop(self.daemon.kill());
        drop(self.daemon.wait());
    }
}

struct Keyring(Child);

impl Drop for Keyring {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[test]
fn a_key_is_set_listed_found_and_deleted() {
    if !is_asked_for() {
        return;
    }
    let bus = Bus::start();
    let _keyring = bus.keyring();
    let set = bus.secret(&["set", "tides", "TIDES_KEY"], b"SECRETVALUE-1\n");
    assert_eq!((set.code, set.out.as_str()), (0, "Saved in the system keyring.\n"), "{set:?}");
    let again = bus.secret(&["set", "tides", "TIDES_KEY"], b"SECRETVALUE-2\n");
    assert_eq!((again.code, again.out.as_str()), (0, "Replaced in the system keyring.\n"));
    let own = bus.secret(&["set", "mcp_tracker_key"], "SECRETVALUE-é".as_bytes());
    assert_eq!(own.code, 0, "{own:?}");
    assert_eq!(
        bus.secret(&["list"], b"").out,
        "mcp_tracker_key   keyring\ntides/TIDES_KEY   keyring\n"
    );
    let status = bus.secret(&["status", "mcp_tracker_key"], b"");
    assert_eq!((status.code, status.out.as_str()), (0, "mcp_tracker_key   from the keyring\n"));
    let mut tool = bus.around(Command::new("secret-tool"));
    tool.args(["lookup", "service", "becket", "username", "tides/TIDES_KEY"]);
    let other = run(tool.stdout(Stdio::piped()).stderr(Stdio::piped()));
    assert_eq!(other.out, "SECRETVALUE-2", "another program finds it: {other:?}");
    let deleted = bus.secret(&["delete", "tides", "TIDES_KEY", "--yes"], b"");
    assert_eq!((deleted.code, deleted.out.as_str()), (0, "Deleted from the system keyring.\n"));
    let missing = bus.secret(&["delete", "tides", "TIDES_KEY", "--yes"], b"");
    assert_eq!(
        (missing.code, missing.err.lines().next()),
        (3, Some("error: tides/TIDES_KEY is not set in the system keyring"))
    );
}

#[test]
fn sets_at_once_all_survive() {
    if !is_asked_for() {
        return;
    }
    let bus = Bus::start();
    let _keyring = bus.keyring();
    std::thread::scope(|scope| {
        for key in ["A_KEY", "B_KEY"] {
            let bus = &bus;
            scope.spawn(move || assert_eq!(bus.secret(&["set", "tides", key], b"SECRETVALUE").code, 0));
        }
    });
    assert_eq!(bus.secret(&["list"], b"").out, "tides/A_KEY   keyring\ntides/B_KEY   keyring\n");
}

#[test]
fn locked_is_not_the_same_as_not_set() {
    if !is_asked_for() {
        return;
    }
    let bus = Bus::start();
    let _keyring = bus.keyring();
    assert_eq!(bus.secret(&["set", "tides", "TIDES_KEY"], b"SECRETVALUE").code, 0);
    bus.lock();
    let commands: [(&[&str], &[u8]); 4] = [
        (&["set", "tides", "TIDES_KEY"], b"SECRETVALUE-3"),
        (&["set", "tides", "NEW_KEY"], b"SECRETVALUE-3"),
        (&["status", "mcp_tracker_key"], b""),
        (&["list"], b""),
    ];
    for (words, input) in commands {
        let begun = Instant::now();
        let ended = bus.secret(words, input);
        assert_eq!(ended.code, 3, "{words:?}: {ended:?}");
        assert!(
            ended.err.starts_with("error: the system keyring is locked\n"),
            "{words:?}: {ended:?}"
        );
        assert!(begun.elapsed() < Duration::from_secs(5), "{words:?}");
    }
}

#[test]
fn no_bus_no_service_and_a_silent_one_have_each_a_message() {
    if !is_asked_for() {
        return;
    }
    let none = run(becket().args(["secret", "list"]));
    assert_eq!(none.code, 3);
    assert!(none.err.contains("  cause: there is no session bus\n"), "{none:?}");
    let bus = Bus::start();
    let services = bus.home.path().join("empty");
    std::fs::create_dir(&services).expect("a folder of this test");
    let mut command = Command::new("dbus-daemon");
    let config = services.join("bus.conf");
    std::fs::write(
        &config,
        "<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth><policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>",
    )
    .expect("a file of this test");
    command
        .arg("--nofork")
        .arg("--print-address")
        .arg(format!("--config-file={}", config.display()));
    let mut bare = command.stdout(Stdio::piped()).spawn().expect("dbus-daemon is installed");
    let mut address = String::new();
    BufReader::new(bare.stdout.take().expect("a pipe"))
        .read_line(&mut address)
        .expect("an address");
    let alone = run(becket().args(["secret", "list"]).env("DBUS_SESSION_BUS_ADDRESS", address.trim()));
    drop(bare.kill());
    drop(bare.wait());
    assert_eq!(alone.code, 3, "{alone:?}");
    assert!(alone.err.contains("  cause: no secret service on the session bus\n"), "{alone:?}");
    let keyring = bus.keyring();
    assert_eq!(bus.secret(&["set", "tides", "TIDES_KEY"], b"SECRETVALUE").code, 0);
    let pid = rustix::process::Pid::from_raw(keyring.0.id().try_into().expect("a pid")).expect("a pid");
    rustix::process::kill_process(pid, rustix::process::Signal::STOP).expect("it runs");
    let begun = Instant::now();
    let silent = bus.secret(&["list"], b"");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert_eq!(silent.code, 3, "{silent:?}");
    assert!(
        silent.err.starts_with("error: the system keyring did not answer in 3 s\n"),
        "{silent:?}"
    );
    // Killed in the middle of a call.
    let killed = std::thread::scope(|scope| {
        let call = scope.spawn(|| bus.secret(&["set", "tides", "TIDES_KEY"], b"OTHERVALUE"));
        std::thread::sleep(Duration::from_millis(500));
        drop(keyring);
        call.join().expect("a run")
    });
    assert_eq!(killed.code, 3, "{killed:?}");
    assert!(killed.err.starts_with("error: the system keyring "), "{killed:?}");
}
