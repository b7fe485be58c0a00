/*! Instructions of the tensor cores, and those that move matrices between a warp's lanes and shared memory.

| file | does |
|---|---|
| `format` | number formats of the operands |
| `dot` | the arithmetic, to the bit of the hardware |
| `form` | an instruction's operands: how many registers, which element is where |
| `layout` | which lane holds which element, for those who ask |
| `matrix` | `ldmatrix`, `stmatrix`, `movmatrix` |
| `mma` | `mma.sync` |
| `sparse` | where the elements of a sparse A stand |
| `whole` | products of whole numbers and of bits |
| `double` | products in double precision |
| `quads` | `mma` of 8×8×4 in half precision |
| `descriptor` | where `wgmma` finds a matrix in shared memory |
| `warpgroup` | `wgmma` |
*/

mod descriptor;
mod dot;
mod double;
mod form;
mod format;
mod layout;
mod matrix;
mod mma;
mod quads;
mod sparse;
mod warpgroup;
mod whole;

pub(crate) use form::{Form, Group, Kind, Matrices, Quads, Sparse, Tensor};
pub(crate) use format::{Accumulator, Float, Format};
pub use layout::{Fragment, Held};
pub(crate) use mma::Scratch;
