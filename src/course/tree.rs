/*! A YAML file as a tree in which every key and value knows its place.

The typed structures of a course keep places only where references stand. The tree answers "where
is `pages[3].title`?" for everything else, and lets the shape of a file be checked as a whole
instead of up to its first mistake.
*/

use super::problem::Problem;
use super::spanned::At;
use super::text::is_forbidden;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Largest course file, in bytes.
pub const MAX_FILE_BYTES: usize = 1 << 20;
const MAX_DEPTH: usize = 40;
const MAX_NODES: usize = 100_000;

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Line, 1-based.
    pub line: u32,
    /// Column, 1-based.
    pub column: u32,
    /// What it is.
    pub value: Value,
}

/// A YAML value, read without a schema.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing, `null` or `~`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// Any other number.
    Real(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping, in the order of the file.
    Map(Vec<(Node, Node)>),
}

/// A step from a node to one inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// Into a mapping.
    Key(&'a str),
    /// Into a list.
    Index(usize),
}

impl<'a> From<&'a str> for Step<'a> {
    fn from(key: &'a str) -> Self {
        Self::Key(key)
    }
}

impl From<usize> for Step<'_> {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl Node {
    /// The value at the end of a path, if that exists.
    pub fn value_at(&self, path: &[Step<'_>]) -> Option<&Node> {
        let Some((step, rest)) = path.split_first() else { return Some(self) };
        let inner = match (step, &self.value) {
            (Step::Key(key), Value::Map(entries)) => {
                entries.iter().find_map(|(k, value)| (k.text() == Some(key)).then_some(value))
            }
            (Step::Index(index), Value::List(items)) => items.get(*index),
            _ => None,
        };
        inner?.value_at(rest)
    }

    /// The line on which the last of its values begins.
    pub fn last_line(&self) -> u32 {
        let inner = match &self.value {
            Value::List(items) => items.last(),
            Value::Map(entries) => entries.last().map(|(_, value)| value),
            _ => None,
        };
        inner.map_or(self.line, |last| last.last_line().max(self.line))
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Follows a path as far as it exists. A key that is absent, or is the last step, ends at the key's
    /// own place or, if absent, at the mapping.
    pub fn find(&self, path: &[Step<'_>]) -> &Node {
        let Some((step, rest)) = path.split_first() else { return self };
        let inner = match (step, &self.value) {
            (Step::Key(key), Value::Map(entries)) => entries.iter().find(|(k, _)| k.text() == Some(key)),
            (Step::Index(index), Value::List(items)) => return items.get(*index).map_or(self, |item| item.find(rest)),
            _ => None,
        };
        match inner {
            Some((key, _)) if rest.is_empty() => key,
            Some((_, value)) => value.find(rest),
            None => self,
        }
    }
}

/// Reads YAML within the limits of a course file.
///
/// # Errors
/// A problem with its place if the text is not YAML, goes beyond the limits, repeats a key,
/// or holds a character that must not reach a terminal.
pub fn read(file: &str, text: &str) -> Result<Node, Box<Problem>> {
    if let Some(place) = forbidden_place(text) {
        return Err(Box::new(forbidden(file, text, place)));
    }
    let node: Node = parse(text).map_err(|error| Box::new(yaml_problem(file, text, &error)))?;
    if let Some((node, c)) = forbidden_text(&node) {
        // Written as an escape such as "\x1b": the file is clean, the value is not.
        return Err(Box::new(forbidden(file, text, (node.line, node.column, c))));
    }
    Ok(node)
}

/// Reads a typed value within the same limits.
///
/// # Errors
/// If the text is not YAML or does not fit the type.
pub fn read_typed<T: serde::de::DeserializeOwned>(file: &str, text: &str) -> Result<T, Box<Problem>> {
    parse(text).map_err(|error| Box::new(yaml_problem(file, text, &error)))
}

fn parse<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, serde_yaml::Error> {
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_depth: MAX_DEPTH,
            // Above the depth, so that both kinds of nesting are told as one kind of mistake.
            flow_nesting_limit: 4 * MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_events: 4 * MAX_NODES,
            max_anchors: 100,
            max_aliases: 1000,
            max_documents: 8,
            max_total_scalar_bytes: 4 * MAX_FILE_BYTES,
        },
        alias_limits: serde_yaml::alias_limits! { max_total_replayed_events: MAX_NODES },
        // Only `true` and `false` are booleans, so that `y`, `n`, `on` and `no` can be names and answers.
        strict_booleans: true,
        with_snippet: false,
    };
    serde_yaml::from_str_with_options(text, options)
}

