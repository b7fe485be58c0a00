//! Problems for programs that show them next to a change: GitHub annotations and SARIF.

use crate::allowed::Allowed;
use crate::rules::RULES;
use serde_json::{Value, json};
use std::path::Path;
use tutor_course::{Problem, Severity};

/// Returns a problem as a workflow command of GitHub Actions, which shows it at its line.
///
/// The format: <https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions>.
pub fn github(problem: &Problem, root: Option<&Path>) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let mut places = format!("file={}", property(&file(problem, root)));
    if problem.line > 0 {
        places += &format!(",line={},col={}", problem.line, problem.column.max(1));
    }
    let (title, message) = (property(problem.code), data(&message(problem)));
    format!("::{} {places},title={title}::{message}", level(problem))
}

/// Returns all problems as a SARIF 2.1.0 log (OASIS). Allowed problems are suppressed, with their reasons.
pub fn sarif(problems: &[Problem], allowed: &[Allowed], root: Option<&Path>) -> Value {
    let all =
        || problems.iter().map(|problem| (problem, None)).chain(allowed.iter().map(|of| (&of.problem, Some(&of.why))));
    let rules: Vec<Value> = RULES
        .iter()
        .filter(|rule| all().any(|(problem, _)| problem.code == rule.code))
        .map(|rule| json!({ "id": rule.code, "shortDescription": { "text": rule.asks() } }))
        .collect();
    let results: Vec<Value> = all()
        .map(|(problem, why)| {
            let mut place = json!({ "artifactLocation": { "uri": file(problem, root) } });
            if problem.line > 0 {
                place["region"] = json!({ "startLine": problem.line, "startColumn": problem.column.max(1) });
            }
            let mut result = json!({
                "ruleId": problem.code,
                "level": level(problem),
                "message": { "text": message(problem) },
                "locations": [{ "physicalLocation": place }],
            });
            if let Some(why) = why {
                result["suppressions"] = json!([{ "kind": "inSource", "justification": why }]);
            }
            result
        })
        .collect();
    let driver = json!({ "name": "matmul-tutor", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "results": results }],
    })
}

/// Returns the path of the file, relative to the directory where the check was called.
fn file(problem: &Problem, root: Option<&Path>) -> String {
    let path = root.map_or_else(|| problem.file.clone().into(), |root| root.join(&problem.file));
    path.to_string_lossy().replace('\\', "/").trim_start_matches("./").to_owned()
}

/// Returns the message with the advice.
fn message(problem: &Problem) -> String {
    [Some(problem.message.as_str()), problem.help.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn level(problem: &Problem) -> &'static str {
    match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem() -> Problem {
        Problem::error("bad-id", "modules/a.yaml", "`A, b: c` is 100 % no id.")
            .help("Rename it.")
            .at("id: x\n", 1, 5, 1)
    }

    #[test]
    fn an_annotation_escapes_what_would_end_it() {
        assert_eq!(
            github(&problem(), Some(Path::new("my"))),
            "::error file=my/modules/a.yaml,line=1,col=5,title=bad-id::`A, b: c` is 100 %25 no id. Rename it."
        );
        let whole = Problem::warning("edition-missing", "modules/ko/a,b.yaml", "It is missing.");
        assert_eq!(github(&whole, None), "::warning file=modules/ko/a%2Cb.yaml,title=edition-missing::It is missing.");
    }

    #[test]
    fn a_log_names_its_rules_and_places() {
        let allowed = Allowed { problem: problem(), why: "On purpose.".into() };
        let log = sarif(&[problem()], &[allowed], None);
        assert_eq!(log["runs"][0]["results"][0]["suppressions"], Value::Null);
        assert_eq!(log["runs"][0]["results"][1]["suppressions"][0]["justification"], "On purpose.");
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "bad-id");
        let result = &run["results"][0];
        assert_eq!((&result["ruleId"], &result["level"]), (&"bad-id".into(), &"error".into()));
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "modules/a.yaml");
        assert_eq!((&place["region"]["startLine"], &place["region"]["startColumn"]), (&1.into(), &5.into()));
    }
}
