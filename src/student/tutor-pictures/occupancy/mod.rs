/*! Occupancy and waves: how many blocks fit on a multiprocessor, which resource limits them, and how full the last wave
is.

Threads, registers and shared memory of the blocks fill a multiprocessor of the H200, and the grid fills all
multiprocessors. Up and down select a control, left and right change it.
*/

mod draw;
mod model;

pub(super) use model::Occupancy;
