//! Recorded multiply-adds of a multiprocessor, by its warps and by the independent sums of a thread.

use super::super::control::Dials;
use crate::course::IlpView;
use crate::exec::latency::{Chain, Latencies};

/// Schedulers of a multiprocessor.
pub(super) const SCHEDULERS: u32 = 4;
/// Multiply-adds that a multiprocessor can start in a cycle.
pub(super) const MOST: f64 = 128.0;

/// What the student changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Warps,
    Sums,
}

/// A point of the recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chains {
    pub(super) warps: u32,
    pub(super) sums: u32,
}

impl Chains {
    pub(super) fn new(view: &IlpView) -> Self {
        let nearest = |values: Vec<u32>, wanted: u32| values.into_iter().min_by_key(|value| value.abs_diff(wanted));
        let warps = nearest(values(|chain| chain.warps), view.warps).unwrap_or(1);
        Self { warps, sums: nearest(values(|chain| chain.sums), view.sums).unwrap_or(1) }
    }

    /// The recorded points with so many warps, by sums.
    pub(super) fn points(&self) -> Vec<Chain> {
        all().iter().filter(|chain| chain.warps == self.warps).copied().collect()
    }

    /// The chosen point.
    pub(super) fn point(&self) -> Option<Chain> {
        self.points().into_iter().find(|chain| chain.sums == self.sums)
    }

    /// Independent multiply-adds of a scheduler: its warps times the sums of a thread; none if it has no warp.
    pub(super) fn independent(&self) -> u32 {
        self.warps.div_ceil(SCHEDULERS) * self.sums
    }

    /// Schedulers that have a warp.
    pub(super) fn busy(&self) -> u32 {
        self.warps.min(SCHEDULERS)
    }
}

fn all() -> &'static [Chain] {
    Latencies::built_in().map_or(&[], |known| &known.fma)
}

/// The recorded values of something, from small to large.
fn values(of: impl Fn(&Chain) -> u32) -> Vec<u32> {
    let mut values: Vec<u32> = all().iter().map(of).collect();
    values.sort_unstable();
    values.dedup();
    values
}

impl Chains {
    /// The values of a field, and the one that it has.
    fn of(&self, field: Field) -> (Vec<u32>, u32) {
        match field {
            Field::Warps => (values(|chain| chain.warps), self.warps),
            Field::Sums => (values(|chain| chain.sums), self.sums),
        }
    }

    /// The next value of a field.
    fn next(&self, field: Field, up: bool) -> Option<u32> {
        let (values, now) = self.of(field);
        let mut values = values.into_iter();
        if up { values.find(|value| *value > now) } else { values.rfind(|value| *value < now) }
    }
}

impl Dials for Chains {
    type Field = Field;
    const FIELDS: &'static [Field] = &[Field::Sums, Field::Warps];

    fn can(&self, field: Field, up: bool) -> bool {
        self.next(field, up).is_some()
    }

    fn change(&mut self, field: Field, up: bool) {
        let Some(next) = self.next(field, up) else { return };
        match field {
            Field::Warps => self.warps = next,
            Field::Sums => self.sums = next,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_go_through_what_was_recorded() {
        let mut chains = Chains::new(&IlpView { warps: 4, sums: 3 });
        assert_eq!((chains.sums, chains.independent()), (2, 2));
        assert_eq!(chains.point().unwrap().fma_per_cycle, 62.98);
        (0..9).for_each(|_| chains.change(Field::Sums, true));
        assert_eq!((chains.sums, chains.points().len()), (16, 5));
        assert!(!chains.can(Field::Sums, true));
    }
}
