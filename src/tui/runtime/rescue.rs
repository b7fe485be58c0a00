//! The terminal is given back even where the process dies of a signal: a fault of its own, or `kill -ABRT`.

use super::terminal;
use std::io;
use std::sync::OnceLock;
use tutor_base::t;

/// Signals that end a process in the middle of what it does.
const FATAL: [libc::c_int; 7] =
    [libc::SIGABRT, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGSEGV, libc::SIGSYS, libc::SIGTRAP];

/// What handled each of [`FATAL`] before.
static BEFORE: OnceLock<[libc::sigaction; FATAL.len()]> = OnceLock::new();

/// What is said of a tutor that dies. Made at the start: later there may be no memory for it.
static LAST_WORDS: OnceLock<String> = OnceLock::new();

/// From now on a fatal signal gives the terminal back first; whoever handled it before then gets it.
///
/// # Errors
/// If a handler cannot be set.
pub(super) fn ready() -> io::Result<()> {
    if BEFORE.get().is_some() {
        return Ok(());
    }
    LAST_WORDS.get_or_init(|| format!("matmul-tutor: {}\n", t!("app-died")));
    // SAFETY: all zeros is a valid sigaction.
    let mut before: [libc::sigaction; FATAL.len()] = unsafe { std::mem::zeroed() };
    for (signal, before) in FATAL.into_iter().zip(&mut before) {
        // SAFETY: asks for what is set; the structure is valid.
        if unsafe { libc::sigaction(signal, std::ptr::null(), before) } != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    BEFORE.get_or_init(|| before);
    for signal in FATAL {
        // SAFETY: the handler calls nothing that is not async-signal-safe. It runs on the stack for signals that the
        // runtime gives each thread, as a stack that has overflowed is one reason for it.
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
        // What Rust says of a fault has gone with the screen it was written on.
        terminal::write_stderr(LAST_WORDS.get().map_or("", String::as_str));
    }
    let before = BEFORE.get().and_then(|all| Some(&all[FATAL.iter().position(|fatal| *fatal == signal)?]));
    // SAFETY: sigaction, signal and raise are async-signal-safe; `info` is what the system passes with SA_SIGINFO.
    unsafe {
        match before {
            // A faulting instruction runs again, and meets the former handler.
            Some(before) if !info.is_null() && (*info).si_code > 0 => {
                libc::sigaction(signal, before, std::ptr::null_mut());
            }
            // A signal that was sent, by `abort` too, does what it does to a process without a handler.
            _ => {
                libc::signal(signal, libc::SIG_DFL);
                libc::raise(signal);
            }
        }
    }
}
