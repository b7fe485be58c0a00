/*! A page of a level.

```text
 2 Shared-memory tiling ▸ Does padding help here?          page 13/19  ▓▓▓▓▓▓░░░
 ─ predict ─────────────────────────────────────────────────────────────────────
 text, at most 68 wide: what to read, recall, the prediction, what follows from it
 ─ code: sgemm_tiled.cu, region “tile store” ───────────────────────────────────
   the thing to look at: code, or an instrument
 a–d select   s show me   n next   ? help
```

Text and picture share the screen: side by side on a wide screen, else one above the other (see [`layout`]).

No answer is given by accident. When a page opens, nothing is selected. A letter or an arrow selects (`answer`), Enter
gives the selected answer, and `n` leaves the question open. A page is *done* when the student has answered its questions
and revealed its recall answers. A page that asks nothing is done when the student has used its picture and seen its end
(`Lesson::note_done`).
*/

mod answer;
mod keys;
pub mod layout;
mod offer;
mod picture;
mod render;
mod signs;
pub mod text;
mod why;

pub use render::tag_name;

use crate::app_data::next_regular;
use crate::effect::into_effects;
use crate::prelude::*;
use offer::Offer;
use std::collections::BTreeMap;
use tutor_course::{Page, Predict, Show};
use tutor_exec::protocol::Reply;
use tutor_pictures::Picture;
use tutor_progress::{Predictions, shown_order};
use ui_kit::code_pane::CodePane;

/// The part of the page that gets the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Focus {
    #[default]
    Text,
    Picture,
}

#[derive(Debug, Default)]
pub struct Lesson {
    pub level: usize,
    pub page: usize,
    pub focus: Focus,
    /// True if the picture fills the screen while it gets the keys.
    pub zoom: bool,
    /// First visible line of the text.
    pub scroll: usize,
    /// The selected choice, which is not yet an answer.
    pub selected: Option<usize>,
    /// True while the student answers an answered question again.
    pub again: bool,
    /// True if the last action asked to show the answer. It shows only when asked twice.
    pub skipping: bool,
    /// Number of revealed recall answers.
    pub revealed: usize,
    /// The page's picture, unless it is code.
    pub instrument: Option<Box<dyn Picture>>,
    pub code: Option<CodePane>,
    /// First visible row of picture or code; `None` for its default.
    pub picture_scroll: Option<usize>,
    why: why::Writing,
    done: Done,
    /// Pictures of pages that were left, by page, if coming back should show their results.
    kept: BTreeMap<usize, Box<dyn Picture>>,
    /// Number of revealed recall answers of pages that were left, by page.
    revealed_on: BTreeMap<usize, usize>,
    /// Cache of the text's layout.
    flowed: text::Memo,
}

/// What the student has done on a page since it was opened.
#[derive(Debug, Default, Clone, Copy)]
struct Done {
    /// The student has seen the end of the text while nothing was hidden.
    ended: bool,
    /// The picture has handled a key or click.
    used: bool,
    /// The picture has shown what the text after the question explains, now or on an earlier visit.
    explained: bool,
    /// The page has been reported as done.
    noted: bool,
}

impl Lesson {
    pub fn open(level: usize, page: usize, context: &Context) -> (Self, Vec<Effect>) {
        let mut lesson = Self { level, page, ..Self::default() };
        let effects = lesson.turn_to(page, context);
        (lesson, effects)
    }

    /// Returns the page after its file was read again, in the same state. The picture keeps its state only if it is the `same`.
    pub fn read_again(self, level: usize, page: usize, same: bool, context: &Context) -> Self {
        let (fresh, _) = Self::open(level, page, context);
        let choices = fresh.order(context).len();
        let mut lesson = Self {
            scroll: self.scroll,
            revealed: self.revealed,
            selected: self.selected.filter(|at| *at < choices),
            again: self.again,
            done: self.done,
            ..fresh
        };
        if same {
            (lesson.focus, lesson.zoom, lesson.picture_scroll) = (self.focus, self.zoom, self.picture_scroll);
            (lesson.instrument, lesson.code) = (self.instrument, self.code);
            lesson.rename(context.data);
            lesson.hold_back(context);
        }
        lesson
    }

    /// Updates the texts of the picture or code, which may now be in another language.
    pub fn rename(&mut self, data: &AppData) {
        if let Some(instrument) = &mut self.instrument {
            instrument.rename(data.setting());
        }
        let page = data.course.levels.get(self.level).and_then(|level| pages(level).get(self.page));
        if let (Some(code), Some(Some(Show::Code(view)))) = (&mut self.code, page.map(|page| &page.show)) {
            code.read_again(view);
        }
        self.offer_again(data);
    }

    /// Updates the exercise that the page offers.
    pub fn offer_again(&mut self, data: &AppData) {
        let page = data.course.levels.get(self.level).and_then(|level| pages(level).get(self.page));
        if let Some(Some(Show::Exercise(id))) = page.map(|page| &page.show) {
            self.instrument = Some(Box::new(Offer::new(&id.value, data)));
        }
    }

