/*! The arithmetic of a tensor core.

A floating-point product of matrices is computed as an NVIDIA H200 does it:

1. The products of a block (32 bytes of a row of A with as much of a column of B) are exact. The exponent of a product
   is the sum of its factors' exponents; its significand, in 1…4, is not normalised.
2. The products and the accumulator are shifted to the largest of their exponents and cut, toward zero, to so many
   fraction bits: 25, or 13 for the 8-bit formats of `wgmma`.
3. Their sum is exact, and is rounded once: toward zero to single precision, or to the nearest half-precision number.

Zeros have no part in it: a product with zero does not count for the largest exponent, and a sum of zero is +0. That
exponent is never taken to be lower than −133. Infinities and NaN go their usual way; NaN is canonical.

So the order within a block does not matter, and a term that is 2²⁶ times smaller than the largest one is lost whatever
its sign. Fasi, Higham, Mikaitis and Pranesh, "Numerical behavior of NVIDIA tensor cores" (2021), found this structure
on earlier devices; the widths here were fitted on the H200's own answers, which `tests/fixtures` keeps.
*/

use super::{Float, ZERO};

/// The largest exponent is never taken to be lower than this.
const LOWEST: i32 = -133;

/// Columns that are computed side by side.
const WIDE: usize = 8;

/// Operands of a product, taken apart. `exponents[i]` and `significands[i]` belong together.
#[derive(Debug, Default)]
pub(crate) struct Matrix {
    pub(crate) exponents: Vec<i32>,
    pub(crate) significands: Vec<i32>,
    /// The bits themselves, for infinities and NaN.
    bits: Vec<u32>,
    /// Rows of A or columns of B that hold an infinity or NaN.
    special: Vec<bool>,
    any_special: bool,
}

/// Which factors there are, and how the products of a block are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sum {
    /// The formats of A and B.
    pub(crate) a: Float,
    pub(crate) b: Float,
    /// Products in a block.
    pub(crate) block: usize,
    /// Fraction bits that are kept of each term.
    pub(crate) kept: i32,
    /// Whether D is in half precision.
    pub(crate) half: bool,
    /// Fraction bits of D if it is in single precision.
    pub(crate) fraction: u32,
}

impl Matrix {
    /// Takes A apart: `rows × depth` elements, row by row.
    pub(crate) fn set_rows(&mut self, sum: Sum, bits: &[u32], depth: usize) {
        let format = sum.a;
        self.set(format, bits);
        // A product has the fraction bits of both factors: made up to what is kept of it, once and for all.
        let widen = sum.kept - (format.fraction_bits + sum.b.fraction_bits) as i32;
        self.significands.iter_mut().for_each(|significand| *significand <<= widen);
        self.special.clear();
        self.special.extend(bits.chunks_exact(depth.max(1)).map(|row| row.iter().any(|bits| format.special(*bits))));
        self.any_special = self.special.contains(&true);
    }

    /// Takes B apart: `depth × columns` elements, row by row.
    pub(crate) fn set_columns(&mut self, sum: Sum, bits: &[u32], columns: usize) {
        let format = sum.b;
        self.set(format, bits);
        self.special.clear();
        self.special.resize(columns, false);
        self.any_special = false;
        for row in bits.chunks_exact(columns.max(1)) {
            for (special, bits) in self.special.iter_mut().zip(row) {
                *special |= format.special(*bits);
            }
        }
        self.any_special = self.special.contains(&true);
    }

    fn set(&mut self, format: Float, bits: &[u32]) {
        // The formats as constants, so that each has a loop of its own that compiles to vectors.
        match format {
            Float::F16 => self.decode(bits, |bits| Float::F16.decode(bits)),
            Float::BF16 => self.decode(bits, |bits| Float::BF16.decode(bits)),
            Float::TF32 => self.decode(bits, |bits| Float::TF32.decode(bits)),
            _ => self.decode(bits, |bits| format.decode(bits)),
        }
        self.bits.clear();
        self.bits.extend_from_slice(bits);
    }

