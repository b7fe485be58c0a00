//! Reports of a run: counts, hazards, faults. The command line's JSON has the same field names.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;

/// Three-dimensional index or extent, `x` first, as CUDA's `dim3`.
pub type Dim3 = [u32; 3];

/// A place in a program: the source line that `.loc` names, and the line of the PTX text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct SourceLocation {
    /// Source file as named in the PTX (`.file`), empty if the PTX has no line information.
    pub file: String,
    /// Line in `file`, 1-based; 0 if unknown.
    pub line: u32,
    /// Line in the PTX text, 1-based.
    pub ptx_line: u32,
    /// If `line` is in an inlined function: line of the call in the kernel, in the same file.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub called_at: Option<u32>,
    /// If the instruction is from a header: where it is there. `line` is then that of the call in the kernel's file.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub header: Option<HeaderLocation>,
}

impl SourceLocation {
    /// Returns the line in the source, or that in the PTX text if the PTX has no line information.
    #[must_use]
    pub fn known_line(&self) -> u32 {
        if self.line == 0 { self.ptx_line } else { self.line }
    }
}

/// A place in a header.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct HeaderLocation {
    /// The header as named in the PTX (`.file`).
    pub file: String,
    /// Line in it, 1-based.
    pub line: u32,
}

/// Counts of one PTX instruction over the whole launch.
///
/// `sectors` count global accesses and `wavefronts` count shared ones. The other fields of each kind are zero.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct LineCounts {
    /// Where the instruction is.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub place: SourceLocation,
    /// Opcode without types, e.g. `ld.shared`, `st.global`, `fma`.
    pub op: String,
    /// Bytes moved per lane; 0 for arithmetic.
    pub bytes: u32,
    /// Times a warp executed it with at least one active lane.
    pub warp_instructions: u64,
    /// Warp-wide memory requests (equal to `warp_instructions` for memory instructions).
    pub requests: u64,
    /// Shared-memory wavefronts by the rules of [`super::cost`].
    pub wavefronts: u64,
    /// Wavefronts without bank conflicts.
    pub wavefronts_ideal: u64,
    /// 32-byte global sectors moved.
    pub sectors: u64,
    /// Minimum number of sectors that could carry the same distinct data.
    pub sectors_ideal: u64,
}

/// `ldmatrix` and the loads of `wmma` read shared memory as `ld.shared` does. `cp.async` reads global memory and writes
/// shared memory, so it counts for both. A bulk copy counts for global memory only.
impl LineCounts {
    /// True if the instruction reads global memory.
    pub fn loads_global(&self) -> bool {
        let copies = self.copies() && !self.stores_global() && self.sectors_ideal > 0;
        copies || self.op.starts_with("ld.global") || self.wmma("load", false)
    }

    /// True if the instruction writes global memory.
    pub fn stores_global(&self) -> bool {
        let copies = self.copies() && (self.op.ends_with(".global") || self.op.starts_with("cp.reduce"));
        copies || self.op.starts_with("st.global") || self.wmma("store", false)
    }

    /// True if the instruction reads shared memory.
    pub fn loads_shared(&self) -> bool {
        self.op.starts_with("ld.shared") || self.op.starts_with("ldmatrix") || self.wmma("load", true)
    }

    /// True if the instruction writes shared memory.
    pub fn stores_shared(&self) -> bool {
        let copies = self.copies() && self.wavefronts_ideal > 0;
        let stores = self.op.starts_with("st.shared") || self.op.starts_with("stmatrix");
        copies || stores || self.wmma("store", true)
    }

    fn copies(&self) -> bool {
        self.op.starts_with("cp.")
    }

    fn wmma(&self, what: &str, shared: bool) -> bool {
        self.op.starts_with("wmma.") && self.op.contains(what) && (self.wavefronts_ideal > 0) == shared
    }
}

/// Sums over the launch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Totals {
    /// Warp instructions executed.
    pub warp_instructions: u64,
    /// Shared and global requests.
    pub requests: u64,
    /// Shared-memory wavefronts.
    pub wavefronts: u64,
    /// Shared-memory wavefronts without conflicts.
    pub wavefronts_ideal: u64,
    /// Global sectors.
    pub sectors: u64,
    /// Minimum number of global sectors.
    pub sectors_ideal: u64,
    /// Floating-point operations of active lanes. An FMA counts as two.
    pub flop: u64,
    /// Bytes that active lanes requested from global memory.
    pub global_bytes: u64,
    /// 128-byte lines that global loads touch, counted per request: each is one look-up in the L1 cache. Atomics and
    /// asynchronous copies are not included.
    #[cfg_attr(feature = "serde", serde(default))]
    pub global_load_lines: u64,
    /// Bytes that active lanes requested from shared memory.
    pub shared_bytes: u64,
    /// Block-wide barriers passed, counted once per block.
    pub barriers: u64,
}

