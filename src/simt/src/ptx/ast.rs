//! The syntax tree. Names are slices of the text; positions are 1-based lines and columns.

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

    /// A kernel that was lowered incorrectly.
    pub(crate) fn internal(self, what: impl std::fmt::Display) -> LoadError {
        self.error(LoadErrorKind::Internal, format_args!("a bug of the emulator: {what}"))
    }

    /// A name that is no instruction's, and the known one that it may have been meant to be.
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
    /// A register parameter of a function.
    Register,
}

/// An initial value that is an address: where in the variable, of what, and what is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Relocation<'a> {
    pub(crate) at: u64,
    pub(crate) name: &'a str,
    pub(crate) plus: i64,
    /// How many of its bytes, and the first of them.
    pub(crate) bytes: u32,
    pub(crate) from: u32,
}

/// A declared variable.
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
    /// Registers that each is a vector of; 1 for none.
    pub(crate) elements: u32,
    /// Registers in the family; `None` for a single one.
    pub(crate) count: Option<u32>,
    pub(crate) at: At,
}

/// An operand.
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
    /// `name+offset` outside of brackets.
    Offset(&'a str, i64),
    /// `[base+offset]`; the base may be missing.
    Address(Option<&'a str>, i64),
    /// `[base, {…}]` of texture and tensor instructions, and other bracket forms.
    Brackets(Vec<Operand<'a>>),
    /// `{a, b}`.
    Vector(Vec<Operand<'a>>),
    /// `(a, b)`: the lists of a call.
    List(Vec<Operand<'a>>),
    /// `a|b`.
    Pair(Box<Operand<'a>>, Box<Operand<'a>>),
    /// `!a`.
    Not(&'a str),
    /// `a.y`: an element of a register that is a vector, by its number.
    Element(&'a str, u32),
    /// `-a`.
    Negative(&'a str),
}

/// A `.loc` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Loc {
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// File, line and column of the call that was inlined.
    pub(crate) inlined_at: Option<(u32, u32, u32)>,
}

/// An instruction with its operands.
#[derive(Debug, Clone)]
pub(crate) struct Instruction<'a> {
    /// Predicate register, and whether it is negated.
    pub(crate) guard: Option<(&'a str, bool)>,
    /// The whole opcode, e.g. `ld.global.v4.f32`.
    pub(crate) opcode: &'a str,
    pub(crate) operands: Vec<Operand<'a>>,
    /// Index in [`Function::locs`]; `u32::MAX` before the first.
    pub(crate) loc: u32,
    pub(crate) at: At,
}

/// A statement of a body.
#[derive(Debug, Clone)]
pub(crate) enum Statement<'a> {
    Label(&'a str, At),
    Instruction(Instruction<'a>),
    Registers(Registers<'a>),
    Variable(Variable<'a>),
    /// Labels that `brx.idx` chooses from, under a name.
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
    /// Of calls that were inlined, the first of [`Function::locs`] with this file, line and column.
    pub(crate) sites: HashMap<(u32, u32, u32), u32>,
    /// Most threads a block may have, by `.maxntid` or `.reqntid`.
    pub(crate) max_threads: Option<u64>,
    /// Threads of a block in each direction, by `.reqntid`.
    pub(crate) threads: Option<[u64; 3]>,
    /// Blocks of a cluster in each direction, by `.reqnctapercluster`.
    pub(crate) cluster: Option<[u64; 3]>,
    /// Most blocks of a cluster, by `.maxclusterrank`.
    pub(crate) max_cluster: Option<u64>,
    pub(crate) at: At,
}

/// A whole PTX text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree<'a> {
    /// Names of source files by their number, fit to be shown.
    pub(crate) files: HashMap<u32, String>,
    pub(crate) variables: Vec<Variable<'a>>,
    /// The first of [`Tree::variables`] with a name, or the first that has initial values.
    pub(crate) variable_index: HashMap<&'a str, u32>,
    pub(crate) functions: Vec<Function<'a>>,
    /// Registers outside of functions, as old compilers declare them.
    pub(crate) registers: Vec<Registers<'a>>,
    /// 32 or 64.
    pub(crate) address_size: Option<(u64, At)>,
    /// Major and minor version of the text, and the `sm_` that it is for.
    pub(crate) version: (u32, u32),
    pub(crate) target: u32,
    /// Whether `shfl` and `vote` may lack `.sync`: before PTX 6.4, and for devices before sm_70.
    pub(crate) without_sync: bool,
}

impl<'a> Tree<'a> {
    /// A variable outside of functions, by its name.
    pub(crate) fn variable(&self, name: &str) -> Option<&Variable<'a>> {
        self.variables.get(*self.variable_index.get(name)? as usize)
    }
}
