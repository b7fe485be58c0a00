//! Runs the products of fused regions (see [`crate::fuse`]), and loops of them. All 32 lanes are active, and no
//! instruction has a guard.

use super::access::{refresh_pattern, seen};
use super::fused::ALL;
use super::state::Machine;
use crate::arith::Registers;
use crate::arith::float::canonical;
use crate::arith::fma::fma8;
use crate::cost::Direction;
use crate::probes::AddressPattern;
use crate::probes::Probe;
use crate::probes::address_pattern::{Group, Spacing};
use crate::program::Inst;
use crate::program::fused::{AddressRow, FusedRegion, Kept, Product};

impl<P: Probe> Machine<'_, P> {
    /// Runs a product. Returns false, having done nothing, unless the fast path applies (see [`crate::machine`]).
    ///
    /// # Safety
    /// As for [`Machine::run_fused_region`].
    #[inline(always)]
    pub(super) unsafe fn product(
        &mut self,
        warp: usize,
        index: u32,
        file: Registers,
        patterns: *mut AddressPattern,
    ) -> bool {
        let product = &self.setup.program.products[index as usize];
        // SAFETY: the caller guarantees the contract, and `ready` has checked the bounds.
        unsafe {
            if !self.ready(product, file, patterns) {
                return false;
            }
            if P::COUNTS {
                self.report_loads(warp, index, [0; 2], file, patterns);
            }
            self.work(product, file, patterns).run::<false>(1, [0; 2]);
        }
        true
    }

    /// Runs rounds of a product loop: as many as stay inside shared memory and may run before the next check of limits.
    /// Returns whether all lanes branch back for another round. Returns `None`, having done nothing, unless the fast
    /// path applies to at least two rounds.
    ///
    /// # Safety
    /// As for [`Machine::run_fused_region`], whose region is the loop.
    #[inline(always)]
    pub(super) unsafe fn run_product_loop(
        &mut self,
        warp: usize,
        run: &FusedRegion,
        file: Registers,
        patterns: *mut AddressPattern,
    ) -> Option<bool> {
        let product_loop = run.product_loop.as_ref()?;
        let product = &self.setup.program.products[product_loop.product as usize];
        // SAFETY: the caller guarantees the contract, and the bounds of all rounds are checked.
        unsafe {
            if !self.ready(product, file, patterns) {
                return None;
            }
            let most = |source: &AddressRow, range, step| inside(&*patterns.add(source.pattern as usize), range, step);
            let [x_step, y_step] = product_loop.steps;
            let most = most(&product.x, product.x_range, x_step).min(most(&product.y, product.y_range, y_step));
            if most < 2 {
                return None;
            }
            // Take the pointers before the addresses move. The values are read later, when the number of rounds is
            // known. Nothing writes them in between.
            let work = self.work(product, file, patterns);
            let at_once = |source: &AddressRow, step: i32| {
                if product_loop.moves.iter().any(|moved| moved.address == *source) { i64::from(step) } else { 0 }
            };
            let shifts = [at_once(&product.x, x_step), at_once(&product.y, y_step)];
            let mut rounds = 0;
            let again = loop {
                if P::COUNTS {
                    self.report_loads(
                        warp,
                        product_loop.product,
                        shifts.map(|shift| shift * rounds as i64),
                        file,
                        patterns,
                    );
                }
                for step in &product_loop.control {
                    self.in_registers(step, file, patterns);
                }
                rounds += 1;
                if !self.take_back_edge(run, file) {
                    break false;
                }
                if rounds == most {
                    break true;
                }
            };
            for moved in &product_loop.moves {
                let by = i64::from(moved.by).wrapping_mul(rounds as i64);
                add(file, &moved.address, by);
                (*patterns.add(moved.address.pattern as usize)).advance(by, moved.address.wide);
            }
            work.run::<true>(rounds, product_loop.steps);
            Some(again)
        }
    }

    /// True if the fast path applies to every load of a product (see [`crate::machine`]).
    ///
    /// # Safety
    /// As for [`Machine::run_fused_region`].
    #[inline(always)]
    unsafe fn ready(&self, product: &Product, file: Registers, patterns: *mut AddressPattern) -> bool {
        let ready = |source: &AddressRow, [low, high]: [i32; 2]| {
            // SAFETY: slots and patterns are verified for this file. `x` and `y` may share a pattern, but only one
            // reference to it is alive at a time.
            let pattern = unsafe {
                let pattern = &mut *patterns.add(source.pattern as usize);
                if !pattern.valid || pattern.mask != ALL {
                    refresh_pattern(pattern, file, source.slot, source.wide, ALL, self.near_bytes);
                }
                pattern
            };
            let first = pattern.lowest.wrapping_add(low as u64);
            let last = pattern.lowest.wrapping_add(high as u64);
            let inside = first <= last && last <= pattern.lowest_max && pattern.lowest != u64::MAX;
            inside && (pattern.base as u32 | pattern.bits) & 3 == 0
        };
        let right = ready(&product.x, product.x_range) && ready(&product.y, product.y_range);
        right && !self.setup.uninitialised_shared && !P::TRACES
    }

    /// Reports a product's loads to the probe, at the addresses that its rows have now plus `shifts` bytes.
    ///
    /// # Safety
    /// As for [`Machine::run_fused_region`]; the product is [`Self::ready`].
    #[inline(always)]
    unsafe fn report_loads(
        &mut self,
        warp: usize,
        index: u32,
        shifts: [i64; 2],
        file: Registers,
        patterns: *mut AddressPattern,
    ) {
        let product = &self.setup.program.products[index as usize];
        // SAFETY: as for `ready`.
        unsafe {
            let one_by_one = P::WATCHES && {
                let of = |source: &AddressRow, shift: i64, range| {
                    let pattern = &*patterns.add(source.pattern as usize);
                    (pattern.base.wrapping_add(shift as u64), source.pattern, pattern, range)
                };
                let reads = [of(&product.x, shifts[0], product.x_range), of(&product.y, shifts[1], product.y_range)];
                !self.probe.product_reads(warp, index, reads)
            };
            if one_by_one {
                self.watch_product(warp, product, shifts, file, patterns);
            } else {
                let cost = |source: &AddressRow| {
                    let pattern = &mut *patterns.add(source.pattern as usize);
                    let start = pattern.base as u32;
                    pattern.shared_cost(Direction::Load, 4, start)
                };
                self.probe.product(index, [cost(&product.x), cost(&product.y)]);
            }
        }
    }

    /// Returns the pointers of a product, for the addresses that its rows have now.
    ///
    /// # Safety
    /// As for [`Self::report_loads`].
    #[inline(always)]
    unsafe fn work<'a>(&self, product: &'a Product, file: Registers, patterns: *mut AddressPattern) -> Work<'a> {
        let shared = self.block.shared.as_ptr().cast::<u8>();
        let factor = |source: &AddressRow| {
            // SAFETY: verification proves that this is the index of a pattern.
            let pattern = unsafe { &*patterns.add(source.pattern as usize) };
            let from = shared.wrapping_add(pattern.base as usize);
            let at = std::array::from_fn(|g| from.wrapping_offset(pattern.relative[8 * g] as isize));
            Factor { at, spacing: pattern.spacing, groups: pattern.groups, relative: &raw const pattern.relative }
        };
        let sum = file.row(product.d).cast::<[u32; 8]>();
        let start = file.row(product.c).cast::<[u32; 8]>();
        let (terms, kept) = (product.terms.as_slice(), product.kept.as_slice());
        Work { file, start, sum, terms, kept, x: factor(&product.x), y: factor(&product.y) }
    }

    /// Reports each load of a product to a probe that watches shared accesses.
    ///
    /// # Safety
    /// As for [`Machine::run_fused_region`].
    #[inline(always)]
    unsafe fn watch_product(
        &mut self,
        warp: usize,
        product: &Product,
        shifts: [i64; 2],
        file: Registers,
        patterns: *mut AddressPattern,
    ) {
        let program = self.setup.program;
        for (index, term) in product.terms.iter().enumerate() {
            for (side, source) in [product.x, product.y].iter().enumerate() {
                let at = product.at as usize + 3 * index + side;
                let inst: &Inst = &program.code[at];
                // SAFETY: verification proves that this is the index of a pattern.
                let pattern = unsafe { &mut *patterns.add(source.pattern as usize) };
                let start = pattern.base.wrapping_add((i64::from(term[side]) + shifts[side]) as u64);
                self.probe.request(at);
                let access = &program.accesses[inst.x as usize];
                self.probe.shared(&mut seen(at, warp, inst, ALL, start, pattern, access, file));
            }
        }
    }
}

