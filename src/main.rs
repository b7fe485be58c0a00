//! The `matmul-tutor` command.

fn main() -> std::process::ExitCode {
    matmul_tutor::cli::main()
}
