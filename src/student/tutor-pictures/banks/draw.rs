/*! Draws the picture:

```text
 load  smem[ty][5]  16 lanes            ▲ 8 wavefronts, 8-way conflict
 rows 16  columns 16  ‹pad 0›  width 4 B  access load  row ty  column 5  …
 wf   0       4       8       12      16      20      24      28      lanes
  1   · · · · · 0 · · · · · · · · · · · · · · · 1 · · · · · · · · · · 0, 1
  …
 pitch 16 words; bank = (ty·16 + 5) mod 32: even rows → 5, odd rows → 21
 Fix: pad 1; …
```

A lane is one sign: a digit, or a letter from a (10) to v (31), so that numbers of neighbouring lanes do not merge. If
there is room for three cells per bank, it is the lane's number. The words of the array are below, 32 per line: each
column is a bank.
*/

use super::super::control::cell as cell_at;
use super::super::expression::Index;
use super::control::{CONTROLS, Control};
use super::model::{Served, fix_words, formula, pattern, pitch};
use super::real::{CountState, SIZE};
use super::{Banks, presets, table};
use crate::prelude::*;
use ptx_emulator::cost::{BANKS, WARP};
use tutor_course::AccessError;
use tutor_support::figures::lanes;
use ui_kit::sheet::lane_name;

/// Cells before the first bank.
const PREFIX: usize = 4;
/// Cells of the lane list after the last bank.
const SUFFIX: usize = 8;
/// Width from which the table of threads is next to the picture.
const WITH_TABLE: u16 = 150;
/// Minimum number of wavefront rows. The row that counts the hidden wavefronts is one of them.
const MIN_WAVEFRONTS: usize = 4;
/// Free rows from which the table is drawn below the picture, at any width.
const MIN_TABLE_ROWS: usize = 9;
/// Cells of the table of threads.
const TABLE: u16 = 40;

pub(super) enum ClickTarget {
    Control(Control),
    Wavefront(usize),
}

struct Layout {
    /// Cells per bank: 1, 2 or 3.
    cell: usize,
    /// Width of the picture. If the area is wider, the table of threads is to the right.
    width: u16,
    controls: u16,
    /// Rows of wavefronts, and the first one shown.
    wavefronts: usize,
    first: usize,
    /// Lines of memory that fit below.
    memory: usize,
    /// True if there is a row that explains the signs.
    legend: bool,
}

/// Width from which each bank has two cells.
pub(super) const WISHED: u16 = (PREFIX + 2 * BANKS) as u16;

/// Returns the number of cells per bank. Two cells, which make lanes readable, are more important than the lane list.
fn cell(width: u16) -> usize {
    let roomy = (2..=3).rev().find(|cell| usize::from(width) >= PREFIX + cell * BANKS + SUFFIX);
    roomy.unwrap_or(if width >= WISHED { 2 } else { 1 })
}

/// Returns the number of rows above and below the picture itself.
fn around(banks: &Banks, width: u16) -> u16 {
    ui_kit::sheet::rows(width, |sheet| {
        title(banks, sheet);
        controls(banks, sheet);
        match &banks.picture {
            Ok(picture) => {
                axis(1, sheet);
                words(banks, picture, sheet);
                real(banks, sheet);
            }
            Err(error) => fault(banks, error, sheet),
        }
    })
}

/// Returns the minimum height: some wavefronts and all of the text.
pub(super) fn min_height(banks: &Banks, width: u16) -> u16 {
    let width = if width >= WITH_TABLE { width - TABLE } else { width };
    around(banks, width) + banks.wavefronts().min(MIN_WAVEFRONTS) as u16
}

