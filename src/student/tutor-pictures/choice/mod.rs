/*! The variant of a kernel that the model chooses for a shape, and the three numbers that determine the choice.

Up and down select an extent, left and right change it. Times are predicted, not measured. A measurement of how much
such predictions lose is shown below.
*/

mod draw;
mod model;

pub(super) use model::Choice;

#[cfg(test)]
mod tests {
    use super::super::Panel;
    use super::super::checks::{flowing, setting};
    use super::*;
    use crate::prelude::*;
    use tutor_course::{At, ChoiceView};

    fn choice(kernel: &str) -> Panel<Choice> {
        let view = ChoiceView { kernel: At::from(kernel.to_owned()), m: 512, n: 512, k: 512 };
        Panel::new(Choice::new(&view, setting()))
    }

    #[test]
    fn another_shape_has_another_variant() {
        let mut it = choice("sgemm_tuned");
        let first = |it: &Panel<Choice>| it.dials.called(&it.dials.ranking()[0].place);
        assert_eq!(first(&it), "64x64 by 4 warps");
        (0..2).for_each(|_| drop(it.act(Action::PreviousField)));
        (0..7).for_each(|_| drop(it.act(Action::Increase)));
        assert_eq!(it.dials.shape.n, 4096);
        assert_ne!(first(&it), "64x64 by 4 warps");
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
