//! The course as instructors write it: every rule of the check with samples that break it and samples that do not.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use matmul_tutor::author::schema::SchemaOf;
use matmul_tutor::author::{self, ClaimReport, RULES, Runs};
use matmul_tutor::course::{Course, CourseSource, Files, Problem, Severity};
use matmul_tutor::exec::protocol::{LaunchRequest, Reply, Verification};
use matmul_tutor::kernels::Catalog;
use matmul_tutor::simt::{
    AccessKind, Counts, Hazard, HazardAccess, HazardKind, HazardSpace, LineCounts, Place, Totals,
};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// `tests/course/rules/CODE.yaml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleSamples {
    invalid: Vec<Sample>,
    valid: Vec<Sample>,
}

/// A change to the small course in `tests/course/base`, which has no problem.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    /// The file to change; its translation is changed likewise.
    file: String,
    /// The first occurrence of this text …
    replace: String,
    /// … becomes this.
    with: String,
    /// `line:column` of the problem.
    #[serde(default)]
    at: String,
    /// The file of the problem, if another.
    #[serde(rename = "in", default)]
    other: Option<String>,
    /// Part of its message or help.
    #[serde(default)]
    says: String,
    /// Codes of problems that follow from the change besides.
    #[serde(default)]
    also: Vec<String>,
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/course")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn check_directory(directory: &Path) -> Vec<Problem> {
    let files = Files::read(&CourseSource::Directory(directory.to_owned()), |_| true);
    author::check(&files, Catalog::built_in(), &[])
}

/// The problems of the small course after a change.
fn changed(sample: &Sample) -> Vec<Problem> {
    let dir = tempfile::tempdir().unwrap();
    copy(&tests().join("base"), dir.path());
    let translation = sample.file.replacen('/', "/ko/", 1);
    for (file, must) in [(&sample.file, true), (&translation, false)] {
        let path = dir.path().join(file);
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        assert!(!must || text.contains(&sample.replace), "{file} does not contain {:?}", sample.replace);
        std::fs::write(&path, text.replacen(&sample.replace, &sample.with, 1)).unwrap();
    }
    check_directory(dir.path())
}

fn shown(problems: &[Problem]) -> String {
    problems.iter().map(|problem| author::render(problem, false) + "\n").collect()
}

#[test]
fn the_small_course_has_no_problem() {
    let problems = check_directory(&tests().join("base"));
    assert!(problems.is_empty(), "{}", shown(&problems));
}

#[test]
fn a_course_file_that_cannot_be_read_hides_no_mistake_of_the_others() {
    let dir = tempfile::tempdir().unwrap();
    copy(&tests().join("base"), dir.path());
    for (file, from, to) in [
        ("modules/course.yaml", "gate:", "gate: :"),
        ("modules/first.yaml", "    title: Welcome", "    titel: Welcome"),
        ("quizzes/first.yaml", "level: first", "level: [first"),
    ] {
        let path = dir.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
    }
    let problems = check_directory(dir.path());
    let told: Vec<(&str, &str)> = problems.iter().map(|problem| (problem.code, problem.file.as_str())).collect();
    let expected =
        [("yaml", "modules/course.yaml"), ("unknown-field", "modules/first.yaml"), ("yaml", "quizzes/first.yaml")];
    assert_eq!(told, expected, "{}", shown(&problems));
}

#[test]
fn a_misspelt_key_is_told_once_and_not_as_a_question_without_a_key_too() {
    for (file, from) in
        [("quizzes/first.yaml", "              correct: true"), ("quizzes/first.yaml", "              why:")]
    {
        let to = from.replace("correct", "corect").replace("why", "whi");
        let sample = Sample {
            file: file.into(),
            replace: from.into(),
            with: to,
            at: String::new(),
            other: None,
            says: String::new(),
            also: Vec::new(),
        };
        let problems = changed(&sample);
        let codes: Vec<&str> = problems.iter().filter(|p| p.file == file).map(|p| p.code).collect();
        assert_eq!(codes, ["unknown-field"], "{}", shown(&problems));
    }
}

