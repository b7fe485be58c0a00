//! What tensor cores multiply: fragments, number formats, boxes of a tensor map.

use crate::prelude::*;

/// A matrix that is distributed over the registers of a warp.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct FragmentView {
    /// The matrix that is shown first.
    pub of: FragmentOperand,
    /// The lane that is selected first.
    #[serde(default)]
    #[schemars(range(min = 0, max = 31))]
    pub lane: u32,
}

/// A matrix in the registers of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FragmentOperand {
    /// A of `mma.m16n8k16`.
    A,
    /// B of `mma.m16n8k16`.
    B,
    /// C and D of `mma.m16n8k16`.
    C,
    /// The matrices that `ldmatrix.x4` loads.
    Ldmatrix,
    /// The matrices that `ldmatrix.x4.trans` loads.
    LdmatrixTrans,
    /// D of `wgmma`.
    Wgmma,
}

/// Two factors in the formats of the tensor cores.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct FormatsView {
    /// The first factor.
    pub x: f64,
    /// The second factor; 1 if absent.
    #[serde(default = "one_factor")]
    pub y: f64,
    /// If true, show each factor as a sum of three bf16 numbers, and which of their nine products matter, instead of
    /// the four formats.
    #[serde(default)]
    pub parts: bool,
    /// If true, show E5M2 and E4M3, of eight bits, instead of TF32 and FP16.
    #[serde(default)]
    pub eight: bool,
    /// If true, show both numbers in binary as a tensor core adds them, and the bits that it drops.
    #[serde(default)]
    pub sum: bool,
}

fn one_factor() -> f64 {
    1.0
}

impl FormatsView {
    /// Minimum and maximum magnitude of a factor.
    pub const SIZES: [f64; 2] = [1e-30, 1e30];
}

/// A box of 8 rows and 64 columns over a matrix of 2-byte elements.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct TensorBoxView {
    /// Columns of the matrix; its pitch is the next multiple of 8.
    #[schemars(range(min = TensorBoxView::COLUMNS[0], max = TensorBoxView::COLUMNS[1]))]
    pub columns: u32,
    /// Rows of the matrix.
    #[schemars(range(min = TensorBoxView::ROWS[0], max = TensorBoxView::ROWS[1]))]
    pub rows: u32,
    /// First column of the box, a multiple of 8.
    #[serde(default)]
    #[schemars(extend("multipleOf" = 8))]
    pub column: i32,
    /// First row of the box.
    #[serde(default)]
    pub row: i32,
    /// True if the box is stored with the 128-byte swizzle.
    #[serde(default)]
    pub swizzle: bool,
}

impl TensorBoxView {
    /// Minimum and maximum number of columns of the matrix.
    pub const COLUMNS: [u32; 2] = [1, 512];
    /// Minimum and maximum number of rows of the matrix.
    pub const ROWS: [u32; 2] = [1, 64];
}
