//! Tensor maps: descriptions of a tensor in global memory and the layout of its boxes in shared memory.

mod check;
mod columns;
mod field;
mod rows;
mod words;

pub use columns::Columns;
pub(crate) use field::TensorMapField;
pub(crate) use rows::Corner;
use std::fmt;
pub(crate) use words::BYTES;

/// Type of a tensor's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Element {
    /// 8-bit unsigned integer.
    U8 = 0,
    /// 16-bit unsigned integer.
    U16,
    /// 32-bit unsigned integer.
    U32,
    /// 32-bit signed integer.
    S32,
    /// 64-bit unsigned integer.
    U64,
    /// 64-bit signed integer.
    S64,
    /// Half precision.
    F16,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
    /// `bfloat16`.
    Bf16,
    /// Single precision; subnormal numbers become zero.
    F32Ftz,
    /// TensorFloat-32 in 32 bits.
    Tf32,
    /// TensorFloat-32 in 32 bits; subnormal numbers become zero.
    Tf32Ftz,
}

impl Element {
    const ALL: [Self; 13] = [
        Self::U8,
        Self::U16,
        Self::U32,
        Self::S32,
        Self::U64,
        Self::S64,
        Self::F16,
        Self::F32,
        Self::F64,
        Self::Bf16,
        Self::F32Ftz,
        Self::Tf32,
        Self::Tf32Ftz,
    ];

    /// Returns the size of an element in bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::F16 | Self::Bf16 => 2,
            Self::U32 | Self::S32 | Self::F32 | Self::F32Ftz | Self::Tf32 | Self::Tf32Ftz => 4,
            Self::U64 | Self::S64 | Self::F64 => 8,
        }
    }

    /// Converts loaded elements: TensorFloat-32 is rounded to nearest even, with a single NaN. No type flushes
    /// subnormal numbers to zero (observed on an H200).
    pub(crate) fn convert(self, elements: &mut [u8]) {
        if !matches!(self, Self::Tf32 | Self::Tf32Ftz) {
            return;
        }
        for element in elements.chunks_exact_mut(4) {
            let mut bits = 0u32;
            element.iter().rev().for_each(|byte| bits = bits << 8 | u32::from(*byte));
            let rounded = match bits & 0x7fff_ffff {
                0x7f80_0001.. => 0x7fff_e000,
                _ => bits.wrapping_add(0xfff + (bits >> 13 & 1)) & 0xffff_e000,
            };
            element.copy_from_slice(&rounded.to_le_bytes());
        }
    }

    fn is_float(self) -> bool {
        !matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::S32 | Self::U64 | Self::S64)
    }
}

/// How 16-byte chunks are permuted in shared memory, so that a column of a box is spread over different banks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
#[non_exhaustive]
pub enum Swizzle {
    /// No permutation.
    #[default]
    None = 0,
    /// Address bit 4 is XORed with bit 7.
    B32,
    /// Address bits 4–5 are XORed with bits 7–8.
    B64,
    /// Address bits 4–6 are XORed with bits 7–9.
    B128,
}

impl Swizzle {
    const ALL: [Self; 4] = [Self::None, Self::B32, Self::B64, Self::B128];

    /// Maximum size in bytes of a box's innermost dimension.
    fn span(self) -> u64 {
        match self {
            Self::None => u64::MAX,
            Self::B32 => 32,
            Self::B64 => 64,
            Self::B128 => 128,
        }
    }

    /// Returns where the byte at this shared address is stored.
    pub fn apply(self, address: u32) -> u32 {
        let mask = match self {
            Self::None => 0,
            Self::B32 => 1,
            Self::B64 => 3,
            Self::B128 => 7,
        };
        address ^ (address >> 7 & mask) << 4
    }
}

/// The value that a load writes for elements outside the tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Fill {
    /// Zeros.
    #[default]
    Zeros = 0,
    /// A NaN, only for floating-point types.
    Nan,
}

