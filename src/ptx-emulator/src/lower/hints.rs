//! Instructions without effect on values: prefetches, cache policies, sleep, profiler events, dependent grids.

use super::alu::{refuse, take};
use super::draft::Lowerer;
use crate::LoadError;
use crate::arith::{integer as k, lanes};
use crate::program::async_copy::{AsyncOp, Asynch};
use crate::program::{Op, StateSpace};
use crate::ptx::{Instruction, Operand};

/// Size in bytes of the lines that `discard` and `applypriority` affect.
const LINE: u64 = 128;

/// True for a primary or secondary priority of a cache policy.
fn is_priority(word: &str) -> bool {
    matches!(word, "L2::evict_last" | "L2::evict_normal" | "L2::evict_first" | "L2::evict_unchanged")
}

impl<'a> Lowerer<'a> {
    pub(super) fn hint(&mut self, name: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        match (name, m) {
            ("nanosleep", ["u32"]) => {
                let [time] = take(i)?;
                self.source(time, 32, i.at).map(|_| ())
            }
            ("pmevent", [] | ["mask"]) => match take(i)? {
                [Operand::Int(mask)] if !m.is_empty() && *mask < 1 << 16 => Ok(()),
                [Operand::Int(event)] if *event < 16 => Ok(()),
                [_] => Err(i.at.parse("`pmevent` takes the number of one of 16 events")),
            },
            ("griddepcontrol", [action @ ("launch_dependents" | "wait")]) => {
                let waits = *action == "wait";
                self.emit_asynch(Asynch::new(AsyncOp::GridDependency { waits }, Vec::new()));
                take(i).map(|[]: &[_; 0]| ())
            }
            (
                "prefetch",
                ["L1" | "L2"]
                | ["global" | "local", "L1" | "L2"]
                | ["global", "L2::evict_last" | "L2::evict_normal"]
                | ["tensormap"]
                | ["const" | "param", "tensormap"],
            )
            | ("prefetchu", ["L1"]) => {
                let [address] = take(i)?;
                self.hinted_address(address, m, i)
            }
            ("applypriority", ["L2::evict_normal"] | ["global", "L2::evict_normal"])
            | ("discard", ["L2"] | ["global", "L2"]) => {
                let [address, size] = take(i)?;
                if *size != Operand::Int(LINE) {
                    return Err(i.at.parse(format!("`{name}` concerns {LINE} bytes")));
                }
                self.hinted_address(address, m, i)
            }
            ("createpolicy", m) => self.create_policy(m, i),
            _ => refuse(i),
        }
    }

    fn hinted_address(
        &mut self,
        operand: &'a Operand<'a>,
        m: &[&str],
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        let reach = match m {
            ["global" | "const", ..] => Some(StateSpace::Global),
            ["local" | "param", ..] => Some(StateSpace::Local),
            _ => None,
        };
        self.address(operand, reach, m.first() == Some(&"param"), i).map(|_| ())
    }

    /// Lowers `createpolicy`. A policy affects only how long lines stay in the cache, so the emulator returns 0.
    fn create_policy(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let d = match (m, i.operands.as_slice()) {
            (["fractional", priorities @ .., "b64"], [d, fraction @ ..]) if fits(priorities) && fraction.len() < 2 => {
                for fraction in fraction {
                    self.source(fraction, 32, i.at)?;
                }
                d
            }
            (["range", rest @ .., "b64"], [d, address, primary, total]) => {
                let priorities = rest.strip_prefix(&["global"]).unwrap_or(rest);
                if !fits(priorities) {
                    return refuse(i);
                }
                self.hinted_address(address, rest, i)?;
                self.source(primary, 32, i.at)?;
                self.source(total, 32, i.at)?;
                d
            }
            (["cvt", "L2", "b64"], [d, property]) => {
                self.source(property, 64, i.at)?;
                d
            }
            _ => return refuse(i),
        };
        let d = self.destination(d, 64, i.at)?;
        let zero = self.constant(0, 64);
        self.op(Op::lanes(lanes::<k::Mov64>()), d, &[zero]);
        Ok(())
    }
}

/// True for a primary priority, optionally with a secondary one.
fn fits(priorities: &[&str]) -> bool {
    match priorities {
        [one] => is_priority(one),
        [one, other] => is_priority(one) && matches!(*other, "L2::evict_first" | "L2::evict_unchanged"),
        _ => false,
    }
}
