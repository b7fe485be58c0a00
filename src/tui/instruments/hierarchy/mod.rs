/*! The memory hierarchy by size: what a load takes when one thread follows a ring of addresses, recorded on a GPU.

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
    pub fn new(view: &View, _: Setting) -> Self {
        Self { panel: Panel::new(Curve::new(view), Field::Size) }
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
        vec![("█", t!("hierarchy-sign-bar")), ("│", t!("hierarchy-sign-end"))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;
    use crate::course::LoadPath;

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
