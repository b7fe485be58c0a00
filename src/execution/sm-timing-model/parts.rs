//! The parts of an SM, what can hold a launch back, and what a warp can wait for.

use serde::{Deserialize, Serialize};

/// Why a warp does not start an instruction, in the words of Nsight Compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stall {
    /// None: it started one.
    Selected,
    /// It waits for global memory or a copy.
    LongScoreboard,
    /// It waits for shared memory.
    ShortScoreboard,
    /// It waits a fixed time for a result.
    Wait,
    /// The queue of the load and store unit is full.
    MioThrottle,
    /// Too many requests to L2 are in flight.
    LgThrottle,
    MathPipeThrottle,
    /// It waits for a group of `wgmma`.
    Tensor,
    /// It waits for other warps at a barrier.
    Barrier,
    NotSelected,
}

impl Stall {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Selected,
        Self::LongScoreboard,
        Self::ShortScoreboard,
        Self::Wait,
        Self::MioThrottle,
        Self::LgThrottle,
        Self::MathPipeThrottle,
        Self::Tensor,
        Self::Barrier,
        Self::NotSelected,
    ];

    /// True if the warp cannot start an instruction.
    pub fn waits(self) -> bool {
        !matches!(self, Self::Selected | Self::NotSelected)
    }

    /// Returns the letter that stands for it in a timeline.
    pub fn letter(self) -> char {
        self.letter_and_name().0
    }

    /// Returns its name in Nsight Compute.
    pub fn name(self) -> &'static str {
        self.letter_and_name().1
    }

    fn letter_and_name(self) -> (char, &'static str) {
        match self {
            Self::Selected => ('#', "selected"),
            Self::LongScoreboard => ('L', "long scoreboard"),
            Self::ShortScoreboard => ('S', "short scoreboard"),
            Self::Wait => ('w', "wait"),
            Self::MioThrottle => ('M', "mio throttle"),
            Self::LgThrottle => ('G', "lg throttle"),
            Self::MathPipeThrottle => ('P', "math pipe throttle"),
            Self::Tensor => ('T', "tensor"),
            Self::Barrier => ('B', "barrier"),
            Self::NotSelected => ('.', "not selected"),
        }
    }
}

/// A constraint that a simulation leaves out, to see what it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Constraint {
    /// Time and latency of shared memory.
    SharedMemory,
    /// Time and latency of global memory, with its caches.
    GlobalMemory,
    /// Time of arithmetic, and latency of its results.
    Arithmetic,
    Barriers,
    /// Time between the starts of two blocks.
    BlockStarts,
    /// Multiprocessors that have fewer blocks than fit, in the last wave or in all.
    Tail,
}

impl Constraint {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::SharedMemory, Self::GlobalMemory, Self::Arithmetic, Self::Barriers, Self::BlockStarts, Self::Tail];
}

/// A part of an SM that can be busy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// The pipes for single-precision arithmetic and integer multiply-adds.
    Float,
    /// The pipe for other integer operations.
    Integer,
    /// The pipe for double precision.
    Double,
    /// The pipe for conversions and approximate functions.
    Special,
    /// The tensor cores.
    Tensor,
    /// The data pipe of L1, which serves loads and stores of shared and of global memory.
    DataPipe,
    /// The way from L2.
    L2,
    /// The way from memory.
    Memory,
    Schedulers,
}

impl Unit {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Float,
        Self::Integer,
        Self::Double,
        Self::Special,
        Self::Tensor,
        Self::DataPipe,
        Self::L2,
        Self::Memory,
        Self::Schedulers,
    ];
}
