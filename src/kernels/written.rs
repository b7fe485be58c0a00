//! `kernels/catalog.yaml` as it is written.

use super::elements::{Elements, Needs, Swizzle};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use tutor_base::yaml::At;

/// The file, as written.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogFile {
    /// In the order in which they are shown.
    #[schemars(with = "Vec<KernelEntry>")]
    pub kernels: Vec<At<KernelEntry>>,
}

/// A kernel, as written.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KernelEntry {
    /// Stable id: lower-case letters, digits and `_`.
    #[schemars(with = "String")]
    pub id: At<String>,
    /// Id of the course level that teaches it.
    pub level: String,
    /// Short name for lists.
    pub title: String,
    /// A shorter name for where kernels stand side by side (default: the title). What all of them share, up to a comma, is
    /// left out there.
    #[serde(default)]
    pub label: Option<String>,
    /// Name of the `.cu` file in `kernels/`; several kernels may share one and differ in their constants.
    #[schemars(with = "String")]
    pub file: At<String>,
    /// Changes of that file's text, one after the other, e.g. a planted fault. Lines keep their numbers.
    #[serde(default)]
    pub edits: Vec<EditEntry>,
    /// Name of the `extern "C" __global__` function.
    #[schemars(with = "String")]
    pub entry: At<String>,
    /// Macros that the file is compiled with; formulas of this entry may name them.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, i32>")]
    pub constants: BTreeMap<String, At<i32>>,
    /// Threads of a block, x first: numbers, or formulas of the constants.
    #[schemars(with = "[Extent; 3]")]
    pub block: At<[Extent; 3]>,
    /// Blocks of the grid, x first: one to three formulas of M, N, K, the constants and SMS, the device's multiprocessors.
    #[schemars(with = "Vec<String>")]
    pub grid: Vec<At<String>>,
    /// Dynamic shared memory of a block in bytes: a number, or a formula of the constants.
    #[serde(default)]
    #[schemars(with = "Option<Extent>")]
    pub shared_bytes: Option<At<Extent>>,
    /// Type of the elements of A, B and C (default: f32).
    #[serde(default)]
    pub elements: Elements,
    /// Tensor maps that the kernel takes before its other parameters.
    #[serde(default)]
    #[schemars(with = "TensorMapEntries")]
    pub tensor_maps: Option<At<TensorMapEntries>>,
    /// What a shape must be for this kernel.
    #[serde(default)]
    pub needs: Option<Needs>,
    /// Id of the kernel that takes the shapes that this one does not.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub otherwise: Option<At<String>>,
    /// The architecture it is compiled for: the oldest that runs it, e.g. `sm_75`, or with an `a` the only one, e.g. `sm_90a`.
    #[schemars(with = "String")]
    pub min_arch: At<String>,
    /// Whether its result is wrong, to show a fault.
    pub expected_wrong: bool,
    /// The fault it shows.
    #[serde(default)]
    #[schemars(with = "Option<HazardName>")]
    pub hazard: Option<At<HazardName>>,
    /// The same file with other constants: what a tuner or a sweep goes through.
    #[serde(default)]
    #[schemars(with = "Option<VariantsEntry>")]
    pub variants: Option<At<VariantsEntry>>,
    /// One sentence.
    pub about: String,
}

/// The tensor maps that a kernel takes, as its first parameters, in this order.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TensorMaps")]
pub struct TensorMapEntries {
    /// Over A, m×k.
    #[serde(rename = "A", default)]
    pub a: Option<TensorMapEntry>,
    /// Over B, k×n.
    #[serde(rename = "B", default)]
    pub b: Option<TensorMapEntry>,
    /// Over C, m×n.
    #[serde(rename = "C", default)]
    pub c: Option<TensorMapEntry>,
}

/// A two-dimensional tiled tensor map over a row-major matrix: zeros outside it, L2 promotion of 128 bytes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TensorMap")]
pub struct TensorMapEntry {
    /// Columns and rows that one copy moves: numbers, or formulas of the constants.
    #[serde(rename = "box")]
    pub extent: [Extent; 2],
    /// How they lie in shared memory.
    #[serde(default)]
    pub swizzle: Swizzle,
}

/// A change of a source.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditEntry {
    /// What is replaced; it occurs exactly once.
    #[schemars(with = "String")]
    pub find: At<String>,
    /// What stands there instead, with as many line ends.
    pub put: String,
}

/// Every combination of the axes' values, less what is impossible.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VariantsEntry {
    /// Formulas of the constants that must come out whole; where one does not, the combination is impossible.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub whole: Vec<At<String>>,
    /// One to three.
    pub axes: Vec<AxisEntry>,
}

/// One axis: some constants, and the values that they take together.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxisEntry {
    /// What it is called, e.g. `block tile`.
    #[schemars(with = "String")]
    pub name: At<String>,
    /// Names among the kernel's constants.
    #[schemars(with = "Vec<String>")]
    pub constants: Vec<At<String>>,
    /// Values, each one number a constant.
    #[schemars(with = "Vec<Vec<i32>>")]
    pub values: Vec<At<Vec<i32>>>,
    /// What to call the values (default: the numbers joined by `x`).
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub labels: Option<At<Vec<String>>>,
}

/// The fault that a kernel shows.
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
