//! `wgmma`.

use super::alu::{refuse, take};
use super::draft::Lowerer;
use crate::LoadError;
use crate::arith::tensor::{Accumulator, Format};
use crate::program::tensor::{Group, Sparse, TensorOp};
use crate::ptx::{Instruction, Operand};

impl<'a> Lowerer<'a> {
    pub(super) fn warpgroup(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let kind = match m {
            ["fence", "sync", "aligned"] => {
                take::<0>(i)?;
                TensorOp::Fence
            }
            ["commit_group", "sync", "aligned"] => {
                take::<0>(i)?;
                TensorOp::Commit
            }
            ["wait_group", "sync", "aligned"] => {
                let [Operand::Int(count)] = take(i)? else {
                    return Err(i.at.parse("`wgmma.wait_group` takes a whole number"));
                };
                TensorOp::Wait(u32::try_from(*count).map_err(|_| i.at.parse("the number of groups is too large"))?)
            }
            ["mma_async", "sync", "aligned", shape, rest @ ..] => {
                return self.warpgroup_multiply(false, shape, rest, i);
            }
            ["mma_async", "sp", "sync", "aligned", shape, rest @ ..] => {
                return self.warpgroup_multiply(true, shape, rest, i);
            }
            _ => return refuse(i),
        };
        self.emit_tensor(kind, Vec::new(), Vec::new(), 0);
        Ok(())
    }

    fn warpgroup_multiply(
        &mut self,
        sparse: bool,
        shape: &str,
        m: &[&str],
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        let Some(mut group) = group_of(shape, m) else { return refuse(i) };
        let whole = group.c == Accumulator::S32;
        let (d, left, right, metadata, scale, numbers) = match i.operands.as_slice() {
            [d, left, right, e, selector, scale, rest @ ..] if sparse => {
                (d, left, right, Some((e, selector)), scale, rest)
            }
            [d, left, right, scale, rest @ ..] if !sparse => (d, left, right, None, scale, rest),
            _ => {
                return Err(i.at.parse(format!(
                    "`{}` takes at least {} operands",
                    i.opcode,
                    if sparse { 6 } else { 4 }
                )));
            }
        };
        let before_numbers = i.operands.len() - numbers.len();
        group.a_registers = matches!(left, Operand::Vector(_));
        let wanted = match (whole, group.a.bits() == 16, group.a_registers) {
            (true, _, _) => 0,
            (_, false, _) => 2,
            (_, true, true) => 3,
            (_, true, false) => 4,
        };
        let numbers: Vec<i64> = numbers
            .iter()
            .filter_map(|operand| if let Operand::Int(value) = operand { Some(*value as i64) } else { None })
            .collect();
        if numbers.len() != wanted || i.operands.len() != before_numbers + wanted {
            return Err(i.at.parse(format!("`{}` takes {wanted} whole numbers at the end", i.opcode)));
        }
        let scales = numbers.get(..2).unwrap_or(&[1, 1]);
        let transposes = numbers.get(2..).unwrap_or(&[]);
        if scales.iter().any(|scale| !matches!(scale, 1 | -1)) || transposes.iter().any(|t| !matches!(t, 0 | 1)) {
            return Err(i.at.parse("the factors of A and B are 1 or -1, the transpositions 0 or 1"));
        }
        group.a_transposed = !group.a_registers && transposes.first() == Some(&1);
        group.b_transposed = transposes.last() == Some(&1);
        group.negated = scales.iter().product::<i64>() == -1;
        let count = (group.columns / if group.c == Accumulator::F16 { 4 } else { 2 }) as usize;
        let writes = self.written(d, count, 32, i)?;
        let mut reads =
            if group.a_registers { self.fragment(left, 4, 32, i)? } else { vec![self.source(left, 64, i.at)?] };
        reads.push(self.source(right, 64, i.at)?);
        reads.push(self.predicate_source(scale, i.at)?);
        reads.extend(&writes);
        if let Some((e, selector)) = metadata {
            let bits = group.a.bits();
            let lanes = if bits == 8 { 4 } else { 2 };
            group.sparse = Some(Sparse { selector: self.selector(selector, lanes, i)? });
            reads.push(self.source(e, 32, i.at)?);
        }
        let flop = if whole { 0 } else { group.columns * group.depth };
        self.emit_tensor(TensorOp::Group(group), writes, reads, flop);
        Ok(())
    }
}

/// Parses shape and formats after `wgmma.mma_async.sync.aligned`. The table of forms has checked that they fit
/// together.
fn group_of(shape: &str, m: &[&str]) -> Option<Group> {
    let (saturate, c, a, b) = match m {
        ["satfinite", c, a, b] | [c, a, b, "satfinite"] => (true, c, a, b),
        [c, a @ "b1", b @ "b1", "and", "popc"] | [c, a, b] if (*a == "b1") == (m.len() == 5) => (false, c, a, b),
        _ => return None,
    };
    let (columns, depth) = shape.strip_prefix("m64n")?.split_once('k')?;
    let (columns, depth): (u32, u32) = (columns.parse().ok()?, depth.parse().ok()?);
    let (a, b) = (Format::named(a)?, Format::named(b)?);
    let c = match *c {
        "f32" => Accumulator::F32,
        "f16" => Accumulator::F16,
        "s32" => Accumulator::S32,
        _ => return None,
    };
    // 32 single-bit elements count as one column.
    let depth = if a == Format::B1 { depth / 32 } else { depth };
    Some(Group {
        columns,
        depth,
        a,
        b,
        c,
        a_registers: false,
        a_transposed: false,
        b_transposed: false,
        negated: false,
        saturate,
        sparse: None,
    })
}
