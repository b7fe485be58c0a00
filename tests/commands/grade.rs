//! Submissions of a class: correct, incorrect, not PTX, endless, and with a worker that hangs.

use super::{Called, tutor, tutor_in};
use std::fs;
use std::path::Path;
use tutor_support::t;

const SOLUTION: &str = include_str!("../../kernels/exercises/fma-loop/solution.ptx");

/// A folder with one file per student.
fn class() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let last_return = SOLUTION.rfind("ret;").unwrap();
    let endless = format!("{}forever: bra forever;\n{}", &SOLUTION[..last_return], &SOLUTION[last_return..]);
    let wrong = SOLUTION.replacen("fma.rn.f32", "fma.rz.f32", 1).replacen("setp.lt", "setp.le", 1);
    for (student, text) in [("ada", SOLUTION), ("ben", "this is no PTX"), ("cleo", &endless), ("dan", &wrong)] {
        fs::create_dir(folder.path().join(student)).unwrap();
        fs::write(folder.path().join(student).join("fma-loop.ptx"), text).unwrap();
        fs::write(folder.path().join(student).join("notes.txt"), "none of its files").unwrap();
    }
    folder
}

/// Grades them, each with an hour's time: how fast the machine is decides nothing.
fn grade(path: &Path, options: &[&str]) -> Called {
    let path = path.to_str().unwrap();
    tutor(&[&["class", "grade", "fma-loop", path, "--on", "emulator", "--seconds", "3600"], options].concat())
}

#[test]
fn each_submission_costs_only_itself() {
    let folder = class();
    let called = grade(folder.path(), &["--format", "json", "--jobs", "2", "--seed", "7"]);
    assert_eq!(called.code, Some(0), "{}", called.err);
    let document = called.json();
    assert_eq!((&document["exercise"], &document["seed"]), (&"fma-loop".into(), &7.into()));
    let rows = document["submissions"].as_array().unwrap();
    let of = |row: &serde_json::Value| {
        let file = row["file"].as_str().unwrap();
        let student = file.rsplit('/').nth(1).unwrap().to_owned();
        (student, row["failed"].as_str().map(str::to_owned), row["score"].as_u64().unwrap())
    };
    let found: Vec<_> = rows.iter().map(of).collect();
    let failed = |name: &str, failed: Option<&str>, score| (name.to_owned(), failed.map(str::to_owned), score);
    assert_eq!(
        found[..3],
        [failed("ada", None, 5), failed("ben", Some("compiles"), 0), failed("cleo", Some("runs"), 0)]
    );
    assert!(found[3].1.is_some(), "{:#}", rows[3]);
    assert!(rows.iter().all(|row| row["of"] == 5 && row["seconds"].as_f64().unwrap() > 0.0));
}

