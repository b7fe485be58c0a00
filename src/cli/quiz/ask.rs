//! Question by question over a pair of streams, on a terminal or not.

use crate::course::QuizFile;
use crate::course::text::clean;
use crate::mastery::{
    Answer, Attempt, AttemptError, AttemptKind, Item, Outcome, Outline, Question, QuestionKind, Store, grade,
};
use std::io::{BufRead, Write};

const HELP: &str = "Type the answer. An empty line goes on without one. \
                    :back  the question before   :flag  mark for review   :quit  leave; the attempt waits";

/// An attempt, asked on `out` and answered on `input`. Each answer is stored as it is given.
pub(super) struct Dialogue<'a> {
    pub(super) store: &'a mut Store,
    pub(super) outline: &'a Outline,
    pub(super) quiz: &'a QuizFile,
    pub(super) attempt: Attempt,
    pub(super) input: &'a mut dyn BufRead,
    pub(super) out: &'a mut dyn Write,
}

enum Step {
    /// To the attempt's position, which may have changed.
    On,
    /// What was typed is no answer: once more, the question is still on the screen.
    Again,
    Leave,
    Submit,
}

impl Dialogue<'_> {
    /// Asks to the end; `None` if the student left or the input ended.
    pub(super) fn run(&mut self) -> anyhow::Result<Option<Outcome>> {
        writeln!(self.out, "{HELP}")?;
        loop {
            let step = match self.attempt.current().cloned() {
                Some(question) => self.question(&question)?,
                None if self.attempt.kind == AttemptKind::Practice => Step::Submit,
                None => self.review()?,
            };
            match step {
                Step::On | Step::Again => {}
                Step::Leave => return Ok(None),
                Step::Submit => return Ok(Some(self.store.submit(self.outline, self.quiz, &self.attempt)?)),
            }
        }
    }

    fn question(&mut self, question: &Question) -> anyhow::Result<Step> {
        let (at, count) = (self.attempt.position, self.attempt.questions.len());
        let flag = if self.attempt.flagged.contains(&question.slot) { "  (marked for review)" } else { "" };
        writeln!(self.out, "\nQuestion {} of {count}{flag}", at + 1)?;
        writeln!(self.out, "{}", clean(&question.ask).trim_end())?;
        for (letter, item) in letters().zip(question.kind.items()) {
            writeln!(self.out, "  {letter}  {}", clean(&item.text).trim_end())?;
        }
        if let QuestionKind::Cloze { code, .. } = &question.kind {
            writeln!(self.out, "{}", clean(code).trim_end())?;
        }
        if let Some(answer) = self.attempt.answer_to(question) {
            writeln!(self.out, "Your answer so far: {}", clean(&told(answer, &question.kind)))?;
        }
        loop {
            match self.line(question)? {
                Step::Again => {}
                step => return Ok(step),
            }
        }
    }

    fn line(&mut self, question: &Question) -> anyhow::Result<Step> {
        let at = self.attempt.position;
        let Some(line) = self.prompt(&format!("{}: ", asks(&question.kind)))? else { return Ok(Step::Leave) };
        match line.as_str() {
            ":quit" | ":q" => return Ok(Step::Leave),
            ":back" => self.go_to(at.saturating_sub(1))?,
            ":flag" => {
                let flagged = !self.attempt.flagged.contains(&question.slot);
                self.store.flag(&mut self.attempt, &question.slot, flagged)?;
            }
            "" => self.go_to(at + 1)?,
            command if command.starts_with(':') && !command.starts_with("::") => {
                writeln!(self.out, "{HELP}")?;
                return Ok(Step::Again);
            }
            typed => return self.answered(question, typed),
        }
        Ok(Step::On)
    }

    fn answered(&mut self, question: &Question, typed: &str) -> anyhow::Result<Step> {
        let answer = match &question.kind {
            QuestionKind::Single { choices } => Answer::Single(id(typed, choices)),
            QuestionKind::Multiple { choices } => Answer::Multiple(ids(typed, choices)),
            QuestionKind::Order { items } => Answer::Order(ids(typed, items)),
            QuestionKind::Numeric { .. } => Answer::Number(typed.to_owned()),
            QuestionKind::Text => Answer::Text(typed.to_owned()),
            QuestionKind::Cloze { blanks, .. } => {
                let mut filled = vec![typed.to_owned()];
                for blank in 2..=*blanks {
                    let Some(line) = self.prompt(&format!("blank {blank}: "))? else { return Ok(Step::Leave) };
                    filled.push(line);
                }
                Answer::Blanks(filled)
            }
        };
        if let Some(problem) = unknown_letter(&answer, question.kind.items()) {
            writeln!(self.out, "{problem}")?;
            return Ok(Step::Again);
        }
        match self.store.answer(&mut self.attempt, &question.slot, answer.clone()) {
            Ok(()) => {}
            Err(AttemptError::NotAnAnswer(problem)) => {
                writeln!(self.out, "{problem}")?;
                return Ok(Step::Again);
            }
            Err(error) => return Err(error.into()),
        }
        if self.attempt.kind == AttemptKind::Practice {
            let graded = grade(self.quiz, question, Some(&answer)).map_err(AttemptError::from)?;
            let verdict = graded.why.as_ref().map_or_else(|| "Right.".to_owned(), |why| format!("Wrong. {why}"));
            writeln!(self.out, "{}\n{}", clean(&verdict).trim_end(), clean(&graded.because).trim_end())?;
        }
        self.go_to(self.attempt.position + 1)?;
        Ok(Step::On)
    }

    fn review(&mut self) -> anyhow::Result<Step> {
        writeln!(self.out, "\nBefore you submit")?;
        for (number, question) in (1..).zip(&self.attempt.questions) {
            let answer = self.attempt.answer_to(question).map(|answer| told(answer, &question.kind));
            let flag = if self.attempt.flagged.contains(&question.slot) { " (marked for review)" } else { "" };
            let answer = answer.unwrap_or_else(|| "no answer".to_owned());
            writeln!(self.out, "  {number}  {}{flag}", clean(&answer).replace('\n', " "))?;
        }
        let count = self.attempt.questions.len();
        let Some(line) = self.prompt(&format!("submit, or a question's number (1 to {count}): "))? else {
            return Ok(Step::Leave);
        };
        match line.as_str() {
            "submit" | "s" | "yes" | "y" => return Ok(Step::Submit),
            ":quit" | ":q" => return Ok(Step::Leave),
            ":back" => self.go_to(count.saturating_sub(1))?,
            typed => match typed.parse::<usize>() {
                Ok(number) if (1..=count).contains(&number) => self.go_to(number - 1)?,
                _ => writeln!(self.out, "Type `submit`, a number from 1 to {count}, or `:quit`.")?,
            },
        }
        Ok(Step::On)
    }

    fn go_to(&mut self, position: usize) -> Result<(), AttemptError> {
        self.store.go_to(&mut self.attempt, position)
    }

    /// A line without the white space around it; `None` at the end of the input.
    fn prompt(&mut self, prompt: &str) -> anyhow::Result<Option<String>> {
        write!(self.out, "{prompt}")?;
        self.out.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            writeln!(self.out)?;
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
    }
}