#[test]
fn all_mistakes_in_the_form_of_a_course_s_own_catalogue_are_told_at_once() {
    let dir = tempfile::tempdir().unwrap();
    copy(&tests().join("base"), dir.path());
    let catalog = "kernels:\n  - id: mine\n    levl: first\n    block: [8, 8]\n  - id: [mine]\n    abot: x\n";
    std::fs::create_dir(dir.path().join("kernels")).unwrap();
    std::fs::write(dir.path().join("kernels/catalog.yaml"), catalog).unwrap();
    let (catalog, found) = Catalog::of_course(Some(dir.path()));
    let files = Files::read(&CourseSource::Directory(dir.path().to_owned()), |_| true);
    let problems = author::check(&files, &catalog, &found);
    let told = |code: &str, line: u32| problems.iter().any(|problem| problem.code == code && problem.line == line);
    for (code, line) in
        [("unknown-field", 3), ("wrong-type", 4), ("missing-field", 2), ("wrong-type", 5), ("unknown-field", 6)]
    {
        assert!(told(code, line), "{code} in line {line}:\n{}", shown(&problems));
    }
}

#[test]
fn every_rule_is_told_where_it_is_broken_and_only_there() {
    let mut failures = String::new();
    for rule in RULES.iter().filter(|rule| !["claim-failed", "catalog"].contains(&rule.code)) {
        let path = tests().join(format!("rules/{}.yaml", rule.code));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} has no samples", rule.code));
        let samples: RuleSamples = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert!(!samples.invalid.is_empty() && !samples.valid.is_empty(), "{}", rule.code);
        for sample in &samples.invalid {
            let problems = changed(sample);
            let file = sample.other.as_ref().unwrap_or(&sample.file);
            let told = problems.iter().any(|problem| {
                let help = problem.help.as_deref().unwrap_or_default();
                problem.code == rule.code
                    && problem.severity == rule.severity
                    && problem.file == *file
                    && format!("{}:{}", problem.line, problem.column) == sample.at
                    && (problem.message.contains(&sample.says) || help.contains(&sample.says))
            });
            let alone = problems
                .iter()
                .all(|problem| problem.code == rule.code || sample.also.iter().any(|code| code == problem.code));
            if !told || !alone {
                failures += &format!("--- {}: {sample:?}\n{}", rule.code, shown(&problems));
            }
        }
        for sample in &samples.valid {
            let problems = changed(sample);
            if !problems.is_empty() {
                failures += &format!("--- {} (valid): {sample:?}\n{}", rule.code, shown(&problems));
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn every_sample_belongs_to_a_rule() {
    for entry in std::fs::read_dir(tests().join("rules")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let code = name.trim_end_matches(".yaml");
        assert!(RULES.iter().any(|rule| rule.code == code), "{name}");
    }
}

#[test]
fn the_built_in_course_has_no_error() {
    let files = Files::read(&CourseSource::BuiltIn, |_| true);
    let problems = author::check(&files, Catalog::built_in(), &[]);
    let errors: Vec<Problem> = problems.into_iter().filter(|problem| problem.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{}", shown(&errors));
}

#[test]
fn a_course_loads_in_its_editions() {
    let source = CourseSource::Directory(tests().join("base"));
    let korean = Course::load(&source, "ko");
    let level = korean.level("first").unwrap();
    assert_eq!(korean.lang, "ko");
    assert_eq!(level.lesson.as_ref().unwrap().pages[0].title, "환영합니다");
    assert!(level.untranslated_pages.is_empty() && level.untranslated_slots.is_empty());
    let unknown = Course::load(&source, "fr");
    assert_eq!(unknown.lang, "en", "the original where there is no such edition");
    let told = unknown.missing_edition("fr");
    assert_eq!(told.as_deref(), Some("This course has no edition in `fr`: it is shown in `en`."));
    assert_eq!(korean.missing_edition("ko"), None);
}

#[test]
fn an_edition_may_translate_the_course_map() {
    let dir = tempfile::tempdir().unwrap();
    copy(&tests().join("base"), dir.path());
    let text = std::fs::read_to_string(dir.path().join("modules/course.yaml")).unwrap();
    let korean = text.replace("title: First level", "title: 첫째 단계").replace("id: sample", "id: simple");
    std::fs::write(dir.path().join("modules/ko/course.yaml"), korean).unwrap();
    let source = CourseSource::Directory(dir.path().to_owned());
    assert_eq!(Course::load(&source, "ko").levels[0].title, "첫째 단계");
    assert_eq!(Course::load(&source, "en").levels[0].title, "First level");
    let problems = check_directory(dir.path());
    assert_eq!(problems.len(), 1, "{}", shown(&problems));
    assert_eq!((problems[0].code, problems[0].line), ("edition-differs", 1));
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]

    #[test]
    fn a_damaged_file_never_panics_and_no_control_character_gets_through(
        quiz in proptest::bool::ANY,
        cuts in proptest::collection::vec((0usize..4000, 0usize..40, "[-a-z0-9:{}\\[\\]&*!|>'\"#%@\\n \u{1b}\u{202e}]{0,6}"), 1..5),
    ) {
        let dir = tempfile::tempdir().unwrap();
        copy(&tests().join("base"), dir.path());
        let path = dir.path().join(if quiz { "quizzes/first.yaml" } else { "modules/first.yaml" });
        let mut text: Vec<char> = std::fs::read_to_string(&path).unwrap().chars().collect();
        for (at, length, with) in cuts {
            let at = at.min(text.len());
            let end = (at + length).min(text.len());
            text.splice(at..end, with.chars());
        }
        std::fs::write(&path, text.into_iter().collect::<String>()).unwrap();
        let problems = check_directory(dir.path());
        let course = Course::load(&CourseSource::Directory(dir.path().to_owned()), "en");
        for problem in problems.iter().chain(&course.problems) {
            let all = format!("{problem} {:?} {:?}", problem.help, problem.snippet);
            assert!(!all.contains(['\u{1b}', '\u{202e}']), "{all}");
            author::render(problem, false);
        }
        let shown = format!("{:?}", course.levels);
        assert!(!shown.contains("\\u{1b}") && !shown.contains("\\u{202e}"), "{shown}");
    }
}

#[test]
fn an_edition_falls_back_page_by_page_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    copy(&tests().join("base"), dir.path());
    let lesson = dir.path().join("modules/ko/first.yaml");
    let text = std::fs::read_to_string(&lesson).unwrap();
    std::fs::write(&lesson, text.split("  - id: guess").next().unwrap()).unwrap();
    std::fs::remove_file(dir.path().join("quizzes/ko/first.yaml")).unwrap();
    let course = Course::load(&CourseSource::Directory(dir.path().to_owned()), "ko");
    let level = course.level("first").unwrap();
    let pages = &level.lesson.as_ref().unwrap().pages;
    assert_eq!((pages[0].title.as_str(), pages[1].title.as_str()), ("환영합니다", "Guess first"));
    assert_eq!(pages.len(), 7);
    assert!(!level.untranslated_pages.contains("welcome") && level.untranslated_pages.contains("guess"));
    assert_eq!(level.untranslated_slots.len(), 8);
    assert_eq!(level.quiz().unwrap().slots[0].variants[0].ask, "Which is right?");
}

/// The small course with one file replaced.
fn with_file(file: &str, edit: impl Fn(String) -> String) -> Course {
    let dir = tempfile::tempdir().unwrap();
    copy(&tests().join("base"), dir.path());
    let path = dir.path().join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    std::fs::write(&path, edit(text)).unwrap();
    Course::load(&CourseSource::Directory(dir.path().to_owned()), "en")
}

#[test]
fn a_broken_page_is_left_out_and_the_rest_of_the_level_is_there() {
    let course = with_file("modules/first.yaml", |text| text.replace("tag: code", "tag: kode"));
    let lesson = course.levels[0].lesson.as_ref().unwrap();
    let ids: Vec<&str> = lesson.pages.iter().map(|page| page.id.as_str()).collect();
    assert_eq!(ids, ["welcome", "guess", "look", "hazard", "launch", "library"]);
    assert_eq!((lesson.pages[2].id.line, lesson.pages[2].id.column), (51 - 1, 9), "places stay those of the file");
    assert_eq!(course.problems.len(), 1);
    assert!(course.levels[0].quiz().is_some());
}

#[test]
fn a_broken_file_leaves_the_other_and_says_why() {
    let course = with_file("modules/first.yaml", |_| "level: [".to_owned());
    let problem = course.levels[0].lesson.as_ref().unwrap_err();
    assert_eq!((problem.code, problem.line, problem.file.as_str()), ("yaml", 1, "modules/first.yaml"));
    assert!(course.levels[0].quiz().is_some());
    assert_eq!(course.title, "A small course");
}

#[test]
fn a_slot_that_cannot_be_read_is_never_left_out() {
    let course = with_file("quizzes/first.yaml", |text| text.replacen("bloom: apply", "bloom: fly", 1));
    assert_eq!(course.levels[0].quiz_problem().unwrap().code, "unknown-name");
}

#[test]
fn a_course_without_its_own_file_has_no_level_and_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let course = Course::load(&CourseSource::Directory(dir.path().to_owned()), "en");
    assert!(course.levels.is_empty());
    assert_eq!(course.problems[0].code, "missing-file");
    let nowhere = Course::load(&CourseSource::Directory(dir.path().join("no/such")), "en");
    assert_eq!(nowhere.problems[0].code, "missing-file");
}

#[test]
fn schemas_are_those_of_the_types() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/schema");
    for of in SchemaOf::ALL {
        let committed = std::fs::read_to_string(assets.join(of.file())).unwrap();
        let name = of.file().trim_end_matches(".json");
        let stale = committed != of.text().unwrap();
        assert!(!stale, "Run: matmul-tutor schema {name} > assets/schema/{name}.json");
    }
}

