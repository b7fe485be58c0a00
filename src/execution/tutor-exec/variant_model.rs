/*! Predicts which variant of a kernel is fastest for a shape on a GPU, with a model fitted to measured times.

The model predicts the time of a launch from three numbers: the blocks on the busiest multiprocessor, the waves in which
they run, and the steps of a block along K. `assets/recorded/choice.yaml` has its parameters and the time that its
choices lose. The model covers only GPUs. On the emulator, a kernel without a named variant runs as the catalogue's
default.
*/

use super::sweep::fingerprint;
use crate::prelude::*;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use tutor_kernels::{Constants, GridFormulas, Point};

/// The model's parameters, and what they were fitted to.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct VariantModel {
    /// The GPUs that were measured.
    pub measured: Vec<Measured>,
    /// Number of SMs of these GPUs.
    multiprocessors: u32,
    /// Their maximum clock in MHz, to which the times apply.
    clock_mhz: u32,
    /// By cluster size in blocks: the number of SMs, of `multiprocessors`, on which such clusters can run.
    clusters: BTreeMap<u32, u32>,
    kernels: Vec<Fitted>,
}

/// A GPU that was measured.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Measured {
    /// Name as the driver reports it.
    pub device: String,
    /// Version of the driver.
    pub driver: String,
    /// Date of the measurement, `YYYY-MM-DD`.
    pub date: String,
}

/// The fitted variants of a kernel.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Fitted {
    kernel: String,
    /// The [`fingerprint`] of the kernel: the parameters do not apply to a changed source.
    fingerprint: String,
    edge: Edge,
    /// Time lost compared with the best variant.
    loss: Loss,
    variants: BTreeMap<String, Parameters>,
}

/// Relative losses over all measured pairs of a shape and a device.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Loss {
    pub shapes: u32,
    /// Geometric mean of the chosen variant's time divided by the fastest one's, minus 1.
    pub mean: f64,
    /// The largest of these losses.
    pub worst: f64,
    /// Number of pairs that lose more than 5 %.
    pub over_5_percent: u32,
    /// The mean loss if the catalogue's default is always used.
    pub default_mean: f64,
    /// The largest loss of the default.
    pub default_worst: f64,
}

/// The edge effect that costs a variant extra time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Edge {
    /// Tiles that extend beyond C, at its lower and right edges.
    Tiles,
    /// Rows of B whose length is not a multiple of 128 bytes.
    Rows,
}

/// Fitted times of a variant in microseconds; `edge`, `apart` and `few_rows` are fractions.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
struct Parameters {
    fixed: f64,
    /// Time per step if the blocks of an SM share its throughput.
    step: f64,
    /// Time per step of a wave if latency limits each block.
    wave_step: f64,
    wave: f64,
    /// Extra time if two clusters along K share a tile.
    groups: f64,
    edge: f64,
    #[serde(default)]
    apart: f64,
    /// Extra time for each further cluster along K.
    #[serde(default)]
    more_groups: f64,
    #[serde(default)]
    few_rows: f64,
    /// Time per 1024 × 1024 elements of B if C is one row and the kernel computes it apart.
    #[serde(default)]
    line: f64,
    /// The same for A and one column, or up to four columns of 16 bits or TF32.
    #[serde(default)]
    column: f64,
}

/// The properties of a variant and a shape that determine its time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Load {
    /// Blocks on the busiest SM.
    pub blocks: u32,
    /// Waves in which they run.
    pub waves: u32,
    /// Steps of a block along K.
    pub steps: u32,
    /// Number of clusters along K that share a tile.
    #[serde(skip)]
    groups: u32,
    #[serde(skip)]
    edge: f64,
    /// True if one of A and B is at least twice as large as the other, and the blocks of a cluster do not share it.
    #[serde(skip)]
    apart: bool,
    /// The part of a tile's rows that A does not have, if it has fewer than a tile.
    #[serde(skip)]
    few_rows: f64,
    /// If the kernel computes one row or few columns apart: true for columns, and the elements of the larger matrix, in units of 1024 × 1024.
    #[serde(skip)]
    pub(super) line: Option<(bool, f64)>,
}

