/*! Occupancy and waves: how many blocks live on a multiprocessor, what lets no more in, and how full the last wave is.

Threads, registers and shared memory of a block fill what a multiprocessor of the H200 has; the grid fills the
multiprocessors. Up and down choose a number, left and right change it, and the limit moves.
*/

mod draw;
mod model;

use super::control::{Panel, cell};
use super::{Picture, Setting};
use crate::course::OccupancyView as View;
use crate::figures::grouped;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::{Field, Load};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// What a block takes of a multiprocessor, and a grid of the device.
#[derive(Debug)]
pub struct Occupancy {
    panel: Panel<Load>,
}

impl Occupancy {
    /// The page's launch.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { panel: Panel::new(Load::of(view), Field::Registers) }
    }
}

impl Picture for Occupancy {
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

    /// The launch, what limits it, and its waves.
    fn describe(&self) -> Vec<String> {
        let load = &self.panel.dials;
        let launch = t!(
            "occupancy-launch",
            threads = load.threads,
            registers = load.registers,
            shared = grouped(load.shared.into()),
            grid = grouped(load.grid.into()),
            multiprocessors = load.multiprocessors
        );
        let mut said = load.kernel().map(|known| format!("{}.", draw::named(known))).into_iter().collect::<Vec<_>>();
        said.push(launch);
        said.extend(draw::limit(load));
        if let Some(waves) = load.waves() {
            let (at_once, last) = (grouped(waves.at_once.into()), grouped(waves.last.into()));
            said.push(t!("occupancy-waves", n = waves.count, at_once = at_once, last = last));
        }
        said.push(draw::lost(load));
        said
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("█▒", t!("occupancy-sign-blocks")),
            ("░", t!("occupancy-sign-empty")),
            ("▲", t!("occupancy-sign-limit")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;

    fn occupancy(registers: u32, blocks: u32) -> Occupancy {
        let (threads, registers, shared) = (Some(256), Some(registers), Some(8192));
        let view = View { kernel: None, threads, registers, shared, blocks, multiprocessors: 132 };
        Occupancy::new(&view, setting())
    }

    #[test]
    fn limits_and_waves_are_drawn_in_every_room() {
        let mut it = occupancy(162, 512);
        insta::assert_snapshot!("occupancy", kept(&it));
        (0..5).for_each(|_| drop(it.act(Action::Decrease)));
        insta::assert_snapshot!("occupancy-two-blocks", kept(&it));
        at_every_size(&it);
        at_every_size(&occupancy(255, 1_000_000));
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| occupancy(162, 16));
        keeps_its_word(|| occupancy(255, 16));
        keeps_its_word(|| {
            let mut it = occupancy(162, 16);
            [Action::Decrease, Action::NextField, Action::NextField].into_iter().for_each(|action| drop(it.act(action)));
            it
        });
    }

    #[test]
    fn fewer_registers_let_a_second_block_in() {
        let mut it = occupancy(162, 1024);
        assert!(flowing(&it, (76, 20)).contains("1 block on a multiprocessor"), "{}", screen(&it, (76, 20)));
        while it.panel.dials.registers > 128 {
            it.act(Action::Decrease);
        }
        let drawing = flowing(&it, (76, 20));
        assert!(drawing.contains("2 blocks on a multiprocessor") && drawing.contains("16 of 64 warps"), "{drawing}");
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        needs_no_more_than_it_says(&occupancy(162, 512), &["116 of 132", "3.03 %", "43 008"]);
        needs_no_more_than_it_says(&occupancy(162, 16), &["116 of 132 multiprocessors"]);
    }

    #[test]
    fn a_click_chooses_a_number_and_its_arrows_change_it() {
        let mut it = occupancy(162, 512);
        let area = Rect::new(2, 3, 76, 20);
        let mut hits = Vec::new();
        for (x, y) in (3..23).flat_map(|y| (2..78).map(move |x| (x, y))) {
            it.panel.chosen = Field::Threads;
            it.panel.dials = it.panel.start.clone();
            it.click(Position::new(x, y), area);
            if it.panel.dials.threads != 256 {
                hits.push(it.panel.dials.threads);
            }
            if it.panel.chosen == Field::Grid {
                hits.push(0);
            }
        }
        hits.dedup();
        assert_eq!(hits, [224, 288, 0]);
    }
}
