/*! The cooperative load: who brings which element, and who uses it.

The arrows choose a thread of the block. The two tiles show the element that it loads, the elements
that it reads when it multiplies, and the threads of its warp; below stand the index formulas with
this thread's numbers, and what the warp's loads cost in sectors.
*/

mod draw;
mod model;

use super::{Picture, Setting};
use crate::course::CooperativeLoad as View;
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
        vec![Action::Left, Action::Down, Action::Up, Action::Right, Action::PreviousTile, Action::NextTile]
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        let (tx, ty, t) = (self.block.tx, self.block.ty, self.block.t);
        match action {
            Action::Left => self.block.choose(tx.saturating_sub(1), ty),
            Action::Right => self.block.choose(tx + 1, ty),
            Action::Up => self.block.choose(tx, ty.saturating_sub(1)),
            Action::Down => self.block.choose(tx, ty + 1),
            Action::PreviousTile => self.block.set_step(t.saturating_sub(1)),
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
    fn min_height(&self, _: u16) -> u16 {
        12
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{CASES, at_every_size, drawn, setting, text};
    use super::*;

    fn load(tile: u32) -> CooperativeLoad {
        CooperativeLoad::new(&View { tile }, setting())
    }

    fn screen(load: &CooperativeLoad, size: (u16, u16)) -> String {
        text(size, false, |frame, area, look| load.render(frame, area, look))
    }

    #[test]
    fn the_block_is_drawn_at_every_size_and_theme() {
        let load = load(16);
        for case in CASES {
            let name = format!("cooperative-{}x{}-{}", case.0, case.1, case.2);
            insta::assert_snapshot!(name, drawn(case, false, |frame, area, look| load.render(frame, area, look)));
        }
        at_every_size(|frame, area, look| load.render(frame, area, look));
    }

    #[test]
    fn every_tile_edge_can_be_drawn() {
        for tile in [0, 1, 2, 8, 32, 99] {
            let load = load(tile);
            at_every_size(|frame, area, look| load.render(frame, area, look));
        }
    }

    #[test]
    fn the_chosen_threads_element_stays_in_sight_where_the_tile_does_not_fit() {
        let mut load = load(16);
        for _ in 0..20 {
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
