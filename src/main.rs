//! The `matmul-tutor` command.
fn main() {}
