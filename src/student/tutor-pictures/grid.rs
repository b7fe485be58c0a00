//! A grid of equal cells: a matrix or a tile, or the part of it that fits.

use crate::prelude::*;
use std::ops::Range;
use ui_kit::canvas::Canvas;

/// The elements of a matrix that are drawn, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grid {
    /// Upper left cell of the first element, from the picture's upper left corner.
    pub(crate) corner: (usize, usize),
    /// Cells and rows from one element to the next.
    pub(crate) step: (usize, usize),
    /// Cells and rows of an element.
    pub(crate) element: (usize, usize),
    pub(crate) rows: Range<u32>,
    pub(crate) columns: Range<u32>,
}

impl Grid {
    /// Returns the upper left cell of an element.
    pub(crate) fn cell(&self, row: u32, column: u32) -> (usize, usize) {
        let along = |at: u32, of: &Range<u32>, step: usize| at.saturating_sub(of.start) as usize * step;
        let (x, y) = (along(column, &self.columns, self.step.0), along(row, &self.rows, self.step.1));
        (self.corner.0 + x, self.corner.1 + y)
    }

    /// Returns row and column of the element at a cell of the picture. Cells between elements belong to the element
    /// before them.
    pub(crate) fn at(&self, (x, y): (u16, u16)) -> Option<(u32, u32)> {
        let along = |at: u16, first: usize, step: usize, of: &Range<u32>| {
            let index = of.start + (usize::from(at).checked_sub(first)? / step) as u32;
            of.contains(&index).then_some(index)
        };
        let row = along(y, self.corner.1, self.step.1, &self.rows)?;
        Some((row, along(x, self.corner.0, self.step.0, &self.columns)?))
    }

    /// True if an element is drawn.
    pub(crate) fn contains(&self, (row, column): (u32, u32)) -> bool {
        self.rows.contains(&row) && self.columns.contains(&column)
    }

    /// Returns the cells and rows that all elements take.
    pub(crate) fn size(&self) -> (usize, usize) {
        let along = |of: &Range<u32>, step: usize, element: usize| of.len().saturating_sub(1) * step + element;
        (along(&self.columns, self.step.0, self.element.0), along(&self.rows, self.step.1, self.element.1))
    }

    /// Draws each element, by its row and column.
    pub(crate) fn draw<T: AsRef<str>>(&self, canvas: &mut Canvas, element: impl Fn(u32, u32) -> (T, Meaning)) {
        for row in self.rows.clone() {
            for column in self.columns.clone() {
                let ((x, y), (text, meaning)) = (self.cell(row, column), element(row, column));
                canvas.text(x, y, text.as_ref(), meaning);
            }
        }
    }

    /// Draws a heading above each column, in row `y`.
    pub(crate) fn heads(&self, y: usize, canvas: &mut Canvas, head: impl Fn(u32) -> (String, Meaning)) {
        for column in self.columns.clone() {
            let (text, meaning) = head(column);
            canvas.text(self.cell(self.rows.start, column).0, y, &text, meaning);
        }
    }

    /// Draws a label to the left of each row, from cell `x` on.
    pub(crate) fn labels(&self, x: usize, canvas: &mut Canvas, label: impl Fn(u32) -> (String, Meaning)) {
        for row in self.rows.clone() {
            let (text, meaning) = label(row);
            canvas.text(x, self.cell(row, self.columns.start).1, &text, meaning);
        }
    }

    /// Draws a frame around the elements, with a name in its upper edge.
    pub(crate) fn frame(&self, name: &str, meaning: Meaning, canvas: &mut Canvas) {
        let ((x, y), (wide, high)) = (self.corner, self.size());
        canvas.frame((x - 1, y - 1), (wide + 2, high + 2), name, meaning);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_is_found_where_it_is_drawn() {
        let grid = Grid { corner: (4, 2), step: (4, 2), element: (3, 1), rows: 5..7, columns: 8..10 };
        for (row, column) in [(5, 8), (5, 9), (6, 8), (6, 9)] {
            let (x, y) = grid.cell(row, column);
            assert_eq!(grid.at((x as u16 + 2, y as u16 + 1)), Some((row, column)));
        }
        assert_eq!(grid.size(), (7, 3));
        for outside in [(3, 2), (12, 2), (4, 1), (4, 6)] {
            assert_eq!(grid.at(outside), None, "{outside:?}");
        }
    }
}
