//! Reports for other programs: SARIF and JUnit.

use super::{Report, Tried};
use crate::emulate::hazards::describe_access;
use crate::emulate::undefined;
use ptx_emulator::{Hazard, HazardAccess, HazardKind, HazardSeverity, Rule, SourceLocation, UndefinedSeverity};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tutor_support::t;
use tutor_support::xml::{DECLARATION, element, escaped};

/// The rules, in the order of SARIF's `rules`.
const RULES: [&str; 3] = ["read-after-write", "write-after-read", "write-after-write"];

fn rule(hazard: &Hazard) -> usize {
    match hazard.kind {
        HazardKind::Raw => 0,
        HazardKind::War => 1,
        HazardKind::Waw => 2,
    }
}

/// Returns SARIF's level of undefined behaviour.
fn level(severity: UndefinedSeverity) -> &'static str {
    match severity {
        UndefinedSeverity::Error => "error",
        UndefinedSeverity::Warning => "warning",
        UndefinedSeverity::Note => "note",
    }
}

/// Returns a path as a relative reference (RFC 3986).
fn uri(file: &Path) -> String {
    let path = file.to_string_lossy().replace('\\', "/");
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Returns the location of an instruction in SARIF. `given` is the file of the call.
fn location(given: &Path, place: &SourceLocation) -> Value {
    // PTX names its source by the path where it was compiled, which may be on another machine.
    let source = Path::new(&place.file);
    let (file, line) = match (place.line, source.file_name().map(|name| given.with_file_name(name))) {
        (0, _) | (_, None) => (given.to_owned(), place.ptx_line),
        (line, Some(beside)) if beside.exists() => (beside, line),
        (line, _) => (source.to_owned(), line),
    };
    let header = place.header.as_ref();
    let (file, line) = header.map_or((file, line), |header| (PathBuf::from(&header.file), header.line));
    json!({
        "artifactLocation": { "uri": uri(&file) },
        "region": { "startLine": line.max(1) },
    })
}

/// Returns a SARIF 2.1.0 log (OASIS). The location is the second access, and the first one is related to it.
pub(super) fn sarif(report: &Report) -> Value {
    let given = Path::new(&report.file);
    let place = |side: &HazardAccess| location(given, &side.place);
    let mut results: Vec<Value> = report
        .races
        .iter()
        .enumerate()
        .map(|(number, race)| {
            let level = match race.hazard.severity {
                HazardSeverity::Error => "error",
                HazardSeverity::SameValue => "note",
                _ => "warning",
            };
            let shown = race.shown.as_ref().map_or_else(String::new, |shown| format!(": {}", shown.describe()));
            let launch = report.launches.iter().find(|launch| launch.races.contains(&number));
            let case = launch.map_or_else(String::new, |launch| format!(" ({})", launch.describe()));
            let first = describe_access(&race.hazard.first, race.hazard.first.block != race.hazard.second.block);
            json!({
                "ruleId": RULES[rule(&race.hazard)],
                "ruleIndex": rule(&race.hazard),
                "level": level,
                "message": { "text": format!("{}{case}{shown}.", race.text) },
                "locations": [{ "physicalLocation": place(&race.hazard.second) }],
                "relatedLocations": [
                    { "id": 1, "physicalLocation": place(&race.hazard.first), "message": { "text": first } },
                ],
            })
        })
        .collect();
    results.extend(report.undefined.iter().map(|found| {
        let level = level(found.severity);
        let side = location(given, &found.place);
        json!({
            "ruleId": found.rule.name(),
            "ruleIndex": RULES.len() + Rule::ALL.iter().position(|rule| *rule == found.rule).unwrap_or_default(),
            "level": level,
            "message": { "text": undefined::describe(found) },
            "locations": [{ "physicalLocation": side }],
        })
    }));
    let stopped = report.launches.iter().filter_map(|launch| launch.stopped.as_ref());
    let note = |level: &str, text: &str| json!({ "level": level, "message": { "text": text } });
    let mut notes: Vec<Value> = stopped.map(|why| note("error", why)).collect();
    let successful = notes.is_empty();
    notes.extend(report.about_guesses().map(|text| note("warning", &text)));
    let of = |(id, [short, full]): (&str, [String; 2])| {
        json!({
            "id": id,
            "shortDescription": { "text": short },
            "fullDescription": { "text": full },
            "help": { "text": t!("race-rule-help") },
            "defaultConfiguration": { "level": "error" },
        })
    };
    let texts = [
        [t!("race-rule-raw"), t!("race-rule-raw-full")],
        [t!("race-rule-war"), t!("race-rule-war-full")],
        [t!("race-rule-waw"), t!("race-rule-waw-full")],
    ];
    let undefined = Rule::ALL.iter().map(|rule| {
        json!({
            "id": rule.name(),
            "shortDescription": { "text": rule.title() },
            "help": { "text": rule.clause() },
            "defaultConfiguration": { "level": level(rule.severity()) },
        })
    });
    let rules: Vec<Value> = RULES.into_iter().zip(texts).map(of).chain(undefined).collect();
    let invocation = json!({ "executionSuccessful": successful, "toolExecutionNotifications": notes });
    let driver = json!({ "name": "matmul-tutor", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "invocations": [invocation], "results": results }],
    })
}

