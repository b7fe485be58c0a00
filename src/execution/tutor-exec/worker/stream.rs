//! Reads a child's output line by line, within limits on length and rate.

use std::io::{self, BufRead};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How much of a line was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// The whole line was read.
    Whole,
    /// The line is longer than the limit. The next call reads its rest as a separate line.
    Cut,
}

/// Reads a line into `line`, without its line end and at most `most` bytes of it. Returns `None` at the end of the
/// stream.
pub(super) fn read_line(stream: &mut impl BufRead, line: &mut Vec<u8>, most: usize) -> io::Result<Option<Line>> {
    line.clear();
    let mut any = false;
    loop {
        let bytes = match stream.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if bytes.is_empty() {
            return Ok(any.then_some(Line::Whole));
        }
        any = true;
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = end.unwrap_or(bytes.len());
        let kept = part.min(most - line.len());
        line.extend_from_slice(&bytes[..kept]);
        if kept < part {
            stream.consume(kept);
            return Ok(Some(Line::Cut));
        }
        stream.consume(end.map_or(part, |end| end + 1));
        if end.is_some() {
            return Ok(Some(Line::Whole));
        }
    }
}

/// A reader that reads at most `a_second` bytes per second, so that a process that writes more has to wait.
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
            // Nothing is ever sent, so this only waits.
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
    fn long_lines_come_in_pieces() {
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
            assert_eq!(next(), Some(("5678".into(), Line::Cut)));
            assert_eq!(next(), Some(("9".into(), Line::Whole)));
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
