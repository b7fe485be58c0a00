//! Runs the variants: all of them briefly, then the best ones again.

use crate::prelude::*;
use crate::support::progress::ProgressLine;
use std::io::IsTerminal as _;
use tutor_exec::Against;
use tutor_exec::protocol::{Device, ExecError, ExecErrorKind, LaunchRequest, Program, Reply, Shape, Target};
use tutor_exec::sweep::{Sweep, SweepPoint, fingerprint};
use tutor_kernels::Variants;
use tutor_support::sentence;

/// Maximum variants per launch, which times them and cuBLAS alternately.
const TOGETHER: usize = 46;
/// Number of variants that are timed again, and the factor by which their time limit grows.
const BEST: usize = 8;
const AGAIN: f64 = 10.0;

/// What to compare, and on which device.
pub(super) struct Comparison<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) variants: &'a Variants,
    pub(super) n: u32,
    pub(super) seconds: f64,
    /// The GPU; `None` for the emulator.
    pub(super) device: Option<&'a Device>,
}

/// Compares all variants at one size. Returns `None` if interrupted, and an error if no variant takes the size.
pub(super) fn go(session: &Session, comparison: &Comparison) -> Result<Option<Sweep>, ExecError> {
    let mut sweep = Sweep {
        kernel: comparison.kernel.id.clone(),
        fingerprint: fingerprint(comparison.kernel),
        elements: comparison.kernel.elements,
        n: comparison.n,
        device: comparison.device.map_or_else(|| "SIMT emulator".to_owned(), |device| device.name.clone()),
        driver: comparison.device.and_then(|device| device.driver.clone()),
        date: tutor_progress::now().to_string().chars().take(10).collect(),
        cublas: None,
        against: Against::Best,
        unlike: comparison
            .variants
            .possible()
            .any(|point| point.launch.as_ref().is_ok_and(|launch| launch.further != comparison.kernel.further)),
        points: comparison.variants.points.iter().map(blank).collect(),
    };
    let possible: Vec<usize> = (0..sweep.points.len()).filter(|at| sweep.points[*at].why.is_none()).collect();
    for (number, part) in possible.chunks(TOGETHER).enumerate() {
        let before = number * TOGETHER;
        let progress = Progress { done: before, all: possible.len() };
        if !round(session, comparison, &mut sweep, part, comparison.seconds, &progress)? {
            return Ok(None);
        }
    }
    if let Some(why) = possible.iter().map(|at| sweep.points[*at].why.as_deref()).collect::<Option<Vec<_>>>() {
        let (kernel, why) = (comparison.kernel.id.as_str(), why.first().copied().unwrap_or_default());
        let error = ExecError::new(ExecErrorKind::Invalid, sentence!("cli-tune-none", kernel, why));
        return Err(error.help(sentence!("exec-shape-help")));
    }
    if comparison.device.is_some() {
        let mut best: Vec<usize> = possible.into_iter().filter(|at| sweep.points[*at].may_be_best()).collect();
        let speed = |at: &usize| sweep.points[*at].gflops.unwrap_or(0.0);
        best.sort_by(|a, b| speed(b).total_cmp(&speed(a)));
        best.truncate(BEST);
        output::note(t!("cli-tune-again", count = best.len()));
        let progress = Progress { done: 0, all: best.len() };
        if !best.is_empty() && !round(session, comparison, &mut sweep, &best, comparison.seconds * AGAIN, &progress)? {
            return Ok(None);
        }
    }
    Ok(Some(sweep))
}

fn blank(point: &tutor_kernels::Point) -> SweepPoint {
    SweepPoint {
        variant: point.name.clone(),
        why: point.launch.as_ref().err().map(ToString::to_string),
        ..SweepPoint::default()
    }
}

struct Progress {
    done: usize,
    all: usize,
}

impl Progress {
    fn text(&self, doing: &str) -> String {
        t!("cli-tune-progress", done = self.done, all = self.all, doing)
    }
}

/// Runs some variants in one launch. Returns false if interrupted.
fn round(
    session: &Session,
    comparison: &Comparison,
    sweep: &mut Sweep,
    part: &[usize],
    seconds: f64,
    progress: &Progress,
) -> Result<bool, ExecError> {
    let variants: Vec<Kernel> =
        part.iter().filter_map(|at| comparison.kernel.variant(&sweep.points.get(*at)?.variant)).collect();
    let on_gpu = comparison.device.is_some();
    let request = LaunchRequest {
        on: if on_gpu { Target::Cuda } else { Target::Emulator },
        seed: u64::from(comparison.n),
        time: on_gpu,
        seconds,
        cublas: on_gpu,
        verify: true,
        counts: !on_gpu,
        ..LaunchRequest::new(
            progress.done as u64 + 1,
            variants.iter().map(Program::from).collect(),
            Shape::square(comparison.n),
        )
    };
    let mut progress = Progress { done: progress.done, all: progress.all };
    if !std::io::stderr().is_terminal() {
        let last = progress.done + part.len();
        let first = progress.done + 1;
        let text = t!("cli-tune-part", n = comparison.n.to_string(), first, last, all = progress.all);
        output::note(&text);
    }
    let mut line = ProgressLine::at_once();
    let results = session.launch(request, |reply, _| match reply {
        Reply::Verified { program, .. } => {
            progress.done += 1;
            let point = part.get(*program).and_then(|at| sweep.points.get(*at));
            line.show(&progress.text(point.map_or("", |point| &point.variant)));
        }
        Reply::Progress { doing, .. } => line.show(&progress.text(&doing.to_string())),
        _ => {}
    });
    let Some(results) = results.finished()? else { return Ok(false) };
    sweep.add(&results, part);
    Ok(true)
}