#[test]
fn every_course_file_names_its_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut checked = 0;
    for (folder, schema) in [("modules", "lesson"), ("quizzes", "quiz"), ("kernels", "catalog")] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "yaml") {
                continue;
            }
            let schema = if path.ends_with("course.yaml") { "course" } else { schema };
            let text = std::fs::read_to_string(&path).unwrap();
            let expected = format!("# yaml-language-server: $schema=../assets/schema/{schema}.json");
            assert_eq!(text.lines().next(), Some(expected.as_str()), "{path:?}");
            checked += 1;
        }
    }
    assert!(checked >= 4);
}

/// The claims of the small course after a change, with replies from `launch`.
fn claims_with(replace: &str, with: &str, launch: fn(&LaunchRequest) -> Vec<Reply>) -> ClaimReport {
    let dir = tempfile::tempdir().unwrap();
    copy(&tests().join("base"), dir.path());
    std::fs::remove_dir_all(dir.path().join("modules/ko")).unwrap();
    let path = dir.path().join("modules/first.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(replace), "{replace}");
    std::fs::write(&path, text.replacen(replace, with, 1)).unwrap();
    let files = Files::read(&CourseSource::Directory(dir.path().to_owned()), |_| true);
    let mut launcher = |request: &LaunchRequest| Ok(launch(request));
    author::claims(&files, Catalog::built_in(), &mut Runs::new(&mut launcher, false))
}

const KERNEL_CLAIM: &str = "wavefronts: { kernel: sgemm_tiled, at: \"A_tile[ty][k]\", op: ld.shared, per_request: 1 }";

/// What a run replies that makes 10 shared loads of 3 wavefronts in the multiply line, has a WAR hazard and
/// four wrong elements.
fn replies(request: &LaunchRequest) -> Vec<Reply> {
    let source = &Catalog::built_in().kernel("sgemm_tiled").unwrap().source;
    let (line, _) = source.lines(None).find(|(_, line)| line.contains("A_tile[ty][k]")).unwrap();
    let place = Place { file: "kernels/sgemm_tiled.cu".to_owned(), line, ptx_line: 1 };
    let counted = |op: &str, requests, wavefronts, sectors| LineCounts {
        place: place.clone(),
        op: op.to_owned(),
        bytes: 4,
        warp_instructions: requests,
        requests,
        wavefronts,
        wavefronts_ideal: requests,
        sectors,
        sectors_ideal: sectors,
    };
    let lines = vec![counted("ld.shared", 10, 30, 0), counted("ld.global", 20, 0, 80)];
    let totals = Totals { flop: 10_240, global_bytes: 20 * 32 * 4, ..Totals::default() };
    let access = |access| HazardAccess { thread: [0; 3], block: [0; 3], access, place: place.clone() };
    let hazard = Hazard {
        kind: HazardKind::War,
        space: HazardSpace::Shared,
        severity: Default::default(),
        buffer: None,
        block: [0, 0, 0],
        address: 0,
        bytes: 4,
        first: access(AccessKind::Read),
        second: access(AccessKind::Write),
        occurrences: 1,
    };
    let id = request.id;
    let verification = Verification {
        verified: false,
        elements: 4096,
        mismatches: 4,
        max_rel_err: 1.0,
        against: String::new(),
        hash: String::new(),
    };
    vec![
        Reply::Verified { id, program: 0, verification },
        Reply::Counted {
            id,
            program: 0,
            counts: Counts { totals, lines, blocks_counted: 1, blocks: 1 },
            hazards: vec![hazard],
            seconds: 0.0,
        },
    ]
}

#[test]
fn a_claim_that_the_cost_rules_deny_fails_with_what_they_count() {
    let report = claims_with("wavefronts: 1\n", "wavefronts: 8\n", |_| Vec::new());
    assert_eq!((report.counts.held, report.counts.failed, report.counts.skipped), (0, 1, 1));
    let problem = &report.problems[0];
    assert_eq!((problem.code, problem.line, problem.column), ("claim-failed", 36, 9));
    assert_eq!(problem.message, "The page claims 8 wavefronts; the emulator counts 1.");
}

#[test]
fn claims_about_kernels_are_held_against_what_the_run_counted() {
    for (claim, denied) in [
        ("wavefronts: { kernel: sgemm_tiled, op: ld.shared, per_request: 3 }", ""),
        ("wavefronts: { kernel: sgemm_tiled, op: ld.shared, per_request: 1 }", "the emulator counts 3."),
        ("wavefronts: { kernel: sgemm_tiled, op: st.shared, per_request: 1 }", "makes no st.shared request"),
        ("wavefronts: { kernel: sgemm_tiled, at: 'C[at]', op: ld.shared, per_request: 1 }", "at `C[at]`"),
        ("wavefronts: { kernel: sgemm_tiled, op: ld.shared, per_request: 2.8, within: 0.1 }", ""),
        ("sectors: { kernel: sgemm_tiled, op: ld.global, per_request: 4 }", ""),
        ("hazards: { kernel: sgemm_tiled, kinds: [WAR] }", ""),
        ("hazards: { kernel: sgemm_tiled, kinds: [] }", "claims no hazard in `sgemm_tiled`; the emulator finds WAR"),
        ("hazards: { kernel: sgemm_tiled, kinds: [RAW, WAR] }", "claims RAW and WAR hazards"),
        ("verified: { kernel: sgemm_tiled, is: false }", ""),
        ("verified: { kernel: sgemm_tiled, is: true }", "4 of 4096 elements are wrong"),
        ("ratio: { of: flop, kernel: sgemm_tiled, to: sgemm_tiled32, is: 1 }", ""),
        ("ratio: { of: flop, kernel: sgemm_tiled, to: sgemm_tiled32, is: 2 }", "the ratio 10240 : 10240"),
        ("ratio: { of: shared_store_wavefronts, kernel: sgemm_tiled, to: sgemm_tiled32, is: 2 }", "divides by zero"),
        ("intensity: { kernel: sgemm_tiled, is: 4 }", ""),
        ("intensity: { kernel: sgemm_tiled, is: 5 }", "5 FLOP per byte loaded within 2 %; the emulator counts 4."),
    ] {
        let report = claims_with(KERNEL_CLAIM, claim, replies);
        let told = report.problems.first().map(|problem| problem.message.as_str());
        match denied {
            "" => assert_eq!((told, report.counts.held), (None, 2), "{claim}"),
            denied => assert!(told.is_some_and(|told| told.contains(denied)), "{claim}: {told:?}"),
        }
    }
}

#[test]
fn one_launch_serves_all_claims_about_a_kernel_and_size() {
    let claims = "verified: { kernel: sgemm_tiled, is: false }\n      - hazards: { kernel: sgemm_tiled, kinds: [WAR] }\n      - verified: { kernel: sgemm_tiled, is: false, size: 32 }";
    let dir = tempfile::tempdir().unwrap();
    copy(&tests().join("base"), dir.path());
    let path = dir.path().join("modules/first.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen(KERNEL_CLAIM, claims, 1)).unwrap();
    let files = Files::read(&CourseSource::Directory(dir.path().to_owned()), |_| true);
    let mut launcher = |request: &LaunchRequest| Ok(replies(request));
    let mut runs = Runs::new(&mut launcher, false);
    let report = author::claims(&files, Catalog::built_in(), &mut runs);
    assert_eq!(report.counts.failed, 1, "the translation still has the first claim: {:?}", report.problems);
    assert_eq!(runs.launches(), 2);
}

fn command() -> assert_cmd::Command {
    assert_cmd::Command::cargo_bin("matmul-tutor").unwrap()
}

#[test]
fn the_built_in_course_passes_the_command() {
    let output = command().args(["check", "--json"]).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{report:#}");
    assert_eq!(report["claims"]["failed"], 0);
    assert_eq!(report["claims"]["skipped"], 0);
    assert!(report["claims"]["held"].as_u64().unwrap() >= 90);
}

#[test]
fn a_course_with_mistakes_fails_the_command_with_all_of_them() {
    let dir = tempfile::tempdir().unwrap();
    copy(&tests().join("base"), dir.path());
    for (file, from, to) in [
        ("modules/first.yaml", "tag: preview", "tag: previev"),
        ("quizzes/first.yaml", "page: code", "page: coda"),
        ("modules/first.yaml", "wavefronts: 1\n", "wavefronts: 8\n"),
        ("modules/first.yaml", "per_request: 1 }", "per_request: 2 }"),
    ] {
        let path = dir.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, text.replacen(from, to, 1)).unwrap();
    }
    let output = command().arg("check").arg(dir.path()).arg("--json").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let told: Vec<(&str, &str, u64)> = report["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| (p["code"].as_str().unwrap(), p["file"].as_str().unwrap(), p["line"].as_u64().unwrap()))
        .collect();
    assert!(told.contains(&("unknown-name", "modules/first.yaml", 13)), "{told:?}");
    assert!(told.contains(&("claim-failed", "modules/first.yaml", 36)), "{told:?}");
    assert!(told.contains(&("claim-failed", "modules/first.yaml", 39)), "a run of the kernel denies it: {told:?}");
    let human = command().arg("check").arg(dir.path()).output().unwrap();
    let text = String::from_utf8(human.stdout).unwrap();
    assert!(text.contains("error[unknown-name]: `tag` cannot be `previev`."), "{text}");
    assert!(text.contains("= help: Did you mean `preview`?"), "{text}");
}

#[test]
fn a_directory_that_is_not_there_is_a_wrong_call() {
    let output = command().args(["check", "no/such/course"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("There is no directory no/such/course."));
}
