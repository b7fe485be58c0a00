/*! The picture.

```text
 tile walk ▸ 12×12, tiles of 4×4                               step t = 1 of 0…2
  A                     B                     C
  · · ·                 ·░· ·                 · · ·
  ░ ▓ ·                 ·▓· ·                 ▄ · ·
 loads      A[4…7][4…7] and B[4…7][0…3]: 16 + 16 elements, 128 bytes
```
*/

use crate::figures::{grouped, percent};
use super::super::sheet::{Cells, Sheet};
use super::model::Walk;
use crate::tui::look::{Look, truncate};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

/// Rows below the pictures.
const WORDS: usize = 5;
/// Rows below the pictures that stay where there is no room for all.
const FEWEST_WORDS: usize = 2;
/// Tiles that the pictures show before the words get all their rows.
const FEWEST_TILES: usize = 4;
/// Cells left of each picture.
const GAP: usize = 2;

/// What a click can meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hit {
    /// A tile of A or B that is loaded in this step.
    Step(u32),
    /// A tile of C.
    Block(u32, u32),
}

/// Size of a tile on the screen, and how many tiles are drawn of all.
struct Plan {
    wide: usize,
    high: usize,
    shown: u32,
}

impl Plan {
    fn new(walk: &Walk, area: Rect) -> Self {
        let below_heads = usize::from(area.height).saturating_sub(2);
        let across = (usize::from(area.width) / 3).saturating_sub(GAP).max(1);
        let tiles = walk.steps() as usize;
        // A walk whose last tiles are not in the picture teaches nothing; the bars can wait.
        let wanted = tiles.min(FEWEST_TILES).min(below_heads.saturating_sub(FEWEST_WORDS));
        let rows = below_heads.saturating_sub(WORDS).max(wanted).max(1);
        let high = (rows / tiles).clamp(1, 6);
        let wide = (across / tiles).clamp(1, 2 * high + 2);
        let shown = tiles.min(rows / high).min(across / wide).max(1);
        Self { wide, high, shown: shown as u32 }
    }

    /// Cells of one picture with its gap.
    fn stride(&self) -> usize {
        GAP + self.wide * self.shown as usize
    }
}

pub(super) fn hit(walk: &Walk, at: Position, area: Rect) -> Option<Hit> {
    let plan = Plan::new(walk, area);
    let x = usize::from(at.x.checked_sub(area.x)?);
    let y = usize::from(at.y.checked_sub(area.y + 2)?);
    let (picture, cell) = (x / plan.stride(), (x % plan.stride()).checked_sub(GAP)?);
    let (row, column) = ((y / plan.high) as u32, (cell / plan.wide) as u32);
    if row >= plan.shown {
        return None;
    }
    match picture {
        0 if row == walk.block_row => Some(Hit::Step(column)),
        1 if column == walk.block_column => Some(Hit::Step(row)),
        2 => Some(Hit::Block(row, column)),
        _ => None,
    }
}

pub(super) fn draw(walk: &Walk, frame: &mut Frame, area: Rect, look: &Look) {
    let plan = Plan::new(walk, area);
    let mut sheet = Sheet::new(look, area.width);
    let last = walk.steps() - 1;
    let step = match walk.current() {
        None => format!("t = 0…{last} to come"),
        Some(t) if t == last => format!("t = {t}, the last: done"),
        Some(t) => format!("t = {t} of 0…{last}"),
    };
    let (n, tile) = (walk.n, walk.tile);
    let what = format!("{n}×{n}, tiles of {tile}×{tile}");
    sheet.title("tile walk", &what, vec![look.span(Meaning::Accent, step)]);
    heads(&plan, &mut sheet);
    for row in 0..plan.shown {
        for line in 0..plan.high {
            let mut cells = Cells::new();
            let gap = " ".repeat(GAP);
            for picture in 0..3 {
                cells.push(&gap, Style::new());
                for column in 0..plan.shown {
                    tile_cell(walk, &plan, picture, row, column, line, look, &mut cells);
                }
            }
            sheet.row(cells.done());
        }
    }
    words(walk, &mut sheet);
    sheet.draw(frame, area);
}

fn heads(plan: &Plan, sheet: &mut Sheet) {
    let look = sheet.look;
    let width = plan.stride() - GAP;
    let gap = " ".repeat(GAP);
    let mut cells = Cells::new();
    for (name, meaning) in [("A", Meaning::MatrixA), ("B", Meaning::MatrixB), ("C", Meaning::MatrixC)] {
        cells.push(&gap, Style::new());
        cells.push(name, look.style(meaning));
        cells.push(&" ".repeat(width.saturating_sub(1)), Style::new());
    }
    sheet.row(cells.done());
}

/// Where a tile is in the walk.
enum State {
    /// It plays no part in this block.
    Other,
    /// It was in shared memory in an earlier step.
    Past,
    /// It is in shared memory.
    Now,
    /// It will be.
    Next,
}

