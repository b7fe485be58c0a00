//! Panel for finding a fault: the cursor selects a line of code, and a letter selects a consequence below.

use super::super::sheet::Sheet;
use super::Panel;
use crate::prelude::*;
use crate::screens::{letters, step};
use tutor_progress::{Answer, Suspects};
use ui_kit::wrap::hang;

/// The selected line and consequence.
#[derive(Debug)]
pub(super) struct Suspicion {
    view: Suspects,
    line: Option<usize>,
    consequence: Option<usize>,
}

impl Suspicion {
    pub(super) fn new(view: &Suspects, before: Option<&Answer>) -> Self {
        let (mut line, mut consequence) = (None, None);
        if let Some(Answer::Fault(given)) = before {
            let number: Option<usize> = given.first().and_then(|number| number.parse().ok());
            line = number.and_then(|number| number.checked_sub(1)).filter(|at| *at < view.code.len());
            consequence = view.consequences.iter().position(|item| Some(&item.id) == given.get(1));
        }
        Self { view: view.clone(), line, consequence }
    }
}

/// Wraps a line of code. The continuation rows are indented further.
fn folded(line: &str, width: u16, look: &Look) -> Vec<Line<'static>> {
    let indent = line.len() - line.trim_start().len();
    let first = " ".repeat(indent);
    let later = format!("{first}    ");
    let room = width.saturating_sub(later.len() as u16);
    let rows = wrap_text(line.trim_start(), look.style(Meaning::Code), room);
    hang(rows, &Span::raw(first), &Span::raw(later))
}

impl Panel for Suspicion {
    fn selected(&self) -> Option<Answer> {
        if self.line.is_none() && self.consequence.is_none() {
            return None;
        }
        let line = self.line.map_or_else(String::new, |at| (at + 1).to_string());
        let chosen = self.consequence.and_then(|at| self.view.consequences.get(at));
        Some(Answer::Fault(vec![line, chosen.map_or_else(String::new, |item| item.id.clone())]))
    }

    fn actions(&self) -> Vec<Action> {
        letters(self.view.consequences.len()).chain([Action::Up, Action::Down]).collect()
    }

    fn act(&mut self, action: Action) {
        let count = self.view.code.len();
        match action {
            Action::Choose(n) => self.click(count + usize::from(n)),
            Action::Up => self.line = Some(step(self.line, -1, count)),
            Action::Down => self.line = Some(step(self.line, 1, count)),
            _ => {}
        }
    }

    /// The rows of the lines come first, then those of the consequences.
    fn click(&mut self, row: usize) {
        match row.checked_sub(self.view.code.len()) {
            None => self.line = Some(row),
            Some(at) if at < self.view.consequences.len() => self.consequence = Some(at),
            Some(_) => {}
        }
    }

    fn draw(&self, sheet: &mut Sheet, look: &Look, width: u16, live: bool) {
        for (at, line) in self.view.code.iter().enumerate() {
            let chosen = self.line == Some(at);
            let number = if chosen { Meaning::Accent } else { Meaning::Muted };
            let before = vec![look.cursor(chosen), look.span(number, format!("{:>2}  ", at + 1))];
            sheet.row(
                at,
                live && chosen,
                before,
                &Span::raw("      "),
                folded(line, width.saturating_sub(6), look),
                look,
            );
        }
        sheet.lines.push(Line::default());
        let lines = self.view.code.len();
        let above = sheet.choices.len();
        for (at, item) in self.view.consequences.iter().enumerate() {
            let chosen = self.consequence == Some(at);
            let mark = if chosen { look.sign("● ", "(*) ") } else { look.sign("○ ", "( ) ") };
            sheet.choice(at, false, chosen, mark, &item.text, look, width);
        }
        // The rows of the consequences follow those of the code.
        sheet.choices.iter_mut().skip(above).for_each(|(_, row)| *row += lines);
    }

    fn numbered(&self) -> usize {
        self.view.code.len()
    }

    fn hint(&self, look: &Look) -> Option<String> {
        Some(t!("quiz-hint-fault", arrows = look.sign("↑↓", "Up/Down")))
    }
}
