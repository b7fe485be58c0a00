/*! What follows from the facts: which levels are open, how far each is, what comes next.

A level is open if it is the first, if the gate before it was passed, or if its own was (so that a
level which an instructor puts in between locks nobody out of where they were). A level may ask for
an exercise beside its quiz: its gate is passed with both, unless the quiz was passed when none was asked for. A level without a
quiz has no gate, and opens together with the level after it. The quiz of an open level can be taken without reading a page; that of a locked one cannot, for practice neither. All
pages of an open level can be read at any time.
*/

use super::attempt::AttemptKind;
use jiff::Timestamp;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use tutor_course::{Course, Dates, Gate};

/// What progress needs to know of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The course's id.
    pub course: String,
    /// What passes a level that has no gate of its own.
    pub gate: Gate,
    /// Whether every level is open, whatever was passed.
    pub all_open: bool,
    /// The exam's name, if its quizzes have no keys; else empty.
    pub exam: String,
    /// In the order in which they open.
    pub levels: Vec<OutlineLevel>,
}

/// A level in an [`Outline`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutlineLevel {
    /// Stable id.
    pub id: String,
    /// Shown on the map.
    pub title: String,
    /// Ids of its pages in reading order; empty if its lesson cannot be read.
    pub pages: Vec<String>,
    /// Whether it has a quiz, and so a gate.
    pub gated: bool,
    /// Slots of its quiz; 0 if that cannot be read.
    pub questions: u32,
    /// Exercises of which one is asked for beside the quiz; none if none is.
    pub requires: Vec<String>,
    /// What passes it, if that is not what passes the others.
    pub gate: Option<Gate>,
    /// When its author opens it, and when it is due.
    pub dates: Dates,
}

impl From<&Course> for Outline {
    fn from(course: &Course) -> Self {
        let levels = course.levels.iter().map(|level| OutlineLevel {
            id: level.id.clone(),
            title: level.title.clone(),
            pages: level
                .lesson
                .as_ref()
                .map(|lesson| lesson.pages.iter().map(|page| page.id.value.clone()).collect())
                .unwrap_or_default(),
            gated: level.quiz.is_some(),
            gate: (level.gate != course.gate).then(|| level.gate.clone()),
            dates: level.dates.clone(),
            requires: if level.quiz.is_some() { level.requires.clone() } else { Vec::new() },
            questions: level
                .quiz
                .as_ref()
                .and_then(|quiz| quiz.as_ref().ok())
                .map_or(0, |quiz| quiz.slots.len() as u32),
        });
        Self {
            course: course.id.clone(),
            gate: course.gate.clone(),
            all_open: course.all_open,
            exam: course.exam.clone(),
            levels: levels.collect(),
        }
    }
}

impl Outline {
    /// What passes the level of this id.
    pub fn gate_of(&self, level: &str) -> &Gate {
        let own = self.levels.iter().find(|known| known.id == level).and_then(|level| level.gate.as_ref());
        own.unwrap_or(&self.gate)
    }

    /// A level by its id, or by its number from 1.
    pub fn find(&self, name: &str) -> Option<&OutlineLevel> {
        let by_id = self.levels.iter().find(|level| level.id == name);
        by_id.or_else(|| self.levels.get(name.parse::<usize>().ok()?.checked_sub(1)?))
    }
}

/// The facts of a course that the store holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    /// Submitted attempts, oldest first.
    pub submissions: Vec<Submission>,
    /// Level to the pages that are done.
    pub read: BTreeMap<String, BTreeSet<String>>,
    /// Level to the pages that were ever on the screen.
    pub seen: BTreeMap<String, BTreeSet<String>>,
    /// Level to the page opened last.
    pub opened: BTreeMap<String, String>,
    /// Levels with a gate attempt under way.
    pub under_way: BTreeSet<String>,
    /// Exercises that were passed.
    pub solved: BTreeSet<String>,
}

/// A submitted attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    /// The level's id.
    pub level: String,
    /// Gate or practice.
    pub kind: AttemptKind,
    /// When.
    pub at: Timestamp,
    /// Right answers.
    pub correct: u32,
    /// Questions asked.
    pub questions: u32,
    /// What passed when it was submitted; a later change of the gate takes nothing back.
    pub required: u32,
    /// Whether the level asked for an exercise, too, when it was submitted.
    pub exercise: bool,
}

