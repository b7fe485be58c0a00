/*! The archives in which learning platforms hand out submissions, and the tables in which they take grades.

| platform | name of a submission | source |
|---|---|---|
| Moodle | `NAME_ID_assignsubmission_file/…` or `NAME_ID_assignsubmission_file_…`; ID is the participant's | moodle/moodle, `mod/assign/classes/downloader.php` (4.x, a trailing `_` in 3.x) |
| Canvas | `NAME_LATE_USER_FILE_…`, without blanks, `LATE` only if it is; `anon_ID` for an anonymous NAME and USER | instructure/canvas-lms, `lib/content_zipper.rb` |
| Blackboard | `ASSIGNMENT_LOGIN_attempt_YYYY-MM-DD-HH-MM-SS_…`, and the same with `.txt`, which names the student | kwurst/bb-file-cleanup, `README.md` |
| Gradescope | `submission_ID/…`, and `submission_metadata.yml`, which names the submitters | not documented; as exports have it |
*/

use crate::files::is_leftover;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tutor_support::name::visible;
use tutor_support::text;
use tutor_support::yaml::read_typed;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    Moodle,
    Canvas,
    Blackboard,
    Gradescope,
}

/// What the name of a file or folder in an archive says about the submission.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Handed {
    pub(crate) student: String,
    /// How the platform calls the student in a table of grades: a number, or a login for Blackboard.
    pub(crate) id: String,
    pub(crate) late: bool,
    /// The time of the attempt, if the archive may contain several of a student. Later ones are greater.
    pub(crate) attempt: String,
}

/// An unpacked archive.
pub(crate) struct Archive {
    /// The folder in which the students' files or folders are.
    pub(crate) root: PathBuf,
    platform: Platform,
    /// The students by the names of their folders (Gradescope), or of their attempts (Blackboard).
    named: BTreeMap<String, Handed>,
}

impl Archive {
    /// Opens an unpacked archive. Without a platform, it is recognised by its names. `None` if it is none of these archives.
    pub(crate) fn open(folder: &Path, platform: Option<Platform>) -> Option<Self> {
        let mut folder = folder.to_owned();
        let mut entries = names_in(&folder)?;
        // An archive may contain a single folder with everything in it.
        for _ in 0..4 {
            match &*entries {
                [inner] if moodle(inner).is_none() => {
                    let Some(inside) = names_in(&folder.join(inner)) else { break };
                    (folder, entries) = (folder.join(inner), inside);
                }
                _ => break,
            }
        }
        let any = |fits: &dyn Fn(&String) -> bool| entries.iter().any(fits);
        // Only Canvas has names that other people may also use, so all must fit.
        let recognised = || match () {
            () if any(&|name| moodle(name).is_some()) => Some(Platform::Moodle),
            () if any(&|name| blackboard(name).is_some()) => Some(Platform::Blackboard),
            () if any(&|name| name == METADATA) => Some(Platform::Gradescope),
            () if !entries.is_empty() && entries.iter().all(|name| canvas(name).is_some()) => Some(Platform::Canvas),
            () => None,
        };
        let platform = platform.or_else(recognised)?;
        let named = match platform {
            Platform::Gradescope => submitters(&folder.join(METADATA)),
            Platform::Blackboard => entries.iter().filter_map(|name| described(&folder, name)).collect(),
            Platform::Moodle | Platform::Canvas => BTreeMap::new(),
        };
        Some(Self { root: folder, platform, named })
    }

    /// Returns the folders that a list in the archive names. They need not exist.
    pub(crate) fn listed(&self) -> impl Iterator<Item = PathBuf> {
        let names = self.named.keys().filter(|_| self.platform == Platform::Gradescope);
        names.map(|name| self.root.join(name))
    }

    /// True for the list of students, which is not a submission.
    pub(crate) fn is_list(&self, path: &Path) -> bool {
        self.platform == Platform::Gradescope && path.file_name().is_some_and(|name| name == METADATA)
    }

    /// Returns what the archive says about a file or folder in it.
    pub(crate) fn find(&self, path: &Path) -> Option<Handed> {
        let name = path.strip_prefix(&self.root).ok()?.iter().next()?.to_string_lossy();
        match self.platform {
            Platform::Moodle => moodle(&name),
            Platform::Canvas => canvas(&name),
            Platform::Blackboard => {
                let found = blackboard(&name)?;
                Some(self.named.get(&attempt_of(&name)?).cloned().unwrap_or(found))
            }
            Platform::Gradescope => self.named.get(&*name).cloned(),
        }
    }
}

