//! The compact register form that the machine runs.
//!
//! A register is a *row*: 32 lanes of 32 bits, or of 64 bits in two rows. Predicates are words, a bit a lane,
//! and live in the same file. Constants, parameters and special registers are rows too, filled before a block
//! starts, so that every operand of every instruction is a row and no operand kind is tested while running.

mod access;
pub(crate) mod async_copy;
pub(crate) mod calls;
mod display;
pub(crate) mod fused;
mod operands;
pub(crate) mod tensor;
pub(crate) mod texture;
mod verify;

use crate::arch::Scope;
use crate::arith::{self, Handler, Operands, Widths};
use crate::{HazardKind, Place};
pub(crate) use access::{Access, StateSpace};
use async_copy::Asynch;
use calls::{Call, Function, ServiceCall, Stack};
use fused::{Product, Window};
use std::sync::Arc;
use tensor::Tensor;
pub(crate) use verify::Verified;

/// Offset in the register file, in words.
pub(crate) type Slot = u32;

/// No predicate, no register.
pub(crate) const NONE: u32 = u32::MAX;

/// Computes one lane of a rarely used operation from three operands and a constant.
pub(crate) type Scalar = fn(u64, u64, u64, u64) -> u64;

/// What an instruction does. `a`, `b`, `c` are read, `d` is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Op {
    /// A basic block starts (index in [`Program::blocks`]).
    Enter(u32),
    /// Threads that diverged with this place as their meeting point wait here.
    Reconverge,
    /// The address register of shape `x` has changed: by the constant `imm`, unless that is 0; `c` is 1 if it has 64 bits.
    InvalidatePattern,
    /// All lanes at once.
    Lanes(arith::Compute, Widths),
    /// Lane by lane; bits 0–3 of `x` say which of a, b, c, d have 64 bits.
    Scalar(Scalar),
    /// Logic on whole predicate words.
    Predicate(fn(u32, u32, u32) -> u32),
    /// A fused multiply-add in single precision, the hottest of the operations over lanes.
    Fma,
    /// A load of one 32-bit element from shared memory: `Program::accesses[x]`, and beside it its address row `a`,
    /// shape `b`, destination `d`, offset `imm`, and in `c` whether the address has 64 bits.
    LoadShared,
    /// `Program::accesses[x]`.
    Load,
    /// `Program::accesses[x]`.
    Store,
    /// `Program::accesses[x]`; a is the operand, b the second one of `cas`, d the old value. `imm` is 1 for an element of
    /// a vector that is counted with another one.
    Atomic,
    /// `ldmatrix` or `stmatrix`: `Program::accesses[x]`, and in `imm` how the matrices lie in registers.
    Matrix,
    /// Matrices in registers: `Program::tensors[x]`.
    Tensor,
    /// To `x` for the lanes whose guard holds; `d` is the place where both sides meet.
    Branch,
    /// To the entry of `Program::tables[x]` that `a` selects; `d` is the meeting place.
    BranchTable,
    /// Barrier of the block; a is its number, b its thread count (or NONE).
    Barrier(Barrier),
    /// `bar.warp.sync`; a is the mask of the lanes that wait for each other.
    WarpSync,
    /// `membar`, `fence`.
    Fence(Scope),
    /// Lanes exchange values: a, source lane b, clamp c; `x` is the mode, `imm` the slot of the predicate or NONE.
    Shuffle,
    /// A predicate's value over the warp (mode `x`, source a).
    Vote,
    /// Mask of active lanes.
    ActiveMask,
    /// Lanes that hold the same value; `x` = 1 for 64 bits.
    Match,
    /// Reduction over the warp; `x` is the mode.
    Reduce,
    /// `elect.sync`: the leader's lane to d, the predicate whether it is the own one to the slot in `imm`.
    Elect,
    /// A call of a function that is not inlined, or through the pointer a: `Program::calls[x]`.
    Call,
    /// Back to where each lane was called from.
    Return,
    /// `a` bytes more on each lane's stack, aligned to `imm`; their address.
    Allocate,
    /// `Program::services[x]`: what the machine does itself.
    Service,
    /// `Program::async_copy[x]`: asynchronous copies, `mbarrier` objects.
    Asynch,
    /// `Program::textures[x]`: a texture or surface.
    Texture,
    /// The address of 64 bits that the one of 32 bits in `a` stands for, `imm` bytes further; `x` = 1 if it is generic.
    Lengthen,
    /// Instructions executed so far by the warp, 32 (`x` = 0) or 64 bits.
    Clock,
    /// The active lanes end.
    Exit,
    /// The kernel gives up.
    Trap,
    /// A stretch that a whole warp runs at once: `Program::runs`. Other warps go on with the next instruction.
    Run(u32),
}

