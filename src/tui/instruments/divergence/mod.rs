/*! Divergence: a warp meets a branch. Which lanes take which side, and how many instructions the warp issues.

Up and down choose the condition or the length of a side, left and right change it; `x` takes a condition of one's own.
Each is run and counted by the emulator ([`model`]).
*/

mod draw;
mod model;

use super::control::{Panel, cell};
use super::{Picture, Setting};
use crate::course::DivergenceView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::field::Field as Text;
use crate::tui::look::Look;
use crossterm::event::{KeyCode, KeyEvent};
use model::{Branch, Field};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// A warp at a branch.
#[derive(Debug)]
pub struct Divergence {
    panel: Panel<Branch>,
    /// What is typed, and what stood there before.
    edit: Option<(Text, String)>,
}

impl Divergence {
    /// The page's branch.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { panel: Panel::new(Branch::new(view), Field::Condition), edit: None }
    }
}

impl Picture for Divergence {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        if self.edit.is_some() {
            return self.panel.dials.taken.is_ok().then_some(Action::TakeExpression).into_iter().collect();
        }
        let mut actions = self.panel.actions();
        actions.push(Action::Expression);
        actions
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        if !self.actions().contains(&action) {
            return Vec::new();
        }
        match action {
            Action::TakeExpression => self.edit = None,
            Action::Expression => {
                let condition = self.panel.dials.condition().to_owned();
                self.panel.chosen = Field::Condition;
                self.edit = Some((Text::new(condition.clone()), condition));
            }
            action => self.panel.act(action),
        }
        Vec::new()
    }

    /// Whether a condition is being typed.
    fn editing(&self) -> bool {
        self.edit.is_some()
    }

    /// A key for the condition: the picture follows each. Enter takes it if it is one, Esc brings back the one before.
    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let Some((text, before)) = &mut self.edit else { return Vec::new() };
        match key.code {
            KeyCode::Enter if self.panel.dials.taken.is_ok() => self.edit = None,
            KeyCode::Enter => {}
            KeyCode::Esc => {
                self.panel.dials.set_condition(before);
                self.edit = None;
            }
            _ => {
                text.key(key);
                if text.text() != self.panel.dials.condition() {
                    self.panel.dials.set_condition(text.text());
                }
            }
        }
        Vec::new()
    }

    /// A click chooses a field; on its arrows, it changes it.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        if self.edit.is_none() {
            self.panel.click(cell(at, area).and_then(|at| draw::hit(self, at, area.width)));
        }
        Vec::new()
    }

    /// Draws it.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(self, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, width: u16) -> u16 {
        draw::height(self, width)
    }

    /// The branch, its lanes, and what is issued.
    fn describe(&self) -> Vec<String> {
        draw::sentences(&self.panel.dials)
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("█", t!("divergence-sign-takes-part")), ("·", t!("divergence-sign-sits-out"))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;
    use crossterm::event::KeyModifiers;

    fn branch(condition: &str, then: u32, otherwise: u32) -> Divergence {
        Divergence::new(&View { condition: condition.to_owned().into(), then, otherwise }, setting())
    }

    fn typed(it: &mut Divergence, text: &str) {
        it.act(Action::Expression);
        while !it.edit.as_ref().unwrap().0.text().is_empty() {
            it.key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE));
        }
        text.chars().for_each(|c| drop(it.key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE))));
    }

    #[test]
    fn lanes_and_sides_are_drawn_in_every_room() {
        insta::assert_snapshot!("divergence", kept(&branch("lane % 2", 8, 8)));
        let mut it = branch("1", 8, 0);
        typed(&mut it, "lane %");
        insta::assert_snapshot!("divergence-typed", kept(&it));
        at_every_size(&it);
        at_every_size(&branch("", 0, u32::MAX));
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| branch("lane % 2", 8, 8));
        keeps_its_word(|| branch("lane % 3", 0, 64));
        keeps_its_word(|| {
            let mut it = branch("lane", 8, 8);
            typed(&mut it, "lane / 8");
            it
        });
    }

    #[test]
    fn a_condition_of_ones_own_is_taken_only_if_it_is_one() {
        let mut it = branch("lane % 2", 8, 8);
        typed(&mut it, "lane / 8 %");
        it.key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE));
        assert!(it.editing());
        typed(&mut it, "lane / 8");
        it.key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE));
        assert!(!it.editing() && it.panel.dials.lanes() == [0xffff_ff00, 0xff]);
        typed(&mut it, "nobody");
        it.key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
        assert!(!it.editing() && it.panel.dials.condition() == "lane / 8");
    }

    #[test]
    fn both_sides_are_issued_where_lanes_part() {
        let says = |it: &Divergence, words: &str| assert!(flowing(it, (76, 18)).contains(words), "{}", screen(it, (76, 18)));
        says(&branch("lane % 2", 8, 8), "Both sides are issued");
        says(&branch("1", 8, 8), "All lanes go one way");
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        needs_no_more_than_it_says(&branch("lane % 2", 8, 8), &["condition", "else", "one after the other"]);
    }

    #[test]
    fn a_click_chooses_a_field_and_its_arrows_change_it() {
        let mut it = branch("lane % 2", 8, 8);
        let area = Rect::new(1, 1, 76, 18);
        let place = |it: &Divergence, hit| {
            let mut places = (1..19).flat_map(|y| (1..77).map(move |x| Position::new(x, y)));
            places.find(|at| cell(*at, area).and_then(|at| draw::hit(it, at, 76)) == Some(hit)).unwrap()
        };
        it.click(place(&it, (Field::Else, None)), area);
        it.click(place(&it, (Field::Else, Some(false))), area);
        assert_eq!(it.panel.dials.steps, [8, 4]);
    }
}