impl Fill {
    const ALL: [Self; 2] = [Self::Zeros, Self::Nan];
}

/// A tensor in global memory and the boxes in which it is copied, as for `cuTensorMapEncodeTiled`.
///
/// Pass it to a kernel as [`crate::run::Arg::TensorMap`]. Dimensions are ordered from the innermost outwards: for a
/// row-major matrix, columns come first, then rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TensorMap {
    /// Global address of the first element (see [`crate::Memory::address`]), a multiple of 16.
    pub address: u64,
    /// Type of the elements.
    pub element: Element,
    /// Number of dimensions, 1 to 5.
    pub rank: u32,
    /// Extent of each dimension, in elements.
    pub dims: [u64; 5],
    /// Bytes between consecutive indices of each dimension except the first; multiples of 16.
    pub strides: [u64; 4],
    /// Extent of the box in each dimension, 1 to 256 elements.
    pub extent: [u32; 5],
    /// Stride between the elements taken along each dimension, 1 to 8. It has no effect in the innermost dimension.
    pub element_strides: [u32; 5],
    /// Permutation of the box in shared memory.
    pub swizzle: Swizzle,
    /// Value of elements outside the tensor.
    pub fill: Fill,
    /// Parameters of an im2col map, or `None` for boxes. With them, `extent` has no meaning.
    pub columns: Option<Columns>,
}

/// The reason why a tensor map is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TensorMapError(String);

impl fmt::Display for TensorMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TensorMapError {}

