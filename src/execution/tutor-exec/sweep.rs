/*! Compares a kernel's variants: the results of each at a size, and the best one.

On a GPU, a variant has a time. On the emulator it has none, but its memory traffic is counted exactly. Sweeps of a
named GPU may be recorded, for machines without one. A recorded sweep is used only for exactly the source that was
swept.
*/

use super::protocol::Timing;
use super::recorded::{RecordedTime, gflops};
use super::results::{LaunchResults, ProgramResults};
use crate::Against;
use crate::prelude::*;
use ptx_emulator::Counts;
use std::cell::LazyCell;
use std::sync::LazyLock;
use tutor_assets::Sweeps;
use tutor_kernels::machine_code::digest;

/// The results of all variants of a kernel at one size, on one device.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    pub kernel: String,
    /// The [`fingerprint`] of the kernel and its variants.
    pub fingerprint: String,
    pub elements: Elements,
    pub n: u32,
    /// Name of the GPU, or of the emulator.
    pub device: String,
    /// Driver version; absent on the emulator.
    pub driver: Option<String>,
    /// Date of the sweep, `YYYY-MM-DD`.
    pub date: String,
    /// Time of cuBLAS, measured alternately with the variants.
    pub cublas: Option<RecordedTime>,
    /// Whether that is the time of cuBLAS's default choice or of its fastest one.
    #[serde(default)]
    pub against: Against,
    /// True if the variants do not compute the same, or not with the same accuracy. Then none is the best.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unlike: bool,
    /// Results in the order of the kernel's variants.
    pub points: Vec<SweepPoint>,
}

/// The results of a variant at a size.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SweepPoint {
    /// Name among the kernel's variants.
    pub variant: String,
    /// Its time; absent on the emulator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Timing>,
    /// 2·n³ divided by the median, in GFLOP/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gflops: Option<f64>,
    /// Number of incorrect elements of C; absent if they were not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mismatches: Option<u64>,
    /// Its memory traffic, counted on the emulator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traffic: Option<Traffic>,
    /// Why there are no results: the variant is impossible, or did not run here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Bytes that the threads request per multiply-add of the product. What tiles compute outside of it does not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Traffic {
    /// Bytes of global memory.
    pub global_bytes_per_fma: f64,
    /// Bytes of shared memory.
    pub shared_bytes_per_fma: f64,
}

impl Traffic {
    /// Computes the traffic of products of a shape from counts, or returns `None` if no block was counted.
    fn of(counts: &Counts, shape: Shape) -> Option<Self> {
        let fma = shape.products() as f64 * counts.blocks_counted as f64 / counts.blocks as f64;
        (fma > 0.0).then(|| Self {
            global_bytes_per_fma: counts.totals.global_bytes as f64 / fma,
            shared_bytes_per_fma: counts.totals.shared_bytes as f64 / fma,
        })
    }

    /// Returns the sum of both.
    pub fn bytes_per_fma(self) -> f64 {
        self.global_bytes_per_fma + self.shared_bytes_per_fma
    }
}

impl SweepPoint {
    /// Stores what a launch of n×n matrices found, unless another kernel ran.
    fn measured(&mut self, n: u32, found: &ProgramResults) {
        let shape = Shape::square(n);
        if let Some((_, why)) = &found.instead {
            self.why = Some(why.to_string());
            return;
        }
        if let Some(timing) = found.timed.timing {
            self.gflops = Some(gflops(shape.flop(), timing.median_ms));
            self.time = Some(timing);
        }
        self.mismatches = found.wrong_elements().or(self.mismatches);
        self.traffic = found.counts.as_ref().map_or(self.traffic, |counts| Traffic::of(counts, shape));
        self.why = found.skipped.as_ref().map_or_else(|| self.why.take(), |error| Some(error.message.to_string()));
    }

    /// True unless its result was compared and is incorrect.
    pub fn may_be_best(&self) -> bool {
        self.mismatches.unwrap_or(0) == 0
    }
}

impl Sweep {
    /// Stores the results of a launch. `launched` is the index of each program's point.
    pub fn add(&mut self, results: &LaunchResults, launched: &[usize]) {
        for (at, found) in launched.iter().zip(&results.programs) {
            if let Some(point) = self.points.get_mut(*at) {
                point.measured(self.n, found);
            }
        }
        if let Some(timing) = results.cublas.timing {
            self.cublas = Some(RecordedTime::new(self.n, &timing));
        }
    }

    /// Returns the fastest correct variant. Without times, returns the correct variant with the least memory traffic.
    pub fn best(&self) -> Option<&SweepPoint> {
        let right = || self.points.iter().filter(|point| !self.unlike && point.may_be_best());
        let fastest = right().filter(|point| point.gflops.is_some());
        let fastest = fastest.max_by(|a, b| a.gflops.unwrap_or(0.0).total_cmp(&b.gflops.unwrap_or(0.0)));
        let traffic = |point: &SweepPoint| point.traffic.map_or(f64::INFINITY, Traffic::bytes_per_fma);
        let least = right().filter(|point| point.traffic.is_some());
        fastest.or_else(|| least.min_by(|a, b| traffic(a).total_cmp(&traffic(b))))
    }

