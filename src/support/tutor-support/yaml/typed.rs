//! A `serde` deserializer for a tree.

use super::at;
use super::tree::{Node, Value};
use crate::text::without_types;
use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer, U32Deserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use std::fmt;

/// Why a tree is not a value of a type, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(super) struct SchemaError {
    /// Line and column, 1-based; 0 if unknown.
    pub(super) place: (u32, u32),
    pub(super) message: String,
}

impl serde::de::Error for SchemaError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { place: (0, 0), message: without_types(&message.to_string()) }
    }
}

pub(super) fn typed<T: DeserializeOwned>(node: &Node) -> Result<T, SchemaError> {
    T::deserialize(Typed { node, is_key: false })
}

/// A node as a `serde` deserializer.
#[derive(Clone, Copy)]
struct Typed<'a> {
    node: &'a Node,
    /// True for the name of a field, which is text even if it looks like a number.
    is_key: bool,
}

impl<'a> IntoDeserializer<'a, SchemaError> for Typed<'a> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'a> Typed<'a> {
    fn of(node: &'a Node) -> Self {
        Self { node, is_key: false }
    }

    /// Adds the place of this node to an error, unless the error already has the place of an inner node.
    fn placed<T>(self, result: Result<T, SchemaError>) -> Result<T, SchemaError> {
        let here = (self.node.line, self.node.column);
        result.map_err(|error| if error.place == (0, 0) { SchemaError { place: here, ..error } } else { error })
    }

    /// Returns the scalar as the file writes it. `None` for a list, a mapping, or null.
    fn written(self) -> Option<&'a str> {
        match &self.node.value {
            Value::Text(text) => Some(text),
            Value::Null | Value::Bool(_) | Value::Integer(_) | Value::Real(_) => self.node.written(),
            Value::List(_) | Value::Map(_) => None,
        }
    }

    fn wrong<T>(self, visitor: &dyn serde::de::Expected) -> Result<T, SchemaError> {
        let found = match &self.node.value {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Integer(value) => {
                i64::try_from(*value).map_or(Unexpected::Other("a large number"), Unexpected::Signed)
            }
            Value::Real(value) => Unexpected::Float(*value),
            Value::Text(text) => Unexpected::Str(text),
            Value::List(_) => Unexpected::Seq,
            Value::Map(_) => Unexpected::Map,
        };
        self.placed(Err(SchemaError::invalid_type(found, visitor)))
    }

    fn visit_integer<V: Visitor<'a>>(self, value: i128, visitor: V) -> Result<V::Value, SchemaError> {
        self.placed(match (u64::try_from(value), i64::try_from(value)) {
            (Ok(value), _) => visitor.visit_u64(value),
            (_, Ok(value)) => visitor.visit_i64(value),
            _ => visitor.visit_i128(value),
        })
    }

    fn integer<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, SchemaError> {
        match &self.node.value {
            Value::Integer(value) => self.visit_integer(*value, visitor),
            Value::Text(text) if self.is_key => match text.parse() {
                Ok(value) => self.visit_integer(value, visitor),
                Err(_) => self.wrong(&visitor),
            },
            _ => self.wrong(&visitor),
        }
    }

    fn real<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, SchemaError> {
        match &self.node.value {
            Value::Real(value) => self.placed(visitor.visit_f64(*value)),
            Value::Integer(value) => self.placed(visitor.visit_f64(*value as f64)),
            _ => self.wrong(&visitor),
        }
    }

    fn text<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, SchemaError> {
        match self.written() {
            Some(text) => self.placed(visitor.visit_borrowed_str(text)),
            None => self.wrong(&visitor),
        }
    }

    fn list<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, SchemaError> {
        let Value::List(items) = &self.node.value else { return self.wrong(&visitor) };
        let mut access = SeqDeserializer::new(items.iter().map(Self::of));
        let value = self.placed(visitor.visit_seq(&mut access))?;
        self.placed(access.end())?;
        Ok(value)
    }

    fn map<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, SchemaError> {
        let Value::Map(entries) = &self.node.value else { return self.wrong(&visitor) };
        let entries = entries.iter().map(|(key, value)| (Self { node: key, is_key: true }, Self::of(value)));
        let mut access = MapDeserializer::new(entries);
        let value = self.placed(visitor.visit_map(&mut access))?;
        self.placed(access.end())?;
        Ok(value)
    }
}

/// Implements each request of `serde` by calling the method that handles it.
macro_rules! served {
    ($($by:ident: $($request:ident)*;)*) => {
        $($(fn $request<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, SchemaError> {
            self.$by(visitor)
        })*)*
    };
}

