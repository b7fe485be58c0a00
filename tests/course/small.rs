//! The small course in `tests/course/base`, copied to be changed.

use crate::shared::{copy, edit, write};
use crate::tests;
use course_check::{self as author, ClaimReport, Runs};
use std::path::Path;
use tutor_course::{Course, CourseSource, Files, Problem};
use tutor_exec::protocol::{ExecError, LaunchRequest, Reply};
use tutor_exec::results::LaunchResults;
use tutor_kernels::Catalog;

pub(crate) struct Small(tempfile::TempDir);

impl Small {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        copy(&tests().join("base"), dir.path());
        Self(dir)
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn source(&self) -> CourseSource {
        CourseSource::Directory(self.root().to_owned())
    }

    pub(crate) fn load(&self, lang: &str) -> Course {
        Course::load(&self.source(), lang)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        write(self.root(), path, text);
    }

    /// Replaces the whole text of a file.
    pub(crate) fn change(&self, path: &str, change: impl FnOnce(String) -> String) {
        self.write(path, &change(std::fs::read_to_string(self.root().join(path)).unwrap()));
    }

    /// Replaces the first occurrence of a text in a file.
    #[track_caller]
    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) -> &Self {
        edit(&self.root().join(path), from, to);
        self
    }

    pub(crate) fn problems(&self) -> Vec<Problem> {
        crate::check_directory(self.root())
    }

    /// Compares the claims with the results of the replies from `launch`. Returns the number of launches, too.
    pub(crate) fn claims(
        &self,
        mut launch: impl FnMut(&LaunchRequest) -> Result<Vec<Reply>, ExecError>,
    ) -> (ClaimReport, u64) {
        let files = Files::read(&self.source(), |_| true);
        let mut launch = |request: &LaunchRequest| {
            let mut results = LaunchResults::of(request);
            launch(request)?.iter().for_each(|reply| assert!(results.apply(reply)));
            Ok(results)
        };
        let mut runs = Runs::new(&mut launch, false);
        let report = author::claims(&files, Catalog::built_in(), &mut runs);
        (report, runs.launches())
    }
}
