//! Collects the problems of one file with their places. The kinds of questions and `check` use it.

use super::{At, File, MAX_FILE_PROBLEMS, Problem, Severity};
use pulldown_cmark::{Alignment, Event, Options, Parser, Tag};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use tutor_support::text::nearest;
use tutor_support::yaml::{Node, PathStep, Value};

/// The place of a problem in a file.
pub enum Location<'p> {
    /// At a value whose place is known.
    Known { line: u32, column: u32, length: u32 },
    /// At the end of a path, or at the last node of the path that exists.
    Path(&'p Path<'p>),
}

impl From<&At<String>> for Location<'_> {
    fn from(at: &At<String>) -> Self {
        let length = at.value.lines().next().map_or(1, |line| line.chars().count().clamp(1, 80));
        Self::Known { line: at.line, column: at.column, length: length as u32 }
    }
}

impl From<&At<u32>> for Location<'_> {
    fn from(at: &At<u32>) -> Self {
        Self::Known { line: at.line, column: at.column, length: at.value.to_string().len() as u32 }
    }
}

impl<'p> From<&'p Path<'p>> for Location<'p> {
    fn from(path: &'p Path<'p>) -> Self {
        Self::Path(path)
    }
}

/// A path into a file.
#[derive(Debug, Clone, Default)]
pub struct Path<'p>(Vec<PathStep<'p>>);

impl<'p> Path<'p> {
    /// Returns the path extended by one step.
    pub fn to(&self, step: impl Into<PathStep<'p>>) -> Self {
        let mut steps = self.0.clone();
        steps.push(step.into());
        Self(steps)
    }

    /// Returns the path without its last `steps` steps.
    pub fn up(&self, steps: usize) -> Self {
        Self(self.0[..self.0.len().saturating_sub(steps)].to_vec())
    }
}

/// Collects the problems of one file.
pub struct Lint<'a> {
    file: &'a str,
    text: &'a str,
    tree: Node,
    /// Lines at which something was left out because of its form.
    left_out: Vec<u32>,
    found: Vec<Problem>,
    /// Returns the severity of a rule by its code.
    severity: fn(&str) -> Severity,
}

impl<'a> Lint<'a> {
    pub fn new<T>(file: &'a File<T>, severity: fn(&str) -> Severity) -> Self {
        let left_out = file.problems.iter().map(|problem| problem.line).collect();
        Self { file: &file.name, text: &file.text, tree: file.tree(), left_out, found: Vec::new(), severity }
    }

    /// True if something in the value at this path was left out because of its form. That mistake is already reported,
    /// so do not report what is missing because of it.
    pub fn is_damaged(&self, path: &Path<'_>) -> bool {
        let Some(node) = self.tree.value_at(&path.0) else { return true };
        // The part that was left out may have been the last line of the value.
        let lines = node.line..=node.last_line() + 1;
        self.left_out.iter().any(|line| lines.contains(line))
    }

    pub fn into_problems(self) -> Vec<Problem> {
        self.found
    }

