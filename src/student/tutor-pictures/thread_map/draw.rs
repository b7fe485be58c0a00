/*! Draws the picture:

```text
 C is 8×8                              threadIdx.x along columns
                       B  0  1  2  3  4  5  6  7
                     k 2  ·  ·  ·  ▓  ·  ·  ·  ·
                       3  ·  ·  ·  █  ·  ·  ·  ·  ◂ k
   A 0 1 2 3 4 5 6 7   C
   0 · · · · · · · ·      0  1  2  3  4  5  6  7
 i 1 ▓ ▓ ▓ █ ░ ░ ░ ░      8  9 10[11]12 13 14 15
```

A is to the left of C, and B is above C, so that the row of A and the column of B cross at the chosen element.
*/

use super::super::control::cell;
use super::super::grid::Grid;
use super::{Mapping, Matrix, ThreadMap};
use crate::prelude::*;
use std::ops::Range;
use ui_kit::canvas::Canvas;
use ui_kit::sheet::rest;

/// Cells of the row numbers to the left of A, and of C.
const NUMBERS: usize = 4;
/// Number of lanes with the same colour.
const GROUP: u32 = 8;
/// Minimum and maximum cells of the text if it is next to the matrices.
const BESIDE: (usize, usize) = (26, 56);

/// Width from which the text is always next to the matrices.
const ALWAYS_BESIDE: usize = 100;

/// Returns the width of the matrices, with `a` cells per element of A and `c` per element of C.
fn cells(map: &ThreadMap, a: usize, c: usize) -> usize {
    2 * NUMBERS + 2 + a * (map.k as usize).min(16) + c * (map.n as usize).min(16)
}

/// Returns the number of rows of the title and of the matrices without frames. At most sixteen rows of each matrix
/// count.
fn full(map: &ThreadMap) -> usize {
    3 + (map.k as usize).min(16) + (map.m as usize).min(16)
}

/// Returns the number of cells of the text next to the matrices. In a narrow picture, it gets all that the matrices
/// leave.
fn beside_cells(map: &ThreadMap, width: usize) -> usize {
    match width < ALWAYS_BESIDE {
        true => width.saturating_sub(cells(map, 2, 3)),
        false => (width / 3).clamp(BESIDE.0, BESIDE.1),
    }
}

/// Returns the number of rows of the text in `width` cells, without gaps.
fn caption_rows(map: &ThreadMap, width: usize) -> usize {
    ui_kit::sheet::rows(width as u16, |sheet| words(map, false, sheet)).into()
}

pub(super) fn min_height(map: &ThreadMap, width: u16) -> u16 {
    let width = usize::from(width);
    let below = full(map) + caption_rows(map, width);
    let beside = full(map).max(1 + caption_rows(map, beside_cells(map, width)));
    let rows = match width {
        _ if width < cells(map, 2, 3) + BESIDE.0 => below,
        ALWAYS_BESIDE.. => beside,
        _ => beside.min(below),
    };
    rows as u16
}

struct Layout {
    a: Grid,
    b: Grid,
    c: Grid,
    framed: bool,
    /// First cell and row of the text.
    words: (usize, usize),
}

/// Returns a range of at most `room` indices around `at`.
fn window(at: u32, room: usize, of: u32) -> Range<u32> {
    let room = room.clamp(1, of as usize) as u32;
    let first = at.saturating_sub(room / 2).min(of - room);
    first..first + room
}

