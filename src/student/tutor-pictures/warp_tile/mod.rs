/*! The warp tile: the position of each lane, and which lanes read the same words of A and B.

Up and down select a control, left and right change it: the lane, or the order of lanes, in rows or in squares. The cost
of a load depends on which lanes share an address ([`ptx_emulator::cost`]).
*/

mod draw;
mod model;

pub(super) use model::WarpTile;
