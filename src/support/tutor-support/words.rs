/*! The sentences of the interface, in every language that it has.

No sentence is written in Rust. [`sentence!`](crate::sentence) names one by its key in `assets/i18n/LANG/NAME.ftl`
([Fluent](https://projectfluent.org), one file per room or screen), with arguments. Catalogues choose plural forms. If a
language lacks a key, the sentence is shown in English.

Libraries return a [`Sentence`] for an error or a note: it knows no language, and it can be sent to another process. The
edge translates it: the terminal, the command line and the author's tools show it with `Display`, or make a text directly
with [`t!`](crate::t). Both use the current language: [`speak`] sets it for the process, and [`speaking`] for one piece of
work on one thread. The language of a thread exists for the drawing code, which makes hundreds of texts per frame in the
language of its model.

Some library functions that are called only to show something still make text in the current language: the prompts and
forms of questions (`tutor_course::kinds`), findings about a course, the names of goals (`tutor_exercises`), the names of
attempts and the `Display` of error enums (`tutor_progress`, `tutor_exercises`). One function reads input by the
language: the number `8,192` is clear in Korean and ambiguous in English (`tutor_course::kinds::number`).

Translators test their text without a build: the environment variable `MATMUL_TUTOR_I18N` names a folder with more
`LANG/NAME.ftl` files, which replace built-in sentences.

A whole number of five digits or more has commas ([`grouped`]), unless its argument is called `line` or `seed`: editors
and options take those. To round a number, pass it as text (`crate::figures`), and also as a number if a plural form
depends on it.
*/

mod sentence;

pub use sentence::{Argument, Keyed, Sentence, Value};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tutor_assets::Sentences;

/// The language that every key is written in.
pub const ENGLISH: &str = "en";

/// The environment variable with a translator's folder of catalogues.
const FOLDER_VARIABLE: &str = "MATMUL_TUTOR_I18N";

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
    /// Returns the sentences of a language, or English if the interface has no such catalogue.
    pub fn of(code: &str) -> &'static Self {
        static KNOWN: Mutex<BTreeMap<String, &'static Words>> = Mutex::new(BTreeMap::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let code = if known.contains_key(code) || languages().contains(code) { code } else { ENGLISH };
        // There are only a few languages. Each is read once and never freed.
        known.entry(code.to_owned()).or_insert_with(|| Box::leak(Box::new(Self::read(code))))
    }

    fn read(code: &str) -> Self {
        let language = code.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        // Fluent can put invisible marks around arguments, for right-to-left text. Many terminals show them as boxes.
        bundle.set_use_isolating(false);
        bundle.set_formatter(Some(|value, _| with_commas(value)));
        for (_, text) in files(code).into_iter().chain(own_files(code)) {
            // Skips entries that cannot be parsed. A test proves that the built-in files have none.
            let resource = FluentResource::try_new(text).unwrap_or_else(|(rest, _)| rest);
            bundle.add_resource_overriding(resource);
        }
        Self { code: code.to_owned(), bundle }
    }

    /// Returns the code of the language, e.g. `en`.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Returns a sentence without arguments, if this language itself has it.
    pub fn text(&self, key: &str) -> Option<String> {
        self.find(key, &FluentArgs::new())
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

/// Returns the sentence whose English text is `text`: an attribute of the message `key`, and its arguments, which are
/// recognised in the same way. So a text that a package wrote in English can be translated. Any other text stays as it is.
pub fn recognise(key: &str, text: &str) -> Sentence {
    let bundle = &Words::of(ENGLISH).bundle;
    let marked: FluentArgs = ARGUMENTS.iter().map(|name| (*name, format!("{MARK}{name}{MARK}"))).collect();
    let mut attributes = bundle.get_message(key).into_iter().flat_map(|message| message.attributes());
    attributes
        .find_map(|attribute| {
            let form = bundle.format_pattern(attribute.value(), Some(&marked), &mut Vec::new());
            let found = arguments(&form, text)?.into_iter();
            let with = found.map(|(name, value)| (name.into(), Value::Words(recognise(key, value)))).collect();
            Some(Sentence::Keyed(Box::new(Keyed { key: format!("{key}.{}", attribute.id()).into(), with })))
        })
        .unwrap_or_else(|| text.into())
}

/// Returns a line of code with its comment in the current language, if the comment is known.
pub fn spoken_comment(line: &str) -> String {
    match line.split_once("// ").filter(|_| current().code() != ENGLISH) {
        Some((code, comment)) => format!("{code}// {}", recognise("code-comments", comment)),
        None => line.to_owned(),
    }
}

/// Returns a source text with the comments that are known in the current language.
pub fn spoken_comments(text: &str) -> String {
    text.lines().map(|line| spoken_comment(line) + "\n").collect()
}

/// Replaces each English attribute of the message `key` in a text by that of the current language.
pub fn replaced(key: &str, text: &str) -> String {
    let message = Words::of(ENGLISH).bundle.get_message(key);
    let ids =
        message.iter().flat_map(fluent_bundle::FluentMessage::attributes).map(|one| format!("{key}.{}", one.id()));
    ids.fold(text.to_owned(), |text, id| match (Words::of(ENGLISH).text(&id), current().text(&id)) {
        (Some(english), Some(own)) => text.replace(&english, &own),
        _ => text,
    })
}

/// The arguments of sentences that are recognised.
const ARGUMENTS: [&str; 7] = ["place", "what", "a", "b", "c", "d", "e"];
/// Stands around the name of an argument in a form.
const MARK: char = '\u{1}';

/// Returns the arguments in a text of this form, by name, if it has the form.
fn arguments<'t>(form: &str, text: &'t str) -> Option<Vec<(String, &'t str)>> {
    let mut pieces = form.split(MARK).peekable();
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut found = Vec::new();
    while let (Some(name), Some(literal)) = (pieces.next(), pieces.next()) {
        let last = pieces.peek().is_none();
        let value = if last { rest.strip_suffix(literal)? } else { &rest[..rest.find(literal)?] };
        found.push((name.to_owned(), value));
        rest = if last { "" } else { &rest[value.len() + literal.len()..] };
    }
    rest.is_empty().then_some(found)
}

