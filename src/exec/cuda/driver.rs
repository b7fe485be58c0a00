//! Finding the driver and the GPU, and what the driver's errors mean.

use super::blas::Blas;
use super::nvml::Nvml;
use crate::exec::job::{Executor, Job};
use crate::exec::protocol::{Device, DeviceKind, ExecError, ExecErrorKind};
use cudarc::driver::{CudaContext, CudaEvent, CudaStream, DriverError, sys};
use std::sync::Arc;

/// Oldest driver API that takes PTX 8.0: CUDA 12.0, driver 525.
const OLDEST_CUDA: i32 = 12_000;
const OLDEST_CAPABILITY: [u32; 2] = [7, 5];

/// The first GPU that the driver shows.
pub(in crate::exec) struct CudaExecutor {
    pub(super) context: Arc<CudaContext>,
    pub(super) stream: Arc<CudaStream>,
    pub(super) device: Device,
    /// How many multiprocessors it has.
    pub(super) multiprocessors: u32,
    /// Most shared memory that a block can have, static and dynamic together.
    pub(super) shared_limit: u32,
    /// cuBLAS, or why it cannot be used; looked for once.
    pub(super) blas: Result<Blas, String>,
    /// Clock and power, if they can be read.
    pub(super) nvml: Option<Nvml>,
    elapsed: ElapsedTime,
    cuda: String,
}

/// `cuEventElapsedTime`, or its successor: drivers before 12.8 have only the first.
type ElapsedTime = unsafe extern "C" fn(*mut f32, sys::CUevent, sys::CUevent) -> sys::CUresult;

impl CudaExecutor {
    /// Opens the GPU.
    ///
    /// # Errors
    /// With the kind `NoDevice` and what to do, if there is no driver, it is too old, or no GPU can be had.
    pub(in crate::exec) fn open() -> Result<Self, ExecError> {
        // cudarc panics where a symbol is missing; the driver's version is checked, but a stub may lack any.
        std::panic::catch_unwind(Self::try_open).unwrap_or_else(|_| {
            Err(no_device("The NVIDIA driver's library lacks a function that this program needs.")
                .help("Install NVIDIA's driver 525 or newer."))
        })
    }

