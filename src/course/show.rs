//! Types of what a page shows: code, or an instrument with its start values.

use super::access::MAX_BLOCK_THREADS;
use super::spanned::At;
use schemars::JsonSchema;
use serde::Deserialize;

/// The one thing to look at on a page.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Show {
    /// A region of a kernel's source with notes.
    Code(CodeView),
    /// The library scene: books fetched one by one or a desk-full at a time.
    Library(LibraryScene),
    /// The walk of the A tile and the B tile over t.
    TileWalk(TileWalk),
    /// Who loads which element of the tiles.
    CooperativeLoad(CooperativeLoad),
    /// The iteration space and which thread computes which element of C.
    ThreadMap(ThreadMap),
    /// The sectors that one warp-wide global access touches.
    Coalescing(CoalescingView),
    /// The bank-conflict simulator.
    Banks(BankView),
    /// The hazard stepper.
    Hazard(HazardView),
    /// Launching one kernel, or comparing several.
    Run(RunView),
    /// Every variant of a kernel compared, as a heat map.
    Sweep(SweepView),
    /// A roofline: arithmetic intensity against the device's limits.
    Roofline(RooflineView),
    /// Blocks on a multiprocessor, what limits them, and the waves of a grid.
    Occupancy(OccupancyView),
    /// The outer product of a thread's tile, k by k.
    RegisterTile(RegisterTileView),
    /// Which lane of a warp holds which element of a matrix.
    Fragment(FragmentView),
    /// Numbers in FP32, TF32, FP16 and BF16, bit by bit, and what a product loses.
    Formats(FormatsView),
    /// A ring of stages, step by step, which can be broken.
    Ring(RingView),
    /// Load, wait and multiply over time, with one stage or several.
    Stages(StagesView),
    /// Recorded latency against the size of what is read.
    Hierarchy(HierarchyView),
    /// A box of a matrix, as a tensor map brings it into shared memory.
    TensorBox(TensorBoxView),
    /// Where the lanes of a warp stand in its tile, and which of them share words.
    WarpTile(WarpTileView),
    /// Which tiles of C are computed at the same time, and which strips they share.
    Raster(RasterView),
    /// A warp at a branch, and what it issues.
    Divergence(DivergenceView),
    /// Recorded multiply-adds in a cycle, by warps and by independent sums.
    Ilp(IlpView),
    /// An exercise of the workshop, by its id: what is to be done, and how far the student is.
    Exercise(At<String>),
}

impl Show {
    /// The catalogue ids of the kernels that it shows or launches.
    pub fn kernels(&self) -> Vec<&str> {
        let ids: Vec<&At<String>> = match self {
            Self::Code(view) => vec![&view.kernel],
            Self::Banks(view) => view.kernel.iter().collect(),
            Self::Hazard(view) => [&view.kernel, &view.correct].into_iter().chain(&view.delayed).collect(),
            Self::Run(view) => view.kernels.iter().collect(),
            Self::Sweep(view) => vec![&view.kernel],
            Self::Roofline(view) => view.kernels.iter().collect(),
            _ => Vec::new(),
        };
        ids.into_iter().map(|id| id.value.as_str()).collect()
    }
}

/// Every variant of a kernel, launched in turns.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepView {
    /// Catalogue id of a kernel that comes in variants.
    pub kernel: At<String>,
    /// Square size on a GPU; the emulator counts at a smaller one.
    pub size: u32,
}

/// A region of a kernel file.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeView {
    /// Catalogue id.
    pub kernel: At<String>,
    /// Region name; the whole file if absent.
    #[serde(default)]
    pub region: Option<At<String>>,
    /// Notes beside lines.
    #[serde(default)]
    pub notes: Vec<CodeNote>,
}

/// A note anchored to text in the shown code.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeNote {
    /// A piece of a line; the note goes to the first line that contains it.
    pub at: At<String>,
    /// One short sentence.
    pub note: String,
}

/// The library analogy.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LibraryScene {
    /// Books needed, e.g. 100.
    pub books: u32,
    /// Books the desk holds, e.g. 16.
    pub desk: u32,
}

/// Tiles walking over a small product.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TileWalk {
    /// Edge of the square matrices, in elements.
    pub n: u32,
    /// Edge of a tile, in elements.
    pub tile: u32,
}

/// Who loads what.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CooperativeLoad {
    /// Edge of the tile and of the block, e.g. 16.
    pub tile: u32,
}

/// Which thread computes which element of C.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThreadMap {
    /// Rows of C.
    pub m: u32,
    /// Columns of C.
    pub n: u32,
    /// Length of the dot product.
    pub k: u32,
}

