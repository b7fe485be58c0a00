/*! Draws the picture:

```text
 a thread 8×8, k = 3 of 8                            1/4 number read per FMA
        b   0─────────  4─────────     ▸ terms so far    3 ◂▸
    a ╭────────────────────────        rows TM           8
    0 │     ▒  ▒  ▒  ▒  ▒  ▒  ▒  ▒     columns TN        8
    ┊ │     ▒  ▒  ▒  ▒  ▒  ▒  ▒  ▒     numbers a load    4
    …                                  …
```

The fragment of A is on the left and that of B is above. A line joins the elements that one load provides. Each sum is as
dark as the share of its terms that it has.
*/

use super::super::control::ControlClick;
use super::super::grid::Grid;
use super::RegisterTile;
use super::{Control, Tile, share};
use crate::prelude::*;
use std::time::Duration;
use tutor_course::RegisterTileView;
use ui_kit::canvas::Canvas;
use ui_kit::sheet::rest;

/// Cells to the left of the sums.
const LEFT: usize = 7;
/// Rows above the sums: title, fragment of B, and a line.
const TOP: usize = 3;
/// Minimum cells of the text.
const WORDS: usize = Tile::LAYOUT.width();
/// Numbers per multiply-add that a thread with a single sum reads.
const MAX_READS: f64 = 2.0;

struct Layout {
    grid: Grid,
    /// First cell and row of the text.
    words: (usize, usize),
}

impl Layout {
    fn new(it: &RegisterTile, area: Rect) -> Self {
        let (tm, tn) = (it.panel.dials.tm, it.panel.dials.tn);
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let wide = |cell: usize| LEFT + tn as usize * cell + 1;
        // Columns are wide only if the text then still has enough room.
        let words = |cell: usize| if cell > 3 { 2 * WORDS } else { WORDS };
        let beside = [4, 3, 2].into_iter().find(|cell| wide(*cell) + words(*cell) <= width);
        let (cell, room) = match beside {
            Some(cell) => (cell, height.saturating_sub(TOP)),
            // The text is below, and the tile takes the rows that are left.
            None => {
                let cell = [3, 2].into_iter().find(|cell| wide(*cell) <= width).unwrap_or(1);
                (cell, height.saturating_sub(TOP + usize::from(it.panel.min_height(area.width))).max(2))
            }
        };
        let (size, rows) = ((cell, 1), tm.min(room as u32));
        let grid = Grid { corner: (LEFT, TOP), step: size, element: size, rows: 0..rows, columns: 0..tn };
        let words = if beside.is_some() { (wide(cell), 1) } else { (0, (TOP + rows as usize).min(height)) };
        Self { grid, words }
    }
}

/// Returns the number of rows of the whole tile and all of the text at a width.
pub(super) fn min_height(it: &RegisterTile, width: u16) -> u16 {
    let words_at = Layout::new(it, Rect::new(0, 0, width, u16::MAX)).words.0 as u16;
    let tile = TOP as u16 + it.panel.dials.tm as u16;
    let caption = it.panel.min_height(width - words_at);
    if words_at > 0 { tile.max(1 + caption) } else { tile + caption }
}

impl DrawControls for Tile {
    const KIND: &str = "register-tile";
    const STEP: Duration = Duration::from_millis(600);
    const LAYOUT: ControlLayout = ControlLayout { label: 14, value: 5 };

    fn actions(&self, mut controls: Vec<Action>) -> Vec<Action> {
        controls.push(Action::Play);
        controls
    }

    /// Begins again if all terms are added.
    fn perform(&mut self, _: Action) -> Option<Control> {
        self.done %= self.depth;
        None
    }

