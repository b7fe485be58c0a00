//! Fill in the blanks in code.

use super::{QuestionRules, too_long};
use super::{normal, number, tokens};
use crate::lint::Path;
use crate::prelude::*;

/// Blanks in code.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Cloze {
    /// The code; `___1___`, `___2___` … mark the blanks.
    pub code: String,
    /// One entry per blank, in order.
    #[schemars(length(min = 1, max = MAX_BLANKS))]
    pub blanks: Vec<Blank>,
}

/// A blank of a [`Cloze`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Blank {
    /// Accepted texts. They are compared token by token, so white space does not matter.
    #[schemars(length(min = 1))]
    pub accept: Vec<At<String>>,
    /// The reason for a wrong answer.
    pub why: String,
}

const MAX_BLANKS: usize = 9;

/// Code with blanks as a student sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Code {
    /// `___1___`, `___2___` … mark the blanks.
    pub code: String,
    /// Number of blanks.
    pub blanks: usize,
    /// Length in characters of the longest accepted text of any blank. All fields are drawn this wide, so that no field
    /// shows the length of its answer.
    #[serde(skip)]
    pub longest: usize,
    /// True if every blank accepts a number.
    #[serde(skip)]
    pub numbers: bool,
}

impl QuestionRules for Cloze {
    type Authored = Self;
    type Shown = Code;
    type Response = Vec<String>;
    const NAME: &'static str = "cloze";

    fn view(spec: &Cloze, _: Vec<Item>) -> Code {
        let accepted = || spec.blanks.iter().flat_map(|blank| &blank.accept).map(|accepted| accepted.value.trim());
        // Rounded up, so that the width reveals little about the answer.
        let longest = accepted().map(|text| text.chars().count()).max().unwrap_or(0).next_multiple_of(4);
        let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        // A blank may accept several spellings, such as `32` and `32u`. One of them must be a number.
        let numbers = spec.blanks.iter().all(|blank| blank.accept.iter().any(|accepted| digits(accepted.value.trim())));
        Code { code: spec.code.clone(), blanks: spec.blanks.len(), longest, numbers }
    }
    fn usable(spec: &Cloze, _: &Parameters) -> bool {
        !spec.blanks.is_empty() && spec.blanks.iter().all(|blank| !blank.accept.is_empty())
    }
    fn fingerprint(spec: &Cloze, hash: &mut Fnv) {
        hash.text(&spec.blanks.len().to_string());
    }
    fn expects(_: &Code) -> Sentence {
        sentence!("mastery-takes-cloze")
    }
    fn problem(view: &Code, typed: &Vec<String>) -> Option<Sentence> {
        if typed.len() != view.blanks {
            return Some(sentence!("mastery-blanks-not", blanks = view.blanks, given = typed.len()));
        }
        let empty = typed.iter().position(|code| tokens::is_empty(code));
        empty
            .map(|at| sentence!("mastery-blank-empty", number = at + 1))
            .or_else(|| typed.iter().find_map(|t| too_long(t)))
    }
    fn grade(spec: &Cloze, _: &Parameters, typed: &Vec<String>) -> Result<Verdict, Sentence> {
        let right = |(blank, typed): (&Blank, &String)| blank.accept.iter().any(|accepted| fills(typed, accepted));
        let wrong = (1..).zip(spec.blanks.iter().zip(typed)).filter(|(_, pair)| !right(*pair));
        let wrong: Vec<(usize, &str)> = wrong.map(|(number, (blank, _))| (number, blank.why.as_str())).collect();
        let Some((first, why)) = wrong.first() else { return Ok(Ok(())) };
        let why = match spec.blanks.len() {
            1 => (*why).to_owned(),
            _ => {
                wrong.iter().map(|(number, why)| t!("mastery-blank-why", number, why)).collect::<Vec<_>>().join("\n\n")
            }
        };
        Ok(Err((Miss::Blank(*first), why)))
    }
    fn describe_answer(_: &Code, typed: &Vec<String>) -> Vec<String> {
        let code = |text: &String| if text.is_empty() { "…".to_owned() } else { format!("`{text}`") };
        match typed.as_slice() {
            [one] => vec![code(one)],
            all => (1..).zip(all).map(|(number, text)| format!("{number}: {}", code(text))).collect(),
        }
    }
    fn shown_code(view: &Code) -> Option<String> {
        Some(boxed(&view.code))
    }
    fn listing(view: &Code) -> Vec<String> {
        vec![view.code.clone()]
    }
    fn form(view: &Code) -> String {
        t!("cli-quiz-form-cloze", blanks = view.blanks)
    }
    fn reasons(spec: &Cloze, _: &Parameters) -> Vec<Reason> {
        let blank = |(number, blank): (usize, &Blank)| {
            let accepted: Vec<String> = blank.accept.iter().map(|accepted| format!("`{}`", accepted.trim())).collect();
            let other = t!("quiz-any-other-at", number);
            [Reason::right(format!("{number}: {}", accepted.join(", "))), Reason::wrong(other, &blank.why)]
        };
        (1..).zip(&spec.blanks).flat_map(blank).collect()
    }