impl Layout {
    fn new(banks: &Banks, area: Rect) -> Self {
        let width = if area.width >= WITH_TABLE { area.width - TABLE } else { area.width };
        let controls = rows_of_controls(banks, width).len() as u16;
        let room = usize::from(area.height.saturating_sub(around(banks, width)));
        let all = banks.wavefronts();
        let legend = room > all;
        let room = room - usize::from(legend);
        let wavefronts = if all > room { room.saturating_sub(1) } else { all };
        let last = banks.served.saturating_sub(1);
        let first = if banks.served >= all { 0 } else { last.saturating_sub(wavefronts.saturating_sub(1)) };
        let memory = room.saturating_sub(wavefronts + 2);
        Self { cell: cell(width), width, controls, wavefronts, first, memory, legend }
    }
}

pub(super) fn draw(banks: &Banks, frame: &mut Frame, area: Rect, look: &Look) {
    let layout = Layout::new(banks, area);
    let mut sheet = Sheet::new(look, layout.width);
    title(banks, &mut sheet);
    controls(banks, &mut sheet);
    match &banks.picture {
        Err(error) => fault(banks, error, &mut sheet),
        Ok(picture) if banks.table && layout.width == area.width => {
            let room = usize::from(area.height.saturating_sub(sheet.height() + 3));
            table::rows(banks, picture, &mut sheet, room.max(1));
        }
        Ok(picture) => access(banks, picture, &layout, &mut sheet),
    }
    if let Ok(picture) = &banks.picture {
        words(banks, picture, &mut sheet);
        real(banks, &mut sheet);
        let free = usize::from(area.height.saturating_sub(sheet.height()));
        if layout.width == area.width && !banks.table && free > MIN_TABLE_ROWS {
            sheet.blank();
            table::rows(banks, picture, &mut sheet, free - 1);
        }
        if layout.width < area.width {
            let beside = Rect { x: area.x + layout.width, width: area.width - layout.width, ..area };
            let mut side = Sheet::new(look, beside.width);
            side.blank();
            if !banks.table {
                table::rows(banks, picture, &mut side, usize::from(beside.height.saturating_sub(2)));
            }
            side.draw(frame, beside);
        }
    }
    sheet.draw(frame, Rect { width: layout.width, ..area });
}

/// Shows what is wrong with the access. While the student types, the editor shows it instead.
fn fault(banks: &Banks, error: &AccessError, sheet: &mut Sheet) {
    if banks.edit.is_none() {
        sheet.blank();
        sheet.error(&error.message);
        sheet.text(Meaning::Muted, &t!("banks-change-or-preset", field = error.field));
    }
}

fn access(banks: &Banks, picture: &Served, layout: &Layout, sheet: &mut Sheet) {
    axis(layout.cell, sheet);
    wavefronts(banks, picture, layout, sheet);
    memory(banks, picture, layout, sheet);
    if layout.legend {
        legend(banks, picture, layout, sheet);
    }
}

/// Returns what is at a position.
pub(super) fn hit(banks: &Banks, at: Position, area: Rect) -> Option<ClickTarget> {
    let layout = Layout::new(banks, area);
    let (x, y) = cell_at(at, area)?;
    let control = y.checked_sub(1)?;
    if control < layout.controls && banks.edit.is_none() {
        let rows = rows_of_controls(banks, layout.width);
        let mut left = 0;
        for control in rows.get(usize::from(control))? {
            let width = cells_of(banks, *control);
            if (left..left + width).contains(&usize::from(x)) {
                return Some(ClickTarget::Control(*control));
            }
            left += width;
        }
        return None;
    }
    let row = usize::from(control.checked_sub(layout.controls + 1)?);
    (row < layout.wavefronts && !banks.table).then_some(ClickTarget::Wavefront(layout.first + row))
}

/// Returns the access as text: `load smem[ty][5]`.
pub(super) fn what(banks: &Banks) -> String {
    let view = &banks.view;
    format!("{} {}[{}][{}]", Control::Access.value(view), banks.array, view.row.trim(), view.column.trim())
}

