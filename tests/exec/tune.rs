//! Variants listed, launched and compared on the emulator, as maps and as JSON.

use super::binary;
use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use tutor_kernels::Catalog;
use tutor_support::t;

/// A kernel with 2 × 2 × 2 variants, two of them impossible. All have the PTX of `sgemm_tiled`.
const CATALOG: &str = include_str!("catalogues/tuned.yaml");

fn course() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let ptx =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/ptx/sgemm_tiled.ptx")).unwrap();
    for folder in ["kernels", "assets/ptx/mine"] {
        std::fs::create_dir_all(root.path().join(folder)).unwrap();
    }
    std::fs::write(root.path().join("kernels/catalog.yaml"), CATALOG).unwrap();
    std::fs::write(root.path().join("kernels/mine.cu"), "// sgemm_tiled").unwrap();
    let (catalog, _) = Catalog::from_directory(root.path());
    let kernel = catalog.kernel("mine").unwrap();
    for variant in ["16_16_first", "16_16_second"] {
        let point = kernel.variants.as_ref().and_then(|variants| variants.point(variant)).unwrap();
        let file = std::fs::File::create(root.path().join(format!("assets/ptx/mine/{variant}.ptx.gz"))).unwrap();
        let mut packer = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        packer.write_all(kernel.recipe_at(point).state(&ptx).as_bytes()).unwrap();
        packer.finish().unwrap();
    }
    root
}

fn tune(root: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let data = root.join("data");
    let course =
        ["--course", root.to_str().unwrap(), "--data", data.to_str().unwrap(), "--on", "emulator", "bench", "--tune"];
    let output = Command::new(binary()).args(course).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_variants_are_compared_by_what_they_ask_of_memory_where_there_are_no_times() {
    let root = course();
    let (code, map, why) = tune(root.path(), &["mine", "--size", "32"]);
    assert_eq!(code, Some(0), "{why}");
    assert!(map.contains(&t!("cli-tune-unit-counted")), "{map}");
    for part in [
        "order: first",
        "order: second",
        "tile \\ depth",
        "2 variants request the fewest bytes",
        "· impossible: 2 of 4",
    ] {
        assert!(map.contains(part), "{part}: {map}");
    }
    let (code, json, _) = tune(root.path(), &["mine", "--size", "32", "--json"]);
    assert_eq!(code, Some(0));
    let document: Value = serde_json::from_str(&json).unwrap();
    let points = document["sweeps"][0]["points"].as_array().unwrap();
    assert_eq!(points.len(), 4);
    // Each element of a tile is loaded once and used 16 times; a multiply-add reads two from shared memory.
    let traffic = &points[0]["traffic"];
    assert!((traffic["global_bytes_per_fma"].as_f64().unwrap() - 0.5).abs() < 0.2, "{traffic}");
    assert_eq!((&points[0]["mismatches"], &points[0]["time"]), (&Value::from(0), &Value::Null));
    assert!(points[2]["why"].as_str().unwrap().contains("TILE / DEPTH is 3.2"), "{}", points[2]);
    assert!(!root.path().join("data/tuned.json").exists(), "a count is no choice");
}

#[test]
fn variants_are_listed_and_launched_by_name_and_what_is_none_is_refused() {
    let root = course();
    let (code, list, count) = tune(root.path(), &["mine", "--list"]);
    assert_eq!(code, Some(0));
    assert!(
        list.contains("mine@16_16_second\n") && list.contains("mine@16_5_first  impossible: TILE / DEPTH"),
        "{list}"
    );
    assert!(count.contains("2 of 4 combinations"), "{count}");
    for (arguments, part) in [
        (&["sgemm_tiled"][..], "has only one variant"),
        (&["mime"], "Did you mean `mine`?"),
        (&["mine", "--seconds", "0"], "it takes seconds from 0.001 to 3600"),
    ] {
        let (code, _, why) = tune(root.path(), arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(why.contains(part), "{why}");
    }
    let run = |id: &str| {
        let course =
            ["--course", root.path().to_str().unwrap(), "--on", "emulator", "run", id, "--size", "20", "--json"];
        let output = Command::new(binary()).args(course).output().unwrap();
        (output.status.code(), serde_json::from_slice::<Value>(&output.stdout).unwrap_or(Value::Null))
    };
    let (code, document) = run("mine@16_16_second");
    assert_eq!((code, &document["verified"]), (Some(0), &Value::Bool(true)));
    assert_eq!(run("mine@16_5_first").0, Some(2), "an impossible variant");
    assert_eq!(run("mine@nobody").0, Some(2));
}
