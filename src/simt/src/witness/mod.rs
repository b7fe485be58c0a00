/*! A hazard shown to be one: two ways in which the launch may go, and the value that each of them gives.

| hazard | the two ways | what differs |
|---|---|---|
| two warps of a block | one of them comes first, or the other ([`Way::Warps`]) | what is read, or what stays |
| two lanes of a warp | one of them runs ahead, or the other ([`Way::Lanes`]) | the same |
| two blocks | one of them comes first, or the other ([`Way::Blocks`]) | the same |
| an asynchronous copy that writes | it completes at once, or as late as it may ([`Way::Copy`]) | the same |
| an asynchronous read | it happens at once, or as late as it may ([`Way::LateRead`]) | what it reads |
| a store that is told of without a fence | others see it in time, or later than what tells of it ([`Way::LateStore`]) | what is read |

In the first four the launch is run twice, and each value was read or stored in one of the runs. The others need one run:
both values stood there in it, one after the other. Of many blocks those that matter are run: first the two alone, and if
they do not come to the two places then, all of them.
*/

mod trial;
mod watcher;

use super::control::{Control, Limit};
use super::memory::Memory;
use super::report::{AccessKind, Dim3, Fault, Hazard, HazardKind, HazardSpace, Place};
use crate::module::Kernel;
use crate::run::Launch;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::fmt;
use trial::{Case, Plan};

/// What may go one way or the other. The way that is named does harm.
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
        /// Follows.
        second: Dim3,
    },
    /// The block `first` comes before the block `second`.
    Blocks {
        /// Comes first.
        first: Dim3,
        /// Comes second.
        second: Dim3,
    },
    /// Asynchronous copies complete as late as they may, or all at once.
    Copy {
        /// As late as they may.
        late: bool,
    },
    /// An asynchronous read happens later than the store that follows it.
    LateRead,
    /// Others see the store later than what tells them of it.
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
            Self::LateStore => f.write_str("the store is seen later than what tells of it"),
        }
    }
}

/// Two values of which it depends on chance which one comes out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Witness {
    /// What may go one way or the other: the way that gives `wrong`.
    pub way: Way,
    /// The value is what stays at the address, of two writes; else it is what is read there.
    pub stays: bool,
    /// Byte offset in shared memory, or in the buffer.
    pub address: u64,
    /// Bytes of the value.
    pub bytes: u32,
    /// The thread that reads; of two writes the one whose value should stay. Its block and its warp.
    pub thread: Dim3,
    /// See `thread`.
    pub block: Dim3,
    /// See `thread`.
    pub reader: u32,
    /// The warp of the other side.
    pub writer: u32,
    /// Where `thread` reads or writes.
    pub place: Place,
    /// The value if things go as the program means, as bits.
    pub right: u64,
    /// The value if they go the other way.
    pub wrong: u64,
}

/// Why a hazard has no [`Witness`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum NoWitness {
    /// Whichever way it goes, the value is the same with these data.
    SameValue(u64),
    /// In no way that was tried did both threads come to these places.
    NotReached,
    /// The trial ended with a fault.
    Fault(Box<Fault>),
    /// Nothing was tried, as nothing was left of what the request may take.
    Untried(Limit),
    /// A trial did not come to its end.
    Unfinished(Limit),
    /// A hazard in registers: the GPU's assembler makes the instruction wait.
    Registers,
}

/// A clause: "in none of the ways that were tried did …".
impl fmt::Display for NoWitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameValue(value) => write!(
                f,
                "the ways that were tried give the same value here, {value:#x}; with other data it is a hazard all the same"
            ),
            Self::NotReached => {
                f.write_str("in none of the ways that were tried did both threads come to these places")
            }
            Self::Fault(fault) => write!(f, "the trial ended with a fault: {fault}"),
            Self::Untried(limit) => write!(f, "no witness was looked for, as {limit}"),
            Self::Unfinished(limit) => write!(f, "no witness was found before {limit}"),
            Self::Registers => {
                f.write_str("the registers hold what the product gives once it is done; when that is, PTX does not say")
            }
        }
    }
}

impl std::error::Error for NoWitness {}

/// Tries both ways in which the two accesses of a hazard may come, as the module says, with what the control leaves: a trial
/// takes a quarter of the steps that are left at most, so that an endless one leaves some for the next.
///
/// # Errors
/// If no value differs, the accesses do not come about, or the control's limits are reached.
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
    if let Some(limit) = control.reached() {
        return Err(NoWitness::Untried(limit));
    }
    let case = Case::new(&kernel.program, launch, memory, hazard, control);
    let mut why = NoWitness::NotReached;
    for plan in plans(&case, hazard) {
        match case.try_out(&plan) {
            Ok(witness) => return Ok(witness),
            // That it changes nothing says more than that it did not come to it.
            Err(NoWitness::SameValue(value)) => why = NoWitness::SameValue(value),
            Err(cut @ (NoWitness::Fault(_) | NoWitness::Unfinished(_))) if why == NoWitness::NotReached => why = cut,
            Err(_) => {}
        }
    }
    Err(why)
}

/// What to try, in this order.
fn plans(case: &Case<'_>, hazard: &Hazard) -> Vec<Plan> {
    let (first, second) = (&hazard.first, &hazard.second);
    if case.asynchronous[0] || case.asynchronous[1] {
        let read = [first, second].map(|side| side.access == AccessKind::Read);
        return match read {
            [true, _] if case.asynchronous[0] => vec![Plan::LateRead],
            [_, true] if case.asynchronous[1] => vec![Plan::LateStore],
            // Of a read and a later copy the late one is right, of a copy and a later read the early one.
            _ => vec![Plan::Copy { late: case.asynchronous[0] }],
        };
    }
    let warp = |thread: Dim3| case.linear(thread) / 32;
    let mut plans = Vec::new();
    if first.block != second.block {
        plans.push(Plan::Blocks { all: false });
        plans.push(Plan::Blocks { all: true });
    } else if hazard.space == HazardSpace::Shared && warp(first.thread) == warp(second.thread) {
        plans.push(Plan::Lanes);
    } else {
        plans.push(Plan::Warps);
    }
    if hazard.kind != HazardKind::Waw {
        plans.push(Plan::LateStore);
    }
    plans
}
