//! Which lane holds which element of a matrix, in the layouts that this folder's instructions read and write.

use super::{matrix, mma, warpgroup};
use crate::arith::tensor::{Accumulator, Float, Format};
use crate::program::tensor::Form;

const LANES: u32 = 32;

/// A matrix that the lanes of a warp hold together in their registers.
///
/// ```
/// use ptx_emulator::{Fragment, Held};
///
/// let held = Fragment::A.held(3, 12);
/// assert_eq!(held, Some(Held { lane: 14, register: 2, part: 0 }));
/// assert_eq!(Fragment::A.element(Held { lane: 14, register: 2, part: 1 }), (3, 13));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fragment {
    /// A of `mma.m16n8k16`: 16×16 elements of 16 bits.
    A,
    /// B of `mma.m16n8k16`: 16×8 elements of 16 bits.
    B,
    /// C and D of `mma.m16n8k16`: 16×8 elements of 32 bits.
    C,
    /// Result of `ldmatrix.x4`: four matrices of 8×8 elements of 16 bits. The second is below the first, and the others
    /// are to their right.
    Matrices {
        /// True if `.trans` is set.
        transposed: bool,
    },
    /// A warp's sixteen rows of D of `wgmma`: elements of 32 bits.
    Group {
        /// Columns of D, a multiple of 8.
        columns: u32,
    },
}

/// The lane and register that hold an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Held {
    /// The lane.
    pub lane: u32,
    /// Index of the register among the lane's registers for this matrix.
    pub register: u32,
    /// Index of the element in the register, starting at the lowest bits.
    pub part: u32,
}

impl Fragment {
    /// Returns the rows and columns of the matrix.
    pub fn extent(self) -> (u32, u32) {
        match self {
            Self::A | Self::Matrices { .. } => (16, 16),
            Self::B | Self::C => (16, mma::COLUMNS as u32),
            Self::Group { columns } => (warpgroup::ROWS as u32, columns),
        }
    }

    /// Returns the number of elements per register.
    pub fn parts(self) -> u32 {
        match self {
            Self::A | Self::B | Self::Matrices { .. } => 2,
            Self::C | Self::Group { .. } => 1,
        }
    }

    /// Returns the number of registers per lane.
    pub fn registers(self) -> u32 {
        let (rows, columns) = self.extent();
        rows * columns / (LANES * self.parts())
    }

    /// Returns row and column of the element held there.
    pub fn element(self, Held { lane, register, part }: Held) -> (u32, u32) {
        let (lane, register) = ((lane % LANES) as usize, register as usize);
        let form = Form::new(16, 16, Format::Float(Float::BF16), Format::Float(Float::BF16), Accumulator::F32);
        let (row, column) = match self {
            Self::A => {
                let (row, column) = mma::place_a(form, register, lane);
                (row, column + part as usize)
            }
            Self::B => {
                let (row, column) = mma::place_b(form, register, lane);
                (row + part as usize, column)
            }
            Self::C => mma::place_c(register, lane),
            Self::Matrices { transposed } => {
                let at = matrix::element(transposed, lane, part);
                (8 * (register % 2) + at / 8, 8 * (register / 2) + at % 8)
            }
            Self::Group { columns } => {
                let columns = (columns as usize).max(1);
                let at = warpgroup::place(register, false, lane, columns);
                (at / columns, at % columns)
            }
        };
        (row as u32, column as u32)
    }

    /// Returns which lane and register hold an element. `None` outside the matrix.
    pub fn held(self, row: u32, column: u32) -> Option<Held> {
        self.places().find(|held| self.element(*held) == (row, column))
    }

    /// Returns all places that hold an element, lane by lane.
    pub fn places(self) -> impl Iterator<Item = Held> {
        let (registers, parts) = (self.registers(), self.parts());
        (0..LANES * registers * parts).map(move |at| Held {
            lane: at / (registers * parts),
            register: at / parts % registers,
            part: at % parts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Fragment; 6] = [
        Fragment::A,
        Fragment::B,
        Fragment::C,
        Fragment::Matrices { transposed: false },
        Fragment::Matrices { transposed: true },
        Fragment::Group { columns: 16 },
    ];

    #[test]
    fn each_element_is_held_once() {
        for fragment in ALL {
            let (rows, columns) = fragment.extent();
            let mut elements: Vec<(u32, u32)> = fragment.places().map(|held| fragment.element(held)).collect();
            elements.sort_unstable();
            let expected: Vec<(u32, u32)> = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))).collect();
            assert_eq!(elements, expected, "{fragment:?}");
            for (row, column) in elements {
                assert_eq!(fragment.held(row, column).map(|held| fragment.element(held)), Some((row, column)));
            }
            assert_eq!(fragment.held(rows, 0), None);
        }
    }

    #[test]
    fn what_ldmatrix_brings_is_what_mma_takes() {
        let loaded = Fragment::Matrices { transposed: false };
        assert!(Fragment::A.places().all(|held| loaded.element(held) == Fragment::A.element(held)));
        let transposed = Fragment::Matrices { transposed: true };
        assert!(Fragment::B.places().all(|held| transposed.element(held) == Fragment::B.element(held)));
    }

    #[test]
    fn a_warp_of_wgmma_holds_what_two_products_side_by_side_hold() {
        let group = Fragment::Group { columns: 16 };
        for held in Fragment::C.places() {
            let (row, column) = Fragment::C.element(held);
            assert_eq!(group.element(held), (row, column));
            assert_eq!(group.element(Held { register: held.register + 4, ..held }), (row, column + 8));
        }
    }
}
