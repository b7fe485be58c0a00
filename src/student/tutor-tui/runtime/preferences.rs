//! The theme and the language that the student chose, in a file next to the progress.

use serde::{Deserialize, Serialize};
use std::io::{self, Write as _};
use std::path::Path;
use tutor_support::private;

const FILE: &str = "tutor.json";
const MAX_BYTES: u64 = 1 << 16;

/// What the student chose while the tutor was open. Options of the command line take precedence.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    pub theme: Option<String>,
    language: Option<String>,
    /// Locale of the environment when the language was chosen.
    locale: Option<String>,
}

impl Preferences {
    /// Reads the file in the data directory. Returns the default if there is none, or if it is damaged.
    pub fn read(dir: &Path) -> Self {
        let bytes = private::read(&dir.join(FILE), MAX_BYTES).ok().flatten();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Returns the language, unless the locale has changed since it was chosen.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref().filter(|_| self.locale == locale(|name| std::env::var(name).ok()))
    }

    pub(super) fn choose_language(&mut self, code: &str) {
        (self.language, self.locale) = (Some(code.to_owned()), locale(|name| std::env::var(name).ok()));
    }

    /// Changes the file in the data directory. If that fails, the log says so.
    pub(super) fn change(dir: &Path, change: impl FnOnce(&mut Self)) {
        let mut chosen = Self::read(dir);
        change(&mut chosen);
        let write = || -> io::Result<()> {
            let mut file = private::file(&dir.join(FILE))?;
            file.set_len(0)?;
            file.write_all(&serde_json::to_vec(&chosen)?)
        };
        if let Err(error) = write() {
            tracing::warn!("{FILE}: {error}");
        }
    }
}

/// Returns the locale: the first of these variables that is not empty.
pub fn locale(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty())
}
