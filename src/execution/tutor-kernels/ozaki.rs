/*! FP64 by products of 8-bit integers: the launches around such a kernel, its scratch memory, and its error.

`kernels/f64_ozaki.cu` explains the scheme. The kernel of the catalogue entry multiplies residues. Other kernels of the same
file make them before, and compute C from the remainders afterwards. All take the same parameters: two tensor maps of residues,
then those of any kernel, then [`Ozaki::NAMES`].
*/

use super::elements::{Elements, Swizzle, TensorMap};
use super::geometry::Geometry;
use std::ops::RangeInclusive;

/// The scratch memory has a multiple of this number of rows of A and columns of B.
const PAD: u32 = 256;
/// The length of a row of residues is a multiple of this, in bytes.
const LINE: u32 = 128;

/// A product by integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ozaki {
    pub moduli: u32,
    pub m: u32,
    pub n: u32,
    pub k: u32,
}

impl Ozaki {
    /// The largest pairwise coprime numbers up to 256. A kernel uses the first ones.
    pub const MODULI: [u32; 16] = [256, 255, 253, 251, 247, 241, 239, 233, 229, 227, 223, 217, 211, 199, 197, 193];
    /// Possible numbers of moduli. With more, an integer would not fit into 64 bits.
    pub const POSSIBLE: RangeInclusive<i64> = 8..=16;
    /// Names of the buffers after `beta`.
    pub const NAMES: &[&str] = &["A_residues", "B_residues", "A_exponents", "B_exponents", "remainders"];

    /// Returns the maximum K, up to which the sums of products of residues fit into 32 bits.
    pub fn max_k() -> u32 {
        Elements::S8.max_k().unwrap_or(u32::MAX)
    }

    /// Returns the rows and columns of the residues of A and B.
    fn residues(self) -> [[u32; 2]; 2] {
        let rows = |extent: u32| self.moduli.saturating_mul(extent.next_multiple_of(PAD));
        [self.m, self.n].map(|extent| [rows(extent), self.k.next_multiple_of(LINE)])
    }

    /// Returns the bytes of each buffer.
    pub fn scratch(self) -> [u64; 5] {
        let [a, b] = self.residues().map(|[rows, columns]| u64::from(rows) * u64::from(columns));
        let [m, n] = [self.m, self.n].map(|extent| u64::from(extent.next_multiple_of(PAD)));
        [a, b, 4 * m, 4 * n, u64::from(self.moduli) * m * n]
    }

    /// Returns the tensor maps: the index of the buffer, its rows and columns, and the map.
    pub fn maps(self) -> [(usize, [u32; 2], TensorMap); 2] {
        let [a, b] = self.residues();
        let map = |rows| TensorMap { extent: [LINE, rows], swizzle: Swizzle::B128 };
        [(0, a, map(128)), (1, b, map(64))]
    }

    /// Returns the other kernels. The first two run before the products, and the last one afterwards.
    pub fn others(self) -> [(&'static str, Geometry); 3] {
        let launch = |entry, grid, threads| (entry, Geometry { grid, block: [threads, 1, 1] });
        [
            // A short row has fewer threads, with eight elements each.
            launch("residues_of_a", [self.m, 1, 1], self.k.div_ceil(8).next_multiple_of(32).clamp(128, 512)),
            // A cluster of eight blocks has 32 columns.
            launch("residues_of_b", [8 * self.n.div_ceil(32), 1, 1], 512),
            launch("reconstruct", [self.n.div_ceil(32), self.m.div_ceil(64), 1], 128),
        ]
    }

    /// Returns the maximum error of an element of A·B from rounding A and B to integers, relative to the norms of A's row and
    /// B's column. The rest of the computation is exact, up to one rounding.
    ///
    /// Let P be the product of the moduli, and T = √(P/2), the limit of a norm. A row is scaled by the largest power of two with
    /// which its norm is at most T, so its norm is more than T/2. Each integer differs from the scaled element by at most 1/2. By the
    /// Cauchy-Schwarz inequality, K such errors change a sum by at most √K/2 times the norm of the other factor, so both change it by
    /// at most √K/2·(1/‖a‖ + 1/‖b‖) ≤ 2√K/T of ‖a‖·‖b‖. The product of two errors, K/T², is far less. T is 2⁻¹⁹ lower in the kernel.
    pub fn rounding(moduli: u32, k: u32) -> f64 {
        let product: f64 = Self::MODULI.iter().take(moduli as usize).map(|p| f64::from(*p)).product();
        2.001 * f64::from(k).sqrt() / (product / 2.0).sqrt()
    }
}
