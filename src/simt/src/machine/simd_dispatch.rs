//! What the interpreter's loop calls, compiled twice: for a CPU with AVX2 and its companions, and for any.

use super::state::Machine;
use crate::Fault;
use crate::arith::Registers;
use crate::probes::AddressPattern;
use crate::probes::Probe;
use crate::program::Inst;
use crate::program::fused::FusedRegion;

/// Defines a function that calls a method of the machine, with or without the features of the CPU. Neither variant is inlined.
macro_rules! dispatch {
    ($($(#[$about:meta])* $name:ident($($arg:ident: $ty:ty),*) -> $out:ty = $fast:expr, $plain:expr;)*) => {$(
        $(#[$about])*
        #[inline(always)]
        pub(crate) unsafe fn $name<P: Probe, const FAST: bool>(machine: &mut Machine<'_, P>, $($arg: $ty),*) -> $out {
            #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt"))]
            #[inline(never)]
            unsafe fn fast<P: Probe>(machine: &mut Machine<'_, P>, $($arg: $ty),*) -> $out {
                // SAFETY: the contract is passed on.
                unsafe { $fast(machine, $($arg),*) }
            }
            #[inline(never)]
            unsafe fn plain<P: Probe>(machine: &mut Machine<'_, P>, $($arg: $ty),*) -> $out {
                // SAFETY: the contract is passed on.
                unsafe { $plain(machine, $($arg),*) }
            }
            // SAFETY: by contract.
            unsafe { if FAST { fast(machine, $($arg),*) } else { plain(machine, $($arg),*) } }
        }
    )*};
}

dispatch! {
    /// An access, out of the way of the loop.
    ///
    /// # Safety
    /// The CPU has what `FAST` promises; the instruction is one of this program, and file and shapes are the warp's.
    access(at: usize, warp: usize, inst: &Inst, mask: u32, file: Registers, shapes: *mut AddressPattern)
        -> Result<(), Box<Fault>> = Machine::access::<true>, Machine::access::<false>;

    /// A fused region.
    ///
    /// # Safety
    /// The CPU has what `FAST` promises; the region was found in this program; file and shapes are the warp's.
    stretch(warp: usize, run: &FusedRegion, file: Registers, shapes: *mut AddressPattern)
        -> Result<usize, Box<Fault>> = Machine::stretch::<true>, Machine::stretch::<false>;

    /// A loop of products, out of the way of other regions.
    ///
    /// # Safety
    /// As for [`stretch`].
    rolled(warp: usize, run: &FusedRegion, file: Registers, shapes: *mut AddressPattern)
        -> Option<bool> = Machine::rolled, Machine::rolled;
}