/// Adds `by` to every lane of a row of addresses.
///
/// # Safety
/// The row belongs to this file.
#[inline(always)]
unsafe fn add(file: Registers, row: &AddressRow, by: i64) {
    // SAFETY: the caller guarantees that the row belongs to this file.
    unsafe {
        if row.wide {
            let lanes = &mut *file.wide_row(row.slot);
            lanes.iter_mut().for_each(|lane| *lane = lane.wrapping_add(by as u64));
        } else {
            let lanes = &mut *file.row(row.slot);
            lanes.iter_mut().for_each(|lane| *lane = lane.wrapping_add(by as u32));
        }
    }
}

/// Returns for how many rounds a load stays inside shared memory. Its addresses move by `step` bytes per round. In the
/// first round it is inside.
fn inside(pattern: &AddressPattern, [low, high]: [i32; 2], step: i32) -> u64 {
    let left = match step {
        1.. => pattern.lowest_max - pattern.lowest.wrapping_add(high as u64),
        0 => return u64::MAX,
        _ => pattern.lowest.wrapping_add(low as u64),
    };
    left / u64::from(step.unsigned_abs()) + 1
}

/// One of a product's two factors.
struct Factor {
    /// Address of the first element of each group of eight lanes.
    at: [*const u8; 4],
    spacing: Spacing,
    groups: [Group; 4],
    /// Relative addresses of the pattern. They stay the same when all addresses move together.
    relative: *const [i32; 32],
}

