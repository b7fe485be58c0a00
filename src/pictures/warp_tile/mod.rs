/*! The warp tile: the position of each lane, and which lanes read the same words of A and B.

Up and down select a control, left and right change it: the lane, or the order of lanes, in rows or in squares. The cost
of a load depends on which lanes share an address ([`ptx_emulator::cost`]).
*/

mod draw;
mod model;

use super::control::Panel;
use model::{Control, Lanes};
use tutor_course::WarpTileView as View;

pub(super) fn new(view: &View) -> Panel<Lanes> {
    Panel::new(Lanes::new(view), Control::Lane)
}

#[cfg(test)]
mod tests {
    use super::super::checks::click;
    use super::*;
    use tutor_course::LaneOrder;

    #[test]
    fn a_click_chooses_a_lane_and_a_control() {
        let mut it = new(&View { order: LaneOrder::Squares, lane: 0 });
        click(&mut it, (76, 18), |_, at| at == (34, 4));
        click(&mut it, (76, 18), |it, at| it.hit(at, 76) == Some((Control::Order, None)));
        assert_eq!((it.dials.lane, it.chosen), (13, Control::Order));
    }
}
