//! Runs one test of this crate in a process of its own: in other namespaces, or with another
//! environment. The task goes in and the result comes back as JSON files.

use std::process::Command;

use serde_json::Value;

const TASK: &str = "BECKET_TEST_TASK";
const RESULT: &str = "BECKET_TEST_RESULT";

/// Runs the test `name` with a task, behind `wrapper` (such as `unshare -n`); its result and all
/// that it printed.
pub(crate) fn run(wrapper: &[&str], name: &str, task: &Value, environment: &[(&str, &str)]) -> Result<(Value, String), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (task_file, result_file) = (folder.path().join("task"), folder.path().join("result"));
    std::fs::write(&task_file, task.to_string()).map_err(|error| error.to_string())?;
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut words = wrapper.iter().map(std::ffi::OsString::from).chain([this.into()]);
    let mut command = Command::new(words.next().expect("at least the program itself"));
    command.args(words).args([name, "--exact", "--nocapture", "--test-threads=1"]);
    command.env_remove("SSL_CERT_FILE").env_remove("SSL_CERT_DIR");
    command
        .env(TASK, &task_file)
        .env(RESULT, &result_file)
        .envs(environment.iter().copied());
    let output = command.output().map_err(|error| error.to_string())?;
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let result = std::fs::read_to_string(&result_file).map_err(|_| printed.clone())?;
    Ok((serde_json::from_str(&result).map_err(|error| error.to_string())?, printed))
}

/// The task of this process; nothing in an ordinary run of the tests.
pub(crate) fn task() -> Option<Value> {
    let text = std::fs::read_to_string(std::env::var_os(TASK)?).expect("the task file");
    Some(serde_json::from_str(&text).expect("a task"))
}

pub(crate) fn report(result: &Value) {
    let file = std::env::var_os(RESULT).expect("set with the task");
    std::fs::write(file, result.to_string()).expect("the result file");
}
