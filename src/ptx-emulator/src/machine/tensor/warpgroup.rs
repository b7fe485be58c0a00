//! `wgmma`: each warp of a group of four computes sixteen of the 64 rows.
//!
//! The hardware computes asynchronously until `wgmma.wait_group`. A program must not read the accumulators before that.
//! If it does, the assembler makes it wait. So the emulator computes them at once.
//!
//! One error remains possible on the hardware: a program overwrites the operands in shared memory too early. So the
//! machine reports to probes that the operands are read asynchronously until the wait. A warp that waits for its group
//! also waits until the other three warps have executed the same products. Then one thread of the four warps may
//! announce that the operands are free.

use super::descriptor::Descriptor;
use super::integer_mma::{self, Join};
use super::mma::{Scratch, rounding, spread};
use super::sparse;
use crate::arith::Registers;
use crate::arith::tensor::{Accumulator, Format};
use crate::machine::async_copy::Next;
use crate::machine::state::{Machine, Warp};
use crate::probes::{AsyncAccess, Engine, Probe};
use crate::program::tensor::{Group, Tensor};
use crate::{Fault, FaultKind};

/// Rows that a warp computes.
pub(super) const ROWS: usize = 16;
/// Number of recent groups per warp whose ends are known. A wait for an older group does not wait for other warps.
const GROUPS: usize = 8;

/// Location of an instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Issue {
    pub(super) at: usize,
    pub(super) warp: usize,
}

/// Part of an operand: rows of A or columns of B, starting at `first`, and the target of their elements.
#[derive(Debug, Clone, Copy)]
struct Tile {
    first: usize,
    count: usize,
    depth: usize,
    /// Distances in the target between neighbours across and along the depth.
    across: usize,
    along: usize,
}

