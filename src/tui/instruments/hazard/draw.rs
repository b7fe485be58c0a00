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

use super::super::sheet::{Cells, Sheet};
use super::story::{Step, Story, Touch, What};
use super::{Hazard, Order, Runner, State};
use crate::figures::grouped;
use crate::simt;
use crate::t;
use crate::tui::look::{Look, pad};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

/// Cells of the cursor.
const CURSOR: usize = 3;
/// Cells of the word at stake where it stands beside the steps, and where there is plenty of room.
const PANEL: (usize, usize) = (28, 44);
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
        let panel = if width >= 110 { PANEL.1 } else { PANEL.0 };
        let steps_width = if beside { width - panel } else { width };
        let warps = story.warps.len().max(1);
        let column = (steps_width.saturating_sub(CURSOR) / warps).min(40);
        // Title, heads, the hazard's line, and the run's.
        let run = if hazard.whole.runners.is_empty() { 0 } else { hazard.whole.runners.len() + 1 };
        let used = 3 + run + if beside { 1 } else { 2 + PANEL_ROWS };
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
    let right = hazard.story().map_or_else(String::new, |story| {
        t!("hazard-step", order = order(hazard), step = hazard.at + 1, of = story.steps.len())
    });
    sheet.title(&t!("hazard-title"), &subject(hazard), vec![look.span(Meaning::Accent, right)]);
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
            let meaning = if hazard.order == Order::Correct { Meaning::Right } else { Meaning::Warning };
            sheet.text(meaning, &verdict(hazard, found));
        }
        (State::Failed(message), _) => {
            let sign = look.sign("✘", "x");
            sheet.text(Meaning::Wrong, &format!("{sign} {message}"));
        }
        (State::Asked(_), _) => {
            sheet.text(Meaning::Muted, &t!("hazard-running"));
        }
        _ => sheet.text(Meaning::Muted, &t!("hazard-idle")),
    }
    whole_run(hazard, &mut sheet);
    sheet.draw(frame, area);
}

/// Which of the runs is shown.
pub(super) fn order(hazard: &Hazard) -> String {
    match hazard.order {
        Order::Wrong => t!("hazard-order-harmful"),
        Order::Right => t!("hazard-order-lucky"),
        Order::Correct => t!("hazard-order-correct"),
    }
}

/// The kernel that is shown, by its title.
pub(super) fn subject(hazard: &Hazard) -> String {
    match (hazard.order, &hazard.known) {
        (Order::Correct, Some((_, correct))) => correct.title.clone(),
        _ => hazard.title.clone(),
    }
}

/// `▲ 3 ▼ 12`: steps above and below those that are drawn.
fn hidden(story: &Story, plan: &Plan, look: &Look) -> String {
    let below = story.steps.len().saturating_sub(plan.first + plan.rows);
    let part = |sign: &str, n: usize| if n == 0 { String::new() } else { format!("{sign} {n} ") };
    let signs = (look.sign("▲", "^"), look.sign("▼", "v"));
    format!("{}{}", part(signs.0, plan.first), part(signs.1, below)).trim_end().to_owned()
}

fn heads(story: &Story, plan: &Plan, sheet: &mut Sheet) {
    let look = sheet.look;
    let mut cells = Cells::new();
    cells.push(&" ".repeat(CURSOR), Style::new());
    for (column, warp) in story.warps.iter().enumerate() {
        let style = look.style(Meaning::Thread(column as u8));
        let name = t!("hazard-warp", n = *warp);
        cells.push(&name, style);
        let behind = plan.column.saturating_sub(name.width());
        // Steps out of sight are counted behind the last column's name.
        let counts = if column + 1 == story.warps.len() { hidden(story, plan, look) } else { String::new() };
        let counts = if counts.width() + 2 <= behind { counts } else { String::new() };
        cells.push(&pad(&format!("  {counts}"), behind), look.style(Meaning::Muted));
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
                let text = format!("{} {} ", line.repeat(4), t!("hazard-barrier", n = *number));
                let width = plan.column * story.warps.len();
                let rest = line.repeat(width.saturating_sub(text.width() + 1));
                // The barrier that is reached now closes from the left.
                let all = format!("{text}{rest} ");
                let closed = if here { hazard.glide.of(all.chars().count()) } else { usize::MAX };
                let text: String = all.chars().take(closed).collect();
                cells.push(&text, look.style(meaning(Meaning::Right)));
            }
            (_, Some(column)) => {
                cells.push(&" ".repeat(plan.column * column), Style::new());
                let (text, shown) = step_words(step, plan.column, past, look);
                let style = if here { look.style(shown).patch(look.style(Meaning::Selected)) } else { look.style(meaning(shown)) };
                cells.push(&pad(&text, plan.column.saturating_sub(1)), style);
            }
            _ => {}
        }
        sheet.row(cells.done());
    }
}

