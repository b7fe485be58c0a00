//! The committed kernels, their launches and their products.

use crate::emulator::Product;
use ptx_emulator::{BufferId, Control, Kernel, Launch, Memory, Module, Options, Run, run};
use tutor_kernels::{Catalog, Geometry};

/// Loads the committed PTX of a kernel.
pub(crate) fn asset(name: &str) -> Kernel {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/ptx/{name}.ptx"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Module::parse(&text).and_then(|module| module.kernel(name)).unwrap_or_else(|fault| panic!("{name}: {fault}"))
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

/// Returns the launch of a kernel as the catalogue describes it, and the buffer of C.
pub(crate) fn launch(name: &str, product: &Product, memory: &mut Memory) -> (Launch, BufferId) {
    let [m, n, k] = [product.problem.m, product.problem.n, product.problem.k].map(|extent| extent as u32);
    let kernel = Catalog::built_in().kernel(name).unwrap();
    let Geometry { grid, block } = kernel.geometry(m, n, k).unwrap();
    let (launch, c) = product.launch(memory, block, grid);
    (Launch { dynamic_shared: kernel.shared_bytes.into(), ..launch }, c)
}

/// Returns C as a kernel computes it, and the run.
pub(crate) fn multiply(name: &str, product: &Product, options: &Options) -> (Vec<f32>, Run) {
    let mut memory = Memory::new();
    let (launch, c) = launch(name, product, &mut memory);
    let done = run(&asset(name), &launch, &mut memory, options, &Control::default());
    let done = done.unwrap_or_else(|fault| panic!("{name} {:?}: {fault}", product.problem));
    (memory.read_f32(c), done)
}
