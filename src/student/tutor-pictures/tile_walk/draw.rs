/*! Draws the picture:

```text
 12×12, tiles of 4×4                               step t = 1 of 0…2
  A                     B                     C            computes C[4…7][0…3]
  ╭────┬────┬────╮      ╭────┬────┬────╮      …
  │    │    │    │      │ t0 │    │    │
  │░t0░│████│□t2□│      │████│    │    │
```

The tile of A moves to the right, the tile of B moves down, and the tile of C fills. The three matrices are in a row, or
A is to the left of C and B above C. The text is below or next to them. The layout with the largest tiles is chosen.
*/

use super::super::control::cell;
use super::super::grid::Grid;
use super::TileWalk;
use super::Walk;
use crate::prelude::*;
use tutor_support::figures::percent;
use ui_kit::canvas::Canvas;
use ui_kit::sheet::rest;

/// Minimum rows of the text below the matrices.
const MIN_BELOW: usize = 3;
/// Height from which the text has gaps.
const ROOMY: u16 = 14;
/// Minimum cells of the text next to the matrices.
const BESIDE: usize = 34;
/// Maximum of the minimum height. Matrices with more tiles are drawn only in part.
const HIGH_ENOUGH: usize = 20;
/// Cells between matrices.
const GAP: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClickTarget {
    /// A tile of A or B that the block loads in this step.
    Step(u32),
    Block(u32, u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Orientation {
    /// A, B and C from left to right.
    Row,
    /// A to the left of C, and B above C.
    Cross,
}

/// Size of the tiles, how many are drawn, and where everything is.
#[derive(Debug, Clone, Copy)]
struct Layout {
    orientation: Orientation,
    /// Cells and rows of a tile without the lines between tiles.
    wide: usize,
    high: usize,
    /// Number of tiles drawn along each edge.
    shown: usize,
    /// True if there are lines around the tiles.
    lines: bool,
    /// Cells of the text if it is next to the matrices, 0 if it is below.
    beside: usize,
    /// Cells to the left of the matrices.
    left: usize,
}

/// Rows of the text at both positions.
struct CaptionRows {
    below: usize,
    beside: usize,
}

/// Returns the number of cells of the text next to the matrices.
fn beside_cells(width: u16) -> usize {
    BESIDE.max(usize::from(width) / 3)
}

fn caption_rows(walk: &Walk, width: u16) -> CaptionRows {
    let rows = |width: u16| usize::from(ui_kit::sheet::rows(width, |sheet| words(walk, 0, sheet)));
    CaptionRows { below: rows(width), beside: rows(beside_cells(width) as u16) }
}

/// Returns the minimum height: each tile has a row, and all of the text is visible.
pub(super) fn min_height(TileWalk { walk, .. }: &TileWalk, width: u16) -> u16 {
    let caption = caption_rows(walk, width);
    let below = 2 + walk.steps() as usize + caption.below;
    let shows = |height: &usize| {
        let layout = Layout::with(walk, Rect::new(0, 0, width, *height as u16), &caption);
        let room = if layout.beside > 0 { height - 1 } else { height.saturating_sub(layout.bottom()) };
        let needed = if layout.beside > 0 { caption.beside } else { caption.below };
        layout.shown == walk.steps() as usize && room >= needed
    };
    (3..below.min(HIGH_ENOUGH)).find(shows).unwrap_or(below.min(HIGH_ENOUGH)) as u16
}

impl Layout {
    fn new(walk: &Walk, area: Rect) -> Self {
        Self::with(walk, area, &caption_rows(walk, area.width))
    }

    fn with(walk: &Walk, area: Rect, caption: &CaptionRows) -> Self {
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let tiles = walk.steps() as usize;
        let mut best: Option<Self> = None;
        for (orientation, across, down) in [(Orientation::Row, 3, 1), (Orientation::Cross, 2, 2)] {
            for beside in [0, beside_cells(area.width)] {
                if beside > 0 && caption.beside >= height {
                    continue;
                }
                for lines in [true, false] {
                    let least = caption.below.min(height.saturating_sub(2 + tiles)).max(MIN_BELOW);
                    let below = if beside > 0 { 0 } else { least };
                    let (room_x, room_y) = (width.saturating_sub(beside), height.saturating_sub(1 + below));
                    let seams = if lines { tiles + 1 } else { tiles - 1 };
                    let room_x = (room_x / across).saturating_sub(GAP + seams);
                    let room_y = (room_y / down).saturating_sub(1 + if lines { seams } else { 0 });
                    let high = (room_y / tiles).min(12);
                    let wide = (room_x / tiles).min(2 * high + 4);
                    let layout = Self { orientation, wide, high, shown: tiles, lines, beside, left: 0 };
                    // With lines, a tile must be at least three cells wide.
                    let fair = high >= 1 && wide >= if lines { 3 } else { 1 };
                    if fair && best.is_none_or(|best| layout.size() > best.size()) {
                        best = Some(layout);
                    }
                }
            }
        }
        let mut layout = best.unwrap_or_else(|| {
            // There are too many tiles, so draw as many as fit with one cell each.
            let shown = tiles.min((width / 3).saturating_sub(GAP)).min(height.saturating_sub(2 + MIN_BELOW)).max(1);
            Self { orientation: Orientation::Row, wide: 1, high: 1, shown, lines: false, beside: 0, left: 0 }
        });
        let across = if layout.orientation == Orientation::Row { 3 } else { 2 };
        let used = across * (layout.matrix().0 + GAP) + layout.beside;
        layout.left = if layout.beside > 0 { 0 } else { width.saturating_sub(used) / 2 };
        layout
    }

    /// Rates a layout. The best one has large tiles that are nearly square, lines around them, and the matrices in a row.
    fn size(&self) -> usize {
        let square = self.wide.min(2 * self.high + 2) * self.high.min(self.wide / 2 + 1);
        square * (8 + 3 * usize::from(self.lines) + usize::from(self.orientation == Orientation::Row))
    }

    /// Returns cells and rows of a matrix with its lines and without its name.
    fn matrix(&self) -> (usize, usize) {
        let edge = if self.lines { 2 } else { 0 };
        let rows = self.shown * self.high + if self.lines { self.shown - 1 + edge } else { 0 };
        (self.shown * self.wide + self.shown - 1 + edge, rows)
    }

    /// Returns the upper left corner of `matrix` (0 is A, 1 is B, 2 is C). Its name is one row above.
    fn corner(&self, matrix: usize) -> (usize, usize) {
        let (wide, high) = self.matrix();
        let step = wide + GAP;
        match (self.orientation, matrix) {
            (Orientation::Row, at) => (self.left + 1 + at * step, 2),
            (Orientation::Cross, 0) => (self.left + 1, 3 + high),
            (Orientation::Cross, 1) => (self.left + 1 + step, 2),
            (Orientation::Cross, _) => (self.left + 1 + step, 3 + high),
        }
    }

    /// Returns the tiles of `matrix`, without the lines around them.
    fn grid(&self, matrix: usize) -> Grid {
        let ((x, y), edge) = (self.corner(matrix), usize::from(self.lines));
        let tiles = 0..self.shown as u32;
        Grid {
            corner: (x + edge, y + edge),
            step: (self.wide + 1, self.high + edge),
            element: (self.wide, self.high),
            rows: tiles.clone(),
            columns: tiles,
        }
    }

    /// Returns the first row below the matrices.
    fn bottom(&self) -> usize {
        self.corner(2).1 + self.matrix().1
    }
}

pub(super) fn hit(walk: &Walk, at: Position, area: Rect) -> Option<ClickTarget> {
    let (layout, at) = (Layout::new(walk, area), cell(at, area)?);
    (0..3).find_map(|matrix| {
        let grid = layout.grid(matrix);
        let (row, column) = grid.at(at)?;
        let (left, top) = grid.cell(row, column);
        // The lines between tiles belong to none.
        let inside = usize::from(at.0) < left + layout.wide && usize::from(at.1) < top + layout.high;
        match matrix {
            _ if !inside => None,
            0 => (row == walk.block_row).then_some(ClickTarget::Step(column)),
            1 => (column == walk.block_column).then_some(ClickTarget::Step(row)),
            _ => Some(ClickTarget::Block(row, column)),
        }
    })
}

pub(super) fn step(walk: &Walk) -> String {
    let last = walk.steps() - 1;
    match walk.current() {
        None => t!("tile-walk-to-come", last),
        Some(t) if t == last => t!("tile-walk-last", t),
        Some(t) => t!("tile-walk-step", t, last),
    }
}

pub(super) fn draw(it: &TileWalk, frame: &mut Frame, area: Rect, look: &Look) {
    let walk = &it.walk;
    let layout = Layout::new(walk, area);
    let mut sheet = Sheet::new(look, area.width);
    let what = t!("tile-walk-what", n = walk.n, tile = walk.tile);
    sheet.title(&what, vec![look.span(Meaning::Accent, step(walk))]);
    sheet.draw(frame, area);
    let mut canvas = Canvas::new(frame.buffer_mut(), area, look);
    for matrix in 0..3 {
        self::matrix(it, &layout, matrix, &mut canvas);
    }
    let room = match layout.beside {
        0 => rest(area, 0, layout.bottom()),
        beside => rest(area, usize::from(area.width).saturating_sub(beside), 1),
    };
    let mut sheet = Sheet::new(look, room.width);
    words(walk, room.height, &mut sheet);
    sheet.draw(frame, room);
}

enum State {
    /// This block does not use it.
    Other,
    /// It was in shared memory in an earlier step.
    Past,
    /// It is in shared memory now.
    Now,
    /// It will be in shared memory in a later step.
    Next,
}

fn state(walk: &Walk, matrix: usize, row: u32, column: u32) -> State {
    let (mine, t) = match matrix {
        0 => (row == walk.block_row, column),
        1 => (column == walk.block_column, row),
        _ => (false, 0),
    };
    match walk.current() {
        _ if !mine => State::Other,
        Some(now) if t == now => State::Now,
        Some(now) if t < now => State::Past,
        _ => State::Next,
    }
}

fn matrix(it: &TileWalk, layout: &Layout, matrix: usize, canvas: &mut Canvas) {
    let (walk, look) = (&it.walk, canvas.look);
    let (name, meaning) = [("A", Meaning::MatrixA), ("B", Meaning::MatrixB), ("C", Meaning::MatrixC)][matrix];
    let (x, y) = layout.corner(matrix);
    canvas.text(x, y - 1, name, meaning);
    if layout.lines {
        lines(layout, (x, y), canvas);
    }
    let grid = layout.grid(matrix);
    for row in grid.rows.clone() {
        for column in grid.columns.clone() {
            let ((left, top), state) = (grid.cell(row, column), state(walk, matrix, row, column));
            let (sign, style) = match state {
                State::Other => (look.sign(if layout.lines { " " } else { "·" }, "."), look.style(Meaning::BarEmpty)),
                State::Past => (look.sign("░", ":"), look.style(meaning)),
                // The current tile is drawn last, because it may be moving.
                State::Now if it.pace.glide.moving() => (look.sign("▒", "%"), look.style(meaning)),
                State::Now => (look.sign("█", "#"), look.style(meaning)),
                State::Next => (look.sign("□", "o"), look.style(meaning)),
            };
            for line in 0..layout.high {
                canvas.put(left, top + line, &sign.repeat(layout.wide), style);
            }
            let label = format!("t{}", if matrix == 0 { column } else { row });
            if matches!(state, State::Next | State::Past) && label.len() <= layout.wide {
                let at = (left + (layout.wide - label.len()) / 2, top + layout.high / 2);
                canvas.put(at.0, at.1, &label, style);
            }
        }
    }
    match matrix {
        2 => sum(it, layout, canvas),
        _ => moving(it, layout, matrix, canvas),
    }
}

/// Draws the current tile on its way from the previous step's position.
fn moving(it: &TileWalk, layout: &Layout, matrix: usize, canvas: &mut Canvas) {
    let (walk, look) = (&it.walk, canvas.look);
    let Some(now) = walk.current().filter(|_| it.pace.glide.moving()) else { return };
    let grid = layout.grid(matrix);
    let at = |t: u32| if matrix == 0 { (walk.block_row, t) } else { (t, walk.block_column) };
    if !grid.contains(at(now)) {
        return;
    }
    let cell = |t: u32| grid.cell(at(t).0, at(t).1);
    let (from, to) = (cell(now.saturating_sub(1)), cell(now));
    let part = |from: usize, to: usize| from + ((to - from) as f64 * it.pace.glide.fraction()).round() as usize;
    let (x, y) = (part(from.0, to.0), part(from.1, to.1));
    let meaning = if matrix == 0 { Meaning::MatrixA } else { Meaning::MatrixB };
    for line in 0..layout.high {
        canvas.put(x, y + line, &look.sign("█", "#").repeat(layout.wide), look.style(meaning));
    }
}

/// Draws the block's tile of C, which fills as its sums grow.
fn sum(it: &TileWalk, layout: &Layout, canvas: &mut Canvas) {
    let (walk, look) = (&it.walk, canvas.look);
    let (grid, block) = (layout.grid(2), (walk.block_row, walk.block_column));
    if !grid.contains(block) {
        return;
    }
    let (left, top) = grid.cell(block.0, block.1);
    let done = f64::from(walk.step) - if walk.step > 0 { 1.0 - it.pace.glide.fraction() } else { 0.0 };
    let cells = layout.wide * layout.high;
    let full = (cells as f64 * done / f64::from(walk.steps())).round() as usize;
    // The tile fills from the bottom up.
    for line in 0..layout.high {
        let filled = full.saturating_sub((layout.high - 1 - line) * layout.wide).min(layout.wide);
        canvas.put(left, top + line, &look.sign("█", "#").repeat(filled), look.style(Meaning::MatrixC));
        let rest = look.sign("□", "o").repeat(layout.wide - filled);
        canvas.put(left + filled, top + line, &rest, look.style(Meaning::MatrixC));
    }
    if full == 0 && walk.step > 0 {
        canvas.put(left, top + layout.high - 1, look.sign("▄", "+"), look.style(Meaning::MatrixC));
    }
}

/// Draws the lines around and between the tiles.
fn lines(layout: &Layout, (x, y): (usize, usize), canvas: &mut Canvas) {
    let style = canvas.look.style(Meaning::Border);
    for row in 0..=layout.shown {
        let (first, middle, last) = match row {
            0 => ("╭", "┬", "╮"),
            row if row == layout.shown => ("╰", "┴", "╯"),
            _ => ("├", "┼", "┤"),
        };
        let edges = vec!["─".repeat(layout.wide); layout.shown].join(middle);
        let top = y + row * (layout.high + 1);
        canvas.put(x, top, &format!("{first}{edges}{last}"), style);
        if row < layout.shown {
            for line in 1..=layout.high {
                for column in 0..=layout.shown {
                    canvas.put(x + column * (layout.wide + 1), top + line, "│", style);
                }
            }
        }
    }
}

fn loads(walk: &Walk) -> String {
    let range = |t: u32| {
        let (first, last) = walk.span(t);
        format!("{first}…{last}")
    };
    let (row, column) = (range(walk.block_row), range(walk.block_column));
    match walk.current() {
        None => t!("tile-walk-begin", row, column),
        Some(t) => {
            let (a, b) = walk.loads(t);
            let bytes = (a + b) * 4;
            t!("tile-walk-loads", row, column, k = range(t), a, b, bytes)
        }
    }
}

fn reuse(walk: &Walk) -> String {
    let (a, b) = walk.reuse();
    if a == b { t!("tile-walk-reuse", n = a) } else { t!("tile-walk-reuse-each", a, b) }
}

/// Returns the sum of one element: `C[4][0] = 5 + 11 = 16`.
fn total(walk: &Walk) -> String {
    let (row, column) = (walk.span(walk.block_row).0, walk.span(walk.block_column).0);
    let sum = match walk.current() {
        None => "0".to_owned(),
        Some(t) => {
            let now = walk.contribution(t);
            format!("{} + {now} = {}", walk.sum() - now, walk.sum())
        }
    };
    format!("C[{row}][{column}] = {sum}")
}

/// Returns the bytes so far of the tiled and the naive kernel, and their ratio.
fn traffic(walk: &Walk) -> [String; 3] {
    let now = walk.traffic();
    let ratio = now.naive as f64 / now.tiled.max(1) as f64;
    let fewer = match now.tiled {
        0 => String::new(),
        _ if ratio.fract() == 0.0 => t!("tile-walk-fewer", n = format!("{ratio:.0}")),
        _ => percent(1.0 / ratio).to_string(),
    };
    [t!("tile-walk-bytes", n = now.tiled), t!("tile-walk-bytes", n = now.naive), fewer]
}

pub(super) fn words(walk: &Walk, height: u16, sheet: &mut Sheet) {
    let roomy = height >= ROOMY;
    let gap = |sheet: &mut Sheet| {
        if roomy {
            sheet.blank();
        }
    };
    sheet.text(Meaning::Text, &loads(walk));
    gap(sheet);
    sheet.text(Meaning::MatrixC, &total(walk));
    gap(sheet);
    bars(walk, sheet);
    gap(sheet);
    sheet.text(Meaning::Muted, &reuse(walk));
}

/// Adds the bytes so far as two bars to the same scale.
fn bars(walk: &Walk, sheet: &mut Sheet) {
    let look = sheet.look;
    let now = walk.traffic();
    let whole = Walk { step: walk.steps(), ..walk.clone() }.traffic();
    let [tiled, naive, fewer] = traffic(walk);
    let narrow = sheet.width < 50;
    let width = if narrow { sheet.width.saturating_sub(23) } else { sheet.width.saturating_sub(40).min(60) };
    for (name, bytes, text, meaning) in [
        (t!("tile-walk-tiled"), now.tiled, tiled, Meaning::Right),
        (t!("tile-walk-naive"), now.naive, naive, Meaning::Warning),
    ] {
        let mut row = vec![look.span(Meaning::Muted, format!(" {name} "))];
        row.extend(look.bar(bytes as f64 / whole.naive.max(1) as f64, width));
        row.push(look.span(meaning, format!(" {}", pad_left(&text, 12))));
        if bytes == now.tiled && meaning == Meaning::Right && !narrow {
            row.push(look.span(Meaning::Strong, format!("  {fewer}")));
        }
        sheet.row(row);
    }
    if narrow && !fewer.is_empty() {
        sheet.text(Meaning::Strong, &fewer);
    }
}
