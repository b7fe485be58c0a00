/*! Occupancy and waves: how many blocks fit on an SM, which resource limits them, and how full the last wave
is.

Threads, registers and shared memory of the blocks fill an SM of the H200, and the grid fills all
SMs. Up and down select a control, left and right change it.
*/

mod draw;
mod model;

pub(super) use model::Occupancy;
