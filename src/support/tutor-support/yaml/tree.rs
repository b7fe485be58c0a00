//! YAML read without a schema. Each key and value has its place.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::Spanned;
use std::fmt;

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Line, 1-based.
    pub line: u32,
    /// Column, 1-based.
    pub column: u32,
    pub value: Value,
    /// Place in the text: first byte and length.
    span: (u32, u32),
    /// The text of a number, `true` or `false`, as the file writes it.
    written: Option<Box<str>>,
}

/// A YAML value, read without a schema.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing, `null` or `~`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    Integer(i128),
    Real(f64),
    Text(String),
    List(Vec<Node>),
    /// A mapping, in the order of the file.
    Map(Vec<(Node, Node)>),
}

/// A step from a node to one inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathStep<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> From<&'a str> for PathStep<'a> {
    fn from(key: &'a str) -> Self {
        Self::Key(key)
    }
}

impl From<usize> for PathStep<'_> {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl Node {
    /// Returns a null value at the beginning of a file.
    pub fn nothing() -> Self {
        Self { line: 1, column: 1, value: Value::Null, span: (0, 0), written: None }
    }

    fn placed(at: serde_yaml::Location, value: Value) -> Self {
        Self { line: at.line() as u32, column: at.column() as u32, value, span: (0, 0), written: None }
    }

    /// Records how `text`, the source of this tree, writes numbers, `true` and `false`, and nothing as a word (`null`).
    pub(super) fn note_written(&mut self, text: &str) {
        match &mut self.value {
            Value::Null | Value::Bool(_) | Value::Integer(_) | Value::Real(_) => {
                let (from, length) = (self.span.0 as usize, self.span.1 as usize);
                let written = text.get(from..from + length).map(str::trim);
                let is_text = |written: &&str| self.value != Value::Null || written.eq_ignore_ascii_case("null");
                self.written = written.filter(is_text).map(Into::into);
            }
            Value::List(items) => items.iter_mut().for_each(|item| item.note_written(text)),
            Value::Map(entries) => entries.iter_mut().for_each(|(_, value)| value.note_written(text)),
            Value::Text(_) => {}
        }
    }

    /// Returns a number, `true`, `false` or `null` as the file writes it; `None` for any other value.
    pub(super) fn written(&self) -> Option<&str> {
        self.written.as_deref()
    }

    /// Returns the total length of all texts in it, without keys, in bytes.
    pub fn text_bytes(&self) -> usize {
        match &self.value {
            Value::Text(text) => text.len(),
            Value::List(items) => items.iter().map(Self::text_bytes).sum(),
            Value::Map(entries) => entries.iter().map(|(_, value)| value.text_bytes()).sum(),
            _ => 0,
        }
    }

    /// Returns the value at the end of a path, if it exists.
    pub fn value_at(&self, path: &[PathStep<'_>]) -> Option<&Node> {
        let Some((step, rest)) = path.split_first() else { return Some(self) };
        let inner = match (step, &self.value) {
            (PathStep::Key(key), Value::Map(entries)) => {
                entries.iter().find_map(|(k, value)| (k.text() == Some(key)).then_some(value))
            }
            (PathStep::Index(index), Value::List(items)) => items.get(*index),
            _ => None,
        };
        inner?.value_at(rest)
    }

    /// Returns the line on which its last value begins.
    pub fn last_line(&self) -> u32 {
        let inner = match &self.value {
            Value::List(items) => items.last(),
            Value::Map(entries) => entries.last().map(|(_, value)| value),
            _ => None,
        };
        inner.map_or(self.line, |last| last.last_line().max(self.line))
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Follows a path as far as it exists. If a key is the last step, returns the key's own node. If a key is absent,
    /// returns the mapping.
    pub fn find(&self, path: &[PathStep<'_>]) -> &Node {
        let Some((step, rest)) = path.split_first() else { return self };
        let inner = match (step, &self.value) {
            (PathStep::Key(key), Value::Map(entries)) => entries.iter().find(|(k, _)| k.text() == Some(key)),
            (PathStep::Index(index), Value::List(items)) => {
                return items.get(*index).map_or(self, |item| item.find(rest));
            }
            _ => None,
        };
        match inner {
            Some((key, _)) if rest.is_empty() => key,
            Some((_, value)) => value.find(rest),
            None => self,
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Value>::deserialize(deserializer)?;
        let span = spanned.defined.span();
        let span = (span.byte_offset().unwrap_or(0) as u32, span.byte_len().unwrap_or(0) as u32);
        Ok(Self { span, ..Self::placed(spanned.referenced, spanned.value) })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok(Value::Integer(value.try_into().unwrap_or(i128::MAX)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Real(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        // Keys are always text: `n:` is not a boolean, and `1:` is not a number.
        while let Some((key, value)) = access.next_entry::<Spanned<String>, Node>()? {
            entries.push((Node::placed(key.referenced, Value::Text(key.value)), value));
        }
        Ok(Value::Map(entries))
    }
}
