//! Estimated times for GPUs that are not there: which GPUs, how large the error is, and the answer in the form of `--json`.
//!
//! An [`Estimated`] is never one of the recorded or measured times, and stands under a heading of its own.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use tutor_base::words::Sentence;
use tutor_base::{sentence, yaml};
use tutor_estimate::{Constraint, Gpu, Question, Refusal, Stall, estimate};

/// Maximum size of a file of constants.
const MAX_BYTES: u64 = 1 << 16;
const GPUS: [(&str, &str); 2] = [
    ("nvidia-h100", include_str!("../../assets/estimate/nvidia-h100.json")),
    ("nvidia-h200", include_str!("../../assets/estimate/nvidia-h200.json")),
];

/// The errors of estimates for kernels that had no part in the model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Error {
    /// Half of the estimates are within this factor less one of the measured time.
    pub median: f64,
    /// Nine of ten are within this one.
    pub p90: f64,
    /// Number of launches that were compared.
    pub kernels: u32,
}

/// What one constraint costs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Limit {
    /// The unit or the wait.
    pub unit: &'static str,
    /// Share of the time that a launch without this constraint would save.
    pub share: f64,
}

/// An estimated time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimated {
    /// The GPU.
    pub device: String,
    /// The estimate, and the interval in which nine of ten measured times lie.
    pub median_ms: f64,
    /// Lower end of the interval.
    pub low_ms: f64,
    /// Upper end of the interval.
    pub high_ms: f64,
    /// Microseconds of it that the launch itself takes, whatever the kernel does.
    pub launch_us: f64,
    /// 10⁹ floating-point operations per second, if they were counted.
    pub gflops: Option<f64>,
    /// Where the machine instructions come from: `ptx`.
    pub from: &'static str,
    /// Registers per thread.
    pub registers: u32,
    /// True if they are estimated from the PTX.
    pub registers_estimated: bool,
    /// Blocks at once on a multiprocessor.
    pub resident: u32,
    /// Waves of blocks.
    pub waves: f64,
    /// What each constraint costs, the largest share first.
    pub limits: Vec<Limit>,
    /// Shares of the warps' time, in the words of Nsight Compute.
    pub stalls: BTreeMap<&'static str, f64>,
    /// Errors of other estimates.
    pub error: Error,
}

/// Returns the names that [`gpu`] knows.
pub fn devices() -> Vec<&'static str> {
    GPUS.iter().map(|(name, _)| *name).collect()
}

/// Returns the constants of a GPU, by name or from a file that a student has measured.
///
/// # Errors
/// If there is neither, or the file cannot be read.
pub fn gpu(name: &str) -> Result<Gpu, Sentence> {
    let own;
    let text = match GPUS.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => *text,
        None => {
            let path = Path::new(name);
            let fits = std::fs::metadata(path).is_ok_and(|file| file.len() <= MAX_BYTES);
            let read = fits.then(|| std::fs::read_to_string(path).ok()).flatten();
            own = read.ok_or_else(|| sentence!("estimate-no-device", name = name, known = devices().join(", ")))?;
            &own
        }
    };
    yaml::read_typed(text).map_err(|fault| sentence!("estimate-bad-device", name = name, why = fault.to_string()))
}

/// Returns how large the errors of estimates are.
pub fn error() -> Option<Error> {
    yaml::read_typed(include_str!("../../assets/estimate/error.yaml")).ok()
}

/// Estimates a launch.
///
/// # Errors
/// Why there is no estimate.
pub fn estimated(
    question: &Question<'_>,
    gpu: &Gpu,
    control: &ptx_emulator::Control<'_>,
) -> Result<Estimated, Sentence> {
    let error = error().ok_or_else(|| sentence!("estimate-no-error"))?;
    let found = estimate(question, gpu, control).map_err(|refusal| why_not(&refusal))?;
    let limits = found
        .without
        .iter()
        .map(|(constraint, gain)| Limit { unit: unit(*constraint), share: (1.0 - 1.0 / gain).max(0.0) });
    Ok(Estimated {
        device: gpu.device.clone(),
        median_ms: found.ms,
        low_ms: found.ms / (1.0 + error.p90),
        high_ms: found.ms * (1.0 + error.p90),
        launch_us: gpu.launch_us,
        gflops: None,
        from: "ptx",
        registers: found.registers,
        registers_estimated: found.registers_estimated,
        resident: found.resident,
        waves: found.waves,
        limits: limits.collect(),
        stalls: found.stalls.iter().map(|(stall, share)| (name(*stall), *share)).collect(),
        error,
    })
}

