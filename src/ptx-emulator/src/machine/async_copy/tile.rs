//! Checks tensor maps and the coordinates of boxes.

use super::Here;
use crate::machine::state::Machine;
use crate::probes::Probe;
use crate::program::async_copy::{AsyncOp, Asynch};
use crate::tensor_map::{BYTES as TENSOR_MAP_BYTES, Corner, TensorMap};
use crate::{Fault, FaultKind};

impl<P: Probe> Machine<'_, P> {
    /// Returns the tensor map and the coordinates of a box.
    pub(super) fn tile(&self, here: Here, lane: u32, what: &Asynch) -> Result<(TensorMap, Corner), Box<Fault>> {
        let (rank, columns, writes, reads) = match what.kind {
            AsyncOp::TileLoad { rank, columns } => (rank, columns, false, true),
            AsyncOp::TileStore { rank, columns, operation } => (rank, columns, true, operation.is_some()),
            _ => (0, false, false, false),
        };
        let value = |index: usize| what.input(index).lane(here.file, lane as usize);
        let address = value(1);
        self.global_range(here, lane, address, TENSOR_MAP_BYTES as u64, 64, false)?;
        let mut bytes = [0u8; TENSOR_MAP_BYTES];
        self.setup.read(address, &mut bytes);
        let Some(map) = TensorMap::decode(&bytes) else {
            let what = format!("uses the bytes {} as a tensor map, but they are not one", self.describe(address));
            return self.fails(here, lane, FaultKind::Uninitialised, &what);
        };
        if let Err(refused) = map.check() {
            return self.fails(here, lane, FaultKind::OutOfBounds, &format!("uses an invalid tensor map. {refused}"));
        }
        if map.rank != u32::from(rank) {
            let what = format!("copies a box of {rank} dimensions with a tensor map of {}", map.rank);
            return self.fails(here, lane, FaultKind::OutOfBounds, &what);
        }
        if map.columns.is_some() != columns {
            let kinds = ["boxes", "columns"];
            let (asked, made) = (kinds[usize::from(columns)], kinds[usize::from(!columns)]);
            let what = format!("copies {asked} with a tensor map of {made}");
            return self.fails(here, lane, FaultKind::OutOfBounds, &what);
        }
        let rank = usize::from(rank);
        let mut corner = Corner { stores: writes, ..Corner::default() };
        for (index, place) in corner.at.iter_mut().take(rank).enumerate() {
            *place = value(4 + index) as i32;
        }
        for (index, offset) in corner.offsets.iter_mut().take(rank.saturating_sub(2)).enumerate() {
            *offset = value(4 + rank + index) as u16;
        }
        let at = corner.at;
        let start = i64::from(at[0]) * i64::from(map.element.bytes());
        if start % 16 != 0 {
            let what = format!(
                "copies a box that begins {start} bytes from the start of a row; that is not a multiple of 16, and the \
                 instruction is illegal"
            );
            return self.fails(here, lane, FaultKind::Misaligned, &what);
        }
        if writes && let Some(negative) = at.iter().find(|place| **place < 0) {
            let what =
                format!("stores a box at the coordinate {negative}; with a negative one the instruction is illegal");
            return self.fails(here, lane, FaultKind::OutOfBounds, &what);
        }
        if writes && !map.stores() {
            let what = "stores columns by a tensor map whose bounding box reaches beyond the image; the instruction is illegal";
            return self.fails(here, lane, FaultKind::OutOfBounds, what);
        }
        let mut outcome = Ok(());
        map.rows(corner, |row| {
            for write in [(true, writes), (false, reads)].into_iter().filter_map(|(write, does)| does.then_some(write))
            {
                if row.bytes != 0 && outcome.is_ok() {
                    outcome = self.global_range(here, lane, row.address, row.bytes.into(), 1, write);
                }
            }
        });
        outcome.map(|()| (map, corner))
    }
}
