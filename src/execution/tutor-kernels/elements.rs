//! Element types of the matrices, and what a kernel requires of them: tensor maps and alignment.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// Type of the elements of A and B, and usually of C. Sums are FP32, except that those of FP64 are FP64 and those of integers have 32 bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Elements {
    /// IEEE single precision, multiplied in full precision.
    #[default]
    F32,
    /// Single precision in memory; the tensor cores round A and B to 10 bits of fraction.
    Tf32,
    /// IEEE half precision.
    F16,
    /// bfloat16: the upper half of a single-precision number.
    Bf16,
    /// 8-bit floating point with 4 bits of exponent and 3 of fraction. C is BF16. B is stored by columns, because the
    /// tensor cores take 8-bit operands only along K.
    E4m3,
    /// 8-bit signed integers. C is of 32-bit signed integers and exact. B is stored by columns, as for E4M3.
    S8,
    /// IEEE double precision. A kernel of this type takes alpha and beta as `double`.
    F64,
    /// 32-bit signed integers: only the type of C.
    #[serde(skip)]
    S32,
}

impl Elements {
    /// The types that A and B can have.
    pub const ALL: [Self; 7] = [Self::F32, Self::Tf32, Self::F16, Self::Bf16, Self::E4m3, Self::S8, Self::F64];

    /// Returns the type of C's elements.
    #[must_use]
    pub fn result(self) -> Self {
        match self {
            Self::E4m3 => Self::Bf16,
            Self::S8 => Self::S32,
            other => other,
        }
    }

    /// True if B is stored by columns.
    pub fn b_by_columns(self) -> bool {
        self.bytes() == 1
    }

    /// Returns the maximum K, if there is one. No sum of this many products of integers from -127 to 127 overflows, and
    /// none is the minimum integer, which fills C before a launch.
    pub fn max_k(self) -> Option<u32> {
        (self == Self::S8).then_some(i32::MAX as u32 / (127 * 127))
    }

    /// Returns alpha or beta as a kernel of this type gets it.
    pub fn factor(self, factor: f64) -> f64 {
        if self == Self::F64 { factor } else { f64::from(factor as f32) }
    }

    /// Returns the rows and columns of A, B and C in memory. Only B of 8-bit elements is stored transposed.
    pub fn stored(self, m: u32, n: u32, k: u32) -> [[u32; 2]; 3] {
        [[m, k], if self.b_by_columns() { [n, k] } else { [k, n] }, [m, n]]
    }

    /// Returns the size of an element in memory, in bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Self::F64 => 8,
            Self::F32 | Self::Tf32 | Self::S32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::E4m3 | Self::S8 => 1,
        }
    }

    /// Returns the common name, e.g. `BF16`.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "FP32",
            Self::Tf32 => "TF32",
            Self::F16 => "FP16",
            Self::Bf16 => "BF16",
            Self::E4m3 => "E4M3",
            Self::S8 => "INT8",
            Self::S32 => "INT32",
            Self::F64 => "FP64",
        }
    }
}

impl fmt::Display for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The distribution of a box's rows over the banks of shared memory (CUDA driver API, `CUtensorMapSwizzle`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Swizzle {
    /// Rows are stored unchanged.
    #[default]
    None,
    /// 16-byte chunks are exchanged within 32 bytes.
    B32,
    /// 16-byte chunks are exchanged within 64 bytes.
    B64,
    /// 16-byte chunks are exchanged within 128 bytes.
    B128,
}

impl Swizzle {
    /// Returns the maximum bytes in a row of the box, or `None` if this swizzle sets no limit.
    pub fn span(self) -> Option<u32> {
        match self {
            Self::None => None,
            Self::B32 => Some(32),
            Self::B64 => Some(64),
            Self::B128 => Some(128),
        }
    }
}

impl Serialize for Swizzle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.span() {
            None => serializer.serialize_str("none"),
            Some(bytes) => serializer.serialize_u32(bytes),
        }
    }
}

impl<'de> Deserialize<'de> for Swizzle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Swizzle;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`none`, 32, 64 or 128")
            }

            fn visit_u64<E: serde::de::Error>(self, bytes: u64) -> Result<Swizzle, E> {
                match bytes {
                    32 => Ok(Swizzle::B32),
                    64 => Ok(Swizzle::B64),
                    128 => Ok(Swizzle::B128),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Unsigned(bytes), &self)),
                }
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Swizzle, E> {
                match text {
                    "none" => Ok(Swizzle::None),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
                }
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for Swizzle {
    fn schema_name() -> Cow<'static, str> {
        "Swizzle".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The distribution of a box's rows over the banks of shared memory.",
            "enum": ["none", 32, 64, 128]
        })
    }
}

/// A two-dimensional tiled tensor map of a row-major matrix. Outside the matrix it reads zeros. Its L2 promotion is 128 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorMap {
    /// Columns and rows that one copy moves.
    #[serde(rename = "box")]
    pub extent: [u32; 2],
    /// The swizzle in shared memory.
    #[serde(default)]
    pub swizzle: Swizzle,
}

impl TensorMap {
    /// Checks the box against the limits that hold for every matrix (CUDA driver API, `cuTensorMapEncodeTiled`).
    ///
    /// # Errors
    /// The limit that the driver would report.
    pub fn check(&self, elements: Elements) -> Result<(), Sentence> {
        let [columns, rows] = self.extent;
        if !(1..=256).contains(&columns) || !(1..=256).contains(&rows) {
            return Err(sentence!("kernels-map-box", extent = format!("{columns}×{rows}")));
        }
        let bytes = columns * elements.bytes();
        if !bytes.is_multiple_of(16) {
            return Err(sentence!("kernels-map-row", bytes));
        }
        match self.swizzle.span() {
            Some(span) if bytes > span => Err(sentence!("kernels-map-swizzle", bytes, span)),
            _ => Ok(()),
        }
    }
}