impl Layout {
    fn new(map: &ThreadMap, area: Rect) -> Self {
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let (m, n, k) = (map.m as usize, map.n as usize, map.k as usize);
        let wide = |a: usize, c: usize| cells(map, a, c);
        let sentence = caption_rows(map, width);
        // The text is next to the matrices if it fits there and either the height is short or the picture is wide.
        let beside = width >= wide(2, 3) + BESIDE.0 && (height < full(map) + sentence || width >= ALWAYS_BESIDE);
        let words = if beside { beside_cells(map, width) } else { 0 };
        let room = width - words.min(width);
        let cell = [5, 4].into_iter().find(|cell| wide(cell - 1, *cell) + 4 <= room).unwrap_or(3);
        let a_cell = cell - 1;
        let below = match beside {
            true => 0,
            false if height >= full(map) + sentence => sentence,
            // If not everything fits, the matrices take precedence.
            false => (height / 3).clamp(4, 9),
        };
        let rows = height.saturating_sub(1 + below);
        let framed = rows >= m.min(16) + k.min(16) + 4;
        // If there is plenty of room, every other row is blank.
        let high = if m.max(k) <= 16 && rows + 2 >= 2 * (m + k) + 4 { 2 } else { 1 };
        let heads = if framed { 4 } else { 2 };
        let c_rows = rows.saturating_sub(heads).saturating_sub(k.min(3)).clamp(1, m);
        let b_rows = rows.saturating_sub(heads + c_rows).clamp(1, k);
        let across = room.saturating_sub(2 * NUMBERS + 2);
        let a_columns = (across / 3 / a_cell).clamp(1, k).max(k.min(across.saturating_sub(cell * n.min(8)) / a_cell));
        let columns = (across.saturating_sub(a_columns * a_cell) / cell).clamp(1, n);
        let now = map.step.saturating_sub(1).min(map.k - 1);
        let used = 2 * NUMBERS + 2 + a_columns * a_cell + columns * cell;
        let grid = |corner, cell, rows: &Range<u32>, columns: &Range<u32>| Grid {
            corner,
            step: (cell, high),
            element: (cell, 1),
            rows: rows.clone(),
            columns: columns.clone(),
        };
        let (rows, columns) = (window(map.i, c_rows, map.m), window(map.j, columns, map.n));
        let left = room.saturating_sub(used) / 2 + NUMBERS;
        let right = left + a_columns * a_cell + NUMBERS + 1;
        let b = grid((right, 2), cell, &window(now, b_rows, map.k), &columns);
        let top = 2 + b.size().1 + if framed { 2 } else { 1 };
        let a = grid((left, top), a_cell, &rows, &window(now, a_columns, map.k));
        let c = grid((right, top), cell, &rows, &columns);
        let words = if beside { (room, 1) } else { (0, top + c.size().1 + usize::from(framed)) };
        Self { a, b, c, framed, words }
    }
}

/// Returns the element of C at a position.
pub(super) fn hit(map: &ThreadMap, at: Position, area: Rect) -> Option<(u32, u32)> {
    Layout::new(map, area).c.at(cell(at, area)?)
}

/// Describes the mapping in a few words.
pub(super) fn along(map: &ThreadMap) -> String {
    match map.mapping {
        Mapping::XToColumn => t!("thread-map-along-columns"),
        Mapping::XToRow => t!("thread-map-along-rows"),
    }
}

pub(super) fn draw(map: &ThreadMap, frame: &mut Frame, area: Rect, look: &Look) {
    let layout = Layout::new(map, area);
    let mut sheet = Sheet::new(look, area.width);
    let what = t!("thread-map-extent", m = map.m, n = map.n);
    sheet.title(&what, vec![look.span(Meaning::Accent, along(map))]);
    sheet.draw(frame, area);
    let words = rest(area, layout.words.0, layout.words.1);
    let mut canvas = Canvas::new(frame.buffer_mut(), area, look);
    matrix_b(map, &layout, &mut canvas);
    matrix_a(map, &layout, &mut canvas);
    matrix_c(map, &layout, &mut canvas);
    let mut sheet = Sheet::new(look, words.width);
    let roomy = usize::from(words.height) >= caption_rows(map, words.width.into()) + 4;
    self::words(map, roomy, &mut sheet);
    sheet.draw(frame, words);
}

/// The state of a term of the sum.
enum Term {
    Past,
    Now,
    Next,
}

fn term(map: &ThreadMap, k: u32) -> Term {
    match map.step.checked_sub(1) {
        Some(now) if k < now => Term::Past,
        Some(now) if k == now => Term::Now,
        _ => Term::Next,
    }
}

