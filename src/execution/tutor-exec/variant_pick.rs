//! Chooses the variant of a kernel that a run takes if none is named, and gives the reason.
//!
//! A tuned variant ([`Tuned`]) is used if it fits the GPU, the driver, the kernel and the class of the shape. Otherwise
//! the model in [`VariantModel`] chooses. `run`, `bench` and the run page name the chosen variant and the reason. A recorded
//! time names the variant that was timed.

use super::tuned::Tuned;
use super::variant_model::{Load, PredictedVariant, VariantModel};
use crate::prelude::*;

/// The chosen variant and the reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariantPick {
    /// Name among the kernel's variants; `None` if no variant has the kernel's own constants.
    pub variant: Option<String>,
    #[serde(flatten)]
    pub why: Why,
}

/// Why a variant was chosen.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Why {
    /// `bench --tune` found it best on this GPU, at a size of the same class.
    Tuned {
        n: u32,
        /// Date of the tuning, `YYYY-MM-DD`.
        date: String,
    },
    /// The model predicts that it is the fastest.
    Model {
        /// The load on which the prediction is based.
        #[serde(flatten)]
        load: Load,
        /// Predicted time in microseconds.
        microseconds: f64,
        /// True if the model was fitted to measurements of this GPU.
        measured: bool,
    },
    /// It is the catalogue's default.
    Default,
}

impl VariantPick {
    /// Chooses the variant for a run on a device. Returns `None` if the kernel has no variants.
    ///
    /// Tuned variants have priority over predicted ones. The emulator always runs the catalogue's default, so that its
    /// counts do not depend on the machine.
    pub fn on(kernel: &Kernel, device: &Device, shape: Shape, tuned: &Tuned) -> Option<Self> {
        kernel.variants.as_ref()?;
        if device.kind == DeviceKind::Emulator {
            return Self::default_of(kernel);
        }
        if let Some(choice) = tuned.choice(kernel, device, shape) {
            let why = Why::Tuned { n: choice.n, date: choice.date.clone() };
            return Some(Self { variant: Some(choice.variant.clone()), why });
        }
        if let Some(model) = VariantModel::built_in()
            && let Some(PredictedVariant { variant, load, microseconds, .. }) = model.choose(kernel, device, shape)
        {
            let why = Why::Model { load, microseconds, measured: model.is_fitted_to(device) };
            return Some(Self { variant: Some(variant), why });
        }
        Self::default_of(kernel)
    }

    /// Returns the catalogue's default variant, or `None` if the kernel has no variants.
    pub fn default_of(kernel: &Kernel) -> Option<Self> {
        let own = kernel.variants.as_ref()?.points.iter().find(|point| point.constants == kernel.constants);
        Some(Self { variant: own.map(|point| point.name.clone()), why: Why::Default })
    }

    /// Returns the variant as a separate kernel, or `None` if it is the catalogue's default.
    pub fn kernel(&self, of: &Kernel) -> Option<Kernel> {
        of.variant(self.variant.as_ref()?).filter(|variant| variant.constants != of.constants)
    }

    /// Returns a sentence with the variant and the reason.
    pub fn sentence(&self, of: &Kernel) -> Sentence {
        let variant = self.variant.as_ref().map_or_else(|| of.id.clone(), |name| format!("{}@{name}", of.id));
        match &self.why {
            Why::Tuned { n, date } => sentence!("exec-taken-tuned", variant, n = n.to_string(), date),
            Why::Model { load, .. } if load.line.is_some() => sentence!("exec-taken-line", variant),
            Why::Model { load, measured, .. } => {
                let (blocks, waves, steps) = (load.blocks.to_string(), load.waves.to_string(), load.steps.to_string());
                sentence!("exec-taken-model", variant, blocks, waves, steps, checked = measured.to_string())
            }
            Why::Default => sentence!("exec-taken-default", variant),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::{Sweep, SweepPoint, fingerprint};
    use tutor_kernels::Catalog;

    #[test]
    fn what_was_tuned_goes_before_the_model_and_the_model_before_the_default() {
        let kernel = Catalog::built_in().kernel("sgemm_tuned").unwrap();
        let h200 = VariantModel::built_in().unwrap().device();
        let mut tuned = Tuned::default();
        let taken =
            |tuned: &Tuned, device: &Device, n| VariantPick::on(kernel, device, Shape::square(n), tuned).unwrap();
        let at_512 = taken(&tuned, &h200, 512);
        assert!(matches!(at_512.why, Why::Model { measured: true, .. }), "{at_512:?}");
        assert_eq!(at_512.kernel(kernel).unwrap().id, format!("sgemm_tuned@{}", at_512.variant.unwrap()));
        let point = |variant: &str, gflops| SweepPoint {
            variant: variant.into(),
            gflops: Some(gflops),
            ..SweepPoint::default()
        };
        tuned.learn(&Sweep {
            kernel: kernel.id.clone(),
            fingerprint: fingerprint(kernel),
            n: 512,
            device: h200.name.clone(),
            driver: h200.driver.clone(),
            date: "2026-11-22".into(),
            points: vec![point("256x128", 2.0), point("64x128", 1.0)],
            ..Sweep::default()
        });
        let at_600 = taken(&tuned, &h200, 600);
        assert_eq!(at_600.variant.as_deref(), Some("256x128"));
        assert_eq!(at_600.why, Why::Tuned { n: 512, date: "2026-11-22".into() });
        assert!(matches!(taken(&tuned, &h200, 4096).why, Why::Model { .. }), "of another class");
        let emulated = taken(&tuned, &Device { kind: DeviceKind::Emulator, ..h200.clone() }, 512);
        assert_eq!((emulated.variant.as_deref(), &emulated.why), (Some("128x256_in_3_stages"), &Why::Default));
        assert_eq!(emulated.kernel(kernel), None, "the kernel as it stands");
        let one = Catalog::built_in().kernel("sgemm_tiled").unwrap();
        assert_eq!(VariantPick::on(one, &h200, Shape::square(512), &tuned), None);
    }
}
