//! The committed kernels, their launches and their products.

use ptx_emulator::{Control, Fault, Kernel, Memory, Module, Options, Run, run};
use ptx_emulator_tests::support::Product;

/// Loads the committed PTX of a kernel.
pub(crate) fn asset(name: &str) -> Kernel {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/ptx/{name}.ptx"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Module::parse(&text).and_then(|module| module.kernel(name)).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

/// Returns block and grid of each kernel, as in the catalogue.
pub(crate) fn geometry(name: &str, m: usize, n: usize) -> ([u32; 3], [u32; 3]) {
    let up = |extent: usize, by: usize| extent.div_ceil(by) as u32;
    match name {
        "sgemm_row_per_block" => ([1024, 1, 1], [m as u32, 1, 1]),
        _ if name.contains("naive") || name.contains("tiled32") => ([32, 32, 1], [up(n, 32), up(m, 32), 1]),
        _ => ([16, 16, 1], [up(n, 16), up(m, 16), 1]),
    }
}

pub(crate) const KERNELS: [&str; 14] = [
    "sgemm_naive_uncoalesced",
    "sgemm_naive_coalesced",
    "sgemm_row_per_block",
    "sgemm_tiled",
    "sgemm_tiled_padded",
    "sgemm_tiled_ptx",
    "sgemm_tiled_delayed",
    "sgemm_tiled32",
    "sgemm_tiled32_column",
    "sgemm_tiled32_column_padded",
    "sgemm_no_first_barrier",
    "sgemm_no_first_barrier_delayed",
    "sgemm_no_second_barrier",
    "sgemm_no_second_barrier_delayed",
];

pub(crate) fn multiply(name: &str, product: &Product, options: &Options) -> Result<(Vec<f32>, Run), Fault> {
    let (block, mut grid) = geometry(name, product.problem.m, product.problem.n);
    if name == "sgemm_naive_uncoalesced" {
        grid = [product.problem.n.div_ceil(32) as u32, product.problem.m.div_ceil(32) as u32, 1];
        // There, threads along x form rows.
        let most = grid[0].max(grid[1]);
        grid = [most, most, 1];
    }
    let mut memory = Memory::new();
    let (launch, c) = product.launch(&mut memory, block, grid);
    let result = run(&asset(name), &launch, &mut memory, options, &Control::default())?;
    Ok((memory.read_f32(c), result))
}
