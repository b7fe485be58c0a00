/*! Error against speed of FP32 products, as recorded: the library's, and those that are computed from bf16 parts.

Up and down select a control, left and right change it. A click on a point chooses it.
*/

mod draw;
mod model;

pub(super) use model::FrontierPicture;
