/*! The part of the tutor that touches the outside: terminal, threads, store, worker, editor.

All threads send their events into one channel: input, signals, coloured code, the worker's replies. After each
message, the runtime carries out the effects and draws the screen if something changed. It sends ticks only while
something moves. Separate threads open the store and read the course while the first frame is on the screen.
*/

mod checking;
mod editor;
mod input;
mod load;
mod opening;
pub mod plain;
pub mod preferences;
#[cfg(unix)]
mod rescue;
mod services;
mod signals;
mod store;
mod terminal;
mod watchdog;
mod watching;
mod workbench;
mod worker;

#[cfg(all(test, unix))]
#[path = "../../../../tests/tutor/pty.rs"]
mod pty;
#[cfg(test)]
pub(crate) mod tests;

pub use checking::Check;
#[cfg(test)]
pub(crate) use load::Loader;
pub use load::{Options, Start};

use super::app::{Message, view};
use super::highlight::Highlighter;
use crate::prelude::*;
use input::InputThread;
use services::{Frontend, Opened, Services};
use signals::SignalRequest;
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use terminal::Screenful;
use tutor_progress::{Outcome, StoreError};
use ui_kit::code::HighlightRequest;

/// Time between ticks while something moves.
const TICK: Duration = Duration::from_millis(80);
/// After this number of consecutive frames that take longer than a tick, nothing moves any more.
const MAX_LATE_FRAMES: u32 = 3;

/// Why the tutor could not start, or why it ended.
#[derive(Debug, thiserror::Error)]
pub enum TutorError {
    /// Standard input or output is not a terminal.
    #[error("{}", t!("cli-tutor-no-terminal"))]
    NoTerminal,
    /// Progress could not be opened.
    #[error("{0}")]
    Store(String),
    /// Something was not saved when the tutor ended.
    #[error("{0}")]
    NotSaved(String),
    /// The terminal could not be set up or drawn on.
    #[error("{}", t!("runtime-no-terminal", why = .0))]
    Terminal(String),
    /// A thread could not be started.
    #[error("{}", t!("runtime-no-thread", why = .0))]
    NoThread(io::Error),
}

impl From<io::Error> for TutorError {
    fn from(error: io::Error) -> Self {
        // As a source, the error would be printed twice.
        Self::Terminal(error.to_string())
    }
}

impl From<StoreError> for TutorError {
    fn from(error: StoreError) -> Self {
        // Includes the advice. As a source, the error would be printed twice.
        Self::Store(format!("{error} {}", error.help()))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Quit,
    Signalled,
}

/// How the tutor ended, and the attempt that was submitted last.
#[derive(Debug)]
pub struct Closed {
    pub ended: Ended,
    pub outcome: Option<Box<Outcome>>,
}

/// Something that a thread sends to the main loop.
#[expect(clippy::large_enum_variant, reason = "most events are messages")]
enum Event {
    Msg(Msg),
    Signal(SignalRequest),
    /// A file of the course has changed.
    Changed,
    /// The student typed a line; only in the line-by-line tutor.
    Line(String),
    Over,
    /// The store is open and the course is loaded, or the reason why not.
    Opened(Box<Result<Opened, TutorError>>),
}

/// Runs the tutor until the student quits.
///
/// # Errors
/// If there is no terminal, progress belongs to another or newer program, or the terminal fails.
pub fn run(options: &Options) -> Result<Closed, TutorError> {
    if !terminal::is_there() {
        return Err(TutorError::NoTerminal);
    }
    let (events, inbox) = mpsc::channel();
    terminal::restore_on_panic();
    signals::thread(events.clone()).map_err(TutorError::NoThread)?;
    let mut screen = Screenful::take()?;
    let input = InputThread::start(events.clone()).map_err(TutorError::NoThread)?;
    let mut early = Vec::new();
    let opened = match opening::wait(options, &events, &inbox, &mut screen, &input, &mut early)? {
        Ok(opened) => *opened,
        Err(ended) => return Ok(Closed { ended, outcome: None }),
    };
    let (mut services, model, first) = opened.start_services(options, &events, terminal::size()?);
    services.read_in_background(events.clone());
    let watched = events.clone();
    let colours = colour_thread(events).map_err(TutorError::NoThread)?;
    let mut runtime =
        Runtime { model, services, colours, screen, input, started: Instant::now(), drawn: None, late: 0 };
    runtime.services.describe();
    runtime.services.check();
    if options.is_preview() {
        watching::thread(&options.course, watched).map_err(TutorError::NoThread)?;
    }
    let early = first.into_iter().map(Event::Msg).chain(early);
    let ended = runtime.run(early, &inbox);
    let Runtime { mut model, services, screen, .. } = runtime;
    // From here on, messages appear on the shell's screen.
    drop(screen);
    match ended {
        Ok(ended) => services.close(&mut model, &inbox, ended),
        Err(error) => {
            services.close(&mut model, &inbox, Ended::Signalled)?;
            Err(error)
        }
    }
}

struct Runtime {
    model: Model,
    services: Services,
    colours: Sender<HighlightRequest>,
    screen: Screenful,
    input: InputThread,
    started: Instant,
    /// The message shown in the last frame.
    drawn: Option<Message>,
    /// Number of consecutive frames that took longer than a tick.
    late: u32,
}

impl Runtime {
    fn run(&mut self, early: impl Iterator<Item = Event>, inbox: &Receiver<Event>) -> Result<Ended, TutorError> {
        for event in early {
            if let Some(ended) = self.take(Some(event))? {
                return Ok(ended);
            }
        }
        loop {
            if std::mem::take(&mut self.model.dirty) {
                self.draw()?;
            }
            let event = if self.model.wants_ticks() {
                match inbox.recv_timeout(TICK) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return Ok(Ended::Quit),
                }
            } else {
                match inbox.recv() {
                    Ok(event) => Some(event),
                    Err(_) => return Ok(Ended::Quit),
                }
            };
            if let Some(ended) = self.take(event)? {
                return Ok(ended);
            }
            // Handles the events that have arrived meanwhile, and then draws one frame for all of them. A tick limits the
            // time without a frame. A new message is drawn before the next key removes it.
            let since = Instant::now();
            while since.elapsed() < TICK
                && (self.model.message.is_none() || self.model.message == self.drawn)
                && let Ok(event) = inbox.try_recv()
            {
                if let Some(ended) = self.take(Some(event))? {
                    return Ok(ended);
                }
            }
        }
    }

