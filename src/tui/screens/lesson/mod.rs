/*! A page of a level.

```text
 2 Shared-memory tiling ▸ Does padding help here?          page 13/19  ▓▓▓▓▓▓░░░
 ─ predict ─────────────────────────────────────────────────────────────────────
 text, at most 68 wide: what to read, recall, the prediction, what follows from it
 ─ code: sgemm_tiled.cu, region “tile store” ───────────────────────────────────
   the thing to look at: code, or an instrument
 a–d select   s show me   n next   ? help
```

Text and picture share the screen: side by side where it is wide, else one above the other (see [`layout`]).

No answer is given by accident. Nothing is selected when a page opens; a letter or an arrow selects (`answer`),
Enter gives what is selected, and `n` leaves the question open. A page is *done* when its question was answered,
its recalls were revealed, its picture was used and its end was seen (`Lesson::note_done`).
*/

mod answer;
mod keys;
pub mod layout;
mod picture;
mod render;
mod signs;
pub mod text;
mod why;

pub use render::tag_name;

use super::Context;
use crate::app_data::{AppData, pages};
use crate::effect::{Effect, Go, Keep, into_effects};
use ratatui::layout::Position;
use tutor_course::{Page, Predict, Show};
use tutor_mastery::{Predictions, shown_order};
use tutor_pictures::Picture;
use tutor_pictures::code_pane::CodePane;

/// What has the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    Text,
    Picture,
}

#[derive(Debug)]
pub struct Lesson {
    pub level: usize,
    pub page: usize,
    /// What has the keys.
    pub focus: Focus,
    /// Whether the picture has the whole screen while it has the keys.
    pub zoom: bool,
    /// First line of the text that is shown.
    pub scroll: usize,
    /// The choice that is selected and not yet given.
    pub selected: Option<usize>,
    /// Whether a question that was answered is being answered again.
    pub again: bool,
    /// Recall answers revealed.
    pub revealed: usize,
    /// The page's picture, unless it is code.
    pub instrument: Option<Box<dyn Picture>>,
    pub code: Option<CodePane>,
    /// First row of picture or code that is shown; none for where it begins by itself.
    pub picture_scroll: Option<usize>,
    why: why::Writing,
    done: Done,
    /// The text last laid out, and what for.
    flowed: text::Memo,
}

/// What was done on a page since it was opened.
#[derive(Debug, Default, Clone, Copy)]
struct Done {
    /// The end of the text was seen while nothing was held back.
    ended: bool,
    /// The picture had the keys and did something.
    used: bool,
    /// The page was noted as done.
    noted: bool,
}

impl Lesson {
    pub fn open(level: usize, page: usize, context: &Context) -> (Self, Vec<Effect>) {
        let mut lesson = Self {
            level,
            page,
            focus: Focus::Text,
            zoom: false,
            scroll: 0,
            selected: None,
            again: false,
            revealed: 0,
            instrument: None,
            code: None,
            picture_scroll: None,
            why: why::Writing::default(),
            done: Done::default(),
            flowed: text::Memo::default(),
        };
        let effects = lesson.turn_to(page, context);
        (lesson, effects)
    }

    /// The page after its file was read again: what was on the screen stays, the picture only if it is the `same`.
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

    /// What the page shows is as it was; what that is called, and what is noted of it, may be in another language.
    pub fn rename(&mut self, data: &AppData) {
        if let Some(instrument) = &mut self.instrument {
            instrument.rename(data.setting());
        }
        let page = data.course.levels.get(self.level).and_then(|level| pages(level).get(self.page));
        if let (Some(code), Some(Some(Show::Code(view)))) = (&mut self.code, page.map(|page| &page.show)) {
            code.read_again(view);
        }
    }

    fn turn_to(&mut self, page: usize, context: &Context) -> Vec<Effect> {
        (self.page, self.focus, self.scroll, self.revealed) = (page, Focus::Text, 0, 0);
        (self.zoom, self.instrument, self.code, self.picture_scroll) = (false, None, None, None);
        self.done = Done::default();
        self.take_up_draft(context);
        self.take_up_writing(context);
        let Some((level, page)) = self.ids(context) else { return Vec::new() };
        if let Some(show) = self.content(context).and_then(|content| content.show.as_ref()) {
            let setting = context.data.setting();
            match show {
                Show::Code(view) => self.code = Some(CodePane::new(view)),
                other => self.instrument = tutor_pictures::of(other, setting),
            }
        }
        self.hold_back(context);
        vec![Effect::Keep(Keep::PageOpened { level, page })]
    }

