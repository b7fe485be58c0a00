/*! Coalescing: the 32 addresses of one global access, drawn over the 32-byte sectors that they touch.

Each box is a sector of eight words. Lanes use the words with a sign; the others move without being used. If the access
is a thread's row of A or column of B, both are drawn. `m` swaps the roles of `threadIdx.x` and `.y`, the arrows step
through the lanes, and `x` opens an editor for the expressions. [`ptx_emulator::cost::global_sectors`] counts the
sectors.
*/

mod draw;

use super::expression::{Expressions, Index};
use super::pace::Pace;
use crate::prelude::*;
use ptx_emulator::cost::{SECTOR, global_ideal, global_sectors};
use std::time::Duration;
use tutor_course::{AccessError, CoalescingView, GlobalLanes};
use tutor_support::figures::lanes;
use ui_kit::keys::KeyEvent;

/// Time for each lane while the animation plays.
const STEP: Duration = Duration::from_millis(200);
/// Maximum k that the keys reach.
const MAX_K: u32 = 4095;

/// A 32-byte block that the access touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sector {
    /// Its index from the start of the matrix.
    index: u64,
    /// For each of its eight words, the mask of lanes that use it.
    words: [u32; 8],
}

impl Sector {
    /// Returns the number of bytes of the sector that lanes use.
    fn used(&self) -> u32 {
        self.words.iter().filter(|lanes| **lanes != 0).count() as u32 * 4
    }
}

/// The access with its sectors.
#[derive(Debug, Clone)]
pub(crate) struct SectorMap {
    access: GlobalLanes,
    /// The sectors in address order.
    sectors: Vec<Sector>,
    /// Number of sectors by the emulator's cost rules.
    count: u32,
    /// Minimum number of sectors for the same data.
    ideal: u32,
}

/// One of the accesses that are drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Access {
    /// `A` or `B` if both matrices of the product are shown, else empty.
    name: &'static str,
    row: String,
    column: String,
}

impl Access {
    /// Returns the element as text: `A[tx][k]`.
    fn element(&self) -> String {
        format!("{}[{}][{}]", self.name, self.row.trim(), self.column.trim())
    }

    fn meaning(&self) -> Meaning {
        match self.name {
            "A" => Meaning::MatrixA,
            "B" => Meaning::MatrixB,
            _ => Meaning::Strong,
        }
    }
}

/// The sectors of one warp-wide access.
#[derive(Debug)]
pub(crate) struct Coalescing {
    view: CoalescingView,
    /// True if `threadIdx.x` and `threadIdx.y` have swapped their roles.
    swapped: bool,
    k: u32,
    /// The editor of row and column, if it is open.
    edit: Option<Expressions>,
    /// The lane that is highlighted, if any.
    lane: Option<usize>,
    pace: Pace,
}

impl Coalescing {
    pub(crate) fn new(view: CoalescingView) -> Self {
        Self { view, swapped: false, k: 0, edit: None, lane: None, pace: Pace::new(STEP) }
    }

    fn play_step(&mut self) -> bool {
        self.go(1);
        self.lane != Some(31)
    }

    fn go(&mut self, by: usize) {
        self.lane = Some(self.lane.map_or(0, |lane| (lane + by) % 32));
    }

    /// True if the current expressions describe a valid access.
    fn valid(&self) -> bool {
        self.accesses().first().is_some_and(|access| self.picture(access).is_ok())
    }