#[expect(clippy::too_many_arguments, reason = "a cell is named by picture, tile and line")]
fn tile_cell(
    walk: &Walk,
    plan: &Plan,
    picture: u8,
    row: u32,
    column: u32,
    line: usize,
    look: &Look,
    cells: &mut Cells,
) {
    let (mine, t, meaning) = match picture {
        0 => (row == walk.block_row, column, Meaning::MatrixA),
        1 => (column == walk.block_column, row, Meaning::MatrixB),
        _ => (row == walk.block_row && column == walk.block_column, 0, Meaning::MatrixC),
    };
    // The last cell stays blank where there is room, so that tiles stand apart.
    let width = if plan.wide > 1 { plan.wide - 1 } else { 1 };
    let tail = " ".repeat(plan.wide - width);
    let dots = look.sign("·", ".").repeat(width);
    if picture == 2 && mine {
        cells.push(&sum_cell(walk, width, look), look.style(meaning));
        cells.push(&tail, Style::new());
        return;
    }
    let state = match walk.current() {
        _ if !mine || picture == 2 => State::Other,
        Some(now) if t == now => State::Now,
        Some(now) if t < now => State::Past,
        _ => State::Next,
    };
    match state {
        State::Other => cells.push(&dots, look.style(Meaning::BarEmpty)),
        State::Past => cells.push(&look.sign("░", ":").repeat(width), look.style(Meaning::Muted)),
        State::Now => cells.push(&look.sign("█", "#").repeat(width), look.style(meaning)),
        State::Next if line == plan.high / 2 && width >= 2 => {
            let label = truncate(&format!("t{t}"), width, look.ascii);
            let rest = look.sign("□", "o").repeat(width.saturating_sub(label.len()));
            cells.push(&format!("{label}{rest}"), look.style(meaning));
        }
        State::Next => cells.push(&look.sign("□", "o").repeat(width), look.style(meaning)),
    }
    cells.push(&tail, Style::new());
}

/// The block's tile of C fills as its sums grow.
fn sum_cell(walk: &Walk, width: usize, look: &Look) -> String {
    let full = width * walk.step as usize / walk.steps() as usize;
    let (filled, empty) = (look.sign("█", "#"), look.sign("□", "o"));
    if width == 1 && full == 0 && walk.step > 0 {
        return look.sign("▄", "+").to_owned();
    }
    format!("{}{}", filled.repeat(full), empty.repeat(width - full))
}

fn words(walk: &Walk, sheet: &mut Sheet) {
    let range = |t: u32| {
        let (first, last) = walk.span(t);
        format!("{first}…{last}")
    };
    let (row, column) = (range(walk.block_row), range(walk.block_column));
    match walk.current() {
        None => sheet.labelled("block", Meaning::Text, &format!("computes C[{row}][{column}]: step, and watch what it loads")),
        Some(t) => {
            let (a, b) = walk.loads(t);
            let k = range(t);
            let text = format!(
                "A[{row}][{k}] and B[{k}][{column}]: {} + {} elements, {} bytes",
                grouped(a),
                grouped(b),
                grouped((a + b) * 4)
            );
            sheet.labelled("loads", Meaning::Text, &text);
        }
    }
    let (a, b) = walk.reuse();
    let text = if a == b {
        format!("each loaded element is used {a} times, by {a} threads")
    } else {
        format!("each element of A is used {a} times, each of B {b} times")
    };
    sheet.labelled("reuse", Meaning::Text, &text);
    let (first_row, first_column) = (walk.span(walk.block_row).0, walk.span(walk.block_column).0);
    let sum = match walk.current() {
        None => "0".to_owned(),
        Some(t) => {
            let now = walk.contribution(t);
            format!("{} + {now} = {}", walk.sum() - now, walk.sum())
        }
    };
    sheet.labelled("sum  ", Meaning::MatrixC, &format!("C[{first_row}][{first_column}] = {sum}"));
    traffic(walk, sheet);
}

/// Bytes so far as two bars of one scale.
fn traffic(walk: &Walk, sheet: &mut Sheet) {
    let look = sheet.look;
    let now = walk.traffic();
    let whole = Walk { step: walk.steps(), ..walk.clone() }.traffic();
    let width = sheet.width.saturating_sub(36).min(50);
    for (name, bytes, meaning) in [("tiled", now.tiled, Meaning::Right), ("naive", now.naive, Meaning::Warning)] {
        let mut row = vec![look.span(Meaning::Muted, format!(" {name}  "))];
        row.extend(look.bar(bytes as f64 / whole.naive.max(1) as f64, width));
        row.push(look.span(meaning, format!(" {:>9} bytes", grouped(bytes))));
        if name == "tiled" && bytes > 0 {
            let ratio = now.naive as f64 / bytes as f64;
            let text = if ratio.fract() == 0.0 { format!("{ratio:.0}× fewer") } else { percent(1.0 / ratio) };
            row.push(look.span(Meaning::Strong, format!("  {text}")));
        }
        sheet.row(row);
    }
}
