//! What carries out the effects that need neither a screen nor a key: store, files, worker.

use super::checking::Checking;
use super::load::{Loader, Options};
use super::store::{self, NotSaved, StoreLink};
use super::workbench::Workbench;
use super::worker::WorkerLink;
use super::{Ended, Event, TutorError};
use crate::app::{Model, Msg, Screen};
use crate::app_data::{AppData, NoWorkerReply};
use crate::effect::Effect;
use crate::screens::problem::ProblemPage;
use jiff::Timestamp;
use ratatui::layout::Size;
use std::process::{Command, Stdio};
use std::sync::mpsc::Sender;
use std::time::Duration;
use tutor_base::t;
use tutor_base::words;
use tutor_course::CourseSource;
use tutor_mastery::{Notice, Queue, Store};

/// Store, course files and worker.
pub(super) struct Services {
    store: StoreLink,
    loader: Loader,
    worker: WorkerLink,
    checking: Checking,
    workbench: Workbench,
    /// Where a course that was read again goes; none where whoever reads waits for it.
    apart: Option<Sender<Event>>,
}

/// What takes time at the start: the store, and the course as it stands there.
pub(super) struct Opened {
    store: StoreLink,
    loader: Loader,
    data: AppData,
    notices: Vec<Notice>,
}

impl Opened {
    /// Opens the store and reads the course.
    ///
    /// # Errors
    /// If progress cannot be opened, or a thread cannot be started.
    pub(super) fn new(options: &Options, events: &Sender<Event>) -> Result<Self, TutorError> {
        let (dir, preview) = (options.data.clone(), options.preview.is_some());
        let open = move || if preview { Store::in_memory() } else { Store::open_or_memory(dir.as_deref()) };
        let store = StoreLink::start(open, events.clone()).map_err(TutorError::NoThread)?;
        // The course is read while the store is opened.
        let loader = Loader::new(options);
        let mut data = loader.load();
        let (known, notices) =
            store.known(&data.course, &CourseSource::from_option(data.root.as_deref()), options.data.as_deref())?;
        data.review = Queue::of(&data.pool, &known.graded, Timestamp::now());
        data.learn(known);
        Ok(Self { store, loader, data, notices })
    }

    /// All three, and the model at its start, with what the student must know before anything else on top.
    pub(super) fn start_services(self, options: &Options, events: &Sender<Event>, size: Size) -> (Services, Model) {
        let Self { store, loader, data, notices } = self;
        let worker = WorkerLink::start(events.clone(), options.on);
        let mut model = Model::new(data, options.theme.clone(), options.ascii, size);
        model.motion = options.motion;
        if worker.queues() {
            (model.data.queues, model.data.no_reply) = (true, Some(NoWorkerReply::Unasked));
        }
        let mut problems = Vec::new();
        for notice in &notices {
            match store::noticed(notice) {
                Msg::Problem(problem) => problems.push(problem),
                // Said once the screen is there.
                msg => drop(events.send(Event::Msg(msg))),
            }
        }
        if options.lang_asked
            && let Some(message) = model.data.course.missing_edition(&options.lang)
        {
            problems.push(ProblemPage { title: t!("app-about-language"), message, help: Some(t!("app-without-lang")) });
        }
        for go in options.preview.iter().flatten() {
            drop(events.send(Event::Msg(Msg::Go(go.clone()))));
        }
        model.screens.extend(problems.into_iter().map(Screen::from));
        let workbench = Workbench::new(events.clone());
        (Services { store, loader, worker, checking: Checking::new(options.check), workbench, apart: None }, model)
    }
}

impl Services {
    /// From now on the course is read on a thread, and comes as an event.
    pub(super) fn read_apart(&mut self, events: Sender<Event>) {
        self.apart = Some(events);
    }

    /// Asks for devices and libraries, unless that would take a machine from others.
    pub(super) fn describe(&self) {
        if !self.worker.queues() {
            self.worker.describe();
        }
    }

    /// Checks the course, if it lies on disk.
    pub(super) fn check(&self) {
        if let Some(events) = &self.apart {
            self.checking.begin(self.loader.source(), events);
        }
    }

