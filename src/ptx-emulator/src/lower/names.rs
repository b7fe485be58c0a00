//! Scopes, variables, parameters, operands and source locations.

use super::draft::{Call, Family, Lowerer, Meaning, Scope, Virtual};
use super::limits;
use crate::arch::FUNCTION_WINDOW;
use crate::arith::{Handler, integer as k, lanes};
use crate::program::calls::Span;
use crate::program::{ModuleVariable, Op, Patch, Preload, Target};
use crate::ptx::{At, Function, Operand, Registers, Relocation, Space, Statement, Variable};
use crate::{LoadError, LoadErrorKind, Param};
use std::collections::HashMap;

const MAX_LOCAL: u64 = 1 << 19;
/// Maximum total size in bytes of a kernel's module variables.
const MAX_GLOBAL: u64 = 1 << 30;
/// Maximum number of module variables. Each takes a slot of the address space, and there are few slots.
const MAX_VARIABLES: u32 = 1 << 15;

pub(super) fn register_bits(ty: &str) -> Option<u32> {
    Some(match ty {
        "pred" => 1,
        "b8" | "u8" | "s8" | "b16" | "u16" | "s16" | "f16" | "bf16" => 16,
        "b32" | "u32" | "s32" | "f32" | "f16x2" | "bf16x2" => 32,
        "b64" | "u64" | "s64" | "f64" => 64,
        _ => return None,
    })
}

pub(super) fn function_address(index: u32) -> u64 {
    FUNCTION_WINDOW + 16 * u64::from(index)
}

fn twice(name: &str, at: At) -> LoadError {
    at.parse(format!("`{name}` is declared twice in one scope"))
}

pub(super) fn align_up(value: u64, align: u64) -> u64 {
    value.saturating_add(align - 1) / align * align
}

impl<'a> Lowerer<'a> {
    pub(super) fn open(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub(super) fn close(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    pub(super) fn scope(&mut self) -> &mut Scope<'a> {
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    /// Lays out the kernel's parameter block as the driver does.
    pub(super) fn entry_parameters(&mut self, function: &'a Function<'a>) -> Result<(), LoadError> {
        let mut offset = 0u64;
        for param in &function.params {
            offset = align_up(offset, param.align.max(1));
            let most = limits::parameters(self.tree);
            if offset + param.bytes > most {
                return Err(limits::too_many(param.at, offset + param.bytes, "parameters", most));
            }
            self.params.push(Param {
                name: param.name.to_owned(),
                ty: param.ty.to_owned(),
                offset: offset as u32,
                bytes: param.bytes as u32,
            });
            self.scope().names.insert(param.name, Meaning::Param(offset as u32));
            offset += param.bytes;
        }
        self.param_bytes = offset as u32;
        Ok(())
    }

    pub(super) fn start_function(&mut self, function: &'a Function<'a>) {
        if self.calls.is_empty() {
            let main_file = function.locs.first().map_or(0, |loc| loc.file);
            self.calls.push(Call { function, base: 0, return_label: None, main_file, called_at: 0 });
        }
    }

    /// Declares the labels of a body. Returns them per scope, in the order in which the scopes begin.
    pub(super) fn declare_labels(
        &mut self,
        statements: &'a [Statement<'a>],
    ) -> Result<Vec<HashMap<&'a str, usize>>, LoadError> {
        let mut all = vec![HashMap::new()];
        let mut open = vec![0];
        for statement in statements {
            match statement {
                Statement::Open => {
                    open.push(all.len());
                    all.push(HashMap::new());
                }
                Statement::Close => {
                    open.pop();
                }
                Statement::Label(name, at) => {
                    let index = self.labels.len();
                    self.labels.push(None);
                    let scope = open.last().and_then(|scope| all.get_mut(*scope));
                    if scope.is_some_and(|labels| labels.insert(*name, index).is_some()) {
                        return Err(at.parse(format!("the label `{name}` is defined twice")));
                    }
                }
                _ => {}
            }
        }
        Ok(all)
    }

    fn base(&self) -> usize {
        self.calls.last().map_or(0, |call| call.base)
    }

    pub(super) fn label(&self, name: &str, at: At) -> Result<usize, LoadError> {
        let own = &self.scopes[self.base().min(self.scopes.len())..];
        own.iter()
            .rev()
            .find_map(|scope| scope.labels.get(name).copied())
            .ok_or_else(|| at.parse(format!("there is no label `{name}`")))
    }

