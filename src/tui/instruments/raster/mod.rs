/*! The raster map: which tiles of C are computed at the same time, and which strips of A and B their blocks share.

Up and down choose a number, left and right change it: rows of tiles in a group, the tiles of C, and which blocks run.
It counts bytes; what they cost in time is not in it.
*/

mod draw;
mod model;

use super::control::{Panel, cell};
use super::{Picture, Setting};
use crate::course::RasterView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::{Field, Order};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// The order of blocks over C.
#[derive(Debug)]
pub struct Raster {
    panel: Panel<Order>,
}

impl Raster {
    /// The page's order, at its first blocks.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { panel: Panel::new(Order::new(view), Field::Group) }
    }
}

impl Picture for Raster {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        self.panel.actions()
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        self.panel.act(action);
        Vec::new()
    }

    /// A click chooses a number; on its arrows, it changes it.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        self.panel.click(cell(at, area).and_then(|at| draw::hit(self, at, area.width)));
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

    /// The order, the strips, and the bytes.
    fn describe(&self) -> Vec<String> {
        draw::sentences(&self.panel.dials)
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("█", t!("raster-sign-all")), ("▒", t!("raster-sign-part")), ("░", t!("raster-sign-none"))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;

    fn raster(group: u32, rows: u32, columns: u32) -> Raster {
        Raster::new(&View { group, rows, columns, blocks: 132, tile: [128, 256] }, setting())
    }

    #[test]
    fn tiles_and_strips_are_drawn_in_every_room() {
        insta::assert_snapshot!("raster", kept(&raster(1, 32, 16)));
        insta::assert_snapshot!("raster-wide", kept(&raster(8, 256, 132)));
        at_every_size(&raster(1, 1, 1));
        at_every_size(&raster(0, 0, 1_000_000));
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| raster(1, 32, 16));
        keeps_its_word(|| raster(4, 256, 132));
        keeps_its_word(|| {
            let mut it = raster(8, 256, 256);
            [Action::PreviousField, Action::Increase].into_iter().for_each(|action| drop(it.act(action)));
            it
        });
    }

    #[test]
    fn groups_help_where_rows_are_long_and_not_at_4096() {
        let says = |it: &Raster, words: &str| assert!(flowing(it, (76, 24)).contains(words), "{}", screen(it, (76, 24)));
        says(&raster(1, 32, 16), "9 + 16 strips");
        says(&raster(16, 32, 16), "16 + 9 strips");
        says(&raster(1, 256, 132), "1 + 132 strips");
        says(&raster(8, 256, 132), "8 + 17 strips");
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        needs_no_more_than_it_says(&raster(1, 32, 16), &["rows in a group", "first block", "different"]);
    }

    #[test]
    fn a_click_chooses_a_number_and_its_arrows_change_it() {
        let mut it = raster(1, 32, 16);
        let area = Rect::new(1, 1, 76, 24);
        let hit = Some((Field::Group, Some(true)));
        let mut places = (1..25).flat_map(|y| (1..77).map(move |x| Position::new(x, y)));
        let at = places.find(|at| cell(*at, area).and_then(|at| draw::hit(&it, at, 76)) == hit).unwrap();
        it.click(at, area);
        assert_eq!(it.panel.dials.group, 2);
    }
}
