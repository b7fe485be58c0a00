//! Local memory of each thread: the kernel's local variables, followed by the stack.

/// Local memory of a block's threads. All have the same size: the largest that any of them has needed.
#[derive(Debug, Default)]
pub(crate) struct Local {
    bytes: Vec<u8>,
    each: usize,
    /// Value of each unwritten byte.
    unwritten: u8,
    /// One flag per byte that was written, if reads of unwritten bytes are to be found.
    written: Option<Vec<bool>>,
}

impl Local {
    pub(crate) fn new(each: u64, threads: u32, unwritten: u8) -> Self {
        let bytes = vec![unwritten; each as usize * threads as usize];
        Self { bytes, each: each as usize, unwritten, written: None }
    }

    /// Records from now on which bytes have been written.
    pub(crate) fn watched(mut self) -> Self {
        self.written = Some(vec![false; self.bytes.len()]);
        self
    }

    /// True if it is known that a thread has written none of these bytes. One written byte is enough, because
    /// structures are copied together with their padding.
    pub(crate) fn is_unwritten(&self, thread: usize, at: u64, len: usize) -> bool {
        let flags = self.written.as_ref().and_then(|written| written.get(self.range(thread, at, len)?));
        flags.is_some_and(|flags| !flags.contains(&true))
    }

    /// Lets bytes of a thread count as unwritten, because their value is undefined.
    #[cold]
    pub(crate) fn forget(&mut self, thread: usize, at: u64, len: usize) {
        let range = self.range(thread, at, len).unwrap_or_default();
        self.written.iter_mut().for_each(|written| written[range.clone()].fill(false));
    }

    /// Returns the number of bytes per thread.
    #[inline(always)]
    pub(crate) fn each(&self) -> u64 {
        self.each as u64
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.fill(self.unwritten);
        self.written.iter_mut().for_each(|written| written.fill(false));
    }

    /// Gives each thread at least `each` bytes.
    pub(crate) fn grow(&mut self, each: u64, threads: u32) {
        if each <= self.each as u64 {
            return;
        }
        let mut new = Self::new(each.next_multiple_of(16), threads, self.unwritten);
        if self.written.is_some() {
            new = new.watched();
        }
        let old = std::mem::replace(self, new);
        if old.each != 0 {
            for (to, from) in self.bytes.chunks_exact_mut(self.each).zip(old.bytes.chunks_exact(old.each)) {
                to[..old.each].copy_from_slice(from);
            }
            if let (Some(to), Some(from)) = (&mut self.written, &old.written) {
                for (to, from) in to.chunks_exact_mut(self.each).zip(from.chunks_exact(old.each)) {
                    to[..old.each].copy_from_slice(from);
                }
            }
        }
    }

    /// Returns the range of a thread's bytes, unless it leaves the thread's memory.
    fn range(&self, thread: usize, at: u64, len: usize) -> Option<std::ops::Range<usize>> {
        let at = usize::try_from(at).ok().filter(|at| at.saturating_add(len) <= self.each)?;
        let start = thread * self.each + at;
        Some(start..start + len)
    }

    pub(crate) fn get(&self, thread: usize, at: u64, len: usize) -> Option<&[u8]> {
        self.bytes.get(self.range(thread, at, len)?)
    }

    pub(crate) fn get_mut(&mut self, thread: usize, at: u64, len: usize) -> Option<&mut [u8]> {
        let range = self.range(thread, at, len)?;
        if let Some(flags) = self.written.as_mut().and_then(|written| written.get_mut(range.clone())) {
            flags.fill(true);
        }
        self.bytes.get_mut(range)
    }

    /// Copies bytes within the memory of one thread.
    pub(crate) fn copy(&mut self, thread: usize, from: u64, to: u64, len: usize) {
        if let (Some(from), Some(to)) = (self.range(thread, from, len), self.range(thread, to, len)) {
            if let Some(written) = &mut self.written {
                written.copy_within(from.clone(), to.start);
            }
            self.bytes.copy_within(from, to.start);
        }
    }
}
