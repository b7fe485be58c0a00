//! The result of one submission for Gradescope, Autolab, and what reads JUnit.

use crate::csv::csv_row;
use crate::marks;
use crate::platforms::Platform;
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

/// Returns a table of grades for a platform, with one row for each student whom an archive of it numbers. Of several
/// submissions, the best counts. The grade of a student is empty if a submission could not be judged.
///
/// The columns are those that the platform looks for: Moodle `Identifier`, `Grade` and `Last modified (grade)`
/// (moodle/moodle, `mod/assign/feedback/offline/importgradeslib.php`), Canvas `Student`, `ID`, `Section` and the assignment
/// (instructure/canvas-lms, `lib/gradebook_importer.rb`), Blackboard `Username` and the title (Blackboard Help, "Uploading or
/// Downloading Grade Center Items for Working Offline").
pub fn grade_table(platform: Platform, title: &str, rows: &[Row]) -> String {
    let most = rows.iter().map(|row| row.of).max().unwrap_or_default();
    let mut students: BTreeMap<&str, (&str, Option<u32>)> = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.id.is_empty()) {
        let score = (!row.is_unjudged()).then_some(row.score);
        let best = students.entry(row.id).or_insert((row.student, score));
        best.1 = best.1.zip(score).map(|(one, other)| one.max(other));
    }
    let most = most.to_string();
    let (head, under) = match platform {
        Platform::Moodle => {
            (csv_row(["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)"]), None)
        }
        Platform::Canvas => {
            let head = csv_row(["Student", "ID", "SIS User ID", "SIS Login ID", "Section", title]);
            (head, Some(csv_row(["Points Possible", "", "", "", "", &most])))
        }
        Platform::Blackboard | Platform::Gradescope => {
            (csv_row(["Username", &format!("{title} [Total Pts: {most} Score]")]), None)
        }
    };
    let row = |(id, (student, score)): (&str, (&str, Option<u32>))| {
        let score = score.map(|score| score.to_string()).unwrap_or_default();
        match platform {
            Platform::Moodle => csv_row([&format!("Participant {id}"), student, &score, &most, "-"]),
            Platform::Canvas => csv_row([student, id, "", "", "", &score]),
            Platform::Blackboard | Platform::Gradescope => csv_row([id, &score]),
        }
    };
    let lines = [Some(head), under].into_iter().flatten().chain(students.into_iter().map(row));
    lines.collect::<Vec<_>>().join("\n")
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
