/*! The register tile: a thread's TM×TN sums, filled by one outer product for each k.

Up and down choose a number, left and right change it: the terms so far, the tile's edges, how many numbers a load
brings, and the sum whose two operands are marked. What is read, and how many loads that takes, follows at once.
*/

mod draw;
mod model;

use super::control::{Dials, Panel};
use super::pace::Pace;
use super::{Picture, Setting};
use crate::course::RegisterTileView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::{Field, Tile};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

/// Time that each k stays while it plays.
const STEP: Duration = Duration::from_millis(600);

/// The outer product of a thread, k by k.
#[derive(Debug)]
pub struct RegisterTile {
    panel: Panel<Tile>,
    pace: Pace,
}

impl RegisterTile {
    /// The page's tile, before the first k.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { panel: Panel::new(Tile::new(view), Field::K), pace: Pace::new(STEP) }
    }
}

impl Picture for RegisterTile {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        let mut actions = self.panel.actions();
        actions.push(Action::Play);
        actions
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        if !self.actions().contains(&action) {
            return Vec::new();
        }
        self.pace.run(action == Action::Play && !self.pace.runs());
        let tile = &mut self.panel.dials;
        if action == Action::Play && tile.done == tile.depth {
            tile.done = 0;
        }
        self.panel.act(action);
        Vec::new()
    }

    /// A click marks a sum or chooses a number; on its arrows, it changes it.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        match draw::hit(self, at, area) {
            Some(draw::Hit::Sum(sum)) => self.panel.dials.sum = sum,
            Some(draw::Hit::Field(field, turn)) => self.panel.click(Some((field, turn))),
            None => {}
        }
        Vec::new()
    }

    /// While it plays.
    fn animating(&self) -> bool {
        self.pace.runs()
    }

    /// The next k when it is time.
    fn tick(&mut self, now: Duration) -> bool {
        if !self.pace.due(now) {
            return false;
        }
        let tile = &mut self.panel.dials;
        tile.change(Field::K, true);
        self.pace.run(tile.done < tile.depth);
        true
    }

    /// Draws it.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(self, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, width: u16) -> u16 {
        draw::height(self, width)
    }

    /// The tile, what it costs, and the marked sum.
    fn describe(&self) -> Vec<String> {
        let tile = &self.panel.dials;
        let what = t!("register-tile-what", tm = tile.tm, tn = tile.tn, done = tile.done, depth = tile.depth);
        let mut said = vec![format!("{what}.")];
        said.extend(draw::cost(tile));
        said.extend([draw::registers(tile), draw::operands(tile)]);
        said
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("a, b", t!("register-tile-sign-load")), ("0…9", t!("register-tile-sign-terms"))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;

    fn tile(tm: u32, tn: u32, width: u32) -> RegisterTile {
        RegisterTile::new(&View { tm, tn, width, depth: 8 }, setting())
    }

    #[test]
    fn fragments_and_sums_are_drawn_in_every_room() {
        let mut it = tile(8, 8, 1);
        (0..3).for_each(|_| drop(it.act(Action::Increase)));
        insta::assert_snapshot!("register-tile", kept(&it));
        insta::assert_snapshot!("register-tile-16-by-8", kept(&tile(16, 8, 4)));
        at_every_size(&it);
        at_every_size(&tile(16, 16, 4));
        at_every_size(&tile(1, 1, 1));
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| tile(8, 8, 1));
        keeps_its_word(|| tile(1, 1, 4));
        keeps_its_word(|| {
            let mut it = tile(16, 8, 4);
            [Action::Increase, Action::NextField, Action::Decrease].into_iter().for_each(|action| drop(it.act(action)));
            it
        });
    }

    #[test]
    fn what_is_read_follows_the_shape() {
        let mut it = tile(8, 1, 1);
        assert!(screen(&it, (76, 18)).contains("9/8 numbers read per FMA"), "{}", screen(&it, (76, 18)));
        it.act(Action::NextField);
        it.act(Action::NextField);
        (0..3).for_each(|_| drop(it.act(Action::Increase)));
        assert!(flowing(&it, (76, 18)).contains("8 + 8 numbers for 64 FMAs"), "{}", screen(&it, (76, 18)));
        it.act(Action::NextField);
        (0..2).for_each(|_| drop(it.act(Action::Increase)));
        assert!(flowing(&it, (76, 18)).contains("4 loads: 1/16 for each FMA"), "{}", screen(&it, (76, 18)));
    }

    #[test]
    fn a_tile_with_more_sums_than_registers_is_told_of() {
        assert!(flowing(&tile(16, 16, 4), (116, 30)).contains("288 registers"), "{}", screen(&tile(16, 16, 4), (116, 30)));
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        for it in [tile(8, 8, 1), tile(16, 8, 4), tile(1, 1, 1)] {
            needs_no_more_than_it_says(&it, &["registers", "sum[0][0]", "terms so far"]);
        }
    }

    #[test]
    fn the_outer_products_play_to_their_end() {
        let mut it = tile(8, 8, 1);
        it.act(Action::Play);
        let mut now = Duration::ZERO;
        while it.animating() {
            now += STEP;
            it.tick(now);
        }
        assert_eq!(it.panel.dials.done, 8);
    }

    #[test]
    fn a_click_marks_a_sum_and_changes_a_number() {
        let mut it = tile(8, 8, 1);
        let area = Rect::new(1, 2, 76, 18);
        let find = |hit: draw::Hit, it: &RegisterTile| {
            let mut places = (2..20).flat_map(|y| (1..77).map(move |x| Position::new(x, y)));
            places.find(|at| draw::hit(it, *at, area) == Some(hit)).unwrap()
        };
        it.click(find(draw::Hit::Sum(8 * 5 + 6), &it), area);
        assert_eq!(it.panel.dials.marked(), (5, 6));
        it.click(find(draw::Hit::Field(Field::Tm, None), &it), area);
        it.click(find(draw::Hit::Field(Field::Tm, Some(true)), &it), area);
        assert_eq!((it.panel.dials.tm, it.panel.dials.marked()), (16, (5, 6)));
    }
}
