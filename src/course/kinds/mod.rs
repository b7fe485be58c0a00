/*! The kinds of questions: one file each, and one line each in the list below.

A kind is what an author writes ([`AnswerSpec`]), what a screen shows of it without the key ([`QuestionKind`]), what a
student gives ([`Answer`]), how that is graded, how it is asked line by line, and what `check` finds wrong with it.
Its file says all of that in one [`Kind`], and whatever is asked of a question goes through the list, so that a kind
that lacks something does not compile. Beside it a kind needs a panel in the tutor (`tui/screens/quiz/kinds`), which
knows keys and cells.
*/

mod choices;
mod cloze;
mod dispatch;
mod fault;
mod fingerprint;
mod given;
mod korean;
mod lines;
mod matching;
mod multiple;
mod normal;
mod number;
mod numeric;
mod order;
mod predict;
mod single;
mod text;
mod tokens;
mod unit;

pub use choices::{Choice, Choices};
pub use cloze::{Blank, Cloze, Code};
pub use fault::{Fault, StopName, Suspects};
pub use fingerprint::Fnv;
pub use matching::{LeftSide, Matching, PairSlip, RightSide, Sides};
pub use numeric::{Asked, Numeric, Slip};
pub use order::{Events, Order, OrderItem};
pub use predict::{Counting, KernelAccess, Predicted, WrongCount};
pub use text::{TextAnswer, TextSlip, Typed};

use super::lint::{Lint, Path};
use super::quiz::Variant;
use dispatch::kinds;
use given::{list, repeated, scalar, too_long, unknown_id};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use tutor_base::t;
use tutor_base::words::Sentence;

/// Choices are answered by one letter each.
const MAX_CHOICES: usize = 10;

/// Right, or how it misses and the reason that belongs to the answer.
pub(crate) type Verdict = Result<(), (Miss, String)>;

/// Numbers drawn for a question, by name.
pub(crate) type Parameters = BTreeMap<String, f64>;

/// What must be known of a kind of question.
trait Kind {
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
    /// What the machine counts, where it does: `{counted}` in a reason.
    fn counted(_spec: &Self::Spec) -> Option<f64> {
        None
    }
    /// Adds what makes an answer right. Wording, and further accepted texts, do not count: they may be
    /// corrected or translated while an attempt is under way.
    fn fingerprint(spec: &Self::Spec, hash: &mut Fnv);
    /// "This question takes …", as a sentence.
    fn takes(view: &Self::View) -> Sentence;
    /// What keeps this from being graded, as a sentence.
    fn problem(view: &Self::View, given: &Self::Given) -> Option<Sentence>;
    /// The same of what was taken before, maybe in another language.
    fn unfit(view: &Self::View, given: &Self::Given) -> Option<Sentence> {
        Self::problem(view, given)
    }
    /// Reads what a script gives; `None` if it has another form.
    fn read(view: &Self::View, value: &Value) -> Option<Self::Given>;
    /// Grades what has no problem.
    ///
    /// # Errors
    /// If the question's formula cannot be computed.
    fn grade(spec: &Self::Spec, parameters: &Parameters, given: &Self::Given) -> Result<Verdict, Sentence>;
    /// The answer in the question's own words: Markdown, one entry a row.
    fn told(view: &Self::View, given: &Self::Given) -> Vec<String>;

    // On the command line, line by line.

    /// What stands below the question.
    fn rows(view: &Self::View) -> Vec<Row> {
        let row = |(letter, item): (char, &Item)| Row::Item(letter.to_string(), item.text.clone());
        lines::letters().zip(Self::shown(view)).map(row).collect()
    }
    /// What is asked for in each line.
    fn prompts(view: &Self::View) -> Vec<String>;
    /// The answer that the typed lines make, or what is wrong with them.
    fn typed(view: &Self::View, lines: &[String]) -> Result<Self::Given, Sentence>;
    /// An answer as the student would type it.
    fn as_typed(view: &Self::View, given: &Self::Given) -> String;
    /// What a form to fill in lists above the answer.
    fn listing(view: &Self::View) -> Vec<String> {
        lines::listed(Self::shown(view))
    }
    /// What is to be filled in.
    fn form(view: &Self::View) -> String;

