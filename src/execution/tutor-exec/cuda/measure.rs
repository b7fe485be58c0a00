/*! Times all subjects on the GPU alternately: A B A B.

Kernels that run alternately in one process, on the same data, see the same clocks and the same power limit. If each
were timed separately, they would not. A batch takes half a millisecond. So the events around it are exact enough, and
the gaps between launches do not matter. The GPU is warm: the first launches of each subject are not counted.

If a launch takes less than [`SHORT_MS`], the host may need longer to submit it than the GPU to run it. Then a batch of
each subject is a CUDA graph, and its time is the GPU's alone. All subjects are timed in the same way. What a launch
costs the host is measured separately, while the GPU warms up.
*/

use super::driver::CudaExecutor;
use super::graph::{Graph, Timer};
use super::nvml::Nvml;
use crate::prelude::*;
use crate::protocol::{Conditions, Subject, Submission, Timing};
use crate::timing::{FEWEST, Samples};
use crate::{cublas_default_name, cublas_name};
use std::time::Instant;

const BATCH_MS: f64 = 0.5;
const MAX_LAUNCHES: f64 = 1000.0;
const WARM_UP_MS: f64 = 30.0;
/// Below this time of a launch, all subjects are timed in graphs.
const SHORT_MS: f64 = 0.1;
/// A measurement ends when the half-width of the median's 95 % interval, relative to the median, is at most this.
const SETTLED: f64 = 0.01;
const ENOUGH_ROUNDS: usize = 20;
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Starts one launch of a subject.
pub(super) type Launch<'a> = dyn FnMut(Subject) -> Result<(), ExecError> + 'a;

/// A subject with its samples.
struct Timed {
    subject: Subject,
    doing: Sentence,
    /// Launches per batch in a stream.
    launches: u32,
    one_ms: f64,
    graph: Option<Graph>,
    /// Times that the host takes to submit a launch to a stream.
    host: Samples,
    samples: Samples,
}

pub(super) fn measure(
    gpu: &CudaExecutor,
    job: &Job,
    subjects: &[Subject],
    launch: &mut Launch,
) -> Result<(), ExecError> {
    let timer = Timer::new(gpu)?;
    let mut all = Vec::new();
    for &subject in subjects {
        all.push(warm_up(&timer, job, subject, launch)?);
    }
    if all.iter().any(|timed| timed.one_ms < SHORT_MS) && !job.cancelled() {
        capture(&timer, job, &mut all, launch);
    }
    let mut seen: Vec<(u32, f64)> = Vec::new();
    let limit = Duration::try_from_secs_f64(job.request.seconds * subjects.len() as f64).unwrap_or(Duration::MAX);
    let (began, mut reported) = (Instant::now(), Instant::now());
    job.progress(sentence!("exec-doing-time"), 0.0);
    while !job.cancelled() {
        for timed in &mut all {
            let (ms, launches) = batch(&timer, timed, launch)?;
            timed.samples.push(ms, launches);
            job.reply(Reply::Sample { id: job.id(), subject: timed.subject, ms, launches });
            if job.cancelled() {
                break;
            }
        }
        let settled = |timed: &Timed| timed.samples.batches() >= ENOUGH_ROUNDS && timed.samples.settled(SETTLED);
        let enough = all.iter().all(settled);
        // A slow kernel gets at least as many batches as an interval needs, unless that takes far too long.
        let fewest = all.iter().all(|timed| timed.samples.batches() >= FEWEST);
        let over = began.elapsed() >= limit && (fewest || began.elapsed() >= limit.saturating_mul(4));
        if enough || over {
            break;
        }
        if reported.elapsed() >= REPORT_EVERY {
            seen.extend(gpu.nvml.as_ref().and_then(Nvml::now));
            report(job, &all);
            // The fraction of the time limit. The measurement ends sooner if the medians settle.
            job.progress(sentence!("exec-doing-time"), began.elapsed().div_duration_f64(limit).min(1.0));
            reported = Instant::now();
        }
    }
    report(job, &all);
    if let Some(conditions) = conditions(&mut seen) {
        job.reply(Reply::Conditions { id: job.id(), conditions });
    }
    if !job.cancelled() {
        for timed in all.iter().filter(|timed| !timed.samples.settled(SETTLED)) {
            job.note(sentence!(
                "exec-times-vary",
                kernel = name(job, timed.subject),
                outliers = timed.samples.outliers(),
                batches = timed.samples.batches(),
            ));
        }
    }
    Ok(())
}

