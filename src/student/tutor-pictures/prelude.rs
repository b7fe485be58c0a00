//! The names that nearly every picture uses: `use crate::prelude::*;`.

pub(crate) use crate::control::{ControlLayout, Controls, DrawControls, Rows};
pub(crate) use crate::effect::Effect;
pub(crate) use crate::picture::Picture;
pub(crate) use crate::setting::Setting;
pub(crate) use ratatui::Frame;
pub(crate) use ratatui::layout::{Position, Rect};
pub(crate) use ratatui::style::Style;
pub(crate) use ratatui::text::{Line, Span};
pub(crate) use tutor_support::figures::grouped;
pub(crate) use tutor_support::t;
pub(crate) use ui_kit::action::Action;
pub(crate) use ui_kit::look::{Look, pad, pad_left, truncate};
pub(crate) use ui_kit::sheet::{Cells, Sheet};
pub(crate) use ui_kit::theme::Meaning;
pub(crate) use unicode_width::UnicodeWidthStr;
