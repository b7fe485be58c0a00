//! Carries out effects in a page, or asks the script to.

use crate::messages::Out;
use crate::page::Page;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use tutor_exec::protocol::{Reply, Request, Target};
use tutor_exercises as workshop;
use tutor_progress::fresh_seed;
use tutor_support::t;
use tutor_tui::app::{FolderEvent, Model, Msg};
use tutor_tui::effect::{Effect, FolderCommand, StoreRequest};
use tutor_tui::host::{Host, Replies};
use ui_kit::code::{HighlightRequest, Language};

/// Where the script has the files of the student.
pub(crate) const WORK: &str = "/work";

impl Host for Page {
    type Error = Infallible;

    fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    fn store(&mut self, request: StoreRequest) -> Vec<Msg> {
        self.browser_store.ask(&self.model.data.course, request);
        self.save_again();
        Vec::new()
    }

    fn save_again(&mut self) {
        self.out.push(Out::Keep);
    }

    fn seed(&mut self) -> u64 {
        fresh_seed()
    }

    fn work(&mut self, mut request: Request) {
        match &mut request {
            Request::Launch(launch) => launch.on = Target::Emulator,
            Request::Describe => return self.describe(),
            _ => {}
        }
        self.ask_worker(request);
    }

    /// Ends the worker, which cannot listen while it runs a kernel. A new one gets the other requests.
    fn cancel(&mut self, stopped: u64) -> Vec<Msg> {
        let before = self.working.len();
        self.working.retain(|request| request.id() != stopped);
        if self.working.len() == before {
            return Vec::new();
        }
        self.restart();
        vec![Msg::Worker(Reply::Finished { id: stopped, cancelled: true })]
    }

    fn highlight(&mut self, request: HighlightRequest) {
        let ptx = request.language == Language::Ptx;
        let source = request.source.to_string();
        self.out.push(Out::Colour { file: request.file, ptx, source });
    }

    fn unpack(&mut self, exercise: String) -> Vec<Msg> {
        if !self.late {
            self.waiting.push(Effect::Unpack(exercise));
            return Vec::new();
        }
        let texts = workshop::pack::read(&self.source, &exercise).map(std::sync::Arc::new);
        vec![Msg::Unpacked { exercise, texts }]
    }

    /// The folder is in memory, and the browser stores it.
    fn folder(&mut self, exercise: &str, _: Option<PathBuf>, command: FolderCommand) -> Vec<Msg> {
        let Some(exercise) = self.model.data.exercise(exercise) else { return Vec::new() };
        let dir = Path::new(WORK).join(&exercise.id);
        let file = dir.join(workshop::file(exercise));
        let id = exercise.id.clone();
        // A page cannot compile it, so the student goes on in the native program.
        if matches!(command, FolderCommand::Start) && file.extension().is_some_and(|extension| extension == "cu") {
            let mut files = workshop::contents(exercise);
            files.iter_mut().for_each(|(name, _)| name.insert_str(0, &format!("{id}/")));
            let bytes = tutor_support::archive::tar(files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())));
            let name = format!("{id}.tar");
            let said = Msg::Say(t!("web-downloaded", file = name.as_str()));
            self.out.extend(bytes.map(|bytes| Out::Download { name, bytes }));
            return vec![said];
        }
        let done = match command {
            FolderCommand::Watch => Ok(None),
            FolderCommand::Start => workshop::start(exercise, &dir).map(|_| Some(FolderEvent::Made)),
            FolderCommand::Reset => workshop::reset(exercise, &dir).map(|(_, kept)| Some(FolderEvent::Reset(kept))),
        };
        let mut events: Vec<FolderEvent> = match done {
            Err(error) => vec![FolderEvent::Failed(error.to_string())],
            Ok(done) => done.or_else(|| (!file.exists()).then_some(FolderEvent::NotBegun)).into_iter().collect(),
        };
        if file.exists() {
            events.push(FolderEvent::Saved(tutor_support::text::read(&file)));
        }
        self.watched = Some((id.clone(), file.clone()));
        events.into_iter().map(|event| Msg::Folder { exercise: id.clone(), file: file.clone(), event }).collect()
    }

    fn leave_folder(&mut self) {
        self.watched = None;
    }

    fn edit_course(&mut self, _: &Path, _: u32, _: u32) -> Replies<Self> {
        Ok(not_here())
    }

    fn edit_own(&mut self, file: &Path, line: u32) -> Replies<Self> {
        match std::fs::read_to_string(file) {
            Ok(text) => self.out.push(Out::Edit { file: file.display().to_string(), text, line }),
            Err(error) => return Ok(vec![Msg::Say(error.to_string())]),
        }
        Ok(Vec::new())
    }

    fn build(&mut self) -> Vec<Msg> {
        not_here()
    }

    fn switch_language(&mut self) -> Vec<Msg> {
        if self.late {
            return self.next_language();
        }
        self.waiting.push(Effect::SwitchLanguage);
        Vec::new()
    }

    fn keep_theme(&mut self, _: String) {
        self.say_theme();
    }

    fn redraw(&mut self) -> Result<(), Infallible> {
        self.model.dirty = true;
        self.terminal.clear()
    }

    fn suspend(&mut self) -> Replies<Self> {
        Ok(not_here())
    }

    fn quit(&mut self) {
        self.out.push(Out::Quit);
    }
}

/// Reports that a page cannot do this.
fn not_here() -> Vec<Msg> {
    vec![Msg::Say(t!("web-not-here"))]
}
