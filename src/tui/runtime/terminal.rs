//! The terminal: taken whole, and always given back.

use crate::screens::Hits;
use crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Size;
use ratatui::{Frame, Terminal};
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::mem::ManuallyDrop;
#[cfg(unix)]
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the tutor has the terminal; whoever gives it back asks.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// How the terminal was when it was first taken, for [`force_give_back`].
#[cfg(unix)]
static BEFORE: OnceLock<libc::termios> = OnceLock::new();
/// What undoes all that [`take`] writes, for [`force_give_back`].
#[cfg(unix)]
static UNDO: OnceLock<Vec<u8>> = OnceLock::new();

/// Whether input and output are a terminal.
pub(super) fn is_there() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

pub(super) fn size() -> io::Result<Size> {
    let (width, height) = crossterm::terminal::size()?;
    Ok(Size { width, height })
}

/// Gives the terminal back before a panic is told, so that it can be read.
pub(super) fn restore_on_panic() {
    let ui = std::thread::current().id();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        tracing::error!("{info}");
        // A thread's panic ends that thread only; the screen stays.
        if std::thread::current().id() == ui {
            give_back();
            hook(info);
        }
    }));
}

/// The terminal while the tutor has it.
pub(super) struct Screenful {
    /// Never dropped: that would show the cursor, as [`give_back`] does, and panic where the terminal is gone.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<BufWriter<Stdout>>>>,
}

impl Screenful {
    /// Takes the terminal.
    ///
    /// # Errors
    /// If it cannot be set up; it is then given back.
    pub(super) fn take() -> io::Result<Self> {
        // The mono theme does what NO_COLOR asks; crossterm's own way would wipe bold and reverse.
        crossterm::style::force_color_output(true);
        let backend = CrosstermBackend::new(BufWriter::with_capacity(1 << 16, io::stdout()));
        let screen = Self { terminal: ManuallyDrop::new(Terminal::new(backend)?) };
        take().inspect_err(|_| give_back())?;
        Ok(screen)
    }

    /// Takes the terminal again after it was given back, or after someone else may have changed it.
    pub(super) fn retake(&mut self) -> io::Result<()> {
        take()?;
        self.clear()
    }

    /// Gives the terminal back for a while.
    pub(super) fn give_back(&mut self) {
        give_back();
    }

    /// Forgets what is on the screen.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        // `Terminal::clear` asks the terminal where the cursor is, and the input thread would get the answer.
        execute!(io::stdout(), Clear(ClearType::All))?;
        // A swap empties the buffer that was drawn from; after two, both are empty.
        self.terminal.swap_buffers();
        self.terminal.swap_buffers();
        Ok(())
    }

    /// Draws a frame, shown at once.
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

/// Writes what undoes all that [`take`] writes. On Windows the mouse is given back by a call, which fails if it was not
/// taken: that comes last.
fn undo(out: &mut impl Write) -> io::Result<()> {
    queue!(out, EndSynchronizedUpdate, DisableBracketedPaste, LeaveAlternateScreen, cursor::Show, DisableMouseCapture)
}

/// Gives the terminal back as it was. It may be gone, so nothing is asked of it.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let mut out = io::stdout();
        let _ = undo(&mut out);
        let _ = disable_raw_mode();
        let _ = out.flush();
    }
}

/// Gives the terminal back for good while another thread may be in the middle of writing to it, or this one of anything:
/// takes no lock, allocates nothing, does not wait, and so may be called from a signal's handler. Says whether it was still
/// taken.
#[cfg(unix)]
pub(super) fn force_give_back() -> bool {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return false;
    }
    if !is_ready(libc::STDOUT_FILENO) {
        // Held by Ctrl-S, or by a line that does not keep up: what waits to be shown is the lost screen's.
        // SAFETY: these only change the state of a terminal, and fail for anything else.
        unsafe {
            libc::tcflow(libc::STDOUT_FILENO, libc::TCOON);
            libc::tcflush(libc::STDOUT_FILENO, libc::TCOFLUSH);
        }
    }
    if let Some(undo) = UNDO.get() {
        write_if_ready(libc::STDOUT_FILENO, undo);
    }
    if let Some(before) = BEFORE.get() {
        // SAFETY: the structure was filled by tcgetattr. TCSANOW does not wait for output.
        unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, before) };
    }
    true
}

#[cfg(not(unix))]
pub(super) fn force_give_back() {
    give_back();
}

/// Says something on standard error without a lock.
pub(super) fn write_stderr(text: &str) {
    #[cfg(unix)]
    write_if_ready(libc::STDERR_FILENO, text.as_bytes());
    #[cfg(not(unix))]
    let _ = io::stderr().write_all(text.as_bytes());
}

/// The state of the terminal that is read from.
#[cfg(unix)]
fn state() -> Option<libc::termios> {
    let mut state = std::mem::MaybeUninit::<libc::termios>::uninit();
    // SAFETY: tcgetattr fills the whole structure when it gives 0.
    unsafe { (libc::tcgetattr(libc::STDIN_FILENO, state.as_mut_ptr()) == 0).then(|| state.assume_init()) }
}

/// Whether a write would not wait.
#[cfg(unix)]
fn is_ready(fd: libc::c_int) -> bool {
    let mut asked = libc::pollfd { fd, events: libc::POLLOUT, revents: 0 };
    // SAFETY: one structure, and a time limit.
    unsafe { libc::poll(&raw mut asked, 1, 100) == 1 && asked.revents & libc::POLLOUT != 0 }
}

/// Writes at once or not at all.
#[cfg(unix)]
fn write_if_ready(fd: libc::c_int, bytes: &[u8]) {
    if is_ready(fd) {
        // SAFETY: the bytes are valid for their length. A terminal that is gone is nothing to tell anybody about.
        unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
    }
}
