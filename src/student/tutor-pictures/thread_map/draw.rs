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
use super::model::{Mapping, Matrix, Space};
use crate::prelude::*;
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
fn cells(map: &Space, a: usize, c: usize) -> usize {
    2 * NUMBERS + 2 + a * (map.k as usize).min(16) + c * (map.n as usize).min(16)
}

/// Returns the number of rows of the title and of the matrices without frames. At most sixteen rows of each matrix
/// count.
fn full(map: &Space) -> usize {
    3 + (map.k as usize).min(16) + (map.m as usize).min(16)
}

/// Returns the number of cells of the text next to the matrices. In a narrow picture, it gets all that the matrices
/// leave.
fn beside_cells(map: &Space, width: usize) -> usize {
    match width < ALWAYS_BESIDE {
        true => width.saturating_sub(cells(map, 2, 3)),
        false => (width / 3).clamp(BESIDE.0, BESIDE.1),
    }
}

/// Returns the number of rows of the text in `width` cells, without gaps.
fn caption_rows(map: &Space, width: usize) -> usize {
    ui_kit::sheet::rows(width as u16, |sheet| words(map, false, sheet)).into()
}

/// Returns the number of rows of the whole picture at a width.
pub(super) fn height(map: &Space, width: u16) -> u16 {
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
    /// Cells per element of A, and per element of B and C.
    a_cell: usize,
    cell: usize,
    /// Rows from one matrix row to the next.
    high: usize,
    /// True if the matrices have frames.
    framed: bool,
    /// Cells to the left of the matrices.
    left: usize,
    /// First index and number of what is drawn: rows of A and C here, then columns of B and C.
    rows: (u32, usize),
    columns: (u32, usize),
    /// Columns of A and rows of B, which may be fewer.
    a_terms: (u32, usize),
    b_terms: (u32, usize),
    /// First column of the text if it is next to the matrices, None if it is below.
    words_at: Option<usize>,
}

/// Returns first index and length of a window of at most `room` around `at`.
fn window(at: u32, room: usize, of: u32) -> (u32, usize) {
    let room = room.clamp(1, of as usize);
    (at.saturating_sub(room as u32 / 2).min(of - room as u32), room)
}

impl Layout {
    fn new(map: &Space, area: Rect) -> Self {
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let (m, n, k) = (map.m as usize, map.n as usize, map.k as usize);
        let wide = |a: usize, c: usize| cells(map, a, c);
        let sentence = caption_rows(map, width);
        // The text is next to the matrices if it fits there and either the height is short or the picture is wide.
        let beside = width >= wide(2, 3) + BESIDE.0 && (height < full(map) + sentence || width >= ALWAYS_BESIDE);
        let words = if beside { beside_cells(map, width) } else { 0 };
        let room = width - words.min(width);
        let cell = if wide(4, 5) + 4 <= room {
            5
        } else if wide(3, 4) + 4 <= room {
            4
        } else {
            3
        };
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
        let spare = room.saturating_sub(used);
        Self {
            a_cell,
            cell,
            high,
            framed,
            left: spare / 2,
            rows: window(map.i, c_rows, map.m),
            columns: window(map.j, columns, map.n),
            a_terms: window(now, a_columns, map.k),
            b_terms: window(now, b_rows, map.k),
            words_at: beside.then_some(room),
        }
    }

    /// Returns the first cell of A's elements, and that of B's and C's.
    fn lefts(&self) -> (usize, usize) {
        let a = self.left + NUMBERS;
        (a, a + self.a_terms.1 * self.a_cell + NUMBERS + 1)
    }

    /// Returns the first row of B's elements, and that of A's and C's.
    fn tops(&self) -> (usize, usize) {
        (2, 2 + self.span(self.b_terms.1) + if self.framed { 2 } else { 1 })
    }

    /// Returns the screen rows of `rows` matrix rows.
    fn span(&self, rows: usize) -> usize {
        rows * self.high - (self.high - 1)
    }

    /// Returns the height of the matrices with the title.
    fn height(&self) -> usize {
        self.tops().1 + self.span(self.rows.1) + usize::from(self.framed)
    }
}

