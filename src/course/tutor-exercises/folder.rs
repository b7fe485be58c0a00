//! The student's folder of an exercise: its initial files, and the submitted file, which is watched for changes.

use super::exercise::{Exercise, Work};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tutor_support::t;
use tutor_support::words::{Sentence, spoken_comments};

/// Why a folder could not be created or reset.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// All files to be written already exist.
    #[error("{}", t!("exercise-there", file = .0.display().to_string()))]
    There(PathBuf),
    /// There is no file to reset.
    #[error("{}", t!("exercise-not-begun", file = .0.display().to_string()))]
    NotBegun(PathBuf),
    #[error("{}", t!("exercise-not-made", file = .0.display().to_string(), why = .1))]
    System(PathBuf, io::Error),
}

/// Returns the name of the file that a student submits.
pub fn file(exercise: &Exercise) -> String {
    match exercise.work {
        Work::Write(_) => exercise.file_name(),
        Work::Repair(_) | Work::Fill(_) => "answer.yaml".to_owned(),
    }
}

/// Returns the default path of the solution: in the exercise's folder, or in the current directory.
pub fn own(exercise: &Exercise) -> PathBuf {
    let name = file(exercise);
    let inside = Path::new(&exercise.id).join(&name);
    if inside.exists() || !Path::new(&name).exists() { inside } else { PathBuf::from(name) }
}

/// Returns the initial files by name.
pub fn contents(exercise: &Exercise) -> Vec<(String, String)> {
    let mut files = vec![("README.md".to_owned(), readme(exercise))];
    match &exercise.work {
        Work::Write(write) => files.push((file(exercise), write.starter.clone())),
        Work::Repair(repair) => {
            files.push((exercise.file_name(), repair.broken.text().to_owned()));
            let cures = repair.cures.iter().map(|cure| format!("#   {}: {}\n", cure.id, cure.text.trim()));
            let form = t!("exercise-form-repair", file = exercise.file_name());
            files.push((
                file(exercise),
                format!(
                    "# {form}\nline: # {}\ncure: # {}\n{}",
                    t!("exercise-form-line"),
                    t!("exercise-form-cure"),
                    cures.collect::<String>()
                ),
            ));
        }
        Work::Fill(fill) => {
            let mut source = exercise.kernel.source.text().to_owned();
            let mut form = format!("# {}\n", t!("exercise-form-fill", file = exercise.file_name()));
            for hole in &fill.holes {
                source = source.replacen(&hole.find, &format!("/* {} */", hole.id), 1);
                form += &format!("\n# {}\n", hole.ask.trim());
                for (id, code, _) in &hole.fillings {
                    let mut lines = code.trim_end().lines();
                    form += &format!("#   {id}: {}\n", lines.next().unwrap_or_default().trim_start());
                    form.extend(lines.map(|line| format!("#       {}\n", line.trim_start())));
                }
                form += &format!("{}: # {}\n", hole.id, t!("exercise-form-filling"));
            }
            files.push((exercise.file_name(), source));
            files.push((file(exercise), form));
        }
    }
    let name = exercise.file_name();
    files.iter_mut().filter(|(file, _)| *file == name).for_each(|(_, text)| *text = spoken_comments(text));
    files
}

/// True if a text is the starter code, in the original language or in the current one.
pub fn is_starter(exercise: &Exercise, text: &str) -> bool {
    matches!(&exercise.work, Work::Write(write) if text == write.starter || text == spoken_comments(&write.starter))
}

fn readme(exercise: &Exercise) -> String {
    let check = format!("matmul-tutor exercise check {} {}", exercise.id, file(exercise));
    format!("# {}\n\n{}\n\n{}\n", exercise.title, exercise.assignment(), t!("exercise-readme", check))
}

/// Creates the folder or its missing files, and leaves existing files unchanged. Returns the path of the file to
/// submit.
///
/// # Errors
/// If all files already exist, or the system reports an error.
pub fn start(exercise: &Exercise, dir: &Path) -> Result<PathBuf, FolderError> {
    let system = |error| FolderError::System(dir.to_owned(), error);
    fs::create_dir_all(dir).map_err(system)?;
    let files = contents(exercise);
    let missing: Vec<_> = files.iter().filter(|(name, _)| dir.join(name).symlink_metadata().is_err()).collect();
    if missing.is_empty() {
        return Err(FolderError::There(dir.join(file(exercise))));
    }
    for (name, text) in missing {
        fs::write(dir.join(name), text).map_err(system)?;
    }
    Ok(dir.join(file(exercise)))
}

/// Restores the initial files and renames the existing submission. Returns the path of the file to submit and that of
/// the renamed one.
pub fn reset(exercise: &Exercise, dir: &Path) -> Result<(PathBuf, PathBuf), FolderError> {
    let system = |error| FolderError::System(dir.to_owned(), error);
    let path = dir.join(file(exercise));
    if !path.exists() {
        return Err(FolderError::NotBegun(path));
    }
    let kept = (1u32..).map(|number| dir.join(format!("{}.{number}", file(exercise)))).find(|kept| !kept.exists());
    let kept = kept.unwrap_or_else(|| dir.join("kept"));
    fs::rename(&path, &kept).map_err(system)?;
    for (name, text) in contents(exercise) {
        if name == file(exercise) || !dir.join(&name).exists() {
            fs::write(dir.join(name), text).map_err(system)?;
        }
    }
    Ok((path, kept))
}

/// A file that is checked for changes periodically.
///
/// Reading a file's time takes microseconds. It also works when an editor replaces the file, and on every file system,
/// including network ones. Change notifications of the system do not.
#[derive(Debug)]
pub struct Watched {
    path: PathBuf,
    seen: Option<Stamp>,
    /// The state at the last check, if it has not been returned yet.
    pending: Option<Stamp>,
}

type Stamp = (SystemTime, u64);

impl Watched {
    /// Returns a watch for a file that has not been checked yet and may not exist.
    pub fn new(path: PathBuf) -> Self {
        Self { path, seen: None, pending: None }
    }

    /// Returns the file's text if it has changed, or why it cannot be read. An editor may write in several steps, so a
    /// change counts only if two checks find the same state.
    pub fn changed(&mut self) -> Option<Result<String, Sentence>> {
        let now = self.stamp()?;
        if self.seen == Some(now) {
            return None;
        }
        if self.pending.replace(now) != Some(now) {
            return None;
        }
        self.seen = Some(now);
        Some(tutor_support::text::read(&self.path))
    }

    fn stamp(&self) -> Option<Stamp> {
        let metadata = self.path.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some((metadata.modified().ok()?, metadata.len()))
    }
}
