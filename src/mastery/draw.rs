//! Drawing an attempt: the same seed gives the same questions, for ever and on every platform.

use super::question::{Question, QuizError, show};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use tutor_base::t;
use tutor_course::{Fnv, Predict, QuizFile, Slot, Variant};

/// What a student was asked before, by slot, the latest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen {
    /// Slot id to what was drawn for it.
    pub slots: BTreeMap<String, Vec<SeenVariant>>,
}

/// A variant that was asked before.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenVariant {
    /// The variant's id.
    pub variant: String,
    /// The numbers it was asked with.
    pub parameters: BTreeMap<String, f64>,
}

impl Seen {
    fn of(&self, slot: &str) -> &[SeenVariant] {
        self.slots.get(slot).map_or(&[], Vec::as_slice)
    }
}

/// Times that numbers are drawn anew to find some that were not asked last time.
const REDRAWS: u32 = 16;

/// A seed that nobody chose.
pub fn fresh_seed() -> u64 {
    // The standard library's hash keys come from the system's randomness.
    // 53 bits: JSON readers that hold numbers in doubles keep it whole.
    RandomState::new().hash_one(0u8) >> 11
}

/// The order in which a page's choices are shown: indices into the file's list, drawn from the student's seed and
/// the page, so that a page looks the same to a student whenever it is opened. The file's own order if it carries
/// meaning, or without a student.
pub fn shown_order(predict: &Predict, student: Option<u64>, level: &str, page: &str) -> Vec<usize> {
    let mut order: Vec<usize> = (0..predict.choices.len()).collect();
    if let Some(seed) = student.filter(|_| predict.shuffle) {
        Dice::new(seed, &format!("predict:{level}:{page}")).shuffle(&mut order);
    }
    order
}

/// One of several, drawn by a seed and what it is drawn for.
pub(super) fn pick<'a, T>(seed: u64, stream: &str, items: &'a [T]) -> Option<&'a T> {
    Dice::new(seed, stream).pick(items)
}

/// Draws one variant of each slot: one not seen yet if there is any, else one other than the last;
/// its choices shuffled, its numbers drawn.
///
/// Each slot has its own random stream, so that a slot added or removed leaves the others as they were.
///
/// # Errors
/// If the quiz has no slot, or a slot has no variant that can be asked.
pub fn draw(quiz: &QuizFile, seed: u64, seen: &Seen) -> Result<Vec<Question>, QuizError> {
    if quiz.slots.is_empty() {
        return Err(QuizError::broken(t!("mastery-quiz-empty", level = quiz.level.value)));
    }
    quiz.slots.iter().map(|slot| draw_slot(slot, seed, seen.of(&slot.id))).collect()
}

fn draw_slot(slot: &Slot, seed: u64, seen: &[SeenVariant]) -> Result<Question, QuizError> {
    let mut dice = Dice::new(seed, &slot.id);
    let all: Vec<&Variant> = slot.variants.iter().collect();
    let unseen = |variant: &&Variant| !seen.iter().any(|past| past.variant == variant.id.value);
    let not_last = |variant: &&Variant| seen.first().is_none_or(|past| past.variant != variant.id.value);
    let fresh: Vec<&Variant> = all.iter().copied().filter(unseen).collect();
    let other: Vec<&Variant> = all.iter().copied().filter(not_last).collect();
    for mut pool in [fresh, other, all] {
        dice.shuffle(&mut pool);
        for variant in pool {
            if let Some(question) = draw_variant(slot, variant, &mut dice, seen) {
                return Ok(question);
            }
        }
    }
    Err(QuizError::broken(t!("mastery-slot-empty", slot = slot.id.value)))
}

fn draw_variant(slot: &Slot, variant: &Variant, dice: &mut Dice, seen: &[SeenVariant]) -> Option<Question> {
    let last = seen.iter().find(|past| past.variant == variant.id.value);
    let mut parameters = BTreeMap::new();
    if let Some(from) = variant.answer.parameters() {
        for _ in 0..REDRAWS {
            parameters = from.iter().filter_map(|(name, values)| Some((name.clone(), *dice.pick(values)?))).collect();
            if variant.answer.usable(&parameters) && last.is_none_or(|past| past.parameters != parameters) {
                break;
            }
        }
    }
    if !variant.answer.usable(&parameters) {
        return None;
    }
    let mut order: Vec<String> = variant.answer.items().into_iter().map(|item| item.id).collect();
    dice.shuffle(&mut order);
    if variant.answer.tells(&order) {
        // Shown in the right order, the question would answer itself.
        order.rotate_left(1);
    }
    show(slot, variant, parameters, &order)
}

/// Random choices that no release of any crate changes: the ChaCha8 stream is fixed by its
/// specification, and what is made of it stands here.
struct Dice(ChaCha8Rng);

impl Dice {
    fn new(seed: u64, stream: &str) -> Self {
        let mut hash = Fnv::default();
        hash.text(stream);
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&hash.0.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// Uniform in `0..bound`, by rejection; 0 if `bound` is 0.
    fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        if bound < 2 {
            return 0;
        }
        let unbiased = u64::MAX - u64::MAX % bound;
        loop {
            let value = self.0.next_u64();
            if value < unbiased {
                return (value % bound) as usize;
            }
        }
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let at = self.below(items.len());
        items.get(at)
    }

    /// Fisher–Yates.
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}
