//! A page of a translation, held against the page that it translates: only words may differ.

use crate::author::check::editions::DIFFERS;
use crate::course::Page;
use crate::course::lint::{Lint, Path};
use crate::yaml::{Node, Step, Value};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Fields in which a translation has words of its own, wherever they stand in what a page shows.
const WORDS: [&str; 1] = ["note"];

/// A page with its place in its file.
pub(super) struct Placed<'a> {
    pub(super) page: &'a Page,
    /// Of the page in the file's tree.
    pub(super) node: Option<&'a Node>,
}

/// Everything in which a page differs that should not.
pub(super) fn check(lint: &mut Lint<'_>, to: &Placed<'_>, from: &Placed<'_>, path: &Path<'_>) {
    let mut differs = |field: &'static str, what: &str| {
        let message = format!("The page `{}` {what} than the original.", to.page.id.value);
        lint.tell("edition-differs", &path.to(field), message, DIFFERS);
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
        Some(written(placed.node?.value_at(&[Step::Key(name)])?, &WORDS))
    };
    if field(to, "show") != field(from, "show") {
        differs("show", "shows something else");
    }
    // Nobody sees the claims: without them those of the original do.
    let claims = field(to, "claims");
    if claims.is_some() && claims != field(from, "claims") {
        differs("claims", "claims something else");
    }
    numbers(lint, page, original, path);
    outdated(lint, page, from.node, path);
}

/// The numbers in each text of a page.
fn numbers(lint: &mut Lint<'_>, page: &Page, original: &Page, path: &Path<'_>) {
    for ((place, text), (_, from)) in texts(page, path).into_iter().zip(texts(original, path)) {
        // A text that is missing, or stands in the original alone, is another matter.
        if text.trim().is_empty() || from.trim().is_empty() {
            continue;
        }
        let (mut here, mut there) = (counted(text), counted(from));
        for (number, count) in &mut here {
            let shared = there.get_mut(number).map_or(0, |others| {
                let shared = (*others).min(*count);
                *others -= shared;
                shared
            });
            *count -= shared;
        }
        let named = |numbers: &BTreeMap<String, u32>| {
            let left = numbers.iter().filter(|(_, count)| **count > 0).map(|(number, _)| number.as_str());
            left.collect::<Vec<_>>().join(", ")
        };
        let (more, fewer) = (named(&here), named(&there));
        let what = match (more.is_empty(), fewer.is_empty()) {
            (true, true) => continue,
            (false, true) => format!("has {more}, which the original's has not"),
            (true, false) => format!("lacks {fewer}, which the original's has"),
            (false, false) => format!("has {more}, where the original's has {fewer}"),
        };
        let message = format!("A text of the page `{}` {what}.", page.id.value);
        lint.tell(
            "edition-numbers",
            &place,
            message,
            "Numbers are the same in every language; write digits where the original does.",
        );
    }
}

/// The texts of a page with their places, in the same order for all pages that have the same parts.
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

/// The numbers of a text, how often each stands there. What parts the digits of one is a matter of language.
fn counted(text: &str) -> BTreeMap<String, u32> {
    let mut numbers = BTreeMap::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        rest = &rest[at..];
        let mut number = String::new();
        loop {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            number.push_str(&rest[..digits]);
            rest = &rest[digits..];
            let mut chars = rest.chars();
            let parted =
                chars.next().is_some_and(|c| matches!(c, '.' | ',' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\''));
            if !parted || !chars.next().is_some_and(|c| c.is_ascii_digit()) {
                break;
            }
            rest = &rest[rest.char_indices().nth(1).map_or(rest.len(), |(at, _)| at)..];
        }
        *numbers.entry(number).or_default() += 1;
    }
    numbers
}

/// Whether the original is newer than the translation says that it knows.
fn outdated(lint: &mut Lint<'_>, page: &Page, original: Option<&Node>, path: &Path<'_>) {
    let (Some(of), Some(original)) = (&page.of, original) else { return };
    let now = hash(original);
    if of.value != now {
        let message = format!("The original of the page `{}` is another one by now: `{now}`.", page.id.value);
        let help = format!("Bring the page up to date, then write `of: {now}`.");
        lint.tell("edition-outdated", &path.to("of"), message, help);
    }
}

/// Identifies a page as it is written, less what no student sees.
fn hash(page: &Node) -> String {
    crate::kernels::machine_code::digest(&written(page, &["claims", "allow", "of"]))[..8].to_owned()
}

/// A value as text, without the values of some fields: the same for the same value, however it is laid out.
fn written(node: &Node, but: &[&str]) -> String {
    fn write(node: &Node, but: &[&str], to: &mut String) {
        // Writing into a text does not fail.
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
    use crate::yaml;

    #[test]
    fn a_number_is_the_same_however_its_digits_are_parted() {
        let same = ["7,660.5 GFLOP/s at 16×16", "7\u{202f}660,5 GFLOP/s bei 16×16", "7'660.5 16 16"];
        let numbers = counted(same[0]);
        assert_eq!(numbers, BTreeMap::from([("76605".to_owned(), 1), ("16".to_owned(), 2)]));
        assert!(same.iter().all(|text| counted(text) == numbers));
        assert_eq!(counted("1, 2 and 3."), BTreeMap::from(["1", "2", "3"].map(|n| (n.to_owned(), 1))));
    }

    #[test]
    fn a_page_is_known_by_what_it_says_and_not_by_how_it_is_laid_out() {
        let of = |text: &str| hash(&yaml::read(text).unwrap());
        let page = of("id: a\ntitle: T\ntext: |\n  Words.\n");
        assert_eq!(of("{ title: \"T\", id: a, claims: [], text: \"Words.\\n\" }"), page);
        assert_ne!(of("id: a\ntitle: T\ntext: |\n  Other words.\n"), page);
    }
}