/// What a warp does in a step, in `width` cells.
pub(super) fn step_words(step: &Step, width: usize, past: bool, look: &Look) -> (String, Meaning) {
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
            let text =
                if touch.is_some() { t!("hazard-load-writes", tile = *tile) } else { t!("hazard-load", tile = *tile) };
            (text, Meaning::Text)
        }
        What::Multiply { first, last, .. } => {
            let dots = look.sign("…", "..");
            let k = if first == last { format!("k={first}") } else { format!("k={first}{dots}{last}") };
            let text = if touch.is_some() { t!("hazard-multiply-reads", k = k) } else { t!("hazard-multiply", k = k) };
            let wrong = past && touch.is_some_and(Touch::wrong);
            (format!("{text}{sign}"), if wrong { Meaning::Wrong } else { Meaning::Text })
        }
        What::NoBarrier(number) => {
            let dash = look.sign("┄", "-");
            let text = format!("{} {} ", dash.repeat(2), t!("hazard-no-barrier", n = *number));
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
        look.span(Meaning::Muted, format!("  {}", t!("hazard-byte", byte = story.address))),
    ]);
    let (holds, read) = (t!("hazard-holds"), t!("hazard-read"));
    let label = holds.width().max(read.width());
    match held(hazard.at, story) {
        Some(text) => sheet.labelled(&pad(&holds, label), Meaning::Text, &text),
        None => sheet.labelled(&pad(&holds, label), Meaning::Muted, &t!("hazard-nothing-written")),
    }
    if let Some((reader, got, wrong)) = reads(hazard.at, story) {
        sheet.labelled(&pad(&read, label), Meaning::Text, &reader);
        let (sign, meaning) =
            if wrong { (look.sign("✘", "x"), Meaning::Wrong) } else { (look.sign("✔", "+"), Meaning::Right) };
        sheet.labelled(&pad("", label), meaning, &format!("{sign} {got}"));
    } else if let Some((fault, (_, got, _))) = decisive(hazard.at, story) {
        // The wrong read stays in sight when its step has scrolled away.
        let sign = look.sign("✘", "x");
        let text = t!("hazard-wrong-read", step = fault + 1, got = got);
        sheet.labelled(&pad(&read, label), Meaning::Wrong, &format!("{sign} {text}"));
    }
}

/// The first wrong read, once it has happened: its step, and what [`reads`] says of it.
fn decisive(at: usize, story: &Story) -> Option<(usize, (String, String, bool))> {
    let fault = story.fault().filter(|fault| *fault < at)?;
    Some((fault, reads(fault, story)?))
}

/// What the word holds after a step, and who wrote it.
pub(super) fn held(at: usize, story: &Story) -> Option<String> {
    let (warp, touch) = story.written(at)?;
    Some(t!("hazard-written", value = number(touch.value), tile = touch.tile, thread = thread(touch.thread), warp = warp))
}

/// Who reads the word in a step, what it wants and gets, and whether that is wrong.
pub(super) fn reads(at: usize, story: &Story) -> Option<(String, String, bool)> {
    let step = story.steps.get(at)?;
    let (column, touch) = (step.column?, step.touch?);
    if touch.write {
        return None;
    }
    let warp = story.warps.get(column).copied().unwrap_or_default();
    let reader = t!("hazard-reader", thread = thread(touch.thread), warp = warp, tile = touch.tile);
    let got = number(touch.value);
    let got = match touch.wanted {
        Some(wanted) => t!("hazard-wants-gets", wanted = number(wanted), got = got),
        None => t!("hazard-gets", got = got),
    };
    Some((reader, got, touch.wrong()))
}

