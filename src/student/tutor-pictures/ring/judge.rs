//! The emulator's view of the ring: the steps of each warp in order, and whether the kernel is correct.

use ptx_emulator::{
    AccessKind, Arg, Control, Event, EventKind, Fault, FaultKind, HazardKind, Kernel, Launch, Measure, Memory, Module,
    Options, Schedule, Watch, attempt, trace,
};
use tutor_course::RingFlaw;
use tutor_exec::fault::explain;
use tutor_support::words::Sentence;

/// Compiled from `assets/pictures/kernels/ring.cu`, which numbers the flaws as [`RingFlaw`] does.
const PTX: &str = include_str!("../../../../assets/pictures/assets/ptx/ring.ptx");
/// Number of tiles that pass through the ring.
pub(super) const TILES: u32 = 8;
/// Number of warps that read each tile.
pub(super) const CONSUMERS: usize = 2;
/// Words of a tile, one per lane.
const WORDS: u32 = 32;
/// Bytes per tile.
pub(super) const BYTES: u32 = 4 * WORDS;
/// Maximum number of warp instructions of all runs: a hundred times what they need.
const STEPS: u64 = 1 << 20;

/// The two mbarriers of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BarrierKind {
    /// Completes when the tile has arrived.
    Full,
    /// Completes when the consumers have read the tile.
    Empty,
}

/// A step of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Waits for a phase of this parity.
    Wait {
        barrier: BarrierKind,
        stage: usize,
        parity: u32,
    },
    /// Announces a tile and requests it.
    Request {
        stage: usize,
    },
    Read {
        stage: usize,
    },
    Release {
        stage: usize,
    },
}

/// Whether the kernel is correct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// In every order of warps that was tried, the sums are correct and there is no hazard.
    Right,
    Wrong {
        /// Kind of hazard, and the source lines of the unordered read and copy.
        hazard: Option<(HazardKind, u32, u32)>,
        /// Source line of a wait that never ends.
        hang: Option<u32>,
    },
    /// The kernel could not be run.
    Failed(Sentence),
}

/// The emulator's verdict on the kernel with a flaw and a number of stages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) stages: usize,
    /// The steps of the producer and of each consumer.
    pub(super) scripts: [Vec<Step>; 1 + CONSUMERS],
    pub(super) verdict: Verdict,
}

impl Judged {
    pub(super) fn new(stages: usize, flaw: RingFlaw) -> Self {
        judge(stages, flaw).unwrap_or_else(|fault| Self {
            stages,
            scripts: Default::default(),
            verdict: Verdict::Failed(explain(&fault)),
        })
    }
}

fn judge(stages: usize, flaw: RingFlaw) -> Result<Judged, Fault> {
    let kernel = Module::parse(PTX)?.kernel("ring")?;
    let numbers = |count: u32| (0..count).flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    let mut memory = Memory::new();
    let tiles = memory.add("tiles", &numbers(TILES * WORDS));
    let sums = memory.add("sums", &numbers(CONSUMERS as u32 * WORDS));
    let launch = Launch {
        grid: [1; 3],
        block: [WORDS * (1 + CONSUMERS as u32), 1, 1],
        dynamic_shared: 0,
        cooperative: false,
        args: vec![
            Arg::Buffer(tiles),
            Arg::Buffer(sums),
            Arg::U32(TILES),
            Arg::U32(stages as u32),
            Arg::U32(flaw as u32),
        ],
    };
    let control = Control::default().steps(STEPS);
    let (mut hazard, mut hang, mut right) = (None, None, true);
    for schedule in [Schedule::InOrder, Schedule::RoundRobin, Schedule::Priority(vec![2, 1, 0])] {
        let mut after = memory.clone();
        let options = Options { measure: Measure::All, schedule, ..Options::default() };
        let outcome = attempt(&kernel, &launch, &mut after, &options, &control)?;
        if let Some(found) = outcome.run.hazards.first() {
            let line = |access| [&found.first, &found.second].into_iter().find(|it| it.access == access);
            let [read, write] =
                [AccessKind::Read, AccessKind::Write].map(|access| line(access).map_or(0, |it| it.place.line));
            hazard.get_or_insert((found.kind, read, write));
        }
        match outcome.fault {
            Some(fault) if fault.kind == FaultKind::Mbarrier => {
                hang.get_or_insert(fault.line);
            }
            Some(fault) => return Err(fault),
            None => right &= is_right(after.read(sums)),
        }
    }
    let verdict = match (hazard, hang) {
        (None, None) if right => Verdict::Right,
        (hazard, hang) => Verdict::Wrong { hazard, hang },
    };
    Ok(Judged { stages, scripts: scripts(&kernel, &launch, &memory, &control)?, verdict })
}

/// True if each lane of each consumer has the correct sum over all tiles.
fn is_right(sums: &[u8]) -> bool {
    let sum = |lane: u32| (0..TILES).map(|tile| tile * WORDS + lane).sum::<u32>();
    let lanes = sums.chunks_exact(4).zip((0..WORDS).cycle());
    lanes.into_iter().all(|(bytes, lane)| bytes == sum(lane).to_le_bytes())
}

/// Returns the steps of each warp, which do not depend on the order of warps.
fn scripts(
    kernel: &Kernel,
    launch: &Launch,
    memory: &Memory,
    control: &Control<'_>,
) -> Result<[Vec<Step>; 1 + CONSUMERS], Fault> {
    let watch = Watch { lines: false, ..Watch::default() };
    let traced = trace(kernel, launch, memory, 0, &Schedule::RoundRobin, &watch, control)?;
    // The kernel initialises the mbarriers stage by stage, the full one first.
    let made = |event: &Event| if let EventKind::Init { object } = event.kind { Some(object) } else { None };
    let barriers: Vec<u32> = traced.events.iter().filter_map(made).collect();
    let barrier = |object: u32| barriers.iter().position(|known| *known == object).unwrap_or(0);
    let copies = traced.events.iter().filter_map(|event| match event.kind {
        EventKind::Copy { address, .. } => Some(address),
        _ => None,
    });
    let first = copies.min().unwrap_or(0);
    let stage = |address: u32| (address.saturating_sub(first) / BYTES) as usize;
    let mut scripts: [Vec<Step>; 1 + CONSUMERS] = Default::default();
    for event in &traced.events {
        let Some(script) = scripts.get_mut(event.warp as usize) else { continue };
        script.extend(match event.kind {
            EventKind::WaitAt { object, parity } => {
                let (at, parity) = (barrier(object), u32::from(parity));
                let barrier = if at % 2 == 0 { BarrierKind::Full } else { BarrierKind::Empty };
                Some(Step::Wait { barrier, stage: at / 2, parity })
            }
            // A tile's announcement and its copy are one step. The copy represents both.
            EventKind::Copy { address, .. } => Some(Step::Request { stage: stage(address) }),
            EventKind::ArriveAt { object } if barrier(object) % 2 == 1 => {
                Some(Step::Release { stage: barrier(object) / 2 })
            }
            EventKind::Shared { access: AccessKind::Read, ref address, .. } => {
                Some(Step::Read { stage: stage(address[0]) })
            }
            _ => None,
        });
    }
    Ok(scripts)
}
