/*! The kinds of questions: one file each, and one line each in the list below.

A kind is made of what an author writes (`course::AnswerSpec`), what a screen shows of it without the
key ([`QuestionKind`]), and what a student gives ([`Answer`]). Everything else that must be known of it
is a function of its [`Kind`]. Whatever is asked of a question goes through the list, so a kind that
lacks something does not compile.
*/

mod choices;
mod cloze;
mod matching;
mod multiple;
mod numeric;
mod order;
mod single;
mod text;

pub use choices::Choices;
pub use cloze::Code;
pub use matching::Sides;
pub use numeric::Asked;
pub use order::Events;
pub use text::Typed;

use super::grade::Miss;
use super::question::{Fnv, QuizError};
use crate::course::{AnswerSpec, Variant};
use crate::t;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;

/// Longest typed answer, in characters.
const MAX_TYPED: usize = 400;

/// Right, or how it misses and the reason that belongs to the answer.
pub(super) type Verdict = Result<(), (Miss, String)>;

/// Numbers drawn for a question, by name.
pub(super) type Parameters = BTreeMap<String, f64>;

/// What must be known of a kind of question.
pub(super) trait Kind {
    /// What an author writes.
    type Spec: ?Sized;
    /// What a screen shows, without the key.
    type View: Serialize;
    /// What a student gives; a draft may lack parts of it.
    type Given;

    /// Its name in a quiz file.
    const NAME: &'static str;

    /// Whatever is shown shuffled, in the author's order.
    fn items(_spec: &Self::Spec) -> Vec<Item> {
        Vec::new()
    }
    /// Whether the items in this order would answer the question by themselves.
    fn tells(_spec: &Self::Spec, _order: &[String]) -> bool {
        false
    }
    /// The values that its parameters are drawn from.
    fn parameters(_spec: &Self::Spec) -> Option<&BTreeMap<String, Vec<f64>>> {
        None
    }
    /// What is shown, with the items as shuffled.
    fn view(spec: &Self::Spec, items: Vec<Item>) -> Self::View;
    /// What the view shows shuffled.
    fn shown(_view: &Self::View) -> &[Item] {
        &[]
    }
    /// Whether it can be asked and answered rightly with these numbers.
    fn usable(spec: &Self::Spec, parameters: &Parameters) -> bool;
    /// Adds what makes an answer right. Wording, and further accepted texts, do not count: they may be
    /// corrected or translated while an attempt is under way.
    fn fingerprint(spec: &Self::Spec, hash: &mut Fnv);
    /// "This question takes …", as a sentence.
    fn takes(view: &Self::View) -> String;
    /// What keeps this from being graded, as a sentence.
    fn problem(view: &Self::View, given: &Self::Given) -> Option<String>;
    /// Reads what a script gives; `None` if it has another form.
    fn read(view: &Self::View, value: &Value) -> Option<Self::Given>;
    /// Grades what has no problem.
    ///
    /// # Errors
    /// If the question's formula cannot be computed.
    fn grade(spec: &Self::Spec, parameters: &Parameters, given: &Self::Given) -> Result<Verdict, QuizError>;
    /// The answer in the question's own words: Markdown, one entry a row.
    fn told(view: &Self::View, given: &Self::Given) -> Vec<String>;
}