fn name(job: &Job, subject: Subject) -> Sentence {
    match subject {
        Subject::Program(index) => {
            let program = job.programs.iter().find(|program| program.index == index);
            program.map_or_else(Sentence::default, |program| program.id.as_str().into())
        }
        Subject::Cublas => cublas_name(job.elements).into(),
        Subject::CublasDefault => cublas_default_name(job.elements),
    }
}

/// Launches a subject until the GPU is warm. Finds the number of launches per batch, and what a launch costs the host.
fn warm_up(timer: &Timer, job: &Job, subject: Subject, launch: &mut Launch) -> Result<Timed, ExecError> {
    job.progress(sentence!("exec-doing-warm-up", kernel = name(job, subject)), 0.0);
    let doing = sentence!("exec-doing-time-kernel", kernel = name(job, subject));
    let (host, samples) = (Samples::default(), Samples::default());
    let mut timed = Timed { subject, doing, launches: 1, one_ms: 0.0, graph: None, host, samples };
    let mut warm_ms = batch(timer, &mut timed, launch)?.0;
    timed.host = Samples::default();
    timed.one_ms = batch(timer, &mut timed, launch)?.0;
    while warm_ms < WARM_UP_MS && !job.cancelled() {
        timed.launches = launches_for(BATCH_MS, timed.one_ms);
        timed.one_ms = batch(timer, &mut timed, launch)?.0;
        warm_ms += (timed.one_ms * f64::from(timed.launches)).max(0.01);
    }
    timed.launches = launches_for(BATCH_MS, timed.one_ms);
    Ok(timed)
}

/// Makes a graph for each subject. If one of them cannot be captured, all are timed in the stream.
fn capture(timer: &Timer, job: &Job, all: &mut [Timed], launch: &mut Launch) {
    for timed in &mut *all {
        let subject = timed.subject;
        timed.graph = timer.capture(timed.one_ms, &mut || launch(subject));
        if timed.graph.is_none() {
            job.note(sentence!("exec-no-graph", kernel = name(job, subject)));
            break;
        }
    }
    if all.iter().any(|timed| timed.graph.is_none()) {
        all.iter_mut().for_each(|timed| timed.graph = None);
    }
}

/// Runs a batch. Returns the GPU's time per launch in ms, and the number of launches.
fn batch(timer: &Timer, timed: &mut Timed, launch: &mut Launch) -> Result<(f64, u32), ExecError> {
    if let Some(graph) = &timed.graph {
        let ms = timer.ms(&timed.doing, &mut || graph.replay(&timed.doing))?;
        return Ok((ms / f64::from(graph.launches), graph.launches));
    }
    let (subject, launches, host) = (timed.subject, timed.launches, &mut timed.host);
    let ms = timer.ms(&timed.doing, &mut || {
        let began = Instant::now();
        (0..launches).try_for_each(|_| launch(subject))?;
        host.push(began.elapsed().as_secs_f64() * 1e3 / f64::from(launches), launches);
        Ok(())
    })?;
    Ok((ms / f64::from(launches), launches))
}

/// Returns the minimum, median and maximum of the observed clocks and powers.
fn conditions(seen: &mut [(u32, f64)]) -> Option<Conditions> {
    let middle = seen.len() / 2;
    seen.sort_by_key(|(mhz, _)| *mhz);
    let sm_mhz = [seen.first()?.0, seen.get(middle)?.0, seen.last()?.0];
    seen.sort_by(|a, b| a.1.total_cmp(&b.1));
    let watts = [seen.first()?.1, seen.get(middle)?.1, seen.last()?.1];
    Some(Conditions { sm_mhz, watts })
}

fn launches_for(batch_ms: f64, one_ms: f64) -> u32 {
    (batch_ms / one_ms.max(1e-6)).ceil().clamp(1.0, MAX_LAUNCHES) as u32
}

/// Replies with the times so far. cuBLAS's is the faster of its default choice and the candidate.
fn report(job: &Job, all: &[Timed]) {
    let mut best: Option<Timing> = None;
    for timed in all {
        let Some(mut timing) = timed.samples.timing() else { continue };
        timing.submission = if timed.graph.is_some() { Submission::Graph } else { Submission::Stream };
        timing.host_ms = timed.host.timing().map(|host| host.median_ms);
        if !matches!(timed.subject, Subject::Program(_)) {
            best = best.filter(|best| best.median_ms <= timing.median_ms).or(Some(timing));
        }
        if timed.subject != Subject::Cublas {
            job.reply(Reply::Timed { id: job.id(), subject: timed.subject, timing });
        }
    }
    if let Some(timing) = best {
        job.reply(Reply::Timed { id: job.id(), subject: Subject::Cublas, timing });
    }
}
