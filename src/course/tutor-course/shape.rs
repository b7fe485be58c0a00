/*! Compares a file with the schema of its type, and finds all mistakes at once, each with its place.

A typed reader stops at the first mistake. This module compares the file's tree with the JSON Schema that is derived from the
type, the same schema that editors use. So an instructor sees every unknown field, missing field and wrong type at once. It
understands only those parts of JSON Schema that the derivation produces. The typed reader checks everything else.
*/

use super::limits::{MAX_FILE_PROBLEMS, MAX_OBJECTIVES, MAX_PAGE_BYTES, MAX_PAGES, MAX_TERMS, MAX_TEXT_BYTES};
use crate::prelude::*;
use crate::problem::Severity;
use serde_json::Value as Json;
use std::ops::Range;
use tutor_support::text::nearest;
use tutor_support::yaml::{Node, Value};

/// Maximum length of lists whose entries every page would have to go through.
const MAX_ENTRIES: [(&str, usize); 3] = [("pages", MAX_PAGES), ("objectives", MAX_OBJECTIVES), ("glossary", MAX_TERMS)];

/// Lists from which an incorrect entry can be left out. The slots of a quiz are not among them, because then the gate
/// would ask something else.
const REMOVABLE: [&str; 5] = ["pages", "glossary", "variants", "claims", "levels"];

/// Fields of earlier courses, which the typed reader ignores. Each gets a warning, so that such a course stays complete.
const RETIRED: [&str; 2] = ["opens", "due"];

/// A place where a file does not match its schema.
#[derive(Debug, Clone)]
pub(super) struct SchemaError {
    /// What and where.
    pub(super) problem: Problem,
    /// The lines to remove so that the file no longer has this mistake, if there are any.
    pub(super) removable: Option<Range<u32>>,
}

/// Compares a tree with the schema of `T`. Returns the first [`MAX_FILE_PROBLEMS`] mistakes found, in the order of the
/// file.
pub(super) fn schema_errors<T: JsonSchema>(file: &str, text: &str, tree: &Node) -> Vec<SchemaError> {
    let schema = schemars::SchemaGenerator::default().into_root_schema_for::<T>();
    let root = schema.as_value();
    let mut checker = Checker {
        file,
        text,
        definitions: root.get("$defs"),
        end: u32::MAX,
        removable: None,
        schema_errors: Vec::new(),
    };
    checker.check(root, tree, "the file");
    checker.schema_errors.sort_by_key(|error| (error.problem.line, error.problem.column));
    checker.schema_errors
}

struct Checker<'a> {
    file: &'a str,
    text: &'a str,
    definitions: Option<&'a Json>,
    /// A line at or after the end of the value being checked.
    end: u32,
    /// The lines of the innermost enclosing entry that can be left out.
    removable: Option<Range<u32>>,
    schema_errors: Vec<SchemaError>,
}

impl<'a> Checker<'a> {
    fn report(&mut self, code: &'static str, at: &Node, message: String, help: Option<String>) {
        if self.full() {
            return;
        }
        let length = match &at.value {
            Value::Text(text) if !text.contains('\n') => text.chars().count().min(80) as u32,
            _ => 1,
        };
        let mut problem = Problem::error(code, self.file, message).at(self.text, at.line, at.column, length);
        if let Some(help) = help {
            problem = problem.help(help);
        }
        self.schema_errors.push(SchemaError { problem, removable: self.removable.clone() });
    }

    /// Checks a part of the current value that begins on `line` and ends before `next`, the line of what follows it. If
    /// `entry` is set and the part has lines of its own, it can be left out.
    fn within(&mut self, line: u32, next: Option<u32>, entry: bool, check: impl FnOnce(&mut Self)) {
        let end = next.unwrap_or(self.end);
        let outer = (self.end, self.removable.clone());
        self.end = end;
        if entry && end > line {
            self.removable = Some(line..end);
        }
        check(self);
        (self.end, self.removable) = outer;
    }

