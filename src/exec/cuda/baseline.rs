//! Finds the library's fastest correct choice for a product.

use super::blas::{Blas, Gemm};
use super::driver::{CudaExecutor, failed};
use super::graph::{Graph, Timer};
use super::lt::{Algorithm, Plan};
use super::run::{Buffers, gemm, product, start_cublas};
use crate::baseline::{Baseline, Telltale, telltale};
use crate::matrix::{decode, encode_all};
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

/// The library's choices for the product that is being timed.
pub(super) struct Library<'gpu> {
    gemm: Gemm,
    default_wrong: bool,
    candidate: Option<(Plan<'gpu>, Algorithm, CUdeviceptr)>,
}

/// A choice of the library: a candidate, or `None` for the default.
type Way = Option<Algorithm>;

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
        let Some((lt, workspace)) = blas.lt(gpu) else {
            let only_lt = job.elements == Elements::E4m3;
            job.note(if only_lt { sentence!("exec-cublas-8-bit") } else { sentence!("exec-no-cublaslt") });
            return Ok(Self { gemm, default_wrong: only_lt, candidate: None });
        };
        let plan = lt.plan(&gemm).map_err(|error| {
            let message =
                sentence!("exec-cublas-failed", function = "cublasLtMatmulDescCreate", why = error.to_string());
            ExecError::new(ExecErrorKind::KernelFault, message)
        })?;
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
        } else {
            let mut search = Search { gpu, job, inputs, buffers, gemm, plan: &plan, workspace };
            if search.run(&mut baseline)? {
                job.reply(Reply::Baseline { id: job.id(), baseline: Box::new(baseline.clone()) });
            }
        }
        match baseline {
            Baseline { wrong: 0, .. } => {}
            Baseline { default_wrong: true, algorithm: None, .. } => job.note(sentence!("exec-cublas-all-wrong")),
            Baseline { default_wrong: true, .. } => job.note(sentence!("exec-cublas-default-wrong")),
            Baseline { wrong, .. } => job.note(sentence!("exec-cublas-wrong", wrong = wrong)),
        }
        if baseline.rounds_parts {
            job.note(sentence!("exec-cublas-rounds", elements = job.elements.to_string()));
        }
        let candidate = baseline.algorithm.map(|way| (plan, way, workspace));
        Ok(Self { gemm, default_wrong: baseline.default_wrong, candidate })
    }

    /// Returns what is timed: the default choice if it is correct, and the candidate if it is faster.
    pub(super) fn subjects(&self) -> Vec<Subject> {
        let default = (!self.default_wrong).then_some(Subject::CublasDefault);
        default.into_iter().chain(self.candidate.as_ref().map(|_| Subject::Cublas)).collect()
    }

    /// Starts the default choice or the candidate on the stream.
    pub(super) fn start(&self, gpu: &CudaExecutor, subject: Subject) -> Result<(), ExecError> {
        match &self.candidate {
            Some((plan, way, workspace)) if subject == Subject::Cublas => {
                start_way(gpu, plan, &self.gemm, Some(*way), *workspace)
            }
            _ => start_cublas(gpu, &self.gemm),
        }
    }
}

fn start_way(gpu: &CudaExecutor, plan: &Plan, gemm: &Gemm, way: Way, workspace: CUdeviceptr) -> Result<(), ExecError> {
    let Some(algorithm) = way else { return start_cublas(gpu, gemm) };
    let fault = |message: Sentence| ExecError::new(ExecErrorKind::KernelFault, message);
    plan.start(gemm, algorithm, workspace, &gpu.stream).map_err(fault)
}

/// What the search for the fastest correct choice needs.
struct Search<'a> {
    gpu: &'a CudaExecutor,
    job: &'a Job<'a>,
    inputs: &'a Inputs,
    buffers: &'a mut Buffers,
    gemm: Gemm,
    plan: &'a Plan<'a>,
    workspace: CUdeviceptr,
}

