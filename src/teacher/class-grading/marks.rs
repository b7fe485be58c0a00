//! The points for each goal.

use crate::record::Record;
use tutor_exec::judge::Goal;
use tutor_exercises::{Exercise, Points};
use tutor_support::t;

/// Points without `points:` and `--weights`. A kernel that only compiles and ends gets none.
const USUAL: Points = Points { compiles: 0, runs: 0, results: 3, hazards: 1, counts: 1 };

/// Returns the points of an exercise: from the command line, from its file, or the usual ones.
pub fn points_of(weights: Option<Points>, exercise: &Exercise) -> Points {
    weights.or(exercise.points).unwrap_or(USUAL)
}

/// Returns the points that a goal gives.
pub(crate) fn of(points: Points, goal: Goal) -> u32 {
    let points = match goal {
        Goal::Compiles => points.compiles,
        Goal::Runs => points.runs,
        Goal::Results => points.results,
        Goal::Hazards => points.hazards,
        Goal::Counts => points.counts,
        Goal::Faster => 0,
    };
    points.min(Points::MOST)
}

/// Returns the score of a submission and the maximum score.
pub fn score(points: Points, record: &Record) -> (u32, u32) {
    let sum = |only_met: bool| {
        record.goals.iter().filter(|(_, met)| *met || !only_met).map(|(goal, _)| of(points, *goal)).sum()
    };
    (sum(true), sum(false))
}

/// Parses `--weights`, for example `results=4,hazards=2`. A goal without a weight gives no points.
pub fn parse_weights(text: &str) -> Result<Points, String> {
    let mut points = Points::default();
    for part in text.split(',') {
        let wrong = || t!("grade-weights", part = part.trim());
        let (goal, value) = part.split_once('=').ok_or_else(wrong)?;
        let value = value.trim().parse().ok().filter(|value| *value <= Points::MOST).ok_or_else(wrong)?;
        let place = match goal.trim() {
            "compiles" => &mut points.compiles,
            "runs" => &mut points.runs,
            "results" => &mut points.results,
            "hazards" => &mut points.hazards,
            "counts" => &mut points.counts,
            _ => return Err(wrong()),
        };
        *place = value;
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_points_by_goal() {
        let points = Points { results: 4, counts: 2, ..Points::default() };
        assert_eq!(parse_weights("results=4, counts = 2"), Ok(points));
        for wrong in ["", "results", "results=-1", "results=1001", "speed=1"] {
            assert!(parse_weights(wrong).is_err(), "{wrong}");
        }
    }
}
