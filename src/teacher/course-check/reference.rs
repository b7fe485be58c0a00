//! Writes the reference of every field and rule as Markdown. It comes from the types that parse the files; the examples
//! come from the built-in course.

use crate::rules::RULES;
use crate::schema::SchemaOf;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use tutor_course::{Severity, built_in_files};
use tutor_kernels::Catalog;
use tutor_support::words::{self, ENGLISH, Words};

/// Maximum length of an example, in characters.
const MAX_EXAMPLE: usize = 40;

pub fn reference() -> String {
    let mut contents = String::from(
        "# Reference\n\nEvery field of a course's files, and every rule of `check`. `matmul-tutor course schema --markdown` writes this page from \
         the types that read the files. The examples are values of the built-in course. [authoring.md](authoring.md) explains how to \
         use the fields.\n\n",
    );
    let mut text = String::new();
    let mut seen = BTreeSet::new();
    for (of, title) in [
        (SchemaOf::Course, "The course"),
        (SchemaOf::Lesson, "A lesson"),
        (SchemaOf::Quiz, "A quiz"),
        (SchemaOf::Catalog, "Kernels"),
        (SchemaOf::CatalogEdition, "Kernels in another language"),
        (SchemaOf::Exercise, "An exercise"),
        (SchemaOf::ExerciseEdition, "An exercise in another language"),
    ] {
        let heading = format!("{title}: `{}`", of.name_and_path()[1]);
        let _ = write!(text, "\n## {heading}\n");
        let types: Vec<String> = file(&mut text, of, &mut seen).iter().map(|title| link(title, title)).collect();
        let _ = writeln!(contents, "- {}: {}", link(title, &heading), types.join(", "));
    }
    let _ = writeln!(contents, "- {}, in alphabetical order", link("What `check` finds", "What `check` finds"));
    // Everything above is English, so the rules are English too.
    words::speaking(Words::of(ENGLISH), || rules(&mut text));
    contents + &text
}

fn rules(text: &mut String) {
    *text += "\n## What `check` finds\n\nA course may break a rule that it names under `allow` in `course.yaml`, unless the last column says no.\n\n\
              | code | | what is asked for | may be allowed |\n|---|---|---|---|\n";
    let mut rules = RULES.to_vec();
    rules.sort_unstable_by_key(|rule| rule.code);
    for rule in rules {
        let severity = match rule.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let may = if rule.allowable { "yes" } else { "no" };
        let _ = writeln!(text, "| `{}` | {severity} | {} | {may} |", rule.code, rule.asks());
    }
}

/// Writes the tables of a file type, and returns their titles, sorted. Each type appears where it is first mentioned.
fn file(text: &mut String, of: SchemaOf, seen: &mut BTreeSet<String>) -> BTreeSet<String> {
    let schema = of.schema();
    let root = schema.as_value();
    let empty = Map::new();
    let definitions = root["definitions"].as_object().unwrap_or(&empty);
    let mut examples = Examples { definitions, found: BTreeMap::new() };
    let path = "kernels/catalog.yaml";
    let catalog = (path.to_owned(), Catalog::built_in_text(path).unwrap_or_default().into_bytes());
    for (name, bytes) in built_in_files().into_iter().chain([catalog]) {
        let fits = match of {
            SchemaOf::Course => name == "modules/course.yaml",
            SchemaOf::Lesson => name.starts_with("modules/") && name != "modules/course.yaml",
            SchemaOf::Quiz => name.starts_with("quizzes/"),
            SchemaOf::Catalog => name == "kernels/catalog.yaml",
            SchemaOf::Exercise => name.ends_with("/exercise.yaml"),
            // These files contain texts in other languages.
            SchemaOf::CatalogEdition | SchemaOf::ExerciseEdition => false,
        };
        let content =
            fits.then(|| std::str::from_utf8(&bytes).ok().and_then(|text| tutor_support::yaml::read_typed(text).ok()));
        if let Some(Some(content)) = content {
            examples.look("", root, &content);
        }
    }
    let mut titles = BTreeSet::new();
    let mut queue = VecDeque::from([(String::new(), root)]);
    while let Some((name, schema)) = queue.pop_front() {
        if !name.is_empty() {
            let _ = write!(text, "\n### {}\n", title(&name));
            titles.insert(title(&name));
        }
        if let Some(about) = schema["description"].as_str() {
            let _ = write!(text, "\n{}\n", to_cell(about));
        }
        table(text, &name, schema, &examples);
        let mut mentioned = Vec::new();
        mentions(schema, &mut mentioned);
        for name in mentioned {
            if let Some(found) =
                definitions.get(&name).filter(|found| !is_list(found)).filter(|_| seen.insert(name.clone()))
            {
                queue.push_back((name, found));
            }
        }
    }
    titles
}

