//! The actions on a page, and the methods of its screen.

use super::super::help::Sign;
use super::super::letters;
use super::layout::Layout;
use super::text::flow;
use super::{Focus, Lesson, layout};
use crate::effect::into_effects;
use crate::plain::{heading, unstyled};
use crate::prelude::*;
use tutor_pictures::Picture;
use tutor_progress::{AttemptKind, Predictions};
use ui_kit::action::Key;
use ui_kit::code::HighlightRequest;
use ui_kit::keys::KeyCode;

impl Lesson {
    fn picture_actions(&self, layout: &Layout) -> Vec<Action> {
        // The way out comes first, because the key bar may be too short for all keys of a picture.
        let mut actions = vec![Action::Back];
        match &self.instrument {
            Some(instrument) => actions.extend(instrument.actions()),
            None => {
                actions.extend((layout.picture_scroll < layout.max_picture_scroll).then_some(Action::Down));
                actions.extend((layout.picture_scroll > 0).then_some(Action::Up));
                actions.extend(self.code.as_ref().filter(|code| !code.held_back).map(|_| Action::Ptx));
            }
        }
        actions.extend([Action::NextPage, Action::Zoom]);
        actions.extend((self.page > 0).then_some(Action::PreviousPage));
        actions
    }

    fn text_actions(&self, layout: &Layout, context: &Context) -> Vec<Action> {
        if let Some(actions) = self.why_actions(context) {
            return actions;
        }
        let mut actions = Vec::new();
        let back = self.page > 0;
        let (pending, page) = (self.pending(context), self.content(context));
        let hidden = self.hidden_answers(context);
        let asked = page.is_some_and(|page| page.predict.is_some());
        let recalls = page.is_some_and(|page| !page.recall.is_empty());
        if let Some(predict) = pending {
            actions.extend(self.selected.map(|_| Action::Answer));
            actions.extend(letters(predict.choices.len()));
            actions.push(Action::Skip);
        } else {
            actions.extend(hidden.then_some(Action::Reveal));
            actions.extend(self.can_write(context).then_some(Action::Write));
        }
        let shows = self.shows_picture(context);
        actions.extend(page.filter(|page| context.data.can_build(page)).map(|_| Action::Build));
        actions.push(Action::NextPage);
        actions.extend(self.more(context).map(|_| Action::More));
        if shows && (self.instrument.is_some() || layout.max_picture_scroll > 0) {
            actions.push(Action::Use);
        }
        actions.push(Action::Back);
        actions.extend(back.then_some(Action::PreviousPage));
        actions.extend((asked && pending.is_none()).then_some(Action::PredictAgain));
        if shows {
            actions.extend(self.code.as_ref().filter(|code| !code.held_back).map(|_| Action::Ptx));
            actions.push(Action::Zoom);
        }
        actions.push(Action::Pages);
        // While letters select choices, no letter may be a command.
        if pending.is_none() {
            if context.data.progress_of(self.level).is_none_or(|progress| progress.gated) {
                actions.push(Action::Gate);
                actions.extend(context.data.course.exam.is_empty().then_some(Action::Practice));
            }
            actions.extend(self.editable(context).map(|_| Action::Edit));
            actions.extend((layout.scroll < layout.max_scroll).then_some(Action::Down));
            actions.extend((layout.scroll > 0).then_some(Action::Up));
            // Alternative keys for the actions above.
            actions.push(Action::PageForward);
            let why = page.is_some_and(|page| page.why.is_some());
            actions.extend((!asked && !recalls && !why && self.instrument.is_none()).then_some(Action::TurnPage));
            let free = !hidden && !self.can_write(context);
            actions.extend((free && self.instrument.is_some()).then_some(Action::UsePicture));
            actions.extend(back.then_some(Action::PageBackward));
        } else {
            actions.extend([Action::Up, Action::Down]);
        }
        actions
    }

    fn screenful(&self, context: &Context) -> isize {
        let layout = layout::of(self, context);
        let place = if layout.scrolls_picture(self) { layout.picture } else { layout.text };
        (place.height as isize - 2).max(1)
    }
}

