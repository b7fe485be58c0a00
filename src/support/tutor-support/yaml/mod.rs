/*! The YAML of courses and catalogues. It is read within limits, as a tree in which every key and value has its place.

The typed structures of a course keep only the places of references. The tree has the place of everything else, e.g. of
`pages[3].title`. It also allows `check` to report all mistakes in the form of a file, not only the first one.
*/

mod at;
mod tree;
mod typed;

pub use at::At;
pub use tree::{Node, PathStep, Value};

use crate::text::{forbidden_place, is_forbidden, line as one_line};
use serde::de::DeserializeOwned;

/// Maximum size of a file, in bytes.
pub const MAX_FILE_BYTES: usize = 1 << 20;
/// Maximum number of keys and values in a file.
pub const MAX_NODES: usize = 100_000;
/// Maximum nesting depth of values.
pub const MAX_DEPTH: usize = 40;
/// Maximum number of aliases, which repeat an anchor.
const MAX_ALIASES: usize = 1000;

/// Why a text cannot be read as YAML, and where. Its texts contain no forbidden characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The rule that is broken, e.g. `duplicate-key`.
    pub code: &'static str,
    /// 1-based; 0 if unknown.
    pub line: u32,
    /// 1-based, in characters; 0 if unknown.
    pub column: u32,
    /// Number of characters to underline, at least 1.
    pub length: u32,
    /// What is wrong, as a sentence.
    pub message: String,
    /// What to do; may be empty.
    pub help: &'static str,
}

/// Reads YAML within the limits of a file.
///
/// # Errors
/// If the text is not YAML, exceeds a limit, repeats a key, or contains a character that must not reach a terminal.
pub fn read(text: &str) -> Result<Node, Fault> {
    if let Some(place) = forbidden_place(text) {
        return Err(forbidden(place));
    }
    let mut node = parse(text).map_err(|error| {
        let fault = fault(&error);
        Some(&fault).filter(|fault| fault.code == "yaml").and_then(|fault| cause(text, fault)).unwrap_or(fault)
    })?;
    node.note_written(text);
    // Most files have nothing that can hide a forbidden character in a value, and no tab.
    let hidden = ['\\', '\r', '\u{feff}'].into_iter().any(|sign| text.contains(sign));
    let in_text = hidden.then(|| forbidden_text(&node)).flatten();
    let tab = || text.contains('\t').then(|| tab_before_key(&node, &text.lines().collect::<Vec<_>>())).flatten();
    match in_text.or_else(tab) {
        Some(fault) => Err(fault),
        None => Ok(node),
    }
}

/// Reads a typed value within the same limits.
pub fn read_typed<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    typed(&read(text)?)
}

/// Converts a tree to a typed value.
pub fn typed<T: DeserializeOwned>(tree: &Node) -> Result<T, Fault> {
    typed::typed(tree).map_err(|error| {
        let message = format!("This has the wrong form: {}.", error.message.trim_end_matches('.'));
        Fault::new("wrong-type", error.place, &message, "")
    })
}

