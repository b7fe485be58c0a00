/*! Numbers that share a scale: MXFP4, NVFP4 and MXFP8.

The scale of the first and the last is a power of two (OCP Microscaling Formats v1.0, section 6.3). NVFP4 has finer
scales, and one for the whole matrix (NVIDIA, arXiv 2509.25149, appendix B). Up and down select a control, left and right
change it: the format, which number, and its value.
*/

mod draw;

use crate::formats::{FloatFormat, exponent};
use crate::prelude::*;
use tutor_course::{BlockFormat, BlockScalesView};

const FORMATS: [BlockFormat; 3] = [BlockFormat::Mxfp4, BlockFormat::Nvfp4, BlockFormat::Mxfp8];

/// Bias of the exponent that is stored as a power-of-two scale.
const BIAS: i32 = 127;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    Format,
    Number,
    Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BlockScales {
    format: BlockFormat,
    values: Vec<f64>,
    /// Index of the selected number.
    at: usize,
    largest: f64,
}

/// The scale of a block.
#[derive(Debug, Clone, PartialEq)]
struct Scale {
    /// What a number of the block is divided by.
    value: f64,
    /// The stored bits.
    bits: String,
    /// For NVFP4, the stored scale and the scale of the matrix, whose product is `value`.
    parts: Option<[f64; 2]>,
}

impl BlockScales {
    pub(crate) fn new(view: &BlockScalesView) -> Self {
        let most = BlockScalesView::SIZE;
        let values = view.values.iter().take(BlockScalesView::COUNTS[1]).map(|value| value.clamp(-most, most));
        Self { format: view.format, values: values.collect(), at: 0, largest: view.largest }
    }

    /// Returns the format of a number.
    fn element(&self) -> FloatFormat {
        if self.format == BlockFormat::Mxfp8 { FloatFormat::E4m3 } else { FloatFormat::E2m1 }
    }

    /// Returns the largest magnitude in the block.
    fn most(&self) -> f64 {
        self.values.iter().fold(0.0, |most, value| most.max(value.abs()))
    }

    fn scale(&self) -> Scale {
        let (most, top) = (self.most(), self.element().largest());
        if self.format != BlockFormat::Nvfp4 {
            // A block of zeros may have any scale.
            let power = if most == 0.0 { 0 } else { (exponent(most) - exponent(top)).clamp(-BIAS, BIAS) };
            return Scale { value: 2f64.powi(power), bits: format!("{:08b}", power + BIAS), parts: None };
        }
        let of_matrix = self.largest.max(most) / (top * FloatFormat::E4m3.largest());
        let of_matrix = if of_matrix == 0.0 { 1.0 } else { FloatFormat::Fp32.holds(of_matrix) };
        let stored = FloatFormat::E4m3.holds(most / top / of_matrix);
        let bits = FloatFormat::E4m3.digits(stored).join(" ");
        Scale { value: stored * of_matrix, bits, parts: Some([stored, of_matrix]) }
    }

    /// Returns the number that is stored for a value, in units of the scale.
    fn stored(&self, value: f64, scale: &Scale) -> f64 {
        if scale.value == 0.0 { 0.0 } else { self.element().holds(value / scale.value) }
    }
}

impl Controls for BlockScales {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::Format, Control::Number, Control::Value];

    fn apply(&mut self, control: Control, up: bool) {
        let step =
            |at: usize, count: usize| if up { (at + 1).min(count.saturating_sub(1)) } else { at.saturating_sub(1) };
        match control {
            Control::Format => {
                let at = FORMATS.iter().position(|format| *format == self.format).unwrap_or(0);
                self.format = FORMATS[step(at, FORMATS.len())];
            }
            Control::Number => self.at = step(self.at, self.values.len()),
            Control::Value => {
                if let Some(value) = self.values.get_mut(self.at) {
                    let next = if up { *value * 2.0 } else { *value / 2.0 };
                    *value = if next.abs() > BlockScalesView::SIZE || next.abs() < 1e-6 { *value } else { next };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value and bits of the scale, and the numbers that are stored.
    fn block(format: BlockFormat, values: &[f64], largest: f64) -> (f64, String, Vec<f64>) {
        let block = BlockScales::new(&BlockScalesView { format, values: values.to_vec(), largest });
        let scale = block.scale();
        let stored = values.iter().map(|value| block.stored(*value, &scale)).collect();
        (scale.value, scale.bits, stored)
    }

    #[test]
    fn a_power_of_two_brings_the_largest_number_to_the_top_exponent() {
        let (scale, bits, stored) = block(BlockFormat::Mxfp4, &[7.5, 0.3, -1.25, 0.2, 5.0], 0.0);
        assert_eq!((scale, bits.as_str()), (1.0, "01111111"));
        assert_eq!(stored, [6.0, 0.5, -1.0, 0.0, 4.0], "ties go to even, and 7.5 is too large");
        let (scale, bits, stored) = block(BlockFormat::Mxfp4, &[-0.1, 0.01], 0.0);
        assert_eq!((scale, bits.as_str(), stored), (2f64.powi(-6), "01111001", vec![-6.0, 0.5]));
        let (scale, _, stored) = block(BlockFormat::Mxfp8, &[1000.0, 0.5], 0.0);
        assert_eq!((scale, stored), (2.0, vec![448.0, 0.25]));
        assert_eq!(block(BlockFormat::Mxfp8, &[0.0], 0.0), (1.0, "01111111".to_owned(), vec![0.0]));
    }

    #[test]
    fn the_scales_of_nvfp4_bring_the_largest_number_near_6() {
        let (scale, bits, stored) = block(BlockFormat::Nvfp4, &[7.5, 1.25, -0.3], 0.0);
        assert_eq!((bits.as_str(), stored), ("0 1111 110", vec![6.0, 1.0, 0.0]));
        assert!((scale - 1.25).abs() < 1e-7);
        // The largest number of the matrix is 100 times as large: this block's scale is about 4.48, rounded to 4.5.
        let (scale, bits, _) = block(BlockFormat::Nvfp4, &[7.5], 750.0);
        assert_eq!(bits, "0 1001 001");
        assert_eq!(scale, 4.5 * f64::from((750.0 / 2688.0) as f32));
        assert_eq!(block(BlockFormat::Nvfp4, &[1e-3], 1e6), (0.0, "0 0000 000".to_owned(), vec![0.0]));
    }

    #[test]
    fn the_fifteen_numbers_of_e2m1_are_kept() {
        let all = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
        for (code, value) in all.into_iter().enumerate() {
            assert_eq!(FloatFormat::E2m1.holds(-value), -value);
            assert_eq!(FloatFormat::E2m1.digits(value).concat(), format!("{code:04b}"));
        }
        let held = [0.25, 0.26, 0.75, 1.25, 2.5, 3.5, 5.0, 5.1, 99.0].map(|value| FloatFormat::E2m1.holds(value));
        assert_eq!(held, [0.0, 0.5, 1.0, 1.0, 2.0, 4.0, 4.0, 6.0, 6.0]);
    }
}
