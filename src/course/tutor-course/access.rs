/*! The 32 addresses of one warp-wide access, computed from the expressions of a lesson or of the simulator's user.

The lanes of warp `w` are the threads `32·w … 32·w + 31` of the block in x-major order. Thread `t` has
`tx = t % block_x` and `ty = t / block_x`. `row` and `column` are expressions in `lane`, `tx`, `ty` and `k`. The address is
`(row · (pitch + pad) + column) · width` bytes.

This module does not compute the cost of the access: pass `addr` and `mask` of [`SharedLanes`] or [`GlobalLanes`] to the
cost rules.
*/

use super::show::{AccessDirection, BankView, CoalescingView};
use crate::prelude::*;
use tutor_support::expr::Expr;

/// Number of lanes in a warp.
pub const LANES: usize = 32;
/// Names that `row` and `column` may use.
pub const LANE_NAMES: [&str; 4] = ["lane", "tx", "ty", "k"];
/// Maximum size of a shared array in a view: the shared memory of one block on compute capability 9.0 (227 KiB).
pub const MAX_SHARED_BYTES: u64 = 227 * 1024;
/// Maximum number of threads in a block.
pub const MAX_BLOCK_THREADS: u32 = 1024;

/// One lane of the warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lane {
    /// `threadIdx.x`.
    pub tx: u32,
    /// `threadIdx.y`.
    pub ty: u32,
    /// Value of the row expression.
    pub row: u32,
    /// Value of the column expression.
    pub column: u32,
}

/// A warp's access to shared memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedLanes {
    pub direction: AccessDirection,
    /// Bytes that a lane moves: 4, 8 or 16.
    pub bytes: u32,
    /// The active lanes, one bit each.
    pub mask: u32,
    /// Byte addresses relative to the array; 0 for inactive lanes.
    pub addr: [u32; LANES],
    /// Threads and indices; `None` for inactive lanes.
    pub lanes: [Option<Lane>; LANES],
}

/// A warp's access to global memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalLanes {
    /// Bytes that a lane moves: 4, 8 or 16.
    pub bytes: u32,
    /// The active lanes, one bit each.
    pub mask: u32,
    /// Byte addresses relative to the matrix, whose start is assumed to be aligned; 0 for inactive lanes.
    pub addr: [u64; LANES],
    /// Threads and indices; `None` for inactive lanes.
    pub lanes: [Option<Lane>; LANES],
}

/// Why the fields of a view do not describe an access.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct AccessError {
    /// The field of the view that is wrong.
    pub field: &'static str,
    /// What is wrong, as a sentence.
    pub message: Sentence,
    /// Byte offset in the field's expression, if the expression cannot be parsed.
    pub offset: Option<usize>,
}

impl AccessError {
    fn new(field: &'static str, message: Sentence) -> Self {
        Self { field, message, offset: None }
    }
}

impl BankView {
    /// Returns the addresses and the mask of this access.
    ///
    /// # Errors
    /// If a number is out of range, an expression cannot be evaluated, or a lane's row or column is outside of the
    /// array.
    pub fn access(&self) -> Result<SharedLanes, AccessError> {
        let warp = Warp::new(self.block, self.warp, self.lanes)?;
        width_is_known(self.width)?;
        if self.rows == 0 {
            return Err(AccessError::new("rows", sentence!("access-no-row")));
        }
        if self.pitch == 0 {
            return Err(AccessError::new("pitch", sentence!("access-no-element")));
        }
        let stride = u64::from(self.pitch) + u64::from(self.pad);
        let bytes = u64::from(self.rows).saturating_mul(stride).saturating_mul(u64::from(self.width));
        if bytes > MAX_SHARED_BYTES {
            let message = sentence!("access-too-large", bytes = bytes.to_string(), most = MAX_SHARED_BYTES.to_string());
            return Err(AccessError::new("rows", message));
        }
        let lanes = warp.lanes(&self.row, &self.column, self.k, Some(self.rows), stride)?;
        let mut addr = [0; LANES];
        for (slot, lane) in addr.iter_mut().zip(&lanes) {
            if let Some(lane) = lane {
                let index = u64::from(lane.row) * stride + u64::from(lane.column);
                // No overflow: the whole array has at most `MAX_SHARED_BYTES` bytes.
                *slot = (index * u64::from(self.width)) as u32;
            }
        }
        Ok(SharedLanes { direction: self.access, bytes: self.width, mask: warp.mask(), addr, lanes })
    }
}

