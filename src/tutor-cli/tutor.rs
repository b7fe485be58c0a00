//! The interactive tutor, which `matmul-tutor` without a subcommand starts.

use crate::prelude::*;
use tracing_subscriber::EnvFilter;
use tutor_progress::data_dir;
use tutor_support::private;
use tutor_tui::effect::Go;
use tutor_tui::runtime::preferences::Preferences;
use tutor_tui::runtime::{self, Ended, Options};
use ui_kit::theme::Theme;

/// Variable that sets the log level, such as `debug`; the default is `warn`.
const LOG_VARIABLE: &str = "MATMUL_TUTOR_LOG";

/// Opens the tutor in the terminal, on the full screen or line by line.
pub(super) fn run(globals: &Globals) -> anyhow::Result<Exit> {
    open(globals, CourseSource::from_option(globals.course.as_deref()), None)
}

/// Opens the tutor with a course. With `preview`, opens it for the course's author, at this place.
pub(super) fn open(globals: &Globals, course: CourseSource, preview: Option<Vec<Go>>) -> anyhow::Result<Exit> {
    log_to_file(globals.data.as_deref());
    let options = Options {
        course,
        lang: globals.lang.code().to_owned(),
        lang_asked: globals.lang.asked(),
        data: globals.data.clone(),
        preview,
        on: globals.on,
        theme: Theme::named(globals.theme_name())?,
        ascii: globals.ascii,
        motion: !globals.no_motion,
        check: course_check::check_in_background,
    };
    let ended = if globals.is_plain() { runtime::plain::run(&options) } else { runtime::run(&options) };
    Ok(match ended? {
        Ended::Quit => Exit::Done,
        Ended::Signalled => Exit::Interrupted,
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
