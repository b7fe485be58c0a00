//! Runs a launch on the GPU: loads, verifies and times the kernels.

use super::baseline::Library;
use super::blas::Gemm;
use super::driver::{CudaExecutor, failed};
use super::load::{Loaded, load};
use super::measure;
use super::reference::References;
use crate::footprint::Footprint;
use crate::further::Extra;
use crate::matrix::{decode, encode, encode_all};
use crate::prelude::*;
use crate::protocol::Subject;
use crate::resolve::copies;
use cudarc::driver::{CudaSlice, DevicePtr as _, LaunchConfig, PushKernelArg as _};
use tutor_kernels::{Epilogue, Geometry};

/// The matrices in device memory.
pub(super) struct Buffers {
    pub(super) elements: Elements,
    pub(super) a: CudaSlice<u8>,
    pub(super) b: CudaSlice<u8>,
    pub(super) c: CudaSlice<u8>,
}

pub(super) fn run(gpu: &CudaExecutor, job: &Job) -> Result<(), ExecError> {
    let footprint = Footprint::of(job.shape(), job.elements);
    // The host stores the inputs and a result in single precision, and one copy as bytes.
    Footprint::of(job.shape(), Elements::F32).must_fit_host(3)?;
    let (free, _) = gpu.context.mem_get_info().map_err(|error| failed(&sentence!("exec-doing-free-memory"), &error))?;
    let padded = job.programs.iter().filter_map(|program| program.padded);
    let padded: u64 = padded.map(|shape| Footprint::of(shape, job.elements).total()).sum();
    footprint.must_fit(footprint.total() + padded, free as u64, &sentence!("exec-memory-gpu"))?;

    let mut loaded = job.load_each(|program| {
        job.progress(sentence!("exec-doing-load", kernel = program.id), 0.0);
        load(gpu, program)
    })?;
    job.progress(sentence!("exec-doing-inputs"), 0.0);
    let inputs = job.inputs();
    let mut buffers = upload(gpu, &inputs, job.shape(), job.elements)?;
    for kernel in &mut loaded {
        if let Some(program) = job.programs.iter().find(|program| program.index == kernel.index) {
            kernel.bind(gpu, program, &extra(job, program), job.shape(), &buffers)?;
        }
    }
    if job.request.verify && !job.cancelled() {
        verify(gpu, job, &loaded, &inputs, &mut buffers)?;
    }
    if job.request.time && !job.cancelled() {
        time(gpu, job, &loaded, &inputs, &mut buffers)?;
    }
    Ok(())
}

pub(super) fn upload(
    gpu: &CudaExecutor,
    inputs: &Inputs,
    shape: Shape,
    elements: Elements,
) -> Result<Buffers, ExecError> {
    let copy =
        |bytes: &Vec<u8>| gpu.stream.clone_htod(bytes).map_err(|error| failed(&sentence!("exec-doing-copy"), &error));
    let [a, b, c] = encode_all(elements, inputs, shape);
    Ok(Buffers { elements, a: copy(&a)?, b: copy(&b)?, c: copy(&c)? })
}

fn extra(job: &Job, program: &Resolved) -> Extra {
    Extra::random(program.further, job.shape(), job.request.seed)
}

/// Starts a kernel on the stream.
pub(super) fn start(gpu: &CudaExecutor, job: &Job, kernel: &Loaded, buffers: &mut Buffers) -> Result<(), ExecError> {
    let at = |buffers: &Buffers| [&buffers.a, &buffers.b, &buffers.c].map(|slice| slice.device_ptr(&gpu.stream).0);
    let given = (at(buffers), job.shape());
    let (places, shape) = kernel.padded.as_ref().map_or(given, |(copies, shape)| (at(copies), *shape));
    if kernel.padded.is_some() {
        copy(gpu, kernel, buffers.elements, &[0, 1], [given, (places, shape)])?;
        if job.request.beta != 0.0 {
            copy(gpu, kernel, buffers.elements, &[2], [given, (places, shape)])?;
        }
    }
    let [lda, ldb, ldc] = buffers.elements.stored(shape.m, shape.n, shape.k).map(|[_, columns]| columns as i32);
    let (m, n, k) = (shape.m as i32, shape.n as i32, shape.k as i32);
    let mut launch = gpu.stream.launch_builder(&kernel.function);
    for map in &kernel.maps {
        launch.arg(map);
    }
    for place in &places {
        launch.arg(place);
    }
    launch.arg(&m).arg(&n).arg(&k).arg(&lda).arg(&ldb).arg(&ldc);
    launch.arg(&job.request.alpha).arg(&job.request.beta);
    for buffer in &kernel.further {
        launch.arg(buffer);
    }
    // SAFETY: Every kernel of the catalogue takes its tensor maps, these eleven parameters, and its further ones. The buffers hold
    // m·k, k·n and m·n elements. A student's own kernel may do anything. That is why it runs in the worker process.
    unsafe { launch.launch(kernel.config) }
        .map_err(|error| failed(&sentence!("exec-doing-launch", kernel = kernel.id), &error))?;
    let Some(second) = kernel.helper.as_ref() else { return Ok(()) };
    if kernel.padded.is_some() {
        return copy(gpu, kernel, buffers.elements, &[2], [(places, shape), given]);
    }
    let mut launch = gpu.stream.launch_builder(second);
    launch.arg(&places[2]).arg(&m).arg(&n).arg(&ldc).arg(&kernel.further[1]);
    // SAFETY: The second kernel of an epilogue takes these five parameters. C and the bias have n columns.
    let started = unsafe { launch.launch(config(Epilogue::second(shape.m, shape.n))) };
    started.map(drop).map_err(|error| failed(&sentence!("exec-doing-launch", kernel = kernel.id), &error))
}

