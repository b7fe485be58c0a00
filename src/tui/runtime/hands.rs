//! What carries out the effects that need neither a screen nor a key: store, files, worker.

use super::load::{Loader, Options};
use super::signals;
use super::store;
use super::worker::WorkerLink;
use super::{Event, TutorError};
use crate::mastery::Store;
use crate::tui::app::{Model, Msg, Screen};
use crate::tui::effect::Effect;
use crate::tui::screens::problem::ProblemPage;
use crate::{t, words};
use ratatui::layout::Size;
use std::sync::mpsc::Sender;

/// Store, course files and worker.
pub(super) struct Hands {
    store: Store,
    loader: Loader,
    worker: WorkerLink,
}

impl Hands {
    /// Opens all three, and the model at its start, with what the student must know before anything else on top.
    ///
    /// # Errors
    /// If progress cannot be opened, or a thread cannot be started.
    pub(super) fn open(options: &Options, events: &Sender<Event>, size: Size) -> Result<(Self, Model), TutorError> {
        let mut store = Store::open_or_memory(options.data.as_deref())?;
        let notice = store.take_notice();
        let loader = Loader::new(options);
        let world = loader.load(&store)?;
        signals::thread(events.clone())?;
        let worker = WorkerLink::start(events.clone(), options.on);
        let mut model = Model::new(world, options.theme.clone(), options.ascii, size);
        model.motion = options.motion;
        let mut problems = Vec::new();
        problems.extend(notice.map(|notice| store::failed(&t!("app-about-progress"), &notice)));
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
            Effect::Keep(keep) => return Ok(store::keep(&mut self.store, &model.world.course, keep)),
            Effect::SwitchLanguage => {
                let msgs = self.loader.switch(&model.world.languages(), &self.store);
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
        match self.loader.load(&self.store) {
            Ok(world) => vec![Msg::Reloaded(Box::new(world)), Msg::Say(t!("app-read-again"))],
            Err(error) => vec![Msg::Problem(store::failed(&t!("app-progress-unreadable"), &error))],
        }
    }
}
