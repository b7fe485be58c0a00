/*! `wmma`. Fragments have the layout of an NVIDIA H200, and the instructions are lowered to those that it runs.

A product of 16×16, 32×8 or 8×32 elements consists of two to four products of 16×8. The *left* operand provides blocks
of sixteen rows, the *right* one blocks of eight columns. Left is A and right is B, except for 8×32, which is computed
transposed. In lane `4g + t`, a register holds the elements at position `g` across and `t` along a *tile*. A tile has
eight positions across and, for 16-bit elements, eight along.

If a register's elements are adjacent in memory, each lane loads its own. Otherwise, tiles of 16-bit elements are
loaded in memory order and transposed in registers. In shared memory, `ldmatrix` does both.
*/

use super::alu::{refuse, take};
use super::draft::{Draft, Lowerer, Virtual};
use super::fragment::{Fragment, Shape, Tile};
use super::memory::Address;
use crate::LoadError;
use crate::arith::soft::Round;
use crate::arith::tensor::{Accumulator, Format};
use crate::arith::{integer as k, lanes};
use crate::program::tensor::{Form, Matrices, TensorOp};
use crate::program::{Access, NONE, Op, Preload, StateSpace};
use crate::ptx::Instruction;

/// The memory operands of `wmma.load` and `wmma.store`.
struct Plane {
    reach: StateSpace,
    base: Virtual,
    offset: i64,
    pitch: Virtual,
}

impl<'a> Lowerer<'a> {
    pub(super) fn wmma(&mut self, m: &[&str], i: &'a Instruction<'a>) -> Result<(), LoadError> {
        let first = self.drafts.len();
        match m {
            ["load", which @ ("a" | "b" | "c"), "sync", "aligned", layout @ ("row" | "col"), shape, rest @ ..]
            | ["store", which @ "d", "sync", "aligned", layout @ ("row" | "col"), shape, rest @ ..] => {
                self.wmma_move(which, *layout == "row", shape, rest, i)?;
            }
            ["mma", "sync", "aligned", "row" | "col", "row" | "col", shape, rest @ ..] => {
                self.wmma_multiply(None, shape, rest, i)?;
            }
            ["mma", join @ ("and" | "xor"), "popc", "sync", "aligned", "row", "col", shape, rest @ ..] => {
                self.wmma_multiply(Some(*join), shape, rest, i)?;
            }
            _ => return refuse(i),
        }
        let name = if m[0] == "mma" { "wmma.mma".to_owned() } else { format!("wmma.{}", m[0]) };
        let count = self.drafts.len();
        for (at, draft) in self.drafts.iter_mut().enumerate().skip(first) {
            draft.part = at + 1 < count;
            if !draft.part || draft.access.is_some() || draft.tensor.is_some() {
                draft.name = super::report_name(&name, draft);
            }
        }
        Ok(())
    }

