/*! Times recorded on a real GPU, for machines without one.

A recording always includes its device, driver and date, so that screens can label it. If `assets/recorded/` is empty,
no times are shown. A GPU is shown the nearest recording ([`Recording::nearest`]): one with the same name, else one with
the same compute capability, else the H200's. Without a GPU, the tutor shows the H200's.
*/

use super::protocol::{Conditions, Submission, Timing};
use crate::Against;
use crate::prelude::*;
use std::sync::LazyLock;
use tutor_assets::Recordings;

/// The times of one device on one day.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// Name as the driver reports it, e.g. `NVIDIA H200`.
    pub device: String,
    /// Compute capability, e.g. `[9, 0]`.
    pub capability: [u32; 2],
    /// Number of SMs as the driver reports it (`cuDeviceGetAttribute`, `MULTIPROCESSOR_COUNT`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiprocessors: Option<u32>,
    /// Driver version, e.g. `580.95.05`.
    pub driver: String,
    /// Newest CUDA version that the driver supports, e.g. `13.0`.
    pub cuda: String,
    /// cuBLAS's version, if cuBLAS was available.
    pub cublas_version: Option<String>,
    /// cuBLAS's math mode, described in words.
    pub math: String,
    /// Date of the recording, `YYYY-MM-DD`.
    pub date: String,
    /// Whether `cublas` has the times of cuBLAS's default choice or of its fastest one.
    #[serde(default)]
    pub against: Against,
    /// Times of cuBLAS, one entry per size and element type.
    pub cublas: Vec<RecordedCublas>,
    /// Times of the kernels, one entry per kernel and size.
    pub rows: Vec<RecordedRow>,
    /// Clock and power of the GPU, one entry per size and element type.
    #[serde(default)]
    pub conditions: Vec<RecordedConditions>,
    /// Kernels that were not timed at a size, and why.
    #[serde(default)]
    pub left_out: Vec<LeftOut>,
}

/// The limits of every kernel on a device: the roofline.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Limits {
    /// Name as the driver reports it, e.g. `NVIDIA H200`.
    pub device: String,
    pub driver: String,
    pub date: String,
    /// Speed of a kernel that only does FP32 multiply-adds, in GFLOP/s.
    pub fma_gflops: f64,
    /// Bandwidth of a copy within the device's memory, in 10⁹ bytes per second, reads and writes together.
    pub copy_gbytes: f64,
}

impl Limits {
    /// Returns the limits of all measured devices.
    pub fn built_in() -> Vec<Self> {
        // A test proves that the file can be read. If it could not, a plot would only lack its roofline.
        tutor_support::yaml::read_typed(include_str!("../../../assets/recorded/limits.yaml")).unwrap_or_default()
    }

    /// Returns the limits of a device, if they were measured.
    pub fn of(device: &str) -> Option<Self> {
        Self::built_in().into_iter().find(|limits| limits.device == device)
    }

    /// Returns the minimum time in ms for `flop` floating-point operations without tensor cores.
    pub fn floor_ms(&self, flop: u64) -> f64 {
        flop as f64 / (self.fma_gflops * 1e6)
    }
}

/// The time of cuBLAS at a size, for elements of one type.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RecordedCublas {
    #[serde(default)]
    pub elements: Elements,
    #[serde(flatten)]
    pub time: RecordedTime,
    /// Median time of its default choice in the same run, in ms. Absent if only the default choice was timed, or if it
    /// is incorrect at this size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_ms: Option<f64>,
}

/// Clock and power while the kernels of an element type were timed at a size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RecordedConditions {
    pub n: u32,
    pub elements: Elements,
    /// The observed clock and power.
    #[serde(flatten)]
    pub seen: Conditions,
}

/// A kernel that was not timed at a size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    pub kernel: String,
    pub n: u32,
    /// The reason, as a sentence.
    pub why: String,
}

/// The time for a square product of a size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedTime {
    pub n: u32,
    /// Median time per launch, in ms.
    pub median_ms: f64,
    /// Lower end of the median's 95 % interval.
    pub low_ms: f64,
    /// Upper end of the interval.
    pub high_ms: f64,
    pub launches: u64,
    /// 2·n³ divided by the median, in GFLOP/s.
    pub gflops: f64,
    /// How the timed launches reached the GPU.
    #[serde(default, skip_serializing_if = "Submission::is_stream")]
    pub submission: Submission,
}

