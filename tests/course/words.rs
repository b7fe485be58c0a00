//! Every key that the program uses exists in English, every key is used, and the arguments agree. A language that lacks a key
//! only causes a warning.

use crate::shared::{files, root, untranslated};
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use tutor_assets::Sentences;
use tutor_support::words::{ENGLISH, languages};
use ui_kit::action::TABLE;

/// A use of a key in the source: where, and the names of its arguments.
type Uses = BTreeMap<String, Vec<(String, BTreeSet<String>)>>;

/// The calls of `t!` and `sentence!` in a source: the key, and the names of the arguments.
fn calls(source: &str) -> Vec<(String, BTreeSet<String>)> {
    let mut calls = Vec::new();
    find_calls(source.parse().unwrap(), &mut calls);
    calls
}

fn find_calls(tokens: TokenStream, calls: &mut Vec<(String, BTreeSet<String>)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let before = tokens[at.saturating_sub(2)..at].iter().map(ToString::to_string).collect::<String>();
        let inside: Vec<TokenTree> = group.stream().into_iter().collect();
        let first = inside.first().filter(|_| ["t!", "sentence!"].contains(&before.as_str())).map(ToString::to_string);
        if let Some(key) = first.as_deref().and_then(|first| first.strip_prefix('"')?.strip_suffix('"')) {
            let is =
                |at: usize, signs: &[&str]| inside.get(at).is_none_or(|it| signs.contains(&it.to_string().as_str()));
            let names = (1..inside.len()).filter(|at| is(at - 1, &[","]) && is(at + 1, &["=", ","]));
            let names = names.map(|at| &inside[at]).filter(|name| matches!(name, TokenTree::Ident(_)));
            calls.push((key.to_owned(), names.map(ToString::to_string).collect()));
        }
        find_calls(group.stream(), calls);
    }
}

/// Returns what the sources below a folder use.
fn uses_below(folder: &str) -> Uses {
    let mut uses = Uses::new();
    for file in files(&root().join(folder), ".rs") {
        if file.ends_with("tutor-support/words.rs") {
            continue;
        }
        for (key, names) in calls(&std::fs::read_to_string(&file).unwrap()) {
            uses.entry(key).or_default().push((file.display().to_string(), names));
        }
    }
    uses
}

fn uses() -> Uses {
    let mut uses = uses_below("src");
    // The table of actions builds its keys from the names of actions.
    for entry in TABLE {
        for key in entry.keys_of_words() {
            uses.entry(key).or_default().push(("the table of actions".to_owned(), BTreeSet::new()));
        }
    }
    // A file lists the signs of the pictures, and the bank simulator builds the keys of its presets.
    let signs = include_str!("../../src/student/tutor-pictures/signs.txt");
    let signs = signs
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(line.rsplit_once(" | ")?.1.to_owned()));
    let presets = (1..=9).map(|number| format!("banks-preset-{number}"));
    for key in signs.chain(presets) {
        uses.entry(key).or_default().push(("the pictures' signs and presets".to_owned(), BTreeSet::new()));
    }
    // The rules of `check` build their keys from their codes.
    for rule in course_check::RULES {
        uses.entry(rule.key()).or_default().push(("the rules of the check".to_owned(), BTreeSet::new()));
    }
    uses
}

fn variables(pattern: &Pattern<String>, found: &mut BTreeSet<String>) {
    fn inline(expression: &InlineExpression<String>, found: &mut BTreeSet<String>) {
        match expression {
            InlineExpression::VariableReference { id } => drop(found.insert(id.name.clone())),
            InlineExpression::Placeable { expression } => in_expression(expression, found),
            _ => {}
        }
    }
    fn in_expression(expression: &Expression<String>, found: &mut BTreeSet<String>) {
        match expression {
            Expression::Inline(one) => inline(one, found),
            Expression::Select { selector, variants } => {
                inline(selector, found);
                variants.iter().for_each(|variant| variables(&variant.value, found));
            }
        }
    }
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            in_expression(expression, found);
        }
    }
}

/// Maps each key of one language to the arguments of its sentence.
fn sentences(code: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut sentences = BTreeMap::new();
    for file in Sentences::iter().filter(|file| file.split_once('/').is_some_and(|(language, _)| language == code)) {
        let text = String::from_utf8(Sentences::get(&file).unwrap().data.into_owned()).unwrap();
        let resource = fluent_syntax::parser::parse(text).unwrap_or_else(|(_, errors)| panic!("{file}: {errors:?}"));
        for entry in resource.body {
            let Entry::Message(message) = entry else { continue };
            let patterns = message.value.iter().map(|value| (message.id.name.clone(), value));
            let attributes =
                message.attributes.iter().map(|one| (format!("{}.{}", message.id.name, one.id.name), &one.value));
            for (key, pattern) in patterns.chain(attributes) {
                let mut names = BTreeSet::new();
                variables(pattern, &mut names);
                assert!(sentences.insert(key.clone(), names).is_none(), "{file}: `{key}` twice");
            }
        }
    }
    sentences
}

/// Families of sentences that are found by their English text, so no key stands in a call. Keys of the other families that
/// begin with `usage-` are names of options, which a test of the help holds. Those that begin with `pictures-name-` are checked with the pictures.
const RECOGNISED: [&str; 6] = ["clap-says", "clap-words", "code-comments", "code-regions", "exec-says", "system-says"];

#[test]
fn every_key_is_used_and_translated_and_arguments_agree() {
    let (uses, english) = (uses(), sentences(ENGLISH));
    let (mut wrong, mut lacking) = (Vec::new(), Vec::new());
    let of_family = |key: &str| RECOGNISED.iter().any(|family| key.split('.').next() == Some(family));
    for (key, places) in uses.iter().chain(&uses_below("tests")) {
        match english.get(key) {
            None => wrong.push(format!("there is no `{key}`, used in {}", places[0].0)),
            Some(takes) => {
                let other = places.iter().filter(|(_, gives)| gives != takes);
                wrong.extend(other.map(|(place, gives)| format!("`{key}` takes {takes:?}, {place} gives {gives:?}")));
            }
        }
    }
    for code in languages() {
        let sentences = sentences(&code);
        let lacks = |key: &&String| !sentences.contains_key(*key);
        lacking.extend(english.keys().filter(lacks).map(|key| format!("{code} has no `{key}`")));
        for (key, takes) in &sentences {
            if english.get(key).is_some_and(|own| own != takes) {
                wrong.push(format!("{code}: `{key}` takes {takes:?}, in English {:?}", english[key]));
            }
            let built = ["usage-", "pictures-name-"].iter().any(|family| key.starts_with(family));
            if !uses.contains_key(key) && !of_family(key) && !built {
                wrong.push(format!("{code}: `{key}` is idle"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    untranslated(&lacking);
}

#[test]
fn the_arguments_of_a_call_are_found_at_its_own_depth() {
    let text = r#"x(t!("a-b", n = list.len(), text = f(|x| x == 1, y = 2)), t!("plain")); format!("c"), sentence!("d-e", n = 1, m)"#;
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(
        calls(text),
        [
            ("a-b".to_owned(), names(&["n", "text"])),
            ("plain".to_owned(), names(&[])),
            ("d-e".to_owned(), names(&["m", "n"]))
        ]
    );
}
