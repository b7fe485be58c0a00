/*! The fragment viewer: which lane of a warp holds which element of a matrix, both ways.

The arrows choose an element, `[` and `]` a lane, and `o` the next matrix: A, B and C of `mma.m16n8k16`, the matrices
that `ldmatrix` loads, and D of `wgmma`. The emulator knows which lane holds an element ([`ptx_emulator::Fragment`]).
*/

mod draw;
mod model;

pub(super) use model::FragmentPicture;

use crate::prelude::*;

impl Picture for FragmentPicture {
    fn name(&self) -> String {
        t!("pictures-name-fragment")
    }

    fn actions(&self) -> Vec<Action> {
        let moves = [Action::Left, Action::Down, Action::Up, Action::Right];
        let lanes = [Action::PreviousLane, Action::NextLane, Action::NextOperand];
        [moves.as_slice(), &lanes].concat()
    }

    /// Applies an action. Moves wrap around at the edges.
    fn perform(&mut self, action: Action) -> Vec<Effect> {
        let ((rows, columns), (row, column), lane) = (self.extent(), (self.row, self.column), self.held().lane);
        match action {
            Action::Left => self.choose(row, column + columns - 1),
            Action::Right => self.choose(row, column + 1),
            Action::Up => self.choose(row + rows - 1, column),
            Action::Down => self.choose(row + 1, column),
            Action::PreviousLane => self.choose_lane(lane + 31),
            Action::NextLane => self.choose_lane(lane + 1),
            Action::NextOperand => self.next_operand(),
            _ => {}
        }
        Vec::new()
    }

    fn click(&mut self, at: Position, area: Rect) -> Vec<Effect> {
        if let Some((row, column)) = draw::hit(self, at, area) {
            self.choose(row, column);
        }
        Vec::new()
    }

    fn render(&self, frame: &mut Frame, area: Rect, look: &Look) {
        draw::draw(self, frame, area, look);
    }

    fn min_height(&self, width: u16) -> u16 {
        draw::height(self, width)
    }

    fn describe(&self) -> Vec<String> {
        let what = format!("{}.", draw::what(self));
        std::iter::once(what).chain(ui_kit::sheet::describe(|sheet| draw::words(self, sheet))).collect()
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        vec![("0…31", t!("fragment-sign-lane")), ("[", t!("fragment-sign-chosen"))]
    }
}
