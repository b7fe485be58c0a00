/*! What the interface says, in every language it speaks.

A sentence is never written in Rust: [`t!`](crate::t) takes it by its key from `assets/i18n/LANG/NAME.ftl`
([Fluent](https://projectfluent.org), one file a room or screen), with arguments and plural forms. A key that a
language lacks is said in English. Which language speaks is decided around the call: [`speaking`] for a piece of
work, [`speak`] for the whole process.

Translators try their text without a build: `MATMUL_TUTOR_I18N` names a folder with more `LANG/NAME.ftl`, whose
sentences come before the built-in ones.

Numbers are put in as they are; a number that is to be grouped or rounded is given as text
(`crate::figures`), beside the number itself where a plural form depends on it.
*/

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};
use tutor_assets::Sentences;

/// The language that every key is written in.
pub const ENGLISH: &str = "en";

/// The environment variable with a translator's folder of catalogues.
const FOLDER_VARIABLE: &str = "MATMUL_TUTOR_I18N";

/// The sentences of one language.
pub struct Words {
    code: String,
    bundle: FluentBundle<FluentResource>,
}

impl std::fmt::Debug for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Words").field(&self.code).finish()
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Words {
    /// The sentences of a language; English where the interface has no such catalogue.
    pub fn of(code: &str) -> &'static Self {
        static KNOWN: Mutex<BTreeMap<String, &'static Words>> = Mutex::new(BTreeMap::new());
        let code = if languages().contains(code) { code } else { ENGLISH };
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        // A handful of languages, each read once and kept for good.
        known.entry(code.to_owned()).or_insert_with(|| Box::leak(Box::new(Self::read(code))))
    }

    fn read(code: &str) -> Self {
        let language = code.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        // Marks around arguments, for text that runs right to left; a terminal shows them as blots.
        bundle.set_use_isolating(false);
        for (_, text) in files(code).into_iter().chain(own_files(code)) {
            // What cannot be parsed is left out; a test proves that there is none.
            let resource = FluentResource::try_new(text).unwrap_or_else(|(rest, _)| rest);
            bundle.add_resource_overriding(resource);
        }
        Self { code: code.to_owned(), bundle }
    }

    /// Its code, e.g. `en`.
    pub fn code(&self) -> &str {
        &self.code
    }

    fn find(&self, key: &str, arguments: &FluentArgs) -> Option<String> {
        let (id, attribute) = key.split_once('.').map_or((key, None), |(id, attribute)| (id, Some(attribute)));
        let message = self.bundle.get_message(id)?;
        let pattern = match attribute {
            Some(attribute) => message.get_attribute(attribute)?.value(),
            None => message.value()?,
        };
        let mut errors = Vec::new();
        Some(self.bundle.format_pattern(pattern, Some(arguments), &mut errors).into_owned())
    }
}

/// Languages that the interface has a catalogue of.
pub fn languages() -> &'static BTreeSet<String> {
    static LANGUAGES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let built_in = Sentences::iter().filter_map(|path| Some(path.split_once('/')?.0.to_owned()));
        let own = own_folder().and_then(|folder| folder.read_dir().ok()).into_iter().flatten();
        let own = own.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        built_in.chain(own.filter(|code| code.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))).collect()
    });
    &LANGUAGES
}

fn own_folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER_VARIABLE).map(PathBuf::from)
}

/// Longest file of a translator, in bytes.
const LONGEST: u64 = 4 << 20;

/// The files that a translator has of a language.
fn own_files(code: &str) -> Vec<(String, String)> {
    let entries = own_folder().and_then(|folder| folder.join(code).read_dir().ok());
    let paths = entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let catalogues = paths.filter(|path| path.extension().is_some_and(|extension| extension == "ftl"));
    let read = |path: &PathBuf| String::from_utf8(crate::private::read(path, LONGEST).ok()??).ok();
    catalogues.filter_map(|path| Some((path.display().to_string(), read(&path)?))).collect()
}

/// The built-in files of a language: name and text.
fn files(code: &str) -> Vec<(String, String)> {
    let of = |path: &Cow<str>| path.split_once('/').is_some_and(|(language, _)| language == code);
    let mut files: Vec<(String, String)> = Sentences::iter()
        .filter(of)
        .filter_map(|path| Some((path.to_string(), String::from_utf8(Sentences::get(&path)?.data.into_owned()).ok()?)))
        .collect();
    files.sort();
    files
}

static PROCESS: Mutex<Option<&'static Words>> = Mutex::new(None);

thread_local! {
    static THREAD: Cell<Option<&'static Words>> = const { Cell::new(None) };
}

/// From now on the whole process speaks a language, unless a thread is [`speaking`] another.
pub fn speak(words: &'static Words) {
    *PROCESS.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
}

/// Does some work in a language, on this thread.
pub fn speaking<R>(words: &'static Words, work: impl FnOnce() -> R) -> R {
    /// Gives the thread its language back, after a panic, too.
    struct Before(Option<&'static Words>);
    impl Drop for Before {
        fn drop(&mut self) {
            THREAD.set(self.0);
        }
    }
    let _before = Before(THREAD.replace(Some(words)));
    work()
}

/// The language that this thread speaks.
pub fn current() -> &'static Words {
    THREAD
        .get()
        .or_else(|| *PROCESS.lock().unwrap_or_else(PoisonError::into_inner))
        .unwrap_or_else(|| Words::of(ENGLISH))
}

/// What [`t!`](crate::t) says; the key itself if no language has it, which a test rules out.
pub fn say(key: &str, arguments: &[(&'static str, FluentValue)]) -> String {
    let arguments: FluentArgs = arguments.iter().map(|(name, value)| (*name, value.clone())).collect();
    let said = current().find(key, &arguments);
    said.or_else(|| Words::of(ENGLISH).find(key, &arguments)).unwrap_or_else(|| key.to_owned())
}

/// Something that can be put into a sentence.
pub trait Argument {
    /// As Fluent takes it; numbers choose plural forms.
    fn value(&self) -> FluentValue<'_>;
}

impl Argument for str {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::String(Cow::Borrowed(self))
    }
}

impl Argument for String {
    fn value(&self) -> FluentValue<'_> {
        self.as_str().value()
    }
}

impl Argument for Cow<'_, str> {
    fn value(&self) -> FluentValue<'_> {
        (**self).value()
    }
}

impl Argument for char {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::String(Cow::Owned(self.to_string()))
    }
}

impl<T: Argument + ?Sized> Argument for &T {
    fn value(&self) -> FluentValue<'_> {
        (**self).value()
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Argument for $number {
            fn value(&self) -> FluentValue<'_> {
                FluentValue::from(*self)
            }
        })*
    };
}

numbers!(u8 u16 u32 u64 usize i32 i64 f64);

/// A sentence of the interface by its key, with its arguments: `t!("map-next-page", level = 2, title = &title)`.
#[macro_export]
macro_rules! t {
    ($key:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::words::say($key, &[$((stringify!($name), $crate::words::Argument::value(&$value))),*])
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_without_a_catalogue_is_spoken_in_english() {
        assert_eq!(Words::of("xx").code(), ENGLISH);
        assert_eq!(speaking(Words::of("xx"), || current().code().to_owned()), ENGLISH);
    }
}
