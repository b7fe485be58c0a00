//! Exact arithmetic of binary floats of any format, with one rounding in any direction.
//!
//! Values are decoded to whole × 2^scale, computed in 128 bits with a sticky last bit, and encoded again. The machine
//! uses this if the CPU's own arithmetic does not round as required.

/// A binary format with the layout of IEEE 754.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FloatFormat {
    /// Number of exponent bits.
    pub(crate) exponent: u32,
    /// Number of stored mantissa bits.
    pub(crate) mantissa: u32,
}

pub(crate) const F16: FloatFormat = FloatFormat { exponent: 5, mantissa: 10 };
pub(crate) const BF16: FloatFormat = FloatFormat { exponent: 8, mantissa: 7 };
pub(crate) const TF32: FloatFormat = FloatFormat { exponent: 8, mantissa: 10 };
pub(crate) const F32: FloatFormat = FloatFormat { exponent: 8, mantissa: 23 };
pub(crate) const F64: FloatFormat = FloatFormat { exponent: 11, mantissa: 52 };

impl FloatFormat {
    pub(crate) const fn sign(self) -> u64 {
        1 << (self.exponent + self.mantissa)
    }

    pub(crate) const fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.mantissa
    }

    const fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Returns the exponent of the last place of subnormal numbers.
    const fn least(self) -> i32 {
        1 - self.bias() - self.mantissa as i32
    }

    pub(crate) const fn is_nan(self, bits: u64) -> bool {
        bits & (self.sign() - 1) > self.infinity()
    }

    /// Replaces subnormal numbers with zero of the same sign.
    pub(crate) const fn flush(self, bits: u64) -> u64 {
        if bits & self.infinity() == 0 { bits & self.sign() } else { bits }
    }
}

/// Rounding of a result between two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    /// To nearest, ties to even.
    Nearest,
    Zero,
    Down,
    Up,
    /// To nearest, ties away from zero.
    Away,
}

impl Round {
    pub(crate) fn from_bits(bits: u64) -> Self {
        match bits & 7 {
            0 => Self::Nearest,
            1 => Self::Zero,
            2 => Self::Down,
            3 => Self::Up,
            _ => Self::Away,
        }
    }
}

/// A value: `whole` × 2^`scale` if it is finite. The last bit of `whole` may be sticky and stand for everything below
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Nan,
    Infinite { negative: bool },
    Finite { negative: bool, whole: u128, scale: i32 },
}

use Value::{Finite, Infinite, Nan};

impl Value {
    pub(crate) fn of(bits: u64, format: FloatFormat) -> Self {
        let negative = bits & format.sign() != 0;
        let exponent = (bits & format.infinity()) >> format.mantissa;
        let fraction = bits & ((1 << format.mantissa) - 1);
        if exponent == (1 << format.exponent) - 1 {
            return if fraction == 0 { Infinite { negative } } else { Nan };
        }
        let hidden = u64::from(exponent != 0) << format.mantissa;
        Finite { negative, whole: (fraction | hidden).into(), scale: format.least() + exponent.max(1) as i32 - 1 }
    }

    pub(crate) fn negated(self) -> Self {
        match self {
            Nan => Nan,
            Infinite { negative } => Infinite { negative: !negative },
            Finite { negative, whole, scale } => Finite { negative: !negative, whole, scale },
        }
    }

    /// Adds. The zero that is the sum of two opposite numbers is negative if rounding goes down.
    pub(crate) fn plus(self, other: Self, round: Round) -> Self {
        match (self, other) {
            (Nan, _) | (_, Nan) => Nan,
            (Infinite { negative: a }, Infinite { negative: b }) if a != b => Nan,
            (Infinite { .. }, _) => self,
            (_, Infinite { .. }) => other,
            (Finite { negative: n, whole: a, scale: s }, Finite { negative: m, whole: b, scale: t }) => {
                match (a, b) {
                    (0, 0) if n == m => return self,
                    (0, 0) => return Finite { negative: round == Round::Down, whole: 0, scale: 0 },
                    (0, _) => return other,
                    (_, 0) => return self,
                    _ => {}
                }
                let (a, s) = (a << (a.leading_zeros() - 2), s - (a.leading_zeros() as i32 - 2));
                let (b, t) = (b << (b.leading_zeros() - 2), t - (b.leading_zeros() as i32 - 2));
                let scale = s.max(t);
                let (a, b) = (jam(a, scale - s), jam(b, scale - t));
                match (n == m, a.cmp(&b)) {
                    (true, _) => Finite { negative: n, whole: a + b, scale },
                    (false, std::cmp::Ordering::Equal) => Finite { negative: round == Round::Down, whole: 0, scale: 0 },
                    (false, std::cmp::Ordering::Greater) => Finite { negative: n, whole: a - b, scale },
                    (false, std::cmp::Ordering::Less) => Finite { negative: m, whole: b - a, scale },
                }
            }
        }
    }

