/*! Instruction-level parallelism: multiply-adds of a multiprocessor in a cycle, by warps and by independent sums.

Up and down choose a number, left and right change it. All speeds were
measured: on the student's own GPU if its latencies are known (`latency.json`), else on the recorded one.
*/

mod draw;
mod model;

use super::control::{Panel, cell};
use super::{Picture, Setting};
use crate::course::IlpView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::{Chains, Field};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// Independent sums of a thread.
#[derive(Debug)]
pub struct Ilp {
    panel: Panel<Chains>,
}

impl Ilp {
    /// The page's warps and sums.
    pub fn new(view: &View, setting: Setting) -> Self {
        Self { panel: Panel::new(Chains::new(view, setting.latencies), Field::Sums) }
    }
}

impl Picture for Ilp {
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

    /// The recorded speeds, and why they are so.
    fn describe(&self) -> Vec<String> {
        draw::sentences(&self.panel.dials)
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("█", t!("ilp-sign-bar"))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;
    use crate::exec::latency::{Chain, Latencies};
    use std::sync::Arc;

    fn ilp(warps: u32, sums: u32) -> Ilp {
        Ilp::new(&View { warps, sums }, setting())
    }

    #[test]
    fn speeds_are_drawn_in_every_room() {
        insta::assert_snapshot!("ilp", kept(&ilp(4, 1)));
        at_every_size(&ilp(32, 16));
        at_every_size(&ilp(0, u32::MAX));
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| ilp(4, 1));
        keeps_its_word(|| ilp(32, 16));
        keeps_its_word(|| {
            let mut it = ilp(4, 1);
            [Action::Increase, Action::NextField].into_iter().for_each(|action| drop(it.act(action)));
            it
        });
    }

    #[test]
    fn four_sums_fill_the_four_cycles_of_one_warp() {
        let mut it = ilp(4, 1);
        let says = |it: &Ilp, words: &str| assert!(flowing(it, (76, 18)).contains(words), "{}", screen(it, (76, 18)));
        says(&it, "1 independent FMA");
        says(&it, "31.8 of 128");
        (0..2).for_each(|_| drop(it.act(Action::Increase)));
        says(&it, "4 independent FMAs");
        says(&it, "120.8 of 128");
        says(&ilp(1, 8), "1 of 4 schedulers has a warp");
    }

    #[test]
    fn the_student_s_own_gpu_is_drawn_where_it_was_measured() {
        let recorded = Latencies::built_in().unwrap();
        let fma = recorded.fma.iter().map(|chain| Chain { fma_per_cycle: chain.fma_per_cycle / 2.0, ..*chain }).collect();
        let own = Latencies { device: "Tesla T4".into(), capability: (7, 5), fma, ..(**recorded).clone() };
        let own = Arc::new(own);
        let it = Ilp::new(&View { warps: 4, sums: 2 }, Setting { latencies: Some(&own), ..setting() });
        let drawing = flowing(&it, (76, 18));
        assert!(drawing.contains("recorded on Tesla T4") && drawing.contains("31.5 of 64"), "{drawing}");
        let own = Arc::new(Latencies { fma: Vec::new(), ..(*own).clone() });
        let it = Ilp::new(&View { warps: 4, sums: 2 }, Setting { latencies: Some(&own), ..setting() });
        assert!(flowing(&it, (76, 18)).contains("recorded on NVIDIA H200"), "nothing was measured of multiply-adds");
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        needs_no_more_than_it_says(&ilp(4, 1), &["recorded on NVIDIA H200", "16 sums", "driver"]);
    }

    #[test]
    fn a_click_chooses_a_number_and_its_arrows_change_it() {
        let mut it = ilp(4, 1);
        let area = Rect::new(1, 1, 76, 18);
        let place = |it: &Ilp, hit| {
            let mut places = (1..19).flat_map(|y| (1..77).map(move |x| Position::new(x, y)));
            places.find(|at| cell(*at, area).and_then(|at| draw::hit(it, at, 76)) == Some(hit)).unwrap()
        };
        it.click(place(&it, (Field::Warps, None)), area);
        it.click(place(&it, (Field::Warps, Some(true))), area);
        assert_eq!((it.panel.dials.warps, it.panel.dials.sums), (8, 1));
    }
}
