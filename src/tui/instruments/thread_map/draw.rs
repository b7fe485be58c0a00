/*! The picture.

```text
 thread map ▸ C is 8×8, each a sum of 4 terms          threadIdx.x along columns
  C     j 0  1  2  3  4  5  6  7     k  ■ ■ □ □
  i 0     0  1  2  3  4  5  6  7
    1     8  9[10]11 12 13 14 15
```
*/

use super::super::sheet::{Cells, Sheet};
use super::model::{Mapping, ThreadMap};
use crate::figures::grouped;
use crate::tui::look::{Look, pad_left};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

/// Cells before the first element.
const PREFIX: usize = 6;
/// Cells of an element: a lane between two marks.
const CELL: usize = 4;
/// Rows below the picture where the words stand below.
const WORDS: usize = 6;
/// Cells of the words where they stand beside.
const BESIDE: usize = 44;

struct Plan {
    rows: u32,
    columns: u32,
    first_row: u32,
    first_column: u32,
    words_at: Option<usize>,
}

impl Plan {
    fn new(map: &ThreadMap, area: Rect) -> Self {
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let all = PREFIX + CELL * map.n as usize + 2;
        let beside = width >= all + BESIDE;
        let words = if beside { 0 } else { WORDS };
        let rows = height.saturating_sub(2 + words).clamp(1, map.m as usize) as u32;
        let room = if beside { all } else { width };
        let columns = (room.saturating_sub(PREFIX + 2) / CELL).clamp(1, map.n as usize) as u32;
        let window = |at: u32, room: u32, of: u32| at.saturating_sub(room / 2).min(of - room);
        Self {
            rows,
            columns,
            first_row: window(map.i, rows, map.m),
            first_column: window(map.j, columns, map.n),
            words_at: beside.then_some(all),
        }
    }
}

pub(super) fn hit(map: &ThreadMap, at: Position, area: Rect) -> Option<(u32, u32)> {
    let plan = Plan::new(map, area);
    let row = u32::from(at.y.checked_sub(area.y + 2)?);
    let column = (usize::from(at.x.checked_sub(area.x)?).checked_sub(PREFIX)? / CELL) as u32;
    (row < plan.rows && column < plan.columns).then_some((plan.first_row + row, plan.first_column + column))
}

pub(super) fn draw(map: &ThreadMap, frame: &mut Frame, area: Rect, look: &Look) {
    let plan = Plan::new(map, area);
    let mut sheet = Sheet::new(look, area.width);
    let what = format!("C is {}×{}", map.m, map.n);
    let along = match map.mapping {
        Mapping::XToColumn => "threadIdx.x along columns",
        Mapping::XToRow => "threadIdx.x along rows",
    };
    sheet.title("thread map", &what, vec![look.span(Meaning::Accent, along)]);
    let mut heads = Cells::new();
    heads.push(&format!("{:>PREFIX$}", "i\\j "), look.style(Meaning::Muted));
    for column in plan.first_column..plan.first_column + plan.columns {
        heads.push(&pad_left(&format!("{column} "), CELL), look.style(Meaning::Muted));
    }
    sheet.row(heads.done());
    for row in plan.first_row..plan.first_row + plan.rows {
        let mut cells = Cells::new();
        cells.push(&pad_left(&format!("{row} "), PREFIX), look.style(Meaning::Muted));
        for column in plan.first_column..plan.first_column + plan.columns {
            element(map, row, column, look, &mut cells);
        }
        sheet.row(cells.done());
    }
    match plan.words_at {
        None => words(map, &mut sheet),
        Some(at) => {
            let at = (at as u16).min(area.width);
            let mut side = Sheet::new(look, area.width - at);
            words(map, &mut side);
            let top = 2.min(area.height);
            let right =
                Rect { x: area.x + at, y: area.y + top, width: area.width - at, height: area.height - top };
            side.draw(frame, right);
        }
    }
    sheet.draw(frame, area);
}

/// The lane that computes an element, if it is of the chosen element's warp; the chosen one in brackets.
fn element(map: &ThreadMap, row: u32, column: u32, look: &Look, cells: &mut Cells) {
    let lane = map.owner(row, column).lane;
    if (row, column) == (map.i, map.j) {
        cells.push(&format!("[{lane:>2}]"), look.style(Meaning::Selected));
    } else if map.same_warp(row, column) {
        // Four lanes of one colour: the eye follows the order.
        cells.push(&format!(" {lane:>2} "), look.style(Meaning::Thread((lane / 4) as u8)));
    } else {
        cells.push(&format!("{}{}", pad_left(look.sign("·", "."), CELL - 1), " "), look.style(Meaning::BarEmpty));
    }
}

fn words(map: &ThreadMap, sheet: &mut Sheet) {
    let look = sheet.look;
    let owner = map.owner(map.i, map.j);
    let [tx, ty] = owner.thread;
    let [bx, by] = owner.block;
    let text = format!(
        "C[{}][{}]: thread ({tx}, {ty}) of block ({bx}, {by}), lane {} of warp {}",
        map.i, map.j, owner.lane, owner.warp
    );
    sheet.text(Meaning::Strong, &text);
    let text = match map.mapping {
        Mapping::XToColumn => "neighbouring lanes stand in neighbouring columns, so side by side in memory",
        Mapping::XToRow => "neighbouring lanes stand in neighbouring rows, so a whole row apart in memory",
    };
    sheet.text(Meaning::Text, text);
    let (done, left) = (map.step as usize, (map.k - map.step) as usize);
    let room = usize::from(sheet.width).saturating_sub(34);
    let mut cells = Cells::new();
    cells.push(" k ", look.style(Meaning::Muted));
    let scale = |terms: usize| if map.k as usize > room { terms * room / map.k as usize } else { terms };
    cells.push(&look.sign("■", "#").repeat(scale(done)), look.style(Meaning::MatrixC));
    cells.push(&look.sign("□", ".").repeat(scale(left)), look.style(Meaning::BarEmpty));
    cells.push(&format!("  {done} of {} terms, one by one", map.k), Style::new());
    sheet.row(cells.done());
    let all = grouped(u64::from(map.m) * u64::from(map.n));
    let volume = grouped(map.volume());
    let long = format!("k depends: each step needs the sum before it. i and j do not: all {all} sums can run at once.");
    sheet.text(Meaning::Muted, &long);
    if usize::from(sheet.width) > long.width() / 2 + 30 {
        let text = format!("{}·{}·{} = {volume} multiply-adds in all, whatever the mapping", map.m, map.n, map.k);
        sheet.text(Meaning::Muted, &text);
    }
}
