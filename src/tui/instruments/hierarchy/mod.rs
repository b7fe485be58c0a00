/*! The memory hierarchy by size: what a load takes when one thread follows a ring of addresses, recorded on a GPU, and beside
it on the student's own, if that was measured.

Left and right take the ring's size, up and down choose the caches that its loads use, or shared memory.
*/

mod draw;
mod model;

use super::control::Panel;
use super::{Picture, Setting};
use crate::course::HierarchyView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use draw::OWN;
use model::{Curve, Field};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// Latency against size.
#[derive(Debug)]
pub struct Hierarchy {
    panel: Panel<Curve>,
}

impl Hierarchy {
    /// The page's ring.
    pub fn new(view: &View, setting: Setting) -> Self {
        Self { panel: Panel::new(Curve::new(view, setting.latencies.cloned()), Field::Size) }
    }
}

impl Picture for Hierarchy {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        self.panel.actions()
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        self.panel.act(action);
        Vec::new()
    }

    /// A click chooses a size, or a field; on its arrows, it changes it.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        match draw::hit(self, at, area) {
            Some(draw::Hit::Point(point)) => self.panel.dials.choose_at(point),
            Some(draw::Hit::Field(hit)) => self.panel.click(Some(hit)),
            None => {}
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

    /// Every size with its latency, and where it was measured.
    fn describe(&self) -> Vec<String> {
        draw::sentences(&self.panel.dials)
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        let mut signs = vec![("█", t!("hierarchy-sign-bar")), ("│", t!("hierarchy-sign-end"))];
        signs.extend(self.panel.dials.own().map(|_| (OWN, t!("hierarchy-sign-own"))));
        signs
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;
    use crate::course::LoadPath;
    use crate::exec::latency::{Latencies, Latency};
    use std::sync::Arc;

    fn hierarchy(path: LoadPath, bytes: u64) -> Hierarchy {
        Hierarchy::new(&View { path, bytes }, setting())
    }

    #[test]
    fn latencies_are_drawn_in_every_room() {
        insta::assert_snapshot!("hierarchy", kept(&hierarchy(LoadPath::L1, 224 << 10)));
        insta::assert_snapshot!("hierarchy-l2", kept(&hierarchy(LoadPath::L2, 64 << 20)));
        at_every_size(&hierarchy(LoadPath::L1, 16 << 10));
        at_every_size(&hierarchy(LoadPath::Shared, u64::MAX));
    }

    #[test]
    fn ones_own_gpu_stands_beside_the_recorded_one() {
        let recorded = Latencies::built_in().unwrap();
        let faster = |points: &[Latency]| -> Vec<Latency> {
            points.iter().map(|point| Latency { cycles: point.cycles / 2.0, ..*point }).collect()
        };
        let own = Arc::new(Latencies {
            device: "NVIDIA A100".into(),
            date: "2026-11-23".into(),
            global_ca: faster(&recorded.global_ca),
            ..(**recorded).clone()
        });
        let setting = Setting { latencies: Some(&own), ..setting() };
        let it = Hierarchy::new(&View { path: LoadPath::L1, bytes: 512 << 20 }, setting);
        insta::assert_snapshot!("hierarchy-own", kept(&it));
        let drawing = flowing(&it, (76, 20));
        assert!(drawing.contains("Your NVIDIA A100 (2026-11-23, driver 580.159.04): 512 MiB: 332 cycles"), "{drawing}");
        assert!(it.describe().join(" ").contains("Your NVIDIA A100, measured on 2026-11-23"), "{:?}", it.describe());
        assert!(it.signs().iter().any(|(sign, _)| *sign == OWN));
        at_every_size(&it);
        needs_no_more_than_it_says(&it, &["recorded on NVIDIA H200", "1 GiB", "Your NVIDIA A100"]);
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| hierarchy(LoadPath::L1, 1 << 20));
        keeps_its_word(|| hierarchy(LoadPath::L2, 4096));
        keeps_its_word(|| {
            let mut it = hierarchy(LoadPath::Shared, 4096);
            [Action::Increase, Action::NextField].into_iter().for_each(|action| drop(it.act(action)));
            it
        });
    }

    #[test]
    fn the_chosen_ring_is_told_in_cycles_and_nanoseconds() {
        let it = hierarchy(LoadPath::L1, 512 << 20);
        let drawing = flowing(&it, (76, 20));
        assert!(drawing.contains("663 cycles, 335 ns") && drawing.contains("NVIDIA H200"), "{}", screen(&it, (76, 20)));
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        for it in [hierarchy(LoadPath::L1, 4096), hierarchy(LoadPath::L1, 512 << 20)] {
            needs_no_more_than_it_says(&it, &["recorded on NVIDIA H200", "4 KiB", "1 GiB", "driver"]);
        }
    }

    #[test]
    fn every_size_below_the_bars_is_written_whole_or_not_at_all() {
        let it = hierarchy(LoadPath::L1, 4096);
        for width in 40..=120 {
            let drawing = screen(&it, (width, 20));
            let axis = drawing.lines().find(|line| line.contains("4 KiB  ")).unwrap().trim_end();
            let whole = ["4 KiB", "228 KiB an SM", "L2: 60 MiB", "1 GiB"];
            assert!(whole.iter().any(|size| axis.ends_with(size)), "{width}: {axis}");
        }
    }

    #[test]
    fn a_click_chooses_a_size_and_the_arrows_change_it() {
        let mut it = hierarchy(LoadPath::L1, 4096);
        let area = Rect::new(1, 1, 76, 20);
        let place = |it: &Hierarchy, hit| {
            let mut places = (1..21).flat_map(|y| (1..77).map(move |x| Position::new(x, y)));
            places.find(|at| draw::hit(it, *at, area) == Some(hit)).unwrap()
        };
        it.click(place(&it, draw::Hit::Point(20)), area);
        assert_eq!(it.panel.dials.at(), 20);
        it.click(place(&it, draw::Hit::Field((Field::Size, Some(true)))), area);
        assert_eq!(it.panel.dials.at(), 21);
    }
}