impl TensorMap {
    /// Creates a map of boxes, without swizzle and with zero fill.
    ///
    /// `strides` has one entry fewer than `dims`; the fields state the units.
    ///
    /// # Errors
    /// Fails if the driver would refuse the map.
    pub fn tiled(
        address: u64,
        element: Element,
        dims: &[u64],
        strides: &[u64],
        extent: &[u32],
    ) -> Result<Self, TensorMapError> {
        let rank = dims.len();
        if !(1..=5).contains(&rank) || strides.len() + 1 != rank || extent.len() != rank {
            return Err(TensorMapError(format!(
                "A tensor map has 1 to 5 dimensions, one stride fewer and the same number of extents, not {rank}, {} and {}.",
                strides.len(),
                extent.len()
            )));
        }
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
            columns: None,
        };
        map.dims[..rank].copy_from_slice(dims);
        map.strides[..rank - 1].copy_from_slice(strides);
        map.extent[..rank].copy_from_slice(extent);
        map.check()?;
        Ok(map)
    }

    /// Returns the size in bytes of the box's innermost dimension.
    pub(crate) fn inner_bytes(&self) -> u32 {
        self.columns.map_or(self.extent[0], |columns| columns.channels) * self.element.bytes()
    }

    /// Returns the number of bytes between consecutive rows of the box in shared memory. With a swizzle, it is the
    /// swizzle's whole span (observed on an H200).
    fn pitch(&self) -> u32 {
        match self.swizzle {
            Swizzle::None => self.inner_bytes(),
            Swizzle::B32 => 32,
            Swizzle::B64 => 64,
            Swizzle::B128 => 128,
        }
    }

    /// Returns the number of bytes of shared memory that the box occupies, with gaps between rows.
    pub(crate) fn span_bytes(&self) -> u32 {
        self.row_count() * self.pitch()
    }

    fn row_count(&self) -> u32 {
        self.columns.map_or_else(|| (1..5).map(|d| self.count(d)).product(), |columns| columns.pixels)
    }

    /// Returns the number of elements of the box along dimension `d`.
    fn count(&self, d: usize) -> u32 {
        match d {
            0 => self.extent[0],
            d if d < self.rank as usize => self.extent[d].div_ceil(self.element_strides[d]),
            _ => 1,
        }
    }

    /// Returns the number of bytes of the box in shared memory, including elements outside the tensor.
    pub fn box_bytes(&self) -> u32 {
        self.row_count() * self.inner_bytes()
    }

    /// Returns the bytes of the fill value. The NaN is the one that an H200 fills in, for every element size.
    pub(crate) fn outside(&self) -> [u8; 16] {
        match self.fill {
            Fill::Zeros => [0; 16],
            Fill::Nan => std::array::from_fn(|byte| [0xf7, 0x7f][byte % 2]),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn map() -> TensorMap {
        TensorMap::tiled(1 << 40, Element::F32, &[10, 7, 3], &[48, 336], &[8, 4, 2]).unwrap()
    }

    #[test]
    fn a_map_survives_its_bytes() {
        let mut map = TensorMap { swizzle: Swizzle::B32, fill: Fill::Nan, ..map() };
        map.element_strides = [1, 2, 8, 1, 1];
        assert_eq!(TensorMap::decode(&map.encode()), Some(map));
        map.columns = Some(Columns { lower: [-3, 2, -32768], upper: [0, -1, 32767], channels: 256, pixels: 1024 });
        map.extent = [1; 5];
        assert_eq!(TensorMap::decode(&map.encode()), Some(map));
        assert_eq!(TensorMap::decode(&[0; BYTES]), None);
        let mut broken = map.encode();
        broken[4] = 200;
        assert_eq!(TensorMap::decode(&broken), None);
    }

    #[test]
    fn rows_know_their_part_inside() {
        let mut rows = Vec::new();
        let at = |at, stores| Corner { at, stores, ..Corner::default() };
        map().rows(at([5, -1, 2, 0, 0], false), |row| rows.push((row.start, row.skip, row.bytes, row.address)));
        let base = (1u64 << 40) + 2 * 336 + 5 * 4;
        assert_eq!(rows.len(), 8);
        assert_eq!(rows[0].2, 0, "row -1 is outside");
        assert_eq!(rows[1], (32, 0, 20, base), "five of eight columns are inside");
        assert_eq!(rows[3], (96, 0, 20, base + 2 * 48));
        assert!(rows[4..].iter().all(|row| row.2 == 0), "plane 3 is outside");
        rows.clear();
        map().rows(at([5, 0, 0, 0, 0], true), |row| rows.push((row.start, row.skip, row.bytes, row.address)));
        assert_eq!(rows[0], (0, 0, 32, (1 << 40) + 20), "a store writes whole pieces of 16 bytes");
        rows.clear();
        map().rows(at([-3, 0, 0, 0, 0], false), |row| rows.push((row.start, row.skip, row.bytes, row.address)));
        assert_eq!(rows[0], (0, 12, 20, 1 << 40));
    }

    #[test]
    fn rows_of_a_swizzled_box_are_its_span_apart() {
        let narrow = TensorMap { swizzle: Swizzle::B128, ..map() };
        let mut starts = Vec::new();
        narrow.rows(Corner::default(), |row| starts.push(row.start));
        assert_eq!(starts[..3], [0, 128, 256]);
        assert_eq!((narrow.box_bytes(), narrow.span_bytes()), (256, 1024));
    }

    #[test]
    fn maps_that_the_driver_refuses_are_refused() {
        let tiled = |address, dims: &[u64], strides: &[u64], extent: &[u32]| {
            TensorMap::tiled(address, Element::F32, dims, strides, extent)
        };
        assert!(tiled(8, &[16], &[], &[16]).is_err());
        assert!(tiled(0, &[16, 2], &[24], &[16, 1]).is_err());
        assert!(tiled(0, &[16], &[], &[3]).is_err());
        assert!(tiled(0, &[0], &[], &[4]).is_err());
        assert!(tiled(0, &[1 << 20], &[], &[257]).is_err());
        assert!(TensorMap { swizzle: Swizzle::B32, ..tiled(0, &[16], &[], &[16]).unwrap() }.check().is_err());
        assert!(TensorMap { swizzle: Swizzle::B64, ..tiled(0, &[16], &[], &[16]).unwrap() }.check().is_ok());
    }
}