    fn wmma_move(
        &mut self,
        which: &str,
        row_major: bool,
        shape: &str,
        rest: &[&str],
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        let (reach, ty) = match rest {
            ["global", ty] => (StateSpace::Global, *ty),
            ["shared" | "shared::cta", ty] => (StateSpace::Shared, *ty),
            [ty] => (StateSpace::Generic, *ty),
            _ => return refuse(i),
        };
        let Some(shape) = Shape::named(shape) else { return refuse(i) };
        let fragment = match (which, Format::named(ty)) {
            ("a" | "b", Some(format)) => Fragment::operand(which == "a", shape, format),
            ("c" | "d", _) => match Accumulator::named(ty) {
                Some(accumulator) => Fragment::sum(shape, accumulator),
                None => return refuse(i),
            },
            _ => return refuse(i),
        };
        // Binary logarithm of the number of elements per byte.
        let packed = match Format::named(ty) {
            Some(Format::S4 | Format::U4) => 1,
            Some(Format::B1) => 3,
            _ => 0,
        };
        let store = which == "d";
        let [first, second, rest @ ..] = i.operands.as_slice() else {
            return Err(i.at.parse(format!("`{}` takes a fragment and an address", i.opcode)));
        };
        let (address, registers) = if store { (first, second) } else { (second, first) };
        let Address::Memory { reach, base, offset } = self.address(address, Some(reach), false, i)? else {
            return refuse(i);
        };
        let base = if base == NONE { self.constant(0, 64) } else { base };
        let (across, along) = (
            if which == "b" { shape.depth } else { shape.rows },
            match which {
                "a" => shape.depth,
                _ => shape.columns,
            },
        );
        let pitch = match rest {
            [pitch] => self.source(pitch, 32, i.at)?,
            [] => self.constant(if row_major { along } else { across }.into(), 32),
            _ => return Err(i.at.parse(format!("`{}` takes at most 3 operands", i.opcode))),
        };
        let pitch = if packed == 0 {
            pitch
        } else {
            let (bytes, shift) = (self.fresh(32), self.constant(packed, 32));
            self.op(Op::lanes(lanes::<k::ShrU32>()), bytes, &[pitch, shift]);
            bytes
        };
        let (count, bits) = (fragment.registers, fragment.register_bits());
        let registers =
            if store { self.fragment(registers, count, bits, i)? } else { self.written(registers, count, bits, i)? };
        let plane = Plane { reach, base, offset, pitch };
        let natural = fragment.across_rows == row_major;
        if !natural && packed != 0 {
            return refuse(i);
        }
        // Like the instruction itself, its parts need the whole warp.
        self.emit_tensor(TensorOp::Fence, Vec::new(), Vec::new(), 0);
        if reach == StateSpace::Shared && fragment.bytes == 2 && !store {
            self.wmma_matrices(&fragment, &plane, natural, &registers);
        } else if fragment.bytes == 1 && !natural {
            self.wmma_bytes(&fragment, &plane, &registers);
        } else {
            self.wmma_words(&fragment, &plane, natural, store, &registers);
        }
        let tiles = fragment.tiles.len() * fragment.split;
        for (index, register) in registers.iter().enumerate().skip(tiles) {
            self.op(Op::lanes(lanes::<k::Mov32>()), *register, &[registers[index % tiles]]);
        }
        Ok(())
    }

    /// Returns each lane's address, `lines` lines from the start and `places` elements into the line.
    fn wmma_address(&mut self, plane: &Plane, lines: Virtual, places: Virtual, bytes: u32) -> Virtual {
        let elements = self.fresh(32);
        self.op(Op::lanes(lanes::<k::Mad32>()), elements, &[lines, plane.pitch, places]);
        let size = self.constant(bytes.into(), 32);
        let wide = self.bits[plane.base as usize] == 64;
        let address = self.fresh(if wide { 64 } else { 32 });
        let op = if wide { lanes::<k::MadWideU32>() } else { lanes::<k::Mad32>() };
        self.op(Op::lanes(op), address, &[elements, size, plane.base]);
        address
    }

    /// Loads tiles of 16-bit elements from shared memory.
    fn wmma_matrices(&mut self, fragment: &Fragment, plane: &Plane, natural: bool, registers: &[Virtual]) {
        let groups: Vec<(&[Tile], Virtual)> = fragment
            .tiles
            .chunks(4)
            .map(|tiles| {
                let table = |place: fn(&Tile) -> u32| std::array::from_fn(|at| tiles.get(at).map_or(0, place) as u8);
                let (across, along) = (table(|tile| tile.0), table(|tile| tile.1));
                let (lines, places) = if natural { (across, along) } else { (along, across) };
                let lines = self.preload(Preload::Lane { shift: 0, mask: 7, scale: 1, table: lines }, 32);
                let places = self.preload(Preload::Lane { shift: 0, mask: 0, scale: 1, table: places }, 32);
                (tiles, self.wmma_address(plane, lines, places, 2))
            })
            .collect();
        for (at, (tiles, base)) in groups.into_iter().enumerate() {
            let count = tiles.len();
            let mut draft = Draft::new(Op::Matrix);
            draft.inst.imm = Matrices { count: count as u32, transposed: !natural }.pack();
            let rows = std::array::from_fn(|row| registers[4 * at + row % count]);
            draft.access = Some(self.wmma_access(plane, base, rows, 4, 4, false));
            if let Some(access) = &mut draft.access {
                access.matrix = Some(!natural);
            }
            self.emit(draft);
        }
    }

    fn wmma_access(
        &self,
        plane: &Plane,
        base: Virtual,
        rows: [Virtual; 4],
        size: u32,
        lanes: u32,
        writes: bool,
    ) -> Access {
        Access {
            reach: plane.reach,
            size,
            lanes,
            rows,
            wide: size == 8,
            signed: false,
            base,
            base_wide: self.bits[plane.base as usize] == 64,
            pattern: 0,
            offset: plane.offset,
            atomic: None,
            writes,
            spins: false,
            returns: false,
            order: crate::arch::Order::WEAK,
            constant: false,
            read_only: false,
            matrix: None,
        }
    }

