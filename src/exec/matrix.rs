/*! Converts matrices between `f32` on the host and the launch's element type on the device.

The host stores every matrix in `f32`, rounded to the element type. So the kernel and the reference use exactly the same
numbers. Poison is a NaN of the element type that is not the result of any arithmetic. It is decoded as [`POISON`].
*/

use super::input::POISON;
use half::{bf16, f16};
use rayon::prelude::*;
use tutor_kernels::Elements;

/// Poison of both 16-bit types: a NaN in both, and different from the NaN that the hardware produces (0x7fff).
const POISON_16: u16 = 0x7fad;
/// Number of elements that a thread converts at a time.
const CHUNK: usize = 1 << 16;

/// Rounds to the nearest value of this type (ties to even).
pub fn rounded(elements: Elements, value: f32) -> f32 {
    match elements {
        Elements::F32 | Elements::Tf32 => value,
        Elements::F16 => f16::from_f32(value).to_f32(),
        Elements::Bf16 => bf16::from_f32(value).to_f32(),
    }
}

/// Encodes a matrix for device memory, little-endian.
pub fn encode(elements: Elements, values: &[f32]) -> Vec<u8> {
    let width = elements.bytes() as usize;
    let mut bytes = vec![0; values.len() * width];
    bytes.par_chunks_mut(CHUNK * width).zip(values.par_chunks(CHUNK)).for_each(|(bytes, values)| {
        for (bytes, value) in bytes.chunks_exact_mut(width).zip(values) {
            match bits_16(elements, *value) {
                Some(bits) => bytes.copy_from_slice(&bits.to_le_bytes()),
                None => bytes.copy_from_slice(&value.to_le_bytes()),
            }
        }
    });
    bytes
}

fn bits_16(elements: Elements, value: f32) -> Option<u16> {
    match elements {
        Elements::F32 | Elements::Tf32 => None,
        Elements::F16 | Elements::Bf16 if value.to_bits() == POISON => Some(POISON_16),
        Elements::F16 => Some(f16::from_f32(value).to_bits()),
        Elements::Bf16 => Some(bf16::from_f32(value).to_bits()),
    }
}

/// Decodes a matrix for the host. A 16-bit NaN becomes the canonical NaN or [`POISON`].
pub fn decode(elements: Elements, bytes: &[u8]) -> Vec<f32> {
    let single = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
    let half = |b: &[u8]| {
        let bits = u16::from_le_bytes([b[0], b[1]]);
        let value =
            if elements == Elements::F16 { f16::from_bits(bits).to_f32() } else { bf16::from_bits(bits).to_f32() };
        match bits {
            POISON_16 => f32::from_bits(POISON),
            _ if value.is_nan() => f32::NAN,
            _ => value,
        }
    };
    match elements {
        Elements::F32 | Elements::Tf32 => bytes.par_chunks_exact(4).map(single).collect(),
        Elements::F16 | Elements::Bf16 => bytes.par_chunks_exact(2).map(half).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_type_come_back_as_they_were() {
        let values = [0.0, -0.0, 1.0, -0.375, 2.0f32.powi(-20), 1024.0, f32::INFINITY, f32::NEG_INFINITY];
        for elements in Elements::ALL {
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
            (Elements::F16, 1.0 + 2.0f32.powi(-11), 1.0),
            (Elements::F16, 1.0 + 3.0 * 2.0f32.powi(-11), 1.0 + 2.0f32.powi(-9)),
            (Elements::F16, 65_520.0, f32::INFINITY),
            (Elements::Bf16, 1.0 + 2.0f32.powi(-8), 1.0),
            (Elements::Bf16, 1.0 + 3.0 * 2.0f32.powi(-8), 1.0 + 2.0f32.powi(-6)),
            (Elements::Tf32, 0.1, 0.1),
        ] {
            assert_eq!(rounded(elements, value), expected, "{elements} {value}");
            assert_eq!(decode(elements, &encode(elements, &[value])), [expected], "{elements} {value}");
        }
    }

    #[test]
    fn poison_is_told_from_every_other_nan() {
        for elements in Elements::ALL {
            let back = decode(elements, &encode(elements, &[f32::from_bits(POISON), f32::NAN]));
            assert_eq!(back[0].to_bits(), POISON, "{elements}");
            assert!(back[1].is_nan() && back[1].to_bits() != POISON, "{elements}");
        }
        for elements in [Elements::F16, Elements::Bf16] {
            let from_hardware = decode(elements, &0x7fffu16.to_le_bytes())[0];
            assert!(from_hardware.is_nan() && from_hardware.to_bits() != POISON);
        }
    }
}