    fn check(lint: &mut Lint<'_>, spec: &Cloze, _: &Variant, path: &Path<'_>) {
        lint.at_most(MAX_BLANKS, "blanks", spec.blanks.len(), &path.to("blanks"));
        let marks = marks(&spec.code);
        let wanted: Vec<usize> = (1..=spec.blanks.len()).collect();
        if marks != wanted || marks.is_empty() {
            let shown: Vec<String> = marks.iter().map(|mark| format!("___{mark}___")).collect();
            let shown = if shown.is_empty() { "no mark".to_owned() } else { shown.join(", ") };
            let count = spec.blanks.len();
            let blanks = if count == 1 { "is 1 blank".to_owned() } else { format!("are {count} blanks") };
            let message = format!("The code has {shown}, but there {blanks}.");
            let help = "Mark the blanks ___1___, ___2___ … in their order, each once.";
            lint.report("cloze-blanks", &path.to("code"), message, help);
        }
        for (index, blank) in spec.blanks.iter().enumerate() {
            let path = path.to("blanks").to(index);
            lint.text("The reason", &blank.why, &path.to("why"));
            if blank.accept.iter().all(|accepted| accepted.value.trim().is_empty()) {
                lint.report("cloze-blanks", &path.to("accept"), format!("Blank {} accepts nothing.", index + 1), "");
            }
            for (at, accepted) in blank.accept.iter().enumerate() {
                if blank.accept.iter().take(at).any(|other| tokens::same(other, accepted)) {
                    let message = format!("`{}` is accepted already: white space does not count.", accepted.value);
                    lint.report("cloze-blanks", accepted, message, "");
                }
            }
        }
    }
}

/// True if a typed text has the tokens of the accepted one. A number may be typed as in a question about a number: `32개`.
pub fn fills(typed: &str, accepted: &str) -> bool {
    let narrow: String = typed.chars().map(normal::narrow).collect();
    let number = || number::whole(accepted).filter(|digits| digits == accepted.trim());
    [typed, &*narrow].iter().any(|typed| tokens::same(typed, accepted))
        || number().is_some_and(|number| number::whole(typed) == Some(number))
}

/// Returns the numbers of the marks `___N___` in code, in order of occurrence.
fn marks(code: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("___") {
        rest = &rest[at + 3..];
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if let Some(after) = rest[digits..].strip_prefix("___")
            && let Ok(number) = rest[..digits].parse()
        {
            found.push(number);
            rest = after;
        }
    }
    found
}

/// Writes the marks `___1___` as `[_1_]`, for Markdown.
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

#[cfg(test)]
mod tests {
    use super::{boxed, marks};

    #[test]
    fn marks_are_found_in_order_and_underscores_are_none() {
        assert_eq!(marks("a[___1___] = b___2___; __shared__ ___x___ ___3__"), [1, 2]);
        assert_eq!(marks("___2___ ___1___ ___1___"), [2, 1, 1]);
        assert_eq!(marks("_____1___"), [] as [usize; 0], "the first three underscores begin a mark");
    }

    #[test]
    fn a_blank_is_shown_as_a_box_that_is_no_code() {
        assert_eq!(boxed("a[i % ___1___] = ___2___; // ___"), "a[i % [_1_]] = [_2_]; // ___");
    }
}
