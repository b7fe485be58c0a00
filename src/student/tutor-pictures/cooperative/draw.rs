/*! Draws the picture:

```text
 block (0, 0), t = 2                           thread (3, 5)
      A_tile              B_tile
   5  ▪▪▪●▪▪▪▪▪▪▪▪▪▪▪▪    ∘∘∘●∘∘∘∘∘∘∘∘∘∘∘∘
   6  ················    ···▪············
 ● loads  A[0·16 + 5][2·16 + 3] = A[5][35] into A_tile[5][3]
```
*/

use super::super::control::cell;
use super::super::grid::Grid;
use super::{Cooperative, Matrix};
use crate::prelude::*;
use ui_kit::canvas::Canvas;
use ui_kit::sheet::{rest, wrap};

/// Cells of the row numbers before the first tile.
const PREFIX: usize = 6;
/// Cells between the tiles.
const GAP: usize = 4;

/// Minimum cells of the text next to the tiles if there is no room below them.
const MIN_BESIDE: usize = 34;

/// Largest tile whose elements are drawn with gaps.
const MAX_SPACED_TILE: usize = 16;

/// Returns the number of rows of the text, formulas included, in `width` cells.
fn caption_rows(block: &Cooperative, width: usize) -> usize {
    let rows = |(label, _, text): &(String, Meaning, String)| wrap(text, width.saturating_sub(label.width() + 3)).len();
    words(block).iter().map(rows).sum::<usize>() + wrap(&formula(block), width.saturating_sub(2)).len()
}

pub(super) fn min_height(block: &Cooperative, width: u16) -> u16 {
    let (tile, width) = (block.tile as usize, usize::from(width));
    let below = 2 + tile + caption_rows(block, width);
    // As in `Layout`, text next to the tiles begins in row 2 at the latest.
    let beside = |cell: usize, least: usize| {
        let tiles = PREFIX + 2 * tile * cell + GAP;
        (width >= tiles + least).then(|| (2 + tile).max(2 + caption_rows(block, width - tiles - 2)))
    };
    let always = if width >= PREFIX + 4 * tile + GAP + 42 { beside(2, 42) } else { beside(1, 42) };
    let rows = always.unwrap_or_else(|| beside(1, MIN_BESIDE).map_or(below, |rows| rows.min(below)));
    // The minimum is a title, headings and a few rows.
    rows.max(12) as u16
}

struct Layout {
    /// The tiles of A and B.
    tiles: [Grid; 2],
    framed: bool,
    /// First cell and row of the text.
    words: (usize, usize),
}

impl Layout {
    fn new(block: &Cooperative, area: Rect) -> Self {
        let tile = block.tile as usize;
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let tiles = |cell: usize| PREFIX + 2 * tile * cell + GAP;
        let below = caption_rows(block, width);
        let low = height < 2 + tile + below;
        let beside = |cell: usize| width >= tiles(cell) + if low { MIN_BESIDE } else { 42 };
        // If there is plenty of room, the elements have gaps and the text is below.
        let spaced =
            tile <= MAX_SPACED_TILE && width >= tiles(3) && height >= 2 + 2 * tile + below + words(block).len();
        let narrow = !beside(2) && (low || width < tiles(2));
        let (cell, high) = if spaced { (3, 2) } else { (if narrow { 1 } else { 2 }, 1) };
        let beside = high == 1 && beside(cell);
        // If not everything fits, the rows of the tiles take precedence over the formulas.
        let formulas = if low { wrap(&formula(block), width.saturating_sub(2)).len() } else { 0 };
        let room = height.saturating_sub(2 + if beside { 0 } else { below - formulas });
        let framed = room > tile;
        let rows = room.clamp(1, tile) as u32;
        let first = block.ty.saturating_sub(rows / 2).min(block.tile - rows);
        let grid = |matrix: usize| Grid {
            corner: (PREFIX + matrix * (tile * cell + GAP), 2),
            step: (cell, high),
            element: (cell, 1),
            rows: first..first + rows,
            columns: 0..block.tile,
        };
        let grids = [grid(0), grid(1)];
        let words = match beside {
            true => (tiles(cell) + 2, if height < 18 { 1 } else { 2 }),
            false => (0, 2 + grids[0].size().1 + usize::from(framed)),
        };
        Self { tiles: grids, framed, words }
    }
}

/// Returns `threadIdx` of the thread that loads the element at a position.
pub(super) fn hit(block: &Cooperative, at: Position, area: Rect) -> Option<(u32, u32)> {
    let at = cell(at, area)?;
    Layout::new(block, area).tiles.iter().find_map(|tile| tile.at(at)).map(|(row, column)| (column, row))
}

