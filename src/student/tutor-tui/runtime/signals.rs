//! Signals: end, stop, continue, and Ctrl-C, which is a key on Windows, where there are no signals.

use super::{Event, watchdog};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

/// True while another program uses the terminal. Ctrl-C and Ctrl-\ are then meant for that program.
static AWAY: AtomicBool = AtomicBool::new(false);

/// Runs `work`, during which another program uses the terminal.
pub(super) fn away<T>(work: impl FnOnce() -> T) -> T {
    AWAY.store(true, Ordering::SeqCst);
    let done = work();
    AWAY.store(false, Ordering::SeqCst);
    done
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code))]
pub(super) enum SignalRequest {
    End,
    /// Ctrl-C.
    Interrupt,
    Stop,
    /// Continue, after something else has stopped the process.
    Continued,
}

/// Starts the thread that listens for signals. A request to end also arms the watchdog, so that the process really ends.
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
                // The write that exceeds the limit fails, and its caller reports the error.
                SIGXFSZ => continue,
                SIGINT | SIGQUIT if AWAY.load(Ordering::SeqCst) => continue,
                SIGINT => {
                    watchdog::must_turn();
                    // The keys before it are still being read.
                    std::thread::park_timeout(2 * super::input::GAP);
                    SignalRequest::Interrupt
                }
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

/// Does nothing, because there are no signals.
#[cfg(not(unix))]
pub(super) fn thread(_: Sender<Event>) -> io::Result<()> {
    watchdog::ready();
    Ok(())
}

/// Stops this process and the other processes of its job. Returns when it is continued.
#[cfg(unix)]
pub(super) fn stop_self() {
    // SAFETY: kill with process group 0 only sends a signal, and SIGSTOP needs no handler.
    unsafe {
        libc::kill(0, libc::SIGSTOP);
    }
}

/// Does nothing, because there is no job control.
#[cfg(not(unix))]
pub(super) fn stop_self() {}
