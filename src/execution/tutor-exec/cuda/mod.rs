/*! The GPU executor. It uses the driver API through cudarc, loaded when it is first needed.

The driver compiles the PTX. Kernels are launched with the catalogue's geometry, and CUDA events give the times.
Anything that can be missing or fail on a user's machine (library, driver version, GPU, memory, faults in a kernel) is
returned as an error with help. After a fault, the context cannot be used any more, and the process must end.

cudarc panics if it calls a library that is missing. Therefore each library is probed before its first use.
*/

mod baseline;
mod blas;
mod buffers;
mod driver;
mod graph;
mod launch;
mod load;
mod lt;
mod measure;
mod nvml;
mod reference;
mod run;

pub(super) use driver::CudaExecutor;
