/*! The stage timeline: load, wait and multiply over time, with one stage or several.

Up and down select a control, left and right change it: the number of stages, the cycles of a load, and the cycles of a
tile's multiply-adds. The latencies of loads were measured on the student's GPU, or recorded. The times are computed
from them, not measured ([`model`]).
*/

mod draw;
mod model;

pub(super) use model::Stages;

#[cfg(test)]
mod tests {
    use super::super::Panel;
    use super::super::checks::flowing;
    use super::*;
    use crate::prelude::*;
    use std::sync::Arc;
    use tutor_course::StagesView;
    use tutor_exec::latency::{Latencies, Summary};

    #[test]
    fn a_load_takes_what_was_measured_on_the_student_s_own_gpu() {
        let recorded = Latencies::built_in().unwrap();
        let summary = Summary { memory_512_mib: 900.4, ..recorded.summary };
        let own = Arc::new(Latencies { device: "Tesla T4".into(), summary, ..(**recorded).clone() });
        let view = StagesView { stages: 2, load: 664, multiply: 1024 };
        let mut it = Panel::new(Stages::new(&view, Some(&own)));
        assert!(flowing(&it, (76, 18)).contains(&t!("stages-page-s")), "664 is the recorded GPU's");
        [Action::NextField, Action::Increase].into_iter().for_each(|action| drop(it.act(action)));
        let drawing = flowing(&it, (76, 18));
        assert!(
            drawing.contains("900") && drawing.contains(&t!("stages-recorded", memory = "memory", device = "Tesla T4")),
            "{drawing}"
        );
    }
}
