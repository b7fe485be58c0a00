//! `race` as people and CI call it.

use super::shared::program;
use serde_json::Value;
use tutor_support::t;

const HEADER: &str = ".version 8.0\n.target sm_75\n.address_size 64\n";

/// A histogram whose kernel is `update` on the word at `%rd2`, which eight groups of threads share.
fn histogram(update: &str) -> String {
    format!(
        "{HEADER}.visible .entry h(.param .u64 bins, .param .u32 n) {{\n\
        .reg .b64 %rd<4>; .reg .b32 %r<4>;\nld.param.u64 %rd1, [bins]; mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 7;\n\
        mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;\n{update}\nret;\n}}\n"
    )
}

const PLAIN: &str = "ld.global.u32 %r2, [%rd2];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd2], %r2;";

/// Runs `race` on a text. Returns the exit code and standard output.
fn race(text: &str, args: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("kernel.ptx"), text).unwrap();
    std::fs::write(folder.path().join("launch.yaml"), LAUNCH).unwrap();
    std::fs::write(folder.path().join("kernel.cu"), "").unwrap();
    let output = program().current_dir(folder.path()).args(["race", "kernel.ptx"]).args(args).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

const LAUNCH: &str = "entry: h\ngrid: [1]\nblock: [64]\nbuffers: { all: zeros:4096 }\nargs: [ptr:all+1024, u32:8]\n";

