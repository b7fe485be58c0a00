/*! Draws the picture:

```text
 a thread 8×8, k = 3 of 8                            1/4 number read per FMA
        b   2  2  2  2  3  3  3  3     ▸ terms so far    3 ◂▸
    a ╭────────────────────────        rows TM           8
    0 │     3  3  3  3  3  3  3  3     columns TN        8
    0 │     3  3  3  3  3  3  3  3     numbers a load    4
    …                                  …
```

The fragment of A is on the left and that of B is above. Each of their elements shows the load that provides it. Each
sum shows its number of terms.
*/

use super::super::control::ControlClick;
use super::RegisterTile;
use super::model::{Control, Tile, share};
use crate::prelude::*;
use tutor_course::RegisterTileView;
use ui_kit::canvas::Canvas;

/// Cells to the left of the sums.
const LEFT: usize = 7;
/// Rows above the sums: title, fragment of B, and a line.
const TOP: usize = 3;
/// Minimum cells of the text.
const WORDS: usize = Tile::LAYOUT.width();
/// Numbers per multiply-add that a thread with a single sum reads.
const MAX_READS: f64 = 2.0;

/// Where the tile and the text are.
struct Layout {
    cell: usize,
    /// Number of tile rows that are drawn.
    rows: usize,
    words: Rect,
}

impl Layout {
    fn new(it: &RegisterTile, area: Rect) -> Self {
        let (tm, tn) = (it.panel.dials.tm as usize, it.panel.dials.tn as usize);
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let wide = |cell: usize| LEFT + tn * cell + 1;
        // Columns are wide only if the text then still has enough room.
        let words = |cell: usize| if cell > 3 { 2 * WORDS } else { WORDS };
        if let Some(cell) = [4, 3, 2].into_iter().find(|cell| wide(*cell) + words(*cell) <= width) {
            let left = wide(cell) as u16;
            let words = Rect { x: left, y: 1, width: area.width - left, height: area.height.saturating_sub(1) };
            return Self { cell, rows: tm.min(height.saturating_sub(TOP)), words };
        }
        // The text is below, and the tile takes the rows that are left.
        let cell = [3, 2].into_iter().find(|cell| wide(*cell) <= width).unwrap_or(1);
        let caption = usize::from(it.panel.min_height(area.width));
        let rows = tm.min(height.saturating_sub(TOP + caption).max(2));
        let top = (TOP + rows).min(height) as u16;
        Self { cell, rows, words: Rect { x: 0, y: top, width: area.width, height: area.height - top } }
    }
}

/// Returns the number of rows of the whole tile and all of the text at a width.
pub(super) fn height(it: &RegisterTile, width: u16) -> u16 {
    let layout = Layout::new(it, Rect::new(0, 0, width, u16::MAX));
    let tile = TOP as u16 + it.panel.dials.tm as u16;
    let caption = it.panel.min_height(layout.words.width);
    if layout.words.x > 0 { tile.max(1 + caption) } else { tile + caption }
}

impl DrawControls for Tile {
    const LAYOUT: ControlLayout = ControlLayout { label: 14, value: 5 };

    fn name() -> String {
        t!("pictures-name-register-tile")
    }

    /// Adds the text next to the tile: the controls and their consequences.
    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        for &control in Self::CONTROLS {
            let (name, value) = match control {
                Control::K => (t!("register-tile-k"), self.done.to_string()),
                Control::Tm => (t!("register-tile-tm"), self.tm.to_string()),
                Control::Tn => (t!("register-tile-tn"), self.tn.to_string()),
                Control::Width => (t!("register-tile-width"), self.width.to_string()),
                Control::Sum => {
                    let (row, column) = self.marked();
                    (t!("register-tile-sum"), format!("{row},{column}"))
                }
            };
            rows.number(control, &name, &value, Vec::new());
        }
        rows.rule(&t!("register-tile-each-k"));
        let (reads, products) = (self.reads(), self.products());
        let part = f64::from(reads) / f64::from(products) / MAX_READS;
        let mut bar = vec![look.span(Meaning::Text, " ".to_owned())];
        bar.extend(look.bar(part, rows.width.saturating_sub(2).min(40)));
        rows.row(bar);
        let each = share(reads, products);
        rows.text(Meaning::Text, &t!("register-tile-reads", tm = self.tm, tn = self.tn, products, share = each));
        let loads = t!("register-tile-loads", n = self.loads(), share = share(self.loads(), products));
        rows.text(Meaning::Text, &loads);
        let (all, most) = (self.registers(), RegisterTileView::MAX_REGISTERS);
        if all > most {
            rows.text(Meaning::Warning, &t!("register-tile-too-many", all, most));
        } else {
            rows.text(Meaning::Text, &t!("register-tile-registers", sums = products, reads, all));
        }
        let (row, column) = self.marked();
        let operands = t!("register-tile-operands", row, column, tm = self.tm, tn = self.tn);
        rows.text(Meaning::Muted, &operands);
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("a, b", t!("register-tile-sign-load")), ("0…9", t!("register-tile-sign-terms"))]
    }
}