    /// Returns the accesses to draw.
    ///
    /// If the page's access is a thread's row of A (`A[tx][k]`), this includes the thread's column of B (`B[k][ty]`),
    /// and vice versa.
    fn accesses(&self) -> Vec<Access> {
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
    fn mapped(&self) -> CoalescingView {
        let mut view = self.view.clone();
        if self.swapped {
            view.row.value = swap_threads(&view.row);
            view.column.value = swap_threads(&view.column);
        }
        view
    }

    /// True if swapping the mapping changes the access.
    fn can_swap(&self) -> bool {
        swap_threads(&self.view.row) != *self.view.row || swap_threads(&self.view.column) != *self.view.column
    }

    fn picture(&self, access: &Access) -> Result<SectorMap, AccessError> {
        let mut view = self.view.clone();
        (view.row.value, view.column.value) = (access.row.clone(), access.column.clone());
        let access = view.access(0, self.k)?;
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
        Ok(SectorMap { access, sectors, count, ideal })
    }
}

impl SectorMap {
    /// Returns the bytes that the lanes use and the bytes that move.
    fn used(&self) -> (u32, u32) {
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

impl Picture for Coalescing {
    fn kind(&self) -> &'static str {
        "coalescing"
    }

    fn actions(&self) -> Vec<Action> {
        let valid = self.valid();
        if self.edit.is_some() {
            return valid.then_some(Action::TakeExpression).into_iter().chain([Action::NextControl]).collect();
        }
        let mut actions = Vec::new();
        if valid {
            actions.extend([Action::Up, Action::Down]);
        }
        actions.extend((valid && self.can_swap()).then_some(Action::Mapping));
        actions.push(Action::Expression);
        actions.extend((self.k > 0).then_some(Action::StepBack));
        actions.extend((self.k < MAX_K).then_some(Action::StepForward));
        actions.extend(valid.then_some(Action::Play));
        actions.extend(self.lane.is_some().then_some(Action::Restart));
        actions
    }

    fn perform(&mut self, action: Action) -> Vec<Effect> {
        if let Some(edit) = &mut self.edit {
            match action {
                Action::TakeExpression => self.edit = None,
                _ => edit.turn(),
            }
            return Vec::new();
        }
        self.pace.run(action == Action::Play && !self.pace.runs());
        match action {
            Action::Down => self.go(1),
            Action::Up => self.go(31),
            Action::Play if self.lane.is_none_or(|lane| lane == 31) => self.lane = Some(0),
            Action::Mapping => self.swapped = !self.swapped,
            Action::StepForward => self.k += 1,
            Action::StepBack => self.k -= 1,
            Action::Restart => self.lane = None,
            Action::Expression => {
                // The editor starts with the expressions that are shown, so the swap becomes part of them.
                let view = self.mapped();
                (self.view, self.swapped) = (view, false);
                let view = &self.view;
                self.edit = Some(Expressions::new(&view.row, &view.column, Index::Row));
            }
            _ => {}
        }
        Vec::new()
    }

    fn editing(&self) -> bool {
        self.edit.is_some()
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let valid = self.valid();
        if let Some([row, column]) = Expressions::key(&mut self.edit, key, valid) {
            (self.view.row.value, self.view.column.value) = (row, column);
        }
        Vec::new()
    }

    fn click(&mut self, _: Position, _: Rect) -> Vec<Effect> {
        self.act(Action::Down)
    }

    crate::picture::played!();

    crate::picture::drawn!();

    fn describe(&self) -> Vec<String> {
        let mut sentences = vec![t!("coalescing-rows-of", pitch = self.view.pitch, k = self.k)];
        for access in self.accesses() {
            match self.picture(&access) {
                Err(error) => sentences.push(t!("coalescing-broken", field = error.field, why = error.message)),
                Ok(picture) => {
                    sentences.push(format!("{}: {}.", access.element(), draw::verdict(&picture)));
                    sentences.push(draw::share(&picture));
                    sentences.push(draw::place(&access, &picture, self.lane));
                    for sector in &picture.sectors {
                        let mask = sector.words.iter().fold(0u32, |all, lanes| all | lanes);
                        let (first, used, n) = (sector.index * 32, sector.used(), mask.count_ones());
                        let lanes = lanes(mask, 8);
                        sentences.push(t!("coalescing-one-sector", first, n, lanes, used));
                    }
                }
            }
        }
        sentences
    }
}

#[cfg(test)]
mod tests {
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

    impl Coalescing {
        fn only(&self) -> Result<SectorMap, AccessError> {
            let view = self.mapped();
            let (row, column) = (view.row.value.clone(), view.column.value.clone());
            self.picture(&Access { name: "", row, column })
        }
    }

    #[test]
    fn the_drawn_sectors_are_those_that_the_cost_rules_count() {
        for (row, column) in
            [("ty", "k"), ("k", "tx"), ("tx", "k"), ("0", "tx * 3"), ("tx / 16", "tx % 16 + 4"), ("0", "tx + 5")]
        {
            for width in [4, 8, 16] {
                let picture = Coalescing::new(CoalescingView { width, ..view(row, column) }).only().unwrap();
                assert_eq!(picture.sectors.len() as u32, picture.count, "{row} {column} {width}");
                let lanes = picture.sectors.iter().flat_map(|sector| sector.words).fold(0, |all, lanes| all | lanes);
                assert_eq!(lanes, u32::MAX);
            }
        }
    }
}
