//! Calls. Most functions are copied into the caller, with fresh names and registers. The others are really called
//! ([`super::frames`]), and the machine itself implements a few.

use super::draft::{Call, Draft, Lowerer, Meaning, Target, Virtual};
use super::text::CALL_COST;
use crate::LoadError;
use crate::arith::{integer as k, lanes};
use crate::program::Op;
use crate::program::calls::{Service, ServiceCall, Span};
use crate::ptx::{At, Function, Instruction, Operand, Space};

/// Maximum nesting depth of copied calls.
const MAX_CALLS: usize = 32;
/// Maximum cost of all copies in a PTX text, in statements. Beyond it, functions are called instead.
const MAX_COPIED: u64 = 1 << 21;

/// Operands of a call: function, results, arguments.
type Parts<'a> = (&'a str, &'a [Operand<'a>], &'a [Operand<'a>]);

impl<'a> Lowerer<'a> {
    pub(super) fn call(&mut self, i: &'a Instruction<'a>) -> Result<(), LoadError> {
        // The last operand may be the prototype of a call through a pointer, or a list of its targets.
        let (name, returns, arguments): Parts<'a> = match i.operands.as_slice() {
            [Operand::List(r), Operand::Name(n), Operand::List(a), ..] => (n, r, a),
            [Operand::List(r), Operand::Name(n), ..] => (n, r, &[]),
            [Operand::Name(n), Operand::List(a), ..] => (n, &[], a),
            [Operand::Name(n), ..] => (n, &[], &[]),
            _ => return Err(i.at.parse("`call` takes a function, with lists of results and arguments around it")),
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
        if self.is_register(name) {
            self.call_pointer(name, returns, arguments, i.at)?;
        } else {
            match self.text.function(name) {
                Some((index, callee)) if callee.body.is_some() && !callee.entry => {
                    self.call_function(index, callee, returns, arguments, i.at)?;
                }
                _ => self.call_service(name, returns, arguments, i.at)?,
            }
        }
        if let Some(label) = around {
            self.place_label(label);
        }
        Ok(())
    }

    pub(super) fn new_label(&mut self) -> usize {
        self.labels.push(None);
        self.labels.len() - 1
    }

    fn call_function(
        &mut self,
        index: usize,
        callee: &'a Function<'a>,
        returns: &'a [Operand<'a>],
        arguments: &'a [Operand<'a>],
        at: At,
    ) -> Result<(), LoadError> {
        if returns.len() != callee.returns.len() || arguments.len() != callee.params.len() {
            return Err(at.parse(format!("the call does not fit the parameters of `{}`", callee.name)));
        }
        let copied = &self.text.copied;
        match self.text.cost(index) {
            Some(cost) if self.calls.len() <= MAX_CALLS && copied.get().saturating_add(cost) <= MAX_COPIED => {
                let statements = callee.body.as_ref().map_or(0, Vec::len) as u64;
                copied.set(copied.get() + CALL_COST + statements);
                self.inline(callee, returns, arguments, at)
            }
            _ => self.call_by_name(index, returns, arguments, at),
        }
    }

    fn inline(
        &mut self,
        callee: &'a Function<'a>,
        returns: &'a [Operand<'a>],
        arguments: &'a [Operand<'a>],
        at: At,
    ) -> Result<(), LoadError> {
        // Parameters in memory: the formal parameter becomes another name for the argument's variable. Parameters in
        // registers are copied, arguments before the body and results after it.
        let mut bindings = Vec::new();
        let mut results = Vec::new();
        let pairs = returns.iter().zip(&callee.returns).map(|pair| (true, pair));
        for (is_result, (actual, formal)) in pairs.chain(arguments.iter().zip(&callee.params).map(|pair| (false, pair)))
        {
            if formal.space == Space::Register {
                let (meaning, owns) = self.formal_registers(formal)?;
                for (actual, own) in self.actual_elements(actual, owns.len(), at)?.iter().zip(owns) {
                    let bits = self.bits[own as usize];
                    if is_result {
                        results.push((self.destination(actual, bits, at)?, own));
                    } else if bits == 1 {
                        let value = self.predicate_source(actual, at)?;
                        self.copy(own, value, bits);
                    } else {
                        let value = self.source(actual, bits, at)?;
                        self.copy(own, value, bits);
                    }
                }
                bindings.push((formal.name, meaning));
                continue;
            }
            bindings.push((formal.name, Meaning::Local(self.argument(actual, at)?)));
        }
        let return_label = self.new_label();
        let main_file = self.calls.first().map_or(0, |call| call.main_file);
        let base = self.scopes.len();
        let called_at = self.places.get(self.place as usize).map_or(0, |call| match call.called_at {
            0 => call.line,
            outer => outer,
        });
        self.calls.push(Call { function: callee, base, return_label: Some(return_label), main_file, called_at });
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

    pub(super) fn copy(&mut self, d: Virtual, a: Virtual, bits: u32) {
        let op = match bits {
            1 => Op::Predicate(|a, _, _| a),
            64 => Op::lanes(lanes::<k::Mov64>()),
            _ => Op::lanes(lanes::<k::Mov32>()),
        };
        self.op(op, d, &[a]);
    }

    /// Returns the variable that a call passes to its callee, or that receives the result.
    pub(super) fn argument(&mut self, operand: &Operand<'a>, at: At) -> Result<Span, LoadError> {
        let Operand::Name(name) = operand else {
            return Err(at.unsupported("a call with arguments that are not `.param` variables"));
        };
        match self.meaning(name) {
            Some(Meaning::Local(span)) => Ok(span),
            _ => Err(at.unsupported(format!("the call argument `{name}`"))),
        }
    }

    /// Lowers a call of a function without a body. Fails unless the machine implements it.
    fn call_service(
        &mut self,
        name: &str,
        returns: &'a [Operand<'a>],
        arguments: &'a [Operand<'a>],
        at: At,
    ) -> Result<(), LoadError> {
        let Some((service, takes, gives)) = Service::of(name) else {
            let launches = ["cudaLaunchDevice", "cudaGetParameterBuffer", "__cudaCDP2", "cudaDevice"];
            if launches.iter().any(|start| name.starts_with(start)) {
                let what = format!("`{name}`: kernels that launch kernels. Launch each from the host");
                return Err(at.unsupported(what));
            }
            return Err(at.unsupported(format!("a call of `{name}`, which has no body in this text")));
        };
        if self.short {
            return Err(at.unsupported(format!("`{name}` among addresses of 32 bits")));
        }
        if arguments.len() != takes || returns.len() > gives {
            return Err(at.parse(format!("the call does not fit the parameters of `{name}`")));
        }
        let arguments = arguments.iter().map(|operand| self.argument(operand, at)).collect::<Result<_, _>>()?;
        let result = returns.first().map(|operand| self.argument(operand, at)).transpose()?;
        let mut draft = Draft::new(Op::Service);
        draft.inst.x = self.services.len() as u32;
        self.services.push(ServiceCall { service, arguments, result });
        self.emit(draft);
        Ok(())
    }
}
