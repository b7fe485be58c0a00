//! The matrix that is looked at, and the element that is chosen; where it is held, the emulator says.

use super::super::control::next_in_cycle;
use ptx_emulator::{Fragment, Held};
use tutor_course::{FragmentOperand, FragmentView};

/// Columns of `wgmma`'s D that are drawn; those behind go on alike.
const GROUP_COLUMNS: u32 = 16;

/// What can be looked at, in the order in which the keys go through it.
pub(super) const OPERANDS: [FragmentOperand; 6] = [
    FragmentOperand::A,
    FragmentOperand::B,
    FragmentOperand::C,
    FragmentOperand::Ldmatrix,
    FragmentOperand::LdmatrixTrans,
    FragmentOperand::Wgmma,
];

/// A matrix, spread over the lanes of a warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spread {
    pub(super) operand: FragmentOperand,
    pub(super) row: u32,
    pub(super) column: u32,
}

impl Spread {
    /// The page's matrix, the first element of its lane chosen.
    pub(super) fn new(view: &FragmentView) -> Self {
        let mut spread = Self { operand: view.of, row: 0, column: 0 };
        spread.choose_lane(view.lane);
        spread
    }

    /// The matrix as the emulator knows it.
    pub(super) fn fragment(&self) -> Fragment {
        match self.operand {
            FragmentOperand::A => Fragment::A,
            FragmentOperand::B => Fragment::B,
            FragmentOperand::C => Fragment::C,
            FragmentOperand::Ldmatrix => Fragment::Matrices { transposed: false },
            FragmentOperand::LdmatrixTrans => Fragment::Matrices { transposed: true },
            FragmentOperand::Wgmma => Fragment::Group { columns: GROUP_COLUMNS },
        }
    }

    /// Rows and columns.
    pub(super) fn extent(&self) -> (u32, u32) {
        self.fragment().extent()
    }

    /// Where the chosen element is held.
    pub(super) fn held(&self) -> Held {
        self.held_at(self.row, self.column)
    }

    /// Where an element is held.
    pub(super) fn held_at(&self, row: u32, column: u32) -> Held {
        self.fragment().held(row, column).unwrap_or(Held { lane: 0, register: 0, part: 0 })
    }

    /// The elements of a lane by register.
    pub(super) fn registers(&self, lane: u32) -> Vec<Vec<(u32, u32)>> {
        let fragment = self.fragment();
        let element = |register, part| fragment.element(Held { lane, register, part });
        let register = |register| (0..fragment.parts()).map(|part| element(register, part)).collect();
        (0..fragment.registers()).map(register).collect()
    }

    /// Chooses an element; the choice goes round at the edges.
    pub(super) fn choose(&mut self, row: u32, column: u32) {
        let (rows, columns) = self.extent();
        (self.row, self.column) = (row % rows, column % columns);
    }

    /// Chooses the first element of a lane.
    pub(super) fn choose_lane(&mut self, lane: u32) {
        (self.row, self.column) = self.fragment().element(Held { lane: lane % 32, register: 0, part: 0 });
    }

    /// Looks at the next matrix; the lane stays.
    pub(super) fn next_operand(&mut self) {
        let lane = self.held().lane;
        self.operand = next_in_cycle(&OPERANDS, self.operand, true);
        self.choose_lane(lane);
    }

    /// Whether lanes name rows in shared memory for it.
    pub(super) fn is_loaded(&self) -> bool {
        matches!(self.operand, FragmentOperand::Ldmatrix | FragmentOperand::LdmatrixTrans)
    }

    /// What the matrix is called in code.
    pub(super) fn name(&self) -> &'static str {
        match self.operand {
            FragmentOperand::A => "A",
            FragmentOperand::B => "B",
            FragmentOperand::C => "C",
            FragmentOperand::Ldmatrix | FragmentOperand::LdmatrixTrans => "M",
            FragmentOperand::Wgmma => "D",
        }
    }

    /// What its registers are called.
    pub(super) fn register_name(&self) -> char {
        match self.operand {
            FragmentOperand::A => 'a',
            FragmentOperand::B => 'b',
            FragmentOperand::C => 'c',
            FragmentOperand::Ldmatrix | FragmentOperand::LdmatrixTrans => 'r',
            FragmentOperand::Wgmma => 'd',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(of: FragmentOperand, lane: u32) -> Spread {
        Spread::new(&FragmentView { of, lane })
    }

    #[test]
    fn a_lane_and_its_elements_are_found_both_ways() {
        let mut a = spread(FragmentOperand::A, 9);
        assert_eq!((a.row, a.column), (2, 2));
        let elements = [[(2, 2), (2, 3)], [(10, 2), (10, 3)], [(2, 10), (2, 11)], [(10, 10), (10, 11)]];
        assert_eq!(a.registers(9), elements);
        a.choose(3, 12);
        assert_eq!(a.held(), Held { lane: 14, register: 2, part: 0 });
        let b = spread(FragmentOperand::B, 9);
        assert_eq!(b.registers(9), [[(2, 2), (3, 2)], [(10, 2), (11, 2)]]);
    }

    #[test]
    fn the_rules_that_are_said_are_those_of_the_emulator() {
        for operand in OPERANDS {
            let spread = spread(operand, 0);
            for held in spread.fragment().places() {
                let (row, column) = spread.fragment().element(held);
                let (group, pair) = match operand {
                    FragmentOperand::B | FragmentOperand::LdmatrixTrans => (column % 8, row % 8),
                    _ => (row % 8, column % 8),
                };
                assert_eq!((group, pair / 2), (held.lane / 4, held.lane % 4), "{operand:?}");
            }
        }
    }

    #[test]
    fn the_lane_stays_from_matrix_to_matrix() {
        let mut spread = spread(FragmentOperand::A, 21);
        for operand in OPERANDS {
            assert_eq!((spread.operand, spread.held().lane), (operand, 21));
            spread.next_operand();
        }
        assert_eq!(spread.operand, FragmentOperand::A);
    }
}
