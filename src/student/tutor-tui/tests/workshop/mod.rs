//! The workshop: the list, and an exercise of each kind from the start to the solution.

mod looks;
mod places;
mod verdicts;

use super::drive::Driver;
use crate::app::FolderEvent;
use crate::effect::FolderCommand;
use crate::prelude::*;
use places::open;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tutor_course::CourseSource;
use tutor_exec::judge::Verdict;
use tutor_exec::protocol::{Description, Device, DeviceKind, ExecError, ExecErrorKind, Reply};
use tutor_exercises::{Exercise, Work};
use tutor_progress::{AttemptKind, Outline, Record, Submission, progress};
use tutor_support::words::Sentence;
use verdicts::{race, slow, wrong};

const REPAIR: &str = "good-advice";
const FILL: &str = "meet-twice";
const WRITE: &str = "load-a-tile";

impl Driver {
    /// Opens an exercise from the list.
    pub(super) fn open_exercise(&mut self, id: &str) -> &mut Self {
        let at = self.model.data.exercises.iter().position(|exercise| exercise.id == id).unwrap();
        self.press("w");
        let Some(Screen::Workshop(workshop)) = self.model.screens.last_mut() else { panic!("no list") };
        workshop.cursor = at;
        self.press("<Enter>")
    }

    fn exercise(&self, id: &str) -> Exercise {
        self.model.data.exercise(id).unwrap().clone()
    }

    /// Sends the requested pack, in which every text is its own name.
    pub(super) fn unpack(&mut self, id: &str) -> &mut Self {
        assert!(self.pending.contains(&Effect::Unpack(id.to_owned())), "{:?}", self.pending);
        self.pending.clear();
        let names = self.exercise(id).choices().into_iter().map(|(name, _)| (name.clone(), name));
        let texts = Ok(Arc::new(names.collect::<BTreeMap<_, _>>()));
        self.send(Msg::Unpacked { exercise: id.to_owned(), texts });
        self
    }

    /// Returns the id and the text of the request to the judge.
    fn asked(&mut self) -> (u64, String) {
        let judged = self.pending.iter().find_map(|effect| match effect {
            Effect::Judge(request) => Some((request.id, request.program.ptx.clone().unwrap_or_default())),
            _ => None,
        });
        let (id, text) = judged.unwrap_or_else(|| panic!("nothing is to be judged: {:?}", self.pending));
        self.pending.clear();
        (id, text.to_string())
    }

    /// Answers the request to the judge with a verdict. Returns the judged text.
    fn judge(&mut self, verdict: Verdict) -> String {
        let (id, name) = self.asked();
        self.send(Msg::Worker(Reply::Judged { id, judged: verdict.into() }));
        self.send(Msg::Worker(Reply::Finished { id, cancelled: false }));
        self.text();
        name
    }

    fn saved(&mut self, id: &str, text: &str) {
        let event = FolderEvent::Saved(Ok(text.to_owned()));
        self.send(Msg::Folder {
            exercise: id.to_owned(),
            file: PathBuf::from("/home/student/load-a-tile/load-a-tile.cu"),
            event,
        });
    }

    fn begun(&mut self, id: &str) -> &mut Self {
        self.press("<Enter>");
        let starter = match self.exercise(id).work {
            Work::Write(write) => write.starter,
            _ => panic!(),
        };
        self.saved(id, &starter);
        self
    }
}

/// Opens a repair whose broken kernel has been judged.
fn repair(size: (u16, u16)) -> Driver {
    let mut driver = Driver::all_open(size);
    driver.open_exercise(REPAIR).unpack(REPAIR);
    assert_eq!(driver.judge(slow()), "broken");
    driver
}

/// Returns the number of the first line with this text.
fn line_of(source: &str, text: &str) -> u32 {
    (1..).zip(source.lines()).find(|(_, line)| line.contains(text)).unwrap().0
}

/// Moves the cursor to a line that is at fault, and returns the line.
fn point_at_fault(driver: &mut Driver) -> u32 {
    let exercise = driver.exercise(REPAIR);
    let Work::Repair(work) = &exercise.work else { panic!() };
    point(driver, work.lines[0]);
    work.lines[0]
}

/// Moves the cursor of a repair to a line.
fn point(driver: &mut Driver, line: u32) {
    driver.press("<Down>");
    for _ in 0..200 {
        let at = driver.model.data.drafts.get("exercise:good-advice").unwrap();
        let at: u32 = at.lines().next().unwrap().strip_prefix("line: ").unwrap().parse().unwrap();
        match at.cmp(&line) {
            std::cmp::Ordering::Less => driver.press("<Down>"),
            std::cmp::Ordering::Equal => return,
            std::cmp::Ordering::Greater => driver.press("<Up>"),
        };
    }
    panic!("no line {line}");
}

