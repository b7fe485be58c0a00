/*! The video instructions: arithmetic on parts of 32-bit words, on one part or on two or four at once.

Today's GPUs do not have the instructions on one part. The assembler expands them into ordinary 64-bit instructions,
whose results do not always follow the PTX ISA. The emulator returns what an NVIDIA H200 returns:

- A result that saturates to 32 unsigned bits stops at zero but wraps at the upper end, except in shifts.
- If a result saturates to a part of a word, a negative value becomes the largest number. Shifts saturate to the word.
- A merge into the upper half takes the upper half of the result.
- `vadd` and `vsub` pass their result to a second operation as 32 signed bits, even if it is unsigned.
- `vmad` treats both operands as signed.
*/

use super::scalar::{extend, int};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Sub,
    AbsDiff,
    Min,
    Max,
    Average,
    /// Shifts. The amount wraps at 32 if [`Video::wrap`] is set.
    Left,
    Right,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

const OPERATIONS: [Operation; 14] = [
    Operation::Add,
    Operation::Sub,
    Operation::AbsDiff,
    Operation::Min,
    Operation::Max,
    Operation::Average,
    Operation::Left,
    Operation::Right,
    Operation::Eq,
    Operation::Ne,
    Operation::Lt,
    Operation::Le,
    Operation::Gt,
    Operation::Ge,
];

/// The second operation, on the result and `c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Second {
    None,
    Add,
    Min,
    Max,
}

/// Operation and modifiers of an instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Video {
    pub(crate) operation: Operation,
    /// Signedness of d, a and b.
    pub(crate) signed: [bool; 3],
    pub(crate) sat: bool,
    pub(crate) wrap: bool,
    pub(crate) second: Second,
    /// Bits per part: 8 or 16; 32 for one value.
    pub(crate) width: u32,
    /// For one value: the parts of d, a and b, see [`part`]. For several values: a mask of d, and three bits for each
    /// part of a and b, which count through both words.
    pub(crate) parts: [u32; 3],
}

impl Video {
    /// Returns the constant of [`one`] and [`several`].
    pub(crate) fn pack(&self) -> u64 {
        let [d, a, b] = self.signed.map(u64::from);
        let flags = d | a << 1 | b << 2 | u64::from(self.sat) << 3 | u64::from(self.wrap) << 4;
        let [to, from_a, from_b] = self.parts.map(u64::from);
        self.operation as u64
            | flags << 4
            | (self.second as u64) << 9
            | u64::from(self.width) << 12
            | to << 20
            | from_a << 28
            | from_b << 44
    }

    fn unpack(spec: u64) -> Self {
        let flag = |at: u32| spec >> (4 + at) & 1 == 1;
        Self {
            operation: OPERATIONS[((spec & 15) as usize).min(OPERATIONS.len() - 1)],
            signed: [flag(0), flag(1), flag(2)],
            sat: flag(3),
            wrap: flag(4),
            second: [Second::None, Second::Add, Second::Min, Second::Max][(spec >> 9 & 3) as usize],
            width: (spec >> 12 & 0xff) as u32,
            parts: [(spec >> 20 & 0xff) as u32, (spec >> 28 & 0xffff) as u32, (spec >> 44 & 0xffff) as u32],
        }
    }

    fn compute(&self, a: i128, b: i128) -> i128 {
        let amount = if self.wrap { b & 31 } else { b.min(32) };
        match self.operation {
            Operation::Add => a + b,
            Operation::Sub => a - b,
            Operation::AbsDiff => (a - b).abs(),
            Operation::Min => a.min(b),
            Operation::Max => a.max(b),
            Operation::Average => (a + b + i128::from(a + b >= 0)) >> 1,
            Operation::Left => a << amount,
            Operation::Right => a >> amount,
            Operation::Eq => i128::from(a == b),
            Operation::Ne => i128::from(a != b),
            Operation::Lt => i128::from(a < b),
            Operation::Le => i128::from(a <= b),
            Operation::Gt => i128::from(a > b),
            Operation::Ge => i128::from(a >= b),
        }
    }

    fn shifts(&self) -> bool {
        matches!(self.operation, Operation::Left | Operation::Right)
    }

    fn compares(&self) -> bool {
        self.operation as u32 >= Operation::Eq as u32
    }

    /// Saturates the result if the instruction does.
    fn saturated(&self, value: i128) -> i128 {
        let (to, bits) = (self.parts[0], part(self.parts[0]).1);
        match (self.sat, self.signed[0]) {
            (false, _) => value,
            (true, signed) if to != 0 && !self.shifts() => {
                let most = if signed { (1 << (bits - 1)) - 1 } else { (1 << bits) - 1 };
                if (0..=most).contains(&value) { value } else { most }
            }
            (true, true) => value.clamp(i32::MIN.into(), i32::MAX.into()),
            (true, false) if self.shifts() => value.clamp(0, u32::MAX.into()),
            (true, false) => value.max(0),
        }
    }

