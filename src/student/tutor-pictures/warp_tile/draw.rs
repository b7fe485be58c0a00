/*! Draws the picture:

```text
 4 × 8 lanes of a warp                       A: 2 wavefronts, B: 2 wavefronts
 ▸ lane             13 ◂▸
   lanes form   squares
        b0  b1  b2  b3  b4  b5  b6  b7
   a0    0   1   4   5   8   9  12 [13]
   a1    2   3   6   7  10  11  14  15
   …
 Lane 13 reads a0 of A with lanes 0, 1, 4, 5, …, b7 of B with 13, 15, 29, 31.
```

The pieces of A are on the left and those of B are above, 16 bytes each. A lane reads the pieces of its row and its
column.
*/

use super::super::grid::Grid;
use super::{COLUMNS, Control, ROWS, WarpTile};
use crate::prelude::*;
use tutor_course::LaneOrder;

/// Rows above the lanes: title, controls and headings.
const TOP: usize = 4;
/// Cells to the left of the lanes, and cells per lane.
const LEFT: usize = 6;
const CELL: usize = 4;

impl DrawControls for WarpTile {
    const KIND: &str = "warp-tile";
    const LAYOUT: ControlLayout = ControlLayout { label: 12, value: 8 };

    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        let [a, b] = self.wavefronts();
        let cost = t!("warp-tile-cost", a, b);
        rows.title(&t!("warp-tile-what", rows = ROWS, columns = COLUMNS), vec![look.span(Meaning::Accent, cost)]);
        let order = match self.order {
            LaneOrder::Rows => t!("warp-tile-rows"),
            LaneOrder::Squares => t!("warp-tile-squares"),
        };
        rows.number(Control::Lane, &t!("warp-tile-lane"), &self.lane.to_string(), Vec::new());
        rows.number(Control::Order, &t!("warp-tile-order"), &order, Vec::new());
        let (row, column) = self.place(self.lane);
        let strong = |here: bool, meaning: Meaning| if here { Meaning::Selected } else { meaning };
        let mut head = vec![look.span(Meaning::Text, " ".repeat(LEFT))];
        for at in 0..COLUMNS {
            head.push(look.span(Meaning::Text, " "));
            head.push(look.span(strong(at == column, Meaning::MatrixB), pad_left(&format!("b{at}"), CELL - 1)));
        }
        rows.row(head);
        for at in 0..ROWS {
            let mut spans = vec![
                look.span(Meaning::Text, "   "),
                look.span(strong(at == row, Meaning::MatrixA), pad(&format!("a{at}"), LEFT - 4)),
                look.span(Meaning::Text, " "),
            ];
            for across in 0..COLUMNS {
                let lane = self.lane_at(at, across);
                let meaning = match (at == row, across == column) {
                    (true, true) => Meaning::Selected,
                    (true, false) => Meaning::MatrixA,
                    (false, true) => Meaning::MatrixB,
                    (false, false) => Meaning::Muted,
                };
                let text = if lane == self.lane { format!("[{lane}]") } else { format!("{lane} ") };
                spans.push(look.span(meaning, pad_left(&text, CELL)));
            }
            rows.row(spans);
        }
        for sentence in words(self) {
            rows.text(Meaning::Text, &sentence);
        }
    }

    fn click(&mut self, at: (u16, u16), _: u16) {
        let (size, rows, columns) = ((CELL, 1), 0..ROWS as u32, 0..COLUMNS as u32);
        let grid = Grid { corner: (LEFT, TOP), step: size, element: size, rows, columns };
        if let Some((row, column)) = grid.at(at) {
            self.lane = self.lane_at(row as usize, column as usize);
        }
    }
}

/// Describes which lanes read the same words, and why a load has its cost.
fn words(lanes: &WarpTile) -> Vec<String> {
    let (row, column) = lanes.place(lanes.lane);
    let list = |of: &[usize]| of.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let [a, b] = lanes.sharers();
    vec![
        t!("warp-tile-a", lane = lanes.lane, piece = row, lanes = list(&a)),
        t!("warp-tile-b", piece = column, lanes = list(&b)),
        match lanes.order {
            LaneOrder::Rows => t!("warp-tile-why-rows"),
            LaneOrder::Squares => t!("warp-tile-why-squares"),
        },
    ]
}
