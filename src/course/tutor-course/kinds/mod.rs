/*! The kinds of questions. Each has one file, and one line in the list below.

A kind defines what an author writes ([`AnswerSpec`]), what a screen shows without the key ([`QuestionKind`]), and what a student
answers ([`Answer`]). It also defines how an answer is graded, what a form asks, and which mistakes
`check` finds. Its file contains all of this in one [`QuestionRules`]. Every request goes through the list, so a kind without a
required part does not compile. A kind also needs a panel in the tutor (`tutor-tui/screens/quiz/kinds`), a form for other programs
(`course-export/posed.rs`), and a rule that hides its key in an exam (`course-export/seal/keys.rs`).

A translated variant takes what is correct from the original ([`AnswerSpec::translates`]). So its fingerprint and its key are
the same in every language, and a student can continue an attempt in another language.
*/

mod choices;
mod cloze;
mod counted;
mod dispatch;
mod fault;
mod fingerprint;
mod given;
mod korean;
mod korean_number;
mod matching;
mod multiple;
mod normal;
mod number;
mod numeric;
mod order;
mod predict;
mod single;
mod term;
#[cfg(test)]
mod tests;
mod text;
mod tokens;
mod unit;

pub use choices::{Choice, Choices};
pub use cloze::{Blank, Cloze, Code, fills};
pub use fault::{Fault, StopName, Suspects};
pub use fingerprint::Fnv;
pub use matching::{LeftSide, Matching, PairSlip, RightSide, Sides};
pub use number::{roundings, slack};
pub use numeric::{Asked, Numeric, Slip};
pub use order::{Events, Order, OrderItem};
pub use predict::{Counting, KernelAccess, Predicted, WrongCount};
pub use text::{TextAnswer, TextSlip, Typed};

use super::lint::{Lint, Path};
use super::quiz::Variant;
use dispatch::kinds;
use given::{FromValue, repeated, too_long, unknown_id};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use tutor_support::t;
use tutor_support::words::Sentence;

/// Maximum number of choices. Each has one letter.
const MAX_CHOICES: usize = 10;

/// What `seal` writes in the place of a reason.
pub const SEALED: &str = "sealed";

/// A correct answer, or how the answer fails and the reason for it.
pub(crate) type Verdict = Result<(), (Miss, String)>;

/// The numbers drawn for a question, by name.
pub(crate) type Parameters = BTreeMap<String, f64>;

/// The implementation of one kind of question.
trait QuestionRules {
    /// What an author writes.
    type Authored: ?Sized;
    /// What a screen shows, without the key.
    type Shown: Serialize;
    /// What a student answers. A draft may lack parts of it.
    type Response: FromValue;

    /// The name in a quiz file.
    const NAME: &'static str;

    /// Returns the items that are shown shuffled, in the author's order.
    fn items(_spec: &Self::Authored) -> Vec<Item> {
        Vec::new()
    }
    /// True if this order of the items gives away the answer.
    fn order_reveals_answer(_spec: &Self::Authored, _order: &[String]) -> bool {
        false
    }
    /// Returns the values from which the parameters are drawn.
    fn parameters(_spec: &Self::Authored) -> Option<&BTreeMap<String, Vec<f64>>> {
        None
    }
    /// Returns what a student sees, with the items in shuffled order.
    fn view(spec: &Self::Authored, items: Vec<Item>) -> Self::Shown;
    /// Returns the items that the view shows shuffled.
    fn shown(_view: &Self::Shown) -> &[Item] {
        &[]
    }
    /// True if it can be asked, and answered correctly, with these parameters.
    fn usable(spec: &Self::Authored, parameters: &Parameters) -> bool;
    /// Returns the number that the machine counts, if it counts one. It replaces `{counted}` in a reason.
    fn counted(_spec: &Self::Authored) -> Option<f64> {
        None
    }
    /// Hashes what makes an answer correct. Wording and further accepted texts do not count, because they may be
    /// corrected or translated during an attempt.
    fn fingerprint(spec: &Self::Authored, hash: &mut Fnv);
    /// Returns the sentence "This question takes …".
    fn expects(view: &Self::Shown) -> Sentence;
    /// Returns the reason why an answer cannot be graded.
    fn problem(view: &Self::Shown, given: &Self::Response) -> Option<Sentence>;
    /// The same for an answer that was accepted before, maybe in another language.
    fn no_longer_valid(view: &Self::Shown, given: &Self::Response) -> Option<Sentence> {
        Self::problem(view, given)
    }
    /// Grades an answer that [`QuestionRules::problem`] accepts.
    ///
    /// # Errors
    /// If the question's formula cannot be computed.
    fn grade(spec: &Self::Authored, parameters: &Parameters, given: &Self::Response) -> Result<Verdict, Sentence>;
    /// Returns the answer in the question's own words, as one Markdown text per line.
    fn describe_answer(view: &Self::Shown, given: &Self::Response) -> Vec<String>;

    // In a form to fill in.