#[test]
fn other_programs_read_it() {
    let folder = class();
    let estimates = grade(folder.path(), &["--format", "csv", "--estimate", "nvidia-h100"]).out;
    let last: Vec<&str> = estimates.lines().map(|line| line.rsplit(',').next().unwrap()).collect();
    assert_eq!((last[0], last[2]), ("estimated_ms", ""), "{estimates}");
    assert!(last[1].parse::<f64>().unwrap() > 0.0 && estimates.contains("ada/fma-loop.ptx,true,,5,5,"), "{estimates}");
    let csv = grade(folder.path(), &["--format", "csv"]).out;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "student,file,passed,failed,score,of,seconds,mib,line,seed,similar,remark,message");
    assert!(
        lines.len() == 5 && lines[1].starts_with("ada,") && lines[1].contains("ada/fma-loop.ptx,true,,5,5,"),
        "{csv}"
    );

    let xml = grade(folder.path(), &["--format", "junit"]).out;
    assert!(xml.contains("tests=\"4\" failures=\"3\" errors=\"0\""), "{xml}");
    assert_eq!((xml.matches("<testcase ").count(), xml.matches("<failure ").count()), (4, 3), "{xml}");

    let path = folder.path().join("cleo/fma-loop.ptx");
    let weights = "compiles=2,results=6,hazards=1,counts=1";
    let one = |format: &str| grade(&path, &["--format", format, "--seed", "7", "--weights", weights]);
    let results = one("gradescope").json();
    let tests = results["tests"].as_array().unwrap();
    let points: Vec<u64> = tests.iter().map(|test| test["score"].as_u64().unwrap()).collect();
    assert_eq!((points, &tests[1]["status"]), (vec![2, 0, 0, 0, 0], &"failed".into()), "{results:#}");
    assert_eq!((&tests[2]["max_score"], &results["extra_data"]["seed"]), (&6.into(), &7.into()));
    assert!(!tests[1]["output"].as_str().unwrap().is_empty() && results["execution_time"].as_f64().is_some());
    // gradescope-autograders.readthedocs.io/en/latest/specs, "Output format".
    let known = |value: &serde_json::Value, keys: &[&str]| {
        value.as_object().unwrap().keys().all(|key| keys.contains(&key.as_str()))
    };
    let of_all = ["score", "execution_time", "output", "output_format", "visibility", "extra_data", "tests"];
    let of_one = ["score", "max_score", "status", "name", "number", "output", "output_format", "tags", "visibility"];
    assert!(known(&results, &of_all) && tests.iter().all(|test| known(test, &of_one)), "{results:#}");
    assert_eq!(results["output_format"], "text");
    // docs.autolabproject.com/lab, "Writing Autograders": one problem for each goal that gives points.
    let autolab = one("autolab").out;
    let scores: serde_json::Value = serde_json::from_str(autolab.lines().last().unwrap()).unwrap();
    assert_eq!(scores, serde_json::json!({ "scores": { "compiles": 2, "results": 0, "hazards": 0, "counts": 0 } }));
    assert!(autolab.contains("(Seed 7)"), "{autolab}");

    let both = grade(folder.path(), &["--format", "gradescope", path.to_str().unwrap()]);
    assert!(both.code == Some(2) && both.err.contains("one submission"), "{}", both.err);
    let all = grade(folder.path(), &["--format", "gradescope"]).json();
    let names = "4 files `….ptx`: ada/fma-loop.ptx, ben/fma-loop.ptx, cleo";
    assert!(all["output"].as_str().unwrap().contains(names) && all["tests"][2]["score"] == 0, "{all:#}");
    let none = tempfile::tempdir().unwrap();
    let none = grade(none.path(), &["--format", "gradescope"]).json();
    assert!(none["output"].as_str().unwrap().contains("no file") && none["tests"][2]["score"] == 0, "{none:#}");
}

/// A submission is not at fault if the solution cannot be judged either.
#[cfg(unix)]
#[test]
fn a_worker_that_hangs_is_stopped_and_costs_nobody_a_mark() {
    let folder = class();
    let path = folder.path().join("ada/fma-loop.ptx");
    let graded = |format| {
        let arguments = ["class", "grade", "fma-loop", path.to_str().unwrap(), "--format", format, "--seconds", "1"];
        tutor_in(&arguments, &[("MATMUL_TUTOR_WORKER", "sleep 600")])
    };
    // Each waits for its worker.
    let [json, gradescope, autolab] = std::thread::scope(|scope| {
        let calls = ["json", "gradescope", "autolab"].map(|format| scope.spawn(move || graded(format)));
        calls.map(|call| call.join().unwrap())
    });
    assert_eq!(json.code, Some(1), "{}", json.err);
    let row = &json.json()["submissions"][0];
    assert!(row["failed"] == "unjudged" && row["message"].as_str().unwrap().contains(&t!("grade-not-even")), "{row}");
    for called in [gradescope, autolab] {
        assert!(called.code == Some(1) && called.out.is_empty() && called.err.contains("not even"), "{}", called.out);
    }
}

