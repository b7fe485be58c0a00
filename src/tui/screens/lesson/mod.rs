/*! A page of a level.

```text
 2 Shared-memory tiling ▸ Does padding help here?          page 13/19  ▓▓▓▓▓▓░░░
 ─ predict ─────────────────────────────────────────────────────────────────────
 text, at most 72 wide: what to read, recall, the prediction, what follows from it
 ─ code: sgemm_tiled.cu, region “tile store” ───────────────────────────────────
   the thing to look at: code, or an instrument
 a–d answer   → next   ← previous   e edit   ? help
```

Text and picture share the screen. If both fit, both are whole. If not, the line between them moves: the
one that has the keys gets the rows it needs, the other keeps what is left, and the text stays at the
line that was read (see [`layout`]).
*/

pub mod layout;
mod render;
pub mod text;

pub use render::{render, tag_name as render_tag};

use super::Context;
use super::code_pane::CodePane;
use crate::course::{Page, Predict, Show};
use crate::exec::protocol::Reply;
use crate::mastery::{AttemptKind, Prediction};
use crate::tui::action::Action;
use crate::tui::effect::{Effect, Go, Keep};
use crate::tui::instruments::Instrument;
use crate::tui::world::pages;
use crossterm::event::KeyEvent;
use ratatui::layout::{Position, Rect};

/// What has the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    /// The text.
    Text,
    /// The picture.
    Picture,
}

/// A page being read.
#[derive(Debug)]
pub struct Lesson {
    /// Index of the level.
    pub level: usize,
    /// Index of the page.
    pub page: usize,
    /// What has the keys.
    pub focus: Focus,
    /// Whether the picture has the whole screen while it has the keys.
    pub zoom: bool,
    /// First line of the text that is shown.
    pub scroll: usize,
    /// The choice under the cursor.
    pub cursor: usize,
    /// Recall answers revealed.
    pub revealed: usize,
    /// The page's picture, unless it is code.
    pub instrument: Option<Instrument>,
    /// The page's code.
    pub code: Option<CodePane>,
    /// Whether the page was noted as read.
    pub noted: bool,
}

impl Lesson {
    /// Opens a page.
    pub fn open(level: usize, page: usize, context: &Context) -> (Self, Vec<Effect>) {
        let mut lesson = Self {
            level,
            page,
            focus: Focus::Text,
            zoom: false,
            scroll: 0,
            cursor: 0,
            revealed: 0,
            instrument: None,
            code: None,
            noted: false,
        };
        let effects = lesson.turn_to(page, context);
        (lesson, effects)
    }

    fn turn_to(&mut self, page: usize, context: &Context) -> Vec<Effect> {
        (self.page, self.focus, self.scroll, self.cursor, self.revealed) = (page, Focus::Text, 0, 0, 0);
        (self.zoom, self.noted, self.instrument, self.code) = (false, false, None, None);
        let Some((level, page)) = self.ids(context) else { return Vec::new() };
        if let Some(show) = self.content(context).and_then(|content| content.show.as_ref()) {
            let setting = context.world.setting();
            match show {
                Show::Code(view) => self.code = Some(CodePane::new(view)),
                other => self.instrument = Instrument::of(other, setting),
            }
        }
        vec![Effect::Keep(Keep::PageOpened { level, page })]
    }

