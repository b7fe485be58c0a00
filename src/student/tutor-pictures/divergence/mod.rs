/*! Divergence: the lanes of a warp that take each side of a branch, and the instructions that the warp issues.

Up and down select the condition or the length of a side, left and right change it. `x` opens an editor for the
condition. The emulator runs and counts each branch ([`model`]).
*/

mod draw;
mod model;

use super::control::Panel;
use crate::prelude::*;
use model::{Branch, Control};
use tutor_course::DivergenceView as View;
use ui_kit::field::Field;
use ui_kit::keys::{KeyCode, KeyEvent};

/// A warp at a branch.
#[derive(Debug)]
pub(crate) struct Divergence {
    panel: Panel<Branch>,
}

impl Divergence {
    pub(crate) fn new(view: &View) -> Self {
        Self { panel: Panel::new(Branch::new(view)) }
    }
}

impl Picture for Divergence {
    fn name(&self) -> String {
        self.panel.name()
    }

    fn actions(&self) -> Vec<Action> {
        if self.editing() {
            return self.panel.dials.taken.is_ok().then_some(Action::TakeExpression).into_iter().collect();
        }
        let mut actions = self.panel.actions();
        actions.push(Action::Expression);
        actions
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::TakeExpression => self.panel.dials.edit = None,
            Action::Expression => {
                let condition = self.panel.dials.condition().to_owned();
                self.panel.chosen = Control::Condition;
                self.panel.dials.edit = Some((Field::replacing(condition.clone()), condition));
            }
            action => drop(self.panel.act(action)),
        }
        Vec::new()
    }

    fn editing(&self) -> bool {
        self.panel.dials.edit.is_some()
    }

    /// Handles a key for the condition, which the picture follows. Enter accepts a valid condition, Esc restores the
    /// old one.
    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let branch = &mut self.panel.dials;
        let Some((text, before)) = &mut branch.edit else { return Vec::new() };
        match key.code {
            KeyCode::Enter if branch.taken.is_ok() => branch.edit = None,
            KeyCode::Enter => {}
            KeyCode::Esc => {
                let before = std::mem::take(before);
                branch.edit = None;
                branch.set_condition(&before);
            }
            _ => {
                text.key(key);
                let text = text.text().to_owned();
                if text != branch.condition() {
                    branch.set_condition(&text);
                }
            }
        }
        Vec::new()
    }

    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        if self.editing() { Vec::new() } else { self.panel.click(at, area) }
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        self.panel.render(frame, area, look);
    }

    fn min_height(&self, width: u16) -> u16 {
        self.panel.min_height(width)
    }

    fn describe(&self) -> Vec<String> {
        self.panel.describe()
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        self.panel.signs()
    }
}

#[cfg(test)]
mod tests {
    use super::super::checks::press;
    use super::*;

    /// The first character replaces the shown condition.
    fn typed(it: &mut Divergence, text: &str) {
        if !it.editing() {
            it.act(Action::Expression);
        }
        press(it, text);
    }

    #[test]
    fn a_typed_condition_is_accepted_only_if_it_is_valid() {
        let mut it = Divergence::new(&View { condition: "lane % 2".to_owned().into(), then: 8, otherwise: 8 });
        typed(&mut it, "lane / 8 %⏎");
        assert!(it.editing());
        typed(&mut it, "⌫⌫⏎");
        assert!(!it.editing() && it.panel.dials.lanes() == [0xffff_ff00, 0xff]);
        typed(&mut it, "nobody␛");
        assert!(!it.editing() && it.panel.dials.condition() == "lane / 8");
    }
}