macro_rules! kinds {
    ($($(#[$about:meta])* $kind:ident($view:ty) $answer:ident($given:ty) = $of:ty;)*) => {
        /// What a question asks for.
        #[derive(Debug, Clone, PartialEq)]
        pub enum QuestionKind {
            $($(#[$about])* $kind($view),)*
        }

        /// An answer to a question, as given.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Answer {
            $($(#[$about])* $answer($given),)*
        }

        impl QuestionKind {
            /// Choices, events or right-hand sides, as shuffled; empty for typed answers.
            pub fn items(&self) -> &[Item] {
                match self { $(Self::$kind(view) => <$of>::shown(view),)* }
            }

            /// The kind's name in a quiz file.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$kind(_) => <$of>::NAME,)* }
            }

            /// The names of all kinds.
            pub const NAMES: &[&'static str] = &[$(<$of as Kind>::NAME),*];

            fn takes(&self) -> String {
                match self { $(Self::$kind(view) => <$of>::takes(view),)* }
            }

            /// Reads an answer from a script's value.
            pub(super) fn read(&self, value: &Value) -> Result<Answer, String> {
                let given = match self { $(Self::$kind(view) => <$of>::read(view, value).map(Answer::$answer),)* };
                given.ok_or_else(|| self.takes())
            }

            /// Whether the answer is one to this kind of question, be it complete or not.
            pub fn fits(&self, answer: &Answer) -> bool {
                match self { $(Self::$kind(_) => matches!(answer, Answer::$answer(_)),)* }
            }

            /// What keeps this from being an answer, as a sentence.
            pub(super) fn problem(&self, answer: &Answer) -> Option<String> {
                match self {
                    $(Self::$kind(view) => match answer {
                        Answer::$answer(given) => <$of>::problem(view, given),
                        _ => Some(self.takes()),
                    },)*
                }
            }

            /// An answer in the question's own words: Markdown, one entry a row. Empty if it is of another kind.
            pub fn told(&self, answer: &Answer) -> Vec<String> {
                match self {
                    $(Self::$kind(view) => match answer {
                        Answer::$answer(given) => <$of>::told(view, given),
                        _ => Vec::new(),
                    },)*
                }
            }
        }

        impl Serialize for QuestionKind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$kind(view) => named(<$of>::NAME, view, serializer),)* }
            }
        }

        /// What is shown shuffled, in the author's order; empty for typed answers.
        pub(super) fn items_of(variant: &Variant) -> Vec<Item> {
            match &variant.answer { $(AnswerSpec::$kind(spec) => <$of>::items(spec),)* }
        }

        /// Whether the items in this order would answer the question by themselves.
        pub(super) fn tells(variant: &Variant, order: &[String]) -> bool {
            match &variant.answer { $(AnswerSpec::$kind(spec) => <$of>::tells(spec, order),)* }
        }

        /// The values that a variant's parameters are drawn from.
        pub(super) fn parameters_of(variant: &Variant) -> Option<&BTreeMap<String, Vec<f64>>> {
            match &variant.answer { $(AnswerSpec::$kind(spec) => <$of>::parameters(spec),)* }
        }

        /// What is shown of a variant, its items as shuffled.
        pub(super) fn view_of(variant: &Variant, items: Vec<Item>) -> QuestionKind {
            match &variant.answer { $(AnswerSpec::$kind(spec) => QuestionKind::$kind(<$of>::view(spec, items)),)* }
        }

        /// Whether a variant can be asked and answered rightly with these numbers.
        pub(super) fn usable(variant: &Variant, parameters: &Parameters) -> bool {
            match &variant.answer { $(AnswerSpec::$kind(spec) => <$of>::usable(spec, parameters),)* }
        }

        /// Of what makes an answer right.
        pub(super) fn fingerprint(variant: &Variant) -> u64 {
            let mut hash = Fnv::default();
            match &variant.answer {
                $(AnswerSpec::$kind(spec) => {
                    hash.text(<$of>::NAME);
                    <$of>::fingerprint(spec, &mut hash);
                })*
            }
            hash.0
        }

        /// Grades an answer that has no problem; `None` if it is of another kind than the variant.
        ///
        /// # Errors
        /// If the question's formula cannot be computed.
        pub(super) fn grade_of(
            variant: &Variant,
            parameters: &Parameters,
            answer: &Answer,
        ) -> Result<Option<Verdict>, QuizError> {
            match &variant.answer {
                $(AnswerSpec::$kind(spec) => match answer {
                    Answer::$answer(given) => <$of>::grade(spec, parameters, given).map(Some),
                    _ => Ok(None),
                },)*
            }
        }
    };
}

kinds! {
    /// One choice; the answer is its id.
    Single(Choices) Single(String) = single::Single;
    /// All choices that hold; the answer is their ids, in any order.
    Multiple(Choices) Multiple(Vec<String>) = multiple::Multiple;
    /// A number; the answer as typed.
    Numeric(Asked) Number(String) = numeric::Numeric;
    /// A short text.
    Text(Typed) Text(String) = text::Text;
    /// Blanks in code; the answer is one filling a blank.
    Cloze(Code) Blanks(Vec<String>) = cloze::Cloze;
    /// Events to put in order; the answer is all their ids, in order.
    Order(Events) Order(Vec<String>) = order::Order;
    /// Pairs to be matched; the answer is the right-hand side's id for each left-hand side's.
    Match(Sides) Pairs(BTreeMap<String, String>) = matching::Match;
}

/// A choice, an event to order, or a side of a pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Stable: answers are graded by it.
    pub id: String,
    /// Markdown, short.
    pub text: String,
}

/// The text of the item of this id; the id if there is none.
fn text_of(id: &str, items: &[Item]) -> String {
    items.iter().find(|item| item.id == id).map_or(id, |item| item.text.trim()).to_owned()
}

/// `"text"` for a kind of which nothing is shown, else `{"single": {…}}`.
fn named<V: Serialize, S: Serializer>(name: &'static str, view: &V, serializer: S) -> Result<S::Ok, S::Error> {
    use serde::ser::SerializeMap as _;
    if size_of::<V>() == 0 {
        return serializer.serialize_str(name);
    }
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(name, view)?;
    map.end()
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A list of scalars; one scalar is a list of one.
fn list(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(values) => values.iter().map(scalar).collect(),
        _ => Some(vec![scalar(value)?]),
    }
}

fn unknown_id(id: &str, items: &[Item]) -> Option<String> {
    if items.iter().any(|item| item.id == id) {
        return None;
    }
    let known: Vec<String> = items.iter().map(|item| format!("`{}`", item.id)).collect();
    let id: String = id.chars().filter(|c| !c.is_control()).take(40).collect();
    Some(t!("mastery-unknown-id", id = id, known = known.join(", ")))
}

fn repeated<'a>(ids: impl IntoIterator<Item = &'a String>) -> Option<String> {
    let mut seen: Vec<&String> = Vec::new();
    for id in ids {
        if seen.contains(&id) {
            return Some(t!("mastery-given-twice", id = id.clone()));
        }
        seen.push(id);
    }
    None
}

fn too_long(typed: &str) -> Option<String> {
    (typed.chars().count() > MAX_TYPED).then(|| t!("mastery-too-long", most = MAX_TYPED))
}
