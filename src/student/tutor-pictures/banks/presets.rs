//! The accesses that the number keys load: those of module 6, those of real kernels, and column walks with two ways
//! to fix them.

use std::sync::LazyLock;
use tutor_course::BankView;
use tutor_support::words::Sentence;
use tutor_support::yaml::read_typed;

#[derive(Debug, Clone)]
pub(crate) struct Preset {
    pub(crate) title: String,
    /// Name of the array in the code.
    pub(crate) array: &'static str,
    pub(crate) view: BankView,
}

/// Array and access of each preset, as a page writes them.
const PRESETS: [(&str, &str); 9] = [
    ("smem", "{ rows: 16, pitch: 16, row: ty, column: '5', block: [1, 16], lanes: 16 }"),
    ("A_tile", "{ rows: 16, pitch: 16, row: ty, column: k, block: [16, 16], kernel: sgemm_tiled }"),
    ("B_tile", "{ rows: 16, pitch: 16, row: k, column: tx, block: [16, 16], kernel: sgemm_tiled }"),
    ("A_tile", "{ access: store, rows: 16, pitch: 16, row: ty, column: tx, block: [16, 16], kernel: sgemm_tiled }"),
    (
        "A_tile",
        "{ access: store, rows: 16, pitch: 16, pad: 1, row: ty, column: tx, block: [16, 16], kernel: sgemm_tiled_padded }",
    ),
    ("smem", "{ rows: 32, pitch: 32, row: lane, column: '0', block: [32, 32], kernel: sgemm_tiled32_column }"),
    (
        "smem",
        "{ rows: 32, pitch: 32, pad: 1, row: lane, column: '0', block: [32, 32], kernel: sgemm_tiled32_column_padded }",
    ),
    ("smem", "{ rows: 32, pitch: 32, row: lane, column: k ^ lane, block: [32, 32] }"),
    ("smem", "{ rows: 4, pitch: 32, width: 16, row: '0', column: lane, block: [32, 1] }"),
];

static VIEWS: LazyLock<[Option<BankView>; 9]> = LazyLock::new(|| PRESETS.map(|(_, view)| read_typed(view).ok()));

/// Returns the preset of a number key, 1 to 9.
pub(crate) fn preset(number: usize) -> Option<Preset> {
    let (array, _) = PRESETS.get(number.checked_sub(1)?)?;
    let title = Sentence::of_key(format!("banks-preset-{number}")).to_string();
    Some(Preset { title, array, view: VIEWS[number - 1].clone()? })
}
