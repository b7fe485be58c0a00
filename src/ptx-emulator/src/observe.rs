/*! Runs with your own observer, to count what [`Counts`](crate::Counts) does not.

```
use ptx_emulator::{
    Access, Arg, Control, Fault, Instruction, Launch, Memory, Module, Observer, Options, observe,
};
use std::collections::BTreeMap;

/// Taken branches, and bytes read from each buffer.
#[derive(Default)]
struct Mine {
    jumps: u64,
    read: BTreeMap<String, u64>,
}

impl Observer for Mine {
    fn instruction(&mut self, instruction: &Instruction<'_>) {
        if instruction.name() == "bra" {
            self.jumps += u64::from(instruction.lanes().count_ones());
        }
    }

    fn access(&mut self, access: &Access<'_>) {
        if !access.writes() {
            let whose = access.buffer().map_or("shared".to_owned(), |buffer| format!("{buffer:?}"));
            *self.read.entry(whose).or_default() += u64::from(access.lanes().count_ones() * access.bytes());
        }
    }

    fn merge(&mut self, other: Self) {
        self.jumps += other.jumps;
        for (whose, bytes) in other.read {
            *self.read.entry(whose).or_default() += bytes;
        }
    }
}

let kernel = Module::parse("
    .version 8.0
    .target sm_75
    .address_size 64
    .visible .entry sum(.param .u64 x, .param .u64 y) {
        .reg .u64 %rd<3>; .reg .u32 %r<4>; .reg .pred %p;
        ld.param.u64 %rd1, [x];
        ld.param.u64 %rd2, [y];
        mov.u32 %r1, 0;
        mov.u32 %r3, 0;
    L:  ld.global.u32 %r2, [%rd1];
        add.u32 %r3, %r3, %r2;
        add.u32 %r1, %r1, 1;
        setp.lt.u32 %p, %r1, 10;
        @%p bra L;
        ld.global.u8 %r2, [%rd2];
        ret;
    }")?.kernel("sum")?;
let mut memory = Memory::new();
let (x, y) = (memory.add("x", &[0; 4]), memory.add("y", &[0; 1]));
let launch = Launch {
    grid: [3, 1, 1],
    block: [64, 1, 1],
    args: vec![Arg::Buffer(x), Arg::Buffer(y)],
 ..Launch::default()
};
let control = Control::default();
let (outcome, mine) = observe(&kernel, &launch, &mut memory, &Options::default(), &control, Mine::default)?;

assert_eq!(outcome.fault, None);
// In each of three blocks, 64 threads jump back nine times.
assert_eq!(mine.jumps, 3 * 64 * 9);
assert_eq!(mine.read[&format!("{x:?}")], 3 * 64 * 10 * 4);
assert_eq!(mine.read[&format!("{y:?}")], 3 * 64);
# Ok::<(), Fault>(())
```

An observed run goes instruction by instruction and takes a few times as long as an unobserved one.
*/

use crate::arch::Order;
use crate::arith::Registers;
use crate::cost::Direction;
use crate::machine::Perturbation;
use crate::memory::SLOT_BITS;
use crate::probes::{AsyncAccess, Engine, Object, Probe, Seen, Space};
use crate::program::{NONE, Program};
use crate::run::{run_all, run_some};
use crate::{BufferId, Control, Fault, Kernel, Launch, Memory, Options, Outcome, SourceLocation};
use std::collections::HashMap;

/// What an asynchronous instruction, a barrier, or a load or store of matrices does. One instruction may do several such things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// It costs wavefronts of shared memory.
    Wavefronts(u32),
    /// It requests sectors of global memory.
    Sectors(u64),
    /// It copies from this buffer or, if true, to it.
    Copies(BufferId, bool),
    /// It arrives at an `mbarrier` of its block, at once or when its copy is complete: the shared address of the object,
    /// and the number of its phase. The first phase has number 1.
    Arrives(u32, u32),
    /// It has seen that a phase of an `mbarrier` of its block is complete: address and number.
    Waited(u32, u32),
    /// It waits at the block's barrier with this number.
    Barrier(u32),
}