    #[inline(always)]
    fn decode(&mut self, bits: &[u32], decode: impl Fn(u32) -> (i32, i32)) {
        self.exponents.resize(bits.len(), 0);
        self.significands.resize(bits.len(), 0);
        for ((exponent, significand), bits) in self.exponents.iter_mut().zip(&mut self.significands).zip(bits) {
            (*exponent, *significand) = decode(*bits);
        }
    }
}

/// D = A·B + C: `c` holds the bits of C, row by row, and gets those of D. `columns` is a multiple of eight.
/// `place(row, k)` is the row of B that element `k` of a row of A is multiplied with.
#[inline(always)]
pub(crate) fn multiply(
    sum: Sum,
    a: &Matrix,
    b: &Matrix,
    columns: usize,
    c: &mut [u32],
    place: impl Fn(usize, usize) -> usize,
) {
    let depth = a.exponents.len().checked_div(c.len() / columns.max(1)).unwrap_or(0);
    for (row, c) in c.chunks_exact_mut(columns.max(1)).enumerate() {
        let at = row * depth;
        let (ea, sa) = (&a.exponents[at..at + depth], &a.significands[at..at + depth]);
        for (chunk, c) in c.chunks_exact_mut(WIDE).enumerate() {
            let Some(c) = c.first_chunk_mut::<WIDE>() else { continue };
            let before = *c;
            for start in (0..depth).step_by(sum.block) {
                let end = (start + sum.block).min(depth);
                let (eb, sb) = (&b.exponents[chunk * WIDE..], &b.significands[chunk * WIDE..]);
                block(sum, &ea[start..end], &sa[start..end], eb, sb, |k| place(row, start + k) * columns, c);
            }
            let plain = |bits: &u32| if sum.half { bits & 0x7c00 != 0x7c00 } else { bits & 0x7f80_0000 != 0x7f80_0000 };
            if a.any_special || b.any_special || !before.iter().all(plain) {
                for (i, c) in c.iter_mut().enumerate() {
                    let column = chunk * WIDE + i;
                    if a.special[row] || b.special[column] || !plain(&before[i]) {
                        let column_bits = (0..depth).map(|k| b.bits[place(row, k) * columns + column]);
                        *c = special(sum, &a.bits[at..at + depth], column_bits, before[i], *c);
                    }
                }
            }
        }
    }
}

/// One block of a row of A with eight columns of B; `at` is where the row of B for an element of A begins.
#[inline(always)]
fn block(sum: Sum, ea: &[i32], sa: &[i32], eb: &[i32], sb: &[i32], at: impl Fn(usize) -> usize, c: &mut [u32; WIDE]) {
    let (mut ec, mut sc) = ([0i32; WIDE], [0i32; WIDE]);
    for i in 0..WIDE {
        (ec[i], sc[i]) = if sum.half {
            let (exponent, significand) = Float::F16.decode(c[i]);
            (exponent, significand << 13)
        } else {
            single(c[i])
        };
    }
    let mut top = ec.map(|exponent| exponent.max(LOWEST));
    for (k, ea) in ea.iter().enumerate() {
        let Some(eb) = eb[at(k)..].first_chunk::<WIDE>() else { continue };
        for i in 0..WIDE {
            top[i] = top[i].max(ea + eb[i]);
        }
    }
    let mut total = [0f64; WIDE];
    let mut k = 0;
    while k < ea.len() {
        // Sixteen terms below 2²⁷ fit into 32 bits.
        let stop = (k + 16).min(ea.len());
        let mut part = [0i32; WIDE];
        while k < stop {
            let here = at(k);
            let (Some(eb), Some(sb)) = (eb[here..].first_chunk::<WIDE>(), sb[here..].first_chunk::<WIDE>()) else {
                break;
            };
            for i in 0..WIDE {
                let product = sa[k] * sb[i];
                let shift = (top[i] - (ea[k] + eb[i])).min(31) as u32;
                let size = product.unsigned_abs() >> shift;
                let sign = product >> 31;
                part[i] += (size as i32 ^ sign) - sign;
            }
            k += 1;
        }
        for i in 0..WIDE {
            total[i] += f64::from(part[i]);
        }
        if stop == ea.len() {
            break;
        }
        k = stop;
    }
    for i in 0..WIDE {
        let shift = (top[i] - ec[i] + 30 - sum.kept).min(31) as u32;
        let size = (sc[i].unsigned_abs() << 7) >> shift;
        let term = if sc[i] < 0 { -(size as i32) } else { size as i32 };
        // Exact: fewer than 40 bits times a power of two well inside of double precision.
        let exact = (total[i] + f64::from(term)) * power(top[i] - sum.kept);
        c[i] = if sum.half { half_nearest(exact) } else { single_cut(exact, sum.fraction) };
    }
}

