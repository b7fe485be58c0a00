//! What kernels print on a GPU: their `printf` writes to this process's standard output.

use crate::job::MAX_PRINTED;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, AsRawFd as _, FromRawFd as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long what was printed may be on its way through the pipe.
const ON_ITS_WAY: Duration = Duration::from_millis(500);

/// Standard output, turned into a pipe with its reader here.
pub(super) struct Printing {
    shared: Arc<Shared>,
}

struct Shared {
    printed: Mutex<Printed>,
    read: Condvar,
    pipe: File,
}

#[derive(Default)]
struct Printed {
    bytes: Vec<u8>,
    cut: u64,
}

impl Printing {
    /// Takes standard output for replies alone, which go to the file; what else prints there is collected.
    ///
    /// # Errors
    /// If there is no descriptor or thread to be had.
    pub(super) fn take_over() -> io::Result<(Self, File)> {
        let stdout = io::stdout();
        let replies = File::from(stdout.as_fd().try_clone_to_owned()?);
        let mut ends = [0; 2];
        // SAFETY: the array has room for both ends, and each is owned by one file from here on.
        let (pipe, write) = unsafe {
            if libc::pipe(ends.as_mut_ptr()) != 0 {
                return Err(io::Error::last_os_error());
            }
            (File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1]))
        };
        // SAFETY: both descriptors are open; the replaced one is only ever used through its number.
        if unsafe { libc::dup2(write.as_raw_fd(), stdout.as_fd().as_raw_fd()) } < 0 {
            return Err(io::Error::last_os_error());
        }
        let shared = Arc::new(Shared { printed: Mutex::default(), read: Condvar::new(), pipe });
        let reader = Arc::clone(&shared);
        std::thread::Builder::new().name("printf".to_owned()).spawn(move || reader.collect())?;
        Ok((Self { shared }, replies))
    }

    /// What was printed since the last call, and how many bytes of it were not kept.
    pub(super) fn take(&self) -> (String, u64) {
        // SAFETY: flushes the C library's buffers, in which the driver's output still lies.
        unsafe { libc::fflush(std::ptr::null_mut()) };
        let printed = self.shared.lock();
        let waited = self.shared.read.wait_timeout_while(printed, ON_ITS_WAY, |_| self.shared.is_waiting());
        let mut printed = waited.unwrap_or_else(PoisonError::into_inner).0;
        let Printed { bytes, cut } = std::mem::take(&mut *printed);
        (String::from_utf8_lossy(&bytes).into_owned(), cut)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Printed> {
        self.printed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the pipe holds something.
    fn is_waiting(&self) -> bool {
        let mut asked = libc::pollfd { fd: self.pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one structure; no waiting.
        unsafe { libc::poll(&raw mut asked, 1, 0) == 1 && asked.revents & libc::POLLIN != 0 }
    }

    /// Reads on for as long as the process lives; else whoever prints would wait for ever.
    fn collect(&self) {
        let mut buffer = [0; 8192];
        loop {
            let mut asked = libc::pollfd { fd: self.pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: one structure; waits until there is something.
            if unsafe { libc::poll(&raw mut asked, 1, -1) } < 0 {
                continue;
            }
            // Under the lock, so that nothing is neither in the pipe nor here.
            let mut printed = self.lock();
            let Ok(read @ 1..) = (&self.pipe).read(&mut buffer) else { break };
            let kept = read.min(MAX_PRINTED - printed.bytes.len());
            printed.bytes.extend_from_slice(&buffer[..kept]);
            printed.cut += (read - kept) as u64;
            drop(printed);
            self.read.notify_all();
        }
    }
}
