//! Computes launch geometry from formulas of the shape, and checks the limits of every CUDA device.

use std::collections::BTreeMap;
use tutor_support::expr::{Expr, ExprError};
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// A kernel's macros and their values.
pub type Constants = BTreeMap<String, i32>;

/// Blocks and threads of a launch, `x` first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    /// Blocks per dimension.
    pub grid: [u32; 3],
    /// Threads per dimension of a block.
    pub block: [u32; 3],
}

impl Geometry {
    /// Returns the number of blocks in the launch.
    pub fn blocks(&self) -> u64 {
        self.grid.iter().map(|&extent| u64::from(extent)).product()
    }

    /// Returns the number of warps in the launch.
    pub fn warps(&self) -> u64 {
        self.blocks() * u64::from(self.block.iter().product::<u32>().div_ceil(32))
    }
}

/// One to three formulas that give the grid, from `M`, `N`, `K`, `BATCH`, `SMS` and a kernel's constants.
#[derive(Debug, Clone, PartialEq)]
pub struct GridFormulas {
    axes: Vec<Expr>,
    constants: Constants,
}

/// Variables of a grid formula, besides a kernel's constants.
const NAMES: [&str; 5] = ["M", "N", "K", "BATCH", "SMS"];

/// Why a kernel cannot be launched in this shape.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", Sentence::from(self))]
pub enum GeometryError {
    /// A formula cannot be parsed.
    Formula(String, ExprError),
    /// A formula uses an unknown variable.
    Name { formula: String, name: String },
    /// The number of formulas is not 1, 2 or 3.
    Count(usize),
    /// An extent of the product is 0 or too large.
    Extent {
        /// `M`, `N`, `K` or `BATCH`.
        name: &'static str,
        extent: u32,
    },
    /// The grid cannot be computed for this shape.
    Grid(ExprError),
    /// The grid is empty or larger than CUDA allows.
    Blocks {
        /// Dimension of the grid, 0 to 2.
        axis: usize,
        /// The computed number of blocks.
        blocks: i64,
    },
    /// No device can launch a block of this size.
    Block([u32; 3]),
}

impl From<&GeometryError> for Sentence {
    fn from(error: &GeometryError) -> Self {
        match error {
            GeometryError::Formula(formula, error) => Sentence::from(format!("`{formula}`: ")) + error.message.clone(),
            GeometryError::Name { formula, name } => sentence!("kernels-grid-name", formula, name),
            GeometryError::Count(count) => sentence!("kernels-grid-count", count),
            GeometryError::Extent { name, extent } => {
                sentence!("kernels-extent", name, extent, most = MAX_EXTENT)
            }
            GeometryError::Grid(error) => sentence!("kernels-grid-not-computed", why = error.message),
            GeometryError::Blocks { axis, blocks } => {
                sentence!("kernels-grid-size", axis = ["x", "y", "z"][*axis], blocks, most = MAX_GRID[*axis])
            }
            GeometryError::Block([x, y, z]) => {
                sentence!("kernels-block", block = format!("{x}×{y}×{z}"), most = MAX_BLOCK_THREADS)
            }
        }
    }
}

/// Maximum grid size of every device since compute capability 3.0 (CUDA C++ Programming Guide, technical
/// specifications).
const MAX_GRID: [i64; 3] = [i32::MAX as i64, 65_535, 65_535];
const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
const MAX_BLOCK_THREADS: u64 = 1024;

/// Maximum extent of a matrix. The kernels' `int` indices run one tile past the edge and must not overflow.
pub const MAX_EXTENT: u32 = 1 << 30;

