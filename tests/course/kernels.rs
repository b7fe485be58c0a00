//! A course's own kernels: what is shown is what runs, what runs is what the catalogue says, and what is recorded is of that.

use crate::shared::root;
use crate::small::Small;
use serde_json::Value;

impl Small {
    fn call(&self, words: &[&str]) -> (Option<i32>, Value) {
        let output = crate::program().arg("--course").arg(self.root()).args(words).output().unwrap();
        (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
    }

    /// Returns the exit code of `check`, and the codes and places of the problems that it finds.
    fn check(&self) -> (Option<i32>, Vec<String>) {
        let (code, report) = self.call(&["course", "check", "--json"]);
        let told = report["problems"].as_array().unwrap().iter();
        let shown = |p: &Value| {
            let text = |field: &str| p[field].as_str().unwrap().to_owned();
            format!("{} {}:{}:{}", text("code"), text("file"), p["line"], p["column"])
        };
        (code, told.map(shown).collect())
    }
}

#[test]
fn a_source_that_was_edited_and_not_built_is_an_error_and_does_not_run() {
    let course = Small::new();
    assert_eq!(course.check(), (Some(0), vec![]));
    course.edit("kernels/tile8.cu", "A_tile[ty][k]", "A_tile[k][ty]");
    assert_eq!(course.check(), (Some(1), vec!["ptx-stale kernels/catalog.yaml:2:5".into()]));
    let (code, told) = course.call(&["run", "tile8", "--size", "64", "--json"]);
    assert_eq!((code, told["error"]["kind"].as_str()), (Some(2), Some("ptx-stale")), "{told}");
    let help = told["error"]["help"].as_str().unwrap();
    assert_eq!(help, format!("Run `matmul-tutor --course {} course build`.", course.root().display()));
    course.edit("kernels/tile8.cu", "A_tile[k][ty]", "A_tile[ty][k]");
    assert_eq!(course.check(), (Some(0), vec![]), "the same source again");
}

#[test]
fn a_course_with_a_stale_ptx_is_not_packed_and_one_that_is_packed_does_not_run_it() {
    let course = Small::new();
    course.edit("kernels/tile8.cu", "A_tile[ty][k]", "A_tile[k][ty]");
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("stale.course");
    let (code, told) =
        course.call(&["course", "pack", course.root().to_str().unwrap(), "--out", file.to_str().unwrap(), "--json"]);
    assert_eq!((code, file.exists()), (Some(1), false), "{told}");
    assert!(told["error"]["message"].as_str().unwrap().contains("has an error"), "{told}");
    // Who packs it by other means is found out.
    std::fs::write(&file, tutor_course::pack(course.root()).unwrap().1).unwrap();
    let call = |words: &[&str]| {
        let mut command = crate::program();
        command.arg("--course").arg(&file).arg("--data").arg(place.path().join("data")).args(words);
        let output = command.output().unwrap();
        (output.status.code(), serde_json::from_slice::<Value>(&output.stdout).unwrap())
    };
    let (code, told) = call(&["run", "tile8", "--size", "64", "--json"]);
    assert_eq!((code, &told["error"]["kind"]), (Some(2), &"ptx-stale".into()), "{told}");
    let (code, told) = call(&["course", "check", "--json"]);
    assert_eq!((code, &told["problems"][0]["code"]), (Some(1), &"ptx-stale".into()), "{told}");
}

#[test]
fn other_constants_another_gpu_and_a_ptx_that_somebody_changed_are_stale_too() {
    for (file, from, to) in [
        ("kernels/catalog.yaml", "{ TILE: 8 }", "{ TILE: 16 }"),
        ("kernels/catalog.yaml", "sm_75", "sm_80"),
        ("assets/ptx/tile8.ptx", "fma.rn.f32", "fma.rz.f32"),
        ("assets/ptx/tile8.ptx", "// Made of ", "// Of "),
    ] {
        let course = Small::new();
        assert_eq!(course.edit(file, from, to).check().1, ["ptx-stale kernels/catalog.yaml:2:5"], "{to}");
    }
}

#[test]
fn a_kernel_without_ptx_is_an_error_though_no_page_claims_anything_of_it() {
    let course = Small::new();
    std::fs::remove_file(course.root().join("assets/ptx/tile8.ptx")).unwrap();
    assert_eq!(course.check(), (Some(1), vec!["ptx-missing kernels/catalog.yaml:2:5".into()]));
    let (code, told) = course.call(&["run", "tile8", "--size", "64", "--json"]);
    assert_eq!((code, told["error"]["kind"].as_str()), (Some(2), Some("ptx-missing")), "{told}");
}

#[test]
fn the_ptx_of_variants_is_held_against_the_source_as_well() {
    let course = Small::new();
    let variants =
        "    expected_wrong: false\n    variants: { axes: [{ name: tile, constants: [TILE], values: [[4], [8]] }] }\n";
    course.edit("kernels/catalog.yaml", "    expected_wrong: false\n", variants);
    course.edit("kernels/ko.yaml", "    about:", "    axes: { tile: 타일 }\n    about:");
    assert_eq!(course.check(), (Some(1), vec!["ptx-missing kernels/catalog.yaml:2:5".into()]));
}

#[test]
fn a_kernel_that_no_page_claims_anything_of_is_run_all_the_same() {
    for (from, to, code, told) in [
        ("block: [TILE, TILE, 1]", "block: [TILE, 2, 1]", 1, "kernel-result kernels/catalog.yaml:11:5"),
        ("expected_wrong: false", "expected_wrong: true", 1, "kernel-result kernels/catalog.yaml:11:5"),
        ("entry: tile8", "entry: tile9", 1, "kernel-fault kernels/catalog.yaml:2:5"),
        ("level: first", "level: frist", 0, "unknown-level kernels/catalog.yaml:3:5"),
    ] {
        let course = Small::new();
        assert_eq!(course.edit("kernels/catalog.yaml", from, to).check(), (Some(code), vec![told.into()]));
    }
}

#[test]
fn a_hazard_that_the_catalogue_does_not_state_is_an_error() {
    let course = Small::new();
    for file in ["kernels/sgemm_no_first_barrier.cu", "assets/ptx/sgemm_no_first_barrier.ptx"] {
        std::fs::copy(root().join(file), course.root().join(file)).unwrap();
    }
    let entry = |hazard: &str| {
        format!(
            "  - {{ id: sgemm_no_first_barrier, level: first, title: t, file: sgemm_no_first_barrier.cu, \
             entry: sgemm_no_first_barrier, block: [16, 16, 1], grid: [\"ceil_div(N, 16)\", \"ceil_div(M, 16)\"], \
             min_arch: sm_75, expected_wrong: true, {hazard} about: a }}\n"
        )
    };
    course.edit("kernels/ko.yaml", "kernels:\n", "kernels:\n  sgemm_no_first_barrier: { title: 제목, about: 설명 }\n");
    let text = std::fs::read_to_string(course.root().join("kernels/catalog.yaml")).unwrap();
    for (hazard, told) in [("hazard: RAW,", None), ("hazard: WAR,", Some("kernel-hazard")), ("", Some("kernel-hazard"))]
    {
        course.write("kernels/catalog.yaml", &format!("{text}{}", entry(hazard)));
        let codes: Vec<String> = course.check().1.iter().map(|p| p.split(' ').next().unwrap().to_owned()).collect();
        assert_eq!(codes, Vec::from_iter(told.map(str::to_owned)), "{hazard}");
    }
}

#[test]
fn a_kernel_that_takes_the_place_of_another_has_none_of_its_recordings() {
    let claims = "    claims:\n      - recorded: { device: NVIDIA H200, kernel: sgemm_tiled, size: 1024, \
                  states: { gflops: 7736 } }\n";
    let course = Small::new();
    for file in ["modules/first.yaml", "modules/ko/first.yaml"] {
        course.edit(file, "    claims:\n", claims);
    }
    assert_eq!(course.check(), (Some(0), vec![]));
    let recorded = |course: &Small| {
        let command = "run sgemm_tiled --size 512 --seconds 0 --no-counts --on emulator --json";
        let (_, told) = course.call(&Vec::from_iter(command.split(' ')));
        told["recorded"].is_object()
    };
    assert!(recorded(&course));
    // The same source under another id is what it was made of still.
    let ptx = course.root().join("assets/ptx");
    std::fs::rename(ptx.join("tile8.ptx"), ptx.join("sgemm_tiled.ptx")).unwrap();
    course.edit("kernels/catalog.yaml", "id: tile8", "id: sgemm_tiled");
    let (code, told) = course.check();
    assert_eq!(code, Some(1));
    assert!(told.contains(&"recording-of-another-kernel modules/first.yaml:36:9".to_owned()), "{told:?}");
    assert!(!recorded(&course));
    let (_, listing) = course.call(&["run", "--list", "--json"]);
    let built_in = tutor_kernels::Catalog::built_in().kernel("sgemm_tiled").unwrap().identity();
    let found = listing["kernels"].as_array().unwrap().iter().find(|kernel| kernel["id"] == "sgemm_tiled").unwrap();
    assert_ne!(found["identity"].as_str(), built_in.as_deref());
}
