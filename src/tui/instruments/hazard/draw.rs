/*! The screen.

```text
 hazard ▸ tiled 16×16, second barrier removed            harmful order, step 8 of 25
   warp 0                 warp 1                 B_tile[0][0]  byte 1024
   load tile 0: writes                           holds -0.6418, tile 1, by (0,0) of warp 0
                          load tile 0            read  by (0,2) of warp 1, for tile 0
   ════ barrier 1 ════════════════════════════     ✘ wants -0.2142, gets -0.6418
   multiply k=0: reads ✔
   multiply k=1…15
   ┄┄ no barrier 2 ┄┄┄┄
   load tile 1: writes
 ▸                        multiply k=0: reads ✘
 WAR: read (0,2) sgemm_no_second_barrier.cu:43, write (0,0) :32, 224 pairs
```
*/

use crate::figures::{counted, grouped};
use super::super::sheet::{Cells, Sheet};
use super::story::{Step, Story, Touch, What};
use super::{Hazard, Order, State};
use crate::simt;
use crate::tui::look::{Look, pad};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

/// Cells of the cursor.
const CURSOR: usize = 3;
/// Cells of the word at stake where it stands beside the steps.
const PANEL: usize = 28;
/// Rows of the word at stake where it stands below them.
const PANEL_ROWS: usize = 4;

struct Plan {
    /// Cells of a warp's column.
    column: usize,
    /// Where the panel begins, if it stands beside.
    panel_at: Option<usize>,
    rows: usize,
    first: usize,
}

impl Plan {
    fn new(hazard: &Hazard, story: &Story, area: Rect) -> Self {
        let width = usize::from(area.width);
        let beside = width >= 76;
        let steps_width = if beside { width - PANEL } else { width };
        let warps = story.warps.len().max(1);
        let column = (steps_width.saturating_sub(CURSOR) / warps).min(40);
        // Title, heads, the hazard's line, and the run's.
        let run = if hazard.whole.runners.is_empty() { 0 } else { hazard.whole.runners.len() + 1 };
        let used = 4 + run + if beside { 0 } else { PANEL_ROWS };
        let rows = usize::from(area.height).saturating_sub(used).clamp(1, story.steps.len().max(1));
        let first = hazard.at.saturating_sub(rows / 2).min(story.steps.len().saturating_sub(rows));
        Self { column, panel_at: beside.then_some(CURSOR + column * warps + 1), rows, first }
    }
}

pub(super) fn hit(hazard: &Hazard, at: Position, area: Rect) -> Option<usize> {
    let story = hazard.story()?;
    let plan = Plan::new(hazard, story, area);
    let row = usize::from(at.y.checked_sub(area.y + 2)?);
    (row < plan.rows).then_some(plan.first + row).filter(|step| *step < story.steps.len())
}

pub(super) fn draw(hazard: &Hazard, frame: &mut Frame, area: Rect, look: &Look) {
    let mut sheet = Sheet::new(look, area.width);
    let order = match hazard.order {
        Order::Wrong => "harmful order",
        Order::Right => "lucky order",
        Order::Correct => "both barriers",
    };
    let step = hazard.story().map_or(String::new(), |story| format!(", step {} of {}", hazard.at + 1, story.steps.len()));
    let right = if hazard.story().is_some() { format!("{order}{step}") } else { String::new() };
    let what = if hazard.order == Order::Correct { hazard.correct.clone() } else { hazard.title.clone() };
    sheet.title("hazard", &what, vec![look.span(Meaning::Accent, right)]);
    match (&hazard.state, hazard.story()) {
        (State::Told { hazard: found, .. }, Some(story)) => {
            let plan = Plan::new(hazard, story, area);
            heads(story, &plan, &mut sheet);
            steps(hazard, story, &plan, &mut sheet);
            match plan.panel_at {
                Some(at) => {
                    let at = (at as u16).min(area.width);
                    let mut side = Sheet::new(look, area.width - at);
                    word(hazard, story, &mut side);
                    let top = 1.min(area.height);
                    let right = Rect { x: area.x + at, y: area.y + top, width: area.width - at, height: area.height - top };
                    side.draw(frame, right);
                }
                None => word(hazard, story, &mut sheet),
            }
            found_line(found, &mut sheet);
        }
        (State::Failed(message), _) => {
            let sign = look.sign("✘", "x");
            sheet.text(Meaning::Wrong, &format!("{sign} {message}"));
        }
        (State::Asked(_), _) => {
            sheet.text(Meaning::Muted, "Running one block of both kernels in the emulator, in two orders of its warps.");
        }
        _ => sheet.text(Meaning::Muted, "Enter runs it, and shows who reads what, and when."),
    }
    whole_run(hazard, &mut sheet);
    sheet.draw(frame, area);
}

