//! Gates and progress, tested with the scripts in `scenarios/*.yaml`.

use crate::support::{quiz_yaml, yaml_files};
use serde::Deserialize;
use std::collections::BTreeMap;
use tutor_course::{Gate, QuizFile};
use tutor_progress::{
    Answer, Attempt, AttemptError, AttemptKind, Begun, Outcome, Outline, OutlineLevel, Store, Try, progress,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    about: String,
    gate: u32,
    levels: Vec<LevelSpec>,
    steps: Vec<Step>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelSpec {
    id: String,
    pages: Vec<String>,
    questions: usize,
    /// Exercises. One of them is required besides the quiz.
    #[serde(default)]
    requires: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Step {
    /// Answers a whole quiz: the first `right` questions correctly, the others wrongly.
    Take {
        level: String,
        #[serde(default = "gate")]
        kind: AttemptKind,
        right: usize,
        #[serde(default)]
        left_out: usize,
        expect: Expected,
    },
    /// Begins or goes on.
    Begin {
        level: String,
        #[serde(default = "gate")]
        kind: AttemptKind,
        finds: Found,
        #[serde(default)]
        at: Option<usize>,
        #[serde(default)]
        answered: Option<usize>,
        #[serde(default)]
        flagged: Option<Vec<String>>,
    },
    /// Answers the question at the position and goes to the next.
    Answer(String),
    /// Answers a question, by slot, without going anywhere.
    Change {
        slot: String,
        to: String,
    },
    Flag {
        slot: String,
        on: bool,
    },
    GoTo(usize),
    Submit(Expected),
    Abandon {},
    /// Ends the program and starts it again.
    Restart {},
    Open {
        level: String,
        page: String,
    },
    Read {
        level: String,
        page: String,
    },
    /// Submits a solution of an exercise.
    Try {
        exercise: String,
        passes: bool,
    },
    /// Changes the course, as the instructor does.
    Edit(Edit),
    Status {
        next: Option<(String, Option<String>)>,
        /// Whether an exercise comes next.
        #[serde(default)]
        exercise: bool,
        #[serde(default)]
        levels: BTreeMap<String, LevelStatus>,
    },
}

fn gate() -> AttemptKind {
    AttemptKind::Gate
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Found {
    New,
    Resumed,
    Stale,
    Locked,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Expected {
    correct: Option<u32>,
    required: Option<u32>,
    passed: Option<bool>,
    unlocked: Option<Vec<String>>,
    /// True if the key is shown.
    because: Option<bool>,
    refused: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Edit {
    Gate(u32),
    /// Inserts a level before the one at this index.
    Insert(usize, LevelSpec),
    RemovePage {
        level: String,
        page: String,
    },
    /// Makes a different choice the correct one in all variants of a slot.
    ChangeKey {
        level: String,
        slot: String,
    },
    Reword {
        level: String,
        slot: String,
    },
    AddSlot {
        level: String,
    },
    Rename {
        level: String,
        to: String,
    },
    /// What a level asks for beside its quiz.
    Require {
        level: String,
        exercises: Vec<String>,
    },
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LevelStatus {
    locked: Option<bool>,
    unlocked_by: Option<String>,
    passed: Option<bool>,
    required: Option<u32>,
    best: Option<(u32, u32)>,
    attempts: Option<u32>,
    read: Option<(u32, u32)>,
    under_way: Option<bool>,
    last_page: Option<String>,
}

struct Stage {
    dir: tempfile::TempDir,
    store: Option<Store>,
    outline: Outline,
    quizzes: BTreeMap<String, QuizFile>,
    attempt: Option<(String, Attempt)>,
}

#[test]
fn every_scenario_plays_as_written() {
    for (name, text) in yaml_files("scenarios") {
        let scenario: Scenario = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut stage = Stage::new(scenario.gate, &scenario.levels);
        for (number, step) in (1..).zip(scenario.steps) {
            stage.play(step, &format!("{name} ({}), step {number}", scenario.about));
        }
    }
}

impl Stage {
    fn new(gate: u32, levels: &[LevelSpec]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Some(Store::open(dir.path()).unwrap());
        let outline = Outline {
            course: "small".into(),
            gate: percent(gate),
            all_open: false,
            exam: String::new(),
            levels: Vec::new(),
        };
        let mut stage = Self { dir, store, outline, quizzes: BTreeMap::new(), attempt: None };
        for level in levels {
            stage.insert(stage.outline.levels.len(), level);
        }
        stage
    }

    fn insert(&mut self, at: usize, level: &LevelSpec) {
        self.quizzes.insert(level.id.clone(), serde_yaml::from_str(&quiz_yaml(&level.id, level.questions)).unwrap());
        self.outline.levels.insert(
            at,
            OutlineLevel {
                id: level.id.clone(),
                title: level.id.clone(),
                pages: level.pages.clone(),
                gated: level.questions > 0,
                questions: level.questions as u32,
                requires: level.requires.clone(),
                ..Default::default()
            },
        );
    }

    fn store(&mut self) -> &mut Store {
        self.store.as_mut().unwrap()
    }

    fn play(&mut self, step: Step, place: &str) {
        match step {
            Step::Take { level, kind, right, left_out, expect } => {
                let (quiz, outline) = (self.quizzes[&level].clone(), self.outline.clone());
                let slots: Vec<String> = quiz.slots.iter().map(|slot| slot.id.value.clone()).collect();
                let taken = self.store().take(&outline, &quiz, kind, None, &|question| {
                    let at = slots.iter().position(|slot| *slot == question.slot).unwrap();
                    let id = if at < right { "right" } else { "slip" };
                    Ok((at < slots.len() - left_out).then(|| Answer::Single(id.into())))
                });
                expect.check(taken, place);
            }
            Step::Begin { level, kind, finds, at, answered, flagged } => {
                let (quiz, outline) = (self.quizzes[&level].clone(), self.outline.clone());
                let (found, attempt) = match self.store().begin(&outline, &quiz, kind, None) {
                    Ok(Begun::New(attempt)) => (Found::New, Some(attempt)),
                    Ok(Begun::Resumed(attempt)) => (Found::Resumed, Some(attempt)),
                    Ok(Begun::Stale(_)) => (Found::Stale, None),
                    Err(AttemptError::Locked { .. }) => (Found::Locked, None),
                    Err(error) => panic!("{place}: {error}"),
                };
                assert_eq!(found, finds, "{place}");
                if let Some(attempt) = &attempt {
                    assert!(at.is_none_or(|at| at == attempt.position), "{place}: at {}", attempt.position);
                    let given =
                        attempt.questions.iter().filter(|question| attempt.answer_to(question).is_some()).count();
                    assert!(answered.is_none_or(|answered| answered == given), "{place}: {given} answered");
                    let marked: Vec<String> = attempt.flagged.iter().cloned().collect();
                    assert!(flagged.is_none_or(|flagged| flagged == marked), "{place}: {marked:?}");
                }
                self.attempt = attempt.map(|attempt| (level, attempt));
            }
            Step::Answer(id) => {
                let (_, mut attempt) = self.attempt.take().unwrap();
                let slot = attempt.current().unwrap().slot.clone();
                let next = attempt.position + 1;
                self.store().answer(&mut attempt, &slot, Answer::Single(id)).unwrap();
                self.store().go_to(&mut attempt, next).unwrap();
                self.attempt = Some((attempt.level.clone(), attempt));
            }
            Step::Change { slot, to } => {
                self.on_attempt(|store, attempt| store.answer(attempt, &slot, Answer::Single(to.clone())));
            }
            Step::Flag { slot, on } => self.on_attempt(|store, attempt| store.flag(attempt, &slot, on)),
            Step::GoTo(position) => self.on_attempt(|store, attempt| store.go_to(attempt, position)),
            Step::Submit(expect) => {
                let (level, attempt) = self.attempt.take().unwrap();
                let (quiz, outline) = (self.quizzes[&level].clone(), self.outline.clone());
                let outcome = self.store().submit(&outline, &quiz, attempt.id);
                if let Ok(outcome) = &outcome {
                    let told = self.store().latest_outcome("small", &level, attempt.kind).unwrap().unwrap();
                    assert_eq!(told, Outcome { unlocked: vec![], ..outcome.clone() }, "{place}: told again");
                }
                self.attempt = Some((level, attempt));
                expect.check(outcome, place);
            }
            Step::Abandon {} => self.on_attempt(|store, attempt| store.abandon(attempt)),
            Step::Restart {} => {
                drop(self.store.take());
                self.store = Some(Store::open(self.dir.path()).unwrap());
                self.attempt = None;
            }
            Step::Open { level, page } => self.store().page_opened("small", &level, &page).unwrap(),
            Step::Read { level, page } => self.store().page_read("small", &level, &page).unwrap(),
            Step::Edit(edit) => self.edit(edit),
            Step::Try { exercise, passes } => {
                let failed = (!passes).then(|| "results".to_owned());
                let tried = Try { answer: String::new(), failed, starred: false };
                self.store().tried("small", &exercise, &tried).unwrap();
            }
            Step::Status { next, exercise, levels } => self.status(next.as_ref(), exercise, &levels, place),
        }
    }

    fn on_attempt(&mut self, act: impl FnOnce(&mut Store, &mut Attempt) -> Result<(), AttemptError>) {
        let (level, mut attempt) = self.attempt.take().unwrap();
        act(self.store(), &mut attempt).unwrap();
        self.attempt = Some((level, attempt));
    }

    fn edit(&mut self, edit: Edit) {
        match edit {
            Edit::Gate(gate) => self.outline.gate = percent(gate),
            Edit::Require { level, exercises } => {
                self.outline.levels.iter_mut().find(|known| known.id == level).unwrap().requires = exercises;
            }
            Edit::Insert(at, level) => self.insert(at, &level),
            Edit::RemovePage { level, page } => {
                let level = self.outline.levels.iter_mut().find(|known| known.id == level).unwrap();
                level.pages.retain(|known| *known != page);
            }
            Edit::ChangeKey { level, slot } => self.edit_slot(&level, &slot, |yaml| {
                yaml.replace("yes it is, correct: true", "no it is not, why: No.")
                    .replace("why: That is the slip of", "correct: true, why:")
            }),
            Edit::Reword { level, slot } => {
                self.edit_slot(&level, &slot, |yaml| yaml.replace("Question", "In other words, question"));
            }
            Edit::AddSlot { level } => {
                let quiz = self.quizzes.get_mut(&level).unwrap();
                let longer: QuizFile = serde_yaml::from_str(&quiz_yaml(&level, quiz.slots.len() + 1)).unwrap();
                quiz.slots.push(longer.slots.last().unwrap().clone());
                self.outline.levels.iter_mut().find(|known| known.id == level).unwrap().questions += 1;
            }
            Edit::Rename { level, to } => {
                let mut quiz = self.quizzes.remove(&level).unwrap();
                quiz.level.value.clone_from(&to);
                self.quizzes.insert(to.clone(), quiz);
                self.outline.levels.iter_mut().find(|known| known.id == level).unwrap().id = to;
            }
        }
    }

    fn edit_slot(&mut self, level: &str, slot: &str, edit: impl Fn(&str) -> String) {
        let quiz = self.quizzes.get_mut(level).unwrap();
        let edited: QuizFile = serde_yaml::from_str(&edit(&quiz_yaml(level, quiz.slots.len()))).unwrap();
        let at = quiz.slots.iter().position(|known| known.id.value == slot).unwrap();
        quiz.slots[at] = edited.slots[at].clone();
    }

    fn status(
        &mut self,
        next: Option<&(String, Option<String>)>,
        exercise: bool,
        levels: &BTreeMap<String, LevelStatus>,
        place: &str,
    ) {
        let record = self.store().record("small").unwrap();
        let progress = progress(&self.outline, &record);
        let found = progress.next.as_ref().map(|next| (next.level.clone(), next.page.clone()));
        assert_eq!(found.as_ref(), next, "{place}: next");
        assert_eq!(progress.next.as_ref().is_some_and(|next| next.exercise), exercise, "{place}: exercise");
        for (id, expected) in levels {
            let level = progress.level(id).unwrap_or_else(|| panic!("{place}: no level {id}"));
            let place = format!("{place}: {id}");
            same(expected.locked, level.locked, &format!("{place} locked"));
            if expected.unlocked_by.is_some() {
                assert_eq!(level.unlocked_by, expected.unlocked_by, "{place} unlocked by");
            }
            same(expected.passed, level.passed, &format!("{place} passed"));
            same(expected.required, level.required, &format!("{place} required"));
            if let Some(best) = expected.best {
                let found = level.best.as_ref().map(|best| (best.correct, best.questions));
                assert_eq!(found, Some(best), "{place} best");
            }
            same(expected.attempts, level.attempts, &format!("{place} attempts"));
            same(expected.read, (level.pages.read, level.pages.total), &format!("{place} read"));
            same(expected.under_way, level.under_way, &format!("{place} under way"));
            if expected.last_page.is_some() {
                assert_eq!(level.last_page, expected.last_page, "{place} last page");
            }
        }
    }
}

impl Expected {
    fn check(&self, outcome: Result<Outcome, AttemptError>, place: &str) {
        let outcome = match (outcome, &self.refused) {
            (Ok(outcome), None) => outcome,
            (Err(error), Some(part)) => return assert!(error.to_string().contains(part), "{place}: {error}"),
            (Ok(_), Some(_)) => panic!("{place}: it was not refused"),
            (Err(error), None) => panic!("{place}: {error}"),
        };
        same(self.correct, outcome.correct, place);
        same(self.required, outcome.required, place);
        same(self.passed, outcome.passed, place);
        if let Some(unlocked) = &self.unlocked {
            assert_eq!(&outcome.unlocked, unlocked, "{place}");
        }
        same(self.because, outcome.items.iter().any(|item| item.because.is_some()), place);
        assert!(
            outcome.items.iter().all(|item| item.correct == item.why.is_none()),
            "{place}: a miss without a reason"
        );
        assert_eq!(outcome.misses().count() as u32 + outcome.correct, outcome.questions, "{place}");
    }
}

fn same<T: PartialEq + Copy + std::fmt::Debug>(expected: Option<T>, found: T, place: &str) {
    if let Some(expected) = expected {
        assert_eq!(found, expected, "{place}");
    }
}

fn percent(percent: u32) -> Gate {
    serde_yaml::from_str(&format!("percent: {percent}")).unwrap()
}
