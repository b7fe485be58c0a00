/*! Times all subjects on the GPU alternately: A B A B.

Kernels that run alternately in one process, on the same data, see the same clocks and the same power limit. If each
were timed separately, they would not. A batch takes half a millisecond. So the events around it are exact enough, and
the gaps between launches do not matter. The GPU is warm: the first launches of each subject are not counted.
*/

use super::driver::{CudaExecutor, failed};
use super::nvml::Nvml;
use crate::cublas_name;
use crate::prelude::*;
use crate::protocol::{Conditions, Subject};
use crate::timing::{FEWEST, Samples};
use cudarc::driver::sys::CUevent_flags;
use std::time::Instant;

const BATCH_MS: f64 = 0.5;
const MAX_LAUNCHES: f64 = 1000.0;
const WARM_UP_MS: f64 = 30.0;
/// A measurement ends when the half-width of the median's 95 % interval, relative to the median, is at most this.
const SETTLED: f64 = 0.01;
const ENOUGH_ROUNDS: usize = 20;
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Starts one launch of a subject.
pub(super) type Launch<'a> = dyn FnMut(Subject) -> Result<(), ExecError> + 'a;

pub(super) fn measure(
    gpu: &CudaExecutor,
    job: &Job,
    subjects: &[Subject],
    launch: &mut Launch,
) -> Result<(), ExecError> {
    let event = || {
        let flags = Some(CUevent_flags::CU_EVENT_DEFAULT);
        gpu.context.new_event(flags).map_err(|error| failed(&sentence!("exec-doing-event"), &error))
    };
    let (start, end) = (event()?, event()?);
    let name = |subject: Subject| match subject {
        Subject::Program(index) => {
            let program = job.programs.iter().find(|program| program.index == index);
            program.map_or_else(String::new, |program| program.id.clone())
        }
        Subject::Cublas => cublas_name(job.elements).to_owned(),
    };
    let mut batch_ms = |subject: Subject, launches: u32| -> Result<f64, ExecError> {
        let doing = sentence!("exec-doing-time-kernel", kernel = name(subject));
        start.record(&gpu.stream).map_err(|error| failed(&doing, &error))?;
        for _ in 0..launches {
            launch(subject)?;
        }
        end.record(&gpu.stream).map_err(|error| failed(&doing, &error))?;
        gpu.elapsed_ms(&start, &end).map_err(|error| failed(&doing, &error))
    };

    // Warm up, and find the number of launches per batch.
    let mut batches: Vec<u32> = Vec::new();
    for &subject in subjects {
        job.progress(sentence!("exec-doing-warm-up", kernel = name(subject)), 0.0);
        let mut warm_ms = batch_ms(subject, 1)?;
        let mut one_ms = batch_ms(subject, 1)?;
        while warm_ms < WARM_UP_MS && !job.cancelled() {
            let launches = launches_for(BATCH_MS, one_ms);
            let ms = batch_ms(subject, launches)?;
            one_ms = ms / f64::from(launches);
            warm_ms += ms.max(0.01);
        }
        batches.push(launches_for(BATCH_MS, one_ms));
    }

    let mut samples = vec![Samples::default(); subjects.len()];
    let mut seen: Vec<(u32, f64)> = Vec::new();
    let limit = Duration::try_from_secs_f64(job.request.seconds * subjects.len() as f64).unwrap_or(Duration::MAX);
    let (began, mut reported) = (Instant::now(), Instant::now());
    job.progress(sentence!("exec-doing-time"), 0.0);
    while !job.cancelled() {
        for ((&subject, &launches), samples) in subjects.iter().zip(&batches).zip(&mut samples) {
            let ms = batch_ms(subject, launches)? / f64::from(launches);
            samples.push(ms, launches);
            job.reply(Reply::Sample { id: job.id(), subject, ms, launches });
            if job.cancelled() {
                break;
            }
        }
        let enough = samples.iter().all(|samples| samples.batches() >= ENOUGH_ROUNDS && samples.settled(SETTLED));
        // A slow kernel gets at least as many batches as an interval needs, unless that takes far too long.
        let fewest = samples.iter().all(|samples| samples.batches() >= FEWEST);
        let over = began.elapsed() >= limit && (fewest || began.elapsed() >= limit.saturating_mul(4));
        if enough || over {
            break;
        }
        if reported.elapsed() >= REPORT_EVERY {
            seen.extend(gpu.nvml.as_ref().and_then(Nvml::now));
            report(job, subjects, &samples);
            // The fraction of the time limit. The measurement ends sooner if the medians settle.
            job.progress(sentence!("exec-doing-time"), began.elapsed().div_duration_f64(limit).min(1.0));
            reported = Instant::now();
        }
    }
    report(job, subjects, &samples);
    if let Some(conditions) = conditions(&mut seen) {
        job.reply(Reply::Conditions { id: job.id(), conditions });
    }
    if !job.cancelled() {
        for (&subject, samples) in subjects.iter().zip(&samples).filter(|(_, samples)| !samples.settled(SETTLED)) {
            job.note(sentence!(
                "exec-times-vary",
                kernel = name(subject),
                outliers = samples.outliers(),
                batches = samples.batches(),
            ));
        }
    }
    Ok(())
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

fn report(job: &Job, subjects: &[Subject], samples: &[Samples]) {
    for (&subject, samples) in subjects.iter().zip(samples) {
        if let Some(timing) = samples.timing() {
            job.reply(Reply::Timed { id: job.id(), subject, timing });
        }
    }
}
