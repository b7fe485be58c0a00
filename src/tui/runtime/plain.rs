//! The tutor line by line: lines in from standard input, lines out to standard output.

use super::load::Options;
use super::services::{Opened, Services};
use super::{Ended, Event, TutorError, editor, signals, watching};
use crate::app::{Model, Msg, update};
use crate::effect::Effect;
use crate::plain::{Reader, typed};
use ratatui::layout::Size;
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;
use tutor_base::t;
use tutor_base::text;
use tutor_base::words::speaking;

/// What the model is told of the terminal: wide enough for every sentence, high enough to scroll nothing.
const SIZE: Size = Size { width: 80, height: 2000 };

/// Runs the tutor until the student quits or there are no more lines.
///
/// # Errors
/// If progress cannot be opened, or standard output is gone.
pub fn run(options: &Options) -> Result<Ended, TutorError> {
    let (events, inbox) = mpsc::channel();
    signals::thread(events.clone()).map_err(TutorError::NoThread)?;
    let (services, model) = Opened::new(options, &events)?.start_services(options, &events, SIZE);
    services.describe();
    if options.preview.is_some() {
        watching::thread(&options.course, events.clone()).map_err(TutorError::NoThread)?;
    }
    line_thread(events).map_err(TutorError::NoThread)?;
    let mut tutor = Lines { model, services, reader: Reader::default(), started: Instant::now(), doing: String::new() };
    tutor.print_lines(&[speaking(tutor.model.words, || t!("plain-welcome"))])?;
    tutor.print_news()?;
    let ended = tutor.run(&inbox)?;
    Ok(tutor.services.close(ended)?)
}

struct Lines {
    model: Model,
    services: Services,
    reader: Reader,
    started: Instant,
    /// The step of a launch that was told last.
    doing: String,
}

impl Lines {
    /// What is typed is taken once all that came of what was typed before is saved: whoever types ahead means the
    /// screen that will be there by then.
    fn run(&mut self, inbox: &Receiver<Event>) -> Result<Ended, TutorError> {
        let mut typed = VecDeque::new();
        loop {
            let next = if self.model.saving.is_empty() { typed.pop_front() } else { None };
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
                Event::Msg(msg) => self.take(msg)?,
                Event::Changed => {
                    typed.extend(self.services.read_changed().into_iter().map(Event::Msg));
                    None
                }
                Event::Signal(signals::SignalRequest::End) => Some(Ended::Signalled),
                Event::Signal(signals::SignalRequest::Stop) => {
                    signals::stop_self();
                    None
                }
                // It was opened before.
                Event::Signal(signals::SignalRequest::Continued) | Event::Opened(_) => None,
                Event::Over => Some(Ended::Quit),
            };
            if let Some(ended) = ended {
                return Ok(ended);
            }
            // What a launch finds is told when it is over, not with every sample.
            if self.model.job.is_some() {
                self.progress()?;
            } else if self.model.saving.is_empty() && !matches!(typed.front(), Some(Event::Msg(_))) {
                self.print_news()?;
            }
        }
    }

    /// What a line means comes before the lines behind it.
    fn line(&mut self, line: &str, next: &mut VecDeque<Event>) -> io::Result<()> {
        match speaking(self.model.words, || typed(&self.model, line)) {
            Ok(msgs) => msgs.into_iter().rev().for_each(|msg| next.push_front(Event::Msg(msg))),
            Err(explanation) => self.print_lines(&[explanation])?,
        }
        Ok(())
    }

    /// Lets the model take a message, and carries out what it asks for.
    fn take(&mut self, msg: Msg) -> Result<Option<Ended>, TutorError> {
        self.model.now = self.started.elapsed();
        let mut msgs = VecDeque::from([msg]);
        let mut ended = None;
        while let Some(msg) = msgs.pop_front() {
            for effect in update(&mut self.model, msg) {
                match self.services.carry_out(&self.model, effect) {
                    Ok(more) => msgs.extend(more),
                    Err(Effect::Quit) => ended = Some(Ended::Quit),
                    Err(Effect::Suspend) => signals::stop_self(),
                    Err(Effect::Edit { file, line, column }) => {
                        match signals::away(|| editor::edit(&file, line, column)) {
                            Err(problem) => msgs.push_back(Msg::Problem(problem)),
                            Ok(()) => msgs.extend(self.services.read_again()),
                        }
                    }
                    Err(Effect::EditOwn { file, line }) => {
                        msgs.extend(signals::away(|| editor::edit(&file, line, 1)).err().map(Msg::Problem));
                    }
                    // Colours and drawing anew are a screen's.
                    Err(_) => {}
                }
            }
        }
        Ok(ended)
    }

    fn print_news(&mut self) -> io::Result<()> {
        let news = self.reader.new_lines(&self.model);
        self.print_lines(&news)
    }

    /// Tells each new step of a launch once.
    fn progress(&mut self) -> io::Result<()> {
        let Some(job) = &self.model.job else { return Ok(()) };
        let waits = || (job.held && self.model.data.queues).then(|| self.model.data.device_line());
        let Some(doing) = job.doing.as_ref().map(|(doing, _)| doing.clone()).or_else(waits) else { return Ok(()) };
        if doing == self.doing {
            return Ok(());
        }
        let said = speaking(self.model.words, || t!("plain-running", doing = &doing));
        self.doing = doing;
        self.print_lines(&[said])
    }

    fn print_lines(&mut self, lines: &[String]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        for line in lines {
            writeln!(out, "{}", text::lines(line))?;
        }
        out.flush()
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
