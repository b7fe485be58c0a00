/*! The picture.

```text
 cooperative load ▸ block (0, 0), t = 2                           thread (3, 5)
      A_tile              B_tile
   5  ▪▪▪●▪▪▪▪▪▪▪▪▪▪▪▪    ∘∘∘●∘∘∘∘∘∘∘∘∘∘∘∘
   6  ················    ···▪············
 ● loads  A[0·16 + 5][2·16 + 3] = A[5][35] into A_tile[5][3]
```
*/

use super::super::sheet::{Cells, Sheet, wrap};
use super::model::{Cooperative, Matrix};
use crate::tui::look::{Look, pad, pad_left};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

/// Cells before the first tile: its row numbers.
const PREFIX: usize = 6;
/// Cells between the tiles.
const GAP: usize = 4;

/// How an area is used.
struct Plan {
    /// Cells an element takes.
    cell: usize,
    /// Rows of the tile that are drawn, and the first of them.
    rows: u32,
    first: u32,
    /// Wide enough to stand the words beside the tiles.
    words_at: Option<usize>,
}

impl Plan {
    fn new(block: &Cooperative, area: Rect) -> Self {
        let tile = block.tile as usize;
        let width = usize::from(area.width);
        let tiles = |cell: usize| PREFIX + 2 * tile * cell + GAP;
        let beside = |cell: usize| width >= tiles(cell) + 50;
        let cell = if beside(2) || (width >= tiles(2) && area.height >= 22) { 2 } else { 1 };
        let words_at = beside(cell).then(|| tiles(cell) + 2);
        let rows = |(label, _, text): &(&str, Meaning, String)| wrap(text, width.saturating_sub(label.width() + 3)).len();
        let words = if words_at.is_some() { 0 } else { words(block).iter().map(rows).sum() };
        let room = usize::from(area.height).saturating_sub(2 + words).clamp(1, tile) as u32;
        let first = block.ty.saturating_sub(room / 2).min(block.tile - room);
        Self { cell, rows: room, first, words_at }
    }
}

pub(super) fn hit(block: &Cooperative, at: Position, area: Rect) -> Option<(u32, u32)> {
    let plan = Plan::new(block, area);
    let row = u32::from(at.y.checked_sub(area.y + 2)?);
    let x = usize::from(at.x.checked_sub(area.x)?).checked_sub(PREFIX)?;
    let width = block.tile as usize * plan.cell;
    let column = if x < width { x } else { x.checked_sub(width + GAP)? };
    (row < plan.rows && column < width).then(|| ((column / plan.cell) as u32, plan.first + row))
}

pub(super) fn draw(block: &Cooperative, frame: &mut Frame, area: Rect, look: &Look) {
    let plan = Plan::new(block, area);
    let mut sheet = Sheet::new(look, area.width);
    let tile = block.tile;
    let chosen = format!("thread ({}, {})", block.tx, block.ty);
    let [bx, by] = block.block;
    let what = format!("block ({bx}, {by}), t = {}", block.t);
    sheet.title("cooperative load", &what, vec![look.span(Meaning::Accent, chosen)]);
    let width = tile as usize * plan.cell;
    sheet.row(vec![
        look.span(Meaning::Muted, pad("   ty", PREFIX)),
        look.span(Meaning::MatrixA, pad("A_tile", width + GAP)),
        look.span(Meaning::MatrixB, "B_tile"),
    ]);
    for row in plan.first..plan.first + plan.rows {
        let mut cells = Cells::new();
        cells.push(&pad(&pad_left(&row.to_string(), PREFIX - 2), PREFIX), look.style(Meaning::Muted));
        for (matrix, meaning) in [(Matrix::A, Meaning::MatrixA), (Matrix::B, Meaning::MatrixB)] {
            for column in 0..tile {
                let (sign, meaning) = element(block, matrix, row, column, meaning, look);
                cells.push(&pad(sign, plan.cell), look.style(meaning));
            }
            cells.push(&" ".repeat(GAP), Style::new());
        }
        sheet.row(cells.done());
    }
    match plan.words_at {
        None => write(block, &mut sheet),
        Some(at) => {
            let at = (at as u16).min(area.width);
            let mut side = Sheet::new(look, area.width - at);
            write(block, &mut side);
            let right = Rect { x: area.x + at, y: area.y + 2.min(area.height), width: area.width - at, height: area.height.saturating_sub(2) };
            side.draw(frame, right);
        }
    }
    sheet.draw(frame, area);
}

/// The sign of an element: loaded by the chosen thread, read by it, loaded by its warp, or neither.
fn element<'s>(
    block: &Cooperative,
    matrix: Matrix,
    row: u32,
    column: u32,
    meaning: Meaning,
    look: &Look<'s>,
) -> (&'s str, Meaning) {
    if (column, row) == (block.tx, block.ty) {
        (look.sign("●", "@"), Meaning::Accent)
    } else if block.reads(matrix, row, column) {
        (look.sign("▪", "r"), meaning)
    } else if block.in_warp(column, row) {
        (look.sign("∘", "o"), Meaning::Text)
    } else {
        (look.sign("·", "."), Meaning::BarEmpty)
    }
}

/// Label and sentence of each row below the tiles.
fn words(block: &Cooperative) -> Vec<(&'static str, Meaning, String)> {
    let (tile, tx, ty, t) = (block.tile, block.tx, block.ty, block.t);
    let [bx, by] = block.block;
    let last = tile - 1;
    let (a, b) = (block.loads(Matrix::A, tx, ty), block.loads(Matrix::B, tx, ty));
    vec![
        (
            "● loads ",
            Meaning::MatrixA,
            format!("A[{by}·{tile} + {ty}][{t}·{tile} + {tx}] = A[{}][{}] into A_tile[{ty}][{tx}]", a.row, a.column),
        ),
        (
            "        ",
            Meaning::MatrixB,
            format!("B[{t}·{tile} + {ty}][{bx}·{tile} + {tx}] = B[{}][{}] into B_tile[{ty}][{tx}]", b.row, b.column),
        ),
        (
            "▪ reads ",
            Meaning::Text,
            format!("the row A_tile[{ty}][0…{last}], the column B_tile[0…{last}][{tx}]"),
        ),
        (
            "∘ warp  ",
            Meaning::Text,
            format!(
                "{}: its load of A moves {} sectors, its load of B {}",
                block.warp(),
                block.sectors(Matrix::A),
                block.sectors(Matrix::B)
            ),
        ),
    ]
}

fn write(block: &Cooperative, sheet: &mut Sheet) {
    let look = sheet.look;
    for (label, meaning, text) in words(block) {
        let label = match label.chars().next() {
            Some('●') => label.replacen('●', look.sign("●", "@"), 1),
            Some('▪') => label.replacen('▪', look.sign("▪", "r"), 1),
            Some('∘') => label.replacen('∘', look.sign("∘", "o"), 1),
            _ => label.to_owned(),
        };
        sheet.labelled(&label, meaning, &text);
    }
    // Where there is room left, the formulas without numbers.
    let tile = block.tile;
    let text = format!(
        "A[row·lda + t·{tile} + tx] and B[(t·{tile} + ty)·ldb + col] with row = by·{tile} + ty, col = bx·{tile} + tx"
    );
    sheet.labelled("formula ", Meaning::Muted, &text);
}