    /// Adds a term to each sum.
    fn step(&mut self) -> bool {
        self.change(Control::K, true);
        self.done < self.depth
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
        let (width, join, sum) = (self.width, look.sign("─", "-"), shade(self, look));
        rows.text(Meaning::Muted, &t!("register-tile-legend", width, join, sum, done = self.done, depth = self.depth));
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
pub(super) fn sum(it: &RegisterTile, at: (u16, u16), area: Rect) -> Option<u32> {
    Layout::new(it, area).grid.at(at).map(|(row, column)| row * it.panel.dials.tn + column)
}

/// Returns the control at a cell.
pub(super) fn number(it: &RegisterTile, (x, y): (u16, u16), area: Rect) -> Option<ControlClick<Control>> {
    let words = Layout::new(it, area).words;
    let words = rest(Rect { x: 0, y: 0, ..area }, words.0, words.1);
    it.panel.hit((x.checked_sub(words.x)?, y.checked_sub(words.y)?), words.width)
}

pub(super) fn draw(it: &RegisterTile, frame: &mut Frame, area: Rect, look: &Look) {
    let tile = &it.panel.dials;
    let layout = Layout::new(it, area);
    let mut sheet = Sheet::new(look, area.width);
    let [what, reads] = title(tile);
    sheet.title(&what, vec![look.span(Meaning::Accent, reads)]);
    sheet.draw(frame, area);
    self::tile(tile, &layout.grid, &mut Canvas::new(frame.buffer_mut(), area, look));
    let words = rest(area, layout.words.0, layout.words.1);
    it.panel.draw(frame, words, look, words.width);
}

/// Draws the fragments around the sums.
fn tile(tile: &Tile, grid: &Grid, canvas: &mut Canvas) {
    let ((row, column), wide, look) = (tile.marked(), grid.step.0, canvas.look);
    let mark = |marked: bool, meaning: Meaning| if marked { Meaning::Selected } else { meaning };
    let cell = |text: String| pad_left(&truncate(&text, wide, true), wide);
    // In a narrow column, a number is its last digit.
    let index = |at: u32| if wide < 3 { (at % 10).to_string() } else { at.to_string() };
    canvas.text(LEFT - 2, 1, "b", Meaning::MatrixB);
    canvas.text(1, 2, "a", Meaning::MatrixA);
    let joined = |load: &dyn Fn(u32) -> u32, at: u32| at > 0 && load(at) == load(at - 1);
    let head = |j| if joined(&|j| tile.load_of_b(j), j) { look.sign("─", "-").repeat(wide) } else { cell(index(j)) };
    grid.heads(1, canvas, |j| (head(j), mark(j == column, Meaning::MatrixB)));
    let line = "─".repeat(tile.tn as usize * wide + 1);
    canvas.text(LEFT - 2, 2, &format!("╭{line}"), Meaning::Border);
    // If not all rows fit, the last one is an ellipsis.
    let cut = grid.rows.end < tile.tm;
    let grid = Grid { rows: 0..grid.rows.end.saturating_sub(cut.into()), ..grid.clone() };
    if cut {
        canvas.text(1, TOP + grid.rows.len(), "…", Meaning::Muted);
    }
    let label = |i| if joined(&|i| tile.load_of_a(i), i) { look.sign("┊", "|").to_owned() } else { i.to_string() };
    grid.labels(1, canvas, |i| (pad_left(&label(i), 2), mark(i == row, Meaning::MatrixA)));
    grid.labels(LEFT - 2, canvas, |_| ("│".to_owned(), Meaning::Border));
    let meaning = if tile.done > 0 { Meaning::MatrixC } else { Meaning::BarEmpty };
    grid.draw(canvas, |i, j| (cell(shade(tile, look).to_owned()), mark((i, j) == (row, column), meaning)));
}

/// Returns the sign of a sum, which shows the share of its terms that it has.
fn shade(tile: &Tile, look: &Look) -> &'static str {
    match (3 * tile.done).div_ceil(tile.depth) {
        0 => look.sign("·", "."),
        1 => look.sign("░", ":"),
        2 => look.sign("▒", "+"),
        _ if tile.done < tile.depth => look.sign("▓", "%"),
        _ => look.sign("█", "#"),
    }
}
