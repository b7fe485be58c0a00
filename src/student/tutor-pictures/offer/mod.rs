//! A workshop exercise that a page offers: its task, and the student's progress.

use super::with_mono_look;
use crate::look::draw;
use crate::markdown;
use crate::prelude::*;
use std::collections::BTreeMap;
use tutor_course::At;
use tutor_exercises::ExerciseKind;
use tutor_progress::Worked;

#[derive(Debug)]
pub(crate) struct Offer {
    id: String,
    /// The exercise's texts; None if the course does not have it.
    about: Option<About>,
    worked: Worked,
}

#[derive(Debug)]
struct About {
    title: String,
    kind: ExerciseKind,
    task: String,
}

impl About {
    fn of(id: &str, setting: Setting) -> Option<Self> {
        let exercise = setting.exercises.iter().find(|exercise| exercise.id == id)?;
        Some(Self { title: exercise.title.clone(), kind: exercise.kind(), task: exercise.task.clone() })
    }
}

/// Returns the name of what the student does in an exercise.
pub fn kind_name(kind: ExerciseKind) -> String {
    match kind {
        ExerciseKind::Repair => t!("exercise-repair"),
        ExerciseKind::Fill => t!("exercise-fill"),
        ExerciseKind::Write => t!("exercise-write"),
    }
}

/// The student's progress in an exercise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExerciseState {
    /// Nothing has been submitted.
    New,
    /// This number of solutions has been submitted, and none has passed.
    Tried(u32),
    Passed,
    /// A solution has passed and was fast enough for a star.
    Starred,
}

impl ExerciseState {
    /// Returns the progress that the store has recorded.
    pub fn of(worked: &Worked) -> Self {
        match (worked.starred, worked.passed, worked.tries) {
            (true, ..) => Self::Starred,
            (_, true, _) => Self::Passed,
            (.., 0) => Self::New,
            (.., tries) => Self::Tried(tries),
        }
    }

    /// Returns the progress in a word or two.
    pub fn name(self) -> String {
        match self {
            Self::New => t!("exercise-new"),
            Self::Tried(tries) => t!("exercise-tried", tries),
            Self::Passed => t!("exercise-passed"),
            Self::Starred => t!("workshop-starred"),
        }
    }

    pub fn sign(self, look: &Look) -> Span<'static> {
        match self {
            Self::New => Span::raw(" "),
            Self::Tried(_) => look.span(Meaning::Muted, look.sign("○", "o").to_owned()),
            Self::Passed => look.right(),
            Self::Starred => look.span(Meaning::Right, look.sign("★", "*").to_owned()),
        }
    }
}

impl Offer {
    pub(crate) fn new(id: &At<String>, setting: Setting) -> Self {
        let mut offer = Self { id: id.value.clone(), about: About::of(&id.value, setting), worked: Worked::default() };
        offer.learn(setting.worked);
        offer
    }

    fn lines(&self, width: u16, look: &Look) -> Vec<Line<'static>> {
        let Some(about) = &self.about else {
            return vec![Line::from(look.span(Meaning::Warning, t!("exercise-none", id = self.id.as_str())))];
        };
        let state = ExerciseState::of(&self.worked);
        let mut lines = vec![
            Line::from(vec![
                look.span(Meaning::Muted, format!("{}  ", kind_name(about.kind))),
                look.span(Meaning::Title, markdown::spelled(&about.title, look).into_owned()),
                Span::raw("  "),
                state.sign(look),
                look.span(Meaning::Muted, format!(" {}", state.name())),
            ]),
            Line::default(),
        ];
        lines.extend(markdown::render(&about.task, width, look));
        lines.push(Line::default());
        let open = t!("workshop-offer", enter = look.sign("⏎", "Enter"));
        lines.push(Line::from(look.span(Meaning::Accent, open)));
        lines
    }
}

impl Picture for Offer {
    fn name(&self) -> String {
        t!("pictures-name-exercise")
    }

    fn learn(&mut self, worked: &BTreeMap<String, Worked>) {
        self.worked = worked.get(&self.id).cloned().unwrap_or_default();
    }

    fn rename(&mut self, setting: Setting) {
        self.about = About::of(&self.id, setting);
    }

    fn actions(&self) -> Vec<Action> {
        self.about.iter().map(|_| Action::OpenExercise).collect()
    }

    fn perform(&mut self, _: Action) -> Vec<Effect> {
        vec![Effect::Exercise(self.id.clone())]
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw(frame, area, self.lines(area.width, look));
    }

    fn min_height(&self, width: u16) -> u16 {
        with_mono_look(|look| self.lines(width, look).len() as u16)
    }

    fn describe(&self) -> Vec<String> {
        with_mono_look(|look| self.lines(76, look).iter().map(|line| line.to_string().trim_end().to_owned()).collect())
    }
}
