/*! Clock and power while kernels run, read through NVIDIA's management library.

Only read, never set. The library comes with the driver, but may be missing in a container:
then nothing is known, and nothing is shown.
*/

use cudarc::driver::CudaContext;
use cudarc::driver::sys;
use libloading::Library;
use std::ffi::{c_char, c_int, c_uint, c_void};

/// The GPU as the management library knows it.
pub(super) struct Nvml {
    // Keeps the functions loaded.
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
    /// Finds the GPU of this context by its place on the PCI bus.
    pub(super) fn open(context: &CudaContext) -> Option<Self> {
        let mut bus = [0 as c_char; 32];
        // SAFETY: the device is open; at most 32 bytes are written, a NUL included.
        unsafe { sys::cuDeviceGetPCIBusId(bus.as_mut_ptr(), bus.len() as c_int, context.cu_device()) }.result().ok()?;
        // SAFETY: the driver's own library, by its name.
        let library = unsafe { Library::new(NAME) }.ok()?;
        type Init = unsafe extern "C" fn() -> c_int;
        type ByBus = unsafe extern "C" fn(*const c_char, *mut *mut c_void) -> c_int;
        // SAFETY: all four have these signatures since nvml.h declares version 2 of the first two.
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

    /// SM clock in MHz and power in watts, now.
    pub(super) fn now(&self) -> Option<(u32, f64)> {
        let (mut mhz, mut milliwatts) = (0, 0);
        // SAFETY: the device's handle is valid for the life of the library; one number is written each.
        let read = unsafe {
            (self.clock)(self.device, CLOCK_SM, &raw mut mhz) == 0
                && (self.power)(self.device, &raw mut milliwatts) == 0
        };
        read.then_some((mhz, f64::from(milliwatts) / 1000.0))
    }
}
