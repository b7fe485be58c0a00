//! Tiles: who loads, computes and shares what, from the grid down to a thread.

use super::multiprocessor::OccupancyView;
use schemars::JsonSchema;
use serde::Deserialize;

/// The library analogy.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LibraryScene {
    /// Books needed, e.g. 100.
    #[schemars(range(min = LibraryScene::BOOKS[0], max = LibraryScene::BOOKS[1]))]
    pub books: u32,
    /// Books the desk holds, e.g. 16.
    #[schemars(range(min = LibraryScene::DESK[0], max = LibraryScene::DESK[1]))]
    pub desk: u32,
}

impl LibraryScene {
    /// Fewest and most books that are needed.
    pub const BOOKS: [u32; 2] = [1, 10_000];
    /// Fewest and most books that the desk holds.
    pub const DESK: [u32; 2] = [1, 1000];
}

/// Tiles walking over a small product.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TileWalk {
    /// Edge of the square matrices, in elements.
    #[schemars(range(min = TileWalk::EDGES[0], max = TileWalk::EDGES[1]))]
    pub n: u32,
    /// Edge of a tile, in elements.
    #[schemars(range(min = 1, max = TileWalk::EDGES[1]))]
    pub tile: u32,
}

impl TileWalk {
    /// Least and largest edge of the matrices that are drawn.
    pub const EDGES: [u32; 2] = [2, 64];
}

/// Who loads what.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CooperativeLoad {
    /// Edge of the tile and of the block, e.g. 16.
    #[schemars(range(min = CooperativeLoad::EDGES[0], max = CooperativeLoad::EDGES[1]))]
    pub tile: u32,
}

impl CooperativeLoad {
    /// Least and largest edge of the tile.
    pub const EDGES: [u32; 2] = [2, 32];
}

/// Which thread computes which element of C.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThreadMap {
    /// Rows of C.
    #[schemars(range(min = ThreadMap::SIDES[0], max = ThreadMap::SIDES[1]))]
    pub m: u32,
    /// Columns of C.
    #[schemars(range(min = ThreadMap::SIDES[0], max = ThreadMap::SIDES[1]))]
    pub n: u32,
    /// Length of the dot product.
    #[schemars(range(min = ThreadMap::SIDES[0], max = ThreadMap::SIDES[1]))]
    pub k: u32,
}

impl ThreadMap {
    /// Least and largest side of a matrix that is drawn.
    pub const SIDES: [u32; 2] = [1, 64];
}

/// A thread's tile of C and what it reads for each k.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterTileView {
    /// Rows of the tile.
    #[schemars(range(min = RegisterTileView::EDGES[0], max = RegisterTileView::EDGES[1]))]
    pub tm: u32,
    /// Columns of the tile.
    #[schemars(range(min = RegisterTileView::EDGES[0], max = RegisterTileView::EDGES[1]))]
    pub tn: u32,
    /// Numbers that a load brings: 1, 2 or 4.
    #[serde(default = "one")]
    #[schemars(extend("enum" = [1, 2, 4]))]
    pub width: u32,
    /// Values of k, e.g. the depth of a tile in shared memory.
    #[serde(default = "eight")]
    #[schemars(range(min = 1, max = RegisterTileView::MOST_DEPTH))]
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
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WarpTileView {
    /// How they stand at first.
    pub order: LaneOrder,
    /// The lane that is chosen first.
    #[serde(default)]
    #[schemars(range(min = 0, max = 31))]
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
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RasterView {
    /// Rows of tiles that are gone through together, column by column; 1 is row by row.
    #[serde(default = "one")]
    #[schemars(range(min = RasterView::TILES[0], max = RasterView::TILES[1]))]
    pub group: u32,
    /// Rows of tiles.
    #[schemars(range(min = RasterView::TILES[0], max = RasterView::TILES[1]))]
    pub rows: u32,
    /// Columns of tiles.
    #[schemars(range(min = RasterView::TILES[0], max = RasterView::TILES[1]))]
    pub columns: u32,
    /// Blocks that run together; 132 if absent.
    #[serde(default = "super::multiprocessor::h200_multiprocessors")]
    #[schemars(range(min = RasterView::BLOCKS[0], max = RasterView::BLOCKS[1]))]
    pub blocks: u32,
    /// Rows and columns of a tile, in elements of 4 bytes.
    #[schemars(inner(range(min = RasterView::EDGE[0], max = RasterView::EDGE[1])))]
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
