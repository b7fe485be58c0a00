/*! The picture.

```text
 box of 8 × 64                            matrix of 20 × 104, 2 bytes each
 ▸ first column      64 ◂▸ 24 of 64 pieces are zeros
   first row          0
   swizzle        128 B
   marked piece       0    read by 8 lanes: 1 wavefront
           the box                     in shared memory
   row  0  0 1 2 3 4 · · ·             0 1 2 3 4 · · ·
   row  1  0 1 2 3 4 · · ·             1 0 3 2 · 4 · ·
   …
 All 1024 bytes are counted at the mbarrier.
```

A digit is a piece of 16 bytes, by its place in the box's row.
*/

use super::super::control::{Controls, Dials, Hit};
use super::super::sheet::Sheet;
use super::TensorBox;
use super::model::{BYTES, COLUMNS, Copied, Field, PER_PIECE, PIECES, ROWS};
use crate::t;
use crate::tui::look::{Look, pad, pad_left};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::Rect;

const CONTROLS: Controls = Controls { label: 14, value: 6 };
/// Cells left of the box, of a piece, and between the box and shared memory.
const LEFT: usize = 11;
const CELL: usize = 2;
const GAP: usize = 6;

pub(super) fn draw(it: &TensorBox, frame: &mut Frame, area: Rect, look: &Look) {
    drawing(it, look, area.width).0.draw(frame, area);
}

/// Rows it needs at a width.
pub(super) fn height(it: &TensorBox, width: u16) -> u16 {
    super::super::plain(|look| drawing(it, look, width).0.len())
}

/// What a click in a cell meets of the numbers.
pub(super) fn hit(it: &TensorBox, at: (u16, u16), width: u16) -> Option<Hit<Field>> {
    let fields = super::super::plain(|look| drawing(it, look, width).1);
    CONTROLS.hit(&fields, it.panel.chosen, at)
}

/// The piece of the box at a cell.
pub(super) fn piece(it: &TensorBox, (x, y): (u16, u16), width: u16) -> Option<usize> {
    let top = super::super::plain(|look| drawing(it, look, width).2);
    let row = usize::from(y.checked_sub(top)?);
    let piece = usize::from(x).checked_sub(LEFT)? / CELL;
    (row < ROWS && piece < PIECES).then_some(piece)
}

/// The rows, on which of them each number stands, and where the box begins.
fn drawing<'l>(it: &TensorBox, look: &'l Look<'l>, width: u16) -> (Sheet<'l>, Vec<(Field, u16)>, u16) {
    let copied = &it.panel.dials;
    let (mut sheet, mut fields) = (Sheet::new(look, width), Vec::new());
    let over = t!("tensor-box-over", rows = copied.rows, columns = copied.columns);
    sheet.title(&t!("tensor-box-what", rows = ROWS, columns = COLUMNS), vec![look.span(Meaning::Accent, over)]);
    for &field in Copied::FIELDS {
        fields.push((field, sheet.len()));
        let (name, value) = match field {
            Field::Column => (t!("tensor-box-column"), copied.column.to_string()),
            Field::Row => (t!("tensor-box-row"), copied.row.to_string()),
            Field::Swizzle => (t!("tensor-box-swizzle"), swizzle(copied)),
            Field::Piece => (t!("tensor-box-piece"), copied.piece.to_string()),
        };
        let mut row = CONTROLS.row(look, field == it.panel.chosen, &name, &value);
        row.push(look.span(Meaning::Muted, follows(copied, field)));
        sheet.row(row);
    }
    let heads = [t!("tensor-box-in-matrix"), t!("tensor-box-in-shared")];
    let head = format!("{}{}{}", " ".repeat(LEFT), pad(&heads[0], PIECES * CELL + GAP), heads[1]);
    sheet.row(vec![look.span(Meaning::Muted, head)]);
    let top = sheet.len();
    if let Ok(lies) = copied.lies.as_ref() {
        for (row, places) in lies.iter().enumerate() {
            let name = t!("tensor-box-row-of", n = copied.row + row as i32);
            let mut spans = vec![look.span(Meaning::Muted, pad(&format!("   {name}"), LEFT))];
            let marked = |here: bool, meaning: Meaning| if here { Meaning::Selected } else { meaning };
            for piece in 0..PIECES {
                let (sign, meaning) = sign(Some(piece), copied.inside(row, piece), look);
                spans.push(look.span(marked(piece == copied.piece, meaning), sign));
                spans.push(look.span(Meaning::Text, " "));
            }
            spans.push(look.span(Meaning::Text, " ".repeat(GAP)));
            for (at, place) in places.iter().enumerate() {
                let (sign, meaning) = sign(place.piece, place.inside, look);
                spans.push(look.span(marked(at as u32 == copied.place(row), meaning), sign));
                spans.push(look.span(Meaning::Text, " "));
            }
            sheet.row(spans);
        }
    }
    for said in words(copied) {
        sheet.text(Meaning::Text, &said);
    }
    (sheet, fields, top)
}

/// A piece of 16 bytes: its number, a sign where a part of it is zeros, another one where all is.
fn sign(piece: Option<usize>, inside: usize, look: &Look) -> (String, Meaning) {
    match piece.filter(|_| inside > 0) {
        None => (look.sign("·", ".").to_owned(), Meaning::BarEmpty),
        Some(_) if inside < PER_PIECE as usize => ("~".to_owned(), Meaning::Warning),
        Some(piece) => (piece.to_string(), Meaning::MatrixA),
    }
}

fn swizzle(copied: &Copied) -> String {
    if copied.swizzled { t!("tensor-box-128") } else { t!("tensor-box-none") }
}

/// What came, or why nothing did.
fn words(copied: &Copied) -> Vec<String> {
    if let Err(why) = copied.lies.as_ref() {
        return vec![why.clone()];
    }
    vec![t!("tensor-box-bytes", bytes = BYTES)]
}

/// What follows from a number.
fn follows(copied: &Copied, field: Field) -> String {
    match field {
        Field::Column => t!("tensor-box-zeros", n = copied.zeros(), all = ROWS * PIECES),
        Field::Piece => t!("tensor-box-wavefronts", n = copied.wavefronts()),
        Field::Row | Field::Swizzle => String::new(),
    }
}

/// The picture in sentences.
pub(super) fn sentences(copied: &Copied) -> Vec<String> {
    let mut all = vec![t!(
        "tensor-box-said",
        row = copied.row,
        column = copied.column,
        rows = copied.rows,
        columns = copied.columns,
        swizzle = swizzle(copied)
    )];
    if let Ok(lies) = copied.lies.as_ref() {
        for (row, places) in lies.iter().enumerate() {
            let said: Vec<String> = super::super::plain(|look| {
                places.iter().map(|place| pad_left(&sign(place.piece, place.inside, look).0, 1)).collect()
            });
            all.push(t!("tensor-box-row-said", n = row, pieces = said.join(" ")));
        }
    }
    all.extend([Field::Column, Field::Piece].map(|field| format!("{}.", follows(copied, field))));
    all.extend(words(copied));
    all
}
