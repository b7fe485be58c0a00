/*! Creates a course without the keys of its quizzes, for an exam.

Each quiz is rewritten from its tree without correct answers, replies and claims. Placeholders keep the file valid,
so that questions can be drawn from it. Ids and numbers stay, so that the full course can grade an answer.

Exercises contain their solutions, so they are left out, and a page that shows one loses its picture. The kernels of
questions about planted faults are left out, too. From `kernels/`, only files that the catalogue names are written.
Comments go, except those in lessons.
*/

mod keys;

use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};
use tutor_course::{
    AnswerSpec, COURSE, CourseFile, CourseSource, File, Files, LessonFile, LevelFiles, QuizFile, ReadError, SEALED,
    Variant,
};
use tutor_kernels::base_course::{BUILT_IN, FOLDER, MAX_BASE_COURSES};
use tutor_support::t;
use tutor_support::yaml::{self, Node, Value};

const CATALOG: &str = "kernels/catalog.yaml";

/// A sealed course: its files, and remarks about what cannot be hidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Paths within the course, and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// What may still reveal an answer.
    pub remarks: Vec<String>,
}

/// Why a course cannot be sealed.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    #[error("There is no `{0}` that can be read.")]
    NoCourse(String),
    #[error("`{0}` is the file of two levels, one of them in the base course. Rename yours.")]
    TwoLevels(String),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("`{0}`: {1}")]
    Yaml(String, String),
    #[error("`{0}`: the kernel `{1}` cannot be read.")]
    NoKernel(String, String),
    #[error(transparent)]
    Write(#[from] serde_json::Error),
}

/// Removes the keys from a course's quizzes. `exam` is the name of the exam. A directory that the course extends is
/// included, also without keys.
///
/// # Errors
/// If the course or one of its quizzes cannot be read.
pub fn seal(source: &CourseSource, exam: &str) -> Result<Sealed, SealError> {
    let files = Files::read(source, |_| true);
    let mut sealed = Sealed { files: Vec::new(), remarks: Vec::new() };
    let known = Files::read(&CourseSource::BuiltIn, |_| true);
    let known: BTreeSet<&str> = variants(&known, usize::MAX).map(|(_, variant)| variant.ask.as_str()).collect();
    let questions = variants(&files, 1).filter(|(_, variant)| known.contains(variant.ask.as_str())).count();
    if questions > 0 {
        let remark = "are questions of the built-in course. Every copy of the program has their keys.";
        sealed.remarks.push(format!("{questions} variants {remark}"));
    }
    let faults = variants(&files, usize::MAX).filter_map(|(_, variant)| match &variant.answer {
        AnswerSpec::Fault(fault) => Some(fault.kernel.value.clone()),
        _ => None,
    });
    add(&mut sealed, source, Some(exam), "", 0, &faults.collect())?;
    // A translation causes the remarks of the original again.
    let mut seen = BTreeSet::new();
    sealed.remarks.retain(|remark| seen.insert(remark.clone()));
    Ok(sealed)
}

/// Returns all variants of the first editions, each with the id of its slot.
fn variants(files: &Files, editions: usize) -> impl Iterator<Item = (&str, &Variant)> {
    let levels = files.editions.iter().take(editions).flat_map(|edition| &edition.levels);
    levels.filter_map(|level| level.quiz.as_ref()?.as_ref().ok()).flat_map(|file| of_quiz(file))
}

fn of_quiz(file: &File<QuizFile>) -> impl Iterator<Item = (&str, &Variant)> {
    let slots = file.value.iter().flat_map(|quiz| &quiz.slots);
    slots.flat_map(|slot| slot.variants.iter().map(|variant| (slot.id.value.as_str(), variant)))
}

/// Returns the quizzes of a course as [`seal`] writes them, by level. An exam draws its questions from them.
pub fn sealed_quizzes(source: &CourseSource) -> BTreeMap<String, QuizFile> {
    let files = Files::read(source, |_| false);
    let levels = files.editions.iter().take(1).flat_map(|edition| &edition.levels);
    let quizzes = levels.filter_map(|level| {
        let text = without_keys(level.quiz.as_ref()?.as_ref().ok()?, &mut Vec::new()).ok()?;
        Some((level.id.clone(), File::parse("", text).value?))
    });
    quizzes.collect()
}

/// The fields that give a page content besides `show`.
const CONTENT: [&str; 5] = ["text", "after", "recall", "predict", "why"];