    /// True if no more mistakes would be reported.
    fn full(&self) -> bool {
        self.schema_errors.len() >= MAX_FILE_PROBLEMS
    }

    fn resolve(&self, schema: &'a Json) -> &'a Json {
        let name = schema.get("$ref").and_then(Json::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
        name.and_then(|name| self.definitions?.get(name)).unwrap_or(schema)
    }

    /// Checks a value. `what` names it in messages, e.g. "`pages`".
    fn check(&mut self, schema: &'a Json, node: &Node, what: &str) {
        let schema = self.resolve(schema);
        if let Some(options) = schema.get("anyOf").and_then(Json::as_array) {
            // An `anyOf` is derived for an optional structure (the structure or null), or written for a value of
            // several types.
            let type_of = |option: &'a Json| self.resolve(option).get("type").and_then(Json::as_str);
            let mut inner = options.iter().filter(|option| type_of(option) != Some("null"));
            let fitting = inner.clone().find(|option| type_of(option).is_some_and(|kind| is_of(kind, &node.value)));
            if let (Some(inner), false) = (fitting.or_else(|| inner.next()), node.value == Value::Null) {
                self.check(inner, node, what);
            }
            return;
        }
        if let Some(options) = schema.get("oneOf").and_then(Json::as_array) {
            return self.check_variants(options, node, what);
        }
        if let Some(names) = schema.get("enum").and_then(Json::as_array) {
            let number = |name: &Json| name.as_i64().is_some_and(|n| node.value == Value::Integer(n.into()));
            // If all names are numbers, a rule of `check` reports which are allowed, and why.
            let rule = matches!(node.value, Value::Integer(_)) && names.iter().all(Json::is_i64);
            if rule || names.iter().any(number) {
                return;
            }
            let names: Vec<String> =
                names.iter().map(|name| name.as_str().map_or_else(|| name.to_string(), str::to_owned)).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            return self.check_name(&names, node, what);
        }
        let (kind, nullable) = match schema.get("type") {
            Some(Json::String(kind)) => (kind.as_str(), false),
            Some(Json::Array(kinds)) => {
                let mut kinds = kinds.iter().filter_map(Json::as_str);
                let null = kinds.clone().any(|kind| kind == "null");
                (kinds.find(|&kind| kind != "null").unwrap_or(""), null)
            }
            _ => return,
        };
        if nullable && node.value == Value::Null {
            return;
        }
        match (kind, &node.value) {
            ("object", Value::Map(entries)) => self.check_map(schema, node, entries, what),
            ("array", Value::List(items)) => self.check_list(schema, node, items, what),
            ("integer", Value::Integer(number)) => {
                // A rule of `check` handles minimums above 0, and explains more.
                let minimum =
                    schema.get("minimum").and_then(Json::as_i64).map_or(i128::MIN, |least| least.min(0).into());
                let unsigned = schema.get("format").and_then(Json::as_str) == Some("uint32");
                if *number < minimum || unsigned && *number > i128::from(u32::MAX) {
                    let most = schema.get("maximum").and_then(Json::as_u64).unwrap_or(u32::MAX.into());
                    let message = format!("{what} is {number}, not between 0 and {most}.");
                    self.report("wrong-type", node, message, None);
                }
            }
            ("string", Value::Text(text)) if text.len() > MAX_TEXT_BYTES => {
                let (length, most) = (text.len() >> 10, MAX_TEXT_BYTES >> 10);
                let message = format!("{what} holds {length} KiB of text, more than {most} KiB.");
                self.report("too-large", node, message, Some("Divide it.".to_owned()));
            }
            // The typed reader takes any scalar as text, so that `text: 8` needs no quotes.
            ("string", Value::Text(_) | Value::Integer(_) | Value::Real(_) | Value::Bool(_))
            | ("number", Value::Integer(_) | Value::Real(_))
            | ("boolean", Value::Bool(_)) => {}
            (kind, value) => {
                let expected = match kind {
                    "object" => "a mapping of fields",
                    "array" => "a list",
                    "integer" => "a whole number",
                    "string" => "text",
                    "number" => "a number",
                    "boolean" => "true or false",
                    _ => return,
                };
                let message = format!("{what} must be {expected}, not {}.", name_of(value));
                self.report("wrong-type", node, message, None);
            }
        }
    }

    fn check_list(&mut self, schema: &'a Json, node: &Node, items: &[Node], what: &str) {
        let limit = |name: &str| schema.get(name).and_then(Json::as_u64).map(|n| n as usize);
        // A fixed length belongs to the type. A rule of `check` handles any other range, and explains more.
        let count = limit("minItems").filter(|fewest| limit("maxItems") == Some(*fewest));
        if let Some(count) = count.filter(|count| *count != items.len()) {
            let message = format!("{what} needs {count} values, not {}.", items.len());
            self.report("wrong-type", node, message, None);
        }
        if let Some(inner) = schema.get("items") {
            let name = what.trim_matches('`');
            let most = MAX_ENTRIES.iter().find(|(known, _)| *known == name).map_or(usize::MAX, |(_, most)| *most);
            for (index, item) in items.iter().enumerate() {
                if self.full() {
                    return;
                }
                // The first entry over the limit and all entries after it are left out together.
                let surplus = index == most;
                let next = items.get(index + 1).filter(|_| !surplus).map(|next| next.line);
                let own_lines = index == 0 || items.get(index - 1).is_some_and(|last| last.line < item.line);
                let entry = own_lines && REMOVABLE.contains(&name) && matches!(item.value, Value::Map(_));
                self.within(item.line, next, entry, |checker| {
                    if surplus {
                        let message = format!("{} {name} are more than {most}.", items.len());
                        checker.report("too-many", item, message, None);
                    } else if entry && item.text_bytes() > MAX_PAGE_BYTES {
                        let (text, most) = (item.text_bytes() >> 10, MAX_PAGE_BYTES >> 10);
                        let message = format!("An item of {what} holds {text} KiB of text, more than {most} KiB.");
                        checker.report("too-large", item, message, Some("Divide it.".to_owned()));
                    } else {
                        checker.check(inner, item, &format!("An item of {what}"));
                    }
                });
                if surplus {
                    return;
                }
            }
        }
    }

    fn check_map(&mut self, schema: &'a Json, node: &Node, entries: &[(Node, Node)], what: &str) {
        let properties = schema.get("properties").and_then(Json::as_object);
        let open = schema.get("additionalProperties");
        let names = |of: Option<&'a Json>| {
            of.and_then(|of| of.get("required")).and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str)
        };
        let mut required: Vec<&str> = names(Some(schema)).collect();
        // Fields that are required only if another field is absent.
        let unless = names(schema.get("if").and_then(|condition| condition.get("not"))).next();
        if unless.is_some_and(|unless| !entries.iter().any(|(key, _)| key.text() == Some(unless))) {
            required.extend(names(schema.get("then")));
        }
        let is_required =
            |name: &str| required.contains(&name) && !entries.iter().any(|(key, _)| key.text() == Some(name));
        // The known field that an unknown one probably means.
        let misspelt = |name: &str| {
            let known = || properties.into_iter().flatten().map(|(known, _)| known.as_str());
            if known().any(|known| known == name) { None } else { nearest(name, known()) }
        };
        for (index, (key, value)) in entries.iter().enumerate() {
            let next = entries.get(index + 1).map(|(next, _)| next.line);
            let own_lines = index == 0 || entries.get(index - 1).is_some_and(|(last, _)| last.line < key.line);
            let Some(name) = key.text() else {
                if properties.is_some() {
                    self.report("wrong-type", key, "A field's name is text.".to_owned(), None);
                }
                continue;
            };
            let property = properties.and_then(|properties| properties.get(name));
            match (property, open) {
                (Some(inner), _) => self.within(key.line, next, false, |checker| {
                    checker.check(inner, value, &format!("`{name}`"));
                }),
                (None, None) if RETIRED.contains(&name) => {
                    let (message, help) = (format!("The tutor ignores `{name}`."), "Delete the line.".to_owned());
                    self.report("retired-field", key, message, Some(help));
                    self.schema_errors
                        .last_mut()
                        .into_iter()
                        .for_each(|error| error.problem.severity = Severity::Warning);
                }
                (None, None) if properties.is_some() => {
                    let known: Vec<&str> = properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
                    let help = suggest(name, &known, "The fields here are");
                    // The first field shares its line with the dash of its item, so that line must stay. And an entry
                    // without a required field is useless as a whole.
                    let entry = own_lines && index > 0 && !misspelt(name).is_some_and(is_required);
                    self.within(key.line, next, entry, |checker| {
                        checker.report("unknown-field", key, format!("There is no field `{name}` here."), Some(help));
                    });
                }
                (None, Some(inner)) => self.check(inner, value, &format!("`{name}`")),
                (None, None) => {}
            }
        }
        let given = |name: &str| entries.iter().any(|(key, _)| key.text() == Some(name));
        // A field reported as misspelt is not also reported as missing.
        let meant = |name: &str| entries.iter().any(|(key, _)| key.text().and_then(misspelt) == Some(name));
        let missing: Vec<String> =
            required.iter().filter(|name| !given(name) && !meant(name)).map(|name| format!("`{name}`")).collect();
        let lacks = match missing.as_slice() {
            [] => return,
            [one] => format!("the field {one}"),
            [most @ .., last] => format!("the fields {} and {last}", most.join(", ")),
        };
        self.report("missing-field", node, format!("{} lacks {lacks}.", capitalised(what)), None);
    }

