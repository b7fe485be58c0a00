//! Functions that the interpreter's loop calls, compiled twice: for CPUs with AVX2 and its companions, and for any CPU.

use super::state::Machine;
use crate::Fault;
use crate::arith::Registers;
use crate::probes::AddressPattern;
use crate::probes::Probe;
use crate::program::Inst;
use crate::program::fused::FusedRegion;

/// Defines functions that call a method of the machine, with or without the CPU features. Neither variant is inlined.
macro_rules! dispatch {
    ($($(#[$about:meta])* $name:ident($($arg:ident: $ty:ty),*) -> $out:ty = $fast:expr, $plain:expr;)*) => {$(
        $(#[$about])*
        #[inline(always)]
        pub(crate) unsafe fn $name<P: Probe, const FAST: bool>(machine: &mut Machine<'_, P>, $($arg: $ty),*) -> $out {
            #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt"))]
            #[inline(never)]
            unsafe fn fast<P: Probe>(machine: &mut Machine<'_, P>, $($arg: $ty),*) -> $out {
                // SAFETY: the caller guarantees the contract.
                unsafe { $fast(machine, $($arg),*) }
            }
            #[inline(never)]
            unsafe fn plain<P: Probe>(machine: &mut Machine<'_, P>, $($arg: $ty),*) -> $out {
                // SAFETY: the caller guarantees the contract.
                unsafe { $plain(machine, $($arg),*) }
            }
            // SAFETY: the caller guarantees the contract.
            unsafe { if FAST { fast(machine, $($arg),*) } else { plain(machine, $($arg),*) } }
        }
    )*};
}

dispatch! {
    /// Runs an access outside the interpreter's loop.
    ///
    /// # Safety
    /// The CPU has the features that `FAST` promises. The instruction belongs to this program, and file and patterns
    /// belong to the warp.
    access(at: usize, warp: usize, inst: &Inst, mask: u32, file: Registers, patterns: *mut AddressPattern)
        -> Result<(), Box<Fault>> = Machine::access::<true>, Machine::access::<false>;

    /// Runs a fused region.
    ///
    /// # Safety
    /// The CPU has the features that `FAST` promises. The region was found in this program, and the file and the patterns
    /// belong to the warp.
    run_fused_region(warp: usize, run: &FusedRegion, file: Registers, patterns: *mut AddressPattern)
        -> Result<usize, Box<Fault>> = Machine::run_fused_region::<true>, Machine::run_fused_region::<false>;

    /// Runs a product loop. This is a function of its own, so that other regions stay small.
    ///
    /// # Safety
    /// As for [`run_fused_region`].
    run_product_loop(warp: usize, run: &FusedRegion, file: Registers, patterns: *mut AddressPattern)
        -> Option<bool> = Machine::run_product_loop, Machine::run_product_loop;
}
