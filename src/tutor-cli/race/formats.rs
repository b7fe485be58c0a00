//! Reports for other programs: SARIF and JUnit.

use super::{Report, Tried};
use crate::emulate::hazards::describe_access;
use ptx_emulator::{Hazard, HazardAccess, HazardKind, HazardSeverity};
use serde_json::{Value, json};
use std::path::Path;
use tutor_support::xml::{DECLARATION, element, escaped};

fn rule(hazard: &Hazard) -> &'static str {
    match hazard.kind {
        HazardKind::Raw => "read-after-write",
        HazardKind::War => "write-after-read",
        HazardKind::Waw => "write-after-write",
    }
}

/// Returns a SARIF 2.1.0 log (OASIS). The location is the second access, and the first one is related to it.
pub(super) fn sarif(report: &Report) -> Value {
    let given = Path::new(&report.file);
    let place = |side: &HazardAccess| {
        // PTX names its source by the path where it was compiled, which may be on another machine.
        let source = Path::new(&side.place.file);
        let (file, line) = match (side.place.line, source.file_name().map(|name| given.with_file_name(name))) {
            (0, _) | (_, None) => (given.to_owned(), side.place.ptx_line),
            (line, Some(beside)) if beside.exists() => (beside, line),
            (line, _) => (source.to_owned(), line),
        };
        json!({
            "artifactLocation": { "uri": file.to_string_lossy().replace('\\', "/") },
            "region": { "startLine": line.max(1) },
        })
    };
    let results: Vec<Value> = report
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
                "ruleId": rule(&race.hazard),
                "level": level,
                "message": { "text": format!("{}{case}{shown}.", race.text) },
                "locations": [{ "physicalLocation": place(&race.hazard.second) }],
                "relatedLocations": [
                    { "id": 1, "physicalLocation": place(&race.hazard.first), "message": { "text": first } },
                ],
            })
        })
        .collect();
    let mut rules: Vec<&str> = report.races.iter().map(|race| rule(&race.hazard)).collect();
    rules.sort_unstable();
    rules.dedup();
    let stopped = report.launches.iter().filter_map(|launch| launch.stopped.as_ref());
    let note = |level: &str, text: &str| json!({ "level": level, "message": { "text": text } });
    let mut notes: Vec<Value> = stopped.map(|why| note("error", why)).collect();
    let successful = notes.is_empty();
    notes.extend(report.about_guesses().map(|text| note("warning", &text)));
    let rules: Vec<Value> = rules.into_iter().map(|id| json!({ "id": id })).collect();
    let invocation = json!({ "executionSuccessful": successful, "toolExecutionNotifications": notes });
    let driver = json!({ "name": "matmul-tutor", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "invocations": [invocation], "results": results }],
    })
}

/// Returns a JUnit test suite with a test case for each launch. A race is a failure, and an early end is an error.
pub(super) fn junit(report: &Report) -> String {
    let launches = &report.launches;
    let failures = launches.iter().filter(|launch| !launch.races.is_empty()).count();
    let errors = launches.iter().filter(|launch| launch.races.is_empty() && launch.stopped.is_some()).count();
    let name = format!("{} {}", report.file, report.kernel);
    let case = |launch: &Tried| {
        let inner = match (launch.texts.as_slice(), &launch.stopped) {
            ([], None) => String::new(),
            ([], Some(why)) => element("error", &[("message", why)], ""),
            (all, _) => element("failure", &[("message", &all.join("\n"))], ""),
        };
        element("testcase", &[("classname", &name), ("name", &launch.describe())], &inner)
    };
    let mut parts: Vec<String> = launches.iter().map(case).collect();
    parts.extend(report.about_guesses().map(|text| element("system-out", &[], &escaped(&text))));
    let suite = [
        ("name", name.as_str()),
        ("tests", &launches.len().to_string()),
        ("failures", &failures.to_string()),
        ("errors", &errors.to_string()),
    ];
    let suite = element("testsuite", &suite, &format!("\n{}\n", parts.join("\n")));
    DECLARATION.to_owned() + &element("testsuites", &[], &format!("\n{suite}\n"))
}
