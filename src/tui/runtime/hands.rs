//! What carries out the effects that need neither a screen nor a key: store, files, worker.

use super::load::{Loader, Options};
use super::signals;
use super::store::{self, NotSaved, StoreLink};
use super::worker::WorkerLink;
use super::{Ended, Event, TutorError};
use crate::tui::app::{Model, Msg, Screen};
use crate::tui::effect::Effect;
use crate::tui::screens::problem::ProblemPage;
use crate::{t, words};
use ratatui::layout::Size;
use std::sync::mpsc::Sender;
use std::time::Duration;

/// Store, course files and worker.
pub(super) struct Hands {
    store: StoreLink,
    loader: Loader,
    worker: WorkerLink,
}

impl Hands {
    /// Opens all three, and the model at its start, with what the student must know before anything else on top.
    ///
    /// # Errors
    /// If progress cannot be opened, or a thread cannot be started.
    pub(super) fn open(options: &Options, events: &Sender<Event>, size: Size) -> Result<(Self, Model), TutorError> {
        let store = StoreLink::start(options.data.clone(), events.clone())?;
        // The course is read while the store is opened.
        let loader = Loader::new(options);
        let mut world = loader.load();
        let (known, notices) = store.known(&world.course.id, options.data.clone())?;
        world.learn(known);
        signals::thread(events.clone())?;
        let worker = WorkerLink::start(events.clone(), options.on);
        let mut model = Model::new(world, options.theme.clone(), options.ascii, size);
        model.motion = options.motion;
        let mut problems = Vec::new();
        for notice in &notices {
            match store::noticed(notice) {
                Msg::Problem(problem) => problems.push(problem),
                // Said once the screen is there.
                msg => drop(events.send(Event::Msg(msg))),
            }
        }
        if options.lang_asked
            && let Some(message) = model.world.course.missing_edition(&options.lang)
        {
            problems.push(ProblemPage { title: t!("app-about-language"), message, help: Some(t!("app-without-lang")) });
        }
        model.screens.extend(problems.into_iter().map(Screen::Problem));
        Ok((Self { store, loader, worker }, model))
    }

    /// Asks for devices and libraries.
    pub(super) fn describe(&self) {
        self.worker.describe();
    }

    /// Carries an effect out; gives back one that is the business of a screen or of a terminal.
    pub(super) fn carry_out(&mut self, model: &Model, effect: Effect) -> Result<Vec<Msg>, Effect> {
        match effect {
            Effect::Launch(request) => self.worker.launch(*request),
            Effect::Witness(request) => self.worker.witness(request),
            Effect::CancelLaunch(id) => self.worker.cancel(id),
            Effect::Keep(keep) => self.store.keep(&model.world.course, keep),
            Effect::SwitchLanguage => {
                let msgs = self.loader.switch(&model.world.languages());
                if let Some(words) =
                    msgs.iter().find_map(|msg| if let Msg::Language(words) = msg { Some(words) } else { None })
                {
                    // The runtime's own sentences, too, and those of its threads.
                    words::speak(words);
                    // What the worker found was said in the language before.
                    self.worker.describe();
                }
                return Ok(msgs);
            }
            // Granted by `update`.
            Effect::Go(_) | Effect::Say(_) | Effect::Leave => {}
            other @ (Effect::Quit | Effect::Suspend | Effect::Redraw | Effect::Edit { .. } | Effect::Highlight(_)) => {
                return Err(other);
            }
        }
        Ok(Vec::new())
    }

    /// Reads the course again after an editor had it.
    pub(super) fn read_again(&self) -> Vec<Msg> {
        vec![Msg::Reloaded(Box::new(self.loader.load())), Msg::Say(t!("app-read-again"))]
    }

    /// Waits until all is saved, but not for long.
    ///
    /// # Errors
    /// If something is not saved.
    pub(super) fn close(&self, ended: Ended) -> Result<Ended, NotSaved> {
        let limit = match ended {
            Ended::Quit => Duration::from_secs(2),
            // Whoever sent the signal waits no longer than that altogether.
            Ended::Signalled => Duration::from_millis(1500),
        };
        self.store.close(limit).map(|()| ended)
    }
}
