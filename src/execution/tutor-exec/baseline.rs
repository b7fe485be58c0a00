/*! The fastest way in which NVIDIA's library computes a product.

cuBLAS chooses a kernel for each product by a heuristic. cuBLASLt lists further candidates, and at many shapes one of
them is faster. So "cuBLAS" is the faster of the default choice and the best candidate. The executor finds it once per
shape, element type, GPU, driver and library, and the parent keeps it in the data directory. The worker cannot write
there, and it may run on another machine. So the parent sends what it kept with each launch.

A candidate can be wrong: some versions of cuBLAS lose the end of K at some shapes. A 16-bit result hides such a loss in
its rounding. So each choice first computes a product whose sums are exact in every type (`telltale`). Then some of its
rows are compared with float64. A choice that only rounds the sums of parts of K to 16 bits counts as correct. A note
says so, because no kernel of the tutor does that.
*/

#[cfg(any(feature = "cuda", test))]
use crate::input::mix;
use crate::prelude::*;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tutor_kernels::machine_code::digest;
use tutor_support::private;

/// The library's fastest choice for a product on a GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    pub device: String,
    pub driver: Option<String>,
    /// Versions of cuBLAS and cuBLASLt.
    pub library: String,
    pub elements: Elements,
    pub shape: Shape,
    /// cuBLASLt's algorithm in the library's own encoding (`cublasLtMatmulAlgo_t`). `None` is the default choice.
    pub algorithm: Option<[u64; 8]>,
    /// True if the default choice computes this product incorrectly.
    pub default_wrong: bool,
    /// Number of choices that were found to compute it incorrectly.
    pub wrong: u32,
    /// True if the fastest choice rounds the sums of parts of K to the element type before it adds them.
    pub rounds_parts: bool,
}

impl Baseline {
    /// True if both are about the same product on the same GPU with the same software.
    pub(crate) fn is_for(&self, other: &Self) -> bool {
        let key = |of: &Self| (of.device.clone(), of.driver.clone(), of.library.clone(), of.elements, of.shape);
        key(self) == key(other)
    }
}

/// The file in the data directory.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// Digest of the baselines as JSON. A damaged algorithm must not reach the library.
    digest: String,
    baselines: Vec<Baseline>,
}

const FILE: &str = "baselines.json";
/// Maximum file size in bytes.
const MAX_BYTES: u64 = 4 << 20;
/// Maximum number of baselines. The oldest are dropped.
const MAX_KEPT: usize = 4000;

static DATA: OnceLock<PathBuf> = OnceLock::new();

/// Sets the data directory in which baselines are kept.
pub fn keep_in(data: PathBuf) {
    // The command line calls this once.
    let _ = DATA.set(data);
}

/// Returns the baselines of a shape, for all element types and GPUs.
pub(crate) fn kept(shape: Shape) -> Vec<Baseline> {
    let mut all = DATA.get().map(PathBuf::as_path).map(load).unwrap_or_default();
    all.retain(|baseline| baseline.shape == shape);
    all
}

/// Keeps a baseline, and replaces an earlier one for the same product.
pub(crate) fn keep(baseline: Baseline) {
    if let Some(data) = DATA.get() {
        // If the directory cannot be written to, the next launch finds the choice again.
        let _ = save(data, baseline);
    }
}

/// Returns the baselines in a data directory. Returns none if the file is damaged.
fn load(data: &Path) -> Vec<Baseline> {
    let read = || {
        let kept: Kept = serde_json::from_slice(&private::read(&data.join(FILE), MAX_BYTES).ok()??).ok()?;
        (digest_of(&kept.baselines)? == kept.digest).then_some(kept.baselines)
    };
    read().unwrap_or_default()
}

fn save(data: &Path, baseline: Baseline) -> io::Result<()> {
    let mut baselines = load(data);
    baselines.retain(|known| !known.is_for(&baseline));
    baselines.push(baseline);
    baselines.drain(..baselines.len().saturating_sub(MAX_KEPT));
    let digest = digest_of(&baselines).unwrap_or_default();
    private::replace(data, FILE, &serde_json::to_vec_pretty(&Kept { digest, baselines })?)
}

