//! An exercise of the workshop that a page offers: what is to be done, and how far the student is.

use super::{Picture, Setting, plain};
use crate::course::At;
use crate::mastery::Worked;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::{Effect, Go};
use crate::tui::look::{Look, draw};
use crate::tui::markdown;
use crate::tui::screens::workshop::{State, kind_name};
use crate::tui::theme::Meaning;
use crate::workshop::ExerciseKind;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use std::collections::BTreeMap;

/// The offer.
#[derive(Debug)]
pub struct Offer {
    id: String,
    /// What there is to do; none if the course has no such exercise.
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

impl Offer {
    /// The page's exercise.
    pub fn new(id: &At<String>, setting: Setting) -> Self {
        let mut offer = Self { id: id.value.clone(), about: About::of(&id.value, setting), worked: Worked::default() };
        offer.learn(setting.worked);
        offer
    }

    /// How far the student is.
    pub fn learn(&mut self, worked: &BTreeMap<String, Worked>) {
        self.worked = worked.get(&self.id).cloned().unwrap_or_default();
    }

    fn lines(&self, width: u16, look: &Look) -> Vec<Line<'static>> {
        let Some(about) = &self.about else {
            return vec![Line::from(look.span(Meaning::Warning, t!("exercise-none", id = self.id.as_str())))];
        };
        let state = State::of(&self.worked);
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
    fn rename(&mut self, setting: Setting) {
        self.about = About::of(&self.id, setting);
    }

    fn actions(&self) -> Vec<Action> {
        self.about.iter().map(|_| Action::OpenExercise).collect()
    }

    fn act(&mut self, action: Action) -> Vec<Effect> {
        let open = action == Action::OpenExercise && self.about.is_some();
        open.then(|| Effect::Go(Go::Exercise(self.id.clone()))).into_iter().collect()
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw(frame, area, self.lines(area.width, look));
    }

    fn min_height(&self, width: u16) -> u16 {
        plain(|look| self.lines(width, look).len() as u16)
    }

    fn describe(&self) -> Vec<String> {
        plain(|look| self.lines(76, look).iter().map(|line| line.to_string().trim_end().to_owned()).collect())
    }
}