pub(super) fn hit(map: &Space, at: Position, area: Rect) -> Option<(u32, u32)> {
    let layout = Layout::new(map, area);
    let (x, y) = cell(at, area)?;
    let row = usize::from(y).checked_sub(layout.tops().1)? / layout.high;
    let column = usize::from(x).checked_sub(layout.lefts().1)? / layout.cell;
    (row < layout.rows.1 && column < layout.columns.1)
        .then_some((layout.rows.0 + row as u32, layout.columns.0 + column as u32))
}

/// Describes the mapping in a few words.
pub(super) fn along(map: &Space) -> String {
    match map.mapping {
        Mapping::XToColumn => t!("thread-map-along-columns"),
        Mapping::XToRow => t!("thread-map-along-rows"),
    }
}

pub(super) fn draw(map: &Space, frame: &mut Frame, area: Rect, look: &Look) {
    let layout = Layout::new(map, area);
    let mut sheet = Sheet::new(look, area.width);
    let what = t!("thread-map-extent", m = map.m, n = map.n);
    sheet.title(&what, vec![look.span(Meaning::Accent, along(map))]);
    sheet.draw(frame, area);
    let words = match layout.words_at {
        Some(at) => rest(area, at, 1),
        None => rest(area, 0, layout.height()),
    };
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

fn term(map: &Space, k: u32) -> Term {
    match map.step.checked_sub(1) {
        Some(now) if k < now => Term::Past,
        Some(now) if k == now => Term::Now,
        _ => Term::Next,
    }
}

/// Returns the sign and style of an element of A or B. Only elements that the chosen thread uses are `on_way`.
fn factor(map: &Space, k: u32, on_way: bool, cell: usize, meaning: Meaning, look: &Look) -> (String, Style) {
    if !on_way {
        return (pad_left(look.sign("·", "."), cell - 1), look.style(Meaning::BarEmpty));
    }
    let (sign, style) = match term(map, k) {
        Term::Past => (look.sign("▓", "#"), look.style(meaning)),
        Term::Now => (look.sign("█", "@"), look.style(Meaning::Accent)),
        Term::Next => (look.sign("░", ":"), look.style(meaning)),
    };
    (format!("{}{}", " ".repeat(cell.saturating_sub(3).min(1)), sign.repeat((cell - 1).min(2))), style)
}

/// Draws a matrix's name and frame around `size` cells and rows from `(x, y)` on.
fn outline(
    name: &str,
    meaning: Meaning,
    (x, y): (usize, usize),
    (cells, rows): (usize, usize),
    layout: &Layout,
    canvas: &mut Canvas,
) {
    if layout.framed {
        canvas.frame((x - 1, y - 1), (cells + 2, layout.span(rows) + 2), "", meaning);
    }
    canvas.text(x.saturating_sub(3), y - 1, name, meaning);
}

fn matrix_b(map: &Space, layout: &Layout, canvas: &mut Canvas) {
    let look = canvas.look;
    let ((_, x), (y, _)) = (layout.lefts(), layout.tops());
    let size = (layout.columns.1 * layout.cell, layout.b_terms.1);
    outline("B", Meaning::MatrixB, (x, y), size, layout, canvas);
    for column in 0..layout.columns.1 {
        let j = layout.columns.0 + column as u32;
        let meaning = if j == map.j { Meaning::Strong } else { Meaning::Muted };
        canvas.text(x + column * layout.cell, y - 1, &head(j, layout.cell), meaning);
    }
    for row in 0..layout.b_terms.1 {
        let k = layout.b_terms.0 + row as u32;
        let now = matches!(term(map, k), Term::Now);
        let name = if now { format!("k{k:>2}") } else { k.to_string() };
        let meaning = if now { Meaning::Accent } else { Meaning::Muted };
        canvas.text(x.saturating_sub(5), y + row * layout.high, &pad_left(&name, 3), meaning);
        for column in 0..layout.columns.1 {
            let on_way = layout.columns.0 + column as u32 == map.j;
            let (text, style) = factor(map, k, on_way, layout.cell, Meaning::MatrixB, look);
            canvas.put(x + column * layout.cell, y + row * layout.high, &text, style);
        }
    }
}

fn matrix_a(map: &Space, layout: &Layout, canvas: &mut Canvas) {
    let look = canvas.look;
    let ((x, _), (_, y)) = (layout.lefts(), layout.tops());
    let size = (layout.a_terms.1 * layout.a_cell, layout.rows.1);
    outline("A", Meaning::MatrixA, (x, y), size, layout, canvas);
    for column in 0..layout.a_terms.1 {
        let k = layout.a_terms.0 + column as u32;
        let meaning = if matches!(term(map, k), Term::Now) { Meaning::Accent } else { Meaning::Muted };
        canvas.text(x + column * layout.a_cell, y - 1, &head(k, layout.a_cell), meaning);
    }
    for row in 0..layout.rows.1 {
        let i = layout.rows.0 + row as u32;
        let meaning = if i == map.i { Meaning::Strong } else { Meaning::Muted };
        canvas.text(x.saturating_sub(NUMBERS), y + row * layout.high, &pad_left(&i.to_string(), NUMBERS - 1), meaning);
        for column in 0..layout.a_terms.1 {
            let k = layout.a_terms.0 + column as u32;
            let (text, style) = factor(map, k, i == map.i, layout.a_cell, Meaning::MatrixA, look);
            canvas.put(x + column * layout.a_cell, y + row * layout.high, &text, style);
        }
    }
}

/// Returns a column number, aligned with a column of cells.
fn head(number: u32, cell: usize) -> String {
    format!("{} ", pad_left(&number.to_string(), cell - 1))
}

/// Draws C. Each element that the chosen element's warp computes shows its lane; the chosen one is in brackets.
fn matrix_c(map: &Space, layout: &Layout, canvas: &mut Canvas) {
    let look = canvas.look;
    let ((_, x), (_, y)) = (layout.lefts(), layout.tops());
    let size = (layout.columns.1 * layout.cell, layout.rows.1);
    outline("C", Meaning::MatrixC, (x, y), size, layout, canvas);
    for row in 0..layout.rows.1 {
        let i = layout.rows.0 + row as u32;
        for column in 0..layout.columns.1 {
            let j = layout.columns.0 + column as u32;
            let lane = map.owner(i, j).lane;
            let at = (x + column * layout.cell, y + row * layout.high);
            if map.same_warp(i, j) {
                let text = pad_left(&lane.to_string(), layout.cell - 1);
                canvas.put(at.0, at.1, &text, look.style(Meaning::Thread((lane / GROUP) as u8)));
            } else {
                canvas.text(at.0, at.1, &pad_left(look.sign("·", "."), layout.cell - 1), Meaning::BarEmpty);
            }
        }
    }
    // This is drawn last, because its brackets overlap the blanks next to it.
    let row = (map.i - layout.rows.0) as usize;
    let column = (map.j - layout.columns.0) as usize;
    let (room, lane) = (layout.cell.min(3) - 1, map.owner(map.i, map.j).lane.to_string());
    let text = format!("[{}]", pad_left(&lane, room));
    canvas.text(
        (x + (column + 1) * layout.cell).saturating_sub(room + 2),
        y + row * layout.high,
        &text,
        Meaning::Selected,
    );
}

/// Returns the current step, `C[1][3] += A[1][2]·B[2][3]`, or the whole sum before the first step.
fn formula(map: &Space) -> String {
    let (i, j) = (map.i, map.j);
    match map.step.checked_sub(1) {
        Some(k) => format!("C[{i}][{j}] += A[{i}][{k}]·B[{k}][{j}]"),
        None => format!("C[{i}][{j}] = Σ A[{i}][k]·B[k][{j}]"),
    }
}

/// Describes the thread that computes the chosen element.
fn owner(map: &Space) -> String {
    let owner = map.owner(map.i, map.j);
    let [x, y] = owner.thread;
    let [bx, by] = owner.block;
    t!("thread-map-owner", x, y, bx, by, lane = owner.lane, warp = owner.warp)
}

/// Explains why the mapping is coalesced or not: the distance of neighbours, and the sectors of each access.
fn neighbours(map: &Space) -> [String; 2] {
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

fn independence(map: &Space) -> String {
    t!("thread-map-independent", all = u64::from(map.m) * u64::from(map.n))
}

fn volume(map: &Space) -> String {
    t!("thread-map-volume", m = map.m, n = map.n, k = map.k, volume = map.volume())
}

pub(super) fn words(map: &Space, roomy: bool, sheet: &mut Sheet) {
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
    sheet.text(Meaning::Muted, &independence(map));
    sheet.text(Meaning::Muted, &volume(map));
}

/// Adds the colours of the lanes, eight lanes each.
fn legend(map: &Space, sheet: &mut Sheet) {
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
