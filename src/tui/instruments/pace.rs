//! The pace of a picture that plays: whether it runs, and when its next step is due.

use std::time::Duration;

/// Whether a picture plays, step by step.
#[derive(Debug)]
pub(super) struct Pace {
    step: Duration,
    last: Duration,
    runs: bool,
}

impl Pace {
    /// Stands still; once it runs, each step stays for `step`.
    pub(super) fn new(step: Duration) -> Self {
        Self { step, last: Duration::ZERO, runs: false }
    }

    /// Whether it runs.
    pub(super) fn runs(&self) -> bool {
        self.runs
    }

    /// Lets it run, or stops it.
    pub(super) fn run(&mut self, runs: bool) {
        self.runs = runs;
    }

    /// Whether the next step is due; it then counts as taken.
    pub(super) fn due(&mut self, now: Duration) -> bool {
        let due = self.runs && now.saturating_sub(self.last) >= self.step;
        if due {
            self.last = now;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_due_once_in_its_time_and_only_while_it_runs() {
        let mut pace = Pace::new(Duration::from_millis(200));
        let at = Duration::from_millis;
        assert!(!pace.due(at(500)));
        pace.run(true);
        assert!(pace.due(at(600)) && !pace.due(at(700)) && pace.due(at(800)));
        pace.run(false);
        assert!(!pace.runs() && !pace.due(at(2000)));
    }
}
