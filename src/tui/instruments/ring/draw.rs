/*! The picture.

```text
 3 stages, 8 tiles                                                     step 23
 stage     0           1           2
 full      phase 1 0/1 phase 1 0/1 phase 1 0/1
 bytes due 0           0           0
 holds     tile 3      tile 1      tile 2
 empty     phase 1 0/2 phase 0 0/2 phase 0 0/2
 ▸ producer       goes ◂▸  asks for tile 4, stage 1
   copy engine  waits      nothing was asked for
   consumer 0    goes      reads stage 0
   consumer 1   waits      at full[1], parity 0
   stages           3
   broken          no      nothing is broken
 Consumer 0 reads tile 3.
 emulator  right in every order that it tried
```

Above the stages with their two boards, below those who take steps, and what each will do next.
*/

use super::super::control::{Controls, Dials, Hit};
use super::super::sheet::Sheet;
use super::Ring;
use super::judge::{Board, Step, TILES, Verdict};
use super::model::{ACTORS, Barrier, Event, Field, Ring as Turns, Stage};
use crate::course::RingFlaw;
use crate::t;
use crate::tui::look::{Look, pad};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

const CONTROLS: Controls = Controls { label: 12, value: 6 };
/// Cells of the stages' labels, and of a stage.
const LABEL: usize = 9;
const CELL: usize = 12;

pub(super) fn draw(it: &Ring, frame: &mut Frame, area: Rect, look: &Look) {
    drawing(it, look, area.width).0.draw(frame, area);
}

/// Rows it needs at a width.
pub(super) fn height(it: &Ring, width: u16) -> u16 {
    super::super::plain(|look| drawing(it, look, width).0.len())
}

/// What a click in a cell meets.
pub(super) fn hit(it: &Ring, at: (u16, u16), width: u16) -> Option<Hit<Field>> {
    let fields = super::super::plain(|look| drawing(it, look, width).1);
    CONTROLS.hit(&fields, it.panel.chosen, at)
}

fn drawing<'l>(it: &Ring, look: &'l Look<'l>, width: u16) -> (Sheet<'l>, Vec<(Field, u16)>) {
    let ring = &it.panel.dials;
    let (mut sheet, mut fields) = (Sheet::new(look, width), Vec::new());
    sheet.title(&what(ring), vec![look.span(Meaning::Accent, t!("ring-step", n = ring.steps()))]);
    stages(ring, &mut sheet);
    for &field in Turns::FIELDS {
        fields.push((field, sheet.len()));
        let (value, said) = says(ring, field);
        let mut row = CONTROLS.row(look, field == it.panel.chosen, &label(field), &value);
        let broken = field == Field::Flaw && ring.flaw != RingFlaw::None;
        row.push(look.span(if broken { Meaning::Warning } else { Meaning::Muted }, said));
        sheet.row(row);
    }
    let (meaning, said) = event(ring);
    sheet.text(meaning, &said);
    let (meaning, said) = verdict(ring);
    sheet.labelled(&t!("ring-emulator"), meaning, &said);
    (sheet, fields)
}

fn what(ring: &Turns) -> String {
    t!("ring-what", n = ring.judged.stages, tiles = TILES)
}

