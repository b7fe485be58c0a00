//! Reads exports back with small parsers of the documented grammars.

use crate::{ExportFormat, Exported, export};
use std::collections::BTreeMap;
use tutor_course::{Course, CourseSource};

fn all(format: ExportFormat) -> Vec<Exported> {
    let course = Course::load(&CourseSource::BuiltIn, "en");
    course.levels.iter().filter_map(|level| export(&course.id, level, format)).collect()
}

/// An XML element: name, attributes, children and text.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    children: Vec<Element>,
    text: String,
}

impl Element {
    fn child(&self, name: &str) -> &Self {
        self.children
            .iter()
            .find(|child| child.name == name)
            .unwrap_or_else(|| panic!("<{}> lacks <{name}>", self.name))
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    fn everywhere<'a>(&'a self, found: &mut Vec<&'a Self>) {
        found.push(self);
        self.children.iter().for_each(|child| child.everywhere(found));
    }
}

/// Parses well-formed XML without a document type (XML 1.0, fifth edition). Panics if it is not well-formed.
fn xml(text: &str) -> Element {
    let mut stack = vec![Element::default()];
    let mut rest = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").expect("a declaration");
    while !rest.is_empty() {
        let (plain, after) = rest.split_once('<').unwrap_or((rest, ""));
        assert!(!plain.replace("]]&gt;", "").contains("]]>"), "{plain}");
        for part in plain.split('&').skip(1) {
            let entity = part.split_once(';').expect("an entity ends").0;
            assert!(["amp", "lt", "gt", "quot"].contains(&entity), "&{entity};");
        }
        let decoded = plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
        stack.last_mut().unwrap().text += &decoded;
        if after.is_empty() {
            break;
        }
        let (tag, after) = after.split_once('>').expect("a tag ends");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let element = stack.pop().unwrap();
            assert_eq!(element.name, name, "tags are nested");
            stack.last_mut().unwrap().children.push(element);
            continue;
        }
        let (tag, alone) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, mut attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-_:.".contains(c)) && !name.is_empty(), "<{name}>");
        let mut element = Element { name: name.to_owned(), ..Element::default() };
        while let Some((attribute, value)) = attributes.trim_start().split_once("=\"") {
            let (value, after) = value.split_once('"').expect("a value ends");
            assert!(!value.contains('<'), "{value}");
            assert!(
                element.attributes.insert(attribute.trim().to_owned(), value.to_owned()).is_none(),
                "{attribute} twice"
            );
            attributes = after;
        }
        assert_eq!(attributes.trim(), "", "{tag}");
        if alone { stack.last_mut().unwrap().children.push(element) } else { stack.push(element) }
    }
    assert_eq!(stack.len(), 1, "all is closed");
    let mut root = stack.pop().unwrap();
    assert_eq!((root.children.len(), root.text.trim()), (1, ""));
    root.children.remove(0)
}

/// A GIFT question: its title and its answers, each with its sign and feedback.
#[derive(Debug)]
struct Gift {
    title: String,
    numeric: bool,
    answers: Vec<(char, String, Option<String>)>,
    general: Option<String>,
}

/// Splits at characters that are not escaped with a backslash.
fn split_at(text: &str, signs: &[char]) -> Vec<(char, String)> {
    let (mut parts, mut escaped) = (vec![(' ', String::new())], false);
    for c in text.chars() {
        if !escaped && signs.contains(&c) {
            parts.push((c, String::new()));
        } else {
            parts.last_mut().unwrap().1.push(c);
        }
        escaped = c == '\\' && !escaped;
    }
    parts
}