    /// Applies the second operation to the result and `c`.
    fn combined(&self, value: i128, c: u64) -> i128 {
        // A comparison gives zero or one, with the signedness of the first operand.
        let signed = if self.compares() { self.signed[1] } else { self.signed[0] };
        let value = match self.operation {
            Operation::Add | Operation::Sub => i128::from(value as i32),
            _ => value,
        };
        // Unsigned values have 64 bits.
        let value = if signed { value } else { i128::from(value as u64) };
        let c = extend(c, int(32, signed));
        match self.second {
            Second::None => value,
            Second::Add => value + c,
            Second::Min => value.min(c),
            Second::Max => value.max(c),
        }
    }
}

/// Returns shift and bits of a part of a word. 0 is the word, 1–4 are its bytes, 5 and 6 its halves.
fn part(part: u32) -> (u32, u32) {
    match part {
        1..=4 => (8 * (part - 1), 8),
        5 | 6 => (16 * (part - 5), 16),
        _ => (0, 32),
    }
}

const UPPER_HALF: u32 = 6;

fn select(word: u64, which: u32, signed: bool) -> i128 {
    let (shift, bits) = part(which);
    extend(word >> shift, int(bits, signed))
}

pub(crate) fn one(a: u64, b: u64, c: u64, spec: u64) -> u64 {
    let how = Video::unpack(spec);
    let [to, from_a, from_b] = how.parts;
    let value = how.compute(select(a, from_a, how.signed[1]), select(b, from_b, how.signed[2]));
    // Shifts are saturated from 34 bits.
    let value = if how.shifts() && how.sat { extend(value as u64, int(34, true)) } else { value };
    let value = how.combined(how.saturated(value), c) as u64;
    let (shift, bits) = part(to);
    let field = (u64::MAX >> (64 - bits)) << shift;
    let merged = match to {
        0 => return value & 0xffff_ffff,
        UPPER_HALF => value,
        _ => value << shift,
    };
    c & 0xffff_ffff & !field | merged & field
}

/// Computes two halves or four bytes.
pub(crate) fn several(a: u64, b: u64, c: u64, spec: u64) -> u64 {
    let how = Video::unpack(spec);
    let both = a & 0xffff_ffff | b << 32;
    let element = |parts: u32, at: u32, signed: bool| {
        let from = parts >> (4 * at) & 7;
        extend(both >> (from * how.width), int(how.width, signed))
    };
    let mut out = c & 0xffff_ffff;
    for at in (0..32 / how.width).filter(|at| how.parts[0] >> at & 1 == 1) {
        let value = how.compute(element(how.parts[1], at, how.signed[1]), element(how.parts[2], at, how.signed[2]));
        let value = match (how.sat, how.signed[0]) {
            (false, _) => value,
            (true, true) => value.clamp(-(1 << (how.width - 1)), (1 << (how.width - 1)) - 1),
            (true, false) => value.clamp(0, (1 << how.width) - 1),
        } as u64;
        let shift = at * how.width;
        let field = ((1u64 << how.width) - 1) << shift;
        out = match how.second {
            Second::Add => out.wrapping_add(value) & 0xffff_ffff,
            _ => out & !field | (value << shift) & field,
        };
    }
    out
}

/// Runs `vmad`. Bits of the constant: 0 and 1 signedness of a and b, 2 signed result, 3 negate the product, 4 negate c,
/// 5 `.po`, 6 `.sat`. The shift starts at bit 8, the parts of a and b at bits 16 and 20.
pub(crate) fn multiply_add(a: u64, b: u64, c: u64, spec: u64) -> u64 {
    let flag = |at: u32| spec >> at & 1 == 1;
    let factor = |word, at: u32, signed| i128::from(select(word, (spec >> at & 7) as u32, signed) as i32);
    let product = factor(a, 16, flag(0)) * factor(b, 20, flag(1));
    let product = if flag(3) { -product } else { product };
    let c = extend(c, int(32, true));
    let sum = product + if flag(4) { -c } else { c } + i128::from(flag(5));
    let (signed, shift) = (flag(2), spec >> 8 & 31);
    let scaled = if signed || shift == 0 { sum >> shift } else { i128::from(sum as u64 >> shift) };
    let value = match (flag(6), signed) {
        (false, _) => scaled,
        (true, true) => scaled.clamp(i32::MIN.into(), i32::MAX.into()),
        (true, false) => scaled.clamp(0, u32::MAX.into()),
    };
    value as u64 & 0xffff_ffff
}