    /// Multiplies. The product is exact for operands of at most 64 bits.
    pub(crate) fn times(self, other: Self) -> Self {
        match (self, other) {
            (Finite { negative: n, whole: a, scale: s }, Finite { negative: m, whole: b, scale: t }) => {
                Finite { negative: n != m, whole: a * b, scale: s + t }
            }
            (Nan, _) | (_, Nan) => Nan,
            (Finite { whole: 0, .. }, _) | (_, Finite { whole: 0, .. }) => Nan,
            _ => Infinite { negative: self.is_negative() != other.is_negative() },
        }
    }

    pub(crate) fn over(self, other: Self) -> Self {
        let negative = self.is_negative() != other.is_negative();
        match (self, other) {
            (Nan, _) | (_, Nan) | (Infinite { .. }, Infinite { .. }) => Nan,
            (Finite { whole: 0, .. }, Finite { whole: 0, .. }) => Nan,
            (Infinite { .. }, _) | (_, Finite { whole: 0, .. }) => Infinite { negative },
            (_, Infinite { .. }) => Finite { negative, whole: 0, scale: 0 },
            (Finite { whole: a, scale: s, .. }, Finite { whole: b, scale: t, .. }) => {
                let shift = a.leading_zeros().saturating_sub(1);
                let (quotient, rest) = ((a << shift) / b, (a << shift) % b);
                Finite { negative, whole: quotient | u128::from(rest != 0), scale: s - t - shift as i32 }
            }
        }
    }

    pub(crate) fn root(self) -> Self {
        match self {
            Finite { whole: 0, .. } | Infinite { negative: false } => self,
            Finite { negative: false, whole, scale } => {
                let mut shift = whole.leading_zeros().saturating_sub(2);
                shift -= (scale - shift as i32).rem_euclid(2) as u32;
                let (whole, scale) = (whole << shift, scale - shift as i32);
                let root = whole.isqrt();
                // One more bit, so that the sticky bit is below the bits that decide the rounding.
                let sticky = u128::from(root * root != whole);
                Finite { negative: false, whole: root << 1 | sticky, scale: scale / 2 - 1 }
            }
            _ => Nan,
        }
    }

    fn is_negative(self) -> bool {
        match self {
            Nan => false,
            Infinite { negative } | Finite { negative, .. } => negative,
        }
    }

    /// Encodes the value, rounded as requested. NaN gives `nan`.
    pub(crate) fn rounded(self, format: FloatFormat, round: Round, nan: u64) -> u64 {
        let (negative, whole, scale) = match self {
            Nan => return nan,
            Infinite { negative } => return format.infinity() | if negative { format.sign() } else { 0 },
            Finite { negative, whole, scale } => (negative, whole, scale),
        };
        let sign = if negative { format.sign() } else { 0 };
        if whole == 0 {
            return sign;
        }
        let top = scale + 127 - whole.leading_zeros() as i32;
        let last = (top - format.mantissa as i32).max(format.least());
        let kept = shifted(whole, last - scale, round, negative) as u64;
        let bits = (((last - format.least()) as u64) << format.mantissa) + kept;
        if bits < format.infinity() {
            return sign | bits;
        }
        let toward_zero = match round {
            Round::Nearest | Round::Away => false,
            Round::Zero => true,
            Round::Down => !negative,
            Round::Up => negative,
        };
        sign | (format.infinity() - u64::from(toward_zero))
    }

    /// Encodes the value like [`Value::rounded`], but a value that is subnormal before rounding gives zero.
    pub(crate) fn rounded_normal(self, format: FloatFormat, round: Round, nan: u64) -> u64 {
        match self {
            Finite { negative, whole, scale }
                if scale + 127 - (whole.leading_zeros() as i32) < format.least() + format.mantissa as i32 =>
            {
                if negative { format.sign() } else { 0 }
            }
            _ => self.rounded(format, round, nan),
        }
    }

    /// Rounds to an integral value with the same sign.
    pub(crate) fn whole(self, round: Round) -> Self {
        match self {
            Finite { negative, whole, scale } if scale < 0 => {
                Finite { negative, whole: shifted(whole, -scale, round, negative), scale: 0 }
            }
            _ => self,
        }
    }