    /// The page's content; none if the course was changed under it.
    pub fn content<'a>(&self, context: &Context<'a>) -> Option<&'a Page> {
        pages(context.world.course.levels.get(self.level)?).get(self.page)
    }

    fn pages(&self, context: &Context) -> usize {
        context.world.course.levels.get(self.level).map_or(0, |level| pages(level).len())
    }

    fn ids(&self, context: &Context) -> Option<(String, String)> {
        let level = context.world.course.levels.get(self.level)?;
        Some((level.id.clone(), pages(level).get(self.page)?.id.value.clone()))
    }

    /// The prediction made on this page.
    pub fn prediction<'a>(&self, context: &Context<'a>) -> Option<&'a Prediction> {
        context.world.predictions.get(&self.ids(context)?)
    }

    /// The prediction that is still to be made.
    pub fn pending<'a>(&self, context: &Context<'a>) -> Option<&'a Predict> {
        self.content(context)?.predict.as_ref().filter(|_| self.prediction(context).is_none())
    }

    fn hidden_answers(&self, context: &Context) -> bool {
        self.content(context).is_some_and(|page| self.revealed < page.recall.len())
    }

    /// Whether the picture may be seen: code always, an instrument once the prediction is settled.
    pub fn shows_picture(&self, context: &Context) -> bool {
        self.code.is_some() || (self.instrument.is_some() && self.pending(context).is_none())
    }

    /// Whether the picture has the whole screen.
    pub fn zoomed(&self) -> bool {
        self.zoom && self.focus == Focus::Picture
    }

    /// Whether a text field has the keys.
    pub fn editing(&self) -> bool {
        self.focus == Focus::Picture && self.instrument.as_ref().is_some_and(|it| it.editing())
    }

    /// What works now.
    pub fn actions(&self, context: &Context) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.focus == Focus::Picture {
            match &self.instrument {
                Some(instrument) => actions.extend(instrument.actions()),
                None => actions.extend([Action::Up, Action::Down, Action::Ptx]),
            }
            actions.extend([Action::Back, Action::NextPage, Action::Zoom]);
            actions.extend((self.page > 0).then_some(Action::PreviousPage));
            let layout = layout::of(self, context);
            if layout.overflows() || layout.code_scroll_most > 0 {
                actions.extend([Action::PageUp, Action::PageDown, Action::First, Action::Last]);
            }
        } else {
            if let Some(predict) = self.pending(context) {
                actions.extend((0..predict.choices.len().min(8)).map(|n| Action::Choose(n as u8)));
                actions.extend([Action::Answer, Action::Up, Action::Down, Action::Skip]);
            } else {
                if self.hidden_answers(context) {
                    actions.push(Action::Reveal);
                } else if self.instrument.is_some() {
                    actions.push(Action::Use);
                }
                actions.push(Action::NextPage);
            }
            actions.extend((self.page > 0).then_some(Action::PreviousPage));
            let layout = layout::of(self, context);
            if layout.overflows() {
                actions.extend([Action::PageUp, Action::PageDown]);
            }
            if self.code.is_some() {
                if layout.code_scroll_most > 0 {
                    actions.push(Action::Use);
                }
                actions.push(Action::Ptx);
            }
            actions.push(Action::Pages);
            if context.world.stands(self.level).is_none_or(|stands| stands.gated) {
                actions.extend([Action::Gate, Action::Practice]);
            }
            actions.push(Action::Search);
            if self.editable(context).is_some() {
                actions.push(Action::Edit);
            }
            actions.push(Action::Back);
            if layout.overflows() {
                actions.extend([Action::Up, Action::Down, Action::First, Action::Last]);
            }
        }
        actions
    }

    /// Does one of [`Self::actions`].
    pub fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        if self.focus == Focus::Picture
            && let Some(instrument) = self.instrument.as_mut()
            && instrument.actions().contains(&action)
        {
            return instrument.act(action);
        }
        match action {
            Action::Choose(n) => self.predict(Some(usize::from(n)), context),
            Action::Answer => self.predict(Some(self.cursor), context),
            Action::Skip => self.predict(None, context),
            Action::Reveal => {
                self.revealed += 1;
                self.follow(context);
                Vec::new()
            }
            Action::NextPage => self.next_page(context),
            Action::PreviousPage => self.turn_to(self.page.saturating_sub(1), context),
            Action::Use => self.use_picture(context),
            Action::Back if self.focus == Focus::Picture => {
                self.leave_picture();
                Vec::new()
            }
            Action::Back => vec![Effect::Go(Go::Back)],
            Action::Zoom => {
                self.zoom = !self.zoom;
                Vec::new()
            }
            Action::Ptx => {
                let layout = layout::of(self, context);
                if let Some(code) = &mut self.code {
                    let width = layout.picture.width;
                    code.toggle_ptx(&context.world.catalog, width, &context.look);
                }
                Vec::new()
            }
            Action::Pages => vec![Effect::Go(Go::Pages { level: self.level })],
            Action::Gate => vec![Effect::Go(Go::Gate { level: self.level })],
            Action::Practice => vec![Effect::Go(Go::Quiz { level: self.level, kind: AttemptKind::Practice })],
            Action::Edit => self.editable(context).into_iter().collect(),
            Action::Up if self.focus == Focus::Text && self.pending(context).is_some() => {
                self.cursor = self.cursor.saturating_sub(1);
                Vec::new()
            }
            Action::Down if self.focus == Focus::Text && self.pending(context).is_some() => {
                let last = self.pending(context).map_or(0, |predict| predict.choices.len().saturating_sub(1));
                self.cursor = (self.cursor + 1).min(last);
                Vec::new()
            }
            Action::Up => self.scroll_by(-1, context),
            Action::Down => self.scroll_by(1, context),
            Action::PageUp => self.scroll_by(-self.screenful(context), context),
            Action::PageDown => self.scroll_by(self.screenful(context), context),
            Action::First => self.scroll_by(isize::MIN / 2, context),
            Action::Last => self.scroll_by(isize::MAX / 2, context),
            _ => Vec::new(),
        }
    }

    /// A key for the instrument's text field.
    pub fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        self.instrument.as_mut().map_or_else(Vec::new, |instrument| instrument.key(key))
    }

    /// A click on the instrument, which gets the keys.
    pub fn click_instrument(&mut self, at: Position, area: Rect, context: &Context) -> Vec<Effect> {
        let mut effects = if self.focus == Focus::Text { self.use_picture(context) } else { Vec::new() };
        if let Some(instrument) = self.instrument.as_mut() {
            effects.extend(instrument.click(at, area));
        }
        effects
    }

    /// The worker said something; true if the page now looks different.
    pub fn reply(&mut self, reply: &Reply) -> bool {
        self.instrument.as_mut().is_some_and(|instrument| instrument.reply(reply))
    }

    /// Gives the keys back to the text.
    pub fn leave_picture(&mut self) {
        (self.focus, self.zoom) = (Focus::Text, false);
    }

    /// Notes the page as read once its end has been on the screen and nothing is held back.
    pub fn note_read(&mut self, context: &Context) -> Vec<Effect> {
        let held_back = self.pending(context).is_some() || self.hidden_answers(context);
        if self.noted || held_back || !layout::of(self, context).shows_end() {
            return Vec::new();
        }
        self.noted = true;
        self.read(context)
    }

    fn read(&self, context: &Context) -> Vec<Effect> {
        let ids = self.ids(context);
        ids.map(|(level, page)| Effect::Keep(Keep::PageRead { level, page })).into_iter().collect()
    }

    fn next_page(&mut self, context: &Context) -> Vec<Effect> {
        let mut effects = if self.noted { Vec::new() } else { self.read(context) };
        self.noted = true;
        if self.page + 1 < self.pages(context) {
            effects.extend(self.turn_to(self.page + 1, context));
        } else {
            effects.push(self.leave_level(context));
        }
        effects
    }

    /// From the last page to what comes next: the gate, the next level, or back to the map.
    fn leave_level(&self, context: &Context) -> Effect {
        let (world, next) = (context.world, self.level + 1);
        if world.stands(self.level).is_some_and(|stands| stands.gated && !stands.passed) {
            return Effect::Go(Go::Gate { level: self.level });
        }
        match world.course.levels.get(next) {
            Some(_) if world.locked_by(next).is_none() => {
                Effect::Go(Go::Page { level: next, page: world.next_page(next).unwrap_or(0) })
            }
            _ => Effect::Go(Go::Back),
        }
    }

    fn predict(&mut self, choice: Option<usize>, context: &Context) -> Vec<Effect> {
        let (Some(predict), Some((level, page))) = (self.pending(context), self.ids(context)) else {
            return Vec::new();
        };
        let correct = match choice.map(|choice| predict.choices.get(choice)) {
            None => None,
            Some(None) => return Vec::new(),
            Some(Some(choice)) => Some(choice.correct),
        };
        vec![Effect::Keep(Keep::Predicted { level, page, choice, correct })]
    }

    fn use_picture(&mut self, context: &Context) -> Vec<Effect> {
        if !self.shows_picture(context) {
            return Vec::new();
        }
        self.focus = Focus::Picture;
        // Of the text that now has less room, what was said last stays in sight.
        self.follow(context);
        self.instrument.as_mut().map_or_else(Vec::new, |it| it.focus())
    }

    fn editable(&self, context: &Context) -> Option<Effect> {
        if let Some(code) = &self.code
            && let Some(file) = context.world.kernel_paths.get(code.kernel())
        {
            return Some(Effect::Edit { file: file.clone(), line: code.first_line(&context.world.catalog) });
        }
        let level = context.world.course.levels.get(self.level)?;
        let line = self.content(context)?.id.line.max(1);
        Some(Effect::Edit { file: context.world.lesson_paths.get(&level.id)?.clone(), line })
    }

    fn screenful(&self, context: &Context) -> isize {
        let layout = layout::of(self, context);
        let rows = if self.focus == Focus::Picture && self.code.is_some() { layout.picture } else { layout.text };
        (rows.height as isize - 2).max(1)
    }

    /// Scrolls what has the keys: the code, or the text.
    pub fn scroll_by(&mut self, rows: isize, context: &Context) -> Vec<Effect> {
        let layout = layout::of(self, context);
        let moved = |from: usize, most: usize| from.saturating_add_signed(rows).min(most);
        match &mut self.code {
            Some(code) if self.focus == Focus::Picture => code.scroll = moved(code.scroll, layout.code_scroll_most),
            _ => self.scroll = moved(self.scroll.min(layout.scroll_most), layout.scroll_most),
        }
        Vec::new()
    }

    /// Scrolls down so far that what was just added to the text shows, its beginning first.
    pub fn follow(&mut self, context: &Context) {
        let layout = layout::of(self, context);
        let (start, end) = layout.added;
        let rows = usize::from(layout.text.height);
        let wanted = if end.saturating_sub(start) >= rows { start } else { end.saturating_sub(rows) };
        self.scroll = self.scroll.max(wanted).min(layout.scroll_most);
    }
}
