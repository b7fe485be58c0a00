//! What the emulator says of the ring: what each warp does, in its order, and whether that is right.

use ptx_emulator::{
    AccessKind, Arg, Control, Event, Fault, FaultKind, HazardKind, Kernel, Launch, Measure, Memory, Module, Options,
    Schedule, Watch, What, attempt, trace,
};
use tutor_course::RingFlaw;
use tutor_exec::fault::told;

/// Source: `assets/pictures/kernels/ring.cu`, where a flaw has the number that it has here.
const PTX: &str = include_str!("../../../assets/pictures/assets/ptx/ring.ptx");
/// Tiles that go through the ring.
pub(super) const TILES: u32 = 8;
/// Warps that read each tile.
pub(super) const CONSUMERS: usize = 2;
/// Numbers of a tile, one for each lane.
const WORDS: u32 = 32;
/// Bytes of a tile.
pub(super) const BYTES: u32 = 4 * WORDS;
/// Warp instructions that all runs may take: a hundred times what they need.
const STEPS: u64 = 1 << 20;

/// The two boards of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Board {
    /// The tile is there.
    Full,
    /// The tile has been read.
    Empty,
}

/// A step of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// It waits for a phase of this parity.
    Wait {
        board: Board,
        stage: usize,
        parity: u32,
    },
    /// It announces a tile and asks for it.
    Ask {
        stage: usize,
    },
    Read {
        stage: usize,
    },
    /// It hands the stage back.
    HandBack {
        stage: usize,
    },
}

/// What is wrong with the kernel, if anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Every order of warps that was tried has the right sums and no hazard.
    Right,
    Wrong {
        /// Kind, and the source lines of the read and of the copy that nothing orders.
        hazard: Option<(HazardKind, u32, u32)>,
        /// Source line of a wait that never ends.
        hang: Option<u32>,
    },
    /// It could not be run.
    Failed(String),
}

/// The kernel with a flaw and a number of stages, as the emulator runs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) stages: usize,
    /// What the producer and each consumer do.
    pub(super) scripts: [Vec<Step>; 1 + CONSUMERS],
    pub(super) verdict: Verdict,
}

impl Judged {
    pub(super) fn of(stages: usize, flaw: RingFlaw) -> Self {
        judge(stages, flaw).unwrap_or_else(|fault| Self {
            stages,
            scripts: Default::default(),
            verdict: Verdict::Failed(told(&fault)),
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

/// Whether each lane of each consumer has the sum of its numbers of all tiles.
fn is_right(sums: &[u8]) -> bool {
    let sum = |lane: u32| (0..TILES).map(|tile| tile * WORDS + lane).sum::<u32>();
    let lanes = sums.chunks_exact(4).zip((0..WORDS).cycle());
    lanes.into_iter().all(|(bytes, lane)| bytes == sum(lane).to_le_bytes())
}

/// What each warp does; the order of warps has no part in it.
fn scripts(
    kernel: &Kernel,
    launch: &Launch,
    memory: &Memory,
    control: &Control<'_>,
) -> Result<[Vec<Step>; 1 + CONSUMERS], Fault> {
    let watch = Watch { lines: false, ..Watch::default() };
    let traced = trace(kernel, launch, memory, 0, &Schedule::RoundRobin, &watch, control)?;
    // The boards are made stage by stage, the full one first.
    let made = |event: &Event| if let What::Init { object } = event.what { Some(object) } else { None };
    let boards: Vec<u32> = traced.events.iter().filter_map(made).collect();
    let board = |object: u32| boards.iter().position(|known| *known == object).unwrap_or(0);
    let copies = traced.events.iter().filter_map(|event| match event.what {
        What::Copy { address, .. } => Some(address),
        _ => None,
    });
    let first = copies.min().unwrap_or(0);
    let stage = |address: u32| (address.saturating_sub(first) / BYTES) as usize;
    let mut scripts: [Vec<Step>; 1 + CONSUMERS] = Default::default();
    for event in &traced.events {
        let Some(script) = scripts.get_mut(event.warp as usize) else { continue };
        script.extend(match event.what {
            What::WaitAt { object, parity } => {
                let (at, parity) = (board(object), u32::from(parity));
                let board = if at % 2 == 0 { Board::Full } else { Board::Empty };
                Some(Step::Wait { board, stage: at / 2, parity })
            }
            // Announcing a tile and asking for it are one step; of the two, the copy says it.
            What::Copy { address, .. } => Some(Step::Ask { stage: stage(address) }),
            What::ArriveAt { object } if board(object) % 2 == 1 => Some(Step::HandBack { stage: board(object) / 2 }),
            What::Shared { access: AccessKind::Read, ref address, .. } => Some(Step::Read { stage: stage(address[0]) }),
            _ => None,
        });
    }
    Ok(scripts)
}
