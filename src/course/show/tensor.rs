//! What tensor cores multiply: fragments, number formats, boxes of a tensor map.

use schemars::JsonSchema;
use serde::Deserialize;

/// A matrix that the lanes of a warp hold together.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FragmentView {
    /// The matrix that is seen first.
    pub of: FragmentOperand,
    /// The lane that is chosen first.
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
    /// What `ldmatrix.x4` brings.
    Ldmatrix,
    /// What `ldmatrix.x4.trans` brings.
    LdmatrixTrans,
    /// D of `wgmma`.
    Wgmma,
}

/// Two factors in the formats of the tensor cores.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FormatsView {
    /// The first factor.
    pub x: f64,
    /// The second factor; 1 if absent.
    #[serde(default = "one_factor")]
    pub y: f64,
    /// Each factor as a sum of three bf16, and which of their nine products matter, instead of the four formats.
    #[serde(default)]
    pub parts: bool,
}

fn one_factor() -> f64 {
    1.0
}

impl FormatsView {
    /// Smallest and largest size of a factor.
    pub const SIZES: [f64; 2] = [1e-30, 1e30];
}

/// A box of 8 rows and 64 columns over a matrix of 2-byte elements.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TensorBoxView {
    /// Columns of the matrix; its pitch is the next multiple of 8.
    #[schemars(range(min = TensorBoxView::COLUMNS[0], max = TensorBoxView::COLUMNS[1]))]
    pub columns: u32,
    /// Rows of the matrix.
    #[schemars(range(min = TensorBoxView::ROWS[0], max = TensorBoxView::ROWS[1]))]
    pub rows: u32,
    /// Column at which the box begins, a multiple of 8.
    #[serde(default)]
    #[schemars(extend("multipleOf" = 8))]
    pub column: i32,
    /// Row at which it begins.
    #[serde(default)]
    pub row: i32,
    /// Whether it is swizzled, by 128 bytes.
    #[serde(default)]
    pub swizzle: bool,
}

impl TensorBoxView {
    /// Least and most columns of the matrix.
    pub const COLUMNS: [u32; 2] = [1, 512];
    /// Least and most rows of the matrix.
    pub const ROWS: [u32; 2] = [1, 64];
}
