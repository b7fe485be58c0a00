//! Without a GPU, what was recorded is shown and labelled as such. Every call here keeps off a GPU that may be there.

use super::tutor;
use serde_json::Value;
use tutor_exec::recorded::Recording;
use tutor_kernels::Catalog;

fn recording() -> &'static Recording {
    &Recording::built_in()[0]
}

#[test]
fn a_bench_without_a_gpu_shows_the_recording_with_its_device_and_date() {
    let called = tutor(&["bench", "--on", "emulator", "--level", "2", "--size", "2048"]);
    assert_eq!(called.code, Some(0), "{}", called.err);
    let Recording { device, driver, date, .. } = recording();
    let first = called.out.lines().next().unwrap();
    for part in ["Recorded on", device, driver, date] {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(called.err.contains("needs a GPU"), "{}", called.err);
    let row = called.out.lines().find(|line| line.starts_with("sgemm_tiled ")).unwrap();
    let gflops = recording().row(Catalog::built_in().kernel("sgemm_tiled").unwrap(), 2048).unwrap().time.gflops;
    assert!(row.contains(&format!("{:.3}", gflops / 1000.0)), "{row}: {gflops}");

    let document = tutor(&["bench", "--on", "emulator", "--level", "2", "--size", "2048", "--json"]).json();
    assert_eq!((&document["recorded"], &document["device"]), (&Value::Bool(true), &Value::from(device.as_str())));
    assert!(document["rows"].as_array().unwrap().iter().all(|row| row["n"] == 2048));

    let record = tutor(&["bench", "--on", "emulator", "--record", "/nonexistent/never.json"]);
    assert_eq!(record.code, Some(3), "nothing was measured that could be recorded");
    assert_eq!(tutor(&["bench", "--on", "emulator", "--size", "777"]).code, Some(3), "never recorded");
}

#[test]
fn kernels_are_listed_by_level_with_their_recorded_speeds() {
    let called = tutor(&["run", "--list"]);
    assert_eq!(called.code, Some(0), "{}", called.err);
    let n = recording().common_size().unwrap();
    let first = called.out.lines().next().unwrap();
    for part in [&recording().device, &recording().date, &format!("n = {n}")] {
        assert!(first.contains(part.as_str()), "{part}: {first}");
    }
    let tiled = called.out.lines().find(|line| line.starts_with("  sgemm_tiled ")).unwrap();
    assert!(tiled.contains("FP32") && tiled.contains("FLOP/s") && tiled.contains(" %"), "{tiled}");
    assert!(called.out.contains("\nLevel 1: "), "{}", called.out);
}
