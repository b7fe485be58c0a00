//! An instrument on the whole screen, opened from the course map.

use super::{Context, Hits, body_of};
use crate::course::{AccessDirection, BankView, LANES, Show};
use crate::tui::action::Action;
use crate::tui::effect::{Effect, Go};
use crate::tui::instruments::{Hazard, Instrument};
use crate::tui::look::draw;
use crate::tui::screens::Hit;
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::Rect;

/// An instrument on its own.
#[derive(Debug)]
pub struct Bench {
    /// The instrument.
    pub instrument: Instrument,
}

impl Bench {
    /// A warp that walks down a column: the access that makes people ask, and what
    /// `matmul-tutor banks 'smem[lane][5]' --pitch 16` draws.
    pub(crate) fn column() -> BankView {
        BankView {
            rows: 32,
            pitch: 16,
            pad: 0,
            width: 4,
            access: AccessDirection::Load,
            row: "lane".to_owned().into(),
            column: "5".to_owned().into(),
            block: [16, 16],
            warp: 0,
            k: 0,
            lanes: LANES as u32,
            kernel: None,
        }
    }

    /// The bank-conflict simulator, at that access.
    pub fn banks(context: &Context) -> Option<Self> {
        let setting = context.world.setting();
        Instrument::of(&Show::Banks(Self::column()), setting).map(|instrument| Self { instrument })
    }

    /// Two warps of an exercise around what is missing between them, and what is asked first.
    pub fn stepper(hazard: Hazard) -> (Self, Vec<Effect>) {
        let mut instrument = Instrument::Hazard(Box::new(hazard));
        let effects = instrument.focus();
        (Self { instrument }, effects)
    }

    /// What works now.
    pub fn actions(&self) -> Vec<Action> {
        let mut actions = self.instrument.actions();
        actions.push(Action::Back);
        actions
    }

    /// Does one of [`Self::actions`].
    pub fn act(&mut self, action: Action) -> Vec<Effect> {
        if self.instrument.actions().contains(&action) {
            return self.instrument.act(action);
        }
        if action == Action::Back { vec![Effect::Go(Go::Back)] } else { Vec::new() }
    }

    /// Where the instrument is drawn.
    pub fn area(context: &Context) -> Rect {
        let area = body_of(context.size);
        Rect { x: 1, y: 1, width: area.width.saturating_sub(2), height: area.height.saturating_sub(1) }
    }

    /// Draws it.
    pub fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits) {
        let (area, look) = (Self::area(context), &context.look);
        draw(
            frame,
            Rect { y: 0, height: 1, ..area },
            vec![look.rule(&self.instrument.name(), Meaning::Focus, area.width)],
        );
        hits.push((area, Hit::Instrument));
        self.instrument.render(frame, area, look);
    }
}