fn unit(constraint: Constraint) -> &'static str {
    match constraint {
        Constraint::SharedMemory => "shared_memory",
        Constraint::GlobalMemory => "global_memory",
        Constraint::Arithmetic => "arithmetic",
        Constraint::Barriers => "barriers",
    }
}

fn name(stall: Stall) -> &'static str {
    match stall {
        Stall::Selected => "selected",
        Stall::LongScoreboard => "long_scoreboard",
        Stall::ShortScoreboard => "short_scoreboard",
        Stall::Wait => "wait",
        Stall::MioThrottle => "mio_throttle",
        Stall::LgThrottle => "lg_throttle",
        Stall::MathPipeThrottle => "math_pipe_throttle",
        Stall::Barrier => "barrier",
        Stall::NotSelected => "not_selected",
    }
}

impl Estimated {
    /// Returns the statement that must stand above the number.
    pub fn heading(&self) -> Sentence {
        let factor = format!("{:.2}", 1.0 + self.error.p90);
        sentence!("estimate-heading", device = self.device, factor = factor, kernels = self.error.kernels)
    }

    /// Computes the speed from the number of floating-point operations.
    pub fn set_flop(&mut self, flop: u64) {
        self.gflops = (flop > 0).then(|| flop as f64 / self.median_ms / 1e6);
    }

    /// Describes the estimate in sentences, without the heading.
    pub fn lines(&self) -> Vec<Sentence> {
        let three =
            |value: f64| format!("{:.*}", (2 - value.abs().max(1e-9).log10().floor() as i32).max(0) as usize, value);
        let mut lines = vec![
            sentence!(
                "estimate-time",
                ms = three(self.median_ms),
                low = three(self.low_ms),
                high = three(self.high_ms),
                launch = self.launch_us,
            ),
            sentence!(
                "estimate-launch",
                registers = self.registers,
                source = if self.registers_estimated { "estimated" } else { "given" },
                resident = self.resident,
                waves = format!("{:.2}", self.waves),
            ),
        ];
        if let Some(gflops) = self.gflops {
            lines.push(sentence!("estimate-speed", gflops = three(gflops)));
        }
        let mut stalls: Vec<(&str, f64)> = self.stalls.iter().map(|(name, share)| (*name, *share)).collect();
        stalls.sort_by(|a, b| b.1.total_cmp(&a.1));
        let shares = stalls.iter().filter(|(_, share)| *share >= 0.03);
        let shares: Vec<String> =
            shares.map(|(name, share)| format!("{} {:.0} %", name.replace('_', " "), 100.0 * share)).collect();
        if !shares.is_empty() {
            lines.push(sentence!("estimate-stalls", shares = shares.join(", ")));
        }
        for limit in self.limits.iter().take(2).filter(|limit| limit.share >= 0.03) {
            let times = format!("{:.2}", 1.0 / (1.0 - limit.share));
            lines.push(match limit.unit {
                "shared_memory" => sentence!("estimate-without-shared", times = times),
                "global_memory" => sentence!("estimate-without-global", times = times),
                "barriers" => sentence!("estimate-without-barriers", times = times),
                _ => sentence!("estimate-without-arithmetic", times = times),
            });
        }
        lines
    }
}

/// Says why there is no estimate.
fn why_not(refusal: &Refusal) -> Sentence {
    match refusal {
        Refusal::Instruction { name, line } => sentence!("estimate-instruction", name = name, line = line),
        Refusal::Unreadable { line } => sentence!("estimate-unreadable", line = line),
        Refusal::Cluster => sentence!("estimate-cluster"),
        Refusal::Spills { needs, most } => sentence!("estimate-spills", needs = needs, most = most),
        Refusal::TooLarge => sentence!("estimate-too-large"),
        Refusal::Faulted(fault) => sentence!("estimate-faulted", why = fault.to_string()),
        _ => sentence!("estimate-cancelled"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constants_of_both_gpus_and_the_error_are_read() {
        for name in devices() {
            assert_eq!(gpu(name).unwrap().multiprocessors, 132, "{name}");
        }
        let error = error().unwrap();
        assert!(0.0 < error.median && error.median < error.p90 && error.kernels > 0, "{error:?}");
        assert!(gpu("nvidia-none").unwrap_err().to_string().contains("nvidia-h100, nvidia-h200"));
    }
}
