/*! Which variant of a kernel the model takes for a shape, and the three numbers it takes it by.

Up and down choose an extent, left and right change it. Times are predicted, not measured; what such predictions lose
was measured, and stands below.
*/

mod draw;
mod model;

use super::control::{Panel, cell};
use super::{Picture, Setting};
use crate::course::ChoiceView as View;
use crate::t;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::look::Look;
use model::{Field, Shapes};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};

/// A kernel's variants for a shape.
#[derive(Debug)]
pub struct Choice {
    panel: Panel<Shapes>,
}

impl Choice {
    /// The page's kernel and shape.
    pub fn new(view: &View, setting: Setting) -> Self {
        Self { panel: Panel::new(Shapes::new(view, setting), Field::M) }
    }
}

impl Picture for Choice {
    /// What works now.
    fn actions(&self) -> Vec<Action> {
        self.panel.actions()
    }

    /// Does an action.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        self.panel.act(action);
        Vec::new()
    }

    /// A click chooses an extent; on its arrows, it changes it.
    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        self.panel.click(cell(at, area).and_then(|at| draw::hit(self, at, area.width)));
        Vec::new()
    }

    /// Kernels and their variants are called as the course calls them now.
    fn rename(&mut self, setting: Setting) {
        for shapes in [&mut self.panel.dials, &mut self.panel.start] {
            if let Some(own) = &mut shapes.kernel
                && let Some(known) = setting.catalog.kernel(&own.id).filter(|known| known.runs_as(own))
            {
                own.clone_from(known);
            }
        }
    }

    /// Draws it.
    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(self, frame, area, look);
    }

    /// Rows it needs.
    fn min_height(&self, width: u16) -> u16 {
        draw::height(self, width)
    }

    /// The variants, fastest first.
    fn describe(&self) -> Vec<String> {
        draw::sentences(&self.panel.dials)
    }

    /// What is drawn.
    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("█", t!("choice-sign-bar"))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::{at_every_size, flowing, keeps_its_word, kept, needs_no_more_than_it_says, setting};
    use super::*;
    use crate::course::At;

    fn choice(kernel: &str, [m, n, k]: [u32; 3]) -> Choice {
        Choice::new(&View { kernel: At::from(kernel.to_owned()), m, n, k }, setting())
    }

    #[test]
    fn the_variants_are_ranked_in_every_room() {
        insta::assert_snapshot!("choice", kept(&choice("sgemm_tuned", [512; 3])));
        at_every_size(&choice("bf16_split_k", [1, 16_384, 8192]));
        at_every_size(&choice("no_such_kernel", [u32::MAX; 3]));
    }

    #[test]
    fn every_action_keeps_its_word() {
        keeps_its_word(|| choice("sgemm_split_k", [512; 3]));
        keeps_its_word(|| choice("sgemm_split_k", [64, 16_384, 1]));
        keeps_its_word(|| {
            let mut it = choice("bf16x6_split_k", [1024; 3]);
            [Action::Increase, Action::NextField].into_iter().for_each(|action| drop(it.act(action)));
            it
        });
    }

    #[test]
    fn another_shape_has_another_variant_and_what_the_model_does_not_know_is_said() {
        let mut it = choice("sgemm_tuned", [512; 3]);
        let first = |it: &Choice| it.panel.dials.called(&it.panel.dials.ranking()[0].place);
        assert_eq!(first(&it), "64x64 by 4 warps");
        (0..2).for_each(|_| drop(it.act(Action::PreviousField)));
        (0..7).for_each(|_| drop(it.act(Action::Increase)));
        assert_eq!(it.panel.dials.shape.n, 4096);
        assert_ne!(first(&it), "64x64 by 4 warps");
        assert!(flowing(&choice("sgemm_tiled", [512; 3]), (76, 18)).contains("knows nothing of this kernel"));
    }

    #[test]
    fn of_a_gpu_that_was_not_timed_it_says_which_was() {
        let mut it = choice("sgemm_split_k", [512; 3]);
        assert!(flowing(&it, (76, 18)).contains("predicted for NVIDIA H200"));
        assert!(!flowing(&it, (76, 18)).contains("no variant was timed"));
        it.panel.dials.device.as_mut().unwrap().name = "NVIDIA GH200".into();
        let said = flowing(&it, (76, 18));
        assert!(said.contains("That was on NVIDIA H100 80GB HBM3, NVIDIA H200; on this GPU no variant was timed."), "{said}");
    }

    #[test]
    fn it_asks_for_the_rows_that_it_draws() {
        needs_no_more_than_it_says(&choice("sgemm_tuned", [512; 3]), &["NVIDIA H200", "waves", "measured pairs"]);
    }
}
