//! The names that nearly every screen uses: `use crate::prelude::*;`.

pub(crate) use crate::app::{Input, Model, Msg, Screen};
pub(crate) use crate::app_data::{AppData, page_count, page_number, pages};
pub(crate) use crate::effect::{Effect, Go, StoreRequest};
pub(crate) use crate::screens::{Component, Context, Hit, Hits};
pub(crate) use ratatui::Frame;
pub(crate) use ratatui::layout::{Position, Rect, Size};
pub(crate) use ratatui::text::{Line, Span};
pub(crate) use tutor_support::t;
pub(crate) use ui_kit::action::Action;
pub(crate) use ui_kit::keys::KeyEvent;
pub(crate) use ui_kit::look::{Look, truncate, two_ends};
pub(crate) use ui_kit::markdown;
pub(crate) use ui_kit::theme::Meaning;
pub(crate) use ui_kit::wrap::wrap_text;
pub(crate) use unicode_width::UnicodeWidthStr;
