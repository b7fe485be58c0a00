/*! Error against speed of FP32 products: the library's, and products of bf16 parts, as they were recorded.

Up and down choose a number, left and right change it; a click on a point looks at it.
*/

mod draw;
mod model;

use super::control::Panel;
use super::{Picture, Setting};
use crate::course::FrontierView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use draw::Hit;
use model::Field;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// Ways to compute a product.
#[derive(Debug)]
pub struct Ways {
    panel: Panel<model::Ways>,
}

impl Ways {
    /// The page's size and way.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { panel: Panel::new(model::Ways::new(view), Field::Way) }
    }
}

impl Picture for Ways {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        self.panel.actions()
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        self.panel.act(action);
        Vec::new()
    }

    /// A click chooses a number, or a point.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        match draw::hit(self, at, area) {
            Some(Hit::Field(hit)) => self.panel.click(Some(hit)),
            Some(Hit::Way(way)) => self.panel.dials.way = way,
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

    /// Every way with its speed and error.
    fn describe(&self) -> Vec<String> {
        draw::sentences(self.panel.dials)
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("■", t!("frontier-sign-library")), ("●", t!("frontier-sign-promoted")), ("○", t!("frontier-sign-cut"))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, setting};
    use super::*;

    fn ways(size: u32, products: u32, promoted: bool) -> Ways {
        Ways::new(&View { size, products, promoted }, setting())
    }

    #[test]
    fn the_ways_are_drawn_in_every_room() {
        insta::assert_snapshot!("frontier", kept(&ways(8192, 6, true)));
        at_every_size(&ways(4096, 3, false));
        at_every_size(&ways(0, 0, false));
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| ways(8192, 6, true));
        keeps_its_word(|| ways(4096, 0, false));
        keeps_its_word(|| {
            let mut it = ways(4096, 3, true);
            [Action::NextField, Action::Increase].into_iter().for_each(|action| drop(it.act(action)));
            it
        });
    }

    #[test]
    fn what_beats_a_way_is_named() {
        let says = |it: &Ways, words: &str| {
            let drawn = flowing(it, (76, 18));
            assert!(drawn.contains(words), "{drawn}");
        };
        says(&ways(8192, 6, true), "6 products, promoted: 114 TFLOP/s, error 2.9e-7. Nothing here is");
        says(&ways(8192, 9, true), "6 products, promoted is not slower and not less exact");
        let mut it = ways(8192, 6, false);
        says(&it, "3 products, promoted is not slower");
        says(&it, "6.8e-6, 2.8e-5, 5.4e-5");
        it.act(Action::Increase);
        assert_eq!(it.panel.dials.way, ways(8192, 6, true).panel.dials.way);
    }

    #[test]
    fn a_click_on_a_point_looks_at_it() {
        let mut it = ways(8192, 6, true);
        let area = Rect::new(2, 1, 76, 18);
        let places = || (1..19).flat_map(|y| (2..78).map(move |x| Position::new(x, y)));
        let found: Vec<Position> = places().filter(|at| matches!(draw::hit(&it, *at, area), Some(Hit::Way(_)))).collect();
        assert!(found.len() > 6, "{found:?}");
        let Some(Hit::Way(way)) = draw::hit(&it, found[0], area) else { panic!() };
        it.click(found[0], area);
        assert_eq!(it.panel.dials.way, way);
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        needs_no_more_than_it_says(&ways(8192, 6, true), &["NVIDIA H200", "TFLOP/s", "driver"]);
    }
}