/// Exponent and signed significand, with 23 fraction bits, of a single-precision number.
#[inline(always)]
fn single(bits: u32) -> (i32, i32) {
    let exponent = (bits >> 23) & 0xff;
    let normal = u32::from(exponent != 0);
    let significand = (bits & 0x7f_ffff | normal << 23) as i32;
    let exponent = if significand == 0 { ZERO } else { (exponent + 1 - normal) as i32 - 127 };
    (exponent, if bits >> 31 == 1 { -significand } else { significand })
}

/// 2 to the power of `exponent`, which must lie in -1022…1023.
#[inline(always)]
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Bits of the single-precision number with so many fraction bits next to `exact` toward zero.
#[inline(always)]
fn single_cut(exact: f64, fraction: u32) -> u32 {
    const LEAST: f64 = f32::MIN_POSITIVE as f64;
    if exact.abs() >= LEAST || exact == 0.0 {
        let cut = f64::from_bits(exact.to_bits() & !((1u64 << (52 - fraction)) - 1));
        return (cut as f32).to_bits();
    }
    let unit = power(-126 - fraction as i32);
    // Zero has no sign: adding to it leaves every other number as it is.
    (((exact / unit).trunc() * unit) as f32 + 0.0).to_bits()
}

/// Bits of the half-precision number nearest to `exact`, ties to even.
pub(crate) fn half_nearest(exact: f64) -> u32 {
    let sign = (exact.to_bits() >> 48 & 0x8000) as u32;
    let size = exact.abs();
    // Half-way between the largest number and the next power of two.
    if size >= 65520.0 {
        return sign | 0x7c00;
    }
    let exponent = ((size.to_bits() >> 52) as i32 - 1023).max(-14);
    let units = (size * power(10 - exponent)).round_ties_even() as u32;
    // Zero has no sign.
    if units == 0 {
        return 0;
    }
    // A carry out of the fraction goes on into the exponent, as it should.
    sign | (units + (((exponent + 14) as u32) << 10))
}

/// D where an infinity or NaN takes part; `finite` is what the finite terms alone would give.
#[cold]
fn special(sum: Sum, a: &[u32], b: impl Iterator<Item = u32>, c: u32, finite: u32) -> u32 {
    let (nan, infinity, sign) = if sum.half { (0x7fff, 0x7c00, 0x8000) } else { (0x7fff_ffff, 0x7f80_0000, 1 << 31) };
    let (mut up, mut down) = (false, false);
    if c & infinity == infinity {
        if c & !sign != infinity {
            return nan;
        }
        (up, down) = (c & sign == 0, c & sign != 0);
    }
    for (a, b) in a.iter().zip(b) {
        if !sum.a.special(*a) && !sum.b.special(b) {
            continue;
        }
        if sum.a.nan(*a) || sum.b.nan(b) || sum.a.zero(*a) || sum.b.zero(b) {
            return nan;
        }
        let negative = sum.a.negative(*a) != sum.b.negative(b);
        up |= !negative;
        down |= negative;
    }
    match (up, down) {
        (true, true) => nan,
        (true, false) => infinity,
        (false, true) => infinity | sign,
        (false, false) => finite,
    }
}