/// Returns the names in a folder, sorted, without leftovers.
pub(crate) fn names_in(folder: &Path) -> Option<Vec<String>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = folder.read_dir().ok()?.flatten().map(|entry| entry.path());
    let names = entries
        .filter(|path| !is_leftover(path))
        .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    Some(names)
}

fn moodle(name: &str) -> Option<Handed> {
    let (before, _) = name.split_once("_assignsubmission_")?;
    let (student, id) = before.rsplit_once('_').unwrap_or((before, ""));
    Some(Handed { student: visible(student), id: id.to_owned(), ..Handed::default() })
}

fn canvas(name: &str) -> Option<Handed> {
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = name.split('_').collect();
    // The number of the file, after the number or the pseudonym of the student.
    let is_id = |at: usize| digits(&parts[at]) || at > 0 && parts[at - 1] == "anon";
    // A text or an address that was entered has no number.
    let typed = |at: usize| at + 2 == parts.len() && ["text.html", "link.html"].contains(&parts[at + 1]);
    let of_file = |at: usize| at + 2 < parts.len() && digits(&parts[at + 1]);
    let at = (0..parts.len().saturating_sub(1)).find(|&at| is_id(at) && (of_file(at) || typed(at)))?;
    // Canvas writes names in lower case.
    let late = parts[..at].contains(&"LATE");
    let named: Vec<&str> = parts[..at].iter().filter(|part| **part != "LATE").copied().collect();
    let student = match &*named {
        [] => return None,
        ["anon"] => format!("anon_{}", parts[at]),
        named => named.join("_"),
    };
    Some(Handed { student: visible(&student), id: parts[at].to_owned(), late, ..Handed::default() })
}

/// Returns the part of a name up to its time, `ASSIGNMENT_LOGIN_attempt_TIME`.
fn attempt_of(name: &str) -> Option<String> {
    let (before, after) = name.split_once("_attempt_")?;
    let form =
        |at: usize, byte: u8| if matches!(at, 4 | 7 | 10 | 13 | 16) { byte == b'-' } else { byte.is_ascii_digit() };
    let time = after.get(..19).filter(|time| time.bytes().enumerate().all(|(at, byte)| form(at, byte)))?;
    Some(format!("{before}_attempt_{time}"))
}

fn blackboard(name: &str) -> Option<Handed> {
    let attempt = attempt_of(name)?;
    let (before, time) = attempt.split_once("_attempt_")?;
    let login = before.rsplit_once('_')?.1;
    Some(Handed { student: visible(login), id: login.to_owned(), late: false, attempt: time.to_owned() })
}

/// Reads the description of an attempt at Blackboard, whose first line is `Name: Ada Lovelace (login)`.
fn described(folder: &Path, name: &str) -> Option<(String, Handed)> {
    let attempt = attempt_of(name).filter(|attempt| format!("{attempt}.txt") == name)?;
    let text = text::read(&folder.join(name)).ok()?;
    let (full, login) = text.lines().next()?.split_once(':')?.1.rsplit_once('(')?;
    let login = login.trim_end().strip_suffix(')')?;
    let found = blackboard(name).filter(|_| attempt.contains(&format!("_{login}_attempt_")))?;
    Some((attempt, Handed { student: visible(full), id: login.to_owned(), ..found }))
}

/// The file in which Gradescope names the submitters.
const METADATA: &str = "submission_metadata.yml";

/// Reads the submitters of each folder. Ruby writes this YAML, so the names of the fields begin with a colon, and each folder
/// begins a line. The other fields may be longer than our limits on YAML, so they are skipped as lines.
fn submitters(file: &Path) -> BTreeMap<String, Handed> {
    let Ok(text) = text::read_within(file, 256 << 20) else { return BTreeMap::new() };
    let mut parts: BTreeMap<&str, String> = BTreeMap::new();
    let (mut folder, mut inside) = ("", false);
    for line in text.lines() {
        match line.trim_start().starts_with(':').then(|| line.len() - line.trim_start().len()) {
            None if !line.starts_with([' ', '-', '#']) => (folder, inside) = (line.trim_end_matches([':', ' ']), false),
            Some(2) => inside = line.trim() == ":submitters:",
            _ if inside => *parts.entry(folder).or_default() += &format!("{line}\n"),
            _ => {}
        }
    }
    parts.into_iter().filter_map(|(folder, part)| Some((folder.to_owned(), submitter(&part)?))).collect()
}

