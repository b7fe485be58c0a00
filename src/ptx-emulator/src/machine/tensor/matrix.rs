//! `ldmatrix`, `stmatrix`, `movmatrix`: 8×8 matrices of 16-bit elements.
//!
//! Lane `8i + r` gives the address of row `r` of matrix `i`. A row is 16 bytes. In registers, lane `4r + p` holds the
//! elements `2p` and `2p + 1` of row `r`, or of column `r` if the instruction transposes the matrix.

use crate::arith::Registers;
use crate::machine::access::{Where, addresses, seen};
use crate::machine::lanes::lanes_of;
use crate::machine::state::{Machine, bytes_of};
use crate::probes::AddressPattern;
use crate::probes::Probe;
use crate::program::tensor::{Matrices, Tensor};
use crate::program::{Access, Inst};
use crate::{Fault, FaultKind, Rule};

/// Returns a matrix held by the lanes, transposed.
fn transposed(row: &[u32; 32]) -> [u32; 32] {
    let element = |r: usize, c: usize| row[4 * r + c / 2] >> (16 * (c % 2)) & 0xffff;
    std::array::from_fn(|lane| {
        let (r, p) = (lane / 4, lane % 4);
        element(2 * p, r) | element(2 * p + 1, r) << 16
    })
}

/// Returns which element of an 8×8 matrix, counted row by row, is part `part` of a lane's word. It transposes a matrix
/// whose elements are their own numbers.
pub(super) fn element(transposed: bool, lane: usize, part: u32) -> usize {
    let numbers = std::array::from_fn(|word| ((2 * word) | ((2 * word + 1) << 16)) as u32);
    let held = if transposed { self::transposed(&numbers) } else { numbers };
    held.get(lane).map_or(0, |word| (word >> (16 * part) & 0xffff) as usize)
}

/// Runs `movmatrix`.
pub(super) fn transpose(file: Registers, tensor: &Tensor) {
    if let (Some(d), Some(a)) = (tensor.writes.first(), tensor.reads.first()) {
        file.set_lanes(*d, transposed(&file.lanes(*a)));
    }
}

impl<P: Probe> Machine<'_, P> {
    /// Runs `ldmatrix` or `stmatrix`; all lanes are active.
    #[inline(never)]
    pub(crate) fn matrix(&mut self, at: usize, warp: usize, inst: &Inst, file: Registers) -> Result<(), Box<Fault>> {
        let access = &self.setup.program.accesses[inst.x as usize];
        let mut patterns = std::mem::take(&mut self.block.warps[warp].patterns);
        let done = self.matrix_at(at, warp, inst, &mut patterns[access.pattern as usize], file);
        self.block.warps[warp].patterns = patterns;
        done
    }

    fn matrix_at(
        &mut self,
        at: usize,
        warp: usize,
        inst: &Inst,
        pattern: &mut AddressPattern,
        file: Registers,
    ) -> Result<(), Box<Fault>> {
        let access = &self.setup.program.accesses[inst.x as usize];
        let form = Matrices::unpack(inst.imm);
        let mask = form.lanes();
        if P::COUNTS || P::TRACES {
            self.probe.request(at);
        }
        let address = addresses(file, access.base, access.base_wide);
        if !pattern.valid || pattern.mask != mask {
            pattern.rescan(&address, mask, self.near_bytes);
        }
        let Where::Shared(start) = self.find(pattern, access) else {
            return Err(self.wrong_matrix(at, warp, access, &address, mask));
        };
        if P::WATCHES && self.setup.program.target.sm <= 75 && mask != u32::MAX {
            self.check_other_rows(at, warp, access, &address, !mask);
        }
        if (P::COUNTS || P::WATCHES) && access.writes {
            self.probe.shared(&mut seen(at, warp, inst, mask, start, pattern, access, file));
        }
        if self.setup.uninitialised_shared {
            self.shared_flags(at, warp, pattern, access, start, mask)?;
        }
        let shared = bytes_of(&mut self.block.shared);
        for (matrix, slot) in access.rows.iter().enumerate().take(form.count as usize) {
            let of_row = |r: usize| start.wrapping_add(pattern.relative[8 * matrix + r] as u64) as usize;
            let mut all = if access.writes { file.lanes(*slot) } else { [0; 32] };
            if access.writes && form.transposed {
                all = transposed(&all);
            }
            for (r, words) in all.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                for (word, bytes) in words.iter_mut().zip(shared[of_row(r)..][..16].as_chunks_mut::<4>().0) {
                    if access.writes { *bytes = word.to_le_bytes() } else { *word = u32::from_le_bytes(*bytes) }
                }
            }
            if !access.writes {
                file.set_lanes(*slot, if form.transposed { transposed(&all) } else { all });
            }
        }
        if (P::COUNTS || P::WATCHES) && !access.writes {
            self.probe.shared(&mut seen(at, warp, inst, mask, start, pattern, access, file));
        }
        Ok(())
    }

    /// Reports the first invalid row among those that the instruction does not read.
    #[cold]
    fn check_other_rows(&mut self, at: usize, warp: usize, access: &Access, address: &[u64; 32], mask: u32) {
        let invalid = lanes_of(mask).find(|lane| {
            let mut pattern = AddressPattern::default();
            pattern.rescan(address, 1 << lane, self.near_bytes);
            !matches!(self.find(&pattern, access), Where::Shared(_))
        });
        if let Some(lane) = invalid {
            let detail = || format!("Lane {lane} gives {:#x}", address[lane as usize & 31]);
            self.probe.undefined(Rule::MatrixAddress, at, warp as u32, lane, &detail);
        }
    }

    /// Returns the fault of the first invalid row.
    #[cold]
    fn wrong_matrix(&self, at: usize, warp: usize, access: &Access, address: &[u64; 32], mask: u32) -> Box<Fault> {
        for lane in (0..32u32).filter(|lane| mask & (1 << lane) != 0) {
            let mut pattern = AddressPattern::default();
            pattern.rescan(address, 1 << lane, self.near_bytes);
            match self.find(&pattern, access) {
                Where::Shared(_) => {}
                Where::Unclear => return self.wrong(at, warp, lane, access, address[lane as usize]),
                Where::Global(_) | Where::Local(_) => {
                    let what = "gives the address of a row outside shared memory";
                    return self.fault(FaultKind::OutOfBounds, at, warp, lane, what);
                }
            }
        }
        let what = "gives addresses of rows that are too far apart";
        self.fault(FaultKind::OutOfBounds, at, warp, 0, what)
    }
}