/// Runs the scripts of the guide where the two services run them.
#[cfg(unix)]
#[test]
fn the_scripts_of_the_guide_give_marks_or_none() {
    use std::process::Command;
    let guide = super::docs::text("docs/classes.md");
    let block = |kind: &str| {
        let marks = format!("```{kind}\n");
        let mut blocks = guide.split(&marks).filter_map(|text| text.split("```").next());
        let script = blocks.find(|text| text.contains("--on emulator --format")).unwrap();
        script.replace("load-a-tile.cu", "fma-loop.ptx").replace("load-a-tile", "fma-loop")
    };
    let folder = class();
    let place = |path: &str| folder.path().join(path);
    for made in ["source", "submission", "results"] {
        fs::create_dir(place(made)).unwrap();
    }
    for program in ["matmul-tutor", "source/matmul-tutor"] {
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_matmul-tutor"), place(program)).unwrap();
    }
    let gradescope = block("sh").replace("/autograder", folder.path().to_str().unwrap());
    let autolab: String = block("make").lines().filter_map(|line| line.strip_prefix("\t@./")).collect();
    let run = |script: &str, worker: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(folder.path()).env("MATMUL_TUTOR_WORKER", worker);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let results = || fs::read_to_string(place("results/results.json")).ok();
    for (student, score, worker) in [("ada", 3, ""), ("dan", 0, ""), ("ada", 3, "false")] {
        let judged = worker.is_empty();
        let _ = fs::remove_file(place("results/results.json"));
        for handed_in in ["submission/fma-loop.ptx", "fma-loop.ptx"] {
            fs::copy(place(student).join("fma-loop.ptx"), place(handed_in)).unwrap();
        }
        let why = run(&gradescope, worker);
        assert_eq!((results().is_some(), why.is_empty()), (judged, judged), "{why}");
        let score_of = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
        if let Some(results) = results() {
            assert_eq!(score_of(&results).unwrap()["tests"][2]["score"], score, "{results}");
        }
        let out = run(&format!("./{autolab}"), worker);
        let scores = score_of(out.lines().last().unwrap_or_default());
        assert_eq!(scores.map(|all| all["scores"]["results"].clone()), judged.then(|| score.into()), "{out}");
    }
}

