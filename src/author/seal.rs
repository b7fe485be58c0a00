/*! Creates a course without the keys of its quizzes, for an exam.

Each quiz is rewritten from its tree without correct answers, replies and claims. Placeholders keep the file readable,
so that questions can be drawn from it. Ids and numbers stay, so that the full course can grade an answer.
*/

use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use tutor_base::beneath::{BUILT_IN, DEEPEST, FOLDER};
use tutor_base::yaml::{self, Node, Value};
use tutor_course::{COURSE, CourseFile, CourseSource, FOLDERS, File, Files, LevelFiles, QuizFile, ReadError};

/// A sealed course: its files, and remarks about what cannot be hidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Paths within the course, and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// What may still reveal an answer.
    pub remarks: Vec<String>,
}

/// Removes the keys from a course's quizzes. `exam` is the name of the exam. A directory that the course extends is
/// included, also without keys.
///
/// # Errors
/// If the course or one of its quizzes cannot be read: a message.
pub fn seal(source: &CourseSource, exam: &str) -> Result<Sealed, String> {
    let mut sealed = Sealed { files: Vec::new(), remarks: Vec::new() };
    add(&mut sealed, source, Some(exam), "", 0)?;
    Ok(sealed)
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

/// Returns the text of a quiz without its keys.
fn without_keys(file: &File<QuizFile>, remarks: &mut Vec<String>) -> Result<String, String> {
    let tree = yaml::read(&file.text).map_err(|fault| format!("`{}`: {}", file.name, fault.message))?;
    let mut quiz = to_json(&tree);
    strip(&mut quiz, remarks);
    Ok(serde_json::to_string_pretty(&quiz).map_err(|error| error.to_string())? + "\n")
}

/// Adds a course that is the base of `depth` nested courses, with `place` as the prefix of its paths.
fn add(
    sealed: &mut Sealed,
    source: &CourseSource,
    exam: Option<&str>,
    place: &str,
    depth: usize,
) -> Result<(), String> {
    let files = Files::read(source, |_| true);
    let Some(course) = files.course_file().filter(|_| depth <= DEEPEST) else {
        return Err(format!("There is no `{place}{COURSE}` that can be read."));
    };
    let extends = course.extends.as_ref().map(|extends| extends.value.as_str());
    let Sealed { files: written, remarks } = sealed;
    let mut put = |name: &str, bytes: Vec<u8>| {
        let path = format!("{place}{name}");
        if written.iter().any(|(known, _)| *known == path) {
            return Err(format!(
                "`{path}` is the file of two levels, one of them of the course beneath: rename yours."
            ));
        }
        written.push((path, bytes));
        Ok(())
    };
    for (at, edition) in files.editions.iter().enumerate() {
        match &edition.course {
            Ok(file) if at == 0 => put(&file.name, course_text(file, &edition.levels, exam, extends).into_bytes())?,
            Ok(file) => put(&file.name, file.text.clone().into_bytes())?,
            Err(ReadError::Missing(_)) => {}
            Err(error) => return Err(error.to_string()),
        }
        for level in &edition.levels {
            match level.own_lesson() {
                Some(Ok(file)) => put(&file.name, file.text.clone().into_bytes())?,
                None | Some(Err(ReadError::Missing(_))) => {}
                Some(Err(error)) => return Err(error.to_string()),
            }
            // The quizzes and keys of the built-in course are in the program, so the quizzes that the course uses are
            // written out.
            let quiz = if extends == Some(BUILT_IN) { level.quiz.as_ref() } else { level.own_quiz() };
            match quiz {
                Some(Ok(file)) => put(&file.name, without_keys(file, remarks)?.into_bytes())?,
                None | Some(Err(ReadError::Missing(_))) => {}
                Some(Err(error)) => return Err(error.to_string()),
            }
        }
    }
    for folder in FOLDERS.iter().filter(|folder| !["modules", "quizzes"].contains(*folder)) {
        for (name, bytes) in source.beside(folder) {
            put(&name, bytes)?;
        }
    }
    match (source.directory(), extends) {
        (Some(_), Some(BUILT_IN)) if depth == 0 => {
            remarks.push("The program holds the built-in course, with the keys of its questions.".to_owned());
            Ok(())
        }
        (Some(root), Some(below)) if below != BUILT_IN => {
            let below = CourseSource::Directory(root.join(below));
            add(sealed, &below, None, &format!("{place}{FOLDER}/"), depth + 1)
        }
        _ => Ok(()),
    }
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
    let entries = fields.get_mut("levels").and_then(Json::as_array_mut);
    for entry in entries.into_iter().flatten().filter_map(Json::as_object_mut) {
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

const HIDDEN: &str = "sealed";

fn strip(quiz: &mut Json, remarks: &mut Vec<String>) {
    let slots = quiz.get_mut("slots").and_then(Json::as_array_mut);
    for slot in slots.into_iter().flatten() {
        let name = slot.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
        let variants = slot.get_mut("variants").and_then(Json::as_array_mut);
        for variant in variants.into_iter().flatten().filter_map(Json::as_object_mut) {
            variant.insert("because".to_owned(), HIDDEN.into());
            variant.remove("claims");
            let id = variant.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
            let answer = variant.get_mut("answer").and_then(Json::as_object_mut);
            for (kind, spec) in answer.into_iter().flatten() {
                answer_of(kind, spec, &format!("{name}/{id}"), remarks);
            }
        }
    }
}

/// Marks the first choice by id as correct, because one choice must be correct.
fn choices(all: &mut Json) {
    let Some(all) = all.as_array_mut() else { return };
    all.sort_by_key(|choice| choice.get("id").and_then(Json::as_str).unwrap_or_default().to_owned());
    for (at, choice) in all.iter_mut().enumerate() {
        let Some(choice) = choice.as_object_mut() else { continue };
        choice.remove("why");
        choice.remove("correct");
        choice.insert(
            if at == 0 { "correct" } else { "why" }.to_owned(),
            if at == 0 { true.into() } else { HIDDEN.into() },
        );
    }
}

fn answer_of(kind: &str, spec: &mut Json, name: &str, remarks: &mut Vec<String>) {
    if matches!(kind, "single" | "multiple") {
        return choices(spec);
    }
    let Some(fields) = spec.as_object_mut() else { return };
    fields.remove("slips");
    if fields.contains_key("why") {
        fields.insert("why".to_owned(), HIDDEN.into());
    }
    match kind {
        "numeric" => drop(fields.insert("formula".to_owned(), "0".into())),
        "text" => drop(fields.insert("accept".to_owned(), json!(["?"]))),
        "cloze" => {
            let blanks = fields.get_mut("blanks").and_then(Json::as_array_mut);
            blanks.into_iter().flatten().for_each(|blank| *blank = json!({ "accept": ["?"], "why": HIDDEN }));
        }
        "order" => {
            if let Some(items) = fields.get_mut("items").and_then(Json::as_array_mut) {
                items.sort_by_key(|item| item.get("text").and_then(Json::as_str).unwrap_or_default().to_owned());
            }
        }
        "match" => {
            let ids = fields.get("right").and_then(Json::as_array);
            let mut ids: Vec<Json> = ids.into_iter().flatten().filter_map(|side| side.get("id").cloned()).collect();
            ids.sort_by_key(|id| id.as_str().unwrap_or_default().to_owned());
            let left = fields.get_mut("left").and_then(Json::as_array_mut);
            for (side, id) in left.into_iter().flatten().zip(ids) {
                side["is"] = id;
            }
        }
        "predict" => {
            let one = json!({ "banks": { "rows": 1, "pitch": 1, "row": "0", "column": "0", "block": [1, 1] } });
            fields.insert("of".to_owned(), one);
        }
        "fault" => {
            remarks.push(format!(
                "{name}: the kernel with the fault is named in the file, and its name may tell what it lacks."
            ));
            fields.insert("lines".to_owned(), json!([""]));
            ["races", "stops", "beside"].iter().for_each(|field| drop(fields.remove(*field)));
            fields.get_mut("consequences").into_iter().for_each(choices);
        }
        _ => {}
    }
}
