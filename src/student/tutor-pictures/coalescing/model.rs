//! One global access of a warp: its addresses and sectors, under both mappings of threads.

use super::super::expression::Expressions;
use crate::prelude::*;
use ptx_emulator::cost::{SECTOR, global_ideal, global_sectors};
use tutor_course::{AccessError, CoalescingView, GlobalLanes};

/// A 32-byte block that the access touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sector {
    /// Its index from the start of the matrix.
    pub(crate) index: u64,
    /// For each of its eight words, the mask of lanes that use it.
    pub(crate) words: [u32; 8],
}

impl Sector {
    /// Returns the number of bytes of the sector that lanes use.
    pub(crate) fn used(&self) -> u32 {
        self.words.iter().filter(|lanes| **lanes != 0).count() as u32 * 4
    }
}

/// The access with its sectors.
#[derive(Debug, Clone)]
pub(crate) struct Picture {
    pub(crate) access: GlobalLanes,
    /// The sectors in address order.
    pub(crate) sectors: Vec<Sector>,
    /// Number of sectors by the emulator's cost rules.
    pub(crate) count: u32,
    /// Minimum number of sectors for the same data.
    pub(crate) ideal: u32,
}

/// One of the accesses that are drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Access {
    /// `A` or `B` if both matrices of the product are shown, else empty.
    pub(crate) name: &'static str,
    pub(crate) row: String,
    pub(crate) column: String,
}

impl Access {
    /// Returns the element as text: `A[tx][k]`.
    pub(crate) fn element(&self) -> String {
        format!("{}[{}][{}]", self.name, self.row.trim(), self.column.trim())
    }

    pub(crate) fn meaning(&self) -> Meaning {
        match self.name {
            "A" => Meaning::MatrixA,
            "B" => Meaning::MatrixB,
            _ => Meaning::Strong,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) view: CoalescingView,
    /// True if `threadIdx.x` and `threadIdx.y` have swapped their roles.
    pub(crate) swapped: bool,
    pub(crate) warp: u32,
    pub(crate) k: u32,
    /// The editor of row and column, if it is open.
    pub(crate) edit: Option<Expressions>,
}

impl Model {
    pub(crate) fn new(view: CoalescingView) -> Self {
        Self { view, swapped: false, warp: 0, k: 0, edit: None }
    }

    /// Returns the accesses to draw.
    ///
    /// If the page's access is a thread's row of A (`A[tx][k]`), this includes the thread's column of B (`B[k][ty]`),
    /// and vice versa.
    pub(crate) fn accesses(&self) -> Vec<Access> {
        let view = self.mapped();
        let access = |name, row: &str, column: &str| Access { name, row: row.to_owned(), column: column.to_owned() };
        let other = |thread: &str| if thread == "tx" { "ty" } else { "tx" };
        match (view.row.trim(), view.column.trim()) {
            (row @ ("tx" | "ty"), "k") => vec![access("A", row, "k"), access("B", "k", other(row))],
            ("k", column @ ("tx" | "ty")) => vec![access("A", other(column), "k"), access("B", "k", column)],
            (row, column) => vec![access("", row, column)],
        }
    }

    /// Returns the view with the mapping applied.
    pub(crate) fn mapped(&self) -> CoalescingView {
        let mut view = self.view.clone();
        if self.swapped {
            view.row.value = swap_threads(&view.row);
            view.column.value = swap_threads(&view.column);
        }
        view
    }

    /// True if swapping the mapping changes the access.
    pub(crate) fn can_swap(&self) -> bool {
        swap_threads(&self.view.row) != *self.view.row || swap_threads(&self.view.column) != *self.view.column
    }

