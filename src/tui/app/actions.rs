//! What works now: the screen's actions, and those that work everywhere.

use super::{Model, Screen};
use crate::tui::action::Action;
use crate::tui::instruments::Picture;
use crate::tui::screens::Context;
use crate::tui::screens::help::Sign;
use crate::tui::screens::workshop::{ExerciseScreen, Workshop};

impl Model {
    /// What a screen sees.
    pub fn context(&self) -> Context<'_> {
        Context { world: &self.world, look: self.look(), size: self.size }
    }

    /// What works now on the screen, whatever lies over it; most important first.
    pub fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.job.is_some() {
            actions.push(Action::CancelLaunch);
        }
        actions.extend(match self.screens.last() {
            Some(Screen::Map(map)) => map.actions(&self.world),
            Some(Screen::Lesson(lesson)) => lesson.actions(&self.context()),
            Some(Screen::Quiz(quiz)) => quiz.actions(&self.context()),
            Some(Screen::Outcome(outcome)) => outcome.actions(&self.context()),
            Some(Screen::Bench(bench)) => bench.actions(),
            Some(Screen::Workshop(workshop)) => workshop.actions(&self.world),
            Some(Screen::Exercise(exercise)) => exercise.actions(&self.context()),
            Some(Screen::Variants(variants)) => variants.actions(&self.context()),
            Some(Screen::Problem(problem)) => problem.actions(),
            None => Vec::new(),
        });
        actions.extend([
            Action::Help,
            Action::Search,
            Action::Palette,
            Action::Search,
            Action::Glossary,
            Action::NextTheme,
            Action::Redraw,
            Action::Suspend,
            Action::QuitNow,
        ]);
        if !self.world.problems.is_empty() {
            actions.push(Action::Problems);
        }
        if self.world.languages().len() > 1 {
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
        let picture = |it: &dyn Picture| it.signs();
        match self.screens.last() {
            Some(Screen::Map(map)) => map.signs(&self.context()),
            Some(Screen::Lesson(_)) => crate::tui::screens::lesson::signs(self),
            Some(Screen::Bench(bench)) => picture(&*bench.instrument),
            Some(Screen::Workshop(_)) => Workshop::signs(&self.context()),
            Some(Screen::Exercise(_)) => ExerciseScreen::signs(&self.context()),
            _ => Vec::new(),
        }
    }
}