/// Observes a run. Each worker has an observer for its own blocks; [`merge`](Self::merge) combines two.
pub trait Observer: Send {
    /// False if the run may leave out matrix products. Then the registers of a result keep what they held.
    const PRODUCTS: bool = true;

    /// Called when a warp executes an instruction of the text. A jump to the very next instruction is not reported.
    fn instruction(&mut self, _instruction: &Instruction<'_>) {}
    /// Called after a warp has loaded, stored or changed shared or global memory. Asynchronous copies, matrix loads and
    /// local memory are not reported. One instruction may be reported several times, with other lanes or elements each
    /// time.
    fn access(&mut self, _access: &Access<'_>) {}
    /// Called for what the instruction that was reported last does beyond its accesses.
    fn effect(&mut self, _instruction: &Instruction<'_>, _effect: Effect) {}
    /// Adds the observations of another worker.
    fn merge(&mut self, other: Self)
    where
        Self: Sized;
}

/// An instruction that a warp executes.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Instruction<'a> {
    program: &'a Program,
    at: usize,
    block: u64,
    warp: u32,
    lanes: u32,
}

impl Instruction<'_> {
    /// Opcode without types, e.g. `ld.shared`, `bra`, `fma`.
    pub fn name(&self) -> &str {
        self.program.notes.get(self.at).map_or("", |note| note.name.as_str())
    }

    /// Returns where the instruction is in the text.
    pub fn place(&self) -> Option<SourceLocation> {
        self.program.notes.get(self.at).and_then(|note| self.program.place(note.place))
    }

    /// Returns the line of the instruction in the PTX text, 1-based; 0 if unknown. Faster than [`place`](Self::place).
    pub fn ptx_line(&self) -> u32 {
        let place = self.program.notes.get(self.at).map(|note| note.place as usize);
        place.and_then(|place| self.program.places.get(place)).map_or(0, |place| place.ptx_line)
    }

    /// Returns the linear index of the block, with `x` fastest.
    pub fn block(&self) -> u64 {
        self.block
    }

    /// Returns the number of the warp in its block.
    pub fn warp(&self) -> u32 {
        self.warp
    }

    /// Returns a mask of the lanes that execute the instruction or, for a branch, of the lanes that take it.
    pub fn lanes(&self) -> u32 {
        self.lanes
    }
}

/// An access of a warp to memory.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Access<'a> {
    by: Instruction<'a>,
    space: Space,
    buffers: usize,
    seen: &'a Seen<'a>,
}

impl std::fmt::Debug for Access<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (by, buffer, writes) = (&self.by, self.buffer(), self.writes());
        f.debug_struct("Access")
            .field("by", by)
            .field("buffer", &buffer)
            .field("writes", &writes)
            .finish_non_exhaustive()
    }
}

impl<'a> Access<'a> {
    /// Returns the instruction that accesses memory.
    pub fn instruction(&self) -> Instruction<'a> {
        self.by
    }

    /// Returns a mask of the lanes that access memory.
    pub fn lanes(&self) -> u32 {
        self.by.lanes
    }

    /// Returns the number of bytes per lane.
    pub fn bytes(&self) -> u32 {
        self.seen.access.bytes()
    }

    /// True for a store, and for an atomic, which reads and writes.
    pub fn writes(&self) -> bool {
        self.seen.access.writes
    }

    /// True for an atomic.
    pub fn is_atomic(&self) -> bool {
        self.seen.access.atomic.is_some()
    }

    /// Returns the buffer of an access to global memory. `None` for shared memory and for the kernel's parameters.
    pub fn buffer(&self) -> Option<BufferId> {
        match self.space {
            Space::Shared(_) => None,
            Space::Global => buffer(self.seen.start.wrapping_add(self.seen.pattern.low as u64), self.buffers),
        }
    }

    /// Returns the offset of a lane's first byte in shared memory or in the buffer. `None` if the lane does not take
    /// part.
    pub fn offset(&self, lane: u32) -> Option<u64> {
        let takes_part = lane < 32 && self.lanes() >> lane & 1 == 1;
        let address = self.seen.start.wrapping_add(self.seen.pattern.relative[lane as usize & 31] as u64);
        takes_part.then_some(address & ((1 << SLOT_BITS) - 1))
    }
}

