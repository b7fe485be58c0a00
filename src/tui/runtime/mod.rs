/*! What the pure part needs of the data: terminal, threads, store, worker, editor.

One channel brings everything in: input, signals, coloured code, the worker's replies. After each
message the effects are carried out, and the screen is drawn if something changed. Time is only a
message while something moves. Store and course are read on threads of their own, from the first frame on.
*/

mod checking;
mod editor;
mod input;
mod load;
mod opening;
pub mod plain;
#[cfg(unix)]
mod rescue;
mod services;
mod signals;
pub(crate) mod store;
mod terminal;
mod watchdog;
mod watching;
mod workbench;
mod worker;

#[cfg(all(test, unix))]
#[path = "../../../tests/tutor/pty.rs"]
mod pty;
#[cfg(test)]
mod tests;

pub use checking::Check;
#[cfg(test)]
pub(crate) use load::Loader;
pub use load::{Options, load_data};
pub use store::keep;

use super::app::{Message, Model, Msg, update, view};
use super::effect::Effect;
use super::highlight::Highlighter;
use input::Input;
use services::{Opened, Services};
use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use terminal::Screenful;
use tutor_base::t;
use tutor_mastery::StoreError;
use tutor_pictures::code::HighlightRequest;

/// Time between ticks while something moves.
const TICK: Duration = Duration::from_millis(80);
/// So many frames in a row that take longer than that end all movement.
const MAX_LATE_FRAMES: u32 = 3;

/// Why the tutor could not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum TutorError {
    /// Input or output is no terminal.
    #[error("{}", t!("cli-tutor-no-terminal"))]
    NoTerminal,
    /// Progress could not be opened.
    #[error("{0}")]
    Store(String),
    /// Something was not saved when the tutor ended.
    #[error(transparent)]
    NotSaved(#[from] store::NotSaved),
    /// The terminal could not be set up or drawn on.
    #[error("{}", t!("runtime-no-terminal", why = .0))]
    Terminal(String),
    /// A thread could not be started.
    #[error("{}", t!("runtime-no-thread", why = .0.to_string()))]
    NoThread(io::Error),
}

impl From<io::Error> for TutorError {
    fn from(error: io::Error) -> Self {
        // As a source, the error would be told twice.
        Self::Terminal(error.to_string())
    }
}

