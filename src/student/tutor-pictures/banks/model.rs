//! One access worked out: its wavefronts, its verdict, its formula, and how to avoid its conflicts.

use crate::prelude::*;
use ptx_emulator::cost::{self, BANKS, Direction, WARP, Wavefront};
use tutor_course::{AccessDirection, AccessError, BankView, SharedLanes};

/// Maximum padding that [`fix`] tries: pitches that differ by 32 words use the same banks.
const MAX_PAD: u32 = 32;

/// An access with its wavefronts.
#[derive(Debug, Clone)]
pub(crate) struct Served {
    pub(crate) access: SharedLanes,
    /// The wavefronts in order, each with the word and the lanes that every bank serves.
    pub(crate) schedule: Vec<Wavefront>,
    pub(crate) phase_of: Vec<usize>,
    /// The lanes of each phase, as a mask.
    pub(crate) phases: Vec<u32>,
    /// Number of wavefronts if there were no conflicts.
    pub(crate) ideal: u32,
}

/// How to make an access free of conflicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fix {
    /// The access is already free of conflicts.
    NotNeeded,
    /// The smallest padding that removes the conflicts.
    Pad(u32),
    /// No padding helps, because lanes in the same row collide.
    None,
}

pub(crate) fn direction(access: AccessDirection) -> Direction {
    match access {
        AccessDirection::Load => Direction::Load,
        AccessDirection::Store => Direction::Store,
    }
}

impl Served {
    /// Works out the access that `view` describes.
    pub(crate) fn new(view: &BankView) -> Result<Self, AccessError> {
        let access = view.access()?;
        let way = direction(access.direction);
        let phases: Vec<u32> = cost::phases(way, access.bytes, access.mask, &access.addr).collect();
        let schedule = cost::shared_schedule(way, access.bytes, access.mask, &access.addr);
        let phase_of = schedule
            .iter()
            .map(|wavefront| {
                let lanes = wavefront.banks.iter().flatten().fold(0, |all, (_, lanes)| all | lanes);
                phases.iter().position(|phase| phase & lanes != 0).unwrap_or(0)
            })
            .collect();
        let ideal = cost::shared_ideal(way, access.bytes, access.mask, &access.addr);
        Ok(Self { access, schedule, phase_of, phases, ideal })
    }

    pub(crate) fn wavefronts(&self) -> u32 {
        self.schedule.len() as u32
    }

    /// Returns the maximum number of wavefronts per phase; 1 means no conflict.
    pub(crate) fn degree(&self) -> u32 {
        (0..self.phases.len())
            .map(|phase| self.phase_of.iter().filter(|&&of| of == phase).count() as u32)
            .max()
            .unwrap_or(0)
    }

    pub(crate) fn conflict_free(&self) -> bool {
        self.wavefronts() == self.ideal
    }

    /// Returns the number of lanes in the largest group that one word serves.
    pub(crate) fn widest_broadcast(&self) -> u32 {
        let words = self.schedule.iter().flat_map(|wavefront| wavefront.banks.iter().flatten());
        words.map(|(_, lanes)| lanes.count_ones()).max().unwrap_or(0)
    }

    /// Returns the number of distinct words.
    pub(crate) fn words(&self) -> u32 {
        let mut words: Vec<u32> = (self.schedule.iter())
            .flat_map(|wavefront| wavefront.banks.iter().flatten().map(|(word, _)| *word))
            .collect();
        words.sort_unstable();
        words.dedup();
        words.len() as u32
    }

    /// Returns the cost as text: `8 wavefronts`.
    pub(crate) fn cost_words(&self) -> String {
        t!("banks-wavefronts", n = self.wavefronts())
    }

