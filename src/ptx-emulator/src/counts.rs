//! Counts what each instruction costs.

use super::cost::atomic::{self, Served};
use super::cost::{self, Direction};
use super::report::{Counts, LineCounts, Totals};
use crate::arch::AtomicKind;
use crate::probes::{Probe, Seen};
use crate::program::{NONE, Op, Program, StateSpace};

#[derive(Debug, Clone, Copy, Default)]
struct Line {
    requests: u64,
    wavefronts: u64,
    wavefronts_ideal: u64,
    sectors: u64,
    sectors_ideal: u64,
    shared_lanes: u64,
    global_lanes: u64,
    global_load_lines: u64,
    guarded: u64,
    guarded_lanes: u64,
    /// Global bytes of bulk copies, whose size is an operand.
    bulk_bytes: u64,
}

/// Counts of the blocks that one worker ran.
#[derive(Debug)]
pub(crate) struct Counter {
    /// Executions and active lanes of each basic block.
    blocks: Vec<(u64, u64)>,
    lines: Vec<Line>,
    /// Per product: its executions, and wavefronts and ideal wavefronts of its two loads (the same for every term).
    products: Vec<(u64, [[u64; 2]; 2])>,
    barriers: u64,
    blocks_counted: u64,
}

impl Counter {
    pub(crate) fn new(program: &Program) -> Self {
        Self {
            blocks: vec![(0, 0); program.blocks.len()],
            lines: vec![Line::default(); program.code.len()],
            products: vec![Default::default(); program.products.len()],
            barriers: 0,
            blocks_counted: 0,
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (a, b) in self.blocks.iter_mut().zip(&other.blocks) {
            *a = (a.0 + b.0, a.1 + b.1);
        }
        for (a, b) in self.lines.iter_mut().zip(&other.lines) {
            a.requests += b.requests;
            a.wavefronts += b.wavefronts;
            a.wavefronts_ideal += b.wavefronts_ideal;
            a.sectors += b.sectors;
            a.sectors_ideal += b.sectors_ideal;
            a.shared_lanes += b.shared_lanes;
            a.global_lanes += b.global_lanes;
            a.global_load_lines += b.global_load_lines;
            a.guarded += b.guarded;
            a.guarded_lanes += b.guarded_lanes;
            a.bulk_bytes += b.bulk_bytes;
        }
        for (a, b) in self.products.iter_mut().zip(&other.products) {
            a.0 += b.0;
            for (a, b) in a.1.iter_mut().flatten().zip(b.1.iter().flatten()) {
                *a += b;
            }
        }
        self.barriers += other.barriers;
        self.blocks_counted += other.blocks_counted;
    }

    /// Returns how often warps entered a basic block.
    pub(crate) fn executed(&self, block: u32) -> u64 {
        self.blocks.get(block as usize).map_or(0, |block| block.0)
    }

    /// Returns the counts per instruction, including those of instructions that ran as parts of a product.
    fn with_products(&self, program: &Program) -> Vec<Line> {
        let mut lines = self.lines.clone();
        for ((executed, costs), product) in self.products.iter().zip(&program.products) {
            let loads = (0..product.terms.len()).flat_map(|term| [(3 * term, costs[0]), (3 * term + 1, costs[1])]);
            for (at, [wavefronts, ideal]) in loads {
                let Some(line) = lines.get_mut(product.at as usize + at) else { continue };
                line.requests += executed;
                line.wavefronts += wavefronts;
                line.wavefronts_ideal += ideal;
                line.shared_lanes += 32 * executed;
            }
        }
        lines
    }

    /// Counts a shared-memory atomic. If it runs as a loop, [`Probe::looped`] adds the wavefronts.
    #[inline(never)]
    fn shared_atomic(&mut self, seen: &Seen<'_>) {
        let line = &mut self.lines[seen.at];
        line.shared_lanes += u64::from(seen.mask.count_ones());
        let served = seen.access.served();
        if served != Served::Loop {
            let addresses = seen.pattern.relative.map(|relative| (seen.start as u32).wrapping_add(relative as u32));
            let (wavefronts, ideal) = atomic::shared(served, seen.access.bytes(), seen.mask, &addresses);
            line.wavefronts += u64::from(wavefronts);
            line.wavefronts_ideal += u64::from(ideal);
        }
    }

    pub(crate) fn report(&self, program: &Program, blocks: u64) -> Counts {
        let mut totals = Totals { barriers: self.barriers, ..Totals::default() };
        for ((executed, lanes), info) in self.blocks.iter().zip(&program.blocks) {
            totals.warp_instructions += executed * u64::from(info.length);
            totals.flop += lanes * u64::from(info.flop);
        }
        let mut lines = Vec::new();
        let measured = self.with_products(program);
        for ((inst, note), line) in program.code.iter().zip(&program.notes).zip(&measured) {
            let access = match inst.op {
                Op::Asynch => program.async_copy[inst.x as usize].counted(program),
                op => op.accesses().then(|| &program.accesses[inst.x as usize]),
            };
            let bulk = matches!(inst.op, Op::Asynch) && line.bulk_bytes != 0;
            if access.is_none() && note.flop == 0 && !bulk {
                continue;
            }
            let executed = match access {
                Some(_) => line.requests,
                None if bulk => line.requests,
                None if inst.guard != NONE => line.guarded,
                None => self.blocks.get(note.block as usize).map_or(0, |block| block.0),
            };
            totals.flop += line.guarded_lanes * u64::from(note.flop);
            if matches!(inst.op, Op::Atomic) && inst.imm == 1 {
                // This element of a vector atomic is counted with another one.
                continue;
            }
            let bytes = access.map_or(0, super::program::Access::bytes);
            totals.global_bytes += line.bulk_bytes;
            totals.shared_bytes += line.shared_lanes * u64::from(bytes);
            totals.global_bytes += line.global_lanes * u64::from(bytes);
            if bulk || access.is_some_and(|access| access.reach != StateSpace::Local && !access.constant) {
                totals.requests += line.requests;
            }
            totals.wavefronts += line.wavefronts;
            totals.wavefronts_ideal += line.wavefronts_ideal;
            totals.global_load_lines += line.global_load_lines;
            totals.sectors += line.sectors;
            totals.sectors_ideal += line.sectors_ideal;
            let Some(place) = program.place(note.place) else { continue };
            lines.push(LineCounts {
                place,
                op: note.name.clone(),
                bytes: if bulk { (line.bulk_bytes / line.requests.max(1)) as u32 } else { bytes },
                warp_instructions: executed,
                requests: line.requests,
                wavefronts: line.wavefronts,
                wavefronts_ideal: line.wavefronts_ideal,
                sectors: line.sectors,
                sectors_ideal: line.sectors_ideal,
            });
        }
        lines.sort_by_key(|line| line.place.ptx_line);
        Counts { totals, lines, blocks_counted: self.blocks_counted, blocks }
    }
}

impl Probe for Counter {
    const COUNTS: bool = true;
    const WATCHES: bool = false;
    const TRACES: bool = false;

