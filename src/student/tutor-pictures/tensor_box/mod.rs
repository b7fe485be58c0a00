/*! The tensor-map box: a box over the edge of a matrix, the zeros from outside, and the 128-byte swizzle.

Up and down select a control, left and right change it: where the box begins, the swizzle, and the marked piece of its
rows. The contents of shared memory are those that the emulator's copy engine wrote there ([`model`]).
*/

mod draw;
mod model;

pub(super) use model::TensorBox;
