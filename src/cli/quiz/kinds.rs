//! How each kind of question is asked, and what a typed line means.

use crate::mastery::{Answer, Item, Question, QuestionKind};
use crate::t;
use crate::text;
use std::collections::BTreeMap;

/// A row below the question: a letter or number, and Markdown; code stands without a letter.
pub(super) enum Row {
    /// A choice, an event, a side of a pair.
    Item(String, String),
    /// Code, line by line as it is.
    Code(String),
    /// An empty row.
    Gap,
}

/// What stands below the question.
pub(super) fn rows(kind: &QuestionKind) -> Vec<Row> {
    let lettered = |items: &[Item]| -> Vec<Row> {
        letters().zip(items).map(|(letter, item)| Row::Item(letter.to_string(), item.text.clone())).collect()
    };
    match kind {
        QuestionKind::Single(view) | QuestionKind::Multiple(view) => lettered(&view.choices),
        QuestionKind::Order(view) => lettered(&view.items),
        QuestionKind::Numeric(_) | QuestionKind::Text(_) => Vec::new(),
        QuestionKind::Cloze(view) => vec![Row::Code(boxed(&view.code))],
        QuestionKind::Match(view) => {
            let numbered = (1..).zip(&view.left).map(|(number, item)| Row::Item(number.to_string(), item.text.clone()));
            numbered.chain([Row::Gap]).chain(lettered(&view.right)).collect()
        }
    }
}

/// What is asked for in the first line; of further lines, one a blank.
pub(super) fn prompts(kind: &QuestionKind) -> Vec<String> {
    match kind {
        QuestionKind::Single(_) => vec![t!("cli-quiz-ask-single")],
        QuestionKind::Multiple(_) => vec![t!("cli-quiz-ask-multiple")],
        QuestionKind::Order(_) => vec![t!("cli-quiz-ask-order")],
        QuestionKind::Numeric(view) => vec![match &view.unit {
            Some(unit) => t!("cli-quiz-ask-number-in", unit = text::lines(unit)),
            None => t!("cli-quiz-ask-number"),
        }],
        QuestionKind::Text(_) => vec![t!("cli-quiz-ask-text")],
        QuestionKind::Cloze(view) if view.blanks == 1 => vec![t!("cli-quiz-ask-blank")],
        QuestionKind::Cloze(view) => {
            (1..=view.blanks).map(|number| t!("cli-quiz-ask-blank-of", number = number)).collect()
        }
        QuestionKind::Match(_) => vec![t!("cli-quiz-ask-match")],
    }
}

/// The answer that the typed lines make, or what is wrong with them.
pub(super) fn read(kind: &QuestionKind, typed: &[String]) -> Result<Answer, String> {
    let first = typed.first().map_or("", String::as_str);
    match kind {
        QuestionKind::Single(view) => {
            let id = id(first, &view.choices);
            known(std::slice::from_ref(&id), &view.choices)?;
            Ok(Answer::Single(id))
        }
        QuestionKind::Multiple(view) => {
            let ids = ids(first, &view.choices);
            known(&ids, &view.choices)?;
            Ok(Answer::Multiple(ids))
        }
        QuestionKind::Order(view) => {
            let ids = ids(first, &view.items);
            known(&ids, &view.items)?;
            Ok(Answer::Order(ids))
        }
        QuestionKind::Numeric(_) => Ok(Answer::Number(first.to_owned())),
        QuestionKind::Text(_) => Ok(Answer::Text(first.to_owned())),
        QuestionKind::Cloze(_) => Ok(Answer::Blanks(typed.to_vec())),
        QuestionKind::Match(view) => pairs(first, &view.left, &view.right).map(Answer::Pairs),
    }
}

/// An answer as the student would type it.
pub(super) fn told(answer: &Answer, kind: &QuestionKind) -> String {
    let letter = |id: &String| {
        let found = letters().zip(kind.items()).find(|(_, item)| item.id == *id);
        found.map_or_else(|| id.clone(), |(letter, _)| letter.to_string())
    };
    match answer {
        Answer::Single(id) => letter(id),
        Answer::Multiple(ids) | Answer::Order(ids) => ids.iter().map(letter).collect::<Vec<_>>().join(" "),
        Answer::Number(typed) | Answer::Text(typed) => typed.clone(),
        Answer::Blanks(blanks) => blanks.join(" | "),
        Answer::Pairs(pairs) => {
            let QuestionKind::Match(view) = kind else { return String::new() };
            let pair = |(number, left): (usize, &Item)| Some(format!("{number}{}", letter(pairs.get(&left.id)?)));
            (1..).zip(&view.left).filter_map(pair).collect::<Vec<_>>().join(" ")
        }
    }
}

/// For a form to fill in: further comments, and what its value is.
pub(super) fn form(question: &Question) -> (Vec<String>, String) {
    let listed = |items: &[Item]| items.iter().map(|item| format!("  {}: {}", item.id, item.text)).collect::<Vec<_>>();
    let comments = listed(question.kind.items());
    match &question.kind {
        QuestionKind::Single(_) => (comments, t!("cli-quiz-form-single")),
        QuestionKind::Multiple(_) => (comments, t!("cli-quiz-form-multiple")),
        QuestionKind::Order(_) => (comments, t!("cli-quiz-form-order")),
        QuestionKind::Numeric(view) => match &view.unit {
            Some(unit) => (comments, t!("cli-quiz-form-number-in", unit = text::lines(unit))),
            None => (comments, t!("cli-quiz-form-number")),
        },
        QuestionKind::Text(_) => (comments, t!("cli-quiz-form-text")),
        QuestionKind::Cloze(view) => (vec![view.code.clone()], t!("cli-quiz-form-cloze", blanks = view.blanks)),
        QuestionKind::Match(view) => {
            let mut comments = listed(&view.left);
            comments.push(t!("cli-quiz-form-match-with"));
            comments.extend(listed(&view.right));
            let pairs: Vec<String> = view.left.iter().map(|left| format!("{}: …", left.id)).collect();
            (comments, t!("cli-quiz-form-match", pairs = pairs.join(", ")))
        }
    }
}

