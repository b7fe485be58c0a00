//! The matrices in device memory, and the products that are computed there.

use super::driver::{CudaExecutor, failed};
use super::lt::Gemm;
use crate::matrices::WORD;
use crate::matrix::{decode, encode};
use crate::prelude::*;
use cudarc::driver::{CudaSlice, DevicePtr as _};

/// The matrices in device memory.
pub(super) struct Buffers {
    pub(super) elements: Elements,
    pub(super) a: CudaSlice<u8>,
    pub(super) b: CudaSlice<u8>,
    pub(super) c: CudaSlice<u8>,
}

pub(super) fn upload(
    gpu: &CudaExecutor,
    inputs: &Inputs,
    shape: Shape,
    elements: Elements,
) -> Result<Buffers, ExecError> {
    let copy =
        |bytes: &Vec<u8>| gpu.stream.clone_htod(bytes).map_err(|error| failed(&sentence!("exec-doing-copy"), &error));
    let [mut a, mut b, c] = inputs.encoded(elements, shape);
    for bytes in [&mut a, &mut b] {
        bytes.resize(bytes.len().next_multiple_of(WORD), 0);
    }
    Ok(Buffers { elements, a: copy(&a)?, b: copy(&b)?, c: copy(&c)? })
}

/// Describes the job's product. `elements` is the type of the buffers, or another type with the same storage.
pub(super) fn gemm(gpu: &CudaExecutor, job: &Job, buffers: &Buffers, elements: Elements) -> Gemm {
    let shape = job.shape();
    Gemm {
        elements,
        shape: [shape.m, shape.n, shape.k, shape.batch].map(|extent| extent as i32),
        factors: job.factors,
        a: buffers.a.device_ptr(&gpu.stream).0,
        b: buffers.b.device_ptr(&gpu.stream).0,
        c: buffers.c.device_ptr(&gpu.stream).0,
    }
}

/// Starts cuBLAS's default choice on the stream.
pub(super) fn start_cublas(gpu: &CudaExecutor, gemm: &Gemm) -> Result<(), ExecError> {
    let fault = |message: Sentence| ExecError::new(ExecErrorKind::KernelFault, message);
    gpu.blas.as_ref().map_err(|why| fault(why.clone()))?.start(gemm).map_err(fault)
}

/// Fills C with poison, or with its old values, then calls `start` and copies C to the host.
pub(super) fn product(
    gpu: &CudaExecutor,
    (inputs, result): (&Inputs, Elements),
    buffers: &mut Buffers,
    doing: &Sentence,
    start: impl FnOnce(&mut Buffers) -> Result<(), ExecError>,
) -> Result<Vec<f64>, ExecError> {
    let fault = |error| failed(doing, &error);
    gpu.stream.memcpy_htod(&encode(result, &inputs.c), &mut buffers.c).map_err(fault)?;
    start(buffers)?;
    gpu.stream.synchronize().map_err(fault)?;
    let c = gpu.stream.clone_dtoh(&buffers.c).map_err(fault)?;
    gpu.stream.synchronize().map_err(fault)?;
    Ok(decode(result, &c[..inputs.c.len() * result.bytes() as usize]))
}