/// Formats a whole number that should have commas. `None` for all other values.
fn with_commas(value: &FluentValue<'_>) -> Option<String> {
    let FluentValue::Number(number) = value else { return None };
    let whole = number.value >= 10_000.0 && number.value.fract() == 0.0;
    (whole && number.options.use_grouping).then(|| grouped(number.value as u64))
}

/// Formats an integer as all texts of the project write it: `4096`, and with commas from five digits on, `4,194,304`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && digits.len() > 4 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns the languages for which the interface has a catalogue. A page loads catalogues after its start.
pub fn languages() -> BTreeSet<String> {
    let built_in = Sentences::iter().filter_map(|path| Some(path.split_once('/')?.0.to_owned()));
    let own = own_folder().and_then(|folder| folder.read_dir().ok()).into_iter().flatten();
    let own = own.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    built_in.chain(own.filter(|code| code.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))).collect()
}

fn own_folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER_VARIABLE).map(PathBuf::from)
}

/// Maximum length of a translator's file, in bytes.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// Reads a translator's files for a language, as paths and texts.
fn own_files(code: &str) -> Vec<(String, String)> {
    let entries = own_folder().and_then(|folder| folder.join(code).read_dir().ok());
    let paths = entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let catalogues = paths.filter(|path| path.extension().is_some_and(|extension| extension == "ftl"));
    let read = |path: &PathBuf| String::from_utf8(crate::private::read(path, MAX_FILE_BYTES).ok()??).ok();
    catalogues.filter_map(|path| Some((path.display().to_string(), read(&path)?))).collect()
}

/// Returns the built-in files of a language, as paths and texts.
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

/// Sets the language of the process, except for threads that are [`speaking`] another one.
pub fn speak(words: &'static Words) {
    *PROCESS.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
}

/// Runs `work` with `words` as the language of this thread.
pub fn speaking<R>(words: &'static Words, work: impl FnOnce() -> R) -> R {
    /// Restores the thread's language, also after a panic.
    struct Before(Option<&'static Words>);
    impl Drop for Before {
        fn drop(&mut self) {
            THREAD.set(self.0);
        }
    }
    let _before = Before(THREAD.replace(Some(words)));
    work()
}

/// Returns the current language: that of this thread, else that of the process, else English.
pub fn current() -> &'static Words {
    THREAD
        .get()
        .or_else(|| *PROCESS.lock().unwrap_or_else(PoisonError::into_inner))
        .unwrap_or_else(|| Words::of(ENGLISH))
}