/// The hazard in the emulator's words; none where both barriers stand.
pub(super) fn verdict(hazard: &Hazard, found: &simt::Hazard) -> String {
    if hazard.order == Order::Correct {
        return t!("hazard-none");
    }
    let kind = format!("{:?}", found.kind).to_uppercase();
    let file = |access: &simt::HazardAccess| access.place.file.rsplit('/').next().unwrap_or_default().to_owned();
    let access = |access: &simt::HazardAccess| match access.access {
        simt::AccessKind::Read => t!("hazard-a-read"),
        simt::AccessKind::Write => t!("hazard-a-write"),
    };
    let (first, second) = (&found.first, &found.second);
    t!(
        "hazard-found",
        kind = kind,
        first = access(first),
        first_thread = thread(first.thread),
        first_line = first.place.line,
        file = file(first),
        second = access(second),
        second_thread = thread(second.thread),
        second_line = second.place.line,
        n = found.occurrences,
        pairs = grouped(found.occurrences),
    )
}

/// What the whole matrices gave.
fn whole_run(hazard: &Hazard, sheet: &mut Sheet) {
    let look = sheet.look;
    let whole = &hazard.whole;
    if whole.runners.is_empty() {
        return;
    }
    let device = whole.device.as_ref().map_or("…", |device| device.name.as_str());
    sheet.rule(&t!("hazard-whole", n = whole.n, device = device));
    if let Some(failed) = &whole.failed {
        let sign = look.sign("✘", "x");
        sheet.text(Meaning::Wrong, &format!("{sign} {failed}"));
        return;
    }
    for runner in &whole.runners {
        let label = look.span(Meaning::Muted, format!(" {}", pad(&runner.label, 24)));
        let mut row = vec![label];
        let text = outcome(runner, whole.launch.is_some());
        let (sign, meaning) = match &runner.result {
            None => (None, Meaning::Muted),
            Some(result) if result.verified => (Some(look.right()), Meaning::Right),
            Some(_) => (Some(look.wrong()), Meaning::Wrong),
        };
        let gap = if sign.is_some() { " " } else { "" };
        row.extend(sign);
        row.push(look.span(meaning, format!("{gap}{text}")));
        sheet.row(row);
    }
}

/// What a kernel's whole run gave.
pub(super) fn outcome(runner: &Runner, running: bool) -> String {
    match &runner.result {
        None if running => t!("hazard-whole-running"),
        None => t!("hazard-whole-not-run"),
        Some(result) if result.verified => t!("hazard-whole-right", all = grouped(result.elements)),
        Some(result) => {
            t!("hazard-whole-wrong", wrong = grouped(result.mismatches), all = grouped(result.elements))
        }
    }
}

/// A step as a sentence: which warp does what, and what it does to the word at stake.
pub(super) fn step_sentence(at: usize, step: &Step, story: &Story) -> String {
    let what = match &step.what {
        What::Barrier(n) => t!("hazard-barrier", n = *n),
        What::NoBarrier(n) => t!("hazard-no-barrier", n = *n),
        What::Load { tile } if step.touch.is_some() => t!("hazard-load-writes", tile = *tile),
        What::Load { tile } => t!("hazard-load", tile = *tile),
        What::Multiply { first, last, .. } => {
            let k = if first == last { format!("k={first}") } else { format!("k={first}…{last}") };
            if step.touch.is_some() { t!("hazard-multiply-reads", k = k) } else { t!("hazard-multiply", k = k) }
        }
    };
    let who = step.column.and_then(|column| story.warps.get(column)).map(|warp| t!("hazard-warp", n = *warp));
    let mut said = format!("{}. {}", at + 1, who.map_or_else(|| what.clone(), |who| format!("{who}: {what}")));
    if let Some((reader, got, _)) = reads(at, story) {
        said.push_str(&format!(" ({reader}, {got})"));
    } else if let Some(held) = held(at, story).filter(|_| step.touch.is_some()) {
        said.push_str(&format!(" ({held})"));
    }
    said
}
