/*! Tools for course authors: reports all problems at once, and verifies claims on the machine.

[`check`](fn@check) checks all files and editions of a course and does not stop at the first mistake. [`RULES`] lists
the rules. [`claims`](mod@claims) verifies the statements of the pages, and [`kernels`](fn@kernels) those of the
catalogue. [`render`] shows problems like a compiler. [`schema`] creates the JSON Schemas that editors use.
*/

mod allowed;
mod background_check;
pub mod check;
pub mod claims;
mod exercises;
mod kernels;
mod names;
mod new;
mod reference;
mod removed_ids;
mod renamed;
mod render;
mod rules;
mod sarif;
pub mod schema;
mod scope;
mod template;

pub use allowed::{Allowed, allowed};
pub use background_check::check_in_background;
pub use check::check;
pub use claims::{CauseRow, ClaimCounts, ClaimReport, Runs, claims};
pub use exercises::{ExerciseCounts, ExerciseReport, ExerciseSources, Judge, exercises};
pub use kernels::{KernelCounts, KernelReport, kernels};
pub use names::Names;
pub use new::{NewError, new, write};
pub use reference::reference;
pub use removed_ids::{RemovedIdsError, removed_ids};
pub use render::render;
pub use rules::{RULES, Rule};
pub use sarif::{github, sarif};
pub use scope::{course_around, files_of_level};
pub use template::{Part, add, minimal, retitle};
