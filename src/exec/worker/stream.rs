//! What a child writes, line by line, however much it is.

use std::io::{self, BufRead};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A line of a stream: as much of it as was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// All of it is there.
    Whole,
    /// It was longer, and the rest was passed over.
    Cut,
}

/// Reads a line into `line`, without its end, and keeps `most` bytes of it. None where the stream ends.
///
/// # Errors
/// If the stream cannot be read.
pub(super) fn read_line(stream: &mut impl BufRead, line: &mut Vec<u8>, most: usize) -> io::Result<Option<Line>> {
    line.clear();
    let (mut any, mut cut) = (false, false);
    loop {
        let bytes = match stream.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if bytes.is_empty() {
            return Ok(any.then_some(if cut { Line::Cut } else { Line::Whole }));
        }
        any = true;
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        let room = most - line.len();
        cut |= part.len() > room;
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = end.map_or(bytes.len(), |end| end + 1);
        stream.consume(used);
        if end.is_some() {
            return Ok(Some(if cut { Line::Cut } else { Line::Whole }));
        }
    }
}

/// Reads no faster than so many bytes a second: who writes more has to wait.
pub(super) struct Paced<R> {
    stream: R,
    a_second: usize,
    left: usize,
    since: Instant,
    pause: (mpsc::Sender<()>, mpsc::Receiver<()>),
}

impl<R> Paced<R> {
    pub(super) fn new(stream: R, a_second: usize) -> Self {
        Self { stream, a_second, left: a_second, since: Instant::now(), pause: mpsc::channel() }
    }
}

impl<R: io::Read> io::Read for Paced<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            let rest = Duration::from_secs(1).saturating_sub(self.since.elapsed());
            // Nothing is ever sent.
            let _ = self.pause.1.recv_timeout(rest);
            (self.left, self.since) = (self.a_second, Instant::now());
        }
        let most = buffer.len().min(self.left);
        let read = self.stream.read(&mut buffer[..most])?;
        self.left -= read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read as _};

    #[test]
    fn long_lines_are_cut_and_the_next_one_is_whole() {
        for capacity in [1, 3, 64] {
            let mut stream = BufReader::with_capacity(capacity, &b"ab\n\n123456789\ncd\nlast"[..]);
            let mut line = Vec::new();
            let mut next = || {
                let kind = read_line(&mut stream, &mut line, 4).unwrap();
                kind.map(|kind| (String::from_utf8(line.clone()).unwrap(), kind))
            };
            assert_eq!(next(), Some(("ab".into(), Line::Whole)));
            assert_eq!(next(), Some((String::new(), Line::Whole)));
            assert_eq!(next(), Some(("1234".into(), Line::Cut)));
            assert_eq!(next(), Some(("cd".into(), Line::Whole)));
            assert_eq!(next(), Some(("last".into(), Line::Whole)));
            assert_eq!(next(), None);
        }
    }

    #[test]
    fn a_paced_stream_gives_every_byte() {
        let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
        let mut read = Vec::new();
        Paced::new(&bytes[..], 600).read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes);
    }
}
