/*! Number formats: two factors in FP32, TF32, FP16 and BF16, bit by bit, and what their product loses.

With `parts`, each factor falls apart into three bf16, and of their nine products those are marked that make an FP32
product.

Up and down choose a factor, left and right take it to the next value at which formats differ.
*/

mod draw;
mod model;

use super::control::Panel;
use model::Factors;
use tutor_course::FormatsView as View;

pub(super) fn new(view: &View) -> Panel<Factors> {
    Panel::new(Factors::new(view), 0)
}