/// Pointers of a product: its factors and its rows.
struct Work<'a> {
    file: Registers,
    start: *const [u32; 8],
    sum: *mut [u32; 8],
    terms: &'a [[i32; 2]],
    kept: &'a [Kept],
    x: Factor,
    y: Factor,
}

impl Work<'_> {
    /// Computes `rounds` rounds (one unless `ROLLED`). The addresses of the factors move by `steps` bytes per round.
    ///
    /// # Safety
    /// The bounds of every term have been checked for every round.
    #[inline(always)]
    unsafe fn run<const ROLLED: bool>(&self, rounds: u64, steps: [i32; 2]) {
        // SAFETY: the caller guarantees the contract.
        unsafe {
            match (self.x.spacing, self.y.spacing) {
                (Spacing::Same, Spacing::Unit) => self.run_groups::<ROLLED, true, false>(rounds, steps),
                (Spacing::Unit, Spacing::Same) => self.run_groups::<ROLLED, false, true>(rounds, steps),
                (Spacing::Same, Spacing::Same) => self.run_groups::<ROLLED, true, true>(rounds, steps),
                (Spacing::Unit, Spacing::Unit) => self.run_groups::<ROLLED, false, false>(rounds, steps),
                _ => self.run_mixed::<ROLLED>(rounds, steps),
            }
        }
    }

    /// Runs with groups of lanes that read one address (`true`) or consecutive words (`false`).
    ///
    /// # Safety
    /// As for [`Self::run`].
    #[inline(always)]
    unsafe fn run_groups<const ROLLED: bool, const X_SAME: bool, const Y_SAME: bool>(
        &self,
        rounds: u64,
        steps: [i32; 2],
    ) {
        // SAFETY: the caller guarantees the contract.
        unsafe {
            self.run_with::<ROLLED>(
                rounds,
                steps,
                #[inline(always)]
                |at, _, offset| group::<X_SAME>(at, offset),
                #[inline(always)]
                |at, _, offset| group::<Y_SAME>(at, offset),
            );
        }
    }

    /// Runs with any pattern.
    ///
    /// # Safety
    /// As for [`Self::run`].
    #[inline(always)]
    unsafe fn run_mixed<const ROLLED: bool>(&self, rounds: u64, steps: [i32; 2]) {
        // SAFETY: the caller guarantees the contract.
        unsafe {
            self.run_with::<ROLLED>(
                rounds,
                steps,
                #[inline(always)]
                |at, g, offset| gather(&self.x, g, at, offset),
                #[inline(always)]
                |at, g, offset| gather(&self.y, g, at, offset),
            );
        }
    }

    /// Runs with functions that read a group of eight lanes. They take the address for the group's first lane, the
    /// group's number and an offset.
    ///
    /// # Safety
    /// As for [`Self::run`].
    #[inline(always)]
    unsafe fn run_with<const ROLLED: bool>(
        &self,
        rounds: u64,
        [x_step, y_step]: [i32; 2],
        x: impl Fn(*const u8, usize, i32) -> [f32; 8],
        y: impl Fn(*const u8, usize, i32) -> [f32; 8],
    ) {
        // SAFETY: the caller guarantees the contract.
        unsafe {
            let mut sum: [[f32; 8]; 4] = std::array::from_fn(|g| (*self.start.add(g)).map(f32::from_bits));
            let (mut x_from, mut y_from) = (self.x.at, self.y.at);
            for _ in 1..if ROLLED { rounds } else { 1 } {
                for [x_at, y_at] in self.terms {
                    for (g, sum) in sum.iter_mut().enumerate() {
                        let (x, y) = (x(x_from[g], g, *x_at), y(y_from[g], g, *y_at));
                        *sum = fma8(x, y, *sum);
                    }
                }
                x_from = x_from.map(|from| from.wrapping_offset(x_step as isize));
                y_from = y_from.map(|from| from.wrapping_offset(y_step as isize));
            }
            let (first, last) = self.terms.split_at(self.terms.len() - self.kept.len());
            for [x_at, y_at] in first {
                for (g, sum) in sum.iter_mut().enumerate() {
                    let (x, y) = (x(x_from[g], g, *x_at), y(y_from[g], g, *y_at));
                    *sum = fma8(x, y, *sum);
                }
            }
            for ([x_at, y_at], kept) in last.iter().zip(self.kept) {
                for (g, sum) in sum.iter_mut().enumerate() {
                    let (x, y) = (x(x_from[g], g, *x_at), y(y_from[g], g, *y_at));
                    *sum = fma8(x, y, *sum);
                    self.keep(kept, g, x, y, sum);
                }
            }
            self.end(&sum);
        }
    }

    /// Writes the rows of a term that later instructions may read.
    ///
    /// # Safety
    /// As for `run`.
    #[inline(always)]
    unsafe fn keep(&self, kept: &Kept, g: usize, x: [f32; 8], y: [f32; 8], sum: &[f32; 8]) {
        // SAFETY: the slots are rows of this file.
        unsafe {
            let row = |slot: u32| self.file.row(slot).cast::<[u32; 8]>().add(g);
            row(kept.x).cast::<[f32; 8]>().write(x);
            row(kept.y).cast::<[f32; 8]>().write(y);
            row(kept.d).cast::<[u32; 8]>().write(sum.map(canonical));
        }
    }

    /// Writes the final sum. A NaN passes from sum to sum, so only the last sum has to become canonical.
    ///
    /// # Safety
    /// As for `run`.
    #[inline(always)]
    unsafe fn end(&self, sum: &[[f32; 8]; 4]) {
        for (g, sum) in sum.iter().enumerate() {
            // SAFETY: the caller guarantees the contract.
            unsafe { *self.sum.add(g) = sum.map(canonical) };
        }
    }
}

#[inline(always)]
unsafe fn group<const SAME: bool>(from: *const u8, at: i32) -> [f32; 8] {
    // SAFETY: the caller follows the contract of `Work::run`.
    unsafe {
        let from = from.offset(at as isize).cast::<f32>();
        if SAME { [from.read(); 8] } else { from.cast::<[f32; 8]>().read() }
    }
}

/// Reads a group of eight lanes of any pattern; `first` is the address for its first lane.
#[inline(always)]
unsafe fn gather(factor: &Factor, g: usize, first: *const u8, at: i32) -> [f32; 8] {
    // SAFETY: the caller follows the contract of `Work::run`.
    unsafe {
        match factor.groups[g] {
            Group::Same => group::<true>(first, at),
            Group::Unit => group::<false>(first, at),
            Group::Other => {
                let relative = &*factor.relative.cast::<[i32; 8]>().add(g);
                let from = first.wrapping_offset(at as isize - relative[0] as isize);
                std::array::from_fn(|i| from.offset(relative[i] as isize).cast::<f32>().read())
            }
        }
    }
}
