/*! The picture.

```text
 a thread 8×8, k = 3 of 8                            1/4 number read per FMA
        b   2  2  2  2  3  3  3  3     ▸ terms so far    3 ◂▸
    a ╭────────────────────────        rows TM           8
    0 │     3  3  3  3  3  3  3  3     columns TN        8
    0 │     3  3  3  3  3  3  3  3     numbers a load    4
    …                                  …
```

Left the fragment of A, above that of B, each number under the load that brings it; between them the sums with as many
terms as they have.
*/

use super::super::canvas::Canvas;
use super::super::control::{Controls, Dials};
use super::super::sheet::Sheet;
use super::RegisterTile;
use super::model::{Field, Tile, share};
use crate::course::RegisterTileView;
use crate::t;
use crate::tui::look::{Look, pad_left, truncate};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

const CONTROLS: Controls = Controls { label: 14, value: 5 };
/// Cells left of the sums.
const LEFT: usize = 7;
/// Rows above the sums: title, fragment of B, line.
const TOP: usize = 3;
/// Cells of the words, at least.
const WORDS: usize = CONTROLS.width();
/// Numbers that a thread with one sum reads per multiply-add.
const MOST_READS: f64 = 2.0;

/// What a click can meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hit {
    /// A number, and whether it becomes larger or smaller.
    Field(Field, Option<bool>),
    /// A sum, counted row by row.
    Sum(u32),
}

/// Where tile and words stand.
struct Plan {
    /// Cells of a column.
    cell: usize,
    /// Rows of the tile that are drawn.
    rows: usize,
    /// The words.
    words: Rect,
}

impl Plan {
    fn new(it: &RegisterTile, area: Rect) -> Self {
        let (tm, tn) = (it.panel.dials.tm as usize, it.panel.dials.tn as usize);
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let wide = |cell: usize| LEFT + tn * cell + 1;
        // Wide columns only where they cost the words nothing.
        let words = |cell: usize| if cell > 3 { 2 * WORDS } else { WORDS };
        if let Some(cell) = [4, 3, 2].into_iter().find(|cell| wide(*cell) + words(*cell) <= width) {
            let left = wide(cell) as u16;
            let words = Rect { x: left, y: 1, width: area.width - left, height: area.height.saturating_sub(1) };
            return Self { cell, rows: tm.min(height.saturating_sub(TOP)), words };
        }
        // The words stand below, and the tile gives way.
        let cell = [3, 2].into_iter().find(|cell| wide(*cell) <= width).unwrap_or(1);
        let said = usize::from(said(it, area.width));
        let rows = tm.min(height.saturating_sub(TOP + said).max(2));
        let top = (TOP + rows).min(height) as u16;
        Self { cell, rows, words: Rect { x: 0, y: top, width: area.width, height: area.height - top } }
    }
}

/// Rows of the words at a width.
fn said(it: &RegisterTile, width: u16) -> u16 {
    super::super::plain(|look| words(it, look, width).0.len())
}

/// Rows it needs at a width: all of the tile, and all words.
pub(super) fn height(it: &RegisterTile, width: u16) -> u16 {
    let plan = Plan::new(it, Rect::new(0, 0, width, u16::MAX));
    let tile = TOP as u16 + it.panel.dials.tm as u16;
    let said = said(it, plan.words.width);
    if plan.words.x > 0 { tile.max(1 + said) } else { tile + said }
}

pub(super) fn hit(it: &RegisterTile, at: Position, area: Rect) -> Option<Hit> {
    let plan = Plan::new(it, area);
    let (x, y) = (at.x.checked_sub(area.x)?, at.y.checked_sub(area.y)?);
    if let (Some(x), Some(y)) = (x.checked_sub(plan.words.x), y.checked_sub(plan.words.y)) {
        let fields = super::super::plain(|look| words(it, look, plan.words.width).1);
        let (field, turn) = CONTROLS.hit(&fields, it.panel.chosen, (x, y))?;
        return Some(Hit::Field(field, turn));
    }
    let (row, column) = (usize::from(y).checked_sub(TOP)?, usize::from(x).checked_sub(LEFT)? / plan.cell);
    let inside = row < plan.rows && column < it.panel.dials.tn as usize;
    inside.then(|| Hit::Sum(row as u32 * it.panel.dials.tn + column as u32))
}

pub(super) fn draw(it: &RegisterTile, frame: &mut Frame, area: Rect, look: &Look) {
    let tile = &it.panel.dials;
    let plan = Plan::new(it, area);
    let mut sheet = Sheet::new(look, area.width);
    let what = t!("register-tile-what", tm = tile.tm, tn = tile.tn, done = tile.done, depth = tile.depth);
    let reads = t!("register-tile-per-fma", share = share(tile.reads(), tile.products()));
    sheet.title(&what, vec![look.span(Meaning::Accent, reads)]);
    sheet.draw(frame, area);
    self::tile(tile, &plan, &mut Canvas::new(frame.buffer_mut(), area, look));
    let words = Rect { x: area.x + plan.words.x, y: area.y + plan.words.y, ..plan.words }.intersection(area);
    self::words(it, look, plan.words.width).0.draw(frame, words);
}

