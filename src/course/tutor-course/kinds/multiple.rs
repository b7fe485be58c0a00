//! Choose all that are true.

use super::choices::Selection;
use super::{repeated, unknown_id};
use crate::prelude::*;

impl Selection for Vec<String> {
    const NAME: &'static str = "multiple";
    const KEY: &'static str = "A multiple choice needs at least one correct and one wrong choice.";

    fn ids(&self) -> &[String] {
        self
    }
    fn can_be(right: usize, all: usize) -> bool {
        (1..all).contains(&right)
    }
    fn expects() -> Sentence {
        sentence!("mastery-takes-multiple")
    }
    fn problem(&self, items: &[Item]) -> Option<Sentence> {
        if self.is_empty() {
            return Some(sentence!("mastery-choose-one"));
        }
        self.iter().find_map(|id| unknown_id(id, items)).or_else(|| repeated(self))
    }
    fn form() -> String {
        t!("cli-quiz-form-multiple")
    }
}
