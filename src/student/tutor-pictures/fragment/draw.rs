/*! Draws the picture:

```text
 mma.m16n8k16: A, 16×16                                            lane 9
       0  1  2  3  4  5  6  7  8  9 …       Lane 9 holds
   0   0  0  1  1  2  2  3  3  0  0         a0  A[2][2] A[2][3]
   1   4  4  5  5  6  6  7  7  4  4         a1  A[10][2] A[10][3]
   2   8  8 [9] 9 10 10 11 11  8  8         …
```

Each element is the number of the lane that holds it. In a narrow picture, two neighbours in the same lane share a
number.
*/

use super::super::control::cell;
use super::super::grid::Grid;
use super::FragmentPicture;
use crate::prelude::*;
use tutor_course::FragmentOperand;
use ui_kit::canvas::Canvas;
use ui_kit::sheet::rest;

/// Cells of the row numbers.
const NUMBERS: usize = 4;
/// Minimum cells of the text.
const WORDS: usize = 20;
/// Number of lanes with the same colour: a row of an 8×8 matrix.
const GROUP: u32 = 4;

struct Layout {
    grid: Grid,
    /// First cell and row of the text.
    words: (usize, usize),
}

impl Layout {
    fn new(spread: &FragmentPicture, area: Rect) -> Self {
        let (rows, columns) = spread.extent();
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let wide = |cell: usize| NUMBERS + columns as usize * cell + 2;
        let beside = [4, 3, 2].into_iter().find(|cell| wide(*cell) + WORDS <= width);
        // The column numbers are above the matrix if there is room.
        let top = if height >= rows as usize + 2 { 2 } else { 1 };
        let shown = rows.min(height.saturating_sub(top) as u32);
        let size = (beside.unwrap_or(2), 1);
        let grid = Grid { corner: (NUMBERS, top), step: size, element: size, rows: 0..shown, columns: 0..columns };
        let words = beside.map_or((0, (top + shown as usize).min(height)), |cell| (wide(cell), 1));
        Self { grid, words }
    }
}

/// Returns the number of rows of the whole matrix and all of the text at a width.
pub(super) fn min_height(spread: &FragmentPicture, width: u16) -> u16 {
    let words_at = Layout::new(spread, Rect::new(0, 0, width, u16::MAX)).words.0 as u16;
    let caption = ui_kit::sheet::rows(width - words_at, |sheet| words(spread, sheet));
    let matrix = 1 + spread.extent().0 as u16;
    if words_at > 0 { matrix.max(1 + caption) } else { matrix + 1 + caption }
}

/// Returns the element at a position.
pub(super) fn hit(spread: &FragmentPicture, at: Position, area: Rect) -> Option<(u32, u32)> {
    Layout::new(spread, area).grid.at(cell(at, area)?)
}

/// Returns the name of the matrix.
pub(super) fn what(spread: &FragmentPicture) -> String {
    match spread.operand {
        FragmentOperand::A => t!("fragment-a"),
        FragmentOperand::B => t!("fragment-b"),
        FragmentOperand::C => t!("fragment-c"),
        FragmentOperand::Ldmatrix => t!("fragment-ldmatrix"),
        FragmentOperand::LdmatrixTrans => t!("fragment-ldmatrix-trans"),
        FragmentOperand::Wgmma => t!("fragment-wgmma"),
    }
}

pub(super) fn draw(spread: &FragmentPicture, frame: &mut Frame, area: Rect, look: &Look) {
    let layout = Layout::new(spread, area);
    let mut sheet = Sheet::new(look, area.width);
    let lane = t!("fragment-lane", lane = spread.held().lane);
    sheet.title(&what(spread), vec![look.span(Meaning::Accent, lane)]);
    sheet.draw(frame, area);
    matrix(spread, &layout.grid, &mut Canvas::new(frame.buffer_mut(), area, look));
    let room = rest(area, layout.words.0, layout.words.1);
    let mut sheet = Sheet::new(look, room.width);
    words(spread, &mut sheet);
    sheet.draw(frame, room);
}

