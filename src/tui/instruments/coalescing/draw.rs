/*! The picture.

```text
 coalescing ▸ element [ty][tx], rows of 2 048            ✔ 4 sectors, ideal 4
 │ 0 1 2 3 4 5 6 7│ 8 9101112131415│…          (lanes over the words of a sector)
 …
 moved  128 bytes, 128 of 128 bytes asked for
```
*/

use crate::figures::{counted, grouped, percent};
use super::super::sheet::{Cells, Sheet};
use super::model::{Coalescing, Picture, Sector};
use crate::tui::look::Look;
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

/// Rows below the sectors.
const WORDS: usize = 5;
/// Words in a sector.
const SECTOR_WORDS: usize = 8;

pub(super) fn draw(model: &Coalescing, lane: Option<usize>, frame: &mut Frame, area: Rect, look: &Look) {
    let mut sheet = Sheet::new(look, area.width);
    let view = model.mapped();
    let what = format!("[{}][{}], rows of {}", view.row.trim(), view.column.trim(), grouped(view.pitch.into()));
    match model.picture() {
        Err(error) => {
            sheet.title("coalescing", &what, vec![look.wrong(), look.span(Meaning::Wrong, " no access")]);
            sheet.blank();
            let sign = look.sign("✘", "x");
            sheet.text(Meaning::Wrong, &format!("{sign} The {}: {error}", error.field));
        }
        Ok(picture) => {
            let good = picture.count == picture.ideal;
            let (sign, meaning) =
                if good { (look.right(), Meaning::Right) } else { (look.warning(), Meaning::Warning) };
            let cost = format!(" {}, ideal {}", counted(picture.count.into(), "sector"), picture.ideal);
            sheet.title("coalescing", &what, vec![sign, look.span(meaning, cost)]);
            let room = usize::from(area.height).saturating_sub(1 + WORDS).max(1);
            sectors(&picture, lane, room, &mut sheet);
            words(model, &picture, lane, &mut sheet);
        }
    }
    sheet.draw(frame, area);
}

/// As many sectors as fit: with lane numbers where each word can have two cells, else as filled words.
fn sectors(picture: &Picture, lane: Option<usize>, room: usize, sheet: &mut Sheet) {
    let look = sheet.look;
    let width = usize::from(sheet.width).saturating_sub(2);
    let a_row = |cell: usize| ((width - width.min(1)) / (SECTOR_WORDS * cell + 1)).clamp(1, 8);
    let fits = |cell: usize| picture.sectors.len().div_ceil(a_row(cell)) <= room;
    let cell = if fits(3) {
        3
    } else if fits(2) {
        2
    } else {
        1
    };
    let per_row = a_row(cell);
    let shown = picture.sectors.len().min(per_row * room);
    for row in picture.sectors[..shown].chunks(per_row) {
        let mut cells = Cells::new();
        cells.push(" ", Style::new());
        for sector in row {
            draw_sector(sector, cell, lane, look, &mut cells);
        }
        cells.push(look.sign("│", "|"), look.style(Meaning::Border));
        sheet.row(cells.done());
    }
    if shown < picture.sectors.len() {
        sheet.text(Meaning::Muted, &format!("and {} more", counted((picture.sectors.len() - shown) as u64, "sector")));
    }
}

fn draw_sector(sector: &Sector, cell: usize, lane: Option<usize>, look: &Look, cells: &mut Cells) {
    cells.push(look.sign("│", "|"), look.style(Meaning::Border));
    for lanes in sector.words {
        let pointed = lane.is_some_and(|lane| lanes >> lane & 1 == 1);
        let text = match (lanes.count_ones(), cell) {
            (0, _) => format!("{:>cell$}", look.sign("·", ".")),
            (_, 1) if pointed => look.sign("◆", "@").to_owned(),
            (1, 1) => look.sign("■", "#").to_owned(),
            (1, _) => format!("{:>cell$}", lanes.trailing_zeros()),
            _ => format!("{:>cell$}", "*"),
        };
        let style = match lanes.count_ones() {
            _ if pointed => look.style(Meaning::Selected),
            0 => look.style(Meaning::BarEmpty),
            1 => look.style(Meaning::Thread((lanes.trailing_zeros() / 8) as u8)),
            _ => look.style(Meaning::Free),
        };
        cells.push(&text, style);
    }
}

fn words(model: &Coalescing, picture: &Picture, lane: Option<usize>, sheet: &mut Sheet) {
    let look = sheet.look;
    let view = model.mapped();
    let (used, moved) = picture.used();
    let share = f64::from(used) / f64::from(moved.max(1));
    let mut row = vec![Span::raw(" ")];
    row.extend(look.bar(share, if sheet.width < 76 { 8 } else { 16 }));
    let used_text = format!(
        " {} of {} bytes moved were asked for, {}",
        grouped(used.into()),
        grouped(moved.into()),
        percent(share)
    );
    row.push(look.span(Meaning::Text, used_text));
    sheet.row(row);
    sheet.text(Meaning::Strong, &picture.verdict());
    let apart = picture.access.addr[1].abs_diff(picture.access.addr[0]);
    let lanes = match lane.and_then(|lane| Some((lane, picture.access.lanes[lane]?))) {
        Some((lane, known)) => {
            let byte = grouped(picture.access.addr[lane]);
            format!("lane {lane}: row {}, column {}: byte {byte}", known.row, known.column)
        }
        None if picture.access.mask & 2 == 2 => {
            format!("lanes 0 and 1 are {} apart", counted(apart, "byte"))
        }
        None => String::new(),
    };
    sheet.text(Meaning::Text, &lanes);
    let mapping = if model.can_swap() {
        if model.swapped { "m swaps x and y back" } else { "m swaps x and y" }
    } else {
        "the same whichever index is x"
    };
    let boxes = if sheet.width >= 100 { "each box is a sector of 32 bytes; " } else { "" };
    let text = format!("{boxes}byte = (row·{} + column)·{}; {mapping}", view.pitch, view.width);
    sheet.text(Meaning::Muted, &text);
}
