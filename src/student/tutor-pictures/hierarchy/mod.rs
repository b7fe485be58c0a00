/*! The memory hierarchy by size: the latency of a load when one thread follows a ring of addresses (a pointer chase).

The latencies were recorded on a GPU. Those of the student's GPU are next to them, if they were measured. One control is
the size of the ring. The other one chooses the caches that the loads use, or shared memory.
*/

mod draw;
mod model;

pub(super) use model::Hierarchy;

#[cfg(test)]
mod tests {
    use super::super::checks::{at_every_size, flowing, screen};
    use super::super::{Panel, Picture};
    use super::*;
    use std::sync::Arc;
    use tutor_course::{HierarchyView, LoadPath};
    use tutor_exec::latency::{Latencies, Latency};

    #[test]
    fn the_students_gpu_is_next_to_the_recorded_one() {
        let recorded = Latencies::built_in().unwrap();
        let half = |point: &Latency| Latency { cycles: point.cycles / 2.0, ..*point };
        let own = Arc::new(Latencies {
            device: "NVIDIA A100".into(),
            date: "2026-11-23".into(),
            global_ca: recorded.global_ca.iter().map(half).collect(),
            ..(**recorded).clone()
        });
        let it = Panel::new(Hierarchy::new(&HierarchyView { path: LoadPath::L1, bytes: 512 << 20 }, Some(own)));
        insta::assert_snapshot!("hierarchy-own", screen(&it, (116, 30)));
        let drawing = flowing(&it, (76, it.min_height(76)));
        assert!(drawing.contains("Your NVIDIA A100 (2026-11-23, driver 580.159.04): 512 MiB: 332 cycles"), "{drawing}");
        assert!(it.describe().join(" ").contains("Your NVIDIA A100, measured on 2026-11-23"), "{:?}", it.describe());
        assert!(it.signs().iter().any(|(sign, _)| *sign == draw::OWN));
        at_every_size(&it);
    }

    #[test]
    fn every_size_below_the_bars_is_written_whole_or_not_at_all() {
        let it = Panel::new(Hierarchy::new(&HierarchyView { path: LoadPath::L1, bytes: 4096 }, None));
        for width in 40..=120 {
            let drawing = screen(&it, (width, 20));
            let axis = drawing.lines().find(|line| line.contains("4 KiB  ")).unwrap().trim_end();
            let whole = ["4 KiB", "228 KiB an SM", "L2: 60 MiB", "1 GiB"];
            assert!(whole.iter().any(|size| axis.ends_with(size)), "{width}: {axis}");
        }
    }
}
