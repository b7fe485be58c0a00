//! A model of how Moodle reads and grades questions.
//!
//! Sources: the pages "GIFT format", "Moodle XML format", "Short-Answer question type", "Numerical question type" and "Embedded
//! Answers (Cloze) question type" of Moodle's documentation (docs.moodle.org/en). Where they leave a rule open, the model does what
//! Moodle 4.5 does: the order in which GIFT's kinds are recognised, the formats in brackets at the start of any text, and the signs
//! of a blank that are unescaped.

use roxmltree::{Document, Node};

#[derive(Debug)]
pub(super) struct Imported {
    pub(super) name: String,
    pub(super) ask: String,
    pub(super) general: String,
    pub(super) body: Body,
}

#[derive(Debug)]
pub(super) enum Body {
    /// True if one choice is to be selected.
    Choice(bool, Vec<Answer>),
    Short(Vec<Answer>),
    Blanks(Vec<Vec<Answer>>),
    /// Fraction, number (`None` for every number) and absolute tolerance.
    Number(Vec<(f64, Option<f64>, f64)>),
    Order(Vec<String>),
    Pairs(Vec<(String, String)>),
}

/// An answer, the share of the points in per cent, and the reply.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) fraction: f64,
    pub(super) text: String,
    pub(super) feedback: String,
}

impl Answer {
    fn new(fraction: f64, text: String, feedback: String) -> Self {
        Self { fraction, text, feedback }
    }
}

/// Returns the first answer whose pattern fits the typed text.
pub(super) fn matching<'a>(answers: &'a [Answer], typed: &str, usecase: bool) -> Option<&'a Answer> {
    let fold = |text: &str| if usecase { text.to_owned() } else { text.to_lowercase() };
    answers.iter().find(|answer| fits(&fold(&answer.text), &fold(typed.trim())))
}

/// True if the pattern fits the whole text: `*` fits any text, and `\*` the sign.
fn fits(pattern: &str, text: &str) -> bool {
    let mut pattern_rest = pattern.chars();
    match pattern_rest.next() {
        None => text.is_empty(),
        Some('*') => {
            (0..=text.len()).filter(|at| text.is_char_boundary(*at)).any(|at| fits(pattern_rest.as_str(), &text[at..]))
        }
        Some('\\') if pattern_rest.as_str().starts_with('*') => {
            text.strip_prefix('*').is_some_and(|text| fits(&pattern_rest.as_str()[1..], text))
        }
        Some(c) => text.strip_prefix(c).is_some_and(|text| fits(pattern_rest.as_str(), text)),
    }
}

/// True if the first number whose tolerance contains the typed one gets all points.
pub(super) fn takes(numbers: &[(f64, Option<f64>, f64)], typed: f64) -> bool {
    let slack = |value: f64| 1e-14 * value.abs().max(1.0);
    let found = numbers
        .iter()
        .find(|(_, value, tolerance)| value.is_none_or(|value| (typed - value).abs() <= tolerance + slack(value)));
    found.is_some_and(|(fraction, ..)| *fraction == 100.0)
}

const ESCAPED: &str = ":#={}~n";

/// Replaces escaped signs by private characters, which mean nothing in GIFT.
fn hidden(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text.chars());
    while let Some(c) = rest.next() {
        let next = rest.as_str().chars().next().filter(|_| c == '\\');
        let private = next.and_then(|next| ESCAPED.chars().zip('\u{e000}'..).find(|(sign, _)| *sign == next));
        match (private, next) {
            (Some((_, private)), _) => out.push(private),
            (None, Some('\\')) => out.push('\\'),
            _ => {
                out.push(c);
                continue;
            }
        }
        rest.next();
    }
    out
}

fn shown(text: &str) -> String {
    let sign = |c: char| {
        ESCAPED.replace('n', "\n").chars().zip('\u{e000}'..).find(|(_, private)| *private == c).map(|(c, _)| c)
    };
    text.chars().map(|c| sign(c).unwrap_or(c)).collect::<String>().trim().to_owned()
}

/// Returns a text without the name of a format before it.
fn formatted(text: &str) -> String {
    let text = text.trim();
    let format = ["[html]", "[markdown]", "[plain]", "[moodle]"].iter().find_map(|format| text.strip_prefix(format));
    shown(format.unwrap_or(text))
}