/// Returns the text of a lesson. Its pages show no exercises, because the sealed course has none.
fn without_exercises(file: &File<LessonFile>) -> Result<String, SealError> {
    let mut lesson = to_json(&file.tree());
    let mut changed = false;
    let pages = lesson.get_mut("pages").and_then(Json::as_array_mut);
    for page in pages.into_iter().flatten().filter_map(Json::as_object_mut) {
        if page.get("show").is_some_and(|show| show.get("exercise").is_some()) {
            // The digest in `of` also covers the picture.
            ["show", "of"].iter().for_each(|field| drop(page.remove(*field)));
            if !CONTENT.iter().any(|field| page.contains_key(*field)) {
                page.insert("text".to_owned(), t!("seal-no-exercise").into());
            }
            changed = true;
        }
    }
    if changed { pretty(&lesson) } else { Ok(file.text.clone()) }
}

/// Returns the text of a quiz without its keys.
fn without_keys(file: &File<QuizFile>, remarks: &mut Vec<String>) -> Result<String, SealError> {
    let tree = read(&file.name, &file.text)?;
    let mut codes = keys::Codes::new();
    for (slot, variant) in of_quiz(file) {
        let AnswerSpec::Fault(fault) = &variant.answer else { continue };
        let code: Vec<String> = fault.code().into_iter().map(|(_, line)| line).collect();
        if code.is_empty() {
            return Err(SealError::NoKernel(file.name.clone(), fault.kernel.value.clone()));
        }
        codes.insert([slot.to_owned(), variant.id.value.clone()], code);
    }
    let mut quiz = to_json(&tree);
    keys::strip(&mut quiz, &codes, remarks);
    Ok(format!(
        "# Sealed for an exam. Formulas, accepted texts and the order of lists are placeholders.\n{}",
        pretty(&quiz)?
    ))
}

fn pretty(tree: &Json) -> Result<String, SealError> {
    Ok(serde_json::to_string_pretty(tree)? + "\n")
}

fn read(name: &str, text: &str) -> Result<Node, SealError> {
    yaml::read(text).map_err(|fault| SealError::Yaml(name.to_owned(), fault.message))
}

/// Adds a course that is the base of `depth` nested courses, with `place` as the prefix of its paths. `faults` are the
/// kernels of questions about planted faults.
fn add(
    sealed: &mut Sealed,
    source: &CourseSource,
    exam: Option<&str>,
    place: &str,
    depth: usize,
    faults: &BTreeSet<String>,
) -> Result<(), SealError> {
    let files = Files::read(source, |_| true);
    let Some(course) = files.course_file().filter(|_| depth <= MAX_BASE_COURSES) else {
        return Err(SealError::NoCourse(format!("{place}{COURSE}")));
    };
    let extends = course.extends.as_ref().map(|extends| extends.value.as_str());
    let Sealed { files: written, remarks } = sealed;
    let mut put = |name: &str, bytes: Vec<u8>| {
        let path = format!("{place}{name}");
        if written.iter().any(|(known, _)| *known == path) {
            return Err(SealError::TwoLevels(path));
        }
        written.push((path, bytes));
        Ok(())
    };
    for (at, edition) in files.editions.iter().enumerate() {
        match &edition.course {
            Ok(file) if at == 0 => put(&file.name, course_text(file, &edition.levels, exam, extends).into_bytes())?,
            Ok(file) => put(&file.name, file.text.clone().into_bytes())?,
            Err(ReadError::Missing(_)) => {}
            Err(error) => return Err(error.clone().into()),
        }
        for level in &edition.levels {
            match level.own_lesson() {
                Some(Ok(file)) => put(&file.name, without_exercises(file)?.into_bytes())?,
                None | Some(Err(ReadError::Missing(_))) => {}
                Some(Err(error)) => return Err(error.clone().into()),
            }
            // The quizzes and keys of the built-in course are in the program, so the quizzes that the course uses are
            // written out.
            let quiz = if extends == Some(BUILT_IN) { level.quiz.as_ref() } else { level.own_quiz() };
            match quiz {
                Some(Ok(file)) => put(&file.name, without_keys(file, remarks)?.into_bytes())?,
                None | Some(Err(ReadError::Missing(_))) => {}
                Some(Err(error)) => return Err(error.clone().into()),
            }
        }
    }
    for (name, bytes) in kernels(source, faults, &files, remarks)? {
        put(&name, bytes)?;
    }
    match (source.directory(), extends) {
        (Some(root), Some(below)) if below != BUILT_IN => {
            let below = CourseSource::Directory(root.join(below));
            add(sealed, &below, None, &format!("{place}{FOLDER}/"), depth + 1, faults)
        }
        _ => Ok(()),
    }
}