    /// Classifies the access in a few words.
    pub(crate) fn verdict(&self) -> String {
        if !self.conflict_free() {
            return t!("banks-conflict", degree = self.degree());
        }
        let lanes = self.access.mask.count_ones();
        let reads = self.access.direction == AccessDirection::Load;
        if reads && self.widest_broadcast() > 1 {
            return t!("banks-broadcast", words = self.words(), lanes);
        }
        match self.phases.len() {
            1 => t!("banks-no-conflict"),
            2 => t!("banks-no-conflict-half"),
            _ => t!("banks-no-conflict-quarter"),
        }
    }

    /// Returns the first bank of a lane's element.
    pub(crate) fn bank(&self, lane: usize) -> u32 {
        self.access.addr.get(lane).map_or(0, |addr| addr / 4 % BANKS as u32)
    }

    /// True if two active lanes of one phase begin in the same bank but in different words.
    fn meet(&self, a: usize, b: usize) -> bool {
        let both = 1 << a | 1 << b;
        let [word_a, word_b] = [a, b].map(|lane| self.access.addr.get(lane).map(|addr| addr / 4));
        self.phases.iter().any(|phase| phase & both == both) && self.bank(a) == self.bank(b) && word_a != word_b
    }

    /// True if another lane of the same phase needs a different word in one of this lane's banks.
    pub(crate) fn collides(&self, lane: usize) -> bool {
        let bit = 1 << lane;
        let Some(phase) = self.phases.iter().position(|phase| phase & bit != 0) else { return false };
        (0..BANKS).any(|bank| {
            let words = || {
                (self.schedule.iter().zip(&self.phase_of))
                    .filter(|(_, of)| **of == phase)
                    .filter_map(|(wavefront, _)| wavefront.banks[bank])
            };
            words().any(|(_, lanes)| lanes & bit != 0) && words().count() > 1
        })
    }
}

/// Returns the smallest padding with which the access takes no more wavefronts than necessary.
pub(crate) fn fix(view: &BankView) -> Fix {
    let free = |pad| Served::new(&BankView { pad, ..view.clone() }).is_ok_and(|picture| picture.conflict_free());
    if free(view.pad) {
        return Fix::NotNeeded;
    }
    (0..=MAX_PAD).find(|&pad| free(pad)).map_or(Fix::None, Fix::Pad)
}

/// Returns the bank as a formula with this array's pitch: `(ty·16 + 5) mod 32`.
pub(crate) fn formula(view: &BankView) -> String {
    let pitch = u64::from(view.pitch) + u64::from(view.pad);
    let factor = |text: &str| if is_atom(text) { text.to_owned() } else { format!("({text})") };
    let (row, column) = (view.row.trim(), view.column.trim());
    // These operators bind less tightly than `+`.
    let weak = |c: char| matches!(c, '^' | '&' | '|' | '<' | '>' | '=' | '?');
    let column = if column.contains(weak) { format!("({column})") } else { column.to_owned() };
    let index = match (row, column.as_str()) {
        ("0", column) => column.to_owned(),
        (row, "0") => format!("{}·{pitch}", factor(row)),
        (row, column) => format!("{}·{pitch} + {column}", factor(row)),
    };
    let words = view.width / 4;
    if words == 1 { format!("({index}) mod 32") } else { format!("(({index})·{words}) mod 32") }
}

