//! The workshop in the real binary, with the real worker.

use crate::pty::Pty;
use crate::shared::copy;
use crate::store::count;
use crate::{past_the_question, start};
use std::path::Path;
use tutor_course::CourseSource;
use tutor_exercises::{Exercise, Work, read};
use tutor_kernels::Catalog;

fn exercises() -> Vec<Exercise> {
    read(&CourseSource::BuiltIn, Catalog::built_in()).0
}

/// The list, its cursor on an exercise of the first two levels.
pub(crate) fn at(tutor: &mut Pty, title: &str) {
    tutor.wait_for("Workshop: ");
    tutor.keys("w").wait_for(title);
    for _ in 0..20 {
        let here = tutor.screen().lines().any(|row| row.contains('▸') && row.contains(title));
        if here {
            return;
        }
        tutor.keys("\u{1b}[B").settle();
    }
    panic!("no {title}:\n{}", tutor.screen());
}

fn tutor(data: &Path) -> Pty {
    start(&["--data".to_owned(), data.display().to_string()], 80, 24)
}

/// The built-in course without a gate, so that every exercise is open from the beginning.
fn open_course(dir: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["modules", "quizzes", "kernels", "assets/ptx/exercises"] {
        copy(&root.join(folder), &dir.join(folder));
    }
    let file = dir.join("modules/course.yaml");
    let course = std::fs::read_to_string(&file).unwrap();
    let kept = course.lines().filter(|line| !line.contains("quiz:") && !line.contains("requires:"));
    std::fs::write(file, kept.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
}

/// The number of the line of code that the cursor is on.
fn chosen_line(tutor: &Pty) -> Option<u32> {
    let screen = tutor.screen();
    let row = screen.lines().find(|row| row.trim_start().starts_with('▸') && row.contains(['│', '▌']))?;
    row.trim_start_matches([' ', '▸', '⋮']).split_whitespace().next()?.parse().ok()
}

/// Types the correct answer: the line at fault and its cure, or the solution's own fillings.
fn answer(tutor: &mut Pty, exercise: &Exercise) {
    match &exercise.work {
        Work::Repair(repair) => {
            tutor.wait_for("Which line is at fault?");
            tutor.wait_until("the broken kernel has run", |tutor| tutor.screen().contains('✘'));
            let code = repair.broken.lines(None).filter(|(_, text)| !text.trim().is_empty());
            let lines: Vec<u32> = code.map(|(number, _)| number).collect();
            let place = |line: u32| lines.iter().position(|number| *number == line).unwrap();
            // The cursor begins where the code is shown, and goes round.
            tutor.keys("\u{1b}[B");
            tutor.wait_until("a line is chosen", |tutor| chosen_line(tutor).is_some());
            let from = place(chosen_line(tutor).unwrap());
            let steps = (place(repair.lines[0]) + lines.len() - from) % lines.len();
            tutor.keys(&"\u{1b}[B".repeat(steps));
            tutor.wait_until("the line at fault is chosen", |tutor| chosen_line(tutor) == Some(repair.lines[0]));
            tutor.keys("\r").wait_for("Which change fixes it?");
            let cure = repair.cures.iter().position(|cure| cure.fails.is_none()).unwrap();
            tutor.keys(&char::from(b'a' + cure as u8).to_string());
            tutor.keys("\r");
        }
        Work::Fill(fill) => {
            tutor.wait_until("the holes are listed", |tutor| tutor.screen().contains(&fill.holes[0].id));
            for hole in &fill.holes {
                let own = hole.fillings.iter().position(|(id, ..)| id == hole.own()).unwrap();
                tutor.keys(&"\u{1b}[B".repeat(own + 1));
                tutor.keys("\t");
            }
            tutor.keys("\r");
        }
        Work::Write(_) => {}
    }
}

/// In the course's order, as the list has them; each is opened from the one before.
#[test]
#[ignore = "takes minutes: .ci/run runs it"]
fn every_repair_and_every_fill_in_is_passed_one_after_the_other() {
    let (course, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    open_course(course.path());
    let arg = |path: &Path| path.display().to_string();
    let arguments = ["--course".to_owned(), arg(course.path()), "--data".to_owned(), arg(data.path())];
    let chosen = |exercise: &&Exercise| !matches!(exercise.work, Work::Write(_));
    let all = exercises();
    let mut tutor = start(&arguments, 80, 24);
    past_the_question(&mut tutor);
    let mut passed = 0;
    for exercise in all.iter().filter(chosen) {
        tutor.wait_for("Workshop: ");
        tutor.keys("w").wait_for(&format!("of {} passed\n", all.len()));
        for _ in 0..all.len() {
            tutor.settle();
            if tutor.screen().lines().any(|row| row.contains('▸') && row.contains(&exercise.title)) {
                break;
            }
            tutor.keys("\u{1b}[B");
        }
        tutor.keys("\r").wait_for(&format!(" {}", exercise.title));
        answer(&mut tutor, exercise);
        tutor.wait_for("─ ✔ Passed");
        passed += 1;
        tutor.wait_until("it is kept", |_| count(data.path(), "tries WHERE failed IS NULL") == passed);
        // Two at once would be a key of their own.
        tutor.keys("\u{1b}").wait_for(&format!("{passed} of {} passed\n", all.len()));
        tutor.keys("\u{1b}").wait_for(&format!("Workshop: {passed} of {}", all.len()));
    }
    assert!(passed >= 39, "{passed}");
    tutor.leave("\u{3}");
}

#[test]
fn a_broken_kernel_is_run_and_repaired_first_wrongly_then_rightly_and_stays_repaired() {
    let data = tempfile::tempdir().unwrap();
    let all = exercises();
    let exercise = all.iter().find(|exercise| exercise.id == "fresh-memory").unwrap();
    let Work::Repair(repair) = &exercise.work else { panic!() };
    let lines: Vec<u32> =
        repair.broken.lines(None).filter(|(_, text)| !text.trim().is_empty()).map(|(number, _)| number).collect();
    let faulty = lines.iter().position(|line| *line == repair.lines[0]).unwrap();
    let letter = |wanted: bool| {
        let at = repair.cures.iter().position(|cure| cure.fails.is_none() == wanted).unwrap();
        char::from(b'a' + at as u8).to_string()
    };
    let mut tutor = tutor(data.path());
    past_the_question(&mut tutor);
    at(&mut tutor, &exercise.title);
    tutor.keys("\r");
    // The symptoms come from the machine.
    tutor.wait_for("✘ results");
    tutor.keys(&"\u{1b}[B".repeat(faulty + 1)).wait_for(&format!("▸{:>3} │", repair.lines[0]));
    tutor.keys("\r").wait_for("Which change fixes it?");
    tutor.keys(&letter(false));
    tutor.keys("\r").wait_for("Not yet").wait_for("tried once");
    assert_eq!(count(data.path(), "tries WHERE failed IS NOT NULL"), 1);
    tutor.keys("\r").wait_for("Which line is at fault?");
    tutor.keys("\r").wait_for("Which change fixes it?");
    tutor.keys(&letter(true));
    tutor.keys("\r").wait_for("─ ✔ Passed").wait_for("✔ counts").wait_for("✔ passed");
    assert_eq!(count(data.path(), "tries WHERE failed IS NULL"), 1);
    tutor.keys("\u{1b}\u{1b}").wait_for("1 of");
    tutor.leave("\u{3}");

    let mut again = self::tutor(data.path());
    again.wait_for("Workshop: 1 of");
    again.leave("\u{3}");
}
