//! The code path for CPUs without AVX2 and FMA.

/// Runs tests of this program in a process that does not use them.
#[test]
fn without_avx2_results_counts_and_faults_are_the_same() {
    if std::env::var_os("PTX_EMULATOR_SIMD").is_some() {
        return;
    }
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    let output = command.args(["conformance::", "tensor"]).env("PTX_EMULATOR_SIMD", "off").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