/// A kernel's time at a size, and whether its result was correct.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedRow {
    pub kernel: String,
    /// The variant, if it is not the catalogue's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The [identity](Kernel::identity) of the timed kernel. If it is empty, the time applies to no kernel.
    #[serde(default)]
    pub of: String,
    #[serde(default)]
    pub elements: Elements,
    #[serde(flatten)]
    pub time: RecordedTime,
    /// Number of incorrect elements of C, out of n².
    pub mismatches: u64,
    /// cuBLAS's median in ms from the same run as this row, if that is not the run of the recording's cuBLAS times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cublas_ms: Option<f64>,
}

impl RecordedRow {
    /// True if `kernel`, or the variant of it that the row names, is what was timed.
    fn is_of(&self, kernel: &Kernel) -> bool {
        let identity = match &self.variant {
            None => kernel.identity(),
            Some(variant) => kernel.identity_at(variant),
        };
        identity.is_some_and(|identity| identity == self.of)
    }
}

impl RecordedTime {
    /// Makes a recorded time from a measurement of a square product.
    pub fn new(n: u32, timing: &Timing) -> Self {
        let flop = super::protocol::Shape::square(n).flop();
        Self {
            n,
            median_ms: timing.median_ms,
            low_ms: timing.low_ms,
            high_ms: timing.high_ms,
            launches: timing.launches,
            gflops: gflops(flop, timing.median_ms),
            submission: timing.submission,
        }
    }
}

/// Multiprocessors and their clock. With a time, they give the cycles that an SM needs per warp-wide step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    pub multiprocessors: u32,
    pub mhz: u32,
}

impl Clock {
    /// Returns the cycles of one SM per warp-wide multiply-add (64 FLOP), at a given speed of the whole
    /// device.
    pub fn cycles(self, gflops: f64) -> f64 {
        64.0 * f64::from(self.multiprocessors) * f64::from(self.mhz) / 1000.0 / gflops
    }
}

/// Returns the speed in GFLOP/s of `flop` operations in `ms` milliseconds.
pub fn gflops(flop: f64, ms: f64) -> f64 {
    flop / (ms * 1e6)
}

impl Recording {
    /// The device that the lessons describe.
    const OF_THE_LESSONS: &str = "NVIDIA H200";

