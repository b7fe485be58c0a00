//! What works now: the screen's actions, and those that work everywhere.

use super::Model;
use crate::screens::Context;
use crate::screens::help::Sign;
use tutor_pictures::action::Action;

/// What works on every screen.
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

impl Model {
    pub fn context(&self) -> Context<'_> {
        Context { data: &self.data, look: self.look(), size: self.size }
    }

    /// What works now on the screen, whatever lies over it; most important first.
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
        // The same action from two sources would be two hints.
        let mut seen = Vec::with_capacity(actions.len());
        for action in actions {
            if !seen.contains(&action) {
                seen.push(action);
            }
        }
        seen
    }

    /// The signs that the screen draws, and what they mean.
    pub fn signs(&self) -> Vec<Sign> {
        self.screen().map(|screen| screen.signs(&self.context())).unwrap_or_default()
    }
}
