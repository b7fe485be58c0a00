//! Instructions that change tensor maps.

use super::{Here, lanes_of};
use crate::machine::state::Machine;
use crate::probes::Probe;
use crate::program::async_copy::Asynch;
use crate::tensor_map::{BYTES as TENSOR_MAP_BYTES, TensorMap, TensorMapField};
use crate::{Fault, FaultKind};

const BYTES: u64 = TENSOR_MAP_BYTES as u64;
/// Required alignment of a map's address, in bytes.
const ALIGN: u64 = 64;

impl<P: Probe> Machine<'_, P> {
    /// Runs `tensormap.replace`.
    pub(super) fn replace_field(
        &mut self,
        here: Here,
        what: &Asynch,
        field: TensorMapField,
        shared: bool,
    ) -> Result<(), Box<Fault>> {
        for lane in lanes_of(here.active) {
            let [address, value] = [0, 1].map(|index| what.input(index).lane(here.file, lane as usize));
            let mut bytes = [0u8; TENSOR_MAP_BYTES];
            let mut run = None;
            if shared {
                let offset = self.shared_range(here, lane, address, BYTES, ALIGN, "changes a tensor map of")?;
                bytes.copy_from_slice(self.range_at((self.rank, offset), BYTES as u32));
                run = Some((self.rank, offset));
            } else {
                self.global_range(here, lane, address, BYTES, ALIGN, false)?;
                self.global_range(here, lane, address, BYTES, ALIGN, true)?;
                self.setup.read(address, &mut bytes);
            }
            let Some(mut map) = TensorMap::decode_or_begin(&bytes) else {
                let what = "changes bytes that are neither a tensor map nor all zero";
                return self.fails(here, lane, FaultKind::Uninitialised, what);
            };
            map.replace(field, value);
            match run {
                Some(to) => self.put(&map.encode(), to, None),
                None => self.setup.write(&map.encode(), address, None),
            }
        }
        Ok(())
    }

    /// Runs `tensormap.cp_fenceproxy`: the warp copies one map.
    pub(super) fn copy_map(&mut self, here: Here, what: &Asynch) -> Result<(), Box<Fault>> {
        self.whole_warp(here, "copies a tensor map")?;
        for lane in lanes_of(here.active) {
            let [to, from] = [0, 1].map(|index| what.input(index).lane(here.file, lane as usize));
            self.global_range(here, lane, to, BYTES, ALIGN, true)?;
            let from = self.shared_range(here, lane, from, BYTES, ALIGN, "copies a tensor map of")?;
            let setup = self.setup;
            setup.write(self.range_at((self.rank, from), BYTES as u32), to, None);
        }
        Ok(())
    }
}