    /// True if times were measured.
    pub fn timed(&self) -> bool {
        self.points.iter().any(|point| point.time.is_some())
    }

    /// Returns the label, e.g. `recorded on NVIDIA H200, driver 580.95.05, 2026-11-21`.
    pub fn label(&self) -> Sentence {
        match &self.driver {
            Some(driver) => sentence!("exec-recorded-driver", device = self.device, driver, date = self.date),
            None => sentence!("exec-recorded", device = self.device, date = self.date),
        }
    }

    /// Returns the recorded sweeps in the binary; possibly none.
    pub fn built_in() -> &'static [Self] {
        static ALL: LazyLock<Vec<Sweep>> = LazyLock::new(|| {
            let files = Sweeps::iter().filter_map(|name| Sweeps::get(&name));
            files.filter_map(|file| serde_json::from_slice::<Vec<Sweep>>(&file.data).ok()).flatten().collect()
        });
        &ALL
    }

    /// Returns the recorded sweep of the current kernel at size `n`, or by default at the largest recorded size.
    pub fn recorded(kernel: &Kernel, n: Option<u32>) -> Option<&'static Self> {
        let fingerprint = LazyCell::new(|| fingerprint(kernel));
        let known = Self::built_in().iter().filter(|s| s.kernel == kernel.id && s.fingerprint == *fingerprint);
        known.filter(|sweep| n.is_none_or(|n| n == sweep.n)).max_by_key(|sweep| sweep.n)
    }
}

/// Identifies a kernel's code, without comments, and its variants. Measurements of a kernel with another fingerprint do not apply to it.
pub fn fingerprint(kernel: &Kernel) -> String {
    let points = kernel.variants.iter().flat_map(|variants| &variants.points);
    let constants = points.flat_map(|point| point.constants.iter().map(|(name, value)| format!("{name}={value};")));
    let parts = std::iter::once(kernel.source.code()).chain([kernel.min_arch()]).chain(constants);
    digest(&parts.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_kernels::Catalog;

    fn point(variant: &str, gflops: Option<f64>, mismatches: u64) -> SweepPoint {
        SweepPoint { variant: variant.into(), gflops, mismatches: Some(mismatches), ..SweepPoint::default() }
    }

    fn sweep(points: Vec<SweepPoint>) -> Sweep {
        Sweep { points, ..Sweep::default() }
    }

    #[test]
    fn the_best_is_the_fastest_that_is_right() {
        let points =
            vec![point("a", Some(5.0), 0), point("b", Some(9.0), 3), point("c", Some(7.0), 0), point("d", None, 0)];
        assert_eq!(sweep(points).best().unwrap().variant, "c");
        assert!(sweep(vec![point("b", Some(9.0), 3)]).best().is_none());
    }

    #[test]
    fn without_times_the_best_asks_least_of_memory() {
        let with = |variant: &str, shared| SweepPoint {
            traffic: Some(Traffic { global_bytes_per_fma: 0.5, shared_bytes_per_fma: shared }),
            ..point(variant, None, 0)
        };
        assert_eq!(sweep(vec![with("a", 2.0), with("b", 1.0), point("c", None, 0)]).best().unwrap().variant, "b");
    }

    #[test]
    fn traffic_is_divided_by_the_product_and_belongs_to_the_variant_itself() {
        let mut counts = Counts::default();
        (counts.totals.flop, counts.totals.global_bytes) = (1 << 40, 96 << 10);
        (counts.blocks_counted, counts.blocks) = (2, 4);
        let mut found = ProgramResults { counts: Some(counts), ..ProgramResults::default() };
        let mut own = SweepPoint::default();
        own.measured(128, &found);
        assert_eq!(own.traffic.map(Traffic::bytes_per_fma), Some(96.0 / 1024.0));
        found.instead = Some(("other".to_owned(), "K is odd".into()));
        let mut other = SweepPoint::default();
        other.measured(128, &found);
        assert_eq!(other, SweepPoint { why: Some("K is odd".to_owned()), ..SweepPoint::default() });
        assert!(Sweep { unlike: true, ..sweep(vec![point("a", Some(5.0), 0)]) }.best().is_none());
    }

    #[test]
    fn every_recorded_sweep_can_be_read_and_is_of_a_kernel_as_it_is() {
        for name in Sweeps::iter() {
            let sweeps: Vec<Sweep> = serde_json::from_slice(&Sweeps::get(&name).unwrap().data)
                .unwrap_or_else(|error| panic!("assets/recorded/{name}: {error}"));
            for sweep in sweeps {
                let kernel = Catalog::built_in().kernel(&sweep.kernel).unwrap_or_else(|| panic!("{}", sweep.kernel));
                assert_eq!(sweep.fingerprint, fingerprint(kernel), "{name}: record {} again", sweep.kernel);
                assert!(sweep.best().is_some_and(|best| best.time.is_some()), "{name}");
            }
        }
    }

    #[test]
    fn another_source_has_another_fingerprint() {
        let [a, b] = ["sgemm_tiled", "sgemm_tiled32"].map(|id| fingerprint(Catalog::built_in().kernel(id).unwrap()));
        assert_ne!(a, b);
        assert_eq!(a.len(), 16);
    }
}