fn letters() -> impl Iterator<Item = char> {
    'a'..='z'
}

fn asks(kind: &QuestionKind) -> String {
    match kind {
        QuestionKind::Single { .. } => "letter".into(),
        QuestionKind::Multiple { .. } => "letters, all that hold".into(),
        QuestionKind::Order { .. } => "letters, in order".into(),
        QuestionKind::Numeric { unit: Some(unit) } => format!("number ({})", clean(unit)),
        QuestionKind::Numeric { unit: None } => "number".into(),
        QuestionKind::Text => "answer".into(),
        QuestionKind::Cloze { blanks: 1, .. } => "blank".into(),
        QuestionKind::Cloze { .. } => "blank 1".into(),
    }
}

/// The id behind a letter; else what was typed, which may be an id itself.
fn id(typed: &str, items: &[Item]) -> String {
    let item = letters().zip(items).find(|(letter, _)| typed.eq_ignore_ascii_case(&letter.to_string()));
    item.map_or_else(|| typed.to_owned(), |(_, item)| item.id.clone())
}

/// What is wrong with an answer that names a choice there is not.
fn unknown_letter(answer: &Answer, items: &[Item]) -> Option<String> {
    let named = match answer {
        Answer::Single(id) => std::slice::from_ref(id),
        Answer::Multiple(ids) | Answer::Order(ids) => ids.as_slice(),
        Answer::Number(_) | Answer::Text(_) | Answer::Blanks(_) => return None,
    };
    let unknown = named.iter().find(|&id| items.iter().all(|item| item.id != *id))?;
    let (last, _) = letters().zip(items).last()?;
    Some(format!("There is no choice `{}`; type letters from a to {last}.", clean(unknown)))
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

/// An answer as the student would type it.
fn told(answer: &Answer, kind: &QuestionKind) -> String {
    let letter = |id: &String| {
        let found = letters().zip(kind.items()).find(|(_, item)| item.id == *id);
        found.map_or_else(|| id.clone(), |(letter, _)| letter.to_string())
    };
    match answer {
        Answer::Single(id) => letter(id),
        Answer::Multiple(ids) | Answer::Order(ids) => ids.iter().map(letter).collect::<Vec<_>>().join(" "),
        Answer::Number(typed) | Answer::Text(typed) => typed.clone(),
        Answer::Blanks(blanks) => blanks.join(" | "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_that_stands_for_no_choice_is_refused_with_the_letters_there_are() {
        let items: Vec<Item> =
            ["x-first", "y-first"].map(|id| Item { id: id.into(), text: id.into() }).into_iter().collect();
        let told = |typed: &str| unknown_letter(&Answer::Single(id(typed, &items)), &items);
        assert_eq!(told("2").as_deref(), Some("There is no choice `2`; type letters from a to b."));
        assert_eq!(told("B"), None);
        assert_eq!(told("y-first"), None);
        assert!(unknown_letter(&Answer::Order(ids("a c", &items)), &items).is_some());
        assert!(unknown_letter(&Answer::Number("c".into()), &items).is_none());
    }
}
