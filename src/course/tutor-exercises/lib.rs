/*! The workshop: exercises in which students repair, complete and write kernels, and a judge that explains what is
wrong.

An exercise is a folder `kernels/exercises/ID/` of a course ([`ExerciseFile`]). It contains a solution and edits of it:
broken kernels, cures, fillings of holes and incorrect solutions. Everything that students can choose without a compiler
is compiled in advance ([`pack`]). NVRTC compiles what students write in CUDA C++. Translations are in the same folder
([`ExerciseEdition`]). The judge runs in the worker ([`tutor_exec::judge`]).
*/

mod edition;
mod exercise;
mod files;
mod folder;
mod judgement;
mod judging;
pub mod mutants;
pub mod pack;
mod reader;
pub mod texts;
mod written;

pub use edition::{CureWords, ExerciseEdition, FillingWords, HoleWords};
pub use exercise::{BROKEN, Cure, Exercise, Fill, Hole, Repair, Work, Write};
pub use files::{FOLDER, packed};
pub use folder::{FolderError, Watched, contents, file, is_starter, own, reset, start};
pub use judgement::{Judgement, RACE, goal_name, reads_clock};
pub use judging::{Answer, Malformed, goals};
pub use reader::{MAX_COMBINATIONS, MAX_EXERCISES, read, read_in};
pub use written::{
    CureEntry, Edit, ExerciseFile, ExerciseKind, FaultName, Filling, Found, Goals, Hint, HoleEntry, Language, Lines,
    Points, RightEntry, Star, Survivor, When, WrongEntry,
};
