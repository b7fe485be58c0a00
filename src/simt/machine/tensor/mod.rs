/*! Instructions of the tensor cores, and those that move matrices between a warp's lanes and shared memory.

| file | does |
|---|---|
| `format` | number formats of the operands |
| `dot` | the arithmetic, to the bit of the hardware |
| `form` | an instruction's operands: how many registers, which element is where |
| `matrix` | `ldmatrix`, `stmatrix`, `movmatrix` |
| `mma` | `mma.sync` |
| `descriptor` | where `wgmma` finds a matrix in shared memory |
| `warpgroup` | `wgmma` |
*/

mod descriptor;
mod dot;
mod form;
mod format;
mod matrix;
mod mma;
mod warpgroup;

pub(crate) use form::{Form, Group, Kind, Matrices, Tensor};
pub(crate) use format::{Accumulator, Float, Format};
pub(crate) use mma::Scratch;
