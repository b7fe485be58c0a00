/*! Demonstrates a hazard: two possible outcomes of the launch, and the value in each.

| hazard | two outcomes | difference |
|---|---|---|
| two warps of a block | either warp comes first ([`Way::Warps`]) | the value read, or the final value |
| two lanes of a warp | either lane runs ahead ([`Way::Lanes`]) | the same |
| two blocks | either block comes first ([`Way::Blocks`]) | the same |
| an asynchronous copy that writes | it completes immediately, or as late as possible ([`Way::Copy`]) | the same |
| an asynchronous read | it happens immediately, or as late as possible ([`Way::LateRead`]) | the value it reads |
| a store that is signalled without a fence | others see it in time, or later than the signal ([`Way::LateStore`]) | the value read |

For the first four, the launch runs twice, and each value was read or stored in one of the runs. The others need one
run, in which memory held one value and then the other. For blocks, the first trial runs only the two blocks of the
hazard. If they do not reach both locations, a second trial runs all blocks.
*/

mod trial;
mod watcher;

use super::control::{Control, Limit};
use super::memory::Memory;
use super::report::{AccessKind, Dim3, Fault, Hazard, HazardKind, HazardSeverity, HazardSpace, SourceLocation};
use crate::module::Kernel;
use crate::run::Launch;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;
use trial::{Case, Plan};

/// The choice that the hardware may make either way. The named choice is the one that does harm.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Way {
    /// The warp `first` of the block comes before the warp `second`.
    Warps {
        /// Comes first.
        first: u32,
        /// Comes second.
        second: u32,
    },
    /// The thread `first` runs ahead of the thread `second` of its warp.
    Lanes {
        /// Runs ahead.
        first: Dim3,
        /// Runs after it.
        second: Dim3,
    },
    /// The block `first` comes before the block `second`.
    Blocks {
        /// Comes first.
        first: Dim3,
        /// Comes second.
        second: Dim3,
    },
    /// Asynchronous copies complete as late as possible, or immediately.
    Copy {
        /// True for as late as possible.
        late: bool,
    },
    /// An asynchronous read happens after the store that follows it.
    LateRead,
    /// Other threads see the store later than the signal for it.
    LateStore,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = |[x, y, z]: Dim3| format!("({x},{y},{z})");
        match self {
            Self::Warps { first, second } => write!(f, "warp {first} comes before warp {second}"),
            Self::Lanes { first, second } => {
                write!(f, "thread {} runs ahead of thread {} of its warp", index(*first), index(*second))
            }
            Self::Blocks { first, second } => {
                write!(f, "block {} comes before block {}", index(*first), index(*second))
            }
            Self::Copy { late: true } => f.write_str("the copy completes as late as it may"),
            Self::Copy { late: false } => f.write_str("the copy completes at once"),
            Self::LateRead => f.write_str("the asynchronous read comes after the store"),
            Self::LateStore => f.write_str("the store becomes visible later than the signal for it"),
        }
    }
}

/// Two values; the timing decides which of them results.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Witness {
    /// The choice that gives the value `wrong`.
    pub way: Way,
    /// True if the value is the final one after two writes; false if it is the one that `thread` reads.
    pub stays: bool,
    /// Byte offset in shared memory, or in the buffer.
    pub address: u64,
    /// Size of the value in bytes.
    pub bytes: u32,
    /// The thread that reads; for two writes, the thread whose value should be the final one.
    pub thread: Dim3,
    /// Block of `thread`.
    pub block: Dim3,
    /// Warp of `thread`.
    pub reader: u32,
    /// The warp of the other access.
    pub writer: u32,
    /// Source location at which `thread` reads or writes.
    pub place: SourceLocation,
    /// The value in the order that the program intends, as bits.
    pub right: u64,
    /// The value in the other order, as bits.
    pub wrong: u64,
}

/// The reason why a hazard has no [`Witness`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum NoWitness {
    /// Every choice gives this value with the given data.
    SameValue(u64),
    /// In no trial did both threads reach these locations.
    NotReached,
    /// The trial ended with a fault.
    Fault(Box<Fault>),
    /// No trial was made, because the control's limits were already reached.
    Untried(Limit),
    /// A trial did not finish.
    Unfinished(Limit),
    /// A hazard in registers. The GPU's assembler inserts the missing wait.
    Registers,
    /// All threads store the same value here.
    SameStores,
    /// A hazard that only lacks a fence after the signal ([`HazardSeverity::Unfenced`]). No order of the blocks shows it,
    /// because the signal decides which block continues.
    OnlyReordered,
}

