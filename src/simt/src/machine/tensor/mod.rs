/*! Instructions of the tensor cores, and those that move matrices between a warp's lanes and shared memory. What an instruction of
theirs is, stands in [`crate::program::tensor`]; its arithmetic in [`crate::arith::tensor`].

| file | does |
|---|---|
| `layout` | which lane holds which element, for those who ask |
| `matrix` | `ldmatrix`, `stmatrix`, `movmatrix` |
| `mma` | `mma.sync` |
| `sparse` | where the elements of a sparse A stand |
| `integer_mma` | products of whole numbers and of bits |
| `f64_mma` | products in double precision |
| `quads` | `mma` of 8×8×4 in half precision |
| `descriptor` | where `wgmma` finds a matrix in shared memory |
| `warpgroup` | `wgmma` |
*/

mod descriptor;
mod f64_mma;
mod integer_mma;
mod layout;
mod matrix;
mod mma;
mod quads;
mod sparse;
mod warpgroup;

pub use layout::{Fragment, Held};
pub(crate) use mma::Scratch;
