//! The controls of the simulator: each is a number or a choice that describes the access.

use super::super::control::next_in_cycle;
use super::model::Served;
use crate::prelude::*;
use tutor_course::{AccessDirection, BankView, MAX_BLOCK_THREADS};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    Rows,
    /// Elements per row without padding. The pitch also includes the padding.
    Columns,
    Pad,
    Width,
    Access,
    Row,
    Column,
    Block,
    Warp,
    K,
    Lanes,
}

/// All controls, in the order on the screen, which is also the order of Tab.
pub(crate) const CONTROLS: [Control; 11] = [
    Control::Rows,
    Control::Columns,
    Control::Pad,
    Control::Width,
    Control::Access,
    Control::Row,
    Control::Column,
    Control::Block,
    Control::Warp,
    Control::K,
    Control::Lanes,
];

const BLOCKS: [[u32; 2]; 9] = [[1, 16], [8, 8], [16, 4], [16, 16], [8, 32], [32, 1], [32, 8], [32, 32], [64, 4]];
const WIDTHS: [u32; 3] = [4, 8, 16];
const MAX: u32 = 4096;

impl Control {
    /// Returns the control that an error names (see [`tutor_course::AccessError::field`]).
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "rows" => Control::Rows,
            "pitch" => Control::Columns,
            "width" => Control::Width,
            "row" => Control::Row,
            "column" => Control::Column,
            "block" => Control::Block,
            "warp" => Control::Warp,
            "lanes" => Control::Lanes,
            _ => return None,
        })
    }

    pub(crate) fn label(self) -> String {
        match self {
            Control::Rows => t!("banks-field-rows"),
            Control::Columns => t!("banks-field-columns"),
            Control::Pad => t!("banks-field-pad"),
            Control::Width => t!("banks-field-width"),
            Control::Access => t!("banks-field-access"),
            Control::Row => t!("pictures-row"),
            Control::Column => t!("pictures-column"),
            Control::Block => t!("banks-field-block"),
            Control::Warp => t!("banks-field-warp"),
            Control::K => "k".to_owned(),
            Control::Lanes => t!("banks-field-lanes"),
        }
    }

    pub(crate) fn value(self, view: &BankView) -> String {
        match self {
            Control::Rows => view.rows.to_string(),
            Control::Columns => view.pitch.to_string(),
            Control::Pad => view.pad.to_string(),
            Control::Width => format!("{} B", view.width),
            Control::Access => match view.access {
                AccessDirection::Load => t!("banks-load"),
                AccessDirection::Store => t!("banks-store"),
            },
            Control::Row => view.row.value.clone(),
            Control::Column => view.column.value.clone(),
            Control::Block => format!("{}×{}", view.block[0], view.block[1]),
            Control::Warp => view.warp.to_string(),
            Control::K => view.k.to_string(),
            Control::Lanes => view.lanes.to_string(),
        }
    }

    /// True if a step in this direction changes a value.
    pub(crate) fn steps(self, view: &BankView, up: bool) -> bool {
        let mut other = view.clone();
        self.step(&mut other, up);
        CONTROLS.iter().any(|control| control.value(&other) != control.value(view))
    }

    pub(crate) fn step(self, view: &mut BankView, up: bool) {
        let by = |value: u32, low: u32, high: u32| {
            if up { value.saturating_add(1).min(high) } else { value.saturating_sub(1).max(low) }
        };
        match self {
            Control::Rows => view.rows = by(view.rows, 1, MAX),
            Control::Columns => view.pitch = by(view.pitch, 1, MAX),
            Control::Pad => view.pad = by(view.pad, 0, MAX),
            Control::Width => view.width = next_in_cycle(&WIDTHS, view.width, up),
            Control::Access => {
                view.access = match view.access {
                    AccessDirection::Load => AccessDirection::Store,
                    AccessDirection::Store => AccessDirection::Load,
                };
            }
            Control::Row | Control::Column => {}
            Control::Block => {
                view.block = next_in_cycle(&BLOCKS, view.block, up);
                view.warp = view.warp.min(last_warp(view));
            }
            Control::Warp => view.warp = by(view.warp, 0, last_warp(view)),
            Control::K => view.k = by(view.k, 0, MAX),
            Control::Lanes => view.lanes = by(view.lanes, 1, 32),
        }
        // An access outside the array would be an error, so the array grows instead.
        if matches!(self, Control::Block | Control::Warp | Control::K | Control::Lanes) && Served::new(view).is_err() {
            let mut larger = view.clone();
            larger.rows = larger.rows.max(view.block[1].max(view.k.saturating_add(1)).min(MAX));
            if Served::new(&larger).is_ok() {
                *view = larger;
            }
        }
    }
}

fn last_warp(view: &BankView) -> u32 {
    let [x, y] = view.block;
    x.saturating_mul(y).min(MAX_BLOCK_THREADS).div_ceil(32).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::super::presets::preset;
    use super::*;

    #[test]
    fn every_control_can_be_stepped_up_and_back_from_every_preset() {
        for number in 1..=9 {
            for control in CONTROLS {
                let start = preset(number).unwrap().view;
                let mut view = start.clone();
                control.step(&mut view, true);
                control.step(&mut view, false);
                if !matches!(control, Control::Block | Control::Warp | Control::K | Control::Lanes) {
                    assert_eq!(control.value(&view), control.value(&start), "preset {number}, {control:?}");
                }
            }
        }
    }
}