/// Forms of `bar` and `barrier`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Barrier {
    /// Waits.
    Sync,
    /// Does not wait.
    Arrive,
    /// Waits and reduces the predicate at slot `c` into `d`.
    Count,
    /// As `Count`.
    And,
    /// As `Count`.
    Or,
}

/// One instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inst {
    pub(crate) op: Op,
    /// Predicate slot, or [`NONE`].
    pub(crate) guard: Slot,
    /// All ones if the guard is negated.
    pub(crate) flip: u32,
    pub(crate) operands: Operands,
    pub(crate) x: u32,
    pub(crate) imm: u64,
}

impl Op {
    /// All lanes at once.
    pub(crate) fn lanes(handler: Handler) -> Self {
        Self::Lanes(handler.run, handler.widths)
    }

    /// Whether `x` is the index of an [`Access`].
    pub(crate) fn accesses(self) -> bool {
        matches!(self, Self::Load | Self::LoadShared | Self::Store | Self::Atomic | Self::Matrix)
    }
}

/// Less than a line of the cache.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Inst>() == 56);

impl Inst {
    pub(crate) fn new(op: Op) -> Self {
        let operands = Operands { d: NONE, a: NONE, b: NONE, c: NONE };
        Self { op, guard: NONE, flip: 0, operands, x: 0, imm: 0 }
    }
}

/// What fills a row before a block starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Preload {
    /// The same bits in every lane.
    Constant(u64),
    /// Bytes of the parameter block.
    Param {
        offset: u32,
        bytes: u32,
        signed: bool,
    },
    /// Address of a module variable.
    Global(u32),
    /// Address of a byte of the kernel's parameters.
    ParamAddress(i64),
    /// Address of a byte of shared memory, by its offset.
    Shared(u64),
    /// Address in the dynamic shared array.
    DynamicShared(i64),
    /// By lane: `((lane >> shift) & mask) · scale + table[lane / 8]`.
    Lane {
        shift: u8,
        mask: u8,
        scale: u8,
        table: [u8; 4],
    },
    Special(Special),
}

/// Special registers that do not change while a block runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    LaneId,
    WarpId,
    WarpCount,
    GridId,
    Zero,
    SmId,
    SmCount,
    /// The lower and the upper half of the address of a cooperative launch's workspace.
    Workspace,
    WorkspaceHigh,
    LaneMaskEq,
    LaneMaskLe,
    LaneMaskLt,
    LaneMaskGe,
    LaneMaskGt,
    DynamicShared,
    TotalShared,
    /// Index of the block in its cluster, and the cluster's extent, along an axis.
    ClusterCtaid(u8),
    ClusterNctaid(u8),
    /// Index of the cluster in the grid, and clusters in the grid, along an axis.
    ClusterId(u8),
    NclusterId(u8),
    ClusterRank,
    ClusterSize,
    ExplicitCluster,
}

/// A row and what fills it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fill {
    pub(crate) slot: Slot,
    pub(crate) wide: bool,
    pub(crate) from: Preload,
}

/// Static facts of a basic block.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BlockInfo {
    /// Instructions of the text in it.
    pub(crate) length: u32,
    /// Floating-point operations a lane does in it, without guarded instructions.
    pub(crate) flop: u32,
}

/// What is known of an instruction beside how to run it.
#[derive(Debug, Clone)]
pub(crate) struct Note {
    /// Index in [`Program::places`].
    pub(crate) place: u32,
    /// Opcode as reports show it; empty for instructions that are not of the text.
    pub(crate) name: String,
    /// Block that contains it.
    pub(crate) block: u32,
    /// Floating-point operations a lane does.
    pub(crate) flop: u32,
}

