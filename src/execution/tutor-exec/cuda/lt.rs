//! cuBLASLt: further candidates for a product, beside cuBLAS's default choice.

use crate::prelude::*;
use cudarc::cublaslt::result::{self, CublasError};
use cudarc::cublaslt::sys;
use cudarc::driver::CudaStream;
use cudarc::driver::sys::CUdeviceptr;
use std::ffi::c_int;

/// Workspace that each candidate may use, in bytes.
pub(super) const WORKSPACE: usize = 64 << 20;
/// Maximum number of candidates per product.
const CANDIDATES: usize = 8;

/// One way to compute a product, in the library's own encoding. It is valid for the version that made it.
pub(super) type Algorithm = [u64; 8];

/// Products C = alpha · A · B + beta · C in device memory, row-major, one after the other.
#[derive(Clone, Copy)]
pub(super) struct Gemm {
    pub(super) elements: Elements,
    /// M, N, K and the number of products.
    pub(super) shape: [c_int; 4],
    /// Alpha and beta.
    pub(super) factors: [f64; 2],
    pub(super) a: CUdeviceptr,
    pub(super) b: CUdeviceptr,
    pub(super) c: CUdeviceptr,
}

impl Gemm {
    /// Returns alpha and beta as the libraries read them: a float, an integer or a double in the first bytes of a word. (Hosts
    /// with CUDA are little-endian.)
    pub(super) fn scales(&self) -> [u64; 2] {
        self.factors.map(|scale| match self.elements {
            Elements::S8 => u64::from(scale as i32 as u32),
            Elements::F64 => scale.to_bits(),
            _ => (scale as f32).to_bits().into(),
        })
    }
}

pub(super) struct Lt {
    handle: sys::cublasLtHandle_t,
    /// Allows [`WORKSPACE`] bytes. Like the handle, it lives as long as the process.
    preference: sys::cublasLtMatmulPreference_t,
    pub(super) version: usize,
}

// SAFETY: The handle holds no state of a thread (cuBLAS documentation, `cublasLtHandle_t`).
unsafe impl Send for Lt {}

impl Lt {
    /// Opens the library. cuBLAS needs it, so it is usually loaded already.
    pub(super) fn open() -> Option<Self> {
        // SAFETY: This loads the library by its name.
        if !unsafe { sys::is_culib_present() } {
            return None;
        }
        // cudarc panics if the library lacks a function.
        let opened = std::panic::catch_unwind(|| {
            let (handle, preference) = (result::create_handle().ok()?, result::create_matmul_pref().ok()?);
            let most = sys::cublasLtMatmulPreferenceAttributes_t::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES;
            let bytes = WORKSPACE;
            // SAFETY: The preference is alive, and the library reads one size. The second call needs no handle.
            unsafe {
                result::set_matmul_pref_attribute(preference, most, (&raw const bytes).cast(), size_of::<usize>())
                    .ok()?;
                Some(Self { handle, preference, version: sys::cublasLtGetVersion() })
            }
        });
        opened.ok().flatten()
    }

    /// Describes a product to the library.
    pub(super) fn plan(&self, gemm: &Gemm) -> Result<Plan<'_>, CublasError> {
        use sys::cublasComputeType_t::{
            CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_COMPUTE_32I, CUBLAS_COMPUTE_64F,
        };
        use sys::cudaDataType_t::{
            CUDA_R_8F_E4M3, CUDA_R_8I, CUDA_R_16BF, CUDA_R_16F, CUDA_R_32F, CUDA_R_32I, CUDA_R_64F,
        };
        let (data, compute) = match gemm.elements {
            Elements::F64 => (CUDA_R_64F, CUBLAS_COMPUTE_64F),
            Elements::F32 => (CUDA_R_32F, CUBLAS_COMPUTE_32F),
            Elements::Tf32 => (CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32),
            Elements::F16 => (CUDA_R_16F, CUBLAS_COMPUTE_32F),
            Elements::Bf16 => (CUDA_R_16BF, CUBLAS_COMPUTE_32F),
            Elements::E4m3 => (CUDA_R_8F_E4M3, CUBLAS_COMPUTE_32F),
            Elements::S8 | Elements::S32 => (CUDA_R_8I, CUBLAS_COMPUTE_32I),
        };
        let [m, n, k, batch] = gemm.shape;
        // The type of alpha and beta.
        let scale = match gemm.elements {
            Elements::S8 => CUDA_R_32I,
            Elements::F64 => CUDA_R_64F,
            _ => CUDA_R_32F,
        };
        let mut plan = Plan {
            lt: self,
            operation: result::create_matmul_desc(compute, scale)?,
            layouts: [std::ptr::null_mut(); 3],
        };
        // A row-major matrix is its transpose in column-major order: Cᵀ = Bᵀ · Aᵀ. A matrix B that is stored by columns
        // is column-major already.
        let (mut b, mut result_type) = ((n, k), data);
        if gemm.elements.b_by_columns() {
            (b, result_type) = ((k, n), if gemm.elements == Elements::S8 { CUDA_R_32I } else { CUDA_R_16BF });
            plan.set(sys::cublasLtMatmulDescAttributes_t::CUBLASLT_MATMUL_DESC_TRANSA, &1i32)?;
        }
        if gemm.elements == Elements::E4m3 {
            plan.set(sys::cublasLtMatmulDescAttributes_t::CUBLASLT_MATMUL_DESC_FAST_ACCUM, &1i8)?;
        }
        let layouts = [(b, data), ((k, m), data), ((n, m), result_type)];
        for (layout, ((rows, columns), data)) in plan.layouts.iter_mut().zip(layouts) {
            *layout = result::create_matrix_layout(data, rows as u64, columns as u64, i64::from(rows))?;
            if batch > 1 {
                let next = i64::from(rows) * i64::from(columns);
                // SAFETY: The layout is alive. The library copies as many bytes as stated.
                unsafe {
                    use sys::cublasLtMatrixLayoutAttribute_t as Attribute;
                    let (count, offset) = ((&raw const batch).cast(), (&raw const next).cast());
                    result::set_matrix_layout_attribute(
                        *layout,
                        Attribute::CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                        count,
                        4,
                    )?;
                    let attribute = Attribute::CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET;
                    result::set_matrix_layout_attribute(*layout, attribute, offset, 8)?;
                }
            }
        }
        Ok(plan)
    }
}

