//! A launch on the GPU: load, verify, time.

use super::blas::Gemm;
use super::driver::{CudaExecutor, failed};
use super::measure;
use crate::exec::input::Inputs;
use crate::exec::job::{Footprint, Job, Resolved, committed};
use crate::exec::protocol::{ExecError, ExecErrorKind, Reply, Subject};
use crate::exec::verify::{Problem, Reference, Tolerance, sampled_rows};
use cudarc::driver::{CudaFunction, CudaSlice, DevicePtr as _, LaunchConfig, PushKernelArg as _, sys};
use cudarc::nvrtc::Ptx;

/// Up to here (n = 512) float64 on the host is quick, and no reference is better.
const EXACT_PRODUCTS: u64 = 1 << 27;
const CHECKED_ROWS: u32 = 8;

/// The matrices in device memory.
pub(super) struct Buffers {
    a: CudaSlice<f32>,
    b: CudaSlice<f32>,
    c: CudaSlice<f32>,
}

/// A kernel that the driver has compiled.
pub(super) struct Loaded {
    pub(super) id: String,
    function: CudaFunction,
    config: LaunchConfig,
}

pub(super) fn run(gpu: &CudaExecutor, job: &Job) -> Result<(), ExecError> {
    let footprint = Footprint::of(job.shape());
    // The inputs, the result and a reference.
    footprint.must_fit_host(2)?;
    let (free, _) = gpu.context.mem_get_info().map_err(|error| failed("asking for free memory", &error))?;
    footprint.must_fit(footprint.total(), free as u64, "GPU memory")?;

    let loaded = job.programs.iter().map(|program| load(gpu, program)).collect::<Result<Vec<_>, _>>()?;
    job.progress("making random matrices", 0.0);
    let inputs = Inputs::random(job.shape(), job.request.seed, job.request.beta);
    let mut buffers = upload(gpu, &inputs)?;
    if job.request.verify && !job.cancelled() {
        verify(gpu, job, &loaded, &inputs, &mut buffers)?;
    }
    if job.request.time && !job.cancelled() {
        time(gpu, job, &loaded, &mut buffers)?;
    }
    Ok(())
}

fn upload(gpu: &CudaExecutor, inputs: &Inputs) -> Result<Buffers, ExecError> {
    let copy = |matrix: &Vec<f32>| {
        gpu.stream.clone_htod(matrix).map_err(|error| failed("copying the matrices to the GPU", &error))
    };
    Ok(Buffers { a: copy(&inputs.a)?, b: copy(&inputs.b)?, c: copy(&inputs.c)? })
}

fn load(gpu: &CudaExecutor, program: &Resolved) -> Result<Loaded, ExecError> {
    let capability = gpu.device.capability.unwrap_or_default();
    if capability < program.min_capability {
        let ([needs, needs_minor], [has, has_minor]) = (program.min_capability, capability);
        let message = format!(
            "`{}` needs compute capability {needs}.{needs_minor}; {} has {has}.{has_minor}.",
            program.id, gpu.device.name
        );
        return Err(ExecError::new(ExecErrorKind::Invalid, message).help("Choose another kernel, or the emulator."));
    }
    let doing = format!("loading {}", program.id);
    let module = gpu.context.load_module(Ptx::from_src(&*program.ptx)).map_err(|error| {
        let mut fault = failed(&doing, &error);
        if let Some(log) = compile_log(&program.ptx) {
            fault.message = format!("{}\n{log}", fault.message);
        }
        fault
    })?;
    let function = module.load_function(&program.entry).map_err(|error| failed(&doing, &error))?;
    let ([x, y, z], [bx, by, bz]) = (program.geometry.grid, program.geometry.block);
    let threads = function.max_threads_per_block().map_err(|error| failed(&doing, &error))?;
    if i64::from(bx) * i64::from(by) * i64::from(bz) > i64::from(threads) {
        let message = format!("`{}` can run {threads} threads a block on this GPU, not {bx}×{by}×{bz}.", program.id);
        return Err(ExecError::new(ExecErrorKind::Invalid, message).help("It uses too many registers: use fewer."));
    }
    let config = LaunchConfig { grid_dim: (x, y, z), block_dim: (bx, by, bz), shared_mem_bytes: 0 };
    Ok(Loaded { id: program.id.clone(), function, config })
}

