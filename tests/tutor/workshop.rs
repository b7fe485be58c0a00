//! The workshop in the real binary, with the real worker.

use crate::pty::Pty;
use crate::start;
use crate::store::count;
use matmul_tutor::course::CourseSource;
use matmul_tutor::kernels::Catalog;
use matmul_tutor::workshop::{Exercise, Work, read};
use std::path::Path;

fn exercises() -> Vec<Exercise> {
    read(&CourseSource::BuiltIn, Catalog::built_in()).0
}

/// The list, its cursor on an exercise of the first level.
fn at(tutor: &mut Pty, title: &str) {
    tutor.wait_for("Workshop: ");
    tutor.keys("w");
    tutor.wait_for(title);
    for _ in 0..20 {
        let here = tutor.screen().lines().any(|row| row.contains('▸') && row.contains(title));
        if here {
            return;
        }
        tutor.keys("\u{1b}[B");
        tutor.settle();
    }
    panic!("no {title}:\n{}", tutor.screen());
}

fn tutor(data: &Path) -> Pty {
    start(&["--data".to_owned(), data.display().to_string()], 80, 24)
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
    at(&mut tutor, &exercise.title);
    tutor.keys("\r");
    // The symptoms come from the machine.
    tutor.wait_for("✘ results");
    tutor.keys(&"\u{1b}[B".repeat(faulty + 1));
    tutor.wait_for(&format!("▸{:>3} │", repair.lines[0]));
    tutor.keys("\r");
    tutor.wait_for("What cures it?");
    tutor.keys(&letter(false));
    tutor.keys("\r");
    tutor.wait_for("Not yet");
    tutor.wait_for("tried once");
    assert_eq!(count(data.path(), "tries WHERE failed IS NOT NULL"), 1);
    tutor.keys("\r");
    tutor.wait_for("Which line is at fault?");
    tutor.keys("\r");
    tutor.keys(&letter(true));
    tutor.keys("\r");
    tutor.wait_for("─ Passed ─");
    tutor.wait_for("✔ counts");
    tutor.wait_for("✔ passed");
    assert_eq!(count(data.path(), "tries WHERE failed IS NULL"), 1);
    tutor.keys("\u{1b}\u{1b}");
    tutor.wait_for("1 of");
    tutor.keys("\u{3}");
    assert_eq!(tutor.wait_end(), 0);

    let mut again = self::tutor(data.path());
    again.wait_for("Workshop: 1 of");
    again.keys("\u{3}");
    assert_eq!(again.wait_end(), 0);
}
