//! Provides the references with which results are compared.

use super::buffers::{Buffers, gemm, product, start_cublas, upload};
use super::driver::CudaExecutor;
use super::launch::start;
use super::load::load;
use crate::prelude::*;
use crate::protocol::Verification;
use crate::resolve::committed;
use crate::verify::{Reference, Tolerance, sampled_rows};
use tutor_kernels::{Catalog, EpilogueParams};

/// Up to this number of multiply-adds (n = 512), float64 on the host is fast, and no reference is better.
const EXACT_PRODUCTS: u64 = 1 << 27;
const CHECKED_ROWS: u32 = 8;

/// The references of a job, each made when it is first needed.
#[derive(Default)]
pub(super) struct References(Vec<Known>);

struct Known {
    /// The further parameters of the kernels for which it holds.
    further: EpilogueParams,
    /// The kernel that computed it, if one did. It cannot be used for every kernel.
    by: Option<&'static str>,
    truth: Truth,
    tolerance: Tolerance,
}

enum Truth {
    Exact(Vec<f64>),
    Single { c: Vec<f64>, name: Sentence },
}

impl References {
    /// Compares a kernel's result with a reference that was not computed by the same kernel.
    pub(super) fn compare(
        &mut self,
        gpu: &CudaExecutor,
        job: &Job,
        problem: &Problem,
        buffers: &mut Buffers,
        (program, c, largest): (&Resolved, &[f64], Option<f64>),
    ) -> Result<Verification, ExecError> {
        let reference = reference_kernel(program, job);
        let holds = |known: &Known| known.by.is_none_or(|by| Some(by) == reference) && known.further == program.further;
        let known = self.0.iter().position(holds);
        let at = match known {
            Some(at) => at,
            None => {
                job.progress(sentence!("exec-doing-reference"), 0.0);
                let tolerance = problem.tolerance();
                let (by, truth) = truth(gpu, job, problem, &tolerance, buffers, reference)?;
                self.0.push(Known { further: program.further, by, truth, tolerance });
                self.0.len() - 1
            }
        };
        let Known { truth, tolerance, .. } = &self.0[at];
        let (reference, name) = match truth {
            Truth::Exact(exact) => (Reference::Exact(exact), &sentence!("exec-against-host")),
            Truth::Single { c: single, name } => (Reference::Single(single), name),
        };
        let mut outcome = problem.compare(c, &reference, tolerance, name);
        if let Some(largest) = largest {
            problem.check_largest(&mut outcome, largest, &reference, tolerance);
        }
        Ok(outcome)
    }
}

/// Returns the kernel that computes the reference if cuBLAS does not: one that takes this shape and differs from `program`.
fn reference_kernel(program: &Resolved, job: &Job) -> Option<&'static str> {
    let kernels = match job.elements {
        Elements::S8 => ["s8_mma", "s8_simple"],
        Elements::F64 => ["f64_mma", "f64_simple"],
        _ => ["sgemm_naive_coalesced", "sgemm_tiled"],
    };
    let Shape { m, n, k, batch } = job.shape();
    let takes = |id: &str| {
        let kernel = Catalog::built_in().kernel(id);
        batch == 1 && kernel.is_some_and(|kernel| kernel.needs.unmet(m, n, k).is_none())
    };
    kernels.into_iter().find(|id| !(program.committed && program.id == *id) && takes(id))
}

/// Computes the reference: float64 if that is fast, else cuBLAS in FP32, else one of our FP32 kernels. The last two are
/// themselves compared with float64 on rows spread over the matrix. They compute in FP32 from the same inputs, whatever
/// the element type, so the reference has no rounding to that type. FP32 does not hold the sums of integers, so their
/// reference is a kernel for integers, or float64 if none takes the shape. The reference of FP64 is cuBLAS or a kernel in FP64.
///
/// The first value is the kernel that computed the reference, if one did. Such a reference cannot be used for every
/// kernel.
fn truth(
    gpu: &CudaExecutor,
    job: &Job,
    problem: &Problem,
    tolerance: &Tolerance,
    buffers: &mut Buffers,
    reference: Option<&'static str>,
) -> Result<(Option<&'static str>, Truth), ExecError> {
    let shape = job.shape();
    if shape.products() <= EXACT_PRODUCTS {
        return Ok((None, Truth::Exact(problem.exact())));
    }
    let rows = sampled_rows(shape.rows(), CHECKED_ROWS);
    let integers = job.elements == Elements::S8;
    let (own, tolerance) = match job.elements {
        Elements::S8 | Elements::F64 => (job.elements, tolerance),
        _ => (Elements::F32, &tolerance.of_single()),
    };
    let singles = (buffers.elements.bytes() != own.bytes()).then(|| upload(gpu, problem.inputs, shape, own));
    let mut singles = singles.transpose()?;
    let buffers = singles.as_mut().unwrap_or(buffers);
    let inputs = (problem.inputs, buffers.elements.result());
    if let (false, Ok(blas)) = (integers, &gpu.blas) {
        let plain = |buffers: &mut Buffers| start_cublas(gpu, &gemm(gpu, job, buffers, own));
        let c = product(gpu, inputs, buffers, &sentence!("exec-doing-run", kernel = "cuBLAS"), plain)?;
        if problem.rows_are_right(&c, &rows, tolerance) {
            return Ok((
                None,
                Truth::Single {
                    c,
                    name: sentence!(
                        "exec-against-cublas",
                        version = blas.version(),
                        elements = own.name(),
                        rows = rows.len()
                    ),
                },
            ));
        }
        job.note(sentence!("exec-reference-cublas-wrong"));
    }
    let Some(reference) = reference else { return Ok((None, Truth::Exact(problem.exact()))) };
    let kernel = load(gpu, &committed(reference, shape, gpu.multiprocessors)?)?;
    let doing = sentence!("exec-doing-run-reference", kernel = reference);
    let c = product(gpu, inputs, buffers, &doing, |buffers| start(gpu, job, &kernel, buffers))?;
    if problem.rows_are_right(&c, &rows, tolerance) {
        return Ok((
            Some(reference),
            Truth::Single { c, name: sentence!("exec-against-kernel", kernel = reference, rows = rows.len()) },
        ));
    }
    job.note(sentence!("exec-reference-wrong", kernel = reference));
    Ok((None, Truth::Exact(problem.exact())))
}
