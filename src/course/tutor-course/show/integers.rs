//! Numbers in few bits: residues, the moduli of an FP64 product, and blocks that share a scale.

use crate::prelude::*;

/// An integer, or the product of two small matrices of integers, by residues. Either `value`, or `a` and `b`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct ResiduesView {
    /// The integer.
    #[serde(default)]
    #[schemars(range(min = ResiduesView::VALUES[0], max = ResiduesView::VALUES[1]))]
    pub value: Option<i64>,
    /// Two to six moduli without a common factor.
    #[schemars(length(min = 2, max = 6), inner(range(min = 2, max = 256)))]
    pub moduli: Vec<u32>,
    /// How many of the moduli are used first; all if absent.
    #[serde(default)]
    #[schemars(range(min = 1, max = 6))]
    pub used: Option<u32>,
    /// The rows of A: one or two of one or two integers.
    #[serde(default)]
    #[schemars(length(max = 2), inner(length(min = 1, max = 2), inner(range(min = -9999, max = 9999))))]
    pub a: Vec<Vec<i32>>,
    /// The rows of B.
    #[serde(default)]
    #[schemars(length(max = 2), inner(length(min = 1, max = 2), inner(range(min = -9999, max = 9999))))]
    pub b: Vec<Vec<i32>>,
}

impl ResiduesView {
    /// Minimum and maximum of the integer.
    pub const VALUES: [i64; 2] = [-1_000_000_000_000, 1_000_000_000_000];
    /// Minimum and maximum number of moduli.
    pub const COUNTS: [usize; 2] = [2, 6];

    /// Returns two moduli with a common factor.
    pub fn not_coprime(&self) -> Option<[u32; 2]> {
        let common = |a: u32, b: u32| (2..=a.min(b)).any(|factor| a.is_multiple_of(factor) && b.is_multiple_of(factor));
        let pairs =
            self.moduli.iter().enumerate().flat_map(|(at, a)| self.moduli.iter().skip(at + 1).map(|b| [*a, *b]));
        pairs.into_iter().find(|[a, b]| common(*a, *b))
    }

    /// True if A and B have one or two rows and columns, and their product exists.
    pub fn multiplies(&self) -> bool {
        let columns = |of: &[Vec<i32>]| of.first().map_or(0, Vec::len);
        let fits = |of: &[Vec<i32>]| {
            (1..=2).contains(&of.len())
                && (1..=2).contains(&columns(of))
                && of.iter().all(|row| row.len() == columns(of))
        };
        fits(&self.a) && fits(&self.b) && columns(&self.a) == self.b.len()
    }
}

/// The error of an FP64 product that is computed from products of residues, by the number of moduli.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct ModuliView {
    /// Length of the dot products.
    #[schemars(extend("enum" = ModuliView::LENGTHS))]
    pub k: u32,
    /// Range of the data, (u - 0.5) · exp(phi · n), with uniform u and normal n.
    #[serde(default)]
    #[schemars(extend("enum" = ModuliView::RANGES))]
    pub phi: u32,
    /// The number of moduli that is selected first; 14 if absent.
    #[serde(default = "number::<14>")]
    #[schemars(range(min = ModuliView::COUNTS[0], max = ModuliView::COUNTS[1]))]
    pub count: u32,
}

impl ModuliView {
    /// Lengths of a dot product.
    pub const LENGTHS: [u32; 4] = [16, 64, 256, 1024];
    /// Ranges of the data.
    pub const RANGES: [u32; 3] = [0, 2, 4];
    /// Minimum and maximum number of moduli.
    pub const COUNTS: [u32; 2] = [2, 16];
}

/// Numbers of a block that share a scale.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct BlockScalesView {
    /// The format that is shown first.
    pub format: BlockFormat,
    /// One to eight numbers. The rest of the block counts as 0.
    #[schemars(length(min = 1, max = 8), inner(range(min = -BlockScalesView::SIZE, max = BlockScalesView::SIZE)))]
    pub values: Vec<f64>,
    /// The largest magnitude in the whole matrix, for `nvfp4`; that of the block if absent.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = BlockScalesView::SIZE))]
    pub largest: f64,
}

impl BlockScalesView {
    /// Maximum magnitude of a number.
    pub const SIZE: f64 = 1e6;
    /// Minimum and maximum number of values.
    pub const COUNTS: [usize; 2] = [1, 8];
}

/// A format of numbers in blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BlockFormat {
    /// E2M1 in blocks of 32 with a power of two as scale.
    Mxfp4,
    /// E2M1 in blocks of 16 with a scale in E4M3, and one FP32 scale for the matrix.
    Nvfp4,
    /// E4M3 in blocks of 32 with a power of two as scale.
    Mxfp8,
}
