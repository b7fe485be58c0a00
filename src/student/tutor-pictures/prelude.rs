//! The names that nearly every picture uses: `use crate::prelude::*;`.

pub(crate) use crate::action::Action;
pub(crate) use crate::control::{ControlLayout, Dials, Drawn, Rows};
pub(crate) use crate::look::{Look, pad, pad_left, truncate};
pub(crate) use crate::sheet::{Cells, Sheet};
pub(crate) use crate::theme::Meaning;
pub(crate) use crate::{Effect, Picture, Setting};
pub(crate) use ratatui::Frame;
pub(crate) use ratatui::layout::{Position, Rect};
pub(crate) use ratatui::style::Style;
pub(crate) use ratatui::text::{Line, Span};
pub(crate) use tutor_support::figures::grouped;
pub(crate) use tutor_support::t;
pub(crate) use unicode_width::UnicodeWidthStr;
