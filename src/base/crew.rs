//! The threads that share work.

use std::sync::mpsc;

/// How many the system has for this process.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Starts so many. Where the address space is limited to less than all of them need, there are as many as it has room for;
/// a pool that fails to start would end the program later, in the middle of its work.
pub fn start(wanted: usize) {
    // Rayon's own variable says it, or 0 stands for it.
    let named = std::env::var_os("RAYON_NUM_THREADS").is_some();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(if named { 0 } else { wanted });
    let pool = match is_limited().then(|| room_for(wanted)) {
        None => pool,
        Some(0) => pool.num_threads(1).use_current_thread(),
        Some(room) => pool.num_threads(room),
    };
    // It fails only if it was started before.
    let _ = pool.build_global();
}

/// Whether the address space has a limit.
#[cfg(unix)]
fn is_limited() -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: fills the structure.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) == 0 && limit.rlim_cur != libc::RLIM_INFINITY }
}

#[cfg(not(unix))]
fn is_limited() -> bool {
    false
}

/// How many threads can be there at once, up to so many; half of what is found, as they need memory for their work, too.
fn room_for(wanted: usize) -> usize {
    let (keep, held) = mpsc::channel::<()>();
    let held = std::sync::Arc::new(std::sync::Mutex::new(held));
    let threads: Vec<_> = (0..wanted * 2)
        .map_while(|_| {
            let held = std::sync::Arc::clone(&held);
            // Until the channel's other end is gone.
            let wait = move || drop(held.lock().map(|held| held.recv()));
            std::thread::Builder::new().spawn(wait).ok()
        })
        .collect();
    drop(keep);
    let found = threads.len();
    threads.into_iter().for_each(|thread| drop(thread.join()));
    found / 2
}
