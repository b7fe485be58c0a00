//! Times and verdicts of a run, all from one source.

use super::{Model, Recorded, Rival, Time, TimeSource, Verdict};
use tutor_exec::protocol::{DeviceKind, ExecErrorKind, Shape};
use tutor_exec::recorded::Clock;
use tutor_exec::results::LaunchResults;
use tutor_exec::run_record::RunRecord;
use tutor_kernels::Elements;

impl Model {
    /// Returns the source of the times, so that two sources are never mixed.
    pub(crate) fn source(&self) -> TimeSource<'_> {
        match (self.live(), self.recorded) {
            (Some(launch), _) => TimeSource::Live(launch),
            (None, Some(recorded)) => TimeSource::Recorded(recorded),
            (None, None) => TimeSource::None,
        }
    }

    /// Returns the last launch, if a GPU runs or ran it. A GPU that cannot run the kernels does not count.
    pub(crate) fn live(&self) -> Option<&LaunchResults> {
        let refused =
            |launch: &LaunchResults| launch.error().is_some_and(|error| error.kind == ExecErrorKind::NoDevice);
        self.launch.as_ref().filter(|launch| launch.is_on(DeviceKind::Cuda) && !refused(launch))
    }

    /// Returns the time of a kernel, by its index.
    pub(crate) fn time(&self, at: usize) -> Option<Time> {
        match self.source() {
            TimeSource::Live(live) => live.programs.get(at)?.timed.timing.map(|timing| Time {
                median_ms: timing.median_ms,
                low_ms: timing.low_ms,
                high_ms: timing.high_ms,
            }),
            TimeSource::Recorded(Recorded(recording)) => {
                let time = &self.row(recording, at)?.time;
                Some(Time { median_ms: time.median_ms, low_ms: time.low_ms, high_ms: time.high_ms })
            }
            TimeSource::None => None,
        }
    }

    /// Returns cuBLAS's median in ms, from the run of the first kernel that has a time.
    pub(crate) fn cublas_ms(&self) -> Option<f64> {
        (0..self.kernels.len()).find_map(|at| self.cublas_beside(at))
    }

    /// Returns cuBLAS's median in ms in the run that a kernel's time is from.
    pub(crate) fn cublas_beside(&self, at: usize) -> Option<f64> {
        match self.source() {
            TimeSource::Live(live) => live.cublas.median_ms(),
            TimeSource::Recorded(Recorded(recording)) => recording.cublas_ms(self.row(recording, at)?),
            TimeSource::None => None,
        }
    }

    /// Returns how many elements were wrong in the run that was timed, which was on a GPU.
    pub(crate) fn verdict(&self, at: usize) -> Option<Verdict> {
        match self.source() {
            TimeSource::Live(_) => self.compared(at),
            TimeSource::Recorded(Recorded(recording)) => {
                let row = self.row(recording, at)?;
                Some(Verdict { wrong: row.mismatches, of: u64::from(self.n) * u64::from(self.n) })
            }
            TimeSource::None => None,
        }
    }

    /// Returns how many elements were wrong in the last launch.
    pub(crate) fn compared(&self, at: usize) -> Option<Verdict> {
        let found = self.found().get(at)?;
        Some(Verdict { wrong: found.wrong_elements()?, of: found.verification.as_ref()?.elements })
    }

    /// Returns the highest speed of the times, whose bar is the longest. All speeds are in its unit.
    pub(crate) fn fastest(&self) -> f64 {
        let times = (0..self.kernels.len()).filter_map(|at| Some(self.time(at)?.median_ms));
        let all = times.chain(self.cublas_ms()).chain(self.default_ms());
        all.map(|ms| self.gflops(ms)).fold(0.0, f64::max)
    }

    pub(crate) fn gflops(&self, ms: f64) -> f64 {
        Shape::square(self.n).flop() / (ms * 1e6)
    }

    /// Returns the clock of the device that the times are from.
    ///
    /// Returns None unless all kernels compute in FP32, where the warps themselves do the multiply-adds.
    pub(crate) fn clock(&self) -> Option<Clock> {
        if self.kernels.iter().any(|kernel| kernel.elements != Elements::F32) {
            return None;
        }
        let (multiprocessors, mhz) = match self.source() {
            TimeSource::Live(live) => {
                let device = live.device.as_ref()?;
                (device.multiprocessors, live.conditions.map(|seen| seen.sm_mhz[1]).or(device.clock_mhz))
            }
            TimeSource::Recorded(Recorded(recording)) => {
                (recording.multiprocessors, recording.clock_mhz(self.n, Elements::F32))
            }
            TimeSource::None => return None,
        };
        Some(Clock { multiprocessors: multiprocessors?, mhz: mhz? })
    }

    /// Returns the fastest correct kernel of the highest level shown, and its time.
    ///
    /// Considers the student's runs on this device, now and before (`runs`). `rivals` are the catalogue's kernels in
    /// order.
    pub(crate) fn best<'r>(&self, rivals: &'r [Rival], runs: &[RunRecord]) -> Option<(&'r Rival, f64)> {
        let TimeSource::Live(live) = self.source() else { return None };
        let shown = |level: &str| self.kernels.iter().any(|kernel| kernel.level == level);
        let level = &rivals.iter().rfind(|rival| shown(&rival.level))?.level;
        let now = self.kernels.iter().zip(&live.programs).filter_map(|(kernel, found)| {
            let right = found.wrong_elements() == Some(0);
            right.then_some((kernel.kernel.as_str(), found.timed.median_ms()?))
        });
        let device = live.device.as_ref()?;
        let here =
            |run: &&RunRecord| run.shape == [self.n; 3] && device.name == run.device && device.driver == run.driver;
        let before = runs.iter().filter(here).filter_map(|run| Some((run.kernel.as_str(), run.median_ms?)));
        let rival = |kernel: &str| {
            rivals.iter().find(|r| r.kernel == kernel && r.level == *level && r.elements == self.elements())
        };
        let best = now.chain(before).filter_map(|(kernel, ms)| Some((rival(kernel)?, ms)));
        let (best, ms) = best.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        // If the kernel is on the screen, its bar already shows the time.
        let elsewhere = self.kernels.iter().all(|kernel| kernel.kernel != best.kernel);
        elsewhere.then_some((best, ms))
    }

    /// Returns the lowest and the highest batch of all kernels, the common scale of all sparklines.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        let all = self.found().iter().flat_map(|found| &found.timed.samples);
        all.fold((f64::INFINITY, 0.0), |(low, high), &ms| (low.min(ms), high.max(ms)))
    }
}