fn title(banks: &Banks, sheet: &mut Sheet) {
    let look = sheet.look;
    let lanes = banks.view.lanes;
    let mut what = what(banks);
    if sheet.width >= 90 || sheet.width >= 76 && lanes < WARP as u32 {
        what.push_str(&format!(", {}", t!("banks-lanes", n = lanes)));
    }
    let result = match &banks.picture {
        Err(_) => vec![look.wrong(), look.span(Meaning::Wrong, format!(" {}", t!("pictures-no-access")))],
        Ok(picture) => {
            let (sign, meaning) = look.cost(picture.conflict_free());
            // The cost is always complete; the verdict is shortened if the row is narrow.
            let verdict = short_verdict(picture, sheet.width);
            vec![sign, look.span(meaning, format!(" {}, {verdict}", picture.cost_words()))]
        }
    };
    sheet.title(&what, result);
}

fn short_verdict(picture: &Served, width: u16) -> String {
    let verdict = picture.verdict();
    if width >= 76 { verdict } else { verdict.split(':').next().unwrap_or_default().to_owned() }
}

fn cells_of(banks: &Banks, control: Control) -> usize {
    control.label().width() + control.value(&banks.view).width().min(24) + 3
}

fn rows_of_controls(banks: &Banks, width: u16) -> Vec<Vec<Control>> {
    let mut rows: Vec<Vec<Control>> = vec![Vec::new()];
    let mut used = 0;
    for control in CONTROLS {
        let cells = cells_of(banks, control);
        if used + cells > usize::from(width) && used > 0 {
            rows.push(Vec::new());
            used = 0;
        }
        used += cells;
        if let Some(row) = rows.last_mut() {
            row.push(control);
        }
    }
    rows
}

/// Adds the controls: `rows 16  ‹pad 0›  …`. Marks enclose the selected control, and a sign shows the one at fault.
fn controls(banks: &Banks, sheet: &mut Sheet) {
    let look = sheet.look;
    let fault = banks.picture.as_ref().err().and_then(|error| Control::named(error.field));
    for row in rows_of_controls(banks, sheet.width) {
        let mut spans = Vec::new();
        for control in row {
            let value = truncate(&control.value(&banks.view), 24, look.ascii);
            let (open, close, label, number) = if control == banks.control {
                (look.sign("‹", "<"), look.sign("›", ">"), Meaning::Selected, Meaning::Selected)
            } else if fault == Some(control) {
                (look.sign("▲", "!"), " ", Meaning::Wrong, Meaning::Wrong)
            } else {
                (" ", " ", Meaning::Muted, Meaning::Strong)
            };
            spans.push(look.span(label, format!("{open}{} ", control.label())));
            spans.push(look.span(number, value));
            spans.push(look.span(label, close.to_owned()));
        }
        sheet.row(spans);
    }
    if let Some(edit) = &banks.edit {
        edit.draw(banks.picture.as_ref().err(), sheet);
    }
}

fn axis(cell: usize, sheet: &mut Sheet) {
    let look = sheet.look;
    let mut scale = String::new();
    for bank in (0..BANKS).step_by(4) {
        // Each number is above its bank, right-aligned in the bank's cells.
        scale.push_str(&pad(&pad_left(&bank.to_string(), cell), 4 * cell));
    }
    sheet.row(vec![
        look.span(Meaning::Muted, pad(&format!(" {}", t!("banks-wavefront-short")), PREFIX)),
        look.span(Meaning::Muted, scale),
        look.span(Meaning::Muted, format!("  {}", t!("banks-field-lanes"))),
    ]);
}

/// Returns the meaning that colours a bank. Banks 8, 16 or 24 apart, which often conflict, get different colours.
fn bank_meaning(bank: usize) -> Meaning {
    Meaning::Bank((bank + bank / 8) as u8)
}

