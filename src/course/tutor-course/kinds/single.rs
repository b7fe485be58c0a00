//! Choose one.

use super::choices::Selection;
use super::unknown_id;
use crate::prelude::*;

impl Selection for String {
    const NAME: &'static str = "single";
    const KEY: &'static str = "A single choice needs one correct choice and at least one wrong one.";

    fn ids(&self) -> &[String] {
        std::slice::from_ref(self)
    }
    fn can_be(right: usize, all: usize) -> bool {
        right == 1 && all > 1
    }
    fn expects() -> Sentence {
        sentence!("mastery-takes-single")
    }
    fn problem(&self, items: &[Item]) -> Option<Sentence> {
        unknown_id(self, items)
    }
    fn form() -> String {
        t!("cli-quiz-form-single")
    }
}
