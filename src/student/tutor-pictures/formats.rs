/*! Number formats: two factors in FP32, TF32, FP16 and BF16, bit by bit, and what their product loses.

With `parts`, each factor is split into three bf16 numbers. Marks show which of the nine products of parts an FP32
product needs.

Up and down select a factor, left and right change it to the next value at which formats differ.
*/

mod draw;

pub(crate) use draw::number;

use crate::prelude::*;
use tutor_course::FormatsView;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FloatFormat {
    Fp32,
    Tf32,
    Fp16,
    Bf16,
    E5m2,
    E4m3,
    E2m1,
}

/// The formats in the order on the screen.
const FORMATS: [FloatFormat; 4] = [FloatFormat::Fp32, FloatFormat::Tf32, FloatFormat::Fp16, FloatFormat::Bf16];

/// The formats of a picture about eight bits.
const EIGHT_BITS: [FloatFormat; 4] = [FloatFormat::Fp32, FloatFormat::Bf16, FloatFormat::E5m2, FloatFormat::E4m3];

impl FloatFormat {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fp32 => "FP32",
            Self::Tf32 => "TF32",
            Self::Fp16 => "FP16",
            Self::Bf16 => "BF16",
            Self::E5m2 => "E5M2",
            Self::E4m3 => "E4M3",
            Self::E2m1 => "E2M1",
        }
    }

    /// Returns the number of bits of the exponent and of the fraction.
    fn bits(self) -> (u32, u32) {
        match self {
            Self::Fp32 => (8, 23),
            Self::Tf32 => (8, 10),
            Self::Fp16 => (5, 10),
            Self::Bf16 => (8, 7),
            Self::E5m2 => (5, 2),
            Self::E4m3 => (4, 3),
            Self::E2m1 => (2, 1),
        }
    }

    /// Returns the largest finite number. Infinity and NaN have an exponent of their own, except in E4M3 and E2M1.
    pub(crate) fn largest(self) -> f64 {
        match self {
            Self::E4m3 => 448.0,
            Self::E2m1 => 6.0,
            _ => {
                let (exponent_bits, fraction_bits) = self.bits();
                (2.0 - 2f64.powi(-(fraction_bits as i32))) * 2f64.powi((1 << (exponent_bits - 1)) - 1)
            }
        }
    }

    /// Rounds `value` to the nearest number of the format; ties go to even.
    ///
    /// TF32 instead truncates the FP32 number, because a tensor core ignores its last bits. Numbers of four or eight
    /// bits saturate, as conversions to them do.
    pub(crate) fn holds(self, value: f64) -> f64 {
        let (exponent_bits, fraction_bits) = self.bits();
        let value = if self == Self::Tf32 { Self::Fp32.holds(value) } else { value };
        if value == 0.0 || !value.is_finite() {
            return value;
        }
        let bias = (1 << (exponent_bits - 1)) - 1;
        let exponent = exponent(value).max(1 - bias);
        let step = 2f64.powi(exponent - fraction_bits as i32);
        let steps = value / step;
        let held = step * if self == Self::Tf32 { steps.trunc() } else { steps.round_ties_even() };
        let largest = self.largest();
        let beyond = if matches!(self, Self::E5m2 | Self::E4m3 | Self::E2m1) { largest } else { f64::INFINITY };
        if held.abs() > largest { beyond.copysign(value) } else { held }
    }

    /// Returns sign, exponent and fraction of a number of this format, in binary.
    pub(crate) fn digits(self, held: f64) -> [String; 3] {
        let (exponent_bits, fraction_bits) = self.bits();
        let bias = (1 << (exponent_bits - 1)) - 1;
        let all_ones = (1u64 << exponent_bits) - 1;
        let (biased, fraction) = if held.is_infinite() {
            (all_ones, 0)
        } else if held == 0.0 {
            (0, 0)
        } else {
            let normal = exponent(held) > -bias;
            let exponent = exponent(held).max(1 - bias);
            let steps = (held.abs() / 2f64.powi(exponent - fraction_bits as i32)) as u64;
            (if normal { (exponent + bias) as u64 } else { 0 }, steps & ((1 << fraction_bits) - 1))
        };
        let binary = |value: u64, bits: u32| format!("{value:0width$b}", width = bits as usize);
        [u8::from(held.is_sign_negative()).to_string(), binary(biased, exponent_bits), binary(fraction, fraction_bits)]
    }
}

