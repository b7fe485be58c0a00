/*! The picture.

```text
 4 × 8 lanes of a warp                       A: 2 wavefronts, B: 2 wavefronts
 ▸ lane             13 ◂▸
   lanes stand  squares
        b0  b1  b2  b3  b4  b5  b6  b7
   a0    0   1   4   5   8   9  12 [13]
   a1    2   3   6   7  10  11  14  15
   …
 Lane 13 reads a0 of A with lanes 0, 1, 4, 5, …, b7 of B with 13, 15, 29, 31.
```

Left the pieces of A, above those of B, 16 bytes each; a lane reads that of its row and that of its column.
*/

use super::super::control::{Controls, Dials, Hit};
use super::super::sheet::Sheet;
use super::WarpTile;
use super::model::{COLUMNS, Field, Lanes, ROWS};
use crate::course::LaneOrder;
use crate::t;
use crate::tui::look::{Look, pad, pad_left};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::Rect;

const CONTROLS: Controls = Controls { label: 12, value: 8 };
/// Cells left of the lanes, and of a lane.
const LEFT: usize = 6;
const CELL: usize = 4;

pub(super) fn draw(it: &WarpTile, frame: &mut Frame, area: Rect, look: &Look) {
    drawing(it, look, area.width).0.draw(frame, area);
}

/// Rows it needs at a width.
pub(super) fn height(it: &WarpTile, width: u16) -> u16 {
    super::super::plain(|look| drawing(it, look, width).0.len())
}

/// What a click in a cell meets of the fields.
pub(super) fn hit(it: &WarpTile, at: (u16, u16), width: u16) -> Option<Hit<Field>> {
    let fields = super::super::plain(|look| drawing(it, look, width).1);
    CONTROLS.hit(&fields, it.panel.chosen, at)
}

/// The lane at a cell.
pub(super) fn lane(it: &WarpTile, (x, y): (u16, u16), width: u16) -> Option<usize> {
    let top = super::super::plain(|look| drawing(it, look, width).2);
    let (row, column) = (usize::from(y.checked_sub(top)?), usize::from(x).checked_sub(LEFT)? / CELL);
    (row < ROWS && column < COLUMNS).then(|| it.panel.dials.lane_at(row, column))
}

/// The rows, on which of them each field stands, and where the lanes begin.
fn drawing<'l>(it: &WarpTile, look: &'l Look<'l>, width: u16) -> (Sheet<'l>, Vec<(Field, u16)>, u16) {
    let lanes = &it.panel.dials;
    let (mut sheet, mut fields) = (Sheet::new(look, width), Vec::new());
    sheet.title(&t!("warp-tile-what", rows = ROWS, columns = COLUMNS), vec![look.span(Meaning::Accent, cost(lanes))]);
    for &field in Lanes::FIELDS {
        fields.push((field, sheet.len()));
        let (name, value) = match field {
            Field::Lane => (t!("warp-tile-lane"), lanes.lane.to_string()),
            Field::Order => (t!("warp-tile-order"), order(lanes.order)),
        };
        sheet.row(CONTROLS.row(look, field == it.panel.chosen, &name, &value));
    }
    let (row, column) = lanes.place(lanes.lane);
    let strong = |here: bool, meaning: Meaning| if here { Meaning::Selected } else { meaning };
    let mut head = vec![look.span(Meaning::Text, " ".repeat(LEFT))];
    for at in 0..COLUMNS {
        head.push(look.span(Meaning::Text, " "));
        head.push(look.span(strong(at == column, Meaning::MatrixB), pad_left(&format!("b{at}"), CELL - 1)));
    }
    sheet.row(head);
    let top = sheet.len();
    for at in 0..ROWS {
        let mut spans = vec![
            look.span(Meaning::Text, "   "),
            look.span(strong(at == row, Meaning::MatrixA), pad(&format!("a{at}"), LEFT - 4)),
            look.span(Meaning::Text, " "),
        ];
        for across in 0..COLUMNS {
            let lane = lanes.lane_at(at, across);
            let meaning = match (at == row, across == column) {
                (true, true) => Meaning::Selected,
                (true, false) => Meaning::MatrixA,
                (false, true) => Meaning::MatrixB,
                (false, false) => Meaning::Muted,
            };
            let said = if lane == lanes.lane { format!("[{lane}]") } else { format!("{lane} ") };
            spans.push(look.span(meaning, pad_left(&said, CELL)));
        }
        sheet.row(spans);
    }
    for said in words(lanes) {
        sheet.text(Meaning::Text, &said);
    }
    (sheet, fields, top)
}

fn order(order: LaneOrder) -> String {
    match order {
        LaneOrder::Rows => t!("warp-tile-rows"),
        LaneOrder::Squares => t!("warp-tile-squares"),
    }
}

fn cost(lanes: &Lanes) -> String {
    let [a, b] = lanes.wavefronts();
    t!("warp-tile-cost", a = a, b = b)
}

/// Who reads the same, and why a load costs what it costs.
fn words(lanes: &Lanes) -> Vec<String> {
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

/// The picture in sentences.
pub(super) fn sentences(lanes: &Lanes) -> Vec<String> {
    let mut all = vec![format!("{}. {}.", t!("warp-tile-what", rows = ROWS, columns = COLUMNS), cost(lanes))];
    for row in 0..ROWS {
        let said: Vec<String> = (0..COLUMNS).map(|column| lanes.lane_at(row, column).to_string()).collect();
        all.push(t!("warp-tile-row-said", row = row, lanes = said.join(", ")));
    }
    all.extend(words(lanes));
    all
}
