/*! Number formats: two factors in FP32, TF32, FP16 and BF16, bit by bit, and what their product loses.

With `parts`, each factor is split into three bf16 numbers. Marks show which of the nine products of parts an FP32
product needs.

Up and down select a factor, left and right change it to the next value at which formats differ.
*/

mod draw;
mod model;

pub(super) use model::Formats;
