//! Options that describe the product that a kernel computes.

use super::bounds::size;
use crate::prelude::*;
use tutor_exec::protocol::Shape;

/// Shape and scales of a product.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Product {
    /// Square size: M = N = K.
    #[arg(long, value_name = "N", conflicts_with_all = ["m", "n", "k"], value_parser = size, allow_negative_numbers = true)]
    size: Option<u32>,
    /// Rows of A and C.
    #[arg(long, value_name = "M", requires_all = ["n", "k"], value_parser = size, allow_negative_numbers = true)]
    m: Option<u32>,
    /// Columns of B and C.
    #[arg(long, value_name = "N", requires_all = ["m", "k"], value_parser = size, allow_negative_numbers = true)]
    n: Option<u32>,
    /// Columns of A, rows of B. At least 1, unlike in BLAS.
    #[arg(long, value_name = "K", requires_all = ["m", "n"], value_parser = size, allow_negative_numbers = true)]
    k: Option<u32>,
    /// Number of products of this shape, whose matrices follow each other in memory. For kernels such as bf16_batched.
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = size, allow_negative_numbers = true)]
    batch: u32,
    /// Factor for the product A B. If it is 0, the kernels still read A and B, unlike BLAS.
    #[arg(long, default_value_t = 1.0, allow_hyphen_values = true)]
    pub(crate) alpha: f64,
    /// Factor for the old C.
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    pub(crate) beta: f64,
}

impl Product {
    /// Returns the requested shape, or a square one of the default size.
    pub(crate) fn shape(&self, default: u32) -> Shape {
        let shape = match (self.m, self.n, self.k) {
            (Some(m), Some(n), Some(k)) => Shape::new(m, n, k),
            _ => Shape::square(self.size.unwrap_or(default)),
        };
        Shape { batch: self.batch, ..shape }
    }

    /// Reports scales that are not finite numbers.
    pub(crate) fn refused(&self) -> Option<Exit> {
        let finite = self.alpha.is_finite() && self.beta.is_finite();
        (!finite).then(|| failure(Exit::Usage, t!("cli-run-not-finite"), None))
    }
}
