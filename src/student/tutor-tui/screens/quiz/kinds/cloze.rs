/*! Panel for blanks in code, drawn as boxes that cannot be mistaken for code.

```text
                  ①             ②
   A_tile[i / ⟦ 16__ ⟧][i % ⟦ ____ ⟧] =
```
*/

use super::super::sheet::Sheet;
use super::Panel;
use crate::prelude::*;
use crate::screens::step;
use tutor_progress::{Answer, Code};
use ui_kit::field::Field;

/// Code with a text field for each blank.
#[derive(Debug)]
pub(super) struct Blanks {
    view: Code,
    fields: Vec<Field>,
    at: usize,
}

impl Blanks {
    pub(super) fn new(view: &Code, before: Option<&Answer>) -> Self {
        let given: &[String] = if let Some(Answer::Blanks(given)) = before { given } else { &[] };
        let field = |at: usize| Field::new(given.get(at).cloned().unwrap_or_default());
        let fields: Vec<Field> = (0..view.blanks).map(field).collect();
        // The cursor returns to the text that was typed last, not to the blank after it.
        let at = fields.iter().rposition(|field| !field.text().is_empty()).unwrap_or(0);
        Self { view: view.clone(), fields, at }
    }
}

impl Panel for Blanks {
    fn selected(&self) -> Option<Answer> {
        let some = self.fields.iter().any(|field| !field.text().trim().is_empty());
        some.then(|| Answer::Blanks(self.fields.iter().map(|field| field.text().to_owned()).collect()))
    }

    fn actions(&self) -> Vec<Action> {
        if self.fields.len() > 1 { vec![Action::NextField, Action::PreviousField] } else { Vec::new() }
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::NextField => self.at = step(Some(self.at), 1, self.fields.len()),
            Action::PreviousField => self.at = step(Some(self.at), -1, self.fields.len()),
            _ => {}
        }
    }

    fn click(&mut self, row: usize) {
        self.at = row.min(self.fields.len().saturating_sub(1));
    }

    fn position(&self) -> Option<usize> {
        Some(self.at)
    }

    fn go_to(&mut self, position: usize) {
        if position < self.fields.len() {
            self.at = position;
        }
    }

    fn next_empty(&self) -> Option<usize> {
        let count = self.fields.len();
        let empty = |at: &usize| self.fields[*at].text().trim().is_empty();
        (1..count).map(|by| (self.at + by) % count).find(empty).filter(|_| !empty(&self.at))
    }

    fn draw(&self, sheet: &mut Sheet, look: &Look, width: u16, live: bool) {
        for text in self.view.code.lines() {
            let mut rows = Rows::new(width);
            let mut rest = text;
            while let Some((before, number, after)) = next_blank(rest) {
                rows.code(before, look);
                let field = self.fields.get(number - 1);
                let here = live && number - 1 == self.at;
                let value = field.map_or("", Field::text);
                // Every box is as wide as the longest accepted text of any blank, and wider than the typed text.
                let cells = (value.width() + 1).max(self.view.longest).max(4);
                let (open, close) = (look.sign("⟦ ", "[_"), look.sign(" ⟧", "_]"));
                let frame = look.style(if here { Meaning::Accent } else { Meaning::Muted });
                let filled = format!("{value}{}", "_".repeat(cells - value.width()));
                let boxed = vec![
                    Span::styled(open.to_owned(), frame),
                    look.span(Meaning::Field, filled),
                    Span::styled(close.to_owned(), frame),
                ];
                let number = (self.fields.len() > 1).then(|| circled(number, look));
                let column = rows.boxed(boxed, number, frame);
                if here {
                    let inside = field.map_or(0, |field| field.spans(240, look).1);
                    rows.cursor = Some((rows.lines.len(), column + open.width() as u16 + inside));
                }
                rest = after;
            }
            rows.code(rest, look);
            rows.finish(sheet);
        }
    }

    fn hint(&self, _look: &Look) -> Option<String> {
        Some(match (self.view.numbers, self.fields.len() > 1) {
            (true, _) => t!("quiz-hint-numbers", blanks = self.fields.len()),
            (false, true) => t!("quiz-hint-blanks"),
            (false, false) => t!("quiz-hint-blank"),
        })
    }

    fn editing(&self) -> bool {
        true
    }

    fn key(&mut self, key: KeyEvent) -> bool {
        self.fields.get_mut(self.at).is_some_and(|field| field.key(key))
    }

    fn paste(&mut self, text: &str) {
        if let Some(field) = self.fields.get_mut(self.at) {
            field.paste(text);
        }
    }
}