/// The model's prediction for a variant.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictedVariant {
    /// Name among the kernel's variants.
    pub variant: String,
    /// Index of its value on each axis.
    pub place: Vec<usize>,
    /// The load from which the time is predicted.
    pub load: Load,
    /// Predicted time in microseconds.
    pub microseconds: f64,
}

impl VariantModel {
    /// Returns the fitted model, or `None` if its file cannot be read, which a test rules out.
    pub fn built_in() -> Option<&'static Self> {
        static MODEL: LazyLock<Option<VariantModel>> = LazyLock::new(|| {
            tutor_support::yaml::read_typed(include_str!("../../../assets/recorded/choice.yaml")).ok()
        });
        MODEL.as_ref()
    }

    /// Returns the variant that should be fastest. Returns `None` if the model does not know the current kernel, if the
    /// device is not a GPU, or if the driver does not report its SMs and clock.
    pub fn choose(&self, kernel: &Kernel, device: &Device, shape: Shape) -> Option<PredictedVariant> {
        self.predict(kernel, device, shape).into_iter().next()
    }

    /// True if the model was fitted to this GPU.
    pub fn is_fitted_to(&self, device: &Device) -> bool {
        self.measured.iter().any(|measured| measured.device == device.name)
    }

    /// Returns all variants that fit on the device, fastest first; empty where [`Self::choose`] returns `None`.
    pub fn predict(&self, kernel: &Kernel, device: &Device, shape: Shape) -> Vec<PredictedVariant> {
        let all = || {
            let variants = kernel.variants.as_ref().filter(|_| device.kind == DeviceKind::Cuda)?;
            let fitted = self.fitted(kernel)?;
            let (multiprocessors, clock_mhz) = (device.multiprocessors?, device.clock_mhz.filter(|mhz| *mhz > 0)?);
            // Steps take a fixed number of cycles, so they depend on the clock. Launching and waiting take a fixed
            // time.
            let slower = f64::from(self.clock_mhz) / f64::from(clock_mhz);
            let room = shared_bytes(device.capability?);
            let of_point = |point: &Point| {
                let fits = point.launch.as_ref().is_ok_and(|launch| launch.shared_bytes <= room);
                let parameters = fitted.variants.get(&point.name).filter(|_| fits)?;
                let mut load = self.load(kernel, point, fitted.edge, multiprocessors, shape)?;
                load.line = load.line.filter(|_| parameters.line > 0.0);
                let (variant, place) = (point.name.clone(), point.place.clone());
                Some(PredictedVariant { variant, place, load, microseconds: parameters.microseconds(&load, slower) })
            };
            Some(variants.points.iter().filter_map(of_point).collect::<Vec<_>>())
        };
        let mut all = all().unwrap_or_default();
        all.sort_by(|a, b| a.microseconds.total_cmp(&b.microseconds));
        all
    }

    /// Returns the loss of the model's choices for a kernel, or `None` if it does not know the kernel.
    pub fn loss(&self, kernel: &Kernel) -> Option<&Loss> {
        Some(&self.fitted(kernel)?.loss)
    }

    /// Returns the last GPU on which the variants were timed.
    pub fn device(&self) -> Device {
        let measured = self.measured.last();
        Device {
            kind: DeviceKind::Cuda,
            name: measured.map_or_else(String::new, |measured| measured.device.clone()),
            driver: measured.map(|measured| measured.driver.clone()),
            capability: Some([9, 0]),
            multiprocessors: Some(self.multiprocessors),
            clock_mhz: Some(self.clock_mhz),
        }
    }

    fn fitted(&self, kernel: &Kernel) -> Option<&Fitted> {
        let fitted = self.kernels.iter().find(|fitted| fitted.kernel == kernel.id)?;
        (fitted.fingerprint == fingerprint(kernel)).then_some(fitted)
    }

    fn load(&self, kernel: &Kernel, point: &Point, edge: Edge, multiprocessors: u32, shape: Shape) -> Option<Load> {
        let Shape { m, n, k, batch } = shape;
        let of = |name: &str| constant(&point.constants, name);
        let (bm, bn) = (of("BM")?, of("BN")?);
        // A kernel without the constant takes as many elements of a row as a line of 128 bytes has.
        let bk = of("BK").unwrap_or(128 / kernel.elements.bytes());
        let rows = of("DOWN").or_else(|| of("PAIR")).or_else(|| of("CLUSTER")).unwrap_or(1);
        let columns = of("ACROSS").unwrap_or(1);
        let few = if kernel.elements == Elements::F32 { 1 } else { 4 };
        let (split, resident) = (of("SPLIT").unwrap_or(1), of("RESIDENT").unwrap_or(1));
        let formulas = GridFormulas::parse(kernel.grid.iter().map(String::as_str), &point.constants).ok()?;
        let block = point.launch.as_ref().ok()?.block;
        let along_k = formulas.geometry(block, [m, n, k, batch], multiprocessors).ok()?.grid[2].max(split);
        let tiles = |extent: u32, of: u32, together: u32| {
            Some(u64::from(extent.div_ceil(of.checked_mul(together)?)) * u64::from(together))
        };
        let tiles = (tiles(m, bm, rows)? * tiles(n, bn, columns)?).saturating_mul(batch.into());
        let reached = self.clusters.get(&(split * rows * columns)).map_or(u64::from(multiprocessors), |reached| {
            u64::from(multiprocessors) * u64::from(*reached) / u64::from(self.multiprocessors.max(1))
        });
        let blocks = u32::try_from(tiles.saturating_mul(along_k.into()).div_ceil(reached.max(1))).ok()?;
        let beyond = match edge {
            Edge::Tiles => f64::from(u8::from(m % bm > 0) + u8::from(n % bn > 0)),
            Edge::Rows => f64::from(u8::from(u64::from(n) * u64::from(kernel.elements.bytes()) % 128 > 0)),
        };
        Some(Load {
            blocks,
            waves: blocks.div_ceil(resident),
            steps: k.div_ceil(bk).div_ceil(along_k),
            groups: along_k / split,
            edge: beyond,
            apart: m / 2 >= n && columns == 1 || n / 2 >= m && rows == 1,
            few_rows: (1.0 - f64::from(m) / f64::from(bm)).max(0.0),
            line: (n <= few || m == 1)
                .then(|| (n <= few, f64::from(if n <= few { m } else { n }) * f64::from(k) / f64::from(1 << 20))),
        })
    }
}

