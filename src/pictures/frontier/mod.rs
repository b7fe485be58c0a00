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

#[cfg(test)]
mod tests {
    use super::super::checks::{click, screen};
    use super::*;

    #[test]
    fn a_click_on_a_point_chooses_it() {
        let mut it = new(&View { size: 8192, products: 6, promoted: true });
        let (way, drawing) = (it.dials.way, screen(&it, (76, 18)));
        let cells = |row: &str| row.chars().position(|sign| sign == '○');
        let (y, x) = drawing.lines().enumerate().find_map(|(y, row)| Some((y, cells(row)?))).unwrap();
        click(&mut it, (76, 18), |_, at| at == (x as u16, y as u16));
        assert_ne!(it.dials.way, way);
    }
}
