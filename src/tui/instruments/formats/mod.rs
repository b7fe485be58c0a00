/*! Number formats: two factors in FP32, TF32, FP16 and BF16, bit by bit, and what their product loses.

With `parts`, each factor falls apart into three bf16, and of their nine products those are marked that make an FP32
product.

Up and down choose a factor, left and right take it to the next value at which formats differ.
*/

mod draw;
mod model;

use super::control::{Panel, cell};
use super::{Picture, Setting};
use crate::course::FormatsView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::Factors;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// Two factors in four formats.
#[derive(Debug)]
pub struct Formats {
    panel: Panel<Factors>,
    /// Three bf16 of each factor, not four formats.
    parts: bool,
}

impl Formats {
    /// The page's factors.
    pub fn new(view: &View, _: Setting) -> Self {
        Self { panel: Panel::new(Factors::new(view), 0), parts: view.parts }
    }
}

impl Picture for Formats {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        self.panel.actions()
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        self.panel.act(action);
        Vec::new()
    }

    /// A click chooses a factor; on its arrows, it changes it.
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

    /// Both factors and their product in each format.
    fn describe(&self) -> Vec<String> {
        draw::sentences(self)
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        let mut signs = vec![("0 01111 000", t!("formats-parts"))];
        if self.parts {
            signs.push(("●", t!("formats-summed")));
        }
        signs
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;

    fn formats(x: f64, y: f64) -> Formats {
        Formats::new(&View { x, y, parts: false }, setting())
    }

    fn parts(x: f64, y: f64) -> Formats {
        Formats::new(&View { x, y, parts: true }, setting())
    }

    #[test]
    fn a_float_falls_apart_and_six_products_are_marked() {
        insta::assert_snapshot!("parts", kept(&parts(0.1, std::f64::consts::PI)));
        at_every_size(&parts(0.1, std::f64::consts::PI));
        at_every_size(&parts(1e30, 6e-8));
        keeps_its_word(|| parts(0.1, 1.0));
        let drawing = screen(&parts(0.1, std::f64::consts::PI), (76, 20));
        assert_eq!(drawing.matches('●').count(), 7, "six and the sentence: {drawing}");
        let told = parts(0.1, 1.0).describe().join(" ");
        assert!(told.contains("x1: 0 01111011 1001101: 0.1000977."), "{told}");
    }

    #[test]
    fn bits_and_products_are_drawn_in_every_room() {
        insta::assert_snapshot!("formats", kept(&formats(257.0, 16.0)));
        at_every_size(&formats(257.0, 16.0));
        at_every_size(&formats(1e30, 6e-8));
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| formats(257.0, 16.0));
        keeps_its_word(|| formats(6e-8, 1e30));
        keeps_its_word(|| {
            let mut it = formats(257.0, 16.0);
            [Action::Increase, Action::NextField, Action::Decrease].into_iter().for_each(|action| drop(it.act(action)));
            it
        });
    }

    #[test]
    fn what_a_format_loses_shows_in_number_and_product() {
        let drawing = flowing(&formats(257.0, 16.0), (76, 20));
        assert!(drawing.contains("10000111 0000000 256 lost 0.39 %"), "{drawing}");
        assert!(drawing.contains("BF16 4096 lost 0.39 %"), "{drawing}");
        let drawing = screen(&formats(1_048_576.0, 1.0), (76, 20));
        assert!(drawing.contains("infinity overflow"), "{drawing}");
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        needs_no_more_than_it_says(&formats(257.0, 16.0), &["BF16 4096 lost 0.39 %", "FP32."]);
    }

    #[test]
    fn a_click_chooses_a_factor_and_its_arrows_change_it() {
        let mut it = formats(257.0, 16.0);
        let area = Rect::new(1, 1, 76, 18);
        let place = |it: &Formats, hit| {
            let mut places = (1..19).flat_map(|y| (1..77).map(move |x| Position::new(x, y)));
            places.find(|at| draw::hit(it, (at.x - 1, at.y - 1), 76) == Some(hit)).unwrap()
        };
        it.click(place(&it, (1, None)), area);
        it.click(place(&it, (1, Some(true))), area);
        assert_eq!((it.panel.chosen, it.panel.dials.get(1)), (1, 257.0));
    }
}
