//! The names that nearly every module uses: `use crate::prelude::*;`.

pub(crate) use crate::look::{Look, pad, pad_left};
pub(crate) use crate::theme::Meaning;
pub(crate) use ratatui::Frame;
pub(crate) use ratatui::layout::Rect;
pub(crate) use ratatui::style::Style;
pub(crate) use ratatui::text::{Line, Span};
pub(crate) use tutor_support::t;
pub(crate) use unicode_width::UnicodeWidthStr;