    pub(crate) fn picture(&self, access: &Access) -> Result<Picture, AccessError> {
        let mut view = self.view.clone();
        (view.row.value, view.column.value) = (access.row.clone(), access.column.clone());
        let access = view.access(self.warp, self.k)?;
        let mut sectors: Vec<Sector> = Vec::new();
        for (lane, &start) in access.addr.iter().enumerate().filter(|(lane, _)| access.mask >> lane & 1 == 1) {
            for word in start / 4..start / 4 + u64::from(access.bytes / 4) {
                let index = word * 4 / SECTOR;
                let at = sectors.iter().position(|sector| sector.index == index).unwrap_or_else(|| {
                    sectors.push(Sector { index, words: [0; 8] });
                    sectors.len() - 1
                });
                sectors[at].words[(word % 8) as usize] |= 1 << lane;
            }
        }
        sectors.sort_by_key(|sector| sector.index);
        let count = global_sectors(access.bytes, access.mask, &access.addr);
        let ideal = global_ideal(access.bytes, access.mask, &access.addr);
        Ok(Picture { access, sectors, count, ideal })
    }
}

impl Picture {
    /// Returns the bytes that the lanes use and the bytes that move.
    pub(crate) fn used(&self) -> (u32, u32) {
        (self.sectors.iter().map(Sector::used).sum(), self.sectors.len() as u32 * SECTOR as u32)
    }
}

/// Exchanges the names `tx` and `ty` in an expression.
fn swap_threads(text: &str) -> String {
    let mut swapped = String::with_capacity(text.len());
    let mut name = String::new();
    let flush = |name: &mut String, swapped: &mut String| {
        swapped.push_str(match name.as_str() {
            "tx" => "ty",
            "ty" => "tx",
            other => other,
        });
        name.clear();
    };
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            name.push(c);
        } else {
            flush(&mut name, &mut swapped);
            swapped.push(c);
        }
    }
    flush(&mut name, &mut swapped);
    swapped
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn view(row: &str, column: &str) -> CoalescingView {
        CoalescingView {
            pitch: 2048,
            width: 4,
            row: row.to_owned().into(),
            column: column.to_owned().into(),
            block: [32, 32],
        }
    }

    impl Model {
        fn only(&self) -> Result<Picture, AccessError> {
            let view = self.mapped();
            let (row, column) = (view.row.value.clone(), view.column.value.clone());
            self.picture(&Access { name: "", row, column })
        }
    }

    #[test]
    fn a_threads_row_of_a_brings_its_column_of_b() {
        let elements = |row: &str, column: &str| {
            Model::new(view(row, column)).accesses().iter().map(Access::element).collect::<Vec<_>>()
        };
        assert_eq!(elements("tx", "k"), ["A[tx][k]", "B[k][ty]"]);
        assert_eq!(elements("k", "tx"), ["A[ty][k]", "B[k][tx]"]);
        assert_eq!(elements("ty", "tx"), ["[ty][tx]"]);
        let mut naive = Model::new(view("tx", "k"));
        naive.swapped = true;
        let costs: Vec<u32> = naive.accesses().iter().map(|access| naive.picture(access).unwrap().count).collect();
        assert_eq!(costs, [1, 4]);
    }

    #[test]
    fn neighbouring_columns_need_four_sectors_and_neighbouring_rows_thirty_two() {
        let mut access = Model::new(view("ty", "tx"));
        let coalesced = access.only().unwrap();
        assert_eq!((coalesced.count, coalesced.ideal, coalesced.used()), (4, 4, (128, 128)));
        access.swapped = true;
        let strided = access.only().unwrap();
        assert_eq!((strided.count, strided.ideal, strided.used()), (32, 4, (128, 1024)));
    }

    #[test]
    fn the_drawn_sectors_are_those_that_the_cost_rules_count() {
        for (row, column) in
            [("ty", "k"), ("k", "tx"), ("tx", "k"), ("0", "tx * 3"), ("tx / 16", "tx % 16 + 4"), ("0", "tx + 5")]
        {
            for width in [4, 8, 16] {
                let picture = Model::new(CoalescingView { width, ..view(row, column) }).only().unwrap();
                assert_eq!(picture.sectors.len() as u32, picture.count, "{row} {column} {width}");
                let lanes = picture.sectors.iter().flat_map(|sector| sector.words).fold(0, |all, lanes| all | lanes);
                assert_eq!(lanes, u32::MAX);
            }
        }
    }

    #[test]
    fn a_word_for_all_lanes_is_one_sector() {
        let picture = Model::new(view("ty", "k")).only().unwrap();
        assert_eq!((picture.count, picture.used()), (1, (4, 32)));
    }

    #[test]
    fn the_mapping_swaps_names_and_nothing_that_merely_contains_them() {
        assert_eq!(swap_threads("ty * 4 + tx"), "tx * 4 + ty");
        assert_eq!(swap_threads("max(tx, 1)"), "max(ty, 1)");
        assert_eq!(swap_threads("lane"), "lane");
        assert!(!Model::new(view("0", "lane")).can_swap());
    }

    #[test]
    fn an_invalid_access_is_an_error() {
        let mut access = Model::new(view("ty", "tx +"));
        assert!(access.only().unwrap_err().to_string().contains("Expected"));
        access.view = view("ty", "tx");
        access.warp = 32;
        assert!(access.only().is_err());
    }
}
