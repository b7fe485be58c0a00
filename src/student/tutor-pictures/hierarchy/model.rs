//! Recorded latencies of pointer chases by the size of their ring, and where the device's memories end.

use super::super::control::next_in_cycle;
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
    pub(super) path: LoadPath,
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
    pub(super) fn points(&self) -> &'static [Latency] {
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
    pub(super) fn own(&self) -> Option<&Latencies> {
        self.own.as_deref()
    }

    /// Returns the latency of a ring of `bytes` bytes on the student's GPU, on the same path.
    pub(super) fn own_at(&self, bytes: u64) -> Option<Latency> {
        self.points_of(self.own()?).iter().copied().find(|point| point.bytes == bytes)
    }

    pub(super) fn point(&self) -> Option<Latency> {
        self.points().get(self.at).copied()
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn choose_at(&mut self, at: usize) {
        self.at = at.min(self.points().len().saturating_sub(1));
    }

    /// Returns the memory that serves the chosen ring.
    pub(super) fn served(&self) -> Option<Served> {
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

    fn can(&self, control: Control, up: bool) -> bool {
        match control {
            Control::Size if up => self.at + 1 < self.points().len(),
            Control::Size => self.at > 0,
            Control::Path => true,
        }
    }

    fn apply(&mut self, control: Control, up: bool) {
        match control {
            Control::Size => self.at = if up { self.at + 1 } else { self.at - 1 },
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
    use super::*;

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