fn forbidden(file: &str, text: &str, (line, column, c): (u32, u32, char)) -> Problem {
    let message = format!("The character U+{:04X} must not be in a course: it can deceive a terminal.", u32::from(c));
    Problem::error("control-character", file, message).help("Remove it.").at(text, line, column, 1)
}

fn forbidden_place(text: &str) -> Option<(u32, u32, char)> {
    // A carriage return is fine where it ends a line; a byte-order mark where the file begins.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.split('\n').zip(1..).find_map(|(line, number)| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        line.chars().zip(1..).find(|&(c, _)| is_forbidden(c)).map(|(c, column)| (number, column, c))
    })
}

fn forbidden_text(node: &Node) -> Option<(&Node, char)> {
    match &node.value {
        Value::Text(text) => text.chars().find(|&c| is_forbidden(c)).map(|c| (node, c)),
        Value::List(items) => items.iter().find_map(forbidden_text),
        Value::Map(entries) => {
            entries.iter().find_map(|(key, value)| forbidden_text(key).or_else(|| forbidden_text(value)))
        }
        _ => None,
    }
}

fn yaml_problem(file: &str, text: &str, error: &serde_yaml::Error) -> Problem {
    use serde_yaml::Error;
    let location = error.location();
    let (line, column) = location.map_or((0, 0), |at| (at.line() as u32, at.column() as u32));
    let length = location.map_or(1, |at| at.span().len() as u32);
    let mut innermost = error.without_snippet();
    while let Error::AliasError { error, .. } = innermost {
        innermost = error.without_snippet();
    }
    let problem = match innermost {
        Error::DuplicateMappingKey { key, .. } => {
            let key = key.as_deref().unwrap_or("?");
            Problem::error("duplicate-key", file, format!("The field `{key}` is given twice."))
                .help("Keep one of the two.")
        }
        Error::MultipleDocuments { .. } => {
            Problem::error("yaml", file, "A course file is one YAML document; this one has several.")
                .help("Remove the line `---` between them.")
        }
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => Problem::error(
            "too-large",
            file,
            "The file is nested too deeply, holds too many values, or repeats an anchor too often.",
        )
        .help("Write it out more simply; a course file needs a few thousand values."),
        Error::NonFiniteFloat { value, .. } => {
            Problem::error("wrong-type", file, format!("`{value}` is not a finite number."))
        }
        _ => {
            let message = plain_message(error);
            let help = yaml_help(&message);
            Problem::error("yaml", file, format!("This is not YAML that can be read: {message}.")).help(help)
        }
    };
    problem.at(text, line, column, length.min(80))
}

/// What usually lies behind a sentence of the parser.
fn yaml_help(message: &str) -> &'static str {
    let causes = [
        ("unclosed bracket", "Close it; a text that begins with a bracket needs quotes."),
        ("tabs", "Indent with blanks: YAML allows no tab there."),
        ("quoted", "A quote that was opened in this line or one above is not closed."),
        (
            "mapping values",
            "If the text itself contains `: `, put it in quotes. Else look at the indentation, and for a blank behind each dash.",
        ),
        (
            "placement of ':'",
            "A `[` or `{` that was opened above is not closed, or the text itself contains `: ` and needs quotes.",
        ),
        ("flow", "A `[` or `{` that was opened above is not closed; a text that begins with one needs quotes."),
        ("block collection", "Indent the line exactly like its neighbours."),
        ("block mapping", "Indent the line exactly like its neighbours."),
        ("simple key", "A field needs `: ` between its name and its value."),
        ("anchor", "A text that begins with `*` or `&` needs quotes."),
        ("unexpected character", "A text that begins with this character needs quotes."),
        ("block scalar", "Behind `|` or `>` nothing may stand; the text begins in the next line, indented."),
    ];
    let fitting = causes.iter().find(|(words, _)| message.contains(words));
    fitting.map_or("Look at this line and the one above: indentation, quotes, `: ` behind a name.", |(_, help)| help)
}