#[test]
fn a_race_within_one_block_is_reported_with_its_lines_and_values() {
    let (code, out) =
        race(&histogram(PLAIN), &["--grid", "1", "--block", "64", "--arg", "buf:zeros:64", "--arg", "u32:8"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("WAR hazard (error)") && out.contains("within block (0,0,0): read in line 8"), "{out}");
    assert!(out.contains("then write in line 10") && out.contains("reads 0x1 in line 8 instead of 0x0"), "{out}");
    assert!(out.contains("    grid (1,1,1), block (64,1,1), seed 1\n"), "{out}");
    let (code, out) = race(&histogram("red.global.add.u32 [%rd2], 1;"), &[]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains(&t!("race-none", kernel = "h", launches = 18)), "{out}");
    assert!(out.contains("Guessed arguments: argument 0 = buf:u32:mod:") && out.contains(&t!("race-unseen")), "{out}");
}

#[test]
fn a_kernel_that_reads_only_x_is_not_launched_with_several_y() {
    let index = "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;\n\
        mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2; ";
    let (code, out) = race(&histogram(&format!("{index}{PLAIN}")), &[]);
    assert_eq!(code, Some(0), "{out}");
    let (code, out) = race(&histogram(&format!("{index}mov.u32 %r2, %tid.y; st.global.u32 [%rd2], %r2;")), &[]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("    grid (2,2,1), block (16,16,1), seed 1\n"), "{out}");
    // Another kernel of the file may read y. The entry has the name of the source.
    let flat = histogram(&format!("griddepcontrol.wait; {index}{PLAIN}")).replace("sm_75", "sm_90");
    let tall = histogram("mov.u32 %r2, %tid.y; st.global.u32 [%rd2], %r2;").replace(HEADER, "");
    let both = flat.replace(".entry h", ".entry _Z4flatPji") + &tall.replace(".entry h", ".entry _Z4tallPji");
    let (code, out) = race(&both, &["--entry", "flat"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("no race in 18 launches") && out.contains(&t!("race-overlaps")), "{out}");
}

#[test]
fn guessed_buffers_have_different_numbers_and_equal_ones() {
    let counts = |update: &str| {
        let index = "mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd3, %rd2; ld.global.u32 %r1, [%rd2];\n\
            mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2; ";
        let text = histogram(&format!("ld.param.u64 %rd3, [data]; {index}{update}"));
        race(&text.replace(".param .u32 n", ".param .u64 data"), &["--grid", "1", "--block", "64"])
    };
    let (code, out) = counts(PLAIN);
    assert!(
        code == Some(1) && out.contains("    grid (1,1,1), block (64,1,1), seed 1, guessed numbers 0 to 6\n"),
        "{out}"
    );
    assert!(out.contains("Every race needs equal numbers"), "{out}");
    let (code, out) = counts("red.global.add.u32 [%rd2], 1;");
    assert!(code == Some(0) && out.contains("no race in 6 launches") && !out.contains("Every race"), "{out}");
}

#[test]
fn a_cuda_file_has_its_headers_and_the_instances_that_the_entry_names() {
    if std::env::var_os("MATMUL_TUTOR_NVRTC").is_none() {
        println!("skipped: MATMUL_TUTOR_NVRTC names no library");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("more")).unwrap();
    file("near.cuh", "#define AT(p) p[threadIdx.x % 8]\n");
    file("more/far.cuh", "#define ONE 1\n");
    file(
        "k.cu",
        "#include \"near.cuh\"\n#include <far.cuh>\n\
        template <class T> __global__ void add(T* p) { AT(p) += ONE; }\n\
        __global__ void one(int* p) { atomicAdd(p, ONE); }\n\
        __global__ void one(float* p, int n) { AT(p) += n; }\n",
    );
    let run = |args: &[&str]| {
        let output = program().current_dir(folder.path()).args(["race", "k.cu"]).args(args).output().unwrap();
        (output.status.code(), [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat())
    };
    let (code, out) = run(&["--entry", "one"]);
    assert!(code == Some(2) && out.contains("\"far.cuh\"") && out.contains("`--include`"), "{out}");
    let with = |entry: &str| run(&["--include", "more", "--entry", entry]);
    for (entry, code, says) in [
        ("one", 2, "Several kernels are called `one`. In the PTX they are: _Z3onePfi, _Z3onePi."),
        ("one(int*)", 0, "`_Z3onePi`: no race"),
        ("one(float*, int)", 1, "(error) at byte 0"),
        ("add<double>", 1, "`_Z3addIdEvPT_`: "),
        ("add<int>(int*)", 1, "`_Z3addIiEvPT_`: "),
        ("none<int>", 2, "\"none\" is undefined"),
    ] {
        let (found, out) = with(entry);
        assert!(found == Some(code) && out.contains(says), "{entry}: {out}");
    }
    file("k.cu", "template <class T> __global__ void add(T* p) { *p += 1; }\n");
    let (code, out) = run(&[]);
    assert!(code == Some(2) && out.contains(&t!("emulate-no-kernel")), "{out}");
    file("k.cu", "__global__ void __cluster_dims__(2, 1, 1) pair(int* p) { *p += 1; }\n");
    assert_eq!((run(&[]).0, run(&["--arch", "sm_90", "--grid", "2", "--block", "32"]).0), (Some(2), Some(1)));
}

#[test]
fn other_programs_get_json_sarif_and_junit() {
    let text = histogram(PLAIN);
    let document = |format: &str| {
        let (code, out) = race(&text, &["--launch", "launch.yaml", "--seeds", "2", "--format", format]);
        assert_eq!(code, Some(1), "{out}");
        out
    };
    let json: Value = serde_json::from_str(&document("json")).unwrap();
    assert_eq!((&json["ok"], &json["kernel"], &json["guessed"]), (&false.into(), &"h".into(), &Value::Array(vec![])));
    let races = json["races"].as_array().unwrap();
    assert!(races.iter().all(|race| race["space"] == "global" && race["address"].as_u64() >= Some(1024)), "{json}");
    assert_eq!(json["launches"].as_array().map(Vec::len), Some(2));
    let sarif: Value = serde_json::from_str(&document("sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), races.len());
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "kernel.ptx");
    assert!(place["region"]["startLine"].as_u64() >= Some(6), "{place}");
    // PTX with line information points to its source, which is next to it or elsewhere.
    for (source, uri) in [("/away/kernel.cu", "kernel.cu"), ("/away/other.cu", "/away/other.cu")] {
        let lines = histogram(&format!(".loc 1 42 0\n{PLAIN}")) + &format!(".file 1 \"{source}\"\n");
        let (_, out) = race(&lines, &["--launch", "launch.yaml", "--format", "sarif"]);
        let log: Value = serde_json::from_str(&out).unwrap();
        let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!((&place["artifactLocation"]["uri"], &place["region"]["startLine"]), (&uri.into(), &42.into()));
    }
    // The launch and the first access are named, too.
    let said = results[0]["message"]["text"].as_str().unwrap();
    assert!(said.contains("(grid (1,1,1), block (64,1,1), seed 1)"), "{said}");
    let first = results[0]["relatedLocations"][0]["message"]["text"].as_str().unwrap();
    assert!(first.starts_with("read in line 8 by thread ("), "{first}");
    assert_eq!(races[0]["shown"]["buffer"], "all", "{json}");
    let junit = document("junit");
    assert!(junit.contains("tests=\"2\" failures=\"2\" errors=\"0\"") && junit.contains("seed 2"), "{junit}");
    // Each launch names its own threads, not those of the launch that saw the race first.
    let (code, sizes) = race(&text, &["--arg", "buf:zeros:64", "--seeds", "1", "--format", "junit"]);
    let block = |of: &str| sizes.split("<testcase").find(|case| case.contains(of)).unwrap().to_owned();
    assert_eq!(code, Some(1));
    assert!(
        !block("block (256,1,1)").contains("of block (") && block("grid (4,1,1)").contains("of block ("),
        "{sizes}"
    );
    // A call that launches nothing writes a document, too.
    for (format, part) in [("sarif", "\"executionSuccessful\":false"), ("junit", "errors=\"1\"")] {
        let (code, out) = race(&text, &["--entry", "nothing", "--format", format]);
        assert!(code == Some(2) && out.contains(part) && out.contains("nothing"), "{out}");
    }
}

#[test]
fn equal_values_are_reported_on_request_and_wrong_calls_exit_with_2() {
    let flag = histogram("mov.u32 %r2, 1; st.global.u32 [%rd1], %r2;");
    assert_eq!(race(&flag, &[]).0, Some(0));
    let (code, out) = race(&flag, &["--same-value"]);
    assert!(code == Some(1) && out.contains(&t!("emulate-same-value")), "{out}");
    let two = histogram(PLAIN) + &histogram(PLAIN).replace(".entry h", ".entry other").replace(HEADER, "");
    for (text, args) in [
        (two.as_str(), &[][..]),
        (&flag, &["--entry", "nothing"]),
        (&flag, &["--arg", "ptr:nothing"]),
        (&flag, &["--arg", "buf:zeros:64", "--arg", "f32:8"]),
        (&flag, &["--launch", "nothing.yaml"]),
        ("no PTX", &[]),
    ] {
        assert_eq!(race(text, args).0, Some(2), "{args:?}");
    }
    let (code, out) = race(&flag.replace("[%rd1]", "[%rd2+99999999]"), &[]);
    assert!(code == Some(1) && out.contains("stopped: "), "{out}");
}

#[test]
fn a_launch_that_needs_more_memory_stops_and_says_what_was_checked() {
    let far = histogram(
        "mov.u32 %r3, %ctaid.x; mul.wide.u32 %rd3, %r3, 16384; add.u64 %rd2, %rd2, %rd3; st.global.u32 [%rd2], %r3;",
    );
    let with = |size: &str| {
        let launch = ["--grid", "64", "--block", "32", "--arg", "buf:zeros:1048576", "--arg", "u32:8"];
        race(&far, &[&launch[..], &["--seeds", "1", "--memory", size]].concat())
    };
    let (code, out) = with("3M");
    assert!(code == Some(1) && out.contains(" of 64 blocks were checked"), "{out}");
    assert_eq!(with("1G").0, Some(0));
    assert_eq!(with("1000").0, Some(2));
}
