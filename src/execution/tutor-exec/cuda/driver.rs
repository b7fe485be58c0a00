//! Finds the driver and the GPU, and explains the driver's errors.

use super::blas::Blas;
use super::nvml::Nvml;
use crate::prelude::*;
use cudarc::driver::{CudaContext, CudaEvent, CudaFunction, CudaStream, DriverError, sys};
use cudarc::nvrtc::Ptx;
use std::cell::OnceCell;
use tutor_kernels::nvrtc::is_static;

/// Oldest driver API that accepts PTX 8.0: CUDA 12.0, driver 525.
const OLDEST_CUDA: i32 = 12_000;
const OLDEST_CAPABILITY: [u32; 2] = [7, 5];

/// The first GPU that the driver reports.
pub(crate) struct CudaExecutor {
    pub(super) context: Arc<CudaContext>,
    pub(super) stream: Arc<CudaStream>,
    pub(super) device: Device,
    pub(super) multiprocessors: u32,
    /// Maximum shared memory per block in bytes, static and dynamic together.
    pub(super) shared_limit: u32,
    /// cuBLAS, or why it cannot be used. It is searched for once.
    pub(super) blas: Result<Blas, Sentence>,
    copier: OnceCell<CudaFunction>,
    /// Reads clock and power, if the library is available.
    pub(super) nvml: Option<Nvml>,
    elapsed: ElapsedTime,
    cuda: String,
}

/// `cuEventElapsedTime`, or its successor. Drivers before 12.8 have only the first.
type ElapsedTime = unsafe extern "C" fn(*mut f32, sys::CUevent, sys::CUevent) -> sys::CUresult;

impl CudaExecutor {
    /// # Errors
    /// An error of kind `NoDevice` with help, if there is no driver, if it is too old, or if no GPU is available.
    pub(crate) fn open() -> Result<Self, ExecError> {
        // cudarc panics if a symbol is missing. The driver's version is checked, but a stub library may lack any
        // symbol.
        std::panic::catch_unwind(Self::try_open)
            .unwrap_or_else(|_| Err(no_device(sentence!("exec-driver-lacks")).help(sentence!("exec-driver-install"))))
    }

    fn try_open() -> Result<Self, ExecError> {
        if is_static() {
            return Err(no_device(sentence!("exec-driver-static")).help(sentence!("exec-driver-static-help")));
        }
        // SAFETY: This loads the driver's library by its name, as any CUDA program does.
        if !unsafe { sys::is_culib_present() } {
            return Err(no_device(sentence!("exec-driver-none")).help(sentence!("exec-driver-none-help")));
        }
        let mut version = 0;
        // SAFETY: The call needs no initialisation and writes one int.
        unsafe { sys::cuDriverGetVersion(&raw mut version) }.result().map_err(|error| opening(&error))?;
        let cuda = format!("{}.{}", version / 1000, version % 1000 / 10);
        if version < OLDEST_CUDA {
            return Err(no_device(sentence!("exec-driver-old", cuda)).help(sentence!("exec-driver-install")));
        }
        initialise()?;
        let count = CudaContext::device_count().map_err(|error| opening(&error))?;
        if count < 1 {
            return Err(no_device(sentence!("exec-gpu-none")).help(sentence!("exec-gpu-none-help-container")));
        }
        let context = CudaContext::new(0).map_err(|error| opening(&error))?;
        let name = context.name().map_err(|error| opening(&error))?;
        let (major, minor) = context.compute_capability().map_err(|error| opening(&error))?;
        let capability = [major.unsigned_abs(), minor.unsigned_abs()];
        if capability < OLDEST_CAPABILITY {
            let message = sentence!("exec-gpu-old", device = name, has = format!("{major}.{minor}"));
            return Err(no_device(message).help(sentence!("exec-gpu-old-help")));
        }
        let attribute = |attribute| {
            let value = context.attribute(attribute).map_err(|error| opening(&error))?;
            Ok(u32::try_from(value).unwrap_or(0))
        };
        use sys::CUdevice_attribute as A;
        let multiprocessors = attribute(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let shared_limit = attribute(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
        let elapsed = elapsed_time().ok_or_else(|| no_device(sentence!("exec-driver-no-events")))?;
        // SAFETY: All work is on one stream, so there is nothing to track between streams.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().map_err(|error| opening(&error))?;
        // The attribute is in kHz; it is 0 if the driver does not report it.
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
            copier: OnceCell::new(),
            nvml,
            elapsed,
            cuda,
        })
    }

    /// Returns the kernel that copies to padded copies. It is loaded once.
    pub(super) fn copier(&self, program: &Resolved) -> Result<CudaFunction, DriverError> {
        if self.copier.get().is_none() {
            let module = self.context.load_module(Ptx::from_src(&*program.ptx))?;
            let _ = self.copier.set(module.load_function(&program.entry)?);
        }
        self.copier.get().cloned().ok_or(DriverError(sys::CUresult::CUDA_ERROR_NOT_FOUND))
    }

    /// Returns the newest CUDA version that the driver supports, e.g. `13.0`.
    pub(crate) fn cuda(&self) -> &str {
        &self.cuda
    }

    /// Returns cuBLAS's version, or why it cannot be used.
    pub(crate) fn cublas(&self) -> Result<String, Sentence> {
        self.blas.as_ref().map(Blas::version).map_err(Clone::clone)
    }

