//! The student's own folder of an exercise.

use crate::cli::{Exit, failure, output};
use crate::t;
use crate::workshop::{Exercise, Work};
use std::fs;
use std::path::{Path, PathBuf};

/// The file that a student hands in.
pub(super) fn file(exercise: &Exercise) -> String {
    match exercise.work {
        Work::Write(_) => exercise.file_name(),
        Work::Repair(_) | Work::Fill(_) => "answer.yaml".to_owned(),
    }
}

/// The solution that is meant where none is named: the one in the exercise's folder, or here.
pub(super) fn own(exercise: &Exercise) -> PathBuf {
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

/// Makes the folder; nothing that is there is touched.
pub(super) fn start(exercise: &Exercise, dir: Option<&Path>) -> anyhow::Result<Exit> {
    let dir = dir.map_or_else(|| PathBuf::from(&exercise.id), Path::to_owned);
    fs::create_dir_all(&dir)?;
    let files = contents(exercise);
    if let Some((name, _)) = files.iter().find(|(name, _)| dir.join(name).exists()) {
        let message = t!("exercise-there", file = dir.join(name).display().to_string());
        return Ok(failure(Exit::Usage, &message, Some(&t!("exercise-there-help", id = exercise.id.as_str()))));
    }
    for (name, text) in files {
        fs::write(dir.join(name), text)?;
    }
    let path = dir.join(file(exercise));
    output::line(format_args!("{}\n", t!("exercise-started", file = path.display().to_string())))?;
    output::line(format_args!("{}\n", exercise.task.trim()))?;
    let check = format!("matmul-tutor exercise check {} {}", exercise.id, path.display());
    output::line(format_args!("{}", t!("exercise-then", check = check)))?;
    Ok(Exit::Done)
}

/// Begins anew; what was there gets another name.
pub(super) fn reset(exercise: &Exercise, dir: Option<&Path>) -> anyhow::Result<Exit> {
    let dir = dir.map_or_else(|| own(exercise).parent().unwrap_or(Path::new("")).to_owned(), Path::to_owned);
    let path = dir.join(file(exercise));
    if !path.exists() {
        let message = t!("exercise-not-begun", file = path.display().to_string());
        return Ok(failure(Exit::Usage, &message, Some(&t!("exercise-not-begun-help", id = exercise.id.as_str()))));
    }
    let kept = (1..).map(|number| dir.join(format!("{}.{number}", file(exercise)))).find(|kept| !kept.exists());
    let Some(kept) = kept else { return Ok(Exit::Failed) };
    fs::rename(&path, &kept)?;
    for (name, text) in contents(exercise) {
        if name == file(exercise) || !dir.join(&name).exists() {
            fs::write(dir.join(name), text)?;
        }
    }
    let (file, kept) = (path.display().to_string(), kept.display().to_string());
    output::line(format_args!("{}", t!("exercise-reset", file = file, kept = kept)))?;
    Ok(Exit::Done)
}