fn is_atom(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Describes how rows map to banks: `even rows → 5, odd rows → 21`.
pub(crate) fn pattern(picture: &Served) -> String {
    let lanes: Vec<(u32, u32)> =
        (0..WARP).filter_map(|lane| picture.access.lanes[lane].map(|known| (known.row, picture.bank(lane)))).collect();
    let mut banks: Vec<u32> = lanes.iter().map(|(_, bank)| *bank).collect();
    banks.sort_unstable();
    banks.dedup();
    if let [bank] = banks.as_slice() {
        return t!("banks-every-lane", bank = *bank);
    }
    let rows_vary = lanes.iter().any(|(row, _)| *row != lanes[0].0);
    for period in [2, 4] {
        let class = |row: u32| lanes.iter().filter(move |(known, _)| known % period == row).map(|(_, bank)| *bank);
        let single = |row| class(row).next().is_some_and(|first| class(row).all(|bank| bank == first));
        if rows_vary && banks.len() as u32 == period && (0..period).all(single) {
            let bank = |row| class(row).next().unwrap_or_default();
            return if period == 2 {
                t!("banks-even-odd", even = bank(0), odd = bank(1))
            } else {
                let parts: Vec<String> = (0..period)
                    .map(|row| t!("banks-rows-to", first = row, next = row + period, bank = bank(row)))
                    .collect();
                parts.join(", ")
            };
        }
    }
    if banks.len() == lanes.len() {
        t!("banks-lanes-to-banks", lanes = lanes.len(), banks = banks.len())
    } else {
        t!("banks-words-to-banks", lanes = lanes.len(), words = picture.words(), banks = occupied(picture))
    }
}

/// Returns the number of banks that contain at least one of the words.
fn occupied(picture: &Served) -> usize {
    (0..BANKS).filter(|&bank| picture.schedule.iter().any(|wavefront| wavefront.banks[bank].is_some())).count()
}

/// True if the column expression already contains an XOR.
fn is_swizzled(view: &BankView) -> bool {
    view.column.contains('^')
}

/// Returns a column, XORed with the row, that avoids the conflict without padding.
///
/// Returns None if the array is padded or swizzled, if its pitch is not a power of two, or if no XOR helps. Rows that
/// fit side by side across the banks get the same XOR, so the row number is first divided by their count.
fn swizzled_column(view: &BankView) -> Option<String> {
    if view.pad > 0 || is_swizzled(view) || !view.pitch.is_power_of_two() {
        return None;
    }
    let free = |column: &str| {
        let view = BankView { column: column.to_owned().into(), ..view.clone() };
        Served::new(&view).is_ok_and(|picture| picture.conflict_free())
    };
    let factor = |text: &str| if is_atom(text) { text.to_owned() } else { format!("({text})") };
    let (row, column) = (factor(view.row.trim()), factor(view.column.trim()));
    let abreast = BANKS as u32 * 4 / (view.pitch * view.width).max(1);
    let row = if abreast > 1 { format!("{row} / {abreast}") } else { row };
    let forms = [format!("{column} ^ {row}"), format!("{column} ^ {row} % {}", view.pitch)];
    forms.into_iter().find(|column| free(column))
}

/// Explains in one or two sentences how to avoid the conflict, or why there is none.
pub(crate) fn fix_words(view: &BankView, picture: &Served) -> String {
    match fix(view) {
        Fix::NotNeeded if picture.access.direction == AccessDirection::Load && picture.widest_broadcast() > 1 => {
            t!("banks-cure-broadcast")
        }
        Fix::NotNeeded if is_swizzled(view) => t!("banks-cure-swizzled"),
        Fix::NotNeeded => t!("banks-cure-none-needed"),
        // A swizzled array is not padded as well.
        Fix::Pad(_) | Fix::None if is_swizzled(view) => {
            let met = (0..WARP).flat_map(|a| (0..a).map(move |b| (b, a))).find(|(a, b)| picture.meet(*a, *b));
            met.map_or_else(String::new, |(a, b)| t!("banks-cure-swizzle-fails", a, b, bank = picture.bank(a)))
        }
        Fix::Pad(pad) => {
            let pitch = (u64::from(view.pitch) + u64::from(pad)) * u64::from(view.width / 4);
            let odd = if pitch % 2 == 1 { "odd" } else { "even" };
            match swizzled_column(view) {
                Some(column) => {
                    t!("banks-cure-pad-or-swizzle", pad, pitch, parity = odd, column)
                }
                None => t!("banks-cure-pad", pad, pitch, parity = odd),
            }
        }
        Fix::None => t!("banks-cure-impossible"),
    }
}

/// Returns a row's words, its padding and their sum, the pitch: `pitch 16 + 2 = 18 words`.
pub(crate) fn pitch(view: &BankView) -> String {
    let words = u64::from(view.width / 4);
    let (columns, pad) = (u64::from(view.pitch) * words, u64::from(view.pad) * words);
    if pad == 0 {
        t!("banks-pitch", pitch = columns)
    } else {
        t!("banks-pitch-padded", columns, pad, pitch = columns + pad)
    }
}

#[cfg(test)]
mod tests {
    use super::super::presets::preset;
    use super::*;

    fn picture(view: &BankView) -> Served {
        Served::new(view).unwrap()
    }

    #[test]
    fn the_cure_is_the_smallest_padding_without_conflicts() {
        let sixteen = preset(1).unwrap().view;
        assert_eq!(fix(&sixteen), Fix::Pad(1));
        assert_eq!(fix(&BankView { pad: 1, ..sixteen.clone() }), Fix::NotNeeded);
        // 31 words need no padding, because 31 and 32 are coprime. If padded to 32, the solution is to remove the
        // padding.
        let column = |pitch, pad| BankView { pitch, pad, block: [32, 1], ..preset(6).unwrap().view };
        assert_eq!(fix(&column(31, 0)), Fix::NotNeeded);
        assert_eq!(fix(&column(31, 1)), Fix::Pad(0));
        assert_eq!(fix(&column(32, 0)), Fix::Pad(1));
        assert_eq!(fix(&column(30, 0)), Fix::Pad(1));
        // All lanes are in one row, 32 words apart, so the pitch does not matter.
        let stride =
            BankView { pitch: 1024, column: "lane * 32".to_owned().into(), row: "0".to_owned().into(), ..column(1, 0) };
        assert_eq!(fix(&stride), Fix::None);
    }

    #[test]
    fn a_swizzle_is_suggested_with_padding_and_a_bad_one_is_explained() {
        let words = |view: &BankView| fix_words(view, &picture(view));
        let column = preset(6).unwrap().view;
        assert_eq!(swizzled_column(&column).as_deref(), Some("0 ^ lane"));
        assert!(words(&column).contains("column 0 ^ lane"), "{}", words(&column));
        assert_eq!(words(&preset(8).unwrap().view), t!("banks-cure-swizzled"));
        assert_eq!(formula(&preset(8).unwrap().view), "(lane·32 + (k ^ lane)) mod 32");
        // The rows of a tile that `ldmatrix` reads: two rows fill all banks.
        let units = BankView {
            rows: 16,
            pitch: 4,
            width: 16,
            row: "lane % 16".to_owned().into(),
            column: "lane / 16".to_owned().into(),
            block: [32, 1],
            ..column
        };
        assert_eq!(swizzled_column(&units).as_deref(), Some("(lane / 16) ^ (lane % 16) / 2 % 4"));
        let half = BankView { column: "lane / 16 ^ lane % 4".to_owned().into(), ..units.clone() };
        assert!(words(&half).contains("lanes 0 and 4 still need different words from bank 0"), "{}", words(&half));
        let odd = BankView { pitch: 30, ..preset(6).unwrap().view };
        assert_eq!(swizzled_column(&odd), None);
    }

    #[test]
    fn the_wavefronts_and_the_schedule_agree_with_the_cost_rules_for_every_preset() {
        for number in 1..=9 {
            let view = preset(number).unwrap().view;
            let picture = picture(&view);
            let way = direction(view.access);
            let access = &picture.access;
            assert_eq!(
                picture.wavefronts(),
                cost::shared_wavefronts(way, access.bytes, access.mask, &access.addr),
                "{number}"
            );
            let served = picture.schedule.iter().flat_map(|w| w.banks.iter().flatten()).fold(0, |m, (_, l)| m | l);
            assert_eq!(served, access.mask, "{number}");
        }
    }
}
