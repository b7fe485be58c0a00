//! Reads the messages of each side, one by one, within limits.
//!
//! The parent trusts nothing that the child writes. It reads line by line. It limits the length of a line and the
//! output that is not a reply. The supervisor also limits the number of replies per request and the rate.

use super::stream::{Line, read_line};
use crate::protocol::{Reply, Request};
use serde::de::Error as _;
use std::io::{self, BufRead};
use tutor_support::sentence;

/// Limits on what is read from a worker, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Maximum length of a reply.
    pub reply: usize,
    /// Maximum total of all output that is not a reply.
    pub beside: usize,
}

impl Default for Bounds {
    /// Enough for a witness with long traces, for the PTX of a large source, and for a launcher's greeting.
    fn default() -> Self {
        Self { reply: 16 << 20, beside: 1 << 20 }
    }
}

/// Maximum length of a request in bytes: enough for all variants of a kernel with their PTX.
pub const MAX_REQUEST_BYTES: usize = 256 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// The stream has ended, or the receiver wants no more.
    Closed,
    /// A message is too long, or there is too much output that is not a message.
    Babble,
}

/// Reads a worker's replies. `heard` gets each reply with its length in bytes, and returns false to stop reading.
/// `beside` gets every line that is not a reply, such as a launcher's greeting or a reply of another version.
pub fn replies(
    mut stream: impl BufRead,
    bounds: Bounds,
    mut heard: impl FnMut(Reply, usize) -> bool,
    mut beside: impl FnMut(&[u8]),
) -> Silence {
    let (mut line, mut no_reply) = (Vec::new(), 0);
    while let Ok(Some(kind)) = read_line(&mut stream, &mut line, bounds.reply) {
        if kind == Line::Cut {
            return Silence::Babble;
        }
        match Reply::read(&line) {
            Ok(reply) => {
                if !heard(reply, line.len()) {
                    break;
                }
            }
            Err(_) => {
                no_reply += line.len() + 1;
                beside(&line);
            }
        }
        if no_reply > bounds.beside {
            return Silence::Babble;
        }
    }
    Silence::Closed
}

/// Reads a tutor's requests. `take` gets each request, or the reason why a line is not one, and returns false to stop
/// reading.
pub fn requests(
    mut stream: impl BufRead,
    longest: usize,
    mut take: impl FnMut(serde_json::Result<Request>) -> io::Result<bool>,
) -> io::Result<Silence> {
    let mut line = Vec::new();
    while let Some(kind) = read_line(&mut stream, &mut line, longest)? {
        if kind == Line::Cut {
            take(Err(serde_json::Error::custom(sentence!("exec-worker-request-long", bytes = longest))))?;
            return Ok(Silence::Babble);
        }
        if !line.iter().all(u8::is_ascii_whitespace) && !take(serde_json::from_slice(&line))? {
            break;
        }
    }
    Ok(Silence::Closed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<u64>, Silence) {
        let mut ids = Vec::new();
        let silence = requests(text.as_bytes(), 64, |request| {
            if let Ok(Request::Cancel { id }) = request {
                ids.push(id);
            }
            Ok(ids.len() < 3)
        });
        (ids, silence.unwrap())
    }

    #[test]
    fn requests_are_read_as_long_as_they_are_wanted() {
        let cancel = |id: u64| format!("{{\"cancel\":{{\"id\":{id}}}}}\n");
        assert_eq!(read(&(cancel(1) + "\n  \nnonsense\n" + &cancel(2))), (vec![1, 2], Silence::Closed));
        assert_eq!(read(&(1..9).map(cancel).collect::<String>()), (vec![1, 2, 3], Silence::Closed));
    }

    #[test]
    fn a_request_that_is_too_long_is_told_and_is_the_last() {
        let mut told = Vec::new();
        let text = format!("{}\n{{\"cancel\":{{\"id\":1}}}}\n", "x".repeat(65));
        let silence = requests(text.as_bytes(), 64, |request| {
            told.push(request.map_err(|error| error.to_string()));
            Ok(true)
        });
        assert_eq!(silence.unwrap(), Silence::Babble);
        assert_eq!(told, [Err("it is longer than 64 bytes".to_owned())]);
    }

    #[test]
    fn of_what_is_no_reply_little_is_read() {
        let mut lines = 0;
        let bounds = Bounds { reply: 64, beside: 100 };
        let silence = replies("no reply\n".repeat(50).as_bytes(), bounds, |_, _| true, |_| lines += 1);
        assert_eq!((silence, lines), (Silence::Babble, 12));
    }
}
