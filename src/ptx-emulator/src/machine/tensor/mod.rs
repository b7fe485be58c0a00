/*! Instructions of the tensor cores, and those that move matrices between a warp's lanes and shared memory.
[`crate::program::tensor`] describes the instructions, and [`crate::arith::tensor`] their arithmetic.

| file | contains |
|---|---|
| `layout` | which lane holds which element, for callers |
| `matrix` | `ldmatrix`, `stmatrix`, `movmatrix` |
| `mma` | `mma.sync` |
| `sparse` | the places of a sparse A's elements |
| `integer_mma` | products of integers and of bits |
| `f64_mma` | products in double precision |
| `m8n8k4` | `mma` of 8×8×4 in half precision |
| `descriptor` | the location of a `wgmma` matrix in shared memory |
| `warpgroup` | `wgmma` |
*/

mod descriptor;
mod f64_mma;
mod integer_mma;
mod layout;
mod m8n8k4;
mod matrix;
mod mma;
mod sparse;
mod warpgroup;

pub use layout::{Fragment, Held};
pub(crate) use mma::Scratch;
