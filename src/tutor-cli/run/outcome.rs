//! The results of a run, collected from the worker's replies; `--json` prints them.

use crate::prelude::*;
use crate::support::estimating::Estimate;
use ptx_emulator::{Counts, Hazard};
use tutor_exec::protocol::{Device, DeviceKind, Reply, Shape, Subject, Timing, Verification};
use tutor_exec::recorded::{RecordedRow, Recording, gflops};
use tutor_exec::taken::Taken;
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
    pub(super) taken: Option<Taken>,
    pub(super) elements: Elements,
    pub(super) device: Option<Device>,
    pub(super) shape: Shape,
    pub(super) expected_wrong: bool,
    /// True if every element was compared.
    pub(super) checked: bool,
    /// True if every element is correct and no hazard was found.
    pub(super) verified: bool,
    pub(super) max_rel_err: Option<f64>,
    pub(super) mismatches: Option<u64>,
    pub(super) against: Option<String>,
    pub(super) c_hash: Option<String>,
    pub(super) time: Option<Timing>,
    pub(super) gflops: Option<f64>,
    pub(super) cublas: Option<Cublas>,
    pub(super) recorded: Option<Recorded>,
    /// The estimated time, with `--estimate`, and where no time is known.
    #[serde(flatten)]
    pub(super) estimate: Option<Estimate>,
    pub(super) counts: Option<Counts>,
    pub(super) hazards: Vec<Hazard>,
    pub(super) stats: Stats,
    /// The kernel's `printf` output, up to a limit.
    pub(super) printed: String,
    /// Number of bytes beyond that limit.
    pub(super) printed_cut: u64,
    pub(super) notes: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Cublas {
    /// Function, mode and types.
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

    /// Adds a reply. The times of cuBLAS and of its default choice go to `cublas`.
    pub(super) fn hear(&mut self, reply: Reply, cublas: &mut [Option<Timing>; 2]) {
        match reply {
            Reply::Started { device, note, .. } => {
                if let Some(note) = note {
                    output::note(t!("run-cli-emulated", why = note));
                }
                self.device = Some(device);
            }
            Reply::Instead { kernel, why, .. } => {
                let text = t!("run-cli-instead", asked = &self.kernel, why, runs = &kernel);
                output::remark(&text);
                self.notes.push(text);
                self.instead = Some(kernel);
            }
            Reply::Verified { verification, .. } => self.verified_as(verification),
            Reply::Timed { subject: Subject::Program(_), timing, .. } => self.time = Some(timing),
            Reply::Timed { subject: Subject::Cublas, timing, .. } => cublas[0] = Some(timing),
            Reply::Timed { subject: Subject::CublasDefault, timing, .. } => cublas[1] = Some(timing),
            Reply::Counted { counts, hazards, seconds, .. } => {
                self.counts = Some(counts);
                self.hazards = hazards;
                self.stats.seconds = Some(seconds);
            }
            Reply::Printed { text, cut, .. } => {
                self.printed += &text;
                self.printed_cut += cut;
            }
            Reply::Note { text, .. } => {
                output::remark(&text);
                self.notes.push(text.into());
            }
            _ => {}
        }
    }

    /// True if the kernel was neither measured nor recorded, because it ran on the emulator.
    pub(super) fn has_no_time(&self) -> bool {
        let emulated = self.device.as_ref().is_some_and(|device| device.kind == DeviceKind::Emulator);
        emulated && self.time.is_none() && self.recorded.is_none()
    }

    fn verified_as(&mut self, verification: Verification) {
        self.checked = true;
        self.verified = verification.verified;
        self.max_rel_err = Some(verification.max_rel_err);
        self.mismatches = Some(verification.mismatches);
        self.against = Some(verification.against.into());
        self.c_hash = Some(verification.hash);
    }

    /// Computes the derived results after the last reply. `ran` is the catalogue kernel that ran, if any.
    pub(super) fn complete(&mut self, [cublas, default]: [Option<Timing>; 2], ran: Option<&Kernel>) {
        // A result that depends on the order of the warps does not count as verified.
        self.verified &= self.hazards.is_empty();
        let flop = self.shape.flop();
        self.gflops = self.time.map(|time| gflops(flop, time.median_ms));
        self.cublas = cublas.zip(self.time).map(|(cublas, own)| Cublas {
            math: cublas_math(self.elements).into(),
            time: cublas,
            gflops: gflops(flop, cublas.median_ms),
            ratio: cublas.median_ms / own.median_ms,
            default_ms: default.map(|default| default.median_ms),
            default_gflops: default.map(|default| gflops(flop, default.median_ms)),
        });
        let Shape { m, n, k } = self.shape;
        if let Some(ran) = ran.filter(|_| self.time.is_none() && m == n && n == k) {
            let nearest = Recording::nearest_first(Recording::built_in(), self.device.as_ref());
            self.recorded = nearest.into_iter().find_map(|recording| {
                let row = recording.row(ran, n)?;
                Some(Recorded {
                    device: recording.device.clone(),
                    driver: recording.driver.clone(),
                    date: recording.date.clone(),
                    row: row.clone(),
                    against: recording.against,
                    cublas_gflops: recording.cublas_ms(row).map(|ms| gflops(flop, ms)),
                })
            });
        }
    }
}