/// Deterministic cost of a launch, per PTX instruction and in total.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Counts {
    /// Sums over all lines.
    pub totals: Totals,
    /// One entry for each instruction that moves data or computes in floating point, in PTX order.
    pub lines: Vec<LineCounts>,
    /// Blocks that were counted.
    pub blocks_counted: u64,
    /// Blocks of the launch. If it exceeds `blocks_counted`, the counts are those of a sample, not scaled.
    pub blocks: u64,
}

impl Counts {
    /// Adds the counts of another launch.
    pub fn add(&mut self, other: Self) {
        let (totals, of) = (&mut self.totals, other.totals);
        totals.warp_instructions += of.warp_instructions;
        totals.requests += of.requests;
        totals.wavefronts += of.wavefronts;
        totals.wavefronts_ideal += of.wavefronts_ideal;
        totals.sectors += of.sectors;
        totals.sectors_ideal += of.sectors_ideal;
        totals.flop += of.flop;
        totals.global_bytes += of.global_bytes;
        totals.global_load_lines += of.global_load_lines;
        totals.shared_bytes += of.shared_bytes;
        totals.barriers += of.barriers;
        self.lines.extend(other.lines);
        self.blocks_counted += other.blocks_counted;
        self.blocks += other.blocks;
    }
}

/// The order of two accesses to the same byte that no synchronisation orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "UPPERCASE"))]
pub enum HazardKind {
    /// Read after write: the read may happen too early.
    Raw,
    /// Write after read: the write may happen too early.
    War,
    /// Write after write: either value may remain.
    Waw,
}

/// The memory in which a hazard was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum HazardSpace {
    /// Within a block, or a cluster of blocks.
    Shared,
    /// Within a block or between blocks.
    Global,
    /// Registers of a `wgmma` in flight that are used before the wait, or without the required fence before the
    /// `wgmma`. NVIDIA's assembler makes the instruction wait. PTX leaves the result undefined.
    Registers,
}

/// Severity of a hazard, named as in `compute-sanitizer --tool racecheck`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum HazardSeverity {
    /// Between threads of different warps or blocks.
    #[default]
    Error,
    /// Between threads of one warp (warp-level programming): correct only while they happen to run in step.
    Warning,
    /// Nothing orders two `volatile` accesses, or a `volatile` store and an atomic. They are strong in PTX, so its memory model
    /// calls this no race. In CUDA C++ it is one: `volatile` gives threads no order, so which value is read or remains is
    /// undetermined.
    /// Loads that wait for a value, and signals next to fences, are not reported.
    Volatile,
    /// In global memory: the second thread has seen a signal that the first sent after its access and a fence. It has
    /// run no fence since. The PTX memory model calls this a race. Today's GPUs keep the order.
    Unfenced,
    /// Threads store the same value, so the order does not matter. The PTX memory model calls this a race.
    SameValue,
}

/// One side of a hazard.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct HazardAccess {
    /// Index of the thread in its block.
    pub thread: Dim3,
    /// Index of its block.
    #[cfg_attr(feature = "serde", serde(default))]
    pub block: Dim3,
    /// Whether the access reads or writes.
    pub access: AccessKind,
    /// Where the access is.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub place: SourceLocation,
    /// For a hazard between launches that may overlap: the launch of this access.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub launch: Option<LaunchOf>,
}

/// A launch of a [`Stream`](crate::Stream).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct LaunchOf {
    /// Its number in the stream, counted from 1.
    pub number: u32,
    /// Name of its kernel, as in the source.
    pub kernel: String,
}

/// Read or write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum AccessKind {
    /// The access reads the bytes.
    Read,
    /// The access writes the bytes.
    Write,
}

/// Two source places that access the same bytes without a barrier between them.
///
/// `first` and `second` are in the order that the program intends. For RAW, the write comes first; for WAR, the read.
/// The example is the first pair found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Hazard {
    /// RAW, WAR or WAW.
    pub kind: HazardKind,
    /// Shared or global.
    pub space: HazardSpace,
    /// How certain the harm is.
    #[cfg_attr(feature = "serde", serde(default))]
    pub severity: HazardSeverity,
    /// The buffer, for global memory.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub buffer: Option<String>,
    /// Block of the example: the owner of the shared memory, or for global memory the block of the second access.
    pub block: Dim3,
    /// First byte of the example: its offset in shared memory or in the buffer.
    pub address: u64,
    /// Bytes in conflict in the example.
    pub bytes: u32,
    /// The earlier access in program order.
    pub first: HazardAccess,
    /// The later access in program order.
    pub second: HazardAccess,
    /// Number of pairs of conflicting warp accesses at these two places. Between blocks that cannot order each other:
    /// number of conflicting granules.
    pub occurrences: u64,
}