/// Returns the configuration of a launch without dynamic shared memory.
fn config(Geometry { grid: [x, y, z], block: [bx, by, bz] }: Geometry) -> LaunchConfig {
    LaunchConfig { grid_dim: (x, y, z), block_dim: (bx, by, bz), shared_mem_bytes: 0 }
}

/// Starts the copy of some of A, B and C (0, 1, 2) from one side to the other, each with its addresses and shape.
fn copy(
    gpu: &CudaExecutor,
    kernel: &Loaded,
    elements: Elements,
    which: &[usize],
    [(from, old), (to, new)]: [([u64; 3], Shape); 2],
) -> Result<(), ExecError> {
    let Some(function) = &kernel.helper else { return Ok(()) };
    let (geometry, extents) = copies(elements, old, new, which);
    let mut launch = gpu.stream.launch_builder(function);
    for (at, extents) in which.iter().chain([&0, &0]).zip(&extents) {
        launch.arg(&from[*at]).arg(&to[*at]);
        for extent in extents {
            launch.arg(extent);
        }
    }
    // SAFETY: `copy_rows` takes these twelve parameters. The extents are those of the buffers.
    unsafe { launch.launch(config(geometry)) }
        .map_err(|error| failed(&sentence!("exec-doing-launch", kernel = kernel.id), &error))?;
    Ok(())
}

/// Describes the job's product. `elements` is the type of the buffers, or another type with the same storage.
pub(super) fn gemm(gpu: &CudaExecutor, job: &Job, buffers: &Buffers, elements: Elements) -> Gemm {
    let shape = job.shape();
    Gemm {
        elements,
        shape: [shape.m as i32, shape.n as i32, shape.k as i32],
        alpha: job.request.alpha,
        beta: job.request.beta,
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
) -> Result<Vec<f32>, ExecError> {
    let fault = |error| failed(doing, &error);
    gpu.stream.memcpy_htod(&encode(result, &inputs.c), &mut buffers.c).map_err(fault)?;
    start(buffers)?;
    gpu.stream.synchronize().map_err(fault)?;
    let c = gpu.stream.clone_dtoh(&buffers.c).map_err(fault)?;
    gpu.stream.synchronize().map_err(fault)?;
    Ok(decode(result, &c[..inputs.c.len() * result.bytes() as usize]))
}

fn verify(
    gpu: &CudaExecutor,
    job: &Job,
    loaded: &[Loaded],
    inputs: &Inputs,
    buffers: &mut Buffers,
) -> Result<(), ExecError> {
    let mut references = References::default();
    for kernel in loaded {
        if job.cancelled() {
            return Ok(());
        }
        let Some(program) = job.programs.iter().find(|program| program.index == kernel.index) else { continue };
        let doing = sentence!("exec-doing-run", kernel = kernel.id);
        job.progress(&doing, 0.0);
        let extra = extra(job, program);
        let seen = extra.inputs(inputs);
        let problem = extra.problem(job, &seen);
        let result = program.further.result(job.elements);
        let c = product(gpu, (&seen, result), buffers, &doing, |buffers| start(gpu, job, kernel, buffers))?;
        let largest = match kernel.further.get(2) {
            Some(largest) => gpu.stream.clone_dtoh(largest).map_err(|error| failed(&doing, &error))?,
            None => Vec::new(),
        };
        gpu.stream.synchronize().map_err(|error| failed(&doing, &error))?;
        let largest = decode(Elements::F32, &largest).first().copied();
        let verification = references.compare(gpu, job, &problem, buffers, (program, &c, largest))?;
        job.reply(Reply::Verified { id: job.id(), program: kernel.index, verification });
    }
    Ok(())
}

fn time(
    gpu: &CudaExecutor,
    job: &Job,
    loaded: &[Loaded],
    inputs: &Inputs,
    buffers: &mut Buffers,
) -> Result<(), ExecError> {
    let mut subjects: Vec<Subject> = loaded.iter().map(|kernel| Subject::Program(kernel.index)).collect();
    let library = match &gpu.blas {
        _ if !job.request.cublas => None,
        Ok(blas) => Some(Library::find(gpu, blas, job, inputs, buffers)?),
        Err(why) => {
            job.note(sentence!("exec-no-cublas", why));
            None
        }
    };
    subjects.extend(library.iter().flat_map(Library::subjects));
    let mut launch = |subject: Subject| match subject {
        Subject::Program(index) => match loaded.iter().find(|kernel| kernel.index == index) {
            Some(kernel) => start(gpu, job, kernel, buffers),
            None => Ok(()),
        },
        subject => library.as_ref().map_or(Ok(()), |library| library.start(subject)),
    };
    measure::measure(gpu, job, &subjects, &mut launch)
}
