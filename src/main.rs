//! The `kraftlens` command.

fn main() -> std::process::ExitCode {
    kraftlens::cli::main()
}