/// The stages side by side, and under each its boards and its tile.
fn stages(ring: &Turns, sheet: &mut Sheet) {
    let wrong = match ring.event {
        Some(Event::Read { tile, found, .. }) if found != Some(tile) => found,
        _ => None,
    };
    let phase = |barrier: &Barrier| t!("ring-phase", n = barrier.phases, arrived = barrier.arrived, of = barrier.of);
    type Tell<'t> = &'t dyn Fn(usize, &Stage) -> (String, Meaning);
    let rows: [(String, Tell); 5] = [
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
    for (name, tell) in rows {
        let look = sheet.look;
        let mut row = vec![look.span(Meaning::Muted, format!(" {} ", pad(&name, LABEL)))];
        for (number, stage) in ring.now.stages.iter().enumerate() {
            let (said, meaning) = tell(number, stage);
            row.push(look.span(meaning, pad(&said, CELL.max(said.width() + 1))));
        }
        sheet.row(row);
    }
}

fn label(field: Field) -> String {
    match field {
        Field::Flaw => t!("ring-broken"),
        Field::Stages => t!("ring-stages"),
        Field::Producer => t!("ring-producer"),
        Field::Engine => t!("ring-engine"),
        Field::Consumer0 => t!("ring-consumer", n = 0),
        Field::Consumer1 => t!("ring-consumer", n = 1),
    }
}

/// The value of a field, and what stands behind it.
fn says(ring: &Turns, field: Field) -> (String, String) {
    let next = match field {
        Field::Flaw => {
            let broken = if ring.flaw == RingFlaw::None { t!("ring-no") } else { t!("ring-yes") };
            return (broken, flaw(ring.flaw));
        }
        Field::Stages => return (ring.judged.stages.to_string(), String::new()),
        Field::Engine => match ring.now.coming() {
            Some((stage, tile)) => t!("ring-brings", tile = tile, stage = stage),
            None => t!("ring-nothing-asked"),
        },
        Field::Producer => step(ring, 0),
        Field::Consumer0 => step(ring, 1),
        Field::Consumer1 => step(ring, 2),
    };
    let goes = if ring.now.can(&ring.judged, field) {
        t!("ring-goes")
    } else if next.is_empty() {
        t!("ring-done")
    } else {
        t!("ring-waits")
    };
    (goes, next)
}

/// The next step of a warp; nothing if it is done.
fn step(ring: &Turns, warp: usize) -> String {
    match ring.now.next(&ring.judged, warp) {
        None => String::new(),
        Some(Step::Wait { board: Board::Full, stage, parity }) => t!("ring-wait-full", stage = stage, parity = parity),
        Some(Step::Wait { board: Board::Empty, stage, parity }) => t!("ring-wait-empty", stage = stage, parity = parity),
        Some(Step::Ask { stage }) => t!("ring-asks", stage = stage),
        Some(Step::Read { stage }) => t!("ring-reads", stage = stage),
        Some(Step::HandBack { stage }) => t!("ring-hands-back", stage = stage),
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

/// What the last step did, and whether it was the last one.
fn event(ring: &Turns) -> (Meaning, String) {
    let (now, judged) = (&ring.now, &ring.judged);
    let (mut meaning, mut said) = match ring.event {
        None => (Meaning::Text, t!("ring-begin")),
        Some(Event::Passed) => (Meaning::Text, t!("ring-passed")),
        Some(Event::Asked { tile, stage }) => (Meaning::Text, t!("ring-asked", tile = tile, stage = stage)),
        Some(Event::Came { tile, stage }) => (Meaning::Text, t!("ring-came", tile = tile, stage = stage)),
        Some(Event::HandedBack { consumer, stage }) => {
            (Meaning::Text, t!("ring-handed-back", n = consumer, stage = stage))
        }
        Some(Event::Read { consumer, tile, found }) => match found {
            Some(found) if found == tile => (Meaning::Text, t!("ring-read", n = consumer, tile = tile)),
            Some(found) => (Meaning::Wrong, t!("ring-read-wrong", n = consumer, tile = tile, found = found)),
            None => (Meaning::Wrong, t!("ring-read-nothing", n = consumer, tile = tile)),
        },
    };
    if now.hangs(judged) {
        meaning = Meaning::Wrong;
        said = format!("{said} {}", t!("ring-stuck"));
    } else if now.done(judged) && ring.steps() > 0 {
        let end = if now.wrong == 0 { t!("ring-all-read", n = TILES) } else { t!("ring-end-wrong", n = now.wrong) };
        said = format!("{said} {end}");
    }
    (meaning, said)
}

/// What the emulator found in its own runs.
fn verdict(ring: &Turns) -> (Meaning, String) {
    match &ring.judged.verdict {
        Verdict::Right => (Meaning::Right, t!("ring-right")),
        Verdict::Wrong { hazard, hang } => {
            let mut said: Vec<String> = Vec::new();
            if let Some((kind, read, write)) = hazard {
                said.push(t!("ring-hazard", kind = format!("{kind:?}").to_uppercase(), read = *read, write = *write));
            }
            said.extend(hang.map(|line| t!("ring-hang", line = line)));
            if said.is_empty() {
                said.push(t!("ring-wrong-sums"));
            }
            (Meaning::Wrong, said.join(" "))
        }
        Verdict::Failed(why) => (Meaning::Warning, why.clone()),
    }
}

/// The picture in sentences.
pub(super) fn sentences(ring: &Turns) -> Vec<String> {
    let mut all = vec![format!("{}.", what(ring)), format!("{}.", flaw(ring.flaw))];
    for (number, stage) in ring.now.stages.iter().enumerate() {
        let holds = stage.holds.map_or_else(|| t!("ring-nothing"), |tile| t!("ring-tile", n = tile));
        all.push(t!(
            "ring-stage-said",
            n = number,
            holds = holds,
            full = stage.full.phases,
            empty = stage.empty.phases
        ));
    }
    for actor in ACTORS {
        let (goes, next) = says(ring, actor);
        let next = if next.is_empty() { next } else { format!(": {next}") };
        all.push(format!("{}: {goes}{next}.", label(actor)));
    }
    all.push(event(ring).1);
    all.push(format!("{}: {}", t!("ring-emulator"), verdict(ring).1));
    all
}