/// Returns the weight at the start of an answer, and the rest.
fn weighted(answer: &str) -> (Option<f64>, &str) {
    let weight = answer.strip_prefix('%').and_then(|rest| rest.split_once('%'));
    let is_weight = |weight: &str| {
        let digits = weight.trim_start_matches('-');
        digits.starts_with(|c: char| c.is_ascii_digit()) && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    match weight.filter(|(weight, _)| is_weight(weight)) {
        Some((weight, rest)) => (Some(weight.parse().unwrap()), rest),
        None => (None, answer),
    }
}

fn commented(answer: &str) -> (String, String) {
    let (text, feedback) = answer.split_once('#').unwrap_or((answer, ""));
    (formatted(text), formatted(feedback))
}

/// Reads a file of GIFT.
pub(super) fn gift(file: &str) -> Vec<Imported> {
    let lines: Vec<&str> = file.lines().filter(|line| !line.trim().starts_with("//")).collect();
    let blocks = lines.join("\n");
    let blocks = blocks.split("\n\n").map(|block| hidden(block.trim())).filter(|block| !block.is_empty());
    blocks.filter(|block| !block.starts_with("$CATEGORY:")).map(|block| question(&block)).collect()
}

fn question(block: &str) -> Imported {
    let (name, text) = block.strip_prefix("::").and_then(|rest| rest.split_once("::")).expect("a title");
    let (ask, rest) = text.split_once('{').expect("answers");
    let (answers, after) = rest.split_once('}').expect("an end");
    assert_eq!(after, "", "{name}: the first brace ends the question");
    let (answers, general) = answers.rsplit_once("####").unwrap_or((answers, ""));
    let answers = answers.trim();
    let parts = |sign: char| answers.split(sign).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>();
    let body = if let Some(numbers) = answers.strip_prefix('#') {
        let (numbers, _) = numbers.split_once('~').unwrap_or((numbers, ""));
        let number = |answer: &str| {
            let (weight, answer) = weighted(answer.trim());
            let (text, _) = commented(answer);
            let (value, tolerance) = text.split_once(':').expect("a tolerance");
            (weight.unwrap_or(100.0), Some(value.parse().unwrap()), tolerance.parse().unwrap())
        };
        Body::Number(numbers.split('=').filter(|part| !part.trim().is_empty()).map(number).collect())
    } else if answers.contains('~') {
        let choice = |answer: &str| {
            let (weight, text) = match answer.strip_prefix('=') {
                Some(text) => (Some(100.0), text),
                None => weighted(answer),
            };
            let (text, feedback) = commented(text);
            Answer::new(weight.unwrap_or(0.0), text, feedback)
        };
        let separate = answers.replace('=', "~=");
        let choices = separate.split('~').map(str::trim).filter(|part| !part.is_empty());
        Body::Choice(answers.contains('='), choices.map(choice).collect())
    } else if answers.contains("->") {
        let pair = |answer: &str| {
            let (left, right) = answer.split_once("->").unwrap_or_else(|| panic!("{name}: no pair: {answer}"));
            (formatted(left), shown(right))
        };
        Body::Pairs(parts('=').into_iter().map(pair).collect())
    } else {
        assert!(!["T", "TRUE", "F", "FALSE"].contains(&answers.split('#').next().unwrap().trim()), "{name}");
        let short = |answer: &str| {
            let (weight, answer) = weighted(answer);
            let (text, feedback) = commented(answer);
            Answer::new(weight.unwrap_or(100.0), text, feedback)
        };
        Body::Short(parts('=').into_iter().map(short).collect())
    };
    Imported { name: shown(name), ask: formatted(ask), general: formatted(general), body }
}

/// Reads a file of Moodle XML.
pub(super) fn xml(file: &str) -> Vec<Imported> {
    // PHP's reader drops a piece of white space, and a reference begins a new piece.
    for text in file.split("<text>").skip(1).filter_map(|rest| rest.split("</text>").next()) {
        assert!(text.starts_with("<![CDATA[") || !text.contains('&'), "{text}");
    }
    let document = Document::parse(file).unwrap();
    let questions = document.root_element().children().filter(Node::is_element);
    questions.filter(|node| node.attribute("type") != Some("category")).map(entry).collect()
}

fn child<'a>(node: Node<'a, 'a>, name: &str) -> Option<Node<'a, 'a>> {
    node.children().find(|child| child.has_tag_name(name))
}