    /// Returns the recordings in the binary, starting with the lessons' device; possibly none.
    pub fn built_in() -> &'static [Self] {
        static ALL: LazyLock<Vec<Recording>> = LazyLock::new(|| {
            let read =
                |name: std::borrow::Cow<'static, str>| serde_json::from_slice(&Recordings::get(&name)?.data).ok();
            let mut all: Vec<Recording> = Recordings::iter().filter_map(read).collect();
            all.sort_by_key(|recording| recording.device != Recording::OF_THE_LESSONS);
            all
        });
        &ALL
    }

    /// Sorts recordings: first those of a GPU with this name, then those with its compute capability, then the others.
    pub fn nearest_first<'r>(all: &'r [Self], device: Option<&Device>) -> Vec<&'r Self> {
        let device = device.filter(|device| device.kind == DeviceKind::Cuda);
        let far = |recording: &&Self| match device {
            Some(device) if device.name == recording.device => 0,
            Some(device) if device.capability == Some(recording.capability) => 1,
            _ => 2,
        };
        let mut sorted: Vec<&Self> = all.iter().collect();
        sorted.sort_by_key(far);
        sorted
    }

    /// Returns the recording in the binary that is nearest to a device, or without a GPU the lessons' recording.
    pub fn nearest(device: Option<&Device>) -> Option<&'static Self> {
        Self::nearest_first(Self::built_in(), device).first().copied()
    }

    /// Returns the row of a kernel at a size, or `None` if a different version of the kernel was timed.
    pub fn row(&self, kernel: &Kernel, n: u32) -> Option<&RecordedRow> {
        self.rows.iter().find(|row| row.time.n == n && row.kernel == kernel.id && row.is_of(kernel))
    }

    /// True if there are times under this kernel's id, but all for a different version of it.
    pub fn is_of_another(&self, kernel: &Kernel) -> bool {
        let mut rows = self.rows.iter().filter(|row| row.kernel == kernel.id).peekable();
        rows.peek().is_some() && !rows.any(|row| row.is_of(kernel))
    }

    /// Returns cuBLAS's time at a size, for elements of this type.
    pub fn cublas_at(&self, n: u32, elements: Elements) -> Option<&RecordedTime> {
        Some(&self.cublas_row(n, elements)?.time)
    }

    fn cublas_row(&self, n: u32, elements: Elements) -> Option<&RecordedCublas> {
        self.cublas.iter().find(|cublas| cublas.time.n == n && cublas.elements == elements)
    }

    /// Returns the median in ms of cuBLAS's default choice, where it was timed next to the fastest choice.
    pub fn default_ms(&self, n: u32, elements: Elements) -> Option<f64> {
        self.cublas_row(n, elements)?.default_ms
    }

    /// Returns the median clock of the SMs in MHz while kernels of this type were timed at a size.
    pub fn clock_mhz(&self, n: u32, elements: Elements) -> Option<u32> {
        let seen = self.conditions.iter().find(|condition| condition.n == n && condition.elements == elements)?;
        Some(seen.seen.sm_mhz[1])
    }

    /// Returns the SMs and their clock while kernels of this type were timed at a size.
    pub fn clock(&self, n: u32, elements: Elements) -> Option<Clock> {
        Some(Clock { multiprocessors: self.multiprocessors?, mhz: self.clock_mhz(n, elements)? })
    }

    /// Returns cuBLAS's median in ms from the run that timed a row.
    pub fn cublas_ms(&self, row: &RecordedRow) -> Option<f64> {
        row.cublas_ms.or_else(|| Some(self.cublas_at(row.time.n, row.elements)?.median_ms))
    }

    /// Returns a kernel's speed divided by cuBLAS's, both from one run with the same elements and size. 1 is as fast as
    /// cuBLAS.
    pub fn share_of_cublas(&self, kernel: &Kernel, n: u32) -> Option<f64> {
        let row = self.row(kernel, n)?;
        Some(self.cublas_ms(row)? / row.time.median_ms)
    }

    /// Returns the sizes recorded for a kernel, ascending.
    pub fn sizes(&self, kernel: &Kernel) -> Vec<u32> {
        let of = |row: &&RecordedRow| row.kernel == kernel.id && row.is_of(kernel);
        let mut sizes: Vec<u32> = self.rows.iter().filter(of).map(|row| row.time.n).collect();
        sizes.sort_unstable();
        sizes
    }

    /// Returns the size at which the most kernels were recorded, so that they can be compared. If there are several, it
    /// is the largest.
    pub fn common_size(&self) -> Option<u32> {
        let mut sizes = std::collections::BTreeMap::new();
        for row in &self.rows {
            *sizes.entry(row.time.n).or_insert(0u32) += 1;
        }
        sizes.into_iter().max_by_key(|(n, count)| (*count, *n)).map(|(n, _)| n)
    }

    /// Returns one line that labels the recording: `recorded on NVIDIA H200, driver 580.95.05, 2026-11-21`.
    pub fn label(&self) -> Sentence {
        sentence!("exec-recorded-driver", device = self.device, driver = self.driver, date = self.date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_kernels::Catalog;

    #[test]
    fn every_file_can_be_read_and_adds_up() {
        for name in Recordings::iter() {
            let recording: Recording = serde_json::from_slice(&Recordings::get(&name).unwrap().data)
                .unwrap_or_else(|error| panic!("assets/recorded/{name}: {error}"));
            for row in &recording.rows {
                let kernel = Catalog::built_in().kernel(&row.kernel);
                let kernel = kernel.unwrap_or_else(|| panic!("{name}: no kernel {}", row.kernel));
                let time = &row.time;
                let expected = gflops(2.0 * f64::from(time.n).powi(3), time.median_ms);
                assert!((time.gflops / expected - 1.0).abs() < 1e-6, "{name}: {row:?}");
                assert!(time.low_ms <= time.median_ms && time.median_ms <= time.high_ms, "{name}: {row:?}");
                assert!(kernel.expected_wrong || row.mismatches == 0, "{name}: {row:?}");
                assert_eq!(kernel.elements, row.elements, "{name}: {row:?}");
                assert_eq!(recording.row(kernel, time.n), Some(row), "{name}: what was timed is not `{}`", row.kernel);
                assert!(recording.cublas.is_empty() || recording.share_of_cublas(kernel, time.n).is_some());
            }
        }
    }

    #[test]
    fn a_gpu_gets_the_recording_of_its_name_then_of_its_capability_then_the_lessons() {
        let shown = |kind, name: &str, capability| {
            let device = Device { capability: Some(capability), ..Device::named(kind, name) };
            Recording::nearest(Some(&device)).unwrap().device.as_str()
        };
        let (h100, h200) = ("NVIDIA H100 80GB HBM3", "NVIDIA H200");
        assert_eq!(Recording::nearest(None).unwrap().device, h200);
        assert_eq!(shown(DeviceKind::Cuda, h100, [9, 0]), h100);
        assert_eq!(shown(DeviceKind::Cuda, h200, [9, 0]), h200);
        assert_eq!(shown(DeviceKind::Cuda, "NVIDIA H20", [9, 0]), h200, "of its capability, the lessons' first");
        assert_eq!(shown(DeviceKind::Cuda, "NVIDIA A100", [8, 0]), h200);
        assert_eq!(shown(DeviceKind::Emulator, h100, [9, 0]), h200);
        let mut ampere = Recording::nearest(None).unwrap().clone();
        (ampere.device, ampere.capability) = ("NVIDIA A30".into(), [8, 0]);
        let all = [Recording::nearest(None).unwrap().clone(), ampere];
        let device = Device { capability: Some([8, 0]), ..Device::named(DeviceKind::Cuda, "NVIDIA A100") };
        assert_eq!(Recording::nearest_first(&all, Some(&device))[0].device, "NVIDIA A30");
    }

    #[test]
    fn a_share_is_the_ratio_of_the_times_at_the_same_size() {
        let time = |n, median_ms| RecordedTime { n, median_ms, high_ms: 9.0, gflops: 1.0, ..RecordedTime::default() };
        let [k, b] = ["sgemm_tiled", "bf16_mma"].map(|id| Catalog::built_in().kernel(id).unwrap());
        let recording = Recording {
            device: "NVIDIA H200".into(),
            driver: "580.1".into(),
            date: "2026-11-21".into(),
            cublas: [(Elements::F32, 512, 1.0), (Elements::F32, 1024, 2.0), (Elements::Bf16, 1024, 0.5)]
                .map(|(elements, n, ms)| RecordedCublas { elements, time: time(n, ms), default_ms: None })
                .to_vec(),
            rows: [(k, Elements::F32, 8.0), (b, Elements::Bf16, 1.0)]
                .map(|(kernel, elements, ms)| RecordedRow {
                    kernel: kernel.id.clone(),
                    of: kernel.identity().unwrap(),
                    elements,
                    time: time(1024, ms),
                    ..RecordedRow::default()
                })
                .to_vec(),
            ..Recording::default()
        };
        assert_eq!(recording.share_of_cublas(k, 1024), Some(0.25));
        assert_eq!(recording.share_of_cublas(b, 1024), Some(0.5), "beside cuBLAS of its own type");
        assert_eq!(recording.share_of_cublas(k, 512), None);
        let mut apart = recording.clone();
        apart.rows[0].cublas_ms = Some(4.0);
        assert_eq!(apart.share_of_cublas(k, 1024), Some(0.5), "beside the cuBLAS of its own run");
        assert_eq!((recording.sizes(k), recording.common_size()), (vec![1024], Some(1024)));
        assert_eq!(recording.label().to_string(), "recorded on NVIDIA H200, driver 580.1, 2026-11-21");
        let text = serde_json::to_string(&recording).unwrap();
        assert_eq!(serde_json::from_str::<Recording>(&text).unwrap(), recording);
        let mut other = k.clone();
        other.block = [8, 8, 1];
        assert_eq!((recording.row(&other, 1024), recording.sizes(&other)), (None, vec![]), "not this kernel's times");
        assert!(recording.is_of_another(&other) && !recording.is_of_another(k));
    }
}
