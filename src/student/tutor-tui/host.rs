//! Carries out the effects that [`update`] returns. Terminal, page, tests and fuzz target differ only in their [`Host`].

use crate::app::update;
use crate::effect::FolderCommand;
use crate::prelude::*;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use tutor_exec::protocol::Request;
use ui_kit::code::HighlightRequest;

/// The messages that a host already knows in reply to an effect. Others arrive later.
pub type Replies<H> = Result<Vec<Msg>, <H as Host>::Error>;

/// Does what the model cannot do itself. By default, a host can only save.
pub trait Host {
    /// Why the tutor must end at once: its terminal has failed.
    type Error;

    fn model(&mut self) -> &mut Model;

    /// Saves something, now or later.
    fn store(&mut self, request: StoreRequest) -> Vec<Msg>;

    /// Tries again to save what could not be saved.
    fn save_again(&mut self) {}

    /// Draws the seed of a judgement or of a star's launch.
    fn seed(&mut self) -> u64 {
        0
    }

    /// Sends a request to the worker. The host sets the target of a launch.
    fn work(&mut self, _: Request) {}

    /// Stops the request with this id.
    fn cancel(&mut self, _id: u64) -> Vec<Msg> {
        Vec::new()
    }

    fn highlight(&mut self, _: HighlightRequest) {}

    /// Reads the compiled choices of an exercise.
    fn unpack(&mut self, _exercise: String) -> Vec<Msg> {
        Vec::new()
    }

    /// Does something with the student's folder for an exercise.
    fn folder(&mut self, _exercise: &str, _dir: Option<PathBuf>, _command: FolderCommand) -> Vec<Msg> {
        Vec::new()
    }

    fn leave_folder(&mut self) {}

    /// Opens an editor for a file of the course, then reads the course again.
    fn edit_course(&mut self, _file: &Path, _line: u32, _column: u32) -> Replies<Self> {
        Ok(Vec::new())
    }

    /// Opens an editor for a student's file.
    fn edit_own(&mut self, _file: &Path, _line: u32) -> Replies<Self> {
        Ok(Vec::new())
    }

    /// Compiles the course's kernels, then reads the course again.
    fn build(&mut self) -> Vec<Msg> {
        Vec::new()
    }

    /// Switches the course and the interface to the next language.
    fn switch_language(&mut self) -> Vec<Msg> {
        Vec::new()
    }

    /// Keeps a theme for the next start.
    fn keep_theme(&mut self, _name: String) {}

    /// Draws everything again.
    fn redraw(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Gives the terminal back and stops the process until it is continued.
    fn suspend(&mut self) -> Replies<Self> {
        Ok(Vec::new())
    }

    fn quit(&mut self) {}
}

/// Passes a message to the model and carries out the effects, until no message is left.
pub fn handle<H: Host>(host: &mut H, msg: Msg) -> Result<(), H::Error> {
    let mut msgs = VecDeque::from([msg]);
    while let Some(msg) = msgs.pop_front() {
        #[cfg(test)]
        crate::runtime::tests::fail_if_asked(&msg);
        for effect in update(host.model(), msg) {
            msgs.extend(carry_out(host, effect)?);
        }
    }
    Ok(())
}

pub fn carry_out<H: Host>(host: &mut H, effect: Effect) -> Replies<H> {
    match effect {
        Effect::Quit => host.quit(),
        Effect::Suspend => return host.suspend(),
        Effect::Redraw => host.redraw()?,
        Effect::Launch(request) => host.work(Request::Launch(*request)),
        Effect::StarLaunch(mut request) => {
            request.seed = host.seed();
            host.work(Request::Launch(*request));
        }
        Effect::Witness(request) => host.work(Request::Witness(request)),
        Effect::Judge(mut request) => {
            request.seed = host.seed();
            host.work(Request::Judge(request));
        }
        Effect::Compile(request) => host.work(Request::Compile(*request)),
        Effect::Describe => host.work(Request::Describe),
        Effect::CancelLaunch(id) => return Ok(host.cancel(id)),
        Effect::Unpack(exercise) => return Ok(host.unpack(exercise)),
        Effect::Folder { exercise, dir, command } => return Ok(host.folder(&exercise, dir, command)),
        Effect::LeaveFolder => host.leave_folder(),
        Effect::Edit { file, line, column } => return host.edit_course(&file, line, column),
        Effect::EditOwn { file, line } => return host.edit_own(&file, line),
        Effect::Build => return Ok(host.build()),
        Effect::KeepTheme(name) => host.keep_theme(name),
        Effect::SwitchLanguage => return Ok(host.switch_language()),
        Effect::Highlight(request) => host.highlight(request),
        Effect::Store(request) => return Ok(host.store(request)),
        Effect::SaveAgain => host.save_again(),
        // `update` has applied these.
        Effect::Go(_) | Effect::Say(_) => {}
    }
    Ok(Vec::new())
}
