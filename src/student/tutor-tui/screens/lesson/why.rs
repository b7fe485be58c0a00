/*! A page's “why” question: the student answers it in their own words and then compares the text with a model answer.

```text
 Why is the reuse factor exactly the tile's edge?
 │ because an element of A is needed by a row of threads▏
 ⏎ compares it with a model answer.
```
The model answer then appears, and letters mark the points that the student's text lacks. Enter saves the text and the
marks. Until then the text is a draft.
*/

use super::super::letters;
use super::Lesson;
use super::text::{Flow, aside, blank, letter, strong};
use crate::prelude::*;
use std::collections::BTreeSet;
use tutor_course::Why;
use tutor_progress::Explanation;
use ui_kit::field::Field;
use ui_kit::wrap::hang;

/// Stands where the terminal's cursor is while the text is wrapped. It is invisible and no line breaks next to it.
const CURSOR: char = '\u{2060}';

/// How far the student is with the question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    /// Not begun, or saved.
    #[default]
    Rest,
    /// The keys go to the text field.
    Writing,
    /// The model answer is visible, and letters mark missing points.
    Marking,
}

/// Text and marks that are not saved yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Writing {
    stage: Stage,
    field: Field,
    missed: BTreeSet<usize>,
}

impl Lesson {
    /// Returns the page's “why” question, once everything above it is answered.
    fn why<'a>(&self, context: &Context<'a>) -> Option<&'a Why> {
        let open = self.pending(context).is_none() && !self.hidden_answers(context);
        self.content(context)?.why.as_ref().filter(|_| open)
    }

    /// Returns the saved text and marks.
    pub(super) fn explanation<'a>(&self, context: &Context<'a>) -> Option<&'a Explanation> {
        context.data.explanations.get(&self.ids(context)?)
    }

    /// True if the page has an unanswered “why” question.
    pub(super) fn why_open(&self, context: &Context) -> bool {
        self.content(context).is_some_and(|page| page.why.is_some()) && self.explanation(context).is_none()
    }

    /// True if the keys go to the text field.
    pub(super) fn writing(&self) -> bool {
        self.why.stage == Stage::Writing
    }

    /// Restores the draft from an earlier visit to the page.
    pub(super) fn take_up_writing(&mut self, context: &Context) {
        let draft = self.why_key(context).and_then(|key| context.data.drafts.get(&key));
        self.why = Writing { field: Field::new(draft.cloned().unwrap_or_default()), ..Writing::default() };
    }

    fn why_key(&self, context: &Context) -> Option<String> {
        self.ids(context).map(|(level, page)| format!("why:{level}:{page}"))
    }

    fn why_draft(&self, context: &Context) -> Vec<Effect> {
        let text = Some(self.why.field.text().to_owned()).filter(|text| !text.is_empty());
        self.why_key(context).map(|key| Effect::Store(StoreRequest::Draft { key, text })).into_iter().collect()
    }

    /// Handles a key for the text field. Returns `None` if the key means nothing there.
    pub(super) fn write_key(&mut self, key: KeyEvent, context: &Context) -> Option<Vec<Effect>> {
        let taken = self.why.field.key(key);
        self.follow_why(context);
        taken.then(|| self.why_draft(context))
    }

    pub(super) fn write_text(&mut self, text: &str, context: &Context) -> Vec<Effect> {
        self.why.field.paste(text);
        self.follow_why(context);
        self.why_draft(context)
    }

    /// Returns the actions of the question; `None` if it does not get the keys.
    pub(super) fn why_actions(&self, context: &Context) -> Option<Vec<Action>> {
        let why = self.why(context)?;
        match self.why.stage {
            Stage::Rest => None,
            Stage::Writing => {
                let given = !self.why.field.text().trim().is_empty();
                Some(given.then_some(Action::CompareWhy).into_iter().chain([Action::Back]).collect())
            }
            Stage::Marking => {
                let marks = [Action::Marked].into_iter().chain(letters(why.points.len()));
                Some(marks.chain([Action::NextPage, Action::Back]).collect())
            }
        }
    }

    pub(super) fn can_write(&self, context: &Context) -> bool {
        self.why(context).is_some() && self.why.stage == Stage::Rest
    }

    /// Does one of [`Self::why_actions`], or begins to write. Returns `None` for all other actions.
    pub(super) fn why_act(&mut self, action: Action, context: &Context) -> Option<Vec<Effect>> {
        match (self.why.stage, action) {
            (Stage::Rest, Action::Write) => {
                if let Some(before) = self.explanation(context).filter(|_| self.why.field.text().is_empty()) {
                    self.why.field = Field::new(before.text.clone());
                }
                (self.why.stage, self.why.missed) = (Stage::Writing, BTreeSet::new());
            }
            (Stage::Writing, Action::CompareWhy) => self.why.stage = Stage::Marking,
            (Stage::Writing | Stage::Marking, Action::Back) => self.why.stage = Stage::Rest,
            (Stage::Marking, Action::Choose(n)) => {
                let point = usize::from(n);
                if !self.why.missed.remove(&point) {
                    self.why.missed.insert(point);
                }
            }
            (Stage::Marking, Action::Marked) => return Some(self.keep_why(context)),
            _ => return None,
        }
        self.follow_why(context);
        Some(Vec::new())
    }

    fn keep_why(&mut self, context: &Context) -> Vec<Effect> {
        let Some((level, page)) = self.ids(context) else { return Vec::new() };
        let text = self.why.field.text().trim().to_owned();
        let missed = std::mem::take(&mut self.why).missed.into_iter().collect();
        let mut effects = self.why_draft(context);
        effects.push(Effect::Store(StoreRequest::Explained { level, page, explanation: Explanation { text, missed } }));
        effects
    }

    fn follow_why(&mut self, context: &Context) {
        self.scroll = 0;
        self.follow(context);
    }
}

