/*! Reads keys, mouse events, pasted text and resizes on a thread that pauses while an editor uses the terminal.

Not every key event was typed. A terminal without bracketed paste sends a pasted text as keys, and a terminal that replies
late to a query of another program sends the reply as keys. A person does not type [`MIN_PASTE`] keys within [`GAP`] of each
other. So [`Burst`] collects keys that arrive together: they are a paste, which answers nothing, or a reply, which is ignored.
*/

use super::{Event, watchdog};
use crate::prelude::*;
use crossterm::event::{self, Event as Terminal, KeyCode, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use std::io;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Longest wait for input, and so the longest time until a pause begins.
const LOOK: Duration = Duration::from_millis(100);
/// Maximum time between two keys that arrive together.
pub(super) const GAP: Duration = Duration::from_millis(8);
/// Minimum number of different keys that arrive together and are a paste. Fewer may have waited for a busy machine.
const MIN_PASTE: usize = 3;
/// Number of keys that are passed on as one paste although more follow.
const MAX_PASTE: usize = 4096;
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
    let mut burst = Burst::default();
    loop {
        let mut state = lock.lock().unwrap_or_else(PoisonError::into_inner);
        while *state != State::Reading {
            *state = State::Paused;
            changed.notify_all();
            state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        let wait = if burst.keys.is_empty() { LOOK } else { GAP };
        let inputs = match event::poll(wait) {
            Ok(false) => burst.end(),
            Ok(true) => {
                let Ok(event) = event::read() else { break };
                if is_ctrl_c(&event) {
                    watchdog::must_turn();
                }
                burst.take(event)
            }
            Err(_) => break,
        };
        for input in inputs {
            if events.send(Event::Msg(input.into())).is_err() {
                return;
            }
        }
    }
    // Without a terminal, the student cannot press quit.
    watchdog::must_end();
    let _ = events.send(Event::Signal(super::signals::SignalRequest::End));
}

pub(super) const CTRL_C: KeyEvent = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);

fn is_ctrl_c(event: &Terminal) -> bool {
    matches!(event, Terminal::Key(key) if *key == CTRL_C)
}

/// Keys that have arrived together.
#[derive(Debug, Default)]
struct Burst {
    keys: Vec<KeyEvent>,
    /// True after the beginning of a terminal's reply, until its end or a pause.
    reply: bool,
}

impl Burst {
    /// Takes an event. Returns the input that is complete.
    fn take(&mut self, event: Terminal) -> Vec<Input> {
        let Some(input) = input(event) else { return Vec::new() };
        let Input::Key(key) = input else { return self.end().into_iter().chain([input]).collect() };
        let alt = key.modifiers == KeyModifiers::ALT;
        match key.code {
            // A reply is text between two escape sequences, which have the form of Alt and a character.
            KeyCode::Char('\\') if alt => self.reply = false,
            KeyCode::Char('g') if key.modifiers == KeyModifiers::CONTROL && self.arrives() => self.reply = false,
            _ if self.reply && key != CTRL_C => {}
            KeyCode::Char(']' | 'P' | '_' | '^') if alt => {
                let typed = self.end();
                self.reply = true;
                return typed;
            }
            KeyCode::Char(_) | KeyCode::Enter | KeyCode::Tab if (key.modifiers - KeyModifiers::SHIFT).is_empty() => {
                self.keys.push(key);
                return if self.keys.len() < MAX_PASTE { Vec::new() } else { self.end() };
            }
            _ => return self.end().into_iter().chain([Input::Key(key)]).collect(),
        }
        self.keys.clear();
        Vec::new()
    }

    /// True if keys or a reply have arrived just now.
    fn arrives(&self) -> bool {
        self.reply || !self.keys.is_empty()
    }

    /// Returns what the collected keys are, after a pause or before another event.
    fn end(&mut self) -> Vec<Input> {
        self.reply = false;
        let keys = std::mem::take(&mut self.keys);
        // A key that is held down repeats.
        let repeats = keys.windows(2).all(|pair| pair[0] == pair[1]);
        if keys.len() < MIN_PASTE || repeats {
            return keys.into_iter().map(Input::Key).collect();
        }
        let text = keys.iter().map(|key| match key.code {
            KeyCode::Char(c) => c,
            KeyCode::Tab => '\t',
            _ => '\n',
        });
        let text: String = text.collect();
        if is_reply(&text) { Vec::new() } else { vec![Input::Paste(text)] }
    }
}

/// True for the text of a terminal's reply whose beginning got lost: attributes such as `?61;4;6c`, or a colour.
fn is_reply(text: &str) -> bool {
    let numbers = |text: &str| text.contains(';') && text.chars().all(|c| c.is_ascii_digit() || "?>;$".contains(c));
    text.contains(";rgb:") || text.strip_suffix(['c', 'R', 'y', 'n', 't']).is_some_and(numbers)
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

    /// Sends a text as a terminal sends it: each `\u{1b}` and the next character are Alt with this character.
    fn sent(burst: &mut Burst, text: &str) -> Vec<Input> {
        let mut characters = text.chars();
        let mut inputs = Vec::new();
        while let Some(c) = characters.next() {
            let key = match c {
                '\r' => KeyEvent::from(KeyCode::Enter),
                '\u{7}' => KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL),
                '\u{1b}' => KeyEvent::new(KeyCode::Char(characters.next().unwrap()), KeyModifiers::ALT),
                c => KeyEvent::from(KeyCode::Char(c)),
            };
            inputs.extend(burst.take(Terminal::Key(key)));
        }
        inputs
    }

    fn read(parts: &[&str]) -> String {
        let mut burst = Burst::default();
        let mut inputs = Vec::new();
        for part in parts {
            inputs.extend(sent(&mut burst, part));
            inputs.extend(burst.end());
        }
        let shown = inputs.iter().map(|input| match input {
            Input::Key(key) => key.code.to_string(),
            Input::Paste(text) => format!("paste {text:?}"),
            other => format!("{other:?}"),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn keys_that_arrive_together_are_a_paste_which_has_no_enter() {
        assert_eq!(read(&["a = b;\rbreak;\r"]), r#"paste "a = b;\nbreak;\n""#);
        assert_eq!(read(&["n", "a\r"]), "n a Enter");
        assert_eq!(read(&["jjjjjj"]), "j j j j j j");
    }

    #[test]
    fn late_replies_of_a_terminal_are_no_keys() {
        for reply in [
            "\u{1b}]11;rgb:1414/1919/1f1f\u{1b}\\",
            "\u{1b}]10;rgb:cccc/cccc/cccc\u{7}",
            "\u{1b}P>|WezTerm 20260101\u{1b}\\",
        ] {
            assert_eq!(read(&[reply, "n"]), "n", "{reply:?}");
            // If it is cut, its second half is a text that answers nothing at most.
            let rest = read(&[&reply[..2], &reply[2..]]);
            assert_eq!(rest, "", "{reply:?}");
        }
        for rest in ["?64;1;2;6;9c", "0;10;1c", "11;rgb:1414/1919/1f1f"] {
            assert_eq!(read(&[rest]), "", "{rest:?}");
        }
    }
}
