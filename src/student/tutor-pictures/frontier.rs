/*! Error against speed of FP32 products, as recorded: the library's, and those that are computed from bf16 parts.

Up and down select a control, left and right change it. A click on a point chooses it.
*/

mod draw;

use crate::prelude::*;
use tutor_course::FrontierView;
use tutor_exec::frontier::{Frontier, SIZES, Way};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    Size,
    Way,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FrontierPicture {
    /// Index among the sizes that were timed.
    size: usize,
    way: usize,
}

impl FrontierPicture {
    pub(crate) fn new(view: &FrontierView) -> Self {
        let size = usize::from(view.size > SIZES[1]);
        let ours = all().iter().position(|way| way.products == Some(view.products) && way.promoted == view.promoted);
        Self { size, way: ours.unwrap_or(0) }
    }

    fn n(self) -> u32 {
        SIZES[self.size + 1]
    }

    fn speed(self, way: &Way) -> f64 {
        way.tflops[self.size]
    }

    fn error(self, way: &Way) -> f64 {
        way.error[self.size + 1]
    }

    fn looked_at(self) -> Option<&'static Way> {
        all().get(self.way)
    }

    /// Returns a way that is at least as fast and as accurate, and better in one of the two.
    fn beaten_by(self, way: usize) -> Option<&'static Way> {
        let at = Frontier::built_in()?.beaten_by(way, self.size)?;
        all().get(at)
    }
}

fn all() -> &'static [Way] {
    Frontier::built_in().map_or(&[], |known| &known.ways)
}

fn called(way: &Way) -> String {
    match (way.products, way.promoted) {
        (Some(n), false) => t!("frontier-products", n),
        (Some(n), true) => t!("frontier-promoted", n),
        (None, _) => way.name.clone(),
    }
}

impl Controls for FrontierPicture {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[Control::Way, Control::Size];

    fn apply(&mut self, control: Control, up: bool) {
        let (at, count) = match control {
            Control::Size => (&mut self.size, SIZES.len() - 1),
            Control::Way => (&mut self.way, all().len()),
        };
        *at = if up { (*at + 1).min(count.saturating_sub(1)) } else { at.saturating_sub(1) };
    }
}
