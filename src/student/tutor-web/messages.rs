//! The messages between the page's script and this module.

use serde::{Deserialize, Serialize};
use tutor_support::t;
use ui_kit::theme::Meaning;

/// What the page knows at its start.
#[derive(Debug, Deserialize)]
pub(crate) struct Start {
    pub(crate) lang: String,
    pub(crate) theme: String,
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    /// False if the student prefers no motion.
    pub(crate) motion: bool,
    pub(crate) plain: bool,
    /// True if the script shows the keys as buttons, for fingers.
    pub(crate) touch: bool,
    /// True if the files below `/course` are the course.
    pub(crate) course: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum In {
    /// A key that the browser reports: its value, its place on the keyboard, and modifiers.
    Key {
        key: String,
        code: String,
        ctrl: bool,
        alt: bool,
        shift: bool,
    },
    /// One of the frame's buttons.
    Press(usize),
    /// Text that was typed into the field, perhaps composed.
    Typed(String),
    Paste(String),
    Click {
        x: u16,
        y: u16,
    },
    Wheel(i16),
    Resize {
        columns: u16,
        rows: u16,
    },
    Tick,
    /// Messages of workers.
    Worker(Vec<crate::worker::Answer>),
    /// The worker has ended with this message.
    Crashed(String),
    /// The part of the address after `#`.
    Link(String),
    /// A line that was typed in the plain mode.
    Line(String),
    Plain(bool),
    Redraw,
    Theme(String),
    /// The files that load after the first screen have arrived.
    Late,
    /// The student saved this text as their file of an exercise.
    Saved {
        file: String,
        text: String,
    },
}

/// A request to the page's script.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Out {
    Frame(Frame),
    /// The lines that are new in the plain mode.
    Lines(Vec<String>),
    /// A request for the worker that runs kernels.
    Work(tutor_exec::protocol::Request),
    /// End the worker, and start a new one.
    Stop,
    /// A file to be coloured by the other worker.
    Colour {
        file: String,
        ptx: bool,
        source: String,
    },
    /// Something waits for the store.
    Keep,
    Theme {
        name: String,
        ground: Option<[String; 2]>,
    },
    /// The language has changed: its code, and the texts of the page itself.
    Language {
        code: String,
        texts: Vec<(&'static str, String)>,
    },
    /// Let the student edit a file: its path, text, and the line of the cursor.
    Edit {
        file: String,
        text: String,
        line: u32,
    },
    /// Offer a file for download.
    Download {
        name: String,
        bytes: Vec<u8>,
    },
    /// Whether time must be reported.
    Ticks(bool),
    Quit,
    /// The stored progress cannot be read: keep it under another name, and begin a new one.
    SetAside,
    /// A sentence about the file that the student imported.
    Imported(String),
    /// A defect of the page.
    Failed(String),
}

/// What has changed on the screen.
#[derive(Debug, Serialize)]
pub(crate) struct Frame {
    pub(crate) runs: Vec<Run>,
    /// True if everything else is empty.
    pub(crate) whole: bool,
    pub(crate) cursor: Option<[u16; 2]>,
    /// True if keys type text.
    pub(crate) editing: bool,
    /// The part of the address that leads here.
    pub(crate) place: String,
    /// Keys to show as buttons: the name of each, and what it does if that is written beside it.
    pub(crate) buttons: Vec<(String, String)>,
}

/// Cells of one style in a row: column, row, number of cells, text, foreground, background, modifiers.
#[derive(Debug, Serialize)]
pub(crate) struct Run(
    pub(crate) u16,
    pub(crate) u16,
    pub(crate) u16,
    pub(crate) String,
    pub(crate) Option<String>,
    pub(crate) Option<String>,
    pub(crate) u16,
);

/// The colours of a file, or a reply.
pub(crate) type Lines = Vec<Vec<(Meaning, String)>>;

macro_rules! pairs {
    ($($name:ident: $text:expr,)*) => { vec![$((stringify!($name), $text)),*] };
}

/// Returns the texts of the page itself in the current language, by the names that the script knows.
pub(crate) fn texts() -> Vec<(&'static str, String)> {
    pairs! {
        export: t!("web-export"), import: t!("web-import"), plain: t!("web-plain"), screen: t!("web-screen"),
        about: t!("web-about"), back: t!("web-back"), field: t!("web-field"), no_progress: t!("web-no-progress"),
        drafted: t!("web-drafted"), drop: t!("web-drop"), save: t!("web-save"), close: t!("web-close"),
        quit: t!("web-quit"), line: t!("web-line"), broken: t!("web-broken"), unsaved: t!("web-unsaved"),
        memory: t!("web-memory"), wiped: t!("web-wiped"), canvas: t!("web-canvas"), limits: t!("web-limits"),
        replace: t!("web-replace"), late: t!("web-late"),
    }
}
