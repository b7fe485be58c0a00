//! Shapes of `wmma`, and the contents of the fragments' registers.

use crate::arith::tensor::{Accumulator, Float, Format};

#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) rows: u32,
    pub(super) columns: u32,
    pub(super) depth: u32,
}

impl Shape {
    pub(super) fn named(text: &str) -> Option<Self> {
        let (rows, columns, depth) = match text {
            "m16n16k16" => (16, 16, 16),
            "m32n8k16" => (32, 8, 16),
            "m8n32k16" => (8, 32, 16),
            "m16n16k8" => (16, 16, 8),
            "m8n8k4" => (8, 8, 4),
            "m8n8k32" => (8, 8, 32),
            "m8n8k128" => (8, 8, 128),
            _ => return None,
        };
        Some(Self { rows, columns, depth })
    }

    /// True if B is the left operand.
    pub(super) fn swapped(self) -> bool {
        self.columns == 32
    }

    /// Returns the number of blocks of the left and of the right operand.
    pub(super) fn blocks(self) -> (u32, u32) {
        let (left, right) = if self.swapped() { (self.columns, self.rows) } else { (self.rows, self.columns) };
        (left.div_ceil(16), right / 8)
    }
}

/// Start of a register's tile, in elements across and along.
pub(super) type Tile = (u32, u32);

/// The contents of a fragment's registers.
pub(super) struct Fragment {
    pub(super) tiles: Vec<Tile>,
    /// True if the positions across are rows of the matrix.
    pub(super) across_rows: bool,
    /// Bytes per element, and elements of a tile per lane.
    pub(super) bytes: u32,
    pub(super) each: u32,
    /// Number of registers in the instruction; greater than the number of tiles if they repeat.
    pub(super) registers: usize,
    /// Number of registers for a lane's part of a tile: 2 for C and D with 32 or 64 bits.
    pub(super) split: usize,
}

impl Fragment {
    /// Returns the fragment of A or B.
    pub(super) fn operand(a: bool, shape: Shape, format: Format) -> Self {
        let left = a != shape.swapped();
        let (left_blocks, right_blocks) = shape.blocks();
        // For elements smaller than a byte, treat each byte as one element.
        let (format, depth) = match format {
            Format::S4 | Format::U4 => (Format::U8, shape.depth / 2),
            Format::B1 => (Format::U8, shape.depth / 8),
            _ => (format, shape.depth),
        };
        let (each, step) = (format.each(), 4 * format.each());
        let along = depth / step;
        let halves = if shape.rows == 8 && shape.columns == 8 { 1 } else { 2 };
        let mut tiles = Vec::new();
        if left {
            for block in 0..left_blocks {
                for at in 0..along {
                    tiles.extend((0..halves).map(|half| (16 * block + 8 * half, step * at)));
                }
            }
        } else {
            for block in 0..right_blocks {
                tiles.extend((0..along).map(|at| (8 * block, step * at)));
            }
        }
        // In half precision, fragments of A and B always have eight registers.
        let repeats = format == Format::Float(Float::F16);
        let registers = if repeats { 8 } else { tiles.len() };
        Self { tiles, across_rows: a, bytes: format.bits() / 8, each, registers, split: 1 }
    }

    /// Returns the fragment of C or D.
    pub(super) fn sum(shape: Shape, accumulator: Accumulator) -> Self {
        let (left, right) = shape.blocks();
        let halves = if shape.rows == 8 && shape.columns == 8 { 1 } else { 2 };
        let mut tiles = Vec::new();
        for block in 0..left {
            for column in 0..right {
                tiles.extend((0..halves).map(|half| (16 * block + 8 * half, 8 * column)));
            }
        }
        let bytes = match accumulator {
            Accumulator::F16 => 2,
            Accumulator::F64 => 8,
            _ => 4,
        };
        let split = if bytes == 2 { 1 } else { 2 };
        let registers = tiles.len() * split;
        Self { tiles, across_rows: !shape.swapped(), bytes, each: 2, registers, split }
    }

    pub(super) fn register_bits(&self) -> u32 {
        if self.bytes == 8 { 64 } else { 32 }
    }
}
