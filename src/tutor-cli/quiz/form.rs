//! Answers in a YAML file, which maps slot ids to answers. An empty value means no answer.

use crate::prelude::*;
use anyhow::anyhow;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use tutor_course::QuizFile;
use tutor_progress::{Answer, Question};
use tutor_support::sentence;
use tutor_support::text;
use tutor_support::words::Sentence;
use tutor_support::yaml;

const MAX_BYTES: u64 = 1 << 20;

/// Reads the answers. Refuses a file without answers, or with a slot that the quiz does not have.
pub(super) fn read(path: &Path, quiz: &QuizFile) -> anyhow::Result<BTreeMap<String, Value>> {
    let standard_input = path == Path::new("-");
    let shown = if standard_input { t!("cli-quiz-standard-input") } else { path.display().to_string() };
    let cannot =
        |why: String| anyhow!(t!("cli-quiz-answers-unreadable", file = shown, why = why.trim_end_matches('.')));
    let mut bytes = Vec::new();
    let length = if standard_input {
        io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)
    } else {
        tutor_support::private::is_plain(path)
            .and_then(|()| File::open(path))
            .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
    }
    .map_err(|error| cannot(error.to_string()))?;
    if length as u64 > MAX_BYTES {
        return Err(anyhow!(t!("cli-quiz-answers-long", file = shown)));
    }
    let (text, _) = text::decode(bytes).map_err(|why| cannot(why.to_string()))?;
    let answers: BTreeMap<String, Value> = if text.trim().is_empty() {
        BTreeMap::new()
    } else {
        yaml::read_typed(&text).map_err(|fault| cannot(fault.to_string()))?
    };
    // A file without answers is probably the wrong file or an empty form, not an attempt.
    if answers.values().all(Value::is_null) {
        let level = &quiz.level.value;
        return Err(anyhow!(t!("cli-quiz-answers-none", file = shown, level)));
    }
    let slots: Vec<&str> = quiz.slots.iter().map(|slot| slot.id.value.as_str()).collect();
    match answers.keys().find(|slot| !slots.contains(&slot.as_str())) {
        Some(slot) => {
            Err(anyhow!(t!("cli-quiz-answers-slot", file = shown, slot = text::lines(slot), slots = slots.join(", "))))
        }
        None => Ok(answers),
    }
}

/// Returns the answer to a question, if the file has one.
pub(super) fn answer(answers: &BTreeMap<String, Value>, question: &Question) -> Result<Option<Answer>, Sentence> {
    match answers.get(&question.slot) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => question
            .answer_of(value)
            .map(Some)
            .map_err(|problem| sentence!("cli-quiz-answer-to", slot = question.slot, problem)),
    }
}

/// Returns a form with the drawn questions as comments and an empty answer below each. `command` reads it.
pub(super) fn blank(command: &str, questions: &[Question]) -> String {
    let command = format!("{} --answers FILE", text::lines(command).replace('\n', " "));
    let mut form = format!("# {}\n", t!("cli-quiz-fill-in", command));
    for (number, question) in (1..).zip(questions) {
        let heading = t!("cli-quiz-form-question", number, count = questions.len(), kind = question.kind.name());
        let _ = writeln!(form, "\n# {heading}");
        comment(&mut form, &question.ask);
        let (comments, takes) = question.kind.form();
        for text in comments {
            comment(&mut form, &text);
        }
        let _ = writeln!(form, "{}: # {takes}", text::lines(&question.slot));
    }
    form
}

fn comment(form: &mut String, text: &str) {
    for line in text::lines(text).trim_end().lines() {
        let _ = writeln!(form, "# {line}");
    }
}