/// Sectors of one request.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
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
#[derive(Debug, Clone, Deserialize, JsonSchema)]
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

/// A hazard to step through.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HazardView {
    /// A kernel of the catalogue that is expected to be wrong.
    pub kernel: At<String>,
    /// Its correct counterpart.
    pub correct: At<String>,
    /// The same fault made plain by a delayed warp, offered by "run it".
    #[serde(default)]
    pub delayed: Option<At<String>>,
}

/// Kernels to launch.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunView {
    /// One to four; with two or more they are compared, the first being the reference.
    pub kernels: Vec<At<String>>,
    /// Size selected at first, square n.
    pub size: u32,
    /// Sizes to choose from.
    #[serde(default)]
    pub sizes: Vec<u32>,
    /// Count rows to show besides the time.
    #[serde(default)]
    pub counts: Vec<CountRow>,
}

/// A row of counts under a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CountRow {
    /// Global loads: requests and sectors.
    GlobalLoads,
    /// Global stores: requests and sectors.
    GlobalStores,
    /// Shared loads: requests and wavefronts.
    SharedLoads,
    /// Shared stores: requests and wavefronts.
    SharedStores,
    /// FLOP over global bytes asked for.
    Intensity,
    /// Hazards found.
    Hazards,
}

/// Arithmetic intensity of kernels against the device's limits.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RooflineView {
    /// Kernels to place; intensity is computed from counts, speed from a run or from recorded times.
    pub kernels: Vec<At<String>>,
    /// Square size.
    pub size: u32,
}

/// What a block takes of a multiprocessor of the H200, and a grid of the device.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OccupancyView {
    /// Threads of a block.
    pub threads: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// Shared memory of a block, in bytes.
    #[serde(default)]
    pub shared: u32,
    /// Blocks of the grid.
    pub blocks: u32,
    /// Multiprocessors of the device; 132 if absent.
    #[serde(default = "h200_multiprocessors")]
    pub multiprocessors: u32,
}

fn h200_multiprocessors() -> u32 {
    132
}

impl OccupancyView {
    /// Least and most threads of a block.
    pub const THREADS: [u32; 2] = [1, MAX_BLOCK_THREADS];
    /// Least and most registers of a thread.
    pub const REGISTERS: [u32; 2] = [1, 255];
    /// Least and most bytes of shared memory of a block.
    pub const SHARED: [u32; 2] = [0, 227 * 1024];
    /// Least and most blocks of the grid.
    pub const BLOCKS: [u32; 2] = [1, 100_000];
    /// Least and most multiprocessors of the device.
    pub const MULTIPROCESSORS: [u32; 2] = [1, 256];
}

/// A thread's tile of C and what it reads for each k.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterTileView {
    /// Rows of the tile.
    pub tm: u32,
    /// Columns of the tile.
    pub tn: u32,
    /// Numbers that a load brings: 1, 2 or 4.
    #[serde(default = "one")]
    pub width: u32,
    /// Values of k, e.g. the depth of a tile in shared memory.
    #[serde(default = "eight")]
    pub depth: u32,
}

fn one() -> u32 {
    1
}

fn eight() -> u32 {
    8
}

impl RegisterTileView {
    /// Least and largest edge of a tile.
    pub const EDGES: [u32; 2] = [1, 16];
    /// Least and most numbers that a load brings.
    pub const WIDTHS: [u32; 2] = [1, 4];
    /// Most values of k.
    pub const MOST_DEPTH: u32 = 32;
    /// Registers that a thread has at most.
    pub const MOST_REGISTERS: u32 = OccupancyView::REGISTERS[1];
}

/// A matrix that the lanes of a warp hold together.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FragmentView {
    /// The matrix that is seen first.
    pub of: FragmentOperand,
    /// The lane that is chosen first.
    #[serde(default)]
    pub lane: u32,
}

/// A matrix in the registers of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FragmentOperand {
    /// A of `mma.m16n8k16`.
    A,
    /// B of `mma.m16n8k16`.
    B,
    /// C and D of `mma.m16n8k16`.
    C,
    /// What `ldmatrix.x4` brings.
    Ldmatrix,
    /// What `ldmatrix.x4.trans` brings.
    LdmatrixTrans,
    /// D of `wgmma`.
    Wgmma,
}

/// Two factors in the formats of the tensor cores.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FormatsView {
    /// The first factor.
    pub x: f64,
    /// The second factor; 1 if absent.
    #[serde(default = "one_factor")]
    pub y: f64,
}

