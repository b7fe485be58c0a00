//! Lowers a syntax tree to a program: resolves names, inlines most calls, turns operands into rows, lays out control
//! flow.

mod alu;
mod async_copy;
mod atomic;
mod b128;
mod calls;
mod compare;
mod convert;
mod draft;
mod extended_precision;
mod finish;
mod float;
mod flow;
mod fragment;
mod frames;
mod half;
mod hints;
mod in_flight;
mod integer;
mod legacy_defaults;
mod limits;
mod liveness;
mod memory;
mod modifiers;
mod names;
mod narrow;
mod place;
mod reconvergence;
mod roles;
mod spaces;
mod special;
mod table;
mod tensor;
mod text;
mod undefined;
mod vector;
mod warp;
mod warpgroup;
mod wmma;
mod written;

use super::LoadError;
use super::program::Program;
use super::ptx::{At, Function, Instruction, Operand, Statement};
use draft::{Draft, Lowerer, Target};
pub use table::{Form, forms, sets};
pub(crate) use text::Text;

/// Maximum number of instructions of a kernel, including inlined calls.
const MAX_INSTRUCTIONS: usize = 1 << 20;

pub(crate) fn lower<'a>(text: &'a Text<'a>, function: &'a Function<'a>, module: u64) -> Result<Program, LoadError> {
    if let Some((size, at)) = text.tree.address_size
        && !matches!(size, 32 | 64)
    {
        return Err(at.parse(format!("addresses have 32 or 64 bits, not {size}")));
    }
    let mut lowerer = Lowerer::new(text, function, module);
    for registers in &text.tree.registers {
        lowerer.declare_registers(*registers)?;
    }
    lowerer.open();
    lowerer.directives_exist(function)?;
    lowerer.entry_parameters(function)?;
    lowerer.body(function)?;
    lowerer.emit(Draft::new(super::program::Op::Exit));
    lowerer.called_functions()?;
    lowerer.finish().map(super::fuse::fuse)
}

impl<'a> Lowerer<'a> {
    pub(super) fn body(&mut self, function: &'a Function<'a>) -> Result<(), LoadError> {
        let Some(statements) = &function.body else {
            return Err(function.at.unsupported(format!("`{}`, which has no body in this text", function.name)));
        };
        self.open();
        self.start_function(function);
        let mut labels = self.declare_labels(statements)?.into_iter();
        self.scope().labels = labels.next().unwrap_or_default();
        for statement in statements {
            match statement {
                Statement::Open => {
                    self.open();
                    self.scope().labels = labels.next().unwrap_or_default();
                }
                Statement::Close => self.close(),
                Statement::Registers(registers) => self.declare_registers(*registers)?,
                Statement::Variable(variable) => self.declare_variable(variable)?,
                Statement::Targets(name, labels) => self.declare_targets(name, labels),
                Statement::Label(name, at) => {
                    let label = self.label(name, *at)?;
                    self.place_label(label);
                }
                Statement::Instruction(instruction) => {
                    self.locate(instruction);
                    self.refused = None;
                    // The reason why a variable was refused is more helpful than an error that its name is unknown.
                    let At { line, column } = instruction.at;
                    let placed = |refused: LoadError| match refused.message.strip_prefix("Line 0, column 0: ") {
                        Some(what) => {
                            let message = format!("Line {line}, column {column}: {what}");
                            LoadError { message, line, column, ..refused }
                        }
                        None => refused,
                    };
                    self.instruction(instruction).map_err(|fault| self.refused.take().map_or(fault, placed))?;
                    if self.drafts.len() > MAX_INSTRUCTIONS {
                        return Err(instruction.at.unsupported("a kernel of more than a million instructions"));
                    }
                }
            }
        }
        self.close();
        Ok(())
    }

    fn instruction(&mut self, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let mut parts = i.opcode.split('.');
        let name = parts.next().unwrap_or_default();
        let modifiers: Vec<&str> = parts.collect();
        let completed = legacy_defaults::completed(self.tree, name, &modifiers);
        let m = completed.as_deref().unwrap_or(&modifiers);
        let arranged = match table::find(name, m, i.operands.len()) {
            Some(_) => None,
            None => table::arranged(name, m, i.operands.len()),
        };
        let m = arranged.as_deref().unwrap_or(m);
        literals_fit(name, m, i)?;
        let first = self.drafts.len();
        let Some(row) = table::find(name, m, i.operands.len()) else {
            let why = table::refusal(name, m);
            if why.is_none() && !table::knows(name) {
                return Err(i.at.unknown_instruction(name, table::nearest(name)));
            }
            return Err(i.at.unsupported(format!("`{}`{}", i.opcode, why.unwrap_or_default())));
        };
        if self.short && async_copy::needs_long_addresses(name, m) {
            return Err(i.at.unsupported(format!("`{}` among addresses of 32 bits", i.opcode)));
        }
        // The rules for omitted modifiers decide about old texts.
        if completed.is_none() {
            limits::exists(self.tree, row, m, i)?;
        }
        row.lower(self, (name, m), i)?;
        if let Some(last) = self.drafts[first..].last_mut()
            && last.name.is_empty()
        {
            last.name = if last.async_copy.is_some() { long_name(i.opcode) } else { report_name(name, last) };
        }
        // A guarded call has already branched around its body.
        if name == "call" { Ok(()) } else { self.guard(i, first) }
    }

