//! Signals: end, stop, continue. On Windows there are none; Ctrl-C comes as a key.

use super::Event;
use std::io;
use std::sync::mpsc::Sender;

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code))]
pub(super) enum Wish {
    /// Leave, as with quit.
    End,
    /// Stop, as with Ctrl-Z.
    Stop,
    /// The tutor was stopped from outside and goes on.
    Continued,
}

/// Listens for signals.
///
/// # Errors
/// If a handler cannot be set.
#[cfg(unix)]
pub(super) fn thread(events: Sender<Event>) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT])?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            let wish = match signal {
                SIGTSTP => Wish::Stop,
                SIGCONT => Wish::Continued,
                _ => Wish::End,
            };
            if events.send(Event::Signal(wish)).is_err() {
                break;
            }
        }
    })?;
    Ok(())
}

/// There are none.
#[cfg(not(unix))]
pub(super) fn thread(_: Sender<Event>) -> io::Result<()> {
    Ok(())
}

/// Stops this process and whatever else is in its job; returns when it is continued.
#[cfg(unix)]
pub(super) fn stop_self() {
    // SAFETY: kill with process group 0 only sends a signal; SIGSTOP needs no handler.
    unsafe {
        libc::kill(0, libc::SIGSTOP);
    }
}

/// There is no job control.
#[cfg(not(unix))]
pub(super) fn stop_self() {}