    /// Checks an enum: unit variants are names, other variants are mappings with the variant's name as the only key.
    fn check_variants(&mut self, options: &'a [Json], node: &Node, what: &str) {
        let mut names = Vec::new();
        let mut shapes: Vec<(&str, &'a Json)> = Vec::new();
        for option in options {
            if let Some(name) = option.get("const").and_then(Json::as_str) {
                names.push(name);
            } else if let Some(inner) = option.get("enum").and_then(Json::as_array) {
                names.extend(inner.iter().filter_map(Json::as_str));
            } else if let Some(properties) = option.get("properties").and_then(Json::as_object) {
                shapes.extend(properties.iter().map(|(name, inner)| (name.as_str(), inner)));
            }
        }
        if shapes.is_empty() {
            return self.check_name(&names, node, what);
        }
        let known: Vec<&str> = shapes.iter().map(|(name, _)| *name).collect();
        let Value::Map(entries) = &node.value else {
            let message = format!("{what} must name one of its kinds, not {}.", name_of(&node.value));
            let help = format!("Write the kind as a field: one of {}.", known.join(", "));
            return self.report("wrong-type", node, message, Some(help));
        };
        for (key, value) in entries {
            let name = key.text().unwrap_or_default();
            match shapes.iter().find(|(known, _)| *known == name) {
                Some((_, inner)) => self.check(inner, value, &format!("`{name}`")),
                None => {
                    let help = suggest(name, &known, "The kinds are");
                    self.report("unknown-field", key, format!("{what} has no kind `{name}`."), Some(help));
                }
            }
        }
        if entries.len() != 1 {
            let message = format!("{what} has exactly one kind, not {}.", entries.len());
            self.report("wrong-type", node, message, None);
        }
    }

    fn check_name(&mut self, names: &[&str], node: &Node, what: &str) {
        match node.text() {
            Some(name) if names.contains(&name) => {}
            Some(name) => {
                let help = suggest(name, names, "Known are");
                self.report("unknown-name", node, format!("{what} cannot be `{name}`."), Some(help));
            }
            None => {
                let message = format!("{what} must be one of {}, not {}.", names.join(", "), name_of(&node.value));
                self.report("wrong-type", node, message, None);
            }
        }
    }
}

/// True if a value has the type that a schema names.
fn is_of(kind: &str, value: &Value) -> bool {
    matches!(
        (kind, value),
        ("object", Value::Map(_))
            | ("array", Value::List(_))
            | ("integer" | "number", Value::Integer(_))
            | ("number", Value::Real(_))
            | ("string", Value::Text(_))
            | ("boolean", Value::Bool(_))
    )
}

fn suggest(wrong: &str, known: &[&str], all: &str) -> String {
    match nearest(wrong, known.iter().copied()) {
        Some(near) => format!("Did you mean `{near}`?"),
        None => format!("{all} {}.", known.join(", ")),
    }
}

fn capitalised(what: &str) -> String {
    let mut chars = what.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Integer(_) | Value::Real(_) => "a number",
        Value::Text(_) => "text",
        Value::List(_) => "a list",
        Value::Map(_) => "a mapping",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LessonFile, QuizFile};
    use tutor_support::yaml;

