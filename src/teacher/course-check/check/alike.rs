//! Compares a page of a translation with the original page: only texts may differ.

use crate::check::editions::DIFFERS;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tutor_course::Page;
use tutor_course::lint::{Lint, Path};
use tutor_support::yaml::{Node, PathStep, Value};

/// Fields whose texts are translated, anywhere in what a page shows.
const WORDS: [&str; 1] = ["note"];

/// A page with its place in its file.
pub(super) struct Placed<'a> {
    pub(super) page: &'a Page,
    /// The page's node in the file's tree.
    pub(super) node: Option<&'a Node>,
}

/// Reports every difference from the original that is not a translation.
pub(super) fn check(lint: &mut Lint<'_>, to: &Placed<'_>, from: &Placed<'_>, path: &Path<'_>) {
    let mut differs = |field: &'static str, what: &str| {
        let message = format!("The page `{}` {what} than the original.", to.page.id.value);
        lint.report("edition-differs", &path.to(field), message, DIFFERS);
    };
    let (page, original) = (to.page, from.page);
    if page.tag != original.tag {
        differs("tag", "has another tag");
    }
    if page.objectives != original.objectives {
        differs("objectives", "serves other objectives");
    }
    if page.recall.len() != original.recall.len() {
        differs("recall", "has more or fewer recall questions");
    }
    let key = |page: &Page| {
        let predict = page.predict.as_ref()?;
        Some((predict.choices.iter().map(|choice| choice.correct).collect::<Vec<_>>(), predict.shuffle))
    };
    if key(page) != key(original) {
        differs("predict", "has other choices, or has other ones correct,");
    }
    let points = |page: &Page| page.why.as_ref().map(|why| why.points.len());
    if points(page) != points(original) {
        differs("why", "has another why, or other points in its answer,");
    }
    let field = |placed: &Placed<'_>, name: &'static str| -> Option<String> {
        Some(written(placed.node?.value_at(&[PathStep::Key(name)])?, &WORDS))
    };
    if field(to, "show") != field(from, "show") {
        differs("show", "shows something else");
    }
    // Students do not see claims. A translation without claims has those of the original.
    let claims = field(to, "claims");
    if claims.is_some() && claims != field(from, "claims") {
        differs("claims", "claims something else");
    }
    numbers(lint, page, original, path);
    outdated(lint, page, from.node, path);
}

/// Compares the numbers in each text of a page.
fn numbers(lint: &mut Lint<'_>, page: &Page, original: &Page, path: &Path<'_>) {
    let what = format!("A text of the page `{}`", page.id.value);
    for ((place, text), (_, from)) in texts(page, path).into_iter().zip(texts(original, path)) {
        same_numbers(lint, &what, &place, text, from);
    }
}

/// Reports a text whose numbers differ from the original's. `what` names the text in the message.
pub(super) fn same_numbers(lint: &mut Lint<'_>, what: &str, place: &Path<'_>, text: &str, from: &str) {
    // Another rule covers a text that is missing here or in the original.
    if text.trim().is_empty() || from.trim().is_empty() {
        return;
    }
    if let Some(differs) = difference(text, from) {
        let message = format!("{what} {differs}.");
        let help = "Numbers are the same in every language; write digits where the original does.";
        lint.report("edition-numbers", place, message, help);
    }
}

/// Describes how the numbers of a text differ from the original's. Returns `None` if they agree. One language may write
/// a number as a word where another uses digits. So additional numbers up to 20 are accepted if all the original's
/// numbers are present.
fn difference(text: &str, from: &str) -> Option<String> {
    let (mut here, mut there) = (counted(text), counted(from));
    for (number, count) in &mut here {
        let shared = there.get_mut(number).map_or(0, |others| {
            let shared = (*others).min(*count);
            *others -= shared;
            shared
        });
        *count -= shared;
    }
    if there.values().all(|count| *count == 0) {
        here.retain(|number, _| !number.parse().is_ok_and(|number: u64| number <= 20));
    }
    let named = |numbers: &BTreeMap<String, u32>| {
        let left = numbers.iter().filter(|(_, count)| **count > 0).map(|(number, _)| number.as_str());
        left.collect::<Vec<_>>().join(", ")
    };
    let (more, fewer) = (named(&here), named(&there));
    match (more.is_empty(), fewer.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("contains {more}, but the original does not")),
        (true, false) => Some(format!("lacks {fewer}, which is in the original")),
        (false, false) => Some(format!("contains {more}, but the original contains {fewer}")),
    }
}

/// Returns the texts of a page with their places. The order is the same for all pages that have the same parts.
fn texts<'a, 'p>(page: &'a Page, path: &Path<'p>) -> Vec<(Path<'p>, &'a str)> {
    let mut texts = vec![(path.to("text"), page.text.as_str()), (path.to("after"), page.after.as_str())];
    let predict = path.to("predict");
    let choices = page.predict.iter().flat_map(|predict| predict.choices.iter().map(Some).chain([None; 6]).take(6));
    texts.push((predict.to("ask"), page.predict.as_ref().map_or("", |predict| &predict.ask)));
    for (index, choice) in choices.enumerate() {
        let place = predict.to("choices").to(index);
        texts.push((place.to("text"), choice.map_or("", |choice| &choice.text)));
        texts.push((place.to("reply"), choice.map_or("", |choice| &choice.reply)));
    }
    texts
}

