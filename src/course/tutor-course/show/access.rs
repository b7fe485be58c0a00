//! How the lanes of a warp access memory: sectors, banks, caches.

use crate::prelude::*;

/// Sectors of one request.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct CoalescingView {
    /// Leading dimension, in elements.
    pub pitch: u32,
    /// Size of an element in bytes: 4, 8 or 16.
    pub width: u32,
    /// Row as an expression in `lane`, `tx`, `ty`, `k`.
    pub row: At<String>,
    /// Column as an expression in the same names.
    pub column: At<String>,
    /// Block shape `[x, y]`.
    pub block: [u32; 2],
}

/// Start values of the bank-conflict simulator.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct BankView {
    /// Rows of the shared array.
    pub rows: u32,
    /// Row length, in elements, without padding.
    pub pitch: u32,
    /// Elements of padding at the end of a row.
    #[serde(default)]
    pub pad: u32,
    /// Size of an element in bytes: 4, 8 or 16.
    #[serde(default = "number::<4>")]
    pub width: u32,
    /// `load` or `store`.
    #[serde(default)]
    pub access: AccessDirection,
    /// Row as an expression in `lane`, `tx`, `ty`, `k`.
    pub row: At<String>,
    /// Column as an expression in the same names.
    pub column: At<String>,
    /// Block shape `[x, y]`; the warp's lanes are its threads in x-major order.
    pub block: [u32; 2],
    /// Index of the warp in the block.
    #[serde(default)]
    pub warp: u32,
    /// Value of `k`.
    #[serde(default)]
    pub k: u32,
    /// Number of active lanes: lanes 0 to `lanes` - 1 take part.
    #[serde(default = "number::<32>")]
    pub lanes: u32,
    /// The real kernel that makes this access, if any. The key `k` in the simulator shows its counts.
    pub kernel: Option<At<String>>,
}

/// Load or store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccessDirection {
    /// From memory to a register.
    #[default]
    Load,
    /// From a register to memory.
    Store,
}

/// A ring of addresses that one thread follows, to measure latency.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct HierarchyView {
    /// Size of the ring that is shown first, in bytes. The nearest size that was measured is used.
    #[schemars(range(min = HierarchyView::BYTES[0], max = HierarchyView::BYTES[1]))]
    pub bytes: u64,
    /// The memory that contains the ring, and the caches that its loads use.
    #[serde(default)]
    pub path: LoadPath,
}

impl HierarchyView {
    /// Minimum and maximum size of a ring, in bytes.
    pub const BYTES: [u64; 2] = [1 << 10, 1 << 30];
}

/// The path of a load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoadPath {
    /// From global memory through both cache levels.
    #[default]
    L1,
    /// From global memory through the L2 cache only.
    L2,
    /// From shared memory.
    Shared,
}