/// Stops the worker again and again, as a busy machine does.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_has_to_wait_for_the_processor_keeps_its_time() {
    use super::shared::until;
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fma-loop.ptx");
    fs::write(&file, SOLUTION).unwrap();
    let grader = Command::new(env!("CARGO_BIN_EXE_matmul-tutor"))
        .args([
            "class",
            "grade",
            "fma-loop",
            file.to_str().unwrap(),
            "--on",
            "emulator",
            "--seconds",
            "4",
            "--format",
            "csv",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let threads = format!("/proc/{}/task", grader.id());
    let worker = until("the worker runs", || {
        let children = fs::read_dir(&threads).unwrap().flatten().map(|thread| thread.path().join("children"));
        children.filter_map(|file| fs::read_to_string(file).ok()).find(|ids| !ids.trim().is_empty())
    });
    // Each time, until the worker has used the processor, or has ended.
    let used = "cut -d' ' -f14,15 /proc/$0/stat 2>/dev/null";
    let stops = format!(
        "for time in 1 2 3; do kill -STOP $0; before=$({used}); sleep 1.5; kill -CONT $0; \
         while [ -n \"$before\" ] && [ \"$before\" = \"$({used})\" ]; do sleep 0.02; done; done"
    );
    assert!(Command::new("sh").args(["-c", &stops, worker.trim()]).status().unwrap().success());
    let out = String::from_utf8(grader.wait_with_output().unwrap().stdout).unwrap();
    assert!(out.contains("fma-loop.ptx,true,"), "{out}");
}

#[cfg(unix)]
fn no_nvrtc() -> bool {
    !tutor(&["doctor", "--json"]).out.contains("\"NVRTC\",\"found\":true")
}

const TILE: &str = include_str!("../../kernels/exercises/load-a-tile/solution.cu");

/// The worker hangs at the first compilation, and works otherwise.
#[cfg(unix)]
#[test]
fn a_compilation_that_never_ends_is_stopped() {
    if no_nvrtc() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tile.cu");
    fs::write(&path, TILE).unwrap();
    let worker = format!(
        "sh -c 'if mkdir {0}/once; then exec sleep 600; else exec {1} worker; fi'",
        folder.path().display(),
        env!("CARGO_BIN_EXE_matmul-tutor")
    );
    let arguments = ["class", "grade", "load-a-tile", path.to_str().unwrap(), "--format", "json", "--seconds", "5"];
    let called = tutor_in(&arguments, &[("MATMUL_TUTOR_WORKER", &worker)]);
    assert_eq!(called.json()["submissions"][0]["failed"], "time", "{}", called.out);
}

#[cfg(all(target_os = "linux", feature = "cuda"))]
#[test]
fn a_source_reads_no_file_of_the_machine_and_no_variable_of_the_grader() {
    let doctor = tutor(&["doctor", "--json"]).json();
    let mut found = doctor["checks"].as_array().unwrap().iter();
    if !found.all(|check| check["found"] == true || !["NVRTC", "sandbox"].contains(&check["name"].as_str().unwrap())) {
        eprintln!("skipped: no NVRTC or no sandbox here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tile.cu");
    for file in ["/proc/self/environ", "/proc/self/maps", "/usr/include/stdio.h", "/etc/passwd"] {
        fs::write(&path, format!("#include \"{file}\"\n{TILE}")).unwrap();
        let arguments =
            ["class", "grade", "load-a-tile", path.to_str().unwrap(), "--format", "json", "--on", "emulator"];
        let called = tutor_in(&arguments, &[("COURSE_TOKEN", "abc123secret")]);
        let row = &called.json()["submissions"][0];
        let message = row["message"].as_str().unwrap();
        assert!(row["failed"] == "compiles" && message.contains("cannot open source file"), "{message}");
        assert!(!called.out.contains("COURSE_TOKEN") && !called.out.contains("abc123secret"), "{}", called.out);
    }
}

#[cfg(unix)]
#[test]
fn a_compiler_that_a_text_breaks_is_the_texts_fault() {
    if no_nvrtc() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tile.cu");
    fs::write(&path, format!("// MARK\n{TILE}")).unwrap();
    // A worker ends when it gets this text.
    let worker = format!(
        "sh -c 'while read -r line; do case \"$line\" in *MARK*) exit 3;; esac; printf \"%s\\n\" \"$line\"; done | {} worker'",
        env!("CARGO_BIN_EXE_matmul-tutor")
    );
    let arguments = ["class", "grade", "load-a-tile", path.to_str().unwrap(), "--format", "json", "--on", "emulator"];
    let called = tutor_in(&arguments, &[("MATMUL_TUTOR_WORKER", &worker)]);
    assert_eq!(called.json()["submissions"][0]["failed"], "compiles", "{}", called.out);
}

#[cfg(unix)]
#[test]
fn a_result_is_printed_as_soon_as_it_is_known_and_outlasts_the_end_of_the_others() {
    use std::io::{BufRead as _, BufReader};
    let folder = class();
    // The first worker works, the second hangs.
    let worker = format!(
        "sh -c 'if mkdir {0}/once 2> /dev/null; then exec {1} worker; else exec sleep 600; fi'",
        folder.path().display(),
        env!("CARGO_BIN_EXE_matmul-tutor")
    );
    let path = folder.path().to_str().unwrap();
    for (format, end) in [("human", "1 of 1 passed. The seed was 7."), ("csv", "")] {
        let _ = fs::remove_dir(folder.path().join("once"));
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_matmul-tutor"))
            .args(["class", "grade", "fma-loop", path, "--on", "emulator", "--format", format, "--seed", "7"])
            .env("MATMUL_TUTOR_WORKER", &worker)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let ada = lines.find(|line| line.contains("ada/fma-loop.ptx")).unwrap();
        assert!(ada.contains("passed") || ada.contains(",true,,5,5,"), "{ada}");
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        assert_eq!(lines.collect::<String>(), end);
        assert_eq!(child.wait().unwrap().code(), Some(130));
    }
}

#[test]
fn what_was_kept_is_not_judged_again_unless_something_has_changed() {
    let folder = class();
    let kept = folder.path().join("kept.jsonl");
    let path = folder.path().to_str().unwrap();
    let run = |more: &[&str], worker: &str| {
        let arguments = [
            &[
                "class",
                "grade",
                "fma-loop",
                path,
                "--on",
                "emulator",
                "--format",
                "json",
                "--keep",
                kept.to_str().unwrap(),
            ],
            more,
        ];
        tutor_in(&arguments.concat(), &[("MATMUL_TUTOR_WORKER", worker)])
    };
    let first = run(&[], "");
    assert_eq!(first.code, Some(0), "{}", first.err);
    // With the seed of before, and without any worker.
    let again = run(&[], "false");
    assert_eq!((again.code, again.out == first.out), (Some(0), true), "{}", again.err);
    // The last line was cut off when the machine stopped, and a file has changed.
    let text = fs::read_to_string(&kept).unwrap();
    fs::write(&kept, &text[..text.len() - 20]).unwrap();
    fs::write(folder.path().join("ada/fma-loop.ptx"), format!("{SOLUTION}// new\n")).unwrap();
    let failed = |called: &Called| -> Vec<bool> {
        let rows = called.json()["submissions"].as_array().unwrap().clone();
        rows.iter().map(|row| row["failed"] == "unjudged").collect()
    };
    assert_eq!(failed(&run(&[], "false")), [true, false, false, true]);
    assert_eq!(failed(&run(&["--seed", "1"], "false")), [true; 4]);
    assert_eq!(failed(&run(&[], "")), [false; 4]);
    assert_eq!(failed(&run(&[], "false")), [false; 4]);
}

#[cfg(unix)]
#[test]
fn what_is_anothers_or_no_file_is_refused_and_what_is_one_is_found_whatever_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    };
    for name in ["ada/x.ptx", "carl/X.PTX", "a/b/c/d/e/f/g/h/i/x.ptx", "dora/x\ny.ptx"] {
        fs::write(path(name), SOLUTION).unwrap();
    }
    fs::create_dir(path("grace.h")).unwrap();
    fs::write(path("hal/x.txt"), "not of this type").unwrap();
    for name in ["ada/._x.ptx", "__MACOSX/ada/x.ptx", ".hidden.ptx", "ada/.git/x.ptx"] {
        fs::write(path(name), SOLUTION).unwrap();
    }
    std::os::unix::fs::symlink("../ada/x.ptx", path("bob/x.ptx")).unwrap();
    std::os::unix::fs::symlink("..", path("dave/up")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(path("eve/x.ptx")).status().unwrap().success());
    fs::write(path("finn/x.ptx"), SOLUTION.replacen("ret;", "ret;\0", 1)).unwrap();
    let called = grade(folder.path(), &["--format", "json"]);
    assert_eq!(called.code, Some(0), "{}", called.err);
    let document = called.json();
    let rows = document["submissions"].as_array().unwrap().iter();
    let found: Vec<(String, Option<String>)> = rows
        .map(|row| {
            let name = row["file"].as_str().unwrap().strip_prefix(folder.path().to_str().unwrap()).unwrap();
            (name.to_owned(), row["failed"].as_str().map(str::to_owned))
        })
        .collect();
    let refused = || Some("refused".to_owned());
    let wanted = [
        ("/a/b/c/d/e/f/g/h/i/x.ptx", None),
        ("/ada/x.ptx", None),
        ("/bob/x.ptx", refused()),
        ("/carl/X.PTX", None),
        ("/dave/up", refused()),
        ("/dora/x\ny.ptx", None),
        ("/eve/x.ptx", refused()),
        ("/finn/x.ptx", refused()),
        ("/grace.h", Some("missing".to_owned())),
        ("/hal", Some("missing".to_owned())),
    ];
    assert_eq!(found, wanted.map(|(name, failed)| (name.to_owned(), failed)));
    let human = grade(folder.path(), &[]).out;
    assert_eq!(human.lines().count(), found.len() + 1, "{human}");
    assert!(
        human.contains("grace.h  ") && human.contains("missing: The student submitted no file `….ptx`."),
        "{human}"
    );
    std::os::unix::fs::symlink("ada", path("ian")).unwrap();
    let named = ["hal", "ada", "ian"].map(|name| path(name).to_str().unwrap().to_owned());
    let all = [
        &["class", "grade", "fma-loop", "--format", "csv", "--on", "emulator"],
        &named.each_ref().map(String::as_str)[..],
    ];
    let called = tutor(&all.concat()).out;
    let rows: Vec<Vec<&str>> = called.lines().map(|row| row.split(',').collect()).collect();
    let rows: Vec<[&str; 2]> = rows.iter().map(|row| [row[0], row[3]]).collect();
    assert_eq!(rows, [["student", "failed"], ["hal", "missing"], ["ada", ""], ["ian", "refused"]], "{called}");
}

