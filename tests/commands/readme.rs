//! The guide for authors lists what there is.

use super::docs::text;
use course_check::schema::SchemaOf;
use serde_json::Value;

/// Words in backticks between `from` and the end of its sentence, sorted.
fn listed(from: &str) -> Vec<String> {
    let text = text("docs/authoring.md").split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("the guide no longer says `{from}`"));
    let sentence = rest.split(". ").next().unwrap();
    let mut words: Vec<String> = sentence.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    words.sort_unstable();
    words
}

/// Names of the variants of a type in a schema, sorted.
fn variants(schema: SchemaOf, name: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(&schema.text(None).unwrap()).unwrap();
    let variants = schema["definitions"][name]["oneOf"].as_array().unwrap();
    let key = |variant: &Value| variant["properties"].as_object().unwrap().keys().next().unwrap().clone();
    let mut names: Vec<String> = variants.iter().map(key).collect();
    names.sort_unstable();
    names
}

#[test]
fn the_guide_lists_what_a_page_can_show_and_claim() {
    assert_eq!(listed("A page can `show`:"), variants(SchemaOf::Lesson, "Show"));
    let mut claims = listed("The emulator confirms");
    claims.extend(listed("The recordings confirm"));
    claims.sort_unstable();
    assert_eq!(claims, variants(SchemaOf::Lesson, "Claim"));
}

#[test]
fn the_guide_lists_the_kinds_of_questions() {
    let text = text("docs/authoring.md");
    let (_, table) = text.split_once("| kind | the answer | what you write |\n").unwrap();
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
    let names = rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2));
    let mut kinds: Vec<String> = names.map(str::to_owned).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, variants(SchemaOf::Quiz, "AnswerSpec"));
}