/// Writes the fields of a type, the required ones first; or its kinds.
fn table(text: &mut String, name: &str, schema: &Value, examples: &Examples) {
    if let Some(kinds) = schema["oneOf"].as_array() {
        *text += "\n| one of | takes | what |\n|---|---|---|\n";
        for kind in kinds {
            let about = kind["description"].as_str().map(to_cell).unwrap_or_default();
            match kind["properties"].as_object().and_then(|fields| fields.iter().next()) {
                Some((field, of)) => {
                    let example = examples.of(name, field);
                    let takes = of_type(of, examples.definitions);
                    let shown = if example.is_empty() { takes } else { format!("{takes}, e.g. {example}") };
                    let _ = writeln!(text, "| `{field}` | {shown} | {about} |");
                }
                None => {
                    let _ = writeln!(text, "| {} | | {about} |", of_type(kind, examples.definitions));
                }
            }
        }
        return;
    }
    let Some(fields) = schema["properties"].as_object() else { return };
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let must = |field: &str| required.contains(&field);
    let order = required.iter().filter_map(|name| fields.get_key_value(*name));
    let order = order.chain(fields.iter().filter(|(name, _)| !must(name)));
    *text += "\n| field | takes | default | example | what |\n|---|---|---|---|---|\n";
    for (field, of) in order {
        let default = match &of["default"] {
            _ if must(field) => "must be given".to_owned(),
            Value::Null => "none".to_owned(),
            value => code(&value.to_string()),
        };
        let about = of["description"].as_str().map(to_cell).unwrap_or_default();
        let (takes, example) = (of_type(of, examples.definitions), examples.of(name, field));
        let _ = writeln!(text, "| `{field}` | {takes} | {default} | {example} | {about} |");
    }
}

/// Describes a value: its type, range and possible names.
fn of_type(schema: &Value, definitions: &Map<String, Value>) -> String {
    if let Some(name) = reference_to(schema) {
        return match definitions.get(&name) {
            Some(found) if is_list(found) => of_type(found, definitions),
            _ => link(&title(&name), &title(&name)),
        };
    }
    if let Some(values) = names(schema) {
        return values.iter().map(|value| code(value)).collect::<Vec<_>>().join(", ");
    }
    if let Some(all) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return all.iter().map(|of| of_type(of, definitions)).collect::<Vec<_>>().join(" or ");
    }
    let range = |least: &str, most: &str| match (schema[least].as_f64(), schema[most].as_f64()) {
        (Some(least), Some(most)) if least == most => format!(", exactly {least}"),
        (Some(least), Some(most)) => format!(", {least} to {most}"),
        (Some(least), None) if least != 0.0 => format!(", from {least}"),
        (None, Some(most)) => format!(", up to {most}"),
        _ => String::new(),
    };
    match schema["type"].as_str() {
        Some("string") if schema["pattern"].is_string() => "id".to_owned(),
        Some("string") => "text".to_owned(),
        Some("boolean") => "`true` or `false`".to_owned(),
        Some("integer") => format!("whole number{}", range("minimum", "maximum")),
        Some("number") => format!("number{}", range("minimum", "maximum")),
        Some("array") => {
            let of = if schema["items"].is_object() { of_type(&schema["items"], definitions) } else { String::new() };
            format!("list of {of}{}", range("minItems", "maxItems"))
        }
        Some("object") => match &schema["additionalProperties"] {
            of @ Value::Object(_) => format!("map of names to {}", of_type(of, definitions)),
            _ => "map".to_owned(),
        },
        _ => "any".to_owned(),
    }
}

