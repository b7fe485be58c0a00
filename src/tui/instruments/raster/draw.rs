/*! The picture.

```text
 blocks 0 to 131 of 512                                         9 + 16 strips
 ▸ rows in a group       1 ◂▸
   rows of tiles        32
   columns of tiles     16    a sign: 6 × 1 tiles
   first block           0
   ████████████████
   ████████████████
   ▒▒▒▒░░░░…
 For each k L2 hands out 202 752 bytes, 20 992 of them different. …
```

A sign is a tile of C, or several where there are more than there is room for.
*/

use super::super::control::{Controls, Dials, Hit};
use super::super::sheet::{Cells, Sheet};
use super::Raster;
use super::model::{Field, Order};
use crate::figures::grouped;
use crate::t;
use crate::tui::look::Look;
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::Rect;

const CONTROLS: Controls = Controls { label: 17, value: 6 };
/// Rows of the map at most.
const HEIGHT: u32 = 6;
/// Cells of the map at most.
const WIDTH: u32 = 66;

pub(super) fn draw(it: &Raster, frame: &mut Frame, area: Rect, look: &Look) {
    drawing(it, look, area.width).0.draw(frame, area);
}

/// Rows it needs at a width.
pub(super) fn height(it: &Raster, width: u16) -> u16 {
    super::super::plain(|look| drawing(it, look, width).0.len())
}

/// What a click in a cell meets.
pub(super) fn hit(it: &Raster, at: (u16, u16), width: u16) -> Option<Hit<Field>> {
    let fields = super::super::plain(|look| drawing(it, look, width).1);
    CONTROLS.hit(&fields, it.panel.chosen, at)
}

fn drawing<'l>(it: &Raster, look: &'l Look<'l>, width: u16) -> (Sheet<'l>, Vec<(Field, u16)>) {
    let order = &it.panel.dials;
    let (mut sheet, mut fields) = (Sheet::new(look, width), Vec::new());
    sheet.title(&what(order), vec![look.span(Meaning::Accent, strips(order))]);
    for &field in Order::FIELDS {
        fields.push((field, sheet.len()));
        let (name, value) = match field {
            Field::Group => (t!("raster-group"), order.group),
            Field::Rows => (t!("raster-rows"), order.rows),
            Field::Columns => (t!("raster-columns"), order.columns),
            Field::First => (t!("raster-first"), order.first),
        };
        let mut row = CONTROLS.row(look, field == it.panel.chosen, &name, &grouped(value.into()));
        if field == Field::Columns {
            let (down, across) = scale(order, width);
            row.push(look.span(Meaning::Muted, t!("raster-sign-is", down = down, across = across)));
        }
        sheet.row(row);
    }
    map(order, &mut sheet);
    for said in words(order) {
        sheet.text(Meaning::Text, &said);
    }
    (sheet, fields)
}

/// Cells of the map at a width.
fn room(width: u16) -> u32 {
    u32::from(width).saturating_sub(4).clamp(1, WIDTH)
}

/// Tiles that a sign stands for, down and across.
fn scale(order: &Order, width: u16) -> (u32, u32) {
    (order.rows.div_ceil(HEIGHT), order.columns.div_ceil(room(width)))
}

/// C, the running tiles marked.
fn map(order: &Order, sheet: &mut Sheet) {
    let look = sheet.look;
    let (down, across) = scale(order, sheet.width);
    // Where tiles are few, signs are twice as wide.
    let room = room(sheet.width);
    let (height, width) = (order.rows.div_ceil(down), order.columns.div_ceil(across));
    let wide = if width * 2 <= room { 2 } else { 1 };
    let mut running = vec![0u32; (height * width) as usize];
    for (row, column) in order.running() {
        if let Some(cell) = running.get_mut((row / down * width + column / across) as usize) {
            *cell += 1;
        }
    }
    for (row, cells) in running.chunks_exact(width.max(1) as usize).enumerate() {
        let mut spans = Cells::new();
        spans.push("   ", look.style(Meaning::Text));
        for (column, count) in cells.iter().enumerate() {
            let tall = down.min(order.rows - row as u32 * down);
            let all = tall * across.min(order.columns - column as u32 * across);
            let (sign, meaning) = match *count {
                0 => (look.sign("░", "."), Meaning::BarEmpty),
                count if count == all => (look.sign("█", "#"), Meaning::MatrixC),
                _ => (look.sign("▒", "%"), Meaning::MatrixC),
            };
            spans.push(&sign.repeat(wide), look.style(meaning));
        }
        sheet.row(spans.done());
    }
}

fn what(order: &Order) -> String {
    let last = (order.first as usize + order.running().len()).saturating_sub(1);
    let all = u64::from(order.rows * order.columns);
    t!("raster-what", first = grouped(order.first.into()), last = grouped(last as u64), all = grouped(all))
}

fn strips(order: &Order) -> String {
    let [a, b] = order.strips();
    t!("raster-strips", a = a, b = b)
}

/// What they read of A and B.
fn words(order: &Order) -> Vec<String> {
    let [out, different] = order.bytes().map(grouped);
    vec![t!("raster-shared"), t!("raster-bytes", out = out, different = different)]
}

/// The picture in sentences.
pub(super) fn sentences(order: &Order) -> Vec<String> {
    let order_said = t!("raster-said", group = order.group, rows = order.rows, columns = order.columns);
    let mut all = vec![format!("{}: {}.", what(order), strips(order)), order_said];
    all.extend(words(order));
    all
}
