/*! FSRS-6 predicts when a student will forget an objective.

The *free spaced repetition scheduler*, version 6, with its default parameters, after
<https://github.com/open-spaced-repetition/awesome-fsrs/wiki/The-Algorithm>. A memory has a stability S and a difficulty
D from 1 to 10. S is the number of days after which the probability of recall is 0.9. After t days, it is R = (1 +
f·t/S)^−w₂₀, where f = 0.9^(−1/w₂₀) − 1. Only two of the four grades are used: a correct answer is *good* (G = 3), and
an incorrect one is *again* (G = 1).

| | |
|---|---|
| first answer | S = w₀ or w₂, D = w₄ − e^(w₅(G−1)) + 1 |
| correct, on a later day | S ← S·(1 + e^w₈·(11−D)·S^−w₉·(e^(w₁₀(1−R)) − 1)) |
| incorrect, on a later day | S ← min(w₁₁·D^−w₁₂·((S+1)^w₁₃ − 1)·e^(w₁₄(1−R)), S/e^(w₁₇w₁₈)) |
| on the same day | S ← S·e^(w₁₇(G−3+w₁₈))·S^−w₁₉, at least S after a correct answer |
| always | D ← w₇·(w₄ − e^(3w₅) + 1) + (1−w₇)·(D − w₆(G−3)·(10−D)/9) |

The tests compare with values that `scripts/study/fsrs-golden` computes with the algorithm's reference package.
*/

/// The default parameters w₀ to w₂₀.
const W: [f64; 21] = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
    1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
];
/// Target probability of recall: an objective is due when the estimate falls to this value.
const RETENTION: f64 = 0.9;
/// Maximum interval, in days.
const MAX_INTERVAL: f64 = 36_500.0;
/// Minimum stability, in days.
const MIN_STABILITY: f64 = 0.001;

/// The state of one memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Memory {
    /// Days after which the probability of recall is 0.9.
    pub(super) stability: f64,
    /// Difficulty from 1 to 10.
    pub(super) difficulty: f64,
}

fn grade(right: bool) -> f64 {
    if right { 3.0 } else { 1.0 }
}

fn first_difficulty(grade: f64) -> f64 {
    W[4] - (W[5] * (grade - 1.0)).exp() + 1.0
}

fn factor() -> f64 {
    STABLE.powf(-1.0 / W[20]) - 1.0
}

/// The probability of recall that defines stability.
const STABLE: f64 = 0.9;

impl Memory {
    /// Returns the memory after the first answer.
    pub(super) fn first(right: bool) -> Self {
        let stability = if right { W[2] } else { W[0] };
        Self { stability: stability.max(MIN_STABILITY), difficulty: first_difficulty(grade(right)).clamp(1.0, 10.0) }
    }

    /// Returns the probability of recall after `days` days.
    pub(super) fn recall(self, days: f64) -> f64 {
        (1.0 + factor() * days.max(0.0) / self.stability).powf(-W[20])
    }

    /// Returns the memory after another answer, `days` whole days later.
    pub(super) fn then(self, right: bool, days: u32) -> Self {
        let (grade, Self { stability, difficulty }) = (grade(right), self);
        let forgotten = 1.0 - self.recall(f64::from(days));
        let stability = if days == 0 {
            let change = (W[17] * (grade - 3.0 + W[18])).exp() * stability.powf(-W[19]);
            stability * if right { change.max(1.0) } else { change }
        } else if right {
            let growth = W[8].exp() * (11.0 - difficulty) * stability.powf(-W[9]) * ((W[10] * forgotten).exp() - 1.0);
            stability * (1.0 + growth)
        } else {
            let long =
                W[11] * difficulty.powf(-W[12]) * ((stability + 1.0).powf(W[13]) - 1.0) * (W[14] * forgotten).exp();
            long.min(stability / (W[17] * W[18]).exp())
        };
        let damped = difficulty - W[6] * (grade - 3.0) * (10.0 - difficulty) / 9.0;
        let difficulty = W[7] * first_difficulty(4.0) + (1.0 - W[7]) * damped;
        Self { stability: stability.max(MIN_STABILITY), difficulty: difficulty.clamp(1.0, 10.0) }
    }

    /// Returns the number of whole days until the objective is due.
    pub(super) fn interval(self) -> u32 {
        let days = self.stability / factor() * (RETENTION.powf(-1.0 / W[20]) - 1.0);
        days.round_ties_even().clamp(1.0, MAX_INTERVAL) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Golden {
        histories: Vec<Vec<Step>>,
    }

    #[derive(Deserialize)]
    struct Step {
        days: u32,
        right: bool,
        recall: f64,
        stability: f64,
        difficulty: f64,
        interval: u32,
    }

    #[test]
    fn memories_are_those_of_the_algorithm_s_own_package() {
        let golden: Golden = serde_json::from_str(include_str!("golden.json")).unwrap();
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
        let mut steps = 0;
        for history in &golden.histories {
            let mut memory: Option<Memory> = None;
            for step in history {
                let recall = memory.map_or(0.0, |memory| memory.recall(f64::from(step.days)));
                assert!(near(recall, step.recall), "{recall} {}", step.recall);
                let now = memory.map_or_else(|| Memory::first(step.right), |memory| memory.then(step.right, step.days));
                assert!(near(now.stability, step.stability), "{now:?} {}", step.stability);
                assert!(near(now.difficulty, step.difficulty), "{now:?} {}", step.difficulty);
                assert_eq!(now.interval(), step.interval);
                memory = Some(now);
                steps += 1;
            }
        }
        assert_eq!(steps, 156);
    }
}
