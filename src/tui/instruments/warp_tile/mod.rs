/*! The warp tile: where each lane stands, and which lanes read the same words of A and B.

Left and right choose a lane, up and down the field: the lane, or how lanes stand, in rows or in squares. What a load
costs follows from who shares an address with whom ([`ptx_emulator::cost`]).
*/

mod draw;
mod model;

use super::control::{Panel, cell};
use super::{Picture, Setting};
use crate::course::WarpTileView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::{Field, Lanes};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// The lanes of a warp in its tile.
#[derive(Debug)]
pub struct WarpTile {
    panel: Panel<Lanes>,
}

impl WarpTile {
    /// The page's lanes.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { panel: Panel::new(Lanes::new(view), Field::Lane) }
    }
}

impl Picture for WarpTile {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        self.panel.actions()
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        self.panel.act(action);
        Vec::new()
    }

    /// A click chooses a lane or a field; on its arrows, it changes it.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        let Some(at) = cell(at, area) else { return Vec::new() };
        match draw::lane(self, at, area.width) {
            Some(lane) => self.panel.dials.lane = lane,
            None => self.panel.click(draw::hit(self, at, area.width)),
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

    /// The lanes row by row, who shares with the chosen one, and what the loads cost.
    fn describe(&self) -> Vec<String> {
        draw::sentences(&self.panel.dials)
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("0…31", t!("warp-tile-sign-lane")), ("a0, b0", t!("warp-tile-sign-piece"))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;
    use crate::course::LaneOrder;

    fn tile(order: LaneOrder, lane: u32) -> WarpTile {
        WarpTile::new(&View { order, lane }, setting())
    }

    #[test]
    fn lanes_are_drawn_in_every_room() {
        insta::assert_snapshot!("warp-tile", kept(&tile(LaneOrder::Squares, 13)));
        insta::assert_snapshot!("warp-tile-rows", kept(&tile(LaneOrder::Rows, 13)));
        at_every_size(&tile(LaneOrder::Rows, 99));
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| tile(LaneOrder::Rows, 0));
        keeps_its_word(|| {
            let mut it = tile(LaneOrder::Squares, 31);
            [Action::Increase, Action::NextField].into_iter().for_each(|action| drop(it.act(action)));
            it
        });
    }

    #[test]
    fn squares_put_those_who_share_side_by_side() {
        let mut it = tile(LaneOrder::Rows, 0);
        let drawing = flowing(&it, (76, 18));
        assert!(drawing.contains("B: 4 wavefronts") && drawing.contains("0, 8, 16, 24"), "{}", screen(&it, (76, 18)));
        [Action::NextField, Action::Increase].into_iter().for_each(|action| drop(it.act(action)));
        let drawing = flowing(&it, (76, 18));
        assert!(drawing.contains("B: 2 wavefronts") && drawing.contains("0, 2, 16, 18"), "{}", screen(&it, (76, 18)));
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        needs_no_more_than_it_says(&tile(LaneOrder::Rows, 31), &["lanes stand", "b7", "a3", "wavefronts"]);
    }

    #[test]
    fn a_click_chooses_a_lane_and_a_field() {
        let mut it = tile(LaneOrder::Squares, 0);
        let area = Rect::new(1, 1, 76, 18);
        let places = || (1..19).flat_map(|y| (1..77).map(move |x| Position::new(x, y)));
        let at = places().find(|at| cell(*at, area).and_then(|at| draw::lane(&it, at, 76)) == Some(13)).unwrap();
        it.click(at, area);
        assert_eq!(it.panel.dials.lane, 13);
        let hit = Some((Field::Order, None));
        let at = places().find(|at| cell(*at, area).and_then(|at| draw::hit(&it, at, 76)) == hit).unwrap();
        it.click(at, area);
        assert_eq!(it.panel.chosen, Field::Order);
    }
}