    // For those who write and check a course.

    /// The key, and what is said of a wrong answer.
    fn reasons(spec: &Self::Spec, parameters: &Parameters) -> Vec<Reason>;
    /// Tells of what is wrong with it; the path leads to it.
    fn check(lint: &mut Lint<'_>, spec: &Self::Spec, variant: &Variant, path: &Path<'_>);
    /// How many different questions it can ask.
    fn asks(_spec: &Self::Spec) -> usize {
        1
    }
    /// What a translation must not change besides what the fingerprint takes in.
    fn fixed(_spec: &Self::Spec) -> String {
        String::new()
    }
    /// Takes from the original that it translates what is right in either language.
    fn translates(_spec: &mut Self::Spec, _original: &Self::Spec) {}
}

kinds! {
    /// Choose one; the answer is its id.
    Single(Vec<Choice>) shows Choices, takes Single(String) = choices::Choose<String>;
    /// Choose all that hold, right only if exactly those are chosen; the answer is their ids, in any order.
    Multiple(Vec<Choice>) shows Choices, takes Multiple(Vec<String>) = choices::Choose<Vec<String>>;
    /// A number computed from parameters; the answer as typed.
    Numeric(Numeric) shows Asked, takes Number(String) = Numeric;
    /// A short text, compared after normalisation (case, white space, punctuation at the ends).
    Text(TextAnswer) shows Typed, takes Text(String) = TextAnswer;
    /// Blanks in code, compared as tokens; the answer is one filling a blank.
    Cloze(Cloze) shows Code, takes Blanks(Vec<String>) = Cloze;
    /// Events to put in order; the answer is all their ids, in order.
    Order(Order) shows Events, takes Order(Vec<String>) = Order;
    /// Pairs to be matched; the answer is the right-hand side's id for each left-hand side's.
    Match(Matching) shows Sides, takes Pairs(BTreeMap<String, String>) = Matching;
    /// A number that the machine counts when it is graded; the answer as typed.
    Predict(Predicted) shows Asked, takes Predicted(String) = Predicted;
    /// A planted fault to be found in a kernel; the answer is the line's number and the consequence's id.
    Fault(Fault) shows Suspects, takes Fault(Vec<String>) = Fault;
}

/// A right answer, or a wrong one with what is said of it: for whoever wrote the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// Whether it is right.
    pub right: bool,
    /// Markdown.
    pub answer: String,
    /// What is said of it, Markdown; right answers have one reason together.
    pub why: Option<String>,
}

impl Reason {
    fn right(answer: impl Into<String>) -> Self {
        Self { right: true, answer: answer.into(), why: None }
    }

    fn wrong(answer: impl Into<String>, why: &str) -> Self {
        Self { right: false, answer: answer.into(), why: Some(why.to_owned()) }
    }

    /// What is said of every answer that has no reason of its own.
    fn other(why: &str) -> Self {
        Self::wrong(t!("quiz-any-other"), why)
    }
}

/// A row below a question: a letter or number, and Markdown; code stands without a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// A choice, an event, a side of a pair.
    Item(String, String),
    /// Code, line by line as it is.
    Code(String),
    /// An empty row.
    Gap,
}

/// How an answer misses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Miss {
    /// No answer was given.
    NotAnswered,
    /// It lacks the form that the question needs.
    Malformed,
    /// A wrong choice, by id; the author's first if there are several.
    WrongChoice(String),
    /// All that was chosen holds, but something else does, too.
    MissingChoice,
    /// A typical slip that the author foresaw.
    Slip,
    /// A wrong number or text that nobody foresaw.
    Other,
    /// A blank, from 1: the first wrong one.
    Blank(usize),
    /// The id of the first event out of place.
    Misplaced(String),
    /// The id of the first left-hand side with a wrong partner.
    Mismatched(String),
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