impl CoalescingView {
    /// Returns the addresses and the mask of this access, for one warp of the block and one value of `k`.
    ///
    /// # Errors
    /// If a number is out of range, an expression cannot be evaluated, or a lane's column is not less than the pitch.
    pub fn access(&self, warp: u32, k: u32) -> Result<GlobalLanes, AccessError> {
        let warp = Warp::new(self.block, warp, LANES as u32)?;
        width_is_known(self.width)?;
        if self.pitch == 0 {
            return Err(AccessError::new("pitch", sentence!("access-no-pitch")));
        }
        let stride = u64::from(self.pitch);
        let lanes = warp.lanes(&self.row, &self.column, k, None, stride)?;
        let mut addr = [0; LANES];
        for (slot, lane) in addr.iter_mut().zip(&lanes) {
            if let Some(lane) = lane {
                let index = u128::from(lane.row) * u128::from(stride) + u128::from(lane.column);
                let byte = index * u128::from(self.width);
                *slot = u64::try_from(byte).map_err(|_| AccessError::new("row", sentence!("access-far")))?;
            }
        }
        Ok(GlobalLanes { bytes: self.width, mask: warp.mask(), addr, lanes })
    }
}

fn width_is_known(width: u32) -> Result<(), AccessError> {
    if matches!(width, 4 | 8 | 16) {
        return Ok(());
    }
    Err(AccessError::new("width", sentence!("access-width", width)))
}

/// One warp of a block. Its first `active` lanes take part.
struct Warp {
    block_x: u32,
    threads: u32,
    first: u32,
    active: u32,
}

impl Warp {
    fn new([block_x, block_y]: [u32; 2], warp: u32, active: u32) -> Result<Self, AccessError> {
        let threads = block_x.checked_mul(block_y).filter(|threads| (1..=MAX_BLOCK_THREADS).contains(threads));
        let threads = threads.ok_or_else(|| {
            let message = sentence!("access-block", x = block_x, y = block_y, most = MAX_BLOCK_THREADS);
            AccessError::new("block", message)
        })?;
        let warps = threads.div_ceil(LANES as u32);
        if warp >= warps {
            let message = sentence!("access-warp", x = block_x, y = block_y, warps, last = warps - 1, warp);
            return Err(AccessError::new("warp", message));
        }
        if !(1..=LANES as u32).contains(&active) {
            return Err(AccessError::new("lanes", sentence!("access-lanes", lanes = active, most = LANES)));
        }
        let first = warp * LANES as u32;
        Ok(Self { block_x, threads, first, active: active.min(threads - first) })
    }

    fn mask(&self) -> u32 {
        u32::MAX >> (LANES as u32 - self.active)
    }

    fn lanes(
        &self,
        row: &str,
        column: &str,
        k: u32,
        rows: Option<u32>,
        stride: u64,
    ) -> Result<[Option<Lane>; LANES], AccessError> {
        let row = Index::parse("row", row)?;
        let column = Index::parse("column", column)?;
        let mut lanes = [None; LANES];
        for (lane, slot) in (0..self.active).zip(&mut lanes) {
            let thread = self.first + lane;
            debug_assert!(thread < self.threads);
            let (tx, ty) = (thread % self.block_x, thread / self.block_x);
            let value = |name: &str| match name {
                "lane" => Some(i64::from(lane)),
                "tx" => Some(i64::from(tx)),
                "ty" => Some(i64::from(ty)),
                "k" => Some(i64::from(k)),
                _ => None,
            };
            let row_limit = rows.map_or(u64::from(u32::MAX), u64::from);
            *slot = Some(Lane {
                tx,
                ty,
                row: row.evaluate(lane, row_limit, &value)?,
                column: column.evaluate(lane, stride, &value)?,
            });
        }
        Ok(lanes)
    }
}

struct Index {
    field: &'static str,
    expr: Expr,
}

impl Index {
    fn parse(field: &'static str, text: &str) -> Result<Self, AccessError> {
        let expr = Expr::parse(text).map_err(|error| AccessError {
            field,
            message: error.message,
            offset: Some(error.offset.unwrap_or(0)),
        })?;
        if let Some(name) = expr.variables().into_iter().find(|name| !LANE_NAMES.contains(name)) {
            let message = sentence!("access-name", name);
            return Err(AccessError { field, message, offset: text.find(name) });
        }
        Ok(Self { field, expr })
    }

