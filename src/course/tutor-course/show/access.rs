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

/// The access of a warp that reads a column, like `matmul-tutor banks 'smem[lane][5]' --pitch 16`.
impl Default for BankView {
    fn default() -> Self {
        Self {
            rows: 32,
            pitch: 16,
            pad: 0,
            width: 4,
            access: AccessDirection::Load,
            row: "lane".to_owned().into(),
            column: "5".to_owned().into(),
            block: [16, 16],
            warp: 0,
            k: 0,
            lanes: crate::LANES as u32,
            kernel: None,
        }
    }
}

impl BankView {
    /// Returns the access of a link, like `smem[lane][5],pitch=16,pad=1,width=8,store`. What it leaves out is the default.
    pub fn of_link(link: &str) -> Option<Self> {
        let (access, options) = link.split_once(',').unwrap_or((link, ""));
        let inner = access.split_once('[')?.1.strip_suffix(']')?;
        let (row, column) = inner.split_once("][").unwrap_or(("0", inner));
        let mut view = Self { row: row.to_owned().into(), column: column.to_owned().into(), ..Self::default() };
        for option in options.split(',').filter(|option| !option.is_empty()) {
            match option.split_once('=').unwrap_or((option, "")) {
                ("store", "") => view.access = AccessDirection::Store,
                ("block", value) => {
                    let (x, y) = value.split_once('x')?;
                    view.block = [x.parse().ok()?, y.parse().ok()?];
                }
                (name, value) => {
                    let number = view.numbers().into_iter().find(|(known, _)| *known == name)?.1;
                    *number = value.parse().ok()?;
                }
            }
        }
        view.access().is_ok().then_some(view)
    }

    /// Returns the link of this access, without its kernel.
    pub fn link(&self) -> String {
        let (mut this, mut default) = (self.clone(), Self::default());
        let mut link = format!("smem[{}][{}]", self.row.as_str(), self.column.as_str()).replace(' ', "");
        for ((name, value), (_, usual)) in this.numbers().into_iter().zip(default.numbers()) {
            if value != usual {
                link.push_str(&format!(",{name}={value}"));
            }
        }
        if self.block != default.block {
            link.push_str(&format!(",block={}x{}", self.block[0], self.block[1]));
        }
        if self.access == AccessDirection::Store {
            link.push_str(",store");
        }
        link
    }

    /// The numbers that a link may set, by name.
    fn numbers(&mut self) -> [(&'static str, &mut u32); 7] {
        let Self { rows, pitch, pad, width, warp, k, lanes, .. } = self;
        [("rows", rows), ("pitch", pitch), ("pad", pad), ("width", width), ("warp", warp), ("k", k), ("lanes", lanes)]
    }
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
