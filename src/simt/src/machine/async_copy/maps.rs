//! Tensor maps that a kernel changes.

use super::{Here, lanes_of};
use crate::machine::state::Machine;
use crate::probes::Probe;
use crate::program::async_copy::Asynch;
use crate::tensor_map::{BYTES as TENSOR_MAP_BYTES, Field, TensorMap};
use crate::{Fault, FaultKind};

const BYTES: u64 = TENSOR_MAP_BYTES as u64;
/// What the address of a map must be a multiple of.
const ALIGN: u64 = 64;

impl<P: Probe> Machine<'_, P> {
    /// `tensormap.replace`.
    pub(super) fn replace_field(
        &mut self,
        here: Here,
        what: &Asynch,
        field: Field,
        shared: bool,
    ) -> Result<(), Box<Fault>> {
        for lane in lanes_of(here.active) {
            let [address, value] = [0, 1].map(|index| what.input(index).lane(here.file, lane as usize));
            let mut bytes = [0u8; TENSOR_MAP_BYTES];
            let offset = if shared {
                let offset = self.shared_run(here, lane, address, BYTES, ALIGN, "changes a tensor map of")?;
                // SAFETY: the run was just checked.
                unsafe { self.read_shared(offset, &mut bytes) };
                offset
            } else {
                self.global_run(here, lane, address, BYTES, ALIGN, false)?;
                self.global_run(here, lane, address, BYTES, ALIGN, true)?;
                self.read_global(address, &mut bytes);
                0
            };
            let Some(mut map) = TensorMap::decode(&bytes) else {
                let what = "changes what is not a tensor map";
                return self.fails(here, lane, FaultKind::Uninitialised, what);
            };
            map.replace(field, value);
            if shared {
                // SAFETY: the run was checked before.
                unsafe { self.write_shared(&map.encode(), offset) };
            } else {
                self.write_global(&map.encode(), address);
            }
        }
        Ok(())
    }

    /// `tensormap.cp_fenceproxy`: the warp copies one map.
    pub(super) fn copy_map(&mut self, here: Here, what: &Asynch) -> Result<(), Box<Fault>> {
        self.whole_warp(here, "copies a tensor map")?;
        for lane in lanes_of(here.active) {
            let [to, from] = [0, 1].map(|index| what.input(index).lane(here.file, lane as usize));
            self.global_run(here, lane, to, BYTES, ALIGN, true)?;
            let from = self.shared_run(here, lane, from, BYTES, ALIGN, "copies a tensor map of")?;
            let mut bytes = [0u8; TENSOR_MAP_BYTES];
            // SAFETY: the run was just checked.
            unsafe { self.read_shared(from, &mut bytes) };
            self.write_global(&bytes, to);
        }
        Ok(())
    }
}
