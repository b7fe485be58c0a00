//! The student's own folder of an exercise: what it begins with, and the file that is handed in, looked at as it changes.

use super::exercise::{Exercise, Work};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tutor_base::t;

/// Why a folder is not made or not begun anew.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// What would be written is there already.
    #[error("{}", t!("exercise-there", file = .0.display().to_string()))]
    There(PathBuf),
    /// There is nothing that could begin anew.
    #[error("{}", t!("exercise-not-begun", file = .0.display().to_string()))]
    NotBegun(PathBuf),
    /// The system refuses.
    #[error("{}", t!("exercise-not-made", file = .0.display().to_string(), why = .1.to_string()))]
    System(PathBuf, io::Error),
}

/// The name of the file that a student hands in.
pub fn file(exercise: &Exercise) -> String {
    match exercise.work {
        Work::Write(_) => exercise.file_name(),
        Work::Repair(_) | Work::Fill(_) => "answer.yaml".to_owned(),
    }
}

/// The solution that is meant where none is named: the one in the exercise's folder, or here.
pub fn own(exercise: &Exercise) -> PathBuf {
    let name = file(exercise);
    let inside = Path::new(&exercise.id).join(&name);
    if inside.exists() || !Path::new(&name).exists() { inside } else { PathBuf::from(name) }
}

/// What to begin with: files by their names.
fn contents(exercise: &Exercise) -> Vec<(String, String)> {
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
    files
}

fn readme(exercise: &Exercise) -> String {
    let check = format!("matmul-tutor exercise check {} {}", exercise.id, file(exercise));
    format!("# {}\n\n{}\n\n{}\n", exercise.title, exercise.task.trim(), t!("exercise-readme", check = check))
}

/// Makes the folder, or what is missing of it; nothing that is there is touched. Gives the path of the file that is handed in.
///
/// # Errors
/// If all that would be written is there, or the system refuses.
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

/// Begins anew; what was there gets another name. Gives the path of the file that is handed in, and of what it was.
///
/// # Errors
/// If there is no such file, or the system refuses.
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

/// A file that is looked at now and then.
///
/// Asking a file for its time costs microseconds, follows it when an editor puts a new file in its place, and works on every
/// file system, over networks, too; notices of the system do not.
#[derive(Debug)]
pub struct Watched {
    path: PathBuf,
    seen: Option<Stamp>,
    /// As it stood at the last look, if that was not told yet.
    pending: Option<Stamp>,
}

type Stamp = (SystemTime, u64);

impl Watched {
    /// A file that was not looked at yet, and need not exist.
    pub fn new(path: PathBuf) -> Self {
        Self { path, seen: None, pending: None }
    }

    /// The file's text if it is another than the one told last, or why it cannot be read. An editor may write in several steps: what
    /// stands as it did at the look before is what was meant.
    pub fn changed(&mut self) -> Option<Result<String, String>> {
        let now = self.stamp()?;
        if self.seen == Some(now) {
            return None;
        }
        if self.pending.replace(now) != Some(now) {
            return None;
        }
        self.seen = Some(now);
        Some(tutor_base::text::read(&self.path))
    }

    fn stamp(&self) -> Option<Stamp> {
        let metadata = self.path.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some((metadata.modified().ok()?, metadata.len()))
    }
}
