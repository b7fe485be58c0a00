/*! Which language is spoken: `--lang`, else the environment's, else English.

A language counts if the course is written in it or the interface speaks it. What is asked for with `--lang` must be
one of these; what the environment says is only a wish. Where the interface has no catalogue of the language, it
speaks English around a course that is in it.
*/

use super::Globals;
use std::sync::mpsc;
use std::time::Duration;
use tutor_base::t;
use tutor_base::words::{self, ENGLISH, Words};
use tutor_course::{self as course, CourseSource};

/// A language, and whether somebody asked for it by `--lang`.
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
    /// The language code, as in the names of edition folders.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Whether `--lang` asked for it: then one that the course lacks is worth a word.
    pub fn asked(&self) -> bool {
        self.asked
    }
}

/// How long the tutor waits for a course to say in which languages it is.
pub(crate) const PATIENCE: Duration = Duration::from_millis(250);

/// Decides on the language, and lets the interface speak it from now on. A course that does not say in time in which
/// languages it is counts as one that cannot be read.
///
/// # Errors
/// If `--lang` asks for one that neither the course nor the interface has: a sentence, and what there is.
pub(crate) fn settle(globals: &mut Globals, patience: Option<Duration>) -> Result<(), (String, String)> {
    let source = CourseSource::from_option(globals.course.as_deref());
    let listed = within(patience, move || course::languages(&source));
    let mut known = listed.clone();
    known.extend(words::languages().iter().filter(|code| !listed.contains(code)).cloned());
    let code = match globals.asked_lang.as_deref() {
        None => of_environment(&known, |name| std::env::var(name).ok()),
        // A course that cannot be read lists nothing: its own problem is told by the command.
        Some(asked) => match chosen(&known, asked) {
            None if listed.is_empty() && globals.course.is_some() => Some(asked.to_owned()),
            None => {
                let asked: String = asked.chars().filter(|c| !c.is_control()).take(40).collect();
                let there_are = t!("cli-languages", known = known.join(", "));
                return Err((t!("cli-no-language", asked = asked), there_are));
            }
            found => found,
        },
    };
    let asked = globals.asked_lang.is_some();
    globals.lang = Lang { code: code.unwrap_or_else(|| ENGLISH.to_owned()), asked };
    words::speak(Words::of(globals.lang.code()));
    Ok(())
}

/// What is read, or nothing if that takes longer.
fn within<T: Default + Send + 'static>(patience: Option<Duration>, read: impl FnOnce() -> T + Send + 'static) -> T {
    let Some(patience) = patience else { return read() };
    let (send, receive) = mpsc::channel();
    let reads = std::thread::Builder::new().name("languages".to_owned()).spawn(move || send.send(read()));
    // Where no thread can be started, the tutor itself will say so.
    reads.ok().and_then(|_| receive.recv_timeout(patience).ok()).unwrap_or_default()
}

/// A known code as it is written in the list.
fn chosen(known: &[String], code: &str) -> Option<String> {
    let plain = |code: &str| code.to_ascii_lowercase().replace('_', "-");
    known.iter().find(|known| plain(known) == plain(code)).cloned()
}

/// The language of the locale, of the first of these variables that says anything: `ko_KR.UTF-8` is `ko-KR` or `ko`.
fn of_environment(known: &[String], variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty())?;
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
