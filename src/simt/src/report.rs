//! What a run reports: counts, hazards, faults. Field names are those of the command line's JSON.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;

/// Three-dimensional index or extent, `x` first, as CUDA's `dim3`.
pub type Dim3 = [u32; 3];

/// A place in a program: the source line that `.loc` names, and the line of the PTX text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Place {
    /// Source file as named in the PTX (`.file`), empty if the PTX has no line information.
    pub file: String,
    /// Line in `file`, 1-based; 0 if unknown.
    pub line: u32,
    /// Line in the PTX text, 1-based.
    pub ptx_line: u32,
    /// Where `line` is of a function that was inlined: line of the call in the kernel, in the same file.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub called_at: Option<u32>,
}

/// What one PTX instruction did over the whole launch.
///
/// `sectors` are filled for global accesses, `wavefronts` for shared ones; the others are zero.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct LineCounts {
    /// Where the instruction stands.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub place: Place,
    /// Opcode without types, e.g. `ld.shared`, `st.global`, `fma`.
    pub op: String,
    /// Bytes a lane moves; 0 for arithmetic.
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
    /// Fewest sectors that could carry the same distinct data.
    pub sectors_ideal: u64,
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
    /// Fewest global sectors.
    pub sectors_ideal: u64,
    /// Floating-point operations by active lanes; an FMA counts two.
    pub flop: u64,
    /// Bytes that active lanes asked of global memory.
    pub global_bytes: u64,
    /// Lines of 128 bytes that global loads touch, request by request: each is a look-up in the first-level cache.
    /// Atomics and asynchronous copies are not among them.
    #[cfg_attr(feature = "serde", serde(default))]
    pub global_load_lines: u64,
    /// Bytes that active lanes asked of shared memory.
    pub shared_bytes: u64,
    /// Block-wide barriers passed, counted once a block.
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
    /// Blocks of the launch; more than `blocks_counted` if a sample was taken, and then nothing is scaled.
    pub blocks: u64,
}

/// The order in which two accesses that nothing orders touch the same byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "UPPERCASE"))]
pub enum HazardKind {
    /// Read after write: the read may come too early.
    Raw,
    /// Write after read: the write may come too early.
    War,
    /// Write after write: either value may stay.
    Waw,
}

/// The memory in which a hazard was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum HazardSpace {
    /// Within a block, or a cluster of blocks.
    Shared,
    /// Across blocks of a launch.
    Global,
    /// Registers of a `wgmma` that is under way, used before it has been waited for; or used by it without the fence
    /// that must come before. NVIDIA's assembler makes the instruction wait, PTX leaves it undefined.
    Registers,
}

/// How bad a hazard is, in the words of `compute-sanitizer --tool racecheck`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum HazardSeverity {
    /// Between threads of different warps or blocks.
    #[default]
    Error,
    /// Between threads of one warp (warp-level programming): right only as long as they happen to run in step.
    Warning,
}

/// One side of a hazard.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct HazardAccess {
    /// Index of the thread in its block.
    pub thread: Dim3,
    /// The block.
    #[cfg_attr(feature = "serde", serde(default))]
    pub block: Dim3,
    /// `read` or `write`.
    pub access: AccessKind,
    /// Where the access stands.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub place: Place,
}

/// Read or write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum AccessKind {
    /// Reads the bytes.
    Read,
    /// Writes the bytes.
    Write,
}

/// A pair of source places whose accesses to the same bytes no barrier orders.
///
/// `first` and `second` are in program-intended order: for RAW the write, then the read;
/// for WAR the read, then the write. The example is the first one found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Hazard {
    /// RAW, WAR or WAW.
    pub kind: HazardKind,
    /// Shared or global.
    pub space: HazardSpace,
    /// Within a warp, or beyond it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub severity: HazardSeverity,
    /// The buffer, for global memory.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub buffer: Option<String>,
    /// Block of the example: the one whose shared memory it is, for global memory that of the second access.
    pub block: Dim3,
    /// First byte of the example: an offset in shared memory, or in the buffer for global memory.
    pub address: u64,
    /// Bytes in conflict in the example.
    pub bytes: u32,
    /// The earlier access in program order.
    pub first: HazardAccess,
    /// The later access in program order.
    pub second: HazardAccess,
    /// Pairs of conflicting warp accesses found at these two places; for global memory, granules in conflict where
    /// the kernel's blocks cannot order each other.
    pub occurrences: u64,
}

/// How much work a run did.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Stats {
    /// Warp instructions executed.
    pub warp_instructions: u64,
    /// Instructions times active lanes.
    pub thread_instructions: u64,
    /// Wall-clock seconds of the emulator itself, never a GPU's time.
    pub seconds: f64,
}

/// Why a text could not be loaded, or a kernel of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct LoadError {
    /// What is wrong.
    pub kind: LoadErrorKind,
    /// A sentence that begins with the place, if there is one, and names what stands there.
    pub message: String,
    /// Line of the text, 1-based; 0 if the text lacks what was asked for.
    pub line: u32,
    /// Column of the text, 1-based; 0 if the text lacks what was asked for.
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
    /// An error at a place of the text. The message becomes one line that a terminal may show, of bounded length.
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

/// For those who load and run, and tell what goes wrong in one way.
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
    /// Line of the source file, or of the PTX if there is no `.loc`; 0 if it concerns none.
    pub line: u32,
    /// Column of the PTX text, 1-based, of a [`LoadError`]; else 0.
    pub column: u32,
    /// Source file of `line`, empty if it is the PTX text.
    pub file: String,
    /// Thread that faulted (the lowest active one at fault).
    pub thread: Option<Dim3>,
    /// Its block.
    pub block: Option<Dim3>,
    /// The address in global memory that it meant, if it is that which is wrong.
    pub address: Option<u64>,
}

impl Fault {
    /// A fault of no place. The message becomes one line that a terminal may show, of bounded length.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        let message = super::text::message(message.into());
        Self { kind, message, line: 0, column: 0, file: String::new(), thread: None, block: None, address: None }
    }

    /// A launch that does not fit its kernel.
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
    /// A [`LoadError`]: the text is not PTX. No launch gives it.
    Parse,
    /// A [`LoadError`]: the text is PTX that the emulator does not run. No launch gives it.
    Unsupported,
    /// The launch does not fit the kernel: arguments, block size, shared memory.
    Launch,
    /// An access outside of every buffer, or outside of shared memory.
    OutOfBounds,
    /// An address that is not a multiple of the access size.
    Misaligned,
    /// A read of bytes that nothing wrote.
    Uninitialised,
    /// Threads of a block wait at different barriers, or some have left.
    DivergentBarrier,
    /// A shuffle takes the value of a lane that does not take part, if [`Options`](crate::Options) ask for that.
    AbsentLane,
    /// More arrivals at an `mbarrier` than its phase waits for, or a wait for what no thread can bring any more.
    Mbarrier,
    /// More warp instructions than a block, or everything that is done for a request, may take.
    StepBudget,
    /// More time than everything that is done for a request may take.
    TimeBudget,
    /// More accesses than can be kept apart in the search for hazards: run it without, or with a smaller problem.
    HazardBudget,
    /// All blocks that can run spin on memory for what none of them brings.
    Livelock,
    /// The kernel executed `trap`.
    Trap,
    /// An assertion of the kernel does not hold.
    Assertion,
    /// A thread's calls take more than its stack has.
    StackOverflow,
    /// `free` of what `malloc` has not given, or of what is free already.
    InvalidFree,
    /// The caller cancelled the run.
    Cancelled,
}
