//! The syntax tree. Names are slices of the PTX text.

use crate::arch::Target;
use crate::{LoadError, LoadErrorKind};
use std::collections::HashMap;
use std::sync::Arc;

/// Line and column in the PTX text, 1-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct At {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl At {
    pub(crate) fn parse(self, message: impl std::fmt::Display) -> LoadError {
        self.error(LoadErrorKind::Parse, format_args!("{message}"))
    }

    pub(crate) fn unsupported(self, what: impl std::fmt::Display) -> LoadError {
        self.error(LoadErrorKind::Unsupported, format_args!("the emulator does not support {what}"))
    }

    /// An error in the emulator: the kernel was lowered incorrectly.
    pub(crate) fn internal(self, what: impl std::fmt::Display) -> LoadError {
        self.error(LoadErrorKind::Internal, format_args!("a bug of the emulator: {what}"))
    }

    /// An unknown instruction `name`, with the known name closest to it as a hint.
    pub(crate) fn unknown_instruction(self, name: &str, nearest: Option<&str>) -> LoadError {
        let hint = nearest.map_or_else(String::new, |known| format!("; the nearest known one is `{known}`"));
        self.error(LoadErrorKind::Unsupported, format_args!("unknown instruction `{name}`{hint}"))
    }

    fn error(self, kind: LoadErrorKind, what: std::fmt::Arguments<'_>) -> LoadError {
        let Self { line, column } = self;
        LoadError::new(kind, format!("Line {line}, column {column}: {what}."), (line, column))
    }
}

/// State space of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Global,
    Const,
    Shared,
    Local,
    Param,
    /// Register parameter of a function.
    Register,
}

/// An initial value that is an address: the address of `name` plus `plus`, stored at offset `at` of the variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Relocation<'a> {
    pub(crate) at: u64,
    pub(crate) name: &'a str,
    pub(crate) plus: i64,
    /// Number of bytes of the address that are stored, and the first one.
    pub(crate) bytes: u32,
    pub(crate) from: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Variable<'a> {
    pub(crate) name: &'a str,
    pub(crate) space: Space,
    pub(crate) align: u64,
    /// Element type, e.g. `b8`.
    pub(crate) ty: &'a str,
    /// Size in bytes; 0 for an array of unknown size.
    pub(crate) bytes: u64,
    /// Initial bytes; shorter than `bytes` means zeros after them. Kernels that use the variable share them.
    pub(crate) init: Arc<[u8]>,
    /// Addresses among the initial values.
    pub(crate) relocations: Vec<Relocation<'a>>,
    pub(crate) at: At,
}