    /// Handles an event, or a tick if there is none.
    fn take(&mut self, event: Option<Event>) -> io::Result<Option<Ended>> {
        watchdog::turned();
        let now = self.started.elapsed();
        let animated = event.is_some() && self.model.wants_ticks();
        self.model.now = now;
        match event {
            None => self.handle(Input::Tick(now)),
            Some(Event::Msg(msg)) => match self.handle(msg)? {
                None if animated => self.handle(Input::Tick(now)),
                ended => Ok(ended),
            },
            Some(Event::Changed) => {
                for msg in self.services.read_changed() {
                    if let Some(ended) = self.handle(msg)? {
                        return Ok(Some(ended));
                    }
                }
                Ok(None)
            }
            Some(Event::Signal(SignalRequest::End)) => Ok(Some(Ended::Signalled)),
            Some(Event::Signal(SignalRequest::Interrupt)) => self.handle(Input::Key(input::CTRL_C)),
            Some(Event::Signal(SignalRequest::Stop)) => self.stop().map(|()| None),
            Some(Event::Signal(SignalRequest::Continued)) => self.retake().map(|()| None),
            // Only the line-by-line tutor reads lines, and the start-up has handled `Opened`.
            Some(Event::Line(_) | Event::Over | Event::Opened(_)) => Ok(None),
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        let (model, begun) = (&self.model, Instant::now());
        let hits = self.screen.draw(|frame| view(model, frame))?;
        self.model.hits = hits;
        self.drawn = self.model.message.clone();
        // On a slow connection, nothing moves.
        let late = self.model.wants_ticks() && begun.elapsed() > TICK;
        self.late = if late { self.late + 1 } else { 0 };
        self.model.motion &= self.late < MAX_LATE_FRAMES;
        Ok(())
    }

    fn retake(&mut self) -> io::Result<()> {
        self.screen.retake()?;
        self.model.size = terminal::size()?;
        self.model.dirty = true;
        self.input.go_on();
        Ok(())
    }
}

impl Frontend for Runtime {
    fn parts(&mut self) -> (&mut Model, &mut Services) {
        (&mut self.model, &mut self.services)
    }

    fn stop(&mut self) -> io::Result<()> {
        self.input.pause();
        self.screen.give_back();
        signals::stop_self();
        self.retake()
    }

    fn draw_again(&mut self) -> io::Result<()> {
        self.model.dirty = true;
        self.screen.clear()
    }

    fn colour(&mut self, request: HighlightRequest) {
        // The thread lives as long as this sender.
        let _ = self.colours.send(request);
    }

    fn run_editor(&mut self, file: &Path, line: u32, column: u32) -> io::Result<Option<Msg>> {
        self.input.pause();
        self.screen.give_back();
        let edited = signals::away(|| editor::edit(file, line, column));
        self.retake()?;
        Ok(edited.err().map(Msg::Problem))
    }
}

/// Starts the thread that colours code, one request after the other.
fn colour_thread(events: Sender<Event>) -> io::Result<Sender<HighlightRequest>> {
    let (requests, inbox) = mpsc::channel::<HighlightRequest>();
    std::thread::Builder::new().name("colours".into()).spawn(move || {
        let highlighter = Highlighter::default();
        for request in inbox {
            let lines = highlighter.highlight(request.language, &request.source);
            if events.send(Event::Msg(Msg::Highlighted { file: request.file, lines })).is_err() {
                break;
            }
        }
    })?;
    Ok(requests)
}
