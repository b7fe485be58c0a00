//! The tutor line by line: lines in from standard input, lines out to standard output.

use super::hands::Hands;
use super::load::Options;
use super::{Ended, Event, TutorError, editor, signals};
use crate::tui::app::{Model, Msg, update};
use crate::tui::effect::Effect;
use crate::tui::plain::{Reader, typed};
use crate::words::speaking;
use crate::{t, text};
use ratatui::layout::Size;
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Sender};
use std::time::Instant;

/// What the model is told of the terminal: wide enough for every sentence, high enough to scroll nothing.
const SIZE: Size = Size { width: 80, height: 2000 };

/// Runs the tutor until the student quits or there are no more lines.
///
/// # Errors
/// If progress cannot be opened, or standard output is gone.
pub fn run(options: &Options) -> Result<Ended, TutorError> {
    let (events, inbox) = mpsc::channel();
    let (hands, model) = Hands::open(options, &events, SIZE)?;
    hands.describe();
    line_thread(events)?;
    let mut tutor = Lines { model, hands, reader: Reader::default(), started: Instant::now(), doing: String::new() };
    tutor.say(&[speaking(tutor.model.words, || t!("plain-welcome"))])?;
    tutor.news()?;
    for event in inbox {
        let ended = match event {
            Event::Line(line) => {
                let ended = tutor.line(&line)?;
                tutor.news()?;
                ended
            }
            Event::Msg(msg) => {
                let ended = tutor.take(msg)?;
                // What a launch finds is told when it is over, not with every sample.
                if tutor.model.job.is_none() {
                    tutor.news()?;
                } else {
                    tutor.progress()?;
                }
                ended
            }
            Event::Signal(signals::Wish::End) => Some(Ended::Signalled),
            Event::Signal(signals::Wish::Stop) => {
                signals::stop_self();
                None
            }
            Event::Signal(signals::Wish::Continued) => None,
            Event::Over => Some(Ended::Quit),
        };
        if let Some(ended) = ended {
            return Ok(ended);
        }
    }
    Ok(Ended::Quit)
}

struct Lines {
    model: Model,
    hands: Hands,
    reader: Reader,
    started: Instant,
    /// The step of a launch that was told last.
    doing: String,
}

impl Lines {
    fn line(&mut self, line: &str) -> Result<Option<Ended>, TutorError> {
        match speaking(self.model.words, || typed(&self.model, line)) {
            Ok(msgs) => {
                for msg in msgs {
                    if let Some(ended) = self.take(msg)? {
                        return Ok(Some(ended));
                    }
                }
            }
            Err(explanation) => self.say(&[explanation])?,
        }
        Ok(None)
    }

    /// Lets the model take a message, and carries out what it asks for.
    fn take(&mut self, msg: Msg) -> Result<Option<Ended>, TutorError> {
        self.model.now = self.started.elapsed();
        let mut msgs = VecDeque::from([msg]);
        let mut ended = None;
        while let Some(msg) = msgs.pop_front() {
            for effect in update(&mut self.model, msg) {
                match self.hands.carry_out(&self.model, effect) {
                    Ok(more) => msgs.extend(more),
                    Err(Effect::Quit) => ended = Some(Ended::Quit),
                    Err(Effect::Suspend) => signals::stop_self(),
                    Err(Effect::Edit { file, line }) => match signals::away(|| editor::edit(&file, line)) {
                        Err(problem) => msgs.push_back(Msg::Problem(problem)),
                        Ok(()) => msgs.extend(self.hands.read_again()),
                    },
                    // Colours and drawing anew are a screen's.
                    Err(_) => {}
                }
            }
        }
        Ok(ended)
    }

    fn news(&mut self) -> io::Result<()> {
        let news = self.reader.news(&self.model);
        self.say(&news)
    }

    /// Tells each new step of a launch once.
    fn progress(&mut self) -> io::Result<()> {
        let Some((doing, _)) = self.model.job.as_ref().and_then(|job| job.doing.clone()) else { return Ok(()) };
        if doing == self.doing {
            return Ok(());
        }
        let said = speaking(self.model.words, || t!("plain-running", doing = &doing));
        self.doing = doing;
        self.say(&[said])
    }

    fn say(&mut self, lines: &[String]) -> io::Result<()> {
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
