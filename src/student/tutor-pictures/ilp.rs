/*! Instruction-level parallelism: multiply-adds of an SM per cycle, by warps and by independent sums.

Up and down select a control, left and right change it. All speeds were measured: on the student's GPU if its latencies
are known (`latency.json`), else on the recorded one.
*/

mod draw;

use super::control::next_in_order;
use crate::prelude::*;
use std::sync::Arc;
use tutor_course::IlpView;
use tutor_exec::latency::{Chain, Latencies};

/// Schedulers per SM.
const SCHEDULERS: u32 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    Warps,
    Sums,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ilp {
    warps: u32,
    sums: u32,
    /// The student's GPU if measured, else the recorded one.
    known: Option<Arc<Latencies>>,
}

impl Ilp {
    pub(crate) fn new(view: &IlpView, own: Option<&Arc<Latencies>>) -> Self {
        let own = own.filter(|own| !own.fma.is_empty());
        let mut chains = Self { warps: 1, sums: 1, known: Latencies::nearest(own) };
        let nearest = |values: Vec<u32>, wanted: u32| values.into_iter().min_by_key(|value| value.abs_diff(wanted));
        chains.warps = nearest(chains.values(Control::Warps), view.warps).unwrap_or(1);
        chains.sums = nearest(chains.values(Control::Sums), view.sums).unwrap_or(1);
        chains
    }

    /// Returns the measured points with this number of warps, by sums.
    fn points(&self) -> Vec<Chain> {
        self.all().iter().filter(|chain| chain.warps == self.warps).copied().collect()
    }

    /// Returns the independent multiply-adds per scheduler: its warps times the sums per thread.
    fn independent(&self) -> u32 {
        self.warps.div_ceil(SCHEDULERS) * self.sums
    }

    /// Returns the number of schedulers that have a warp.
    fn busy(&self) -> u32 {
        self.warps.min(SCHEDULERS)
    }

    /// Returns the maximum number of multiply-adds that an SM can start per cycle.
    fn most(&self) -> u32 {
        self.known.as_ref().map_or(1, |known| known.most_fma_per_cycle())
    }

    fn all(&self) -> &[Chain] {
        self.known.as_ref().map_or(&[], |known| &known.fma)
    }

    /// Returns the measured values of a control, from small to large.
    fn values(&self, control: Control) -> Vec<u32> {
        let of = |chain: &Chain| match control {
            Control::Warps => chain.warps,
            Control::Sums => chain.sums,
        };
        let mut values: Vec<u32> = self.all().iter().map(of).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    fn next(&self, control: Control, up: bool) -> Option<u32> {
        let now = match control {
            Control::Warps => self.warps,
            Control::Sums => self.sums,
        };
        next_in_order(&self.values(control), now, up)
    }
}

impl Controls for Ilp {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::Sums, Control::Warps];

    fn apply(&mut self, control: Control, up: bool) {
        let Some(next) = self.next(control, up) else { return };
        match control {
            Control::Warps => self.warps = next,
            Control::Sums => self.sums = next,
        }
    }
}

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