    pub fn report<'p>(
        &mut self,
        code: &'static str,
        at: impl Into<Location<'p>>,
        message: impl std::fmt::Display,
        help: impl AsRef<str>,
    ) {
        if self.found.len() >= MAX_FILE_PROBLEMS {
            return;
        }
        let mut problem = Problem::error(code, self.file, message);
        problem.severity = (self.severity)(code);
        if !help.as_ref().is_empty() {
            problem = problem.help(help);
        }
        let problem = match at.into() {
            Location::Known { line, column, length } => problem.at(self.text, line, column, length),
            Location::Path(path) => {
                let node = self.tree.find(&path.0);
                let length = match &node.value {
                    Value::Text(text) if !text.contains('\n') => text.chars().count().clamp(1, 80),
                    _ => 1,
                };
                problem.at(self.text, node.line, node.column, length as u32)
            }
        };
        self.found.push(problem);
    }

    /// Returns the place that is `offset` bytes into a one-line text, e.g. an expression.
    pub fn inside(&self, at: &At<String>, offset: usize) -> Location<'static> {
        let before = at.value.get(..offset).unwrap_or(&at.value);
        // In a quoted text, the opening quote precedes the first character.
        let line = (at.line as usize).checked_sub(1).and_then(|index| self.text.lines().nth(index)).unwrap_or("");
        let quoted = line.chars().nth((at.column as usize).saturating_sub(1)).is_some_and(|c| matches!(c, '"' | '\''));
        let column = at.column + before.chars().count() as u32 + u32::from(quoted);
        if before.contains('\n') || column as usize > line.chars().count() + 1 {
            return Location::from(at);
        }
        Location::Known { line: at.line, column, length: 1 }
    }

    /// Checks that the numbers in the value at a path are within the ranges of `schema`, the schema of its type.
    pub fn ranges(&mut self, code: &'static str, path: &Path<'_>, schema: &Json) {
        let mut found = Vec::new();
        if let Some(node) = self.tree.value_at(&path.0) {
            out_of_range(schema, schema, (node, "", node), &mut found);
        }
        for (line, column, message, help) in found {
            self.report(code, Location::Known { line, column, length: 1 }, message, help);
        }
    }

    /// Checks the texts of a list, which must differ. `what` names the items, e.g. "choice".
    pub fn texts<'t>(&mut self, code: &'static str, what: &str, texts: impl Iterator<Item = &'t str>, path: &Path<'_>) {
        let mut seen = BTreeSet::new();
        for (index, text) in texts.enumerate() {
            let path = path.to(index).to("text");
            self.text(&format!("The {what}"), text, &path);
            self.markdown(text, &path);
            if !seen.insert(text.trim()) {
                self.report(code, &path, format!("Two {what}s have the same text."), "");
            }
        }
    }

    /// Checks that ids are well formed and unique. `what` names the items, e.g. "page".
    pub fn ids<'i>(&mut self, what: &str, ids: impl IntoIterator<Item = &'i At<String>> + Clone) {
        self.formed(what, ids.clone());
        let mut seen = BTreeSet::new();
        for id in ids {
            if !seen.insert(id.value.as_str()) {
                self.report("duplicate-id", id, twice(what, id), TWICE);
            }
        }
    }

    /// Checks that ids are well formed.
    pub fn formed<'i>(&mut self, what: &str, ids: impl IntoIterator<Item = &'i At<String>>) {
        for id in ids {
            if !is_id(&id.value) {
                let message = format!("`{}` cannot be the id of a {what}.", id.value);
                let help = "Use lower-case letters, digits, hyphens and underscores, at most 60.";
                self.report("bad-id", id, message, help);
            }
        }
    }

    /// Checks that a text is not empty, and that no comment cuts it.
    pub fn text(&mut self, what: &str, text: &str, path: &Path<'_>) {
        self.whole(path);
        if text.trim().is_empty() {
            self.report("empty-text", path, format!("{what} is empty."), "");
        }
    }

    /// Checks that Markdown contains only what the tutor can render, and that no comment cuts it. Each kind of unsupported
    /// element is reported once per text.
    pub fn markdown(&mut self, text: &str, path: &Path<'_>) {
        self.whole(path);
        let known = Options::ENABLE_TABLES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_MATH;
        let mut told = BTreeSet::new();
        for (event, range) in Parser::new_ext(text, known).into_offset_iter() {
            if let Event::Start(Tag::Emphasis | Tag::Strong) = event
                && told.insert(CODE)
                && let Some(code) = code_as_emphasis(text, &range)
            {
                let shown: String = code.chars().filter(|c| !"*_".contains(*c)).collect();
                let message = format!("The text contains `{code}`, which Markdown shows as `{shown}`.");
                self.report("markdown", path, message, CODE);
            }
            let (what, help) = match event {
                // Markdown removes the backslash.
                Event::Text(_)
                    if text[..range.start].ends_with('\\') && text[range.start..].starts_with(['(', '[']) =>
                {
                    let formula: String = text[range.start - 1..].chars().take_while(|c| *c != '\n').take(20).collect();
                    (format!("a formula (`{formula}`)"), "Write it with the characters of Unicode, as n² or Σ.")
                }
                // A letter behind `)**` keeps it from closing (CommonMark 0.31, "Emphasis and strong emphasis").
                Event::Text(_) if text[range.start..].starts_with("**") => (
                    "`**` that opens or closes no bold text".to_owned(),
                    "Put parentheses behind the bold text, as in `**word**(term)`, and code between backticks.",
                ),
                Event::FootnoteReference(name) => {
                    (format!("a footnote (`[^{name}]`)"), "Write it in the text, or in parentheses.")
                }
                Event::TaskListMarker(_) => ("a checkbox".to_owned(), "Use a list without checkboxes."),
                // Without these characters, the dollar sign means money.
                Event::InlineMath(formula) | Event::DisplayMath(formula) if formula.contains(['^', '_', '\\']) => {
                    (format!("a formula (`${formula}$`)"), "Write it with the characters of Unicode, as n² or Σ.")
                }
                Event::Start(Tag::Table(columns)) if columns.iter().any(|of| *of != Alignment::None) => {
                    ("a table with aligned columns".to_owned(), "Columns are left-aligned. Write `---` without colons.")
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    (format!("HTML (`{}`)", html.trim()), "In code, put it between backticks.")
                }
                Event::Start(Tag::Link { dest_url, .. }) => {
                    (format!("a link (`{dest_url}`)"), "A terminal has no links: name the source in words.")
                }
                Event::Start(Tag::Image { dest_url, .. }) => {
                    (format!("an image (`{dest_url}`)"), "Use `show` for the one picture of a page.")
                }
                _ => continue,
            };
            if told.insert(help) {
                let message = format!("The text contains {what}, which the tutor cannot show.");
                self.report("markdown", path, message, help);
            }
        }
    }

    /// Reports texts of several words without quotes that end before a `#` and a word. YAML takes the rest of their line for a
    /// comment, but in a comment a blank follows the sign.
    pub fn cut_texts(&mut self) {
        let mut found = Vec::new();
        cut(&self.tree, &self.text.lines().collect::<Vec<_>>(), &mut found);
        for place in found {
            self.cut_text(place);
        }
    }

    /// Checks that no comment cuts the text at a path, which students read. A blank may follow the sign.
    pub fn whole(&mut self, path: &Path<'_>) {
        let Some(node) = self.tree.value_at(&path.0) else { return };
        let line = (node.line as usize).checked_sub(1).and_then(|at| self.text.lines().nth(at));
        if let Some(place) = line.and_then(|line| comment_behind(node, line)) {
            self.cut_text(place);
        }
    }

    fn cut_text(&mut self, (line, column, rest): (u32, u32, &str)) {
        let message = format!("The text ends before `{rest}`, because ` #` begins a comment.");
        let help = "Put the text in quotes. If it is a comment, write it in a line of its own.";
        let known = |problem: &Problem| problem.code == "cut-text" && (problem.line, problem.column) == (line, column);
        if !self.found.iter().any(known) {
            self.report("cut-text", Location::Known { line, column, length: 1 }, message, help);
        }
    }

    /// Checks that a title, term or name is not empty and has one line.
    pub fn title(&mut self, what: &str, text: &str, path: &Path<'_>) {
        self.text(what, text, path);
        if text.trim().contains(['\n', '\t']) {
            let message = format!("{what} is longer than one line.");
            let help = "Write it on one line, without `|`.";
            self.report("one-line", path, message, help);
        }
    }

    /// Checks that a list has at most `most` entries.
    pub fn at_most(&mut self, most: usize, what: &str, count: usize, path: &Path<'_>) {
        if count > most {
            self.report("too-many", path, format!("{count} {what} are more than {most}."), "");
        }
    }

    /// Checks that a referenced name exists.
    pub fn reference<'k>(
        &mut self,
        code: &'static str,
        what: &str,
        reference: &At<String>,
        known: impl Iterator<Item = &'k str> + Clone,
    ) {
        // Searching for a similar name is the most expensive step.
        if self.found.len() >= MAX_FILE_PROBLEMS || known.clone().any(|name| name == reference.value) {
            return;
        }
        let help = match nearest(&reference.value, known.clone()) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => {
                let all: Vec<&str> = known.take(20).collect();
                if all.is_empty() { String::new() } else { format!("Known are {}.", all.join(", ")) }
            }
        };
        self.report(code, reference, format!("There is no {what} `{}`.", reference.value), help);
    }
}

