//! Signals: end, stop, continue. On Windows there are none; Ctrl-C comes as a key.

use super::{Event, watchdog};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

/// Whether another program has the terminal: what is typed there, Ctrl-C and Ctrl-\ too, is for that one.
static AWAY: AtomicBool = AtomicBool::new(false);

/// Does something while another program has the terminal.
pub(super) fn away<T>(work: impl FnOnce() -> T) -> T {
    AWAY.store(true, Ordering::SeqCst);
    let done = work();
    AWAY.store(false, Ordering::SeqCst);
    done
}

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code))]
pub(super) enum SignalRequest {
    /// Leave, as with quit.
    End,
    /// Stop, as with Ctrl-Z.
    Stop,
    /// The tutor was stopped from outside and goes on.
    Continued,
}

/// Listens for signals. One that asks for the end is not only passed on, but seen to.
///
/// # Errors
/// If a handler cannot be set.
#[cfg(unix)]
pub(super) fn thread(events: Sender<Event>) -> io::Result<()> {
    use signal_hook::consts::{
        SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
        SIGXFSZ,
    };
    watchdog::ready();
    super::rescue::ready()?;
    let mut signals = signal_hook::iterator::Signals::new([
        SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
        SIGXFSZ,
    ])?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            let request = match signal {
                SIGTSTP => SignalRequest::Stop,
                SIGCONT => SignalRequest::Continued,
                // The write that was too long fails, and whoever wrote says so.
                SIGXFSZ => continue,
                SIGINT | SIGQUIT if AWAY.load(Ordering::SeqCst) => continue,
                _ => {
                    watchdog::must_end();
                    SignalRequest::End
                }
            };
            if events.send(Event::Signal(request)).is_err() {
                break;
            }
        }
    })?;
    Ok(())
}

/// There are none.
#[cfg(not(unix))]
pub(super) fn thread(_: Sender<Event>) -> io::Result<()> {
    watchdog::ready();
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
