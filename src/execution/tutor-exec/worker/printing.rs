//! Collects what kernels print on a GPU: their `printf` writes to this process's standard output.

use crate::job::MAX_PRINTED;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, AsRawFd as _, FromRawFd as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum time that output may take through the pipe.
const ON_ITS_WAY: Duration = Duration::from_millis(500);

/// Standard output, replaced by a pipe that is read here.
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
    /// Reserves standard output for replies. Returns the file for replies; all other output is collected.
    pub(super) fn take_over() -> io::Result<(Self, File)> {
        let stdout = io::stdout();
        let replies = File::from(stdout.as_fd().try_clone_to_owned()?);
        let mut ends = [0; 2];
        // SAFETY: The array has room for both ends. From here on, each end is owned by one file.
        let (pipe, write) = unsafe {
            if libc::pipe(ends.as_mut_ptr()) != 0 {
                return Err(io::Error::last_os_error());
            }
            (File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1]))
        };
        // SAFETY: Both descriptors are open. The replaced one is only ever used through its number.
        if unsafe { libc::dup2(write.as_raw_fd(), stdout.as_fd().as_raw_fd()) } < 0 {
            return Err(io::Error::last_os_error());
        }
        let shared = Arc::new(Shared { printed: Mutex::default(), read: Condvar::new(), pipe });
        let reader = Arc::clone(&shared);
        std::thread::Builder::new().name("printf".to_owned()).spawn(move || reader.collect())?;
        Ok((Self { shared }, replies))
    }

    /// Returns what was printed since the last call, and how many bytes of it were dropped.
    pub(super) fn take(&self) -> (String, u64) {
        // SAFETY: This flushes the C library's buffers, which still hold the driver's output.
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

    /// True if there is data in the pipe.
    fn is_waiting(&self) -> bool {
        let mut asked = libc::pollfd { fd: self.pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: `poll` gets one structure and does not wait.
        unsafe { libc::poll(&raw mut asked, 1, 0) == 1 && asked.revents & libc::POLLIN != 0 }
    }

    /// Reads for as long as the process lives. Otherwise a thread that prints would wait forever.
    fn collect(&self) {
        let mut buffer = [0; 8192];
        loop {
            let mut asked = libc::pollfd { fd: self.pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: `poll` gets one structure and waits until there is data.
            if unsafe { libc::poll(&raw mut asked, 1, -1) } < 0 {
                continue;
            }
            // Read under the lock, so that data is always either in the pipe or in the buffer.
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
