//! The services that carry out effects: store, course files, worker and the student's folder.
//!
//! [`Frontend`] is the loop body that the full-screen and the line-by-line tutor share.

use super::checking::Checking;
use super::load::{Loader, Options, Start};
use super::store::StoreLink;
use super::workbench::Workbench;
use super::worker::WorkerLink;
use super::{Closed, Ended, Event, TutorError};
use crate::app::StoreBlocked;
use crate::app_data::NoWorkerReply;
use crate::effect::FolderCommand;
use crate::host::{self, Host, Replies};
use crate::prelude::*;
use crate::screens::problem::ProblemPage;
use crate::storing::noticed;
use jiff::tz::TimeZone;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;
use tutor_course::CourseSource;
use tutor_exec::protocol::Request;
use tutor_progress::{Notice, Queue, Store, fresh_seed, now};
use tutor_support::words;
use ui_kit::code::HighlightRequest;

pub(super) struct Services {
    store: StoreLink,
    loader: Loader,
    worker: WorkerLink,
    checking: Checking,
    workbench: Workbench,
    /// Receives a course that a thread has read again. `None`: the caller reads it and waits.
    background: Option<Sender<Event>>,
    /// Number of times the course was read again.
    reads: Arc<AtomicU32>,
    /// True once the student has quit.
    quits: bool,
}

/// The open store and the loaded course, which take time at start-up.
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
        let (dir, preview) = (options.data.clone(), options.is_preview());
        let open = move || if preview { Store::in_memory() } else { Store::open_or_read(dir.as_deref()) };
        let store = StoreLink::start(open, events.clone()).map_err(TutorError::NoThread)?;
        // The store opens on its thread while this thread reads the course.
        let loader = Loader::new(options);
        let mut data = loader.load();
        let (known, notices) =
            store.known(&data.course, &CourseSource::from_option(data.root.as_deref()), options.data.as_deref())?;
        data.review = Queue::of(&data.pool, &known.graded, now());
        data.learn(known);
        Ok(Self { store, loader, data, notices })
    }

    /// Starts the other services and creates the model. Returns them with the first messages for the model.
    ///
    /// The student must read the notices before the map appears.
    pub(super) fn start_services(
        self,
        options: &Options,
        events: &Sender<Event>,
        size: Size,
    ) -> (Services, Model, Vec<Msg>) {
        let Self { store, loader, data, notices } = self;
        let worker = WorkerLink::start(events.clone(), options.on);
        let mut model = Model::new(data, options.theme.clone(), options.ascii, size);
        model.motion = options.motion;
        model.started = now().to_zoned(TimeZone::system());
        if worker.queues() {
            (model.data.queues, model.data.no_reply) = (true, Some(NoWorkerReply::Unasked));
        }
        let (mut problems, mut first) = (Vec::new(), Vec::new());
        for notice in &notices {
            if let Notice::Unavailable(error) = notice {
                model.saving.block(StoreBlocked::from(error));
            }
            match noticed(notice) {
                Msg::Problem(problem) => problems.push(problem),
                msg => first.push(msg),
            }
        }
        if options.lang_asked
            && let Some(message) = model.data.course.missing_edition(&options.lang)
        {
            let (title, message) = (t!("app-about-language"), message.to_string());
            problems.push(ProblemPage { title, message, help: Some(t!("app-without-lang")) });
        }
        match &options.start {
            Start::Map => model.welcome(),
            Start::Attempt(begun) => {
                model.ends_on_map = true;
                first.push(Msg::Begun(begun.clone()));
            }
            Start::Preview(places) => first.extend(places.iter().cloned().map(Msg::Go)),
        }
        model.screens.extend(problems.into_iter().map(Screen::from));
        let workbench = Workbench::new(events.clone());
        let checking = Checking::new(options.check);
        (
            Services {
                store,
                loader,
                worker,
                checking,
                workbench,
                background: None,
                reads: Arc::default(),
                quits: false,
            },
            model,
            first,
        )
    }
}

