/*! Tools for course authors: reports all problems at once, and verifies claims on the machine.

[`check`](fn@check) checks all files and editions of a course and does not stop at the first mistake. [`RULES`] lists
the rules. [`claims`](mod@claims) verifies the statements of the pages, and [`kernels`](fn@kernels) those of the
catalogue. [`render`] shows problems like a compiler. [`schema`] creates the JSON Schemas that editors use.
*/

mod allowed;
mod apart;
pub mod check;
pub mod claims;
mod export;
mod kernels;
mod machine;
mod names;
mod new;
mod part;
mod reference;
mod renamed;
mod render;
mod rules;
pub mod schema;
mod seal;
mod since;
mod template;
mod workshop;

pub use allowed::{Allowed, allowed};
pub use apart::check_apart;
pub use check::check;
pub use claims::{ClaimCounts, ClaimReport, Runs, claims};
pub use export::{ExportFormat, Exported, escaped, export};
pub use kernels::{KernelCounts, KernelReport, kernels};
pub use machine::{github, sarif};
pub use names::Names;
pub use new::{NewError, new, write};
pub use part::{course_around, files_of_level};
pub use reference::reference;
pub use render::render;
pub use rules::{RULES, Rule};
pub use seal::{SealError, Sealed, seal, sealed_quizzes};
pub use since::{SinceError, since};
pub use template::{Part, add, minimal, retitle};
pub use workshop::{ExerciseCounts, ExerciseReport, ExerciseSources, Judge, exercises};
