//! A value with its place in a file.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A value with its place in a YAML file.
///
/// Comparisons ignore the place.
#[derive(Debug, Clone, Copy, Default)]
pub struct At<T> {
    pub value: T,
    /// Line, 1-based; 0 if unknown.
    pub line: u32,
    /// Column, 1-based; 0 if unknown.
    pub column: u32,
}

impl<T: PartialEq> PartialEq for At<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for At<T> {}

impl<T> From<T> for At<T> {
    /// Makes a value that comes from no file.
    fn from(value: T) -> Self {
        Self { value, line: 0, column: 0 }
    }
}

impl<T> std::ops::Deref for At<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// The struct name by which `typed` recognises that the place is needed as well.
pub(super) const NAME: &str = "At";

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    /// Reads line, column and value from a tree, and only the value from any other format.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Placed<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Placed<T> {
            type Value = At<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<At<T>, A::Error> {
                let mut number = || access.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &"a place"));
                let (line, column) = (number()?, number()?);
                let value = access.next_element()?.ok_or_else(|| A::Error::invalid_length(2, &"a value"))?;
                Ok(At { value, line, column })
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<At<T>, D::Error> {
                T::deserialize(deserializer).map(At::from)
            }
        }
        deserializer.deserialize_newtype_struct(NAME, Placed(PhantomData))
    }
}

impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
