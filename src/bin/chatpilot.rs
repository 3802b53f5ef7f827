use std::process::ExitCode;

fn main() -> ExitCode {
    becket::cli::run(becket::cli::Brand::ChatPilot, std::env::args_os())
}
