/*! Courses: the types that instructors write, read with the place of each value, in several languages.

A course is a directory of YAML files. `modules/course.yaml` lists the levels in order. Each level has a lesson in `modules/`
and a quiz in `quizzes/`. A translation, e.g. `ko`, has the same file names and ids in `modules/ko/` and `quizzes/ko/`. The
built-in course is part of the binary. An instructor's course is read from a directory and is not trusted
([`CourseSource`], [`tutor_support::text`]).

[`Course::load`] returns what a student sees, and never fails. [`Files::read`] returns every file with all mistakes of its form,
for tools that check a course. Nothing here launches a kernel or draws.
*/

mod access;
mod claim;
mod exercises;
mod file;
mod files;
mod kinds;
mod layers;
mod lesson;
mod limits;
pub mod lint;
mod load;
mod packed;
mod prelude;
mod problem;
mod quiz;
mod shape;
mod show;
mod source;
mod watch;

pub use access::*;
pub use claim::*;
pub use exercises::{ANY, ExerciseName, exercise_names, renamed_exercises};
pub use file::{File, FileContent, ReadFile};
pub use files::{COURSE, Edition, Files, languages};
pub use kinds::*;
pub use layers::{Inherited, LevelFiles};
pub use lesson::*;
pub use limits::*;
pub use load::{Course, Level};
pub use packed::{Head, PackError, files_of, is_packed, pack, unpacked};
pub use problem::{Problem, Severity};
pub use quiz::*;
pub use show::*;
pub use source::{CourseSource, FOLDERS, ReadError, built_in_files, is_plain_name};
pub use tutor_support::yaml::At;
pub use watch::Watch;