/// A worker may end or fall silent at any of its messages. Each submission then still has a row.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_ends_at_any_message_costs_no_row() {
    let folder = class();
    fs::remove_dir_all(folder.path().join("cleo")).unwrap();
    for message in 1..=8 {
        let tutor = env!("CARGO_BIN_EXE_matmul-tutor");
        let worker = format!("sh -c '{tutor} worker | {{ sed -u {message}q; kill -9 $$; }}'");
        let path = folder.path().to_str().unwrap();
        let arguments = ["class", "grade", "fma-loop", path, "--on", "emulator", "--format", "json", "--jobs", "4"];
        let called = tutor_in(&arguments, &[("MATMUL_TUTOR_WORKER", &worker)]);
        assert!([Some(0), Some(1)].contains(&called.code), "{message}: {}", called.err);
        let document = called.json();
        let rows = document["submissions"].as_array().unwrap();
        assert!(rows.len() == 3 && rows[0]["failed"] == "unjudged", "{message}: {document:#}");
    }
}

/// The file of `--keep` cannot grow, as on a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_costs_no_row() {
    let folder = class();
    let path = folder.path().to_str().unwrap();
    let tutor = env!("CARGO_BIN_EXE_matmul-tutor");
    let command = format!(
        "trap '' XFSZ; ulimit -f 0; exec {tutor} class grade fma-loop {path} --on emulator --format csv --keep {path}/kept.jsonl"
    );
    let called = std::process::Command::new("sh").args(["-c", &command]).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&called.stdout), String::from_utf8_lossy(&called.stderr));
    assert_eq!((called.status.code(), out.lines().count()), (Some(1), 5), "{out} {err}");
    assert!(err.contains("A result cannot be kept"), "{err}");
}

