//! Commented templates: a small course, or a level, a kernel or an exercise for an existing course. Each passes `check`
//! unchanged.

use crate::new::{NewError, empty, schemas, write};
use crate::renamed::{Module, renamed};
use std::path::Path;
use tutor_course::{COURSE, CourseFile, CourseSource, File};
use tutor_exercises::pack;
use tutor_kernels::{Catalog, CatalogFile};
use tutor_support::yaml;

const COURSE_TEXT: &str = include_str!("../../../assets/template/course.yaml");
const ENTRY: &str = include_str!("../../../assets/template/entry.yaml");
const LESSON: &str = include_str!("../../../assets/template/lesson.yaml");
const QUIZ: &str = include_str!("../../../assets/template/quiz.yaml");
const CATALOG_TEXT: &str = include_str!("../../../assets/template/catalog.yaml");
const KERNEL: &str = include_str!("../../../assets/template/kernel.yaml");
const SOURCE: &str = include_str!("../../../assets/template/kernel.cu");
const PTX: &str = include_str!("../../../assets/template/kernel.ptx");
const EXERCISE: &str = include_str!("../../../assets/template/exercise.yaml");
const WORKFLOW: &str = include_str!("../../../assets/template/check.yml");
const REQUIREMENTS: &str = include_str!("../../../assets/template/requirements.txt");
const CATALOG: &str = "kernels/catalog.yaml";
/// Exercise of the built-in course with the same text as the template. Its compiled choices are copied.
const PACKED: &str = "a-faster-barrier";

/// A part to add to an existing course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A level with a lesson and a quiz.
    Level(String),
    Kernel(String),
    Exercise(String),
}

/// Writes a course with one level and one kernel into a new directory. Returns the written paths.
///
/// # Errors
/// If the directory is not empty or cannot be written to, or if the id is not valid.
pub fn minimal(directory: &Path, id: &str, title: &str) -> Result<Vec<String>, NewError> {
    named(id, '-')?;
    empty(directory)?;
    let course =
        COURSE_TEXT.replace("COURSE", id).replace("TITLE", &quoted(title)) + &entry("first", "01-first.yaml", 3);
    let mut files = vec![
        (COURSE.to_owned(), course.into_bytes()),
        (".github/workflows/check.yml".to_owned(), WORKFLOW.as_bytes().to_vec()),
        ("requirements.txt".to_owned(), REQUIREMENTS.as_bytes().to_vec()),
    ];
    files.extend(level("first", "01-first.yaml"));
    files.extend(schemas(directory)?);
    write(directory, &files)?;
    let mut names: Vec<String> = files.into_iter().map(|(name, _)| name).collect();
    names.extend(add(directory, &Part::Kernel("my_tile".to_owned()))?);
    Ok(names)
}

/// Adds a part to the course in a directory. Returns the paths that were written or changed.
///
/// # Errors
/// If the name is in use or not valid, or if a file cannot be read or written.
pub fn add(directory: &Path, part: &Part) -> Result<Vec<String>, NewError> {
    let source = CourseSource::Directory(directory.to_owned());
    let text = read(&source, COURSE)?;
    let course = File::<CourseFile>::parse(COURSE, text.clone()).value.ok_or_else(|| not_added(COURSE))?;
    let first = course.levels.first().map_or("first", |level| level.id.value.as_str());
    let files = match part {
        Part::Level(id) => {
            named(id, '-')?;
            let file = format!("{:02}-{id}.yaml", course.levels.len() + 1);
            if course.levels.iter().any(|level| level.id.value == *id) {
                return Err(NewError::There(id.clone()));
            }
            let added =
                appended(&text, "levels", |column| entry(id, &file, column)).ok_or_else(|| not_added(COURSE))?;
            let known = File::<CourseFile>::parse(COURSE, added.clone()).value.ok_or_else(|| not_added(COURSE))?;
            if known.levels.len() != course.levels.len() + 1 {
                return Err(not_added(COURSE));
            }
            let mut files = level(id, &file);
            files.push((COURSE.to_owned(), added.into_bytes()));
            files
        }
        Part::Kernel(name) => {
            named(name, '_')?;
            if Catalog::of_course(Some(directory)).0.kernel(name).is_some() {
                return Err(NewError::There(name.clone()));
            }
            kernel(&source, name, first)?
        }
        Part::Exercise(name) => {
            named(name, '-')?;
            exercise(name, first)?
        }
    };
    let fresh = |name: &str| name != COURSE && name != CATALOG;
    if let Some((there, _)) = files.iter().find(|(name, _)| fresh(name) && directory.join(name).exists()) {
        return Err(NewError::There(there.clone()));
    }
    write(directory, &files)?;
    Ok(files.into_iter().map(|(name, _)| name).collect())
}