    /// Carries an effect out; gives back one that is the business of a screen or of a terminal.
    pub(super) fn carry_out(&mut self, model: &Model, effect: Effect) -> Result<Vec<Msg>, Effect> {
        if let Effect::Compile(_) | Effect::Folder { .. } | Effect::EditOwn { .. } = effect {
            self.worker.look_for_compiler();
        }
        match effect {
            Effect::Launch(request) => self.worker.launch(*request),
            Effect::Witness(request) => self.worker.witness(request),
            Effect::Describe => self.worker.describe(),
            Effect::CancelLaunch(id) => self.worker.cancel(id),
            Effect::Race(request) => self.worker.launch(*request),
            Effect::Judge(request) => self.worker.judge(request),
            Effect::Compile(source) => self.worker.compile(*source),
            Effect::Unpack(exercise) => self.workbench.unpack(self.loader.source(), &exercise),
            Effect::Folder { exercise, dir, wish } => {
                let Some(exercise) = model.data.exercise(&exercise) else { return Ok(Vec::new()) };
                return Ok(self.workbench.folder(exercise, dir, &wish));
            }
            Effect::LeaveFolder => self.workbench.leave(),
            Effect::Keep(keep) => self.store.keep(&model.data.course, keep),
            Effect::SwitchLanguage => {
                let Some(words) = self.loader.switch(&model.data.languages()) else { return Ok(Vec::new()) };
                // The runtime's own sentences, too, and those of its threads.
                words::speak(words);
                // What the worker found was said in the language before.
                self.describe();
                let mut msgs = vec![Msg::Language(words)];
                msgs.extend(self.read(None));
                return Ok(msgs);
            }
            Effect::Build => return Ok(self.build()),
            // Granted by `update`.
            Effect::Go(_) | Effect::Say(_) => {}
            other @ (Effect::Quit
            | Effect::Suspend
            | Effect::Redraw
            | Effect::Edit { .. }
            | Effect::EditOwn { .. }
            | Effect::Highlight(_)) => return Err(other),
        }
        Ok(Vec::new())
    }

    /// Builds the course's kernels as `kernels build` does, by calling it; what it says is told once it is done, and the
    /// course is read again.
    fn build(&self) -> Vec<Msg> {
        let (Some(events), Some(root)) = (self.apart.clone(), self.loader.source().directory()) else {
            return Vec::new();
        };
        let root = root.to_owned();
        let built = move || {
            let program = std::env::current_exe().map_err(|error| error.to_string())?;
            let mut call = Command::new(program);
            call.arg("--course").arg(root).args(["kernels", "build"]).stdin(Stdio::null());
            let output = call.output().map_err(|error| error.to_string())?;
            let said = [&output.stdout, &output.stderr]
                .map(|bytes| tutor_base::text::lines(&String::from_utf8_lossy(bytes)).into_owned());
            if output.status.success() {
                Ok(said[0].lines().last().unwrap_or_default().to_owned())
            } else {
                Err(said.concat())
            }
        };
        let work = move || {
            let msg = built().map_or_else(
                |message: String| Msg::Problem(ProblemPage { title: t!("runtime-not-built"), message, help: None }),
                Msg::Say,
            );
            drop(events.send(Event::Changed));
            drop(events.send(Event::Msg(msg)));
        };
        match std::thread::Builder::new().name("build".into()).spawn(work) {
            Ok(_) => vec![Msg::Say(t!("runtime-building"))],
            Err(error) => vec![Msg::Say(error.to_string())],
        }
    }

    /// Reads the course again after an editor had it.
    pub(super) fn read_again(&self) -> Vec<Msg> {
        self.read(Some(t!("app-read-again")))
    }

    /// Reads the course again after a file of it changed. The last line goes on counting what is wrong.
    pub(super) fn read_changed(&self) -> Vec<Msg> {
        self.read(None)
    }

    /// Reads the course, and says so once it is there. The course is a stranger's: keys are taken meanwhile.
    fn read(&self, say: Option<String>) -> Vec<Msg> {
        self.check();
        let loader = self.loader.clone();
        let read = move || {
            let mut msgs = vec![Msg::Reloaded(Box::new(loader.load()))];
            msgs.extend(say.map(Msg::Say));
            msgs
        };
        let Some(events) = self.apart.clone() else { return read() };
        let thread = std::thread::Builder::new().name("course".into());
        let started = thread.spawn(move || read().into_iter().for_each(|msg| drop(events.send(Event::Msg(msg)))));
        match started {
            Ok(_) => Vec::new(),
            Err(error) => vec![Msg::Say(error.to_string())],
        }
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
