/*! The tensor-map box: a box over the edge of a matrix, the zeros from outside, and the 128-byte swizzle.

Up and down select a control, left and right change it: where the box begins, the swizzle, and the marked piece of its
rows. The contents of shared memory are those that the emulator's copy engine wrote there ([`model`]).
*/

mod draw;
mod model;

use super::control::Panel;
use model::{Control, Copied};
use tutor_course::TensorBoxView as View;

pub(super) fn new(view: &View) -> Panel<Copied> {
    Panel::new(Copied::new(view), Control::Column)
}

#[cfg(test)]
mod tests {
    use super::super::checks::click;
    use super::*;

    #[test]
    fn a_click_marks_a_piece_and_changes_a_number() {
        let mut it = new(&View { columns: 104, rows: 20, column: 0, row: 0, swizzle: true });
        click(&mut it, (76, 20), |_, at| at == (21, 6));
        click(&mut it, (76, 20), |it, at| it.hit(at, 76) == Some((Control::Column, Some(true))));
        assert_eq!((it.dials.piece, it.dials.column), (5, 8));
    }
}