/// Draws each element as the number of the lane that holds it.
fn matrix(spread: &FragmentPicture, grid: &Grid, canvas: &mut Canvas) {
    let (chosen, cell) = (spread.held().lane, grid.step.0);
    if grid.corner.1 > 1 {
        grid.heads(1, canvas, |column| match cell > 2 || column % 2 == 0 {
            true => (pad_left(&column.to_string(), cell), Meaning::Muted),
            false => (String::new(), Meaning::Muted),
        });
    }
    grid.labels(0, canvas, |row| {
        (pad_left(&row.to_string(), 3), if row == spread.row { Meaning::Strong } else { Meaning::Muted })
    });
    let lane = |row: u32, column: u32| spread.held_at(row, column).lane;
    let shared = |row: u32, column: u32| cell == 2 && column % 2 == 1 && lane(row, column - 1) == lane(row, column);
    grid.draw(canvas, |row, column| {
        let lane = lane(row, column);
        let meaning = if lane == chosen { Meaning::Selected } else { Meaning::Thread((lane / GROUP) as u8) };
        (if shared(row, column) { "  ".to_owned() } else { pad_left(&lane.to_string(), cell) }, meaning)
    });
    // The bracket takes the blank before the number, or the cell of the second element if two share a number.
    let (x, y) = grid.cell(spread.row, spread.column);
    let shared = shared(spread.row, spread.column);
    let left = if shared { Some(0) } else { cell.checked_sub(chosen.to_string().len() + 1) };
    if let Some(left) = left.filter(|_| grid.rows.contains(&spread.row)) {
        canvas.text(x + left, y, if shared { "]" } else { "[" }, Meaning::Selected);
    }
}

/// Adds the registers of the chosen lane, and the rules.
pub(super) fn words(spread: &FragmentPicture, sheet: &mut Sheet) {
    let held = spread.held();
    sheet.text(Meaning::Title, &t!("fragment-holds", lane = held.lane));
    for (register, (name, elements)) in registers(spread).into_iter().enumerate() {
        let meaning = if register as u32 == held.register { Meaning::Strong } else { Meaning::Text };
        sheet.labelled(&name, meaning, &elements);
    }
    sheet.text(Meaning::Accent, &chosen(spread));
    sheet.text(Meaning::Muted, &rule(spread));
    if spread.is_loaded() {
        sheet.text(Meaning::Text, &address(spread));
    }
}

/// Returns the name and the elements of each register: `a0`, `A[2][2] A[2][3]`.
fn registers(spread: &FragmentPicture) -> Vec<(String, String)> {
    let (name, register) = (spread.name(), spread.register_name());
    let label = |(at, elements): (usize, Vec<(u32, u32)>)| {
        let elements: Vec<String> = elements.iter().map(|(row, column)| format!("{name}[{row}][{column}]")).collect();
        (format!("{register}{at}"), elements.join(" "))
    };
    spread.registers(spread.held().lane).into_iter().enumerate().map(label).collect()
}

/// Describes which lane and register hold the chosen element.
fn chosen(spread: &FragmentPicture) -> String {
    let held = spread.held();
    let element = format!("{}[{}][{}]", spread.name(), spread.row, spread.column);
    let register = format!("{}{}", spread.register_name(), held.register);
    match (spread.fragment().parts(), held.part) {
        (1, _) => t!("fragment-chosen", element, lane = held.lane, register),
        (_, 0) => t!("fragment-chosen-low", element, lane = held.lane, register),
        _ => t!("fragment-chosen-high", element, lane = held.lane, register),
    }
}

/// Returns the rule that relates lanes and elements.
fn rule(spread: &FragmentPicture) -> String {
    match spread.operand {
        FragmentOperand::B | FragmentOperand::LdmatrixTrans => t!("fragment-rule-column"),
        FragmentOperand::Wgmma => t!("fragment-rule-warps"),
        _ => t!("fragment-rule-row"),
    }
}

/// Describes which row's address the chosen lane provides.
fn address(spread: &FragmentPicture) -> String {
    let lane = spread.held().lane;
    t!("fragment-address", row = lane % 8, matrix = lane / 8)
}