fn level(id: &str, file: &str) -> Vec<(String, Vec<u8>)> {
    [("modules", LESSON), ("quizzes", QUIZ)]
        .map(|(folder, text)| (format!("{folder}/{file}"), text.replace("LEVEL", id).into_bytes()))
        .to_vec()
}

/// Returns an entry of `levels` whose dash is in column `column`.
fn entry(id: &str, file: &str, column: usize) -> String {
    indented(&ENTRY.replace("LEVEL", id).replace("FILE", file), column)
}

/// Moves a template's list entries so that their dashes are in column `column`, counted from 1.
fn indented(text: &str, column: usize) -> String {
    let line = |line: &str| format!("{}{}\n", " ".repeat(column.saturating_sub(1)), line.get(2..).unwrap_or(line));
    text.lines().map(line).collect()
}

fn kernel(source: &CourseSource, name: &str, level: &str) -> Result<Vec<(String, Vec<u8>)>, NewError> {
    let entry = |column: usize| indented(&KERNEL.replace("KERNEL", name).replace("LEVEL", level), column);
    let catalog = match source.read(CATALOG) {
        Ok(text) => {
            let added = appended(&text, "kernels", entry).ok_or_else(|| not_added(CATALOG))?;
            let count =
                |text: &str| File::<CatalogFile>::parse(CATALOG, text.to_owned()).value.map(|it| it.kernels.len());
            match (count(&text), count(&added)) {
                (Some(before), Some(after)) if after == before + 1 => added,
                _ => return Err(not_added(CATALOG)),
            }
        }
        Err(_) => CATALOG_TEXT.to_owned() + &entry(3),
    };
    let code = SOURCE.replace("KERNEL", name);
    let ptx = renamed(PTX, Module { file: "tile8", entry: "tile8" }, Module { file: name, entry: name });
    let ptx = tutor_kernels::stated_as(&format!("kernels/{name}.cu"), &code, &[("TILE", 8)], "sm_75", &ptx);
    Ok(vec![
        (CATALOG.to_owned(), catalog.into_bytes()),
        (format!("kernels/{name}.cu"), code.into_bytes()),
        (format!("assets/ptx/{name}.ptx"), ptx.ok_or_else(|| not_added(CATALOG))?.into_bytes()),
    ])
}

fn exercise(name: &str, level: &str) -> Result<Vec<(String, Vec<u8>)>, NewError> {
    let file = format!("{}/{name}/exercise.yaml", tutor_exercises::FOLDER);
    let lacking = || not_added(&file);
    let (known, _) = tutor_exercises::read(&CourseSource::BuiltIn, Catalog::built_in());
    let model = known.iter().find(|exercise| exercise.id == PACKED).ok_or_else(lacking)?;
    let mut texts = pack::read(&CourseSource::BuiltIn, PACKED).map_err(|_| lacking())?;
    let own = tutor_exercises::Exercise { id: name.to_owned(), ..model.clone() };
    let entry = model.kernel.entry.as_str();
    let choices: std::collections::BTreeMap<String, String> = own.choices().into_iter().collect();
    for (choice, ptx) in &mut texts {
        let code = renamed(ptx, Module { file: PACKED, entry }, Module { file: name, entry });
        *ptx = own.recipe(&own.file_name(), choices.get(choice).ok_or_else(lacking)?).state(&code);
    }
    let packed = pack::pack(&texts).map_err(|_| lacking())?;
    Ok(vec![
        (file.clone(), EXERCISE.replace("LEVEL", level).into_bytes()),
        (format!("assets/ptx/exercises/{name}.lzma"), packed),
    ])
}