/// Returns the values of a fixed list, with or without descriptions.
fn names(schema: &Value) -> Option<Vec<String>> {
    let told = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if let Some(values) = schema["enum"].as_array() {
        return Some(values.iter().map(told).collect());
    }
    let kinds = schema["oneOf"].as_array()?;
    kinds.iter().map(|kind| kind.get("const").map(told).or_else(|| names(kind)?.into_iter().next())).collect()
}

/// True if a type is a list of names. Such a list is written where the type is used.
fn is_list(schema: &Value) -> bool {
    names(schema).is_some()
}

fn reference_to(schema: &Value) -> Option<String> {
    let direct = schema["$ref"].as_str().or_else(|| schema["allOf"].get(0)?["$ref"].as_str())?;
    direct.rsplit('/').next().map(str::to_owned)
}

fn mentions(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(path)) = fields.get("$ref") {
                found.extend(path.rsplit('/').next().map(str::to_owned));
            }
            fields.values().for_each(|inner| mentions(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| mentions(inner, found)),
        _ => {}
    }
}

/// Returns `BankView` as `Bank view`.
fn title(name: &str) -> String {
    let mut title = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !title.is_empty() {
            title.push(' ');
            title.extend(c.to_lowercase());
        } else {
            title.push(c);
        }
    }
    title
}

/// Returns a link to a heading of the document.
fn link(text: &str, heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    let anchor: String = heading.to_lowercase().chars().filter(kept).collect();
    format!("[{text}](#{})", anchor.replace(' ', "-"))
}

/// Returns a description on one line, without links to code, for a table cell.
fn to_cell(text: &str) -> String {
    let text = text.replace("[`", "`").replace("`]", "`");
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// Example values from the built-in course: the first short value of each field of each type.
struct Examples<'a> {
    definitions: &'a Map<String, Value>,
    found: BTreeMap<(String, String), String>,
}

impl Examples<'_> {
    fn of(&self, name: &str, field: &str) -> String {
        self.found.get(&(name.to_owned(), field.to_owned())).cloned().unwrap_or_default()
    }

    fn look(&mut self, name: &str, schema: &Value, value: &Value) {
        if let Some(name) = reference_to(schema) {
            if let Some(found) = self.definitions.get(&name) {
                let found = found.clone();
                self.look(&name, &found, value);
            }
            return;
        }
        for kind in ["oneOf", "anyOf"].iter().filter_map(|key| schema[*key].as_array()).flatten() {
            self.look(name, kind, value);
        }
        match value {
            Value::Object(fields) => {
                for (field, value) in fields {
                    let of = &schema["properties"][field];
                    if of.is_null() {
                        continue;
                    }
                    if let Some(shown) = short(value) {
                        self.found.entry((name.to_owned(), field.clone())).or_insert(shown);
                    }
                    self.look(name, of, value);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.look(name, &schema["items"], item)),
            _ => {}
        }
    }
}

/// Returns a value that fits into a cell. Sentences are excluded, because they are not useful there and change often.
fn short(value: &Value) -> Option<String> {
    // The reference is English; some fields occur only in translations.
    let shown = yaml(value).filter(|shown| !shown.chars().any(|c| ('가'..='힣').contains(&c)))?;
    (shown.chars().count() <= MAX_EXAMPLE).then(|| code(&shown))
}

/// Returns a value as YAML on one line, or `None` for a sentence.
fn yaml(value: &Value) -> Option<String> {
    Some(match value {
        Value::String(text) if text.split_whitespace().count() > 3 || text.contains(['\n', '`']) || text.is_empty() => {
            return None;
        }
        Value::String(text) if text.contains([':', '#', '{', '[', ',', '*', '&', '"']) => format!("{text:?}"),
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(yaml).collect::<Option<Vec<_>>>()?.join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| Some(format!("{name}: {}", yaml(value)?)));
            format!("{{ {} }}", fields.collect::<Option<Vec<_>>>()?.join(", "))
        }
        other => other.to_string(),
    })
}
