//! Answers a page's question: selects a choice, gives it, skips the question, tries again.

use super::super::step;
use super::Lesson;
use crate::prelude::*;

impl Lesson {
    /// Restores the draft from an earlier visit to the page.
    pub(super) fn take_up_draft(&mut self, context: &Context) {
        let choices = self.content(context).and_then(|page| page.predict.as_ref()).map_or(0, |it| it.choices.len());
        let draft = self.draft_key(context).and_then(|key| context.data.drafts.get(&key)?.parse().ok());
        self.selected = draft.filter(|choice| *choice < choices);
        // A draft on an answered page belongs to another try.
        self.again = self.selected.is_some() && self.predictions(context).is_some();
    }

    fn draft_key(&self, context: &Context) -> Option<String> {
        self.ids(context).map(|(level, page)| format!("predict:{level}:{page}"))
    }

    fn draft(&self, context: &Context) -> Option<Effect> {
        let text = self.selected.map(|choice| choice.to_string());
        self.draft_key(context).map(|key| Effect::Store(StoreRequest::Draft { key, text }))
    }

    /// Selects the choice at a position, from 0.
    pub(super) fn select_row(&mut self, row: usize, context: &Context) -> Vec<Effect> {
        self.order(context).get(row).map_or_else(Vec::new, |choice| self.select(*choice, context))
    }

    /// Selects a choice by its index in the file. This does not answer the question.
    pub(super) fn select(&mut self, choice: usize, context: &Context) -> Vec<Effect> {
        let Some(predict) = self.pending(context) else { return Vec::new() };
        if choice >= predict.choices.len() {
            return Vec::new();
        }
        (self.selected, self.skipping) = (Some(choice), false);
        self.show_selected(context);
        self.draft(context).into_iter().collect()
    }

    /// Selects the next or the previous choice; after the last comes the first.
    pub(super) fn select_next(&mut self, down: bool, context: &Context) -> Vec<Effect> {
        let order = if self.pending(context).is_some() { self.order(context) } else { Vec::new() };
        let choices = order.len();
        if choices == 0 {
            return Vec::new();
        }
        let at = self.selected.and_then(|choice| order.iter().position(|at| *at == choice));
        self.select(order[step(at, if down { 1 } else { -1 }, choices)], context)
    }

    pub(super) fn give(&mut self, context: &Context) -> Vec<Effect> {
        let chosen = self.selected.and_then(|at| Some((at, self.pending(context)?.choices.get(at)?.correct)));
        let Some((choice, correct)) = chosen else { return Vec::new() };
        self.settle(Some(choice), Some(correct), context)
    }

    /// Shows the correct answer although the student gives none. Skipping a second try is not recorded.
    pub(super) fn skip(&mut self, context: &Context) -> Vec<Effect> {
        if self.pending(context).is_none() {
            return Vec::new();
        }
        if self.again {
            (self.again, self.selected) = (false, None);
            self.hold_back(context);
            return self.draft(context).into_iter().collect();
        }
        self.settle(None, None, context)
    }

    fn settle(&mut self, choice: Option<usize>, correct: Option<bool>, context: &Context) -> Vec<Effect> {
        let Some((level, page)) = self.ids(context) else { return Vec::new() };
        (self.selected, self.again) = (None, false);
        let mut effects: Vec<Effect> = self.draft(context).into_iter().collect();
        effects.push(Effect::Store(StoreRequest::Predicted { level, page, choice, correct }));
        effects
    }

    /// Opens the question again. The first answer stays recorded.
    pub(super) fn try_again(&mut self, context: &Context) -> Vec<Effect> {
        if self.predictions(context).is_some() {
            (self.again, self.selected) = (true, None);
            self.hold_back(context);
            self.leave_picture();
        }
        Vec::new()
    }
}