/// Makes a [`Sentence`](crate::words::Sentence) from key and arguments: `sentence!("map-next-page", level = 2, title)`.
#[macro_export]
macro_rules! sentence {
    ($key:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::words::Sentence::Keyed(::std::boxed::Box::new($crate::words::Keyed {
            key: ::std::borrow::Cow::Borrowed($key),
            with: ::std::collections::BTreeMap::from([
                $((::std::borrow::Cow::Borrowed(stringify!($name)), $crate::sentence!(@value $name $($value)?))),*
            ]),
        }))
    };
    (@value $name:ident) => { $crate::words::Argument::value(&$name) };
    (@value $name:ident $value:expr) => { $crate::words::Argument::value(&$value) };
}

/// The text of a [`sentence!`](crate::sentence) in the current language: `t!("map-next-page", level = 2, title)`.
#[macro_export]
macro_rules! t {
    ($($call:tt)*) => {
        $crate::sentence!($($call)*).to_string()
    };
}

#[cfg(test)]
mod tests {
    use super::sentence::MAX_ARGUMENT_CHARS;
    use super::*;

    #[test]
    fn a_language_without_a_catalogue_is_spoken_in_english() {
        assert_eq!(Words::of("xx").code(), ENGLISH);
        assert_eq!(speaking(Words::of("xx"), || current().code().to_owned()), ENGLISH);
    }

    #[test]
    fn a_sentence_is_translated_when_it_is_shown() {
        let inner = sentence!("expr-too-long", most = 512);
        let outer = sentence!("file-not-read", file = "a.yaml", why = &inner) + " " + "gcc: error";
        let (english, korean) = (Words::of(ENGLISH), Words::of("ko"));
        assert!(outer.translate(english).contains(&inner.translate(english)), "{outer:?}");
        assert!(outer.translate(korean).contains(&inner.translate(korean)), "{outer:?}");
        assert!(outer.translate(korean).ends_with(" gcc: error"));
        assert_ne!(outer.translate(english), outer.translate(korean));
        assert_eq!(outer.to_string(), outer.translate(english));
    }

    #[test]
    fn whole_numbers_have_commas_except_lines_and_seeds() {
        assert!(t!("expr-too-long", most = 65_536).contains(" 65,536 "));
        assert!(t!("expr-too-long", most = 4096).contains(" 4096 "));
        assert!(t!("exercise-line-right", line = 65_536).contains(" 65536 "));
    }

    #[test]
    fn what_the_emulator_says_is_recognised_and_stays_the_same_in_english() {
        let said = "a.cu:3 (PTX line 20): thread (0,2,0) of block (1,0,0) writes 4 bytes at byte 7 of shared memory.";
        let sentence = recognise("exec-says", said);
        assert_eq!(sentence.translate(Words::of(ENGLISH)), said);
        let korean = "a.cu:3(PTX 20번 줄): (1,0,0) 블록의 (0,2,0) 스레드가 공유 메모리의 바이트 7에 4바이트를 씁니다.";
        assert_eq!(sentence.translate(Words::of("ko")), korean);
        assert_eq!(recognise("exec-says", "gcc: error"), "gcc: error".into());
    }

    #[test]
    fn an_unknown_key_is_shown_with_its_arguments() {
        let unknown = |with| Sentence::Keyed(Box::new(Keyed { key: "exec-of-tomorrow".into(), with }));
        assert_eq!(unknown(BTreeMap::new()).to_string(), "exec-of-tomorrow");
        let with = BTreeMap::from([("kernel".into(), "sgemm".value()), ("n".into(), 5u32.value())]);
        assert_eq!(unknown(with).to_string(), "exec-of-tomorrow: sgemm, 5");
    }

    #[test]
    fn a_sentence_nested_deeply_stays_short() {
        let mut sentence = Sentence::from("x");
        for _ in 0..60 {
            sentence = sentence!("pack-extends", course = sentence);
        }
        assert!(sentence.to_string().chars().count() < 4 * MAX_ARGUMENT_CHARS);
    }
}
