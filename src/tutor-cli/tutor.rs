//! The interactive tutor, which `matmul-tutor` without a subcommand starts.

use super::student::{Student, attempt_error};
use crate::prelude::*;
use std::io::{self, IsTerminal as _, Write};
use tracing_subscriber::EnvFilter;
use tutor_progress::{Begun, Change, Outcome, data_dir};
use tutor_support::private;
use tutor_tui::runtime::preferences::Preferences;
use tutor_tui::runtime::{self, Ended, Options, Start};
use ui_kit::theme::Theme;

/// Variable that sets the log level, such as `debug`; the default is `warn`.
const LOG_VARIABLE: &str = "MATMUL_TUTOR_LOG";

/// Opens the tutor in the terminal, on the full screen or line by line.
pub(super) fn run(globals: &Globals) -> anyhow::Result<Exit> {
    open(globals, CourseSource::from_option(globals.course.as_deref()), Start::Map)
}

/// Opens the tutor with a course.
pub(super) fn open(globals: &Globals, course: CourseSource, start: Start) -> anyhow::Result<Exit> {
    let options = options(globals, course, start)?;
    let closed = if globals.is_plain() {
        runtime::plain::run(&options, Box::new(io::stdout()))?
    } else {
        runtime::run(&options)?
    };
    Ok(match closed.ended {
        Ended::Quit => Exit::Done,
        Ended::Signalled => Exit::Interrupted,
    })
}

/// A submitted attempt. `shown` is true if the tutor's lines above already show the outcome.
pub(super) struct Taken {
    pub(super) outcome: Outcome,
    pub(super) shown: bool,
}

/// Opens the tutor for one attempt: line by line without a terminal, and with `json` on standard error. Returns the
/// outcome if the student submitted the attempt.
///
/// # Errors
/// If the attempt is over without an outcome: it was submitted or left in another terminal.
pub(super) fn take(
    globals: &Globals,
    student: &mut Student,
    begun: Begun,
    json: bool,
) -> anyhow::Result<Option<Taken>> {
    let (Begun::New(attempt) | Begun::Resumed(attempt)) = &begun else { return Ok(None) };
    let attempt = attempt.id;
    let course = CourseSource::from_option(globals.course.as_deref());
    let options = options(globals, course, Start::Attempt(Box::new(begun)))?;
    let lines = json || globals.is_plain() || !io::stdin().is_terminal() || !io::stdout().is_terminal();
    let closed = if lines {
        let out: Box<dyn Write> = if json { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
        runtime::plain::run(&options, out)?
    } else {
        runtime::run(&options)?
    };
    if closed.outcome.is_none() {
        student.store.change(attempt, &Change::default()).map_err(|error| attempt_error(&error))?;
        output::note(t!("cli-quiz-waits"));
    }
    Ok(closed.outcome.map(|outcome| Taken { outcome: *outcome, shown: lines }))
}

fn options(globals: &Globals, course: CourseSource, start: Start) -> anyhow::Result<Options> {
    log_to_file(globals.data.as_deref());
    Ok(Options {
        course,
        lang: globals.lang.code().to_owned(),
        lang_asked: globals.lang.asked(),
        data: globals.data.clone(),
        start,
        on: globals.on,
        theme: Theme::named(globals.theme_name())?,
        ascii: globals.ascii,
        motion: !globals.no_motion,
        check: course_check::check_in_background,
    })
}

/// Returns what the student chose in the tutor before. Sets the theme, unless an option or `NO_COLOR` does.
pub(super) fn kept(globals: &mut Globals) -> Preferences {
    let kept = data_dir(globals.data.as_deref()).map(|dir| Preferences::read(&dir)).unwrap_or_default();
    if globals.theme.is_none() && !globals.colourless() {
        globals.theme = kept.theme.clone().filter(|name| Theme::names().any(|known| known == name));
    }
    kept
}

/// Logs to `tutor.log` in the data directory, never to the screen. If the file cannot be opened, nothing is logged.
fn log_to_file(data: Option<&Path>) {
    let Ok(dir) = data_dir(data) else { return };
    let _ = private::directory(&dir);
    let Ok(file) = private::file(&dir.join("tutor.log")) else { return };
    let filter = EnvFilter::try_from_env(LOG_VARIABLE).unwrap_or_else(|_| EnvFilter::new("warn"));
    let log = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_env_filter(filter)
        .with_writer(std::sync::Mutex::new(output::Cleaned(file)));
    // An error means that a log has been set up already, which is fine.
    let _ = log.try_init();
}
