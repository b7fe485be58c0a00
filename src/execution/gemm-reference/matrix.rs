/*! Converts matrices between `f64` on the host and the launch's element type on the device.

`f64` holds every value of every type, also of 32-bit integers. The host stores every input rounded to the element type. So the
kernel and the reference use exactly the same numbers. Poison is a NaN of the element type that is not the result of any arithmetic.
Integers have the minimum for NaN: no input is that, and no sum reaches it ([`Elements::max_k`]). On the host, poison is [`POISON`],
and [`is_poison`] recognises it.
*/

use half::{bf16, f16};
use rayon::prelude::*;
use tutor_kernels::Elements;

/// The value that fills C before a launch that must not read it. This NaN is not the result of any arithmetic. So an
/// element that was never written differs from one whose result is NaN.
pub const POISON: f64 = f64::from_bits(0x7ff8_1bd5_a000_0000);

/// Poison of FP64 on a device: a signalling NaN. Arithmetic makes each NaN a quiet one but keeps its other bits.
const POISON_64: u64 = 0x7ff0_dead_dead_dead;
/// Poison of FP32 and TF32.
const POISON_32: u32 = 0x7fc0_dead;
/// Poison of both 16-bit types: a NaN in both, and different from the NaN that the hardware produces (0x7fff).
const POISON_16: u16 = 0x7fad;
/// Number of elements that a thread converts at a time.
const CHUNK: usize = 1 << 16;

/// True if a decoded element was never written.
pub fn is_poison(value: f64) -> bool {
    value.to_bits() == POISON.to_bits()
}

/// Rounds to the nearest value of this type (ties to even).
pub fn rounded(elements: Elements, value: f64) -> f64 {
    match elements {
        Elements::F64 => value,
        Elements::F32 | Elements::Tf32 => f64::from(value as f32),
        // `half` drops bits of an f64 before it rounds.
        Elements::F16 => f16::from_f32(value as f32).to_f64(),
        Elements::Bf16 => bf16::from_f32(value as f32).to_f64(),
        Elements::E4m3 => from_e4m3(to_e4m3(value)),
        Elements::S8 => f64::from(value.round_ties_even() as i8),
        Elements::S32 => f64::from(value.round_ties_even() as i32),
    }
}

/// Rounds to E4M3 as `cvt.rn.satfinite` does (PTX ISA): to nearest even, and to 448 if the value is larger. There are
/// no infinities.
fn to_e4m3(value: f64) -> u8 {
    let (sign, size) = (u8::from(value.is_sign_negative()) << 7, value.abs());
    if size.is_nan() {
        return sign | 0x7f;
    }
    // Below 2^-6 the distance between neighbours is 2^-9.
    let exponent = (((size.to_bits() >> 52) as i32) - 1023).clamp(-6, 8);
    let steps = (size.min(448.0) * 2f64.powi(3 - exponent)).round_ties_even() as i32;
    // `steps` counts from 8, the power of two itself. If rounding makes it 16, it carries into the exponent.
    sign | ((exponent + 6) * 8 + steps).min(0x7e) as u8
}

fn from_e4m3(bits: u8) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 3 & 15), f64::from(bits & 7));
    let size = match (exponent, bits & 7) {
        (15, 7) => f64::NAN,
        (0, _) => fraction * 2f64.powi(-9),
        _ => (8.0 + fraction) * 2f64.powi(exponent - 10),
    };
    if bits >> 7 == 0 { size } else { -size }
}

/// Encodes a matrix for device memory, little-endian.
pub fn encode(elements: Elements, values: &[f64]) -> Vec<u8> {
    let width = elements.bytes() as usize;
    let mut bytes = vec![0; values.len() * width];
    bytes.par_chunks_mut(CHUNK * width).zip(values.par_chunks(CHUNK)).for_each(|(bytes, values)| {
        for (bytes, &value) in bytes.chunks_exact_mut(width).zip(values) {
            let whole = |least: i32| if value.is_nan() { least } else { value.round_ties_even() as i32 };
            let poison = is_poison(value);
            match elements {
                Elements::F64 if poison => bytes.copy_from_slice(&POISON_64.to_le_bytes()),
                Elements::F32 | Elements::Tf32 if poison => bytes.copy_from_slice(&POISON_32.to_le_bytes()),
                Elements::F16 | Elements::Bf16 if poison => bytes.copy_from_slice(&POISON_16.to_le_bytes()),
                Elements::F64 => bytes.copy_from_slice(&value.to_le_bytes()),
                Elements::F32 | Elements::Tf32 => bytes.copy_from_slice(&(value as f32).to_le_bytes()),
                Elements::F16 => bytes.copy_from_slice(&f16::from_f32(value as f32).to_le_bytes()),
                Elements::Bf16 => bytes.copy_from_slice(&bf16::from_f32(value as f32).to_le_bytes()),
                Elements::E4m3 => bytes[0] = to_e4m3(value),
                Elements::S8 => bytes[0] = whole(i8::MIN.into()) as u8,
                Elements::S32 => bytes.copy_from_slice(&whole(i32::MIN).to_le_bytes()),
            }
        }
    });
    bytes
}

