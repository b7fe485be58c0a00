//! The threads of the process-wide Rayon pool.

use std::sync::mpsc;

/// Returns the number of threads that the system can run at the same time for this process.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Starts the global pool with `wanted` threads. If the address space has a limit, it starts only as many threads as
/// fit: a pool that fails to start would end the program later, in the middle of its work.
pub fn start(wanted: usize) {
    // 0 means that Rayon chooses. It reads this variable.
    let named = std::env::var_os("RAYON_NUM_THREADS").is_some();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(if named { 0 } else { wanted });
    let pool = match is_limited().then(|| room_for(wanted)) {
        None => pool,
        Some(0) => pool.num_threads(1).use_current_thread(),
        Some(room) => pool.num_threads(room),
    };
    // This fails only if the pool already exists.
    let _ = pool.build_global();
}

/// True if the address space has a limit.
#[cfg(unix)]
fn is_limited() -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `getrlimit` writes to `limit` only, which lives until the call returns.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) == 0 && limit.rlim_cur != libc::RLIM_INFINITY }
}

#[cfg(not(unix))]
fn is_limited() -> bool {
    false
}

/// Returns how many threads can exist at once, up to `wanted`. It is half of what could be started, because threads
/// also need memory for their work.
fn room_for(wanted: usize) -> usize {
    let (keep, held) = mpsc::channel::<()>();
    let held = std::sync::Arc::new(std::sync::Mutex::new(held));
    let threads: Vec<_> = (0..wanted * 2)
        .map_while(|_| {
            let held = std::sync::Arc::clone(&held);
            // Blocks until the channel's other end is dropped.
            let wait = move || drop(held.lock().map(|held| held.recv()));
            std::thread::Builder::new().spawn(wait).ok()
        })
        .collect();
    drop(keep);
    let found = threads.len();
    threads.into_iter().for_each(|thread| drop(thread.join()));
    found / 2
}
