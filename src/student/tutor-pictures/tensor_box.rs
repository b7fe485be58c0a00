/*! The tensor-map box: a box over the edge of a matrix, the zeros from outside, and the 128-byte swizzle.

Up and down select a control, left and right change it: where the box begins, the swizzle, and the marked piece of its
rows. The contents of shared memory are those that the emulator's copy engine wrote there.
*/

mod draw;

use crate::prelude::*;
use ptx_emulator::cost::{Direction, shared_wavefronts};
use ptx_emulator::{Arg, Element, Fault, FaultKind, Launch, Memory, Module, Options, Swizzle, TensorMap, run};
use std::sync::Arc;
use tutor_course::TensorBoxView;
use tutor_exec::fault::explain;
use tutor_support::words::Sentence;

/// Compiled from `assets/pictures/kernels/tensor_box.cu`.
const PTX: &str = include_str!("../../../assets/pictures/assets/ptx/tensor_box.ptx");
/// Rows of the box, and 16-byte pieces per row.
const ROWS: usize = 8;
const PIECES: usize = 8;
/// Elements per piece, of 2 bytes each.
const PER_PIECE: i32 = 8;
const COLUMNS: i32 = PER_PIECE * PIECES as i32;
const BYTES: u32 = (ROWS * PIECES * 16) as u32;
/// Maximum number of warp instructions per run: a hundred times what it needs.
const STEPS: u64 = 1 << 18;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    /// The box's first column.
    Column,
    Row,
    Swizzle,
    /// The marked piece of each row.
    Piece,
}

/// Contents of 16 bytes of shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SharedPiece {
    /// Index of the piece in its row of the box; None if there are only zeros.
    piece: Option<usize>,
    /// Number of elements inside the matrix.
    inside: usize,
}

/// Shared memory after the copy, row by row.
type SharedLayout = [[SharedPiece; PIECES]; ROWS];

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TensorBox {
    columns: i32,
    rows: i32,
    column: i32,
    row: i32,
    swizzled: bool,
    piece: usize,
    /// Shared memory after the emulator's run, or the error.
    shared_layout: Arc<Result<SharedLayout, Sentence>>,
}

impl TensorBox {
    pub(crate) fn new(view: &TensorBoxView) -> Self {
        let clamped = |value: u32, [least, most]: [u32; 2]| value.clamp(least, most) as i32;
        let columns = clamped(view.columns, TensorBoxView::COLUMNS);
        let rows = clamped(view.rows, TensorBoxView::ROWS);
        let none = Arc::new(Err(Sentence::default()));
        // The copy engine accepts only boxes that begin at a multiple of 16 bytes.
        let column = view.column.clamp(-COLUMNS, columns).div_euclid(PER_PIECE) * PER_PIECE;
        let row = view.row.clamp(-(ROWS as i32), rows);
        let mut copied = Self { columns, rows, column, row, swizzled: view.swizzle, piece: 0, shared_layout: none };
        copied.copy();
        copied
    }

    fn copy(&mut self) {
        self.shared_layout = Arc::new(self.copied().map_err(|fault| explain(&fault)));
    }

    fn copied(&self) -> Result<SharedLayout, Fault> {
        let kernel = Module::parse(PTX)?.kernel("tensor_box")?;
        // A tensor map requires rows that begin at multiples of 16 bytes.
        let (columns, rows) = (self.columns as u32, self.rows as u32);
        let pitch = columns.next_multiple_of(PER_PIECE as u32);
        // Each element is its index in the matrix plus 1, because 0 means outside.
        let numbers: Vec<u8> = (1..=pitch * rows).flat_map(|number| (number as u16).to_le_bytes()).collect();
        let mut memory = Memory::new();
        let matrix = memory.add("matrix", &numbers);
        let out = memory.add("out", &[0xff; BYTES as usize]);
        let dims = [u64::from(columns), u64::from(rows)];
        let map = TensorMap::tiled(
            memory.address(matrix),
            Element::U16,
            &dims,
            &[2 * u64::from(pitch)],
            &[COLUMNS as u32, ROWS as u32],
        );
        let mut map = map.map_err(|error| Fault::new(FaultKind::Launch, error.to_string()))?;
        map.swizzle = if self.swizzled { Swizzle::B128 } else { Swizzle::None };
        let args = vec![Arg::TensorMap(map), Arg::Buffer(out), Arg::S32(self.column), Arg::S32(self.row)];
        let launch = Launch { grid: [1; 3], block: [32, 1, 1], dynamic_shared: 0, cooperative: false, args };
        run(&kernel, &launch, &mut memory, &Options::default(), &ptx_emulator::Control::default().steps(STEPS))?;
        let elements: Vec<i32> =
            memory.read(out).chunks_exact(2).map(|bytes| i32::from(u16::from_le_bytes([bytes[0], bytes[1]]))).collect();
        let mut layout = [[SharedPiece { piece: None, inside: 0 }; PIECES]; ROWS];
        for (place, values) in layout.iter_mut().flatten().zip(elements.chunks_exact(PER_PIECE as usize)) {
            let inside = values.iter().filter(|value| **value > 0).count();
            let column = values.iter().find(|value| **value > 0).map(|value| (value - 1) % pitch as i32 - self.column);
            *place = SharedPiece { piece: column.map(|column| (column / PER_PIECE) as usize), inside };
        }
        Ok(layout)
    }

