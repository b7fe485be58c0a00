//! The choices of an exercise: the cures of a repair, or the holes of a fill-in.

use super::Shows;
use super::draft::{Draft, Stage};
use super::report::Writer;
use crate::prelude::*;
use crate::screens::indent;
use crate::screens::lesson::text::letter;
use std::ops::Range;
use tutor_exercises::{Fill, Repair, Work};
use ui_kit::wrap::hang;

impl Writer<'_> {
    /// Returns the lines of the cures, or of the holes with their fillings.
    ///
    /// Adds the rows that can be clicked to `places`, and sets `here` to the rows of the current choice.
    pub(super) fn choices(&self, places: &mut Vec<(usize, usize)>, here: &mut Range<usize>) -> Vec<Line<'static>> {
        if self.screen.shows != Shows::Own {
            return Vec::new();
        }
        match (&self.screen.draft, &self.exercise.work) {
            (Draft::Cure { cure, stage: Stage::Cure, .. }, Work::Repair(repair)) => {
                self.cures(repair, *cure, places, here)
            }
            (Draft::Fillings { hole, fillings }, Work::Fill(fill)) => self.holes(fill, *hole, fillings, places, here),
            _ => Vec::new(),
        }
    }

    fn cures(
        &self,
        repair: &Repair,
        chosen: Option<usize>,
        places: &mut Vec<(usize, usize)>,
        place: &mut Range<usize>,
    ) -> Vec<Line<'static>> {
        let look = self.look();
        let mut lines = Vec::new();
        for (at, cure) in repair.cures.iter().enumerate() {
            let here = chosen == Some(at);
            let mark = look.span(if here { Meaning::Accent } else { Meaning::Muted }, self.mark(here));
            let first = [look.cursor(here), look.span(Meaning::Key, format!("{}  ", letter(at))), mark];
            let margin = first.iter().map(Span::width).sum::<usize>();
            let text = markdown::render(cure.text.trim(), self.width.saturating_sub(margin as u16), look);
            if here {
                *place = lines.len()..lines.len() + text.len();
            }
            for (row, mut line) in text.into_iter().enumerate() {
                places.push((lines.len(), at));
                let before = if row == 0 { first.to_vec() } else { vec![Span::raw(" ".repeat(margin))] };
                line.spans.splice(0..0, before);
                lines.push(if here { look.selected(line, self.width) } else { line });
            }
        }
        lines
    }

    fn mark(&self, chosen: bool) -> &'static str {
        match (chosen, self.look().ascii) {
            (true, false) => "● ",
            (false, false) => "○ ",
            (true, true) => "(*) ",
            (false, true) => "( ) ",
        }
    }

    /// Returns the lines of the holes, with the question and the fillings below the current hole.
    fn holes(
        &self,
        fill: &Fill,
        current: usize,
        fillings: &[Option<usize>],
        places: &mut Vec<(usize, usize)>,
        place: &mut Range<usize>,
    ) -> Vec<Line<'static>> {
        let look = self.look();
        let mut lines = Vec::new();
        for (at, (hole, chosen)) in fill.holes.iter().zip(fillings).enumerate() {
            let here = at == current;
            let code = chosen.and_then(|filling| hole.fillings.get(filling)).map(|(_, code, _)| code.trim());
            let code = code.map(|code| code.lines().next().unwrap_or_default().to_owned());
            places.push((lines.len(), at));
            let meaning = if here { Meaning::Strong } else { Meaning::Text };
            let sign = if code.is_some() { look.sign("●", "*") } else { look.sign("○", "o") };
            let mut row = vec![
                look.cursor(here),
                look.span(if code.is_some() { Meaning::Accent } else { Meaning::Muted }, sign),
                look.span(meaning, format!(" {}", hole.id)),
            ];
            if !here {
                let used: usize = row.iter().map(Span::width).sum();
                let room = usize::from(self.width).saturating_sub(used + 2);
                let code = ui_kit::look::truncate(&code.unwrap_or_default(), room, look.ascii);
                row.push(look.span(Meaning::Code, format!("  {code}")));
            }
            lines.push(Line::from(row));
            if !here {
                continue;
            }
            place.start = lines.len() - 1;
            lines.extend(indent(markdown::render(hole.ask.trim(), self.width.saturating_sub(4), look), 4));
            for (filling, (_, code, _)) in hole.fillings.iter().enumerate() {
                let taken = *chosen == Some(filling);
                let meaning = if taken { Meaning::Accent } else { Meaning::Muted };
                let first = look.span(meaning, format!("    {}", self.mark(taken)));
                let rest = Span::raw(" ".repeat(first.width()));
                let room = usize::from(self.width).saturating_sub(first.width());
                let style = look.style(Meaning::Code);
                let indent = code
                    .lines()
                    .find(|line| !line.trim().is_empty())
                    .map_or(0, |line| line.len() - line.trim_start().len());
                for (row, text) in code.trim_end().lines().enumerate() {
                    let text = text.get(indent..).unwrap_or_else(|| text.trim_start());
                    let run = ui_kit::wrap::Run::new(markdown::spelled(text, look).into_owned(), style);
                    let wrapped = ui_kit::wrap::wrap_code(&[run], room);
                    for (part, line) in wrapped.into_iter().enumerate() {
                        places.push((lines.len(), fill.holes.len() + filling));
                        let before = if row == 0 && part == 0 { &first } else { &rest };
                        lines.extend(hang(vec![line], before, before));
                    }
                }
            }
            place.end = lines.len();
        }
        lines
    }
}
