/*! The raster map: the tiles of C that are computed at the same time, and the strips of A and B that their blocks
share.

Up and down select a control, left and right change it: the tile rows per group, the tiles of C, and which blocks run.
The picture counts bytes, not time.
*/

mod draw;
mod model;

pub(super) use model::Raster;