/// The fragments around the sums.
fn tile(tile: &Tile, plan: &Plan, canvas: &mut Canvas) {
    let (row, column) = tile.marked();
    let mark = |marked: bool, meaning: Meaning| if marked { Meaning::Selected } else { meaning };
    let cell = |text: String| pad_left(&truncate(&text, plan.cell, true), plan.cell);
    canvas.say(LEFT - 2, 1, "b", Meaning::MatrixB);
    canvas.say(1, 2, "a", Meaning::MatrixA);
    for j in 0..tile.tn {
        let load = cell(load(tile.load_of_b(j), plan.cell));
        canvas.say(LEFT + j as usize * plan.cell, 1, &load, mark(j == column, Meaning::MatrixB));
    }
    let line = "─".repeat(tile.tn as usize * plan.cell + 1);
    canvas.say(LEFT - 2, 2, &format!("╭{line}"), Meaning::Border);
    for i in 0..tile.tm {
        let y = TOP + i as usize;
        if y == TOP + plan.rows {
            return;
        }
        // Where not all rows have room, the last one says so.
        if y + 1 == TOP + plan.rows && plan.rows < tile.tm as usize {
            canvas.say(1, y, "…", Meaning::Muted);
            return;
        }
        canvas.say(1, y, &pad_left(&load(tile.load_of_a(i), plan.cell), 2), mark(i == row, Meaning::MatrixA));
        canvas.say(LEFT - 2, y, "│", Meaning::Border);
        for j in 0..tile.tn {
            let meaning = if tile.done > 0 { Meaning::MatrixC } else { Meaning::BarEmpty };
            let said = cell(tile.done.to_string());
            canvas.say(LEFT + j as usize * plan.cell, y, &said, mark((i, j) == (row, column), meaning));
        }
    }
}

/// The number of a load; where columns are narrow, one sign, from 10 on a letter.
fn load(number: u32, cell: usize) -> String {
    let sign = if cell < 3 { char::from_digit(number, 36) } else { None };
    sign.map_or_else(|| number.to_string(), String::from)
}

/// What a field is called.
fn label(field: Field) -> String {
    match field {
        Field::K => t!("register-tile-k"),
        Field::Tm => t!("register-tile-tm"),
        Field::Tn => t!("register-tile-tn"),
        Field::Width => t!("register-tile-width"),
        Field::Sum => t!("register-tile-sum"),
    }
}

/// The value of a field; a sum by its row and column.
fn value(tile: &Tile, field: Field) -> String {
    let (row, column) = tile.marked();
    if field == Field::Sum { format!("{row},{column}") } else { tile.get(field).to_string() }
}

/// The numbers that can be changed and on which row each stands, and what follows from them.
fn words<'l>(it: &RegisterTile, look: &'l Look<'l>, width: u16) -> (Sheet<'l>, Vec<(Field, u16)>) {
    let tile = &it.panel.dials;
    let (mut sheet, mut fields) = (Sheet::new(look, width), Vec::new());
    for &field in Tile::FIELDS {
        fields.push((field, sheet.len()));
        sheet.row(CONTROLS.row(look, field == it.panel.chosen, &label(field), &value(tile, field)));
    }
    sheet.rule(&t!("register-tile-each-k"));
    let part = f64::from(tile.reads()) / f64::from(tile.products()) / MOST_READS;
    let mut bar = vec![look.span(Meaning::Text, " ".to_owned())];
    bar.extend(look.bar(part, width.saturating_sub(2).min(40)));
    sheet.row(bar);
    for said in cost(tile) {
        sheet.text(Meaning::Text, &said);
    }
    let registers = if tile.registers() > RegisterTileView::MOST_REGISTERS { Meaning::Warning } else { Meaning::Text };
    sheet.text(registers, &self::registers(tile));
    sheet.text(Meaning::Muted, &operands(tile));
    (sheet, fields)
}

/// What one k costs, and what it brings.
pub(super) fn cost(tile: &Tile) -> Vec<String> {
    let (reads, products) = (tile.reads(), tile.products());
    vec![
        t!("register-tile-reads", tm = tile.tm, tn = tile.tn, products = products, share = share(reads, products)),
        t!("register-tile-loads", n = tile.loads(), share = share(tile.loads(), products)),
    ]
}

/// What it takes of a thread's registers.
pub(super) fn registers(tile: &Tile) -> String {
    let (sums, reads, all) = (tile.products(), tile.reads(), tile.registers());
    if all > RegisterTileView::MOST_REGISTERS {
        return t!("register-tile-too-many", all = all, most = RegisterTileView::MOST_REGISTERS);
    }
    t!("register-tile-registers", sums = sums, reads = reads, all = all)
}

/// What the marked sum is made of, and what else its operands serve.
pub(super) fn operands(tile: &Tile) -> String {
    let (row, column) = tile.marked();
    t!("register-tile-operands", row = row, column = column, tm = tile.tm, tn = tile.tn)
}
