//! What the interpreter's loop calls, compiled twice: for a CPU with AVX2 and its companions, and for any.

use super::state::Machine;
use crate::Fault;
use crate::arith::Registers;
use crate::probes::AddressPattern;
use crate::probes::Probe;
use crate::program::Inst;
use crate::program::fused::FusedRegion;

/// An access, out of the way of the loop.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt"))]
#[inline(never)]
unsafe fn access_fast<P: Probe>(
    machine: &mut Machine<'_, P>,
    at: usize,
    warp: usize,
    inst: &Inst,
    mask: u32,
    file: Registers,
) -> Result<(), Box<Fault>> {
    // SAFETY: the contract is passed on.
    unsafe { machine.access::<true>(at, warp, inst, mask, file) }
}

/// # Safety
/// The CPU has what `FAST` promises; the instruction is one of this program, and the file is the warp's.
#[inline(always)]
pub(crate) unsafe fn access<P: Probe, const FAST: bool>(
    machine: &mut Machine<'_, P>,
    at: usize,
    warp: usize,
    inst: &Inst,
    mask: u32,
    file: Registers,
) -> Result<(), Box<Fault>> {
    // SAFETY: by contract.
    unsafe {
        if FAST {
            access_fast(machine, at, warp, inst, mask, file)
        } else {
            access_plain(machine, at, warp, inst, mask, file)
        }
    }
}

#[inline(never)]
unsafe fn access_plain<P: Probe>(
    machine: &mut Machine<'_, P>,
    at: usize,
    warp: usize,
    inst: &Inst,
    mask: u32,
    file: Registers,
) -> Result<(), Box<Fault>> {
    // SAFETY: the contract is passed on.
    unsafe { machine.access::<false>(at, warp, inst, mask, file) }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt"))]
#[inline(never)]
unsafe fn stretch_fast<P: Probe>(
    machine: &mut Machine<'_, P>,
    warp: usize,
    run: &FusedRegion,
    file: Registers,
    shapes: *mut AddressPattern,
) -> Result<usize, Box<Fault>> {
    // SAFETY: the contract is passed on.
    unsafe { machine.stretch::<true>(warp, run, file, shapes) }
}

#[inline(never)]
unsafe fn stretch_plain<P: Probe>(
    machine: &mut Machine<'_, P>,
    warp: usize,
    run: &FusedRegion,
    file: Registers,
    shapes: *mut AddressPattern,
) -> Result<usize, Box<Fault>> {
    // SAFETY: the contract is passed on.
    unsafe { machine.stretch::<false>(warp, run, file, shapes) }
}

/// # Safety
/// The CPU has what `FAST` promises; the stretch was found in this program; file and shapes are the warp's.
#[inline(always)]
pub(crate) unsafe fn stretch<P: Probe, const FAST: bool>(
    machine: &mut Machine<'_, P>,
    warp: usize,
    run: &FusedRegion,
    file: Registers,
    shapes: *mut AddressPattern,
) -> Result<usize, Box<Fault>> {
    // SAFETY: by contract.
    unsafe {
        if FAST {
            stretch_fast(machine, warp, run, file, shapes)
        } else {
            stretch_plain(machine, warp, run, file, shapes)
        }
    }
}

/// A loop of products, out of the way of other stretches.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt"))]
#[inline(never)]
unsafe fn rolled_fast<P: Probe>(
    machine: &mut Machine<'_, P>,
    warp: usize,
    run: &FusedRegion,
    file: Registers,
    shapes: *mut AddressPattern,
) -> Option<bool> {
    // SAFETY: the contract is passed on.
    unsafe { machine.rolled(warp, run, file, shapes) }
}

#[inline(never)]
unsafe fn rolled_plain<P: Probe>(
    machine: &mut Machine<'_, P>,
    warp: usize,
    run: &FusedRegion,
    file: Registers,
    shapes: *mut AddressPattern,
) -> Option<bool> {
    // SAFETY: the contract is passed on.
    unsafe { machine.rolled(warp, run, file, shapes) }
}

/// # Safety
/// As for [`stretch`].
#[inline(always)]
pub(crate) unsafe fn rolled<P: Probe, const FAST: bool>(
    machine: &mut Machine<'_, P>,
    warp: usize,
    run: &FusedRegion,
    file: Registers,
    shapes: *mut AddressPattern,
) -> Option<bool> {
    // SAFETY: by contract.
    unsafe {
        if FAST {
            rolled_fast(machine, warp, run, file, shapes)
        } else {
            rolled_plain(machine, warp, run, file, shapes)
        }
    }
}