    fn start(&mut self, _: &Program, _: u64, _: u32, _: u64) {
        self.blocks_counted += 1;
    }

    #[inline(always)]
    fn enter(&mut self, block: u32, mask: u32) {
        let (executed, lanes) = &mut self.blocks[block as usize];
        *executed += 1;
        *lanes += u64::from(mask.count_ones());
    }

    #[inline(always)]
    fn guarded(&mut self, at: usize, mask: u32) {
        let line = &mut self.lines[at];
        line.guarded += 1;
        line.guarded_lanes += u64::from(mask.count_ones());
    }

    #[inline(always)]
    fn request(&mut self, at: usize) {
        self.lines[at].requests += 1;
    }

    #[inline(always)]
    fn shared(&mut self, seen: &mut Seen<'_>) {
        if seen.access.atomic.is_some() {
            return self.shared_atomic(seen);
        }
        // The hardware serves eight matrix rows at a time, as it does for 16-byte stores. It merges no requests.
        let store = seen.access.writes || seen.access.matrix.is_some();
        let direction = if store { Direction::Store } else { Direction::Load };
        let (wavefronts, ideal) = seen.pattern.shared_cost(direction, seen.access.bytes(), seen.start as u32);
        let line = &mut self.lines[seen.at];
        line.wavefronts += u64::from(wavefronts);
        line.wavefronts_ideal += u64::from(ideal);
        line.shared_lanes += u64::from(seen.mask.count_ones());
    }

    fn looped(&mut self, at: usize, global: bool, (cost, ideal): (u32, u32)) {
        let line = &mut self.lines[at];
        let (sum, sum_ideal) = match global {
            true => (&mut line.sectors, &mut line.sectors_ideal),
            false => (&mut line.wavefronts, &mut line.wavefronts_ideal),
        };
        *sum += u64::from(cost);
        *sum_ideal += u64::from(ideal);
    }

    fn copied(&mut self, at: usize, lanes: u32, (wavefronts, ideal): (u32, u32)) {
        let line = &mut self.lines[at];
        line.wavefronts += u64::from(wavefronts);
        line.wavefronts_ideal += u64::from(ideal);
        line.shared_lanes += u64::from(lanes);
    }

    fn bulk(&mut self, at: usize, sectors: u64, bytes: u64) {
        let line = &mut self.lines[at];
        line.requests += 1;
        line.sectors += sectors;
        line.sectors_ideal += bytes.div_ceil(super::cost::SECTOR);
        line.bulk_bytes += bytes;
    }

    #[inline(always)]
    fn product(&mut self, index: u32, costs: [(u32, u32); 2]) {
        let (executed, sums) = &mut self.products[index as usize];
        *executed += 1;
        for (sum, (wavefronts, ideal)) in sums.iter_mut().zip(costs) {
            sum[0] += u64::from(wavefronts);
            sum[1] += u64::from(ideal);
        }
    }

    #[inline(always)]
    fn global(&mut self, seen: &mut Seen<'_>) {
        if seen.access.constant {
            return;
        }
        let bytes = seen.access.bytes();
        let (sectors, ideal) = match seen.access.atomic {
            None => seen.pattern.global_cost(bytes, seen.start),
            // A loop: `looped` adds the sectors.
            Some(_) if bytes == 2 => (0, 0),
            Some(kind) => {
                let addresses = seen.pattern.relative.map(|relative| seen.start.wrapping_add(relative as u64));
                let swap = kind == AtomicKind::CompareSwap;
                let sectors = atomic::global_sectors(bytes, swap, seen.mask, &addresses);
                (sectors, cost::global_ideal(bytes, seen.mask, &addresses))
            }
        };
        let plain_load = !seen.access.writes && seen.access.atomic.is_none();
        let lines = if plain_load { seen.pattern.lines(bytes, seen.start) } else { 0 };
        let line = &mut self.lines[seen.at];
        line.global_load_lines += u64::from(lines);
        line.sectors += u64::from(sectors);
        line.sectors_ideal += u64::from(ideal);
        line.global_lanes += u64::from(seen.mask.count_ones());
    }

    fn release(&mut self, _: usize, _: u32, all: bool) {
        self.barriers += u64::from(all);
    }
}