impl Parameters {
    fn microseconds(&self, load: &Load, slower: f64) -> f64 {
        let (blocks, waves, steps) = (f64::from(load.blocks), f64::from(load.waves), f64::from(load.steps));
        if let Some((columns, elements)) = load.line {
            return self.fixed + if columns { self.column } else { self.line } * elements;
        }
        let apart = if load.apart { self.apart } else { 0.0 };
        let multiplied = (blocks * steps * self.step).max(waves * steps * self.wave_step);
        let few_rows = 1.0 + load.few_rows * self.few_rows;
        let multiplied = multiplied * (1.0 + load.edge * self.edge) * (1.0 + apart) * few_rows;
        let groups = load.groups.checked_sub(2).map_or(0.0, |more| self.groups + f64::from(more) * self.more_groups);
        self.fixed + multiplied * slower + waves * self.wave + groups
    }
}

fn constant(constants: &Constants, name: &str) -> Option<u32> {
    constants.get(name).and_then(|value| u32::try_from(*value).ok()).filter(|value| *value > 0)
}

/// Maximum shared memory per block in bytes (CUDA C++ Programming Guide, technical specifications per compute
/// capability).
fn shared_bytes(capability: [u32; 2]) -> u32 {
    match capability {
        [7, _] => 64 << 10,
        [8, 0 | 7] => 163 << 10,
        [9..=11, _] => 227 << 10,
        _ => 99 << 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_kernels::{Catalog, Source};

    /// The fastest variants that `scripts/gpu/shapes` measured on an H200.
    const FASTEST: [(&str, u32, &str); 15] = [
        ("sgemm_tuned", 512, "64x64_by_4_warps"),
        ("sgemm_tuned", 2048, "128x256_in_3_stages"),
        ("sgemm_tuned", 3072, "64x128"),
        ("sgemm_tuned", 8192, "128x256_in_3_stages"),
        ("sgemm_split_k", 256, "32x64_in_8_parts"),
        ("sgemm_split_k", 512, "32x64_in_2_parts"),
        ("bf16_split_k", 256, "24x64"),
        ("bf16_split_k", 2048, "256x128_cluster_1x2"),
        ("e4m3_split_k", 1024, "128x64_cluster_2x1_group_2"),
        ("tf32_split_k", 256, "16x64_in_2_parts"),
        ("tf32_split_k", 512, "64x64_in_2_parts"),
        ("bf16_pipeline", 768, "128x128x32x64x64x4"),
        ("bf16_pipeline", 8192, "128x256x64x64x64x3"),
        ("bf16x6_split_k", 512, "4_parts"),
        ("bf16x6_split_k", 4096, "2_parts_by_4_blocks"),
    ];

    fn chosen(id: &str, device: &Device, shape: Shape) -> Option<PredictedVariant> {
        VariantModel::built_in().unwrap().choose(Catalog::built_in().kernel(id).unwrap(), device, shape)
    }

    #[test]
    fn the_model_takes_the_variant_that_was_fastest_on_the_gpus_measured() {
        let h200 = VariantModel::built_in().unwrap().device();
        for (id, n, best) in FASTEST {
            assert_eq!(chosen(id, &h200, Shape::square(n)).unwrap().variant, best, "{id} at {n}");
        }
        let few_rows = Shape::new(64, 4096, 4096);
        assert_eq!(chosen("s8_split_k", &h200, few_rows).unwrap().variant, "64x64_in_2_parts");
        assert_eq!(chosen("tf32_any_rows", &h200, Shape::new(1, 4097, 4095)).unwrap().variant, "32x128");
        let load = chosen("sgemm_tuned", &h200, Shape::square(4096)).unwrap().load;
        assert_eq!((load.blocks, load.waves, load.steps), (4, 4, 512), "512 tiles of 128x256");
    }

    #[test]
    fn another_gpu_gets_a_variant_that_it_has_room_for_and_the_emulator_none() {
        let model = VariantModel::built_in().unwrap();
        let ada = Device {
            name: "NVIDIA GeForce RTX 4090".into(),
            capability: Some([8, 9]),
            multiprocessors: Some(128),
            clock_mhz: Some(2520),
            ..model.device()
        };
        let pipeline = chosen("bf16_pipeline", &ada, Shape::square(4096)).unwrap();
        assert!(model.is_fitted_to(&model.device()) && !model.is_fitted_to(&ada));
        let kernel = Catalog::built_in().kernel("bf16_pipeline").unwrap();
        let point = kernel.variants.as_ref().unwrap().point(&pipeline.variant).unwrap().clone();
        assert!(point.launch.unwrap().shared_bytes <= 99 << 10, "{}", pipeline.variant);
        let emulator = Device { kind: DeviceKind::Emulator, ..ada };
        assert_eq!(chosen("bf16_pipeline", &emulator, Shape::square(4096)), None);
    }

    #[test]
    fn nothing_is_chosen_for_another_source() {
        let model = VariantModel::built_in().unwrap();
        let (h200, tuned) = (model.device(), Catalog::built_in().kernel("sgemm_tuned").unwrap());
        assert!(model.choose(tuned, &h200, Shape::square(512)).is_some());
        let mut other = tuned.clone();
        other.source = Arc::new(Source::read("// another").0);
        assert_eq!(model.choose(&other, &h200, Shape::square(512)), None);
    }

    #[test]
    fn every_kernel_fitted_is_in_the_catalogue_with_these_variants() {
        let mut stale = Vec::new();
        for fitted in &VariantModel::built_in().unwrap().kernels {
            let kernel = Catalog::built_in().kernel(&fitted.kernel).unwrap();
            stale.extend(Some((&fitted.kernel, fingerprint(kernel))).filter(|(_, now)| *now != fitted.fingerprint));
            let named: Vec<&str> = fitted.variants.keys().map(String::as_str).collect();
            let mut known: Vec<&str> =
                kernel.variants.iter().flat_map(|v| &v.points).map(|p| p.name.as_str()).collect();
            known.sort_unstable();
            assert_eq!(named, known, "{}", fitted.kernel);
        }
        assert_eq!(stale, [], "fit these again");
    }
}