impl Submission {
    fn passes(&self) -> bool {
        self.kind == AttemptKind::Gate && self.questions > 0 && self.correct >= self.required
    }
}

/// Where a student stands. Field names are those of `status --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// The course's id.
    pub course: String,
    /// What to do next; absent when every gate is passed and every level without one is read.
    pub next: Option<Next>,
    /// One a level, in order.
    pub levels: Vec<LevelProgress>,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Next {
    /// The level's id.
    pub level: String,
    /// The page to read; absent if the gate comes next.
    pub page: Option<String>,
    /// Whether an exercise comes next: the gate's quiz was passed, and the level asks for one beside it.
    pub exercise: bool,
}

/// Where a student stands in a level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelProgress {
    /// The level's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Whether pages and quiz are closed.
    pub locked: bool,
    /// The level whose gate opens this one; absent if it is open.
    pub unlocked_by: Option<String>,
    /// Whether it has a gate.
    pub gated: bool,
    /// Whether its gate was passed, with the exercise that it asks for beside its quiz.
    pub passed: bool,
    /// What it asks for beside its quiz; absent if that is nothing.
    pub requires: Option<Required>,
    /// Right answers that pass.
    pub required: u32,
    /// Questions of its gate.
    pub questions: u32,
    /// Its best gate attempt.
    pub best: Option<Best>,
    /// Its first gate attempt.
    #[serde(skip)]
    pub first: Option<Best>,
    /// Gate attempts submitted.
    pub attempts: u32,
    /// Most gate attempts; absent if there may be any number.
    pub most_attempts: Option<u32>,
    /// Before then no other attempt at its gate begins; absent if one may.
    pub wait_until: Option<Timestamp>,
    /// When its author opens it; absent if nothing is said. Nobody is held to it.
    pub opens: Option<String>,
    /// When it is due; absent if nothing is said. Nobody is held to it.
    pub due: Option<String>,
    /// Whether a gate attempt waits to be gone on with.
    pub under_way: bool,
    /// Pages read.
    pub pages: PagesRead,
    /// The first page that was never opened, else the first that is not done; absent if all are.
    pub next_page: Option<String>,
    /// The page opened last.
    #[serde(skip)]
    pub last_page: Option<String>,
    /// The pages done, by id.
    #[serde(skip)]
    pub read: BTreeSet<String>,
    /// The pages that were ever opened, by id.
    #[serde(skip)]
    pub seen: BTreeSet<String>,
}

/// What a level asks for beside its quiz.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Required {
    /// Exercises of which one must be passed.
    pub exercises: Vec<String>,
    /// Whether one was.
    pub passed: bool,
    /// Whether that is all that is left: the quiz was passed.
    pub left: bool,
}

impl LevelProgress {
    /// Whether only an exercise is left before the next level opens.
    pub fn exercise_left(&self) -> bool {
        self.requires.as_ref().is_some_and(|required| required.left)
    }

    /// Whether nothing is left to do: the gate passed or, where there is none, every page done.
    pub fn done(&self) -> bool {
        if self.gated { self.passed } else { self.next_page.is_none() }
    }

    /// Whether something here is new: a page that was never opened, or the gate once all pages are done.
    fn has_new(&self) -> bool {
        match &self.next_page {
            Some(page) => !self.seen.contains(page),
            None => self.gated && !self.passed,
        }
    }
}

/// A gate attempt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Best {
    /// Right answers.
    pub correct: u32,
    /// Questions asked.
    pub questions: u32,
    /// When, RFC 3339; of the best, when it was first reached.
    pub at: Timestamp,
}

/// How much of a lesson was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PagesRead {
    /// Pages done: read to their end, their question answered, their picture used.
    pub read: u32,
    /// Pages there are.
    pub total: u32,
}

impl Progress {
    /// A level by its id.
    pub fn level(&self, id: &str) -> Option<&LevelProgress> {
        self.levels.iter().find(|level| level.id == id)
    }
}