fn wavefronts(banks: &Banks, picture: &Served, layout: &Layout, sheet: &mut Sheet) {
    let look = sheet.look;
    let empty = pad_left(look.sign("·", "."), layout.cell);
    let all = picture.schedule.len();
    for at in layout.first..(layout.first + layout.wavefronts).min(all) {
        let wavefront = &picture.schedule[at];
        let (served, last) = (at < banks.drawn(), at + 1 == banks.served && banks.served < all);
        // The wavefront that is being served appears from left to right.
        let reached = if last { banks.reached(BANKS) } else { BANKS };
        let mut cells = Cells::default();
        let mark = if last { look.sign("▸", ">") } else { " " };
        cells.push(&pad(&format!("{mark}{:>2}", at + 1), PREFIX), look.style(Meaning::Accent));
        let mut lanes_here = 0;
        for (bank, word) in wavefront.banks.iter().enumerate() {
            match word.filter(|_| served && bank < reached) {
                None => cells.push(&empty, look.style(Meaning::BarEmpty)),
                Some((_, mask)) => {
                    lanes_here |= mask;
                    let meaning = if mask.count_ones() > 1 { Meaning::Free } else { bank_meaning(bank) };
                    cells.push(&lane_name(mask, layout.cell), look.style(meaning));
                }
            }
        }
        let room = usize::from(layout.width).saturating_sub(PREFIX + BANKS * layout.cell + 2);
        if served && lanes_here != 0 {
            let words = lanes(lanes_here, 8);
            cells.push(&format!("  {}", truncate(&words, room, look.ascii)), look.style(Meaning::Muted));
        }
        sheet.row(cells.done());
    }
    if layout.wavefronts < all && layout.wavefronts > 0 {
        let more = t!("banks-more-wavefronts", n = all - layout.wavefronts);
        sheet.row(vec![look.span(Meaning::Muted, format!("  …  {more}"))]);
    }
}

/// Explains the signs that are drawn, as far as there is room.
fn legend(banks: &Banks, picture: &Served, layout: &Layout, sheet: &mut Sheet) {
    let memory = layout.memory >= 2;
    let mut entries = Vec::new();
    if layout.cell < 3 && picture.access.mask >> 10 != 0 {
        entries.push(("a–v", Meaning::Text, t!("banks-legend-letters")));
    }
    if picture.widest_broadcast() > 1 {
        entries.push(("*", Meaning::Free, t!("banks-legend-broadcast")));
    }
    if memory {
        entries.push(("│", Meaning::Border, t!("banks-legend-row")));
        if banks.view.pad > 0 {
            entries.push(("▒", Meaning::Warning, t!("banks-legend-padding")));
        }
    }
    if banks.served < banks.wavefronts() {
        entries.push(("▸", Meaning::Accent, t!("banks-legend-now")));
    }
    sheet.legend(entries, 3);
}

/// Draws the array's words, 32 per line, and marks those of this access with their lanes.
fn memory(banks: &Banks, picture: &Served, layout: &Layout, sheet: &mut Sheet) {
    let look = sheet.look;
    let stride = (u64::from(banks.view.pitch) + u64::from(banks.view.pad)) * u64::from(banks.view.width / 4);
    let words = stride * u64::from(banks.view.rows);
    let lines = words.div_ceil(BANKS as u64) as usize;
    if layout.memory < 2 {
        return;
    }
    let mut owner = std::collections::HashMap::new();
    for (word, mask) in picture.schedule.iter().flat_map(|wavefront| wavefront.banks.iter().flatten()) {
        *owner.entry(*word).or_insert(0) |= mask;
    }
    let text = t!("banks-memory");
    sheet.row(vec![look.span(
        Meaning::Muted,
        format!(" {}", truncate(&text, usize::from(layout.width).saturating_sub(2), look.ascii)),
    )]);
    for line in 0..lines.min(layout.memory) {
        let mut cells = Cells::default();
        cells.push(&pad(&pad_left(&(line * BANKS * 4).to_string(), PREFIX - 1), PREFIX), look.style(Meaning::Muted));
        for bank in 0..BANKS {
            let word = (line * BANKS + bank) as u64;
            let column = word % stride.max(1);
            let padding = column >= u64::from(banks.view.pitch) * u64::from(banks.view.width / 4);
            match owner.get(&(word as u32)) {
                Some(mask) => {
                    let meaning = if mask.count_ones() > 1 { Meaning::Free } else { bank_meaning(bank) };
                    cells.push(&lane_name(*mask, layout.cell), look.style(meaning));
                }
                None if word >= words => cells.push(&" ".repeat(layout.cell), Style::new()),
                None if padding => {
                    cells.push(&pad_left(look.sign("▒", "#"), layout.cell), look.style(Meaning::Warning));
                }
                None if column == 0 => {
                    cells.push(&pad_left(look.sign("│", "|"), layout.cell), look.style(Meaning::Border));
                }
                None => cells.push(&pad_left(look.sign("·", "."), layout.cell), look.style(Meaning::BarEmpty)),
            }
        }
        let note = match (line, lines > layout.memory) {
            (0, _) => format!("  {}", t!("banks-byte-zero")),
            (at, true) if at + 1 == layout.memory => "  …".to_owned(),
            _ => String::new(),
        };
        cells.push(&note, look.style(Meaning::Muted));
        sheet.row(cells.done());
    }
}