    fn found<T: JsonSchema>(text: &str) -> Vec<(&'static str, u32, u32)> {
        let tree = yaml::read(text).unwrap();
        schema_errors::<T>("f", text, &tree)
            .iter()
            .map(|found| (found.problem.code, found.problem.line, found.problem.column))
            .collect()
    }

    #[test]
    fn all_misfits_of_a_lesson_are_found_at_once() {
        let text = "\
level: x
objectives: []
pages:
  - id: a
    titel: 1.5
    tag: codes
    show:
      banks: {rows: -1, pitch: 16, row: 5, column: [], block: [1]}
    claims:
      - bank: {}
      - hazards: {kernel: k, kinds: [RAR]}
      - just text
";
        assert_eq!(
            found::<LessonFile>(text),
            [
                ("unknown-field", 5, 5),
                ("unknown-name", 6, 10),
                ("wrong-type", 8, 21),
                ("wrong-type", 8, 52),
                ("wrong-type", 8, 63),
                ("unknown-field", 10, 9),
                ("unknown-name", 11, 38),
                ("wrong-type", 12, 9),
            ]
        );
    }

    #[test]
    fn what_fits_is_left_alone() {
        let text = "\
level: x
slots:
  - {id: s, objective: o, bloom: apply, page: p, variants: [
      {id: v, ask: 3, because: yes, answer: {numeric: {formula: 2, why: w, unit: null,
        parameters: {n: [1, 2.5]}}}}]}
";
        assert_eq!(found::<QuizFile>(text), []);
        assert!(yaml::read_typed::<QuizFile>(text).is_ok());
    }

