/*! The fragment viewer: which lane of a warp holds which element of a matrix, both ways.

The arrows choose an element, `[` and `]` a lane, and `o` the next matrix: A, B and C of `mma.m16n8k16`, the matrices
that `ldmatrix` loads, and D of `wgmma`. The emulator knows which lane holds an element ([`ptx_emulator::Fragment`]).
*/

mod draw;

use super::control::next_in_cycle;
use crate::prelude::*;
use ptx_emulator::{Fragment, Held};
use tutor_course::{FragmentOperand, FragmentView};

/// Columns of `wgmma`'s D that are drawn. The pattern repeats after them.
const GROUP_COLUMNS: u32 = 16;

/// The matrices in the order in which a key steps through them.
const OPERANDS: [FragmentOperand; 6] = [
    FragmentOperand::A,
    FragmentOperand::B,
    FragmentOperand::C,
    FragmentOperand::Ldmatrix,
    FragmentOperand::LdmatrixTrans,
    FragmentOperand::Wgmma,
];

/// A matrix that is distributed over the lanes of a warp, and the chosen element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FragmentPicture {
    operand: FragmentOperand,
    row: u32,
    column: u32,
}

impl FragmentPicture {
    /// Creates the page's matrix with the first element of its lane chosen.
    pub(crate) fn new(view: &FragmentView) -> Self {
        let mut spread = Self { operand: view.of, row: 0, column: 0 };
        spread.choose_lane(view.lane);
        spread
    }

    /// Returns the emulator's description of the matrix.
    fn fragment(&self) -> Fragment {
        match self.operand {
            FragmentOperand::A => Fragment::A,
            FragmentOperand::B => Fragment::B,
            FragmentOperand::C => Fragment::C,
            FragmentOperand::Ldmatrix => Fragment::Matrices { transposed: false },
            FragmentOperand::LdmatrixTrans => Fragment::Matrices { transposed: true },
            FragmentOperand::Wgmma => Fragment::Group { columns: GROUP_COLUMNS },
        }
    }

    /// Returns the number of rows and columns.
    fn extent(&self) -> (u32, u32) {
        self.fragment().extent()
    }

    /// Returns the location of the chosen element.
    fn held(&self) -> Held {
        self.held_at(self.row, self.column)
    }

    /// Returns the lane, register and part that hold an element.
    fn held_at(&self, row: u32, column: u32) -> Held {
        self.fragment().held(row, column).unwrap_or(Held { lane: 0, register: 0, part: 0 })
    }

    /// Returns the elements of each register of a lane.
    fn registers(&self, lane: u32) -> Vec<Vec<(u32, u32)>> {
        let fragment = self.fragment();
        let element = |register, part| fragment.element(Held { lane, register, part });
        let register = |register| (0..fragment.parts()).map(|part| element(register, part)).collect();
        (0..fragment.registers()).map(register).collect()
    }

    /// Chooses an element. Indices wrap around at the edges.
    fn choose(&mut self, row: u32, column: u32) {
        let (rows, columns) = self.extent();
        (self.row, self.column) = (row % rows, column % columns);
    }

    /// Chooses the first element of a lane.
    fn choose_lane(&mut self, lane: u32) {
        (self.row, self.column) = self.fragment().element(Held { lane: lane % 32, register: 0, part: 0 });
    }

    /// Switches to the next matrix and keeps the lane.
    fn next_operand(&mut self) {
        let lane = self.held().lane;
        self.operand = next_in_cycle(&OPERANDS, self.operand, true);
        self.choose_lane(lane);
    }

    /// True if lanes provide row addresses in shared memory for this matrix (`ldmatrix`).
    fn is_loaded(&self) -> bool {
        matches!(self.operand, FragmentOperand::Ldmatrix | FragmentOperand::LdmatrixTrans)
    }

    /// Returns the name of the matrix in code.
    fn name(&self) -> &'static str {
        match self.operand {
            FragmentOperand::A => "A",
            FragmentOperand::B => "B",
            FragmentOperand::C => "C",
            FragmentOperand::Ldmatrix | FragmentOperand::LdmatrixTrans => "M",
            FragmentOperand::Wgmma => "D",
        }
    }

    /// Returns the name of its registers.
    fn register_name(&self) -> char {
        match self.operand {
            FragmentOperand::A => 'a',
            FragmentOperand::B => 'b',
            FragmentOperand::C => 'c',
            FragmentOperand::Ldmatrix | FragmentOperand::LdmatrixTrans => 'r',
            FragmentOperand::Wgmma => 'd',
        }
    }
}

impl Picture for FragmentPicture {
    fn kind(&self) -> &'static str {
        "fragment"
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

    crate::picture::drawn!();

    fn describe(&self) -> Vec<String> {
        let what = format!("{}.", draw::what(self));
        std::iter::once(what).chain(ui_kit::sheet::describe(|sheet| draw::words(self, sheet))).collect()
    }
}