/// Parses GIFT as Moodle's documentation describes it: comments, categories, `::title::[format]text{answers}`.
fn gift(text: &str) -> Vec<Gift> {
    let mut questions = Vec::new();
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.starts_with("//") && !line.starts_with("$CATEGORY: ")).collect();
    for block in lines.join("\n").split("\n\n").map(str::trim).filter(|block| !block.is_empty()) {
        let rest = block.strip_prefix("::").expect("a title");
        let (title, rest) = rest.split_once("::[markdown]").expect("a format");
        let open = split_at(rest, &['{', '}']);
        assert_eq!(open.iter().map(|(sign, _)| *sign).collect::<String>(), " {}", "one pair of braces: {block}");
        assert_eq!(open[2].1.trim(), "");
        for sign in ['=', '~', '#'] {
            assert_eq!(split_at(&open[0].1, &[sign]).len(), 1, "{sign} in {}", open[0].1);
        }
        let body = open[1].1.trim();
        let (body, general) = body.split_once("####").map_or((body, None), |(body, general)| (body, Some(general)));
        let (numeric, body) = body.strip_prefix('#').map_or((false, body), |body| (true, body));
        let mut answers = Vec::new();
        for (sign, answer) in split_at(body, &['=', '~']).into_iter().skip(1) {
            let parts = split_at(answer.trim(), &['#']);
            assert!(parts.len() <= 2, "{answer}");
            answers.push((sign, parts[0].1.clone(), parts.get(1).map(|(_, feedback)| feedback.clone())));
        }
        questions.push(Gift { title: title.to_owned(), numeric, answers, general: general.map(str::to_owned) });
    }
    questions
}

/// The weights that Moodle accepts.
const WEIGHTS: [&str; 10] = ["100", "50", "33.33333", "25", "20", "16.66667", "14.28571", "12.5", "11.11111", "10"];

#[test]
fn gift_is_read_back_with_every_question_and_reason() {
    let mut read = 0;
    for level in all(ExportFormat::Gift) {
        let questions = gift(&level.files[0].1);
        let left_out = level.remarks.iter().filter(|remark| remark.contains("left out, as GIFT")).count();
        assert_eq!(questions.len() + left_out, level.questions);
        for question in &questions {
            assert!(question.general.as_ref().is_some_and(|general| !general.trim().is_empty()), "{}", question.title);
            assert!(
                question.answers.iter().any(|(sign, text, _)| *sign == '=' || text.starts_with('%')),
                "{question:?}"
            );
            for (sign, text, _) in &question.answers {
                if let Some(weighted) = text.strip_prefix('%') {
                    let weight = weighted.split('%').next().unwrap();
                    assert!(WEIGHTS.contains(&weight) || weight == "-100" || weight == "0", "{weight}");
                } else if question.numeric && *sign == '=' {
                    let (value, tolerance) = text.split_once(':').expect("a tolerance");
                    assert!(
                        value.parse::<f64>().is_ok() && tolerance.parse::<f64>().is_ok_and(|it| it >= 0.0),
                        "{text}"
                    );
                }
            }
        }
        read += questions.len();
    }
    assert!(read > 150, "{read}");
}

#[test]
fn moodle_xml_is_read_back_with_every_question_and_key() {
    let mut read = 0;
    for level in all(ExportFormat::MoodleXml) {
        let quiz = xml(&level.files[0].1);
        assert_eq!(quiz.name, "quiz");
        for question in quiz.all("question") {
            let kind = question.attributes["type"].as_str();
            if kind == "category" {
                assert!(question.child("category").child("text").text.starts_with("$course$/"));
                continue;
            }
            read += 1;
            let name = &question.child("name").child("text").text;
            assert!(!question.child("questiontext").child("text").text.trim().is_empty(), "{name}");
            assert!(!question.child("generalfeedback").child("text").text.trim().is_empty(), "{name}");
            let right: f64 = question
                .all("answer")
                .filter_map(|answer| answer.attributes.get("fraction")?.parse::<f64>().ok())
                .filter(|fraction| *fraction > 0.0)
                .sum();
            match kind {
                "multichoice" => {
                    let single = question.child("single").text == "true";
                    assert!((right - 100.0).abs() < 0.001, "{name}: {right}");
                    let is_wrong = |answer: &&Element| {
                        !answer.attributes["fraction"].starts_with(|c: char| ('1'..='9').contains(&c))
                    };
                    let wrong: Vec<&Element> = question.all("answer").filter(is_wrong).collect();
                    assert!(!wrong.is_empty() || !single, "{name}");
                    assert!(
                        wrong.iter().all(|answer| answer.all("feedback").count() == 1),
                        "{name}: each has its reason"
                    );
                }
                "numerical" => {
                    assert!(
                        question.all("answer").all(|answer| answer.child("tolerance").text.parse::<f64>().is_ok()),
                        "{name}"
                    );
                    assert!(question.all("answer").next().unwrap().child("text").text.parse::<f64>().is_ok(), "{name}");
                }
                "shortanswer" => assert!(right >= 100.0, "{name}"),
                "matching" => assert!(
                    question.all("subquestion").filter(|pair| !pair.child("text").text.is_empty()).count() >= 3,
                    "{name}"
                ),
                "ordering" => assert!(question.all("answer").count() >= 3, "{name}"),
                "cloze" => {
                    let text = &question.child("questiontext").child("text").text;
                    assert!(text.contains("{1:SHORTANSWER:=") && !text.contains("___1___"), "{name}: {text}");
                }
                other => panic!("{other}"),
            }
        }
    }
    assert!(read > 170, "{read}");
}

