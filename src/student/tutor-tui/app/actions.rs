//! The actions that work now: those of the screen, and those that work everywhere.

use crate::prelude::*;
use crate::screens::help::Sign;
use tutor_support::IN_A_PAGE;

/// The actions that work on every screen.
pub(crate) const EVERYWHERE: [Action; 8] = [
    Action::Help,
    Action::Search,
    Action::Palette,
    Action::Glossary,
    Action::NextTheme,
    Action::Redraw,
    Action::Suspend,
    Action::QuitNow,
];

/// False for an action that a page in a browser never has.
pub(crate) fn exists(action: Action) -> bool {
    use Action::{Build, Problems, QuitNow, Redraw, Suspend};
    !IN_A_PAGE || !matches!(action, Build | Problems | QuitNow | Redraw | Suspend)
}

impl Model {
    pub fn context(&self) -> Context<'_> {
        Context { data: &self.data, saving: &self.saving, look: self.look(), size: self.size, started: &self.started }
    }

    /// Returns the actions that work on the screen now, the most important first. Ignores overlays.
    pub fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.job.is_some() {
            actions.push(Action::CancelLaunch);
        }
        let context = self.context();
        actions.extend(self.screen().map(|screen| screen.actions(&context)).unwrap_or_default());
        actions.extend(EVERYWHERE);
        if !self.data.problems.is_empty() {
            actions.push(Action::Problems);
        }
        if self.data.languages().len() > 1 {
            actions.push(Action::NextLanguage);
        }
        // A page edits only the files of exercises.
        let edits = !IN_A_PAGE || matches!(self.screen(), Some(Screen::Exercise(_)));
        // An action from two sources must appear once in the key bar.
        let mut seen = Vec::with_capacity(actions.len());
        for action in actions.into_iter().filter(|action| exists(*action) && (edits || *action != Action::Edit)) {
            if !seen.contains(&action) {
                seen.push(action);
            }
        }
        seen
    }

    /// Returns the signs that the screen draws, with their meanings.
    pub fn signs(&self) -> Vec<Sign> {
        self.screen().map(|screen| screen.signs(&self.context())).unwrap_or_default()
    }
}
