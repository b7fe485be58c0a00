//! Items of QTI 2.1: their form, and the points that they give ("IMS Question and Test Interoperability Information Model",
//! version 2.1, sections 8 and 11).

use super::{Original, compare, each_level, near, near_numbers};
use crate::posed::Key;
use crate::{ExportFormat, export};
use roxmltree::{Document, Node};
use serde_json::json;
use std::collections::BTreeMap;

/// Maps each element to its required attributes and to the elements that it may contain.
type Rules = BTreeMap<&'static str, (Vec<&'static str>, Vec<&'static str>)>;

fn rules() -> Rules {
    let mut rules = Rules::new();
    for line in include_str!("qti.txt").lines().filter(|line| !line.starts_with('#')) {
        let Some((head, inside)) = line.split_once(':') else { continue };
        let (name, attributes) = head.trim_end_matches(']').split_once('[').unwrap_or((head, ""));
        let inside = inside.split_whitespace().flat_map(|name| match name {
            "INLINE" | "BLOCKS" => rules[name].1.clone(),
            _ => vec![name],
        });
        let inside = inside.collect();
        rules.insert(name, (attributes.split_whitespace().collect(), inside));
    }
    rules
}

/// True if `text` is a valid identifier (`xs:NCName`).
fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

fn named<'a>(node: Node<'a, 'a>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.descendants().filter(move |child| child.tag_name().name() == name)
}

fn elements<'a>(node: Node<'a, 'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children().filter(Node::is_element)
}

fn check_form(rules: &Rules, item: Node<'_, '_>) {
    for element in item.descendants().filter(|node| node.is_element() && node.tag_name().name() != "br") {
        let (attributes, inside) =
            rules.get(element.tag_name().name()).unwrap_or_else(|| panic!("{element:?} is not in qti.txt"));
        assert!(attributes.iter().all(|name| element.has_attribute(*name)), "{element:?}");
        assert!(elements(element).all(|child| inside.contains(&child.tag_name().name())), "{element:?}");
        let texts = element.children().filter(Node::is_text);
        assert!(
            inside.contains(&"text") || texts.clone().all(|text| text.text().unwrap().trim().is_empty()),
            "{element:?}"
        );
        // Comparing expressions take two operands.
        let two = ["match", "equal", "member", "gt"].contains(&element.tag_name().name());
        assert!(!two || elements(element).count() == 2, "{element:?}");
        let name = element.attribute("identifier").filter(|_| element != item);
        assert!(name.is_none_or(is_identifier), "{element:?}");
    }
    // The order that the schema's sequence requires.
    let order: Vec<&str> =
        elements(item).map(|child| child.tag_name().name()).filter(|name| *name != "modalFeedback").collect();
    let expected =
        ["responseDeclaration", "outcomeDeclaration", "outcomeDeclaration", "itemBody", "responseProcessing"];
    assert_eq!(order, expected);
    let known: Vec<&str> = item
        .descendants()
        .filter(|node| node.tag_name().name().starts_with("simple"))
        .filter_map(|node| node.attribute("identifier"))
        .collect();
    let base = named(item, "responseDeclaration").next().unwrap().attribute("baseType").unwrap();
    let right = correct(item);
    assert!(!right.is_empty());
    if matches!(base, "identifier" | "directedPair") {
        assert!(right.iter().flat_map(|value| value.split(' ')).all(|id| known.contains(&id)), "{right:?}");
    }
    let said: Vec<&str> = named(item, "modalFeedback").filter_map(|node| node.attribute("identifier")).collect();
    let mut shown = named(item, "baseValue").filter_map(|node| node.text());
    assert!(
        shown.all(|text| !(["right", "wrong"].contains(&text) || text.starts_with("reply")) || said.contains(&text))
    );
}

fn correct<'a>(item: Node<'a, 'a>) -> Vec<&'a str> {
    named(item, "correctResponse").flat_map(|node| named(node, "value")).filter_map(|value| value.text()).collect()
}

/// True if the item gives the point for a response.
fn scores(item: Node<'_, '_>, response: &[&str]) -> bool {
    let grading = named(item, "responseIf").next().unwrap();
    assert!(named(grading, "setOutcomeValue").any(|node| node.attribute("identifier") == Some("SCORE")));
    holds(item, elements(grading).next().unwrap(), response)
}

