//! Makes Cargo rebuild the package when an embedded file has changed.
#![allow(clippy::print_stdout, reason = "this is how a build script speaks to Cargo")]

fn main() {
    for folder in ["assets", "kernels", "modules", "quizzes"] {
        println!("cargo::rerun-if-changed=../../../{folder}");
    }
}
