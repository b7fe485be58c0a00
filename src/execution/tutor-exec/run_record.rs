//! A run that is worth keeping.

/// A kernel that was run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    pub kernel: String,
    /// Rows of C, columns of C, length of the dot product.
    pub shape: [u32; 3],
    pub device: String,
    /// The driver's version; absent for the emulator.
    pub driver: Option<String>,
    /// A GPU's time per launch; absent for the emulator.
    pub median_ms: Option<f64>,
    /// True if the result was correct; absent if it was not compared.
    pub verified: Option<bool>,
}
