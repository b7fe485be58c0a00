//! Fill the blanks in code.

use super::{Item, Kind, Parameters, Verdict, list, too_long};
use crate::course;
use crate::mastery::grade::Miss;
use crate::mastery::question::{Fnv, QuizError};
use crate::mastery::tokens;
use crate::t;
use serde::Serialize;
use serde_json::Value;

/// Code with blanks, as shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Code {
    /// `___1___`, `___2___` … mark the blanks.
    pub code: String,
    /// How many there are.
    pub blanks: usize,
    /// Characters of the longest accepted filling of any blank, so that all fields can be drawn alike
    /// and none tells its own answer's length.
    #[serde(skip)]
    pub longest: usize,
    /// Whether every accepted filling of every blank is a number.
    #[serde(skip)]
    pub numbers: bool,
}

pub(super) struct Cloze;

impl Kind for Cloze {
    type Spec = course::Cloze;
    type View = Code;
    type Given = Vec<String>;
    const NAME: &'static str = "cloze";

    fn view(spec: &course::Cloze, _: Vec<Item>) -> Code {
        let accepted = || spec.blanks.iter().flat_map(|blank| &blank.accept).map(|accepted| accepted.value.trim());
        // Rounded up, so that the width says little of the answer.
        let longest = accepted().map(|text| text.chars().count()).max().unwrap_or(0).next_multiple_of(4);
        let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        // Of one blank, several spellings may be accepted, `32` and `32u`: what counts is that a number will do.
        let numbers = spec.blanks.iter().all(|blank| blank.accept.iter().any(|accepted| digits(accepted.value.trim())));
        Code { code: spec.code.clone(), blanks: spec.blanks.len(), longest, numbers }
    }
    fn usable(spec: &course::Cloze, _: &Parameters) -> bool {
        !spec.blanks.is_empty() && spec.blanks.iter().all(|blank| !blank.accept.is_empty())
    }
    fn fingerprint(spec: &course::Cloze, hash: &mut Fnv) {
        hash.text(&spec.blanks.len().to_string());
    }
    fn takes(_: &Code) -> String {
        t!("mastery-takes-cloze")
    }
    fn problem(view: &Code, typed: &Vec<String>) -> Option<String> {
        if typed.len() != view.blanks {
            return Some(t!("mastery-blanks-not", blanks = view.blanks, given = typed.len()));
        }
        let empty = typed.iter().position(|code| tokens::is_empty(code));
        empty.map(|at| t!("mastery-blank-empty", number = at + 1)).or_else(|| typed.iter().find_map(|t| too_long(t)))
    }
    fn read(_: &Code, value: &Value) -> Option<Vec<String>> {
        list(value)
    }
    fn grade(spec: &course::Cloze, _: &Parameters, typed: &Vec<String>) -> Result<Verdict, QuizError> {
        let right = |(blank, typed): (&course::Blank, &String)| {
            blank.accept.iter().any(|accepted| tokens::same(typed, accepted))
        };
        let wrong = spec.blanks.iter().zip(typed).position(|pair| !right(pair));
        Ok(match wrong.and_then(|at| Some((at + 1, spec.blanks.get(at)?))) {
            None => Ok(()),
            Some((number, blank)) if spec.blanks.len() > 1 => {
                Err((Miss::Blank(number), t!("mastery-blank-why", number = number, why = blank.why.as_str())))
            }
            Some((number, blank)) => Err((Miss::Blank(number), blank.why.clone())),
        })
    }
    fn told(_: &Code, typed: &Vec<String>) -> Vec<String> {
        let code = |text: &String| if text.is_empty() { "…".to_owned() } else { format!("`{text}`") };
        match typed.as_slice() {
            [one] => vec![code(one)],
            all => (1..).zip(all).map(|(number, text)| format!("{number}: {}", code(text))).collect(),
        }
    }
}
