//! What works on a page now, and what it does.

use super::super::Context;
use super::layout::Layout;
use super::{Focus, Lesson, layout};
use crate::mastery::AttemptKind;
use crate::tui::action::Action;
use crate::tui::effect::{Effect, Go};

impl Lesson {
    /// What works now, most important first.
    pub fn actions(&self, context: &Context) -> Vec<Action> {
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

    fn picture_actions(&self, layout: &Layout) -> Vec<Action> {
        // The way out first: a picture may have more keys than the bar has places.
        let mut actions = vec![Action::Back];
        match &self.instrument {
            Some(instrument) => actions.extend(instrument.actions()),
            None => {
                actions.extend((layout.picture_scroll < layout.picture_scroll_most).then_some(Action::Down));
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
            actions.extend((0..predict.choices.len().min(8)).map(|n| Action::Choose(n as u8)));
            actions.push(Action::Skip);
        } else {
            actions.extend(hidden.then_some(Action::Reveal));
            actions.extend(self.can_write(context).then_some(Action::Write));
        }
        let shows = self.shows_picture(context);
        actions.extend(page.filter(|page| context.world.can_build(page)).map(|_| Action::Build));
        actions.push(Action::NextPage);
        if shows && (self.instrument.is_some() || layout.picture_scroll_most > 0) {
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
        // While letters answer, none of them may be a command.
        if pending.is_none() {
            if context.world.stands(self.level).is_none_or(|stands| stands.gated) {
                actions.extend([Action::Gate, Action::Practice]);
            }
            actions.extend(self.editable(context).map(|_| Action::Edit));
            actions.extend((layout.scroll < layout.scroll_most).then_some(Action::Down));
            actions.extend((layout.scroll > 0).then_some(Action::Up));
            // More keys for what has one already.
            actions.push(Action::PageForward);
            let why = page.is_some_and(|page| page.why.is_some());
            actions.extend((!asked && !recalls && !why && self.instrument.is_none()).then_some(Action::TurnPage));
            actions.extend((!hidden && self.instrument.is_some()).then_some(Action::UsePicture));
            actions.extend(back.then_some(Action::PageBackward));
        } else {
            actions.extend([Action::Up, Action::Down]);
        }
        actions
    }

    /// Does one of [`Self::actions`].
    pub fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        if self.focus == Focus::Picture
            && let Some(instrument) = self.instrument.as_mut()
            && instrument.actions().contains(&action)
        {
            self.done.used = true;
            return instrument.act(action);
        }
        if self.focus == Focus::Text
            && let Some(effects) = self.why_act(action, context)
        {
            return effects;
        }
        let choosing = self.focus == Focus::Text && self.pending(context).is_some();
        match action {
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
            Action::PreviousPage | Action::PageBackward => {
                return self.turn_to(self.page.saturating_sub(1), context);
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

    fn screenful(&self, context: &Context) -> isize {
        let layout = layout::of(self, context);
        let place = if layout.scrolls_picture(self) { layout.picture } else { layout.text };
        (place.height as isize - 2).max(1)
    }
}
