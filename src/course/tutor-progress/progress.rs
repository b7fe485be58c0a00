/*! Computes from the facts which levels are open, the progress in each, and the next step.

A level is open if it is the first, or if the gate before it or its own gate was passed. So a level that an instructor
inserts locks no student out. A level may require an exercise in addition to its quiz. Its gate then needs both, unless
the quiz was passed before the exercise was required. A level without a quiz has no gate, and opens together with the
next one. Students can take the quiz of an open level without reading a page, and can read all its pages at any time.
The quiz of a locked level cannot be taken, not even for practice.
*/

use super::attempt::AttemptKind;
use jiff::Timestamp;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use tutor_course::{Course, Gate, Level};

/// The parts of a course that progress depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    pub course: String,
    /// The gate of levels that have no separate one.
    pub gate: Gate,
    /// True if every level is open regardless of progress.
    pub all_open: bool,
    /// The exam's name if the quizzes have no keys, else empty.
    pub exam: String,
    /// In the order in which they open.
    pub levels: Vec<OutlineLevel>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutlineLevel {
    pub id: String,
    /// Title on the map.
    pub title: String,
    /// Ids of its pages that count, in reading order; empty if its lesson cannot be read.
    pub pages: Vec<String>,
    /// Ids of its optional pages.
    pub optional: Vec<String>,
    /// True if it has a quiz and thus a gate.
    pub gated: bool,
    /// Number of slots in its quiz; 0 if the quiz cannot be read.
    pub questions: u32,
    /// Exercises, one of them required in addition to the quiz; empty if none is required.
    pub requires: Vec<String>,
    /// Its gate, if it differs from that of the course.
    pub gate: Option<Gate>,
}

/// Returns the ids of a level's optional pages, or of all others.
fn ids(level: &Level, optional: bool) -> Vec<String> {
    level.pages().iter().filter(|page| page.optional == optional).map(|page| page.id.value.clone()).collect()
}

impl From<&Course> for Outline {
    fn from(course: &Course) -> Self {
        let levels = course.levels.iter().map(|level| OutlineLevel {
            id: level.id.clone(),
            title: level.title.clone(),
            pages: ids(level, false),
            optional: ids(level, true),
            gated: level.quiz.is_some(),
            gate: (level.gate != course.gate).then(|| level.gate.clone()),
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
            // Nothing in an exam is graded, so no gate of it can open a level.
            all_open: course.all_open || !course.exam.is_empty(),
            exam: course.exam.clone(),
            levels: levels.collect(),
        }
    }
}

impl Outline {
    /// Returns the number and the title of the level with this id: `2 (Tiling)`.
    pub(crate) fn named(&self, level: &str) -> String {
        let found = self.levels.iter().zip(1..).find(|(known, _)| known.id == level);
        found.map_or_else(|| level.to_owned(), |(known, number)| format!("{number} ({})", known.title))
    }

    /// Returns the gate of the level with this id.
    pub fn gate_of(&self, level: &str) -> &Gate {
        let own = self.levels.iter().find(|known| known.id == level).and_then(|level| level.gate.as_ref());
        own.unwrap_or(&self.gate)
    }

    /// Returns a level by its id, or by its number from 1.
    pub fn find(&self, name: &str) -> Option<&OutlineLevel> {
        let by_id = self.levels.iter().find(|level| level.id == name);
        by_id.or_else(|| self.levels.get(name.parse::<usize>().ok()?.checked_sub(1)?))
    }
}

/// The facts of a course in the store.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    /// Submitted attempts, oldest first.
    pub submissions: Vec<Submission>,
    /// Maps levels to the pages that are done.
    pub read: BTreeMap<String, BTreeSet<String>>,
    /// Maps levels to the pages that were ever shown.
    pub seen: BTreeMap<String, BTreeSet<String>>,
    /// Maps levels to the page opened last.
    pub opened: BTreeMap<String, String>,
    /// Levels with a gate attempt in progress.
    pub under_way: BTreeSet<String>,
    pub solved: BTreeSet<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    pub level: String,
    pub kind: AttemptKind,
    pub at: Timestamp,
    pub correct: u32,
    pub questions: u32,
    /// Number of correct answers that passed at that time; a later change of the gate has no effect.
    pub required: u32,
    /// True if the level also required an exercise at that time.
    pub exercise: bool,
}

