/*! Occupancy and waves: how many blocks fit on an SM, which resource limits them, and how full the last wave
is.

Threads, registers and shared memory of the blocks fill an SM of the H200, and the grid fills all
SMs. Up and down select a control, left and right change it.
*/

mod draw;

use crate::prelude::*;
use std::sync::LazyLock;
use tutor_course::OccupancyView;
use tutor_kernels::Catalog;
use tutor_kernels::machine_code::{BlockNeeds, MachineCode};
use tutor_support::words;

/// Threads per warp.
const WARP: u32 = 32;
/// Maximum number of warps per SM.
const WARPS: u32 = 64;
/// Maximum number of blocks per SM.
const BLOCKS: u32 = 32;
/// Registers of an SM. Each of its four partitions has a quarter of them.
const REGISTERS: u32 = 65_536;
/// Partitions of an SM, each with its own scheduler and registers.
const PARTS: u32 = 4;
/// Allocation unit of a warp's registers.
const REGISTER_UNIT: u32 = 256;
/// Shared memory of an SM, in bytes.
const SHARED: u32 = 228 * 1024;
/// Bytes of shared memory that the system reserves per block.
const RESERVED: u32 = 1024;
/// Allocation unit of a block's shared memory, in bytes.
const SHARED_UNIT: u32 = 128;

/// A kernel of the built-in catalogue, and the resources of its blocks.
pub(super) struct Known {
    id: &'static str,
    needs: BlockNeeds,
}

impl Known {
    /// Returns the label in the current language.
    fn label(&self) -> &'static str {
        Catalog::built_in_in(words::current().code()).kernel(self.id).map_or(self.id, |kernel| &kernel.label)
    }
}

/// Returns the kernels with recorded machine code, in the catalogue's order.
fn known() -> &'static [Known] {
    static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
        let kernels = Catalog::built_in().kernels().iter();
        let known = kernels.filter_map(|kernel| {
            let needs = MachineCode::built_in().block_needs(kernel)?;
            Some(Known { id: &kernel.id, needs })
        });
        known.collect()
    });
    &KNOWN
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    Kernel,
    Threads,
    Registers,
    Shared,
    Grid,
    Multiprocessors,
}

/// The resource that limits the number of blocks per SM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    Warps,
    Registers,
    Shared,
    Blocks,
}

/// A launch: the resources per block, and the number of blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Occupancy {
    /// Index in [`known`] of the kernel that was chosen last.
    chosen: Option<usize>,
    threads: u32,
    registers: u32,
    /// Bytes of shared memory per block.
    shared: u32,
    grid: u32,
    multiprocessors: u32,
}

/// How a grid runs if all blocks take the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waves {
    /// Number of blocks that run at the same time.
    at_once: u32,
    /// Number of waves, including the last one.
    count: u32,
    /// Number of blocks in the last wave.
    last: u32,
}

impl Occupancy {
    /// Creates the launch of a page.
    pub(crate) fn new(view: &OccupancyView) -> Self {
        let chosen = view.kernel.as_ref().and_then(|id| known().iter().position(|known| known.id == id.value));
        let needs = chosen.and_then(|at| known().get(at)).map(|known| known.needs);
        let of = |given: Option<u32>, needed: fn(BlockNeeds) -> u32| given.or(needs.map(needed));
        Self {
            chosen,
            threads: of(view.threads, |needs| needs.threads).unwrap_or(1).max(1),
            registers: of(view.registers, |needs| needs.registers).unwrap_or(1).max(1),
            shared: of(view.shared, |needs| needs.shared).unwrap_or(0),
            grid: view.blocks.max(1),
            multiprocessors: view.multiprocessors.max(1),
        }
    }

    /// Returns the chosen kernel, if the numbers are still its own.
    fn kernel(&self) -> Option<&'static Known> {
        let own = BlockNeeds { threads: self.threads, registers: self.registers, shared: self.shared };
        known().get(self.chosen?).filter(|known| known.needs == own)
    }

    fn warps(&self) -> u32 {
        self.threads.div_ceil(WARP)
    }

    /// Returns the allocated registers per thread. They are rounded up per warp.
    fn given_registers(&self) -> u32 {
        self.warp_registers() / WARP
    }

    fn warp_registers(&self) -> u32 {
        (self.registers * WARP).next_multiple_of(REGISTER_UNIT)
    }

    /// Returns the number of registers per block.
    fn block_registers(&self) -> u32 {
        self.warp_registers() * self.warps()
    }

    /// Returns the number of bytes of shared memory per block, including the reserved ones.
    fn block_shared(&self) -> u32 {
        (self.shared + RESERVED).next_multiple_of(SHARED_UNIT)
    }

    /// Returns the number of blocks that fit under one limit.
    fn capacity(&self, limit: Limit) -> u32 {
        match limit {
            Limit::Warps => WARPS / self.warps().max(1),
            Limit::Registers => {
                let warp = self.warp_registers().max(1);
                // A launch fails if a block does not fit with its warps rounded up to the number of partitions.
                if warp * self.warps().next_multiple_of(PARTS) > REGISTERS {
                    return 0;
                }
                REGISTERS / PARTS / warp * PARTS / self.warps().max(1)
            }
            Limit::Shared => SHARED / self.block_shared(),
            Limit::Blocks => BLOCKS,
        }
    }

    /// Returns the blocks per SM and the limit that determines them; the first one if several do.
    fn blocks(&self) -> (u32, Limit) {
        let limits = [Limit::Registers, Limit::Shared, Limit::Warps, Limit::Blocks];
        let rooms = limits.map(|limit| (self.capacity(limit), limit));
        rooms.into_iter().min_by_key(|(room, _)| *room).unwrap_or((0, Limit::Blocks))
    }

    /// Returns the waves of the grid; None if not even one block fits.
    fn waves(&self) -> Option<Waves> {
        let at_once = self.blocks().0 * self.multiprocessors;
        let count = self.grid.checked_div(at_once)? + u32::from(!self.grid.is_multiple_of(at_once));
        Some(Waves { at_once, count, last: self.grid - count.saturating_sub(1) * at_once })
    }

    fn get(&self, control: Control) -> u32 {
        match control {
            Control::Kernel => self.chosen.map_or(0, |at| at as u32 + 1),
            Control::Threads => self.threads,
            Control::Registers => self.registers,
            Control::Shared => self.shared,
            Control::Grid => self.grid,
            Control::Multiprocessors => self.multiprocessors,
        }
    }
}

