/*! What an instructor does with the work of a class.

Submissions to an exercise: [`submissions`] finds them, [`Class`] judges them with the caller's [`Judge`], [`Keep`] stores
the results, and [`Row`] is a result with its points, for a table or another program. [`Reports`] are for the students.

Progress: [`HandedWork`] reads what students hand in, [`grade_exam`] grades an exam, and [`gradebook`] is the table.
*/

mod class;
mod csv;
mod exam;
mod files;
mod gradebook;
mod keep;
mod marks;
mod record;
mod report;
mod results;
mod row;
mod services;
mod similar;
mod submissions;

pub use class::{Class, Judge, Judged};
pub use csv::csv_cell;
pub use exam::{grade_exam, leave_out_exams};
pub use files::files_in;
pub use gradebook::{GradebookRow, LevelRow, gradebook, gradebook_csv};
pub use keep::{Keep, Limits};
pub use marks::{parse_weights, points_of};
pub use record::{Outcome, Record};
pub use report::{Reports, literal};
pub use results::{HandedWork, read_handed_work, regrade_all, sort_by_name};
pub use row::{Row, csv_head};
pub use services::{autolab, gradescope, junit};
pub use submissions::{Submission, Submissions, extension, submissions};
