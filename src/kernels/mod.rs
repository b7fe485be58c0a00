/*! The kernels: catalogue, sources and their regions, launch geometry, PTX, compilation.

`kernels/catalog.yaml` lists every kernel that the course launches; each has one `.cu`
file, whose named regions the lessons show, and one PTX file in `assets/ptx/` that NVRTC
made of it. The built-in set is part of the binary; a course directory may bring its own.

```
use matmul_tutor::kernels::Catalog;
let catalog = Catalog::built_in();
let kernel = catalog.kernel("sgemm_tiled").ok_or("not there")?;
assert_eq!(kernel.geometry(100, 100, 7)?.grid, [7, 7, 1]);
assert!(kernel.source.region("tile load").is_some());
# Ok::<(), Box<dyn std::error::Error>>(())
```

Reading a kernel needs neither a GPU nor a compiler. [`nvrtc`] is the only part that
loads a library, and it needs no GPU either.
*/

mod catalog;
mod geometry;
#[cfg(feature = "cuda")]
pub mod nvrtc;
mod source;

pub use catalog::{Catalog, CatalogFile, CatalogProblem, HazardName, Kernel, KernelEntry};
pub use geometry::{Geometry, GeometryError, GridFormulas};
pub use source::{Region, Source, SourceProblem};