/// Runs a kernel with an observer, to its end or to a fault. Ignores [`Options::measure`].
///
/// # Errors
/// [`FaultKind::Launch`](crate::FaultKind::Launch), before anything runs, if the launch does not fit the kernel.
pub fn observe<O: Observer>(
    kernel: &Kernel,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
    make: impl Fn() -> O + Sync,
) -> Result<(Outcome, O), Fault> {
    let program = kernel.program.as_ref();
    let adapter = |buffers| Adapter::new(program, make(), buffers);
    let (outcome, adapters) = run_all(program, launch, memory, options, control, adapter)?;
    let all = adapters.into_iter().map(|adapter| adapter.observer).reduce(|mut sum, part| {
        sum.merge(part);
        sum
    });
    Ok((outcome, all.unwrap_or_else(make)))
}

/// Runs only some blocks (linear indices, `x` fastest) with an observer, in this order and on this thread. Blocks of a
/// cluster, and all blocks of a cooperative launch, run together. The inner fault is one that ended the run.
///
/// # Errors
/// [`FaultKind::Launch`](crate::FaultKind::Launch), before anything runs, if the launch does not fit the kernel or has
/// no such block.
pub fn observe_blocks<O: Observer>(
    kernel: &Kernel,
    launch: &Launch,
    memory: &mut Memory,
    options: &Options,
    control: &Control<'_>,
    blocks: &[u64],
    observer: O,
) -> Result<(O, Option<Fault>), Fault> {
    let program = kernel.program.as_ref();
    let grid: u64 = launch.grid.iter().map(|extent| u64::from(*extent)).product();
    if let Some(block) = blocks.iter().find(|block| **block >= grid) {
        return Err(Fault::launch(format!("There is no block {block}; the grid has {grid}.")));
    }
    let how = (blocks, Perturbation::default(), u64::MAX);
    // The last views are the kernel's parameters and the workspace of a cooperative launch.
    let others = 1 + usize::from(launch.cooperative);
    let make = |names: &[String]| Adapter::new(program, observer, names.len().saturating_sub(others));
    let (adapter, outcome) = run_some(program, launch, memory, options, control, how, make)?;
    Ok((adapter.observer, outcome.err()))
}

/// Returns which of the buffers contains an address.
fn buffer(address: u64, buffers: usize) -> Option<BufferId> {
    let index = ((address >> SLOT_BITS) as usize).checked_sub(1)?;
    (index < buffers).then_some(BufferId(index))
}

/// Passes the machine's probe calls on to an observer.
struct Adapter<'a, O> {
    program: &'a Program,
    observer: O,
    /// Number of buffers in the memory. Views with a higher index are not buffers.
    buffers: usize,
    /// The number of each started block, by slot and rank.
    blocks: HashMap<(usize, u32), u64>,
    slot: usize,
    rank: u32,
    /// Number of the block whose turn it is.
    block: u64,
    warp: u32,
    /// The instruction that was reported last, and its lanes.
    last: (usize, u32),
    /// Number of the current phase of each `mbarrier`, by slot.
    phases: HashMap<(usize, Object), u32>,
}

impl<'a, O: Observer> Adapter<'a, O> {
    fn new(program: &'a Program, observer: O, buffers: usize) -> Self {
        Self {
            program,
            observer,
            buffers,
            blocks: HashMap::new(),
            slot: 0,
            rank: 0,
            block: 0,
            warp: 0,
            last: (0, 0),
            phases: HashMap::new(),
        }
    }

    fn effect(&mut self, effect: Effect) {
        let (program, (at, lanes), block, warp) = (self.program, self.last, self.block, self.warp);
        self.observer.effect(&Instruction { program, at, block, warp, lanes }, effect);
    }

    fn arrives(&mut self, (rank, address): Object, phase: u32) {
        if rank == self.rank {
            self.effect(Effect::Arrives(address, phase));
        }
    }

    fn completed(&self, object: Object) -> u32 {
        self.phases.get(&(self.slot, object)).copied().unwrap_or(0)
    }