    /// Returns how many elements of a piece of the box are inside the matrix.
    fn inside(&self, row: usize, piece: usize) -> usize {
        let row_inside = (0..self.rows).contains(&(self.row + row as i32));
        let first = self.column + piece as i32 * PER_PIECE;
        let columns = (first..first + PER_PIECE).filter(|column| (0..self.columns).contains(column)).count();
        if row_inside { columns } else { 0 }
    }

    /// Returns the number of pieces that are completely outside the matrix.
    fn zeros(&self) -> usize {
        (0..ROWS)
            .flat_map(|row| (0..PIECES).map(move |piece| (row, piece)))
            .filter(|(row, piece)| self.inside(*row, *piece) == 0)
            .count()
    }

    /// Returns the position of a row's marked piece in shared memory.
    fn place(&self, row: usize) -> u32 {
        let swizzle = if self.swizzled { Swizzle::B128 } else { Swizzle::None };
        swizzle.apply((row * PIECES + self.piece) as u32 * 16) / 16 % PIECES as u32
    }

    /// Returns the wavefronts if eight lanes read the marked pieces of all rows, 16 bytes each.
    fn wavefronts(&self) -> u32 {
        let mut address = [0u32; 32];
        for (row, address) in address.iter_mut().enumerate().take(ROWS) {
            *address = (row * PIECES) as u32 * 16 + self.place(row) * 16;
        }
        shared_wavefronts(Direction::Load, 16, 0xff, &address)
    }
}

impl Controls for TensorBox {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::Column, Control::Row, Control::Swizzle, Control::Piece];

    fn can(&self, control: Control, up: bool) -> bool {
        match control {
            Control::Column if up => self.column + PER_PIECE <= self.columns,
            Control::Column => self.column - PER_PIECE >= -COLUMNS,
            Control::Row if up => self.row < self.rows,
            Control::Row => self.row > -(ROWS as i32),
            Control::Swizzle | Control::Piece => true,
        }
    }

    fn apply(&mut self, control: Control, up: bool) {
        match control {
            Control::Column => self.column += if up { PER_PIECE } else { -PER_PIECE },
            Control::Row => self.row += if up { 1 } else { -1 },
            Control::Swizzle => self.swizzled = !self.swizzled,
            Control::Piece => self.piece = (self.piece + if up { 1 } else { PIECES - 1 }) % PIECES,
        }
        if control != Control::Piece {
            self.copy();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(column: i32, row: i32, swizzle: bool) -> TensorBox {
        TensorBox::new(&TensorBoxView { columns: 101, rows: 20, column, row, swizzle })
    }

    #[test]
    fn every_piece_comes_where_the_swizzle_says_and_zeros_from_outside() {
        for swizzle in [false, true] {
            for (column, row) in [(0, 0), (64, 0), (96, 14), (-16, -3), (104, 20), (56, 7)] {
                let mut copied = copied(column, row, swizzle);
                let layout = copied.shared_layout.as_ref().clone().unwrap();
                for row in 0..ROWS {
                    for piece in 0..PIECES {
                        copied.piece = piece;
                        let place = layout[row][copied.place(row) as usize];
                        let inside = copied.inside(row, piece);
                        let expected = SharedPiece { piece: (inside > 0).then_some(piece), inside };
                        assert_eq!(place, expected, "{column}, {row}, {swizzle}: row {row}, piece {piece}");
                    }
                }
            }
        }
    }
}