/// A product as the library describes it.
pub(super) struct Plan<'lt> {
    lt: &'lt Lt,
    operation: sys::cublasLtMatmulDesc_t,
    /// Layouts of Bᵀ, Aᵀ and Cᵀ.
    layouts: [sys::cublasLtMatrixLayout_t; 3],
}

impl Plan<'_> {
    /// Sets an attribute of the product, which must have this type.
    fn set<T>(&self, attribute: sys::cublasLtMatmulDescAttributes_t, value: &T) -> Result<(), CublasError> {
        // SAFETY: The descriptor is alive. The library copies as many bytes as stated.
        unsafe {
            result::set_matmul_desc_attribute(
                self.operation,
                attribute,
                std::ptr::from_ref(value).cast(),
                size_of::<T>(),
            )
        }
    }

    /// Returns the library's candidates, the one with the least expected time first.
    pub(super) fn candidates(&self) -> Result<Vec<Algorithm>, CublasError> {
        let ([b, a, c], lt, op) = (self.layouts, self.lt, self.operation);
        let (mut found, mut count) = ([empty(); CANDIDATES], 0);
        let (most, out) = (CANDIDATES as c_int, found.as_mut_ptr());
        // SAFETY: All descriptors are alive. The library writes at most `CANDIDATES` results and their number.
        unsafe {
            sys::cublasLtMatmulAlgoGetHeuristic(lt.handle, op, b, a, c, c, lt.preference, most, out, &raw mut count)
                .result()?;
        }
        let found = found.into_iter().take(usize::try_from(count).unwrap_or(0));
        Ok(found.filter(|found| found.state.result().is_ok()).map(|found| found.algo.data).collect())
    }

    /// True if the library can compute this product with an algorithm that an earlier process kept.
    pub(super) fn accepts(&self, algorithm: Algorithm) -> bool {
        let ([b, a, c], lt, op) = (self.layouts, self.lt.handle, self.operation);
        let (way, mut found) = (sys::cublasLtMatmulAlgo_t { data: algorithm }, empty());
        // SAFETY: All descriptors are alive. The library checks the algorithm and writes one result.
        let status = unsafe { sys::cublasLtMatmulAlgoCheck(lt, op, b, a, c, c, &raw const way, &raw mut found) };
        status.result().is_ok() && found.workspaceSize <= WORKSPACE
    }

    /// Starts the product on the stream with a workspace of [`WORKSPACE`] bytes.
    pub(super) fn start(
        &self,
        gemm: &Gemm,
        algorithm: Algorithm,
        workspace: CUdeviceptr,
        stream: &CudaStream,
    ) -> Result<(), Sentence> {
        let [b, a, c] = self.layouts;
        let scales = gemm.scales();
        let [alpha, beta] = scales.each_ref().map(|scale| std::ptr::from_ref(scale).cast());
        let algorithm = sys::cublasLtMatmulAlgo_t { data: algorithm };
        // SAFETY: The three buffers and the workspace belong to this context, are alive, and have the sizes that the
        // layouts and `WORKSPACE` state. Alpha and beta are on the host and are read before the call returns.
        let started = unsafe {
            result::matmul(
                self.lt.handle,
                self.operation,
                alpha,
                beta,
                gemm.b as *const _,
                b,
                gemm.a as *const _,
                a,
                gemm.c as *const _,
                c,
                gemm.c as *mut _,
                c,
                &raw const algorithm,
                workspace as *mut _,
                WORKSPACE,
                stream.cu_stream().cast(),
            )
        };
        started.map_err(|error| sentence!("exec-cublas-failed", function = "cublasLtMatmul", why = error.to_string()))
    }
}

impl Drop for Plan<'_> {
    fn drop(&mut self) {
        // SAFETY: Each descriptor is alive and is destroyed once.
        unsafe {
            let _ = result::destroy_matmul_desc(self.operation);
            for layout in self.layouts.into_iter().filter(|layout| !layout.is_null()) {
                let _ = result::destroy_matrix_layout(layout);
            }
        }
    }
}

fn empty() -> sys::cublasLtMatmulHeuristicResult_t {
    sys::cublasLtMatmulHeuristicResult_t {
        algo: sys::cublasLtMatmulAlgo_t { data: [0; 8] },
        workspaceSize: 0,
        state: sys::cublasStatus_t::CUBLAS_STATUS_NOT_SUPPORTED,
        wavesCount: 0.0,
        reserved: [0; 4],
    }
}