impl From<StoreError> for TutorError {
    fn from(error: StoreError) -> Self {
        // With what to do; not as a source, either.
        Self::Store(format!("{error} {}", error.help()))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Quit,
    /// A signal asked for it.
    Signalled,
}

/// Something that a thread brings.
enum Event {
    Msg(Msg),
    Signal(signals::SignalRequest),
    /// A file of the course has changed.
    Changed,
    /// A line was typed; only where the tutor is read line by line.
    Line(String),
    /// There are no more lines.
    Over,
    /// The store is open and the course read, or why not.
    Opened(Box<Result<Opened, TutorError>>),
}

/// Runs the tutor until the student quits.
///
/// # Errors
/// If there is no terminal, progress belongs to another or newer program, or the terminal fails.
pub fn run(options: &Options) -> Result<Ended, TutorError> {
    if !terminal::is_there() {
        return Err(TutorError::NoTerminal);
    }
    let (events, inbox) = mpsc::channel();
    terminal::restore_on_panic();
    signals::thread(events.clone()).map_err(TutorError::NoThread)?;
    let mut screen = Screenful::take()?;
    let input = Input::start(events.clone()).map_err(TutorError::NoThread)?;
    let mut early = Vec::new();
    let opened = match opening::wait(options, &events, &inbox, &mut screen, &input, &mut early)? {
        Ok(opened) => *opened,
        Err(ended) => return Ok(ended),
    };
    let (mut services, model) = opened.start_services(options, &events, terminal::size()?);
    services.read_apart(events.clone());
    let watched = events.clone();
    let colours = colour_thread(events).map_err(TutorError::NoThread)?;
    let mut runtime =
        Runtime { model, services, colours, screen, input, started: Instant::now(), drawn: None, late: 0 };
    runtime.services.describe();
    runtime.services.check();
    if options.preview.is_some() {
        watching::thread(&options.course, watched).map_err(TutorError::NoThread)?;
    }
    let ended = runtime.run(early, &inbox);
    let Runtime { services, screen, .. } = runtime;
    // What is said from here on stands where the shell goes on.
    drop(screen);
    match ended {
        Ok(ended) => Ok(services.close(ended)?),
        Err(error) => {
            services.close(Ended::Signalled)?;
            Err(error)
        }
    }
}

struct Runtime {
    model: Model,
    services: Services,
    colours: Sender<HighlightRequest>,
    screen: Screenful,
    input: Input,
    started: Instant,
    /// The message of the last frame.
    drawn: Option<Message>,
    /// Frames in a row that took longer than a tick.
    late: u32,
}

impl Runtime {
    fn run(&mut self, early: Vec<Event>, inbox: &Receiver<Event>) -> Result<Ended, TutorError> {
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
            // What has gathered meanwhile is drawn at once, not frame by frame; but drawn it is, however much comes. A new message
            // is drawn before the next key removes it.
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

    fn take(&mut self, event: Option<Event>) -> Result<Option<Ended>, TutorError> {
        watchdog::turned();
        let now = self.started.elapsed();
        let animated = event.is_some() && self.model.wants_ticks();
        self.model.now = now;
        match event {
            None => return self.handle(Msg::Tick(now)),
            Some(Event::Msg(msg)) => {
                if let Some(ended) = self.handle(msg)? {
                    return Ok(Some(ended));
                }
                if animated {
                    return self.handle(Msg::Tick(now));
                }
            }
            Some(Event::Signal(signals::SignalRequest::End)) => {
                self.handle(Msg::Key(crossterm::event::KeyEvent::new(
                    crossterm::event::KeyCode::Char('c'),
                    crossterm::event::KeyModifiers::CONTROL,
                )))?;
                return Ok(Some(Ended::Signalled));
            }
            Some(Event::Changed) => {
                for msg in self.services.read_changed() {
                    self.handle(msg)?;
                }
            }
            Some(Event::Signal(signals::SignalRequest::Stop)) => self.suspend()?,
            Some(Event::Signal(signals::SignalRequest::Continued)) => self.retake()?,
            // Nobody types lines into a screen, and the tutor opens once.
            Some(Event::Line(_) | Event::Over | Event::Opened(_)) => {}
        }
        Ok(None)
    }

    /// Lets the model take a message, and carries out what it asks for.
    fn handle(&mut self, msg: Msg) -> Result<Option<Ended>, TutorError> {
        let mut msgs = VecDeque::from([msg]);
        let mut ended = None;
        while let Some(msg) = msgs.pop_front() {
            #[cfg(test)]
            tests::fail_if_asked(&msg);
            for effect in update(&mut self.model, msg) {
                match self.services.carry_out(&self.model, effect) {
                    Ok(more) => msgs.extend(more),
                    Err(Effect::Quit) => ended = Some(Ended::Quit),
                    Err(Effect::Suspend) => self.suspend()?,
                    Err(Effect::Edit { file, line, column }) => {
                        let problem = self.edit(&file, line, column)?;
                        msgs.extend(problem.map_or_else(|| self.services.read_again(), |problem| vec![problem]));
                    }
                    Err(Effect::EditOwn { file, line }) => msgs.extend(self.edit(&file, line, 1)?),
                    Err(Effect::Highlight(request)) => {
                        // The thread lives as long as this sender.
                        let _ = self.colours.send(request);
                    }
                    Err(_) => {
                        self.screen.clear()?;
                        self.model.dirty = true;
                    }
                }
            }
        }
        Ok(ended)
    }

    fn draw(&mut self) -> io::Result<()> {
        let (model, begun) = (&self.model, Instant::now());
        let hits = self.screen.draw(|frame| view(model, frame))?;
        self.model.hits = hits;
        self.drawn = self.model.message.clone();
        // A line that cannot keep up with the ticks is spared what moves.
        let late = self.model.wants_ticks() && begun.elapsed() > TICK;
        self.late = if late { self.late + 1 } else { 0 };
        self.model.motion &= self.late < MAX_LATE_FRAMES;
        Ok(())
    }

    /// Gives the terminal to the editor; what comes back says what went wrong with it.
    fn edit(&mut self, file: &std::path::Path, line: u32, column: u32) -> Result<Option<Msg>, TutorError> {
        self.input.pause();
        self.screen.give_back();
        let edited = signals::away(|| editor::edit(file, line, column));
        self.retake()?;
        Ok(edited.err().map(Msg::Problem))
    }

    /// Stops as the shell's job control expects; goes on when it is continued.
    fn suspend(&mut self) -> io::Result<()> {
        self.input.pause();
        self.screen.give_back();
        signals::stop_self();
        self.retake()
    }

    fn retake(&mut self) -> io::Result<()> {
        self.screen.retake()?;
        self.model.size = terminal::size()?;
        self.model.dirty = true;
        self.input.go_on();
        Ok(())
    }
}

/// Colours code, one request after the other.
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