/// The tensor maps of a kernel: its first parameters, in this order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorMaps {
    /// Map of A, an m×k matrix.
    #[serde(rename = "A")]
    pub a: Option<TensorMap>,
    /// Map of B, a k×n matrix.
    #[serde(rename = "B")]
    pub b: Option<TensorMap>,
    /// Map of C, an m×n matrix.
    #[serde(rename = "C")]
    pub c: Option<TensorMap>,
}

impl TensorMaps {
    /// Iterates over the maps that exist, with the name of each matrix.
    pub fn each(&self) -> impl Iterator<Item = (char, TensorMap)> {
        [('A', self.a), ('B', self.b), ('C', self.c)].into_iter().filter_map(|(name, map)| Some((name, map?)))
    }

    /// True if there is at least one map.
    pub fn any(&self) -> bool {
        self.each().next().is_some()
    }
}

/// A kernel's requirements on the shape.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Needs {
    /// Divisors of extents and leading dimensions, in elements.
    #[serde(default)]
    pub multiple: Multiples,
}

/// Divisors of extents and leading dimensions, in elements. An absent one means 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Multiples {
    /// Divisor of the rows of A and C.
    #[serde(rename = "M", skip_serializing_if = "Option::is_none")]
    pub m: Option<u32>,
    /// Divisor of the columns of B and C.
    #[serde(rename = "N", skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
    /// Divisor of the columns of A and rows of B.
    #[serde(rename = "K", skip_serializing_if = "Option::is_none")]
    pub k: Option<u32>,
    /// Divisor of A's leading dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lda: Option<u32>,
    /// Divisor of B's leading dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ldb: Option<u32>,
    /// Divisor of C's leading dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ldc: Option<u32>,
}

impl Needs {
    /// Returns the first requirement that a product of this shape, stored without gaps, does not meet: a clause like
    /// `lda = 100 is not a multiple of 8`.
    pub fn unmet(&self, m: u32, n: u32, k: u32) -> Option<Sentence> {
        let Multiples { m: by_m, n: by_n, k: by_k, lda, ldb, ldc } = self.multiple;
        let asked = [("M", m, by_m), ("N", n, by_n), ("K", k, by_k), ("lda", k, lda), ("ldb", n, ldb), ("ldc", n, ldc)];
        asked.into_iter().find_map(|(name, value, by)| {
            let by = by.filter(|by| *by == 0 || value % by != 0)?;
            Some(sentence!("kernels-no-multiple", name, value, by))
        })
    }

    /// Adds the requirement of tensor maps: each row in memory must be a whole number of 16-byte units.
    #[must_use]
    pub fn with_maps(mut self, maps: &TensorMaps, elements: Elements) -> Self {
        for (name, _) in maps.each() {
            let (by, elements) = match name {
                'A' => (&mut self.multiple.lda, elements),
                'B' if elements.b_by_columns() => (&mut self.multiple.k, elements),
                'B' => (&mut self.multiple.ldb, elements),
                _ => (&mut self.multiple.ldc, elements.result()),
            };
            let unit = 16 / elements.bytes();
            *by = Some(by.unwrap_or(unit).max(unit));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_name_the_first_extent_that_does_not_fit() {
        let needs = Needs { multiple: Multiples { lda: Some(8), ldb: Some(8), ..Multiples::default() } };
        assert_eq!(needs.unmet(7, 16, 64), None);
        assert_eq!(
            needs.unmet(64, 64, 100).map(|why| why.to_string()).as_deref(),
            Some("lda = 100 is not a multiple of 8")
        );
        assert_eq!(
            needs.unmet(64, 4, 64).map(|why| why.to_string()).as_deref(),
            Some("ldb = 4 is not a multiple of 8")
        );
    }

    #[test]
    fn a_tensor_map_needs_rows_of_16_bytes_and_a_box_within_its_swizzle() {
        let map = |columns, rows, swizzle| TensorMap { extent: [columns, rows], swizzle };
        assert_eq!(map(64, 128, Swizzle::B128).check(Elements::Bf16), Ok(()));
        for (map, part) in [
            (map(64, 257, Swizzle::B128), "from 1 to 256"),
            (map(4, 64, Swizzle::None), "8 bytes"),
            (map(128, 64, Swizzle::B128), "256 bytes; a swizzle of 128"),
        ] {
            assert!(map.check(Elements::Bf16).unwrap_err().to_string().contains(part), "{map:?}");
        }
        let maps = TensorMaps { a: Some(map(64, 64, Swizzle::B128)), ..TensorMaps::default() };
        assert_eq!(Needs::default().with_maps(&maps, Elements::Bf16).multiple.lda, Some(8));
    }

    #[test]
    fn a_swizzle_is_a_number_or_none() {
        for (text, swizzle) in [("none", Swizzle::None), ("32", Swizzle::B32), ("128", Swizzle::B128)] {
            let map: TensorMap =
                tutor_support::yaml::read_typed(&format!("{{ box: [16, 16], swizzle: {text} }}")).unwrap();
            assert_eq!(map.swizzle, swizzle);
            let json = serde_json::to_string(&map).unwrap();
            assert_eq!(serde_json::from_str::<TensorMap>(&json).unwrap(), map);
        }
        assert!(tutor_support::yaml::read_typed::<TensorMap>("{ box: [16, 16], swizzle: 16 }").is_err());
    }
}
