//! Watches a process: whether it has ended, and the processor time that it has used.

use std::process::Child;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Calls `look` repeatedly until it returns a value, for at most `limit`. There is no portable way to wait for a child
/// with a limit.
pub(super) fn poll<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + limit;
    let (_keep, never) = mpsc::channel::<()>();
    loop {
        let seen = look();
        if seen.is_some() || Instant::now() >= deadline {
            return seen;
        }
        let _ = never.recv_timeout(Duration::from_millis(5));
    }
}

/// True if a child has ended. It is not reaped here if that would free its process id.
#[cfg(unix)]
pub(super) fn has_ended(child: &mut Child) -> bool {
    // SAFETY: All zeros is a valid siginfo_t, and the call writes nothing else.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        libc::waitid(libc::P_PID, child.id(), &raw mut info, options) == 0 && info.si_pid() != 0
    }
}

#[cfg(not(unix))]
pub(super) fn has_ended(child: &mut Child) -> bool {
    child.try_wait().is_ok_and(|status| status.is_some())
}

/// Returns the processor time of a process and its threads, if the system reports it.
pub fn processor_time(process: u32) -> Option<Duration> {
    /// `proc(5)`: Linux reports times to user space in hundredths of a second.
    const TICK: Duration = Duration::from_millis(10);
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is the program's name in parentheses, which may contain blanks. Fields 14 and 15 are the times.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u32>().ok();
    Some(TICK * ticks()?.saturating_add(ticks()?))
}
