/*! The review queue: which objectives a student is about to forget, and which questions to ask.

The store has every graded question of gates and reviews. The history of an objective has one answer per attempt, which
is correct if all its questions were correct. From this, [`fsrs`] computes when the objective is due; the result is
never stored. A review asks one question per objective, if possible in a new variant, and at most [`A_DAY`] questions
per day. Days begin at midnight UTC.

A review is a practice attempt at a special quiz ([`pool`]) that contains the slots of all levels.
*/

mod fsrs;

use super::draw::{Seen, draw, pick};
use super::question::{Question, QuizError};
use fsrs::Memory;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde::Serialize;
use std::collections::BTreeMap;
use tutor_course::{At, Course, QuizFile, Slot};

/// The level of reviews in the store. No level of a course can have this id.
pub const REVIEW: &str = "*";
/// Maximum number of questions per day.
pub const A_DAY: usize = 8;

/// A graded question of a gate or a review.
#[derive(Debug, Clone, PartialEq)]
pub struct GradedFact {
    /// The level of the question.
    pub level: String,
    /// The slot in that level.
    pub slot: String,
    /// True if the answer was correct.
    pub right: bool,
    /// When the attempt was submitted.
    pub at: Timestamp,
    /// True if it was asked in a review.
    pub review: bool,
}

/// An objective with at least one graded question.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub level: String,
    pub objective: String,
    /// The first day on which it is due.
    pub due: Date,
    /// The probability of recall today.
    pub recall: f64,
}

/// The reviews that are due. The field names are those of `review --json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Queue {
    /// Number of questions to ask today.
    pub due: usize,
    /// When the next question after those is due; absent if nothing has been learnt yet.
    pub next: Option<Timestamp>,
    /// All objectives, the most likely forgotten ones first.
    #[serde(skip)]
    pub items: Vec<Item>,
}

fn day(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

/// Returns the pool's id for a level's slot or objective.
fn pooled(level: &str, id: &str) -> String {
    format!("{level}:{id}")
}

/// Splits an id of the pool into the level and the id in that level.
pub fn unpooled(id: &str) -> Option<(&str, &str)> {
    id.split_once(':')
}

/// Returns the quiz from which reviews are drawn: the slots of all levels. An exam has no reviews, because it has no
/// keys.
pub fn pool(course: &Course) -> QuizFile {
    let named = |from: &At<String>, level: &str| At { value: pooled(level, &from.value), ..from.clone() };
    let mut pool = QuizFile { level: At { value: REVIEW.to_owned(), line: 0, column: 0 }, slots: Vec::new() };
    for level in &course.levels {
        let slots = level.quiz().filter(|_| course.exam.is_empty()).map_or(&[][..], |quiz| &quiz.slots);
        pool.slots.extend(slots.iter().map(|slot| Slot {
            id: named(&slot.id, &level.id),
            objective: named(&slot.objective, &level.id),
            ..slot.clone()
        }));
    }
    pool
}

impl Queue {
    /// Returns what is due at `now`, according to the questions graded before.
    pub fn of(pool: &QuizFile, facts: &[GradedFact], now: Timestamp) -> Self {
        let today = day(now);
        let objectives: BTreeMap<&str, &str> =
            pool.slots.iter().map(|slot| (slot.id.value.as_str(), slot.objective.value.as_str())).collect();
        // One answer per attempt and objective.
        let mut answers: BTreeMap<&str, BTreeMap<Timestamp, bool>> = BTreeMap::new();
        let mut asked_today = 0;
        for fact in facts {
            asked_today += usize::from(fact.review && day(fact.at) == today);
            let Some(objective) = objectives.get(pooled(&fact.level, &fact.slot).as_str()) else { continue };
            let right = answers.entry(objective).or_default().entry(fact.at).or_insert(true);
            *right &= fact.right;
        }
        let mut items: Vec<Item> =
            answers.iter().filter_map(|(objective, answers)| item(objective, answers, today)).collect();
        items.sort_by(|a, b| a.recall.total_cmp(&b.recall).then_with(|| a.objective.cmp(&b.objective)));
        let waiting = items.iter().filter(|item| item.due <= today).count();
        let due = waiting.min(A_DAY.saturating_sub(asked_today));
        let tomorrow = || today.checked_add(1.day()).ok();
        let later = items.iter().map(|item| item.due).filter(|due| *due > today).min();
        let next = if waiting > due { tomorrow() } else { later };
        let next = next.and_then(|date| Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp()));
        Self { due, next, items }
    }

    /// Returns the objectives to ask about today.
    fn today(&self) -> impl Iterator<Item = &Item> {
        // Those with the earliest due day come first. An objective is due when its probability of recall is below 0.9,
        // rounded to whole days.
        let mut items: Vec<&Item> = self.items.iter().collect();
        items.sort_by_key(|item| item.due);
        items.into_iter().take(self.due)
    }

    /// Draws today's questions, one per objective: from the slot that was asked least often.
    ///
    /// # Errors
    /// If a slot has no variant that can be asked.
    pub(super) fn draw(&self, pool: &QuizFile, seed: u64, seen: &Seen) -> Result<Vec<Question>, QuizError> {
        let asked = |slot: &&Slot| seen.slots.get(&slot.id.value).map_or(0, Vec::len);
        let mut slots = Vec::new();
        for item in self.today() {
            let objective = pooled(&item.level, &item.objective);
            let of_it = || pool.slots.iter().filter(|slot| slot.objective.value == objective);
            let least = of_it().map(|slot| asked(&slot)).min();
            let candidates: Vec<&Slot> = of_it().filter(|slot| Some(asked(slot)) == least).collect();
            slots.extend(pick(seed, &objective, &candidates).copied().cloned());
        }
        draw(&QuizFile { level: pool.level.clone(), slots }, seed, seen)
    }
}

