/*! Error against speed of FP32 products, as recorded: the library's, and those that are computed from bf16 parts.

Up and down select a control, left and right change it. A click on a point chooses it.
*/

mod draw;
mod model;

use super::control::Panel;
use model::{Control, Ways};
use tutor_course::FrontierView as View;

/// Creates the picture with the page's size and way.
pub(super) fn new(view: &View) -> Panel<Ways> {
    Panel::new(Ways::new(view), Control::Way)
}
