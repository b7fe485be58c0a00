/*! The picture.

```text
 tiled FP32, split K                                     for NVIDIA H200
 ▸ M   512 ◂▸
   N   512
   K   512
   variant            blocks/SM  waves  steps        µs
   32x64 in 4 parts              4      1     16    10.1  ████████
   64x64 in 4 parts              2      1     16    11.0  █████████
   …
 Among 126 measured pairs of a shape and a GPU, the choice loses 0.3 % …
```
*/

use super::super::control::{Controls, Dials, Hit};
use super::super::sheet::Sheet;
use super::Choice;
use super::model::{Field, Shapes};
use crate::t;
use crate::tui::look::{Look, pad, pad_left};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

const CONTROLS: Controls = Controls { label: 2, value: 6 };
/// Cells of a figure's column.
const FIGURE: usize = 10;
/// Variants that have a row; the others are slower.
const ROWS: usize = 6;

pub(super) fn draw(it: &Choice, frame: &mut Frame, area: Rect, look: &Look) {
    drawing(it, look, area.width).0.draw(frame, area);
}

/// Rows it needs at a width.
pub(super) fn height(it: &Choice, width: u16) -> u16 {
    super::super::plain(|look| drawing(it, look, width).0.len())
}

/// What a click in a cell meets.
pub(super) fn hit(it: &Choice, at: (u16, u16), width: u16) -> Option<Hit<Field>> {
    let fields = super::super::plain(|look| drawing(it, look, width).1);
    CONTROLS.hit(&fields, it.panel.chosen, at)
}

fn drawing<'l>(it: &Choice, look: &'l Look<'l>, width: u16) -> (Sheet<'l>, Vec<(Field, u16)>) {
    let shapes = &it.panel.dials;
    let (mut sheet, mut fields) = (Sheet::new(look, width), Vec::new());
    sheet.title(&name(shapes), vec![look.span(Meaning::Accent, device(shapes))]);
    for &field in Shapes::FIELDS {
        fields.push((field, sheet.len()));
        let (name, value) = match field {
            Field::M => ("M", shapes.shape.m),
            Field::N => ("N", shapes.shape.n),
            Field::K => ("K", shapes.shape.k),
        };
        sheet.row(CONTROLS.row(look, field == it.panel.chosen, name, &value.to_string()));
    }
    let ranking = shapes.ranking();
    let heads = [t!("choice-blocks"), t!("choice-waves"), t!("choice-steps"), t!("choice-time")];
    let called: Vec<String> = ranking.iter().take(ROWS).map(|one| shapes.called(&one.place)).collect();
    let label = called.iter().map(|name| name.width()).chain([t!("choice-variant").width()]).max().unwrap_or(0) + 1;
    let head: String = heads.iter().map(|head| pad_left(head, FIGURE)).collect();
    sheet.row(vec![look.span(Meaning::Muted, format!("   {}{head}", pad(&t!("choice-variant"), label)))]);
    let slowest = ranking.iter().take(ROWS).map(|one| one.microseconds).fold(0.0, f64::max);
    let room = usize::from(width).saturating_sub(3 + label + 4 * FIGURE + 3);
    for (at, (one, name)) in ranking.iter().zip(&called).enumerate() {
        let meaning = if at == 0 { Meaning::Strong } else { Meaning::Text };
        let figures = [
            one.load.blocks.to_string(),
            one.load.waves.to_string(),
            one.load.steps.to_string(),
            microseconds(one.microseconds),
        ];
        let figures: String = figures.iter().map(|figure| pad_left(figure, FIGURE)).collect();
        let mut row = vec![look.span(meaning, format!("   {}{figures}  ", pad(name, label)))];
        row.extend(look.bar(one.microseconds / slowest, room as u16));
        sheet.row(row);
    }
    for said in words(shapes, ranking.len()) {
        sheet.text(Meaning::Text, &said);
    }
    (sheet, fields)
}

fn name(shapes: &Shapes) -> String {
    shapes.kernel.as_ref().map_or_else(String::new, |kernel| kernel.title.clone())
}

fn device(shapes: &Shapes) -> String {
    t!("choice-for", device = shapes.device.as_ref().map_or("", |device| device.name.as_str()))
}

fn microseconds(time: f64) -> String {
    if time < 100.0 { format!("{time:.1}") } else { format!("{time:.0}") }
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

/// How far the ranking can be trusted.
fn words(shapes: &Shapes, variants: usize) -> Vec<String> {
    let mut said = Vec::new();
    match shapes.loss() {
        Some(loss) => {
            said.push(t!(
                "choice-loss",
                pairs = loss.shapes,
                mean = percent(loss.mean),
                worst = percent(loss.worst),
                always = percent(loss.default_mean)
            ));
            said.extend(shapes.timed_on_others().map(|gpus| t!("choice-others", gpus = gpus)));
        }
        None => said.push(t!("choice-unknown")),
    }
    if variants > ROWS {
        said.push(t!("choice-more", n = variants - ROWS));
    }
    said
}

/// The picture in sentences.
pub(super) fn sentences(shapes: &Shapes) -> Vec<String> {
    let mut all = vec![format!("{}, {}.", name(shapes), device(shapes))];
    let ranking = shapes.ranking();
    all.extend(ranking.iter().take(ROWS).map(|one| {
        t!(
            "choice-said",
            variant = shapes.called(&one.place),
            blocks = one.load.blocks,
            waves = one.load.waves,
            steps = one.load.steps,
            time = microseconds(one.microseconds)
        )
    }));
    all.extend(words(shapes, ranking.len()));
    all
}
