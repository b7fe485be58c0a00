/*! The cooperative load: who brings which element, and who uses it.

The arrows choose a thread of the block. The two tiles show the element that it loads, the elements
that it reads when it multiplies, and the threads of its warp; below stand the index formulas with
this thread's numbers, and what the warp's loads cost in sectors.
*/

mod draw;
mod model;

use super::{Picture, Setting};
use crate::course::CooperativeLoad as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::Cooperative;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// Who loads which element of the tiles.
#[derive(Debug)]
pub struct CooperativeLoad {
    block: Cooperative,
}

impl CooperativeLoad {
    /// A block with the lesson's tile.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { block: Cooperative::new(view.tile) }
    }
}

impl Picture for CooperativeLoad {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.block.tile > 1 {
            actions.extend([Action::Left, Action::Down, Action::Up, Action::Right]);
        }
        actions.extend((self.block.t > 0).then_some(Action::PreviousTile));
        actions.extend((self.block.t + 1 < self.block.steps()).then_some(Action::NextTile));
        actions
    }

    /// Does an action. The choice goes round at the edges.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        if !self.actions().contains(&action) {
            return Vec::new();
        }
        let (tx, ty, t, tile) = (self.block.tx, self.block.ty, self.block.t, self.block.tile);
        match action {
            Action::Left => self.block.choose((tx + tile - 1) % tile, ty),
            Action::Right => self.block.choose((tx + 1) % tile, ty),
            Action::Up => self.block.choose(tx, (ty + tile - 1) % tile),
            Action::Down => self.block.choose(tx, (ty + 1) % tile),
            Action::PreviousTile => self.block.set_step(t - 1),
            Action::NextTile => self.block.set_step(t + 1),
            _ => {}
        }
        Vec::new()
    }

    /// A click on an element chooses the thread that loads it.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        if let Some((tx, ty)) = draw::hit(&self.block, at, area) {
            self.block.choose(tx, ty);
        }
        Vec::new()
    }

    /// Draws it.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(&self.block, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, width: u16) -> u16 {
        draw::height(&self.block, width)
    }

    /// What the chosen thread loads and reads, and what its warp's loads cost.
    fn describe(&self) -> Vec<String> {
        let block = &self.block;
        let mut said = vec![
            t!("cooperative-what", bx = block.block[0], by = block.block[1], t = block.t),
            t!("cooperative-thread", tx = block.tx, ty = block.ty),
        ];
        let label = |label: &str| label.trim_start_matches(['●', '▪', '∘', ' ']).trim().to_owned();
        said.extend(draw::words(block).into_iter().map(|(sign, _, text)| {
            let label = label(&sign);
            if label.is_empty() { text } else { format!("{label}: {text}") }
        }));
        said.push(draw::formula(block));
        said
    }

    /// What is drawn.
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
    use super::super::snapshot::{at_every_size, keeps_its_word, kept, setting, screen};
    use super::*;

    fn load(tile: u32) -> CooperativeLoad {
        CooperativeLoad::new(&View { tile }, setting())
    }

    #[test]
    fn the_block_is_drawn_in_every_room() {
        let load = load(16);
        insta::assert_snapshot!("cooperative", kept(&load));
        at_every_size(&load);
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| load(16));
        keeps_its_word(|| load(1));
        for t in [0, 63] {
            keeps_its_word(|| {
                let mut load = load(16);
                load.block.set_step(t);
                load
            });
        }
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        let load = load(16);
        for width in [56, 58, 76, 80, 96, 116, 160] {
            let drawing = screen(&load, (width, load.min_height(width)));
            assert!(drawing.lines().any(|row| row.trim_start().starts_with("15 ")), "{width}: {drawing}");
            let drawing: Vec<&str> = drawing.split_whitespace().collect();
            assert!(drawing.contains(&"bx·16") && drawing.contains(&"tx"), "{width}: {drawing:?}");
        }
    }

    #[test]
    fn every_tile_edge_can_be_drawn() {
        for tile in [0, 1, 2, 8, 32, 99] {
            let load = load(tile);
            at_every_size(&load);
        }
    }

    #[test]
    fn the_chosen_threads_element_stays_in_sight_where_the_tile_does_not_fit() {
        let mut load = load(16);
        for _ in 0..10 {
            load.act(Action::Down);
        }
        assert_eq!(load.block.ty, 15);
        let drawing = screen(&load, (60, 12));
        assert!(drawing.contains("thread (3, 15)") && drawing.contains('●'), "{drawing}");
    }

    #[test]
    fn the_formulas_hold_this_threads_numbers() {
        let mut load = load(16);
        load.block.choose(5, 9);
        let drawing = screen(&load, (80, 24));
        assert!(drawing.contains("A[0·16 + 9][2·16 + 5] = A[9][37]"), "{drawing}");
        assert!(drawing.contains("B[2·16 + 9][0·16 + 5] = B[41][5]"), "{drawing}");
    }

    #[test]
    fn a_click_chooses_the_thread_that_loads_the_element() {
        let mut load = load(16);
        let area = Rect::new(0, 0, 80, 24);
        let mut places = (0..24).flat_map(|y| (0..80).map(move |x| Position::new(x, y)));
        let at = places.find(|at| draw::hit(&load.block, *at, area) == Some((15, 1))).unwrap();
        load.click(at, area);
        assert_eq!((load.block.tx, load.block.ty), (15, 1));
    }
}