/// Returns the tile with its progress, and its reads per multiply-add.
pub(super) fn title(tile: &Tile) -> [String; 2] {
    [
        t!("register-tile-what", tm = tile.tm, tn = tile.tn, done = tile.done, depth = tile.depth),
        t!("register-tile-per-fma", share = share(tile.reads(), tile.products())),
    ]
}

/// Returns the index, row by row, of the sum at a cell.
pub(super) fn sum(it: &RegisterTile, (x, y): (u16, u16), area: Rect) -> Option<u32> {
    let layout = Layout::new(it, area);
    let (row, column) = (usize::from(y).checked_sub(TOP)?, usize::from(x).checked_sub(LEFT)? / layout.cell);
    let inside = row < layout.rows && column < it.panel.dials.tn as usize;
    inside.then(|| row as u32 * it.panel.dials.tn + column as u32)
}

/// Returns the control at a cell.
pub(super) fn number(it: &RegisterTile, (x, y): (u16, u16), area: Rect) -> Option<ControlClick<Control>> {
    let words = Layout::new(it, area).words;
    it.panel.hit((x.checked_sub(words.x)?, y.checked_sub(words.y)?), words.width)
}

pub(super) fn draw(it: &RegisterTile, frame: &mut Frame, area: Rect, look: &Look) {
    let tile = &it.panel.dials;
    let layout = Layout::new(it, area);
    let mut sheet = Sheet::new(look, area.width);
    let [what, reads] = title(tile);
    sheet.title(&what, vec![look.span(Meaning::Accent, reads)]);
    sheet.draw(frame, area);
    self::tile(tile, &layout, &mut Canvas::new(frame.buffer_mut(), area, look));
    let words = Rect { x: area.x + layout.words.x, y: area.y + layout.words.y, ..layout.words }.intersection(area);
    it.panel.draw(frame, words, look, layout.words.width);
}

/// Draws the fragments around the sums.
fn tile(tile: &Tile, layout: &Layout, canvas: &mut Canvas) {
    let (row, column) = tile.marked();
    let mark = |marked: bool, meaning: Meaning| if marked { Meaning::Selected } else { meaning };
    let cell = |text: String| pad_left(&truncate(&text, layout.cell, true), layout.cell);
    canvas.text(LEFT - 2, 1, "b", Meaning::MatrixB);
    canvas.text(1, 2, "a", Meaning::MatrixA);
    for j in 0..tile.tn {
        let load = cell(load(tile.load_of_b(j), layout.cell));
        canvas.text(LEFT + j as usize * layout.cell, 1, &load, mark(j == column, Meaning::MatrixB));
    }
    let line = "─".repeat(tile.tn as usize * layout.cell + 1);
    canvas.text(LEFT - 2, 2, &format!("╭{line}"), Meaning::Border);
    for i in 0..tile.tm {
        let y = TOP + i as usize;
        if y == TOP + layout.rows {
            return;
        }
        // If not all rows fit, the last one is an ellipsis.
        if y + 1 == TOP + layout.rows && layout.rows < tile.tm as usize {
            canvas.text(1, y, "…", Meaning::Muted);
            return;
        }
        canvas.text(1, y, &pad_left(&load(tile.load_of_a(i), layout.cell), 2), mark(i == row, Meaning::MatrixA));
        canvas.text(LEFT - 2, y, "│", Meaning::Border);
        for j in 0..tile.tn {
            let meaning = if tile.done > 0 { Meaning::MatrixC } else { Meaning::BarEmpty };
            let terms = cell(tile.done.to_string());
            canvas.text(LEFT + j as usize * layout.cell, y, &terms, mark((i, j) == (row, column), meaning));
        }
    }
}

/// Returns the number of a load. In a narrow column it is one sign, a letter from 10 on.
fn load(number: u32, cell: usize) -> String {
    let sign = if cell < 3 { char::from_digit(number, 36) } else { None };
    sign.map_or_else(|| number.to_string(), String::from)
}
