//! Ratatui's backend for the page: it collects the changed cells, and the script draws them on a canvas.

use crate::messages::Run;
use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};
use std::convert::Infallible;
use unicode_width::UnicodeWidthStr;

/// The cells that have changed since they were last taken.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    pub(crate) size: Size,
    pub(crate) runs: Vec<Run>,
    /// True if everything was cleared first.
    pub(crate) cleared: bool,
    pub(crate) cursor: Option<Position>,
}

impl Backend for Grid {
    type Error = Infallible;

    fn draw<'a, I>(&mut self, content: I) -> Result<(), Infallible>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        for (x, y, cell) in content {
            self.put(x, y, cell);
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> Result<(), Infallible> {
        self.cursor = None;
        Ok(())
    }

    fn show_cursor(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn get_cursor_position(&mut self) -> Result<Position, Infallible> {
        Ok(self.cursor.unwrap_or_default())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> Result<(), Infallible> {
        self.cursor = Some(position.into());
        Ok(())
    }

    fn clear(&mut self) -> Result<(), Infallible> {
        self.runs.clear();
        self.cleared = true;
        Ok(())
    }

    fn clear_region(&mut self, _: ClearType) -> Result<(), Infallible> {
        self.clear()
    }

    fn size(&self) -> Result<Size, Infallible> {
        Ok(self.size)
    }

    fn window_size(&mut self) -> Result<WindowSize, Infallible> {
        Ok(WindowSize { columns_rows: self.size, pixels: Size::default() })
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Grid {
    /// Adds a cell to the last run, or begins a new one. Other letters than ASCII's may come from a font of another width,
    /// so each is a run.
    fn put(&mut self, x: u16, y: u16, cell: &Cell) {
        let (fg, bg) = (css(cell.fg), css(cell.bg));
        let symbol = cell.symbol();
        let cells = symbol.width().max(1) as u16;
        // Hidden and blinking cells do not occur.
        let modifiers = cell.modifier.difference(Modifier::HIDDEN).bits();
        if let Some(Run(from, row, width, text, last_fg, last_bg, last)) = self.runs.last_mut()
            && (*row, *from + *width) == (y, x)
            && text.is_ascii()
            && symbol.is_ascii()
            && (&*last_fg, &*last_bg, *last) == (&fg, &bg, modifiers)
        {
            text.push_str(symbol);
            *width += cells;
            return;
        }
        self.runs.push(Run(x, y, cells, symbol.to_owned(), fg, bg, modifiers));
    }
}

/// The sixteen colours of a terminal, in xterm's values.
const SIXTEEN: [u32; 16] = [
    0x00_0000, 0xcd_0000, 0x00_cd00, 0xcd_cd00, 0x00_00ee, 0xcd_00cd, 0x00_cdcd, 0xe5_e5e5, 0x7f_7f7f, 0xff_0000,
    0x00_ff00, 0xff_ff00, 0x5c_5cff, 0xff_00ff, 0x00_ffff, 0xff_ffff,
];

/// Returns a colour as CSS writes it; `None` for the page's own.
pub(crate) fn css(color: Color) -> Option<String> {
    let value = match color {
        Color::Reset => return None,
        Color::Rgb(r, g, b) => u32::from_be_bytes([0, r, g, b]),
        Color::Indexed(index) => indexed(index),
        Color::Black => SIXTEEN[0],
        Color::Red => SIXTEEN[1],
        Color::Green => SIXTEEN[2],
        Color::Yellow => SIXTEEN[3],
        Color::Blue => SIXTEEN[4],
        Color::Magenta => SIXTEEN[5],
        Color::Cyan => SIXTEEN[6],
        Color::Gray => SIXTEEN[7],
        Color::DarkGray => SIXTEEN[8],
        Color::LightRed => SIXTEEN[9],
        Color::LightGreen => SIXTEEN[10],
        Color::LightYellow => SIXTEEN[11],
        Color::LightBlue => SIXTEEN[12],
        Color::LightMagenta => SIXTEEN[13],
        Color::LightCyan => SIXTEEN[14],
        Color::White => SIXTEEN[15],
    };
    Some(format!("#{value:06x}"))
}

/// Returns one of xterm's 256 colours: sixteen, a cube of 6 × 6 × 6, and 24 greys.
fn indexed(index: u8) -> u32 {
    let index = u32::from(index);
    match index {
        0..16 => SIXTEEN[index as usize],
        16..232 => {
            let level = |step: u32| if step == 0 { 0 } else { 55 + 40 * step };
            let cube = index - 16;
            level(cube / 36) << 16 | level(cube / 6 % 6) << 8 | level(cube % 6)
        }
        _ => (8 + 10 * (index - 232)) * 0x01_0101,
    }
}