impl<P: Probe> Machine<'_, P> {
    /// Runs `wgmma.mma_async` for a warp.
    pub(super) fn warpgroup(
        &mut self,
        issue: Issue,
        group: Group,
        tensor: &Tensor,
        file: Registers,
    ) -> Result<(), Box<Fault>> {
        self.with_warpgroup(issue.at, issue.warp, "`wgmma`")?;
        let mut scratch = std::mem::take(&mut self.scratch);
        let done = if P::PRODUCTS { self.group_product(&mut scratch, issue, group, tensor, file) } else { Ok(()) };
        self.scratch = scratch;
        let products = &mut self.block.warps[issue.warp].products;
        *products = products.wrapping_add(1);
        done
    }

    fn group_product(
        &mut self,
        scratch: &mut Scratch,
        issue: Issue,
        group: Group,
        tensor: &Tensor,
        file: Registers,
    ) -> Result<(), Box<Fault>> {
        let (columns, depth) = (group.columns as usize, group.depth as usize);
        let stored = if group.sparse.is_some() { depth / 2 } else { depth };
        let (from_a, rest) = tensor.reads.split_at(if group.a_registers { 4 } else { 1 });
        let [from_b, scale, from_c @ ..] = rest else { return Ok(()) };
        let b = file.lane(*from_b, true, 0);
        let accumulates = file.predicate(*scale) & 1 == 1;
        scratch.set_places(group.sparse, group.a, stored, tensor.reads.last(), file);
        scratch.bits.clear();
        scratch.bits.resize(ROWS * stored, 0);
        if group.a_registers {
            for (r, slot) in from_a.iter().enumerate() {
                let row = &file.lanes(*slot);
                let first = (8 * (r % 2), 4 * group.a.each() as usize * (r / 2));
                spread(group.a, row, first, stored, &mut scratch.bits);
            }
        } else {
            let first = ROWS * (issue.warp % 4);
            let tile = Tile { first, count: ROWS, depth: stored, across: stored, along: 1 };
            let a = file.lane(from_a[0], true, 0);
            self.read_tile(issue, Descriptor::new(a, group.a_transposed), group.a, tile, &mut scratch.bits)?;
        }
        if group.negated {
            let sign = 1 << (group.a.bits() - 1);
            scratch.bits.iter_mut().for_each(|bits| *bits ^= sign);
        }
        let half = group.c == Accumulator::F16;
        scratch.c.clear();
        scratch.c.resize(ROWS * columns, 0);
        if accumulates {
            for (r, slot) in from_c.iter().enumerate().take(tensor.writes.len()) {
                let row = &file.lanes(*slot);
                for (lane, word) in row.iter().enumerate() {
                    let at = place(r, half, lane, columns);
                    if half {
                        (scratch.c[at], scratch.c[at + 1]) = (word & 0xffff, word >> 16);
                    } else {
                        scratch.c[at] = *word;
                    }
                }
            }
        }
        let tile = Tile { first: 0, count: columns, depth, across: 1, along: columns };
        let place_b = Descriptor::new(b, group.b_transposed);
        if let (Format::Float(a), Format::Float(b)) = (group.a, group.b) {
            let sum = rounding(a, b, group.c);
            scratch.a.set_rows(sum, &scratch.bits, stored);
            scratch.bits.resize(depth * columns, 0);
            self.read_tile(issue, place_b, group.b, tile, &mut scratch.bits)?;
            sparse::mix(stored, &mut scratch.places, columns, &mut scratch.bits);
            scratch.b.set_columns(sum, &scratch.bits, columns);
            scratch.multiply(sum, columns);
        } else {
            integer_mma::numbers(group.a, &mut scratch.bits);
            std::mem::swap(&mut scratch.left, &mut scratch.bits);
            scratch.bits.resize(depth * columns, 0);
            self.read_tile(issue, place_b, group.b, tile, &mut scratch.bits)?;
            integer_mma::numbers(group.b, &mut scratch.bits);
            let bits = group.a == Format::B1;
            scratch.multiply_whole(if bits { Join::And } else { Join::Numbers { saturate: group.saturate } }, columns);
        }
        for (r, slot) in tensor.writes.iter().enumerate() {
            let row = std::array::from_fn(|lane| {
                let at = place(r, half, lane, columns);
                if half { scratch.c[at] | scratch.c[at + 1] << 16 } else { scratch.c[at] }
            });
            file.set_lanes(*slot, row);
        }
        Ok(())
    }

    /// Reads elements of an operand from shared memory.
    fn read_tile(
        &mut self,
        issue: Issue,
        place: Descriptor,
        format: Format,
        tile: Tile,
        to: &mut [u32],
    ) -> Result<(), Box<Fault>> {
        let bytes = format.bits() / 8;
        let (along, across) = place.steps(bytes);
        let (along, across) = (along as usize, across as usize);
        // Adjacent units are reported to probes as one range.
        let mut run = (0u32, 0u32);
        for k in (0..tile.depth).step_by(along) {
            for x in (0..tile.count).step_by(across) {
                let at = place.unit((tile.first + x) as u32, k as u32, bytes);
                if u64::from(at) + 16 > self.setup.shared_bytes {
                    let what = format!(
                        "executes `wgmma`, which reads 16 bytes at byte {at} of shared memory, which has {} bytes",
                        self.setup.shared_bytes
                    );
                    return Err(self.fault(FaultKind::OutOfBounds, issue.at, issue.warp, 0, &what));
                }
                if self.setup.uninitialised_shared {
                    let flags = self.block.shared_written.get(at as usize..at as usize + 16).unwrap_or(&[]);
                    if let Some(byte) = flags.iter().position(|flag| *flag == 0) {
                        let byte = at as usize + byte;
                        let what = format!(
                            "executes `wgmma`, which reads byte {byte} of shared memory, which the block has not written"
                        );
                        return Err(self.fault(FaultKind::Uninitialised, issue.at, issue.warp, 0, &what));
                    }
                }
                if P::WATCHES {
                    if run.0 + run.1 != at {
                        self.read_asynchronously(issue, run);
                        run = (at, 0);
                    }
                    run.1 += 16;
                }
                let unit = self.block.shared[at as usize / 16].to_le_bytes();
                let step = if along > 1 { tile.along } else { tile.across };
                let first = x * tile.across + k * tile.along;
                for (j, element) in unit.chunks_exact(bytes as usize).enumerate() {
                    to[first + j * step] = match element {
                        [a] => u32::from(*a),
                        [a, b] => u32::from(u16::from_le_bytes([*a, *b])),
                        [a, b, c, d] => u32::from_le_bytes([*a, *b, *c, *d]),
                        _ => 0,
                    };
                }
            }
        }
        if P::WATCHES {
            self.read_asynchronously(issue, run);
        }
        Ok(())
    }

    fn read_asynchronously(&mut self, issue: Issue, (start, bytes): (u32, u32)) {
        if bytes == 0 {
            return;
        }
        let warp = issue.warp as u32;
        self.probe.asynchronous(&AsyncAccess {
            at: issue.at,
            rank: self.rank,
            warp,
            lane: 0,
            engine: Engine::Wgmma(warp),
            number: self.block.warps[issue.warp].groups + 1,
            writes: false,
            start,
            bytes,
            each: bytes,
            proxy: true,
            reduces: false,
        });
    }

    /// Runs `wgmma.commit_group`.
    pub(super) fn commit_group(&mut self, warp: usize) {
        let warp = &mut self.block.warps[warp];
        warp.groups = warp.groups.wrapping_add(1);
        warp.products_at[warp.groups as usize % GROUPS] = warp.products;
        self.progress += 1;
    }

    /// Runs `wgmma.wait_group`: waits for all groups except the newest `pending`. All four warps compute a product
    /// together, so no warp passes before all of them have executed it.
    pub(super) fn wait_group(&mut self, warp: usize, pending: u32) -> Next {
        let own = &self.block.warps[warp];
        let Some(number) = own.groups.checked_sub(pending).filter(|number| *number != 0) else { return Next::On };
        let first = warp / 4 * 4;
        if (pending as usize) < GROUPS {
            let wanted = own.products_at[number as usize % GROUPS];
            let mut others = self.block.warps.iter().skip(first).take(4);
            let lacks = |other: &Warp| wanted.wrapping_sub(other.products) as i32 > 0;
            if others.any(|other| other.live != 0 && lacks(other)) {
                return Next::Again;
            }
        }
        if P::WATCHES {
            for reader in first..first + 4 {
                self.probe.learns(warp as u32, u32::MAX, Engine::Wgmma(reader as u32), number);
            }
        }
        Next::On
    }
}

/// Returns the index of the first element of register `r` of C and D.
#[inline(always)]
pub(super) fn place(r: usize, half: bool, lane: usize, columns: usize) -> usize {
    let i = if half { 2 * r } else { r };
    (lane / 4 + 8 * (i / 2 % 2)) * columns + 8 * (i / 4) + 2 * (lane % 4) + i % 2
}