/// How much work a run did.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Stats {
    /// Warp instructions executed.
    pub warp_instructions: u64,
    /// Thread instructions: each warp instruction counts its active lanes.
    pub thread_instructions: u64,
    /// Maximum number of instructions that one warp executed. Warps that a fault interrupted do not count.
    #[cfg_attr(feature = "serde", serde(default))]
    pub longest_warp: u64,
    /// Wall-clock time of the emulator in seconds, never a GPU's time.
    pub seconds: f64,
}

/// Why a text or one of its kernels could not be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct LoadError {
    /// Kind of the error.
    pub kind: LoadErrorKind,
    /// A sentence that begins with the place, if there is one, and names what was found there.
    pub message: String,
    /// Line of the text, 1-based; 0 if the error has no place in the text.
    pub line: u32,
    /// Column of the text, 1-based; 0 if the error has no place in the text.
    pub column: u32,
}

/// The kinds of [`LoadError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// The text is not PTX.
    Parse,
    /// The text is PTX that the emulator does not run.
    Unsupported,
    /// The text has no kernel of that name.
    NoKernel,
    /// The emulator translated the text incorrectly: a bug of the emulator.
    Internal,
}

impl LoadError {
    /// Makes an error at a place in the text. The message becomes one line of limited length that is safe for a
    /// terminal.
    pub(crate) fn new(kind: LoadErrorKind, message: impl Into<String>, (line, column): (u32, u32)) -> Self {
        Self { kind, message: super::text::message(message.into()), line, column }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LoadError {}

/// Lets a caller handle errors of loading and of running in the same way.
impl From<LoadError> for Fault {
    fn from(error: LoadError) -> Self {
        let kind = match error.kind {
            LoadErrorKind::Internal => FaultKind::Unsupported,
            LoadErrorKind::Parse => FaultKind::Parse,
            LoadErrorKind::Unsupported => FaultKind::Unsupported,
            LoadErrorKind::NoKernel => FaultKind::Launch,
        };
        Self { line: error.line, column: error.column, ..Self::new(kind, error.message) }
    }
}

/// Why a launch did not run to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// A sentence that names the values involved and what to do.
    pub message: String,
    /// Line of the source file, or of the PTX if there is no `.loc`; 0 if unknown.
    pub line: u32,
    /// Column of the PTX text, 1-based, for a [`LoadError`]; otherwise 0.
    pub column: u32,
    /// Source file of `line`, empty if it is the PTX text.
    pub file: String,
    /// Thread that faulted: the lowest active one at fault.
    pub thread: Option<Dim3>,
    /// Its block.
    pub block: Option<Dim3>,
    /// The global address of the access, if the address is invalid.
    pub address: Option<u64>,
}

impl Fault {
    /// Makes a fault without a place. The message becomes one line of limited length that is safe for a terminal.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        let message = super::text::message(message.into());
        Self { kind, message, line: 0, column: 0, file: String::new(), thread: None, block: None, address: None }
    }

    /// Makes the fault of a launch that does not fit its kernel.
    pub(crate) fn launch(message: impl Into<String>) -> Self {
        Self::new(FaultKind::Launch, message)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// The kinds of [`Fault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FaultKind {
    /// A [`LoadError`]: the text is not PTX. Launches never return it.
    Parse,
    /// A [`LoadError`]: the text is PTX that the emulator does not run. Launches never return it.
    Unsupported,
    /// The launch does not fit the kernel: arguments, block size, shared memory.
    Launch,
    /// An access outside every buffer, or outside shared memory.
    OutOfBounds,
    /// An address that is not a multiple of the access size.
    Misaligned,
    /// A read of bytes that nothing wrote.
    Uninitialised,
    /// Threads of a block wait at different barriers, or some have exited.
    DivergentBarrier,
    /// A lane gives a shuffle, vote or `bar.warp.sync` a mask that lacks the lane itself.
    LaneMask,
    /// More arrivals at an `mbarrier` than its phase expects, or a wait that no thread can end any more.
    Mbarrier,
    /// More warp instructions than the limit of the block or of the request.
    StepBudget,
    /// More time than the limit of the request.
    TimeBudget,
    /// Too many accesses for the hazard search: turn it off, or use a smaller problem.
    HazardBudget,
    /// All blocks that can run spin on memory that none of them will change.
    Livelock,
    /// The kernel executed `trap`.
    Trap,
    /// An assertion in the kernel failed.
    Assertion,
    /// A thread's calls need more stack than it has.
    StackOverflow,
    /// `free` of a pointer that did not come from `malloc`, or that is already free.
    InvalidFree,
    /// The caller cancelled the run.
    Cancelled,
}
