use std::process::ExitCode;

fn main() -> ExitCode {
    becket::cli::run(becket::cli::Brand::Pimpo, std::env::args_os())
}
