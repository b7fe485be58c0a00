//! Rules for translations of exercises and kernels: they have the texts of the original, with the same numbers.

use super::alike::{hash_of_text, same_numbers, translates};
use super::catalog::CATALOG;
use super::editions::missing_file;
use crate::rules::severity;
use serde::Serialize;
use std::collections::BTreeMap;
use tutor_course::lint::{Lint, Path};
use tutor_course::{CourseSource, File, FileContent, Files, Problem, ReadError};
use tutor_exercises::{ExerciseEdition, ExerciseFile, FOLDER};
use tutor_kernels::{Catalog, CatalogEdition, CatalogFile, KernelWords};
use unicode_width::UnicodeWidthStr as _;

/// Maximum width of an exercise's title, in columns.
const MAX_TITLE_WIDTH: usize = 40;

/// Returns the problems in the translations of the course's own exercises and kernels.
pub(super) fn check(files: &Files) -> Vec<Problem> {
    let langs: Vec<&str> = files.editions.iter().skip(1).map(|edition| edition.lang.as_str()).collect();
    let mut ids = files.source.own_exercises();
    ids.sort();
    let mut problems = Vec::new();
    for id in ids.iter().filter(|_| !langs.is_empty()) {
        let name = format!("{FOLDER}/{id}/exercise.yaml");
        let Ok(file) = File::<ExerciseFile>::read(&files.source, &name) else { continue };
        let Some(original) = file.value.as_ref().filter(|_| !file.left_out).map(ExerciseEdition::from) else {
            continue;
        };
        for lang in &langs {
            let name = ExerciseEdition::path(id, lang);
            let read = File::<ExerciseEdition>::read(&files.source, &name);
            problems.extend(file_problems(read, &name, lang, |lint, edition| exercise(lint, edition, &original)));
        }
    }
    let Some(catalog) = catalog(&files.source) else { return problems };
    for lang in langs {
        let Some(name) = CatalogEdition::path(lang) else { continue };
        let read = match files.source {
            CourseSource::BuiltIn => {
                let text = Catalog::built_in_text(&name).ok_or_else(|| ReadError::Missing(name.clone()));
                text.map(|text| File::<CatalogEdition>::parse(&name, text))
            }
            CourseSource::Directory(_) => File::<CatalogEdition>::read(&files.source, &name),
        };
        problems.extend(file_problems(read, &name, lang, |lint, edition| kernels(lint, edition, &catalog)));
    }
    problems
}

/// Returns the original texts of the course's own kernels by id. `None` if there are none that can be read.
fn catalog(source: &CourseSource) -> Option<BTreeMap<String, KernelWords>> {
    let file = match source {
        CourseSource::BuiltIn => File::<CatalogFile>::parse(CATALOG, Catalog::built_in_text(CATALOG)?),
        CourseSource::Directory(_) => File::<CatalogFile>::read(source, CATALOG).ok()?,
    };
    let entries = file.value.filter(|_| !file.left_out)?.kernels;
    Some(entries.iter().map(|entry| (entry.value.id.value.clone(), KernelWords::from(&entry.value))).collect())
}