    /// Returns the code that belongs to the question.
    fn shown_code(_view: &Self::Shown) -> Option<String> {
        None
    }
    /// Returns what a form lists above the answer.
    fn listing(view: &Self::Shown) -> Vec<String> {
        listed(Self::shown(view))
    }
    /// Returns what the student fills in.
    fn form(view: &Self::Shown) -> String;

    // For authors and for `check`.

    /// Returns the correct answers, and the reasons for wrong ones.
    fn reasons(spec: &Self::Authored, parameters: &Parameters) -> Vec<Reason>;
    /// Reports mistakes. `path` leads to the spec.
    fn check(lint: &mut Lint<'_>, spec: &Self::Authored, variant: &Variant, path: &Path<'_>);
    /// Returns how many different questions it can ask.
    fn asks(_spec: &Self::Authored) -> usize {
        1
    }
    /// Returns what a translation must not change, in addition to the contents of the fingerprint.
    fn fixed(_spec: &Self::Authored) -> String {
        String::new()
    }
    /// Takes over what makes an answer correct from the original of a translation.
    fn translates(_spec: &mut Self::Authored, _original: &Self::Authored) {}
}

kinds! {
    /// Choose one; the answer is its id.
    Single(Vec<Choice>) shows Choices, takes Single(String) = choices::Choose<String>;
    /// Choose all that are true. Only exactly those are correct. The answer is their ids, in any order.
    Multiple(Vec<Choice>) shows Choices, takes Multiple(Vec<String>) = choices::Choose<Vec<String>>;
    /// A number computed from parameters; the answer is a typed number.
    Numeric(Numeric) shows Asked, takes Number(String) = Numeric;
    /// A short text. Case, white space, and punctuation at the ends do not matter.
    Text(TextAnswer) shows Typed, takes Text(String) = TextAnswer;
    /// Blanks in code, compared as tokens; the answer is one text per blank.
    Cloze(Cloze) shows Code, takes Blanks(Vec<String>) = Cloze;
    /// Events to put in order; the answer is all their ids, in order.
    Order(Order) shows Events, takes Order(Vec<String>) = Order;
    /// Pairs to match; the answer is the id of the right-hand side for each left-hand side.
    Match(Matching) shows Sides, takes Pairs(BTreeMap<String, String>) = Matching;
    /// A number that the machine counts during grading; the answer is a typed number.
    Predict(Predicted) shows Asked, takes Predicted(String) = Predicted;
    /// A planted fault to find in a kernel; the answer is the number of the line and the id of the consequence.
    Fault(Fault) shows Suspects, takes Fault(Vec<String>) = Fault;
}

/// A correct answer, or a wrong one with its reason. Authors see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// True if it is correct.
    pub right: bool,
    /// The answer, as Markdown.
    pub answer: String,
    /// The reason, as Markdown. All correct answers have one reason together.
    pub why: Option<String>,
}

impl Reason {
    fn right(answer: impl Into<String>) -> Self {
        Self { right: true, answer: answer.into(), why: None }
    }

    fn wrong(answer: impl Into<String>, why: &str) -> Self {
        Self { right: false, answer: answer.into(), why: Some(why.to_owned()) }
    }

    /// Makes the reason for every answer that has none of its own.
    fn other(why: &str) -> Self {
        Self::wrong(t!("quiz-any-other"), why)
    }
}

/// How an answer fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Miss {
    /// No answer was given.
    NotAnswered,
    /// It does not have the form that the question needs.
    Malformed,
    /// A wrong choice, by id. If there are several, the first in the author's order.
    WrongChoice(String),
    /// All chosen statements are true, but another true one is missing.
    MissingChoice,
    /// A typical mistake that the author expected.
    Slip,
    /// A wrong number or text that the author did not expect.
    Other,
    /// The number of the first wrong blank, from 1.
    Blank(usize),
    /// The id of the first event in a wrong place.
    Misplaced(String),
    /// The id of the first left-hand side with a wrong partner.
    Mismatched(String),
}

/// A choice, an event to order, or a side of a pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Stable id, used for grading.
    pub id: String,
    /// Markdown, short.
    pub text: String,
}

/// Returns the text of the item with this id, or the id if there is none.
fn text_of(id: &str, items: &[Item]) -> String {
    items.iter().find(|item| item.id == id).map_or(id, |item| item.text.trim()).to_owned()
}

/// Lists ids with their texts, for a form.
fn listed(items: &[Item]) -> Vec<String> {
    items.iter().map(|item| format!("  {}: {}", item.id, item.text)).collect()
}

/// Serializes a view as `{"single": {…}}`, or as a name such as `"text"` if it has no fields.
fn named<V: Serialize, S: Serializer>(name: &'static str, view: &V, serializer: S) -> Result<S::Ok, S::Error> {
    use serde::ser::SerializeMap as _;
    if size_of::<V>() == 0 {
        return serializer.serialize_str(name);
    }
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(name, view)?;
    map.end()
}