impl GridFormulas {
    /// Parses one to three formulas.
    ///
    /// # Errors
    /// The first error, with the index of its formula.
    pub fn parse<'a>(
        formulas: impl IntoIterator<Item = &'a str>,
        constants: &Constants,
    ) -> Result<Self, (usize, GeometryError)> {
        let mut parsed = Vec::new();
        for (index, formula) in formulas.into_iter().enumerate() {
            let fault = |error: ExprError| (index, GeometryError::Formula(formula.to_owned(), error));
            let expr = Expr::parse(formula).map_err(fault)?;
            let known = |name: &str| NAMES.contains(&name) || constants.contains_key(name);
            if let Some(name) = expr.variables().into_iter().find(|name| !known(name)) {
                let (formula, name) = (formula.to_owned(), name.to_owned());
                return Err((index, GeometryError::Name { formula, name }));
            }
            parsed.push(expr);
        }
        if parsed.is_empty() || parsed.len() > 3 {
            return Err((0, GeometryError::Count(parsed.len())));
        }
        Ok(Self { axes: parsed, constants: constants.clone() })
    }

    /// Computes the geometry for products C[m×n] = A[m×k] · B[k×n], with `shape` = `[m, n, k, batch]`, on a device with
    /// `sms` SMs.
    ///
    /// # Errors
    /// If an extent is 0 or too large, or the grid or block exceeds what CUDA can launch.
    pub fn geometry(&self, block: [u32; 3], shape: [u32; 4], sms: u32) -> Result<Geometry, GeometryError> {
        let [m, n, k, batch] = shape;
        for (name, extent) in [("M", m), ("N", n), ("K", k), ("BATCH", batch)] {
            if extent == 0 || extent > MAX_EXTENT {
                return Err(GeometryError::Extent { name, extent });
            }
        }
        check_block(block)?;
        let value = |name: &str| match name {
            "M" => Some(i64::from(m)),
            "N" => Some(i64::from(n)),
            "K" => Some(i64::from(k)),
            "BATCH" => Some(i64::from(batch)),
            "SMS" => Some(i64::from(sms)),
            _ => self.constants.get(name).map(|value| i64::from(*value)),
        };
        let mut grid = [1; 3];
        for (axis, formula) in self.axes.iter().enumerate() {
            let blocks = formula.integer(&value).map_err(GeometryError::Grid)?;
            if blocks < 1 || blocks > MAX_GRID[axis] {
                return Err(GeometryError::Blocks { axis, blocks });
            }
            grid[axis] = u32::try_from(blocks).unwrap_or(u32::MAX);
        }
        Ok(Geometry { grid, block })
    }
}

/// Checks a block against the limits of every CUDA device.
///
/// # Errors
/// If an extent is 0 or too large, or the block has more than 1024 threads.
pub(super) fn check_block(block: [u32; 3]) -> Result<(), GeometryError> {
    let threads: u64 = block.iter().map(|&extent| u64::from(extent)).product();
    let within = block.iter().zip(MAX_BLOCK).all(|(&extent, limit)| (1..=limit).contains(&extent));
    if within && threads <= MAX_BLOCK_THREADS {
        return Ok(());
    }
    Err(GeometryError::Block(block))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ragged_shape_rounds_up_to_whole_blocks() {
        let grid = GridFormulas::parse(["ceil_div(N, 16)", "ceil_div(M, 16)"], &Constants::new()).unwrap();
        let geometry = grid.geometry([16, 16, 1], [17, 100, 3, 1], 4).unwrap();
        assert_eq!(geometry, Geometry { grid: [7, 2, 1], block: [16, 16, 1] });
        assert_eq!(geometry.blocks(), 14);
    }

    #[test]
    fn what_cuda_cannot_launch_is_refused_with_the_numbers() {
        let grid = GridFormulas::parse(["ceil_div(N, 16)", "ceil_div(M, 16)"], &Constants::new()).unwrap();
        for (block, m, n, k, part) in [
            ([16, 16, 1], 0, 1, 1, "M is 0"),
            ([16, 16, 1], 1, 1, u32::MAX, "K is 4,294,967,295"),
            ([16, 16, 1], 16 * 65_536, 1, 1, "65,536 blocks in y"),
            ([32, 33, 1], 1, 1, 1, "32×33×1 threads"),
            ([1, 1, 65], 1, 1, 1, "at most 64 in z"),
            ([0, 1, 1], 1, 1, 1, "at least 1"),
        ] {
            let error = grid.geometry(block, [m, n, k, 1], 4).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    #[test]
    fn formulas_know_the_shape_and_nothing_else() {
        for (formulas, part) in
            [(vec!["Q"], "uses `Q`"), (vec!["M +"], "found the end"), (vec![], "not 0"), (vec!["1"; 4], "not 4")]
        {
            let (_, error) = GridFormulas::parse(formulas, &Constants::new()).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    #[test]
    fn a_persistent_kernel_has_a_grid_of_the_devices_multiprocessors_and_its_own_constants() {
        let constants = Constants::from([("BM".to_owned(), 128)]);
        let grid = GridFormulas::parse(["min(SMS, BATCH * ceil_div(M, BM) * ceil_div(N, 256))"], &constants).unwrap();
        let blocks = |shape, sms| grid.geometry([128, 1, 1], shape, sms).unwrap().blocks();
        assert_eq!(blocks([4096, 4096, 64, 1], 132), 132);
        assert_eq!(blocks([130, 256, 64, 3], 132), 6);
    }
}
