//! Makes random input matrices. They are the same on every device for the same seed.

use super::Shape;
use super::matrix::{POISON, encode, rounded};
use rayon::prelude::*;
use tutor_kernels::Elements;
use tutor_support::random::STEP;
pub use tutor_support::random::mix;

/// A, B and the old C, row-major and without gaps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inputs {
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    /// m×n: random if `beta` is not zero, else filled with poison.
    pub c: Vec<f64>,
}

impl Inputs {
    /// Makes random matrices for this shape and seed, with values of this type.
    ///
    /// Values are independent and uniform in (−1, 1) in steps of 2⁻²³ (FP64: 2⁻⁵²), then rounded to the type. They have both signs
    /// and are not integers. Zeros, integers or a single sign would hide errors, and would lower a GPU's power. Integers
    /// are uniform from -127 to 127.
    pub fn random(elements: Elements, shape: Shape, seed: u64, beta: f64) -> Self {
        let random = |count, stream| random(elements, count, seed, stream);
        let extent = |rows: u32, columns: u32| shape.batch as usize * rows as usize * columns as usize;
        let c = extent(shape.m, shape.n);
        Self {
            a: random(extent(shape.m, shape.k), 1),
            b: random(extent(shape.k, shape.n), 2),
            c: if beta == 0.0 { vec![POISON; c] } else { random(c, 3) },
        }
    }

    /// Encodes A, B and C as a launch of this element type stores them.
    pub fn encoded(&self, elements: Elements, shape: Shape) -> [Vec<u8>; 3] {
        let b = if elements.b_by_columns() {
            let products = self.b.chunks(shape.k as usize * shape.n as usize);
            products.flat_map(|b| encode(elements, &transposed(b, shape.n as usize))).collect()
        } else {
            encode(elements, &self.b)
        };
        [encode(elements, &self.a), b, encode(elements.result(), &self.c)]
    }
}

fn transposed(values: &[f64], columns: usize) -> Vec<f64> {
    (0..columns).into_par_iter().flat_map_iter(|column| values[column..].iter().step_by(columns).copied()).collect()
}

/// Makes random values from a counter, so that they depend neither on the number of threads nor on their order.
pub fn random(elements: Elements, count: usize, seed: u64, stream: u64) -> Vec<f64> {
    const CHUNK: usize = 1 << 16;
    let key = mix(seed ^ mix(stream));
    let mut values = vec![0.0; count];
    values.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, values)| {
        for (index, value) in (chunk as u64 * CHUNK as u64..).zip(values) {
            let bits = mix(key.wrapping_add(index.wrapping_mul(STEP)));
            // Odd multiples of 2^-steps: never zero, never ±1.
            let odd = |steps: i32| (2 * (bits >> (64 - steps)) as i64 + 1 - (1 << steps)) as f64 * 0.5f64.powi(steps);
            *value = match elements {
                Elements::S8 => (((bits >> 40) * 255) >> 24) as f64 - 127.0,
                Elements::F64 => odd(53),
                _ => rounded(elements, odd(24)),
            };
        }
    });
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::{decode, is_poison};

    const SHAPE: Shape = Shape::new(300, 70, 500);

    #[test]
    fn values_are_signed_centred_and_not_integers() {
        let a = Inputs::random(Elements::F32, SHAPE, 7, 0.0).a;
        assert!(a.iter().all(|v| v.abs() < 1.0 && *v != 0.0));
        let mean = a.iter().sum::<f64>() / a.len() as f64;
        let square = a.iter().map(|v| v.powi(2)).sum::<f64>() / a.len() as f64;
        assert!(mean.abs() < 0.01, "{mean}");
        assert!((square - 1.0 / 3.0).abs() < 0.01, "{square}");
    }

    #[test]
    fn a_seed_gives_the_same_matrices_and_another_seed_others() {
        assert_eq!(Inputs::random(Elements::F32, SHAPE, 7, 1.0), Inputs::random(Elements::F32, SHAPE, 7, 1.0));
        let (seven, eight) =
            (Inputs::random(Elements::F32, SHAPE, 7, 1.0), Inputs::random(Elements::F32, SHAPE, 8, 1.0));
        assert_ne!(seven.a, eight.a);
        assert_ne!(seven.a[..1000], seven.b[..1000]);
    }

    #[test]
    fn inputs_are_values_of_their_type() {
        let bf16 = Inputs::random(Elements::Bf16, SHAPE, 7, 1.0);
        for matrix in [&bf16.a, &bf16.b, &bf16.c] {
            assert!(matrix.iter().all(|value| value.to_bits() << 19 == 0 && *value != 0.0));
        }
    }

    #[test]
    fn doubles_use_all_their_bits_and_singles_have_the_values_that_recordings_compared() {
        let a = Inputs::random(Elements::F64, SHAPE, 7, 0.0).a;
        assert!(a.iter().all(|v| v.abs() < 1.0 && (v * 2f64.powi(53)) as i64 & 1 == 1));
        let single = Inputs::random(Elements::F32, SHAPE, 7, 0.0).a;
        assert!(a.iter().zip(&single).all(|(a, single)| (a - single).abs() < 2f64.powi(-23)));
        assert_eq!([single[0], single[1]], [11752789.0, 8034833.0].map(|odd| odd / f64::from(1 << 24)));
    }

    #[test]
    fn integers_reach_both_ends_of_their_range() {
        let a = Inputs::random(Elements::S8, SHAPE, 7, 0.0).a;
        let (least, largest) = a.iter().fold((0.0f64, 0.0f64), |(low, high), v| (low.min(*v), high.max(*v)));
        assert_eq!((least, largest), (-127.0, 127.0));
        assert!(a.iter().all(|value| value.fract() == 0.0));
        let mean = a.iter().sum::<f64>() / a.len() as f64;
        assert!(mean.abs() < 1.0, "{mean}");
    }

    #[test]
    fn b_of_eight_bits_is_stored_by_columns() {
        let inputs = Inputs { a: vec![1.0, 2.0], b: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], c: vec![0.5; 3] };
        let [a, b, c] = inputs.encoded(Elements::E4m3, Shape::new(1, 3, 2));
        assert_eq!((a.len(), c.len()), (2, 6));
        assert_eq!(decode(Elements::E4m3, &b), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    }

    #[test]
    fn c_is_poisoned_when_it_must_not_be_read() {
        assert!(Inputs::random(Elements::F32, SHAPE, 7, 0.0).c.iter().all(|v| is_poison(*v)));
        assert!(Inputs::random(Elements::F32, SHAPE, 7, 0.5).c.iter().all(|v| v.is_finite()));
    }
}
