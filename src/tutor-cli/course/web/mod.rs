//! `web`: writes the tutor as a page of static files, with any course.

mod opening;

use crate::prelude::*;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io;
use tutor_support::{archive, private};

/// Where the page is looked for: next to an installed program, and in the source tree.
const PLACES: [&str; 2] = ["../share/matmul-tutor/web", "../../dist/web"];

/// The file with the course, and the one that names the version.
const COURSE: &str = "course.tar";
const SERVICE: &str = "sw.js";
/// What precedes the version in [`SERVICE`].
const VERSION: &str = "const VERSION = \"";

/// Maximum size of a file of the page, in bytes.
const MAX_FILE: u64 = 64 << 20;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder for the page: new, empty, or written by this command before.
    dir: PathBuf,
    /// Folder with the files of the page, which `scripts/release/web` builds [default: the one next to this program].
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// Open the written page in a browser without a window, and report whether the tutor appears.
    #[arg(long)]
    check: bool,
    /// The browser for `--check`: Chromium, Chrome or Firefox [default: the first one found].
    #[arg(long, value_name = "PROGRAM", requires = "check")]
    browser: Option<PathBuf>,
}

pub(super) fn run(args: &Args, globals: &Globals) -> anyhow::Result<Exit> {
    let Some(page) = args.page.clone().or_else(found) else {
        return Ok(failure(Exit::Usage, t!("web-no-page"), Some(&t!("web-no-page-help"))));
    };
    let unreadable = |error: &dyn std::fmt::Display| {
        let message = t!("file-not-read", file = page.display().to_string(), why = error.to_string());
        failure(Exit::Usage, message, Some(&t!("web-no-page-help")))
    };
    let mut files = match read(&page) {
        Ok(files) => files,
        Err(error) => return Ok(unreadable(&error)),
    };
    // The page may have been written with a course. An empty one is the built-in course.
    files.insert(COURSE.to_owned(), Vec::new());
    if let Some(root) = &globals.course {
        let course = match tutor_course::files_of(root) {
            Ok(course) => course,
            Err(error) => return Ok(failure(Exit::Usage, error.to_string(), None)),
        };
        let Some(archive) = archive::tar(course.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))) else {
            return Ok(failure(Exit::Usage, t!("web-long-name"), None));
        };
        files.insert(COURSE.to_owned(), archive);
    }
    if !name_version(&mut files) {
        return Ok(unreadable(&t!("web-not-a-page", file = SERVICE)));
    }
    if let Err(error) = write(&args.dir, &files) {
        let dir = args.dir.display().to_string();
        return Ok(failure(Exit::Usage, t!("web-not-written", dir, why = error), None));
    }
    let kib = files.values().map(Vec::len).sum::<usize>().div_ceil(1024);
    let dir = args.dir.display().to_string();
    output::line(t!("web-written", dir, files = files.len(), kib))?;
    if args.check { opening::check(files, args.browser.as_deref()) } else { Ok(Exit::Done) }
}

/// Returns the folder with the page that belongs to this program.
fn found() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    PLACES
        .iter()
        .map(|place| program.parent().unwrap_or(Path::new("")).join(place))
        .find(|dir| dir.join(SERVICE).is_file())
}

/// Reads the files of the page by name.
fn read(page: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in page.read_dir()? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name.starts_with('.') || !entry.path().is_file() {
            continue;
        }
        let bytes = private::read(&entry.path(), MAX_FILE)?.ok_or_else(|| io::Error::other(name.clone()))?;
        files.insert(name, bytes);
    }
    Ok(files)
}

/// Names the version after the contents, so that a browser that has the page stored notices a new one.
fn name_version(files: &mut BTreeMap<String, Vec<u8>>) -> bool {
    let mut hash = Sha256::new();
    for (name, bytes) in files.iter() {
        hash.update(format!("{name}\n{}\n", bytes.len()));
        hash.update(bytes);
    }
    let version: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let Some(service) = files.get_mut(SERVICE) else { return false };
    let text = String::from_utf8_lossy(service).into_owned();
    let Some((before, rest)) = text.split_once(VERSION) else { return false };
    let Some((_, after)) = rest.split_once('"') else { return false };
    *service = format!("{before}{VERSION}matmul-tutor {version}\"{after}").into_bytes();
    true
}

fn write(dir: &Path, files: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    std::fs::create_dir_all(dir)?;
    let foreign = std::fs::read_dir(dir)?.next().is_some() && !dir.join(SERVICE).is_file();
    if foreign {
        return Err(io::Error::other(t!("web-foreign")));
    }
    files.iter().try_for_each(|(name, bytes)| tutor_support::write(&dir.join(name), bytes))
}
