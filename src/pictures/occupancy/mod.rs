/*! Occupancy and waves: how many blocks live on a multiprocessor, what lets no more in, and how full the last wave is.

Threads, registers and shared memory of a block fill what a multiprocessor of the H200 has; the grid fills the
multiprocessors. Up and down choose a number, left and right change it, and the limit moves.
*/

mod draw;
mod model;

use super::control::Panel;
use model::{Control, Load};
use tutor_course::OccupancyView as View;

pub(super) fn new(view: &View) -> Panel<Load> {
    Panel::new(Load::of(view), Control::Registers)
}
