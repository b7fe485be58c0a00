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
mod names;
mod platforms;
mod record;
mod report;
mod results;
mod row;
mod services;
mod similar;
mod submissions;

pub use class::{Class, Judge, Judged};
pub use csv::csv_row;
pub use exam::{grade_exam, leave_out_exams};
pub use files::files_in;
pub use gradebook::{GradebookRow, LevelRow, gradebook, gradebook_csv};
pub use keep::{Keep, Limits};
pub use marks::{parse_weights, points_of, score};
pub use platforms::Platform;
pub use record::{Outcome, Record};
pub use report::{Reports, literal};
pub use results::{HandedWork, mark_all, read_handed_work, remark_oddities};
pub use row::{Row, csv_head};
pub use services::{autolab, grade_table, gradescope, junit};
pub use submissions::{From, Submission, Submissions, extension, submissions};