impl Services {
    /// From now on a thread reads the course and sends it as an event.
    pub(super) fn read_in_background(&mut self, events: Sender<Event>) {
        self.background = Some(events);
    }

    /// Asks the worker for its devices and libraries, unless that would take a machine from a shared queue.
    pub(super) fn describe(&self) {
        if !self.worker.queues() {
            self.worker.describe();
        }
    }

    /// Starts a check of the course if it is on disk.
    pub(super) fn check(&self) {
        if let Some(events) = &self.background {
            self.checking.begin(self.loader.source(), events);
        }
    }

    /// Switches to the next language; returns the messages that bring the model along.
    fn switch_language(&mut self, data: &AppData) -> Vec<Msg> {
        let Some(words) = self.loader.switch(&data.languages()) else { return Vec::new() };
        // The runtime and its threads also write sentences of their own.
        words::speak(words);
        // The worker's description contains sentences in the previous language.
        self.describe();
        let mut msgs = vec![Msg::Language(words)];
        msgs.extend(self.read(None));
        msgs
    }

    /// Builds the course's kernels by running `course build` on a thread. Reports the result, then reads the course again.
    fn build(&self) -> Vec<Msg> {
        let (Some(events), Some(root)) = (self.background.clone(), self.loader.source().directory()) else {
            return Vec::new();
        };
        let root = root.to_owned();
        let built = move || {
            let program = std::env::current_exe().map_err(|error| error.to_string())?;
            let mut call = Command::new(program);
            call.arg("--course").arg(root).args(["course", "build"]).stdin(Stdio::null());
            let output = call.output().map_err(|error| error.to_string())?;
            let printed = [&output.stdout, &output.stderr]
                .map(|bytes| tutor_support::text::lines(&String::from_utf8_lossy(bytes)).into_owned());
            if output.status.success() {
                Ok(printed[0].lines().last().unwrap_or_default().to_owned())
            } else {
                Err(printed.concat())
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

    /// Reads the course again after the student edited it.
    pub(super) fn read_again(&self) -> Vec<Msg> {
        self.read(Some(t!("app-read-again")))
    }

    /// Reads the course again after one of its files changed. The last line keeps its count of problems.
    pub(super) fn read_changed(&self) -> Vec<Msg> {
        self.read(None)
    }

    /// Reads the course on a separate thread, because it may be large. Afterwards the last line shows `notice`.
    fn read(&self, notice: Option<String>) -> Vec<Msg> {
        self.check();
        let loader = self.loader.clone();
        let (latest, number) = (Arc::clone(&self.reads), self.reads.fetch_add(1, Ordering::Relaxed) + 1);
        let read = move || {
            let mut msgs = vec![Msg::Reloaded(Box::new(loader.load()))];
            msgs.extend(notice.map(Msg::Say));
            msgs
        };
        let Some(events) = self.background.clone() else { return read() };
        let thread = std::thread::Builder::new().name("course".into());
        let started = thread.spawn(move || {
            let msgs = read();
            // A later reading, perhaps in another language, may have ended before.
            if latest.load(Ordering::Relaxed) == number {
                msgs.into_iter().for_each(|msg| drop(events.send(Event::Msg(msg))));
            }
        });
        match started {
            Ok(_) => Vec::new(),
            Err(error) => vec![Msg::Say(error.to_string())],
        }
    }

    /// Waits, for a limited time, until the store has saved everything.
    ///
    /// # Errors
    /// If it has not.
    pub(super) fn close(&self, model: &mut Model, inbox: &Receiver<Event>, ended: Ended) -> Result<Closed, TutorError> {
        let limit = match ended {
            Ended::Quit => Duration::from_secs(2),
            // The watchdog ends the process 1.9 s after a signal.
            Ended::Signalled => Duration::from_millis(1500),
        };
        self.store.close(limit);
        for event in inbox.try_iter() {
            match event {
                Event::Msg(Msg::Saved) => drop(model.saving.saved()),
                Event::Msg(Msg::StoreBlocked(blocked)) => drop(model.saving.block(blocked)),
                Event::Msg(Msg::Submitted(outcome)) => model.outcome = Some(outcome),
                _ => {}
            }
        }
        if model.saving.is_empty() {
            return Ok(Closed { ended, outcome: model.outcome.take() });
        }
        let (answers, others) = model.saving.counts();
        let why = model.saving.blocked().map_or_else(|| t!("app-store-silent"), |blocked| blocked.why.clone());
        Err(TutorError::NotSaved(t!("app-not-saved", answers, others, why)))
    }
}

/// Where the tutor runs: on a full screen, or line by line.
pub(super) trait Frontend {
    /// The model and the services, which every frontend owns.
    fn parts(&mut self) -> (&mut Model, &mut Services);

    /// Gives the terminal back and stops the process until it is continued.
    fn stop(&mut self) -> io::Result<()>;

    /// Draws everything again.
    fn draw_again(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Asks for the colours of a source file; a message brings them.
    fn colour(&mut self, _: HighlightRequest) {}

    /// Runs the student's editor. Returns a message if it fails.
    fn run_editor(&mut self, file: &Path, line: u32, column: u32) -> io::Result<Option<Msg>>;

    /// Passes a message to the model and carries out the effects, until no message is left.
    fn handle(&mut self, msg: impl Into<Msg>) -> io::Result<Option<Ended>>
    where
        Self: Sized,
    {
        host::handle(self, msg.into())?;
        Ok(self.parts().1.quits.then_some(Ended::Quit))
    }
}

impl<F: Frontend> Host for F {
    type Error = io::Error;

    fn model(&mut self) -> &mut Model {
        self.parts().0
    }

    fn store(&mut self, request: StoreRequest) -> Vec<Msg> {
        let (model, services) = self.parts();
        services.store.store(&model.data.course, request);
        Vec::new()
    }

    fn save_again(&mut self) {
        self.parts().1.store.save_again();
    }

    fn seed(&mut self) -> u64 {
        fresh_seed()
    }

    fn work(&mut self, request: Request) {
        let worker = &self.parts().1.worker;
        if matches!(request, Request::Compile(_)) {
            worker.look_for_compiler();
        }
        worker.work(request);
    }

    fn cancel(&mut self, id: u64) -> Vec<Msg> {
        self.parts().1.worker.cancel(id);
        Vec::new()
    }

    fn highlight(&mut self, request: HighlightRequest) {
        self.colour(request);
    }

    fn unpack(&mut self, exercise: String) -> Vec<Msg> {
        let services = self.parts().1;
        services.workbench.unpack(services.loader.source(), &exercise);
        Vec::new()
    }

    fn folder(&mut self, exercise: &str, dir: Option<PathBuf>, command: FolderCommand) -> Vec<Msg> {
        let (model, services) = self.parts();
        services.worker.look_for_compiler();
        let Some(exercise) = model.data.exercise(exercise) else { return Vec::new() };
        services.workbench.folder(exercise, dir, &command)
    }

    fn leave_folder(&mut self) {
        self.parts().1.workbench.leave();
    }

    fn edit_course(&mut self, file: &Path, line: u32, column: u32) -> Replies<Self> {
        let problem = self.run_editor(file, line, column)?;
        Ok(problem.map_or_else(|| self.parts().1.read_again(), |problem| vec![problem]))
    }

    fn edit_own(&mut self, file: &Path, line: u32) -> Replies<Self> {
        self.parts().1.worker.look_for_compiler();
        Ok(self.run_editor(file, line, 1)?.into_iter().collect())
    }

    fn build(&mut self) -> Vec<Msg> {
        self.parts().1.build()
    }

    fn switch_language(&mut self) -> Vec<Msg> {
        let (model, services) = self.parts();
        services.switch_language(&model.data)
    }

    fn keep_theme(&mut self, name: String) {
        self.parts().1.loader.keep(|preferences| preferences.theme = Some(name));
    }

    fn redraw(&mut self) -> io::Result<()> {
        self.draw_again()
    }

    fn suspend(&mut self) -> Replies<Self> {
        self.stop().map(|()| Vec::new())
    }

    fn quit(&mut self) {
        self.parts().1.quits = true;
    }
}