    fn turn_to(&mut self, page: usize, context: &Context) -> Vec<Effect> {
        if let Some(mut left) = self.instrument.take().filter(|left| left.kind() == "run" && left.has_results()) {
            // Leaving the page ends its launch.
            if let [tutor_pictures::Effect::CancelLaunch(id)] = left.act(Action::CancelLaunch)[..] {
                left.reply(&Reply::Finished { id, cancelled: true });
            }
            self.kept.insert(self.page, left);
        }
        self.revealed_on.insert(self.page, self.revealed);
        (self.page, self.focus, self.scroll) = (page, Focus::Text, 0);
        self.revealed = self.revealed_on.get(&page).copied().unwrap_or(0);
        (self.zoom, self.instrument, self.code, self.picture_scroll) = (false, None, None, None);
        self.skipping = false;
        self.done = Done::default();
        self.take_up_draft(context);
        self.take_up_writing(context);
        let Some((level, page)) = self.ids(context) else { return Vec::new() };
        let read = context.data.progress.level(&level).is_some_and(|known| known.read.contains(&page));
        if read {
            self.revealed = self.content(context).map_or(0, |content| content.recall.len());
        }
        if let Some(show) = self.content(context).and_then(|content| content.show.as_ref()) {
            match show {
                Show::Code(view) => self.code = Some(CodePane::new(view)),
                Show::Exercise(id) => self.instrument = Some(Box::new(Offer::new(&id.value, context.data))),
                other => self.instrument = tutor_pictures::picture(other, context.data.setting()),
            }
        }
        if let Some(mut kept) = self.kept.remove(&self.page) {
            kept.rename(context.data.setting());
            self.instrument = Some(kept);
        }
        self.done.explained = read || self.instrument.as_ref().is_none_or(|it| it.has_results());
        self.hold_back(context);
        vec![Effect::Store(StoreRequest::PageOpened { level, page })]
    }

