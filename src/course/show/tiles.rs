//! Tiles: who loads, computes and shares what, from the grid down to a thread.

use super::multiprocessor::OccupancyView;
use schemars::JsonSchema;
use serde::Deserialize;

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
    #[serde(default = "super::multiprocessor::h200_multiprocessors")]
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