/// Computes where a student stands.
pub fn progress(outline: &Outline, record: &Record) -> Progress {
    let solved = |level: &OutlineLevel| level.requires.iter().any(|id| record.solved.contains(id));
    let quiz = |level: &OutlineLevel| record.submissions.iter().any(|made| made.level == level.id && made.passes());
    // Who passed when no exercise was asked for has passed.
    let passed = |level: &OutlineLevel| {
        let enough = |made: &&Submission| made.level == level.id && made.passes();
        let done = level.requires.is_empty() || solved(level);
        record.submissions.iter().filter(enough).any(|made| done || !made.exercise)
    };
    // The last gate on the way here that was not passed.
    let mut closed_by: Option<&str> = None;
    let mut levels = Vec::with_capacity(outline.levels.len());
    for level in &outline.levels {
        let own = passed(level);
        let asked = (!level.requires.is_empty()).then(|| Required {
            exercises: level.requires.clone(),
            passed: solved(level),
            left: !own && quiz(level),
        });
        let unlocked_by = closed_by.filter(|_| !own && !outline.all_open).map(str::to_owned);
        levels.push(LevelProgress {
            requires: asked,
            ..level_progress(level, outline.gate_of(&level.id), record, unlocked_by, own)
        });
        if level.gated {
            closed_by = (!own).then_some(level.id.as_str());
        }
    }
    // What is new comes before what was left open, so that an open question never bars the way on.
    let open = || levels.iter().filter(|level| !level.locked && !level.done());
    let next = open().find(|level| level.has_new()).or_else(|| open().next()).map(|level| {
        let page = level.next_page.clone();
        Next { level: level.id.clone(), exercise: page.is_none() && level.exercise_left(), page }
    });
    Progress { course: outline.course.clone(), next, levels }
}

fn level_progress(
    level: &OutlineLevel,
    gate: &Gate,
    record: &Record,
    unlocked_by: Option<String>,
    passed: bool,
) -> LevelProgress {
    let gates: Vec<&Submission> = record
        .submissions
        .iter()
        .filter(|submission| submission.level == level.id && submission.kind == AttemptKind::Gate)
        .collect();
    // By share, for a quiz may have grown; of equals the first.
    let best = gates.iter().copied().reduce(|best, next| {
        let ahead =
            u64::from(next.correct) * u64::from(best.questions) > u64::from(best.correct) * u64::from(next.questions);
        if ahead { next } else { best }
    });
    let told = |made: &Submission| Best { correct: made.correct, questions: made.questions, at: made.at };
    // Pages that an instructor removed do not count.
    let still = |known: Option<&BTreeSet<String>>| -> BTreeSet<String> {
        level.pages.iter().filter(|page| known.is_some_and(|known| known.contains(*page))).cloned().collect()
    };
    let (read, seen) = (still(record.read.get(&level.id)), still(record.seen.get(&level.id)));
    let fresh = level.pages.iter().find(|page| !read.contains(*page) && !seen.contains(*page));
    let open = || level.pages.iter().find(|page| !read.contains(*page));
    LevelProgress {
        id: level.id.clone(),
        title: level.title.clone(),
        locked: unlocked_by.is_some(),
        unlocked_by,
        gated: level.gated,
        passed,
        requires: None,
        required: gate.required(level.questions),
        questions: level.questions,
        best: best.map(told),
        first: gates.first().copied().map(told),
        attempts: gates.len() as u32,
        most_attempts: gate.most_attempts(),
        wait_until: gates
            .last()
            .zip(gate.waits())
            .and_then(|(last, wait)| last.at.checked_add(wait).ok())
            .filter(|_| !passed),
        opens: Some(level.dates.opens.clone()).filter(|text| !text.is_empty()),
        due: Some(level.dates.due.clone()).filter(|text| !text.is_empty()),
        under_way: record.under_way.contains(&level.id),
        pages: PagesRead { read: read.len() as u32, total: level.pages.len() as u32 },
        next_page: fresh.or_else(open).cloned(),
        last_page: record.opened.get(&level.id).filter(|page| level.pages.contains(page)).cloned(),
        read,
        seen,
    }
}
