//! `cp.async.bulk.tensor` and `cp.reduce.async.bulk.tensor`: copies of a tensor's boxes, by tensor maps.

use super::AddressSpace;
use super::bulk::Extras;
use super::form::Form;
use crate::LoadError;
use crate::lower::alu::refuse;
use crate::lower::draft::Lowerer;
use crate::program::async_copy::{AsyncOp, Asynch, Input, Operation};
use crate::ptx::{Instruction, Operand};

/// Parses the mode. Returns true for im2col, which is written `word`, and false for boxes. Refuses other modes by
/// name.
fn columns(form: &mut Form<'_>, word: &str, rank: &str, i: &Instruction<'_>) -> Result<bool, LoadError> {
    let others = [
        ("im2col::w", "columns along one dimension of an image"),
        ("im2col::w::128", "columns along one dimension of an image"),
        ("tile::gather4", "four rows that are not neighbours"),
        ("tile::scatter4", "four rows that are not neighbours"),
        ("cta_group::1", "a copy whose `mbarrier` may be that of a pair of blocks"),
        ("cta_group::2", "a copy whose `mbarrier` may be that of a pair of blocks"),
    ];
    for (word, what) in others {
        if form.has(word) {
            return Err(i.at.unsupported(format!("`{}` ({what})", i.opcode)));
        }
    }
    let columns = form.has(word);
    if columns && !matches!(rank, "3d" | "4d" | "5d") {
        return Err(i.at.parse("columns of images have 3 to 5 dimensions"));
    }
    if !columns {
        form.has("tile");
    }
    Ok(columns)
}

impl<'a> Lowerer<'a> {
    /// Lowers an instruction; `m` are the modifiers after the number of dimensions.
    pub(super) fn tile(&mut self, rank: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let (load, rest) = match m {
            ["shared::cluster" | "shared::cta", "global", rest @ ..] => (true, rest),
            ["global", "shared::cta", rest @ ..] => (false, rest),
            _ => return refuse(i),
        };
        let mut form = Form::of(rest);
        let columns = columns(&mut form, if load { "im2col" } else { "im2col_no_offs" }, rank, i)?;
        let extras = Extras::of(&mut form, load, i)?;
        if extras.multicast && m.first() == Some(&"shared::cta") {
            return refuse(i);
        }
        form.end(i)?;
        self.copy_box((rank, columns), load, &extras, None, i)
    }

    pub(super) fn tile_reduction(&mut self, rank: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let ["global", "shared::cta", rest @ ..] = m else { return refuse(i) };
        let mut form = Form::of(rest);
        let columns = columns(&mut form, "im2col_no_offs", rank, i)?;
        let word = form.one(&["add", "min", "max", "inc", "dec", "and", "or", "xor"]);
        let Some(operation) = word.and_then(Operation::of) else { return refuse(i) };
        let extras = Extras::of(&mut form, false, i)?;
        form.end(i)?;
        self.copy_box((rank, columns), false, &extras, Some(operation), i)
    }

    fn copy_box(
        &mut self,
        (rank, columns): (&str, bool),
        load: bool,
        extras: &Extras,
        operation: Option<Operation>,
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        let [first, second, rest @ ..] = i.operands.as_slice() else {
            return Err(i.at.parse(format!("`{}` takes an address and a tensor's map and coordinates", i.opcode)));
        };
        let (address, tensor) = if load { (first, second) } else { (second, first) };
        let mut inputs = vec![self.place(address, AddressSpace::Shared, i)?];
        let (rank, coordinates) = self.corner(rank, tensor, &mut inputs, i)?;
        // Only im2col loads have offsets.
        let extras = Extras { offsets: if load && columns { usize::from(rank) - 2 } else { 0 }, ..*extras };
        let offsets = self.ending(&extras, rest, &mut inputs, i)?;
        inputs.resize(4, Input::ABSENT);
        inputs.extend(coordinates.into_iter().chain(offsets));
        let kind =
            if load { AsyncOp::TileLoad { rank, columns } } else { AsyncOp::TileStore { rank, columns, operation } };
        self.emit_asynch(Asynch::new(kind, inputs));
        Ok(())
    }

    /// Checks the operands of a prefetch, which has no other effect.
    pub(super) fn prefetch_tile(&mut self, rank: &str, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let mut form = Form::of(m);
        let columns = columns(&mut form, "im2col", rank, i)?;
        let mut extras = Extras { policy: form.has("L2::cache_hint"), ..Extras::default() };
        form.end(i)?;
        let [tensor, rest @ ..] = i.operands.as_slice() else {
            return Err(i.at.parse(format!("`{}` takes a tensor's map and coordinates", i.opcode)));
        };
        let (rank, _) = self.corner(rank, tensor, &mut Vec::new(), i)?;
        if columns {
            extras.offsets = usize::from(rank) - 2;
        }
        self.ending(&extras, rest, &mut Vec::new(), i)?;
        Ok(())
    }

    /// Parses `[map, {coordinates}]`. Returns the number of dimensions and the coordinates, and adds the map to the
    /// inputs.
    fn corner(
        &mut self,
        rank: &str,
        tensor: &Operand<'a>,
        inputs: &mut Vec<Input>,
        i: &Instruction<'a>,
    ) -> Result<(u8, Vec<Input>), LoadError> {
        let rank = match rank {
            "1d" => 1,
            "2d" => 2,
            "3d" => 3,
            "4d" => 4,
            "5d" => 5,
            _ => return refuse(i),
        };
        let wrong = || i.at.parse("`[map, {coordinates}]` is expected");
        let Operand::Brackets(parts) = tensor else { return Err(wrong()) };
        let [map, Operand::Vector(coordinates)] = parts.as_slice() else { return Err(wrong()) };
        if coordinates.len() != usize::from(rank) {
            return Err(i.at.parse(format!("`.{rank}d` takes {rank} coordinates, not {}", coordinates.len())));
        }
        inputs.push(self.place(map, AddressSpace::Global, i)?);
        let coordinates =
            coordinates.iter().map(|coordinate| self.value(coordinate, 32, i)).collect::<Result<_, _>>()?;
        Ok((rank, coordinates))
    }
}
