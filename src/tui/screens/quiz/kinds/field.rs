//! Panel with one text field, for a number or a short text.

use super::super::sheet::Sheet;
use super::Panel;
use crate::prelude::*;
use tutor_mastery::{Answer, Asked};
use tutor_pictures::field::Field;

/// Width of the field in cells.
const WIDTH: u16 = 24;

/// A text field, and the kind of answer that it produces.
#[derive(Debug)]
pub(super) struct OneField {
    field: Field,
    makes: Makes,
}

#[derive(Debug)]
enum Makes {
    Number { unit: Option<String> },
    Count { unit: Option<String> },
    Text,
}

impl OneField {
    pub(super) fn number(view: &Asked, before: Option<&Answer>) -> Self {
        let text = if let Some(Answer::Number(text)) = before { text.as_str() } else { "" };
        Self { field: Field::new(text), makes: Makes::Number { unit: view.unit.clone() } }
    }

    pub(super) fn predicted(view: &Asked, before: Option<&Answer>) -> Self {
        let text = if let Some(Answer::Predicted(text)) = before { text.as_str() } else { "" };
        Self { field: Field::new(text), makes: Makes::Count { unit: view.unit.clone() } }
    }

    pub(super) fn text(before: Option<&Answer>) -> Self {
        let text = if let Some(Answer::Text(text)) = before { text.as_str() } else { "" };
        Self { field: Field::new(text), makes: Makes::Text }
    }
}

impl Panel for OneField {
    fn selected(&self) -> Option<Answer> {
        let text = self.field.text();
        (!text.trim().is_empty()).then(|| match self.makes {
            Makes::Number { .. } => Answer::Number(text.to_owned()),
            Makes::Count { .. } => Answer::Predicted(text.to_owned()),
            Makes::Text => Answer::Text(text.to_owned()),
        })
    }

    fn actions(&self) -> Vec<Action> {
        Vec::new()
    }

    fn act(&mut self, _action: Action) {}

    fn click(&mut self, _row: usize) {}

    fn draw(&self, sheet: &mut Sheet, look: &Look, width: u16, live: bool) {
        let (spans, column) = self.field.spans(WIDTH.min(width), look);
        let mut line = Line::from(spans);
        line.spans.insert(0, look.span(Meaning::Key, look.sign("▸ ", "> ").to_owned()));
        if let Makes::Number { unit: Some(unit) } | Makes::Count { unit: Some(unit) } = &self.makes {
            line.spans.push(look.span(Meaning::Muted, format!(" {unit}")));
        }
        if live {
            sheet.cursor = Some((sheet.lines.len(), column + 2));
            sheet.keep = Some(sheet.lines.len());
        }
        sheet.lines.push(line);
    }

    fn hint(&self, _look: &Look) -> Option<String> {
        Some(match self.makes {
            Makes::Number { .. } => t!("quiz-hint-number"),
            Makes::Count { .. } => t!("quiz-hint-predict"),
            Makes::Text => t!("quiz-hint-text"),
        })
    }

    fn editing(&self) -> bool {
        true
    }

    fn key(&mut self, key: KeyEvent) -> bool {
        self.field.key(key)
    }

    fn paste(&mut self, text: &str) {
        self.field.paste(text);
    }
}