fn one_factor() -> f64 {
    1.0
}

impl FormatsView {
    /// Smallest and largest size of a factor.
    pub const SIZES: [f64; 2] = [1e-30, 1e30];
}

/// A ring of stages with a producer and two consumers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RingView {
    /// Stages.
    #[serde(default = "four")]
    pub stages: u32,
    /// How it is broken at first; not at all if absent.
    #[serde(default)]
    pub flaw: RingFlaw,
}

impl RingView {
    /// Least and most stages.
    pub const STAGES: [u32; 2] = [2, 4];
}

/// What is wrong with a ring; the numbers are those of `assets/pictures/kernels/ring.cu`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RingFlaw {
    /// Nothing.
    #[default]
    None = 0,
    /// Consumers hand a stage back before they have read it.
    EarlyRelease,
    /// Consumers wait for the other parity.
    ConsumerParity,
    /// The producer waits for the other parity.
    ProducerParity,
    /// One consumer never hands a stage back.
    MissingArrive,
}

/// Tiles that go through stages.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StagesView {
    /// Stages.
    pub stages: u32,
    /// Cycles from asking for a tile to having it.
    pub load: u32,
    /// Cycles of a tile's multiply-adds.
    pub multiply: u32,
}

impl StagesView {
    /// Least and most stages.
    pub const STAGES: [u32; 2] = [1, 4];
    /// Least and most cycles of a load, and of a tile's multiply-adds.
    pub const CYCLES: [u32; 2] = [16, 8192];
}

/// A ring of addresses that one thread follows.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HierarchyView {
    /// Size that is seen first; the nearest one that was measured.
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

/// A box of 8 rows and 64 columns over a matrix of 2-byte elements.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TensorBoxView {
    /// Columns of the matrix; its pitch is the next multiple of 8.
    pub columns: u32,
    /// Rows of the matrix.
    pub rows: u32,
    /// Column at which the box begins, a multiple of 8.
    #[serde(default)]
    pub column: i32,
    /// Row at which it begins.
    #[serde(default)]
    pub row: i32,
    /// Whether it is swizzled, by 128 bytes.
    #[serde(default)]
    pub swizzle: bool,
}

impl TensorBoxView {
    /// Least and most columns of the matrix.
    pub const COLUMNS: [u32; 2] = [1, 512];
    /// Least and most rows of the matrix.
    pub const ROWS: [u32; 2] = [1, 64];
}

/// The lanes of a warp in a tile of 4 × 8.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WarpTileView {
    /// How they stand at first.
    pub order: LaneOrder,
    /// The lane that is chosen first.
    #[serde(default)]
    pub lane: u32,
}

/// How lanes stand in a warp's tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LaneOrder {
    /// Eight side by side, row by row.
    Rows,
    /// Four in a square, squares side by side.
    Squares,
}

/// Tiles of C and the order in which blocks take them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RasterView {
    /// Rows of tiles that are gone through together, column by column; 1 is row by row.
    #[serde(default = "one")]
    pub group: u32,
    /// Rows of tiles.
    pub rows: u32,
    /// Columns of tiles.
    pub columns: u32,
    /// Blocks that run together; 132 if absent.
    #[serde(default = "h200_multiprocessors")]
    pub blocks: u32,
    /// Rows and columns of a tile, in elements of 4 bytes.
    pub tile: [u32; 2],
}

impl RasterView {
    /// Least and most tiles in a row or column, and rows in a group.
    pub const TILES: [u32; 2] = [1, 256];
    /// Least and most blocks that run together.
    pub const BLOCKS: [u32; 2] = [1, 1024];
    /// Least and longest edge of a tile.
    pub const EDGE: [u32; 2] = [1, 512];
}

/// A branch that a warp meets.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DivergenceView {
    /// An expression in `lane`; lanes for which it is not 0 take the first side.
    pub condition: At<String>,
    /// Additions of the first side.
    pub then: u32,
    /// Multiplications of the second side.
    #[serde(default, rename = "else")]
    pub otherwise: u32,
}

impl DivergenceView {
    /// Least and most steps of a side.
    pub const STEPS: [u32; 2] = [0, 64];
}

/// Warps of a multiprocessor and independent sums of a thread; the nearest that were measured.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IlpView {
    /// Warps of a multiprocessor.
    pub warps: u32,
    /// Sums of a thread.
    pub sums: u32,
}

impl IlpView {
    /// Least and most warps.
    pub const WARPS: [u32; 2] = [1, 32];
    /// Least and most sums.
    pub const SUMS: [u32; 2] = [1, 16];
}
