//! Calls: functions of the text are inlined, with their own names and registers; calls through pointers choose among
//! the functions whose address is taken; `vprintf` and `__assertfail` are the machine's.

use super::draft::{Call, Draft, Lowerer, Meaning, Target, Virtual};
use super::names::function_address;
use crate::simt::Fault;
use crate::simt::machine::{integer as k, lanes, test};
use crate::simt::program::Op;
use crate::simt::ptx::{At, Function, Instruction, Operand, Space, Statement, Tree};
use std::collections::HashSet;

/// Deepest chain of calls.
const MAX_CALLS: usize = 32;

/// Most that the inlining of calls may cost in all kernels of a text, in statements of the functions. Functions that
/// call each other twice, and the next ones again, double at every level without an instruction of their own.
const MAX_INLINED: u64 = 1 << 21;
/// What a call costs besides its function's statements: scopes, labels, names.
const CALL_COST: u64 = 16;

/// Bits of an offset in local memory, in the constant of a print.
const OFFSET_BITS: u32 = 20;

impl<'a> Lowerer<'a> {
    pub(super) fn call(&mut self, i: &'a Instruction<'a>) -> Result<(), Fault> {
        let (returns, name, arguments): (&'a [Operand<'a>], &'a str, &'a [Operand<'a>]) = match i.operands.as_slice() {
            [Operand::List(r), Operand::Name(n), Operand::List(a), ..] => (r, n, a),
            [Operand::List(r), Operand::Name(n)] => (r, n, &[]),
            [Operand::Name(n), Operand::List(a), ..] => (&[], n, a),
            [Operand::Name(n)] => (&[], n, &[]),
            _ => return Err(i.at.unsupported("this form of `call`")),
        };
        let around = match i.guard {
            None => None,
            Some((guard, negated)) => {
                let mut draft = Draft::new(Op::Branch);
                draft.guard = Some((self.predicate(guard, i.at)?, !negated));
                let label = self.new_label();
                draft.target = Some(Target::Label(label));
                self.emit(draft);
                Some(label)
            }
        };
        if matches!(name, "vprintf" | "__assertfail") && self.callee(name).is_none() {
            self.print(name, returns, arguments, i.at)?;
        } else if self.is_register(name) {
            self.call_pointer(name, returns, arguments, i.at)?;
        } else {
            let Some(callee) = self.callee(name) else {
                return Err(i.at.unsupported(format!("a call of `{name}`, which has no body in this text")));
            };
            self.inline(callee, returns, arguments, i.at)?;
        }
        if let Some(label) = around {
            self.place_label(label);
        }
        Ok(())
    }

    fn callee(&self, name: &str) -> Option<&'a Function<'a>> {
        self.tree.functions.iter().find(|f| f.name == name && f.body.is_some())
    }

    fn new_label(&mut self) -> usize {
        self.labels.push(None);
        self.labels.len() - 1
    }