/// The parser's sentence without its place, which is shown anyhow.
fn plain_message(error: &serde_yaml::Error) -> String {
    let message = error.without_snippet().render();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    message[..end].trim_end_matches('.').to_owned()
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let At { value, line, column } = At::<Value>::deserialize(deserializer)?;
        Ok(Self { line, column, value })
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
        // A key is text, whatever it looks like: `n:` is no boolean and `1:` no number.
        while let Some((key, value)) = access.next_entry::<At<String>, Node>()? {
            let At { value: name, line, column } = key;
            entries.push((Node { line, column, value: Value::Text(name) }, value));
        }
        Ok(Value::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_and_value_has_its_place() {
        let text = "pages:\n  - id: a\n    show:\n      code: {kernel: k, notes: [x]}\n";
        let tree = read("f", text).unwrap();
        let place = |path: &[Step<'_>]| (tree.find(path).line, tree.find(path).column);
        assert_eq!(place(&["pages".into(), 0.into(), "id".into()]), (2, 5));
        assert_eq!(place(&["pages".into(), 0.into(), "show".into(), "code".into(), "kernel".into()]), (4, 14));
        assert_eq!(place(&["pages".into(), 0.into(), "title".into()]), (2, 5), "an absent key: its mapping");
        assert_eq!(place(&["nowhere".into(), 7.into()]), (1, 1));
    }

    #[test]
    fn what_is_not_yaml_is_a_problem_with_a_place_and_never_a_panic() {
        for (text, code, line, column) in [
            ("a: 1\na: 2\n", "duplicate-key", 2, 1),
            ("a: b: c", "yaml", 1, 5),
            ("a: [1\n", "yaml", 1, 4),
            ("a: *nobody", "yaml", 1, 4),
            ("---\na: 1\n---\nb: 2\n", "yaml", 4, 1),
            ("a: \"\\e[31m\"", "control-character", 1, 4),
            ("a: b\n c\u{202e}: d", "control-character", 2, 3),
        ] {
            let problem = read("f", text).unwrap_err();
            assert_eq!((problem.code, problem.line, problem.column), (code, line, column), "{text:?}: {problem}");
        }
    }

    #[test]
    fn names_that_older_yaml_took_for_booleans_are_text() {
        let tree = read("f", "n: no\ny: [on, off, yes, true]\n").unwrap();
        assert_eq!(tree.find(&["n".into()]).line, 1);
        let Value::Map(entries) = &tree.value else { panic!("a mapping") };
        assert_eq!(entries[0].1.value, Value::Text("no".to_owned()));
        assert_eq!(entries[1].1.find(&[3.into()]).value, Value::Bool(true));
    }

    #[test]
    fn bombs_are_stopped() {
        let deep = "[".repeat(100_000);
        assert!(read("f", &deep).is_err());
        let block: String = (0..200).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        assert_eq!(read("f", &block).unwrap_err().code, "too-large");
        let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let last = level - 1;
            laughs.push_str(&format!("a{level}: &a{level} [{}*a{last}]\n", format!("*a{last}, ").repeat(9)));
        }
        assert_eq!(read("f", &laughs).unwrap_err().code, "too-large");
        let many = "- x\n".repeat(200_000);
        assert_eq!(read("f", &many).unwrap_err().code, "too-large");
    }
}