#[test]
fn the_broken_kernel_is_run_first_and_is_no_try() {
    let mut driver = repair((80, 24));
    driver.sees(&["Which line is at fault?"]);
    driver.press("z").sees(&["shared memory takes 12 wavefronts"]);
    assert!(driver.model.data.worked.is_empty());
}

#[test]
fn line_and_cure_are_run_together_and_kept() {
    let mut driver = repair((80, 24));
    let exercise = driver.exercise(REPAIR);
    let Work::Repair(work) = &exercise.work else { panic!() };
    point(&mut driver, work.lines[0]);
    let wrong = work.cures.iter().position(|cure| cure.fails.is_some()).unwrap();
    driver.press("<Enter>").press(&char::from(b'a' + wrong as u8).to_string()).press("<Enter>");
    assert_eq!(driver.judge(slow()), work.cures[wrong].id);
    let text = driver.press("z").text();
    assert!(text.contains("1 try is kept.") && text.contains(&work.cures[wrong].why[..20]), "{text}");
    // The second try is correct.
    driver.press("<Enter>");
    point(&mut driver, work.lines[0]);
    let right = work.cures.iter().position(|cure| cure.fails.is_none()).unwrap();
    driver.press("<Enter>").press(&char::from(b'a' + right as u8).to_string()).press("<Enter>");
    assert_eq!(driver.judge(Verdict::Passed), work.cures[right].id);
    let worked = driver.model.data.worked(REPAIR);
    assert_eq!((worked.tries, worked.passed), (2, true));
    let kept = driver.store.tries(&driver.model.data.course.id, REPAIR, 9).unwrap();
    assert_eq!(kept[0].answer, format!("line: {}\ncure: {}\n", work.lines[0], work.cures[right].id));
    assert_eq!((kept[0].failed.as_deref(), kept[1].failed.as_deref()), (None, Some("counts")));
}

#[test]
fn a_wrong_line_does_not_show_the_cures_of_the_right_one() {
    let mut driver = repair((80, 24));
    point(&mut driver, 1);
    driver.press("<Enter>").sees(&[&t!("exercise-line-wrong", line = 1), "Which line is at fault?"]);
    assert!(!driver.model.actions().contains(&Action::RunChoice));
}

#[test]
fn what_is_chosen_survives_leaving() {
    let mut driver = repair((80, 24));
    let line = point_at_fault(&mut driver);
    // A choice is shown even if only the code was.
    driver.press("<Enter>zzb").sees(&["▸ b  ●"]).press("<Esc><Esc>");
    assert!(matches!(driver.model.screens.last(), Some(Screen::Workshop(_))));
    driver.press("<Enter>").press("<Enter>");
    let chosen = driver.text();
    assert!(chosen.contains("▸ b  ●") || chosen.contains("What cures it?"), "{chosen}");
    assert_eq!(driver.model.data.drafts["exercise:good-advice"].lines().next(), Some(format!("line: {line}").as_str()));
}

#[test]
fn holes_are_filled_and_run_together() {
    let mut driver = Driver::all_open((80, 24));
    driver.open_exercise(FILL);
    driver.sees(&["3 are empty"]);
    driver.press("<Down><Down><Down><Tab><Down><Tab><Up>");
    driver.sees(&["⏎ runs it"]);
    driver.press("<Enter>").unpack(FILL);
    assert_eq!(driver.judge(Verdict::Passed), "block+block+sixteen");
    assert!(driver.model.data.worked(FILL).passed);
    // Then the worker estimates its time, which decides nothing.
    let request = driver.pending.iter().find_map(|effect| match effect {
        Effect::StarLaunch(request) if request.only_estimates() => Some(request.clone()),
        _ => None,
    });
    let id = request.unwrap().id;
    driver.sees(&[&t!("workshop-estimating")]);
    let estimated = Err("No block fits on a multiprocessor.".into());
    driver.send(Msg::Worker(Reply::Estimated { id, program: 0, device: "NVIDIA H100".into(), estimated }));
    driver.send(Msg::Worker(Reply::Finished { id, cancelled: false }));
    driver.lacks(&[&t!("workshop-estimated"), "No block fits on a", "estimating"]);
    assert!(driver.model.actions().contains(&Action::NextExercise));
    assert!(!driver.model.actions().contains(&Action::Hint));
}

