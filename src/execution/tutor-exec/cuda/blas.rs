//! Runs cuBLAS, for comparison with the kernels, in their element type.

use super::lt::{Gemm, Lt, WORKSPACE};
use crate::prelude::*;
use cudarc::cublas::result::CublasError;
use cudarc::cublas::{CudaBlas, sys};
use cudarc::driver::sys::CUdeviceptr;
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr as _};
use std::cell::OnceCell;
use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};

/// cuBLAS on one stream, in its default math mode.
pub(super) struct Blas {
    handle: CudaBlas,
    version: String,
    lt: Option<Lt>,
    workspace: OnceCell<CudaSlice<u8>>,
}

/// Workspace in bytes that cuBLAS uses by default, for compute capability 9.0 and newer and for older GPUs (cuBLAS
/// documentation, `cublasSetWorkspace`).
const OWN_WORKSPACE: [usize; 2] = [32 << 20, 4 << 20];

impl Blas {
    pub(super) fn open(stream: &Arc<CudaStream>) -> Result<Self, Sentence> {
        find()?;
        let opened = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| -> Result<_, Sentence> {
            let broken = |error: CublasError| sentence!("exec-cublas-broken", why = error.to_string());
            let handle = CudaBlas::new(Arc::clone(stream)).map_err(broken)?;
            let mut version = 0;
            // SAFETY: The handle is open, and the call writes one int.
            unsafe { sys::cublasGetVersion_v2(*handle.handle(), &raw mut version) }.result().map_err(broken)?;
            // SAFETY: The handle is open.
            unsafe { sys::cublasSetMathMode(*handle.handle(), sys::cublasMath_t::CUBLAS_DEFAULT_MATH) }
                .result()
                .map_err(broken)?;
            Ok((handle, version))
        }));
        let (handle, version) = opened.unwrap_or_else(|_| Err(sentence!("exec-cublas-lacks")))?;
        let version = format!("{}.{}.{}", version / 10_000, version / 100 % 100, version % 100);
        Ok(Self { handle, version, lt: Lt::open(), workspace: OnceCell::new() })
    }

    /// Returns cuBLASLt and the address of its workspace. Returns `None` if the library is missing, or if there is no
    /// memory left.
    ///
    /// cuBLAS uses the first part of the workspace, as much as it would allocate for itself. If it had no workspace,
    /// each launch in a CUDA graph would allocate one.
    pub(super) fn lt(&self, stream: &Arc<CudaStream>, capability: Option<[u32; 2]>) -> Option<(&Lt, CUdeviceptr)> {
        let lt = self.lt.as_ref()?;
        if let Some(workspace) = self.workspace.get() {
            return Some((lt, workspace.device_ptr(stream).0));
        }
        let workspace = stream.alloc_zeros::<u8>(WORKSPACE).ok()?;
        let address = workspace.device_ptr(stream).0;
        let [new, old] = OWN_WORKSPACE;
        let own = if capability >= Some([9, 0]) { new } else { old };
        // SAFETY: The handle is open. The workspace stays allocated as long as the handle, and all work that uses it is
        // on one stream.
        unsafe { sys::cublasSetWorkspace_v2(*self.handle.handle(), address as *mut c_void, own) }.result().ok()?;
        let _ = self.workspace.set(workspace);
        Some((lt, address))
    }

    /// Returns the versions of both libraries.
    pub(super) fn library(&self) -> String {
        format!("{}, cuBLASLt {}", self.version, self.lt.as_ref().map_or(0, |lt| lt.version))
    }

    pub(super) fn version(&self) -> String {
        self.version.clone()
    }

    /// Starts the product on the stream. [`crate::cublas_math`] describes the math mode of each element type.
    pub(super) fn start(&self, gemm: &Gemm) -> Result<(), Sentence> {
        if gemm.elements == Elements::F32 && gemm.shape[3] == 1 { self.sgemm(gemm) } else { self.gemm_ex(gemm) }
    }

    fn sgemm(&self, gemm: &Gemm) -> Result<(), Sentence> {
        let [m, n, k, _] = gemm.shape;
        let none = sys::cublasOperation_t::CUBLAS_OP_N;
        let scales = gemm.scales();
        let [alpha, beta] = scales.each_ref().map(|scale| std::ptr::from_ref(scale).cast());
        // A row-major matrix is its transpose in column-major order: Cᵀ = Bᵀ · Aᵀ.
        // SAFETY: The three buffers belong to this context, are alive, and hold k·n, m·k and m·n floats. Alpha and beta
        // are on the host and are read before the call returns.
        let status = unsafe {
            sys::cublasSgemm_v2(
                *self.handle.handle(),
                none,
                none,
                n,
                m,
                k,
                alpha,
                gemm.b as *const f32,
                n,
                gemm.a as *const f32,
                k,
                beta,
                gemm.c as *mut f32,
                n,
            )
        };
        status
            .result()
            .map_err(|error| sentence!("exec-cublas-failed", function = "cublasSgemm", why = error.to_string()))
    }

    /// 8-bit elements are for cuBLASLt only.
    fn gemm_ex(&self, gemm: &Gemm) -> Result<(), Sentence> {
        use sys::cublasComputeType_t::{CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_COMPUTE_64F};
        use sys::cudaDataType_t::{CUDA_R_16BF, CUDA_R_16F, CUDA_R_32F, CUDA_R_64F};
        let (data, compute) = match gemm.elements {
            Elements::F64 => (CUDA_R_64F, CUBLAS_COMPUTE_64F),
            Elements::F32 => (CUDA_R_32F, CUBLAS_COMPUTE_32F),
            Elements::Tf32 => (CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32),
            Elements::F16 => (CUDA_R_16F, CUBLAS_COMPUTE_32F),
            Elements::Bf16 => (CUDA_R_16BF, CUBLAS_COMPUTE_32F),
            Elements::E4m3 | Elements::S8 | Elements::S32 => return Err(sentence!("exec-cublas-8-bit")),
        };
        let [m, n, k, batch] = gemm.shape;
        let none = sys::cublasOperation_t::CUBLAS_OP_N;
        let scales = gemm.scales();
        let [alpha, beta] = scales.each_ref().map(|scale| std::ptr::from_ref(scale).cast());
        let (handle, default) = (*self.handle.handle(), sys::cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT);
        let [a, b, c] = [gemm.a, gemm.b, gemm.c].map(|matrix| matrix as *mut c_void);
        let after = |rows: i32, columns: i32| i64::from(rows) * i64::from(columns);
        // SAFETY: As above, with elements of the given type, for each product. Alpha and beta have the type that the compute type needs.
        let (function, status) = unsafe {
            if batch == 1 {
                let status = sys::cublasGemmEx(
                    handle, none, none, n, m, k, alpha, b, data, n, a, data, k, beta, c, data, n, compute, default,
                );
                ("cublasGemmEx", status)
            } else {
                let [next_a, next_b, next_c] = [after(m, k), after(k, n), after(m, n)];
                let status = sys::cublasGemmStridedBatchedEx(
                    handle, none, none, n, m, k, alpha, b, data, n, next_b, a, data, k, next_a, beta, c, data, n,
                    next_c, batch, compute, default,
                );
                ("cublasGemmStridedBatchedEx", status)
            }
        };
        status.result().map_err(|error| sentence!("exec-cublas-failed", function, why = error.to_string()))
    }
}

/// Makes sure that cudarc finds the library, either through the system's loader or in the directories of Python wheels.
fn find() -> Result<(), Sentence> {
    // SAFETY: This loads cuBLAS by its name.
    if unsafe { sys::is_culib_present() } {
        return Ok(());
    }
    // The library stays open, so that the loader finds it again by its SONAME.
    static KEPT: Mutex<Vec<libloading::Library>> = Mutex::new(Vec::new());
    let names: &[&str] =
        if cfg!(windows) { &["cublas64_13.dll", "cublas64_12.dll"] } else { &["libcublas.so.13", "libcublas.so.12"] };
    for path in tutor_kernels::nvrtc::libraries_named(names) {
        // SAFETY: The file has the name of NVIDIA's library and is in a directory of CUDA or of the active environment.
        if let Ok(library) = unsafe { libloading::Library::new(&path) } {
            KEPT.lock().unwrap_or_else(PoisonError::into_inner).push(library);
            // SAFETY: As above.
            if unsafe { sys::is_culib_present() } {
                return Ok(());
            }
        }
    }
    Err(sentence!("exec-cublas-none"))
}
