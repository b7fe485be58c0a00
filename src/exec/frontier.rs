//! Error against speed of FP32 products by several ways, as recorded in `assets/recorded/frontier.yaml`.

use serde::Deserialize;
use std::sync::LazyLock;

/// Square sizes at which errors were measured; times were at the last two.
pub const SIZES: [u32; 3] = [1024, 4096, 8192];

/// The recording.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frontier {
    /// As the driver names it.
    pub device: String,
    /// Driver version.
    pub driver: String,
    /// cuBLAS's version.
    pub cublas: String,
    /// Day, `YYYY-MM-DD`.
    pub date: String,
    /// From the library's, by more and more products.
    pub ways: Vec<Way>,
}

/// A way to compute an FP32 product.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// What it is called.
    pub name: String,
    /// Products of bf16 parts, where it is one of ours.
    #[serde(default)]
    pub products: Option<u32>,
    /// Whether their sums are added to FP32 sums of one's own every so many steps.
    #[serde(default)]
    pub promoted: bool,
    /// Of C against float64 as a norm, |C − R| / |R|, on normal random data, at each of [`SIZES`].
    pub error: [f64; 3],
    /// 2n³ over the median time in TFLOP/s, splitting included, at the last two of [`SIZES`].
    pub tflops: [f64; 2],
    /// The error on numbers between 0 and 1, at the size before the last.
    pub uniform: f64,
}

impl Frontier {
    /// The recording; none if its file cannot be read, which a test rules out.
    pub fn built_in() -> Option<&'static Self> {
        static ALL: LazyLock<Option<Frontier>> =
            LazyLock::new(|| tutor_base::yaml::read_typed(include_str!("../../assets/recorded/frontier.yaml")).ok());
        ALL.as_ref()
    }

    /// The most exact way that is neither slower nor less exact than the one at `at`, and better in one; none if that is
    /// on the frontier. `size` indexes [`Way::tflops`].
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

    /// As level 8 says.
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