#[test]
fn students_have_names_from_folders_or_a_table_and_two_files_of_one_are_reported() {
    let folder = class();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("ada/old.ptx"), SOLUTION).unwrap();
    fs::write(path("zoe.ptx"), SOLUTION).unwrap();
    let table = "\u{feff}file,name\nben,\"Babbage, Ben\"\nzoe.ptx,Zoe Z\nnobody,Ned\n".to_owned();
    // A name may also be the path as it was given.
    fs::write(path("names.csv"), format!("{table}{},Cleo C\n", path("cleo").display())).unwrap();
    let names = path("names.csv");
    let called = grade(folder.path(), &["--format", "json", "--names", names.to_str().unwrap()]);
    let document = called.json();
    let students: Vec<&str> =
        document["submissions"].as_array().unwrap().iter().map(|row| row["student"].as_str().unwrap()).collect();
    assert_eq!(students, ["ada", "ada", "Babbage, Ben", "Cleo C", "dan", "Zoe Z", "Ned"]);
    assert_eq!(document["submissions"][0]["remark"], "The student handed in 2 files.");
    assert!(
        called.err.contains("several files: ada") && called.err.contains("nothing: Ned (`nobody`)"),
        "{}",
        called.err
    );
    fs::write(path("names.csv"), "file,name\nben\n").unwrap();
    let wrong = grade(folder.path(), &["--names", names.to_str().unwrap()]);
    assert!(wrong.code != Some(0) && wrong.err.contains("line 2"), "{}", wrong.err);
}

