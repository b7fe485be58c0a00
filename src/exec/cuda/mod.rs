/*! The GPU executor: the driver API through cudarc, loaded when it is first needed.

PTX is compiled by the driver, kernels are launched in the catalogue's geometry, times come
from CUDA events. Everything that can be missing or fail on a user's machine (library, driver
version, GPU, memory, a kernel's own faults) comes back as an error with help. A fault
poisons the context for good, and the process must end.
*/

mod blas;
mod driver;
mod load;
mod measure;
mod nvml;
mod reference;
mod run;

pub(super) use driver::CudaExecutor;