impl Controls for Occupancy {
    type Control = Control;
    const CONTROLS: &'static [Control] = &[
        Control::Kernel,
        Control::Threads,
        Control::Registers,
        Control::Shared,
        Control::Grid,
        Control::Multiprocessors,
    ];

    fn can(&self, control: Control, up: bool) -> bool {
        let (value, [least, most]) = (self.get(control), control.range());
        if up { value < most } else { value > least }
    }

    fn apply(&mut self, control: Control, up: bool) {
        let (value, [least, most]) = (self.get(control), control.range());
        let below = value.saturating_sub(u32::from(!up));
        let step = match control {
            Control::Kernel | Control::Multiprocessors => 1,
            Control::Threads => WARP,
            Control::Registers => REGISTER_UNIT / WARP,
            Control::Shared => 4096,
            Control::Grid if below < 64 => 4,
            Control::Grid if below < 512 => 16,
            Control::Grid if below < 4096 => 64,
            Control::Grid => 1024,
        };
        let next = if up { value / step * step + step } else { below / step * step };
        let next = next.clamp(least, most);
        match control {
            Control::Kernel => {
                self.chosen = (next as usize).checked_sub(1);
                if let Some(known) = self.chosen.and_then(|at| known().get(at)) {
                    (self.threads, self.registers, self.shared) =
                        (known.needs.threads, known.needs.registers, known.needs.shared);
                }
            }
            Control::Threads => self.threads = next,
            Control::Registers => self.registers = next,
            Control::Shared => self.shared = next,
            Control::Grid => self.grid = next,
            Control::Multiprocessors => self.multiprocessors = next,
        }
    }
}

impl Control {
    /// Returns the minimum and the maximum value.
    fn range(self) -> [u32; 2] {
        match self {
            Self::Kernel => [1, known().len() as u32],
            Self::Threads => OccupancyView::THREADS,
            Self::Registers => OccupancyView::REGISTERS,
            Self::Shared => OccupancyView::SHARED,
            Self::Grid => OccupancyView::BLOCKS,
            Self::Multiprocessors => OccupancyView::MULTIPROCESSORS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn load(threads: u32, registers: u32, shared: u32) -> Occupancy {
        Occupancy { chosen: None, threads, registers, shared, grid: 1024, multiprocessors: 132 }
    }

    #[test]
    fn a_kernel_brings_its_numbers_until_one_is_changed() {
        let mut load = load(256, 162, 8192);
        assert!(load.kernel().is_none() && !load.can(Control::Kernel, false));
        while load.kernel().is_none_or(|known| known.id != "sgemm_double_buffered") {
            load.change(Control::Kernel, true);
        }
        assert_eq!((load.threads, load.registers, load.shared), (256, 128, 16_640));
        assert_eq!(load.blocks(), (2, Limit::Registers));
        load.change(Control::Registers, true);
        assert!(load.kernel().is_none());
        load.change(Control::Kernel, true);
        load.change(Control::Kernel, false);
        assert_eq!(load.kernel().map(|known| known.id), Some("sgemm_double_buffered"));
    }

    #[test]
    fn a_value_goes_to_the_next_that_matters_and_no_further_than_it_can() {
        let mut load = load(256, 162, 16_640);
        load.change(Control::Registers, false);
        assert_eq!(load.registers, 160);
        load.change(Control::Registers, true);
        assert_eq!(load.registers, 168);
        load.change(Control::Shared, true);
        assert_eq!(load.shared, 20_480);
        for &control in Occupancy::CONTROLS {
            for up in [true, false] {
                (0..2000).for_each(|_| load.change(control, up));
                let [least, most] = control.range();
                assert_eq!(load.get(control), if up { most } else { least }, "{control:?}");
                load.waves();
            }
        }
    }
}