    /// Puts the guard on the drafts of the instruction.
    fn guard(&mut self, i: &Instruction<'a>, first: usize) -> Result<(), LoadError> {
        let Some((name, negated)) = i.guard else { return Ok(()) };
        let mut predicate = self.predicate(name, i.at)?;
        let last = self.drafts.len().saturating_sub(1);
        if self.drafts[first..].iter().take(last.saturating_sub(first)).any(|d| d.writes().any(|v| v == predicate)) {
            // One of several drafts changes the guard before the others read it, so they read a copy.
            let copy = self.fresh(1);
            let op = super::program::Op::Predicate(|a, _, _| a);
            self.op(op, copy, &[predicate]);
            if let Some(draft) = self.drafts.pop() {
                self.drafts.insert(first, draft);
            }
            predicate = copy;
            for draft in &mut self.drafts[first + 1..] {
                draft.guard = Some((predicate, negated));
            }
            return Ok(());
        }
        for draft in &mut self.drafts[first..] {
            draft.guard = Some((predicate, negated));
        }
        Ok(())
    }

    fn control(&mut self, name: &str, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        match name {
            "bra" => {
                let [Operand::Name(label)] = i.operands.as_slice() else {
                    return Err(i.at.parse("`bra` takes one label"));
                };
                let mut draft = Draft::new(super::program::Op::Branch);
                draft.target = Some(Target::Label(self.label(label, i.at)?));
                self.emit(draft);
            }
            "brx" => self.branch_table(i)?,
            "ret" => self.ret(),
            "exit" => self.emit(Draft::new(super::program::Op::Exit)),
            // Without a debugger, a breakpoint ends the kernel as a trap does.
            "trap" | "brkpt" => self.emit(Draft::new(super::program::Op::Trap)),
            _ => self.call(i)?,
        }
        Ok(())
    }

    fn branch_table(&mut self, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [index, Operand::Name(list)] = i.operands.as_slice() else {
            return Err(i.at.parse("`brx.idx` takes an index and a list of targets"));
        };
        let labels = self.targets(list, i.at)?;
        let mut draft = Draft::new(super::program::Op::BranchTable);
        draft.inst.operands.a = self.source(index, 32, i.at)?;
        draft.target = Some(Target::Table(labels));
        self.emit(draft);
        Ok(())
    }
}

/// Refuses integers where floating-point literals are expected, and the reverse. Such a literal would be taken as
/// bits, which is never what the author means.
fn literals_fit(name: &str, m: &[&str], i: &Instruction<'_>) -> Result<(), LoadError> {
    let arithmetic = matches!(
        name,
        "mov"
            | "add"
            | "sub"
            | "mul"
            | "fma"
            | "mad"
            | "div"
            | "rem"
            | "min"
            | "max"
            | "abs"
            | "neg"
            | "rcp"
            | "sqrt"
            | "rsqrt"
            | "sin"
            | "cos"
            | "lg2"
            | "ex2"
            | "tanh"
            | "copysign"
            | "setp"
            | "set"
            | "selp"
            | "and"
            | "or"
            | "xor"
            | "not"
            | "sad"
            | "mul24"
            | "mad24"
    );
    let (true, Some(ty)) = (arithmetic, m.last()) else { return Ok(()) };
    let real = matches!(*ty, "f32" | "f64");
    let whole = matches!(*ty, "u16" | "u32" | "u64" | "s16" | "s32" | "s64");
    // The first operand is the destination.
    for operand in i.operands.iter().skip(1) {
        match operand {
            Operand::Int(value) if real => {
                let value = *value as i64;
                return Err(i
                    .at
                    .parse(format!("`{}` takes floating-point numbers: `{value}.0`, not `{value}`", i.opcode)));
            }
            Operand::F32(_) | Operand::F64(_) if whole => {
                return Err(i.at.parse(format!("`{}` takes whole numbers", i.opcode)));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the first words of an opcode whose first word is ambiguous, for example `cp.async.bulk.tensor` or
/// `mbarrier.arrive`. For a bulk copy to global memory the result ends in `.global`, as for a store.
fn long_name(opcode: &str) -> String {
    let plain = |word: &&str| !word.contains("::") && !matches!(*word, "b64" | "ca" | "cg" | "shared" | "global");
    let name = opcode.split('.').take_while(plain).take(4).collect::<Vec<_>>().join(".");
    if opcode.contains(".bulk.") && opcode.contains(".global.shared") { format!("{name}.global") } else { name }
}

/// Returns the opcode without types, as shown in reports.
fn report_name(name: &str, draft: &Draft) -> String {
    use super::program::StateSpace;
    if draft.access.as_ref().is_some_and(|access| access.constant) {
        return format!("{name}.const");
    }
    match draft.access.as_ref().map(|access| access.reach) {
        Some(StateSpace::Global) => format!("{name}.global"),
        Some(StateSpace::Shared | StateSpace::Cluster) => format!("{name}.shared"),
        Some(StateSpace::Local) => format!("{name}.local"),
        Some(StateSpace::Generic) | None => name.to_owned(),
    }
}
