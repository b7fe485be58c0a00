//! Recorded latencies: how long a thread waits for each load if every load returns the address of the next one.
//!
//! `scripts/gpu/latency` records them. One thread follows a ring of addresses in memory, for rings of many sizes.

use serde::Deserialize;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// Maximum file size in bytes, about a hundred times what the script writes.
const MAX_BYTES: u64 = 1 << 20;

/// The measurements of a device.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Latencies {
    pub device: String,
    /// Compute capability of the device.
    pub capability: (u32, u32),
    /// Size of its second-level cache, in bytes.
    pub l2_bytes: u64,
    /// Shared memory of an SM in bytes. The first-level cache uses it if no block does.
    pub shared_bytes_per_multiprocessor: u64,
    /// Version of the driver.
    pub driver: String,
    /// Date of the measurement, `YYYY-MM-DD`.
    pub date: String,
    /// A ring in shared memory.
    pub shared: Vec<Latency>,
    /// A ring in global memory, its loads cached in both levels.
    pub global_ca: Vec<Latency>,
    /// A ring in global memory, its loads cached only in the second level.
    pub global_cg: Vec<Latency>,
    /// Throughput of multiply-adds, where each one waits for the previous one of its sum.
    pub fma: Vec<Chain>,
    pub summary: Summary,
}

/// Cycles per load for a size of the ring.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Latency {
    /// Size of the ring in bytes.
    pub bytes: u64,
    pub cycles: f64,
    pub low: f64,
    pub high: f64,
    /// Clock of the SMs in MHz.
    pub mhz: f64,
}

/// Throughput of multiply-adds on an SM, by number of warps and of independent sums per thread.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Chain {
    /// Warps on the SM.
    pub warps: u32,
    /// Independent sums per thread.
    pub sums: u32,
    /// Multiply-adds per cycle.
    pub fma_per_cycle: f64,
}

/// Cycles per load from each memory, and per multiply-add.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Summary {
    /// Shared memory.
    pub shared: f64,
    /// First-level cache.
    pub l1_16_kib: f64,
    /// Second-level cache.
    pub l2_4_mib: f64,
    pub memory_512_mib: f64,
    /// A multiply-add, if the next one waits for its result.
    pub dependent_fma: f64,
}

impl Latencies {
    /// Returns the recording in the binary, or `None` if it cannot be read.
    pub fn built_in() -> Option<&'static Arc<Self>> {
        static BUILT_IN: LazyLock<Option<Arc<Latencies>>> = LazyLock::new(|| {
            serde_json::from_str(include_str!("../../../assets/recorded/latency/nvidia-h200.json")).ok().map(Arc::new)
        });
        BUILT_IN.as_ref()
    }

    /// Returns the student's own measurements if there are any, else the recording.
    pub fn nearest(own: Option<&Arc<Self>>) -> Option<Arc<Self>> {
        own.or(Self::built_in()).cloned()
    }

    /// Returns the maximum number of multiply-adds that an SM can start per cycle: 128, or 64 before compute
    /// capability 8.6 ("Arithmetic Instructions" in the CUDA C++ Programming Guide; 9.0 and later have 128 again).
    pub fn most_fma_per_cycle(&self) -> u32 {
        if self.capability < (8, 6) { 64 } else { 128 }
    }

    /// Reads the measurements of the student's own GPU from `latency.json` in the data directory, where the script
    /// writes it. Returns `None` if there is no such file or it is not valid.
    pub fn own(data: &Path) -> Option<Self> {
        let bytes = tutor_support::private::read(&data.join("latency.json"), MAX_BYTES).ok()??;
        let known: Self = serde_json::from_slice(&bytes).ok()?;
        known.is_sound().then_some(known)
    }

    /// True if the data can be drawn: names are printable, ring sizes ascend, and all loads take a positive time.
    fn is_sound(&self) -> bool {
        let prints = |text: &str| !text.is_empty() && text.len() < 100 && !text.chars().any(char::is_control);
        let ring = |points: &[Latency]| {
            let took =
                |point: &Latency| [point.cycles, point.low, point.high].iter().all(|c| c.is_finite() && *c > 0.0);
            !points.is_empty() && points.iter().all(took) && points.windows(2).all(|pair| pair[0].bytes < pair[1].bytes)
        };
        let done = |chain: &Chain| chain.warps > 0 && chain.sums > 0 && chain.fma_per_cycle.is_finite();
        let of = self.summary;
        let summary = [of.shared, of.l1_16_kib, of.l2_4_mib, of.memory_512_mib, of.dependent_fma];
        [&self.device, &self.driver, &self.date].into_iter().all(|text| prints(text))
            && self.fma.iter().all(done)
            && summary.iter().all(|cycles| (1.0..1e6).contains(cycles))
            && [&self.shared, &self.global_ca, &self.global_cg].into_iter().all(|points| ring(points))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_script_wrote_on_another_gpu_is_read_from_the_data_directory_and_nothing_else() {
        let data = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            std::fs::write(data.path().join("latency.json"), text).unwrap();
            Latencies::own(data.path())
        };
        assert_eq!(Latencies::own(data.path()), None, "there is no file yet");
        let written =
            include_str!("../../../assets/recorded/latency/nvidia-h200.json").replace("NVIDIA H200", "NVIDIA A100");
        let own = read(&written).unwrap();
        assert_eq!(own, Latencies { device: "NVIDIA A100".into(), ..(**Latencies::built_in().unwrap()).clone() });
        let short = &written[..written.len() / 2];
        let backwards = written.replacen("4096", "40960000", 1);
        let (escape, stopped) = (written.replace("A100", "A\\u001b[2J"), written.replacen("23.0", "-23.0", 1));
        for damaged in ["", "{}", short, &backwards, &escape, &stopped, &" ".repeat(2 << 20)] {
            assert_eq!(read(damaged), None, "{damaged:.80}");
        }
    }

    #[test]
    fn the_recording_goes_from_the_first_level_to_memory() {
        let known = Latencies::built_in().unwrap();
        assert_eq!((known.device.as_str(), known.l2_bytes), ("NVIDIA H200", 60 << 20));
        let ring = &known.global_ca;
        assert!(ring.windows(2).all(|pair| pair[0].bytes < pair[1].bytes));
        assert!(ring.iter().all(|point| point.low <= point.cycles && point.cycles <= point.high));
        assert_eq!(ring.len(), known.global_cg.len());
        let of = |bytes| ring.iter().find(|point| point.bytes == bytes).map(|point| point.cycles);
        let summary = known.summary;
        assert_eq!((of(16 << 10), of(4 << 20)), (Some(summary.l1_16_kib), Some(280.61)));
    }
}