/// Runs the parser. All callers share this one instantiation of its generic code.
fn parse(text: &str) -> Result<Node, serde_yaml::Error> {
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_depth: MAX_DEPTH,
            // Larger than the depth limit, so that both kinds of nesting give the same error.
            flow_nesting_limit: 4 * MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_events: 4 * MAX_NODES,
            max_anchors: 100,
            max_aliases: MAX_ALIASES,
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

impl std::fmt::Display for Fault {
    /// `LINE:COLUMN: SENTENCE`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl Fault {
    fn new(code: &'static str, (line, column): (u32, u32), message: &str, help: &'static str) -> Self {
        Self { code, line, column, length: 1, message: one_line(message).into_owned(), help }
    }
}

/// Makes the fault for a forbidden character.
pub fn forbidden((line, column, c): (u32, u32, char)) -> Fault {
    let message = format!("The character U+{:04X} must not be in a course: it can deceive a terminal.", u32::from(c));
    Fault::new("control-character", (line, column), &message, "Remove it.")
}

/// Finds the first text that contains a forbidden character written as an escape, e.g. `"\x1b"`. The file itself
/// contains no such character.
fn forbidden_text(node: &Node) -> Option<Fault> {
    match &node.value {
        Value::Text(text) => {
            // A carriage return and a byte-order mark are allowed in a file, but not in a value.
            let stray = text.chars().find(|&c| matches!(c, '\r' | '\u{feff}') && is_forbidden(c));
            let found = stray.or_else(|| forbidden_place(text).map(|(_, _, c)| c));
            found.map(|c| forbidden((node.line, node.column, c)))
        }
        Value::List(items) => items.iter().find_map(forbidden_text),
        Value::Map(entries) => {
            entries.iter().find_map(|(key, value)| forbidden_text(key).or_else(|| forbidden_text(value)))
        }
        _ => None,
    }
}

const BLANKS: &str = "Replace each tab with two spaces.";

/// Returns the cause of a fault, if a line near it shows one. The parser notices it late, or reports another mistake.
fn cause(text: &str, fault: &Fault) -> Option<Fault> {
    let begins = |sign: &str| text.lines().position(|line| line.starts_with(sign));
    if let Some(index) = begins("<<<<<<< ").or_else(|| begins(">>>>>>> ")) {
        let help = "Keep one of the two versions, and remove the lines `<<<<<<<`, `=======` and `>>>>>>>`.";
        return Some(Fault::new("yaml", (index as u32 + 1, 1), "Git left a merge conflict here.", help));
    }
    let from = fault.line.saturating_sub(2) as usize;
    let near = (1..).zip(text.lines()).skip(from).take(fault.line as usize + 2 - from);
    near.filter_map(|(number, line)| cause_in(number, line)).next()
}

fn cause_in(number: u32, line: &str) -> Option<Fault> {
    let content = line.trim_start();
    let spaces = line.chars().take_while(|c| *c == ' ').count() as u32;
    let fault = |column, message: &str, help| Some(Fault::new("yaml", (number, column), message, help));
    match line.trim_start_matches(' ').chars().next() {
        Some('\t') => fault(spaces + 1, &format!("Line {number} is indented by a tab; YAML needs spaces."), BLANKS),
        Some(c) if c.is_whitespace() => {
            let message =
                format!("Line {number} is indented by the character U+{:04X}, which is not a space.", u32::from(c));
            fault(spaces + 1, &message, "Delete the indentation, and type it again with the space bar.")
        }
        Some('-') if content[1..].starts_with(char::is_alphabetic) && content.contains(':') => {
            fault(spaces + 1, "A space is missing after the dash.", "Write `- id: …`, with a space.")
        }
        _ => None,
    }
}

/// Finds the first key with a tab before it, as in `-<TAB>id: a`. Other readers refuse it.
fn tab_before_key(node: &Node, lines: &[&str]) -> Option<Fault> {
    let indentation = |key: &Node| {
        let line = lines.get((key.line as usize).checked_sub(1)?)?;
        let before: String = line.chars().take((key.column as usize).checked_sub(1)?).collect();
        let tab = before.find('\t').filter(|_| before.chars().all(|c| matches!(c, ' ' | '-' | '\t')))?;
        let message = format!("Line {} is indented by a tab; YAML needs spaces.", key.line);
        Some(Fault::new("yaml", (key.line, tab as u32 + 1), &message, BLANKS))
    };
    match &node.value {
        Value::List(items) => items.iter().find_map(|item| tab_before_key(item, lines)),
        Value::Map(entries) => {
            entries.iter().find_map(|(key, value)| indentation(key).or_else(|| tab_before_key(value, lines)))
        }
        _ => None,
    }
}

fn fault(error: &serde_yaml::Error) -> Fault {
    use serde_yaml::Error;
    let location = error.location();
    let at = location.map_or((0, 0), |at| (at.line() as u32, at.column() as u32));
    let mut innermost = error.without_snippet();
    while let Error::AliasError { error, .. } = innermost {
        innermost = error.without_snippet();
    }
    let fault = match innermost {
        Error::DuplicateMappingKey { key, .. } => {
            let key = key.as_deref().unwrap_or("?");
            Fault::new("duplicate-key", at, &format!("The field `{key}` is given twice."), "Keep one of the two.")
        }
        Error::MultipleDocuments { .. } => Fault::new(
            "yaml",
            at,
            "A course file is one YAML document; this one has several.",
            "Remove the line `---` between them.",
        ),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => Fault::new(
            "too-large",
            at,
            "The file is nested too deeply, holds too many values, or repeats an anchor too often.",
            "Make it simpler. A course file needs a few thousand values.",
        ),
        Error::NonFiniteFloat { value, .. } => {
            Fault::new("wrong-type", at, &format!("`{value}` is not a finite number."), "")
        }
        _ => {
            let message = plain_message(error);
            let help = yaml_help(&message);
            Fault::new("yaml", at, &format!("This is not YAML that can be read: {message}."), help)
        }
    };
    Fault { length: location.map_or(1, |at| at.span().len() as u32).clamp(1, 80), ..fault }
}

/// Returns advice for the usual cause of a parser message.
fn yaml_help(message: &str) -> &'static str {
    let causes = [
        ("unclosed bracket", "Close it; a text that begins with a bracket needs quotes."),
        ("tabs", "Indent with spaces: YAML allows no tab there."),
        ("quoted", "A quote in this line or an earlier one is not closed."),
        (
            "mapping values",
            "If the text itself contains `: `, put it in quotes. Otherwise check the indentation, and the space after each dash.",
        ),
        ("placement of ':'", "An earlier `[` or `{` is not closed, or the text itself contains `: ` and needs quotes."),
        ("flow", "An earlier `[` or `{` is not closed; a text that begins with one needs quotes."),
        ("block collection", "Indent the line exactly like its neighbours."),
        ("block mapping", "Indent the line exactly like its neighbours."),
        ("simple key", "A field needs `: ` between its name and its value."),
        ("anchor", "A text that begins with `*` or `&` needs quotes."),
        ("unexpected character", "A text that begins with this character needs quotes."),
        ("block scalar", "Nothing may follow `|` or `>`. The text begins in the next line, indented."),
    ];
    let fitting = causes.iter().find(|(words, _)| message.contains(words));
    fitting.map_or("Check this line and the previous one: indentation, quotes, `: ` after a name.", |(_, help)| help)
}

