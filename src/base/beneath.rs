//! The courses that a course directory extends: whose kernels and exercises it has beside its own.

use crate::yaml::{self, Value};
use std::path::{Path, PathBuf};

/// So many courses may lie beneath one.
pub const DEEPEST: usize = 4;
/// How a course names the one in the binary.
pub const BUILT_IN: &str = "built-in";

/// Where a course that goes elsewhere takes the one beneath along.
pub const FOLDER: &str = "beneath";

/// The text of a `course.yaml` that extends what lies in [`FOLDER`] instead of what it names on this line; none if the line says more than that.
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

/// A course that another extends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Beneath {
    /// The one in the binary.
    BuiltIn,
    /// One in a directory.
    Directory(PathBuf),
}

impl Beneath {
    /// What the course in `root` calls so.
    pub fn named(root: &Path, name: &str) -> Self {
        if name == BUILT_IN { Self::BuiltIn } else { Self::Directory(root.join(name)) }
    }

    /// What the course in `root` extends; none if it extends nothing, or its `course.yaml` cannot be read.
    pub fn of(root: &Path) -> Option<Self> {
        let text = crate::text::read(&root.join("modules/course.yaml")).ok()?;
        // Most courses extend none: they are not read a second time.
        if !text.lines().any(|line| line.starts_with("extends")) {
            return None;
        }
        let tree = yaml::read(&text).ok()?;
        let Value::Map(fields) = &tree.value else { return None };
        let (_, value) = fields.iter().find(|(key, _)| key.text() == Some("extends"))?;
        Some(Self::named(root, value.text()?))
    }

    /// All that lie beneath the course in `root`, the nearest first.
    pub fn all(root: &Path) -> Vec<Self> {
        let mut found = Vec::new();
        let mut next = Self::of(root);
        while let Some(beneath) = next.take().filter(|_| found.len() < DEEPEST) {
            next = match &beneath {
                Self::BuiltIn => None,
                Self::Directory(root) => Self::of(root),
            };
            found.push(beneath);
        }
        found
    }
}
