//! The result of one submission for Gradescope, Autolab, and what reads JUnit.

use crate::marks;
use crate::row::Row;
use serde::Serialize;
use std::collections::BTreeMap;
use tutor_exec::judge::Goal;
use tutor_exercises::{Points, goal_name};
use tutor_support::t;
use tutor_support::xml::{DECLARATION, element};

/// The format of Gradescope's documentation, "Autograder specifications", section "Output format".
#[derive(Serialize)]
struct Results {
    execution_time: f64,
    output: String,
    /// `text`, because a compiler quotes `<` and `&` of the source.
    output_format: &'static str,
    tests: Vec<Test>,
    extra_data: BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct Test {
    name: String,
    score: u32,
    max_score: u32,
    status: &'static str,
    output: String,
}

/// Returns the points that a goal gave.
fn scored(points: Points, (goal, met): (Goal, bool)) -> u32 {
    if met { marks::of(points, goal) } else { 0 }
}

/// Returns the message to the student, with the seed.
fn message(row: &Row, seed: u64) -> String {
    let text = row.message.map_or_else(|| t!("exercise-done"), str::to_owned);
    t!("grade-seeded", text, seed = seed.to_string())
}

/// Returns Gradescope's `results.json`.
pub fn gradescope(row: &Row, points: Points, seed: u64) -> impl Serialize {
    let first = row.goals.iter().position(|(_, met)| !met);
    let tests = row.goals.iter().enumerate().map(|(at, (goal, met))| Test {
        name: goal_name(*goal),
        score: scored(points, (*goal, *met)),
        max_score: marks::of(points, *goal),
        status: if *met { "passed" } else { "failed" },
        output: if first == Some(at) { row.message.unwrap_or_default().to_owned() } else { String::new() },
    });
    Results {
        execution_time: row.seconds,
        output: message(row, seed),
        output_format: "text",
        tests: tests.collect(),
        extra_data: BTreeMap::from([("seed", seed)]),
    }
}

/// Returns the message to the student, and the last line that Autolab reads.
pub fn autolab(row: &Row, points: Points, seed: u64) -> (String, impl Serialize) {
    // The names of the problems at Autolab, which accepts no others.
    let problems = row.goals.iter().filter(|(goal, _)| marks::of(points, *goal) > 0);
    let scores: BTreeMap<&str, u32> = problems.map(|goal| (goal.0.name(), scored(points, *goal))).collect();
    (message(row, seed), BTreeMap::from([("scores", scores)]))
}

/// Returns a JUnit test suite. An unmet goal is a failure, and a submission that could not be judged is an error.
pub fn junit(exercise: &str, seed: u64, all: &[Row]) -> String {
    let errors = all.iter().filter(|row| row.is_unjudged()).count();
    let failures = all.iter().filter(|row| !row.passed).count() - errors;
    let case = |row: &Row| {
        let (class, time) = (format!("{exercise}.{}", row.student), format!("{:.3}", row.seconds));
        let inner = row.failed.zip(row.message).map_or_else(String::new, |(failed, message)| {
            let kind = if row.is_unjudged() { "error" } else { "failure" };
            element(kind, &[("type", failed), ("message", message)], "")
        });
        element("testcase", &[("classname", &class), ("name", row.file), ("time", &time)], &inner)
    };
    let seed = element("property", &[("name", "seed"), ("value", &seed.to_string())], "");
    let parts: Vec<String> = std::iter::once(element("properties", &[], &seed)).chain(all.iter().map(case)).collect();
    let suite = [
        ("name", exercise),
        ("tests", &all.len().to_string()),
        ("failures", &failures.to_string()),
        ("errors", &errors.to_string()),
        ("time", &format!("{:.3}", all.iter().map(|row| row.seconds).sum::<f64>())),
    ];
    let suite = element("testsuite", &suite, &format!("\n{}\n", parts.join("\n")));
    DECLARATION.to_owned() + &element("testsuites", &[], &format!("\n{suite}\n"))
}
