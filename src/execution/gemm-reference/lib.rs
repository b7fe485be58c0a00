/*! What a matrix product must be: random inputs, how a device stores them, and how far a result may be from the exact one.

It knows no device and runs no kernel. Begin at [`verify`]. Tests of kernels spend their time here and in the emulator,
so both are optimised in every build.
*/

pub mod input;
pub mod matrix;
mod shape;
pub mod verify;

pub use input::Inputs;
pub use shape::Shape;
pub use verify::Verification;
