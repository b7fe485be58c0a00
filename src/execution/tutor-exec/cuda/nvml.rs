/*! Reads clock and power while kernels run, through NVIDIA's management library (NVML).

The tutor only reads these values and never sets them. The library comes with the driver, but it may be missing in a
container. Then the tutor shows no clock and no power.
*/

use cudarc::driver::CudaContext;
use cudarc::driver::sys;
use libloading::Library;
use std::ffi::{c_char, c_int, c_uint, c_void};

/// A GPU opened through NVML.
pub(super) struct Nvml {
    // Keeps the functions below loaded.
    _library: Library,
    device: *mut c_void,
    clock: unsafe extern "C" fn(*mut c_void, c_uint, *mut c_uint) -> c_int,
    power: unsafe extern "C" fn(*mut c_void, *mut c_uint) -> c_int,
}

/// `NVML_CLOCK_SM` (nvml.h, `nvmlClockType_t`).
const CLOCK_SM: c_uint = 1;

#[cfg(windows)]
const NAME: &str = "nvml.dll";
#[cfg(not(windows))]
const NAME: &str = "libnvidia-ml.so.1";

impl Nvml {
    /// Opens the GPU of this context by its PCI bus id.
    pub(super) fn open(context: &CudaContext) -> Option<Self> {
        let mut bus = [0 as c_char; 32];
        // SAFETY: The device is open. At most 32 bytes are written, including the NUL.
        unsafe { sys::cuDeviceGetPCIBusId(bus.as_mut_ptr(), bus.len() as c_int, context.cu_device()) }.result().ok()?;
        // SAFETY: This loads the driver's library by its name.
        let library = unsafe { Library::new(NAME) }.ok()?;
        type Init = unsafe extern "C" fn() -> c_int;
        type ByBus = unsafe extern "C" fn(*const c_char, *mut *mut c_void) -> c_int;
        // SAFETY: All four functions have had these signatures since nvml.h declared version 2 of the first two.
        unsafe {
            let init = library.get::<Init>(b"nvmlInit_v2\0").ok()?;
            let by_bus = library.get::<ByBus>(b"nvmlDeviceGetHandleByPciBusId_v2\0").ok()?;
            let clock = *library.get(b"nvmlDeviceGetClockInfo\0").ok()?;
            let power = *library.get(b"nvmlDeviceGetPowerUsage\0").ok()?;
            let mut device = std::ptr::null_mut();
            (init() == 0 && by_bus(bus.as_ptr(), &raw mut device) == 0).then_some(())?;
            Some(Self { _library: library, device, clock, power })
        }
    }

    /// Returns the current SM clock in MHz and power in watts.
    pub(super) fn now(&self) -> Option<(u32, f64)> {
        let (mut mhz, mut milliwatts) = (0, 0);
        // SAFETY: The device's handle is valid for the life of the library. Each call writes one number.
        let read = unsafe {
            (self.clock)(self.device, CLOCK_SM, &raw mut mhz) == 0
                && (self.power)(self.device, &raw mut milliwatts) == 0
        };
        read.then_some((mhz, f64::from(milliwatts) / 1000.0))
    }
}
