//! Finds the library's fastest correct choice for a product.

use super::blas::Blas;
use super::buffers::{Buffers, gemm, product, start_cublas};
use super::driver::{CudaExecutor, failed};
use super::graph::{Graph, Timer};
use super::lt::{Algorithm, Gemm, Plan};
use crate::baseline::{Baseline, Telltale, telltale};
use crate::matrix::decode;
use crate::prelude::*;
use crate::protocol::Subject;
use crate::timing::Samples;
use crate::verify::sampled_rows;
use cudarc::driver::sys::CUdeviceptr;

/// Number of times that each choice is timed.
const ROUNDS: usize = 7;
/// Number of rows that are checked.
const ROWS: u32 = 8;
/// A candidate must take at most this part of the default choice's time. A smaller difference is noise.
const CLEARLY: f64 = 0.995;

/// A choice of the library: a candidate, or `None` for the default.
type Way = Option<Algorithm>;

/// The library's choices for the product that is being timed.
pub(super) struct Library<'gpu> {
    gpu: &'gpu CudaExecutor,
    gemm: Gemm,
    /// cuBLASLt's description of the product, and the address of its workspace.
    lt: Option<(Plan<'gpu>, CUdeviceptr)>,
    default_wrong: bool,
    candidate: Way,
}

/// How rows of a product agree with float64.
#[derive(Clone, Copy, PartialEq)]
enum Rows {
    Right,
    /// Their error is explained if the sums of parts of K were rounded to the element type.
    RoundsParts,
    Wrong,
}

impl<'gpu> Library<'gpu> {
    /// Takes the choice that the request has kept, or finds it and replies with it.
    pub(super) fn find(
        gpu: &'gpu CudaExecutor,
        blas: &'gpu Blas,
        job: &Job,
        inputs: &Inputs,
        buffers: &mut Buffers,
    ) -> Result<Self, ExecError> {
        let gemm = gemm(gpu, job, buffers, job.elements);
        let lt = blas
            .lt(&gpu.stream, gpu.device.capability)
            .and_then(|(lt, workspace)| Some((lt.plan(&gemm).ok()?, workspace)));
        let mut library = Self { gpu, gemm, lt, default_wrong: job.elements.bytes() == 1, candidate: None };
        let Some((plan, _)) = &library.lt else {
            let only_lt = library.default_wrong;
            job.note(if only_lt { sentence!("exec-cublas-8-bit") } else { sentence!("exec-no-cublaslt") });
            return Ok(library);
        };
        let mut baseline = Baseline {
            device: gpu.device.name.clone(),
            driver: gpu.device.driver.clone(),
            library: blas.library(),
            elements: job.elements,
            shape: job.shape(),
            algorithm: None,
            default_wrong: false,
            wrong: 0,
            rounds_parts: false,
        };
        let usable = |kept: &&Baseline| kept.is_for(&baseline) && kept.algorithm.is_none_or(|way| plan.accepts(way));
        if let Some(kept) = job.request.baselines.iter().find(usable) {
            baseline = kept.clone();
        } else if library.search(job, inputs, buffers, &mut baseline)? {
            job.reply(Reply::Baseline { id: job.id(), baseline: Box::new(baseline.clone()) });
        }
        match baseline {
            Baseline { wrong: 0, .. } => {}
            Baseline { default_wrong: true, algorithm: None, .. } => job.note(sentence!("exec-cublas-all-wrong")),
            Baseline { default_wrong: true, .. } => job.note(sentence!("exec-cublas-default-wrong")),
            Baseline { wrong, .. } => job.note(sentence!("exec-cublas-wrong", wrong)),
        }
        if baseline.rounds_parts {
            job.note(sentence!("exec-cublas-rounds", elements = job.elements.to_string()));
        }
        library.default_wrong |= baseline.default_wrong;
        library.candidate = baseline.algorithm;
        Ok(library)
    }

    /// Returns what is timed: the default choice if it is correct, and the candidate if it is faster.
    pub(super) fn subjects(&self) -> Vec<Subject> {
        let default = (!self.default_wrong).then_some(Subject::CublasDefault);
        default.into_iter().chain(self.candidate.map(|_| Subject::Cublas)).collect()
    }

    /// Starts the default choice or the candidate on the stream.
    pub(super) fn start(&self, subject: Subject) -> Result<(), ExecError> {
        self.start_way(&self.gemm, self.candidate.filter(|_| subject == Subject::Cublas))
    }

    fn start_way(&self, gemm: &Gemm, way: Way) -> Result<(), ExecError> {
        let (Some(way), Some((plan, workspace))) = (way, &self.lt) else { return start_cublas(self.gpu, gemm) };
        let started = plan.start(gemm, way, *workspace, &self.gpu.stream);
        started.map_err(|message| ExecError::new(ExecErrorKind::KernelFault, message))
    }

