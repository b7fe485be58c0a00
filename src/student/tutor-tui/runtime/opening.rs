//! Start-up: a thread opens the store and reads the course, because both may take long.

use super::input::InputThread;
use super::load::Options;
use super::services::Opened;
use super::terminal::Screenful;
use super::{Ended, Event, TutorError, signals, watchdog};
use crate::prelude::*;
use crossterm::event::{KeyCode, KeyModifiers};
use std::sync::mpsc::{Receiver, Sender};
use tutor_course::CourseSource;
use ui_kit::sheet::to_ascii;

/// Shows what is being read until it is complete. Collects the keys that were pressed meanwhile in `early`.
///
/// Returns [`Ended`] if the student quits before that.
///
/// # Errors
/// If progress cannot be opened, or the terminal fails.
pub(super) fn wait(
    options: &Options,
    events: &Sender<Event>,
    inbox: &Receiver<Event>,
    screen: &mut Screenful,
    input: &InputThread,
    early: &mut Vec<Event>,
) -> Result<Result<Box<Opened>, Ended>, TutorError> {
    let (asked, answer) = (options.clone(), events.clone());
    let open = move || {
        let opened = Opened::new(&asked, &answer);
        // If the student has quit, the channel is closed.
        let _ = answer.send(Event::Opened(Box::new(opened)));
    };
    std::thread::Builder::new().name("opening".into()).spawn(open).map_err(TutorError::NoThread)?;
    draw(options, screen)?;
    while let Ok(event) = inbox.recv() {
        watchdog::turned();
        match event {
            Event::Opened(opened) => return opened.map(|opened| Ok(Box::new(opened))),
            Event::Signal(signals::SignalRequest::End) => return Ok(Err(Ended::Signalled)),
            Event::Signal(signals::SignalRequest::Interrupt) => return Ok(Err(Ended::Quit)),
            Event::Signal(signals::SignalRequest::Stop) => {
                input.pause();
                screen.give_back();
                signals::stop_self();
                screen.retake()?;
                draw(options, screen)?;
                input.go_on();
            }
            Event::Signal(signals::SignalRequest::Continued) => {
                screen.retake()?;
                draw(options, screen)?;
            }
            Event::Msg(Msg::Input(Input::Key(key)))
                if key.code == KeyCode::Char('q')
                    || (key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)) =>
            {
                return Ok(Err(Ended::Quit));
            }
            Event::Msg(Msg::Input(Input::Resize(_))) => draw(options, screen)?,
            other => early.push(other),
        }
    }
    Ok(Err(Ended::Quit))
}

fn draw(options: &Options, screen: &mut Screenful) -> Result<(), TutorError> {
    let what = match &options.course {
        CourseSource::BuiltIn => t!("app-opening"),
        CourseSource::Directory(path) => {
            t!("app-opening-course", course = tutor_support::text::line(&path.to_string_lossy()))
        }
    };
    let what = if options.ascii { to_ascii(&what) } else { what };
    screen.draw(|frame| {
        let Rect { width, height, .. } = frame.area();
        let style = |meaning| options.theme.style(meaning);
        let rows = [
            (0, Span::styled(" matmul-tutor", style(Meaning::Title))),
            (
                2,
                Span::styled(
                    format!(" {}", truncate(&what, usize::from(width).saturating_sub(2), options.ascii)),
                    style(Meaning::Muted),
                ),
            ),
            (height.saturating_sub(1), Span::styled(format!(" q {}", t!("app-opening-quit")), style(Meaning::Muted))),
        ];
        for (y, span) in rows {
            if y < height {
                frame.render_widget(Line::from(span), Rect { x: 0, y, width, height: 1 });
            }
        }
        Vec::new()
    })?;
    Ok(())
}