pub(super) fn draw(block: &Cooperative, frame: &mut Frame, area: Rect, look: &Look) {
    let layout = Layout::new(block, area);
    let mut sheet = Sheet::new(look, area.width);
    let [bx, by] = block.block;
    let what = t!("cooperative-what", bx, by, t = block.t);
    let chosen = t!("cooperative-thread", tx = block.tx, ty = block.ty);
    sheet.title(&what, vec![look.span(Meaning::Accent, chosen)]);
    sheet.draw(frame, area);
    let mut canvas = Canvas::new(frame.buffer_mut(), area, look);
    tiles(block, &layout, &mut canvas);
    let room = rest(area, layout.words.0, layout.words.1);
    let mut sheet = Sheet::new(look, room.width);
    write(block, room.height, &mut sheet);
    sheet.draw(frame, room);
}

fn tiles(block: &Cooperative, layout: &Layout, canvas: &mut Canvas) {
    let look = canvas.look;
    layout.tiles[0].labels(0, canvas, |ty| {
        let meaning = if ty == block.ty { Meaning::Strong } else { Meaning::Muted };
        (pad_left(&ty.to_string(), PREFIX - 2), meaning)
    });
    canvas.text(0, 1, &pad_left("ty", PREFIX - 2), Meaning::Muted);
    let matrices = [(Matrix::A, "A_tile", Meaning::MatrixA), (Matrix::B, "B_tile", Meaning::MatrixB)];
    for (grid, (matrix, name, meaning)) in layout.tiles.iter().zip(matrices) {
        if layout.framed {
            grid.frame(name, meaning, canvas);
        } else {
            canvas.text(grid.corner.0, 1, name, meaning);
        }
        grid.draw(canvas, |row, column| element(block, matrix, row, column, meaning, look));
    }
}

/// Returns the sign of an element: loaded by the chosen thread, read by it, loaded by its warp, or other.
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

/// Returns label, meaning and sentence of each row below the tiles.
fn words(block: &Cooperative) -> Vec<(String, Meaning, String)> {
    let (tile, tx, ty, t) = (block.tile, block.tx, block.ty, block.t);
    let [bx, by] = block.block;
    let (a, b) = (block.loads(Matrix::A, tx, ty), block.loads(Matrix::B, tx, ty));
    let labels = [t!("cooperative-loads"), t!("cooperative-reads"), t!("cooperative-warp")];
    let widest = labels.iter().map(|label| label.width()).max().unwrap_or(0);
    let [loads, reads, warp] = labels;
    let label = |sign: &str, label: &str| format!("{sign} {}", pad(label, widest));
    vec![
        (
            label("●", &loads),
            Meaning::MatrixA,
            t!(
                "cooperative-into",
                from = format!("A[{by}·{tile} + {ty}][{t}·{tile} + {tx}] = A[{}][{}]", a.row, a.column),
                to = format!("A_tile[{ty}][{tx}]"),
            ),
        ),
        (
            label(" ", ""),
            Meaning::MatrixB,
            t!(
                "cooperative-into",
                from = format!("B[{t}·{tile} + {ty}][{bx}·{tile} + {tx}] = B[{}][{}]", b.row, b.column),
                to = format!("B_tile[{ty}][{tx}]"),
            ),
        ),
        (label("▪", &reads), Meaning::Text, t!("cooperative-row-and-column", tx, ty, last = tile - 1)),
        (
            label("∘", &warp),
            Meaning::Text,
            t!("cooperative-sectors", warp = block.warp(), a = block.sectors(Matrix::A), b = block.sectors(Matrix::B)),
        ),
    ]
}

/// Returns the index formulas in symbols.
fn formula(block: &Cooperative) -> String {
    let tile = block.tile;
    t!(
        "cooperative-formula",
        a = format!("A[row·lda + t·{tile} + tx]"),
        b = format!("B[(t·{tile} + ty)·ldb + col]"),
        row = format!("row = by·{tile} + ty"),
        column = format!("col = bx·{tile} + tx"),
    )
}

pub(super) fn write(block: &Cooperative, height: u16, sheet: &mut Sheet) {
    let look = sheet.look;
    let words_rows = caption_rows(block, usize::from(sheet.width));
    let roomy = usize::from(height) >= words_rows + 4;
    for (label, meaning, text) in words(block) {
        let label = match (look.ascii, label.chars().next()) {
            (true, Some('●')) => label.replacen('●', "@", 1),
            (true, Some('▪')) => label.replacen('▪', "r", 1),
            (true, Some('∘')) => label.replacen('∘', "o", 1),
            _ => label,
        };
        sheet.labelled(&label, meaning, &text);
        if roomy {
            sheet.blank();
        }
    }
    sheet.text(Meaning::Muted, &formula(block));
}