    /// Returns the milliseconds between two recorded events, after waiting for the second one.
    pub(super) fn elapsed_ms(&self, start: &CudaEvent, end: &CudaEvent) -> Result<f64, DriverError> {
        end.synchronize()?;
        let mut ms = 0.0f32;
        // SAFETY: Both events are alive, were created with timing, and are recorded and complete.
        unsafe { (self.elapsed)(&raw mut ms, start.cu_event(), end.cu_event()) }.result()?;
        Ok(f64::from(ms))
    }
}

fn elapsed_time() -> Option<ElapsedTime> {
    // SAFETY: The driver's library exists (checked above) and stays loaded for the life of the process.
    let library = unsafe { sys::culib() };
    ["cuEventElapsedTime_v2", "cuEventElapsedTime"].into_iter().find_map(|name| {
        // SAFETY: Both functions have this signature.
        unsafe { library.get::<ElapsedTime>(name.as_bytes()) }.ok().map(|symbol| *symbol)
    })
}

/// Returns the version of the kernel module, e.g. `580.95.05`; Linux only.
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

fn no_device(message: impl Into<Sentence>) -> ExecError {
    ExecError::new(ExecErrorKind::NoDevice, message)
}

/// Initialises the driver. A driver may return a number that cudarc's enumeration does not have.
fn initialise() -> Result<(), ExecError> {
    // SAFETY: The driver's library exists (checked above) and stays loaded for the life of the process.
    let library = unsafe { sys::culib() };
    // SAFETY: `cuInit` takes flags and returns a number.
    let Ok(init) = (unsafe { library.get::<unsafe extern "C" fn(u32) -> u32>(b"cuInit") }) else {
        return Err(no_device(sentence!("exec-driver-lacks")).help(sentence!("exec-driver-install")));
    };
    // SAFETY: No flags are defined, so they are 0.
    match unsafe { init(0) } {
        0 => Ok(()),
        code => Err(not_opened(&named(code))),
    }
}

/// Returns the name of a code that a driver may return while it is opened, or the number.
fn named(code: u32) -> String {
    use sys::CUresult as E;
    let known = [
        E::CUDA_ERROR_OUT_OF_MEMORY,
        E::CUDA_ERROR_NOT_INITIALIZED,
        E::CUDA_ERROR_STUB_LIBRARY,
        E::CUDA_ERROR_DEVICE_UNAVAILABLE,
        E::CUDA_ERROR_NO_DEVICE,
        E::CUDA_ERROR_ECC_UNCORRECTABLE,
        E::CUDA_ERROR_OPERATING_SYSTEM,
        E::CUDA_ERROR_SYSTEM_NOT_READY,
        E::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
        E::CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
        E::CUDA_ERROR_MPS_CONNECTION_FAILED,
        E::CUDA_ERROR_UNKNOWN,
    ];
    let found = known.into_iter().find(|known| *known as u32 == code);
    found.map_or_else(|| format!("CUDA error {code}"), |known| format!("{known:?}"))
}

fn opening(error: &DriverError) -> ExecError {
    not_opened(&format!("{:?}", error.0))
}

fn not_opened(error: &str) -> ExecError {
    no_device(sentence!("exec-gpu-not-opened", error)).help(sentence!("exec-gpu-not-opened-help", error))
}

/// Explains a driver error during a launch. `doing` describes the step, such as `running sgemm_tiled`.
pub(super) fn failed(doing: &Sentence, error: &DriverError) -> ExecError {
    use ExecErrorKind as Kind;
    use sys::CUresult as E;
    let kind = match error.0 {
        E::CUDA_ERROR_LAUNCH_TIMEOUT => Kind::TimedOut,
        E::CUDA_ERROR_OUT_OF_MEMORY => Kind::OutOfMemory,
        E::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
        | E::CUDA_ERROR_INVALID_PTX
        | E::CUDA_ERROR_INVALID_CLUSTER_SIZE
        | E::CUDA_ERROR_NO_BINARY_FOR_GPU
        | E::CUDA_ERROR_NOT_FOUND
        | E::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES => Kind::Invalid,
        _ => Kind::KernelFault,
    };
    let error = format!("{:?}", error.0);
    ExecError::new(kind, sentence!("exec-cuda", doing, error)).help(sentence!("exec-cuda-help", error))
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
            (E::CUDA_ERROR_ILLEGAL_ADDRESS, ExecErrorKind::KernelFault, "outside the buffers"),
            (E::CUDA_ERROR_UNSUPPORTED_PTX_VERSION, ExecErrorKind::Invalid, "newer than the driver"),
            (E::CUDA_ERROR_OUT_OF_MEMORY, ExecErrorKind::OutOfMemory, "no memory left"),
            (E::CUDA_ERROR_LAUNCH_TIMEOUT, ExecErrorKind::TimedOut, "stopped the kernel"),
        ] {
            let error = failed(&"running sgemm_tiled".into(), &DriverError(code));
            assert_eq!(error.kind, kind);
            assert!(error.message.to_string().contains(part) && error.help.is_some(), "{error:?}");
        }
        let busy = opening(&DriverError(E::CUDA_ERROR_DEVICE_UNAVAILABLE));
        assert!(busy.message.to_string().contains("busy"), "{busy:?}");
        for (code, part) in [(802, "fabric manager"), (304, "permission"), (214, "memory"), (12_345, "nvidia-smi")] {
            let error = not_opened(&named(code));
            assert!(error.help.is_some_and(|help| help.to_string().contains(part)), "{code}");
        }
    }

    #[test]
    fn opening_never_panics_and_gives_a_reason_where_there_is_no_gpu() {
        if let Err(error) = CudaExecutor::open() {
            assert_eq!(error.kind, ExecErrorKind::NoDevice);
            assert!(error.help.is_some() && error.message.to_string().ends_with('.'), "{error:?}");
        }
    }
}
