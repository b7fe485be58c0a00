//! Reads keys, mouse events, pasted text and resizes on a thread that pauses while an editor uses the terminal.

use super::{Event, watchdog};
use crate::prelude::*;
use crossterm::event::{self, Event as Terminal, KeyCode, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use std::io;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Longest wait for input, and so the longest time until a pause begins.
const LOOK: Duration = Duration::from_millis(100);
/// Rows that one step of the mouse wheel scrolls.
const NOTCH: i16 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Reading,
    /// The thread should stop reading.
    Pausing,
    Paused,
}

pub(super) struct InputThread {
    state: Arc<(Mutex<State>, Condvar)>,
}

impl InputThread {
    pub(super) fn start(events: Sender<Event>) -> io::Result<Self> {
        let state = Arc::new((Mutex::new(State::Reading), Condvar::new()));
        let shared = Arc::clone(&state);
        std::thread::Builder::new().name("input".into()).spawn(move || read(&shared, &events))?;
        Ok(Self { state })
    }

    /// Stops reading. After the return, the thread takes nothing from the terminal.
    pub(super) fn pause(&self) {
        let (lock, changed) = &*self.state;
        let mut state = lock.lock().unwrap_or_else(PoisonError::into_inner);
        if *state == State::Reading {
            *state = State::Pausing;
            // Limits the wait, because the thread may have ended together with its terminal.
            let waited = changed.wait_timeout_while(state, 4 * LOOK, |state| *state != State::Paused);
            drop(waited);
        }
    }

    pub(super) fn go_on(&self) {
        let (lock, changed) = &*self.state;
        *lock.lock().unwrap_or_else(PoisonError::into_inner) = State::Reading;
        changed.notify_all();
    }
}

fn read(shared: &(Mutex<State>, Condvar), events: &Sender<Event>) {
    let (lock, changed) = shared;
    loop {
        let mut state = lock.lock().unwrap_or_else(PoisonError::into_inner);
        while *state != State::Reading {
            *state = State::Paused;
            changed.notify_all();
            state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        match event::poll(LOOK) {
            Ok(false) => {}
            Ok(true) => {
                let Ok(event) = event::read().map(apart) else { break };
                if is_ctrl_c(&event) {
                    watchdog::must_turn();
                }
                if let Some(input) = input(event)
                    && events.send(Event::Msg(input.into())).is_err()
                {
                    return;
                }
            }
            Err(_) => break,
        }
    }
    // Without a terminal, the student cannot press quit.
    watchdog::must_end();
    let _ = events.send(Event::Signal(super::signals::SignalRequest::End));
}

const CTRL_C: KeyEvent = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);

/// Turns Ctrl-Alt-C into Ctrl-C. An Escape immediately followed by Ctrl-C arrives like this, and must end the tutor, too.
fn apart(event: Terminal) -> Terminal {
    let both = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL | KeyModifiers::ALT);
    if event == Terminal::Key(both) { Terminal::Key(CTRL_C) } else { event }
}

fn is_ctrl_c(event: &Terminal) -> bool {
    matches!(event, Terminal::Key(key) if *key == CTRL_C)
}

fn input(event: Terminal) -> Option<Input> {
    match event {
        Terminal::Key(key) if key.kind != KeyEventKind::Release => Some(Input::Key(key)),
        Terminal::Paste(text) => Some(Input::Paste(text)),
        Terminal::Resize(width, height) => Some(Input::Resize(Size { width, height })),
        Terminal::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => Some(Input::Click { x: mouse.column, y: mouse.row }),
            MouseEventKind::ScrollUp => Some(Input::Wheel(-NOTCH)),
            MouseEventKind::ScrollDown => Some(Input::Wheel(NOTCH)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctrl_c_right_behind_an_escape_is_ctrl_c() {
        let key = |modifiers| Terminal::Key(KeyEvent::new(KeyCode::Char('c'), modifiers));
        assert!(is_ctrl_c(&apart(key(KeyModifiers::CONTROL | KeyModifiers::ALT))));
        assert!(is_ctrl_c(&apart(key(KeyModifiers::CONTROL))));
        assert!(!is_ctrl_c(&apart(key(KeyModifiers::ALT))));
    }
}
