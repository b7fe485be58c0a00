//! Rules for the texts of exercises and kernels. Translations have the texts of the original, with the same numbers.

use super::alike::{hash_of_text, same_numbers, translates};
use super::catalog::CATALOG;
use super::editions::missing_file;
use crate::rules::severity;
use serde::Serialize;
use std::collections::BTreeMap;
use tutor_course::lint::{Lint, Path};
use tutor_course::{CourseSource, File, FileContent, Files, Problem, ReadError};
use tutor_exercises::{ExerciseEdition, ExerciseFile, FOLDER};
use tutor_kernels::{Catalog, CatalogEdition, CatalogFile, KernelEntry, KernelWords};
use unicode_width::UnicodeWidthStr as _;

/// Maximum width of an exercise's title, in columns.
const MAX_TITLE_WIDTH: usize = 40;

/// Returns the problems in the texts of the course's own exercises and kernels, and in their translations.
pub(super) fn check(files: &Files) -> Vec<Problem> {
    let langs: Vec<&str> = files.editions.iter().skip(1).map(|edition| edition.lang.as_str()).collect();
    let mut ids = files.source.own_exercises();
    ids.sort();
    let mut problems = Vec::new();
    for id in &ids {
        let name = format!("{FOLDER}/{id}/exercise.yaml");
        let Ok(file) = File::<ExerciseFile>::read(&files.source, &name) else { continue };
        if let Some(exercise) = &file.value {
            let mut lint = Lint::new(&file, severity);
            written(&mut lint, exercise);
            problems.extend(lint.into_problems());
        }
        let Some(original) = file.value.as_ref().filter(|_| !file.left_out).map(ExerciseEdition::from) else {
            continue;
        };
        for lang in &langs {
            let name = ExerciseEdition::path(id, lang);
            let read = File::<ExerciseEdition>::read(&files.source, &name);
            problems.extend(file_problems(read, &name, lang, |lint, edition| exercise(lint, edition, &original)));
        }
    }
    let Some(file) = catalog(&files.source) else { return problems };
    let entries: Vec<&KernelEntry> = file.value.iter().flat_map(|of| &of.kernels).map(|entry| &entry.value).collect();
    let mut lint = Lint::new(&file, severity);
    for place in (0..entries.len()).map(|at| Path::default().to("kernels").to(at)) {
        ["title", "label", "about"].iter().for_each(|field| lint.whole(&place.to(*field)));
    }
    lint.cut_texts();
    problems.extend(lint.into_problems());
    if file.left_out {
        return problems;
    }
    let catalog = entries.iter().map(|entry| (entry.id.value.clone(), KernelWords::from(*entry))).collect();
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

/// Returns the catalogue of the course's own kernels. `None` if there is none.
fn catalog(source: &CourseSource) -> Option<File<CatalogFile>> {
    match source {
        CourseSource::BuiltIn => Some(File::parse(CATALOG, Catalog::built_in_text(CATALOG)?)),
        CourseSource::Directory(_) => File::read(source, CATALOG).ok(),
    }
}

/// Checks the Markdown of an exercise, and that no comment cuts a text of it.
fn written(lint: &mut Lint<'_>, exercise: &ExerciseFile) {
    let root = Path::default();
    lint.whole(&root.to("title"));
    lint.markdown(&exercise.task, &root.to("task"));
    lint.markdown(&exercise.next, &root.to("next"));
    for (at, hint) in exercise.hints.iter().enumerate() {
        lint.markdown(&hint.text, &root.to("hints").to(at).to("text"));
    }
    for (at, cure) in exercise.cures.iter().enumerate() {
        let place = root.to("cures").to(at);
        lint.markdown(&cure.text, &place.to("text"));
        lint.markdown(&cure.why, &place.to("why"));
    }
    for (at, hole) in exercise.holes.iter().enumerate() {
        let place = root.to("holes").to(at);
        lint.markdown(&hole.ask, &place.to("ask"));
        for (at, filling) in hole.fillings.iter().enumerate() {
            lint.markdown(&filling.why, &place.to("fillings").to(at).to("why"));
        }
    }
    lint.cut_texts();
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
        lint.cut_texts();
        problems.extend(lint.into_problems());
    }
    problems
}

fn lacks(lint: &mut Lint<'_>, what: &str, place: &Path<'_>) {
    lint.report("edition-missing", place, format!("{what} is missing, so the original is shown."), "");
}

/// Checks a text in Markdown like [`text`].
fn prose(lint: &mut Lint<'_>, what: &str, place: &Path<'_>, words: &str, original: &str) {
    text(lint, what, place, words, original);
    lint.markdown(words, place);
}

/// Checks that a text exists if the original has it, that no comment cuts it, and that both contain the same numbers.
fn text(lint: &mut Lint<'_>, what: &str, place: &Path<'_>, text: &str, original: &str) {
    lint.whole(place);
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
        prose(lint, what, &path.to(field), words, original);
    }
    let cures = path.to("cures");
    names(lint, "cure", &cures, &words.cures, &original.cures);
    for (id, cure) in &words.cures {
        let Some(from) = original.cures.get(id) else { continue };
        let place = cures.to(id.as_str());
        prose(lint, &format!("The text of the cure `{id}`"), &place.to("text"), &cure.text, &from.text);
        prose(lint, &format!("The `why` of the cure `{id}`"), &place.to("why"), &cure.why, &from.why);
    }
    let holes = path.to("holes");
    names(lint, "hole", &holes, &words.holes, &original.holes);
    for (id, hole) in &words.holes {
        let Some(from) = original.holes.get(id) else { continue };
        let place = holes.to(id.as_str());
        prose(lint, &format!("The question of the hole `{id}`"), &place.to("ask"), &hole.ask, &from.ask);
        let place = place.to("fillings");
        names(lint, "filling with a `why`", &place, &hole.fillings, &from.fillings);
        for (id, filling) in &hole.fillings {
            let Some(from) = from.fillings.get(id) else { continue };
            let what = format!("The `why` of the filling `{id}`");
            prose(lint, &what, &place.to(id.as_str()).to("why"), &filling.why, &from.why);
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
        prose(lint, "A hint", &place.to(at), hint, from);
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
