/*! The kernels: catalogue, sources and their regions, launch geometry, PTX, compilation.

`kernels/catalog.yaml` lists every kernel that the course launches; each has a `.cu`
file, whose named regions the lessons show, and one PTX file in `assets/ptx/` that NVRTC
made of it. The built-in set is part of the binary; a course directory may bring its own.
A kernel may come in [`Variants`]: the same file compiled with other constants. A PTX states what it was made of ([`Recipe`]);
one that was made of something else is not run.

```
use tutor_kernels::Catalog;
let catalog = Catalog::built_in();
let kernel = catalog.kernel("sgemm_tiled").ok_or("not there")?;
assert_eq!(kernel.geometry(100, 100, 7)?.grid, [7, 7, 1]);
assert!(kernel.source.region("tile load").is_some());
# Ok::<(), Box<dyn std::error::Error>>(())
```

Reading a kernel needs neither a GPU nor a compiler. [`nvrtc`] is the only part that
loads a library, and it needs no GPU either.
*/

#[cfg(feature = "cuda")]
pub mod build;
mod catalog;
mod edition;
mod elements;
mod files;
mod geometry;
mod kernel;
pub mod machine_code;
pub mod nvrtc;
mod origin;
mod read;
mod source;
mod variants;
mod written;

pub use catalog::{Catalog, CatalogProblem, MAX_KERNELS};
pub use edition::{CatalogEdition, KernelWords};
pub use elements::{Elements, Multiples, Needs, Swizzle, TensorMap, TensorMaps};
pub use files::{MAX_KERNEL_BYTES, MAX_KERNEL_FILES, MAX_SOURCE_BYTES};
pub use geometry::{Constants, Geometry, GeometryError, GridFormulas};
pub use kernel::{Arch, Contract, Kernel};
pub use origin::{MissingPtx, Recipe, stated_as};
pub use source::{Region, Source, SourceProblem};
pub use variants::{Axis, Impossible, Launch, Point, Variants};
pub use written::{
    AxisEntry, CatalogFile, Extent, HazardName, KernelEntry, TensorMapEntries, TensorMapEntry, VariantsEntry,
};

/// Multiprocessors of the emulator's device: what `SMS` is in a grid there.
pub const EMULATED_SMS: u32 = 4;