/// A line of code, split into as many rows as it needs. The numbers of the boxes are above each row.
struct Rows {
    width: usize,
    lines: Vec<(Vec<Span<'static>>, Vec<Span<'static>>)>,
    above: Vec<Span<'static>>,
    row: Vec<Span<'static>>,
    /// Row and column of the cursor.
    cursor: Option<(usize, u16)>,
}

impl Rows {
    fn new(width: u16) -> Self {
        let row = vec![Span::raw("  ")];
        Self { width: width.into(), lines: Vec::new(), above: Vec::new(), row, cursor: None }
    }

    fn cells(spans: &[Span]) -> usize {
        spans.iter().map(Span::width).sum()
    }

    /// Begins a new row if the next part does not fit on this one.
    fn room(&mut self, cells: usize) {
        let used = Self::cells(&self.row);
        if used + cells > self.width && used > 6 {
            let row = std::mem::replace(&mut self.row, vec![Span::raw(" ".repeat(6))]);
            self.lines.push((std::mem::take(&mut self.above), row));
        }
    }

    fn code(&mut self, text: &str, look: &Look) {
        self.room(text.width());
        self.row.push(look.span(Meaning::Code, text.to_owned()));
    }

    /// Adds a box and returns its first column.
    fn boxed(&mut self, boxed: Vec<Span<'static>>, number: Option<String>, style: ratatui::style::Style) -> u16 {
        self.room(Self::cells(&boxed));
        let column = Self::cells(&self.row);
        if let Some(number) = number {
            let gap = (column + 2).saturating_sub(Self::cells(&self.above));
            self.above.push(Span::raw(" ".repeat(gap)));
            self.above.push(Span::styled(number, style));
        }
        self.row.extend(boxed);
        column as u16
    }

    fn finish(mut self, sheet: &mut Sheet) {
        self.lines.push((self.above, self.row));
        for (at, (above, row)) in self.lines.into_iter().enumerate() {
            if !above.is_empty() {
                sheet.lines.push(Line::from(above));
            }
            if let Some((cursor, column)) = self.cursor.filter(|(cursor, _)| *cursor == at) {
                let _ = cursor;
                sheet.cursor = Some((sheet.lines.len(), column));
                sheet.keep = Some(sheet.lines.len());
            }
            sheet.lines.push(Line::from(row));
        }
    }
}

/// Returns the number of a blank in a form that cannot be mistaken for code.
fn circled(number: usize, look: &Look) -> String {
    match u32::try_from(number).ok().filter(|n| !look.ascii && (1..=20).contains(n)) {
        Some(n) => char::from_u32(0x245f + n).map(String::from).unwrap_or_default(),
        None => format!("({number})"),
    }
}

/// Finds the next `___N___`. Returns the text before it, N, and the text after it.
pub(crate) fn next_blank(text: &str) -> Option<(&str, usize, &str)> {
    let mut from = 0;
    while let Some(at) = text[from..].find("___").map(|at| at + from) {
        let inner = &text[at + 3..];
        if let Some(end) = inner.find("___")
            && let Ok(number) = inner[..end].parse::<usize>()
            && number > 0
        {
            return Some((&text[..at], number, &inner[end + 3..]));
        }
        from = at + 1;
    }
    None
}
