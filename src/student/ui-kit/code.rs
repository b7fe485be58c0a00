//! Syntax colours: the UI thread requests them, another thread computes them, and code is drawn without colours
//! until they are ready.

use crate::prelude::*;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    Cuda,
    Ptx,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HighlightRequest {
    /// The file's name, which is also the key of the answer.
    pub file: String,
    pub language: Language,
    pub source: Arc<str>,
}

/// A file's lines as runs with a meaning. The runs of a line add up to its text.
pub type ColouredLines = Vec<Vec<(Meaning, String)>>;

/// Maximum number of files whose colours are kept. Each saved version of a student's text counts as a file.
const MAX_FILES: usize = 64;

/// A line as runs: their meanings and lengths in bytes, without the text.
type Runs = Box<[(Meaning, u32)]>;

/// The colours that are ready, by file name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Highlights {
    files: HashMap<String, Vec<Runs>>,
    /// File names, oldest first.
    order: VecDeque<String>,
}

impl Highlights {
    /// Stores a file's colours. Returns the name of the file whose colours were dropped to make room.
    pub fn insert(&mut self, file: String, lines: &ColouredLines) -> Option<String> {
        let measured =
            |runs: &Vec<(Meaning, String)>| runs.iter().map(|(meaning, run)| (*meaning, run.len() as u32)).collect();
        if self.files.insert(file.clone(), lines.iter().map(measured).collect()).is_none() {
            self.order.push_back(file);
        }
        let oldest = if self.order.len() > MAX_FILES { self.order.pop_front()? } else { return None };
        self.files.remove(&oldest);
        Some(oldest)
    }

    /// Drops all colours, because files may have changed.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    pub fn has(&self, file: &str) -> bool {
        self.files.contains_key(file)
    }

    /// Returns the runs of line `line` (1-based), if its colours are ready and match `text`.
    pub fn line<'a>(&self, file: &str, line: u32, text: &'a str) -> Option<Vec<(Meaning, &'a str)>> {
        let runs = self.files.get(file)?.get(line.checked_sub(1)? as usize)?;
        let mut rest = text;
        let mut cut = |(meaning, bytes): &(Meaning, u32)| {
            let (run, after) = rest.split_at_checked(*bytes as usize)?;
            rest = after;
            Some((*meaning, run))
        };
        let cut = runs.iter().map(&mut cut).collect::<Option<Vec<_>>>()?;
        rest.is_empty().then_some(cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(runs: &[(Meaning, &str)]) -> ColouredLines {
        vec![runs.iter().map(|(meaning, run)| (*meaning, (*run).to_owned())).collect()]
    }

    #[test]
    fn a_line_is_cut_into_the_runs_that_fit_its_text() {
        let mut highlights = Highlights::default();
        highlights.insert("a.cu".into(), &lines(&[(Meaning::CodeType, "float"), (Meaning::Code, " é;")]));
        let runs = vec![(Meaning::CodeType, "float"), (Meaning::Code, " é;")];
        assert_eq!(highlights.line("a.cu", 1, "float é;"), Some(runs));
        for (number, text) in [(1, "float é"), (1, "float é; "), (1, "floéééé"), (2, "float é;"), (0, "float é;")]
        {
            assert_eq!(highlights.line("a.cu", number, text), None, "{number} {text}");
        }
    }

    #[test]
    fn the_newest_files_keep_their_colours() {
        let mut highlights = Highlights::default();
        let left: Vec<_> =
            (0..100).filter_map(|at| highlights.insert(format!("{at}"), &lines(&[(Meaning::Code, "x")]))).collect();
        assert_eq!(left, (0..100 - MAX_FILES).map(|at| at.to_string()).collect::<Vec<_>>());
        assert_eq!((0..100).filter(|at| highlights.has(&at.to_string())).count(), MAX_FILES);
        // A file that is inserted again replaces only itself.
        assert_eq!(highlights.insert("99".into(), &lines(&[])), None);
    }
}