    /// Loads or stores each lane's own elements.
    fn wmma_words(&mut self, fragment: &Fragment, plane: &Plane, natural: bool, store: bool, registers: &[Virtual]) {
        let (bytes, each) = (fragment.bytes, fragment.each);
        // 16-bit tiles in the other direction are moved in memory order and transposed in registers.
        let through = !natural && bytes == 2;
        let table = [0; 4];
        let g = self.preload(Preload::Lane { shift: 2, mask: 7, scale: 1, table }, 32);
        let scale = if natural || bytes == 2 || fragment.split == 2 { each as u8 } else { 1 };
        let t = self.preload(Preload::Lane { shift: 0, mask: 3, scale, table }, 32);
        let (lines, places) = if natural || through { (g, t) } else { (t, g) };
        let start = self.wmma_address(plane, lines, places, bytes);
        let parts = if natural || through { 1 } else { fragment.split as u32 };
        // Compute the location of each part of each tile: an address for the line, an offset within it.
        let mut places = Vec::new();
        let mut known: Vec<(u32, Virtual)> = vec![(0, start)];
        for (across, along) in &fragment.tiles {
            for part in 0..parts {
                let (line, place) = if natural { (*across, *along) } else { (*along + part, *across) };
                let found = known.iter().find(|(other, _)| *other == line).map(|(_, address)| *address);
                let address = found.unwrap_or_else(|| self.wmma_line(plane, start, line * bytes));
                if found.is_none() {
                    known.push((line, address));
                }
                places.push((address, i64::from(place * bytes)));
            }
        }
        // Registers of a part: two if adjacent elements of C or D are adjacent in memory.
        let width = fragment.split / parts as usize;
        let size = if fragment.split == 1 { 4.max(bytes) } else { bytes };
        for (at, (address, offset)) in places.into_iter().enumerate() {
            let own = &registers[at * width..(at + 1) * width];
            let mut rows = [own[0]; 4];
            rows[..width].copy_from_slice(own);
            if through {
                let turned = self.fresh(32);
                if store {
                    self.emit_tensor(TensorOp::Transpose, vec![turned], vec![own[0]], 0);
                }
                rows = [turned; 4];
            }
            let mut access = self.wmma_access(plane, address, rows, size, width as u32, store);
            access.offset += offset;
            let mut draft = Draft::new(if store { Op::Store } else { Op::Load });
            draft.access = Some(access);
            self.emit(draft);
            if through && !store {
                self.emit_tensor(TensorOp::Transpose, vec![own[0]], vec![rows[0]], 0);
            }
        }
    }

    /// Loads 8-bit elements that are not adjacent in memory, one at a time.
    fn wmma_bytes(&mut self, fragment: &Fragment, plane: &Plane, registers: &[Virtual]) {
        let table = [0; 4];
        let g = self.preload(Preload::Lane { shift: 2, mask: 7, scale: 1, table }, 32);
        let t = self.preload(Preload::Lane { shift: 0, mask: 3, scale: fragment.each as u8, table }, 32);
        let start = self.wmma_address(plane, t, g, 1);
        for ((across, along), register) in fragment.tiles.iter().zip(registers) {
            for part in 0..fragment.each {
                let address = self.wmma_line(plane, start, along + part);
                let byte = if part == 0 { *register } else { self.fresh(32) };
                let mut access = self.wmma_access(plane, address, [byte; 4], 1, 1, false);
                access.offset += i64::from(*across);
                let mut draft = Draft::new(Op::Load);
                draft.access = Some(access);
                self.emit(draft);
                if part != 0 {
                    let place = self.constant(1 << (8 * part), 32);
                    self.op(Op::lanes(lanes::<k::Mad32>()), *register, &[byte, place, *register]);
                }
            }
        }
    }

    /// Returns the address `distance` bytes times the pitch after `start`.
    fn wmma_line(&mut self, plane: &Plane, start: Virtual, distance: u32) -> Virtual {
        if distance == 0 {
            return start;
        }
        let wide = self.bits[start as usize] == 64;
        let address = self.fresh(if wide { 64 } else { 32 });
        let op = if wide { lanes::<k::MadWideU32>() } else { lanes::<k::Mad32>() };
        let distance = self.constant(distance.into(), 32);
        self.op(Op::lanes(op), address, &[plane.pitch, distance, start]);
        address
    }

