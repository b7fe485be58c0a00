/*! Draws the picture:

```text
 3 stages, 8 tiles                                                     step 23
 ▸ producer       goes ◂▸  asks for tile 4, stage 1
   copy engine  waits      nothing was asked for
   consumer 0    goes      reads stage 0
   consumer 1   waits      at full[1], parity 0
   stages           3
   broken          no      nothing is broken
 stage     0           1           2
 full      phase 1 0/1 phase 1 0/1 phase 1 0/1
 bytes due 0           0           0
 holds     tile 3      tile 1      tile 2
 empty     phase 1 0/2 phase 0 0/2 phase 0 0/2
 Consumer 0 reads tile 3.
 emulator  right in every order that it tried
```

The actors and their next steps are above. The stages with their two mbarriers are below.
*/

use super::judge::{BarrierKind, Step, TILES, Verdict};
use super::{Barrier, Control, Event, Ring, Stage};
use crate::prelude::*;
use std::time::Duration;
use tutor_course::RingFlaw;

/// Cells of the row labels, and of a stage.
const LABEL: usize = 9;
const CELL: usize = 12;

impl DrawControls for Ring {
    const KIND: &str = "ring";
    const STEP: Duration = Duration::from_millis(500);
    const LAYOUT: ControlLayout = ControlLayout { label: 12, value: 6 };

    fn actions(&self, controls: Vec<Action>) -> Vec<Action> {
        let play = (!self.stuck()).then_some(Action::Play);
        play.into_iter().chain(controls).collect()
    }

    /// Runs the next step. Stops when a wrong tile is read.
    fn step(&mut self) -> bool {
        let wrong = self.now.wrong;
        self.play();
        !self.stuck() && self.now.wrong == wrong
    }

    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        let step = vec![look.span(Meaning::Accent, t!("ring-step", n = self.steps()))];
        rows.title(&t!("ring-what", n = self.judged.stages, tiles = TILES), step);
        for &control in Self::CONTROLS {
            let (value, text) = value_and_note(self, control);
            let broken = control == Control::Flaw && self.flaw != RingFlaw::None;
            let meaning = if broken { Meaning::Warning } else { Meaning::Muted };
            rows.number(control, &label(control), &value, vec![look.span(meaning, text)]);
        }
        stages(self, rows);
        let (meaning, text) = event(self);
        rows.text(meaning, &text);
        let (meaning, text) = verdict(self);
        rows.labelled(&t!("ring-emulator"), meaning, &text);
    }
}

/// Draws the stages side by side with their barriers and tiles.
fn stages(ring: &Ring, sheet: &mut Sheet) {
    let wrong = match ring.event {
        Some(Event::Read { tile, found, .. }) if found != Some(tile) => found,
        _ => None,
    };
    let phase = |barrier: &Barrier| t!("ring-phase", n = barrier.phases, arrived = barrier.arrived, of = barrier.of);
    type CellText<'t> = &'t dyn Fn(usize, &Stage) -> (String, Meaning);
    let rows: [(String, CellText); 5] = [
        (t!("ring-stage"), &|number, _| (number.to_string(), Meaning::Strong)),
        (t!("ring-full"), &|_, stage| (phase(&stage.full), Meaning::MatrixA)),
        (t!("ring-due"), &|_, stage| (stage.full.due.to_string(), Meaning::Text)),
        (t!("ring-holds"), &|_, stage| match stage.holds {
            None => (t!("ring-nothing"), Meaning::Muted),
            Some(tile) if Some(tile) == wrong => (format!("{} ✘", t!("ring-tile", n = tile)), Meaning::Wrong),
            Some(tile) => (t!("ring-tile", n = tile), Meaning::MatrixC),
        }),
        (t!("ring-empty"), &|_, stage| (phase(&stage.empty), Meaning::MatrixB)),
    ];
    for (name, cell_text) in rows {
        let look = sheet.look;
        let mut row = vec![look.span(Meaning::Muted, format!(" {} ", pad(&name, LABEL)))];
        for (number, stage) in ring.now.stages.iter().enumerate() {
            let (text, meaning) = cell_text(number, stage);
            row.push(look.span(meaning, pad(&text, CELL.max(text.width() + 1))));
        }
        sheet.row(row);
    }
}

fn label(control: Control) -> String {
    match control {
        Control::Flaw => t!("ring-broken"),
        Control::Stages => t!("ring-stages"),
        Control::Producer => t!("ring-producer"),
        Control::Engine => t!("ring-engine"),
        Control::Consumer0 => t!("ring-consumer", n = 0),
        Control::Consumer1 => t!("ring-consumer", n = 1),
    }
}

