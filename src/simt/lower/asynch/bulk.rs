//! `cp.async.bulk` and `cp.async.bulk.tensor`.

use super::Place;
use super::copy::group_count;
use crate::simt::Fault;
use crate::simt::asynch::{Asynch, Input, Kind};
use crate::simt::lower::alu::{refuse, take};
use crate::simt::lower::draft::Lowerer;
use crate::simt::ptx::{Instruction, Operand};

/// What may follow the operands that every form has.
#[derive(Default)]
struct Extras {
    multicast: bool,
    policy: bool,
}

impl Extras {
    fn of(m: &[&str]) -> Option<Self> {
        let mut all = Self::default();
        for modifier in m {
            match *modifier {
                "multicast::cluster" => all.multicast = true,
                "L2::cache_hint" => all.policy = true,
                "tile" | "mbarrier::complete_tx::bytes" | "bulk_group" => {}
                _ => return None,
            }
        }
        Some(all)
    }
}

impl<'a> Lowerer<'a> {
    /// `m` is what follows `cp.async.bulk`.
    pub(super) fn bulk(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        match m {
            ["commit_group"] => {
                let [] = take(i)?;
                self.emit_asynch(Asynch::new(Kind::CommitBulk, Vec::new()));
                Ok(())
            }
            // What was read has been read when the copy is done; the two waits are one here.
            ["wait_group"] | ["wait_group", "read"] => {
                let pending = group_count(i)?;
                self.emit_asynch(Asynch::new(Kind::WaitBulk { pending }, Vec::new()));
                Ok(())
            }
            // Hints: they change no value.
            ["prefetch", ..] => Ok(()),
            ["tensor", rank, rest @ ..] => self.tile(rank, rest, i),
            ["shared::cluster" | "shared::cta", "global", rest @ ..] => {
                self.linear(Kind::BulkLoad, [Place::Shared, Place::Global], true, rest, i)
            }
            ["shared::cluster", "shared::cta", rest @ ..] => {
                self.linear(Kind::BulkShared, [Place::Shared, Place::Shared], true, rest, i)
            }
            ["global", "shared::cta", rest @ ..] => {
                self.linear(Kind::BulkStore, [Place::Global, Place::Shared], false, rest, i)
            }
            _ => refuse(i),
        }
    }

    fn linear(
        &mut self,
        kind: Kind,
        places: [Place; 2],
        completes: bool,
        m: &[&str],
        i: &'a Instruction<'a>,
    ) -> Result<(), Fault> {
        let Some(extras) = Extras::of(m) else { return refuse(i) };
        let [to, from, bytes, rest @ ..] = i.operands.as_slice() else {
            return Err(i.at.parse("`cp.async.bulk` takes two addresses and a size in bytes"));
        };
        let mut inputs =
            vec![self.place(to, places[0], i)?, self.place(from, places[1], i)?, self.value(bytes, 32, i)?];
        let rest = self.ending(completes, &extras, rest, &mut inputs, i)?;
        if !rest.is_empty() {
            return Err(i.at.parse(format!("`{}` has the wrong number of operands", i.opcode)));
        }
        self.emit_asynch(Asynch::new(kind, inputs));
        Ok(())
    }

    fn tile(&mut self, rank: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), Fault> {
        let rank = match rank {
            "1d" => 1,
            "2d" => 2,
            "3d" => 3,
            "4d" => 4,
            "5d" => 5,
            _ => return refuse(i),
        };
        let (load, rest) = match m {
            ["shared::cluster" | "shared::cta", "global", rest @ ..] => (true, rest),
            ["global", "shared::cta", rest @ ..] => (false, rest),
            _ => return refuse(i),
        };
        let Some(extras) = Extras::of(rest) else { return refuse(i) };
        let [first, second, rest @ ..] = i.operands.as_slice() else {
            return Err(i.at.parse("`cp.async.bulk.tensor` takes an address and a tensor's map and coordinates"));
        };
        let (address, tensor) = if load { (first, second) } else { (second, first) };
        let Operand::Brackets(parts) = tensor else {
            return Err(i.at.parse("`[map, {coordinates}]` is expected"));
        };
        let [map, Operand::Vector(coordinates)] = parts.as_slice() else {
            return Err(i.at.parse("`[map, {coordinates}]` is expected"));
        };
        if coordinates.len() != usize::from(rank) {
            return Err(i.at.parse(format!("`.{rank}d` takes {rank} coordinates, not {}", coordinates.len())));
        }
        let mut inputs = vec![self.place(address, Place::Shared, i)?, self.place(map, Place::Global, i)?];
        let rest = self.ending(load, &extras, rest, &mut inputs, i)?;
        if !rest.is_empty() {
            return Err(i.at.parse(format!("`{}` has the wrong number of operands", i.opcode)));
        }
        inputs.resize(4, Input::ABSENT);
        for coordinate in coordinates {
            inputs.push(self.value(coordinate, 32, i)?);
        }
        let kind = if load { Kind::TileLoad { rank } } else { Kind::TileStore { rank } };
        self.emit_asynch(Asynch::new(kind, inputs));
        Ok(())
    }

    /// `[mbarrier]`, the mask of blocks, the cache policy: those that this form has.
    fn ending<'b>(
        &mut self,
        completes: bool,
        extras: &Extras,
        mut rest: &'b [Operand<'a>],
        inputs: &mut Vec<Input>,
        i: &Instruction<'a>,
    ) -> Result<&'b [Operand<'a>], Fault> {
        let mut next = |what: &str| match rest {
            [operand, others @ ..] => {
                rest = others;
                Ok(operand)
            }
            [] => Err(i.at.parse(format!("{what} is missing"))),
        };
        if completes {
            let barrier = next("the `mbarrier`")?;
            inputs.push(self.place(barrier, Place::Shared, i)?);
        }
        if extras.multicast {
            let mask = next("the mask of blocks")?;
            let slot = self.source(mask, 16, i.at)?;
            inputs.push(Input { slot, wide: false, offset: 0, generic: false });
        }
        if extras.policy {
            let policy = next("the cache policy")?;
            self.source(policy, 64, i.at)?;
        }
        Ok(rest)
    }
}
