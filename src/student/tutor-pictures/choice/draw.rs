/*! Draws the picture:

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

use super::{Choice, Control};
use crate::prelude::*;
use tutor_support::figures::percentage;

/// Cells of a column of figures.
const FIGURE: usize = 10;
/// Maximum number of variants with a row; the slower ones are only counted.
const ROWS: usize = 6;

impl DrawControls for Choice {
    const KIND: &str = "choice";
    const LAYOUT: ControlLayout = ControlLayout { label: 2, value: 6 };

    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        let name = self.kernel.as_ref().map_or("", |kernel| kernel.title.as_str());
        let device = t!("choice-for", device = self.device.as_ref().map_or("", |device| device.name.as_str()));
        rows.title(name, vec![look.span(Meaning::Accent, device)]);
        for &control in Self::CONTROLS {
            let (name, value) = match control {
                Control::M => ("M", self.shape.m),
                Control::N => ("N", self.shape.n),
                Control::K => ("K", self.shape.k),
            };
            rows.number(control, name, &value.to_string(), Vec::new());
        }
        let ranking = self.ranking();
        let heads = [t!("choice-blocks"), t!("choice-waves"), t!("choice-steps"), t!("choice-time")];
        let called: Vec<String> = ranking.iter().take(ROWS).map(|one| self.called(&one.place)).collect();
        let label = called.iter().map(|name| name.width()).chain([t!("choice-variant").width()]).max().unwrap_or(0) + 1;
        let head: String = heads.iter().map(|head| pad_left(head, FIGURE)).collect();
        rows.row(vec![look.span(Meaning::Muted, format!("   {}{head}", pad(&t!("choice-variant"), label)))]);
        let slowest = ranking.iter().take(ROWS).map(|one| one.microseconds).fold(0.0, f64::max);
        let room = usize::from(rows.width).saturating_sub(3 + label + 4 * FIGURE + 3);
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
            rows.row(row);
        }
        for sentence in words(self, ranking.len()) {
            rows.text(Meaning::Text, &sentence);
        }
    }

    fn rename(&mut self, setting: Setting) {
        self.kernel.iter_mut().for_each(|own| setting.translate(own));
    }
}

fn microseconds(time: f64) -> String {
    if time < 100.0 { format!("{time:.1}") } else { format!("{time:.0}") }
}

/// Describes how far the ranking can be trusted.
fn words(shapes: &Choice, variants: usize) -> Vec<String> {
    let mut sentences = Vec::new();
    match shapes.loss() {
        Some(loss) => {
            sentences.push(t!(
                "choice-loss",
                pairs = loss.shapes,
                mean = percentage(loss.mean, 1),
                worst = percentage(loss.worst, 1),
                always = percentage(loss.default_mean, 1)
            ));
            sentences.extend(shapes.timed_on_others().map(|gpus| t!("choice-others", gpus)));
        }
        None => sentences.push(t!("choice-unknown")),
    }
    if variants > ROWS {
        sentences.push(t!("choice-more", n = variants - ROWS));
    }
    sentences
}