/// Counts the numbers of a text. Ignores separators between digits, because they depend on the language.
fn counted(text: &str) -> BTreeMap<String, u32> {
    let mut numbers = BTreeMap::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        // `L2` is a name, so digits after a blank are another number.
        let name = rest[..at].ends_with(|c: char| c.is_ascii_alphabetic());
        rest = &rest[at..];
        let mut number = String::new();
        loop {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            number.push_str(&rest[..digits]);
            rest = &rest[digits..];
            let mut chars = rest.chars();
            // A blank separates thousands if at most three digits precede it and exactly three follow. Otherwise it
            // separates numbers.
            let three = |rest: &str| rest.bytes().take_while(u8::is_ascii_digit).count() == 3;
            let parted = chars.next().is_some_and(|c| match c {
                ' ' => !name && digits <= 3 && three(&rest[1..]),
                '.' | ',' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\'' => true,
                _ => false,
            });
            if !parted || !chars.next().is_some_and(|c| c.is_ascii_digit()) {
                break;
            }
            rest = &rest[rest.char_indices().nth(1).map_or(rest.len(), |(at, _)| at)..];
        }
        *numbers.entry(number).or_default() += 1;
    }
    numbers
}

/// Reports a page whose original has changed since it was translated.
fn outdated(lint: &mut Lint<'_>, page: &Page, original: Option<&Node>, path: &Path<'_>) {
    if let (Some(of), Some(original)) = (&page.of, original) {
        translates(lint, &format!("page `{}`", page.id.value), &path.to("of"), of, &hash(original));
    }
}

/// Reports a translation if `of`, the original's digest when it was translated, is not the digest `now`. `what` names
/// it in the message.
pub(super) fn translates(lint: &mut Lint<'_>, what: &str, place: &Path<'_>, of: &str, now: &str) {
    if of != now {
        let message = format!("The original of the {what} has changed. Its digest is now `{now}`.");
        lint.report("edition-outdated", place, message, format!("Bring it up to date, then write `of: {now}`."));
    }
}

/// Returns a digest of a page or question, without the fields that students do not see.
pub(super) fn hash(of: &Node) -> String {
    hash_of_text(&written(of, &["claims", "allow", "of", "optional"]))
}

/// Returns a digest of a text: eight digits.
pub(super) fn hash_of_text(text: &str) -> String {
    tutor_kernels::machine_code::digest(text)[..8].to_owned()
}

/// Returns a value as text, without some fields. The text does not depend on the layout of the file.
fn written(node: &Node, but: &[&str]) -> String {
    fn write(node: &Node, but: &[&str], to: &mut String) {
        // Writing to a string cannot fail.
        let _ = match &node.value {
            Value::Null => write!(to, "~"),
            Value::Bool(value) => write!(to, "{value}"),
            Value::Integer(value) => write!(to, "{value}"),
            Value::Real(value) => write!(to, "{value:?}"),
            Value::Text(text) => write!(to, "{text:?}"),
            Value::List(items) => {
                to.push('[');
                for item in items {
                    write_one(item, but, to, ",");
                }
                write!(to, "]")
            }
            Value::Map(entries) => {
                to.push('{');
                let mut entries: Vec<_> =
                    entries.iter().map(|(key, value)| (key.text().unwrap_or(""), value)).collect();
                entries.retain(|(key, _)| !but.contains(key));
                entries.sort_by_key(|(key, _)| *key);
                for (key, value) in entries {
                    let _ = write!(to, "{key}:");
                    write_one(value, but, to, ",");
                }
                write!(to, "}}")
            }
        };
    }
    fn write_one(node: &Node, but: &[&str], to: &mut String, end: &str) {
        write(node, but, to);
        to.push_str(end);
    }
    let mut text = String::new();
    write(node, but, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_support::yaml;

    #[test]
    fn a_number_is_the_same_however_its_digits_are_parted() {
        let same = ["7,660.5 GFLOP/s at 16×16", "7\u{202f}660,5 GFLOP/s bei 16×16", "7'660.5 16 16"];
        let numbers = counted(same[0]);
        assert_eq!(numbers, BTreeMap::from([("76605".to_owned(), 1), ("16".to_owned(), 2)]));
        assert!(same.iter().all(|text| counted(text) == numbers));
        assert_eq!(counted("1, 2 and 3."), BTreeMap::from(["1", "2", "3"].map(|n| (n.to_owned(), 1))));
        assert_eq!(counted("L1 128, L2 280"), counted("L1: 128, L2: 280"));
        assert_eq!(counted("65 536 of 131\u{a0}072, 1024 256"), counted("65,536 of 131'072, 1024, 256"));
    }

    #[test]
    fn a_small_number_may_stand_where_the_original_has_a_word() {
        let (digits, words) = ("2026년 11월에 4분의 1, 곧 8개", "a quarter, in November 2026: 8");
        assert_eq!(difference(digits, words), None);
        assert_eq!(difference(words, digits).unwrap(), "lacks 1, 11, 4, which is in the original");
        assert_eq!(difference("32 of them", "thirty-two of them").unwrap(), "contains 32, but the original does not");
    }

    #[test]
    fn a_page_is_known_by_what_it_says_and_not_by_how_it_is_laid_out() {
        let of = |text: &str| hash(&yaml::read(text).unwrap());
        let page = of("id: a\ntitle: T\ntext: |\n  Words.\n");
        assert_eq!(of("{ title: \"T\", id: a, claims: [], text: \"Words.\\n\" }"), page);
        assert_ne!(of("id: a\ntitle: T\ntext: |\n  Other words.\n"), page);
    }
}
