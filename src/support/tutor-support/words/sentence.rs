//! Sentences that are not translated yet, and their arguments.

use super::{ENGLISH, Words, current, recognise};
use fluent_bundle::types::{FluentNumber, FluentNumberOptions};
use fluent_bundle::{FluentArgs, FluentValue};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error as _, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;

/// A sentence that is not translated yet: what a library returns as an error or a note, and what a worker sends.
///
/// [`Display`](std::fmt::Display) translates it into the [`current`] language. In JSON, a verbatim text is a string, a
/// row of sentences is an array, and a keyed sentence is an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Sentence {
    /// Text that no catalogue has: a name, or a message of a driver, a compiler or the emulator.
    Verbatim(String),
    /// Several sentences, written one after the other without a separator.
    Row(Box<[Sentence]>),
    /// A sentence of the catalogues. [`sentence!`](crate::sentence) makes it.
    Keyed(Box<Keyed>),
}

/// A key of the catalogues, with arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keyed {
    pub key: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub with: BTreeMap<Cow<'static, str>, Value>,
}

/// An argument of a [`Sentence`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Chooses plural forms; always finite.
    Number(f64),
    /// A text or another sentence.
    Words(Sentence),
}

// `PartialEq` is an equivalence here, because numbers are finite.
impl Eq for Value {}

impl<'de> Deserialize<'de> for Sentence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Words(sentence) => Ok(sentence),
            Value::Number(number) => Err(D::Error::invalid_type(Unexpected::Float(number), &"a sentence")),
        }
    }
}

// A derived implementation would copy the rest of the text at each level of nesting.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a number, a text, a list or a key with arguments")
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.value())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.value())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.value())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.value())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<Value, A::Error> {
        Box::deserialize(SeqAccessDeserializer::new(parts)).map(|parts| Value::Words(Sentence::Row(parts)))
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Value, A::Error> {
        let keyed = Keyed::deserialize(MapAccessDeserializer::new(fields))?;
        Ok(Value::Words(Sentence::Keyed(Box::new(keyed))))
    }
}

/// Maximum number of characters of a sentence that is an argument of another one. A sentence from a worker may be nested
/// deeply, and some catalogue entries name an argument twice.
pub(super) const MAX_ARGUMENT_CHARS: usize = 1 << 16;

impl Sentence {
    /// Makes a sentence without arguments from a key that the program computes.
    pub fn of_key(key: String) -> Self {
        Self::Keyed(Box::new(Keyed { key: key.into(), with: BTreeMap::new() }))
    }

    /// Translates the sentence, into English if the language lacks it. If no catalogue has the key, returns the key
    /// with the arguments: the worker may have a newer catalogue.
    pub fn translate(&self, words: &Words) -> String {
        let Keyed { key, with } = match self {
            Self::Verbatim(text) => return text.clone(),
            Self::Row(parts) => return parts.iter().map(|part| part.translate(words)).collect(),
            Self::Keyed(keyed) => &**keyed,
        };
        let arguments: FluentArgs = with.iter().map(|(name, value)| (&**name, value.translate(name, words))).collect();
        let found = words.find(key, &arguments).or_else(|| Words::of(ENGLISH).find(key, &arguments));
        found.unwrap_or_else(|| {
            let values: Vec<String> = with.values().map(|value| value.text(words).into_owned()).collect();
            if values.is_empty() { key.clone().into_owned() } else { format!("{key}: {}", values.join(", ")) }
        })
    }
}

impl std::fmt::Display for Sentence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.translate(current()))
    }
}

impl Value {
    /// Returns the argument `name` for Fluent.
    fn translate(&self, name: &str, words: &Words) -> FluentValue<'_> {
        match self {
            Self::Number(number) => {
                let use_grouping = !matches!(name, "line" | "seed");
                let options = FluentNumberOptions { use_grouping, ..Default::default() };
                FluentValue::Number(FluentNumber::new(*number, options))
            }
            Self::Words(_) => FluentValue::String(self.text(words)),
        }
    }

    fn text(&self, words: &Words) -> Cow<'_, str> {
        match self {
            Self::Number(number) => Cow::Owned(number.to_string()),
            Self::Words(Sentence::Verbatim(text)) => Cow::Borrowed(text),
            Self::Words(sentence) => {
                let mut text = sentence.translate(words);
                if let Some((end, _)) = text.char_indices().nth(MAX_ARGUMENT_CHARS) {
                    text.truncate(end);
                }
                Cow::Owned(text)
            }
        }
    }
}

impl<T: Into<Sentence>> std::ops::Add<T> for Sentence {
    type Output = Self;

    /// Appends a sentence without a separator.
    fn add(self, next: T) -> Self {
        let mut parts = match self {
            Self::Row(parts) => parts.into_vec(),
            first => vec![first],
        };
        parts.push(next.into());
        Self::Row(parts.into())
    }
}

impl Default for Sentence {
    fn default() -> Self {
        Self::Verbatim(String::new())
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Self::Verbatim(text)
    }
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Self {
        Self::Verbatim(text.to_owned())
    }
}

impl From<Sentence> for String {
    /// Translates into the current language.
    fn from(sentence: Sentence) -> Self {
        sentence.to_string()
    }
}

impl From<&Sentence> for Sentence {
    fn from(sentence: &Sentence) -> Self {
        sentence.clone()
    }
}

impl From<&io::Error> for Sentence {
    /// Returns the sentence that `io::Error::other` wrapped, or the operating system's message.
    fn from(error: &io::Error) -> Self {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<Self>());
        inner.cloned().unwrap_or_else(|| recognise("system-says", &error.to_string()))
    }
}

impl From<io::Error> for Sentence {
    fn from(error: io::Error) -> Self {
        (&error).into()
    }
}

impl std::error::Error for Sentence {}

/// A type that can be an argument of a sentence.
pub trait Argument {
    /// Returns the argument as a value.
    fn value(&self) -> Value;
}

impl Argument for str {
    fn value(&self) -> Value {
        Value::Words(self.into())
    }
}

impl Argument for String {
    fn value(&self) -> Value {
        self.as_str().value()
    }
}

impl Argument for Cow<'_, str> {
    fn value(&self) -> Value {
        (**self).value()
    }
}

impl Argument for char {
    fn value(&self) -> Value {
        Value::Words(self.to_string().into())
    }
}

impl Argument for Sentence {
    fn value(&self) -> Value {
        Value::Words(self.clone())
    }
}

impl Argument for io::Error {
    fn value(&self) -> Value {
        Value::Words(self.into())
    }
}

impl<T: Argument + ?Sized> Argument for &T {
    fn value(&self) -> Value {
        (**self).value()
    }
}

impl Argument for f64 {
    fn value(&self) -> Value {
        // JSON cannot represent infinity and NaN.
        if self.is_finite() { Value::Number(*self) } else { Value::Words(self.to_string().into()) }
    }
}

macro_rules! integers {
    ($($number:ty)*) => {
        $(impl Argument for $number {
            fn value(&self) -> Value {
                // Fluent's numbers are `f64`.
                Value::Number(*self as f64)
            }
        })*
    };
}

integers!(u8 u16 u32 u64 usize i32 i64);
