//! The timing of a picture: the steps that it plays, and short animations between steps.

use std::time::Duration;

/// A clock that says when the next step of an animation is due.
#[derive(Debug)]
pub(super) struct Pace {
    step: Duration,
    last: Duration,
    runs: bool,
    /// Animates a step.
    pub(super) glide: Glide,
}

impl Pace {
    /// Creates a stopped clock. When it runs, each step takes `step`.
    pub(super) fn new(step: Duration) -> Self {
        Self { step, last: Duration::ZERO, runs: false, glide: Glide::default() }
    }

    pub(super) fn runs(&self) -> bool {
        self.runs
    }

    /// Starts or stops the clock.
    pub(super) fn run(&mut self, runs: bool) {
        self.runs = runs;
    }

    /// True if the next step is due. It then counts as taken.
    pub(super) fn due(&mut self, now: Duration) -> bool {
        let due = self.runs && now.saturating_sub(self.last) >= self.step;
        if due {
            self.last = now;
        }
        due
    }
}

/// A short animation between two states. Any key ends it.
#[derive(Debug, Default)]
pub(super) struct Glide {
    state: State,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Rest,
    /// Started; the first tick sets its start time.
    Begins,
    Moves {
        since: Duration,
        done: f64,
    },
}

impl Glide {
    /// Duration of the animation.
    pub(super) const LENGTH: Duration = Duration::from_millis(480);

    pub(super) fn start(&mut self) {
        self.state = State::Begins;
    }

    pub(super) fn finish(&mut self) {
        self.state = State::Rest;
    }

    pub(super) fn moving(&self) -> bool {
        !matches!(self.state, State::Rest)
    }

    /// Advances the animation; true if it was running.
    pub(super) fn tick(&mut self, now: Duration) -> bool {
        self.state = match self.state {
            State::Rest => return false,
            State::Begins => State::Moves { since: now, done: 0.15 },
            State::Moves { since, .. } if now.saturating_sub(since) >= Self::LENGTH => State::Rest,
            State::Moves { since, .. } => {
                let done = now.saturating_sub(since).as_secs_f64() / Self::LENGTH.as_secs_f64();
                State::Moves { since, done: done.max(0.15) }
            }
        };
        true
    }

    /// Returns the progress from 0 to 1; 1 if it is not running.
    pub(super) fn fraction(&self) -> f64 {
        match self.state {
            State::Rest => 1.0,
            State::Begins => 0.0,
            State::Moves { done, .. } => done.min(1.0),
        }
    }

    /// Returns the part of `all` that has been reached, rounded up.
    pub(super) fn reached(&self, all: usize) -> usize {
        ((self.fraction() * all as f64).ceil() as usize).min(all)
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

    #[test]
    fn an_animation_begins_at_the_first_tick_and_ends_by_itself_or_early() {
        let at = Duration::from_millis;
        let mut glide = Glide::default();
        assert!(!glide.moving() && !glide.tick(at(1)) && glide.fraction() == 1.0);
        glide.start();
        assert!(glide.moving() && glide.fraction() == 0.0);
        assert!(glide.tick(at(1000)) && glide.tick(at(1240)));
        assert_eq!((glide.fraction(), glide.reached(8)), (0.5, 4));
        assert!(glide.tick(at(1480)) && !glide.moving());
        glide.start();
        glide.finish();
        assert!(!glide.moving() && glide.fraction() == 1.0);
    }
}
