/*! Draws the picture:

```text
 blocks 0 to 131 of 512                                         9 + 16 strips
 ▸ rows in a group       1 ◂▸
   rows of tiles        32
   columns of tiles     16    a sign: 6 × 1 tiles
   first block           0
   ████████████████
   ████████████████
   ▒▒▒▒░░░░…
 For each k L2 hands out 202,752 bytes, 20,992 of them different. …
```

A sign is a tile of C, or several tiles if not all fit.
*/

use super::{Control, Raster};
use crate::prelude::*;

/// Maximum rows of the map.
const HEIGHT: u32 = 6;
/// Maximum cells of the map.
const WIDTH: u32 = 66;

impl DrawControls for Raster {
    const KIND: &str = "raster";
    const LAYOUT: ControlLayout = ControlLayout { label: 17, value: 6 };

    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        let [a, b] = self.strips();
        rows.title(&what(self), vec![look.span(Meaning::Accent, t!("raster-strips", a, b))]);
        for &control in Self::CONTROLS {
            let (name, value) = match control {
                Control::Group => (t!("raster-group"), self.group),
                Control::Rows => (t!("raster-rows"), self.rows),
                Control::Columns => (t!("raster-columns"), self.columns),
                Control::First => (t!("raster-first"), self.first),
            };
            let mut behind = Vec::new();
            if control == Control::Columns {
                let (down, across) = scale(self, rows.width);
                behind.push(look.span(Meaning::Muted, t!("raster-sign-is", down, across)));
            }
            rows.number(control, &name, &grouped(value.into()), behind);
        }
        map(self, rows);
        rows.text(Meaning::Text, &t!("raster-shared"));
        let [out, different] = self.bytes().map(grouped);
        rows.text(Meaning::Text, &t!("raster-bytes", out, different));
    }
}

/// Returns the number of cells of the map at a width.
fn map_width(width: u16) -> u32 {
    u32::from(width).saturating_sub(4).clamp(1, WIDTH)
}

/// Returns the number of tiles per sign, down and across.
fn scale(order: &Raster, width: u16) -> (u32, u32) {
    (order.rows.div_ceil(HEIGHT), order.columns.div_ceil(map_width(width)))
}

/// Draws C and marks the running tiles.
fn map(order: &Raster, sheet: &mut Sheet) {
    let look = sheet.look;
    let (down, across) = scale(order, sheet.width);
    // If there are few tiles, each sign is two cells wide.
    let room = map_width(sheet.width);
    let (height, width) = (order.rows.div_ceil(down), order.columns.div_ceil(across));
    let wide = if width * 2 <= room { 2 } else { 1 };
    let mut running = vec![0u32; (height * width) as usize];
    for (row, column) in order.running() {
        if let Some(cell) = running.get_mut((row / down * width + column / across) as usize) {
            *cell += 1;
        }
    }
    for (row, cells) in running.chunks_exact(width.max(1) as usize).enumerate() {
        let mut spans = Cells::default();
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
        sheet.drawn(spans.done());
    }
}

fn what(order: &Raster) -> String {
    let last = (order.first as usize + order.running().len()).saturating_sub(1);
    let all = u64::from(order.rows * order.columns);
    t!("raster-what", first = order.first, last = last as u64, all)
}
