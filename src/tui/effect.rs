//! What `app::update` asks the outside world to do.

use super::code::HighlightRequest;
use crate::exec::protocol::LaunchRequest;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// A wish of the model. Those that change only the model ([`Effect::Say`], [`Effect::Leave`])
/// are granted by `update` itself; the rest reach the runtime.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Leave the tutor.
    Quit,
    /// Give the terminal back and stop, as the shell's job control expects.
    Suspend,
    /// Draw everything anew.
    Redraw,
    /// Ask the worker to run; `on` is set by the runtime from the student's choice.
    Launch(Box<LaunchRequest>),
    /// Ask the worker to stop the launch with this id.
    CancelLaunch(u64),
    /// Open `$EDITOR`, then read the course again.
    Edit {
        /// An existing file.
        file: PathBuf,
        /// 1-based.
        line: u32,
    },
    /// Colour code off the UI thread; comes back as a message.
    Highlight(HighlightRequest),
    /// A sentence on the status line.
    Say(String),
    /// Sent by an instrument that gives the keys back to the page.
    Leave,
}

/// A launch id that no other launch of this process has.
pub fn launch_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
