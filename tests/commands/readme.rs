//! What the README lists is what there is.

use serde_json::Value;
use std::path::Path;
use tutor_author::schema::SchemaOf;

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The words in back quotes between `from` and the end of its sentence.
fn listed(from: &str) -> Vec<String> {
    let text = readme().split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("the README no longer says `{from}`"));
    let sentence = rest.split(". ").next().unwrap();
    let mut words: Vec<String> = sentence.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    words.sort_unstable();
    words
}

/// The names of the variants of a type in a schema.
fn variants(schema: SchemaOf, name: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(&schema.text(None).unwrap()).unwrap();
    let variants = schema["definitions"][name]["oneOf"].as_array().unwrap();
    let key = |variant: &Value| variant["properties"].as_object().unwrap().keys().next().unwrap().clone();
    let mut names: Vec<String> = variants.iter().map(key).collect();
    names.sort_unstable();
    names
}

#[test]
fn the_readme_lists_what_a_page_can_show() {
    assert_eq!(listed("to `show`:"), variants(SchemaOf::Lesson, "Show"));
}

#[test]
fn the_readme_lists_the_kinds_of_questions() {
    assert_eq!(listed("Kinds:"), variants(SchemaOf::Quiz, "AnswerSpec"));
}
