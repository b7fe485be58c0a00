//! The line-by-line tutor: it reads lines from standard input and writes lines to an output.

use super::load::Options;
use super::services::{Frontend, Opened, Services};
use super::signals::SignalRequest;
use super::{Closed, Ended, Event, TutorError, editor, signals, watching};
use crate::plain::{Reader, typed};
use crate::prelude::*;
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;
use tutor_support::text;
use tutor_support::words::speaking;

/// Terminal size that the model sees: wide enough for every sentence, and so high that nothing scrolls.
const SIZE: Size = Size { width: 80, height: 2000 };

/// Runs the tutor until the student quits or there are no more lines. Writes to `out`.
///
/// # Errors
/// If progress cannot be opened, or `out` is closed.
pub fn run(options: &Options, out: Box<dyn Write>) -> Result<Closed, TutorError> {
    let (events, inbox) = mpsc::channel();
    signals::thread(events.clone()).map_err(TutorError::NoThread)?;
    let (services, model, first) = Opened::new(options, &events)?.start_services(options, &events, SIZE);
    services.describe();
    if options.is_preview() {
        watching::thread(&options.course, events.clone()).map_err(TutorError::NoThread)?;
    }
    line_thread(events).map_err(TutorError::NoThread)?;
    let (reader, started, doing) = (Reader::default(), Instant::now(), String::new());
    let mut tutor = Lines { model, services, out, reader, started, doing };
    for msg in first {
        tutor.handle(msg)?;
    }
    tutor.print_lines(&[speaking(tutor.model.words, || t!("plain-welcome"))])?;
    tutor.print_news()?;
    let ended = tutor.run(&inbox)?;
    tutor.services.close(&mut tutor.model, &inbox, ended)
}

struct Lines {
    model: Model,
    services: Services,
    out: Box<dyn Write>,
    reader: Reader,
    started: Instant,
    /// The step of a launch that was printed last.
    doing: String,
}

impl Lines {
    /// Handles a typed line only after the store has saved the results of the previous lines. So a student who types
    /// ahead can rely on the screen that those lines lead to.
    fn run(&mut self, inbox: &Receiver<Event>) -> Result<Ended, TutorError> {
        let mut typed = VecDeque::new();
        loop {
            let next = if self.model.saving.is_busy() { None } else { typed.pop_front() };
            let event = match next {
                Some(event) => event,
                None => match inbox.recv() {
                    Ok(event @ (Event::Line(_) | Event::Over)) => {
                        typed.push_back(event);
                        continue;
                    }
                    Ok(event) => event,
                    Err(_) => return Ok(Ended::Quit),
                },
            };
            let ended = match event {
                Event::Line(line) => {
                    self.line(&line, &mut typed)?;
                    None
                }
                Event::Msg(msg) => {
                    self.model.now = self.started.elapsed();
                    self.handle(msg)?
                }
                Event::Changed => {
                    typed.extend(self.services.read_changed().into_iter().map(Event::Msg));
                    None
                }
                Event::Signal(SignalRequest::End | SignalRequest::Interrupt) => Some(Ended::Signalled),
                Event::Signal(SignalRequest::Stop) => {
                    signals::stop_self();
                    None
                }
                // The store was opened before the loop.
                Event::Signal(SignalRequest::Continued) | Event::Opened(_) => None,
                Event::Over => Some(Ended::Quit),
            };
            if let Some(ended) = ended {
                return Ok(ended);
            }
            // Prints the results of a launch when it is over, not after every sample.
            if self.model.job.is_some() {
                self.progress()?;
            } else if !self.model.saving.is_busy() && !matches!(typed.front(), Some(Event::Msg(_))) {
                self.print_news()?;
            }
        }
    }

    /// Puts the input of a line before the lines that are still waiting.
    fn line(&mut self, line: &str, next: &mut VecDeque<Event>) -> io::Result<()> {
        // A line answers what was printed before it, even a notice.
        self.model.noticed = None;
        match speaking(self.model.words, || typed(&self.model, line)) {
            Ok(inputs) => inputs.into_iter().rev().for_each(|input| next.push_front(Event::Msg(input.into()))),
            Err(explanation) => self.print_lines(&[explanation])?,
        }
        Ok(())
    }

    fn print_news(&mut self) -> io::Result<()> {
        let news = self.reader.new_lines(&self.model);
        self.print_lines(&news)
    }

    /// Prints each new step of a launch once.
    fn progress(&mut self) -> io::Result<()> {
        let Some(job) = &self.model.job else { return Ok(()) };
        let waits = || (job.held && self.model.data.queues).then(|| self.model.data.device_line());
        let Some(doing) = job.doing().map(|(doing, _)| doing).or_else(waits) else { return Ok(()) };
        if doing == self.doing {
            return Ok(());
        }
        let text = speaking(self.model.words, || t!("plain-running", doing));
        self.doing = doing;
        self.print_lines(&[text])
    }

    fn print_lines(&mut self, lines: &[String]) -> io::Result<()> {
        for line in lines {
            writeln!(self.out, "{}", text::lines(line))?;
        }
        self.out.flush()
    }
}

impl Frontend for Lines {
    fn parts(&mut self) -> (&mut Model, &mut Services) {
        (&mut self.model, &mut self.services)
    }

    fn stop(&mut self) -> io::Result<()> {
        signals::stop_self();
        Ok(())
    }

    fn run_editor(&mut self, file: &Path, line: u32, column: u32) -> io::Result<Option<Msg>> {
        Ok(signals::away(|| editor::edit(file, line, column)).err().map(Msg::Problem))
    }
}

fn line_thread(events: Sender<Event>) -> io::Result<()> {
    std::thread::Builder::new().name("lines".into()).spawn(move || {
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            match input.read_until(b'\n', &mut line) {
                Ok(1..) => {}
                Ok(0) | Err(_) => break,
            }
            let text: String = String::from_utf8_lossy(&line).chars().filter(|c| !c.is_control()).collect();
            if events.send(Event::Line(text)).is_err() {
                return;
            }
        }
        let _ = events.send(Event::Over);
    })?;
    Ok(())
}