impl<'a> Deserializer<'a> for Typed<'a> {
    type Error = SchemaError;

    served! {
        integer: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128;
        real: deserialize_f32 deserialize_f64;
        // No type of a course contains bytes.
        text: deserialize_str deserialize_string deserialize_char deserialize_identifier
            deserialize_bytes deserialize_byte_buf;
        list: deserialize_seq;
        map: deserialize_map;
    }

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, SchemaError> {
        match &self.node.value {
            // A pointer in C is `NULL`: where nothing is known about a value, the word is a text.
            Value::Null if self.node.written().is_some() => self.text(visitor),
            Value::Null => self.placed(visitor.visit_unit()),
            Value::Bool(value) => self.placed(visitor.visit_bool(*value)),
            Value::Integer(_) => self.integer(visitor),
            Value::Real(_) => self.real(visitor),
            Value::Text(_) => self.text(visitor),
            Value::List(_) => self.list(visitor),
            Value::Map(_) => self.map(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, SchemaError> {
        match self.node.value {
            Value::Bool(value) => self.placed(visitor.visit_bool(value)),
            _ => self.wrong(&visitor),
        }
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, SchemaError> {
        match self.node.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, SchemaError> {
        match self.node.value {
            Value::Null => visitor.visit_unit(),
            _ => self.wrong(&visitor),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'a>>(self, _: &'static str, visitor: V) -> Result<V::Value, SchemaError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, SchemaError> {
        if name == at::NAME {
            visitor.visit_seq(PlacedSeq { node: self, next: 0 })
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    fn deserialize_tuple<V: Visitor<'a>>(self, _: usize, visitor: V) -> Result<V::Value, SchemaError> {
        self.list(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, SchemaError> {
        self.list(visitor)
    }

    /// Refuses a field that the type does not have, so that a mistyped name is never ignored.
    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, SchemaError> {
        if let Value::Map(entries) = &self.node.value {
            let mut keys = entries.iter().map(|(key, _)| Self { node: key, is_key: true });
            if let Some(key) = keys.find(|key| !key.written().is_some_and(|name| fields.contains(&name))) {
                return key.placed(Err(SchemaError::unknown_field(key.written().unwrap_or_default(), fields)));
            }
        }
        self.map(visitor)
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, SchemaError> {
        self.placed(match &self.node.value {
            Value::Map(entries) => match entries.as_slice() {
                [(key, value)] => {
                    visitor.visit_enum(Variant { key: Self { node: key, is_key: true }, value: Self::of(value) })
                }
                _ => Err(SchemaError::invalid_length(entries.len(), &"exactly one field, the kind")),
            },
            _ => match self.written() {
                Some(name) => visitor.visit_enum(StrDeserializer::new(name)),
                None => self.wrong(&visitor),
            },
        })
    }

    fn deserialize_ignored_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, SchemaError> {
        visitor.visit_unit()
    }
}

/// Yields a node's line, column and value, in this order.
struct PlacedSeq<'a> {
    node: Typed<'a>,
    next: usize,
}

impl<'a> SeqAccess<'a> for PlacedSeq<'a> {
    type Error = SchemaError;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>, SchemaError> {
        self.next += 1;
        let number = U32Deserializer::new;
        match self.next {
            1 => seed.deserialize(number(self.node.node.line)).map(Some),
            2 => seed.deserialize(number(self.node.node.column)).map(Some),
            3 => self.node.placed(seed.deserialize(self.node)).map(Some),
            _ => Ok(None),
        }
    }
}

/// An enum variant: a mapping with one field, whose key is the variant's name.
struct Variant<'a> {
    key: Typed<'a>,
    value: Typed<'a>,
}

impl<'a> EnumAccess<'a> for Variant<'a> {
    type Error = SchemaError;
    type Variant = Typed<'a>;

    fn variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<(T::Value, Typed<'a>), SchemaError> {
        Ok((self.key.placed(seed.deserialize(self.key))?, self.value))
    }
}

impl<'a> VariantAccess<'a> for Typed<'a> {
    type Error = SchemaError;

    fn unit_variant(self) -> Result<(), SchemaError> {
        match self.node.value {
            Value::Null => Ok(()),
            _ => self.wrong(&"nothing after this kind"),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value, SchemaError> {
        self.placed(seed.deserialize(self))
    }

    fn tuple_variant<V: Visitor<'a>>(self, _: usize, visitor: V) -> Result<V::Value, SchemaError> {
        self.list(visitor)
    }

    fn struct_variant<V: Visitor<'a>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, SchemaError> {
        self.map(visitor)
    }
}

#[cfg(test)]
mod tests {
    use crate::yaml::{At, read_typed};
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Shape {
        Dot,
        Square(At<u32>),
        Box { sides: (u8, u8) },
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct All {
        title: At<String>,
        numbers: Vec<String>,
        ratio: Option<f64>,
        shapes: Vec<Shape>,
        by_size: BTreeMap<u32, bool>,
    }

    const TEXT: &str = "\
title: &name 1.50
numbers: [0x10, true, 007, *name, '8']
ratio: 2
shapes: [dot, square: 4, {box: {sides: [1, 2]}}]
by_size: {8: true, 16: false}
";

    #[test]
    fn scalars_are_text_as_they_are_written_and_places_are_kept() {
        let all: All = read_typed(TEXT).unwrap();
        assert_eq!((all.title.value.as_str(), all.title.line, all.title.column), ("1.50", 1, 14), "behind the anchor");
        assert_eq!(all.numbers, ["0x10", "true", "007", "1.50", "8"]);
        assert_eq!(all.ratio, Some(2.0));
        assert_eq!(all.shapes, [Shape::Dot, Shape::Square(At::from(4)), Shape::Box { sides: (1, 2) }]);
        assert_eq!(all.by_size, BTreeMap::from([(8, true), (16, false)]));
    }

    #[test]
    fn what_does_not_fit_is_reported_at_its_innermost_place() {
        for (from, to, place, message) in [
            ("dot", "dash", (4, 10), "unknown variant `dash`"),
            ("[1, 2]", "[1, 300]", (4, 44), "300"),
            ("[1, 2]", "[1]", (4, 40), "length 1"),
            ("ratio: 2", "ratio: fast", (3, 8), "fast"),
            ("ratio: 2", "ratios: 2", (3, 1), "unknown field `ratios`"),
            ("8: true", "8: 1", (5, 14), "true or false"),
            ("ratio: 2", "ratio: .inf", (3, 8), "finite"),
        ] {
            let fault = read_typed::<All>(&TEXT.replace(from, to)).unwrap_err();
            assert_eq!((fault.line, fault.column), place, "{to}: {fault}");
            assert!(fault.message.contains(message), "{to}: {fault}");
        }
    }
}
