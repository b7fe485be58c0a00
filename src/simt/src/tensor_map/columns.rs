//! Columns of images: a tensor whose dimensions are channels, the image's own one to three, and images.
//!
//! A copy takes so many pixels one after the other, of each some channels. It walks through a bounding box that may
//! reach beyond the image or leave out some of it: along the innermost dimension of the image first, then from the
//! box's lower end in the next, and through the images one after the other. What is read lies by the instruction's
//! offsets away from the place of the walk: so one kernel position of a convolution after the other becomes a column of
//! the matrix.

use super::rows::{Corner, Row};
use super::{Element, Fill, Swizzle, TensorMap, TensorMapError};

/// What `cuTensorMapEncodeIm2col` describes besides the tensor. Corners are given for the image's own dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// First place of the bounding box in each dimension.
    pub lower: [i32; 3],
    /// How far its last place lies behind the image's last one; negative if before it.
    pub upper: [i32; 3],
    /// Channels of a pixel that are copied, 1 to 256.
    pub channels: u32,
    /// Pixels that are copied, 1 to 1024.
    pub pixels: u32,
}

impl TensorMap {
    /// A map of images, without swizzle, filled with zeros outside.
    ///
    /// `dims` are channels, the image's own dimensions, images; `strides` has one entry less, the corners two less.
    ///
    /// # Errors
    /// If the driver would refuse it.
    pub fn columns(
        address: u64,
        element: Element,
        dims: &[u64],
        strides: &[u64],
        corners: (&[i32], &[i32]),
        (channels, pixels): (u32, u32),
    ) -> Result<Self, TensorMapError> {
        let rank = dims.len();
        let (lower, upper) = corners;
        if !(3..=5).contains(&rank) || strides.len() + 1 != rank || lower.len() + 2 != rank || upper.len() + 2 != rank {
            return Err(TensorMapError(format!(
                "A tensor map of columns has 3 to 5 dimensions, a stride less and two corners of two less; these are \
                 {rank}, {}, {} and {}.",
                strides.len(),
                lower.len(),
                upper.len()
            )));
        }
        let mut columns = Columns { lower: [0; 3], upper: [0; 3], channels, pixels };
        columns.lower[..rank - 2].copy_from_slice(lower);
        columns.upper[..rank - 2].copy_from_slice(upper);
        let mut map = Self {
            address,
            element,
            rank: rank as u32,
            dims: [1; 5],
            strides: [0; 4],
            extent: [1; 5],
            element_strides: [1; 5],
            swizzle: Swizzle::None,
            fill: Fill::Zeros,
            columns: Some(columns),
        };
        map.dims[..rank].copy_from_slice(dims);
        map.strides[..rank - 1].copy_from_slice(strides);
        map.check()?;
        Ok(map)
    }

    /// The rows of a column: one a pixel.
    pub(super) fn pixels(&self, columns: &Columns, corner: Corner, mut each: impl FnMut(Row)) {
        let rank = self.rank as usize;
        let mut place = corner.at.map(i64::from);
        for pixel in 0..columns.pixels {
            let mut address = self.address;
            let mut inside = true;
            for (d, place) in place.iter().enumerate().take(rank).skip(1) {
                let at = place + if d + 1 < rank { i64::from(corner.offsets[d - 1]) } else { 0 };
                inside &= at >= 0 && (at as u64) < self.dims[d];
                address = address.wrapping_add((at as u64).wrapping_mul(self.strides[d - 1]));
            }
            each(self.row(pixel * self.pitch(), corner, address, inside));
            // The last dimension has no end: images that are not there are outside.
            for (d, place) in place.iter_mut().enumerate().take(rank).skip(1) {
                *place += i64::from(self.element_strides[d]);
                if d + 1 == rank || *place < self.dims[d] as i64 + i64::from(columns.upper[d - 1]) {
                    break;
                }
                *place = columns.lower[d - 1].into();
            }
        }
    }

    /// Whether columns can be stored: then the bounding box must not reach beyond the image.
    pub(crate) fn stores(&self) -> bool {
        let within = |columns: &Columns| {
            let own = self.rank.saturating_sub(2) as usize;
            columns.lower.iter().take(own).all(|lower| *lower >= 0)
                && columns.upper.iter().take(own).all(|upper| *upper <= 0)
        };
        self.columns.as_ref().is_none_or(within)
    }
}
