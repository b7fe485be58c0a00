//! Functions that are really called: their frames and parameters, and a thread's stack.

use super::alu::{refuse, take};
use super::draft::{Call, Draft, Lowerer, Made, Meaning, Target, Virtual};
use super::names::{align_up, function_address, register_bits};
use crate::LoadError;
use crate::arch::Order;
use crate::arith::{integer as k, lanes};
use crate::program::calls;
use crate::program::calls::Span;
use crate::program::{Access, NONE, Op, StateSpace};
use crate::ptx::{At, Function, Instruction, Operand, Space, Variable, type_bytes};

/// Maximum number of statements of called functions, in all kernels of a PTX text.
const MAX_CALLED: u64 = 1 << 21;

impl<'a> Lowerer<'a> {
    /// Returns the row with the start of each lane's frame.
    pub(super) fn frame(&mut self) -> Virtual {
        match self.stack {
            Some((frame, _)) => frame,
            None => {
                let stack = (self.fresh(64), self.fresh(64));
                self.stack = Some(stack);
                stack.0
            }
        }
    }

    /// Returns the row with the end of each lane's stack.
    fn stack_top(&mut self) -> Virtual {
        let frame = self.frame();
        self.stack.map_or(frame, |(_, top)| top)
    }

    /// Returns the index of a called function, and adds it to the list on its first call.
    fn made(&mut self, index: usize, at: At) -> Result<u32, LoadError> {
        if let Some(known) = self.made_index.get(&index) {
            return Ok(*known);
        }
        let function = &self.tree.functions[index];
        if self.short {
            return Err(at.unsupported(format!("a recursive call of `{}` among addresses of 32 bits", function.name)));
        }
        let statements = function.body.as_ref().map_or(0, Vec::len) as u64;
        let called = &self.text.called;
        called.set(called.get().saturating_add(super::text::CALL_COST + statements));
        if called.get() > MAX_CALLED {
            let what = format!("functions of more than {MAX_CALLED} statements, counted for each kernel");
            return Err(at.unsupported(what));
        }
        let mut formals = function.params.iter().chain(&function.returns);
        if formals.clone().any(|formal| {
            formal.space == Space::Register && (formal.ty == "pred" || Some(formal.bytes) > type_bytes(formal.ty))
        }) {
            return Err(at.unsupported(format!("a call of `{}`, which takes or gives predicates or vectors in registers, that is recursive or through a pointer", function.name)));
        }
        if formals.any(|formal| formal.bytes == 0) {
            let what = format!("a call of `{}`, which takes a variable number of arguments, that is", function.name);
            return Err(at.unsupported(format!("{what} recursive or through a pointer")));
        }
        // Place the parameters first, in order, so that their offsets follow from their types alone.
        let mut next = 0;
        let mut place = |variable: &Variable<'_>| {
            // A register parameter has at least 16 bits.
            let least = if variable.space == Space::Register { 2 } else { 1 };
            let (at, bytes) = (align_up(next, variable.align.max(least)), variable.bytes.max(least));
            next = at + bytes;
            Span { at, bytes }
        };
        let params = function.params.iter().map(&mut place).collect();
        let returns = function.returns.iter().map(&mut place).collect();
        let label = self.new_label();
        let made = self.made.len() as u32;
        self.made.push(Made { index, function, label, params, returns, frame: next });
        self.made_index.insert(index, made);
        self.frame();
        Ok(made)
    }

    /// Lowers a call of a function by name.
    pub(super) fn call_by_name(
        &mut self,
        index: usize,
        returns: &'a [Operand<'a>],
        arguments: &'a [Operand<'a>],
        at: At,
    ) -> Result<(), LoadError> {
        let callee = self.made(index, at)?;
        let function = &self.tree.functions[index];
        let mut call = calls::Call { callee: Some(callee), ..calls::Call::default() };
        for (actual, formal) in arguments.iter().zip(&function.params) {
            let span = if formal.space == Space::Register {
                // The argument goes through the caller's memory.
                let span = self.parameter_span(formal, at)?;
                let bits = register_bits(formal.ty).unwrap_or(32);
                let value = self.source(actual, bits, at)?;
                self.local(true, span, value);
                span
            } else {
                self.argument(actual, at)?
            };
            call.arguments.push(span);
        }
        let mut results = Vec::new();
        for (actual, formal) in returns.iter().zip(&function.returns) {
            let span = if formal.space == Space::Register {
                let span = self.parameter_span(formal, at)?;
                let bits = register_bits(formal.ty).unwrap_or(32);
                results.push((span, self.destination(actual, bits, at)?));
                span
            } else {
                self.argument(actual, at)?
            };
            call.results.push(span);
        }
        self.emit_call(call, NONE);
        for (span, d) in results {
            self.local(false, span, d);
        }
        Ok(())
    }

    /// Lowers a call through a pointer. Candidates are all functions whose address is taken and whose parameters fit.
    pub(super) fn call_pointer(
        &mut self,
        name: &'a str,
        returns: &'a [Operand<'a>],
        arguments: &'a [Operand<'a>],
        at: At,
    ) -> Result<(), LoadError> {
        if self.short {
            return Err(at.unsupported("a call through a pointer among addresses of 32 bits"));
        }
        let pointer = self.source(&Operand::Name(name), 64, at)?;
        let arguments = arguments.iter().map(|operand| self.argument(operand, at)).collect::<Result<Vec<_>, _>>()?;
        let results = returns.iter().map(|operand| self.argument(operand, at)).collect::<Result<Vec<_>, _>>()?;
        let fits = |given: &[Span], formal: &[Variable<'_>]| {
            given.len() == formal.len()
                && given.iter().zip(formal).all(|(given, formal)| {
                    formal.space == Space::Param && formal.bytes == given.bytes && formal.bytes != 0
                })
        };
        let mut among = Vec::new();
        for (index, function) in self.tree.functions.iter().enumerate() {
            let callable = function.body.is_some() && !function.entry && self.text.is_pointed_to(function.name);
            if callable && fits(&arguments, &function.params) && fits(&results, &function.returns) {
                among.push(self.made(index, at)?);
            }
        }
        self.frame();
        self.through_pointers = true;
        self.emit_call(calls::Call { among, arguments, results, ..calls::Call::default() }, pointer);
        Ok(())
    }

    fn emit_call(&mut self, call: calls::Call, pointer: Virtual) {
        let mut draft = Draft::new(Op::Call);
        draft.inst.operands.a = pointer;
        draft.inst.x = self.call_sites.len() as u32;
        self.call_sites.push(call);
        self.emit(draft);
    }

    /// Allocates memory in the frame for a register parameter.
    fn parameter_span(&mut self, formal: &Variable<'a>, at: At) -> Result<Span, LoadError> {
        let bytes = type_bytes(formal.ty).unwrap_or(4).max(2);
        self.place_local(bytes, bytes, at)
    }

    /// Stores a register to the frame, or loads it from there.
    fn local(&mut self, store: bool, span: Span, register: Virtual) {
        let base = if self.framed { self.frame() } else { self.constant(0, 64) };
        let mut draft = Draft::new(if store { Op::Store } else { Op::Load });
        draft.access = Some(Access {
            reach: StateSpace::Local,
            size: span.bytes as u32,
            lanes: 1,
            rows: [register, NONE, NONE, NONE],
            wide: self.bits[register as usize] == 64,
            signed: false,
            base,
            base_wide: true,
            pattern: 0,
            offset: span.at as i64,
            atomic: None,
            writes: store,
            spins: false,
            returns: false,
            constant: false,
            read_only: false,
            matrix: None,
            order: Order::WEAK,
        });
        self.emit(draft);
    }

    /// Lowers all called functions, including those that they call in turn.
    pub(super) fn called_functions(&mut self) -> Result<(), LoadError> {
        let main_file = self.calls.first().map_or(0, |call| call.main_file);
        self.kernel_local_bytes = std::mem::take(&mut self.local_bytes);
        self.framed = true;
        let mut next = 0;
        while let Some(made) = self.made.get(next) {
            let (function, label) = (made.function, made.label);
            let spans: Vec<Span> = made.params.iter().chain(&made.returns).copied().collect();
            self.local_bytes = made.frame;
            self.called_function(function, label, &spans, main_file)?;
            let frame = align_up(self.local_bytes, 16);
            self.made[next].frame = frame;
            next += 1;
        }
        Ok(())
    }

    fn called_function(
        &mut self,
        function: &'a Function<'a>,
        label: usize,
        spans: &[Span],
        main_file: u32,
    ) -> Result<(), LoadError> {
        let return_label = self.new_label();
        let base = self.scopes.len();
        self.calls = vec![Call { function, base, return_label: Some(return_label), main_file, called_at: 0 }];
        self.open();
        self.place_label(label);
        let mut results = Vec::new();
        for (index, (formal, span)) in function.params.iter().chain(&function.returns).zip(spans).enumerate() {
            let meaning = if formal.space == Space::Register {
                let bits = register_bits(formal.ty)
                    .ok_or_else(|| formal.at.unsupported(format!("registers of type `.{}`", formal.ty)))?;
                let own = self.fresh(bits);
                if index < function.params.len() {
                    self.local(false, *span, own);
                } else {
                    results.push((*span, own));
                }
                Meaning::Register(own)
            } else {
                Meaning::Local(*span)
            };
            self.scope().names.insert(formal.name, meaning);
        }
        self.body(function)?;
        self.close();
        self.place_label(return_label);
        for (span, own) in results {
            self.local(true, span, own);
        }
        self.emit(Draft::new(Op::Return));
        Ok(())
    }

    /// `ret`: jumps to the end of a function, or ends the thread in a kernel.
    pub(super) fn ret(&mut self) {
        let mut draft = Draft::new(Op::Exit);
        if let Some(label) = self.calls.last().and_then(|call| call.return_label) {
            draft = Draft::new(Op::Branch);
            draft.target = Some(Target::Label(label));
        }
        self.emit(draft);
    }

    /// `alloca`, `stacksave`, `stackrestore`.
    pub(super) fn stack(&mut self, name: &str, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        if self.short {
            return refuse(i);
        }
        let top = self.stack_top();
        match name {
            "alloca" => {
                let (d, size, align) = match i.operands.as_slice() {
                    [d, size] => (d, size, 8),
                    [d, size, Operand::Int(align)] if align.is_power_of_two() && *align <= 1 << 20 => (d, size, *align),
                    _ => return Err(i.at.parse("`alloca` takes a register, a size and an alignment")),
                };
                let d = self.destination(d, 64, i.at)?;
                let size = self.source(size, 64, i.at)?;
                self.op(Op::Allocate, d, &[size]).inst.imm = align.max(16);
            }
            "stacksave" => {
                let [d] = take(i)?;
                let d = self.destination(d, 64, i.at)?;
                self.op(Op::lanes(lanes::<k::Mov64>()), d, &[top]);
            }
            _ => {
                let [a] = take(i)?;
                let a = self.source(a, 64, i.at)?;
                self.op(Op::lanes(lanes::<k::Mov64>()), top, &[a]);
            }
        }
        Ok(())
    }

    /// Returns the names of all functions by the number in their address, if a call goes through a pointer.
    pub(super) fn function_names(&self) -> Vec<String> {
        let all = if self.through_pointers { self.tree.functions.as_slice() } else { &[] };
        all.iter().map(|function| function.name.to_owned()).collect()
    }

    /// Returns the called functions as the machine needs them. `start` returns the instruction index of a label.
    pub(super) fn functions(&self, start: impl Fn(usize) -> u32) -> Vec<calls::Function> {
        let functions = self.made.iter().map(|made| calls::Function {
            name: made.function.name.to_owned(),
            entry: start(made.label),
            address: function_address(made.index as u32),
            params: made.params.clone(),
            returns: made.returns.clone(),
            frame: made.frame,
        });
        functions.collect()
    }
}