/// Returns a control's value and the note behind it.
fn value_and_note(ring: &Ring, control: Control) -> (String, String) {
    let next = match control {
        Control::Flaw => {
            let broken = if ring.flaw == RingFlaw::None { t!("ring-no") } else { t!("ring-yes") };
            return (broken, flaw(ring.flaw));
        }
        Control::Stages => return (ring.judged.stages.to_string(), String::new()),
        Control::Engine => match ring.now.next_arrival() {
            Some((stage, tile)) => t!("ring-brings", tile, stage),
            None => t!("ring-nothing-asked"),
        },
        Control::Producer => step(ring, 0),
        Control::Consumer0 => step(ring, 1),
        Control::Consumer1 => step(ring, 2),
    };
    let goes = if ring.now.can(&ring.judged, control) {
        t!("ring-goes")
    } else if next.is_empty() {
        t!("ring-done")
    } else {
        t!("ring-waits")
    };
    (goes, next)
}

/// Describes the next step of a warp; empty if it has finished.
fn step(ring: &Ring, warp: usize) -> String {
    match ring.now.next(&ring.judged, warp) {
        None => String::new(),
        Some(Step::Wait { barrier: BarrierKind::Full, stage, parity }) => {
            t!("ring-wait-full", stage, parity)
        }
        Some(Step::Wait { barrier: BarrierKind::Empty, stage, parity }) => {
            t!("ring-wait-empty", stage, parity)
        }
        Some(Step::Request { stage }) => t!("ring-asks", stage),
        Some(Step::Read { stage }) => t!("ring-reads", stage),
        Some(Step::Release { stage }) => t!("ring-hands-back", stage),
    }
}

fn flaw(flaw: RingFlaw) -> String {
    match flaw {
        RingFlaw::None => t!("ring-flaw-none"),
        RingFlaw::EarlyRelease => t!("ring-flaw-early-release"),
        RingFlaw::ConsumerParity => t!("ring-flaw-consumer-parity"),
        RingFlaw::ProducerParity => t!("ring-flaw-producer-parity"),
        RingFlaw::MissingArrive => t!("ring-flaw-missing-arrive"),
    }
}

/// Describes what the last step did, and the end of the run if there are no more steps.
fn event(ring: &Ring) -> (Meaning, String) {
    let (now, judged) = (&ring.now, &ring.judged);
    let (mut meaning, mut text) = match ring.event {
        None => (Meaning::Text, t!("ring-begin")),
        Some(Event::Passed) => (Meaning::Text, t!("ring-passed")),
        Some(Event::Requested { tile, stage }) => (Meaning::Text, t!("ring-asked", tile, stage)),
        Some(Event::Arrived { tile, stage }) => (Meaning::Text, t!("ring-came", tile, stage)),
        Some(Event::Released { consumer, stage }) => (Meaning::Text, t!("ring-handed-back", n = consumer, stage)),
        Some(Event::Read { consumer, tile, found }) => match found {
            Some(found) if found == tile => (Meaning::Text, t!("ring-read", n = consumer, tile)),
            Some(found) => (Meaning::Wrong, t!("ring-read-wrong", n = consumer, tile, found)),
            None => (Meaning::Wrong, t!("ring-read-nothing", n = consumer, tile)),
        },
    };
    if now.hangs(judged) {
        meaning = Meaning::Wrong;
        text = format!("{text} {}", t!("ring-stuck"));
    } else if now.done(judged) && ring.steps() > 0 {
        let end = if now.wrong == 0 { t!("ring-all-read", n = TILES) } else { t!("ring-end-wrong", n = now.wrong) };
        text = format!("{text} {end}");
    }
    (meaning, text)
}

/// Describes what the emulator found in its own runs.
fn verdict(ring: &Ring) -> (Meaning, String) {
    match &ring.judged.verdict {
        Verdict::Right => (Meaning::Right, t!("ring-right")),
        Verdict::Wrong { hazard, hang } => {
            let mut sentences: Vec<String> = Vec::new();
            if let Some((kind, read, write)) = hazard {
                sentences.push(t!(
                    "ring-hazard",
                    kind = format!("{kind:?}").to_uppercase(),
                    read = *read,
                    write = *write
                ));
            }
            sentences.extend(hang.map(|line| t!("ring-hang", line)));
            if sentences.is_empty() {
                sentences.push(t!("ring-wrong-sums"));
            }
            (Meaning::Wrong, sentences.join(" "))
        }
        Verdict::Failed(why) => (Meaning::Warning, why.to_string()),
    }
}
