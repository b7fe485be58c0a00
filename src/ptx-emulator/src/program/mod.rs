//! The compact register form that the machine runs.
//!
//! A register is a *row*: 32 lanes of 32 bits; a 64-bit register occupies two rows. A predicate is one word with one
//! bit per lane, in the same register file. Constants, parameters and special registers are rows too, filled before a
//! block starts. So every operand of every instruction is a row, and the interpreter never tests for operand kinds.

mod access;
pub(crate) mod async_copy;
pub(crate) mod calls;
mod display;
pub(crate) mod fused;
mod operands;
pub(crate) mod tensor;
mod verify;

use crate::arch::Scope;
use crate::arith::{self, Handler, Operands, Widths};
use crate::{HazardKind, HeaderLocation, SourceLocation};
pub(crate) use access::{Access, StateSpace};
use async_copy::Asynch;
use calls::{Call, Function, ServiceCall, Stack};
use fused::{LoadGroup, Product};
pub(crate) use operands::Use;
use std::sync::Arc;
use tensor::Tensor;
pub(crate) use verify::Verified;

/// Offset in the register file, in words.
pub(crate) type Slot = u32;

/// The missing predicate or register.
pub(crate) const NONE: u32 = u32::MAX;

/// Computes one lane of a rarely used operation from three operands and a constant.
pub(crate) type Scalar = fn(u64, u64, u64, u64) -> u64;

/// The operation of an instruction. It reads `a`, `b`, `c` and writes `d`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Op {
    /// Starts a basic block (index in [`Program::blocks`]).
    Enter(u32),
    /// Diverged threads that reconverge here wait for each other.
    Reconverge,
    /// Marks address pattern `x` as changed: by the constant `imm` unless that is 0. `c` is 1 if the address register
    /// has 64 bits.
    InvalidatePattern,
    /// Computes all lanes at once.
    Lanes(arith::Compute, Widths),
    /// Computes lane by lane. Bits 0–3 of `x` are set if a, b, c, d have 64 bits.
    Scalar(Scalar),
    /// Computes whole predicate words.
    Predicate(fn(u32, u32, u32) -> u32),
    /// Single-precision fused multiply-add. It has an operation of its own because it is the most frequent one.
    Fma,
    /// Loads one 32-bit element from shared memory: `Program::accesses[x]`. The operands repeat its address row `a`,
    /// address pattern `b`, destination `d` and offset `imm`; `c` is 1 if the address has 64 bits.
    LoadShared,
    /// Loads by `Program::accesses[x]`.
    Load,
    /// Stores by `Program::accesses[x]`.
    Store,
    /// Runs the atomic `Program::accesses[x]`: a is the operand, b the second operand of `cas`, d the old value.
    /// `imm` is 1 for a vector element that is counted together with another element.
    Atomic,
    /// `ldmatrix` or `stmatrix`: `Program::accesses[x]`. `imm` is the packed [`tensor::Matrices`].
    Matrix,
    /// Matrix operation on registers: `Program::tensors[x]`.
    Tensor,
    /// Branches to `x` in the lanes whose guard is true. Both sides reconverge at `d`.
    Branch,
    /// Branches to the entry of `Program::tables[x]` that `a` selects. The lanes reconverge at `d`.
    BranchTable,
    /// Barrier of the block: a is its number, b its thread count (or NONE). If `x` is not 0, block `x` - 1 follows the
    /// barrier on each way to the end of the kernel, and no way leads back.
    Barrier(Barrier),
    /// `bar.warp.sync`: a is the mask of the lanes that wait for each other.
    WarpSync,
    /// `membar`, `fence`.
    Fence(Scope),
    /// Exchanges values between lanes: a is the value, b the source lane, c the clamp. `x` is the mode, `imm` the
    /// predicate slot or NONE.
    Shuffle,
    /// Combines predicate a over the warp by mode `x`.
    Vote,
    ActiveMask,
    /// Finds lanes with the same value; `x` = 1 for 64 bits.
    Match,
    /// Reduces over the warp by mode `x`.
    Reduce,
    /// `elect.sync`: d receives the leader's lane. The predicate at slot `imm` is true in the leader.
    Elect,
    /// Calls a function that is not inlined, or through the pointer a: `Program::calls[x]`.
    Call,
    /// Returns each lane to its caller.
    Return,
    /// Allocates `a` bytes on each lane's stack, aligned to `imm`, and returns their address.
    Allocate,
    /// Runs `Program::services[x]`, a function that the machine implements.
    Service,
    /// Asynchronous copies and `mbarrier` objects: `Program::async_copy[x]`.
    Asynch,
    /// Converts the 32-bit address `a` plus `imm` to a 64-bit address; `x` = 1 if it is generic.
    WidenAddress,
    /// Returns the number of instructions that the warp has executed, in 32 bits (`x` = 0) or 64 bits.
    Clock,
    Exit,
    Trap,
    /// Runs a fused region of `Program::regions` if the whole warp is active. Other warps continue with the next
    /// instruction.
    Region(u32),
}

