//! Im2col maps. The dimensions of such a tensor are channels, one to three spatial dimensions, and images.
//!
//! A copy reads several consecutive pixels, with several channels of each. It walks through a bounding box, which may
//! extend beyond the image or cover only part of it. The walk goes along the innermost spatial dimension first, then
//! continues at the box's lower end in the next one, and finally in the next image. The instruction's offsets shift
//! the pixels that are read relative to the walk. So each kernel position of a convolution becomes one column of the
//! matrix.

use super::rows::{Corner, Row};
use super::{Element, Fill, Swizzle, TensorMap, TensorMapError};

/// The parameters of `cuTensorMapEncodeIm2col` besides the tensor. Corners have one entry per spatial dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// First position of the bounding box in each spatial dimension.
    pub lower: [i32; 3],
    /// Distance of the box's last position from the image's last position; negative if the box ends before it.
    pub upper: [i32; 3],
    /// Channels copied per pixel, 1 to 256.
    pub channels: u32,
    /// Number of pixels copied, 1 to 1024.
    pub pixels: u32,
}

impl TensorMap {
    /// Creates an im2col map without swizzle and with zero fill.
    ///
    /// `dims` are channels, spatial dimensions, images. `strides` has one entry fewer, the corners two fewer.
    ///
    /// # Errors
    /// Fails if the driver would refuse the map.
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

    /// Calls `each` for the rows of a box: one row per pixel.
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
            // The walk does not wrap around in the last dimension. Pixels of images past the end are outside.
            for (d, place) in place.iter_mut().enumerate().take(rank).skip(1) {
                *place += i64::from(self.element_strides[d]);
                if d + 1 == rank || *place < self.dims[d] as i64 + i64::from(columns.upper[d - 1]) {
                    break;
                }
                *place = columns.lower[d - 1].into();
            }
        }
    }

    /// True if the map can be used for stores. An im2col map can only if its bounding box stays inside the image.
    pub(crate) fn stores(&self) -> bool {
        let within = |columns: &Columns| {
            let own = self.rank.saturating_sub(2) as usize;
            columns.lower.iter().take(own).all(|lower| *lower >= 0)
                && columns.upper.iter().take(own).all(|upper| *upper <= 0)
        };
        self.columns.as_ref().is_none_or(within)
    }
}
