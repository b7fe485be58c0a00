/*! What every screen and every picture is drawn with. It knows no screen, no picture and no student.

[`look`] and [`theme`] give styles by meaning. [`wrap`] and [`markdown`] lay out text, and [`code_pane`] shows a kernel.
[`sheet`] collects rows, [`canvas`] is addressed cell by cell, and [`field`] is a line that the user types. [`action`] is the table
of all keys, and [`keys`] are the events that it is searched with.
*/

pub mod action;
pub mod canvas;
pub mod code;
pub mod code_pane;
pub mod field;
pub mod keys;
pub mod look;
pub mod markdown;
pub mod sheet;
#[cfg(any(test, feature = "snapshot"))]
pub mod snapshot;
pub mod theme;
pub mod wrap;

mod prelude;
