//! Drafts: instructions with virtual registers as operands, before registers have slots.

use super::text::Text;
use crate::program::async_copy::Asynch;
use crate::program::calls::{self, ServiceCall, Span};
use crate::program::tensor::Tensor;
use crate::program::{Access, Inst, ModuleVariable, NONE, Op, Preload, SourceLoc};
use crate::ptx::{Function, Tree};
use crate::{LoadError, Param};
use std::collections::HashMap;

/// Index of a virtual register.
pub(super) type Virtual = u32;

#[derive(Debug, Clone)]
pub(super) enum Target {
    Label(usize),
    Table(Vec<usize>),
}

/// An asynchronous instruction, and the accesses counted for it: shared, then global.
#[derive(Debug, Clone)]
pub(super) struct AsynchDraft {
    pub(super) what: Asynch,
    pub(super) counted: [Option<Access>; 2],
}

/// An instruction whose operand fields hold virtual registers.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) inst: Inst,
    pub(super) guard: Option<(Virtual, bool)>,
    pub(super) target: Option<Target>,
    pub(super) access: Option<Access>,
    pub(super) tensor: Option<Box<Tensor>>,
    pub(super) async_copy: Option<Box<AsynchDraft>>,
    pub(super) place: u32,
    /// Opcode for reports; empty for all drafts of an instruction except the last.
    pub(super) name: String,
    pub(super) flop: u32,
    /// True if the draft has a name but is not the draft that stands for the PTX instruction.
    pub(super) part: bool,
    /// The constant that it adds to its destination register; 0 for every other operation.
    pub(super) adds: i64,
}

impl Draft {
    pub(super) fn new(op: Op) -> Self {
        let inst = Inst::new(op);
        Self {
            inst,
            guard: None,
            target: None,
            access: None,
            tensor: None,
            async_copy: None,
            place: 0,
            name: String::new(),
            flop: 0,
            part: false,
            adds: 0,
        }
    }

    pub(super) fn reads(&self) -> impl Iterator<Item = Virtual> + '_ {
        let access = self.access.as_ref();
        let stored = access.filter(|a| a.writes).map_or(&[][..], |a| match a.atomic {
            None => &a.rows[..a.lanes as usize],
            Some(_) => &a.rows[2..],
        });
        let members = if matches!(self.inst.op, Op::Shuffle) { (self.inst.imm >> 32) as u32 } else { NONE };
        [
            self.inst.operands.a,
            self.inst.operands.b,
            self.inst.operands.c,
            members,
            access.map_or(NONE, |a| a.base),
            self.guard.map_or(NONE, |g| g.0),
        ]
        .into_iter()
        .chain(stored.iter().copied())
        .chain(self.tensor.iter().flat_map(|tensor| tensor.reads.iter().copied()))
        .chain(self.async_copy.iter().flat_map(|async_copy| async_copy.what.inputs.iter().map(|input| input.slot)))
        .filter(|v| *v != NONE)
    }

    pub(super) fn writes(&self) -> impl Iterator<Item = Virtual> + '_ {
        let access = self.access.as_ref();
        let loaded = access.map_or(&[][..], |a| match (a.writes, a.atomic) {
            (false, _) => &a.rows[..a.lanes as usize],
            (true, Some(_)) => &a.rows[..2],
            (true, None) => &[],
        });
        let predicate =
            if matches!(self.inst.op, Op::Shuffle | Op::Match | Op::Elect) { self.inst.imm as u32 } else { NONE };
        let d = if matches!(self.inst.op, Op::Branch | Op::BranchTable) { NONE } else { self.inst.operands.d };
        [d, predicate]
            .into_iter()
            .chain(loaded.iter().copied())
            .chain(self.tensor.iter().flat_map(|tensor| tensor.writes.iter().copied()))
            .chain(self.async_copy.iter().flat_map(|async_copy| [async_copy.what.value, async_copy.what.predicate]))
            .filter(|v| *v != NONE)
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Meaning {
    Register(Virtual),
    /// A 128-bit register: this 64-bit register is the lower half, the next one the upper half.
    Quad(Virtual),
    /// The first of several registers that form a vector.
    Vector(Virtual),
    /// Address in the shared window.
    Shared(u64),
    /// In the frame of the current function, where parameters of calls are stored too.
    Local(Span),
    /// Offset in the parameter block of the kernel.
    Param(u32),
    Global(u32),
    /// Function of the PTX text.
    Function(u32),
}