fn heads(story: &Story, plan: &Plan, sheet: &mut Sheet) {
    let look = sheet.look;
    let mut cells = Cells::new();
    cells.push(&" ".repeat(CURSOR), Style::new());
    for (column, warp) in story.warps.iter().enumerate() {
        let style = look.style(Meaning::Thread(column as u8));
        cells.push(&pad(&format!("warp {warp}"), plan.column), style);
    }
    sheet.row(cells.done());
}

fn steps(hazard: &Hazard, story: &Story, plan: &Plan, sheet: &mut Sheet) {
    let look = sheet.look;
    for (at, step) in story.steps.iter().enumerate().skip(plan.first).take(plan.rows) {
        let (here, past) = (at == hazard.at, at <= hazard.at);
        let mut cells = Cells::new();
        let mark = if here { look.sign(" ▸ ", " > ") } else { "   " };
        cells.push(mark, look.style(Meaning::Accent));
        let meaning = |shown: Meaning| if past { shown } else { Meaning::Muted };
        match (&step.what, step.column) {
            (What::Barrier(number), _) => {
                let line = look.sign("═", "=");
                let text = format!("{} barrier {number} ", line.repeat(4));
                let width = plan.column * story.warps.len();
                let rest = line.repeat(width.saturating_sub(text.width() + 1));
                cells.push(&format!("{text}{rest} "), look.style(meaning(Meaning::Right)));
            }
            (_, Some(column)) => {
                cells.push(&" ".repeat(plan.column * column), Style::new());
                let (text, shown) = describe(step, plan.column, past, look);
                let style = if here { look.style(shown).patch(look.style(Meaning::Selected)) } else { look.style(meaning(shown)) };
                cells.push(&pad(&text, plan.column.saturating_sub(1)), style);
            }
            _ => {}
        }
        sheet.row(cells.done());
    }
}

fn describe(step: &Step, width: usize, past: bool, look: &Look) -> (String, Meaning) {
    let touch = step.touch.as_ref();
    // What a read gets is seen when it happens, not before.
    let sign = match touch {
        Some(touch) if !past || touch.write => "",
        Some(touch) if touch.wrong() => look.sign(" ✘", " x"),
        Some(_) => look.sign(" ✔", " +"),
        None => "",
    };
    match &step.what {
        What::Load { tile } => {
            let writes = if touch.is_some() { ": writes" } else { "" };
            (format!("load tile {tile}{writes}"), Meaning::Text)
        }
        What::Multiply { first, last, .. } => {
            let dots = look.sign("…", "..");
            let k = if first == last { format!("k={first}") } else { format!("k={first}{dots}{last}") };
            let reads = if touch.is_some() { ": reads" } else { "" };
            let wrong = past && touch.is_some_and(Touch::wrong);
            (format!("multiply {k}{reads}{sign}"), if wrong { Meaning::Wrong } else { Meaning::Text })
        }
        What::NoBarrier(number) => {
            let dash = look.sign("┄", "-");
            let text = format!("{} no barrier {number} ", dash.repeat(2));
            let rest = width.saturating_sub(text.width() + 2);
            (format!("{text}{}", dash.repeat(rest)), Meaning::Warning)
        }
        What::Barrier(_) => (String::new(), Meaning::Text),
    }
}