/// What the driver's compiler says about a PTX that it refused.
fn compile_log(ptx: &str) -> Option<String> {
    use sys::CUjit_option as Option_;
    let image = std::ffi::CString::new(ptx).ok()?;
    let mut log = vec![0u8; 4096];
    let mut options = [Option_::CU_JIT_ERROR_LOG_BUFFER, Option_::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    let mut values = [log.as_mut_ptr().cast(), log.len() as *mut std::ffi::c_void];
    let mut module = std::ptr::null_mut();
    // SAFETY: the image is NUL-terminated; the log buffer is as long as stated and outlives the call. A module
    // that loads after all is unloaded at once.
    unsafe {
        if sys::cuModuleLoadDataEx(&raw mut module, image.as_ptr().cast(), 2, options.as_mut_ptr(), values.as_mut_ptr())
            .result()
            .is_ok()
        {
            let _ = sys::cuModuleUnload(module);
        }
    }
    let end = log.iter().position(|&byte| byte == 0)?;
    log.truncate(end);
    Some(String::from_utf8_lossy(&log).trim().to_owned()).filter(|text| !text.is_empty())
}

/// Starts a kernel on the stream.
pub(super) fn start(gpu: &CudaExecutor, job: &Job, kernel: &Loaded, buffers: &mut Buffers) -> Result<(), ExecError> {
    let (m, n, k) = (job.shape().m as i32, job.shape().n as i32, job.shape().k as i32);
    let (lda, ldb, ldc) = (k, n, n);
    let mut launch = gpu.stream.launch_builder(&kernel.function);
    launch.arg(&buffers.a).arg(&buffers.b).arg(&mut buffers.c);
    launch.arg(&m).arg(&n).arg(&k).arg(&lda).arg(&ldb).arg(&ldc);
    launch.arg(&job.request.alpha).arg(&job.request.beta);
    // SAFETY: every kernel of the catalogue has these eleven parameters, and the buffers hold m·k, k·n and m·n
    // floats. A student's own kernel may do anything: that is what the worker process is for.
    unsafe { launch.launch(kernel.config) }.map_err(|error| failed(&format!("launching {}", kernel.id), &error))?;
    Ok(())
}

/// Starts cuBLAS on the stream.
pub(super) fn start_cublas(gpu: &CudaExecutor, job: &Job, buffers: &Buffers) -> Result<(), ExecError> {
    let fault = |message: String| ExecError::new(ExecErrorKind::KernelFault, message);
    let blas = gpu.blas.as_ref().map_err(|why| fault(why.clone()))?;
    let shape = job.shape();
    let gemm = Gemm {
        shape: [shape.m as i32, shape.n as i32, shape.k as i32],
        alpha: job.request.alpha,
        beta: job.request.beta,
        a: buffers.a.device_ptr(&gpu.stream).0,
        b: buffers.b.device_ptr(&gpu.stream).0,
        c: buffers.c.device_ptr(&gpu.stream).0,
    };
    blas.start(&gemm).map_err(fault)
}

/// Poisons C (or puts the old C back), runs `start`, and brings C to the host.
fn product(
    gpu: &CudaExecutor,
    inputs: &Inputs,
    buffers: &mut Buffers,
    doing: &str,
    start: impl FnOnce(&mut Buffers) -> Result<(), ExecError>,
) -> Result<Vec<f32>, ExecError> {
    let fault = |error| failed(doing, &error);
    gpu.stream.memcpy_htod(&inputs.c, &mut buffers.c).map_err(fault)?;
    start(buffers)?;
    gpu.stream.synchronize().map_err(fault)?;
    let c = gpu.stream.clone_dtoh(&buffers.c).map_err(fault)?;
    gpu.stream.synchronize().map_err(fault)?;
    Ok(c)
}

/// What the results are compared with.
enum Truth {
    Exact(Vec<f64>),
    Single { c: Vec<f32>, name: String },
}

fn verify(
    gpu: &CudaExecutor,
    job: &Job,
    loaded: &[Loaded],
    inputs: &Inputs,
    buffers: &mut Buffers,
) -> Result<(), ExecError> {
    let problem = job.problem(inputs);
    let tolerance = problem.tolerance();
    let mut truths: Vec<(Option<&str>, Truth)> = Vec::new();
    for (index, (kernel, resolved)) in loaded.iter().zip(&job.programs).enumerate() {
        if job.cancelled() {
            return Ok(());
        }
        let reference = reference_kernel(resolved);
        let known = truths.iter().position(|(of, _)| of.is_none() || *of == Some(reference));
        let at = match known {
            Some(at) => at,
            None => {
                job.progress("computing the reference", 0.0);
                truths.push(truth(gpu, job, &problem, &tolerance, buffers, reference)?);
                truths.len() - 1
            }
        };
        let doing = format!("running {}", kernel.id);
        job.progress(&doing, 0.0);
        let c = product(gpu, inputs, buffers, &doing, |buffers| start(gpu, job, kernel, buffers))?;
        let verification = match &truths[at].1 {
            Truth::Exact(exact) => problem.compare(&c, &Reference::Exact(exact), &tolerance, "float64 on the host"),
            Truth::Single { c: single, name } => problem.compare(&c, &Reference::Single(single), &tolerance, name),
        };
        job.reply(Reply::Verified { id: job.id(), program: index, verification });
    }
    Ok(())
}

/// The kernel to compare with where there is no cuBLAS: a simple one, and never the kernel itself.
fn reference_kernel(program: &Resolved) -> &'static str {
    let simple = "sgemm_naive_coalesced";
    if program.committed && program.id == simple { "sgemm_tiled" } else { simple }
}

