//! A drawing area that is addressed cell by cell. Anything outside it is clipped.

use super::sheet::to_ascii;
use crate::prelude::*;
use ratatui::buffer::Buffer;
use unicode_segmentation::UnicodeSegmentation;

/// Draws into a part of a buffer. Coordinates are cells from its upper left corner.
pub struct Canvas<'b, 'l> {
    buffer: &'b mut Buffer,
    area: Rect,
    pub look: &'l Look<'l>,
}

impl<'b, 'l> Canvas<'b, 'l> {
    pub fn new(buffer: &'b mut Buffer, area: Rect, look: &'l Look<'l>) -> Self {
        let area = area.intersection(buffer.area);
        Self { buffer, area, look }
    }

    pub fn put(&mut self, x: usize, y: usize, text: &str, style: Style) {
        let text = if self.look.ascii { to_ascii(text) } else { text.to_owned() };
        let mut x = x;
        for grapheme in text.graphemes(true) {
            let wide = grapheme.width();
            if y >= usize::from(self.area.height) || x + wide > usize::from(self.area.width) {
                return;
            }
            if wide > 0
                && let Some(cell) = self.buffer.cell_mut((self.area.x + x as u16, self.area.y + y as u16))
            {
                cell.set_symbol(grapheme).set_style(style);
            }
            // Clears the cells that a wide character covers.
            for covered in 1..wide {
                if let Some(cell) = self.buffer.cell_mut((self.area.x + (x + covered) as u16, self.area.y + y as u16)) {
                    cell.set_symbol(" ").set_style(style);
                }
            }
            x += wide;
        }
    }

    pub fn text(&mut self, x: usize, y: usize, text: &str, meaning: Meaning) {
        self.put(x, y, text, self.look.style(meaning));
    }

    /// Draws a frame of `width`×`height` cells with a name in its upper edge.
    pub fn frame(&mut self, (x, y): (usize, usize), (width, height): (usize, usize), name: &str, meaning: Meaning) {
        if width < 2 || height < 2 {
            return;
        }
        let border = self.look.style(Meaning::Border);
        let edge = "─".repeat(width - 2);
        self.put(x, y, &format!("╭{edge}╮"), border);
        for row in y + 1..y + height - 1 {
            self.put(x, row, "│", border);
            self.put(x + width - 1, row, "│", border);
        }
        self.put(x, y + height - 1, &format!("╰{edge}╯"), border);
        if !name.is_empty() && name.width() + 4 <= width {
            self.text(x + 1, y, &format!(" {name} "), meaning);
        }
    }
}

/// A plot in braille dots, 2 × 4 per cell.
#[derive(Debug)]
pub struct Dots {
    columns: usize,
    /// The dots of each cell, as Unicode orders them.
    cells: Vec<u8>,
}

impl Dots {
    pub fn new(columns: usize, rows: usize) -> Self {
        Self { columns, cells: vec![0; columns * rows] }
    }

    /// Draws a straight line between two points, in dots from the upper left corner.
    pub fn line(&mut self, (x0, y0): (f64, f64), (x1, y1): (f64, f64)) {
        const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
        let steps = (x1 - x0).abs().max((y1 - y0).abs()).ceil().max(1.0);
        for step in 0..=steps as u32 {
            let part = f64::from(step) / steps;
            let (x, y) = ((x0 + (x1 - x0) * part).round() as usize, (y0 + (y1 - y0) * part).round() as usize);
            if x / 2 < self.columns
                && let Some(cell) = self.cells.get_mut(y / 4 * self.columns + x / 2)
            {
                *cell |= BITS[x % 2][y % 4];
            }
        }
    }

    /// Returns column, row and sign of each cell that has dots.
    pub fn drawn(&self) -> impl Iterator<Item = (usize, usize, char)> {
        let dotted = self.cells.iter().enumerate().filter(|(_, dots)| **dots > 0);
        let sign = |dots: u8| char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ');
        dotted.map(move |(at, dots)| (at % self.columns, at / self.columns, sign(*dots)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(ascii: bool) -> String {
        crate::look::with_mono_look(|look| {
            let look = Look { ascii, ..*look };
            let mut buffer = Buffer::empty(Rect::new(0, 0, 10, 4));
            let mut canvas = Canvas::new(&mut buffer, Rect::new(1, 1, 20, 3), &look);
            canvas.frame((0, 0), (8, 3), "A", Meaning::MatrixA);
            canvas.text(1, 1, "a wide text", Meaning::Text);
            crate::snapshot::text(&buffer)
        })
    }

    #[test]
    fn a_frame_has_its_name_and_nothing_leaves_the_area() {
        assert_eq!(drawn(false), "\n ╭ A ───╮\n │a wide t\n ╰──────╯\n");
        assert_eq!(drawn(true), "\n + A ---+\n |a wide t\n +------+\n");
    }
}