    /// The page's content; none if the course was changed under it.
    pub fn content<'a>(&self, context: &Context<'a>) -> Option<&'a Page> {
        pages(context.data.course.levels.get(self.level)?).get(self.page)
    }

    fn pages(&self, context: &Context) -> usize {
        context.data.course.levels.get(self.level).map_or(0, |level| pages(level).len())
    }

    fn ids(&self, context: &Context) -> Option<(String, String)> {
        let level = context.data.course.levels.get(self.level)?;
        Some((level.id.clone(), pages(level).get(self.page)?.id.value.clone()))
    }

    /// The predictions made on this page.
    pub fn predictions<'a>(&self, context: &Context<'a>) -> Option<&'a Predictions> {
        context.data.predictions.get(&self.ids(context)?)
    }

    /// The question that waits for an answer, for the first time or again.
    pub fn pending<'a>(&self, context: &Context<'a>) -> Option<&'a Predict> {
        let open = self.again || self.predictions(context).is_none();
        self.content(context)?.predict.as_ref().filter(|_| open)
    }

    /// The page's choices from the top, as indices into the file's list.
    pub fn order(&self, context: &Context) -> Vec<usize> {
        let predict = self.content(context).and_then(|page| page.predict.as_ref());
        let (Some(predict), Some((level, page))) = (predict, self.ids(context)) else { return Vec::new() };
        shown_order(predict, context.data.student, &level, &page)
    }

    /// Holds of the code back what might tell what is asked.
    pub fn hold_back(&mut self, context: &Context) {
        let pending = self.pending(context).is_some();
        if let Some(code) = self.code.as_mut().filter(|code| code.held_back != pending) {
            (code.held_back, self.picture_scroll) = (pending, None);
            if pending {
                code.side = tutor_pictures::code_pane::Side::Source;
            }
        }
    }

    fn hidden_answers(&self, context: &Context) -> bool {
        self.content(context).is_some_and(|page| self.revealed < page.recall.len())
    }

    /// Whether there is a picture or code, to be seen now or later.
    pub fn has_picture(&self) -> bool {
        self.code.is_some() || self.instrument.is_some()
    }

    /// Whether the picture may be seen: code always, an instrument once the prediction is settled.
    pub fn shows_picture(&self, context: &Context) -> bool {
        self.code.is_some() || (self.instrument.is_some() && self.pending(context).is_none())
    }

    /// Whether the picture has the whole screen.
    pub fn zoomed(&self) -> bool {
        self.zoom && self.focus == Focus::Picture
    }

    /// A click on the instrument, which gets the keys.
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

    /// Gives the keys back to the text.
    pub fn leave_picture(&mut self) {
        (self.focus, self.zoom) = (Focus::Text, false);
    }

    fn use_picture(&mut self, context: &Context) -> Vec<Effect> {
        if !self.shows_picture(context) {
            return Vec::new();
        }
        self.focus = Focus::Picture;
        // Of the text that now has less room, what was said last stays in sight, from the beginning of a block on.
        self.follow(context);
        self.scroll = layout::of(self, context).flow.block_of(self.scroll);
        self.instrument.as_mut().map_or_else(Vec::new, |it| into_effects(it.focus()))
    }

    fn next_page(&mut self, context: &Context) -> Vec<Effect> {
        if self.page + 1 < self.pages(context) {
            return self.turn_to(self.page + 1, context);
        }
        vec![self.leave_level(context)]
    }

    /// From the last page to what comes next: the gate, the next level, or back to the map.
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

    /// Scrolls down so far that what was just added to the text shows, its beginning first.
    pub fn follow(&mut self, context: &Context) {
        let layout = layout::of(self, context);
        let (start, end) = layout.flow.added;
        let rows = usize::from(layout.text.height);
        let lowest = end.saturating_sub(rows).min(start);
        let wanted =
            if end <= rows { 0 } else { (lowest..start).find(|row| layout.flow.begins_block(*row)).unwrap_or(start) };
        self.scroll = self.scroll.max(wanted).min(layout.max_scroll);
    }

    /// Scrolls no further than needed for the selected choice, and what Enter would do, to show.
    fn show_selected(&mut self, context: &Context) {
        let layout = layout::of(self, context);
        let (start, end) = layout.flow.selected;
        let rows = usize::from(layout.text.height);
        let lowest = end.saturating_sub(rows).min(start);
        self.scroll = self.scroll.clamp(lowest, start.max(lowest)).min(layout.max_scroll);
    }
}
