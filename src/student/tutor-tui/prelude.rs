//! The names that nearly every screen uses: `use crate::prelude::*;`.

pub(crate) use crate::app::{Model, Msg, Screen};
pub(crate) use crate::app_data::{AppData, page_count, page_number, pages};
pub(crate) use crate::effect::{Effect, Go, Keep};
pub(crate) use crate::screens::{Component, Context, Hit, Hits};
pub(crate) use ratatui::Frame;
pub(crate) use ratatui::layout::{Position, Rect, Size};
pub(crate) use ratatui::text::{Line, Span};
pub(crate) use tutor_keys::KeyEvent;
pub(crate) use tutor_pictures::action::Action;
pub(crate) use tutor_pictures::look::{Look, truncate, two_ends};
pub(crate) use tutor_pictures::markdown;
pub(crate) use tutor_pictures::theme::Meaning;
pub(crate) use tutor_pictures::wrap::wrap_text;
pub(crate) use tutor_support::t;
pub(crate) use unicode_width::UnicodeWidthStr;