/// Returns the parser's message without its place, which is shown separately.
fn plain_message(error: &serde_yaml::Error) -> String {
    let message = error.without_snippet().render();
    let end = message.rfind(" at line ").unwrap_or(message.len());
    message[..end].trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_and_value_has_its_place() {
        let text = "pages:\n  - id: a\n    show:\n      code: {kernel: k, notes: [x]}\n";
        let tree = read(text).unwrap();
        let place = |path: &[PathStep<'_>]| (tree.find(path).line, tree.find(path).column);
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
            ("a:\n  - id: b\n\ttitle: c\n", "yaml", 3, 1),
            ("a:\n  b: c\n  \td: e\n", "yaml", 3, 3),
            ("a:\n  -\tid: b\n", "yaml", 2, 4),
            ("a:\n  - id: b\n\u{a0} - id: c\n    title: d\n", "yaml", 3, 1),
            ("a:\n  - id: b\n  -id: c\n", "yaml", 3, 3),
            ("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> other\n", "yaml", 2, 1),
            ("a: *nobody", "yaml", 1, 4),
            ("---\na: 1\n---\nb: 2\n", "yaml", 4, 1),
            ("a: \"\\e[31m\"", "control-character", 1, 4),
            ("a: \"b\\r\"", "control-character", 1, 4),
            ("a: \"\\uFEFFb\"", "control-character", 1, 4),
            ("a: b\n c\u{202e}: d", "control-character", 2, 3),
        ] {
            let problem = read(text).unwrap_err();
            assert_eq!((problem.code, problem.line, problem.column), (code, line, column), "{text:?}: {problem:?}");
        }
    }

    #[test]
    fn the_help_names_the_cause() {
        for (text, help) in [
            ("a:\n  -\tid: b\n", BLANKS),
            ("a:\n  - id: b\n\u{a0} - id: c\n    title: d\n", "type it again with the space bar"),
            ("a:\n  - id: b\n  -id: c\n", "with a space"),
            ("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> other\n", "Keep one of the two versions"),
            ("a: 1\n<<<<<<< HEAD\nb: 2\n", "Keep one of the two versions"),
        ] {
            let fault = read(text).unwrap_err();
            assert!(fault.help.contains(help), "{text:?}: {fault:?}");
        }
        // In a flow mapping and in a text, a tab does no harm.
        assert!(read("a: {b: 1,\tc: 2}\nd: |\n  x\n  \ty\n").is_ok());
    }

    #[test]
    fn a_joiner_between_two_signs_is_text() {
        assert!(read("a: \u{1f469}\u{200d}\u{1f4bb}").is_ok());
        assert_eq!(read("a: b\u{200d}c").unwrap_err().code, "control-character");
    }

    #[test]
    fn names_that_older_yaml_took_for_booleans_are_text() {
        let tree = read("n: no\ny: [on, off, yes, true]\n").unwrap();
        assert_eq!(tree.find(&["n".into()]).line, 1);
        let Value::Map(entries) = &tree.value else { panic!("a mapping") };
        assert_eq!(entries[0].1.value, Value::Text("no".to_owned()));
        assert_eq!(entries[1].1.find(&[3.into()]).value, Value::Bool(true));
    }

    #[test]
    fn bombs_are_stopped() {
        let deep = "[".repeat(100_000);
        assert!(read(&deep).is_err());
        let block: String = (0..200).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        assert_eq!(read(&block).unwrap_err().code, "too-large");
        let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let last = level - 1;
            laughs.push_str(&format!("a{level}: &a{level} [{}*a{last}]\n", format!("*a{last}, ").repeat(9)));
        }
        assert_eq!(read(&laughs).unwrap_err().code, "too-large");
        let many = "- x\n".repeat(200_000);
        assert_eq!(read(&many).unwrap_err().code, "too-large");
    }
}
