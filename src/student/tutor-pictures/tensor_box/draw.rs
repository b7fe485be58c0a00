/*! Draws the picture:

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

A digit is a piece of 16 bytes: its index in the box's row.
*/

use super::super::grid::Grid;
use super::{BYTES, COLUMNS, Control, PER_PIECE, PIECES, ROWS, TensorBox};
use crate::prelude::*;

/// Rows above the box: title, controls and headings.
const TOP: usize = 6;
/// Cells to the left of the box, cells per piece, and cells between the box and shared memory.
const LEFT: usize = 11;
const CELL: usize = 2;
const GAP: usize = 6;

impl DrawControls for TensorBox {
    const KIND: &str = "tensor-box";
    const LAYOUT: ControlLayout = ControlLayout { label: 14, value: 6 };

    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        let over = t!("tensor-box-over", rows = self.rows, columns = self.columns);
        rows.title(&t!("tensor-box-what", rows = ROWS, columns = COLUMNS), vec![look.span(Meaning::Accent, over)]);
        for &control in Self::CONTROLS {
            let (name, value, follows) = match control {
                Control::Column => {
                    let zeros = t!("tensor-box-zeros", n = self.zeros(), all = ROWS * PIECES);
                    (t!("tensor-box-column"), self.column.to_string(), zeros)
                }
                Control::Row => (t!("tensor-box-row"), self.row.to_string(), String::new()),
                Control::Swizzle => {
                    let swizzle = if self.swizzled { t!("tensor-box-128") } else { t!("tensor-box-none") };
                    (t!("tensor-box-swizzle"), swizzle, String::new())
                }
                Control::Piece => {
                    let wavefronts = t!("tensor-box-wavefronts", n = self.wavefronts());
                    (t!("tensor-box-piece"), self.piece.to_string(), wavefronts)
                }
            };
            rows.number(control, &name, &value, vec![look.span(Meaning::Muted, follows)]);
        }
        let heads = [t!("tensor-box-in-matrix"), t!("tensor-box-in-shared")];
        let head = format!("{}{}{}", " ".repeat(LEFT), pad(&heads[0], PIECES * CELL + GAP), heads[1]);
        rows.row(vec![look.span(Meaning::Muted, head)]);
        let layout = match self.shared_layout.as_ref() {
            Ok(layout) => layout,
            Err(why) => return rows.text(Meaning::Text, &why.to_string()),
        };
        for (row, places) in layout.iter().enumerate() {
            let name = t!("tensor-box-row-of", n = self.row + row as i32);
            let mut spans = vec![look.span(Meaning::Muted, pad(&format!("   {name}"), LEFT))];
            let marked = |here: bool, meaning: Meaning| if here { Meaning::Selected } else { meaning };
            for piece in 0..PIECES {
                let (sign, meaning) = sign(Some(piece), self.inside(row, piece), look);
                spans.push(look.span(marked(piece == self.piece, meaning), sign));
                spans.push(look.span(Meaning::Text, " "));
            }
            spans.push(look.span(Meaning::Text, " ".repeat(GAP)));
            for (at, place) in places.iter().enumerate() {
                let (sign, meaning) = sign(place.piece, place.inside, look);
                spans.push(look.span(marked(at as u32 == self.place(row), meaning), sign));
                spans.push(look.span(Meaning::Text, " "));
            }
            rows.row(spans);
        }
        rows.text(Meaning::Text, &t!("tensor-box-bytes", bytes = BYTES));
    }

    fn click(&mut self, at: (u16, u16), _: u16) {
        let (size, rows, columns) = ((CELL, 1), 0..ROWS as u32, 0..PIECES as u32);
        let grid = Grid { corner: (LEFT, TOP), step: size, element: size, rows, columns };
        if let Some((_, piece)) = grid.at(at) {
            self.piece = piece as usize;
        }
    }
}

/// Returns the sign of a 16-byte piece: its number, `~` if a part of it is outside the matrix, or a dot if all of it
/// is.
fn sign(piece: Option<usize>, inside: usize, look: &Look) -> (String, Meaning) {
    match piece.filter(|_| inside > 0) {
        None => (look.sign("·", ".").to_owned(), Meaning::BarEmpty),
        Some(_) if inside < PER_PIECE as usize => ("~".to_owned(), Meaning::Warning),
        Some(piece) => (piece.to_string(), Meaning::MatrixA),
    }
}