impl Search<'_> {
    /// Finds the fastest correct choice. Returns false if the search was cancelled, or if nothing can be timed in a graph.
    fn run(&mut self, found: &mut Baseline) -> Result<bool, ExecError> {
        let doing = sentence!("exec-doing-baseline");
        self.job.progress(&doing, 0.0);
        let mut timed = self.timed(&doing)?;
        if timed.is_empty() || self.job.cancelled() {
            return Ok(false);
        }
        timed.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.job.progress(&doing, 0.5);
        let exact = self.exact(timed.iter().map(|(_, way)| *way).collect())?;
        found.wrong = timed.len() as u32 - exact.len() as u32;
        let default = if exact.contains(&None) { self.rows(None)? } else { Rows::Wrong };
        found.default_wrong = default == Rows::Wrong;
        found.wrong += u32::from(found.default_wrong && exact.contains(&None));
        for (_, way) in timed.into_iter().filter(|(_, way)| exact.contains(way)) {
            let rows = if way.is_none() { default } else { self.rows(way)? };
            if rows != Rows::Wrong {
                (found.algorithm, found.rounds_parts) = (way, rows == Rows::RoundsParts);
                break;
            }
            found.wrong += u32::from(way.is_some());
        }
        Ok(true)
    }

    fn start(&self, gemm: &Gemm, way: Way) -> Result<(), ExecError> {
        start_way(self.gpu, self.plan, gemm, way, self.workspace)
    }

    /// Returns the median time of each choice in a graph. The default's is reduced a little, so that it is taken unless
    /// a candidate is clearly faster.
    fn timed(&self, doing: &Sentence) -> Result<Vec<(f64, Way)>, ExecError> {
        let timer = Timer::new(self.gpu)?;
        let candidates = self.plan.candidates().unwrap_or_default();
        let mut graphs: Vec<(Graph, Way, Samples)> = Vec::new();
        for way in std::iter::once(None).chain(candidates.into_iter().map(Some)) {
            let mut launch = || self.start(&self.gemm, way);
            // The library refuses some of its own candidates.
            if timer.ms(doing, &mut launch).is_err() {
                continue;
            }
            let one_ms = timer.ms(doing, &mut launch)?;
            if let Some(graph) = timer.capture(doing, one_ms, &mut launch)? {
                graphs.push((graph, way, Samples::default()));
            }
        }
        for _ in 0..ROUNDS {
            for (graph, _, samples) in &mut graphs {
                samples.push(timer.ms(doing, &mut || graph.replay(doing))? / f64::from(graph.launches), graph.launches);
            }
            if self.job.cancelled() {
                break;
            }
        }
        let part = |way: Way| if way.is_none() { CLEARLY } else { 1.0 };
        Ok(graphs
            .iter()
            .filter_map(|(_, way, samples)| Some((samples.timing()?.median_ms * part(*way), *way)))
            .collect())
    }

    /// Returns the choices that add each k exactly once.
    fn exact(&mut self, ways: Vec<Way>) -> Result<Vec<Way>, ExecError> {
        let Telltale { inputs, row } = telltale(self.job.shape());
        self.upload(&inputs)?;
        let gemm = Gemm { alpha: 1.0, beta: 0.0, ..self.gemm };
        let doing = sentence!("exec-doing-baseline");
        let fault = |error| failed(&doing, &error);
        let bytes = row.len() * self.buffers.elements.result().bytes() as usize;
        let mut exact = Vec::new();
        for way in ways {
            self.gpu.stream.memset_zeros(&mut self.buffers.c).map_err(fault)?;
            self.start(&gemm, way)?;
            let mut right = true;
            for at in sampled_rows(self.job.shape().m, ROWS) {
                let part = self.buffers.c.slice(at as usize * bytes..(at as usize + 1) * bytes);
                let found = self.gpu.stream.clone_dtoh(&part).map_err(fault)?;
                self.gpu.stream.synchronize().map_err(fault)?;
                right &= decode(self.buffers.elements.result(), &found) == row;
            }
            if right {
                exact.push(way);
            }
        }
        self.upload(self.inputs)?;
        Ok(exact)
    }

    fn upload(&mut self, inputs: &Inputs) -> Result<(), ExecError> {
        let (stream, elements) = (&self.gpu.stream, self.buffers.elements);
        let [a, b, _] = encode_all(elements, inputs, self.job.shape());
        let copied = stream
            .memcpy_htod(&a, &mut self.buffers.a)
            .and_then(|()| stream.memcpy_htod(&b, &mut self.buffers.b))
            .and_then(|()| stream.synchronize());
        copied.map_err(|error| failed(&sentence!("exec-doing-copy"), &error))
    }

    /// Compares rows of the product with float64.
    fn rows(&mut self, way: Way) -> Result<Rows, ExecError> {
        let problem = self.job.problem(self.inputs);
        let (gpu, plan, gemm, workspace) = (self.gpu, self.plan, self.gemm, self.workspace);
        let start = |_: &mut Buffers| start_way(gpu, plan, &gemm, way, workspace);
        let c = product(gpu, self.inputs, self.buffers, &sentence!("exec-doing-baseline"), start)?;
        let (rows, tolerance) = (sampled_rows(self.job.shape().m, ROWS), problem.tolerance());
        Ok(if problem.rows_are_right(&c, &rows, &tolerance) {
            Rows::Right
        } else if problem.rows_are_right(&c, &rows, &tolerance.of_rounded_parts()) {
            Rows::RoundsParts
        } else {
            Rows::Wrong
        })
    }
}

/// How rows of a product agree with float64.
#[derive(Clone, Copy, PartialEq)]
enum Rows {
    Right,
    /// Their error is explained if the sums of parts of K were rounded to the element type.
    RoundsParts,
    Wrong,
}
