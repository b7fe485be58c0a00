//! What a kernel takes besides A, B and C, and what it does to their product.

use super::elements::Elements;
use super::geometry::Geometry;
use super::ozaki::Ozaki;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The elements that share a scale: rows of A or columns of B, then values along K.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scales {
    /// Rows of A and values along K that share a scale.
    #[serde(rename = "A")]
    pub a: [u32; 2],
    /// Columns of B and values along K that share a scale.
    #[serde(rename = "B")]
    pub b: [u32; 2],
}

impl Scales {
    const OF_ROWS_AND_COLUMNS: Self = Self { a: [1, Self::MOST], b: [1, Self::MOST] };
    /// Maximum extent of a block: that of a matrix.
    const MOST: u32 = 1 << 30;

    /// True if each extent is possible.
    pub fn are_possible(&self) -> bool {
        self.a.iter().chain(&self.b).all(|extent| (1..=Self::MOST).contains(extent))
    }
}

/// What a kernel does to the sums before it stores C. The constant of a catalogue entry is the index in [`Self::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Epilogue {
    /// Nothing.
    None,
    /// Adds a value per column.
    Bias,
    /// Adds a value per column, then replaces negative values by 0.
    Relu,
    /// Adds a value per column, then computes GELU in its tanh form.
    Gelu,
    /// Multiplies the product by a factor per row and one per column.
    Scales,
    /// Stores C in E4M3, and finds the largest absolute value before that rounding.
    E4m3,
    /// Nothing. Then a second kernel of the same file loads C, does what [`Self::Gelu`] does, and stores it.
    Unfused,
}

impl Epilogue {
    /// All epilogues, in the order of their numbers.
    pub const ALL: [Self; 7] =
        [Self::None, Self::Bias, Self::Relu, Self::Gelu, Self::Scales, Self::E4m3, Self::Unfused];
    /// Entry of the second kernel of [`Self::Unfused`].
    pub const SECOND: &str = "bias_gelu";

    /// Returns the geometry of this kernel. A thread of it takes eight columns.
    pub fn second(m: u32, n: u32) -> Geometry {
        Geometry { grid: [n.div_ceil(8 * 256), m.min(2048), 1], block: [256, 1, 1] }
    }
}

/// Further parameters of a kernel after `beta`. The buffers of a kernel with scales or an epilogue have FP32 numbers. A kernel with
/// an epilogue takes one number per row, one per column, and one that it raises to the largest absolute value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpilogueParams {
    /// Blocks of A and B that share a scale.
    pub scales: Option<Scales>,
    /// What happens to the sums.
    pub epilogue: Option<Epilogue>,
    /// The number of moduli of a product by integers ([`Ozaki`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moduli: Option<u32>,
    /// True if the kernel computes a batch of products. It takes their number, and its tensor maps have three dimensions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub batched: bool,
}

impl EpilogueParams {
    /// Returns the blocks of A and B whose elements the product multiplies by a scale.
    pub fn scaled(&self) -> Option<Scales> {
        self.scales.or_else(|| (self.epilogue == Some(Epilogue::Scales)).then_some(Scales::OF_ROWS_AND_COLUMNS))
    }

    /// Returns the rows and columns of each buffer. Scales are stored with one row per block along K.
    pub fn extents(&self, m: u32, n: u32, k: u32) -> Vec<[u32; 2]> {
        let Some(Scales { a, b }) = self.scales.or_else(|| self.epilogue.map(|_| Scales::OF_ROWS_AND_COLUMNS)) else {
            return Vec::new();
        };
        let blocks = |[across, along]: [u32; 2], extent: u32| [k.div_ceil(along), extent.div_ceil(across)];
        let largest = self.epilogue.map(|_| [1, 1]);
        [blocks(a, m), blocks(b, n)].into_iter().chain(largest).collect()
    }

    /// Returns the names of the buffers, as a signature has them.
    pub fn names(&self) -> &'static [&'static str] {
        match self {
            Self { epilogue: Some(_), .. } => &["of_rows", "of_columns", "largest"],
            Self { scales: Some(_), .. } => &["A_scales", "B_scales"],
            Self { moduli: Some(_), .. } => Ozaki::NAMES,
            _ => &[],
        }
    }

    /// Returns the type of C's elements for A and B of a type.
    pub fn result(&self, elements: Elements) -> Elements {
        if self.epilogue == Some(Epilogue::E4m3) { Elements::E4m3 } else { elements.result() }
    }
}
