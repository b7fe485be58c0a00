//! Asks one question after another over a pair of streams, which may be a terminal.

use super::paper::Paper;
use crate::prelude::*;
use std::io::{BufRead, Write};
use tutor_course::{QuestionRow, QuizFile};
use tutor_progress::{Attempt, AttemptError, AttemptKind, Outcome, Outline, Question, Store, grade};
use tutor_support::text;
use ui_kit::theme::Meaning;

/// A dialogue that prints the questions on `out` and reads the answers from `input`. Stores each answer immediately.
pub(crate) struct Dialogue<'a> {
    pub(crate) store: &'a mut Store,
    pub(crate) outline: &'a Outline,
    pub(crate) quiz: &'a QuizFile,
    pub(crate) attempt: Attempt,
    pub(crate) input: &'a mut dyn BufRead,
    pub(crate) out: &'a mut dyn Write,
    pub(crate) paper: &'a Paper,
}

enum Step {
    /// Continue at the attempt's position, which may have changed.
    On,
    /// The input is not an answer: prompt again, without repeating the question.
    Again,
    Leave,
    Submit,
}

impl Dialogue<'_> {
    /// Asks all questions. Returns `None` if the student left or the input ended.
    pub(crate) fn run(&mut self) -> anyhow::Result<Option<Outcome>> {
        self.print(&t!("cli-quiz-help"), Meaning::Muted)?;
        loop {
            let step = match self.attempt.current().cloned() {
                Some(question) => self.question(&question)?,
                None if self.attempt.kind == AttemptKind::Practice => Step::Submit,
                None => self.review()?,
            };
            match step {
                Step::On | Step::Again => {}
                Step::Leave => return Ok(None),
                Step::Submit => return Ok(Some(self.store.submit(self.outline, self.quiz, self.attempt.id)?)),
            }
        }
    }

    fn question(&mut self, question: &Question) -> anyhow::Result<Step> {
        let (number, count) = (self.attempt.position + 1, self.attempt.questions.len());
        let title = if self.attempt.flagged.contains(&question.slot) {
            t!("cli-quiz-question-marked", number, count)
        } else {
            t!("cli-quiz-question", number, count)
        };
        write!(self.out, "\n{}", self.paper.rule(&title))?;
        write!(self.out, "{}", self.paper.markdown(&text::lines(&question.ask), "", Meaning::Text))?;
        let rows = question.kind.rows();
        if !rows.is_empty() {
            writeln!(self.out)?;
        }
        for row in rows {
            match row {
                QuestionRow::Item(mark, text) => {
                    let mark = format!("  {mark}  ");
                    write!(self.out, "{}", self.paper.markdown(&text::lines(&text), &mark, Meaning::Key))?;
                }
                QuestionRow::Code(code) => write!(self.out, "{}", self.paper.code(&text::lines(&code)))?,
                QuestionRow::Gap => writeln!(self.out)?,
            }
        }
        if let Some(answer) = self.attempt.answer_to(question) {
            let told = question.kind.as_typed(answer);
            self.print(&t!("cli-quiz-so-far", answer = text::lines(&told)), Meaning::Muted)?;
        }
        let mut warned = false;
        loop {
            match self.line(question, &mut warned)? {
                Step::Again => {}
                step => return Ok(step),
            }
        }
    }

    fn line(&mut self, question: &Question, warned: &mut bool) -> anyhow::Result<Step> {
        let at = self.attempt.position;
        let mut prompts = question.kind.prompts().into_iter();
        let first = prompts.next().unwrap_or_default();
        let Some(line) = self.prompt(&first)? else { return Ok(Step::Leave) };
        match line.as_str() {
            ":quit" | ":q" => return Ok(Step::Leave),
            ":back" => self.go_to(at.saturating_sub(1))?,
            ":skip" => self.go_to(at + 1)?,
            ":flag" => {
                let flagged = !self.attempt.flagged.contains(&question.slot);
                self.store.flag(&mut self.attempt, &question.slot, flagged)?;
            }
            "" if self.attempt.answer_to(question).is_some() || *warned => self.go_to(at + 1)?,
            "" => {
                *warned = true;
                self.print(&t!("cli-quiz-empty"), Meaning::Warning)?;
                return Ok(Step::Again);
            }
            command if command.starts_with(':') && !command.starts_with("::") => {
                self.print(&t!("cli-quiz-help"), Meaning::Muted)?;
                return Ok(Step::Again);
            }
            typed => {
                let mut typed = vec![typed.to_owned()];
                for prompt in prompts {
                    let Some(line) = self.prompt(&prompt)? else { return Ok(Step::Leave) };
                    typed.push(line);
                }
                return self.answered(question, &typed);
            }
        }
        Ok(Step::On)
    }

    fn answered(&mut self, question: &Question, typed: &[String]) -> anyhow::Result<Step> {
        let answer = match question.kind.typed(typed) {
            Ok(answer) => answer,
            Err(problem) => {
                self.print(&problem.to_string(), Meaning::Warning)?;
                return Ok(Step::Again);
            }
        };
        match self.store.answer(&mut self.attempt, &question.slot, answer.clone()) {
            Ok(()) => {}
            Err(AttemptError::NotAnAnswer(problem)) => {
                self.print(&problem.to_string(), Meaning::Warning)?;
                return Ok(Step::Again);
            }
            Err(error) => return Err(error.into()),
        }
        if self.attempt.kind == AttemptKind::Practice {
            let graded = grade(self.quiz, question, Some(&answer)).map_err(AttemptError::from)?;
            let (verdict, meaning) = match &graded.why {
                None => (t!("cli-quiz-right"), Meaning::Right),
                Some(why) => (t!("cli-quiz-wrong", why = text::lines(why).trim_end()), Meaning::Wrong),
            };
            writeln!(self.out)?;
            write!(self.out, "{}", self.paper.markdown(&verdict, "", meaning))?;
            write!(self.out, "{}", self.paper.markdown(&text::lines(&graded.because), "", Meaning::Text))?;
        }
        self.go_to(self.attempt.position + 1)?;
        Ok(Step::On)
    }

    fn review(&mut self) -> anyhow::Result<Step> {
        write!(self.out, "\n{}", self.paper.rule(&t!("cli-quiz-before-submit")))?;
        for (number, question) in (1..).zip(&self.attempt.questions) {
            let answer = self.attempt.answer_to(question).map(|answer| question.kind.as_typed(answer));
            let answer = answer.unwrap_or_else(|| t!("cli-quiz-no-answer"));
            let answer = text::lines(&answer).replace('\n', " ");
            let marked = self.attempt.flagged.contains(&question.slot);
            let answer = if marked { t!("cli-quiz-marked", answer) } else { answer };
            writeln!(self.out, "  {number}  {answer}")?;
        }
        let count = self.attempt.questions.len();
        let Some(line) = self.prompt(&t!("cli-quiz-ask-submit", count))? else { return Ok(Step::Leave) };
        match line.as_str() {
            "submit" | "s" | "yes" | "y" => return Ok(Step::Submit),
            ":quit" | ":q" => return Ok(Step::Leave),
            ":back" => self.go_to(count.saturating_sub(1))?,
            typed => match typed.parse::<usize>() {
                Ok(number) if (1..=count).contains(&number) => self.go_to(number - 1)?,
                _ => self.print(&t!("cli-quiz-type-submit", count), Meaning::Warning)?,
            },
        }
        Ok(Step::On)
    }

    fn print(&mut self, text: &str, meaning: Meaning) -> anyhow::Result<()> {
        Ok(write!(self.out, "{}", self.paper.sentence(text, meaning))?)
    }

    fn go_to(&mut self, position: usize) -> Result<(), AttemptError> {
        self.store.go_to(&mut self.attempt, position)
    }

    /// Prints a prompt and reads a line, without surrounding white space. Returns `None` at the end of the input.
    fn prompt(&mut self, prompt: &str) -> anyhow::Result<Option<String>> {
        write!(self.out, "{prompt}: ")?;
        self.out.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            writeln!(self.out)?;
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
    }
}
