//! Measures one size: times all kernels of an element type alternately with cuBLAS on the same data.

use crate::prelude::*;
use crate::session::Ended;
use tutor_exec::protocol::{ExecError, LaunchRequest, Program, Reply, Shape, Subject, Target};
use tutor_exec::recorded::{LeftOut, RecordedConditions, RecordedCublas, RecordedRow, RecordedTime, Recording};

/// Decides which kernels are timed.
pub(super) struct Rule {
    /// Kernels with longer expected launches are left out; in milliseconds.
    pub(super) longest_ms: f64,
    /// The GPU's compute capability.
    pub(super) capability: [u32; 2],
}

impl Rule {
    /// Splits `kernels` into those to time at size `n` and those to leave out. Expects times to grow with n³ from a
    /// kernel's largest size so far.
    pub(super) fn part<'k>(
        &self,
        sofar: &Recording,
        kernels: &[&'k Kernel],
        n: u32,
    ) -> (Vec<&'k Kernel>, Vec<LeftOut>) {
        let (mut timed, mut left_out) = (Vec::new(), Vec::new());
        for &kernel in kernels {
            let before = sofar.sizes(kernel).last().and_then(|before| sofar.row(kernel, *before));
            let expected = before.map(|row| row.time.median_ms * (f64::from(n) / f64::from(row.time.n)).powi(3));
            let skipped_before = sofar.left_out.iter().find(|left| left.kernel == kernel.id);
            let why = if let Some(why) = kernel.needs.unmet(n, n, n) {
                t!("cli-bench-size", why)
            } else if !kernel.arch.runs_on(self.capability) {
                t!("cli-needs", demand = kernel.arch.demand())
            } else if let Some(expected) = expected.filter(|expected| *expected > self.longest_ms) {
                t!("cli-bench-long", expected = format!("{expected:.0}"), most = format!("{:.0}", self.longest_ms))
            } else if let (None, Some(skipped)) = (before, skipped_before) {
                skipped.why.clone()
            } else {
                timed.push(kernel);
                continue;
            };
            left_out.push(LeftOut { kernel: kernel.id.clone(), n, why });
        }
        (timed, left_out)
    }
}

/// Measurements at one size.
#[derive(Debug, Default)]
pub(super) struct Turn {
    pub(super) rows: Vec<RecordedRow>,
    pub(super) cublas: Option<RecordedCublas>,
    pub(super) conditions: Option<RecordedConditions>,
    pub(super) left_out: Vec<LeftOut>,
}

/// Times all kernels at one size, each in the variant that `taken` returns. All kernels have the same element type.
/// Returns `None` if interrupted.
pub(super) fn turn(
    session: &Session,
    kernels: &[&Kernel],
    taken: &dyn Fn(&Kernel) -> Option<Kernel>,
    n: u32,
    id: u64,
    seconds: f64,
) -> Result<Option<Turn>, ExecError> {
    let variants: Vec<Option<Kernel>> = kernels.iter().map(|kernel| taken(kernel)).collect();
    let program = |(kernel, variant): (&&Kernel, &Option<Kernel>)| Program::from(variant.as_ref().unwrap_or(kernel));
    let request = LaunchRequest {
        on: Target::Cuda,
        seed: u64::from(n),
        time: true,
        seconds,
        cublas: true,
        verify: true,
        ..LaunchRequest::new(id, kernels.iter().zip(&variants).map(program).collect(), Shape::square(n))
    };
    let elements = kernels.first().map(|kernel| kernel.elements).unwrap_or_default();
    let mut times = vec![None; kernels.len()];
    let mut wrong = vec![None; kernels.len()];
    let mut turn = Turn::default();
    let ended = session.launch(request, |reply| match reply {
        Reply::Timed { subject: Subject::Program(program), timing, .. } => {
            if let Some(time) = times.get_mut(program) {
                *time = Some(RecordedTime::new(n, &timing));
            }
        }
        Reply::Timed { subject: Subject::Cublas, timing, .. } => {
            let default_ms = turn.cublas.and_then(|known| known.default_ms);
            turn.cublas = Some(RecordedCublas { elements, time: RecordedTime::new(n, &timing), default_ms });
        }
        Reply::Timed { subject: Subject::CublasDefault, timing, .. } => {
            let default_ms = Some(timing.median_ms);
            turn.cublas = Some(RecordedCublas { elements, time: RecordedTime::new(n, &timing), default_ms });
        }
        Reply::Verified { program, verification, .. } => {
            if let Some(wrong) = wrong.get_mut(program) {
                *wrong = Some(verification.mismatches);
            }
        }
        Reply::Skipped { program, error, .. } => {
            if let Some(kernel) = kernels.get(program) {
                turn.left_out.push(LeftOut { kernel: kernel.id.clone(), n, why: error.message.to_string() });
            }
        }
        Reply::Conditions { conditions, .. } => {
            turn.conditions = Some(RecordedConditions { n, elements, seen: conditions });
        }
        Reply::Note { text, .. } => output::remark(text),
        _ => {}
    })?;
    if ended == Ended::Interrupted {
        return Ok(None);
    }
    for (((kernel, variant), time), wrong) in kernels.iter().zip(variants).zip(times).zip(wrong) {
        if let (Some(time), Some(mismatches)) = (time, wrong) {
            let variant = variant.and_then(|variant| Some(variant.id.split_once('@')?.1.to_owned()));
            let identity = variant.as_ref().map_or_else(|| kernel.identity(), |variant| kernel.identity_at(variant));
            let of = identity.unwrap_or_default();
            turn.rows.push(RecordedRow {
                kernel: kernel.id.clone(),
                variant,
                of,
                elements,
                time,
                mismatches,
                cublas_ms: None,
            });
        } else if !turn.left_out.iter().any(|left| left.kernel == kernel.id) {
            let why = t!("cli-bench-no-time");
            turn.left_out.push(LeftOut { kernel: kernel.id.clone(), n, why });
        }
    }
    Ok(Some(turn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_exec::recorded::Recording;
    use tutor_kernels::Elements;

    #[test]
    fn a_kernel_is_left_out_where_a_launch_would_take_too_long_and_at_every_larger_size() {
        let recording: Recording = Recording::built_in().first().cloned().unwrap();
        let kernel = Catalog::built_in().kernel("sgemm_naive_uncoalesced").unwrap();
        let time = |n, median_ms| RecordedTime { n, median_ms, gflops: 1.0, ..RecordedTime::default() };
        let row = |n, ms| RecordedRow {
            kernel: kernel.id.clone(),
            variant: None,
            of: kernel.identity().unwrap(),
            elements: Elements::F32,
            time: time(n, ms),
            mismatches: 0,
            cublas_ms: None,
        };
        let mut sofar = Recording { rows: vec![row(1024, 1.0), row(2048, 30.0)], left_out: vec![], ..recording };
        let rule = Rule { longest_ms: 200.0, capability: [9, 0] };
        assert_eq!(rule.part(&sofar, &[kernel], 2048).0.len(), 1);
        let (timed, left_out) = rule.part(&sofar, &[kernel], 4096);
        assert!(timed.is_empty());
        assert_eq!(left_out[0].why, "A launch would take about 240 ms, more than 200.");
        sofar.left_out = left_out;
        assert!(rule.part(&sofar, &[kernel], 8192).0.is_empty());
        let old = Rule { longest_ms: 200.0, capability: [7, 0] };
        assert_eq!(old.part(&sofar, &[kernel], 256).1[0].why, "It needs compute capability 7.5 or newer.");
    }
}