/// Maps each element to its required attributes and to the elements that it may contain.
type QtiRules = BTreeMap<&'static str, (Vec<&'static str>, Vec<&'static str>)>;

fn qti_rules() -> QtiRules {
    let mut rules = QtiRules::new();
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

#[test]
fn qti_is_well_formed_and_of_the_documented_elements_and_its_responses_are_declared() {
    let (mut read, rules) = (0, qti_rules());
    for level in all(ExportFormat::Qti) {
        let manifest = xml(&level.files[0].1);
        // The identifier has the type `xs:ID`; a level's id may not be a valid one.
        assert!(is_identifier(&manifest.attributes["identifier"]), "{:?}", manifest.attributes);
        let listed: Vec<&String> =
            manifest.child("resources").all("resource").map(|resource| &resource.attributes["href"]).collect();
        assert_eq!(listed, level.files[1..].iter().map(|(name, _)| name).collect::<Vec<_>>());
        for (name, text) in &level.files[1..] {
            read += 1;
            let item = xml(text);
            let mut found = Vec::new();
            item.everywhere(&mut found);
            for element in found.iter().filter(|element| element.name != "br") {
                let what = format!("{name}: <{}>", element.name);
                let (attributes, inside) = rules.get(&*element.name).unwrap_or_else(|| panic!("{what}"));
                assert!(attributes.iter().all(|name| element.attributes.contains_key(*name)), "{what}: {element:?}");
                let children = element.children.iter().map(|child| child.name.as_str());
                assert!(children.clone().all(|child| inside.contains(&child)), "{what}: {element:?}");
                assert!(inside.contains(&"text") || element.text.trim().is_empty(), "{what}: {}", element.text);
                // Comparing expressions take two operands.
                let two = ["match", "equal", "member", "gt"].contains(&element.name.as_str());
                assert!(!two || children.count() == 2, "{what}");
                let name = element.attributes.get("identifier").filter(|_| element.name != "assessmentItem");
                assert!(name.is_none_or(|name| is_identifier(name)), "{what}: {name:?}");
            }
            // The order that the schema's sequence requires.
            let order: Vec<&str> = item
                .children
                .iter()
                .map(|child| child.name.as_str())
                .filter(|child| *child != "modalFeedback")
                .collect();
            let expected =
                ["responseDeclaration", "outcomeDeclaration", "outcomeDeclaration", "itemBody", "responseProcessing"];
            assert_eq!(order, expected, "{name}");
            let identifiers: Vec<&String> = found
                .iter()
                .filter(|element| element.name.starts_with("simple"))
                .filter_map(|element| element.attributes.get("identifier"))
                .collect();
            let right: Vec<&String> = item
                .child("responseDeclaration")
                .child("correctResponse")
                .all("value")
                .map(|value| &value.text)
                .collect();
            assert!(!right.is_empty(), "{name}");
            let base = item.child("responseDeclaration").attributes["baseType"].as_str();
            if matches!(base, "identifier" | "directedPair") {
                assert!(
                    right
                        .iter()
                        .flat_map(|value| value.split(' '))
                        .all(|id| identifiers.iter().any(|known| *known == id)),
                    "{name}"
                );
            }
            let said: Vec<&str> =
                item.all("modalFeedback").map(|feedback| feedback.attributes["identifier"].as_str()).collect();
            let set = found
                .iter()
                .filter(|element| element.attributes.get("baseType").is_some_and(|base| base == "identifier"));
            for element in set.filter(|element| {
                ["right", "wrong"].contains(&element.text.as_str()) || element.text.starts_with("reply")
            }) {
                assert!(said.contains(&element.text.as_str()), "{name}: {}", element.text);
            }
        }
    }
    assert!(read > 150, "{read}");
}