/// Returns the course's kernels without exercises and, if no page shows them, without those in `faults`.
fn kernels(
    source: &CourseSource,
    faults: &BTreeSet<String>,
    files: &Files,
    remarks: &mut Vec<String>,
) -> Result<Vec<(String, Vec<u8>)>, SealError> {
    let Ok(text) = source.read(CATALOG) else { return Ok(Vec::new()) };
    let mut catalog = to_json(&read(CATALOG, &text)?);
    let levels = files.editions.iter().flat_map(|edition| &edition.levels);
    let lessons: Vec<&str> = levels.filter_map(|level| Some(level.lesson.as_ref().ok()?.text.as_str())).collect();
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let shown = |id: &str| lessons.iter().any(|lesson| lesson.split(|c| !word(c)).any(|found| found == id));
    let (kept, mut known) = (|id: &str| !faults.contains(id) || shown(id), BTreeSet::from([CATALOG.to_owned()]));
    let field = |entry: &Json, name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    if let Some(entries) = catalog.get_mut("kernels").and_then(Json::as_array_mut) {
        entries.retain(|entry| kept(&field(entry, "id")));
        for entry in entries {
            let id = field(entry, "id");
            if faults.contains(&id) {
                remarks.push(format!("A page shows `{id}`, the kernel of a question about its fault."));
            }
            known.insert(format!("kernels/{}", field(entry, "file")));
            known.insert(format!("assets/ptx/{id}.ptx"));
            known.insert(format!("assets/ptx/{id}"));
        }
    }
    let mut written = Vec::new();
    for (name, bytes) in source.beside("kernels").into_iter().chain(source.beside("assets/ptx")) {
        let edition = name.strip_prefix("kernels/").is_some_and(|file| !file.contains('/') && file.ends_with(".yaml"));
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        if name == CATALOG {
            written.push((name, pretty(&catalog)?.into_bytes()));
        } else if edition {
            let mut texts = to_json(&read(&name, &String::from_utf8_lossy(&bytes))?);
            if let Some(kernels) = texts.get_mut("kernels").and_then(Json::as_object_mut) {
                kernels.retain(|id, _| kept(id));
            }
            written.push((name, pretty(&texts)?.into_bytes()));
        } else if known.contains(&name) || known.contains(folder) {
            written.push((name, bytes));
        }
    }
    Ok(written)
}

/// Returns the text of a `course.yaml` with the exam's name. It extends the included base course, and names the written
/// quizzes of levels from the built-in course.
fn course_text(file: &File<CourseFile>, levels: &[LevelFiles], exam: Option<&str>, extends: Option<&str>) -> String {
    let mut course = to_json(&file.tree());
    let Some(fields) = course.as_object_mut() else { return file.text.clone() };
    if let Some(exam) = exam {
        fields.insert("exam".to_owned(), exam.into());
    }
    if extends.is_some_and(|extends| extends != BUILT_IN) {
        fields.insert("extends".to_owned(), FOLDER.into());
    }
    // A reason may give a key away.
    let allowed = fields.get_mut("allow").and_then(Json::as_array_mut).into_iter().flatten();
    allowed.filter_map(Json::as_object_mut).for_each(|entry| drop(entry.insert("why".to_owned(), SEALED.into())));
    let entries = fields.get_mut("levels").and_then(Json::as_array_mut);
    for entry in entries.into_iter().flatten().filter_map(Json::as_object_mut) {
        // The exercises are left out.
        entry.remove("requires");
        let used = entry.get("use").and_then(Json::as_str).filter(|_| extends == Some(BUILT_IN));
        let level = used.and_then(|id| levels.iter().find(|level| level.id == id && level.own_quiz().is_none()));
        if let Some(Ok(quiz)) = level.and_then(|level| level.quiz.as_ref()) {
            entry.insert("quiz".to_owned(), quiz.name.trim_start_matches("quizzes/").into());
        }
    }
    // Each field has its own line, because `extends` is searched for at the start of a line.
    fields.iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
}

fn to_json(node: &Node) -> Json {
    match &node.value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Integer(number) => i64::try_from(*number).map_or_else(|_| Json::from(*number as f64), Json::from),
        Value::Real(number) => Json::from(*number),
        Value::Text(text) => Json::String(text.clone()),
        Value::List(items) => items.iter().map(to_json).collect(),
        Value::Map(entries) => {
            let field = |(key, value): &(Node, Node)| Some((key.text()?.to_owned(), to_json(value)));
            Json::Object(entries.iter().filter_map(field).collect::<Map<_, _>>())
        }
    }
}