/// Adds the question in its current state below the rest of the page.
pub(super) fn lay_out(flow: &mut Flow, lesson: &Lesson, context: &Context, width: u16) {
    let (Some(why), look) = (lesson.why(context), &context.look) else { return };
    blank(&mut flow.lines);
    let start = flow.lines.len();
    flow.lines.extend(strong(markdown::render(&why.ask, width, look), look));
    let enter = look.sign("⏎", "Enter");
    let kept = lesson.explanation(context);
    match (lesson.why.stage, kept) {
        (Stage::Writing, _) => {
            let (before, under, after) = lesson.why.field.parts();
            let start = flow.lines.len();
            quote(flow, &format!("{before}{CURSOR}{under}{after}"), Meaning::Text, width, look);
            flow.cursor = place(&flow.lines[start..]).map(|(row, column)| (start + row, column));
            let text = match lesson.why.field.text().trim().is_empty() {
                true => t!("lesson-why-write-hint"),
                false => t!("lesson-why-compare-hint", key = enter),
            };
            aside(flow, &text, 2, width, look);
        }
        (Stage::Marking, _) => {
            quote(flow, lesson.why.field.text(), Meaning::Text, width, look);
            model(flow, why, &lesson.why.missed, true, width, look);
            aside(flow, &t!("lesson-why-mark-hint", key = enter), 2, width, look);
        }
        (Stage::Rest, Some(kept)) => {
            quote(flow, &kept.text, Meaning::Text, width, look);
            model(flow, why, &kept.missed.iter().copied().collect(), false, width, look);
            aside(flow, &t!("lesson-why-again-hint"), 2, width, look);
        }
        (Stage::Rest, None) => {
            if !lesson.why.field.text().is_empty() {
                quote(flow, lesson.why.field.text(), Meaning::Muted, width, look);
            }
            aside(flow, &t!("lesson-why-hint"), 2, width, look);
        }
    }
    if lesson.why.stage != Stage::Rest || kept.is_some() {
        flow.added = (start, flow.lines.len());
    }
}

/// Returns row and column of [`CURSOR`] in lines.
fn place(lines: &[Line]) -> Option<(usize, u16)> {
    lines.iter().enumerate().find_map(|(row, line)| {
        let text = line.to_string();
        Some((row, text[..text.find(CURSOR)?].width() as u16))
    })
}

fn quote(flow: &mut Flow, text: &str, meaning: Meaning, width: u16, look: &Look) {
    let bar = look.span(Meaning::Accent, format!("  {} ", look.sign("│", "|")));
    let lines = wrap_text(text, look.style(meaning), width.saturating_sub(4));
    flow.lines.extend(hang(lines, &bar, &bar));
}

/// Adds the model answer and its points, with marks at the missing ones.
fn model(flow: &mut Flow, why: &Why, missed: &BTreeSet<usize>, marking: bool, width: u16, look: &Look) {
    let lines = markdown::render(&why.model, width.saturating_sub(4), look);
    let mark = look.span(Meaning::Accent, format!("  {} ", look.sign("→", ">")));
    flow.lines.extend(hang(lines, &mark, &Span::raw("    ")));
    if marking {
        // Now only the points can be clicked.
        flow.choices.clear();
        aside(flow, &t!("lesson-why-missed"), 2, width, look);
    }
    for (at, point) in why.points.iter().enumerate() {
        let lacks = missed.contains(&at);
        let sign = match lacks {
            true => look.wrong(),
            // The program cannot read the text, so it praises nothing.
            false => look.span(Meaning::Muted, look.sign("·", ".").to_owned()),
        };
        let key = if marking { format!("  {}  ", letter(at)) } else { "    ".to_owned() };
        let before = look.span(Meaning::Key, key);
        let indent = Span::raw(" ".repeat(before.width() + 2));
        let mut lines = markdown::render(point, width.saturating_sub(indent.width() as u16), look);
        if let Some(first) = lines.first_mut() {
            first.spans.splice(0..0, [before, sign, Span::raw(" ")]);
        }
        for (row, mut line) in lines.into_iter().enumerate() {
            if row > 0 {
                line.spans.insert(0, indent.clone());
            }
            if marking {
                flow.choices.push((flow.lines.len(), at));
            }
            flow.lines.push(line);
        }
    }
}