fn words(banks: &Banks, picture: &Served, sheet: &mut Sheet) {
    let look = sheet.look;
    sheet.text(Meaning::Text, &bank_words(banks, picture));
    let free = picture.conflict_free();
    let (sign, meaning) = look.cost(free);
    let mut text = format!("{} {}", sign.content, fix_words(&banks.view, picture));
    if !free && sheet.width >= 100 && banks.edit.is_none() {
        text = format!("{text} {}", t!("banks-padding-keys"));
    }
    sheet.text(meaning, &text);
    if let Some(number) = banks.preset.filter(|_| sheet.width >= 76)
        && let Some(preset) = presets::preset(number.into())
    {
        sheet.text(Meaning::Muted, &t!("banks-preset-of", number, title = preset.title));
    }
}

/// Returns `pitch 16 words; bank = (ty·16 + 5) mod 32: even rows → 5, odd rows → 21`.
pub(super) fn bank_words(banks: &Banks, picture: &Served) -> String {
    let (pitch, formula, pattern) = (pitch(&banks.view), formula(&banks.view), pattern(picture));
    t!("banks-formula", pitch, formula, pattern)
}

/// Returns the expression that a control edits, if any.
pub(super) fn index(control: Control) -> Option<Index> {
    match control {
        Control::Row => Some(Index::Row),
        Control::Column => Some(Index::Column),
        _ => None,
    }
}

fn real(banks: &Banks, sheet: &mut Sheet) {
    let look = sheet.look;
    let Some(real) = &banks.real else { return };
    sheet.rule(&t!("banks-real", kernel = real.kernel, size = SIZE));
    match real.state() {
        CountState::Waiting(fraction) => {
            let mut row = vec![look.span(Meaning::Muted, format!(" {}  ", t!("banks-real-counting")))];
            row.extend(look.bar(fraction, 24));
            sheet.row(row);
        }
        CountState::Failed(message) => sheet.text(Meaning::Wrong, &message),
        CountState::Counted(rows) if rows.is_empty() => {
            sheet.text(Meaning::Text, &t!("banks-real-none"));
        }
        CountState::Counted(rows) => {
            for row in rows {
                let each = row.wavefronts as f64 / row.requests.max(1) as f64;
                let (sign, meaning) = look.cost(row.wavefronts <= row.ideal);
                let head = format!(" {}:{} {} ", row.file, row.line, row.op);
                let arrow = look.sign("→", "->");
                let cost = format!(
                    "{} {arrow} {} ",
                    t!("banks-real-requests", n = row.requests),
                    t!("banks-real-wavefronts", n = row.wavefronts)
                );
                sheet.row(vec![
                    look.span(Meaning::Muted, head),
                    look.span(Meaning::Text, cost),
                    sign,
                    look.span(meaning, format!(" {}", t!("banks-real-each", n = format!("{each:.2}")))),
                ]);
            }
        }
    }
}

pub(super) fn active(picture: &Served) -> Vec<usize> {
    (0..WARP).filter(|lane| picture.access.mask >> lane & 1 == 1).collect()
}
