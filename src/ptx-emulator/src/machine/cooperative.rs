//! Cooperative launches (`cudaLaunchCooperativeKernel`): all blocks are on the GPU at once and may wait for each other.
//!
//! `grid.sync()` of CUDA's cooperative groups finds its counter in a workspace of the driver. Its address is in
//! `%envreg1` (upper half) and `%envreg2`. Without a workspace, `grid.sync()` executes `trap`. The workspace begins
//! with its size and the counter (`grid_workspace` in `cooperative_groups/details/driver_abi.h` of CUDA 12).
//!
//! One thread of each block adds to the counter with a release. It then reads the counter with an acquire until the
//! highest bit has changed (`details/sync.h`). To the hazard detector this is a barrier like any that a kernel
//! implements itself.

use super::setup::{Setup, View};
use crate::Fault;
use crate::program::{Preload, Special};

/// Size of the workspace in bytes: its size field and the counter.
const BYTES: u32 = 8;

/// The driver's workspace of a launch. A view points to its bytes.
#[derive(Debug)]
pub(crate) struct Workspace {
    #[expect(dead_code, reason = "kernels reach it through a view")]
    storage: Vec<u128>,
    pub(super) address: u64,
}

impl Workspace {
    /// Makes the workspace at an address, and the view through which kernels reach it.
    pub(crate) fn new(address: u64) -> (Self, View) {
        let mut storage = vec![u128::from(BYTES)];
        let data = storage.as_mut_ptr().cast::<u8>();
        let view = View { data, len: BYTES.into(), written: std::ptr::null_mut(), constant: false, heap: false };
        (Self { storage, address }, view)
    }
}

impl Setup<'_> {
    /// Returns what a thread does that executes `trap`, for the message of the fault.
    #[cold]
    pub(super) fn why_trap(&self) -> &'static str {
        let workspace = Preload::Special(Special::Workspace);
        let asks = self.program.fills.iter().any(|fill| fill.from == workspace);
        if asks && self.workspace.is_none() {
            return "executes `trap`, as `grid.sync()` does in a launch that is not cooperative";
        }
        "executes `trap`"
    }

    /// Refuses a cooperative launch whose blocks cannot all run at once.
    pub(crate) fn all_at_once(&self) -> Result<(), Fault> {
        let (name, blocks, size) = (&self.program.name, self.blocks(), u64::from(self.cluster_size()));
        let fit = self.resident() * size;
        if blocks > fit {
            return Err(Fault::launch(format!(
                "A cooperative launch has all blocks on the GPU at once. Of blocks of `{name}` with {} threads and {} bytes of \
                shared memory, {fit} fit (registers not counted); the grid has {blocks}.",
                self.threads, self.shared_bytes
            )));
        }
        let fit = self.at_once() * size;
        if blocks > fit {
            return Err(Fault::launch(format!(
                "A cooperative launch keeps all blocks at once. Of the {blocks} blocks of `{name}`, the emulator has room for the \
                registers, local and shared memory of {fit}."
            )));
        }
        Ok(())
    }
}
