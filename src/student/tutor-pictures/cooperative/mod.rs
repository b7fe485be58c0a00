/*! The cooperative load: which thread loads which element, and which threads use it.

The arrows choose a thread of the block. The two tiles show the element that it loads, the elements that it multiplies,
and the threads of its warp. Below are the index formulas with this thread's numbers, and the sectors of the warp's
loads.
*/

mod draw;
mod model;

pub(super) use model::Cooperative;

use crate::prelude::*;

impl Picture for Cooperative {
    fn name(&self) -> String {
        t!("pictures-name-cooperative-load")
    }

    fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.tile > 1 {
            actions.extend([Action::Left, Action::Down, Action::Up, Action::Right]);
        }
        actions.extend((self.t > 0).then_some(Action::PreviousTile));
        actions.extend((self.t + 1 < self.steps()).then_some(Action::NextTile));
        actions
    }

    /// Applies an action. Moves wrap around at the edges.
    fn perform(&mut self, action: Action) -> Vec<Effect> {
        let (tx, ty, t, tile) = (self.tx, self.ty, self.t, self.tile);
        match action {
            Action::Left => self.choose((tx + tile - 1) % tile, ty),
            Action::Right => self.choose((tx + 1) % tile, ty),
            Action::Up => self.choose(tx, (ty + tile - 1) % tile),
            Action::Down => self.choose(tx, (ty + 1) % tile),
            Action::PreviousTile => self.set_step(t - 1),
            Action::NextTile => self.set_step(t + 1),
            _ => {}
        }
        Vec::new()
    }

    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        if let Some((tx, ty)) = draw::hit(self, at, area) {
            self.choose(tx, ty);
        }
        Vec::new()
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(self, frame, area, look);
    }

    fn min_height(&self, width: u16) -> u16 {
        draw::height(self, width)
    }

    fn describe(&self) -> Vec<String> {
        let what = t!("cooperative-what", bx = self.block[0], by = self.block[1], t = self.t);
        let mut sentences = vec![what, t!("cooperative-thread", tx = self.tx, ty = self.ty)];
        sentences.extend(ui_kit::sheet::describe(|sheet| draw::write(self, 0, sheet)));
        sentences
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("●", t!("cooperative-sign-loads")),
            ("▪", t!("cooperative-sign-reads")),
            ("∘", t!("cooperative-sign-warp")),
            ("·", t!("cooperative-sign-other")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::checks::screen;
    use super::*;

    #[test]
    fn the_chosen_threads_element_stays_visible_if_the_tile_does_not_fit() {
        let mut load = Cooperative::new(16);
        (0..10).for_each(|_| drop(load.act(Action::Down)));
        assert_eq!(load.ty, 15);
        let drawing = screen(&load, (60, 12));
        assert!(drawing.contains(&t!("cooperative-thread", tx = 3, ty = 15)) && drawing.contains('●'), "{drawing}");
    }
}