    /// Returns the value as an integer, rounded; `None` for NaN. Clamps it to 127 bits.
    pub(crate) fn integer(self, round: Round) -> Option<i128> {
        let (negative, whole) = match self {
            Nan => return None,
            Infinite { negative } => (negative, i128::MAX as u128),
            Finite { negative, whole, scale } if scale < 0 => (negative, shifted(whole, -scale, round, negative)),
            Finite { negative, whole: 0, .. } => (negative, 0),
            Finite { negative, whole, scale } if (scale as u32) < whole.leading_zeros() => (negative, whole << scale),
            Finite { negative, .. } => (negative, i128::MAX as u128),
        };
        let size = whole.min(i128::MAX as u128) as i128;
        Some(if negative { -size } else { size })
    }
}

/// Shifts right, and sets the last bit if a lost bit was set.
fn jam(value: u128, by: i32) -> u128 {
    match by {
        0 => value,
        1..=127 => value >> by | u128::from(value << (128 - by) != 0),
        _ => 1,
    }
}

/// Shifts right by `by` (left if negative) and rounds.
fn shifted(whole: u128, by: i32, round: Round, negative: bool) -> u128 {
    if by <= 0 {
        return whole << by.unsigned_abs().min(127);
    }
    let kept = if by > 127 { 0 } else { whole >> by };
    let rest = if by > 127 { whole } else { whole & ((1 << by) - 1) };
    let half = if by > 128 { u128::MAX } else { 1 << (by - 1) };
    let up = match round {
        Round::Nearest => rest > half || (rest == half && kept & 1 == 1),
        Round::Away => rest >= half,
        Round::Zero => false,
        Round::Down => negative && rest != 0,
        Round::Up => !negative && rest != 0,
    };
    kept + u128::from(up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::fma::fma64;

    /// Returns a few thousand floats of every magnitude.
    fn bits(step: u64) -> impl Iterator<Item = u64> {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        (0..4000u64).map(move |index| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(step);
            let near = 0x3ff0_0000_0000_0000 + ((state >> 3) % 64) * 0x0010_0000_0000_0000;
            if index % 3 == 0 { state } else { near | state >> 12 }
        })
    }

    #[test]
    fn what_is_rounded_to_the_nearest_is_what_the_processor_computes() {
        let nan = f64::NAN.to_bits();
        for (a, b) in bits(1).zip(bits(3)) {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            let (u, v) = (Value::of(a, F64), Value::of(b, F64));
            let c = (-(x * y)).to_bits().wrapping_add(a % 3);
            for (found, wanted) in [
                (u.plus(v, Round::Nearest), x + y),
                (u.plus(v.negated(), Round::Nearest), x - y),
                (u.times(v), x * y),
                (u.over(v), x / y),
                (u.root(), x.sqrt()),
                (u.times(v).plus(Value::of(c, F64), Round::Nearest), fma64(x, y, f64::from_bits(c))),
            ] {
                let wanted = if wanted.is_nan() { nan } else { wanted.to_bits() };
                assert_eq!(found.rounded(F64, Round::Nearest, nan), wanted, "{x:e} {y:e}");
            }
            let wanted = if x.is_nan() { 1 } else { u64::from((x as f32).to_bits()) };
            assert_eq!(u.rounded(F32, Round::Nearest, 1), wanted);
        }
    }

    #[test]
    fn directed_results_enclose_the_exact_one() {
        for (a, b) in bits(5).zip(bits(7)) {
            let quotient = Value::of(a, F64).over(Value::of(b, F64));
            let at = |round| f64::from_bits(quotient.rounded(F64, round, f64::NAN.to_bits()));
            let (down, near, up) = (at(Round::Down), at(Round::Nearest), at(Round::Up));
            if !near.is_nan() {
                assert!(down <= near && near <= up && (down == up || down.next_up() == up), "{down:e} {near:e} {up:e}");
                assert_eq!(at(Round::Zero), if near < 0.0 || down < 0.0 { up } else { down });
            }
        }
    }

    #[test]
    fn whole_numbers_are_rounded_as_asked() {
        let at = |x: f64, round| Value::of(x.to_bits(), F64).integer(round);
        assert_eq!(at(2.5, Round::Nearest), Some(2));
        assert_eq!(at(2.5, Round::Away), Some(3));
        assert_eq!(at(-2.5, Round::Down), Some(-3));
        assert_eq!(at(-2.5, Round::Up), Some(-2));
        assert_eq!(at(1e-300, Round::Up), Some(1));
        assert_eq!(at(f64::NAN, Round::Up), None);
        assert_eq!(at(f64::NEG_INFINITY, Round::Up), Some(-i128::MAX));
    }
}