#[test]
fn a_file_is_made_watched_and_judged_at_each_save() {
    let mut driver = Driver::all_open((120, 40));
    driver.open_exercise(WRITE);
    let watch = |command| Effect::Folder { exercise: WRITE.into(), dir: None, command };
    assert!(driver.pending.contains(&watch(FolderCommand::Watch)), "{:?}", driver.pending);
    driver.press("<Enter>");
    assert!(driver.pending.contains(&watch(FolderCommand::Start)), "{:?}", driver.pending);
    driver.begun(WRITE);
    // The starter code is not judged.
    assert!(!driver.pending.iter().any(|effect| matches!(effect, Effect::Unpack(_) | Effect::Compile(_))));
    driver.saved(WRITE, "int first;\n");
    driver.unpack(WRITE);
    let Some(Effect::Compile(request)) = driver.pending.first().cloned() else { panic!("{:?}", driver.pending) };
    assert_eq!((request.file.as_str(), request.source.as_str()), ("load-a-tile.cu", "int first;\n"));
    let message = "load-a-tile.cu(1): error: there is nothing in it".to_owned();
    let error = ExecError::new(ExecErrorKind::Compile, message);
    driver.send(Msg::Worker(Reply::Failed { id: request.id, error }));
    driver.sees(&["✘ compiles", "◂ here"]);
    // The next save replaces the source that is being judged.
    driver.pending.clear();
    driver.saved(WRITE, "int second;\n");
    driver.saved(WRITE, "int third;\n");
    assert!(driver.pending.iter().any(|effect| matches!(effect, Effect::CancelLaunch(_))));
    let last = driver.pending.iter().rev().find_map(|effect| match effect {
        Effect::Compile(request) => Some(request.clone()),
        _ => None,
    });
    let id = last.unwrap().id;
    driver.pending.clear();
    driver.send(Msg::Worker(Reply::Compiled { id, compiled: "third %clock64".to_owned().into() }));
    assert_eq!(driver.judge(wrong()), "third %clock64");
    driver.sees(&["The kernel reads a clock"]);
    let kept = driver.store.tries(&driver.model.data.course.id, WRITE, 9).unwrap();
    assert_eq!(kept.iter().map(|tried| tried.answer.as_str()).collect::<Vec<_>>(), ["int third;\n", "int first;\n"]);
    driver.press("d").sees(&["- int first;", "+ int third;"]);
    driver.press("<Esc>e");
    let edit = driver.pending.iter().any(|effect| matches!(effect, Effect::EditOwn { line: 1, .. }));
    assert!(edit, "{:?}", driver.pending);
    driver.press("r");
    let here = Some(PathBuf::from("/home/student/load-a-tile"));
    let reset = Effect::Folder { exercise: WRITE.into(), dir: here, command: FolderCommand::Reset };
    assert!(driver.pending.contains(&reset), "{:?}", driver.pending);
    driver.press("<Esc>");
    assert!(driver.pending.contains(&Effect::LeaveFolder));
}

#[test]
fn without_a_compiler_a_sentence_says_what_to_do() {
    let mut driver = Driver::all_open((80, 24));
    driver.open_exercise(WRITE).begun(WRITE);
    driver.saved(WRITE, "int first;\n");
    driver.unpack(WRITE);
    let Some(Effect::Compile(request)) = driver.pending.first().cloned() else { panic!("{:?}", driver.pending) };
    let error = ExecError::new(ExecErrorKind::NoDevice, "NVRTC was not found.");
    driver.send(Msg::Worker(Reply::Failed { id: request.id, error }));
    driver.sees(&[&t!("workshop-not-judged")]);
    assert_eq!(driver.model.data.worked(WRITE).tries, 0);
    // The compiler has been installed meanwhile, and a new worker has found it.
    driver.pending.clear();
    driver.send(Msg::Worker(Reply::Description(described(Err("none".into())))));
    assert_eq!(driver.pending, []);
    driver.sees(&["judging needs a compiler"]);
    driver.send(Msg::Worker(Reply::Description(described(Ok("12.0".into())))));
    let again =
        driver.pending.iter().any(|effect| matches!(effect, Effect::Compile(again) if again.source == "int first;\n"));
    assert!(again, "{:?}", driver.pending);
}

fn described(nvrtc: Result<String, Sentence>) -> Description {
    Description { nvrtc, ..Device::named(DeviceKind::Emulator, "SIMT emulator").into() }
}

