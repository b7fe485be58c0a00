/*! Draws the screen:

```text
 tiled 16×16, second barrier removed            harmful order, step 8 of 25
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

use super::story::{Step, StepKind, Story, Touch};
use super::{Hazard, Order, State, WholeRun};
use crate::effect::message;
use crate::prelude::*;
use tutor_kernels::Kernel;
use ui_kit::look::with_mono_look;
use ui_kit::sheet::{DESCRIBE_WIDTH, rest, rows};

/// Cells of the cursor.
const CURSOR: usize = 3;
/// Minimum width at which the word at stake is next to the steps.
const BESIDE: u16 = 66;
const PANEL: [(u16, usize); 3] = [(110, 44), (76, 28), (0, 20)];
/// Minimum cells of the word's panel at which its labels have a column.
const LABELLED: u16 = 26;
/// Width at which the text of every step fits.
pub(super) const WISHED: u16 = 68;
/// Minimum number of steps shown at once.
const MIN_STEPS: usize = 6;

struct Layout {
    /// Cells of a warp's column.
    column: usize,
    /// First column of the word's panel, if it is next to the steps.
    panel_at: Option<usize>,
    rows: usize,
    first: usize,
}

/// Returns the number of cells of the word's panel, if it is next to the steps.
fn panel(width: u16) -> Option<usize> {
    PANEL.into_iter().find(|(from, _)| width >= *from).map(|(_, cells)| cells).filter(|_| width >= BESIDE)
}

/// Returns the maximum rows of the word at stake in `width` cells, over all steps.
fn word_rows(story: &Story, width: u16) -> usize {
    let rows = (0..story.steps.len()).map(|at| rows(width, |sheet| word(at, story, sheet)));
    rows.max().unwrap_or(0).into()
}

/// Returns the number of rows above and below the steps.
fn around(hazard: &Hazard, story: &Story, width: u16) -> usize {
    2 + usize::from(rows(width, |sheet| conclude(hazard, sheet)))
        + if panel(width).is_some() { 0 } else { word_rows(story, width) }
}

pub(super) fn min_height(hazard: &Hazard, width: u16) -> u16 {
    let Some(story) = hazard.story() else {
        return 1 + rows(width, |sheet| pending(hazard, sheet));
    };
    // Next to the steps, the word's first row is on the same row as the warps' names.
    let word = panel(width).map_or(0, |cells| word_rows(story, cells as u16).saturating_sub(1));
    let steps = story.steps.len().min(MIN_STEPS).max(word);
    (around(hazard, story, width) + steps) as u16
}

impl Layout {
    fn new(hazard: &Hazard, story: &Story, area: Rect) -> Self {
        let width = usize::from(area.width);
        let panel = panel(area.width);
        let warps = story.warps.len().max(1);
        let column = ((width - panel.unwrap_or(0)).saturating_sub(CURSOR) / warps).min(40);
        let used = around(hazard, story, area.width);
        let rows = usize::from(area.height).saturating_sub(used).clamp(1, story.steps.len().max(1));
        let first = hazard.at.saturating_sub(rows / 2).min(story.steps.len().saturating_sub(rows));
        Self { column, panel_at: panel.map(|_| CURSOR + column * warps + 1), rows, first }
    }
}

pub(super) fn hit(hazard: &Hazard, at: Position, area: Rect) -> Option<usize> {
    let story = hazard.story()?;
    let layout = Layout::new(hazard, story, area);
    let row = usize::from(at.y.checked_sub(area.y + 2)?);
    (row < layout.rows).then_some(layout.first + row).filter(|step| *step < story.steps.len())
}

pub(super) fn draw(hazard: &Hazard, frame: &mut Frame, area: Rect, look: &Look) {
    let mut sheet = Sheet::new(look, area.width);
    title(hazard, &mut sheet);
    match hazard.story() {
        Some(story) => {
            let layout = Layout::new(hazard, story, area);
            heads(story, &layout, &mut sheet);
            steps(hazard, story, &layout, &mut sheet);
            match layout.panel_at {
                Some(at) => {
                    let right = rest(area, at, 1);
                    let mut side = Sheet::new(look, right.width);
                    word(hazard.at, story, &mut side);
                    side.draw(frame, right);
                }
                None => word(hazard.at, story, &mut sheet),
            }
            conclude(hazard, &mut sheet);
        }
        None => pending(hazard, &mut sheet),
    }
    sheet.draw(frame, area);
}

/// Adds the kernel and the step. If the kernel's title does not fit, its label replaces it.
fn title(hazard: &Hazard, sheet: &mut Sheet) {
    let step = hazard.story().map_or_else(String::new, |story| {
        t!("hazard-step", order = order(hazard), step = hazard.at + 1, of = story.steps.len())
    });
    let fits = |name: &str| name.width() + step.width() + 4 <= usize::from(sheet.width);
    let kernel = shown(hazard);
    let name = match kernel {
        Some(kernel) if !fits(&kernel.title) => kernel.label.clone(),
        _ => subject(hazard),
    };
    let step = vec![sheet.look.span(Meaning::Accent, step)];
    sheet.title(&name, step);
}

/// Adds the state of the request, as long as there are no steps.
fn pending(hazard: &Hazard, sheet: &mut Sheet) {
    match &hazard.state {
        State::Failed(message) => sheet.error(message),
        State::Requested(_) => sheet.text(Meaning::Muted, &t!("hazard-running")),
        State::Idle | State::Ready { .. } => sheet.text(Meaning::Muted, &t!("hazard-idle")),
    }
    whole_run(hazard, sheet);
}

/// Adds the results below the steps: the hazard, and the run of the whole matrices.
fn conclude(hazard: &Hazard, sheet: &mut Sheet) {
    if let State::Ready { hazard: found, .. } = &hazard.state {
        let meaning = if hazard.order == Order::Correct { Meaning::Right } else { Meaning::Warning };
        sheet.text(meaning, &verdict(hazard, found));
    }
    whole_run(hazard, sheet);
}

/// Returns the name of the run that is shown.
pub(super) fn order(hazard: &Hazard) -> String {
    match hazard.order {
        Order::Wrong => t!("hazard-order-harmful"),
        Order::Right => t!("hazard-order-lucky"),
        Order::Correct => t!("hazard-order-correct"),
    }
}

/// Returns the kernel that is shown, if the catalogue has it.
fn shown(hazard: &Hazard) -> Option<&Kernel> {
    let (kernel, correct) = hazard.known.as_ref()?;
    Some(if hazard.order == Order::Correct { correct } else { kernel })
}

/// Returns the title of the kernel that is shown.
pub(super) fn subject(hazard: &Hazard) -> String {
    shown(hazard).map_or_else(|| hazard.kernel.kernel.clone(), |kernel| kernel.title.clone())
}

/// Counts the hidden steps above and below: `▲ 3 ▼ 12`.
fn hidden(story: &Story, layout: &Layout, look: &Look) -> String {
    let below = story.steps.len().saturating_sub(layout.first + layout.rows);
    let part = |sign: &str, n: usize| if n == 0 { String::new() } else { format!("{sign} {n} ") };
    let signs = (look.sign("▲", "^"), look.sign("▼", "v"));
    format!("{}{}", part(signs.0, layout.first), part(signs.1, below)).trim_end().to_owned()
}

fn heads(story: &Story, layout: &Layout, sheet: &mut Sheet) {
    let look = sheet.look;
    let mut cells = Cells::default();
    cells.push(&" ".repeat(CURSOR), Style::new());
    for (column, warp) in story.warps.iter().enumerate() {
        let style = look.style(Meaning::Thread(column as u8));
        let name = t!("hazard-warp", n = *warp);
        cells.push(&name, style);
        let behind = layout.column.saturating_sub(name.width());
        // The count of hidden steps is behind the last column's name.
        let counts = if column + 1 == story.warps.len() { hidden(story, layout, look) } else { String::new() };
        let counts = if counts.width() + 2 <= behind { counts } else { String::new() };
        cells.push(&pad(&format!("  {counts}"), behind), look.style(Meaning::Muted));
    }
    sheet.row(cells.done());
}

fn steps(hazard: &Hazard, story: &Story, layout: &Layout, sheet: &mut Sheet) {
    let look = sheet.look;
    for (at, step) in story.steps.iter().enumerate().skip(layout.first).take(layout.rows) {
        let (here, past) = (at == hazard.at, at <= hazard.at);
        let mut cells = Cells::default();
        let mark = if here { look.sign(" ▸ ", " > ") } else { "   " };
        cells.push(mark, look.style(Meaning::Accent));
        let meaning = |shown: Meaning| if past { shown } else { Meaning::Muted };
        match (&step.what, step.column) {
            (StepKind::Barrier(number), _) => {
                let line = look.sign("═", "=");
                let text = format!("{} {} ", line.repeat(4), t!("hazard-barrier", n = *number));
                let width = layout.column * story.warps.len();
                let rest = line.repeat(width.saturating_sub(text.width() + 1));
                // The current step's barrier closes from the left.
                let all = format!("{text}{rest} ");
                let closed = if here { hazard.pace.glide.reached(all.chars().count()) } else { usize::MAX };
                let text: String = all.chars().take(closed).collect();
                cells.push(&text, look.style(meaning(Meaning::Right)));
            }
            (_, Some(column)) => {
                cells.push(&" ".repeat(layout.column * column), Style::new());
                let (text, shown) = step_words(step, layout.column, past, look);
                let style = if here {
                    look.style(shown).patch(look.style(Meaning::Selected))
                } else {
                    look.style(meaning(shown))
                };
                cells.push(&pad(&text, layout.column.saturating_sub(1)), style);
            }
            _ => {}
        }
        sheet.row(cells.done());
    }
}

/// Returns what a warp does in a step, in `width` cells.
pub(super) fn step_words(step: &Step, width: usize, past: bool, look: &Look) -> (String, Meaning) {
    let touch = step.touch.as_ref();
    // The result of a read is visible only after it happens.
    let sign = match touch {
        Some(touch) if !past || touch.write => "",
        Some(touch) if touch.wrong() => look.sign(" ✘", " x"),
        Some(_) => look.sign(" ✔", " +"),
        None => "",
    };
    match &step.what {
        StepKind::Load { tile } => {
            let text = match touch.is_some() {
                true => fitting(t!("hazard-load-writes", tile = *tile), width, || t!("hazard-writes", tile = *tile)),
                false => t!("hazard-load", tile = *tile),
            };
            (text, Meaning::Text)
        }
        StepKind::Multiply { first, last, .. } => {
            let dots = look.sign("…", "..");
            let k = if first == last { format!("k={first}") } else { format!("k={first}{dots}{last}") };
            let text = match touch.is_some() {
                true => fitting(t!("hazard-multiply-reads", k), width.saturating_sub(sign.width()), || {
                    t!("hazard-reads", k)
                }),
                false => fitting(t!("hazard-multiply", k), width, || k.clone()),
            };
            let wrong = past && touch.is_some_and(Touch::wrong);
            (format!("{text}{sign}"), if wrong { Meaning::Wrong } else { Meaning::Text })
        }
        StepKind::NoBarrier(number) => {
            let dash = look.sign("┄", "-");
            let text = format!("{} {} ", dash.repeat(2), t!("hazard-no-barrier", n = *number));
            let rest = width.saturating_sub(text.width() + 2);
            (format!("{text}{}", dash.repeat(rest)), Meaning::Warning)
        }
        StepKind::Barrier(_) => (String::new(), Meaning::Text),
    }
}

/// Returns `text` if it fits in `width` cells with a blank after it, else a shorter text.
fn fitting(text: String, width: usize, shorter: impl FnOnce() -> String) -> String {
    if text.width() < width { text } else { shorter() }
}

fn thread([x, y, z]: [u32; 3]) -> String {
    if z == 0 { format!("({x},{y})") } else { format!("({x},{y},{z})") }
}

/// Returns a value with four decimals, or in exponent notation if they would all be zero.
fn number(value: f32) -> String {
    if value == 0.0 || value.abs() >= 0.0001 { format!("{value:.4}") } else { format!("{value:e}") }
}

/// Adds the word at stake as it is after step `at`.
fn word(at: usize, story: &Story, sheet: &mut Sheet) {
    let look = sheet.look;
    let (name, byte) = (format!(" {}", story.word), format!("  {}", t!("hazard-byte", byte = story.address)));
    let one_row = name.width() + byte.width() <= usize::from(sheet.width);
    let (name, byte) = (look.span(Meaning::Strong, name), look.span(Meaning::Muted, byte));
    if one_row {
        sheet.row(vec![name, byte]);
    } else {
        sheet.row(vec![name]);
        sheet.row(vec![byte]);
    }
    let (holds, read) = (t!("hazard-holds"), t!("hazard-read"));
    let label = holds.width().max(read.width());
    // A narrow panel has no column for labels.
    let narrow = sheet.width < LABELLED;
    let mut add = |name: &str, meaning: Meaning, text: &str| match narrow {
        true => sheet.text(meaning, format!("{name} {text}").trim()),
        false => sheet.labelled(&pad(name, label), meaning, text),
    };
    match held(at, story) {
        Some(text) => add(&holds, Meaning::Text, &text),
        None => add(&holds, Meaning::Muted, &t!("hazard-nothing-written")),
    }
    if let Some((reader, got, wrong)) = reads(at, story) {
        add(&read, Meaning::Text, &reader);
        let (sign, meaning) =
            if wrong { (look.sign("✘", "x"), Meaning::Wrong) } else { (look.sign("✔", "+"), Meaning::Right) };
        add("", meaning, &format!("{sign} {got}"));
    } else if let Some((fault, (_, got, _))) = decisive(at, story) {
        // The wrong read remains visible after its step has scrolled away.
        let sign = look.sign("✘", "x");
        let text = t!("hazard-wrong-read", step = fault + 1, got);
        add(&read, Meaning::Wrong, &format!("{sign} {text}"));
    }
}

/// Returns the first wrong read once it has happened: its step, and what [`reads`] returns for it.
fn decisive(at: usize, story: &Story) -> Option<(usize, (String, String, bool))> {
    let fault = story.fault().filter(|fault| *fault < at)?;
    Some((fault, reads(fault, story)?))
}

/// Describes what the word contains after a step, and which thread wrote it.
pub(super) fn held(at: usize, story: &Story) -> Option<String> {
    let (warp, touch) = story.written(at)?;
    Some(t!("hazard-written", value = number(touch.value), tile = touch.tile, thread = thread(touch.thread), warp))
}

/// Describes the thread that reads the word in a step and the values it needs and gets. The flag is true if they
/// differ.
pub(super) fn reads(at: usize, story: &Story) -> Option<(String, String, bool)> {
    let step = story.steps.get(at)?;
    let (column, touch) = (step.column?, step.touch?);
    if touch.write {
        return None;
    }
    let warp = story.warps.get(column).copied().unwrap_or_default();
    let reader = t!("hazard-reader", thread = thread(touch.thread), warp, tile = touch.tile);
    let got = number(touch.value);
    let got = match touch.wanted {
        Some(wanted) => t!("hazard-wants-gets", wanted = number(wanted), got),
        None => t!("hazard-gets", got),
    };
    Some((reader, got, touch.wrong()))
}

/// Describes the hazard that the emulator found, or that the kernel with both barriers has none.
pub(super) fn verdict(hazard: &Hazard, found: &ptx_emulator::Hazard) -> String {
    if hazard.order == Order::Correct {
        return t!("hazard-none");
    }
    let kind = format!("{:?}", found.kind).to_uppercase();
    let file =
        |access: &ptx_emulator::HazardAccess| access.place.file.rsplit('/').next().unwrap_or_default().to_owned();
    let access = |access: &ptx_emulator::HazardAccess| match access.access {
        ptx_emulator::AccessKind::Read => t!("hazard-a-read"),
        ptx_emulator::AccessKind::Write => t!("hazard-a-write"),
    };
    let (first, second) = (&found.first, &found.second);
    t!(
        "hazard-found",
        kind,
        first = access(first),
        first_thread = thread(first.thread),
        first_line = first.place.line,
        file = file(first),
        second = access(second),
        second_thread = thread(second.thread),
        second_line = second.place.line,
        n = found.occurrences,
        pairs = found.occurrences,
    )
}

/// Adds the results of the run of the whole matrices.
fn whole_run(hazard: &Hazard, sheet: &mut Sheet) {
    let look = sheet.look;
    let Some(whole) = &hazard.whole else { return };
    let device = whole.results.device.as_ref().map_or("…", |device| device.name.as_str());
    sheet.rule(&t!("hazard-whole", n = whole.results.shape.n, device));
    if let Some(error) = whole.results.error() {
        return sheet.error(message(error));
    }
    for ((label, text), found) in outcomes(whole).zip(&whole.results.programs) {
        let mut row = vec![look.span(Meaning::Muted, format!(" {}", pad(&label, 24)))];
        let (sign, meaning) = match found.wrong_elements() {
            None => (None, Meaning::Muted),
            Some(0) => (Some(look.right()), Meaning::Right),
            Some(_) => (Some(look.wrong()), Meaning::Wrong),
        };
        let gap = if sign.is_some() { " " } else { "" };
        row.extend(sign);
        row.push(look.span(meaning, format!("{gap}{text}")));
        sheet.row(row);
    }
}

/// Returns the name of each kernel with a description of its result for the whole matrices.
pub(super) fn outcomes(whole: &WholeRun) -> impl Iterator<Item = (String, String)> {
    whole.labels.iter().zip(&whole.results.programs).map(|(label, found)| {
        let all = found.verification.as_ref().map_or(0, |verification| verification.elements);
        let text = match found.wrong_elements() {
            None if whole.results.is_running() => t!("hazard-whole-running"),
            None => t!("hazard-whole-not-run"),
            Some(0) => t!("hazard-whole-right", all),
            Some(wrong) => t!("hazard-whole-wrong", wrong, all),
        };
        (label(), text)
    })
}

/// Describes a step in a sentence: what the warp does, and how it accesses the word at stake.
pub(super) fn step_sentence(at: usize, step: &Step, story: &Story) -> String {
    let what = match &step.what {
        StepKind::Barrier(n) => t!("hazard-barrier", n = *n),
        StepKind::NoBarrier(n) => t!("hazard-no-barrier", n = *n),
        _ => with_mono_look(|look| step_words(step, DESCRIBE_WIDTH.into(), false, look).0),
    };
    let who = step.column.and_then(|column| story.warps.get(column)).map(|warp| t!("hazard-warp", n = *warp));
    let mut text = format!("{}. {}", at + 1, who.map_or_else(|| what.clone(), |who| format!("{who}: {what}")));
    if let Some((reader, got, _)) = reads(at, story) {
        text.push_str(&format!(" ({reader}, {got})"));
    } else if let Some(held) = held(at, story).filter(|_| step.touch.is_some()) {
        text.push_str(&format!(" ({held})"));
    }
    text
}