    pub(super) fn place_label(&mut self, label: usize) {
        self.labels[label] = Some(self.drafts.len());
    }

    pub(super) fn declare_targets(&mut self, name: &'a str, labels: &[&'a str]) {
        // A missing label is reported where the list is used.
        let found: Vec<usize> = labels.iter().filter_map(|label| self.label(label, At::default()).ok()).collect();
        if found.len() == labels.len() {
            self.scope().targets.insert(name, found);
        }
    }

    pub(super) fn targets(&self, name: &str, at: At) -> Result<Vec<usize>, LoadError> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.targets.get(name).cloned())
            .filter(|labels| !labels.is_empty())
            .ok_or_else(|| at.parse(format!("there is no list of targets `{name}`")))
    }

    pub(super) fn declare_registers(&mut self, registers: Registers<'a>) -> Result<(), LoadError> {
        let bits = Some(128)
            .filter(|_| registers.ty == "b128")
            .or_else(|| register_bits(registers.ty))
            .ok_or_else(|| registers.at.unsupported(format!("registers of type `.{}`", registers.ty)))?;
        let again = match registers.count {
            Some(count) => {
                let family = Family { bits, elements: registers.elements, count };
                self.scope().families.insert(registers.name, family).is_some()
            }
            None => {
                let made = self.new_register(bits, registers.elements);
                self.scope().names.insert(registers.name, made).is_some()
            }
        };
        if again { Err(twice(registers.name, registers.at)) } else { Ok(()) }
    }

    pub(super) fn new_register(&mut self, bits: u32, elements: u32) -> Meaning {
        if elements > 1 {
            return self.new_vector(bits, elements);
        }
        if bits < 128 {
            return Meaning::Register(self.fresh(bits));
        }
        let low = self.fresh(64);
        self.fresh(64);
        Meaning::Quad(low)
    }

    pub(super) fn declare_variable(&mut self, variable: &'a Variable<'a>) -> Result<(), LoadError> {
        let meaning = match variable.space {
            Space::Shared => Meaning::Shared(self.place_shared(variable)?),
            Space::Local | Space::Param => {
                Meaning::Local(self.place_local(variable.bytes, variable.align, variable.at)?)
            }
            Space::Global | Space::Const => Meaning::Global(self.module_variable(variable)?),
            Space::Register => {
                let bits = register_bits(variable.ty)
                    .ok_or_else(|| variable.at.unsupported(format!("registers of type `.{}`", variable.ty)))?;
                Meaning::Register(self.fresh(bits))
            }
        };
        let again = self.scope().names.insert(variable.name, meaning).is_some();
        if again { Err(twice(variable.name, variable.at)) } else { Ok(()) }
    }

    /// Allocates bytes in the frame.
    pub(super) fn place_local(&mut self, bytes: u64, align: u64, at: At) -> Result<Span, LoadError> {
        let start = align_up(self.local_bytes, align);
        self.local_bytes = start.saturating_add(bytes);
        self.local_align = self.local_align.max(align);
        if self.local_bytes > MAX_LOCAL {
            return Err(at.unsupported("more than 512 KiB of local memory per thread"));
        }
        Ok(Span { at: start, bytes })
    }

    fn place_shared(&mut self, variable: &'a Variable<'a>) -> Result<u64, LoadError> {
        if variable.bytes == 0 {
            // All `.extern .shared` arrays start after the static ones.
            self.dynamic = Some(variable.name);
            self.dynamic_align = self.dynamic_align.max(variable.align);
            return Ok(u64::MAX);
        }
        if let Some(known) = self.shared.get(variable.name) {
            return Ok(*known);
        }
        let at = align_up(self.shared_bytes, variable.align);
        self.shared_bytes = at.saturating_add(variable.bytes);
        if self.shared_bytes > limits::STATIC_SHARED {
            let (has, most) = (self.shared_bytes, limits::STATIC_SHARED);
            return Err(limits::too_many(variable.at, has, "static shared memory", most));
        }
        self.shared.insert(variable.name, at);
        Ok(at)
    }

    fn module_variable(&mut self, variable: &'a Variable<'a>) -> Result<u32, LoadError> {
        if let Some(known) = self.variable_index.get(variable.name) {
            return Ok(*known);
        }
        let index = self.add_variable(variable)?;
        // Use a worklist instead of recursion, because a chain of pointers may be as long as the PTX text.
        let mut open = vec![(index, variable)];
        while let Some((index, variable)) = open.pop() {
            for relocation in &variable.relocations {
                let target = match self.pointed_at(relocation.name) {
                    Some(pointed) => match self.variable_index.get(pointed.name) {
                        Some(known) => Target::Variable(*known),
                        None => {
                            let made = self.add_variable(pointed)?;
                            open.push((made, pointed));
                            Target::Variable(made)
                        }
                    },
                    None => match self.module_address(relocation.name, variable.at)? {
                        Meaning::Function(index) => Target::Function(function_address(index)),
                        _ => return Err(variable.at.unsupported(format!("the address of `{}` here", relocation.name))),
                    },
                };
                let Relocation { at, plus, bytes, from, .. } = *relocation;
                self.variables[index as usize].relocations.push(Patch { at, target, plus, bytes, from });
            }
        }
        Ok(index)
    }

    /// Returns the variable with this name, if it is in global or constant memory.
    fn pointed_at(&self, name: &str) -> Option<&'a Variable<'a>> {
        let tree = self.tree;
        tree.variable(name).filter(|variable| matches!(variable.space, Space::Global | Space::Const))
    }

    /// Adds a module variable without the variables that it points to.
    fn add_variable(&mut self, variable: &'a Variable<'a>) -> Result<u32, LoadError> {
        if variable.bytes == 0 {
            return Err(variable.at.unsupported(format!("the size of the variable `{}`", variable.name)));
        }
        self.module_bytes = self.module_bytes.saturating_add(variable.bytes);
        if self.module_bytes > MAX_GLOBAL {
            let what = format!("more than 1 GiB of module variables in a kernel; `{}` is too much", variable.name);
            return Err(variable.at.unsupported(what));
        }
        if variable.space == Space::Const {
            self.constant_bytes = align_up(self.constant_bytes, variable.align) + variable.bytes;
            if self.constant_bytes > limits::CONSTANTS {
                let (has, most) = (self.constant_bytes, limits::CONSTANTS);
                return Err(limits::too_many(variable.at, has, "constant memory", most));
            }
        }
        let index = self.variables.len() as u32;
        if index >= MAX_VARIABLES {
            return Err(variable.at.unsupported(format!("more than {MAX_VARIABLES} module variables in a kernel")));
        }
        self.variables.push(ModuleVariable {
            name: variable.name.to_owned(),
            bytes: variable.bytes,
            init: variable.init.clone(),
            relocations: Vec::new(),
            constant: variable.space == Space::Const,
        });
        self.variable_index.insert(variable.name, index);
        Ok(index)
    }

    /// Resolves a name, innermost scope first.
    pub(super) fn meaning(&mut self, name: &'a str) -> Option<Meaning> {
        let base = self.base();
        // The name of a family may end in digits itself (`%r1<4>`), so try every split with a 32-bit number.
        let digits = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let numbers = digits.max(name.len().saturating_sub(10))..name.len();
        // The first scope holds the registers declared outside functions.
        let outside = if base > 0 && !self.framed { 0..1 } else { 0..0 };
        for index in (base.min(self.scopes.len())..self.scopes.len()).rev().chain(outside) {
            if let Some(meaning) = self.scopes[index].names.get(name) {
                return Some(*meaning);
            }
            let families = &self.scopes[index].families;
            let family = numbers.clone().find_map(|split| {
                let number: u32 = name.get(split..)?.parse().ok()?;
                families.get(name.get(..split)?).filter(|family| number < family.count).copied()
            });
            if let Some(family) = family {
                let made = self.new_register(family.bits, family.elements);
                self.scopes[index].names.insert(name, made);
                return Some(made);
            }
        }
        match self.module_address(name, At::default()) {
            Ok(meaning) => Some(meaning),
            Err(fault) => {
                self.refused = Some(fault).filter(|fault| fault.kind == LoadErrorKind::Unsupported);
                None
            }
        }
    }

    /// Resolves a name declared outside functions.
    fn module_address(&mut self, name: &str, at: At) -> Result<Meaning, LoadError> {
        let Some(variable) = self.tree.variable(name) else {
            // Functions without a body have addresses too, for example in a table of virtual functions.
            return match self.text.function(name) {
                Some((index, function)) if !function.entry => Ok(Meaning::Function(index as u32)),
                Some(_) => Err(at.unsupported(format!(
                    "the address of the kernel `{name}`: kernels that launch kernels. Launch each from the host"
                ))),
                None => Err(at.parse(format!("`{name}` is not declared"))),
            };
        };
        match variable.space {
            Space::Shared => self.place_shared(variable).map(Meaning::Shared),
            Space::Global | Space::Const => self.module_variable(variable).map(Meaning::Global),
            Space::Local if self.framed => Err(at.unsupported(format!(
                "`{name}`, which is local and outside of functions, in a function that is called"
            ))),
            Space::Local => {
                if let Some(known) = self.locals.get(variable.name) {
                    return Ok(Meaning::Local(*known));
                }
                let span = self.place_local(variable.bytes, variable.align, variable.at)?;
                self.locals.insert(variable.name, span);
                Ok(Meaning::Local(span))
            }
            _ => Err(at.parse(format!("`{name}` has no address"))),
        }
    }

    pub(super) fn predicate(&mut self, name: &'a str, at: At) -> Result<Virtual, LoadError> {
        match self.meaning(name) {
            Some(Meaning::Register(v)) if self.bits[v as usize] == 1 => Ok(v),
            _ => Err(at.parse(format!("`{name}` is not a predicate register"))),
        }
    }

    /// Returns the address of a shared array. `u64::MAX` means the dynamic array.
    fn shared_address(&mut self, at: u64, offset: i64, bits: u32) -> Virtual {
        match at {
            u64::MAX => self.preload(Preload::DynamicShared(offset), bits),
            at => self.preload(Preload::Shared(at.wrapping_add(offset as u64)), bits),
        }
    }

    /// Returns the address of a variable as a 64-bit row, or a 32-bit row if addresses have 32 bits.
    pub(super) fn address_of(&mut self, meaning: Meaning, offset: i64) -> Virtual {
        let bits = if self.short { 32 } else { 64 };
        match meaning {
            Meaning::Register(v) | Meaning::Quad(v) | Meaning::Vector(v) => v,
            Meaning::Shared(at) => self.shared_address(at, offset, bits),
            Meaning::Local(span) if !self.framed => self.constant(span.at.wrapping_add(offset as u64), bits),
            Meaning::Local(span) => {
                let frame = self.frame();
                self.plus(frame, span.at.wrapping_add(offset as u64))
            }
            Meaning::Param(at) => self.preload(Preload::ParamAddress(i64::from(at).wrapping_add(offset)), bits),
            Meaning::Function(index) => self.constant(function_address(index).wrapping_add(offset as u64), 64),
            Meaning::Global(index) => {
                let base = self.preload(Preload::Global(index), bits);
                if offset == 0 { base } else { self.plus(base, offset as u64) }
            }
        }
    }

    /// Returns the sum of an address and a constant.
    fn plus(&mut self, base: Virtual, amount: u64) -> Virtual {
        let bits = self.bits[base as usize];
        let sum = self.fresh(bits);
        let amount = self.constant(amount, bits);
        let add = if bits == 32 { lanes::<k::Add32>() } else { lanes::<k::Add64>() };
        self.op(Op::lanes(add), sum, &[base, amount]);
        sum
    }

    /// Returns a source operand as a row of `bits` bits.
    pub(super) fn source(&mut self, operand: &Operand<'a>, bits: u32, at: At) -> Result<Virtual, LoadError> {
        let mismatch =
            |name: &str, has: u32| Err(at.parse(format!("`{name}` has {has} bits where the instruction takes {bits}")));
        match operand {
            Operand::Int(value) => Ok(self.constant(*value, bits)),
            Operand::F32(value) if bits == 32 => Ok(self.constant((*value).into(), 32)),
            Operand::F32(value) if bits == 64 => Ok(self.constant(f64::from(f32::from_bits(*value)).to_bits(), 64)),
            Operand::F64(value) if bits == 64 => Ok(self.constant(*value, 64)),
            Operand::F64(value) if bits == 32 => {
                Ok(self.constant((f64::from_bits(*value) as f32).to_bits().into(), 32))
            }
            Operand::Name(name) => {
                if let Some(meaning) = self.meaning(name) {
                    if let (Meaning::Shared(at), 32) = (meaning, bits) {
                        // NVRTC 13 uses 32-bit addresses for shared memory.
                        return Ok(self.shared_address(at, 0, 32));
                    }
                    if let (Meaning::Local(span), 32, false) = (meaning, bits, self.short || self.framed) {
                        // With short pointers, LLVM uses them for local memory too.
                        return Ok(self.constant(span.at, 32));
                    }
                    if self.short && matches!(meaning, Meaning::Function(_)) {
                        return Err(at.unsupported(format!("the address of the function `{name}` in 32 bits")));
                    }
                    let found = self.address_of(meaning, 0);
                    let has = self.bits[found as usize];
                    return if has == bits { Ok(found) } else { mismatch(name, has) };
                }
                match self.special(name) {
                    Some((v, has)) if has == bits || (bits == 64 && has == 64) => Ok(v),
                    Some((v, 32)) if bits == 64 => {
                        let wide = self.fresh(64);
                        self.op(Op::lanes(crate::arith::lanes::<crate::arith::integer::WidenU32>()), wide, &[v]);
                        Ok(wide)
                    }
                    Some((v, 32)) if bits == 16 => Ok(v),
                    Some((_, has)) => mismatch(name, has),
                    None => Err(at.parse(format!("`{name}` is not declared"))),
                }
            }
            Operand::Offset(name, offset) => match self.meaning(name) {
                None => Err(at.parse(format!("`{name}` is not declared"))),
                Some(Meaning::Register(v)) if self.bits[v as usize] != bits => mismatch(name, self.bits[v as usize]),
                Some(Meaning::Register(v)) => match bits {
                    64 => Ok(self.sum(lanes::<k::Add64>(), v, *offset, 64)),
                    32 => Ok(self.sum(lanes::<k::Add32>(), v, *offset, 32)),
                    _ => Err(at.unsupported(format!("a sum of the register `{name}` of {bits} bits and a number"))),
                },
                Some(Meaning::Shared(at)) if bits == 32 => Ok(self.shared_address(at, *offset, 32)),
                Some(meaning) if bits == 64 || self.short && bits == 32 => Ok(self.address_of(meaning, *offset)),
                Some(_) => mismatch(name, 64),
            },
            Operand::Element(name, _) => match self.named_register(operand) {
                Some(v) if self.bits[v as usize] == bits => Ok(v),
                Some(v) => mismatch(name, self.bits[v as usize]),
                None => Err(at.parse(format!("`{name}` is not declared"))),
            },
            _ => Err(at.parse("the operand is not allowed here")),
        }
    }

    /// Returns the sum of a register and a constant.
    fn sum(&mut self, add: Handler, v: Virtual, amount: i64, bits: u32) -> Virtual {
        let sum = self.fresh(bits);
        let amount = self.constant(amount as u64, bits);
        self.op(Op::lanes(add), sum, &[v, amount]);
        sum
    }

    /// Returns a destination register of `bits` bits; `_` becomes a fresh one.
    pub(super) fn destination(&mut self, operand: &Operand<'a>, bits: u32, at: At) -> Result<Virtual, LoadError> {
        let (Operand::Name(name) | Operand::Element(name, _)) = operand else {
            return Err(at.parse("the destination must be a register"));
        };
        if *name == "_" {
            return Ok(self.fresh(bits));
        }
        match self.named_register(operand) {
            Some(v) if self.bits[v as usize] == bits => Ok(v),
            Some(v) => {
                let has = self.bits[v as usize];
                Err(at.parse(format!("`{name}` has {has} bits where the instruction gives {bits}")))
            }
            None => Err(at.parse(format!("`{name}` is not a register"))),
        }
    }

    /// Returns a register of any width, with its width.
    pub(super) fn register(&mut self, operand: &Operand<'a>, at: At) -> Result<(Virtual, u32), LoadError> {
        match (operand, self.named_register(operand)) {
            (_, Some(v)) => Ok((v, self.bits[v as usize])),
            (Operand::Name(name) | Operand::Element(name, _), _) => {
                Err(at.parse(format!("`{name}` is not a register")))
            }
            _ => Err(at.parse("the operand must be a register")),
        }
    }
}
