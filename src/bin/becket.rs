use std::process::ExitCode;

fn main() -> ExitCode {
    becket::cli::run(becket::cli::Brand::Becket, std::env::args_os())
}
