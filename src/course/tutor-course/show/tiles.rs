//! Tiles: which blocks and threads load, compute and share them, from the grid down to a thread.

use super::multiprocessor::OccupancyView;
use crate::prelude::*;

/// The library analogy.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct LibraryScene {
    /// Number of books needed, e.g. 100.
    #[schemars(range(min = LibraryScene::BOOKS[0], max = LibraryScene::BOOKS[1]))]
    pub books: u32,
    /// Number of books that fit on the desk, e.g. 16.
    #[schemars(range(min = LibraryScene::DESK[0], max = LibraryScene::DESK[1]))]
    pub desk: u32,
}

impl LibraryScene {
    /// Minimum and maximum number of books needed.
    pub const BOOKS: [u32; 2] = [1, 10_000];
    /// Minimum and maximum number of books that fit on the desk.
    pub const DESK: [u32; 2] = [1, 1000];
}

/// Tiles that move over a small product.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct TileWalk {
    /// Edge of the square matrices, in elements.
    #[schemars(range(min = TileWalk::EDGES[0], max = TileWalk::EDGES[1]))]
    pub n: u32,
    /// Edge of a tile, in elements.
    #[schemars(range(min = 1, max = TileWalk::EDGES[1]))]
    pub tile: u32,
}

impl TileWalk {
    /// Minimum and maximum edge of the matrices.
    pub const EDGES: [u32; 2] = [2, 64];
}

/// Which thread loads which element.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct CooperativeLoad {
    /// Edge of the tile and of the block, e.g. 16.
    #[schemars(range(min = CooperativeLoad::EDGES[0], max = CooperativeLoad::EDGES[1]))]
    pub tile: u32,
}

impl CooperativeLoad {
    /// Minimum and maximum edge of the tile.
    pub const EDGES: [u32; 2] = [2, 32];
}

/// Which thread computes which element of C.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct ThreadMap {
    /// Rows of C.
    #[schemars(range(min = ThreadMap::SIDES[0], max = ThreadMap::SIDES[1]))]
    pub m: u32,
    /// Columns of C.
    #[schemars(range(min = ThreadMap::SIDES[0], max = ThreadMap::SIDES[1]))]
    pub n: u32,
    /// Length of the dot products.
    #[schemars(range(min = ThreadMap::SIDES[0], max = ThreadMap::SIDES[1]))]
    pub k: u32,
}

impl ThreadMap {
    /// Minimum and maximum side of a matrix.
    pub const SIDES: [u32; 2] = [1, 64];
}

/// A thread's tile of C, and what the thread reads for each k.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct RegisterTileView {
    /// Rows of the tile.
    #[schemars(range(min = RegisterTileView::EDGES[0], max = RegisterTileView::EDGES[1]))]
    pub tm: u32,
    /// Columns of the tile.
    #[schemars(range(min = RegisterTileView::EDGES[0], max = RegisterTileView::EDGES[1]))]
    pub tn: u32,
    /// Number of elements per load: 1, 2 or 4.
    #[serde(default = "number::<1>")]
    #[schemars(extend("enum" = [1, 2, 4]))]
    pub width: u32,
    /// Number of values of k, e.g. the depth of a tile in shared memory.
    #[serde(default = "number::<8>")]
    #[schemars(range(min = 1, max = RegisterTileView::MAX_DEPTH))]
    pub depth: u32,
}

impl RegisterTileView {
    /// Minimum and maximum edge of a tile.
    pub const EDGES: [u32; 2] = [1, 16];
    /// Minimum and maximum number of elements per load.
    pub const WIDTHS: [u32; 2] = [1, 4];
    /// Maximum number of values of k.
    pub const MAX_DEPTH: u32 = 32;
    /// Maximum number of registers per thread.
    pub const MAX_REGISTERS: u32 = OccupancyView::REGISTERS[1];
}

/// The lanes of a warp in a tile of 4 × 8 threads.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct WarpTileView {
    /// The order that is shown first.
    pub order: LaneOrder,
    /// The lane that is selected first.
    #[serde(default)]
    #[schemars(range(min = 0, max = 31))]
    pub lane: u32,
}

/// How a warp's lanes are arranged in its tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LaneOrder {
    /// Rows of eight lanes.
    Rows,
    /// Squares of four lanes, next to each other.
    Squares,
}

/// The tiles of C, and the order in which blocks compute them.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct RasterView {
    /// Rows of tiles in a group, whose tiles are taken column by column; 1 means row by row.
    #[serde(default = "number::<1>")]
    #[schemars(range(min = RasterView::TILES[0], max = RasterView::TILES[1]))]
    pub group: u32,
    /// Number of rows of tiles.
    #[schemars(range(min = RasterView::TILES[0], max = RasterView::TILES[1]))]
    pub rows: u32,
    /// Number of columns of tiles.
    #[schemars(range(min = RasterView::TILES[0], max = RasterView::TILES[1]))]
    pub columns: u32,
    /// Number of blocks that run at the same time; 132 if absent.
    #[serde(default = "number::<132>")]
    #[schemars(range(min = RasterView::BLOCKS[0], max = RasterView::BLOCKS[1]))]
    pub blocks: u32,
    /// Rows and columns of a tile, in elements of 4 bytes.
    #[schemars(inner(range(min = RasterView::EDGE[0], max = RasterView::EDGE[1])))]
    pub tile: [u32; 2],
}

impl RasterView {
    /// Minimum and maximum number of tiles in a row or column, and of rows in a group.
    pub const TILES: [u32; 2] = [1, 256];
    /// Minimum and maximum number of blocks that run at the same time.
    pub const BLOCKS: [u32; 2] = [1, 1024];
    /// Minimum and maximum edge of a tile.
    pub const EDGE: [u32; 2] = [1, 512];
}
