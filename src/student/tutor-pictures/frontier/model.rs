//! FrontierPicture to compute an FP32 product, at one size, with one way chosen.

use crate::prelude::*;
use tutor_course::FrontierView;
use tutor_exec::frontier::{Frontier, SIZES, Way};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    Size,
    Way,
}

/// The chosen point of the recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FrontierPicture {
    /// Index among the sizes that were timed.
    pub(super) size: usize,
    pub(super) way: usize,
}

impl FrontierPicture {
    pub(crate) fn new(view: &FrontierView) -> Self {
        let size = usize::from(view.size > SIZES[1]);
        let ours = all().iter().position(|way| way.products == Some(view.products) && way.promoted == view.promoted);
        Self { size, way: ours.unwrap_or(0) }
    }

    pub(super) fn n(self) -> u32 {
        SIZES[self.size + 1]
    }

    pub(super) fn speed(self, way: &Way) -> f64 {
        way.tflops[self.size]
    }

    pub(super) fn error(self, way: &Way) -> f64 {
        way.error[self.size + 1]
    }

    pub(super) fn looked_at(self) -> Option<&'static Way> {
        all().get(self.way)
    }

    /// Returns a way that is at least as fast and as accurate, and better in one of the two.
    pub(super) fn beaten_by(self, way: usize) -> Option<&'static Way> {
        let at = Frontier::built_in()?.beaten_by(way, self.size)?;
        all().get(at)
    }
}

/// Returns all recorded ways.
pub(super) fn all() -> &'static [Way] {
    Frontier::built_in().map_or(&[], |known| &known.ways)
}

/// Returns a way's name.
pub(super) fn called(way: &Way) -> String {
    match (way.products, way.promoted) {
        (Some(n), false) => t!("frontier-products", n),
        (Some(n), true) => t!("frontier-promoted", n),
        (None, _) => way.name.clone(),
    }
}

impl Controls for FrontierPicture {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::Way, Control::Size];

    fn can(&self, control: Control, up: bool) -> bool {
        let (at, count) = match control {
            Control::Size => (self.size, SIZES.len() - 1),
            Control::Way => (self.way, all().len()),
        };
        if up { at + 1 < count } else { at > 0 }
    }

    fn apply(&mut self, control: Control, up: bool) {
        let at = match control {
            Control::Size => &mut self.size,
            Control::Way => &mut self.way,
        };
        *at = if up { *at + 1 } else { *at - 1 };
    }
}
