//! Encodes a tensor map as a 128-byte kernel parameter.

use super::{Columns, Element, Fill, Swizzle, TensorMap};

/// Size in bytes of a tensor map as a kernel parameter.
pub(crate) const BYTES: usize = 128;
const MAGIC: u32 = 0x7465_6e73;
/// Offset of the extents or of the im2col parameters. The byte before it distinguishes them.
const SHAPE: usize = 94;

impl TensorMap {
    /// Encodes the map. The format is specific to the emulator, because the driver's format is not public.
    pub(crate) fn encode(&self) -> [u8; BYTES] {
        let mut all = [0u8; BYTES];
        let mut at = 0;
        let mut put = |bytes: &[u8]| {
            all[at..at + bytes.len()].copy_from_slice(bytes);
            at += bytes.len();
        };
        let small = |n: u32| n.min(255) as u8;
        put(&MAGIC.to_le_bytes());
        put(&[self.element as u8, self.swizzle as u8, self.fill as u8, small(self.rank)]);
        put(&self.address.to_le_bytes());
        self.dims.iter().for_each(|n| put(&n.to_le_bytes()));
        self.strides.iter().for_each(|n| put(&n.to_le_bytes()));
        self.element_strides.iter().for_each(|n| put(&[small(*n)]));
        put(&[self.columns.is_some().into()]);
        match &self.columns {
            None => self.extent.iter().for_each(|n| put(&n.to_le_bytes())),
            Some(columns) => {
                columns.lower.iter().chain(&columns.upper).for_each(|n| put(&n.to_le_bytes()));
                put(&columns.channels.to_le_bytes());
                put(&columns.pixels.to_le_bytes());
            }
        }
        all
    }

    /// Decodes a map that `tensormap.replace` changes. A kernel may build a map field by field from zeros, as Triton does.
    /// Fields that store their value minus one, as the rank, then begin with 1.
    pub(crate) fn decode_or_begin(bytes: &[u8; BYTES]) -> Option<Self> {
        let begin = bytes.iter().all(|byte| *byte == 0).then(|| {
            let mut known = *bytes;
            known[..4].copy_from_slice(&MAGIC.to_le_bytes());
            Self::decode(&known).map(|map| Self { rank: 1, dims: [1; 5], ..map })
        });
        begin.unwrap_or_else(|| Self::decode(bytes))
    }

    /// Decodes the result of [`Self::encode`]. Returns `None` for bytes that it cannot produce. Call [`Self::check`]
    /// to find out if the map is valid.
    pub(crate) fn decode(bytes: &[u8; BYTES]) -> Option<Self> {
        let u64_at = |at: usize| {
            let mut word = [0u8; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let u32_at = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let corner = |at: usize| std::array::from_fn(|d| u32_at(at + 4 * d) as i32);
        let columns = Columns {
            lower: corner(SHAPE),
            upper: corner(SHAPE + 12),
            channels: u32_at(SHAPE + 24),
            pixels: u32_at(SHAPE + 28),
        };
        let is_columns = bytes[SHAPE - 1] != 0;
        let map = Self {
            address: u64_at(8),
            element: *Element::ALL.get(usize::from(bytes[4]))?,
            swizzle: *Swizzle::ALL.get(usize::from(bytes[5]))?,
            fill: *Fill::ALL.get(usize::from(bytes[6]))?,
            rank: bytes[7].into(),
            dims: std::array::from_fn(|d| u64_at(16 + 8 * d)),
            strides: std::array::from_fn(|d| u64_at(56 + 8 * d)),
            element_strides: std::array::from_fn(|d| bytes[88 + d].into()),
            extent: if is_columns { [1; 5] } else { std::array::from_fn(|d| u32_at(SHAPE + 4 * d)) },
            columns: is_columns.then_some(columns),
        };
        (bytes[..4] == MAGIC.to_le_bytes()).then_some(map)
    }
}
