//! A class with a course of its own.

use super::shared::{copy, fixture};
use super::{Called, tutor};
use std::fs;
use std::path::PathBuf;

/// A copy of the fixture, and a student's data.
pub(super) struct Class {
    pub(super) dir: tempfile::TempDir,
}

impl Class {
    pub(super) fn new() -> Self {
        let class = Self { dir: tempfile::tempdir().unwrap() };
        copy(&fixture(), &class.course());
        class
    }

    pub(super) fn course(&self) -> PathBuf {
        self.dir.path().join("course")
    }

    pub(super) fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.course().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} does not contain {from:?}");
        fs::write(&path, text.replace(from, to)).unwrap();
    }

    pub(super) fn call(&self, arguments: &[&str]) -> Called {
        let (course, data) = (self.course(), self.dir.path().join("data"));
        tutor(&[&["--course", course.to_str().unwrap(), "--data", data.to_str().unwrap()], arguments].concat())
    }
}
