//! Panel with one text field, for a number or a short text.

use super::super::sheet::Sheet;
use super::Panel;
use crate::prelude::*;
use tutor_progress::Answer;
use ui_kit::field::Field;

/// Width of the field in cells.
const WIDTH: u16 = 24;

/// A text field, and the kind of answer that it produces.
#[derive(Debug)]
pub(super) struct OneField {
    field: Field,
    unit: Option<String>,
    make: fn(String) -> Answer,
    hint: fn() -> String,
}

impl OneField {
    pub(super) fn new(before: &str, unit: Option<&String>, make: fn(String) -> Answer, hint: fn() -> String) -> Self {
        Self { field: Field::new(before), unit: unit.cloned(), make, hint }
    }
}

impl Panel for OneField {
    fn selected(&self) -> Option<Answer> {
        let text = self.field.text();
        (!text.trim().is_empty()).then(|| (self.make)(text.to_owned()))
    }

    fn draw(&self, sheet: &mut Sheet, look: &Look, width: u16, live: bool) {
        let (spans, column) = self.field.spans(WIDTH.min(width), look);
        let mut line = Line::from(spans);
        line.spans.insert(0, look.span(Meaning::Key, look.sign("▸ ", "> ").to_owned()));
        if let Some(unit) = &self.unit {
            line.spans.push(look.span(Meaning::Muted, format!(" {unit}")));
        }
        if live {
            sheet.cursor = Some((sheet.lines.len(), column + 2));
            sheet.keep = Some(sheet.lines.len());
        }
        sheet.lines.push(line);
    }

    fn hint(&self, _look: &Look) -> Option<String> {
        Some((self.hint)())
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