/// Returns the text of an element of A or B. Only elements that the chosen thread uses are `on_way`.
fn factor(map: &ThreadMap, k: u32, on_way: bool, cell: usize, meaning: Meaning, look: &Look) -> (String, Meaning) {
    if !on_way {
        return (pad_left(look.sign("·", "."), cell - 1), Meaning::BarEmpty);
    }
    let (sign, meaning) = match term(map, k) {
        Term::Past => (look.sign("▓", "#"), meaning),
        Term::Now => (look.sign("█", "@"), Meaning::Accent),
        Term::Next => (look.sign("░", ":"), meaning),
    };
    (format!("{}{}", " ".repeat(cell.saturating_sub(3).min(1)), sign.repeat((cell - 1).min(2))), meaning)
}

fn outline(name: &str, meaning: Meaning, grid: &Grid, framed: bool, canvas: &mut Canvas) {
    if framed {
        grid.frame("", meaning, canvas);
    }
    canvas.text(grid.corner.0.saturating_sub(3), grid.corner.1 - 1, name, meaning);
}

fn matrix_b(map: &ThreadMap, layout: &Layout, canvas: &mut Canvas) {
    let (look, grid, cell) = (canvas.look, &layout.b, layout.b.step.0);
    outline("B", Meaning::MatrixB, grid, layout.framed, canvas);
    grid.heads(grid.corner.1 - 1, canvas, |j| {
        (head(j, cell), if j == map.j { Meaning::Strong } else { Meaning::Muted })
    });
    grid.labels(grid.corner.0.saturating_sub(5), canvas, |k| match term(map, k) {
        Term::Now => (format!("k{k:>2}"), Meaning::Accent),
        _ => (pad_left(&k.to_string(), 3), Meaning::Muted),
    });
    grid.draw(canvas, |k, j| factor(map, k, j == map.j, cell, Meaning::MatrixB, look));
}

fn matrix_a(map: &ThreadMap, layout: &Layout, canvas: &mut Canvas) {
    let (look, grid, cell) = (canvas.look, &layout.a, layout.a.step.0);
    outline("A", Meaning::MatrixA, grid, layout.framed, canvas);
    grid.heads(grid.corner.1 - 1, canvas, |k| {
        (head(k, cell), if matches!(term(map, k), Term::Now) { Meaning::Accent } else { Meaning::Muted })
    });
    grid.labels(grid.corner.0.saturating_sub(NUMBERS), canvas, |i| {
        let meaning = if i == map.i { Meaning::Strong } else { Meaning::Muted };
        (pad_left(&i.to_string(), NUMBERS - 1), meaning)
    });
    grid.draw(canvas, |i, k| factor(map, k, i == map.i, cell, Meaning::MatrixA, look));
}

/// Returns a column number, aligned with a column of cells.
fn head(number: u32, cell: usize) -> String {
    format!("{} ", pad_left(&number.to_string(), cell - 1))
}

/// Draws C. Each element that the chosen element's warp computes shows its lane; the chosen one is in brackets.
fn matrix_c(map: &ThreadMap, layout: &Layout, canvas: &mut Canvas) {
    let (look, grid, cell) = (canvas.look, &layout.c, layout.c.step.0);
    outline("C", Meaning::MatrixC, grid, layout.framed, canvas);
    grid.draw(canvas, |i, j| {
        let lane = map.owner(i, j).lane;
        let (text, meaning) = match map.same_warp(i, j) {
            true => (lane.to_string(), Meaning::Thread((lane / GROUP) as u8)),
            false => (look.sign("·", ".").to_owned(), Meaning::BarEmpty),
        };
        (pad_left(&text, cell - 1), meaning)
    });
    // This is drawn last, because its brackets overlap the blanks next to it.
    let ((x, y), room) = (grid.cell(map.i, map.j), cell.min(3) - 1);
    let text = format!("[{}]", pad_left(&map.owner(map.i, map.j).lane.to_string(), room));
    canvas.text((x + cell).saturating_sub(room + 2), y, &text, Meaning::Selected);
}