fn digest_of(baselines: &[Baseline]) -> Option<String> {
    Some(digest(&serde_json::to_string(baselines).ok()?))
}

/// A product that shows whether each k was added exactly once.
#[cfg(any(feature = "cuda", test))]
pub(crate) struct Telltale {
    /// A is all ones. In each column of B, about half of the elements are zero, and the others are 1 and -1
    /// alternately.
    pub(crate) inputs: Inputs,
    /// Every row of the product.
    pub(crate) row: Vec<f64>,
}

/// Makes products in which every sum over neighbouring k is -1, 0 or 1. Each element type and each way to split K
/// represents these sums exactly. If some k are lost or added twice, about half of the columns change.
#[cfg(any(feature = "cuda", test))]
pub(crate) fn telltale(shape: Shape) -> Telltale {
    let Shape { n, k, .. } = shape;
    let mut next = vec![1.0; n as usize];
    let mut b = Vec::with_capacity(k as usize * n as usize);
    for row in 0..u64::from(k) {
        for (column, next) in (0u64..).zip(&mut next) {
            let chosen = mix(row * u64::from(n) + column) & 1 == 1;
            b.push(if chosen { *next } else { 0.0 });
            *next = if chosen { -*next } else { *next };
        }
    }
    // After an odd number of elements, the next one would be -1 and the sum is 1.
    let row = next.into_iter().map(|next| (1.0 - next) / 2.0).collect();
    let a = vec![1.0; shape.rows() as usize * k as usize];
    Telltale { inputs: Inputs { a, b: b.repeat(shape.batch as usize), c: Vec::new() }, row }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline(n: u32, library: &str) -> Baseline {
        Baseline {
            device: "GPU".into(),
            driver: Some("1".into()),
            library: library.into(),
            elements: Elements::Bf16,
            shape: Shape::square(n),
            algorithm: Some([u64::MAX, 1, 2, 3, 4, 5, 6, 7]),
            default_wrong: false,
            wrong: 0,
            rounds_parts: false,
        }
    }

    #[test]
    fn a_baseline_is_kept_and_a_damaged_file_counts_as_none() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        for kept in [baseline(64, "12.9"), baseline(128, "12.9"), baseline(64, "13.1")] {
            save(&data, kept).unwrap();
        }
        let default = Baseline { algorithm: None, default_wrong: true, ..baseline(64, "12.9") };
        save(&data, default.clone()).unwrap();
        assert_eq!(load(&data), [baseline(128, "12.9"), baseline(64, "13.1"), default], "a newer one replaces it");
        assert_eq!(std::fs::read_dir(&data).unwrap().count(), 1, "no temporary file is left");
        let whole = std::fs::read_to_string(data.join(FILE)).unwrap();
        for damaged in [whole.replacen("18446744073709551615", "18446744073709551614", 1), whole[1..].to_owned()] {
            std::fs::write(data.join(FILE), damaged).unwrap();
            assert_eq!(load(&data), []);
        }
        save(&data, baseline(64, "12.9")).unwrap();
        assert_eq!(load(&data), [baseline(64, "12.9")]);
    }

    #[test]
    fn a_telltale_product_shows_lost_and_repeated_k_in_bf16() {
        let shape = Shape::new(2, 300, 4104);
        let Telltale { inputs, row } = telltale(shape);
        let sums = |ks: &mut dyn Iterator<Item = usize>| {
            let mut sums = vec![0.0; 300];
            ks.for_each(|k| sums.iter_mut().zip(&inputs.b[k * 300..]).for_each(|(sum, b)| *sum += b));
            sums.into_iter().map(|sum| crate::matrix::rounded(Elements::Bf16, sum)).collect::<Vec<f64>>()
        };
        assert_eq!(sums(&mut (0..4104)), row);
        for end in [4103, 4096, 2052] {
            assert_ne!(sums(&mut (0..end)), row, "K ends at {end}");
        }
        assert_ne!(sums(&mut (0..4104).chain(4096..4104)), row);
        assert!(row.iter().all(|sum| [0.0, 1.0].contains(sum)));
    }
}