    fn evaluate(&self, lane: u32, limit: u64, value: &dyn Fn(&str) -> Option<i64>) -> Result<u32, AccessError> {
        let index = self
            .expr
            .integer(value)
            .map_err(|error| AccessError::new(self.field, sentence!("access-in-lane", lane, error = error.message)))?;
        u32::try_from(index).ok().filter(|&index| u64::from(index) < limit).ok_or_else(|| {
            let (index, last) = (index.to_string(), (limit - 1).to_string());
            let message = sentence!("access-outside", lane, field = self.field, index, last);
            AccessError::new(self.field, message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(row: &str, column: &str) -> BankView {
        BankView {
            rows: 16,
            pitch: 16,
            pad: 0,
            width: 4,
            access: AccessDirection::Load,
            row: row.to_owned().into(),
            column: column.to_owned().into(),
            block: [16, 16],
            warp: 0,
            k: 5,
            lanes: 32,
            kernel: None,
        }
    }

    #[test]
    fn a_warp_of_a_16_wide_block_is_two_rows() {
        let access = view("ty", "tx").access().unwrap();
        assert_eq!(access.mask, u32::MAX);
        assert_eq!(access.addr[15], 15 * 4);
        assert_eq!(access.addr[16], 16 * 4);
        assert_eq!(access.lanes[16], Some(Lane { tx: 0, ty: 1, row: 1, column: 0 }));
    }

    #[test]
    fn padding_widens_the_row_and_a_later_warp_starts_further_down() {
        let access = BankView { pad: 1, warp: 3, ..view("ty", "k") }.access().unwrap();
        assert_eq!(access.addr[0], (6 * 17 + 5) * 4);
        assert_eq!(access.addr[31], (7 * 17 + 5) * 4);
    }

    #[test]
    fn lanes_beyond_the_count_or_the_block_take_no_part() {
        let few = BankView { lanes: 16, ..view("lane", "5") }.access().unwrap();
        assert_eq!(few.mask, 0xffff);
        assert_eq!(few.lanes[16], None);
        let small = BankView { block: [5, 1], ..view("0", "tx") }.access().unwrap();
        assert_eq!(small.mask, 0b1_1111);
    }

    #[test]
    fn what_describes_no_access_is_refused_with_its_field() {
        let cases = [
            ("rows", BankView { rows: 0, ..view("0", "0") }),
            ("rows", BankView { rows: u32::MAX, pitch: u32::MAX, pad: u32::MAX, ..view("0", "0") }),
            ("pitch", BankView { pitch: 0, ..view("0", "0") }),
            ("width", BankView { width: 12, ..view("0", "0") }),
            ("block", BankView { block: [0, 4], ..view("0", "0") }),
            ("block", BankView { block: [u32::MAX, 2], ..view("0", "0") }),
            ("block", BankView { block: [64, 17], ..view("0", "0") }),
            ("warp", BankView { warp: 8, ..view("0", "0") }),
            ("lanes", BankView { lanes: 0, ..view("0", "0") }),
            ("lanes", BankView { lanes: 33, ..view("0", "0") }),
            ("row", view("lane", "0")),
            ("row", view("-1", "0")),
            ("row", view("1 / (lane - 3)", "0")),
            ("row", view("blockIdx", "0")),
            ("column", view("ty", "tx + 1")),
            ("column", view("ty", "tx +")),
        ];
        for (field, view) in cases {
            assert_eq!(view.access().unwrap_err().field, field, "{view:?}");
        }
    }

    #[test]
    fn an_unread_expression_names_the_offset() {
        assert_eq!(view("ty", "tx + *").access().unwrap_err().offset, Some(5));
        assert_eq!(view("ty + bx", "0").access().unwrap_err().offset, Some(5));
    }

    #[test]
    fn global_rows_may_lie_far_apart() {
        let view = CoalescingView {
            pitch: 4096,
            width: 4,
            row: "tx".to_owned().into(),
            column: "k".to_owned().into(),
            block: [32, 32],
        };
        let access = view.access(1, 7).unwrap();
        assert_eq!(access.addr[31], (31 * 4096 + 7) * 4);
        assert_eq!(access.lanes[0].unwrap().ty, 1);
        assert_eq!(view.access(32, 0).unwrap_err().field, "warp");
        assert_eq!(view.access(0, 4096).unwrap_err().field, "column");
    }
}
