//! The extents of a product.

use serde::{Deserialize, Serialize};

/// Extents of `C[m×n] = alpha · A[m×k] · B[k×n] + beta · C`, row-major. In a batch of several products, each has its own A, B and C. The
/// matrices follow each other in memory without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Rows of A and C.
    pub m: u32,
    /// Columns of B and C.
    pub n: u32,
    /// Columns of A, rows of B.
    pub k: u32,
    /// Number of products.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub batch: u32,
}

fn one() -> u32 {
    1
}

// Serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_one(batch: &u32) -> bool {
    *batch == 1
}

impl Default for Shape {
    fn default() -> Self {
        Self::square(0)
    }
}

impl Shape {
    /// Makes the shape of one product.
    pub const fn new(m: u32, n: u32, k: u32) -> Self {
        Self { m, n, k, batch: 1 }
    }

    /// Makes the shape of a square product.
    pub const fn square(n: u32) -> Self {
        Self::new(n, n, n)
    }

    /// Returns the rows of C of all products.
    pub fn rows(self) -> u32 {
        self.m.saturating_mul(self.batch)
    }

    /// Returns the number of multiply-adds: `m·n·k` for each product.
    pub fn products(self) -> u64 {
        [self.m, self.n, self.k, self.batch].into_iter().map(u64::from).fold(1, u64::saturating_mul)
    }

    /// Returns the number of floating-point operations: `2·m·n·k` for each product.
    pub fn flop(self) -> f64 {
        2.0 * [self.m, self.n, self.k, self.batch].into_iter().map(f64::from).product::<f64>()
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { m, n, k, batch } = *self;
        if m == n && n == k { write!(f, "n = {n}") } else { write!(f, "m = {m}, n = {n}, k = {k}") }?;
        if batch == 1 { Ok(()) } else { write!(f, ", batch = {batch}") }
    }
}
