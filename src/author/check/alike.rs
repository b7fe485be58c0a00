//! A page of a translation, held against the page that it translates: only words may differ.

use crate::check::editions::DIFFERS;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tutor_base::yaml::{Node, Step, Value};
use tutor_course::Page;
use tutor_course::lint::{Lint, Path};

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
    let what = format!("A text of the page `{}`", page.id.value);
    for ((place, text), (_, from)) in texts(page, path).into_iter().zip(texts(original, path)) {
        same_numbers(lint, &what, &place, text, from);
    }
}

/// Whether a text states the numbers of the original's; `what` is called so.
pub(super) fn same_numbers(lint: &mut Lint<'_>, what: &str, place: &Path<'_>, text: &str, from: &str) {
    // A text that is missing, or stands in the original alone, is another matter.
    if text.trim().is_empty() || from.trim().is_empty() {
        return;
    }
    if let Some(differs) = difference(text, from) {
        lint.tell(
            "edition-numbers",
            place,
            format!("{what} {differs}."),
            "Numbers are the same in every language; write digits where the original does.",
        );
    }
}

/// What a text does with other numbers than the original's. What one language says in a word another one writes in
/// digits: sixteen, a month, a quarter. So a small number more is none as long as the original's are there.
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
        (false, true) => Some(format!("has {more}, which the original's has not")),
        (true, false) => Some(format!("lacks {fewer}, which the original's has")),
        (false, false) => Some(format!("has {more}, where the original's has {fewer}")),
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
        // `L2` is a name: what follows it is another number.
        let name = rest[..at].ends_with(|c: char| c.is_ascii_alphabetic());
        rest = &rest[at..];
        let mut number = String::new();
        loop {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            number.push_str(&rest[..digits]);
            rest = &rest[digits..];
            let mut chars = rest.chars();
            // A blank parts thousands, and it parts numbers: three digits behind few others are their thousands.
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

/// Whether the original is newer than the translation says that it knows.
fn outdated(lint: &mut Lint<'_>, page: &Page, original: Option<&Node>, path: &Path<'_>) {
    if let (Some(of), Some(original)) = (&page.of, original) {
        translates(lint, &format!("page `{}`", page.id.value), &path.to("of"), of, &hash(original));
    }
}

/// Whether a translation is `of` what the original is `now`; `what` is called so.
pub(super) fn translates(lint: &mut Lint<'_>, what: &str, place: &Path<'_>, of: &str, now: &str) {
    if of != now {
        let message = format!("The original of the {what} is another one by now: `{now}`.");
        lint.tell("edition-outdated", place, message, format!("Bring it up to date, then write `of: {now}`."));
    }
}

/// Identifies a page or a question as it is written, less what no student sees.
pub(super) fn hash(of: &Node) -> String {
    hash_of_text(&written(of, &["claims", "allow", "of"]))
}

/// Identifies a text: eight digits.
pub(super) fn hash_of_text(text: &str) -> String {
    tutor_kernels::machine_code::digest(text)[..8].to_owned()
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
    use tutor_base::yaml;

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
        assert_eq!(difference(words, digits).unwrap(), "lacks 1, 11, 4, which the original's has");
        assert_eq!(difference("32 of them", "thirty-two of them").unwrap(), "has 32, which the original's has not");
    }

    #[test]
    fn a_page_is_known_by_what_it_says_and_not_by_how_it_is_laid_out() {
        let of = |text: &str| hash(&yaml::read(text).unwrap());
        let page = of("id: a\ntitle: T\ntext: |\n  Words.\n");
        assert_eq!(of("{ title: \"T\", id: a, claims: [], text: \"Words.\\n\" }"), page);
        assert_ne!(of("id: a\ntitle: T\ntext: |\n  Other words.\n"), page);
    }
}
