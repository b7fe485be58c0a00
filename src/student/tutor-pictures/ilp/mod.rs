/*! Instruction-level parallelism: multiply-adds of an SM per cycle, by warps and by independent sums.

Up and down select a control, left and right change it. All speeds were measured: on the student's GPU if its latencies
are known (`latency.json`), else on the recorded one.
*/

mod draw;
mod model;

pub(super) use model::Ilp;

#[cfg(test)]
mod tests {
    use super::super::Panel;
    use super::super::checks::flowing;
    use super::*;
    use std::sync::Arc;
    use tutor_course::IlpView;
    use tutor_exec::latency::{Chain, Latencies};
    use tutor_support::t;

    #[test]
    fn the_student_s_own_gpu_is_drawn_where_it_was_measured() {
        let recorded = Latencies::built_in().unwrap();
        let half = |chain: &Chain| Chain { fma_per_cycle: chain.fma_per_cycle / 2.0, ..*chain };
        let fma = recorded.fma.iter().map(half).collect();
        let own = Arc::new(Latencies { device: "Tesla T4".into(), capability: (7, 5), fma, ..(**recorded).clone() });
        let of = |own| Panel::new(Ilp::new(&IlpView { warps: 4, sums: 2 }, Some(own)));
        let drawing = flowing(&of(&own), (76, 18));
        assert!(
            drawing.contains(&t!("ilp-recorded", device = "Tesla T4")) && drawing.contains("31.5 of 64"),
            "{drawing}"
        );
        let own = Arc::new(Latencies { fma: Vec::new(), ..(*own).clone() });
        let drawing = flowing(&of(&own), (76, 18));
        assert!(
            drawing.contains(&t!("ilp-recorded", device = "NVIDIA H200")),
            "nothing was measured of multiply-adds: {drawing}"
        );
    }
}
