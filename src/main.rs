//! The command line: exit code, nothing else.

fn main() -> std::process::ExitCode {
    hazumi::cli::main()
}
