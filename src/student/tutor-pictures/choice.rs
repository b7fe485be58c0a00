/*! The variant of a kernel that the model chooses for a shape, and the three numbers that determine the choice.

Up and down select an extent, left and right change it. Times are predicted, not measured. A measurement of how much
such predictions lose is shown below.
*/

mod draw;

use super::control::next_in_order;
use crate::prelude::*;
use tutor_course::ChoiceView;
use tutor_exec::protocol::{Device, DeviceKind, Shape};
use tutor_exec::variant_model::{Loss, PredictedVariant, VariantModel};
use tutor_kernels::Kernel;

/// Values that the controls step through.
const EXTENTS: [u32; 18] =
    [64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 2056, 3072, 4096, 6144, 8192, 12_288, 14_336, 16_384];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    M,
    N,
    K,
}

/// A shape, and the kernel and device that the model ranks variants for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice {
    shape: Shape,
    /// None if the course does not have this kernel.
    kernel: Option<Kernel>,
    /// The student's GPU, if the model has a prediction for it, else one of the measured GPUs.
    device: Option<Device>,
}

impl Choice {
    pub(crate) fn new(view: &ChoiceView, setting: Setting) -> Self {
        let kernel = setting.catalog.kernel(&view.kernel.value).cloned();
        let shape = Shape::new(view.m.max(1), view.n.max(1), view.k.max(1));
        let mut shapes = Self { shape, kernel, device: None };
        let own = setting.description.map(|known| known.device.clone()).filter(|own| own.kind == DeviceKind::Cuda);
        shapes.device = own.filter(|own| !shapes.predicted(own).is_empty());
        let measured = || Some(VariantModel::built_in()?.device());
        shapes.device = shapes.device.or_else(measured);
        shapes
    }

    /// Returns the model's predictions, fastest first.
    fn ranking(&self) -> Vec<PredictedVariant> {
        self.device.as_ref().map(|device| self.predicted(device)).unwrap_or_default()
    }

    fn predicted(&self, device: &Device) -> Vec<PredictedVariant> {
        let model = VariantModel::built_in().zip(self.kernel.as_ref());
        model.map(|(model, kernel)| model.predict(kernel, device, self.shape)).unwrap_or_default()
    }

    /// Returns how much time the model's choices for this kernel lose.
    fn loss(&self) -> Option<&'static Loss> {
        VariantModel::built_in()?.loss(self.kernel.as_ref()?)
    }

    /// Returns the GPUs that the variants were timed on, unless the device is one of them.
    fn timed_on_others(&self) -> Option<String> {
        let names: Vec<_> = VariantModel::built_in()?.measured.iter().map(|gpu| gpu.device.as_str()).collect();
        let other = !names.contains(&self.device.as_ref()?.name.as_str());
        other.then(|| names.join(", "))
    }

    /// Returns a variant's name: its value on each axis.
    fn called(&self, place: &[usize]) -> String {
        let axes = self.kernel.iter().filter_map(|kernel| kernel.variants.as_ref()).flat_map(|all| &all.axes);
        let values = axes.zip(place).filter_map(|(axis, at)| axis.values.get(*at));
        values.map(|(label, _)| label.as_str()).collect::<Vec<_>>().join(", ")
    }

    fn extent(&mut self, control: Control) -> &mut u32 {
        match control {
            Control::M => &mut self.shape.m,
            Control::N => &mut self.shape.n,
            Control::K => &mut self.shape.k,
        }
    }

    fn next(&self, control: Control, up: bool) -> Option<u32> {
        let now = match control {
            Control::M => self.shape.m,
            Control::N => self.shape.n,
            Control::K => self.shape.k,
        };
        next_in_order(&EXTENTS, now, up)
    }
}

impl Controls for Choice {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::M, Control::N, Control::K];

    fn can(&self, control: Control, up: bool) -> bool {
        self.next(control, up).is_some()
    }

    fn apply(&mut self, control: Control, up: bool) {
        if let Some(next) = self.next(control, up) {
            *self.extent(control) = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Panel;
    use super::super::checks::{flowing, setting};
    use super::*;
    use tutor_course::{At, ChoiceView};

    fn choice(kernel: &str) -> Panel<Choice> {
        let view = ChoiceView { kernel: At::from(kernel.to_owned()), m: 512, n: 512, k: 512 };
        Panel::new(Choice::new(&view, setting()))
    }

    #[test]
    fn for_a_gpu_that_was_not_timed_it_names_those_that_were() {
        let mut it = choice("sgemm_split_k");
        assert!(flowing(&it, (76, 18)).contains(&t!("choice-for", device = "NVIDIA H200")));
        assert!(!flowing(&it, (76, 18)).contains("no variant was timed"));
        it.dials.device.as_mut().unwrap().name = "NVIDIA GH200".into();
        let text = flowing(&it, (76, 18));
        let others =
            "Those pairs were measured on NVIDIA H100 80GB HBM3, NVIDIA H200; no variant was timed on this GPU.";
        assert!(text.contains(others), "{text}");
    }
}
