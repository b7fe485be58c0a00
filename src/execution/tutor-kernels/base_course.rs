//! Base courses. A course that extends a base course also has its kernels and exercises.

use std::path::{Path, PathBuf};
use tutor_support::yaml::{self, Value};

/// Maximum number of base courses under a course.
pub const MAX_BASE_COURSES: usize = 4;
/// The name of the built-in course in `extends`.
pub const BUILT_IN: &str = "built-in";

/// The folder of a packed course that contains its base course.
pub const FOLDER: &str = "beneath";

/// Replaces line `extends` of a `course.yaml`, so that the course extends [`FOLDER`]. `None` if that line contains more
/// than this field.
pub fn moved(course: &str, extends: u32) -> Option<String> {
    let line = |(number, line): (u32, &str)| {
        if number == extends { format!("extends: {FOLDER}\n") } else { format!("{line}\n") }
    };
    let text: String = (1..).zip(course.lines()).map(line).collect();
    let tree = yaml::read(&text).ok()?;
    let (before, Value::Map(fields)) = (yaml::read(course).ok()?, &tree.value) else { return None };
    let found = fields.iter().find(|(key, _)| key.text() == Some("extends"))?.1.text() == Some(FOLDER);
    let Value::Map(before) = &before.value else { return None };
    (found && before.len() == fields.len()).then_some(text)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaseCourse {
    BuiltIn,
    Directory(PathBuf),
}

impl BaseCourse {
    /// Returns the base course that the course in `root` calls `name`.
    pub fn named(root: &Path, name: &str) -> Self {
        if name == BUILT_IN { Self::BuiltIn } else { Self::Directory(root.join(name)) }
    }

    /// Returns the base course of the course in `root`. `None` if it has none, or if its `course.yaml` cannot be read.
    pub fn of(root: &Path) -> Option<Self> {
        let text = tutor_support::text::read(&root.join("modules/course.yaml")).ok()?;
        // Most courses have no base course. Do not parse them twice.
        if !text.lines().any(|line| line.starts_with("extends")) {
            return None;
        }
        let tree = yaml::read(&text).ok()?;
        let Value::Map(fields) = &tree.value else { return None };
        let (_, value) = fields.iter().find(|(key, _)| key.text() == Some("extends"))?;
        Some(Self::named(root, value.text()?))
    }

    /// True if a course is among its own base courses, or one of these is among its own.
    pub fn is_circular(root: &Path) -> bool {
        let at = |root: &Path| tutor_support::private::resolved(root).ok();
        let mut seen = vec![at(root)];
        Self::all(root).iter().any(|base| match base {
            Self::BuiltIn => false,
            Self::Directory(root) => {
                let again = seen.contains(&at(root));
                seen.push(at(root));
                again
            }
        })
    }

    /// Returns all base courses of the course in `root`, the nearest first.
    pub fn all(root: &Path) -> Vec<Self> {
        let mut found = Vec::new();
        let mut next = Self::of(root);
        while let Some(base) = next.take().filter(|_| found.len() < MAX_BASE_COURSES) {
            next = match &base {
                Self::BuiltIn => None,
                Self::Directory(root) => Self::of(root),
            };
            found.push(base);
        }
        found
    }
}