    fn wmma_multiply(
        &mut self,
        join: Option<&str>,
        shape: &str,
        rest: &[&str],
        i: &'a Instruction<'a>,
    ) -> Result<(), LoadError> {
        let Some(shape) = Shape::named(shape) else { return refuse(i) };
        let (saturate, rest) = match rest {
            [rest @ .., "satfinite"] => (true, rest),
            rest => (false, rest),
        };
        // Compilers write the rounding last, the manual writes it before the types.
        let (round, rest) = match rest {
            [round @ ("rn" | "rz" | "rm" | "rp"), rest @ ..] | [rest @ .., round @ ("rn" | "rz" | "rm" | "rp")] => {
                (Some(*round), rest)
            }
            rest => (None, rest),
        };
        let (d, a, b, c) = match rest {
            [d, c] => (*d, "f16", "f16", *c),
            [d, a, b, c] => (*d, *a, *b, *c),
            _ => return refuse(i),
        };
        let named = (Format::named(a), Format::named(b), Accumulator::named(c), Accumulator::named(d));
        let (Some(a), Some(b), Some(c_format), Some(d_format)) = named else { return refuse(i) };
        let fragments = [Fragment::operand(true, shape, a), Fragment::operand(false, shape, b)];
        let (sum, result) = (Fragment::sum(shape, c_format), Fragment::sum(shape, d_format));
        let [bits, bits_c] = [fragments[0].register_bits(), result.register_bits()];
        let [d, left, right, c] = take(i)?;
        let writes = self.written(d, result.registers, bits_c, i)?;
        let mut operands = [
            self.fragment(left, fragments[0].registers, bits, i)?,
            self.fragment(right, fragments[1].registers, bits, i)?,
        ];
        let mut c = self.fragment(c, sum.registers, bits_c, i)?;
        if shape.swapped() {
            operands.swap(0, 1);
        }
        // The hardware computes TF32 in two steps and rounds after each.
        let steps = if shape.depth == 8 { 2 } else { 1 };
        let rows = if (shape.rows, shape.columns) == (8, 8) { 8 } else { 16 };
        let depth = if a == Format::B1 { shape.depth / 32 } else { shape.depth / steps as u32 };
        let round = match round {
            Some("rz") => Round::Zero,
            Some("rm") => Round::Down,
            Some("rp") => Round::Up,
            _ => Round::Nearest,
        };
        let differ = join == Some("xor");
        let form = Form { d: d_format, saturate, differ, round, ..Form::new(rows, depth, a, b, c_format) };
        let [count_a, count_b, count_c, count_d] = form.registers();
        let (left_blocks, right_blocks) = shape.blocks();
        if left_blocks * right_blocks > 1 {
            // A part must not overwrite registers that a later part reads.
            let late = |(at, d): (usize, &Virtual)| {
                c.iter().position(|own| own == d).is_some_and(|own| own / count_c > at / count_d)
            };
            if writes.iter().enumerate().any(late) {
                c = self.copies(&c, bits_c);
            }
            for operand in &mut operands {
                if writes.iter().any(|d| operand.contains(d)) {
                    *operand = self.copies(operand, bits);
                }
            }
        }
        for block in 0..(left_blocks * right_blocks) as usize {
            let (at_left, at_right) = (block / right_blocks as usize, block % right_blocks as usize);
            for step in 0..steps {
                let mut reads = operands[0][(at_left * steps + step) * count_a..][..count_a].to_vec();
                reads.extend(&operands[1][(at_right * steps + step) * count_b..][..count_b]);
                let so_far = if step == 0 { &c } else { &writes };
                reads.extend(&so_far[block * count_c..][..count_c]);
                let writes = writes[block * count_d..][..count_d].to_vec();
                self.emit_tensor(TensorOp::Multiply(form), writes, reads, 0);
            }
        }
        if let Some(last) = self.drafts.last_mut() {
            last.flop = form.flop() * left_blocks * right_blocks * steps as u32;
        }
        Ok(())
    }

    fn copies(&mut self, registers: &[Virtual], bits: u32) -> Vec<Virtual> {
        let copy = |from: &Virtual| {
            let copy = self.fresh(bits);
            self.op(Op::lanes(if bits == 64 { lanes::<k::Mov64>() } else { lanes::<k::Mov32>() }), copy, &[*from]);
            copy
        };
        registers.iter().map(copy).collect()
    }
}
