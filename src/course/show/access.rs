//! How the lanes of a warp reach memory: sectors, banks, caches.

use schemars::JsonSchema;
use serde::Deserialize;
use tutor_base::yaml::At;

/// Sectors of one request.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoalescingView {
    /// Leading dimension, in elements.
    pub pitch: u32,
    /// Bytes of an element: 4, 8 or 16.
    pub width: u32,
    /// Row as an expression in `lane`, `tx`, `ty`, `k`.
    pub row: At<String>,
    /// Column, likewise.
    pub column: At<String>,
    /// Block shape `[x, y]`.
    pub block: [u32; 2],
}

/// Start values of the bank-conflict simulator.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BankView {
    /// Rows of the shared array.
    pub rows: u32,
    /// Row length, in elements, without padding.
    pub pitch: u32,
    /// Elements of padding at the end of a row.
    #[serde(default)]
    pub pad: u32,
    /// Bytes of an element: 4, 8 or 16.
    #[serde(default = "four")]
    pub width: u32,
    /// `load` or `store`.
    #[serde(default)]
    pub access: AccessDirection,
    /// Row as an expression in `lane`, `tx`, `ty`, `k`.
    pub row: At<String>,
    /// Column, likewise.
    pub column: At<String>,
    /// Block shape `[x, y]`; the warp's lanes are its threads in x-major order.
    pub block: [u32; 2],
    /// Which warp of the block.
    #[serde(default)]
    pub warp: u32,
    /// Value of `k`.
    #[serde(default)]
    pub k: u32,
    /// Lanes that take part: the first so many.
    #[serde(default = "thirty_two")]
    pub lanes: u32,
    /// The real kernel that makes this access, if any (`k` in the simulator shows its counts).
    #[serde(default)]
    pub kernel: Option<At<String>>,
}

fn four() -> u32 {
    4
}

fn thirty_two() -> u32 {
    32
}

/// Load or store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccessDirection {
    /// Memory to register.
    #[default]
    Load,
    /// Register to memory.
    Store,
}

/// A ring of addresses that one thread follows.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HierarchyView {
    /// Size that is seen first; the nearest one that was measured.
    #[schemars(range(min = HierarchyView::BYTES[0], max = HierarchyView::BYTES[1]))]
    pub bytes: u64,
    /// Where the ring lies, and the caches that its loads use.
    #[serde(default)]
    pub path: LoadPath,
}

impl HierarchyView {
    /// Least and most bytes of a ring.
    pub const BYTES: [u64; 2] = [1 << 10, 1 << 30];
}

/// The way of a load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoadPath {
    /// From global memory through both caches.
    #[default]
    L1,
    /// From global memory through the second level alone.
    L2,
    /// From shared memory.
    Shared,
}