impl Component for Lesson {
    fn actions(&self, context: &Context) -> Vec<Action> {
        let layout = layout::of(self, context);
        let mut actions = match self.focus {
            Focus::Picture => self.picture_actions(&layout),
            Focus::Text => self.text_actions(&layout, context),
        };
        let (at, most) = layout.scrolled(self);
        actions.extend((at < most).then_some(Action::PageDown));
        actions.extend((at > 0).then_some(Action::PageUp));
        actions.extend((at < most).then_some(Action::Last));
        actions.extend((at > 0).then_some(Action::First));
        actions
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let in_picture = self.instrument.as_ref().is_some_and(|it| it.actions().contains(&action));
        if self.focus == Focus::Picture && in_picture {
            self.done.used = true;
            if let (Action::OpenExercise, Some(tutor_course::Show::Exercise(id))) =
                (action, self.content(context).and_then(|page| page.show.as_ref()))
            {
                return vec![Effect::Go(Go::Exercise(id.value.clone()))];
            }
            let width = layout::of(self, context).picture.width;
            let Some(instrument) = self.instrument.as_mut() else { return Vec::new() };
            let before = instrument.min_height(width);
            let effects = into_effects(instrument.act(action));
            // The reasons are added at the end, which may be hidden.
            if action == Action::Why && instrument.min_height(width) > before {
                self.picture_scroll = Some(before.saturating_sub(1).into());
            }
            return effects;
        }
        if self.focus == Focus::Text
            && let Some(effects) = self.why_act(action, context)
        {
            return effects;
        }
        let choosing = self.focus == Focus::Text && self.pending(context).is_some();
        let sure = std::mem::take(&mut self.skipping) || self.again;
        match action {
            Action::Skip if !sure => {
                self.skipping = true;
                return vec![Effect::Say(t!("lesson-skip-sure"))];
            }
            Action::Choose(n) => return self.select_row(n.into(), context),
            Action::Up | Action::Down if choosing => return self.select_next(action == Action::Down, context),
            Action::Answer => return self.give(context),
            Action::Skip => return self.skip(context),
            Action::PredictAgain => return self.try_again(context),
            Action::Reveal => {
                self.revealed += 1;
                self.follow(context);
            }
            Action::NextPage | Action::PageForward | Action::TurnPage => return self.next_page(context),
            Action::PreviousPage | Action::PageBackward => return self.previous_page(context),
            Action::More => return self.turn_to(self.page + 1, context),
            Action::UsePicture if self.awaits_launch(context) => {
                let mut effects = self.use_picture(context);
                effects.extend(self.act(Action::Launch, context));
                return effects;
            }
            Action::Use | Action::UsePicture => return self.use_picture(context),
            Action::Back if self.focus == Focus::Picture => self.leave_picture(),
            Action::Back => return vec![Effect::Go(Go::Back)],
            Action::Zoom if self.focus == Focus::Text => {
                let effects = self.use_picture(context);
                self.zoom = self.focus == Focus::Picture;
                return effects;
            }
            Action::Zoom => self.zoom = !self.zoom,
            Action::Ptx => {
                if let Some(code) = &mut self.code {
                    code.next_side();
                    self.picture_scroll = None;
                }
            }
            Action::Pages => return vec![Effect::Go(Go::Pages { level: self.level })],
            Action::Gate => return vec![Effect::Go(Go::Gate { level: self.level })],
            Action::Practice => {
                return vec![Effect::Go(Go::Quiz { level: self.level, kind: AttemptKind::Practice })];
            }
            Action::Edit => return self.editable(context).into_iter().collect(),
            Action::Build => return vec![Effect::Build],
            Action::Up => return self.scroll_by(-1, context),
            Action::Down => return self.scroll_by(1, context),
            Action::PageUp => return self.scroll_by(-self.screenful(context), context),
            Action::PageDown => return self.scroll_by(self.screenful(context), context),
            Action::First => return self.scroll_by(isize::MIN / 2, context),
            Action::Last => return self.scroll_by(isize::MAX / 2, context),
            _ => {}
        }
        Vec::new()
    }

    fn silent(&self, key: Key, context: &Context) -> Option<String> {
        let closed = self.instrument.is_some() && !self.shows_picture(context);
        let asks = self.focus == Focus::Text && self.pending(context).is_some();
        match key {
            Key::Code(KeyCode::Tab) if closed => Some(t!("lesson-picture-later")),
            Key::Code(KeyCode::Left | KeyCode::Right | KeyCode::Enter) | Key::Char(' ') if asks => {
                Some(t!("lesson-question-open"))
            }
            _ => None,
        }
    }

    fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        super::render::render(self, frame, context, hits);
    }

    fn text_lines(&self, width: u16, context: &Context) -> Vec<String> {
        let (Some(level), Some(page)) = (context.data.course.levels.get(self.level), self.content(context)) else {
            return Vec::new();
        };
        let (number, title) = (page_number(level, self.page), &page.title);
        let place = if page.optional {
            t!("plain-more", level = self.level + 1, page = number, title)
        } else {
            t!("plain-page", level = self.level + 1, page = number, of = page_count(level), title)
        };
        let mut lines = heading(&place);
        lines.extend(unstyled(flow(self, context, width).lines.iter().cloned()));
        if let Some(code) = &self.code {
            lines.push(format!("-- {}", code.title(&context.data.catalog)));
            let rows = code.rows(&context.data.catalog, width, &context.look);
            let region = rows.region.clone().unwrap_or(0..rows.lines.len());
            lines.extend(unstyled(rows.lines.get(region).unwrap_or_default().iter().cloned()));
        }
        if let Some(picture) = &self.instrument
            && self.shows_picture(context)
        {
            lines.push(format!("-- {}", t!("plain-picture", name = picture.name())));
            if self.focus == Focus::Picture {
                lines.extend(picture.describe());
            } else {
                lines.push(t!("plain-use-picture"));
            }
        }
        lines
    }

    fn location(&self) -> String {
        format!("{} {}", self.level, self.page)
    }

    fn signs(&self, context: &Context) -> Vec<Sign> {
        super::signs::of_page(self, context)
    }

    fn editing(&self) -> bool {
        self.writing() || self.focus == Focus::Picture && self.instrument.as_ref().is_some_and(|it| it.editing())
    }

    fn key(&mut self, key: KeyEvent, context: &Context) -> Option<Vec<Effect>> {
        if self.writing() {
            return self.write_key(key, context);
        }
        self.done.used = true;
        Some(self.instrument.as_mut().map_or_else(Vec::new, |it| into_effects(it.key(key))))
    }

    fn paste(&mut self, text: &str, context: &Context) -> Option<Vec<Effect>> {
        self.writing().then(|| self.write_text(text, context))
    }

    fn click(&mut self, hit: Hit, at: Position, context: &Context) -> Vec<Effect> {
        match hit {
            Hit::Choice(choice) => return self.act(Action::Choose(choice as u8), context),
            Hit::Picture => return self.click_instrument(at, context),
            Hit::Text => self.leave_picture(),
            Hit::Row(page) => return self.turn_to(page, context),
            Hit::Action(_) => {}
        }
        Vec::new()
    }

    fn scroll_by(&mut self, rows: isize, context: &Context) -> Vec<Effect> {
        let layout = layout::of(self, context);
        if layout.scrolls_picture(self) {
            let to = layout.picture_scroll.saturating_add_signed(rows).min(layout.max_picture_scroll);
            self.picture_scroll = Some(to);
        } else {
            self.scroll = layout.scroll.saturating_add_signed(rows).min(layout.max_scroll);
        }
        Vec::new()
    }

    fn picture(&mut self) -> Option<&mut dyn Picture> {
        self.instrument.as_deref_mut().map(|it| it as &mut dyn Picture)
    }

    fn animating(&self) -> bool {
        self.instrument.as_ref().is_some_and(|picture| picture.animating())
    }

    fn wants(&self, context: &Context) -> Vec<HighlightRequest> {
        match (&self.code, &self.instrument) {
            (Some(code), _) => code.wants(&context.data.catalog),
            (None, picture) => picture.as_ref().map_or_else(Vec::new, |picture| picture.wants()),
        }
    }

    fn reword(&mut self, data: &AppData) {
        self.rename(data);
    }

    fn note_done(&mut self, context: &Context) -> Vec<Effect> {
        let Some(page) = self.content(context) else { return Vec::new() };
        if !self.done.explained && self.instrument.as_ref().is_some_and(|it| it.has_results()) {
            self.done.explained = true;
            let layout = layout::of(self, context);
            self.scroll = self.scroll.max(layout.flow.after).min(layout.max_scroll);
        }
        if self.awaits_launch(context)
            || self.done.noted
            || self.pending(context).is_some()
            || self.hidden_answers(context)
            || self.why_open(context)
        {
            return Vec::new();
        }
        let layout = layout::of(self, context);
        self.done.ended = self.done.ended || layout.shows_end() || self.explains_elsewhere(&layout);
        let worked = match &page.predict {
            Some(_) => self.predictions(context).is_some_and(Predictions::answered),
            None if !page.recall.is_empty() || page.why.is_some() => true,
            None => self.done.ended && (self.instrument.is_none() || self.done.used),
        };
        if !worked {
            return Vec::new();
        }
        self.done.noted = true;
        let ids = self.ids(context);
        ids.map(|(level, page)| Effect::Store(StoreRequest::PageRead { level, page })).into_iter().collect()
    }
}
