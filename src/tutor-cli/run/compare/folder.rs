//! The student's folder with a copy of a kernel.

use crate::prelude::*;
use std::fs;
use std::io::Write as _;

/// Returns the file name of the copy.
fn name(kernel: &Kernel) -> &str {
    kernel.file.rsplit('/').next().unwrap_or(&kernel.file)
}

/// Returns the path of the copy, existing or new: in the kernel's folder, or in the current directory.
pub(super) fn own(kernel: &Kernel, dir: Option<&Path>) -> PathBuf {
    let name = name(kernel);
    if let Some(dir) = dir {
        return dir.join(name);
    }
    let (inside, readme) = (Path::new(&kernel.id).join(name), Path::new("README.md"));
    // True if the current directory is the kernel's folder.
    let here = Path::new(name).exists() && readme.exists() && !Path::new("catalog.yaml").exists();
    if inside.exists() || !here { inside } else { PathBuf::from(name) }
}

/// Copies the kernel and adds a short README, but leaves existing files unchanged. Returns true if the copy is new. The
/// error is a message for the user.
pub(super) fn make(kernel: &Kernel, path: &Path) -> Result<bool, String> {
    if path.exists() {
        return Ok(false);
    }
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let unmade = |error: std::io::Error| t!("play-unmade", file = path.display().to_string(), why = error);
    fs::create_dir_all(dir).map_err(unmade)?;
    fs::File::create_new(path).and_then(|mut file| file.write_all(kernel.source.text().as_bytes())).map_err(unmade)?;
    match fs::File::create_new(dir.join("README.md")) {
        Ok(mut readme) => readme.write_all(about(kernel).as_bytes()).map_err(unmade)?,
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(unmade(error)),
    }
    Ok(true)
}

fn about(kernel: &Kernel) -> String {
    let [x, y, z] = kernel.block;
    let macros: Vec<String> = kernel.constants.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let macros = if macros.is_empty() { t!("play-no-macros") } else { macros.join(", ") };
    let grid = kernel.grid.join(" × ");
    let (block, file) = (format!("{x} × {y} × {z}"), name(kernel));
    let lines = [
        format!("# {}: {}", kernel.id, kernel.title),
        kernel.about.trim().replace('\n', " "),
        t!("play-readme-change", file, kernel = kernel.id),
        t!("play-readme-launch", entry = kernel.entry, grid, block, macros),
        t!("play-readme-anew", file),
    ];
    lines.join("\n") + "\n"
}