    fn inline(
        &mut self,
        callee: &'a Function<'a>,
        returns: &'a [Operand<'a>],
        arguments: &'a [Operand<'a>],
        at: At,
    ) -> Result<(), Fault> {
        if self.calls.iter().any(|call| call.name == callee.name) || self.calls.len() > MAX_CALLS {
            return Err(at.unsupported(format!("the recursive call of `{}`", callee.name)));
        }
        let statements = callee.body.as_ref().map_or(0, Vec::len) as u64;
        self.inlined.set(self.inlined.get().saturating_add(CALL_COST + statements));
        if self.inlined.get() > MAX_INLINED {
            let what = format!("calls of functions that become more than {MAX_INLINED} statements once inlined");
            return Err(at.unsupported(what));
        }
        if returns.len() != callee.returns.len() || arguments.len() != callee.params.len() {
            return Err(at.parse(format!("the call does not fit the parameters of `{}`", callee.name)));
        }
        // Parameters in memory: a formal parameter is another name of the argument's variable. Those in registers are
        // copied, in before the body and out behind it.
        let mut bindings = Vec::new();
        let mut results = Vec::new();
        let pairs = returns.iter().zip(&callee.returns).map(|pair| (true, pair));
        for (is_result, (actual, formal)) in pairs.chain(arguments.iter().zip(&callee.params).map(|pair| (false, pair)))
        {
            if formal.space == Space::Register {
                let bits = super::names::register_bits(formal.ty).unwrap_or(32);
                let own = self.fresh(bits);
                if is_result {
                    results.push((self.destination(actual, bits, at)?, own));
                } else {
                    let value = self.source(actual, bits, at)?;
                    self.copy(own, value, bits);
                }
                bindings.push((formal.name, Meaning::Register(own)));
                continue;
            }
            let Operand::Name(actual) = actual else {
                return Err(at.unsupported("a call with arguments that are not `.param` variables"));
            };
            match self.meaning(actual) {
                Some(meaning @ Meaning::Local(_)) => bindings.push((formal.name, meaning)),
                _ => return Err(at.unsupported(format!("the call argument `{actual}`"))),
            }
        }
        let return_label = self.new_label();
        let main_file = self.calls.first().map_or(0, |call| call.main_file);
        let base = self.scopes.len();
        let call = Call { name: callee.name, function: callee, base, return_label: Some(return_label), main_file };
        self.calls.push(call);
        self.open();
        for (name, meaning) in bindings {
            self.scope().names.insert(name, meaning);
        }
        self.body(callee)?;
        self.close();
        self.calls.pop();
        self.place_label(return_label);
        for (d, own) in results {
            self.copy(d, own, self.bits[own as usize]);
        }
        Ok(())
    }

    fn copy(&mut self, d: Virtual, a: Virtual, bits: u32) {
        let op = if bits == 64 { lanes::<k::Mov64>() } else { lanes::<k::Mov32>() };
        self.op(Op::Lanes(op), d, &[a]);
    }

    /// A call through a pointer: every function whose address is taken somewhere, and that fits, is tried.
    fn call_pointer(
        &mut self,
        name: &'a str,
        returns: &'a [Operand<'a>],
        arguments: &'a [Operand<'a>],
        at: At,
    ) -> Result<(), Fault> {
        let pointer = self.source(&Operand::Name(name), 64, at)?;
        let tree = self.tree;
        let mut candidates = Vec::new();
        for (index, function) in tree.functions.iter().enumerate() {
            let fits = returns.len() == function.returns.len() && arguments.len() == function.params.len();
            if fits && function.body.is_some() && !function.entry && self.is_pointed_to(function.name) {
                candidates.push((index as u32, function, self.new_label()));
            }
        }
        for (index, _, label) in &candidates {
            let target = self.constant(function_address(*index), 64);
            let p = self.fresh(1);
            self.op(Op::Lanes(test::<k::Eq64>()), p, &[pointer, target]);
            let mut draft = Draft::new(Op::Branch);
            draft.guard = Some((p, false));
            draft.target = Some(Target::Label(*label));
            self.emit(draft);
        }
        self.emit(Draft::new(Op::Trap));
        let end = self.new_label();
        for (_, function, label) in candidates {
            self.place_label(label);
            self.inline(function, returns, arguments, at)?;
            let mut draft = Draft::new(Op::Branch);
            draft.target = Some(Target::Label(end));
            self.emit(draft);
        }
        self.place_label(end);
        Ok(())
    }

    /// Whether a variable's initial value or an instruction names the function other than to call it.
    fn is_pointed_to(&mut self, name: &str) -> bool {
        let tree = self.tree;
        self.pointed_to.get_or_insert_with(|| pointed_to(tree)).contains(name)
    }

    fn print(
        &mut self,
        name: &str,
        returns: &'a [Operand<'a>],
        arguments: &'a [Operand<'a>],
        at: At,
    ) -> Result<(), Fault> {
        if self.short {
            return Err(at.unsupported(format!("`{name}` among addresses of 32 bits")));
        }
        let assertion = name != "vprintf";
        let fits = if assertion { arguments.len() == 5 } else { arguments.len() == 2 && returns.len() < 2 };
        if !fits {
            return Err(at.parse(format!("the call does not fit the parameters of `{name}`")));
        }
        let mut imm = 0;
        for (index, operand) in arguments.iter().take(3).chain(returns).enumerate() {
            let Operand::Name(variable) = operand else {
                return Err(at.unsupported("a call with arguments that are not `.param` variables"));
            };
            match self.meaning(variable) {
                Some(Meaning::Local(offset)) => imm |= offset << (OFFSET_BITS * index as u32),
                _ => return Err(at.unsupported(format!("the call argument `{variable}`"))),
            }
        }
        if !assertion && returns.is_empty() {
            // No result: it goes where the format was.
            imm |= (imm & ((1 << OFFSET_BITS) - 1)) << (2 * OFFSET_BITS);
        }
        let mut draft = Draft::new(Op::Print);
        draft.inst.imm = imm;
        draft.inst.x = u32::from(assertion);
        self.emit(draft);
        Ok(())
    }
}

/// Names that a variable's initial value or a move holds; those of functions among them are called through pointers.
fn pointed_to<'a>(tree: &'a Tree<'a>) -> HashSet<&'a str> {
    let relocations = tree.variables.iter().flat_map(|variable| variable.relocations.iter().map(|r| r.name));
    let bodies = tree.functions.iter().filter_map(|function| function.body.as_ref());
    let moved = bodies.flatten().flat_map(|statement| match statement {
        Statement::Instruction(i) if i.opcode.starts_with("mov") => i.operands.as_slice(),
        _ => &[],
    });
    let names = moved.filter_map(|operand| if let Operand::Name(name) = operand { Some(*name) } else { None });
    relocations.chain(names).collect()
}