/// `.reg` declaration: `%r<8>` is a family of registers, `%r1` one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Registers<'a> {
    pub(crate) name: &'a str,
    pub(crate) ty: &'a str,
    /// Elements of each register; 1 if it is not a vector.
    pub(crate) elements: u32,
    /// Registers in the family; `None` for a single one.
    pub(crate) count: Option<u32>,
    pub(crate) at: At,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operand<'a> {
    /// Register, special register, variable, label or `_`.
    Name(&'a str),
    /// Integer literal, as 64-bit two's complement.
    Int(u64),
    /// `0f…` literal.
    F32(u32),
    /// `0d…` or decimal literal.
    F64(u64),
    /// `name+offset` without brackets.
    Offset(&'a str, i64),
    /// `[base+offset]`; the base is optional.
    Address(Option<&'a str>, i64),
    /// `[base, {…}]` of tensor instructions, and other bracket forms.
    Brackets(Vec<Operand<'a>>),
    /// `{a, b}`.
    Vector(Vec<Operand<'a>>),
    /// `(a, b)`: a list of arguments or results of a call.
    List(Vec<Operand<'a>>),
    /// `a|b`.
    Pair(Box<Operand<'a>>, Box<Operand<'a>>),
    /// `!a`.
    Not(&'a str),
    /// `a.y`: an element of a vector register, by its index.
    Element(&'a str, u32),
    /// `-a`.
    Negative(&'a str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Loc {
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// File, line and column of the inlined call.
    pub(crate) inlined_at: Option<(u32, u32, u32)>,
}

#[derive(Debug, Clone)]
pub(crate) struct Instruction<'a> {
    /// Predicate register, and true if it is negated.
    pub(crate) guard: Option<(&'a str, bool)>,
    /// The whole opcode, e.g. `ld.global.v4.f32`.
    pub(crate) opcode: &'a str,
    pub(crate) operands: Vec<Operand<'a>>,
    /// Index in [`Function::locs`]; `u32::MAX` before the first `.loc`.
    pub(crate) loc: u32,
    pub(crate) at: At,
}

#[derive(Debug, Clone)]
pub(crate) enum Statement<'a> {
    Label(&'a str, At),
    Instruction(Instruction<'a>),
    Registers(Registers<'a>),
    Variable(Variable<'a>),
    /// A named list of labels, from which `brx.idx` chooses.
    Targets(&'a str, Vec<&'a str>),
    Open,
    Close,
}

/// `.entry` or `.func`.
#[derive(Debug, Clone)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    pub(crate) entry: bool,
    pub(crate) returns: Vec<Variable<'a>>,
    pub(crate) params: Vec<Variable<'a>>,
    /// `None` for a declaration.
    pub(crate) body: Option<Vec<Statement<'a>>>,
    pub(crate) locs: Vec<Loc>,
    /// For each inlined call, by file, line and column: the index of its first entry in [`Function::locs`].
    pub(crate) sites: HashMap<(u32, u32, u32), u32>,
    /// Maximum number of threads per block, from `.maxntid` or `.reqntid`.
    pub(crate) max_threads: Option<u64>,
    /// Blocks per SM, from `.minnctapersm`.
    pub(crate) min_blocks: Option<u64>,
    /// Registers per thread, from `.maxnreg`.
    pub(crate) max_registers: Option<u64>,
    /// Threads per block in each dimension, from `.reqntid`.
    pub(crate) threads: Option<[u64; 3]>,
    /// Blocks per cluster in each dimension, from `.reqnctapercluster`.
    pub(crate) cluster: Option<[u64; 3]>,
    /// Maximum number of blocks per cluster, from `.maxclusterrank`.
    pub(crate) max_cluster: Option<u64>,
    pub(crate) at: At,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Tree<'a> {
    /// Names of source files by their number, cleaned for display.
    pub(crate) files: HashMap<u32, String>,
    pub(crate) variables: Vec<Variable<'a>>,
    /// For each name, the index of its first declaration in [`Tree::variables`], or of the first one with initial
    /// values.
    pub(crate) variable_index: HashMap<&'a str, u32>,
    pub(crate) functions: Vec<Function<'a>>,
    /// Registers declared outside functions, as old compilers do.
    pub(crate) registers: Vec<Registers<'a>>,
    /// Bits of an address, 32 or 64, and the position of the directive.
    pub(crate) address_size: Option<(u64, At)>,
    /// Major and minor version of PTX, and the number after `sm_` in the target.
    pub(crate) version: (u32, u32),
    pub(crate) target: Target,
    /// True if `shfl` and `vote` may omit `.sync`: before PTX 6.4, and for devices before sm_70.
    pub(crate) without_sync: bool,
}

impl<'a> Tree<'a> {
    /// Returns the module-level variable `name`.
    pub(crate) fn variable(&self, name: &str) -> Option<&Variable<'a>> {
        self.variables.get(*self.variable_index.get(name)? as usize)
    }
}

impl Function<'_> {
    /// Returns the registers per thread at the launch of a kernel with `setmaxnreg`. They are the most that its directives
    /// allow. Without `.maxnreg` or `.minnctapersm`, ptxas (12.9) leaves out each `setmaxnreg`, and this is `None`.
    pub(crate) fn registers(&self) -> Option<u32> {
        const SM: u64 = 1 << 16;
        let by_blocks = || {
            let threads = 32 * self.max_threads.filter(|threads| *threads > 0)?.div_ceil(32);
            Some(SM / threads.saturating_mul(self.min_blocks?.max(1)))
        };
        let most = self.max_registers.or_else(by_blocks)?;
        Some((most / 8 * 8).min(256) as u32)
    }
}
