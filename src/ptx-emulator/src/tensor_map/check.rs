//! The rules by which the driver refuses a tensor map.

use super::{Columns, Fill, TensorMap, TensorMapError};

/// Maximum number of bytes per box: the size of an H200's shared memory. The driver includes the element stride of
/// every dimension in this size, even the innermost.
const MAX_BYTES: u64 = 228 * 1024;

impl TensorMap {
    /// Checks this map by the driver's rules.
    ///
    /// # Errors
    /// Names the rule of `cuTensorMapEncodeTiled` or `cuTensorMapEncodeIm2col` that the map breaks.
    pub fn check(&self) -> Result<(), TensorMapError> {
        let refuse = |what: String| Err(TensorMapError(what));
        if !self.address.is_multiple_of(16) {
            return refuse(format!("The address {:#x} of a tensor map is not a multiple of 16.", self.address));
        }
        let rank = self.rank as usize;
        if !(1..=5).contains(&rank) {
            return refuse(format!("A tensor map has 1 to 5 dimensions, not {rank}."));
        }
        for d in 0..rank {
            if !(1..=1 << 32).contains(&self.dims[d]) {
                return refuse(format!("Dimension {d} of a tensor map has {} elements.", self.dims[d]));
            }
            if !(1..=256).contains(&self.extent[d]) || !(1..=8).contains(&self.element_strides[d]) {
                return refuse(format!(
                    "Dimension {d} of a tensor map's box has {} elements and the element stride {}; 1 to 256 and 1 to 8 \
                     can be.",
                    self.extent[d], self.element_strides[d]
                ));
            }
        }
        if let Some(columns) = &self.columns {
            self.check_columns(columns)?;
        }
        if let Some(stride) = self.strides[..rank - 1].iter().find(|s| !s.is_multiple_of(16) || **s >= 1 << 40) {
            return refuse(format!("The stride {stride} of a tensor map is not a multiple of 16 bytes below 2⁴⁰."));
        }
        let inner = self.inner_bytes();
        if !inner.is_multiple_of(16) {
            return refuse(format!("A row of a tensor map's box has {inner} bytes, not a multiple of 16."));
        }
        if u64::from(inner) > self.swizzle.span() {
            let span = self.swizzle.span();
            return refuse(format!("A row of a tensor map's box has {inner} bytes; its swizzle takes at most {span}."));
        }
        let taken = |d: usize| u64::from(self.extent[d].div_ceil(self.element_strides[d]));
        let bytes = match &self.columns {
            None => (0..rank).map(taken).product::<u64>() * u64::from(self.element.bytes()),
            Some(columns) => u64::from(columns.pixels) * u64::from(inner),
        };
        if bytes > MAX_BYTES {
            return refuse(format!("A tensor map's box has {bytes} bytes; it can have {MAX_BYTES}."));
        }
        if self.fill == Fill::Nan && !self.element.is_float() {
            return refuse("A tensor map of integers cannot be filled with NaN.".to_owned());
        }
        Ok(())
    }

    fn check_columns(&self, columns: &Columns) -> Result<(), TensorMapError> {
        let refuse = |what: String| Err(TensorMapError(what));
        let own = self.rank as usize - 2;
        // The limits follow from the bits per spatial dimension in the driver's encoding.
        let Some(most) = [1 << 15, 1 << 7, 1 << 4].get(own.wrapping_sub(1)) else {
            return refuse(format!("A tensor map of columns has 3 to 5 dimensions, not {}.", self.rank));
        };
        if let Some(corner) =
            columns.lower[..own].iter().chain(&columns.upper[..own]).find(|n| !(-most..*most).contains(*n))
        {
            return refuse(format!(
                "A corner of a tensor map's columns is {corner}; {} to {} can be.",
                -most,
                most - 1
            ));
        }
        for d in 0..own {
            // The driver computes with 32 bits, so a dimension of 2³² counts as 0.
            let extent = i64::from(self.dims[d + 1] as u32);
            let width = extent + i64::from(columns.upper[d]) - i64::from(columns.lower[d]);
            if width < 1 {
                return refuse(format!(
                    "The bounding box of a tensor map's columns has {width} places in dimension {}.",
                    d + 1
                ));
            }
        }
        if !(1..=256).contains(&columns.channels) || !(1..=1024).contains(&columns.pixels) {
            return refuse(format!(
                "A tensor map's columns have {} channels and {} pixels; 1 to 256 and 1 to 1024 can be.",
                columns.channels, columns.pixels
            ));
        }
        Ok(())
    }
}
