//! Error and speed of several ways to compute FP32 products, as recorded in `assets/recorded/frontier.yaml`.

use serde::Deserialize;
use std::sync::LazyLock;

/// Square sizes at which errors were measured. Times were measured at the last two.
pub const SIZES: [u32; 3] = [1024, 4096, 8192];

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Frontier {
    /// Name of the GPU as the driver reports it.
    pub device: String,
    /// Version of the driver.
    pub driver: String,
    pub cublas: String,
    /// Date of the recording, `YYYY-MM-DD`.
    pub date: String,
    /// The ways: first the library's, then ours by increasing number of products.
    pub ways: Vec<Way>,
}

/// A way to compute an FP32 product.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Way {
    pub name: String,
    /// Number of products of bf16 parts, for one of our ways.
    pub products: Option<u32>,
    /// True if the tensor cores' sums are regularly added to separate FP32 sums.
    #[serde(default)]
    pub promoted: bool,
    /// Error of C compared with float64 as a norm, |C − R| / |R|, on normally distributed random data, at each of
    /// [`SIZES`].
    pub error: [f64; 3],
    /// 2n³ over the median time in TFLOP/s, splitting included, at the last two of [`SIZES`].
    pub tflops: [f64; 2],
    /// Error on numbers between 0 and 1, at the second-to-last size.
    pub uniform: f64,
}

impl Frontier {
    /// Returns the recording, or `None` if its file cannot be read, which a test rules out.
    pub fn built_in() -> Option<&'static Self> {
        static ALL: LazyLock<Option<Frontier>> = LazyLock::new(|| {
            tutor_support::yaml::read_typed(include_str!("../../../assets/recorded/frontier.yaml")).ok()
        });
        ALL.as_ref()
    }

    /// Returns the most exact way that is neither slower nor less exact than the way `at`, and better in one of the
    /// two. Returns `None` if the way `at` is on the frontier. `size` is an index into [`Way::tflops`].
    pub fn beaten_by(&self, at: usize, size: usize) -> Option<usize> {
        let of = |way: &Way| (way.tflops[size], way.error[size + 1]);
        let (speed, error) = of(self.ways.get(at)?);
        let beats = |other: &(f64, f64)| other.0 >= speed && other.1 <= error && *other != (speed, error);
        let all = self.ways.iter().map(of).enumerate().filter(|(_, other)| beats(other));
        all.min_by(|(_, a), (_, b)| a.1.total_cmp(&b.1)).map(|(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As level 8 states.
    #[test]
    fn at_8192_five_ways_are_on_the_frontier_and_cublas_is_not() {
        let known = Frontier::built_in().unwrap();
        let front: Vec<&str> = (0..known.ways.len())
            .filter(|at| known.beaten_by(*at, 1).is_none())
            .map(|at| known.ways[at].name.as_str())
            .collect();
        assert_eq!(
            front,
            ["cuBLAS TF32", "cuBLAS bf16, C in bf16", "3 products", "3 products, promoted", "6 products, promoted"]
        );
    }
}
