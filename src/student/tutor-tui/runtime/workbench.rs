/*! The files of an exercise: the student's folder, and the compiled choices. Separate threads read them.

A thread looks at the student's file every 100 ms ([`Watched`]) until the student leaves the exercise.
*/

use super::Event;
use crate::app::FolderEvent;
use crate::effect::FolderCommand;
use crate::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;
use tutor_course::CourseSource;
use tutor_exercises::{self as workshop, Exercise, Watched, pack};

/// Time between two looks at a file.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Works with the files of an exercise.
pub(super) struct Workbench {
    events: Sender<Event>,
    /// Dropping it ends the thread that watches the file.
    watching: Option<Sender<()>>,
}

impl Workbench {
    pub(super) fn new(events: Sender<Event>) -> Self {
        Self { events, watching: None }
    }

    /// Reads the compiled choices of an exercise on a thread.
    pub(super) fn unpack(&self, source: &CourseSource, exercise: &str) {
        let (source, exercise, events) = (source.clone(), exercise.to_owned(), self.events.clone());
        let read = move || {
            let texts = pack::read(&source, &exercise).map(Arc::new);
            drop(events.send(Event::Msg(Msg::Unpacked { exercise, texts })));
        };
        // If no thread starts, no choice can be judged.
        let thread = std::thread::Builder::new().name("pack".into());
        if let Err(error) = thread.spawn(read) {
            tracing::warn!("{error}");
        }
    }

    /// Carries out a command on the student's folder. Returns a message if there is something to report immediately.
    pub(super) fn folder(&mut self, exercise: &Exercise, dir: Option<PathBuf>, command: &FolderCommand) -> Vec<Msg> {
        let usual = || workshop::own(exercise).parent().map_or_else(PathBuf::new, Path::to_owned);
        let dir = absolute(&dir.unwrap_or_else(usual));
        let done = match command {
            FolderCommand::Watch => Ok(None),
            FolderCommand::Start => workshop::start(exercise, &dir).map(|_| Some(FolderEvent::Made)),
            FolderCommand::Reset => workshop::reset(exercise, &dir).map(|(_, kept)| Some(FolderEvent::Reset(kept))),
        };
        let file = dir.join(workshop::file(exercise));
        let found = match done {
            Err(error) => Some(FolderEvent::Failed(error.to_string())),
            Ok(done) => {
                let found = done.or_else(|| (!file.exists()).then_some(FolderEvent::NotBegun));
                self.watch(&exercise.id, &file);
                found
            }
        };
        found.map(|event| Msg::Folder { exercise: exercise.id.clone(), file, event }).into_iter().collect()
    }

    pub(super) fn leave(&mut self) {
        self.watching = None;
    }

    fn watch(&mut self, exercise: &str, file: &Path) {
        self.leave();
        let (watching, left) = mpsc::channel();
        self.watching = Some(watching);
        let events = self.events.clone();
        let (exercise, file) = (exercise.to_owned(), file.to_owned());
        let look = move || {
            let mut watched = Watched::new(file.clone());
            while left.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                if let Some(text) = watched.changed() {
                    let event = FolderEvent::Saved(text);
                    let msg = Msg::Folder { exercise: exercise.clone(), file: file.clone(), event };
                    if events.send(Event::Msg(msg)).is_err() {
                        break;
                    }
                }
            }
        };
        if let Err(error) = std::thread::Builder::new().name("folder".into()).spawn(look) {
            tracing::warn!("{error}");
        }
    }
}

/// Returns the absolute form of a path, or the path itself if that fails.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