/// Advice for code that Markdown takes for emphasis.
const CODE: &str = "Put code between backticks, and write bold words with `**`.";

/// Returns the code that Markdown takes for emphasis, with the word around it: a name between double underscores, as
/// `__shared__`, or a product without blanks, as `TILE*TILE*4` (CommonMark 0.31, "Emphasis and strong emphasis").
fn code_as_emphasis<'t>(text: &'t str, range: &std::ops::Range<usize>) -> Option<&'t str> {
    let (inside, before, after) = (text.get(range.clone())?, &text[..range.start], &text[range.end..]);
    let name = inside.strip_prefix("__").and_then(|rest| rest.strip_suffix("__"));
    let is_name = name.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
    // In other scripts, a particle may follow an emphasised word.
    let operand = |c: char, bracket: &str| c.is_ascii_alphanumeric() || c == '_' || bracket.contains(c);
    let is_product =
        inside.starts_with('*') && before.ends_with(|c| operand(c, ")]")) && after.starts_with(|c| operand(c, "(["));
    let sign = |c: char| operand(c, "()[]*");
    let from = before.trim_end_matches(sign).len();
    let to = text.len() - after.trim_start_matches(sign).len();
    (is_name || is_product).then(|| &text[from..to])
}

/// Finds texts of several words that end before a `#` and a word: places behind them, with the rest of their line.
fn cut<'t>(node: &Node, lines: &[&'t str], found: &mut Vec<(u32, u32, &'t str)>) {
    match &node.value {
        Value::Map(entries) => entries.iter().for_each(|(_, value)| cut(value, lines, found)),
        Value::List(items) => items.iter().for_each(|item| cut(item, lines, found)),
        Value::Text(text) if text.contains(' ') => {
            let line = (node.line as usize).checked_sub(1).and_then(|at| lines.get(at)).copied().unwrap_or_default();
            let word =
                |(_, _, rest): &(u32, u32, &str)| rest[1..].starts_with(|c: char| !c.is_whitespace() && c != '#');
            found.extend(comment_behind(node, line).filter(word));
        }
        _ => {}
    }
}