fn thread([x, y, z]: [u32; 3]) -> String {
    if z == 0 { format!("({x},{y})") } else { format!("({x},{y},{z})") }
}

/// A value in four decimals, as far as they tell it apart from zero.
fn number(value: f32) -> String {
    if value == 0.0 || value.abs() >= 0.0001 { format!("{value:.4}") } else { format!("{value:e}") }
}

/// The word at stake as it is after the cursor's step.
fn word(hazard: &Hazard, story: &Story, sheet: &mut Sheet) {
    let look = sheet.look;
    sheet.row(vec![
        look.span(Meaning::Strong, format!(" {}", story.word)),
        look.span(Meaning::Muted, format!("  byte {}", story.address)),
    ]);
    match story.written(hazard.at) {
        Some((warp, touch)) => {
            let text = format!("{}, tile {}, by {} of warp {warp}", number(touch.value), touch.tile, thread(touch.thread));
            sheet.labelled("holds", Meaning::Text, &text);
        }
        None => sheet.labelled("holds", Meaning::Muted, "nothing written yet"),
    }
    let touch = story.steps.get(hazard.at).and_then(|step| Some((step.column?, step.touch?)));
    if let Some((column, touch)) = touch.filter(|(_, touch)| !touch.write) {
        let warp = story.warps.get(column).copied().unwrap_or_default();
        let reader = format!("{} of warp {warp}, for tile {}", thread(touch.thread), touch.tile);
        sheet.labelled("read ", Meaning::Text, &format!("by {reader}"));
        let (sign, meaning) =
            if touch.wrong() { (look.sign("✘", "x"), Meaning::Wrong) } else { (look.sign("✔", "+"), Meaning::Right) };
        let wanted = touch.wanted.map_or_else(String::new, |wanted| format!("wants {}, ", number(wanted)));
        sheet.labelled(" ", meaning, &format!("{sign} {wanted}gets {}", number(touch.value)));
    }
}

/// The hazard in the emulator's words.
fn found_line(found: &simt::Hazard, sheet: &mut Sheet) {
    let side = |access: &simt::HazardAccess, first: bool| {
        let file = access.place.file.rsplit('/').next().unwrap_or_default();
        let file = if first { file } else { "" };
        format!("{} {} {file}:{}", format!("{:?}", access.access).to_lowercase(), thread(access.thread), access.place.line)
    };
    let text = format!(
        "{}: {}, {}, {}",
        format!("{:?}", found.kind).to_uppercase(),
        side(&found.first, true),
        side(&found.second, false),
        counted(found.occurrences, "pair")
    );
    sheet.text(Meaning::Warning, &text);
}

/// What the whole matrices gave.
fn whole_run(hazard: &Hazard, sheet: &mut Sheet) {
    let look = sheet.look;
    let whole = &hazard.whole;
    if whole.runners.is_empty() {
        return;
    }
    let device = whole.device.as_ref().map_or("…", |device| device.name.as_str());
    sheet.rule(&format!("all of C, n = {}, on {device}", whole.n));
    if let Some(failed) = &whole.failed {
        let sign = look.sign("✘", "x");
        sheet.text(Meaning::Wrong, &format!("{sign} {failed}"));
        return;
    }
    for runner in &whole.runners {
        let label = look.span(Meaning::Muted, format!(" {}", pad(runner.label, 24)));
        let mut row = vec![label];
        match &runner.result {
            None if whole.launch.is_some() => row.push(look.span(Meaning::Muted, "running")),
            None => row.push(look.span(Meaning::Muted, "not run")),
            Some(result) if result.verified => {
                row.push(look.right());
                row.push(look.span(Meaning::Right, format!(" all {} right", grouped(result.elements))));
            }
            Some(result) => {
                row.push(look.wrong());
                let text = format!(" {} of {} wrong", grouped(result.mismatches), grouped(result.elements));
                row.push(look.span(Meaning::Wrong, text));
            }
        }
        sheet.row(row);
    }
}