    #[test]
    fn a_misspelt_field_that_must_be_there_is_told_once_and_takes_its_entry_with_it() {
        let text =
            "level: x\nobjectives: []\npages:\n  - id: a\n    titel: A\n    tag: code\n  - id: b\n    tag: code\n";
        assert_eq!(found::<LessonFile>(text), [("unknown-field", 5, 5), ("missing-field", 7, 5)]);
        let tree = yaml::read(text).unwrap();
        let gone: Vec<_> =
            schema_errors::<LessonFile>("f", text, &tree).into_iter().map(|found| found.removable).collect();
        assert_eq!(gone, [Some(4..7), Some(7..u32::MAX)]);
    }

    #[test]
    fn the_built_in_catalogue_fits_its_schema_and_other_values_do_not() {
        use tutor_kernels::CatalogFile;
        assert_eq!(found::<CatalogFile>(include_str!("../../../kernels/catalog.yaml")), []);
        let text = "\
kernels:
  - {id: a, level: l, title: t, file: f, entry: e, block: [1, N, []], grid: [\"1\"], min_arch: sm_75,
     expected_wrong: no, about: x, tensor_maps: {A: {box: [1, 2], swizzle: 65}}}
";
        let found = found::<CatalogFile>(text);
        assert_eq!(found, [("wrong-type", 2, 66), ("wrong-type", 3, 22), ("wrong-type", 3, 76)]);
    }

    #[test]
    fn an_empty_file_must_be_a_mapping() {
        assert_eq!(found::<QuizFile>(""), [("wrong-type", 1, 1)]);
    }
}