/// Returns the comment behind a text without quotes in its line, with its place.
fn comment_behind<'t>(node: &Node, line: &'t str) -> Option<(u32, u32, &'t str)> {
    let Value::Text(text) = &node.value else { return None };
    let from = line.char_indices().nth((node.column as usize).checked_sub(1)?)?.0;
    let rest = line[from..].strip_prefix(text.as_str()).filter(|rest| rest.starts_with([' ', '\t']))?.trim();
    rest.starts_with('#').then(|| (node.line, node.column + text.chars().count() as u32 + 1, rest))
}

/// Finds the numbers in a value that its schema does not permit: places, messages, and what the fields mean. `root` has the
/// definitions.
fn out_of_range(
    root: &Json,
    schema: &Json,
    (node, field, place): (&Node, &str, &Node),
    found: &mut Vec<(u32, u32, String, String)>,
) {
    let name = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
    let schema = name.map_or(schema, |name| &root["$defs"][name]);
    for option in ["oneOf", "anyOf"].into_iter().filter_map(|of| schema[of].as_array()).flatten() {
        out_of_range(root, option, (node, field, place), found);
    }
    let (number, written) = match &node.value {
        Value::Map(entries) => {
            for (key, value) in entries {
                let name = key.text().unwrap_or_default();
                out_of_range(root, &schema["properties"][name], (value, name, key), found);
            }
            return;
        }
        Value::List(items) => {
            return items.iter().for_each(|item| out_of_range(root, &schema["items"], (item, field, item), found));
        }
        Value::Integer(number) => (*number as f64, number.to_string()),
        Value::Real(number) => (*number, number.to_string()),
        _ => return,
    };
    let permitted = match (schema["enum"].as_array().map(Vec::as_slice), &schema["minimum"], &schema["maximum"]) {
        (Some([most @ .., last]), ..) if !schema["enum"].as_array().into_iter().flatten().any(|of| *of == number) => {
            let most: Vec<String> = most.iter().map(Json::to_string).collect();
            format!("{} or {last}", most.join(", "))
        }
        (None, Json::Number(least), Json::Number(most))
            if least.as_f64().is_some_and(|least| number < least)
                || most.as_f64().is_some_and(|most| number > most) =>
        {
            format!("between {least} and {most}")
        }
        _ => return,
    };
    let help = schema["description"].as_str().unwrap_or_default().to_owned();
    found.push((place.line, place.column, format!("`{field}` is {written}, not {permitted}."), help));
}

/// Returns the message for a repeated id.
pub(super) fn twice(what: &str, id: &str) -> String {
    format!("There are two {what}s with the id `{id}`.")
}

/// The help for a repeated id.
pub(super) const TWICE: &str = "Progress is stored under ids, so each must be different.";

/// The pattern of an id, for editors. `is_id` checks the same.
pub const ID: &str = "^[a-z0-9][a-z0-9_-]{0,59}$";

fn is_id(id: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    (1..=60).contains(&id.len()) && id.chars().all(allowed) && !id.starts_with(['-', '_'])
}