/// A family such as `%r<8>`. Its members are created on first use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Family {
    pub(super) bits: u32,
    pub(super) elements: u32,
    pub(super) count: u32,
}

#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    pub(super) names: HashMap<&'a str, Meaning>,
    /// Maps the prefix of registers' names to their family.
    pub(super) families: HashMap<&'a str, Family>,
    pub(super) labels: HashMap<&'a str, usize>,
    pub(super) targets: HashMap<&'a str, Vec<usize>>,
}

/// A function that is being lowered.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) function: &'a Function<'a>,
    /// Index of its first scope. Earlier scopes belong to the caller.
    pub(super) base: usize,
    pub(super) return_label: Option<usize>,
    /// The file that `.loc` names for the kernel itself.
    pub(super) main_file: u32,
    /// Line of the outermost call in the kernel; 0 in the kernel itself.
    pub(super) called_at: u32,
}

pub(super) struct Made<'a> {
    /// Index in the PTX text.
    pub(super) index: usize,
    pub(super) function: &'a Function<'a>,
    pub(super) label: usize,
    pub(super) params: Vec<Span>,
    pub(super) returns: Vec<Span>,
    pub(super) frame: u64,
}

pub(super) struct Lowerer<'a> {
    pub(super) text: &'a Text<'a>,
    pub(super) tree: &'a Tree<'a>,
    pub(super) function: &'a Function<'a>,
    pub(super) module: u64,
    /// True if addresses have 32 bits.
    pub(super) short: bool,
    /// True if `shfl` and `vote` may omit `.sync`.
    pub(super) without_sync: bool,
    pub(super) scopes: Vec<Scope<'a>>,
    pub(super) calls: Vec<Call<'a>>,
    pub(super) drafts: Vec<Draft>,
    /// Bits of each virtual register: 1, 16, 32 or 64.
    pub(super) bits: Vec<u32>,
    pub(super) preloads: HashMap<(Preload, u32), Virtual>,
    /// Draft index of each label.
    pub(super) labels: Vec<Option<usize>>,
    pub(super) params: Vec<Param>,
    pub(super) param_bytes: u32,
    pub(super) places: Vec<SourceLoc>,
    pub(super) place_index: HashMap<SourceLoc, u32>,
    pub(super) files: Vec<String>,
    pub(super) file_index: HashMap<&'a str, u32>,
    pub(super) place: u32,
    pub(super) shared: HashMap<&'a str, u64>,
    pub(super) shared_bytes: u64,
    /// Variables in local memory that are declared outside functions.
    pub(super) locals: HashMap<&'a str, Span>,
    pub(super) dynamic: Option<&'a str>,
    pub(super) dynamic_align: u64,
    /// Bytes of the current frame so far: the kernel's, or that of a called function.
    pub(super) local_bytes: u64,
    pub(super) local_align: u64,
    /// True while a called function is being lowered. `kernel_local_bytes` then holds the kernel's own bytes.
    pub(super) framed: bool,
    pub(super) kernel_local_bytes: u64,
    /// The start of each lane's frame and the end of its stack, if the kernel needs them.
    pub(super) stack: Option<(Virtual, Virtual)>,
    pub(super) made: Vec<Made<'a>>,
    pub(super) made_index: HashMap<usize, u32>,
    pub(super) call_sites: Vec<calls::Call>,
    pub(super) services: Vec<ServiceCall>,
    /// True if a call goes through a pointer.
    pub(super) through_pointers: bool,
    pub(super) variables: Vec<ModuleVariable>,
    pub(super) variable_index: HashMap<&'a str, u32>,
    /// The error for the last name that has a declaration but could not be used.
    pub(super) refused: Option<LoadError>,
    /// Total size in bytes of the module variables.
    pub(super) module_bytes: u64,
    /// Those of them in constant memory.
    pub(super) constant_bytes: u64,
    /// The carry flag, once an instruction uses it.
    pub(super) carry: Option<Virtual>,
}