/// Where an instruction stands, as [`Place`] with the number of its file in [`Program::files`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct SourceLoc {
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) ptx_line: u32,
    /// See [`Place::called_at`]; 0 where there is no call.
    pub(crate) called_at: u32,
}

/// A parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Param {
    /// Name in the PTX.
    pub name: String,
    /// Type in the PTX, e.g. `u64`, `f32`, `b8` (an aggregate).
    pub ty: String,
    /// Offset in the parameter block.
    pub offset: u32,
    /// Size in bytes.
    pub bytes: u32,
}

/// A module-scope variable that the kernel uses.
#[derive(Debug, Clone)]
pub(crate) struct ModuleVariable {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) init: Arc<[u8]>,
    pub(crate) relocations: Vec<Patch>,
    pub(crate) constant: bool,
}

/// An address among a variable's initial bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patch {
    pub(crate) at: u64,
    pub(crate) target: Target,
    pub(crate) plus: i64,
    /// How many of its bytes, and the first of them.
    pub(crate) bytes: u32,
    pub(crate) from: u32,
}

/// Whose address it is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// Index in [`Program::variables`].
    Variable(u32),
    /// An address that stands for a function.
    Function(u64),
}

/// Index in [`Program::places`], and basic block.
pub(crate) type Site = (u32, u32);

/// A lowered kernel.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) params: Vec<Param>,
    pub(crate) param_bytes: u32,
    pub(crate) code: Vec<Inst>,
    pub(crate) notes: Vec<Note>,
    pub(crate) places: Vec<SourceLoc>,
    /// Names of source files; the first is empty.
    pub(crate) files: Vec<String>,
    pub(crate) blocks: Vec<BlockInfo>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) tensors: Vec<Tensor>,
    pub(crate) async_copy: Vec<Asynch>,
    pub(crate) textures: Vec<texture::Instruction>,
    pub(crate) tables: Vec<Vec<u32>>,
    /// See [`super::fuse`].
    pub(crate) runs: Vec<fused::FusedRegion>,
    /// Rows of multiply-adds, d = a × b + c.
    pub(crate) multiply_adds: Vec<Operands>,
    pub(crate) products: Vec<Product>,
    pub(crate) windows: Vec<Window>,
    pub(crate) fills: Vec<Fill>,
    /// Rows that may be read before they are written.
    pub(crate) cleared: Vec<(Slot, u32)>,
    /// Words of a warp's register file.
    pub(crate) file_words: u32,
    pub(crate) shapes: u32,
    pub(crate) shared_bytes: u64,
    pub(crate) dynamic_align: u64,
    /// Bytes of the kernel's own local variables; behind them each thread's stack, if there is one.
    pub(crate) local_bytes: u64,
    pub(crate) stack: Option<Stack>,
    pub(crate) functions: Vec<Function>,
    pub(crate) calls: Vec<Call>,
    pub(crate) services: Vec<ServiceCall>,
    /// Names of the text's functions by the number in their address, if a call goes through a pointer.
    pub(crate) function_names: Vec<String>,
    pub(crate) max_threads: u64,
    /// Threads that a block must have in each direction.
    pub(crate) threads: Option<[u64; 3]>,
    /// Blocks of a cluster in each direction, and the most that it may have.
    pub(crate) cluster: Option<[u64; 3]>,
    pub(crate) max_cluster: Option<u64>,
    pub(crate) variables: Vec<ModuleVariable>,
    /// Addresses have 32 bits.
    pub(crate) short: bool,
    /// Two instructions of which one uses registers too early: see `lower::underway`.
    pub(crate) early: Vec<(Site, Site, HazardKind)>,
    /// Blocks must run one after the other for the result to be the same every time.
    pub(crate) ordered_blocks: bool,
    /// Smallest shared access, in bytes: 1, 2 or 4.
    pub(crate) shared_granule: u32,
    /// Distinguishes the module variables of different modules in one memory.
    pub(crate) module: u64,
}

impl Program {
    /// One of [`Program::places`] with the name of its file.
    pub(crate) fn place(&self, index: u32) -> Option<Place> {
        let SourceLoc { file, line, ptx_line, called_at } = *self.places.get(index as usize)?;
        let called_at = (called_at != 0).then_some(called_at);
        Some(Place { file: self.files.get(file as usize).cloned().unwrap_or_default(), line, ptx_line, called_at })
    }
}
