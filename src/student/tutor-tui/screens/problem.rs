//! A page that reports a problem: what happened, and what to do.

use super::inner_of;
use crate::plain::{heading, unstyled};
use crate::prelude::*;
use ratatui::style::Style;
use ui_kit::look::{TEXT_WIDTH, draw};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemPage {
    /// The failed action, e.g. `The quiz cannot go on`.
    pub title: String,
    pub message: String,
    pub help: Option<String>,
}

impl Component for ProblemPage {
    fn actions(&self, _: &Context) -> Vec<Action> {
        vec![Action::GoOn, Action::Back]
    }

    fn act(&mut self, action: Action, _: &Context) -> Vec<Effect> {
        match action {
            Action::GoOn | Action::Back => vec![Effect::Go(Go::Back)],
            _ => Vec::new(),
        }
    }

    fn render(&self, frame: &mut Frame, context: &Context, _: &mut Hits) {
        let (look, area) = (&context.look, inner_of(context.size));
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

    fn text_lines(&self, width: u16, _: &Context) -> Vec<String> {
        let mut lines = heading(&self.title);
        for text in std::iter::once(&self.message).chain(&self.help) {
            lines.extend(unstyled(wrap_text(text, Style::new(), width)));
        }
        lines
    }
}
