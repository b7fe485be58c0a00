//! Code in colours: asked for by the UI thread, made by another, drawn plain until it is ready.

use super::theme::Meaning;
use std::collections::HashMap;
use std::sync::Arc;

/// What a file is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// CUDA C++.
    Cuda,
    /// PTX.
    Ptx,
}

/// Asks for a file's colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HighlightRequest {
    /// Under which the answer is kept: the file's name.
    pub file: String,
    /// Its language.
    pub language: Language,
    /// Its text.
    pub source: Arc<str>,
}

/// A file's lines as runs of meaning, the text of a line being the runs put together.
pub type ColouredLines = Vec<Vec<(Meaning, String)>>;

/// The colours that are ready, by file name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Highlights {
    files: HashMap<String, Arc<ColouredLines>>,
}

impl Highlights {
    /// Keeps an answer.
    pub fn insert(&mut self, file: String, lines: ColouredLines) {
        self.files.insert(file, Arc::new(lines));
    }

    /// Forgets all: files may have changed.
    pub fn clear(&mut self) {
        self.files.clear();
    }

    /// Whether a file's colours are ready.
    pub fn has(&self, file: &str) -> bool {
        self.files.contains_key(file)
    }

    /// The runs of a line (1-based), if they are ready and their text is `text`.
    pub fn line(&self, file: &str, line: u32, text: &str) -> Option<&[(Meaning, String)]> {
        let runs = self.files.get(file)?.get(line.checked_sub(1)? as usize)?;
        let same = runs.iter().map(|(_, run)| run.len()).sum::<usize>() == text.len();
        same.then_some(runs)
    }
}