/// Returns a JUnit test suite. Each size of a launch is a test case, which an early end makes an error. Each race and each
/// error of undefined behaviour is a test case that failed, once for all launches that have it.
pub(super) fn junit(report: &Report) -> String {
    let name = format!("{} {}", report.file, report.kernel);
    let case = |case: &str, inner: &str| element("testcase", &[("classname", &name), ("name", case)], inner);
    let mut sizes: Vec<(String, Option<&str>)> = Vec::new();
    for launch in &report.launches {
        let (size, why) = (launch.size(), launch.stopped.as_deref());
        match sizes.iter_mut().find(|(known, _)| *known == size) {
            Some((_, stopped)) => *stopped = stopped.or(why),
            None => sizes.push((size, why)),
        }
    }
    let inner = |why: &Option<&str>| why.map_or_else(String::new, |why| element("error", &[("message", why)], ""));
    let mut parts: Vec<String> = sizes.iter().map(|(size, why)| case(size, &inner(why))).collect();
    for (number, race) in report.races.iter().enumerate() {
        let launch = report.launches.iter().find(|launch| launch.races.contains(&number));
        let text = launch.map_or_else(String::new, Tried::describe);
        // The names of cases stay the same if only the threads differ.
        let lines = [&race.hazard.first.place, &race.hazard.second.place];
        let [first, second] = lines.map(SourceLocation::known_line);
        let failure = element("failure", &[("message", &race.text)], &escaped(&text));
        parts.push(case(&format!("{}: line {first}, line {second}", RULES[rule(&race.hazard)]), &failure));
    }
    let errors = report.undefined.iter().filter(|found| found.is_error());
    parts.extend(errors.map(|found| {
        let line = found.place.known_line();
        let failure = element("failure", &[("message", &undefined::describe(found))], "");
        case(&format!("{}: line {line}", found.rule.name()), &failure)
    }));
    let failures = parts.len() - sizes.len();
    parts.extend(report.about_guesses().map(|text| element("system-out", &[], &escaped(&text))));
    let suite = [
        ("name", name.as_str()),
        ("tests", &(sizes.len() + failures).to_string()),
        ("failures", &failures.to_string()),
        ("errors", &sizes.iter().filter(|(_, why)| why.is_some()).count().to_string()),
    ];
    let suite = element("testsuite", &suite, &format!("\n{}\n", parts.join("\n")));
    DECLARATION.to_owned() + &element("testsuites", &[], &format!("\n{suite}\n"))
}
