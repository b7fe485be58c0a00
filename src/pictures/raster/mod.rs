/*! The raster map: which tiles of C are computed at the same time, and which strips of A and B their blocks share.

Up and down choose a number, left and right change it: rows of tiles in a group, the tiles of C, and which blocks run.
It counts bytes; what they cost in time is not in it.
*/

mod draw;
mod model;

use super::control::Panel;
use model::{Control, Order};
use tutor_course::RasterView as View;

/// Creates the picture with the page's order, at its first blocks.
pub(super) fn new(view: &View) -> Panel<Order> {
    Panel::new(Order::new(view), Control::Group)
}
