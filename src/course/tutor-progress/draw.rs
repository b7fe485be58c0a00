//! Draws attempts. A seed gives the same questions at any time and on every platform.

use super::question::{Drawn, Question, QuizError, show};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use tutor_course::{At, Fnv, Predict, QuizFile, Slot, Variant};
use tutor_support::sentence;

/// The variants that a student has already seen, by slot, the latest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen {
    /// Maps slot ids to the variants drawn for the slot.
    pub slots: BTreeMap<String, Vec<SeenVariant>>,
}

/// A variant that was asked before.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenVariant {
    pub variant: String,
    /// The numbers in the question.
    pub parameters: BTreeMap<String, f64>,
}

impl Seen {
    fn of(&self, slot: &str) -> &[SeenVariant] {
        self.slots.get(slot).map_or(&[], Vec::as_slice)
    }
}

/// Maximum attempts to draw numbers that differ from the previous ones.
const REDRAWS: u32 = 16;

/// Returns a random seed.
pub fn fresh_seed() -> u64 {
    // The standard library's hash keys come from the system's randomness. JSON readers that store numbers as doubles
    // keep 53 bits exactly.
    RandomState::new().hash_one(0u8) >> 11
}

/// Returns the order of a page's choices: indices into the file's list, drawn from the student's seed and the page. A
/// page thus looks the same whenever this student opens it. Returns the file's order if the order carries meaning, or
/// without a student.
pub fn shown_order(predict: &Predict, student: Option<u64>, level: &str, page: &str) -> Vec<usize> {
    let mut order: Vec<usize> = (0..predict.choices.len()).collect();
    if let Some(seed) = student.filter(|_| predict.shuffle) {
        Dice::new(seed, &format!("predict:{level}:{page}")).shuffle(&mut order);
    }
    order
}

/// Picks an item with a seed and the name of a random stream.
pub(super) fn pick<'a, T>(seed: u64, stream: &str, items: &'a [T]) -> Option<&'a T> {
    Dice::new(seed, stream).pick(items)
}

/// Draws one variant of each slot, with shuffled choices and drawn numbers. Prefers an unseen variant, then one that
/// differs from the last.
///
/// Each slot has its own random stream, so that adding or removing a slot does not change the others.
///
/// # Errors
/// If the quiz has no slot, or a slot has no variant that can be asked.
pub fn draw(quiz: &QuizFile, seed: u64, seen: &Seen) -> Result<Vec<Question>, QuizError> {
    if quiz.slots.is_empty() {
        return Err(QuizError::broken(sentence!("mastery-quiz-empty", level = quiz.level.value)));
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
    Err(QuizError::broken(sentence!("mastery-slot-empty", slot = slot.id.value)))
}

/// Slots with more variants are not searched, because each subset of them may have been seen.
const MAX_SEARCHED: usize = 8;

/// True if the seed draws this question for the slot, whatever the student has seen before. Earlier attempts decide that, and a
/// file does not contain those that were abandoned.
pub(super) fn may_draw(slot: &Slot, seed: u64, question: &Drawn) -> bool {
    let named = |id: &At<String>| Slot { id: id.clone(), ..slot.clone() };
    // The slot may have had another name, which is a part of its draw.
    may_draw_named(slot, seed, question) || slot.was.iter().any(|id| may_draw_named(&named(id), seed, question))
}

fn may_draw_named(slot: &Slot, seed: u64, question: &Drawn) -> bool {
    let variants = slot.variants.len();
    if variants > MAX_SEARCHED {
        return true;
    }
    let seen = |at: usize, parameters: &BTreeMap<String, f64>| SeenVariant {
        variant: slot.variants[at].id.value.clone(),
        parameters: parameters.clone(),
    };
    let drawn = |seen: &[SeenVariant]| draw_slot(slot, seed, seen).ok().map(|question| Drawn::from(&question));
    let what = |of: &Drawn| (of.variant.clone(), of.parameters.clone(), of.order.clone());
    let fits = |found: &Drawn| what(found) == what(question);
    let none = BTreeMap::new();
    // Without one of the variants, the order in which the others were seen makes no difference.
    let some = (0..(1_usize << variants) - 1)
        .map(|subset| (0..variants).filter(|at| subset >> at & 1 == 1).map(|at| seen(at, &none)).collect::<Vec<_>>());
    // If all were seen, the last one decides, and the numbers that another one had.
    let all = |last: usize, numbers: &BTreeMap<String, f64>| {
        let others = (0..variants).filter(move |at| *at != last);
        std::iter::once(last).chain(others).map(|at| seen(at, numbers)).collect::<Vec<_>>()
    };
    some.filter_map(|seen| drawn(&seen)).any(|found| fits(&found))
        || (0..variants).any(|last| {
            let Some(found) = drawn(&all(last, &none)) else { return false };
            fits(&found) || drawn(&all(last, &found.parameters)).is_some_and(|other| fits(&other))
        })
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
    if variant.answer.order_reveals_answer(&order) {
        // In the correct order, the question would reveal its answer.
        order.rotate_left(1);
    }
    show(slot, variant, parameters, &order)
}

/// Random choices that no crate release can change: the specification fixes the ChaCha8 stream, and this code derives
/// everything else.
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

    /// Returns a uniform number in `0..bound` by rejection sampling; 0 if `bound` is 0.
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

    /// Shuffles with the Fisher–Yates algorithm.
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}
