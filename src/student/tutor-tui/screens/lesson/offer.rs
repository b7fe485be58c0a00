//! A workshop exercise that a page offers: its task, and the student's progress.

use crate::prelude::*;
use crate::screens::workshop::{ExerciseState, kind_name};
use tutor_exercises::ExerciseKind;
use tutor_pictures::Picture;
use tutor_progress::Worked;
use ui_kit::look::{draw, with_mono_look};

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
    fn of(id: &str, data: &AppData) -> Option<Self> {
        let exercise = data.exercises.iter().find(|exercise| exercise.id == id)?;
        Some(Self { title: exercise.title.clone(), kind: exercise.kind(), task: exercise.assignment() })
    }
}

impl Offer {
    pub(crate) fn new(id: &str, data: &AppData) -> Self {
        Self { id: id.to_owned(), about: About::of(id, data), worked: data.worked(id) }
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
    fn kind(&self) -> &'static str {
        "exercise"
    }

    fn actions(&self) -> Vec<Action> {
        self.about.iter().map(|_| Action::OpenExercise).collect()
    }

    /// The lesson opens the exercise.
    fn perform(&mut self, _: Action) -> Vec<tutor_pictures::Effect> {
        Vec::new()
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
