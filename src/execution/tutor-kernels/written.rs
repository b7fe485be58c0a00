//! Types of `kernels/catalog.yaml`, as an author writes it.

use super::elements::{Elements, Needs, Swizzle};
use super::epilogue::Scales;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use tutor_support::yaml::At;

/// The catalogue: `kernels/catalog.yaml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct CatalogFile {
    /// The kernels, in the order in which the tutor shows them.
    pub kernels: Vec<At<KernelEntry>>,
}

/// A kernel of the catalogue.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct KernelEntry {
    /// Stable id: lower-case letters, digits and `_`.
    pub id: At<String>,
    /// Id of the course level that teaches it.
    pub level: String,
    /// Short name for lists.
    pub title: String,
    /// A shorter name for lists that compare kernels; the title if absent. Such a list leaves out a beginning, up to a comma, that
    /// all its names share.
    pub label: Option<String>,
    /// Name of the `.cu` file in `kernels/`. Kernels that differ only in their constants may share a file.
    pub file: At<String>,
    /// Changes to the file's text, applied in order, e.g. a planted fault. They keep the line numbers.
    #[serde(default)]
    pub edits: Vec<EditEntry>,
    /// Name of the `extern "C" __global__` function.
    pub entry: At<String>,
    /// Macros and their values. Formulas of this entry may use them.
    #[serde(default)]
    pub constants: BTreeMap<String, At<i32>>,
    /// Threads per block in x, y and z: numbers, or formulas of the constants.
    pub block: At<[Extent; 3]>,
    /// Blocks in x, y and z: one to three formulas of M, N, K, the number of products, BATCH, the constants, and the device's number of SMs, SMS.
    pub grid: Vec<At<String>>,
    /// Dynamic shared memory per block in bytes: a number, or a formula of the constants.
    pub shared_bytes: Option<At<Extent>>,
    /// Type of the elements of A, B and C; `f32` if absent.
    #[serde(default)]
    pub elements: Elements,
    /// Tensor maps, which the kernel takes before its other parameters.
    pub tensor_maps: Option<At<TensorMapEntries>>,
    /// Blocks of A (rows, values along K) and of B (columns, values along K) that share a scale. After `beta`, the kernel takes two
    /// buffers of FP32 scales, each with one row per block along K.
    pub scales: Option<At<Scales>>,
    /// What the kernel does to the sums, as a formula of the constants: 0 nothing, 1 bias, 2 bias and ReLU, 3 bias and GELU, 4 scales
    /// per row and column, 5 E4M3 and the largest value, 6 nothing, but `bias_gelu` in the same file does what 3 does afterwards.
    /// After `beta`, the kernel takes buffers of an FP32 number per row, one per column, and a single one for the largest value.
    pub epilogue: Option<At<Extent>>,
    /// The number of moduli, as a formula of the constants, of a kernel for FP64 that multiplies 8-bit residues. `residues_of_a` and
    /// `residues_of_b` of the same file run before it, and `reconstruct` afterwards. All take the same parameters: tensor maps of
    /// residues before A, and scratch memory after `beta`.
    pub moduli: Option<At<Extent>>,
    /// True if the kernel computes a batch of products of equal size, whose matrices follow each other in memory. After `beta`, it takes their
    /// number, an `int`. Its tensor maps have a third dimension, the product, in which their boxes have one element.
    #[serde(default)]
    pub batched: bool,
    /// Requirements on the shape.
    pub needs: Option<Needs>,
    /// Id of the kernel that runs for shapes that do not meet `needs`.
    pub otherwise: Option<At<String>>,
    /// Target architecture: the oldest one that can run the kernel, e.g. `sm_75`, or the only one, with an `a`, e.g. `sm_90a`.
    pub min_arch: At<String>,
    /// True if the result is incorrect on purpose, to show a fault.
    pub expected_wrong: bool,
    /// The kind of race that the kernel shows.
    pub hazard: Option<At<HazardName>>,
    /// The kernel's variants, which `bench --tune` and the sweep time: the same file with other constants.
    pub variants: Option<At<VariantsEntry>>,
    /// A description in one sentence.
    pub about: String,
}

/// The tensor maps of a kernel: its first parameters, in this order.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "TensorMaps")]
pub struct TensorMapEntries {
    /// Map of A, an m×k matrix.
    #[serde(rename = "A")]
    pub a: Option<TensorMapEntry>,
    /// Map of B, a k×n matrix.
    #[serde(rename = "B")]
    pub b: Option<TensorMapEntry>,
    /// Map of C, an m×n matrix.
    #[serde(rename = "C")]
    pub c: Option<TensorMapEntry>,
}

/// A two-dimensional tiled tensor map of a row-major matrix. Outside the matrix it reads zeros. Its L2 promotion is 128 bytes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "TensorMap")]
pub struct TensorMapEntry {
    /// Columns and rows per copy: numbers, or formulas of the constants.
    #[serde(rename = "box")]
    pub extent: [Extent; 2],
    /// The swizzle in shared memory.
    #[serde(default)]
    pub swizzle: Swizzle,
}

/// A change of a source text.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct EditEntry {
    /// The text to replace, which must occur exactly once.
    pub find: At<String>,
    /// The replacement, with the same number of lines.
    pub put: String,
}

/// The possible combinations of the axes' values.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct VariantsEntry {
    /// Formulas of the constants. A combination is possible only if all their values are whole numbers.
    #[serde(default)]
    pub whole: Vec<At<String>>,
    /// One to three axes.
    pub axes: Vec<AxisEntry>,
}

/// One axis: constants, and the values that they take together.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct AxisEntry {
    /// Name, e.g. `block tile`.
    pub name: At<String>,
    /// Names of the kernel's constants that vary.
    pub constants: Vec<At<String>>,
    /// The values; each has one number per constant.
    pub values: Vec<At<Vec<i32>>>,
    /// Names of the values; their numbers joined by `x` if absent.
    pub labels: Option<At<Vec<String>>>,
}

/// A kind of race.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum HazardName {
    /// Read after write.
    Raw,
    /// Write after read.
    War,
    /// Write after write.
    Waw,
}

/// A number, or a formula of a kernel's constants, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent(pub String);

impl<'de> Deserialize<'de> for Extent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Extent;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number or a formula")
            }

            fn visit_u64<E>(self, value: u64) -> Result<Extent, E> {
                Ok(Extent(value.to_string()))
            }

            fn visit_str<E>(self, value: &str) -> Result<Extent, E> {
                Ok(Extent(value.to_owned()))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for Extent {
    fn schema_name() -> Cow<'static, str> {
        "Extent".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number, or a formula of the constants.",
            "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "string" }]
        })
    }
}