fn item(objective: &str, answers: &BTreeMap<Timestamp, bool>, today: Date) -> Option<Item> {
    let (level, objective) = unpooled(objective)?;
    let days = |from: Date, to: Date| from.until(to).map_or(0, |span| span.get_days().max(0).cast_unsigned());
    let mut last: Option<(Memory, Date)> = None;
    for (at, right) in answers {
        let on = day(*at);
        let memory = match last {
            None => Memory::first(*right),
            Some((memory, before)) => memory.then(*right, days(before, on)),
        };
        last = Some((memory, on));
    }
    let (memory, on) = last?;
    let due = on.checked_add(i64::from(memory.interval()).days()).ok()?;
    let recall = memory.recall(f64::from(days(on, today)));
    Some(Item { level: level.to_owned(), objective: objective.to_owned(), due, recall })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns two levels: `one` has two objectives with two slots each, and `two` has ten objectives with one slot
    /// each.
    fn pool() -> QuizFile {
        let slot = |level: &str, slot: &str, objective: &str| {
            format!(
                "  - {{id: '{level}:{slot}', objective: '{level}:{objective}', bloom: apply, page: p, variants: [\
                 {{id: v1, ask: A, because: B, answer: {{text: {{accept: [x], why: w}}}}}}, \
                 {{id: v2, ask: A, because: B, answer: {{text: {{accept: [x], why: w}}}}}}]}}\n"
            )
        };
        let mut text = "level: '*'\nslots:\n".to_owned();
        for (name, objective) in [("s1", "a"), ("s2", "a"), ("s3", "b"), ("s4", "b")] {
            text += &slot("one", name, objective);
        }
        for at in 0..10 {
            text += &slot("two", &format!("t{at}"), &format!("c{at}"));
        }
        tutor_support::yaml::read_typed(&text).unwrap()
    }

    fn fact(level: &str, slot: &str, right: bool, at: &str, review: bool) -> GradedFact {
        GradedFact { level: level.into(), slot: slot.into(), right, at: at.parse().unwrap(), review }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn due_and_next(queue: &Queue) -> (usize, Option<String>) {
        (queue.due, queue.next.map(|next| next.to_string()))
    }

    #[test]
    fn an_objective_is_due_when_its_memory_says_so_and_one_wrong_answer_of_an_attempt_makes_it_wrong() {
        let gate = "2026-03-01T22:00:00Z";
        let facts = [
            fact("one", "s1", true, gate, false),
            fact("one", "s2", true, gate, false),
            fact("one", "s3", true, gate, false),
            fact("one", "s4", false, gate, false),
        ];
        let queue = |now: &str| Queue::of(&pool(), &facts, at(now));
        assert_eq!(due_and_next(&queue("2026-03-01T23:00:00Z")), (0, Some("2026-03-02T00:00:00Z".into())));
        // An incorrect answer is due after one day, a correct one after two.
        assert_eq!(due_and_next(&queue("2026-03-02T01:00:00Z")), (1, Some("2026-03-03T00:00:00Z".into())));
        let later = queue("2026-03-03T01:00:00Z");
        assert_eq!(due_and_next(&later), (2, None));
        let order: Vec<&str> = later.items.iter().map(|item| item.objective.as_str()).collect();
        assert_eq!(order, ["b", "a"]);
    }

    #[test]
    fn eight_a_day_and_the_rest_tomorrow() {
        let mut facts: Vec<GradedFact> =
            (0..10).map(|slot| fact("two", &format!("t{slot}"), true, "2026-03-01T10:00:00Z", false)).collect();
        assert_eq!(
            due_and_next(&Queue::of(&pool(), &facts, at("2026-03-05T10:00:00Z"))),
            (8, Some("2026-03-06T00:00:00Z".into()))
        );
        facts.extend((0..3).map(|slot| fact("two", &format!("t{slot}"), true, "2026-03-05T10:00:00Z", true)));
        assert_eq!(
            due_and_next(&Queue::of(&pool(), &facts, at("2026-03-05T11:00:00Z"))),
            (5, Some("2026-03-06T00:00:00Z".into()))
        );
        assert_eq!(Queue::of(&pool(), &facts, at("2026-03-06T00:00:00Z")).due, 7);
        // A slot that the course no longer has is ignored.
        facts.push(fact("gone", "s", true, "2026-03-01T10:00:00Z", false));
        assert_eq!(Queue::of(&pool(), &facts, at("2026-03-06T00:00:00Z")).items.len(), 10);
        assert_eq!(due_and_next(&Queue::of(&pool(), &[], at("2026-03-06T00:00:00Z"))), (0, None));
    }

    #[test]
    fn one_question_an_objective_in_the_slot_that_was_asked_least_and_a_variant_that_is_new() {
        let facts = [fact("one", "s1", true, "2026-03-01T10:00:00Z", false)];
        let queue = Queue::of(&pool(), &facts, at("2026-03-09T10:00:00Z"));
        let mut seen = Seen::default();
        let past = |variant: &str| super::super::SeenVariant { variant: variant.into(), parameters: BTreeMap::new() };
        seen.slots.insert("one:s1".into(), vec![past("v1"), past("v2")]);
        seen.slots.insert("one:s2".into(), vec![past("v2")]);
        for seed in 0..20 {
            let drawn = queue.draw(&pool(), seed, &seen).unwrap();
            let told: Vec<(&str, &str)> = drawn.iter().map(|q| (q.slot.as_str(), q.variant.as_str())).collect();
            assert_eq!(told, [("one:s2", "v1")]);
        }
    }
}