/// Returns the problems of one file: that it is missing, those of its form, or those that `check` finds.
fn file_problems<T: FileContent>(
    read: Result<File<T>, ReadError>,
    name: &str,
    lang: &str,
    check: impl FnOnce(&mut Lint<'_>, &T),
) -> Vec<Problem> {
    let mut file = match read {
        Ok(file) => file,
        Err(ReadError::Missing(_)) => return vec![missing_file(name, lang)],
        Err(error) => return vec![Problem::error("missing-file", name, error.to_string())],
    };
    let mut problems = std::mem::take(&mut file.problems);
    if let Some(edition) = &file.value {
        let mut lint = Lint::new(&file, severity);
        check(&mut lint, edition);
        problems.extend(lint.into_problems());
    }
    problems
}

fn lacks(lint: &mut Lint<'_>, what: &str, place: &Path<'_>) {
    lint.report("edition-missing", place, format!("{what} is missing, so the original is shown."), "");
}

/// Checks that a text exists if the original has it, and that both contain the same numbers.
fn text(lint: &mut Lint<'_>, what: &str, place: &Path<'_>, text: &str, original: &str) {
    match (text.trim().is_empty(), original.trim().is_empty()) {
        (true, false) => lacks(lint, what, &place.up(1)),
        (false, true) => {
            let message = format!("{what} has no counterpart in the original.");
            lint.report("edition-differs", place, message, "Remove it.");
        }
        _ => same_numbers(lint, what, place, text, original),
    }
}

/// Checks that the names of a map are those in the original. `what` describes one of them in messages.
fn names<A, B>(
    lint: &mut Lint<'_>,
    what: &str,
    place: &Path<'_>,
    words: &BTreeMap<String, A>,
    original: &BTreeMap<String, B>,
) {
    for name in words.keys().filter(|name| !original.contains_key(*name)) {
        let known: Vec<&str> = original.keys().map(String::as_str).collect();
        let help = match tutor_support::text::nearest(name, known.iter().copied()) {
            Some(near) => format!("Did you mean `{near}`?"),
            None if known.is_empty() => String::new(),
            None => format!("Known are {}.", known.join(", ")),
        };
        lint.report("edition-differs", &place.to(name.as_str()), format!("The original has no {what} `{name}`."), help);
    }
    for name in original.keys().filter(|name| !words.contains_key(*name)) {
        lacks(lint, &format!("The {what} `{name}`"), place);
    }
}

/// Returns a digest of the original texts.
fn digest(words: &impl Serialize) -> String {
    hash_of_text(&serde_json::to_string(words).unwrap_or_default())
}

fn exercise(lint: &mut Lint<'_>, words: &ExerciseEdition, original: &ExerciseEdition) {
    let path = Path::default();
    if let Some(of) = &words.of {
        translates(lint, "exercise", &path.to("of"), of, &digest(original));
    }
    let title = words.title.as_str();
    lint.title("The title", title, &path.to("title"));
    if title.width() > MAX_TITLE_WIDTH {
        let message = format!("The title takes {} columns, more than {MAX_TITLE_WIDTH}.", title.width());
        lint.report("title-too-long", &path.to("title"), message, "");
    }
    text(lint, "The title", &path.to("title"), title, &original.title);
    for (field, what, words, original) in
        [("task", "The task", &words.task, &original.task), ("next", "What comes next", &words.next, &original.next)]
    {
        text(lint, what, &path.to(field), words, original);
        lint.markdown(words, &path.to(field));
    }
    let cures = path.to("cures");
    names(lint, "cure", &cures, &words.cures, &original.cures);
    for (id, cure) in &words.cures {
        let Some(from) = original.cures.get(id) else { continue };
        let place = cures.to(id.as_str());
        text(lint, &format!("The text of the cure `{id}`"), &place.to("text"), &cure.text, &from.text);
        text(lint, &format!("The `why` of the cure `{id}`"), &place.to("why"), &cure.why, &from.why);
    }
    let holes = path.to("holes");
    names(lint, "hole", &holes, &words.holes, &original.holes);
    for (id, hole) in &words.holes {
        let Some(from) = original.holes.get(id) else { continue };
        let place = holes.to(id.as_str());
        text(lint, &format!("The question of the hole `{id}`"), &place.to("ask"), &hole.ask, &from.ask);
        let place = place.to("fillings");
        names(lint, "filling with a `why`", &place, &hole.fillings, &from.fillings);
        for (id, filling) in &hole.fillings {
            let Some(from) = from.fillings.get(id) else { continue };
            let what = format!("The `why` of the filling `{id}`");
            text(lint, &what, &place.to(id.as_str()).to("why"), &filling.why, &from.why);
        }
    }
    let place = path.to("hints");
    let (own, theirs) = (words.hints.len(), original.hints.len());
    if own == 0 && theirs > 0 {
        lacks(lint, "The list of hints", &path);
    } else if own != theirs {
        let message = format!("There are {own} hints, where the original has {theirs}, so the original's are shown.");
        lint.report("edition-differs", &place, message, "All hints, in the original's order.");
    }
    for (at, (hint, from)) in words.hints.iter().zip(&original.hints).enumerate() {
        text(lint, "A hint", &place.to(at), hint, from);
    }
}

fn kernels(lint: &mut Lint<'_>, edition: &CatalogEdition, originals: &BTreeMap<String, KernelWords>) {
    let path = Path::default().to("kernels");
    names(lint, "kernel", &path, &edition.kernels, originals);
    for (id, words) in &edition.kernels {
        let Some(original) = originals.get(id) else { continue };
        let place = path.to(id.as_str());
        if let Some(of) = &words.of {
            translates(lint, &format!("kernel `{id}`"), &place.to("of"), of, &digest(original));
        }
        // A translation may need a short label even if the original does not.
        let label = original.label.as_ref().or(words.label.as_ref().and(original.title.as_ref()));
        let fields = [
            ("title", &words.title, original.title.as_ref()),
            ("label", &words.label, label),
            ("about", &words.about, original.about.as_ref()),
        ];
        for (field, words, original) in fields {
            let (words, original) = (words.as_deref().unwrap_or_default(), original.map_or("", String::as_str));
            let what = format!("The {field} of the kernel `{id}`");
            if !words.is_empty() {
                lint.title(&what, words, &place.to(field));
            }
            text(lint, &what, &place.to(field), words, original);
        }
        let axes = place.to("axes");
        names(lint, &format!("axis or value of `{id}`"), &axes, &words.axes, &original.axes);
        for (name, word) in &words.axes {
            if let Some(original) = original.axes.get(name) {
                text(lint, &format!("The name of `{name}`"), &axes.to(name.as_str()), word, original);
            }
        }
    }
}
