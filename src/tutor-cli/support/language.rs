/*! Chooses the language: `--lang`, else the student's last choice in the tutor, else the environment's language, else
English.

A language is available if the course or the interface has it. `--lang` must name an available language; the
environment's language is only a preference. If the interface has no catalogue for the course's language, the interface
uses English.
*/

use crate::prelude::*;
use std::sync::mpsc;
use std::time::Duration;
use tutor_course as course;
use tutor_support::words::{self, ENGLISH, Words};
use tutor_tui::runtime::preferences::locale;

/// A language, and whether `--lang` requested it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lang {
    code: String,
    asked: bool,
}

impl Default for Lang {
    fn default() -> Self {
        Self { code: ENGLISH.to_owned(), asked: false }
    }
}

impl Lang {
    /// Returns the language code, as in the names of edition folders.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// True if `--lang` requested the language. The tutor then reports it if the course lacks this language.
    pub fn asked(&self) -> bool {
        self.asked
    }
}

/// How long the tutor waits for the list of the course's languages.
pub(crate) const PATIENCE: Duration = Duration::from_millis(250);

/// Chooses the language and sets it for the interface. A course that does not list its languages within `patience`
/// counts as unreadable. `kept` is the student's last choice in the tutor.
///
/// # Errors
/// If `--lang` requests a language that neither the course nor the interface has: a message, and a list of the
/// available languages.
pub(crate) fn choose(
    globals: &mut Globals,
    patience: Option<Duration>,
    kept: Option<&str>,
) -> Result<(), (String, String)> {
    let source = CourseSource::from_option(globals.course.as_deref());
    let listed = within(patience, move || course::languages(&source));
    let mut known = listed.clone();
    known.extend(words::languages().into_iter().filter(|code| !listed.contains(code)));
    let code = match globals.asked_lang.as_deref() {
        None => kept
            .and_then(|kept| chosen(&known, kept))
            .or_else(|| of_environment(&known, |name| std::env::var(name).ok())),
        // An unreadable course lists no language. The command itself reports the course's problem.
        Some(asked) => match chosen(&known, asked) {
            None if listed.is_empty() && globals.course.is_some() => Some(asked.to_owned()),
            None => {
                let asked: String = asked.chars().filter(|c| !c.is_control()).take(40).collect();
                let there_are = t!("cli-languages", known = known.join(", "));
                return Err((t!("cli-no-language", asked), there_are));
            }
            found => found,
        },
    };
    let asked = globals.asked_lang.is_some();
    globals.lang = Lang { code: code.unwrap_or_else(|| ENGLISH.to_owned()), asked };
    words::speak(Words::of(globals.lang.code()));
    Ok(())
}

/// Returns what `read` returns, or the default if that takes longer than `patience`.
fn within<T: Default + Send + 'static>(patience: Option<Duration>, read: impl FnOnce() -> T + Send + 'static) -> T {
    let Some(patience) = patience else { return read() };
    let (send, receive) = mpsc::channel();
    let reads = std::thread::Builder::new().name("languages".to_owned()).spawn(move || send.send(read()));
    // If no thread can be started, the tutor itself reports that later.
    reads.ok().and_then(|_| receive.recv_timeout(patience).ok()).unwrap_or_default()
}

/// Returns the known code that equals `code`, ignoring case and `_` or `-`, as it is written in the list.
fn chosen(known: &[String], code: &str) -> Option<String> {
    let plain = |code: &str| code.to_ascii_lowercase().replace('_', "-");
    known.iter().find(|known| plain(known) == plain(code)).cloned()
}

/// Returns the language of the locale, from the first of these variables that is not empty. `ko_KR.UTF-8` matches
/// `ko-KR` or `ko`.
fn of_environment(known: &[String], variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let locale = locale(variable)?;
    let name = locale.split(['.', '@']).next().unwrap_or_default();
    let language = name.split(['_', '-']).next().unwrap_or_default();
    chosen(known, name).or_else(|| chosen(known, language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_in_a_hurry_does_not_wait_for_a_slow_disk() {
        let (hold, held) = mpsc::channel::<()>();
        let slow = move || held.recv().map_or(7, |()| 7);
        assert_eq!(within(Some(Duration::from_millis(1)), slow), 0);
        drop(hold);
        assert_eq!(within(Some(PATIENCE * 100), || 7), 7);
        assert_eq!(within(None, || 7), 7);
    }

    fn spoken(variables: &[(&str, &str)]) -> Option<String> {
        let known = ["en", "ko", "pt-BR"].map(str::to_owned);
        of_environment(&known, |name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_locale_gives_its_language_and_the_first_variable_that_says_anything_wins() {
        let korean = Some("ko".to_owned());
        assert_eq!(spoken(&[("LANG", "ko_KR.UTF-8")]), korean);
        assert_eq!(spoken(&[("LANG", "ko")]), korean);
        assert_eq!(spoken(&[("LANG", "ko_KR.eucKR@hangul")]), korean);
        assert_eq!(spoken(&[("LC_ALL", ""), ("LC_MESSAGES", "ko_KR"), ("LANG", "en_GB.UTF-8")]), korean);
        assert_eq!(spoken(&[("LC_ALL", "en_US.UTF-8"), ("LANG", "ko_KR.UTF-8")]), Some("en".to_owned()));
        assert_eq!(spoken(&[("LANG", "pt_BR.UTF-8")]), Some("pt-BR".to_owned()));
    }

    #[test]
    fn what_is_no_known_language_is_none() {
        for locale in ["C", "C.UTF-8", "POSIX", "xx_YY.UTF-8", "pt_PT", "", "_", "."] {
            assert_eq!(spoken(&[("LANG", locale)]), None, "{locale}");
        }
        assert_eq!(spoken(&[]), None);
        assert_eq!(spoken(&[("LC_ALL", "C"), ("LANG", "ko_KR.UTF-8")]), None, "C was chosen");
    }
}
