//! A value with the place in its file.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

/// A value that remembers where in its YAML file it stands.
///
/// Compared by value alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct At<T> {
    /// The value.
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
    /// A value that stands in no file.
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

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = serde_yaml::Spanned::<T>::deserialize(deserializer)?;
        let start = spanned.referenced;
        Ok(Self { value: spanned.value, line: start.line() as u32, column: start.column() as u32 })
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