impl Submission {
    /// True if it counts in this course. An exam stores its attempts without a requirement. They count only there, and
    /// no other attempt does.
    fn counts(&self, outline: &Outline) -> bool {
        (self.required == 0) != outline.exam.is_empty()
    }

    fn passes(&self) -> bool {
        self.kind == AttemptKind::Gate && self.questions > 0 && self.correct >= self.required
    }
}

/// A student's progress. The field names are those of `status --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    pub course: String,
    /// The next step; absent if every gate is passed, every level without a gate is read, and no attempt at an exam is
    /// open.
    pub next: Option<Next>,
    /// One entry per level, in order.
    pub levels: Vec<LevelProgress>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Next {
    pub level: String,
    /// The page to read; absent if the gate is next.
    pub page: Option<String>,
    /// True if an exercise is next: the quiz of the gate was passed, and the level also requires an exercise.
    pub exercise: bool,
}

/// A student's progress in a level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelProgress {
    pub id: String,
    pub title: String,
    /// True if pages and quiz are locked.
    pub locked: bool,
    /// The level whose gate opens this one; absent if it is open.
    pub unlocked_by: Option<String>,
    /// True if it has a gate.
    pub gated: bool,
    /// True if its gate was passed, with the required exercise.
    pub passed: bool,
    /// The requirement in addition to the quiz; absent if there is none.
    pub requires: Option<Required>,
    /// Number of correct answers that pass.
    pub required: u32,
    /// Number of questions of its gate.
    pub questions: u32,
    pub best: Option<Best>,
    /// Its first gate attempt.
    #[serde(skip)]
    pub first: Option<Best>,
    /// Number of submitted gate attempts.
    pub attempts: u32,
    /// Maximum number of gate attempts; absent if there is no limit.
    pub most_attempts: Option<u32>,
    /// No gate attempt may begin before this time; absent if one may begin now.
    pub wait_until: Option<Timestamp>,
    /// True if a gate attempt is in progress.
    pub under_way: bool,
    pub pages: PagesRead,
    /// The page that was opened last, if it is not done. Else the first that was never opened, or else the first that is
    /// not done; absent if all pages are done.
    pub next_page: Option<String>,
    /// True if the level has something new: a page that was never opened, or the gate after all pages are done.
    #[serde(skip)]
    pub has_new: bool,
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

/// A level's requirement in addition to its quiz.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Required {
    /// Exercises. One of them must be passed.
    pub exercises: Vec<String>,
    /// True if the student has passed one of them.
    pub passed: bool,
    /// True if only the exercise is missing because the quiz was passed.
    pub left: bool,
}

impl LevelProgress {
    /// True if only an exercise is missing before the next level opens.
    pub fn exercise_left(&self) -> bool {
        self.requires.as_ref().is_some_and(|required| required.left)
    }