/// Returns a course file with entries after the last entry of a list. `None` if the list is not a block list.
fn appended(text: &str, list: &str, entries: impl Fn(usize) -> String) -> Option<String> {
    let tree = yaml::read(text).ok()?;
    let node = tree.value_at(&[list.into()])?;
    let (column, last) = (node.column as usize, node.last_line() as usize);
    // In a block list, the first dash is at the start of the list.
    let begins = text.lines().nth((node.line as usize).checked_sub(1)?)?;
    if !begins.chars().skip(column.checked_sub(1)?).collect::<String>().starts_with("- ") {
        return None;
    }
    let mut lines: Vec<&str> = text.lines().collect();
    let entries = entries(column);
    lines.insert(last.min(lines.len()), entries.trim_end_matches('\n'));
    Some(lines.join("\n") + "\n")
}

fn read(source: &CourseSource, name: &str) -> Result<String, NewError> {
    source.read(name).map_err(|_| not_added(name))
}

fn not_added(file: &str) -> NewError {
    NewError::NotAdded(file.to_owned())
}

/// Checks a name: it must be an id. A kernel's name is also the name of a function.
fn named(name: &str, joint: char) -> Result<(), NewError> {
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == joint || c == '_';
    let fits = begins && name.len() <= 60 && name.chars().all(allowed);
    if fits { Ok(()) } else { Err(NewError::Name(name.escape_debug().to_string())) }
}

/// Quotes a text for YAML on one line.
fn quoted(text: &str) -> String {
    let text = tutor_support::text::line(text).replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}

/// Changes the id and title of a course, in its file and in the file of each edition.
///
/// # Errors
/// If the id is not valid, or if a file cannot be read or written.
pub fn retitle(directory: &Path, id: Option<&str>, title: Option<&str>) -> Result<(), NewError> {
    if let Some(id) = id {
        named(id, '-')?;
    }
    let folders = std::fs::read_dir(directory.join("modules")).into_iter().flatten().flatten();
    let editions = folders.filter_map(|entry| Some(format!("modules/{}/course.yaml", entry.file_name().to_str()?)));
    let mut files: Vec<String> = editions.filter(|file| directory.join(file).is_file()).collect();
    files.push(COURSE.to_owned());
    for file in files {
        let text = retitled(directory, &file, id, title)?;
        write(directory, &[(file, text.into_bytes())])?;
    }
    Ok(())
}

/// Returns the text of a course file with another id and title.
fn retitled(directory: &Path, file: &str, id: Option<&str>, title: Option<&str>) -> Result<String, NewError> {
    let mut text = read(&CourseSource::Directory(directory.to_owned()), file)?;
    for (field, value) in [("id", id.map(str::to_owned)), ("title", title.map(quoted))] {
        let Some(value) = value else { continue };
        let tree = yaml::read(&text).map_err(|_| not_added(file))?;
        let node = tree.value_at(&[field.into()]).ok_or_else(|| not_added(file))?;
        let (line, column) = (node.line, node.column);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let at = lines.get_mut((line as usize).saturating_sub(1)).ok_or_else(|| not_added(file))?;
        *at = at.chars().take((column as usize).saturating_sub(1)).collect::<String>() + &value;
        text = lines.join("\n") + "\n";
    }
    Ok(text)
}