/// Decodes a matrix for the host. A NaN becomes the canonical NaN, or poison if it is that ([`is_poison`]).
pub fn decode(elements: Elements, bytes: &[u8]) -> Vec<f64> {
    let decoded = |poison: bool, value: f64| match value.is_nan() {
        _ if poison => POISON,
        true => f64::NAN,
        false => value,
    };
    let double = |bits: u64| decoded(bits == POISON_64, f64::from_bits(bits));
    let single = |bits: u32| decoded(bits == POISON_32, f32::from_bits(bits).into());
    let integer = |value: i32| decoded(value == i32::MIN, value.into());
    let half = |bits: u16| decoded(bits == POISON_16, f16::from_bits(bits).into());
    let brain = |bits: u16| decoded(bits == POISON_16, bf16::from_bits(bits).into());
    let (doubles, words, halves) = (bytes.as_chunks().0, bytes.as_chunks().0, bytes.as_chunks().0);
    match elements {
        Elements::F64 => doubles.par_iter().map(|bits| double(u64::from_le_bytes(*bits))).collect(),
        Elements::F32 | Elements::Tf32 => words.par_iter().map(|bits| single(u32::from_le_bytes(*bits))).collect(),
        Elements::F16 => halves.par_iter().map(|bits| half(u16::from_le_bytes(*bits))).collect(),
        Elements::Bf16 => halves.par_iter().map(|bits| brain(u16::from_le_bytes(*bits))).collect(),
        Elements::E4m3 => bytes.par_iter().map(|bits| from_e4m3(*bits)).collect(),
        Elements::S8 => bytes.par_iter().map(|bits| f64::from(*bits as i8)).collect(),
        Elements::S32 => words.par_iter().map(|bits| integer(i32::from_le_bytes(*bits))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_type_come_back_as_they_were() {
        let values = [0.0, -0.0, 1.0, -0.375, 2.0f64.powi(-20), 1024.0, f64::INFINITY, f64::NEG_INFINITY];
        for elements in [Elements::F32, Elements::Tf32, Elements::F16, Elements::Bf16] {
            let bytes = encode(elements, &values);
            assert_eq!(bytes.len(), values.len() * elements.bytes() as usize);
            let back = decode(elements, &bytes);
            for (value, back) in values.iter().zip(&back) {
                // 2^-20 is a subnormal number in half precision, and exact there too.
                assert_eq!(value.to_bits(), back.to_bits(), "{elements} {value}");
            }
        }
    }

    #[test]
    fn rounding_is_to_the_nearest_and_to_even() {
        for (elements, value, expected) in [
            (Elements::F16, 1.0 + 2.0f64.powi(-11), 1.0),
            (Elements::F16, 1.0 + 3.0 * 2.0f64.powi(-11), 1.0 + 2.0f64.powi(-9)),
            (Elements::F16, 65_520.0, f64::INFINITY),
            (Elements::Bf16, 1.0 + 2.0f64.powi(-8), 1.0),
            (Elements::Bf16, 1.0 + 3.0 * 2.0f64.powi(-8), 1.0 + 2.0f64.powi(-6)),
            (Elements::Tf32, 0.1, f64::from(0.1f32)),
            (Elements::E4m3, 1.0625, 1.0),
            (Elements::E4m3, -1.1875, -1.25),
            (Elements::E4m3, 15.6, 16.0),
            (Elements::E4m3, 2.0f64.powi(-10), 0.0),
            (Elements::E4m3, 3.0 * 2.0f64.powi(-10), 2.0f64.powi(-8)),
            (Elements::E4m3, f64::INFINITY, 448.0),
        ] {
            assert_eq!(rounded(elements, value), expected, "{elements} {value}");
            assert_eq!(decode(elements, &encode(elements, &[value])), [expected], "{elements} {value}");
        }
    }

    #[test]
    fn eight_bits_come_back_as_they_were() {
        for bits in 0..=255 {
            assert_eq!(to_e4m3(from_e4m3(bits)), bits);
            let integer = decode(Elements::S8, &[bits])[0];
            assert_eq!((integer, encode(Elements::S8, &[integer])), (f64::from(bits as i8), vec![bits]));
        }
    }

    #[test]
    fn results_of_integers_come_back_as_they_were() {
        let sums = [0, -1, i32::MAX, -i32::MAX, 0x7fc0_dead, 16_777_217];
        let bytes: Vec<u8> = sums.iter().flat_map(|sum: &i32| sum.to_le_bytes()).collect();
        assert_eq!(decode(Elements::S32, &bytes), sums.map(f64::from));
    }

    #[test]
    fn poison_is_told_from_every_other_nan() {
        for elements in Elements::ALL.map(Elements::result) {
            let back = decode(elements, &encode(elements, &[POISON, f64::NAN]));
            assert!(is_poison(back[0]), "{elements}");
            assert!(back[1].is_nan() && is_poison(back[1]) == (elements == Elements::S32), "{elements}");
        }
        for elements in [Elements::F16, Elements::Bf16] {
            let from_hardware = decode(elements, &0x7fffu16.to_le_bytes())[0];
            assert!(from_hardware.is_nan() && !is_poison(from_hardware));
        }
    }
}
