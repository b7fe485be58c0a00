//! The functions that the page's scripts call, and those that they provide. All texts are UTF-8 in this module's memory.

use crate::browser_store::WriteResult;
use crate::messages::{In, Out, Start};
use crate::page::{From, Page};
use std::cell::RefCell;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Takes a message as JSON.
    fn send(bytes: *const u8, length: usize);
}

unsafe extern "C" {
    /// Runs the C library's constructors. The linker provides it.
    fn __wasm_call_ctors();
}

/// Prepares the module. Without this call, the linker would run the constructors in each exported function.
#[unsafe(no_mangle)]
extern "C" fn _initialize() {
    // SAFETY: The script calls this once, before everything else.
    unsafe { __wasm_call_ctors() }
}

thread_local! {
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
    /// The bytes that the script reads or writes next.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Sends a message to the script.
pub(crate) fn post(json: &str) {
    // SAFETY: The script reads the bytes before it returns.
    unsafe { send(json.as_ptr(), json.len()) }
}

fn post_all(messages: &[Out]) {
    for message in messages {
        if let Ok(json) = serde_json::to_string(message) {
            post(&json);
        }
    }
}

/// Makes room for bytes that the script writes before its next call. Returns their address.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// Returns the bytes that the script has written.
pub(crate) fn written() -> Vec<u8> {
    BUFFER.take()
}

fn with_page(work: impl FnOnce(&mut Page) -> Vec<Out>) {
    // The page is not borrowed while the script handles the messages.
    let out = PAGE.with_borrow_mut(|page| page.as_mut().map(work));
    post_all(&out.unwrap_or_default());
}

/// Adds the files of the archive in the buffer.
#[unsafe(no_mangle)]
extern "C" fn unpack() {
    if let Err(error) = tutor_assets::add(&written()) {
        post_all(&[Out::Failed(error.to_string())]);
    }
}

/// Reads the course. The buffer has a [`Start`].
#[unsafe(no_mangle)]
extern "C" fn begin() {
    match serde_json::from_slice::<Start>(&written()) {
        Ok(start) => {
            PAGE.set(Some(Page::new(start)));
            with_page(Page::begun);
        }
        Err(error) => post_all(&[Out::Failed(error.to_string())]),
    }
}

/// Handles an event. The buffer has an [`In`]; `now` is the time since the start in milliseconds.
#[unsafe(no_mangle)]
extern "C" fn event(now: f64) {
    match serde_json::from_slice::<In>(&written()) {
        Ok(event) => with_page(|page| page.event(event, now)),
        Err(error) => post_all(&[Out::Failed(error.to_string())]),
    }
}

/// Opens the progress file in the buffer, an empty one for a new student. It comes from the browser's storage (0), from the
/// student (1) or from another tab (2).
#[unsafe(no_mangle)]
extern "C" fn open_progress(from: u32) {
    let bytes = written();
    let from = match from {
        1 => From::Student,
        2 => From::Tab,
        _ => From::Start,
    };
    with_page(|page| page.open_progress(&bytes, from));
}

/// Carries out what waits for the store, and leaves the new file in the buffer. Returns its length, 0 if it is unchanged.
#[unsafe(no_mangle)]
extern "C" fn keep() -> usize {
    let image = PAGE.with_borrow_mut(|page| page.as_mut().map(Page::keep)).unwrap_or_default();
    let length = image.len();
    BUFFER.set(image);
    length
}

/// Returns the address of the buffer.
#[unsafe(no_mangle)]
extern "C" fn buffer() -> *const u8 {
    BUFFER.with_borrow(Vec::as_ptr)
}

/// Reports what the browser did with the file: the buffer has the reason why it is not stored, or nothing.
#[unsafe(no_mangle)]
extern "C" fn kept() {
    let why = String::from_utf8_lossy(&written()).into_owned();
    with_page(|page| page.written(if why.is_empty() { WriteResult::Stored } else { WriteResult::Refused(why) }));
}

/// Answers the request in the buffer, in a worker.
#[unsafe(no_mangle)]
extern "C" fn answer() {
    crate::worker::answer(&written());
}
