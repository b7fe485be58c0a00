//! The extents of a product.

use serde::{Deserialize, Serialize};

/// Extents of `C[m×n] = alpha · A[m×k] · B[k×n] + beta · C`, row-major.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Rows of A and C.
    pub m: u32,
    /// Columns of B and C.
    pub n: u32,
    /// Columns of A, rows of B.
    pub k: u32,
}

impl Shape {
    /// Makes the shape of a square product.
    pub const fn square(n: u32) -> Self {
        Self { m: n, n, k: n }
    }

    /// Returns the number of multiply-adds of the product: `m·n·k`.
    pub fn products(self) -> u64 {
        u64::from(self.m).saturating_mul(u64::from(self.n)).saturating_mul(u64::from(self.k))
    }

    /// Returns the number of floating-point operations of the product: `2·m·n·k`.
    pub fn flop(self) -> f64 {
        2.0 * f64::from(self.m) * f64::from(self.n) * f64::from(self.k)
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { m, n, k } = *self;
        if m == n && n == k { write!(f, "n = {n}") } else { write!(f, "m = {m}, n = {n}, k = {k}") }
    }
}
