//! Takes over the terminal, and always gives it back.

use crate::prelude::*;
use crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::mem::ManuallyDrop;
#[cfg(unix)]
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// True while the tutor uses the terminal, so that it is given back only once.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// State of the terminal before the tutor first took it, for [`force_give_back`].
#[cfg(unix)]
static BEFORE: OnceLock<libc::termios> = OnceLock::new();
/// Bytes that undo everything that [`take`] writes, for [`force_give_back`].
#[cfg(unix)]
static UNDO: OnceLock<Vec<u8>> = OnceLock::new();

/// True if standard input and output are terminals.
pub(super) fn is_there() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

pub(super) fn size() -> io::Result<Size> {
    let (width, height) = crossterm::terminal::size()?;
    Ok(Size { width, height })
}

/// Makes a panic give the terminal back first, so that its message can be read.
pub(super) fn restore_on_panic() {
    let ui = std::thread::current().id();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        tracing::error!("{info}");
        // A panic on another thread ends only that thread; the screen stays.
        if std::thread::current().id() == ui {
            give_back();
            hook(info);
        }
    }));
}

/// The terminal while the tutor uses it.
pub(super) struct Screenful {
    /// Never dropped, because the drop would panic if the terminal is gone. [`give_back`] restores the cursor instead.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<BufWriter<Stdout>>>>,
}

impl Screenful {
    /// Takes over the terminal.
    ///
    /// # Errors
    /// If it cannot be set up. The terminal is then given back.
    pub(super) fn take() -> io::Result<Self> {
        // The mono theme implements NO_COLOR; crossterm's own implementation would also remove bold and reverse.
        crossterm::style::force_color_output(true);
        let backend = CrosstermBackend::new(BufWriter::with_capacity(1 << 16, io::stdout()));
        let screen = Self { terminal: ManuallyDrop::new(Terminal::new(backend)?) };
        take().inspect_err(|_| give_back())?;
        Ok(screen)
    }

    /// Takes the terminal again after it was given back, or after another program may have changed it.
    pub(super) fn retake(&mut self) -> io::Result<()> {
        take()?;
        self.clear()
    }

    /// Gives the terminal back temporarily.
    pub(super) fn give_back(&mut self) {
        give_back();
    }

    /// Clears the screen, so that the next frame draws everything.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        // `Terminal::clear` would query the cursor position, and the input thread would receive the reply.
        execute!(io::stdout(), Clear(ClearType::All))?;
        // Each swap empties one buffer, so two swaps empty both.
        self.terminal.swap_buffers();
        self.terminal.swap_buffers();
        Ok(())
    }

    /// Draws a frame in one synchronized update.
    pub(super) fn draw(&mut self, view: impl FnOnce(&mut Frame) -> Hits) -> io::Result<Hits> {
        let mut hits = Hits::new();
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| hits = view(frame))?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        Ok(hits)
    }
}

impl Drop for Screenful {
    fn drop(&mut self) {
        give_back();
    }
}

fn take() -> io::Result<()> {
    #[cfg(unix)]
    {
        let mut bytes = Vec::new();
        undo(&mut bytes)?;
        UNDO.get_or_init(|| bytes);
        if let Some(state) = state() {
            BEFORE.get_or_init(|| state);
        }
    }
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    #[cfg(unix)]
    make_ctrl_c_a_signal();
    // A tutor that was killed may have left its screen behind.
    execute!(
        io::stdout(),
        EnterAlternateScreen,
        Clear(ClearType::All),
        EnableMouseCapture,
        EnableBracketedPaste,
        cursor::Hide
    )
}

/// Makes Ctrl-C a signal. As a key, it would not be read within an escape sequence that never ends.
#[cfg(unix)]
fn make_ctrl_c_a_signal() {
    let Some(mut state) = state() else { return };
    // The keys and the output that are on their way are not thrown away.
    state.c_lflag |= libc::ISIG | libc::NOFLSH;
    state.c_cc[libc::VINTR] = 3;
    for unused in [libc::VQUIT, libc::VSUSP] {
        state.c_cc[unused] = libc::_POSIX_VDISABLE;
    }
    // SAFETY: the structure is valid. If the call fails, Ctrl-C remains a key.
    unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, &raw const state) };
}

/// Writes the bytes that undo everything that [`take`] writes. The mouse comes last: on Windows a call releases it, which
/// fails if it was not captured.
fn undo(out: &mut impl Write) -> io::Result<()> {
    queue!(out, EndSynchronizedUpdate, DisableBracketedPaste, LeaveAlternateScreen, cursor::Show, DisableMouseCapture)
}

/// Restores the terminal. Ignores errors, because the terminal may be gone.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let mut out = io::stdout();
        let _ = undo(&mut out);
        let _ = disable_raw_mode();
        let _ = out.flush();
    }
}

/// Gives the terminal back for good, even if another thread is writing to it. Returns true if the tutor still had it.
///
/// It takes no lock, allocates no memory and hardly waits, so a signal handler may call it.
#[cfg(unix)]
pub(super) fn force_give_back() -> bool {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return false;
    }
    if !is_ready(libc::STDOUT_FILENO) {
        // Ctrl-S or a slow connection has stopped the output. The queued output belongs to the lost screen, so it is
        // discarded.
        // SAFETY: these calls only change the state of a terminal, and fail for anything else.
        unsafe {
            libc::tcflow(libc::STDOUT_FILENO, libc::TCOON);
            libc::tcflush(libc::STDOUT_FILENO, libc::TCOFLUSH);
        }
    }
    if let Some(undo) = UNDO.get() {
        write_if_ready(libc::STDOUT_FILENO, undo);
    }
    if let Some(before) = BEFORE.get() {
        // SAFETY: tcgetattr has filled the structure. TCSANOW does not wait for output.
        unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, before) };
    }
    true
}

#[cfg(not(unix))]
pub(super) fn force_give_back() {
    give_back();
}

/// Writes to standard error without taking a lock.
pub(super) fn write_stderr(text: &str) {
    #[cfg(unix)]
    write_if_ready(libc::STDERR_FILENO, text.as_bytes());
    #[cfg(not(unix))]
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Returns the state of the terminal at standard input.
#[cfg(unix)]
fn state() -> Option<libc::termios> {
    let mut state = std::mem::MaybeUninit::<libc::termios>::uninit();
    // SAFETY: tcgetattr fills the whole structure when it returns 0.
    unsafe { (libc::tcgetattr(libc::STDIN_FILENO, state.as_mut_ptr()) == 0).then(|| state.assume_init()) }
}

/// True if a write would not block. Waits at most 100 ms for that.
#[cfg(unix)]
fn is_ready(fd: libc::c_int) -> bool {
    let mut asked = libc::pollfd { fd, events: libc::POLLOUT, revents: 0 };
    // SAFETY: passes one valid structure, and a time limit.
    unsafe { libc::poll(&raw mut asked, 1, 100) == 1 && asked.revents & libc::POLLOUT != 0 }
}

/// Writes the bytes, unless the write would block.
#[cfg(unix)]
fn write_if_ready(fd: libc::c_int, bytes: &[u8]) {
    if is_ready(fd) {
        // SAFETY: the pointer is valid for the length. An error is ignored, because nothing is left to report it to.
        unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
    }
}