    fn try_open() -> Result<Self, ExecError> {
        // SAFETY: loads the driver's library by its name, as any CUDA program does.
        if !unsafe { sys::is_culib_present() } {
            let message = "No NVIDIA driver was found (its library libcuda is not there).";
            return Err(no_device(message).help(
                "To use a GPU, install NVIDIA's driver 525 or newer; in a container, start it with GPU access. The emulator needs neither.",
            ));
        }
        let mut version = 0;
        // SAFETY: needs no initialisation; writes one int.
        unsafe { sys::cuDriverGetVersion(&raw mut version) }.result().map_err(|error| opening(&error))?;
        let cuda = format!("{}.{}", version / 1000, version % 1000 / 10);
        if version < OLDEST_CUDA {
            let message = format!("The NVIDIA driver is too old: it supports CUDA {cuda}, and 12.0 is needed.");
            return Err(no_device(message).help("Install NVIDIA's driver 525 or newer."));
        }
        let count = CudaContext::device_count().map_err(|error| opening(&error))?;
        if count < 1 {
            return Err(no_device("The NVIDIA driver is there, but it shows no GPU.").help(
                "Check `nvidia-smi` and the variable CUDA_VISIBLE_DEVICES; in a container, start it with GPU access.",
            ));
        }
        let context = CudaContext::new(0).map_err(|error| opening(&error))?;
        let name = context.name().map_err(|error| opening(&error))?;
        let (major, minor) = context.compute_capability().map_err(|error| opening(&error))?;
        let capability = [major.unsigned_abs(), minor.unsigned_abs()];
        if capability < OLDEST_CAPABILITY {
            let message = format!("{name} has compute capability {major}.{minor}; the kernels need 7.5 or newer.");
            return Err(no_device(message).help("Use a GPU of the Turing generation or newer, or the emulator."));
        }
        let attribute = |attribute| {
            let value = context.attribute(attribute).map_err(|error| opening(&error))?;
            Ok(u32::try_from(value).unwrap_or(0))
        };
        use sys::CUdevice_attribute as A;
        let multiprocessors = attribute(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let shared_limit = attribute(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
        let elapsed = elapsed_time().ok_or_else(|| no_device("The NVIDIA driver has no cuEventElapsedTime."))?;
        // SAFETY: all work is on one stream, so there is nothing to track between streams.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().map_err(|error| opening(&error))?;
        // In kHz; a driver that does not say has 0 here.
        let clock_mhz = attribute(A::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)? / 1000;
        let device = Device {
            kind: DeviceKind::Cuda,
            name,
            driver: kernel_module_version(),
            capability: Some(capability),
            multiprocessors: Some(multiprocessors),
            clock_mhz: Some(clock_mhz).filter(|mhz| *mhz > 0),
        };
        let nvml = Nvml::open(&context);
        Ok(Self {
            blas: Blas::open(&stream),
            context,
            stream,
            device,
            multiprocessors,
            shared_limit,
            nvml,
            elapsed,
            cuda,
        })
    }

    /// Newest CUDA version that the driver supports, e.g. `13.0`.
    pub(in crate::exec) fn cuda(&self) -> &str {
        &self.cuda
    }

    /// cuBLAS's version, or why it cannot be used.
    pub(in crate::exec) fn cublas(&self) -> Result<String, String> {
        self.blas.as_ref().map(Blas::version).map_err(Clone::clone)
    }

    /// Milliseconds between two events that have both happened.
    pub(super) fn elapsed_ms(&self, start: &CudaEvent, end: &CudaEvent) -> Result<f64, DriverError> {
        end.synchronize()?;
        let mut ms = 0.0f32;
        // SAFETY: both events are alive, were made with timing, and are recorded and complete.
        unsafe { (self.elapsed)(&raw mut ms, start.cu_event(), end.cu_event()) }.result()?;
        Ok(f64::from(ms))
    }
}

impl Executor for CudaExecutor {
    fn device(&self) -> &Device {
        &self.device
    }

    fn multiprocessors(&self) -> u32 {
        self.multiprocessors
    }

    fn run(&mut self, job: &Job) -> Result<(), ExecError> {
        super::run::run(self, job)
    }
}

fn elapsed_time() -> Option<ElapsedTime> {
    // SAFETY: the driver's library is there (checked above) and stays loaded for the life of the process.
    let library = unsafe { sys::culib() };
    ["cuEventElapsedTime_v2", "cuEventElapsedTime"].into_iter().find_map(|name| {
        // SAFETY: both have this signature.
        unsafe { library.get::<ElapsedTime>(name.as_bytes()) }.ok().map(|symbol| *symbol)
    })
}

/// The version of the kernel module, e.g. `580.95.05`; Linux only.
fn kernel_module_version() -> Option<String> {
    module_version_in(&std::fs::read_to_string("/proc/driver/nvidia/version").ok()?)
}

fn module_version_in(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("NVRM version"))?;
    let is_version = |word: &&str| {
        let parts: Vec<&str> = word.split('.').collect();
        (2..=3).contains(&parts.len()) && parts.iter().all(|part| part.parse::<u32>().is_ok())
    };
    line.split_whitespace().find(is_version).map(str::to_owned)
}

fn no_device(message: impl Into<String>) -> ExecError {
    ExecError::new(ExecErrorKind::NoDevice, message)
}

fn name_of(error: &DriverError) -> String {
    format!("{:?}", error.0)
}

fn opening(error: &DriverError) -> ExecError {
    use sys::CUresult as E;
    let name = name_of(error);
    match error.0 {
        E::CUDA_ERROR_NO_DEVICE => no_device("The NVIDIA driver is there, but it shows no GPU.")
            .help("Check `nvidia-smi` and the variable CUDA_VISIBLE_DEVICES."),
        E::CUDA_ERROR_DEVICE_UNAVAILABLE => {
            no_device(format!("The GPU is busy: another program has it for itself ({name})."))
                .help("Wait until it ends (`nvidia-smi` shows it), or use the emulator.")
        }
        E::CUDA_ERROR_OUT_OF_MEMORY => no_device(format!("The GPU has no memory left to start with ({name})."))
            .help("Close what uses its memory (`nvidia-smi` shows it), or use the emulator."),
        E::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH | E::CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE => {
            no_device(format!("The driver's library and its kernel module do not fit each other ({name})."))
                .help("Restart the computer after a driver update; in a container, use its host's driver libraries.")
        }
        E::CUDA_ERROR_STUB_LIBRARY => no_device(format!("The libcuda that was found is a stub for linking ({name})."))
            .help("Take the CUDA toolkit's `stubs` directory out of LD_LIBRARY_PATH."),
        _ => no_device(format!("The GPU cannot be opened: {name}.")).help("Check that `nvidia-smi` shows it."),
    }
}

/// What a driver error means in the middle of a launch; `doing` is a phrase such as `running sgemm_tiled`.
pub(super) fn failed(doing: &str, error: &DriverError) -> ExecError {
    use ExecErrorKind as Kind;
    use sys::CUresult as E;
    let name = name_of(error);
    let with =
        |kind, what: &str, help: &str| ExecError::new(kind, format!("While {doing}: {what} ({name}).")).help(help);
    let emulate = "Run it with `--on emulator`: it names the thread, the address and the source line.";
    match error.0 {
        E::CUDA_ERROR_ILLEGAL_ADDRESS | E::CUDA_ERROR_INVALID_ADDRESS_SPACE | E::CUDA_ERROR_INVALID_PC => {
            with(Kind::KernelFault, "a thread accessed memory that is not its own", emulate)
        }
        E::CUDA_ERROR_MISALIGNED_ADDRESS => {
            with(Kind::KernelFault, "an address is not a multiple of the access size", emulate)
        }
        E::CUDA_ERROR_LAUNCH_FAILED | E::CUDA_ERROR_HARDWARE_STACK_ERROR | E::CUDA_ERROR_ILLEGAL_INSTRUCTION => {
            with(Kind::KernelFault, "the kernel faulted", emulate)
        }
        E::CUDA_ERROR_ASSERT => with(Kind::KernelFault, "an assertion in the kernel failed", emulate),
        E::CUDA_ERROR_LAUNCH_TIMEOUT => with(
            Kind::TimedOut,
            "the driver stopped the kernel, because the GPU also drives a screen",
            "Choose a smaller size.",
        ),
        E::CUDA_ERROR_OUT_OF_MEMORY => with(
            Kind::OutOfMemory,
            "the GPU has no memory left",
            "Choose a smaller size, or close what else uses the GPU (`nvidia-smi` shows it).",
        ),
        E::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => with(
            Kind::Invalid,
            "this PTX is newer than the driver understands",
            "Update NVIDIA's driver, or compile with an older NVRTC: `pip install nvidia-cuda-nvrtc-cu12==12.0.140`.",
        ),
        E::CUDA_ERROR_INVALID_PTX => {
            with(Kind::Invalid, "the driver refuses the PTX", "Correct it, or compile it again.")
        }
        E::CUDA_ERROR_INVALID_CLUSTER_SIZE => with(
            Kind::Invalid,
            "the grid is no whole number of clusters, or the GPU cannot run clusters of this size",
            "Make each extent of the grid a multiple of the cluster's.",
        ),
        E::CUDA_ERROR_NO_BINARY_FOR_GPU => with(
            Kind::Invalid,
            "the PTX is for a newer GPU than this one",
            "Choose a kernel whose architecture this GPU has.",
        ),
        E::CUDA_ERROR_NOT_FOUND => {
            with(Kind::Invalid, "the PTX has no such entry", "Do not rename the kernel's function.")
        }
        E::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES => with(
            Kind::Invalid,
            "a block needs more registers or shared memory than the GPU has",
            "Use fewer threads a block, or less of either.",
        ),
        E::CUDA_ERROR_ECC_UNCORRECTABLE => with(
            Kind::KernelFault,
            "the GPU's memory is faulty",
            "Restart the computer; if it happens again, the GPU is broken.",
        ),
        _ => ExecError::new(Kind::KernelFault, format!("While {doing}: the driver says {name}.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drivers_version_is_read_from_both_kinds_of_module() {
        let closed = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\nGCC version:  gcc version 12.3.0\n";
        let open =
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build  (x@y)  Tue Sep 23\n";
        assert_eq!(module_version_in(closed).as_deref(), Some("535.183.01"));
        assert_eq!(module_version_in(open).as_deref(), Some("580.95.05"));
        assert_eq!(module_version_in("nothing"), None);
    }

    #[test]
    fn each_fault_says_what_to_do() {
        use sys::CUresult as E;
        for (code, kind, part) in [
            (E::CUDA_ERROR_ILLEGAL_ADDRESS, ExecErrorKind::KernelFault, "not its own"),
            (E::CUDA_ERROR_UNSUPPORTED_PTX_VERSION, ExecErrorKind::Invalid, "newer than the driver"),
            (E::CUDA_ERROR_OUT_OF_MEMORY, ExecErrorKind::OutOfMemory, "no memory left"),
            (E::CUDA_ERROR_LAUNCH_TIMEOUT, ExecErrorKind::TimedOut, "stopped the kernel"),
        ] {
            let error = failed("running sgemm_tiled", &DriverError(code));
            assert_eq!(error.kind, kind);
            assert!(error.message.contains(part) && error.help.is_some(), "{error:?}");
        }
        let busy = opening(&DriverError(E::CUDA_ERROR_DEVICE_UNAVAILABLE));
        assert!(busy.message.contains("busy"), "{busy:?}");
    }

    #[test]
    fn opening_never_panics_and_gives_a_reason_where_there_is_no_gpu() {
        if let Err(error) = CudaExecutor::open() {
            assert_eq!(error.kind, ExecErrorKind::NoDevice);
            assert!(error.help.is_some() && error.message.ends_with('.'), "{error:?}");
        }
    }
}
