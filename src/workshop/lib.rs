/*! The workshop: exercises in which students repair, complete and write kernels, and a judge that says why one is not right.

An exercise is a folder `kernels/exercises/ID/` of a course ([`ExerciseFile`]): a solution, and edits of it that break it, cure
it, fill its holes or are wrong solutions. What a student may choose without a compiler is compiled ahead ([`pack`]); what a
student writes is compiled by NVRTC, or is PTX. What an exercise says in another language lies beside it ([`ExerciseEdition`]). The judge itself runs in the worker ([`tutor_exec::judge`]).
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
pub use folder::{FolderError, Watched, file, own, reset, start};
pub use judgement::{Judgement, RACE, Race, goal_name};
pub use judging::{AS_IT_IS, Answer, Malformed, goals};
pub use reader::{MAX_COMBINATIONS, MAX_EXERCISES, read, read_in};
pub use written::{
    CureEntry, Edit, ExerciseFile, ExerciseKind, FaultName, Filling, Goals, HazardName, Hint, HoleEntry, Language,
    Lines, Star, Survivor, When, WrongEntry,
};
