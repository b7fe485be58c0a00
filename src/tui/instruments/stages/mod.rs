/*! The stage timeline: load, wait and multiply over time, with one stage or several.

Up and down choose a number, left and right change it: stages, the cycles of a load (those measured on the
student's own GPU, else those recorded), the cycles of a
tile's multiply-adds. The times follow from these by what stages are ([`model`]); nothing of it was measured but the
latencies.
*/

mod draw;
mod model;

use super::control::{Panel, cell};
use super::{Picture, Setting};
use crate::course::StagesView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::{Field, Line};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// Tiles on their way through stages.
#[derive(Debug)]
pub struct Stages {
    panel: Panel<Line>,
}

impl Stages {
    /// The page's stages.
    pub fn new(view: &View, setting: Setting) -> Self {
        Self { panel: Panel::new(Line::new(view, setting.latencies), Field::Stages) }
    }
}

impl Picture for Stages {
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

    /// The stages, and what of the time is waiting.
    fn describe(&self) -> Vec<String> {
        draw::sentences(&self.panel.dials)
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("░", t!("stages-sign-load")),
            ("▒", t!("stages-sign-there")),
            ("█", t!("stages-sign-multiply")),
            ("·", t!("stages-sign-wait")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, screen, setting};
    use super::*;
    use crate::exec::latency::{Latencies, Summary};
    use std::sync::Arc;

    fn stages(stages: u32, load: u32, multiply: u32) -> Stages {
        Stages::new(&View { stages, load, multiply }, setting())
    }

    #[test]
    fn loads_and_products_are_drawn_in_every_room() {
        insta::assert_snapshot!("stages", kept(&stages(2, 664, 1024)));
        insta::assert_snapshot!("stages-one", kept(&stages(1, 664, 1024)));
        insta::assert_snapshot!("stages-three", kept(&stages(3, 664, 256)));
        at_every_size(&stages(4, 664, 64));
        at_every_size(&stages(0, 0, 0));
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| stages(2, 664, 1024));
        keeps_its_word(|| stages(1, 32, 1024));
        keeps_its_word(|| {
            let mut it = stages(2, 664, 1024);
            [Action::Increase, Action::NextField].into_iter().for_each(|action| drop(it.act(action)));
            it
        });
    }

    #[test]
    fn a_second_stage_hides_the_shorter_part() {
        let mut it = stages(1, 664, 1024);
        assert!(flowing(&it, (76, 18)).contains("13 504 cycles"), "{}", screen(&it, (76, 18)));
        it.act(Action::Increase);
        let drawing = flowing(&it, (76, 18));
        assert!(drawing.contains("8856 cycles") || drawing.contains("8 856 cycles"), "{drawing}");
        assert!(drawing.contains("1.525 times"), "{drawing}");
    }

    #[test]
    fn a_load_takes_what_was_measured_on_the_student_s_own_gpu() {
        let recorded = Latencies::built_in().unwrap();
        let summary = Summary { memory_512_mib: 900.4, ..recorded.summary };
        let own = Arc::new(Latencies { device: "Tesla T4".into(), summary, ..(**recorded).clone() });
        let view = View { stages: 2, load: 664, multiply: 1024 };
        let mut it = Stages::new(&view, Setting { latencies: Some(&own), ..setting() });
        assert!(flowing(&it, (76, 18)).contains("the page's number"), "664 is the recorded GPU's");
        [Action::NextField, Action::Increase].into_iter().for_each(|action| drop(it.act(action)));
        let drawing = flowing(&it, (76, 18));
        assert!(drawing.contains("900") && drawing.contains("memory, recorded: Tesla T4"), "{drawing}");
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        for it in [stages(1, 664, 1024), stages(4, 664, 64)] {
            needs_no_more_than_it_says(&it, &["multiply, cycles", "multiplies", "recorded"]);
        }
    }

    #[test]
    fn a_click_chooses_a_number_and_its_arrows_change_it() {
        let mut it = stages(2, 664, 1024);
        let area = Rect::new(1, 1, 76, 18);
        let place = |it: &Stages, hit| {
            let mut places = (1..19).flat_map(|y| (1..77).map(move |x| Position::new(x, y)));
            places.find(|at| cell(*at, area).and_then(|at| draw::hit(it, at, 76)) == Some(hit)).unwrap()
        };
        it.click(place(&it, (Field::Load, None)), area);
        it.click(place(&it, (Field::Load, Some(false))), area);
        assert_eq!((it.panel.chosen, it.panel.dials.load), (Field::Load, 281));
    }
}