#[test]
fn each_student_gets_a_report() {
    let folder = class();
    fs::create_dir(folder.path().join("<b>eve")).unwrap();
    fs::write(folder.path().join("<b>eve/x.ptx"), "<script>").unwrap();
    fs::create_dir(folder.path().join("fay")).unwrap();
    let reports = folder.path().join("reports");
    grade(folder.path(), &["--seed", "7", "--reports", reports.to_str().unwrap()]);
    let mut names: Vec<String> =
        fs::read_dir(&reports).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let students = ["_b_eve", "ada", "ben", "cleo", "dan", "fay"];
    assert_eq!(
        names,
        students.iter().flat_map(|name| [format!("{name}.html"), format!("{name}.md")]).collect::<Vec<_>>()
    );
    let read = |name: &str| fs::read_to_string(reports.join(name)).unwrap();
    let cleo = read("cleo.md");
    assert!(
        cleo.contains("Points: 0/5") && cleo.contains("runs to its end | not met") && cleo.contains("seed 7"),
        "{cleo}"
    );
    // The report gives no verdict on goals that the judge did not reach, and repeats only what was judged.
    assert!(cleo.contains("correct results | not judged"), "{cleo}");
    // Each message is there once. Only what Markdown would format is escaped.
    assert!(cleo.contains("\n- Verdict: runs\n") && !cleo.contains("\\.") && !cleo.contains("\\-"), "{cleo}");
    assert!(read("_b_eve.md").starts_with("# \\<b>eve: "), "{}", read("_b_eve.md"));
    assert!(!read("fay.md").contains("not met") && !read("fay.md").contains("seed"), "{}", read("fay.md"));
    assert!(
        read("ada.md").contains("Points: 5/5")
            && read("ada.html").contains("<td>correct results</td><td>met</td><td>3/3</td>")
    );
    let eve = read("_b_eve.html");
    assert!(!eve.contains("<b>") && !eve.contains("<script>"), "{eve}");
}

#[test]
fn the_starter_code_and_a_kernel_that_writes_nothing_get_no_points() {
    let folder = tempfile::tempdir().unwrap();
    let exercise = "fma-loop";
    let own = folder.path().join("own");
    let started = tutor(&["exercise", "start", exercise, "--dir", own.to_str().unwrap()]);
    assert_eq!(started.code, Some(0), "{}", started.err);
    let begin = SOLUTION.find("    ld.param.u64 %A, [A]").unwrap();
    let idle = format!("{}ret;\n}}\n", &SOLUTION[..begin]);
    fs::write(folder.path().join("idle.ptx"), idle).unwrap();
    let weights = "compiles=1,runs=1,results=1,hazards=1,counts=1";
    let called = grade(folder.path(), &["--format", "json", "--weights", weights]);
    let document = called.json();
    let rows: Vec<_> = document["submissions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["failed"].as_str().unwrap(), row["score"].as_u64().unwrap()))
        .collect();
    assert_eq!(rows, [("results", 0), ("untouched", 0)], "{document:#}");
}

#[test]
fn similar_submissions_are_reported_with_a_warning() {
    let folder = class();
    let own = ".reg .u32 %k;\n".to_owned()
        + &"mul.f32 %x, %x, %y;\nadd.u32 %a, %a, 0;\nmov.u32 %i, %k;\n".repeat(2)
        + "setp.lt.u32 %more, %k, 8;\n@%more bra next_tile;\nst.shared.f32 [%a], %x;\nbar.sync 0;\nshl.b64 %at, %at, 1;\ncvt.u64.u32 %offset, %k;\nand.pred %inside, %in_k, %more;\n";
    let renamed = own.replace("%k", "%step").replace('\n', "\n\n");
    for (file, text) in [("ben/fma-loop.ptx", &own), ("dan/fma-loop.ptx", &renamed), ("dan/older.ptx", &own)] {
        fs::write(folder.path().join(file), text).unwrap();
    }
    let called = grade(folder.path(), &["--format", "json", "--similar"]);
    let document = called.json();
    let similar: Vec<_> =
        document["submissions"].as_array().unwrap().iter().map(|row| row["similar"].to_string()).collect();
    assert_eq!([&similar[1], &similar[3]], ["[\"dan (100 %)\"]", "[\"ben (100 %)\"]"]);
    assert!(called.err.contains(&t!("grade-similar-note")), "{}", called.err);
}

#[test]
fn a_class_without_submissions_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let called = grade(folder.path(), &[]);
    assert!(called.code == Some(2) && called.err.contains(".ptx"), "{}", called.err);
    let called = tutor(&["class", "grade", "fma-loop", "/nonexistent"]);
    assert_eq!(called.code, Some(2), "{}", called.err);
}