    /// Finds the fastest correct choice. Returns false if the search was cancelled, or if nothing can be timed in a
    /// graph.
    fn search(
        &self,
        job: &Job,
        inputs: &Inputs,
        buffers: &mut Buffers,
        found: &mut Baseline,
    ) -> Result<bool, ExecError> {
        let doing = sentence!("exec-doing-baseline");
        job.progress(&doing, 0.0);
        let mut timed = self.timed(job, &doing)?;
        if timed.is_empty() || job.cancelled() {
            return Ok(false);
        }
        timed.sort_by(|a, b| a.0.total_cmp(&b.0));
        job.progress(&doing, 0.5);
        let all = timed.len();
        let ways: Vec<Way> = timed.into_iter().map(|(_, way)| way).collect();
        let exact = self.exact(job.shape(), ways, buffers, &doing)?;
        upload(self.gpu, inputs, job.shape(), buffers)?;
        let mut rows = |way| self.rows(&job.problem(inputs), way, buffers, &doing);
        let default = if exact.contains(&None) { rows(None)? } else { Rows::Wrong };
        found.default_wrong = default == Rows::Wrong;
        found.wrong = (all - exact.len()) as u32;
        for way in exact {
            let rows = if way.is_none() { default } else { rows(way)? };
            if rows != Rows::Wrong {
                (found.algorithm, found.rounds_parts) = (way, rows == Rows::RoundsParts);
                break;
            }
            found.wrong += 1;
        }
        Ok(true)
    }

    /// Returns the median time of each choice in a graph. The default's is reduced a little, so that it is taken unless
    /// a candidate is clearly faster.
    fn timed(&self, job: &Job, doing: &Sentence) -> Result<Vec<(f64, Way)>, ExecError> {
        let timer = Timer::new(self.gpu)?;
        let candidates = self.lt.as_ref().and_then(|(plan, _)| plan.candidates().ok()).unwrap_or_default();
        let mut graphs: Vec<(Graph, Way, Samples)> = Vec::new();
        for way in std::iter::once(None).chain(candidates.into_iter().map(Some)) {
            let mut launch = || self.start_way(&self.gemm, way);
            // The library refuses some of its own candidates.
            if timer.ms(doing, &mut launch).is_err() {
                continue;
            }
            let graph = timer.capture(timer.ms(doing, &mut launch)?, &mut launch);
            graphs.extend(graph.map(|graph| (graph, way, Samples::default())));
        }
        for _ in 0..ROUNDS {
            for (graph, _, samples) in &mut graphs {
                samples.push(timer.ms(doing, &mut || graph.replay(doing))? / f64::from(graph.launches), graph.launches);
            }
            if job.cancelled() {
                break;
            }
        }
        let part = |way: Way| if way.is_none() { CLEARLY } else { 1.0 };
        let median = |(_, way, samples): &(Graph, Way, Samples)| Some((samples.timing()?.median_ms * part(*way), *way));
        Ok(graphs.iter().filter_map(median).collect())
    }

    /// Returns the choices that add each k exactly once. Overwrites the inputs.
    fn exact(
        &self,
        shape: Shape,
        ways: Vec<Way>,
        buffers: &mut Buffers,
        doing: &Sentence,
    ) -> Result<Vec<Way>, ExecError> {
        let Telltale { inputs, row } = telltale(shape);
        upload(self.gpu, &inputs, shape, buffers)?;
        let (gemm, stream) = (Gemm { factors: [1.0, 0.0], ..self.gemm }, &self.gpu.stream);
        let bytes = row.len() * buffers.elements.result().bytes() as usize;
        let fault = |error| failed(doing, &error);
        let mut exact = Vec::new();
        for way in ways {
            stream.memset_zeros(&mut buffers.c).map_err(fault)?;
            self.start_way(&gemm, way)?;
            let mut right = true;
            for at in sampled_rows(shape.rows(), ROWS) {
                let part = buffers.c.slice(at as usize * bytes..(at as usize + 1) * bytes);
                let found = stream.clone_dtoh(&part).map_err(fault)?;
                stream.synchronize().map_err(fault)?;
                right &= decode(buffers.elements.result(), &found) == row;
            }
            exact.extend(right.then_some(way));
        }
        Ok(exact)
    }

    /// Compares rows of the product with float64.
    fn rows(&self, problem: &Problem, way: Way, buffers: &mut Buffers, doing: &Sentence) -> Result<Rows, ExecError> {
        let c = product(self.gpu, (problem.inputs, problem.elements.result()), buffers, doing, |_| {
            self.start_way(&self.gemm, way)
        })?;
        let (rows, tolerance) = (sampled_rows(problem.shape.rows(), ROWS), problem.tolerance());
        Ok(if problem.rows_are_right(&c, &rows, &tolerance) {
            Rows::Right
        } else if problem.rows_are_right(&c, &rows, &tolerance.of_rounded_parts()) {
            Rows::RoundsParts
        } else {
            Rows::Wrong
        })
    }
}

fn upload(gpu: &CudaExecutor, inputs: &Inputs, shape: Shape, buffers: &mut Buffers) -> Result<(), ExecError> {
    let [a, b, _] = inputs.encoded(buffers.elements, shape);
    let stream = &gpu.stream;
    let copied = stream
        .memcpy_htod(&a, &mut buffers.a)
        .and_then(|()| stream.memcpy_htod(&b, &mut buffers.b))
        .and_then(|()| stream.synchronize());
    copied.map_err(|error| failed(&sentence!("exec-doing-copy"), &error))
}
