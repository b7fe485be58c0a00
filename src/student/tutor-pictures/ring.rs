/*! The ring stepper: a producer, the copy engine and two consumers around a ring of stages, with an optional flaw.

Up and down select an actor, right runs its next step, and left undoes the last step. The emulator traces the steps of
each actor from the kernel's PTX, and it also judges the kernel ([`judge`]). The student chooses the order of the
actors.
*/

mod draw;
mod judge;

use super::control::next_in_cycle;
use crate::prelude::*;
use judge::{BYTES, BarrierKind, CONSUMERS, Judged, Step};
use std::collections::VecDeque;
use std::sync::Arc;
use tutor_course::{RingFlaw, RingView};

/// What the student changes, or an actor that takes steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    Flaw,
    Stages,
    Producer,
    Engine,
    Consumer0,
    Consumer1,
}

/// The actors in the order in which an animation prefers them: the ring is filled as far ahead as possible.
const ACTORS: [Control; 4] = [Control::Producer, Control::Engine, Control::Consumer0, Control::Consumer1];

const FLAWS: [RingFlaw; 5] = [
    RingFlaw::None,
    RingFlaw::EarlyRelease,
    RingFlaw::ConsumerParity,
    RingFlaw::ProducerParity,
    RingFlaw::MissingArrive,
];

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Barrier {
    phases: u32,
    /// Arrivals in the current phase.
    arrived: u32,
    /// Arrivals that complete a phase.
    of: u32,
    /// Bytes that were announced and have not arrived.
    due: u32,
}

impl Barrier {
    fn new(of: u32) -> Self {
        Self { phases: 0, arrived: 0, of, due: 0 }
    }

    /// True if a wait for a phase of this parity ends, because the current phase has the other parity.
    fn passes(&self, parity: u32) -> bool {
        self.phases % 2 != parity
    }