    /// True if nothing is left to do: the gate is passed or, without a gate, every page is done.
    pub fn done(&self) -> bool {
        if self.gated { self.passed } else { self.next_page.is_none() }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Best {
    pub correct: u32,
    pub questions: u32,
    /// When it was submitted (RFC 3339). For the best attempt, when the score was first reached.
    pub at: Timestamp,
}

/// The number of pages read in a lesson. Optional pages do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PagesRead {
    /// Pages that are done: read to the end, with their question answered and their picture used.
    pub read: u32,
    pub total: u32,
}

impl Progress {
    /// Returns a level by its id.
    pub fn level(&self, id: &str) -> Option<&LevelProgress> {
        self.levels.iter().find(|level| level.id == id)
    }
}

pub fn progress(outline: &Outline, record: &Record) -> Progress {
    let solved = |level: &OutlineLevel| level.requires.iter().any(|id| record.solved.contains(id));
    let made = || record.submissions.iter().filter(|made| made.counts(outline));
    let quiz = |level: &OutlineLevel| made().any(|made| made.level == level.id && made.passes());
    // A level that was passed before an exercise was required stays passed.
    let passed = |level: &OutlineLevel| {
        let enough = |made: &&Submission| made.level == level.id && made.passes();
        let done = level.requires.is_empty() || solved(level);
        made().filter(enough).any(|made| done || !made.exercise)
    };
    // The last gate before the level that was not passed.
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
        levels.push(LevelProgress { requires: asked, ..level_progress(level, outline, record, unlocked_by, own) });
        if level.gated {
            closed_by = (!own).then_some(level.id.as_str());
        }
    }
    // New steps come before skipped ones, so that an open question never blocks progress.
    let open = || levels.iter().filter(|level| !level.locked && !level.done());
    let next = open().find(|level| level.has_new).or_else(|| open().next()).map(|level| {
        let page = level.next_page.clone();
        Next { level: level.id.clone(), exercise: page.is_none() && level.exercise_left(), page }
    });
    // Nothing may be handed in while another attempt at an exam is open.
    let again = levels.iter().find(|level| level.under_way && !outline.exam.is_empty());
    let again = again.map(|level| Next { level: level.id.clone(), page: None, exercise: false });
    let next = next.or(again);
    Progress { course: outline.course.clone(), next, levels }
}

fn level_progress(
    level: &OutlineLevel,
    outline: &Outline,
    record: &Record,
    unlocked_by: Option<String>,
    passed: bool,
) -> LevelProgress {
    let gate = outline.gate_of(&level.id);
    let own = |made: &&Submission| made.level == level.id && made.kind == AttemptKind::Gate && made.counts(outline);
    let gates: Vec<&Submission> = record.submissions.iter().filter(own).collect();
    // Compares shares, because a quiz may have grown; among equal attempts, the first one counts.
    let best = gates.iter().copied().reduce(|best, next| {
        let ahead =
            u64::from(next.correct) * u64::from(best.questions) > u64::from(best.correct) * u64::from(next.questions);
        if ahead { next } else { best }
    });
    // In an exam, nothing is graded.
    let graded = outline.exam.is_empty();
    let told = |made: &Submission| Best { correct: made.correct, questions: made.questions, at: made.at };
    // Pages that an instructor removed do not count.
    let still = |known: Option<&BTreeSet<String>>| -> BTreeSet<String> {
        let all = level.pages.iter().chain(&level.optional);
        all.filter(|page| known.is_some_and(|known| known.contains(*page))).cloned().collect()
    };
    let (read, seen) = (still(record.read.get(&level.id)), still(record.seen.get(&level.id)));
    let counted = level.pages.iter().filter(|page| read.contains(*page)).count();
    let fresh = level.pages.iter().find(|page| !read.contains(*page) && !seen.contains(*page));
    let open = || level.pages.iter().find(|page| !read.contains(*page));
    let last_page =
        record.opened.get(&level.id).filter(|page| level.pages.contains(page) || level.optional.contains(page));
    // A page that was left in the middle is not skipped.
    let left = last_page.filter(|page| level.pages.contains(page) && !read.contains(*page));
    let has_new = fresh.is_some() || open().is_none() && level.gated && !passed;
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
        best: best.filter(|_| graded).map(told),
        first: gates.first().copied().filter(|_| graded).map(told),
        attempts: gates.len() as u32,
        most_attempts: gate.most_attempts(),
        wait_until: gates
            .last()
            .zip(gate.waits())
            .and_then(|(last, wait)| last.at.checked_add(wait).ok())
            .filter(|_| !passed),
        under_way: record.under_way.contains(&level.id),
        pages: PagesRead { read: counted as u32, total: level.pages.len() as u32 },
        next_page: left.or(fresh).or_else(open).cloned(),
        has_new,
        last_page: last_page.cloned(),
        read,
        seen,
    }
}