    /// Returns the page's content; `None` if the course no longer has the page.
    pub fn content<'a>(&self, context: &Context<'a>) -> Option<&'a Page> {
        pages(context.data.course.levels.get(self.level)?).get(self.page)
    }

    fn ids(&self, context: &Context) -> Option<(String, String)> {
        let level = context.data.course.levels.get(self.level)?;
        Some((level.id.clone(), pages(level).get(self.page)?.id.value.clone()))
    }

    /// Returns the student's predictions on this page.
    pub fn predictions<'a>(&self, context: &Context<'a>) -> Option<&'a Predictions> {
        context.data.predictions.get(&self.ids(context)?)
    }

    /// Returns the question if it waits for an answer, for the first time or again.
    pub fn pending<'a>(&self, context: &Context<'a>) -> Option<&'a Predict> {
        let open = self.again || self.predictions(context).is_none();
        self.content(context)?.predict.as_ref().filter(|_| open)
    }

    /// Returns the page's choices in the order shown, as indices into the file's list.
    pub fn order(&self, context: &Context) -> Vec<usize> {
        let predict = self.content(context).and_then(|page| page.predict.as_ref());
        let (Some(predict), Some((level, page))) = (predict, self.ids(context)) else { return Vec::new() };
        shown_order(predict, context.data.student, &level, &page)
    }

    /// Hides the parts of the code that could reveal the answer while the question is open.
    pub fn hold_back(&mut self, context: &Context) {
        let pending = self.pending(context).is_some();
        if let Some(code) = self.code.as_mut().filter(|code| code.held_back != pending) {
            (code.held_back, self.picture_scroll) = (pending, None);
            if pending {
                code.side = ui_kit::code_pane::Side::Source;
            }
        }
    }

    fn hidden_answers(&self, context: &Context) -> bool {
        self.content(context).is_some_and(|page| self.revealed < page.recall.len())
    }

    /// True if the page explains the results of a launch that the student has not made.
    fn awaits_launch(&self, context: &Context) -> bool {
        let explains = self.content(context).is_some_and(|page| !page.after.trim().is_empty());
        explains && !self.done.explained && self.pending(context).is_none()
    }

    /// True if a run with results leaves no room for the text that explains them.
    fn explains_elsewhere(&self, layout: &layout::Layout) -> bool {
        let run = self.instrument.as_ref().is_some_and(|it| it.kind() == "run" && it.has_results());
        run && self.focus == Focus::Picture && layout.text.height == 0
    }

    /// True if the page has a picture or code, visible now or later.
    pub fn has_picture(&self) -> bool {
        self.code.is_some() || self.instrument.is_some()
    }

    /// True if the picture may be shown. Code is always visible, an instrument only after the prediction.
    pub fn shows_picture(&self, context: &Context) -> bool {
        self.code.is_some() || (self.instrument.is_some() && self.pending(context).is_none())
    }

    /// True if the picture fills the screen.
    pub fn zoomed(&self) -> bool {
        self.zoom && self.focus == Focus::Picture
    }

    /// Handles a click on the instrument, which then gets the keys.
    pub fn click_instrument(&mut self, at: Position, context: &Context) -> Vec<Effect> {
        let layout = layout::of(self, context);
        if !layout.picture.contains(at) {
            return self.use_picture(context);
        }
        let (at, area) = picture::inside(&layout, at);
        let mut effects = if self.focus == Focus::Text { self.use_picture(context) } else { Vec::new() };
        if self.shows_picture(context)
            && let Some(instrument) = self.instrument.as_mut()
        {
            self.done.used = true;
            effects.extend(into_effects(instrument.click(at, area)));
        }
        effects
    }

    /// Makes the keys go to the text again.
    pub fn leave_picture(&mut self) {
        (self.focus, self.zoom) = (Focus::Text, false);
    }

    fn use_picture(&mut self, context: &Context) -> Vec<Effect> {
        if !self.shows_picture(context) {
            return Vec::new();
        }
        self.focus = Focus::Picture;
        // The text now has fewer rows. Its newest block stays visible, from its first line on.
        self.follow(context);
        self.scroll = layout::of(self, context).flow.block_of(self.scroll);
        self.instrument.as_mut().map_or_else(Vec::new, |it| into_effects(it.focus()))
    }

    /// From an optional page with which a student began, the way leads to the page that it follows.
    fn next_page(&mut self, context: &Context) -> Vec<Effect> {
        let level = context.data.course.levels.get(self.level);
        let optional = self.content(context).is_some_and(|page| page.optional);
        let unseen = |page: &usize| {
            let id = level.and_then(|level| pages(level).get(*page)).map(|page| &page.id.value);
            let progress = context.data.progress_of(self.level);
            progress.zip(id).is_some_and(|(progress, id)| !progress.seen.contains(id))
        };
        let owner = level.filter(|_| optional).and_then(|level| next_regular(level, self.page, true)).filter(unseen);
        match owner.or_else(|| next_regular(level?, self.page, false)) {
            Some(page) => self.turn_to(page, context),
            None => vec![self.leave_level(context)],
        }
    }

    /// An optional page leads back to the page that it follows.
    fn previous_page(&mut self, context: &Context) -> Vec<Effect> {
        let level = context.data.course.levels.get(self.level);
        let optional = self.content(context).is_some_and(|page| page.optional);
        let regular = level.filter(|_| !optional).and_then(|level| next_regular(level, self.page, true));
        self.turn_to(regular.unwrap_or(self.page.saturating_sub(1)), context)
    }

    /// Returns the optional page that goes on from here, once this page hides nothing.
    fn more<'a>(&self, context: &Context<'a>) -> Option<&'a Page> {
        let hides = self.pending(context).is_some() || self.hidden_answers(context);
        let next = pages(context.data.course.levels.get(self.level)?).get(self.page + 1)?;
        Some(next).filter(|next| next.optional && !hides)
    }

    /// Returns the effect that leads on from the last page: to the gate, to the next level, or back to the map.
    fn leave_level(&self, context: &Context) -> Effect {
        let (data, next) = (context.data, self.level + 1);
        if data.progress_of(self.level).is_some_and(|progress| progress.gated && !progress.passed) {
            return Effect::Go(Go::Gate { level: self.level });
        }
        match data.course.levels.get(next) {
            Some(_) if data.locked_by(next).is_none() => {
                Effect::Go(Go::Page { level: next, page: data.next_page(next).unwrap_or(0) })
            }
            _ => Effect::Go(Go::Back),
        }
    }

    fn editable(&self, context: &Context) -> Option<Effect> {
        if let Some(code) = &self.code
            && let Some(file) = context.data.kernel_paths.get(code.kernel())
        {
            return Some(Effect::Edit { file: file.clone(), line: code.first_line(&context.data.catalog), column: 1 });
        }
        let level = context.data.course.levels.get(self.level)?;
        let line = self.content(context)?.id.line.max(1);
        Some(Effect::Edit { file: context.data.lesson_paths.get(&level.id)?.clone(), line, column: 1 })
    }

    /// Scrolls down until the lines that were just added are visible, at least their beginning.
    pub fn follow(&mut self, context: &Context) {
        let layout = layout::of(self, context);
        let (start, end) = layout.flow.added;
        let rows = usize::from(layout.text.height);
        let lowest = end.saturating_sub(rows).min(start);
        let wanted =
            if end <= rows { 0 } else { (lowest..start).find(|row| layout.flow.begins_block(*row)).unwrap_or(start) };
        self.scroll = self.scroll.max(wanted).min(layout.max_scroll);
    }

    /// Scrolls as little as needed to show the selected choice and the hint about Enter.
    fn show_selected(&mut self, context: &Context) {
        let layout = layout::of(self, context);
        let (start, end) = layout.flow.selected;
        let rows = usize::from(layout.text.height);
        let lowest = end.saturating_sub(rows).min(start);
        self.scroll = self.scroll.clamp(lowest, start.max(lowest)).min(layout.max_scroll);
    }
}