/// Writes a clause: "in none of the ways that were tried did …".
impl fmt::Display for NoWitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameValue(value) => {
                write!(f, "all trials give the same value here, {value:#x}; with other data it is still a hazard")
            }
            Self::NotReached => f.write_str("in no trial did both threads reach these places"),
            Self::Fault(fault) => write!(f, "the trial ended with a fault: {fault}"),
            Self::Untried(limit) => write!(f, "no witness was sought, because {limit}"),
            Self::Unfinished(limit) => write!(f, "no witness was found before {limit}"),
            Self::Registers => f.write_str("PTX does not define when the registers get the result of the product"),
            Self::SameStores => f.write_str("each of the threads stores the same value, so any order gives the same result"),
            Self::OnlyReordered => f.write_str(
                "no order of the threads shows it, because the signal decides who continues; memory itself would have to \
                 reorder the accesses",
            ),
        }
    }
}

impl std::error::Error for NoWitness {}

/// Runs the launch with both orders of a hazard's two accesses, as the module describes.
///
/// A trial takes at most a quarter of the steps that the control has left. So an endless trial leaves some for the next.
///
/// # Errors
/// Fails if no value differs, if a trial does not reach the accesses, or if it reaches the control's limits.
pub fn witness(
    kernel: &Kernel,
    launch: &Launch,
    memory: &Memory,
    hazard: &Hazard,
    control: &Control<'_>,
) -> Result<Witness, NoWitness> {
    if hazard.space == HazardSpace::Registers {
        return Err(NoWitness::Registers);
    }
    let reads = [&hazard.first, &hazard.second].iter().any(|side| side.access == AccessKind::Read);
    match hazard.severity {
        HazardSeverity::SameValue => return Err(NoWitness::SameStores),
        HazardSeverity::Unfenced if !reads => return Err(NoWitness::OnlyReordered),
        _ => {}
    }
    if let Some(limit) = control.reached() {
        return Err(NoWitness::Untried(limit));
    }
    let case = Case::new(&kernel.program, launch, memory, hazard, control);
    let mut why = NoWitness::NotReached;
    for plan in plans(&case, hazard) {
        match case.try_out(&plan) {
            Ok(witness) => return Ok(witness),
            // An unchanged value is more informative than an unreached location.
            Err(NoWitness::SameValue(value)) => why = NoWitness::SameValue(value),
            Err(cut @ (NoWitness::Fault(_) | NoWitness::Unfinished(_))) if why == NoWitness::NotReached => why = cut,
            Err(_) => {}
        }
    }
    Err(why)
}

/// Returns the trials to make, in order.
fn plans(case: &Case<'_>, hazard: &Hazard) -> Vec<Plan> {
    let (first, second) = (&hazard.first, &hazard.second);
    if case.asynchronous[0] || case.asynchronous[1] {
        let read = [first, second].map(|side| side.access == AccessKind::Read);
        return match read {
            [true, _] if case.asynchronous[0] => vec![Plan::LateRead],
            [_, true] if case.asynchronous[1] => vec![Plan::LateStore],
            // If the read comes first, the intended copy is late. If the copy comes first, the intended copy is early.
            _ => vec![Plan::Copy { late: case.asynchronous[0] }],
        };
    }
    let warp = |thread: Dim3| case.linear(thread) / 32;
    let mut plans = Vec::new();
    if hazard.severity == HazardSeverity::Unfenced {
        return vec![Plan::LateStore];
    }
    if first.block != second.block {
        plans.push(Plan::Blocks { all: false });
        plans.push(Plan::Blocks { all: true });
    } else if warp(first.thread) == warp(second.thread) {
        plans.push(Plan::Lanes);
    } else {
        plans.push(Plan::Warps);
    }
    if hazard.kind == HazardKind::Raw {
        plans.push(Plan::LateStore);
    }
    plans
}
