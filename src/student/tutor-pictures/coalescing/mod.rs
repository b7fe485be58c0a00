/*! Coalescing: the 32 addresses of one global access, drawn over the 32-byte sectors that they touch.

Each box is a sector of eight words. Lanes use the words with a sign; the others move without being used. If the access
is a thread's row of A or column of B, both are drawn. `m` swaps the roles of `threadIdx.x` and `.y`, the arrows step
through the lanes, and `x` opens an editor for the expressions. [`ptx_emulator::cost::global_sectors`] counts the
sectors.
*/

mod draw;
mod model;

use super::expression::{Expressions, Index, Typed};
use super::pace::Pace;
use crate::prelude::*;
use model::Model;
use std::time::Duration;
use tutor_course::CoalescingView as View;
use tutor_support::figures::lanes;
use ui_kit::keys::KeyEvent;

/// Time for each lane while the animation plays.
const STEP: Duration = Duration::from_millis(200);
/// Maximum k that the keys reach.
const MAX_K: u32 = 4095;

/// The sectors of one warp-wide access.
#[derive(Debug)]
pub(crate) struct Coalescing {
    model: Model,
    /// The lane that is highlighted, if any.
    lane: Option<usize>,
    pace: Pace,
}

impl Coalescing {
    pub(crate) fn new(view: &View) -> Self {
        Self { model: Model::new(view.clone()), lane: None, pace: Pace::new(STEP) }
    }

    fn go(&mut self, by: usize) {
        self.lane = Some(self.lane.map_or(0, |lane| (lane + by) % 32));
    }

    /// True if the current expressions describe a valid access.
    fn valid(&self) -> bool {
        self.model.accesses().first().is_some_and(|access| self.model.picture(access).is_ok())
    }

    fn typed(&mut self, typed: Typed) {
        let Some(edit) = &self.model.edit else { return };
        let [row, column] = match typed {
            Typed::Changed => [edit.row(), edit.column()],
            Typed::Dropped => edit.before(),
            Typed::Taken => {
                self.model.edit = None;
                return;
            }
            Typed::Nothing => return,
        };
        (self.model.view.row.value, self.model.view.column.value) = (row.to_owned(), column.to_owned());
        if typed == Typed::Dropped {
            self.model.edit = None;
        }
    }
}

impl Picture for Coalescing {
    fn name(&self) -> String {
        t!("pictures-name-coalescing")
    }

    fn actions(&self) -> Vec<Action> {
        let valid = self.valid();
        if self.model.edit.is_some() {
            return valid.then_some(Action::TakeExpression).into_iter().chain([Action::NextControl]).collect();
        }
        let mut actions = Vec::new();
        if valid {
            actions.extend([Action::Up, Action::Down]);
        }
        actions.extend((valid && self.model.can_swap()).then_some(Action::Mapping));
        actions.push(Action::Expression);
        actions.extend((self.model.k > 0).then_some(Action::StepBack));
        actions.extend((self.model.k < MAX_K).then_some(Action::StepForward));
        actions.extend(valid.then_some(Action::Play));
        actions.extend(self.lane.is_some().then_some(Action::Restart));
        actions
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        if let Some(edit) = &mut self.model.edit {
            match action {
                Action::TakeExpression => self.model.edit = None,
                _ => edit.turn(),
            }
            return Vec::new();
        }
        self.pace.run(action == Action::Play && !self.pace.runs());
        match action {
            Action::Down => self.go(1),
            Action::Up => self.go(31),
            Action::Play if self.lane.is_none_or(|lane| lane == 31) => self.lane = Some(0),
            Action::Mapping => self.model.swapped = !self.model.swapped,
            Action::StepForward => self.model.k += 1,
            Action::StepBack => self.model.k -= 1,
            Action::Restart => self.lane = None,
            Action::Expression => {
                // The editor starts with the expressions that are shown, so the swap becomes part of them.
                let view = self.model.mapped();
                (self.model.view, self.model.swapped) = (view, false);
                let view = &self.model.view;
                self.model.edit = Some(Expressions::new(&view.row, &view.column, Index::Row));
            }
            _ => {}
        }
        Vec::new()
    }

    fn editing(&self) -> bool {
        self.model.edit.is_some()
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let valid = self.valid();
        if let Some(edit) = &mut self.model.edit {
            let typed = edit.key(key, valid);
            self.typed(typed);
        }
        Vec::new()
    }

    fn click(&mut self, _: Position, _: Rect) -> Vec<Effect> {
        self.act(Action::Down)
    }

    fn animating(&self) -> bool {
        self.pace.runs()
    }

    fn tick(&mut self, now: Duration) -> bool {
        if !self.pace.due(now) {
            return false;
        }
        self.go(1);
        self.pace.run(self.lane != Some(31));
        true
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(&self.model, self.lane, frame, area, look);
    }

    fn min_height(&self, width: u16) -> u16 {
        draw::height(&self.model, self.lane, width)
    }

    fn describe(&self) -> Vec<String> {
        let model = &self.model;
        let mut sentences = vec![t!("coalescing-rows-of", pitch = model.view.pitch, k = model.k)];
        for access in model.accesses() {
            match model.picture(&access) {
                Err(error) => sentences.push(t!("coalescing-broken", field = error.field, why = error.message)),
                Ok(picture) => {
                    sentences.push(format!("{}: {}.", access.element(), draw::verdict(&picture)));
                    sentences.push(draw::share(&picture));
                    sentences.push(draw::place(&access, &picture, self.lane));
                    for sector in &picture.sectors {
                        let mask = sector.words.iter().fold(0u32, |all, lanes| all | lanes);
                        let (first, used, n) = (sector.index * 32, sector.used(), mask.count_ones());
                        let lanes = lanes(mask, 8);
                        sentences.push(t!("coalescing-one-sector", first, n, lanes, used));
                    }
                }
            }
        }
        sentences
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![
            ("│ │", t!("coalescing-legend-sector")),
            ("0…9 a…v", t!("coalescing-legend-lane")),
            ("*", t!("coalescing-legend-shared")),
            ("·", t!("coalescing-legend-vain")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::checks::{press, screen};
    use super::model::tests::view;
    use super::*;

    #[test]
    fn a_typed_expression_is_accepted_only_if_it_is_valid() {
        let mut access = Coalescing::new(&view("0", "tx"));
        access.act(Action::Expression);
        press(&mut access, "⇥*n⏎");
        assert!(access.editing() && screen(&access, (80, 24)).contains("Unknown name `n`"));
        press(&mut access, "⌫2⏎");
        assert!(!access.editing());
        let drawing = screen(&access, (80, 24));
        assert!(drawing.contains(&t!("coalescing-more-than", n = 8, ideal = 4)), "{drawing}");
    }

    #[test]
    fn the_legend_names_the_lanes_as_they_are_drawn() {
        let access = Coalescing::new(&view("ty", "tx"));
        assert!(screen(&access, (116, 30)).contains("0…31") && !screen(&access, (116, 30)).contains("a…v"));
        assert!(screen(&Coalescing::new(&view("tx", "0")), (60, 14)).contains("0…9 a…v"));
    }

    #[test]
    fn the_mapping_makes_four_sectors_of_thirty_two() {
        let mut access = Coalescing::new(&view("ty", "tx"));
        let coalesced = screen(&access, (60, 12));
        assert!(coalesced.contains("4 sectors") && coalesced.contains("128 of 128 bytes"), "{coalesced}");
        access.act(Action::Mapping);
        let strided = screen(&access, (60, 12));
        assert!(strided.contains("32 sectors") && strided.contains("128 of 1024 bytes"), "{strided}");
    }
}