/// The reference: float64 if that is quick, else cuBLAS, else one of our own kernels, the last two
/// themselves compared with float64 on rows spread over the matrix.
///
/// The first of the pair is the kernel that the reference came from, if it did: then it does not serve for all.
fn truth<'k>(
    gpu: &CudaExecutor,
    job: &Job,
    problem: &Problem,
    tolerance: &Tolerance,
    buffers: &mut Buffers,
    reference: &'k str,
) -> Result<(Option<&'k str>, Truth), ExecError> {
    let shape = job.shape();
    let products = u64::from(shape.m) * u64::from(shape.n) * u64::from(shape.k);
    if products <= EXACT_PRODUCTS {
        return Ok((None, Truth::Exact(problem.exact())));
    }
    let rows = sampled_rows(shape.m, CHECKED_ROWS);
    let checked = format!("itself checked in float64 on {} rows", rows.len());
    if let Ok(blas) = &gpu.blas {
        let c = product(gpu, problem.inputs, buffers, "running cuBLAS", |buffers| start_cublas(gpu, job, buffers))?;
        if problem.rows_are_right(&c, &rows, tolerance) {
            return Ok((None, Truth::Single { c, name: format!("cuBLAS {}, {checked}", blas.version()) }));
        }
        job.note("cuBLAS's own result is not within FP32 accuracy of float64, so it was not used as the reference.");
    }
    let kernel = load(gpu, &committed(reference, shape)?)?;
    let doing = format!("running the reference {reference}");
    let c = product(gpu, problem.inputs, buffers, &doing, |buffers| start(gpu, job, &kernel, buffers))?;
    if problem.rows_are_right(&c, &rows, tolerance) {
        return Ok((Some(reference), Truth::Single { c, name: format!("{reference}, {checked}") }));
    }
    job.note(format!(
        "The reference {reference} is wrong on this GPU; comparing with float64 on the host, which takes longer."
    ));
    Ok((None, Truth::Exact(problem.exact())))
}

fn time(gpu: &CudaExecutor, job: &Job, loaded: &[Loaded], buffers: &mut Buffers) -> Result<(), ExecError> {
    let mut subjects: Vec<Subject> = (0..loaded.len()).map(Subject::Program).collect();
    if job.request.cublas {
        match &gpu.blas {
            Ok(_) => subjects.push(Subject::Cublas),
            Err(why) => job.note(format!("Not compared with cuBLAS: {why}")),
        }
    }
    let mut launch = |subject: Subject| match subject {
        Subject::Program(index) => start(gpu, job, &loaded[index], buffers),
        Subject::Cublas => start_cublas(gpu, job, buffers),
    };
    measure::measure(gpu, job, &subjects, &mut launch)
}
