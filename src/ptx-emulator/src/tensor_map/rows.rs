//! The rows of a box, and the part of each row that is inside the tensor.
//!
//! A store truncates a row at the tensor's edge, but only to whole 16-byte chunks, as an H200 does. So the last chunk
//! may overwrite up to 15 bytes after the edge with data from the box. Those bytes are the row's padding, or whatever
//! follows the tensor's last row.

use super::TensorMap;

/// The position at which a box begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Corner {
    pub(crate) at: [i32; 5],
    /// For im2col: offset of the pixels that are read relative to the walk.
    pub(crate) offsets: [u16; 3],
    pub(crate) stores: bool,
}

/// A row of a box, and the part of it that is inside the tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    /// Offset in bytes from the start of the box, before the swizzle.
    pub(crate) start: u32,
    /// Bytes of the row before the inside part, and in it. The rest is outside.
    pub(crate) skip: u32,
    pub(crate) bytes: u32,
    /// Global address of the inside part.
    pub(crate) address: u64,
}

impl TensorMap {
    /// Calls `each` for the rows of the box, in the order of shared memory.
    pub(crate) fn rows(&self, corner: Corner, mut each: impl FnMut(Row)) {
        if let Some(columns) = &self.columns {
            return self.pixels(columns, corner, each);
        }
        let counts: [u32; 5] = std::array::from_fn(|d| self.count(d));
        let mut start = 0u32;
        let mut index = [0u32; 5];
        loop {
            let mut address = self.address;
            let mut inside = true;
            for (d, index) in index.iter().enumerate().take(self.rank as usize).skip(1) {
                let place = i64::from(corner.at[d]) + i64::from(*index) * i64::from(self.element_strides[d]);
                inside &= place >= 0 && (place as u64) < self.dims[d];
                address = address.wrapping_add((place as u64).wrapping_mul(self.strides[d - 1]));
            }
            each(self.row(start, corner, address, inside));
            start += self.pitch();
            let mut d = 1;
            while d < 5 {
                index[d] += 1;
                if index[d] < counts[d] {
                    break;
                }
                index[d] = 0;
                d += 1;
            }
            if d == 5 {
                return;
            }
        }
    }

    /// Returns a row, given the address of the tensor's row. `inside` is true if the tensor has that row.
    pub(super) fn row(&self, start: u32, corner: Corner, address: u64, inside: bool) -> Row {
        let width = i64::from(self.element.bytes());
        let first = i64::from(corner.at[0]);
        let last = (first + i64::from(self.inner_bytes()) / width).min(self.dims[0].min(1 << 32) as i64);
        let begin = first.max(0);
        let (skip, bytes) = if inside && begin < last {
            (((begin - first) * width) as u32, ((last - begin) * width) as u32)
        } else {
            (0, 0)
        };
        let bytes = if corner.stores { bytes.next_multiple_of(16) } else { bytes };
        Row { start, skip, bytes, address: address.wrapping_add((begin * width) as u64) }
    }
}
