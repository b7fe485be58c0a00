//! The `matmul-tutor` command.

fn main() -> std::process::ExitCode {
    tutor_cli::main()
}