fn letters() -> impl Iterator<Item = char> {
    'a'..='z'
}

/// Code whose blanks cannot be read as code: `___1___` as `[_1_]`.
fn boxed(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("___") {
        let inner = &rest[at + 3..];
        let digits = inner.find(|c: char| !c.is_ascii_digit()).unwrap_or(inner.len());
        out.push_str(&rest[..at]);
        match inner[digits..].strip_prefix("___").filter(|_| digits > 0) {
            Some(after) => {
                out.push_str(&format!("[_{}_]", &inner[..digits]));
                rest = after;
            }
            None => {
                out.push_str("___");
                rest = inner;
            }
        }
    }
    out + rest
}

/// The id behind a letter; else what was typed, which may be an id itself.
fn id(typed: &str, items: &[Item]) -> String {
    let item = letters().zip(items).find(|(letter, _)| typed.eq_ignore_ascii_case(&letter.to_string()));
    item.map_or_else(|| typed.to_owned(), |(_, item)| item.id.clone())
}

/// Refuses ids that name no choice.
fn known(ids: &[String], items: &[Item]) -> Result<(), String> {
    let Some(unknown) = ids.iter().find(|&id| items.iter().all(|item| item.id != *id)) else { return Ok(()) };
    let Some((last, _)) = letters().zip(items).last() else { return Ok(()) };
    Err(t!("cli-quiz-no-choice", typed = text::lines(unknown), last = last))
}

/// `a c`, `a,c` and `ac` are the same letters; ids may be typed too, apart.
fn ids(typed: &str, items: &[Item]) -> Vec<String> {
    let words: Vec<&str> = typed.split([' ', ',', '\t']).filter(|word| !word.is_empty()).collect();
    let is_letters = |word: &str| word.chars().all(|c| letters().zip(items).any(|(l, _)| l.eq_ignore_ascii_case(&c)));
    match words.as_slice() {
        [word] if !items.iter().any(|item| item.id == *word) && is_letters(word) => {
            word.chars().map(|letter| id(&letter.to_string(), items)).collect()
        }
        words => words.iter().map(|word| id(word, items)).collect(),
    }
}

/// `1b 2a 3c`, `1=b, 2=a` or, for all in order, `b a c`.
fn pairs(typed: &str, left: &[Item], right: &[Item]) -> Result<BTreeMap<String, String>, String> {
    let tidy = typed.replace(['=', ':', '-'], "");
    let words: Vec<&str> = tidy.split([' ', ',', '\t']).filter(|word| !word.is_empty()).collect();
    let mut pairs = BTreeMap::new();
    for (at, word) in words.iter().enumerate() {
        let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
        let number = if digits == 0 { Some(at + 1) } else { word[..digits].parse().ok() };
        let Some(left) = number.and_then(|number: usize| left.get(number.checked_sub(1)?)) else {
            return Err(t!("cli-quiz-no-pair", typed = text::lines(word), count = left.len()));
        };
        let partner = id(&word[digits..], right);
        known(std::slice::from_ref(&partner), right)?;
        if pairs.insert(left.id.clone(), partner).is_some() {
            return Err(t!("cli-quiz-pair-twice", number = number.unwrap_or(0)));
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(names: &[&str]) -> Vec<Item> {
        names.iter().map(|name| Item { id: (*name).into(), text: (*name).into() }).collect()
    }

    #[test]
    fn a_letter_that_stands_for_no_choice_is_refused_with_the_letters_there_are() {
        let items = items(&["x-first", "y-first"]);
        let told = |typed: &str| known(&[id(typed, &items)], &items).err();
        assert_eq!(told("2").as_deref(), Some("There is no choice `2`; type letters from a to b."));
        assert_eq!(told("B"), None);
        assert_eq!(told("y-first"), None);
        assert!(known(&ids("a c", &items), &items).is_err());
    }

    #[test]
    fn pairs_are_typed_in_several_ways_that_mean_the_same() {
        let (left, right) = (items(&["one", "two"]), items(&["x", "y", "z"]));
        let wanted = Ok([("one".to_owned(), "y".to_owned()), ("two".to_owned(), "x".to_owned())].into());
        for typed in ["1b 2a", "1=b, 2=a", "2a 1b", "b a", "1:B,2:A", "1-b 2-x"] {
            assert_eq!(pairs(typed, &left, &right), wanted, "{typed}");
        }
        for typed in ["3a", "1d", "0a", "1b 1a", "1"] {
            assert!(pairs(typed, &left, &right).is_err(), "{typed}");
        }
    }

    #[test]
    fn a_blank_is_shown_as_a_box_that_is_no_code() {
        assert_eq!(boxed("a[i % ___1___] = ___2___; // ___"), "a[i % [_1_]] = [_2_]; // ___");
    }
}