impl<'a> Lowerer<'a> {
    pub(super) fn new(text: &'a Text<'a>, function: &'a Function<'a>, module: u64) -> Self {
        Self {
            text,
            tree: text.tree,
            function,
            module,
            short: text.tree.address_size.is_some_and(|(size, _)| size == 32),
            without_sync: text.tree.without_sync,
            scopes: vec![Scope::default()],
            calls: Vec::new(),
            drafts: Vec::new(),
            bits: Vec::new(),
            preloads: HashMap::new(),
            labels: Vec::new(),
            params: Vec::new(),
            param_bytes: 0,
            places: Vec::new(),
            place_index: HashMap::new(),
            files: vec![String::new()],
            file_index: HashMap::from([("", 0)]),
            place: 0,
            shared: HashMap::new(),
            shared_bytes: 0,
            locals: HashMap::new(),
            dynamic: None,
            dynamic_align: 1,
            local_bytes: 0,
            local_align: 16,
            framed: false,
            kernel_local_bytes: 0,
            stack: None,
            made: Vec::new(),
            made_index: HashMap::new(),
            call_sites: Vec::new(),
            services: Vec::new(),
            through_pointers: false,
            variables: Vec::new(),
            variable_index: HashMap::new(),
            refused: None,
            module_bytes: 0,
            constant_bytes: 0,
            carry: None,
        }
    }

    pub(super) fn emit(&mut self, mut draft: Draft) {
        draft.place = self.place;
        self.drafts.push(draft);
    }

    pub(super) fn fresh(&mut self, bits: u32) -> Virtual {
        self.bits.push(bits);
        (self.bits.len() - 1) as Virtual
    }

    /// Returns the row that is filled with `from`.
    pub(super) fn preload(&mut self, from: Preload, bits: u32) -> Virtual {
        let bits = bits.max(32);
        if let Some(known) = self.preloads.get(&(from, bits)) {
            return *known;
        }
        let made = self.fresh(bits);
        self.preloads.insert((from, bits), made);
        made
    }

    pub(super) fn constant(&mut self, value: u64, bits: u32) -> Virtual {
        let value = if bits >= 64 { value } else { value & ((1 << bits) - 1) };
        self.preload(Preload::Constant(value), bits)
    }

    /// Emits an operation with up to three sources.
    pub(super) fn op(&mut self, op: Op, d: Virtual, sources: &[Virtual]) -> &mut Draft {
        let mut draft = Draft::new(op);
        draft.inst.operands.d = d;
        draft.inst.operands.a = sources.first().copied().unwrap_or(NONE);
        draft.inst.operands.b = sources.get(1).copied().unwrap_or(NONE);
        draft.inst.operands.c = sources.get(2).copied().unwrap_or(NONE);
        self.emit(draft);
        let last = self.drafts.len() - 1;
        &mut self.drafts[last]
    }

    /// Emits a lane-by-lane operation.
    pub(super) fn scalar(&mut self, function: crate::program::Scalar, imm: u64, d: Virtual, sources: &[Virtual]) {
        let wide = |bits: &[u32], v: Option<&Virtual>| v.is_some_and(|v| bits.get(*v as usize) == Some(&64));
        let bits = &self.bits;
        let x = u32::from(wide(bits, sources.first()))
            | u32::from(wide(bits, sources.get(1))) << 1
            | u32::from(wide(bits, sources.get(2))) << 2
            | u32::from(wide(bits, Some(&d))) << 3;
        let draft = self.op(Op::Scalar(function), d, sources);
        draft.inst.imm = imm;
        draft.inst.x = x;
    }
}
