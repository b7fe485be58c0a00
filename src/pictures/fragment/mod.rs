/*! The fragment viewer: which lane of a warp holds which element of a matrix, both ways.

The arrows choose an element, `[` and `]` a lane, and `o` the next matrix: A, B and C of `mma.m16n8k16`, the matrices
that `ldmatrix` loads, and D of `wgmma`. The emulator knows which lane holds an element ([`ptx_emulator::Fragment`]).
*/

mod draw;
mod model;

use super::Picture;
use crate::Effect;
use crate::action::Action;
use crate::look::Look;
use model::Spread;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use tutor_base::t;
use tutor_course::FragmentView as View;

/// A matrix that is distributed over the lanes of a warp.
#[derive(Debug)]
pub(crate) struct Fragment {
    spread: Spread,
}

impl Fragment {
    pub(crate) fn new(view: &View) -> Self {
        Self { spread: Spread::new(view) }
    }
}

impl Picture for Fragment {
    fn name(&self) -> String {
        t!("pictures-name-fragment")
    }

    fn actions(&self) -> Vec<Action> {
        let moves = [Action::Left, Action::Down, Action::Up, Action::Right];
        let lanes = [Action::PreviousLane, Action::NextLane, Action::NextOperand];
        [moves.as_slice(), &lanes].concat()
    }

    /// Applies an action. Moves wrap around at the edges.
    fn act(&mut self, action: Action) -> Vec<Effect> {
        let spread = &mut self.spread;
        let ((rows, columns), (row, column), lane) = (spread.extent(), (spread.row, spread.column), spread.held().lane);
        match action {
            Action::Left => spread.choose(row, column + columns - 1),
            Action::Right => spread.choose(row, column + 1),
            Action::Up => spread.choose(row + rows - 1, column),
            Action::Down => spread.choose(row + 1, column),
            Action::PreviousLane => spread.choose_lane(lane + 31),
            Action::NextLane => spread.choose_lane(lane + 1),
            Action::NextOperand => spread.next_operand(),
            _ => {}
        }
        Vec::new()
    }

    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        if let Some((row, column)) = draw::hit(&self.spread, at, area) {
            self.spread.choose(row, column);
        }
        Vec::new()
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(&self.spread, frame, area, look);
    }

    fn min_height(&self, width: u16) -> u16 {
        draw::height(&self.spread, width)
    }

    fn describe(&self) -> Vec<String> {
        let what = format!("{}.", draw::what(&self.spread));
        std::iter::once(what).chain(super::sheet::describe(|sheet| draw::words(&self.spread, sheet))).collect()
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("0…31", t!("fragment-sign-lane")), ("[", t!("fragment-sign-chosen"))]
    }
}