/// Returns the current step, `C[1][3] += A[1][2]·B[2][3]`, or the whole sum before the first step.
fn formula(map: &ThreadMap) -> String {
    let (i, j) = (map.i, map.j);
    match map.step.checked_sub(1) {
        Some(k) => format!("C[{i}][{j}] += A[{i}][{k}]·B[{k}][{j}]"),
        None => format!("C[{i}][{j}] = Σ A[{i}][k]·B[k][{j}]"),
    }
}

/// Describes the thread that computes the chosen element.
fn owner(map: &ThreadMap) -> String {
    let owner = map.owner(map.i, map.j);
    let [x, y] = owner.thread;
    let [bx, by] = owner.block;
    t!("thread-map-owner", x, y, bx, by, lane = owner.lane, warp = owner.warp)
}

/// Explains why the mapping is coalesced or not: the distance of neighbours, and the sectors of each access.
fn neighbours(map: &ThreadMap) -> [String; 2] {
    let [a, b, c] = [Matrix::A, Matrix::B, Matrix::C].map(|matrix| map.request(matrix));
    let apart = map.apart();
    let near = match map.mapping {
        Mapping::XToColumn => t!("thread-map-side-by-side", bytes = apart),
        Mapping::XToRow => t!("thread-map-row-apart", bytes = apart),
    };
    let cost = t!(
        "thread-map-requests",
        a_words = a.words,
        a_sectors = a.sectors,
        b_words = b.words,
        b_sectors = b.sectors,
        c_words = c.words,
        c_sectors = c.sectors,
    );
    [near, cost]
}

pub(super) fn words(map: &ThreadMap, roomy: bool, sheet: &mut Sheet) {
    let look = sheet.look;
    let sum = if look.ascii { formula(map).replace('Σ', &t!("thread-map-sum")) } else { formula(map) };
    let terms = t!("thread-map-terms", done = map.step, all = map.k);
    if sheet.width >= 50 {
        sheet.ends(
            vec![look.span(Meaning::Strong, format!(" {sum}")), look.span(Meaning::Muted, format!("   {terms}"))],
            Vec::new(),
        );
    } else {
        sheet.text(Meaning::Strong, &sum);
        if roomy {
            sheet.text(Meaning::Muted, &terms);
        }
    }
    let gap = |sheet: &mut Sheet| {
        if roomy {
            sheet.blank();
        }
    };
    gap(sheet);
    sheet.text(Meaning::Text, &owner(map));
    legend(map, sheet);
    gap(sheet);
    let [near, cost] = neighbours(map);
    let warned = map.mapping == Mapping::XToRow;
    sheet.text(if warned { Meaning::Warning } else { Meaning::Text }, &near);
    sheet.text(Meaning::Text, &cost);
    gap(sheet);
    sheet.text(Meaning::Muted, &t!("thread-map-independent", all = u64::from(map.m) * u64::from(map.n)));
    sheet.text(Meaning::Muted, &t!("thread-map-volume", m = map.m, n = map.n, k = map.k, volume = map.volume()));
}

/// Adds the colours of the lanes, eight lanes each.
fn legend(map: &ThreadMap, sheet: &mut Sheet) {
    let look = sheet.look;
    let lanes = map.lanes().iter().filter(|element| element.is_some()).count() as u32;
    let mut cells = Cells::default();
    let label = if sheet.width < 30 { String::new() } else { format!(" {}", t!("thread-map-lanes")) };
    cells.push(&label, look.style(Meaning::Muted));
    for group in 0..lanes.div_ceil(GROUP) {
        let (first, last) = (group * GROUP, (group * GROUP + GROUP).min(lanes) - 1);
        cells.push(&format!(" {first}–{last}"), look.style(Meaning::Thread(group as u8)));
    }
    sheet.row(cells.done());
}
