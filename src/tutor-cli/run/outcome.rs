//! The results of a run, collected from the worker's replies; `--json` prints them.

use super::result::KernelResult;
use crate::prelude::*;
use tutor_exec::protocol::{Device, DeviceKind, Shape, Timing};
use tutor_exec::recorded::{RecordedRow, Recording, gflops};
use tutor_exec::results::LaunchResults;
use tutor_exec::variant_pick::VariantPick;
use tutor_exec::{Against, cublas_math};
use tutor_kernels::Elements;

/// The document that `--json` prints.
#[derive(Debug, Default, Serialize)]
pub(super) struct Outcome {
    pub(super) kernel: String,
    /// The kernel that ran instead, if this kernel does not support the shape.
    pub(super) instead: Option<String>,
    /// The variant that ran, if it is not the kernel's default.
    pub(super) variant: Option<String>,
    /// The chosen variant and the reason, if the kernel has variants and the user named none.
    pub(super) taken: Option<VariantPick>,
    pub(super) elements: Elements,
    pub(super) device: Option<Device>,
    pub(super) shape: Shape,
    pub(super) expected_wrong: bool,
    /// True if every element was compared.
    pub(super) checked: bool,
    #[serde(flatten)]
    pub(super) result: KernelResult,
    pub(super) against: Option<String>,
    pub(super) c_hash: Option<String>,
    pub(super) gflops: Option<f64>,
    pub(super) cublas: Option<Cublas>,
    pub(super) recorded: Option<Recorded>,
    pub(super) stats: Stats,
    /// Number of printed bytes beyond the limit.
    pub(super) printed_cut: u64,
    pub(super) notes: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Cublas {
    pub(super) math: String,
    #[serde(flatten)]
    pub(super) time: Timing,
    pub(super) gflops: f64,
    pub(super) ratio: f64,
    /// The default choice, whose time is `median_ms` if no candidate was faster. Absent if it is incorrect.
    pub(super) default_ms: Option<f64>,
    pub(super) default_gflops: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(super) struct Recorded {
    pub(super) device: String,
    pub(super) driver: String,
    pub(super) date: String,
    #[serde(flatten)]
    pub(super) row: RecordedRow,
    pub(super) cublas_gflops: Option<f64>,
    /// Whether that is cuBLAS's default choice or its fastest one.
    pub(super) against: Against,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Stats {
    /// Run time of the emulator.
    pub(super) seconds: Option<f64>,
}

impl Outcome {
    /// Returns an outcome without results.
    pub(super) fn new(id: &str, kernel: Option<&Kernel>, variant: Option<String>, shape: Shape) -> Self {
        Self {
            kernel: id.to_owned(),
            variant,
            elements: kernel.map_or(Elements::F32, |kernel| kernel.elements),
            shape,
            expected_wrong: kernel.is_some_and(|kernel| kernel.expected_wrong),
            ..Self::default()
        }
    }

    /// Adds the results of the launch. `own` is the kernel's entry in the catalogue, if its own code ran.
    pub(super) fn complete(&mut self, results: &LaunchResults, own: Option<&Kernel>) {
        self.device.clone_from(&results.device);
        self.result = KernelResult::of(results, 0);
        self.printed_cut = results.printed.iter().map(|part| part.cut).sum();
        if let Some(found) = results.programs.first() {
            self.instead = found.instead.as_ref().map(|(kernel, _)| kernel.clone());
            self.stats.seconds = found.seconds;
            if let Some(verification) = &found.verification {
                self.checked = true;
                self.against = Some(verification.against.clone().into());
                self.c_hash = Some(verification.hash.clone());
            }
        }
        self.notes.extend(remarks(&self.kernel, results));
        let (flop, time) = (self.shape.flop(), self.result.time);
        self.gflops = time.map(|time| gflops(flop, time.median_ms));
        self.cublas = results.cublas.timing.zip(time).map(|(cublas, own)| Cublas {
            math: cublas_math(self.elements).into(),
            time: cublas,
            gflops: gflops(flop, cublas.median_ms),
            ratio: cublas.median_ms / own.median_ms,
            default_ms: results.cublas_default.median_ms(),
            default_gflops: results.cublas_default.median_ms().map(|ms| gflops(flop, ms)),
        });
        let ran = self.instead.as_ref().map_or(own, |other| Catalog::built_in().kernel(other));
        self.recorded = ran.filter(|_| time.is_none()).and_then(|ran| self.recorded(ran));
    }

    /// Returns the recorded time of a kernel, for a square product.
    fn recorded(&self, ran: &Kernel) -> Option<Recorded> {
        let n = self.shape.n;
        let nearest = Recording::nearest_first(Recording::built_in(), self.device.as_ref());
        nearest.into_iter().filter(|_| self.shape == Shape::square(n)).find_map(|recording| {
            let row = recording.row(ran, n)?;
            Some(Recorded {
                device: recording.device.clone(),
                driver: recording.driver.clone(),
                date: recording.date.clone(),
                row: row.clone(),
                against: recording.against,
                cublas_gflops: recording.cublas_ms(row).map(|ms| gflops(self.shape.flop(), ms)),
            })
        })
    }

    /// True if the kernel was neither measured nor recorded, because it ran on the emulator.
    pub(super) fn has_no_time(&self) -> bool {
        let emulated = self.device.as_ref().is_some_and(|device| device.kind == DeviceKind::Emulator);
        emulated && self.result.time.is_none() && self.recorded.is_none()
    }
}

/// Returns the remarks about a launch of `kernel` alone, or of `kernel` and a copy of it.
pub(super) fn remarks(kernel: &str, results: &LaunchResults) -> Vec<String> {
    let instead = results.programs.first().and_then(|found| found.instead.as_ref());
    let instead = instead.map(|(runs, why)| t!("run-cli-instead", asked = kernel, why, runs));
    instead.into_iter().chain(results.notes.iter().map(ToString::to_string)).collect()
}