/// Returns the text of a child, without and with an element `text` in it.
fn setting<'a>(node: Node<'a, 'a>, name: &str) -> &'a str {
    child(node, name).and_then(|node| node.text()).unwrap_or_default()
}

fn text_of<'a>(node: Node<'a, 'a>, name: &str) -> String {
    child(node, name).map(|node| setting(node, "text").trim().to_owned()).unwrap_or_default()
}

fn entry(node: Node<'_, '_>) -> Imported {
    let answers = || node.children().filter(|child| child.has_tag_name("answer"));
    let read = || {
        answers()
            .map(|answer| {
                let fraction = answer.attribute("fraction").unwrap().parse().unwrap();
                Answer::new(fraction, setting(answer, "text").trim().to_owned(), text_of(answer, "feedback"))
            })
            .collect::<Vec<_>>()
    };
    let ask = text_of(node, "questiontext");
    let body = match node.attribute("type").unwrap() {
        "multichoice" => Body::Choice(setting(node, "single") == "true", read()),
        "shortanswer" => {
            assert_eq!(setting(node, "usecase"), "0");
            Body::Short(read())
        }
        "numerical" => {
            // The field of the number takes a unit, which gets no points.
            let units = child(node, "units").map(|_| (setting(node, "showunits"), setting(node, "unitgradingtype")));
            assert!(units.is_none_or(|units| units == ("0", "0")), "{units:?}");
            let tolerance = answers().map(|answer| setting(answer, "tolerance").parse().unwrap());
            let number = |(answer, tolerance): (Answer, f64)| (answer.fraction, answer.text.parse().ok(), tolerance);
            Body::Number(read().into_iter().zip(tolerance).map(number).collect())
        }
        "ordering" => Body::Order(read().into_iter().map(|item| item.text).collect()),
        "matching" => {
            let pairs = node.children().filter(|child| child.has_tag_name("subquestion"));
            Body::Pairs(pairs.map(|pair| (setting(pair, "text").trim().to_owned(), text_of(pair, "answer"))).collect())
        }
        "cloze" => Body::Blanks(blanks(&ask)),
        other => panic!("{other}"),
    };
    Imported { name: text_of(node, "name"), ask, general: text_of(node, "generalfeedback"), body }
}

/// Returns the answers of each blank in a text.
fn blanks(mut text: &str) -> Vec<Vec<Answer>> {
    let mut blanks = Vec::new();
    while let Some((_, rest)) = text.split_once("{1:SHORTANSWER_C:") {
        let mut answers = Vec::new();
        let mut rest = rest;
        loop {
            let (fraction, after) = rest.strip_prefix('=').map_or((0.0, rest), |after| (100.0, after));
            let (answer, after) = until(after, &['~', '#', '}'], &["\\", "&", "&amp;"]);
            let (feedback, after) = match after.strip_prefix('#') {
                Some(after) => until(after, &['~', '}'], &["\\"]),
                None => ("", after),
            };
            answers.push(Answer::new(fraction, unescaped(answer), unescaped(feedback)));
            rest = &after[1..];
            if after.starts_with('}') {
                break;
            }
        }
        blanks.push(answers);
        text = rest;
    }
    blanks
}

/// Splits a text before the first of the signs that does not follow one of `unless`.
fn until<'a>(text: &'a str, signs: &[char], unless: &[&str]) -> (&'a str, &'a str) {
    let ends = |at: usize| !unless.iter().any(|unless| text[..at].ends_with(unless));
    let at = text.match_indices(signs).map(|(at, _)| at).find(|at| ends(*at)).expect("a blank ends");
    text.split_at(at)
}

/// Decodes the references of HTML, then `\}` and `\#`.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    for (number, piece) in text.split('&').enumerate() {
        let Some((name, rest)) = piece.split_once(';').filter(|_| number > 0) else {
            assert_eq!(number, 0, "{text}");
            out.push_str(piece);
            continue;
        };
        let code = name.strip_prefix('#').expect("a number").parse().unwrap();
        out.push(char::from_u32(code).unwrap());
        out.push_str(rest);
    }
    out.replace("\\}", "}").replace("\\#", "#")
}
