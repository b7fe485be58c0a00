//! `mbarrier`.

use super::AddressSpace;
use super::form::Form;
use crate::LoadError;
use crate::arch::Order;
use crate::arch::Scope;
use crate::lower::alu::{refuse, take};
use crate::lower::draft::Lowerer;
use crate::program::NONE;
use crate::program::async_copy::{AsyncOp, Asynch, Input, state};
use crate::ptx::{Instruction, Operand};

/// Returns the memory ordering of an operation. Without a scope modifier, the scope is the cluster.
pub(super) fn order_of(m: &[&str]) -> Order {
    let scope = if m.contains(&"cta") { Scope::Block } else { Scope::Cluster };
    let relaxed = m.contains(&"relaxed");
    Order { strong: true, release: !relaxed, acquire: !relaxed, scope, ..Order::WEAK }
}

impl<'a> Lowerer<'a> {
    /// Lowers an instruction; `m` are the modifiers after `mbarrier`.
    pub(in crate::lower) fn mbarrier(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let [operation, rest @ .., "b64"] = m else { return refuse(i) };
        if *operation == "pending_count" && rest.is_empty() {
            let [d, word] = take(i)?;
            let d = self.destination(d, 32, i.at)?;
            let word = self.source(word, 64, i.at)?;
            self.scalar(state::pending_count, 0, d, &[word]);
            return Ok(());
        }
        let (arrives, waits) = (operation.starts_with("arrive"), operation.ends_with("_wait"));
        let (variant, rest) = match rest {
            [variant @ ("expect_tx" | "noComplete"), rest @ ..] if arrives => (*variant, rest),
            ["parity", rest @ ..] if waits => ("parity", rest),
            rest => ("", rest),
        };
        let (parity, expects, no_complete) = (variant == "parity", variant == "expect_tx", variant == "noComplete");
        let mut form = Form::of(rest);
        let orders: &[&str] = match () {
            () if arrives => &["release", "relaxed"],
            () if waits => &["acquire", "relaxed"],
            () if matches!(*operation, "expect_tx" | "complete_tx") => &["relaxed"],
            () => &[],
        };
        let scopes: &[&str] = if orders.is_empty() { &[] } else { &["cta", "cluster"] };
        form.order(orders, scopes, i)?;
        let remote = (arrives || matches!(*operation, "expect_tx" | "complete_tx")) && form.has("shared::cluster");
        let shared = remote || form.one(&["shared", "shared::cta"]).is_some();
        form.end(i)?;
        let place = if shared { AddressSpace::Shared } else { AddressSpace::Generic };
        let operands = i.operands.as_slice();
        let wrong = || i.at.parse(format!("`{}` has the wrong number of operands", i.opcode));
        match *operation {
            "init" | "expect_tx" | "complete_tx" => {
                let [address, count] = take(i)?;
                let inputs = vec![self.place(address, place, i)?, self.value(count, 32, i)?];
                let kind = match *operation {
                    "init" => AsyncOp::Init,
                    "expect_tx" => AsyncOp::Expect,
                    _ => AsyncOp::Complete,
                };
                self.emit_asynch(Asynch::new(kind, inputs));
            }
            "inval" => {
                let [address] = take(i)?;
                let address = self.place(address, place, i)?;
                self.emit_asynch(Asynch::new(AsyncOp::Invalidate, vec![address]));
            }
            "arrive" | "arrive_drop" => {
                let (d, address, count) = match operands {
                    [d, address] if !no_complete && !expects => (d, address, None),
                    [d, address, count] => (d, address, Some(count)),
                    _ => return Err(wrong()),
                };
                if remote && (no_complete || *d != Operand::Name("_")) {
                    return Err(i.at.parse(format!("`{}` gives no state", i.opcode)));
                }
                let address = self.place(address, place, i)?;
                let count = match count {
                    Some(count) => self.value(count, 32, i)?,
                    None => Input::ABSENT,
                };
                let inputs = if expects { vec![address, Input::ABSENT, count] } else { vec![address, count] };
                let drop = *operation == "arrive_drop";
                let mut what = Asynch::new(AsyncOp::Arrive { no_complete, drop }, inputs);
                what.order = order_of(m);
                what.value = if *d == Operand::Name("_") { NONE } else { self.destination(d, 64, i.at)? };
                self.emit_asynch(what);
            }
            "test_wait" | "try_wait" => {
                let (p, address, state, hint) = match operands {
                    [p, address, state] => (p, address, state, None),
                    [p, address, state, hint] if *operation == "try_wait" => (p, address, state, Some(hint)),
                    _ => return Err(wrong()),
                };
                if let Some(hint) = hint {
                    self.source(hint, 32, i.at)?;
                }
                let address = self.place(address, place, i)?;
                let state = self.value(state, if parity { 32 } else { 64 }, i)?;
                let kind = AsyncOp::Test { parity, suspends: *operation == "try_wait" };
                let mut what = Asynch::new(kind, vec![address, state]);
                what.order = order_of(m);
                what.predicate = self.destination(p, 1, i.at)?;
                self.emit_asynch(what);
            }
            _ => return refuse(i),
        }
        Ok(())
    }
}