    fn executes(&mut self, at: usize, lanes: u32) {
        self.last = (at, lanes);
        let (program, block, warp) = (self.program, self.block, self.warp);
        if program.notes.get(at).is_some_and(|note| !note.name.is_empty()) {
            self.observer.instruction(&Instruction { program, at, block, warp, lanes });
        }
    }

    fn turns(&mut self) {
        self.block = self.blocks.get(&(self.slot, self.rank)).copied().unwrap_or(self.block);
    }
}

impl<O: Observer> Probe for Adapter<'_, O> {
    const COUNTS: bool = true;
    const WATCHES: bool = true;
    const TRACES: bool = true;
    const PRODUCTS: bool = O::PRODUCTS;

    fn turn(&mut self, rank: u32) {
        self.rank = rank;
        self.turns();
    }

    fn resume(&mut self, slot: usize) {
        self.slot = slot;
        self.turns();
    }

    fn threads(&mut self, _: u32, _: u64, block: u64) {
        self.blocks.insert((self.slot, self.rank), block);
        self.block = block;
    }

    fn step(&mut self, at: usize, warp: u32, mask: u32, _: Registers) {
        self.warp = warp;
        // For a guarded instruction, `guarded` passes the lanes that execute it.
        if self.program.code.get(at).is_some_and(|inst| inst.guard == NONE) {
            self.executes(at, mask);
        }
    }

    fn guarded(&mut self, at: usize, mask: u32) {
        self.executes(at, mask);
    }

    fn shared(&mut self, seen: &mut Seen<'_>) {
        if seen.access.matrix.is_some() {
            let (wavefronts, _) = seen.pattern.shared_cost(Direction::Store, seen.access.bytes(), seen.start as u32);
            self.effect(Effect::Wavefronts(wavefronts));
        }
    }

    fn global(&mut self, seen: &mut Seen<'_>) {
        if seen.engine.is_some() {
            let (sectors, _) = seen.pattern.global_cost(seen.access.bytes(), seen.start);
            self.effect(Effect::Sectors(sectors.into()));
            if let Some(buffer) = buffer(seen.start.wrapping_add(seen.pattern.low as u64), self.buffers) {
                self.effect(Effect::Copies(buffer, false));
            }
        }
    }

    fn copied(&mut self, _: usize, _: u32, (wavefronts, _): (u32, u32)) {
        self.effect(Effect::Wavefronts(wavefronts));
    }

    fn bulk(&mut self, _: usize, sectors: u64, _: u64) {
        self.effect(Effect::Sectors(sectors));
    }

    fn asynchronous(&mut self, access: &AsyncAccess) {
        if let (Engine::Phase(rank, address), true) = (access.engine, access.writes) {
            self.arrives((rank, address), access.number);
        }
    }

    fn asynchronous_global(&mut self, access: &AsyncAccess, start: u64, _: u64) {
        if let Some(buffer) = buffer(start, self.buffers) {
            self.effect(Effect::Copies(buffer, access.writes));
        }
    }

    fn arrive(&mut self, _: usize, _: u32, number: usize) {
        self.effect(Effect::Barrier(number as u32));
    }

    fn mbarrier_init(&mut self, _: usize, _: u32, _: u32, address: u32) {
        self.phases.remove(&(self.slot, (self.rank, address)));
    }

    fn mbarrier_arrive(&mut self, _: u32, _: u32, object: Object, _: Order) {
        self.arrives(object, self.completed(object) + 1);
    }

    fn mbarrier_phase(&mut self, object: Object, number: u32) {
        self.phases.insert((self.slot, object), number);
    }

    fn mbarrier_wait(&mut self, _: u32, _: u32, object: Object, _: Order) {
        let phase = self.completed(object);
        if object.0 == self.rank {
            self.effect(Effect::Waited(object.1, phase));
        }
    }

    unsafe fn touched(&mut self, space: Space, seen: &Seen<'_>, _: *const u8) {
        let by =
            Instruction { program: self.program, at: seen.at, block: self.block, warp: seen.warp, lanes: seen.mask };
        self.observer.access(&Access { by, space, buffers: self.buffers, seen });
    }
}