#[test]
fn hints_open_one_by_one_for_what_went_wrong_and_then_the_solution() {
    let mut driver = repair((120, 40));
    let exercise = driver.exercise(REPAIR);
    let solution = Action::Solution;
    // The hint for this failure comes first.
    let (fitting, others): (Vec<_>, Vec<_>) = exercise.hints.iter().partition(|hint| hint.when.is_some());
    assert!(!fitting.is_empty() && !others.is_empty());
    for (at, hint) in fitting.into_iter().chain(others).enumerate() {
        assert!(!driver.model.actions().contains(&solution));
        driver.press("h");
        let words: String = hint.text.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        assert!(driver.text().contains(&words), "{}", driver.text());
        assert_eq!(driver.model.data.worked(REPAIR).hints.len(), at + 1);
    }
    assert!(!driver.model.actions().contains(&Action::Hint));
    driver.press("s").sees(&["A_tile[TILE][TILE];", "what comes next"]);
    driver.press("s");
    driver.sees(&["Which line is at fault?"]);
}

#[test]
fn a_try_counts_as_kept_once_the_store_says_so() {
    let mut driver = repair((80, 24));
    point_at_fault(&mut driver);
    driver.press("<Enter>b<Enter>");
    let (id, _) = driver.asked();
    let effects = crate::app::update(&mut driver.model, Msg::Worker(Reply::Judged { id, judged: slow().into() }));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Store(crate::effect::StoreRequest::Tried { .. }))));
    driver.press("z").sees(&["Judged in"]).lacks(&["kept"]);
    assert!(!driver.model.saving.is_empty());
}

#[test]
fn a_page_offers_an_exercise_and_shows_how_far_it_is() {
    let mut driver = Driver::all_open((80, 24));
    let data = &mut driver.model.data;
    let mut course = (*data.course).clone();
    let level = course.levels.iter_mut().find(|level| level.id == "shared-tiling").unwrap();
    let page = level.lesson.as_mut().unwrap().pages.last_mut().unwrap();
    (page.predict, page.why, page.recall) = (None, None, Vec::new());
    page.show = Some(tutor_course::Show::Exercise(REPAIR.to_owned().into()));
    let at = crate::app_data::pages(level).len() - 1;
    data.course = Arc::new(course);
    driver.open_page(1, at);
    driver.press("<Tab>").sees(&["repair  Good advice", "new"]);
    driver.press("<Enter>").unpack(REPAIR);
    driver.judge(slow());
    point_at_fault(&mut driver);
    driver.press("<Enter>b<Enter>");
    driver.judge(slow());
    driver.press("<Esc>");
    driver.sees(&["tried once"]);
}

#[test]
fn a_hazard_opens_the_stepper_with_its_witness_and_judging_goes_on_below_it() {
    let id = "monday-tuesday";
    let mut driver = open(id, (120, 40));
    driver.unpack(id);
    let broken = match driver.exercise(id).work {
        Work::Repair(repair) => repair.broken.text().to_owned(),
        _ => panic!(),
    };
    assert!(!driver.model.actions().contains(&Action::Stepper));
    driver.judge(race("monday-tuesday.cu", ["B_tile[ty][tx] =", "sum +="].map(|part| line_of(&broken, part))));
    driver.press("p");
    assert!(matches!(driver.model.screens.last(), Some(Screen::Picture(_))));
    let witness = driver.pending.iter().find_map(|effect| match effect {
        Effect::Witness(request) => Some((request.kernel.ptx.clone(), request.correct.ptx.clone())),
        _ => None,
    });
    assert_eq!(witness, Some((Some("broken".into()), Some("block".into()))));
    driver.press("<Esc>");
    assert!(matches!(driver.model.screens.last(), Some(Screen::Exercise(_))));
}

#[test]
fn the_last_exercise_that_a_level_asks_for_opens_the_next_level_and_says_so() {
    let mut driver = Driver::of(&CourseSource::BuiltIn, (80, 24));
    let outline = Outline::from(&*driver.model.data.course);
    let passed = |level: &str| Submission {
        level: level.to_owned(),
        kind: AttemptKind::Gate,
        at: jiff::Timestamp::UNIX_EPOCH,
        correct: 8,
        questions: 8,
        required: 7,
        exercise: true,
    };
    let mut record = Record { submissions: vec![passed("one-thread"), passed("shared-tiling")], ..Record::default() };
    for level in &outline.levels[..2] {
        record.read.insert(level.id.clone(), level.pages.iter().cloned().collect());
    }
    driver.send(Msg::Progress(Box::new(progress(&outline, &record))));
    driver.sees(&[&t!("map-exercise-left")]);
    driver.sees(&["Next: any exercise of level 2"]);
    driver.press("n");
    driver.sees(&["▸   repair   A faster barrier"]);
    driver.press("<Esc>").open_exercise(FILL);
    record.solved.insert(FILL.to_owned());
    driver.send(Msg::Progress(Box::new(progress(&outline, &record))));
    driver.sees(&[&t!("workshop-opened", level = 3, title = "Register blocking")]);
}
