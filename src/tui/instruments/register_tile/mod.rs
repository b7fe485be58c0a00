/*! The register tile: a thread's TM×TN sums, filled by one outer product for each k.

Up and down choose a number, left and right change it: the terms so far, the tile's edges, how many numbers a load
brings, and the sum whose two operands are marked. What is read, and how many loads that takes, follows at once.
*/

mod draw;
mod model;

use super::pace::Pace;
use super::{Picture, Setting};
use crate::course::RegisterTileView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::{FIELDS, Field, Tile};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

/// Time that each k stays while it plays.
const STEP: Duration = Duration::from_millis(600);

/// The outer product of a thread, k by k.
#[derive(Debug)]
pub struct RegisterTile {
    tile: Tile,
    /// The page's tile.
    start: Tile,
    /// The number that the keys change.
    field: Field,
    pace: Pace,
}

impl RegisterTile {
    /// The page's tile, before the first k.
    pub fn new(view: &View, _: Setting) -> Self {
        let tile = Tile::new(view);
        Self { start: tile.clone(), tile, field: Field::K, pace: Pace::new(STEP) }
    }

    fn choose(&mut self, by: usize) {
        let at = FIELDS.iter().position(|field| *field == self.field).unwrap_or(0);
        self.field = FIELDS[(at + by) % FIELDS.len()];
    }
}

impl Picture for RegisterTile {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        let (value, [least, most]) = (self.tile.get(self.field), self.tile.range(self.field));
        let mut actions = Vec::new();
        actions.extend((value > least).then_some(Action::Decrease));
        actions.extend((value < most).then_some(Action::Increase));
        actions.extend([Action::PreviousField, Action::NextField, Action::Play]);
        actions.extend((self.tile != self.start).then_some(Action::Restart));
        actions
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        if !self.actions().contains(&action) {
            return Vec::new();
        }
        self.pace.run(action == Action::Play && !self.pace.runs());
        match action {
            Action::Decrease => self.tile.change(self.field, false),
            Action::Increase => self.tile.change(self.field, true),
            Action::PreviousField => self.choose(FIELDS.len() - 1),
            Action::NextField => self.choose(1),
            Action::Play if self.tile.done == self.tile.depth => self.tile.done = 0,
            Action::Restart => self.tile = self.start.clone(),
            _ => {}
        }
        Vec::new()
    }

    /// A click marks a sum or chooses a number; on its arrows, it changes it.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        match draw::hit(self, at, area) {
            Some(draw::Hit::Sum(sum)) => self.tile.sum = sum,
            Some(draw::Hit::Field(field, turn)) => {
                self.field = field;
                if let Some(up) = turn {
                    self.tile.change(field, up);
                }
            }
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
        self.tile.change(Field::K, true);
        self.pace.run(self.tile.done < self.tile.depth);
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
        let tile = &self.tile;
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
        assert_eq!(it.tile.done, 8);
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
        assert_eq!(it.tile.marked(), (5, 6));
        it.click(find(draw::Hit::Field(Field::Tm, None), &it), area);
        it.click(find(draw::Hit::Field(Field::Tm, Some(true)), &it), area);
        assert_eq!((it.tile.tm, it.tile.marked()), (16, (5, 6)));
    }
}
