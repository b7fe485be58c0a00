//! The interpreter's loop, which runs a warp.

use super::async_copy::Next;
use super::lanes::lanes_where;
use super::split::{FREE, Split};
use super::state::{Machine, Stop};
use super::{exchange, simd_dispatch};
use crate::arith::lanes::has_fast;
use crate::arith::{Registers, Width};
use crate::probes::Probe;
use crate::program::{Inst, NONE, Op};
use crate::{Fault, FaultKind};

/// Number of accesses on which threads may spin, before a diverged warp gives a turn to its other threads and to other
/// warps. The second number is for a warp that has not diverged, unless clusters often give way to each other.
const SPIN: [u32; 2] = [32, 1024];

/// Number of instructions that take as long as one matrix product.
const LONG_INSTRUCTION: u64 = 1 << 8;

/// Runs a warp until it waits, ends, or its turn is over.
pub(crate) fn run<P: Probe>(machine: &mut Machine<'_, P>, warp: usize) -> Result<Stop, Box<Fault>> {
    if has_fast() {
        // SAFETY: `has_fast` has just checked the CPU features.
        unsafe { run_fast(machine, warp) }
    } else {
        run_plain(machine, warp)
    }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt"))]
unsafe fn run_fast<P: Probe>(machine: &mut Machine<'_, P>, warp: usize) -> Result<Stop, Box<Fault>> {
    body::<P, true>(machine, warp)
}

fn run_plain<P: Probe>(machine: &mut Machine<'_, P>, warp: usize) -> Result<Stop, Box<Fault>> {
    body::<P, false>(machine, warp)
}

#[inline(always)]
fn body<P: Probe, const FAST: bool>(m: &mut Machine<'_, P>, w: usize) -> Result<Stop, Box<Fault>> {
    let program = m.setup.program;
    let code = program.code.as_slice();
    // SAFETY: the machine outlives the registers, and the block keeps its rows until its turn is over.
    let file = unsafe { m.file(w) };
    let patterns = m.block.warps[w].patterns.as_mut_ptr();
    let Some(mut split) = m.block.warps[w].splits.ready.pop() else { return Ok(Stop::Ended) };
    /// Continues with another split of the warp, or returns.
    macro_rules! next_split {
        () => {{
            match m.next_split(w, split.at, file)? {
                Some(next) => split = next,
                None => return Ok(Stop::Ended),
            }
            continue;
        }};
    }
    macro_rules! access {
        ($at:expr, $inst:expr, $mask:expr) => {{
            // SAFETY: `FAST` promises the CPU features, and file and patterns belong to the warp.
            unsafe { simd_dispatch::access::<P, FAST>(m, $at, w, $inst, $mask, file, patterns)? }
        }};
    }
    loop {
        let at = split.at;
        let inst: &Inst = &code[at];
        let mut active = split.mask;
        if P::TRACES {
            m.probe.step(at, w as u32, active, file);
        }
        if inst.guard != NONE {
            // SAFETY: verification proves that the guard is a predicate of this file.
            active &= unsafe { *file.at(inst.guard, Width::Predicate) } ^ inst.flip;
            if active == 0 {
                split.at += 1;
                continue;
            }
            if P::COUNTS {
                m.probe.guarded(at, active);
            }
        }
        match inst.op {
            Op::LoadShared => {
                // SAFETY: the instruction is verified for this file and these patterns.
                let done = unsafe { m.load_shared(at, w, inst, active, file, patterns) };
                if !done {
                    access!(at, inst, active);
                }
            }
            // SAFETY: the instruction is verified for this file.
            Op::Fma => unsafe { crate::arith::lanes::map::<crate::arith::float::FmaF32>(file, &inst.operands, active) },
            // SAFETY: the handler fits this CPU, and the instruction is verified for this file.
            Op::Lanes(run, _) => unsafe { run(file, &inst.operands, active) },
            Op::Load | Op::Store | Op::Atomic => {
                if program.accesses[inst.x as usize].spins {
                    m.block.warps[w].spins += 1;
                    if m.block.warps[w].spins >= SPIN[usize::from(split.join == FREE && !m.contends)] {
                        m.block.warps[w].spins = 0;
                        m.spinning = split.join != FREE;
                        m.stalls += 1;
                        m.turn_ends = m.turn_ends.min(m.block.steps);
                        m.plan_check();
                    }
                    if m.contends {
                        m.may_yield(inst.x);
                    }
                }
                access!(at, inst, active);
            }
            // SAFETY: verification proves that `x` is the index of a pattern.
            Op::InvalidatePattern => unsafe { (*patterns.add(inst.x as usize)).valid = false },
            // SAFETY: verification proves that the operands are predicates of this file.
            Op::Predicate(logic) => unsafe { file.logic(&inst.operands, active, logic) },
            Op::Enter(block) => {
                let length = u64::from(program.blocks[block as usize].length);
                m.block.steps += length;
                m.thread_instructions += length * u64::from(active.count_ones());
                if P::COUNTS {
                    m.probe.enter(block, active);
                }
                if P::WATCHES {
                    m.probe.reaches(block, w as u32);
                }
                if m.block.steps >= m.next_check && m.check_limits(at, w)? {
                    split.at += 1;
                    let splits = &mut m.block.warps[w].splits;
                    if m.spinning {
                        splits.relax();
                    }
                    splits.last(split);
                    return Ok(Stop::Turn);
                }
            }
            Op::Branch => {
                if active == split.mask {
                    split.at = inst.x as usize;
                } else {
                    let splits = &mut m.block.warps[w].splits;
                    let join = splits.join(inst.operands.d as usize, split.mask, split.join);
                    splits.ready.push(Split { at: inst.x as usize, mask: active, join });
                    split = Split { at: at + 1, mask: split.mask & !active, join };
                }
                continue;
            }
            Op::Reconverge => match m.block.warps[w].splits.reconverge(split) {
                Some(merged) => split = merged,
                None => next_split!(),
            },
            Op::Scalar(function) => {
                scalar(file, inst, active, function);
            }
            Op::Asynch => match m.asynchronous(at, w, inst, active, file)? {
                Next::On => {}
                next => {
                    split.at += usize::from(next == Next::Later);
                    if m.defer_split(w, split) {
                        return Ok(Stop::Turn);
                    }
                    next_split!();
                }
            },
            Op::Barrier(kind) => {
                if active != m.block.warps[w].live {
                    if active != split.mask {
                        let what = "waits at a barrier that other threads of its warp skip";
                        return Err(m.fault(FaultKind::DivergentBarrier, at, w, active.trailing_zeros(), what));
                    }
                    m.block.warps[w].splits.hold(split);
                    next_split!();
                }
                if m.barrier(at, w, inst, kind, active)? {
                    split.at += 1;
                    m.block.warps[w].splits.ready.push(split);
                    return Ok(Stop::Waits);
                }
            }
            Op::Exit => {
                if P::WATCHES {
                    m.probe.exits(w as u32, active);
                }
                let warp = &mut m.block.warps[w];
                warp.live &= !active;
                split.mask &= !active;
                warp.splits.end(active, split.join, split.mask == 0);
                if split.mask == 0 {
                    next_split!();
                }
            }
            Op::WarpSync | Op::Shuffle | Op::Vote | Op::Match | Op::Reduce | Op::Elect => {
                if !m.together(w, inst, active, &mut split, file)? {
                    next_split!();
                }
            }
            Op::Fence(scope) => {
                if P::WATCHES {
                    m.probe.fence(w as u32, active, scope);
                }
            }
            Op::ActiveMask => exchange::fill(file, inst.operands.d, active, active),
            Op::WidenAddress => m.widen_address(inst, active, file),
            Op::Allocate | Op::Service => m.serve(at, w, inst, active, file)?,
            Op::Clock => {
                let warp = &mut m.block.warps[w];
                warp.clock_reads += 1;
                let now = if m.setup.steady_clock { 100 * warp.clock_reads } else { m.block.steps };
                for lane in (0..32).filter(|lane| active & (1 << lane) != 0) {
                    file.set_lane(inst.operands.d, inst.x == 1, lane, now);
                }
            }
            Op::Matrix | Op::Tensor => {
                m.count_long_instruction();
                if active != u32::MAX {
                    m.wait_for_warp(at, w, active, split)?;
                    next_split!();
                }
                if P::WATCHES && program.target.sm < 70 {
                    m.probe.warp_sync(w as u32, active);
                }
                if matches!(inst.op, Op::Matrix) {
                    m.matrix(at, w, inst, file)?;
                } else if m.tensor(at, w, inst, file)? == Next::Again {
                    if m.defer_split(w, split) {
                        return Ok(Stop::Turn);
                    }
                    next_split!();
                }
            }
            Op::BranchTable | Op::Call | Op::Return => {
                m.scatter(w, inst, split, active, file)?;
                next_split!();
            }
            Op::Region(region) => {
                if active == u32::MAX && !P::TRACES && m.setup.fused {
                    let region = &program.regions[region as usize];
                    // SAFETY: the region was found in this program, and file and patterns belong to the warp. This function
                    // has the same `FAST`, so the CPU has the features that it needs.
                    split.at = unsafe { simd_dispatch::run_fused_region::<P, FAST>(m, w, region, file, patterns)? };
                    continue;
                }
            }
            Op::Trap => {
                let what = m.setup.why_trap();
                return Err(m.fault(FaultKind::Trap, at, w, active.trailing_zeros(), what));
            }
        }
        split.at += 1;
    }
}

#[inline(never)]
fn scalar(file: Registers, inst: &Inst, mask: u32, function: crate::program::Scalar) {
    let row = |slot: u32, bit: u32| (slot != NONE).then(|| file.row_of(slot, inst.x >> bit & 1 == 1));
    let (a, b, c) = (row(inst.operands.a, 0), row(inst.operands.b, 1), row(inst.operands.c, 2));
    let Some(d) = row(inst.operands.d, 3) else { return };
    for lane in (0..32usize).filter(|lane| mask & (1 << lane) != 0) {
        let [a, b, c] = [a, b, c].map(|row| row.map_or(0, |row| row.lane(lane)));
        d.set_lane(lane, function(a, b, c, inst.imm));
    }
}

impl<P: Probe> Machine<'_, P> {
    /// Returns the split of the warp that runs next, after the one at `at`. `None` once the warp has ended.
    ///
    /// # Errors
    /// If all live lanes wait for each other.
    fn next_split(&mut self, w: usize, at: usize, file: Registers) -> Result<Option<Split>, Box<Fault>> {
        let (live, splits) = (self.block.warps[w].live, &mut self.block.warps[w].splits);
        if let Some(ready) = splits.ready.pop() {
            return Ok(Some(ready));
        }
        if live == 0 {
            return Ok(None);
        }
        if let Some(together) = splits.held(live) {
            return Ok(Some(together));
        }
        if (self.release_lanes(w, file) || self.block.warps[w].splits.release_joins())
            && let Some(next) = self.block.warps[w].splits.ready.pop()
        {
            return Ok(Some(next));
        }
        let Some(held) = self.block.warps[w].splits.first_held() else {
            let what = "waits for threads of its warp that never arrive";
            return Err(self.fault(FaultKind::DivergentBarrier, at, w, live.trailing_zeros(), what));
        };
        let program = self.setup.program;
        let place = match program.notes[held.at].name.as_str() {
            _ if matches!(program.code[held.at].op, Op::Barrier(_)) => "a barrier".to_owned(),
            name => format!("`{name}`"),
        };
        let elsewhere = (live & !held.mask).count_ones();
        let what = format!("waits at {place}, which {elsewhere} other threads of its warp do not reach with it");
        Err(self.fault(FaultKind::DivergentBarrier, held.at, w, held.mask.trailing_zeros(), &what))
    }

    /// Checks limits, cancellation and the end of the turn, now and then between basic blocks. True if the turn is
    /// over.
    #[cold]
    #[inline(never)]
    fn check_limits(&mut self, at: usize, w: usize) -> Result<bool, Box<Fault>> {
        self.check(at, w)?;
        let over = self.block.steps >= self.turn_ends;
        self.plan_check();
        Ok(over)
    }

    /// Makes the next check come earlier, after an instruction that takes as long as hundreds of others.
    fn count_long_instruction(&mut self) {
        self.next_check = self.next_check.saturating_sub(LONG_INSTRUCTION);
        self.clock = self.clock.saturating_sub(LONG_INSTRUCTION);
    }

    pub(crate) fn plan_check(&mut self) {
        let budget = &self.setup.budget;
        let left = budget.left().saturating_sub(self.total() - self.began);
        let last = budget.block_steps.min(self.block.steps.saturating_add(left));
        // Not from the begin of this turn: turns between barriers are shorter.
        let soon = self.block.steps + self.clock.saturating_sub(self.total());
        self.next_check = soon.min(self.turn_ends.max(self.block.steps + 1)).min(last.saturating_add(1));
    }

    /// Holds lanes at an instruction that a whole warp executes, until the others arrive.
    #[cold]
    #[inline(never)]
    fn wait_for_warp(&mut self, at: usize, w: usize, active: u32, split: Split) -> Result<(), Box<Fault>> {
        let name = &self.setup.program.notes[at].name;
        let lane = active.trailing_zeros();
        let missing = (!self.block.warps[w].live).count_ones();
        if missing != 0 {
            let what = format!("executes `{name}`, which needs all 32 threads of a warp; {missing} are missing");
            return Err(self.fault(FaultKind::DivergentBarrier, at, w, lane, &what));
        }
        if active != split.mask {
            let what = format!("executes `{name}`, which other threads of its warp skip");
            return Err(self.fault(FaultKind::DivergentBarrier, at, w, lane, &what));
        }
        self.block.warps[w].splits.hold(split);
        Ok(())
    }

    /// Runs an instruction that may send each lane to a different place.
    #[inline(never)]
    fn scatter(&mut self, w: usize, inst: &Inst, split: Split, active: u32, file: Registers) -> Result<(), Box<Fault>> {
        match inst.op {
            Op::Call => self.call(w, inst, split, file)?,
            Op::Return => self.give_back(w, split, file),
            _ => self.branch_table(w, inst, split, active, file),
        }
        Ok(())
    }

    fn branch_table(&mut self, w: usize, inst: &Inst, split: Split, active: u32, file: Registers) {
        let program = self.setup.program;
        let table = &program.tables[inst.x as usize];
        let splits = &mut self.block.warps[w].splits;
        let join = splits.join(inst.operands.d as usize, split.mask, split.join);
        if split.mask & !active != 0 {
            splits.ready.push(Split { at: split.at + 1, mask: split.mask & !active, join });
        }
        let mut rest = active;
        while rest != 0 {
            let index = |lane: u32| file.lane(inst.operands.a, false, lane as usize) as u32;
            let first = index(rest.trailing_zeros());
            let mask = lanes_where(rest, |lane| index(lane) == first);
            // An index past the end is undefined. Here it selects the last target.
            let at = table[(first as usize).min(table.len() - 1)] as usize;
            splits.ready.push(Split { at, mask, join });
            rest &= !mask;
        }
    }
}
