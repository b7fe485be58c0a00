/*! Stores which variant of a kernel is best on this GPU. Tuning finds it, and the data directory keeps it.

A choice applies only to the GPU, the driver, the exact kernel and the class of shapes for which it was found. If one of
them changes, the choice is not used any more. The class of a shape is the nearest power of two of each of M, N and K.
*/

use super::sweep::{Sweep, fingerprint};
use crate::prelude::*;
use std::io;
use std::path::Path;
use tutor_kernels::Launch;
use tutor_support::private;

/// All choices of a data directory.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    choices: Vec<TunedVariant>,
}

/// The best variant of a kernel at a size on a device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TunedVariant {
    pub kernel: String,
    /// The [`fingerprint`] of the kernel.
    pub fingerprint: String,
    pub device: String,
    pub driver: Option<String>,
    pub n: u32,
    pub variant: String,
    /// Its speed in GFLOP/s.
    pub gflops: f64,
    /// Date of the tuning, `YYYY-MM-DD`.
    pub date: String,
}

/// Maximum file size in bytes: several thousand choices.
const MAX_BYTES: u64 = 4 << 20;

const FILE: &str = "tuned.json";

impl Tuned {
    /// Loads the choices from a data directory. Returns no choices if there is no readable file; the next tuning
    /// creates it again.
    pub fn load(data: &Path) -> Self {
        let read = || serde_json::from_slice(&private::read(&data.join(FILE), MAX_BYTES).ok()??).ok();
        read().unwrap_or_default()
    }

    /// Saves the choices. Another process sees either the old file or the complete new one.
    pub fn save(&self, data: &Path) -> io::Result<()> {
        private::replace(data, FILE, &serde_json::to_vec_pretty(self)?)
    }

    /// Stores the best variant of a sweep, replacing an earlier choice for the same kernel, device and size. Returns
    /// the choice, if the sweep has a best variant with a speed.
    pub fn learn(&mut self, sweep: &Sweep) -> Option<&TunedVariant> {
        let best = sweep.best()?;
        let choice = TunedVariant {
            kernel: sweep.kernel.clone(),
            fingerprint: sweep.fingerprint.clone(),
            device: sweep.device.clone(),
            driver: sweep.driver.clone(),
            n: sweep.n,
            variant: best.variant.clone(),
            gflops: best.gflops?,
            date: sweep.date.clone(),
        };
        self.choices
            .retain(|known| (&known.kernel, &known.device, known.n) != (&choice.kernel, &choice.device, choice.n));
        self.choices.push(choice);
        self.choices.last()
    }

    /// Removes the choices for a kernel, and returns how many there were.
    pub fn forget(&mut self, kernel: &str) -> usize {
        let before = self.choices.len();
        self.choices.retain(|choice| choice.kernel != kernel);
        before - self.choices.len()
    }

    /// Returns the best variant of a kernel on this device for this class of shapes, from the nearest tuned size in the
    /// class.
    pub fn choice(&self, kernel: &Kernel, device: &Device, shape: Shape) -> Option<&TunedVariant> {
        let variants = kernel.variants.as_ref()?;
        let fingerprint = fingerprint(kernel);
        let same = |launch: &Launch| launch.further == kernel.further;
        let holds = |choice: &&TunedVariant| {
            choice.kernel == kernel.id
                && choice.fingerprint == fingerprint
                && choice.device == device.name
                && choice.driver == device.driver
                && class(Shape::square(choice.n)) == class(shape)
                // Variants of an epilogue compute something else.
                && variants.point(&choice.variant).and_then(|point| point.launch.as_ref().ok()).is_some_and(same)
        };
        let distance = |choice: &&TunedVariant| (f64::from(choice.n) / f64::from(shape.n.max(1))).ln().abs();
        self.choices.iter().filter(holds).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }
}

/// Returns the exponent of the nearest power of two for each extent.
fn class(Shape { m, n, k, .. }: Shape) -> [u32; 3] {
    // The limit between two powers is 2^e · √2, which is not an integer. Its square is.
    [m, n, k].map(|extent| u64::from(extent.max(1)).pow(2).ilog2().div_ceil(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::SweepPoint;
    use tutor_kernels::Catalog;

    const CATALOG: &str = "kernels:
- { id: mine, level: a, title: t, file: mine.cu, entry: mine, constants: { T: 1 }, block: [32, 1, 1], grid: [\"M\"],
    min_arch: sm_75, expected_wrong: false, about: a, variants: { axes: [{ name: t, constants: [T], values: [[1], [2], [4]] }] } }
";

    fn kernel(source: &str) -> Kernel {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("kernels")).unwrap();
        std::fs::write(dir.path().join("kernels/catalog.yaml"), CATALOG).unwrap();
        std::fs::write(dir.path().join("kernels/mine.cu"), source).unwrap();
        let (catalog, problems) = Catalog::from_directory(dir.path());
        assert_eq!(problems, []);
        catalog.kernel("mine").unwrap().clone()
    }

    fn sweep(kernel: &Kernel, n: u32, best: &str) -> Sweep {
        let point = |variant: &str| SweepPoint {
            variant: variant.into(),
            gflops: Some(if variant == best { 9.0 } else { 1.0 }),
            ..SweepPoint::default()
        };
        Sweep {
            kernel: kernel.id.clone(),
            fingerprint: fingerprint(kernel),
            n,
            device: "NVIDIA H200".into(),
            driver: Some("580".into()),
            points: ["1", "2", "4"].map(point).to_vec(),
            ..Sweep::default()
        }
    }

    #[test]
    fn a_choice_is_kept_for_the_device_driver_kernel_and_class_of_shapes_and_for_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        let kernel = kernel("// one");
        let mut tuned = Tuned::load(&data);
        assert_eq!(tuned, Tuned::default(), "there is none yet");
        for (n, best) in [(1024, "2"), (4096, "1"), (4096, "4")] {
            assert_eq!(tuned.learn(&sweep(&kernel, n, best)).unwrap().variant, best);
        }
        tuned.save(&data).unwrap();
        let mut tuned = Tuned::load(&data);
        let at = |kernel: &Kernel, driver: &str, shape| {
            let device = Device { driver: Some(driver.to_owned()), ..Device::named(DeviceKind::Cuda, "NVIDIA H200") };
            tuned.choice(kernel, &device, shape).map(|choice| choice.variant.clone())
        };
        let variant = |kernel: &Kernel, driver: &str, n| at(kernel, driver, Shape::square(n));
        for (n, best) in [(725, "2"), (1024, "2"), (1448, "2"), (2897, "4"), (4096, "4"), (5792, "4")] {
            assert_eq!(variant(&kernel, "580", n).as_deref(), Some(best), "{n}");
        }
        for n in [64, 724, 1449, 2048, 2896, 5793, 16_384] {
            assert_eq!(variant(&kernel, "580", n), None, "{n} is of another class");
        }
        let [flat, near] = [128, 900].map(|m| at(&kernel, "580", Shape::new(m, 1024, 1024)));
        assert_eq!((flat, near.as_deref()), (None, Some("2")));
        assert_eq!(variant(&kernel, "590", 1024), None, "another driver");
        assert_eq!(variant(&self::kernel("int another;"), "580", 1024), None, "another kernel");
        assert_eq!((tuned.forget("mine"), tuned.forget("mine")), (2, 0));
        std::fs::write(data.join(FILE), "{").unwrap();
        assert_eq!(Tuned::load(&data), Tuned::default(), "a damaged file is as none");
    }
}
