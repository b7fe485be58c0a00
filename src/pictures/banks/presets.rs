//! The accesses that the number keys load: those of module 6, those of real kernels, and column walks with two ways
//! to fix them.

use tutor_base::t;
use tutor_course::{AccessDirection, BankView};

#[derive(Debug, Clone)]
pub(crate) struct Preset {
    /// A short description.
    pub(crate) title: String,
    /// Name of the array in the code.
    pub(crate) array: &'static str,
    pub(crate) view: BankView,
}

struct Sketch {
    array: &'static str,
    rows: u32,
    pitch: u32,
    pad: u32,
    width: u32,
    access: AccessDirection,
    row: &'static str,
    column: &'static str,
    block: [u32; 2],
    lanes: u32,
    kernel: Option<&'static str>,
}

const LOAD: AccessDirection = AccessDirection::Load;
const STORE: AccessDirection = AccessDirection::Store;

/// A 16×16 tile of floats, accessed by a 16×16 block.
const TILE: Sketch = Sketch {
    array: "A_tile",
    rows: 16,
    pitch: 16,
    pad: 0,
    width: 4,
    access: LOAD,
    row: "ty",
    column: "k",
    block: [16, 16],
    lanes: 32,
    kernel: Some("sgemm_tiled"),
};

/// A 32×32 tile of floats. One warp reads one of its columns.
const COLUMN: Sketch = Sketch {
    array: "smem",
    rows: 32,
    pitch: 32,
    pad: 0,
    width: 4,
    access: LOAD,
    row: "lane",
    column: "0",
    block: [32, 32],
    lanes: 32,
    kernel: None,
};

const PRESETS: [Sketch; 9] = [
    Sketch { array: "smem", column: "5", block: [1, 16], lanes: 16, kernel: None, ..TILE },
    Sketch { ..TILE },
    Sketch { array: "B_tile", row: "k", column: "tx", ..TILE },
    Sketch { access: STORE, column: "tx", ..TILE },
    Sketch { access: STORE, column: "tx", pad: 1, kernel: Some("sgemm_tiled_padded"), ..TILE },
    Sketch { kernel: Some("sgemm_tiled32_column"), ..COLUMN },
    Sketch { pad: 1, kernel: Some("sgemm_tiled32_column_padded"), ..COLUMN },
    Sketch { column: "k ^ lane", ..COLUMN },
    Sketch { rows: 4, width: 16, row: "0", column: "lane", block: [32, 1], ..COLUMN },
];

impl Sketch {
    fn preset(&self, number: usize) -> Preset {
        let view = BankView {
            rows: self.rows,
            pitch: self.pitch,
            pad: self.pad,
            width: self.width,
            access: self.access,
            row: self.row.to_owned().into(),
            column: self.column.to_owned().into(),
            block: self.block,
            warp: 0,
            k: 0,
            lanes: self.lanes,
            kernel: self.kernel.map(|kernel| kernel.to_owned().into()),
        };
        Preset { title: title(number), array: self.array, view }
    }
}

fn title(number: usize) -> String {
    match number {
        1 => t!("banks-preset-1"),
        2 => t!("banks-preset-2"),
        3 => t!("banks-preset-3"),
        4 => t!("banks-preset-4"),
        5 => t!("banks-preset-5"),
        6 => t!("banks-preset-6"),
        7 => t!("banks-preset-7"),
        8 => t!("banks-preset-8"),
        _ => t!("banks-preset-9"),
    }
}

/// Returns the preset of a number key, 1 to 9.
pub(crate) fn preset(number: usize) -> Option<Preset> {
    PRESETS.get(number.checked_sub(1)?).map(|sketch| sketch.preset(number))
}

#[cfg(test)]
mod tests {
    use super::super::model::Served;
    use super::*;

    /// The values were measured on an H200 with hardware counters.
    #[test]
    fn each_preset_takes_the_wavefronts_that_were_measured() {
        let measured = [
            (1, 8, "8-way conflict"),
            (2, 1, "broadcast: 2 words for 32 lanes"),
            (3, 1, "broadcast: 16 words for 32 lanes"),
            (4, 1, "no conflict"),
            (5, 2, "2-way conflict"),
            (6, 32, "32-way conflict"),
            (7, 1, "no conflict"),
            (8, 1, "no conflict"),
            (9, 4, "no conflict: one wavefront per quarter warp"),
        ];
        for (number, wavefronts, verdict) in measured {
            let preset = preset(number).unwrap();
            let picture = Served::of(&preset.view).unwrap();
            assert_eq!((picture.wavefronts(), picture.verdict().as_str()), (wavefronts, verdict), "{}", preset.title);
        }
    }

    #[test]
    fn other_numbers_have_no_preset() {
        assert!(preset(0).is_none() && preset(10).is_none());
    }
}
