//! Gives the terminal back even if a signal kills the process: a fault, or `kill -ABRT`.

use super::terminal;
use crate::prelude::*;
use std::io;
use std::sync::OnceLock;

/// Signals that end a process immediately.
const FATAL: [libc::c_int; 7] =
    [libc::SIGABRT, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGSEGV, libc::SIGSYS, libc::SIGTRAP];

/// Previous handler of each signal in [`FATAL`].
static BEFORE: OnceLock<[libc::sigaction; FATAL.len()]> = OnceLock::new();

/// Last message of a dying tutor. It is prepared at the start, because a handler must not allocate memory.
static LAST_WORDS: OnceLock<String> = OnceLock::new();

/// Installs a handler for fatal signals. It gives the terminal back and then lets the previous handler run.
pub(super) fn ready() -> io::Result<()> {
    if BEFORE.get().is_some() {
        return Ok(());
    }
    LAST_WORDS.get_or_init(|| format!("matmul-tutor: {}\n", t!("app-died")));
    // SAFETY: all zeros is a valid sigaction.
    let mut before: [libc::sigaction; FATAL.len()] = unsafe { std::mem::zeroed() };
    for (signal, before) in FATAL.into_iter().zip(&mut before) {
        // SAFETY: only reads the current handler into a valid structure.
        if unsafe { libc::sigaction(signal, std::ptr::null(), before) } != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    BEFORE.get_or_init(|| before);
    for signal in FATAL {
        // SAFETY: the handler calls only async-signal-safe functions. It runs on the signal stack that Rust's runtime gives
        // each thread, because an overflow of the normal stack is one cause of the signal.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as *const () as libc::sighandler_t;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut action.sa_mask);
            if libc::sigaction(signal, &raw const action, std::ptr::null_mut()) != 0 {
                return Err(io::Error::last_os_error());
            }
        }
    }
    Ok(())
}

extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    if terminal::force_give_back() {
        // Rust's own message about the fault has disappeared with the alternate screen.
        terminal::write_stderr(LAST_WORDS.get().map_or("", String::as_str));
    }
    let before = BEFORE.get().and_then(|all| Some(&all[FATAL.iter().position(|fatal| *fatal == signal)?]));
    // SAFETY: sigaction, signal and raise are async-signal-safe. The system passes a valid `info` because of SA_SIGINFO.
    unsafe {
        match before {
            // A fault: on return the instruction runs again and triggers the previous handler.
            Some(before) if !info.is_null() && (*info).si_code > 0 => {
                libc::sigaction(signal, before, std::ptr::null_mut());
            }
            // A sent signal, e.g. by `abort`: applies the default action.
            _ => {
                libc::signal(signal, libc::SIG_DFL);
                libc::raise(signal);
            }
        }
    }
}
