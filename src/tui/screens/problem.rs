//! The error page: what happened, what to do; the rest goes on working.

use super::{Context, body_of};
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::{Effect, Go};
use crate::tui::look::{TEXT_WIDTH, draw};
use crate::tui::theme::Meaning;
use crate::tui::wrap::wrap_text;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// Something that the student must know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemPage {
    /// What could not be done, e.g. `The quiz cannot go on`.
    pub title: String,
    /// What happened.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl ProblemPage {
    /// What works now.
    pub fn actions(&self) -> Vec<Action> {
        vec![Action::GoOn, Action::Back]
    }

    /// Does one of [`Self::actions`].
    pub fn act(&self, action: Action) -> Vec<Effect> {
        match action {
            Action::GoOn | Action::Back => vec![Effect::Go(Go::Back)],
            _ => Vec::new(),
        }
    }

    /// Draws the page.
    pub fn render(&self, frame: &mut Frame, context: &Context) {
        let (look, area) = (&context.look, body_of(context.size));
        let area = Rect { x: 1, width: area.width.saturating_sub(2), ..area };
        let width = area.width.min(TEXT_WIDTH);
        let mut lines = vec![
            Line::from(vec![look.warning(), Span::raw(" "), look.span(Meaning::Title, self.title.clone())]),
            look.rule(&t!("problem-happened"), Meaning::Warning, area.width),
        ];
        lines.extend(wrap_text(&self.message, look.style(Meaning::Text), width));
        if let Some(help) = &self.help {
            lines.push(Line::default());
            lines.push(look.rule(&t!("problem-help"), Meaning::Accent, area.width));
            lines.extend(wrap_text(help, look.style(Meaning::Text), width));
        }
        lines.push(Line::default());
        lines.push(Line::styled(t!("problem-go-on"), look.style(Meaning::Muted)));
        draw(frame, area, lines);
    }
}