/// Forms of `bar` and `barrier`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Barrier {
    Sync,
    /// Does not wait.
    Arrive,
    /// Waits and counts the lanes whose predicate at slot `c` is true into `d`.
    Count,
    /// Like `Count`, but combines the predicates with AND.
    And,
    /// Like `Count`, but combines the predicates with OR.
    Or,
}

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
    /// Creates an operation that computes all lanes at once.
    pub(crate) fn lanes(handler: Handler) -> Self {
        Self::Lanes(handler.run, handler.widths)
    }

    /// True if `x` is the index of an [`Access`].
    pub(crate) fn accesses(self) -> bool {
        matches!(self, Self::Load | Self::LoadShared | Self::Store | Self::Atomic | Self::Matrix)
    }

    /// True if the instruction may access memory asynchronously.
    pub(crate) fn is_asynchronous(self) -> bool {
        matches!(self, Self::Asynch | Self::Tensor)
    }
}

/// An instruction must be smaller than a cache line.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Inst>() == 56);

impl Inst {
    pub(crate) fn new(op: Op) -> Self {
        let operands = Operands { d: NONE, a: NONE, b: NONE, c: NONE };
        Self { op, guard: NONE, flip: 0, operands, x: 0, imm: 0 }
    }
}

/// The value with which a row is filled before a block starts.
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
    /// A value per lane: `((lane >> shift) & mask) · scale + table[lane / 8]`.
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
    /// Lower and upper half of the address of a cooperative launch's workspace.
    Workspace,
    WorkspaceHigh,
    LaneMaskEq,
    LaneMaskLe,
    LaneMaskLt,
    LaneMaskGe,
    LaneMaskGt,
    DynamicShared,
    TotalShared,
    /// Index of the block in its cluster, and number of blocks in the cluster, along an axis.
    ClusterCtaid(u8),
    ClusterNctaid(u8),
    /// Index of the cluster in the grid, and number of clusters in the grid, along an axis.
    ClusterId(u8),
    NclusterId(u8),
    ClusterRank,
    ClusterSize,
    ExplicitCluster,
}

/// A row and its initial value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fill {
    pub(crate) slot: Slot,
    pub(crate) wide: bool,
    pub(crate) from: Preload,
}

/// Static properties of a basic block.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BlockInfo {
    pub(crate) length: u32,
    /// Floating-point operations per lane, excluding guarded instructions.
    pub(crate) flop: u32,
}

/// Information about an instruction that is not needed to run it.
#[derive(Debug, Clone)]
pub(crate) struct Note {
    /// Index in [`Program::places`].
    pub(crate) place: u32,
    /// Opcode as shown in reports; empty for instructions that are not in the PTX.
    pub(crate) name: String,
    /// Index of the basic block that contains it.
    pub(crate) block: u32,
    /// Floating-point operations per lane.
    pub(crate) flop: u32,
}