/// Reads a list of submitters. They share a submission.
fn submitter(list: &str) -> Option<Handed> {
    let all: Vec<BTreeMap<String, Option<String>>> = read_typed(list).ok()?;
    let joined = |names: &[&str]| {
        let of = |one: &BTreeMap<String, Option<String>>| {
            let mut found = names.iter().filter_map(|name| Some(visible(one.get(*name)?.as_deref()?)));
            found.find(|text| !text.is_empty()).unwrap_or_default()
        };
        all.iter().map(of).collect::<Vec<_>>().join(", ")
    };
    let (student, id) = (joined(&[":name", ":email"]), joined(&[":sid", ":email"]));
    (!student.is_empty()).then(|| Handed { student, id, ..Handed::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_archives_tell_the_student() {
        for (platform, name, expected) in [
            (Platform::Moodle, "Ada Lovelace_1001_assignsubmission_file_", "Ada Lovelace (1001)"),
            (Platform::Moodle, "Kim, Minsu_1003_assignsubmission_file_a.cu", "Kim, Minsu (1003)"),
            (Platform::Moodle, "Zoe\u{308} O'Neill_7_assignsubmission_onlinetext", "Zoë O'Neill (7)"),
            (Platform::Moodle, "Ada Lovelace", "none"),
            (Platform::Canvas, "hoppergrace_LATE_1002_771002_load-a-tile-1.cu", "hoppergrace (1002) late"),
            (Platform::Canvas, "lovelaceada_1001_771001_a_1_2_b.cu", "lovelaceada (1001)"),
            (Platform::Canvas, "vanderberg_smith_1_2_a.cu", "vanderberg_smith (1)"),
            (Platform::Canvas, "LATE_anon_aB3xY_771_a.cu", "anon_aB3xY (aB3xY) late"),
            (Platform::Canvas, "texter_LATE_2006_text.html", "texter (2006) late"),
            (Platform::Canvas, "load_a_tile.cu", "none"),
            (Platform::Canvas, "1001_771001_a.cu", "none"),
            (Platform::Blackboard, "Tile_kim_attempt_2026-11-04-10-30-00_a.cu", "kim (kim) 2026-11-04-10-30-00"),
            (Platform::Blackboard, "A tile_kim_attempt_2026-11-04-10-30-00.txt", "kim (kim) 2026-11-04-10-30-00"),
            (Platform::Blackboard, "my_attempt_2_a.cu", "none"),
            (Platform::Blackboard, "x_attempt_2026-11-04-10-30-0é", "none"),
        ] {
            let archive = Archive { root: "a".into(), platform, named: BTreeMap::new() };
            let found = archive.find(&Path::new("a").join(name)).map_or("none".to_owned(), |of| {
                let late = if of.late { "late" } else { "" };
                format!("{} ({}) {late}{}", of.student, of.id, of.attempt).trim_end().to_owned()
            });
            assert_eq!(found, expected, "{name}");
        }
    }

    #[test]
    fn gradescope_names_the_submitters_in_a_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = "---
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :email: ada@example.org
    :sid: '007'
  :created_at: 2026-11-01 10:30:00.123 Z
  :results:
    output: |-
      submission_9:
        :submitters:
submission_2:
  :status: processed
  :submitters:
  - :name: \"Kim: Minsu\"
    :sid: 1003
  - :name: Zo\u{eb}
    :email: zoe@example.org
submission_3:
  :created_at: never
";
        std::fs::write(file.path(), text).unwrap();
        let found = submitters(file.path());
        let found: Vec<_> = found.iter().map(|(folder, of)| format!("{folder}: {} ({})", of.student, of.id)).collect();
        let expected =
            ["submission_1: Ada Lovelace (007)", "submission_2: Kim: Minsu, Zo\u{eb} (1003, zoe@example.org)"];
        assert_eq!(found, expected);
    }
}