fn holds(item: Node<'_, '_>, condition: Node<'_, '_>, response: &[&str]) -> bool {
    let value = |node: Node<'_, '_>| match node.tag_name().name() {
        "correct" => correct(item).into_iter().map(str::to_owned).collect::<Vec<_>>(),
        "variable" => response.iter().map(|value| (*value).to_owned()).collect(),
        "baseValue" => vec![node.text().unwrap().to_owned()],
        "mapResponse" => {
            let fits =
                |entry: &Node<'_, '_>| entry.attribute("mapKey").unwrap().to_lowercase() == response[0].to_lowercase();
            let entry = named(item, "mapEntry").find(fits);
            vec![entry.map_or("0", |entry| entry.attribute("mappedValue").unwrap()).to_owned()]
        }
        other => panic!("{other}"),
    };
    let number = |node| value(node)[0].parse::<f64>().unwrap();
    let operands: Vec<_> = elements(condition).collect();
    match condition.tag_name().name() {
        "or" => operands.iter().any(|operand| holds(item, *operand, response)),
        "gt" => number(operands[0]) > number(operands[1]),
        "equal" => {
            let within =
                condition.attribute("tolerance").map_or(0.0, |both| both.split(' ').next().unwrap().parse().unwrap());
            (number(operands[0]) - number(operands[1])).abs() <= within
        }
        "match" => {
            let mut both = operands.iter().map(|operand| value(*operand)).collect::<Vec<_>>();
            if named(item, "responseDeclaration").next().unwrap().attribute("cardinality") == Some("multiple") {
                both.iter_mut().for_each(|values| values.sort());
            }
            both[0] == both[1]
        }
        other => panic!("{other}"),
    }
}

#[test]
fn an_item_has_the_documented_form_and_gives_every_answer_the_verdict_of_the_quiz() {
    let rules = rules();
    each_level(|level| {
        let exported = export("course", level, ExportFormat::Qti).unwrap();
        let documents: Vec<Document<'_>> =
            exported.files.iter().map(|(_, text)| Document::parse(text).unwrap()).collect();
        let manifest = documents[0].root_element();
        // The identifier has the type `xs:ID`; a level's id may not be a valid one.
        assert!(manifest.attribute("identifier").is_some_and(is_identifier));
        let listed: Vec<&str> = named(manifest, "resource").filter_map(|resource| resource.attribute("href")).collect();
        assert_eq!(listed, exported.files[1..].iter().map(|(name, _)| name).collect::<Vec<_>>());
        let items: Vec<Node<'_, '_>> = documents[1..].iter().map(|document| document.root_element()).collect();
        items.iter().for_each(|item| check_form(&rules, *item));
        let names =
            |_: &[(String, String)]| items.iter().map(|item| item.attribute("title").unwrap().to_owned()).collect();
        compare(level, ExportFormat::Qti, names, |original, at| check_verdicts(original, items[at]));
    });
}

fn check_verdicts(original: &Original<'_>, item: Node<'_, '_>) {
    let name = &original.posed.name;
    assert!(scores(item, &correct(item)), "{name}");
    match &original.posed.key {
        Key::Choice { choices, one } => {
            let ids: Vec<&str> =
                named(item, "simpleChoice").filter_map(|choice| choice.attribute("identifier")).collect();
            let right = |at: &usize| choices[*at].correct;
            let chosen: Vec<&str> = (0..choices.len()).filter(right).map(|at| ids[at]).collect();
            assert!(scores(item, &chosen) && !scores(item, &[]), "{name}");
            for wrong in (0..choices.len()).filter(|at| !right(at)) {
                let others = if *one { vec![ids[wrong]] } else { [&chosen[..], &[ids[wrong]]].concat() };
                assert!(!scores(item, &others), "{name}");
            }
        }
        Key::Number { .. } => {
            for typed in near_numbers(original.posed) {
                let typed = typed.to_string();
                let ours = original.takes(&json!(typed));
                assert!(ours.is_none_or(|ours| ours == scores(item, &[&typed])), "{typed}: {name}");
            }
        }
        Key::Words { accept, slips, .. } => {
            assert!(accept.iter().all(|text| scores(item, &[text])), "{name}");
            let known: Vec<&str> =
                accept.iter().chain(slips.iter().map(|(slip, _)| slip)).map(String::as_str).collect();
            for typed in near(&known) {
                assert!(!scores(item, &[&typed]) || original.takes(&json!(typed)) != Some(false), "{typed}: {name}");
            }
        }
        Key::Order { .. } => {
            let mut other = correct(item);
            other.swap(0, 1);
            assert!(!scores(item, &other), "{name}");
        }
        Key::Pairs { .. } => assert!(!scores(item, &correct(item)[1..]), "{name}"),
        Key::Blanks { .. } => panic!("{name}"),
    }
}
