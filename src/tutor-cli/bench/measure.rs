//! Measures one size: times all kernels of an element type alternately with cuBLAS on the same data.

use crate::prelude::*;
use tutor_exec::protocol::{ExecError, LaunchRequest, Program, Reply, Shape, Target};
use tutor_exec::recorded::{LeftOut, RecordedConditions, RecordedCublas, RecordedRow, RecordedTime, Recording};
use tutor_exec::results::LaunchResults;

/// Decides which kernels are timed.
pub(super) struct Rule {
    /// Kernels with longer expected launches are left out; in milliseconds.
    pub(super) longest_ms: f64,
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
    let results = session.launch(request, |reply, _| {
        if let Reply::Note { text, .. } = reply {
            output::remark(text);
        }
    });
    Ok(results.finished()?.map(|results| Turn::of(&results, kernels, &variants, n)))
}

impl Turn {
    /// Returns the measurements of a finished launch of these kernels, each in its variant.
    fn of(results: &LaunchResults, kernels: &[&Kernel], variants: &[Option<Kernel>], n: u32) -> Self {
        let elements = kernels.first().map(|kernel| kernel.elements).unwrap_or_default();
        let default_ms = results.cublas_default.median_ms();
        let fastest = results.cublas.timing.or(results.cublas_default.timing);
        let cublas = fastest.map(|timing| RecordedCublas { elements, time: RecordedTime::new(n, &timing), default_ms });
        let conditions = results.conditions.map(|seen| RecordedConditions { n, elements, seen });
        let mut turn = Self { cublas, conditions, ..Self::default() };
        for ((kernel, variant), found) in kernels.iter().zip(variants).zip(&results.programs) {
            let kernel_id = kernel.id.clone();
            let (Some(timing), Some(mismatches)) = (found.timed.timing, found.wrong_elements()) else {
                let why = found.skipped.as_ref().map(|error| error.message.to_string());
                let why = why.unwrap_or_else(|| t!("cli-bench-no-time"));
                turn.left_out.push(LeftOut { kernel: kernel_id, n, why });
                continue;
            };
            let variant = variant.as_ref().and_then(|variant| Some(variant.id.split_once('@')?.1.to_owned()));
            let identity = variant.as_ref().map_or_else(|| kernel.identity(), |variant| kernel.identity_at(variant));
            turn.rows.push(RecordedRow {
                kernel: kernel_id,
                variant,
                of: identity.unwrap_or_default(),
                elements,
                time: RecordedTime::new(n, &timing),
                mismatches,
                cublas_ms: None,
            });
        }
        turn
    }
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