    fn complete_phase(&mut self) {
        if self.arrived >= self.of && self.due == 0 {
            self.phases += 1;
            self.arrived -= self.of;
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Stage {
    /// The tile in the stage.
    holds: Option<u32>,
    full: Barrier,
    empty: Barrier,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Event {
    Passed,
    Requested { tile: u32, stage: usize },
    Arrived { tile: u32, stage: usize },
    Read { consumer: usize, tile: u32, found: Option<u32> },
    Released { consumer: usize, stage: usize },
}

/// The current state of the ring.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Now {
    stages: Vec<Stage>,
    /// Number of steps that the producer and each consumer have taken.
    at: [usize; 1 + CONSUMERS],
    /// Requested copies that have not arrived: stage and tile.
    requested: VecDeque<(usize, u32)>,
    tiles: u32,
    /// Number of tiles that each consumer has read.
    reads: [u32; CONSUMERS],
    /// Number of reads that got another tile than the intended one.
    wrong: u32,
}

impl Now {
    fn new(stages: usize) -> Self {
        let stage = Stage { holds: None, full: Barrier::new(1), empty: Barrier::new(CONSUMERS as u32) };
        let stages = vec![stage; stages];
        Self {
            stages,
            at: Default::default(),
            requested: VecDeque::new(),
            tiles: 0,
            reads: Default::default(),
            wrong: 0,
        }
    }

    /// Returns warp `warp`'s next step; warp 0 is the producer.
    fn next(&self, judged: &Judged, warp: usize) -> Option<Step> {
        judged.scripts.get(warp)?.get(*self.at.get(warp)?).copied()
    }

    /// Returns stage and tile of the next copy to arrive.
    fn next_arrival(&self) -> Option<(usize, u32)> {
        self.requested.front().copied()
    }

    /// True if an actor can take a step.
    fn can(&self, judged: &Judged, actor: Control) -> bool {
        let Some(warp) = warp(actor) else { return actor == Control::Engine && !self.requested.is_empty() };
        match self.next(judged, warp) {
            None => false,
            Some(Step::Wait { barrier, stage, parity }) => self.stages.get(stage).is_some_and(|stage| match barrier {
                BarrierKind::Full => stage.full.passes(parity),
                BarrierKind::Empty => stage.empty.passes(parity),
            }),
            Some(_) => true,
        }
    }

    /// Runs an actor's next step, if there is one.
    fn step(&mut self, judged: &Judged, actor: Control) -> Option<Event> {
        if !self.can(judged, actor) {
            return None;
        }
        let Some(warp) = warp(actor) else {
            let (stage, tile) = self.requested.pop_front()?;
            let at = self.stages.get_mut(stage)?;
            at.holds = Some(tile);
            at.full.due = at.full.due.saturating_sub(BYTES);
            at.full.complete_phase();
            return Some(Event::Arrived { tile, stage });
        };
        let step = self.next(judged, warp)?;
        self.at[warp] += 1;
        let consumer = warp.saturating_sub(1);
        Some(match step {
            Step::Wait { .. } => Event::Passed,
            Step::Request { stage } => {
                let tile = self.tiles;
                self.tiles += 1;
                let full = &mut self.stages.get_mut(stage)?.full;
                full.due += BYTES;
                full.arrived += 1;
                self.requested.push_back((stage, tile));
                Event::Requested { tile, stage }
            }
            Step::Read { stage } => {
                let (tile, found) = (*self.reads.get(consumer)?, self.stages.get(stage)?.holds);
                self.reads[consumer] += 1;
                self.wrong += u32::from(found != Some(tile));
                Event::Read { consumer, tile, found }
            }
            Step::Release { stage } => {
                let empty = &mut self.stages.get_mut(stage)?.empty;
                empty.arrived += 1;
                empty.complete_phase();
                Event::Released { consumer, stage }
            }
        })
    }

    fn done(&self, judged: &Judged) -> bool {
        self.requested.is_empty() && (0..=CONSUMERS).all(|warp| self.next(judged, warp).is_none())
    }

    /// True if no actor can take a step although some have steps left.
    fn hangs(&self, judged: &Judged) -> bool {
        !self.done(judged) && !ACTORS.iter().any(|actor| self.can(judged, *actor))
    }
}

/// Returns the warp of an actor; None for the copy engine.
fn warp(actor: Control) -> Option<usize> {
    match actor {
        Control::Producer => Some(0),
        Control::Consumer0 => Some(1),
        Control::Consumer1 => Some(2),
        Control::Flaw | Control::Stages | Control::Engine => None,
    }
}

/// The ring, with or without a flaw, after some steps.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ring {
    flaw: RingFlaw,
    judged: Arc<Judged>,
    steps: Vec<Control>,
    now: Now,
    /// What the last step did.
    event: Option<Event>,
}

impl Ring {
    pub(crate) fn new(view: &RingView) -> Self {
        let [least, most] = RingView::STAGES;
        Self::with(view.stages.clamp(least, most) as usize, view.flaw)
    }

    fn with(stages: usize, flaw: RingFlaw) -> Self {
        let judged = Arc::new(Judged::new(stages, flaw));
        Self { flaw, judged, steps: Vec::new(), now: Now::new(stages), event: None }
    }

    fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Runs a step of the first actor that can take one; false if none can.
    fn play(&mut self) -> bool {
        let next = ACTORS.into_iter().find(|actor| self.now.can(&self.judged, *actor));
        next.is_some_and(|actor| {
            self.change(actor, true);
            true
        })
    }

    /// True if no actor can take a step.
    fn stuck(&self) -> bool {
        self.now.done(&self.judged) || self.now.hangs(&self.judged)
    }

    fn replay(&mut self, steps: Vec<Control>) {
        self.now = Now::new(self.judged.stages);
        self.event = None;
        for actor in &steps {
            self.event = self.now.step(&self.judged, *actor);
        }
        self.steps = steps;
    }
}

impl Controls for Ring {
    type Control = Control;
    const CONTROLS: &'static [Control] =
        &[Control::Producer, Control::Engine, Control::Consumer0, Control::Consumer1, Control::Stages, Control::Flaw];

    /// The larger value of an actor is one more step. The smaller value undoes the last step of any actor.
    fn can(&self, control: Control, up: bool) -> bool {
        let [least, most] = RingView::STAGES.map(|stages| stages as usize);
        match control {
            Control::Flaw => true,
            Control::Stages if up => self.judged.stages < most,
            Control::Stages => self.judged.stages > least,
            _ if up => self.now.can(&self.judged, control),
            _ => !self.steps.is_empty(),
        }
    }

    fn apply(&mut self, control: Control, up: bool) {
        match control {
            Control::Flaw => *self = Self::with(self.judged.stages, next_in_cycle(&FLAWS, self.flaw, up)),
            Control::Stages => {
                let stages = if up { self.judged.stages + 1 } else { self.judged.stages - 1 };
                *self = Self::with(stages, self.flaw);
            }
            actor if up => {
                self.event = self.now.step(&self.judged, actor);
                self.steps.push(actor);
            }
            _ => {
                let mut steps = std::mem::take(&mut self.steps);
                steps.pop();
                self.replay(steps);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::judge::Verdict;
    use super::*;
    use std::collections::HashSet;

    /// Returns two flags: true if some order of steps reads a wrong tile, and true if some order hangs.
    fn explored(stages: usize, flaw: RingFlaw) -> (bool, bool) {
        let judged = Judged::new(stages, flaw);
        let (mut seen, mut open) = (HashSet::new(), vec![Now::new(stages)]);
        let (mut wrong, mut hangs) = (false, false);
        while let Some(now) = open.pop() {
            wrong |= now.wrong > 0;
            hangs |= now.hangs(&judged);
            for actor in ACTORS {
                let mut next = now.clone();
                if next.step(&judged, actor).is_some() {
                    next.wrong = next.wrong.min(1);
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
            assert!(seen.len() < 1_000_000, "too many states");
        }
        (wrong, hangs)
    }

    #[test]
    fn every_order_of_steps_does_what_the_emulator_says() {
        for stages in 2..=3 {
            for flaw in FLAWS {
                let (wrong, hangs) = match Judged::new(stages, flaw).verdict {
                    Verdict::Right => (false, false),
                    Verdict::Wrong { hazard, hang } => (hazard.is_some(), hang.is_some()),
                    Verdict::Failed(why) => panic!("{flaw:?}: {why}"),
                };
                assert_eq!(explored(stages, flaw), (wrong, hangs), "{stages} stages, {flaw:?}");
            }
        }
    }
}
