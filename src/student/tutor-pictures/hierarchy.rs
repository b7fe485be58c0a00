/*! The memory hierarchy by size: the latency of a load when one thread follows a ring of addresses (a pointer chase).

The latencies were recorded on a GPU. Those of the student's GPU are next to them, if they were measured. One control is
the size of the ring. The other one chooses the caches that the loads use, or shared memory.
*/

mod draw;

use super::control::next_in_cycle;
use crate::prelude::*;
use std::sync::Arc;
use tutor_course::{HierarchyView, LoadPath};
use tutor_exec::latency::{Latencies, Latency};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    Size,
    /// The caches that the loads use.
    Path,
}

/// The memory that serves a ring, derived from its latency and from the device's memory sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Served {
    Shared,
    /// L1 serves all of it.
    L1,
    /// A part of it does not fit in L1.
    BeyondL1,
    /// L2 serves all of it, at its shortest latency.
    L2,
    /// L2 serves it, but with a longer latency.
    FarL2,
    /// It is larger than L2.
    Memory,
}

/// The chosen point of the recorded curves.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hierarchy {
    path: LoadPath,
    /// Latencies of the student's GPU, if measured.
    own: Option<Arc<Latencies>>,
    /// Index of the chosen size among the path's points.
    at: usize,
}

impl Hierarchy {
    pub(crate) fn new(view: &HierarchyView, own: Option<Arc<Latencies>>) -> Self {
        let mut curve = Self { path: view.path, own, at: 0 };
        curve.choose(view.bytes);
        curve
    }

    /// Chooses the size closest to `bytes`.
    fn choose(&mut self, bytes: u64) {
        let nearest = (self.points().iter().enumerate()).min_by_key(|(_, point)| point.bytes.abs_diff(bytes));
        self.at = nearest.map_or(0, |(at, _)| at);
    }

    /// Returns the path's points, from small to large.
    fn points(&self) -> &'static [Latency] {
        Latencies::built_in().map_or(&[], |known| self.points_of(known))
    }

    fn points_of<'l>(&self, known: &'l Latencies) -> &'l [Latency] {
        match self.path {
            LoadPath::Shared => &known.shared,
            LoadPath::L1 => &known.global_ca,
            LoadPath::L2 => &known.global_cg,
        }
    }

    /// Returns the latencies of the student's GPU, if measured.
    fn own(&self) -> Option<&Latencies> {
        self.own.as_deref()
    }

    /// Returns the latency of a ring of `bytes` bytes on the student's GPU, on the same path.
    fn own_at(&self, bytes: u64) -> Option<Latency> {
        self.points_of(self.own()?).iter().copied().find(|point| point.bytes == bytes)
    }

    fn point(&self) -> Option<Latency> {
        self.points().get(self.at).copied()
    }

    fn at(&self) -> usize {
        self.at
    }

    fn choose_at(&mut self, at: usize) {
        self.at = at.min(self.points().len().saturating_sub(1));
    }

    /// Returns the memory that serves the chosen ring.
    fn served(&self) -> Option<Served> {
        let (point, known) = (self.point()?, Latencies::built_in()?);
        let (near, close) = (known.summary.l2_4_mib, |cycles: f64, to: f64| (cycles / to - 1.0).abs() < 0.02);
        Some(match self.path {
            LoadPath::Shared => Served::Shared,
            LoadPath::L1 if close(point.cycles, known.summary.l1_16_kib) => Served::L1,
            _ if point.bytes > known.l2_bytes => Served::Memory,
            _ if point.cycles > near * 1.02 => Served::FarL2,
            LoadPath::L1 if point.cycles < near * 0.98 => Served::BeyondL1,
            _ => Served::L2,
        })
    }
}

impl Controls for Hierarchy {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::Size, Control::Path];

    fn apply(&mut self, control: Control, up: bool) {
        match control {
            Control::Size if up => self.choose_at(self.at + 1),
            Control::Size => self.at = self.at.saturating_sub(1),
            Control::Path => {
                let paths = [LoadPath::L1, LoadPath::L2, LoadPath::Shared];
                let bytes = self.point().map_or(0, |point| point.bytes);
                self.path = next_in_cycle(&paths, self.path, up);
                self.choose(bytes);
            }
        }
    }
}

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

    #[test]
    fn each_latency_identifies_the_memory_that_serves_the_size() {
        let served = |path, bytes: u64| Hierarchy::new(&HierarchyView { path, bytes }, None).served().unwrap();
        let kib = |n: u64| n << 10;
        let mib = |n: u64| n << 20;
        let cases = [
            (LoadPath::Shared, kib(16), Served::Shared),
            (LoadPath::L1, kib(16), Served::L1),
            (LoadPath::L1, kib(192), Served::L1),
            (LoadPath::L1, kib(224), Served::BeyondL1),
            (LoadPath::L1, kib(320), Served::L2),
            (LoadPath::L2, kib(16), Served::L2),
            (LoadPath::L1, mib(20), Served::L2),
            (LoadPath::L1, mib(32), Served::FarL2),
            (LoadPath::L1, mib(56), Served::FarL2),
            (LoadPath::L1, mib(64), Served::Memory),
            (LoadPath::L2, mib(512), Served::Memory),
        ];
        for (path, bytes, expected) in cases {
            assert_eq!(served(path, bytes), expected, "{path:?} {bytes}");
        }
    }

    #[test]
    fn another_path_keeps_the_size() {
        let mut curve = Hierarchy::new(&HierarchyView { path: LoadPath::L1, bytes: 1 << 20 }, None);
        curve.change(Control::Path, true);
        assert_eq!((curve.path, curve.point().unwrap().bytes), (LoadPath::L2, 1 << 20));
        curve.change(Control::Path, true);
        assert_eq!((curve.path, curve.point().unwrap().bytes), (LoadPath::Shared, 32 << 10));
    }
}