/// Returns the exponent e of a finite number other than 0, so that |value| is at least 2^e and less than 2^(e + 1).
pub(crate) fn exponent(value: f64) -> i32 {
    (value.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

pub(crate) fn lost(is: f64, should: f64) -> f64 {
    if should == 0.0 { 0.0 } else { ((is - should) / should).abs() }
}

/// Splits a float into three bf16 numbers: each is the nearest one to the rest.
fn parts(value: f64) -> [f64; 3] {
    let mut left = FloatFormat::Fp32.holds(value);
    [(); 3].map(|()| {
        let part = FloatFormat::Bf16.holds(left);
        left -= part;
        part
    })
}

/// Number of products that are summed, and the largest sum of two part indices among them.
const SUMMED: [(u32, usize); 4] = [(1, 0), (3, 1), (6, 2), (9, 4)];

/// Largest sum of two part indices among the six products that make an FP32 product.
const SIX: usize = 2;

/// Bits of fraction of the largest term that a tensor core keeps: of products of eight-bit numbers, and of others.
const KEPT: [i32; 2] = [13, 25];

/// Number of digits that are shown after those that are kept.
const SHOWN: i32 = 11;

/// Values that the keys step through. The formats differ at them.
const VALUES: [f64; 16] = [
    6e-8,
    1e-5,
    0.003,
    0.1,
    1.0 / 3.0,
    1.0,
    std::f64::consts::PI,
    16.0,
    257.0,
    448.0,
    1000.5,
    2049.0,
    65_504.0,
    65_520.0,
    1_048_576.0,
    1e30,
];

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Formats {
    /// [`VALUES`] and the page's values, ascending.
    values: Vec<f64>,
    /// Index of each factor in `values`.
    at: [usize; 2],
    /// True if each factor is shown as three bf16 parts instead of in four formats.
    parts: bool,
    formats: [FloatFormat; 4],
    /// True if the two numbers are added, not multiplied.
    sum: bool,
}

impl Formats {
    pub(crate) fn new(view: &FormatsView) -> Self {
        let mut values: Vec<f64> =
            VALUES.into_iter().chain([view.x, view.y]).filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let at = [view.x, view.y].map(|wanted| values.iter().position(|value| *value == wanted).unwrap_or(0));
        let formats = if view.eight { EIGHT_BITS } else { FORMATS };
        Self { values, at, parts: view.parts, formats, sum: view.sum }
    }

    /// Returns factor 0 or 1.
    fn get(&self, which: usize) -> f64 {
        self.at.get(which).and_then(|at| self.values.get(*at)).copied().unwrap_or(1.0)
    }

    /// Returns the sum of the products of parts whose indices add up to at most `most`.
    fn of_parts(&self, most: usize) -> f64 {
        let [x, y] = [0, 1].map(|which| parts(self.get(which)));
        let products = x.iter().enumerate().flat_map(|(i, x)| y.iter().enumerate().map(move |(j, y)| (i + j, x * y)));
        let mut summed: Vec<f64> = products.filter(|(place, _)| *place <= most).map(|(_, product)| product).collect();
        summed.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        summed.iter().sum()
    }

    /// Returns the exact product of both factors after they are rounded to FP32.
    fn exact(&self) -> f64 {
        FloatFormat::Fp32.holds(self.get(0)) * FloatFormat::Fp32.holds(self.get(1))
    }

    /// Returns both numbers as a tensor core adds them: truncated to `kept` bits of fraction of the larger one.
    fn aligned(&self, kept: i32) -> [f64; 2] {
        let unit = 2f64.powi(self.top() - kept);
        [0, 1].map(|which| (self.get(which) / unit).trunc() * unit)
    }

    /// Returns the exponent of the larger number.
    fn top(&self) -> i32 {
        exponent(self.get(0).abs().max(self.get(1).abs()))
    }

    /// Returns the binary digits of a number, below those of the larger number: those that an eight-bit sum keeps, and
    /// some of those that it drops.
    fn binary(&self, which: usize) -> [String; 2] {
        let (value, top) = (self.get(which).abs(), self.top());
        [top - KEPT[0]..=top, top - KEPT[0] - SHOWN..=top - KEPT[0] - 1].map(|places| {
            places.rev().fold(String::new(), |mut digits, place| {
                let steps = (value / 2f64.powi(place)).trunc();
                digits.push(match steps % 2.0 {
                    _ if steps == 0.0 && place > 0 => ' ',
                    1.0 => '1',
                    _ => '0',
                });
                if place == 0 {
                    digits.push('.');
                }
                digits
            })
        })
    }

    /// Returns the product of both factors, each rounded to a format first.
    fn product(&self, format: FloatFormat) -> f64 {
        format.holds(self.get(0)) * format.holds(self.get(1))
    }
}

impl Controls for Formats {
    type Control = usize;
    const CONTROLS: &'static [usize] = &[0, 1];

    fn apply(&mut self, which: usize, up: bool) {
        let at = &mut self.at[which % 2];
        *at = if up { (*at + 1).min(self.values.len() - 1) } else { at.saturating_sub(1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_holds_the_nearest_number() {
        let held = |value| FORMATS.map(|format| format.holds(value));
        assert_eq!(held(257.0), [257.0, 257.0, 257.0, 256.0]);
        assert_eq!(held(2049.0), [2049.0, 2048.0, 2048.0, 2048.0]);
        assert_eq!(held(1_048_576.0), [1_048_576.0, 1_048_576.0, f64::INFINITY, 1_048_576.0]);
        assert_eq!(held(65_519.0)[2], 65_504.0);
        assert_eq!(held(65_520.0)[2], f64::INFINITY);
        assert_eq!(held(-1.0), [-1.0; 4]);
        assert_eq!(held(2f64.powi(-24))[2], 2f64.powi(-24));
        assert_eq!(held(2f64.powi(-26))[2], 0.0);
        assert_eq!(held(0.1)[0], f64::from(0.1f32));
        let eight = |value| [FloatFormat::E5m2, FloatFormat::E4m3].map(|format| format.holds(value));
        assert_eq!(eight(1.0624), [1.0, 1.0]);
        assert_eq!(eight(-500.0), [-512.0, -448.0]);
        assert_eq!(eight(1e6), [57_344.0, 448.0]);
        assert_eq!(eight(2f64.powi(-10)), [2f64.powi(-10), 0.0]);
        for value in VALUES {
            assert_eq!(FloatFormat::Fp32.holds(value), f64::from(value as f32));
            assert_eq!(FloatFormat::Tf32.holds(value), f64::from(f32::from_bits((value as f32).to_bits() >> 13 << 13)));
        }
    }

    #[test]
    fn bits_are_those_of_the_hardware() {
        for value in VALUES {
            let held = FloatFormat::Fp32.holds(value);
            assert_eq!(FloatFormat::Fp32.digits(held).concat(), format!("{:032b}", (held as f32).to_bits()));
        }
        assert_eq!(FloatFormat::Fp16.digits(1.0), ["0", "01111", "0000000000"]);
        assert_eq!(FloatFormat::Fp16.digits(f64::INFINITY), ["0", "11111", "0000000000"]);
        assert_eq!(FloatFormat::Fp16.digits(2f64.powi(-24)), ["0", "00000", "0000000001"]);
        assert_eq!(FloatFormat::Bf16.digits(256.0), ["0", "10000111", "0000000"]);
        assert_eq!(FloatFormat::Bf16.digits(-3.0), ["1", "10000000", "1000000"]);
        assert_eq!(FloatFormat::E4m3.digits(448.0), ["0", "1111", "110"]);
        assert_eq!(FloatFormat::E4m3.digits(2f64.powi(-9)), ["0", "0000", "001"]);
    }

    #[test]
    fn three_bf16_add_up_to_the_float_and_nine_products_to_the_product() {
        assert_eq!(parts(0.1), [0.100_097_656_25, -9.775_161_743_164_062e-5, 9.685_754_776_000_977e-8]);
        for value in VALUES {
            let [first, second, third] = parts(value);
            assert_eq!(first + second + third, f64::from(value as f32), "{value}");
        }
        let factors =
            Formats::new(&FormatsView { x: 0.1, y: std::f64::consts::PI, parts: true, eight: false, sum: false });
        let lost = SUMMED.map(|(_, most)| lost(factors.of_parts(most), factors.exact()));
        assert!(lost[3] < 1e-15 && lost.is_sorted_by(|a, b| a > b), "{lost:?}");
        assert!(lost[0] > 1e-4 && lost[1] < 1e-4 && lost[2] < 2e-7, "{lost:?}");
    }

    #[test]
    fn a_factor_goes_through_the_values_and_no_further() {
        let mut factors = Formats::new(&FormatsView { x: 257.0, y: 7.0, parts: false, eight: false, sum: false });
        assert_eq!((factors.get(0), factors.get(1)), (257.0, 7.0));
        factors.change(1, true);
        assert_eq!(factors.get(1), 16.0);
        (0..40).for_each(|_| factors.change(1, false));
        assert!(factors.get(1) == 6e-8 && !factors.can(1, false));
        (0..40).for_each(|_| factors.change(1, true));
        assert!(factors.get(1) == 1e30 && !factors.can(1, true));
    }
}