/// Position of an instruction in the source: like [`SourceLocation`], with the file's index in [`Program::files`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct SourceLoc {
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) ptx_line: u32,
    /// See [`SourceLocation::called_at`]; 0 if there is no call.
    pub(crate) called_at: u32,
    /// File and line of [`SourceLocation::header`]; 0 if there is none.
    pub(crate) header: (u32, u32),
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
    /// Number of bytes of the address that are stored, and the first one.
    pub(crate) bytes: u32,
    pub(crate) from: u32,
}

/// The object whose address it is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// Index in [`Program::variables`].
    Variable(u32),
    Function(u64),
}

/// The global memory that a kernel may write: what these parameters and variables point to, or everything unless
/// `known`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Writable {
    pub(crate) known: bool,
    pub(crate) roots: Vec<Preload>,
}

/// Index in [`Program::places`], and index of the basic block.
pub(crate) type Site = (u32, u32);

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
    pub(crate) tables: Vec<Vec<u32>>,
    /// See [`crate::fuse`].
    pub(crate) regions: Vec<fused::FusedRegion>,
    /// Operands of consecutive multiply-adds, d = a × b + c.
    pub(crate) multiply_adds: Vec<Operands>,
    pub(crate) products: Vec<Product>,
    pub(crate) load_groups: Vec<LoadGroup>,
    pub(crate) fills: Vec<Fill>,
    /// Rows that may be read before they are written, and so must start as zeros.
    pub(crate) cleared: Vec<(Slot, u32)>,
    /// Size of a warp's register file in words.
    pub(crate) file_words: u32,
    pub(crate) patterns: u32,
    pub(crate) shared_bytes: u64,
    pub(crate) dynamic_align: u64,
    /// Bytes of the kernel's own local variables. Each thread's stack follows them, if there is one.
    pub(crate) local_bytes: u64,
    pub(crate) stack: Option<Stack>,
    pub(crate) functions: Vec<Function>,
    pub(crate) calls: Vec<Call>,
    pub(crate) services: Vec<ServiceCall>,
    /// Names of functions, by the number in their address, if a call goes through a pointer.
    pub(crate) function_names: Vec<String>,
    pub(crate) max_threads: u64,
    /// Registers per thread at the launch, if the kernel's directives determine them.
    pub(crate) registers: Option<u32>,
    /// The target for which the text is written.
    pub(crate) target: crate::arch::Target,
    /// Exact number of threads per block in each dimension, if it is prescribed.
    pub(crate) threads: Option<[u64; 3]>,
    /// Blocks per cluster in each dimension, and the maximum number of blocks.
    pub(crate) cluster: Option<[u64; 3]>,
    pub(crate) max_cluster: Option<u64>,
    pub(crate) variables: Vec<ModuleVariable>,
    /// True if addresses have 32 bits.
    pub(crate) short: bool,
    /// Pairs of instructions where one uses registers too early; see `lower::in_flight`.
    pub(crate) early: Vec<(Site, Site, HazardKind)>,
    /// True if blocks must run one after the other to give the same result every time.
    pub(crate) ordered_blocks: bool,
    /// The memory that the kernel may write.
    pub(crate) writable: Writable,
    /// Size of the smallest shared access in bytes: 1, 2 or 4.
    pub(crate) shared_granule: u32,
    /// Instructions whose mask comes from `activemask`.
    pub(crate) active_masks: Vec<Site>,
    /// Distinguishes the module variables of different modules in one memory.
    pub(crate) module: u64,
}

impl Program {
    /// Returns an entry of [`Program::places`] with the name of its file.
    pub(crate) fn place(&self, index: u32) -> Option<SourceLocation> {
        let SourceLoc { file, line, ptx_line, called_at, header, .. } = *self.places.get(index as usize)?;
        let called_at = (called_at != 0).then_some(called_at);
        let name = |file: u32| self.files.get(file as usize).cloned().unwrap_or_default();
        let header = (header.0 != 0).then(|| HeaderLocation { file: name(header.0), line: header.1 });
        Some(SourceLocation { file: name(file), line, ptx_line, called_at, header })
    }
}
