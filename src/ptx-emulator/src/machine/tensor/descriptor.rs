/*! The location of a `wgmma` matrix in shared memory.

A 64-bit descriptor contains byte offsets in units of 16 bytes: the start (bits 0–13), the leading offset (16–29) and
the stride offset (32–45). It also contains a base offset (49–51) and the swizzle (62–63: none, 128, 64, 32 bytes).

A matrix is stored *K-major* (the elements of a row of A, or of a column of B, are consecutive) or *MN-major*
(transposed). `x` is the row of A or column of B, `k` the depth, `e` the bytes of an element and `w` the bytes of the
swizzle:

| layout | byte of an element, before the swizzle |
|---|---|
| K-major, no swizzle | `x/8 · stride + x%8 · 16 + ke/16 · leading + ke%16` |
| K-major, swizzle | `x/8 · stride + x%8 · w + ke/w · leading + ke%w` |
| MN-major, no swizzle | `xe/16 · stride + k/8 · leading + k%8 · 16 + xe%16` |
| MN-major, swizzle | `xe/w · leading + k/8 · stride + k%8 · w + xe%w` |

The swizzle permutes 16-byte units. It combines address bits 4… with bits 7… by exclusive or: three bits for 128 bytes,
two for 64, one for 32. Before that, it subtracts the base offset from bits 7…. The base offset says where the pattern
starts, if not at a multiple of its size.

An NVIDIA H200 agrees with all of this for 179 descriptors (`tests/fixtures/h200-wgmma.jsonl`), and in the products of
twenty more with operands of a sparse A (`h200-forms.jsonl`).
*/

/// A decoded descriptor, with the layout of its matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Descriptor {
    start: u32,
    leading: u32,
    stride: u32,
    base: u32,
    /// Bytes per row of the pattern: 16 without swizzle.
    width: u32,
    transposed: bool,
}

/// Bytes of shared memory that a descriptor can address.
const SPACE: u32 = 1 << 18;

impl Descriptor {
    pub(crate) fn new(bits: u64, transposed: bool) -> Self {
        let field = |at: u32| ((bits >> at) as u32 & 0x3fff) << 4;
        let width = match bits >> 62 {
            0 => 16,
            1 => 128,
            2 => 64,
            _ => 32,
        };
        let base = (bits >> 49) as u32 & 7;
        Self { start: field(0), leading: field(16), stride: field(32), base, width, transposed }
    }

    /// Returns the offset in shared memory of the 16 bytes whose first element is `(x, k)`. `bytes` is the size of an
    /// element.
    pub(crate) fn unit(&self, x: u32, k: u32, bytes: u32) -> u32 {
        let Self { start, leading, stride, base, width, transposed } = *self;
        let plain = match (transposed, width) {
            (false, 16) => x / 8 * stride + x % 8 * 16 + k * bytes / 16 * leading,
            (false, _) => x / 8 * stride + x % 8 * width + k * bytes / width * leading + k * bytes % width,
            (true, 16) => x * bytes / 16 * stride + k / 8 * leading + k % 8 * 16,
            (true, _) => x * bytes / width * leading + k / 8 * stride + k % 8 * width + x * bytes % width,
        };
        let address = start.wrapping_add(plain);
        let swizzled = ((address >> 7).wrapping_sub(base) << 4) & (width - 16);
        (address ^ swizzled) % SPACE
    }

    /// Returns the number of elements along the depth and across it in one 16-byte unit.
    pub(crate) fn steps(&self, bytes: u32) -> (u32, u32) {
        if self.transposed { (1, 16 / bytes) } else { (16 / bytes, 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Measured {
        bytes: u32,
        across: u32,
        depth: u32,
        transposed: bool,
        descriptor: String,
        offsets: String,
    }

    fn splitmix(x: u64) -> u64 {
        let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    #[test]
    fn every_element_lies_where_an_h200_reads_it() {
        let lines = include_str!("../../../tests/fixtures/h200-wgmma.jsonl").lines();
        let mut count = 0;
        for line in lines {
            let Measured { bytes, across, depth, transposed, descriptor, offsets } =
                serde_json::from_str(line).unwrap();
            let place = Descriptor::new(u64::from_str_radix(&descriptor, 16).unwrap(), transposed);
            let (along_unit, across_unit) = place.steps(bytes);
            let mut sum = 0u64;
            for x in 0..across {
                for k in 0..depth {
                    let within = (x % across_unit + k % along_unit) * bytes;
                    let offset = place.unit(x - x % across_unit, k - k % along_unit, bytes) + within;
                    let index = u64::from(x * depth + k);
                    sum = sum.wrapping_add((splitmix(index) | 1).wrapping_mul(u64::from(offset) + 1));
                }
            }
            assert_eq!(format!("{sum:016x}"), offsets, "{line}");
            count += 1;
        }
        assert_eq!(count, 179);
    }
}
