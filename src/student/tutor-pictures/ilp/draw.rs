/*! Draws the picture:

```text
 FMAs of an SM in a cycle                              recorded on NVIDIA H200
 ▸ sums a thread   1 ◂▸
   warps an SM     4
     1 sum    ██████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░   31.8 of 128
   ▸ 2 sums   ████████████████████░░░░░░░░░░░░░░░░░░░░░   63.0 of 128
   …
 A scheduler has 2 independent FMAs; each takes 4 cycles, so 4 would fill it.
```
*/

use super::{Control, Ilp, SCHEDULERS};
use crate::prelude::*;

/// Cells of a bar's label.
const LABEL: usize = 8;

impl DrawControls for Ilp {
    const KIND: &str = "ilp";
    const LAYOUT: ControlLayout = ControlLayout { label: 14, value: 4 };

    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        rows.title(&t!("ilp-what"), vec![look.span(Meaning::Accent, recorded(self))]);
        for &control in Self::CONTROLS {
            let (name, value) = match control {
                Control::Sums => (t!("ilp-sums"), self.sums),
                Control::Warps => (t!("ilp-warps"), self.warps),
            };
            rows.number(control, &name, &value.to_string(), Vec::new());
        }
        for chain in self.points() {
            let text = t!("ilp-of", n = format!("{:.1}", chain.fma_per_cycle), most = self.most());
            let meaning = if chain.sums == self.sums { Meaning::Strong } else { Meaning::Muted };
            let mut row = vec![look.span(meaning, format!("     {}", pad(&t!("ilp-bar", n = chain.sums), LABEL)))];
            let room = usize::from(rows.width).saturating_sub(5 + LABEL + text.width() + 4);
            row.extend(look.bar(chain.fma_per_cycle / f64::from(self.most()), room as u16));
            row.push(look.span(meaning, format!("  {text}")));
            rows.row(row);
        }
        for sentence in words(self) {
            rows.text(Meaning::Text, &sentence);
        }
        if let Some(known) = &self.known {
            rows.text(Meaning::Muted, &t!("ilp-source", date = known.date.as_str(), driver = known.driver.as_str()));
        }
    }
}

fn recorded(chains: &Ilp) -> String {
    let device = chains.known.as_ref().map_or_else(String::new, |known| known.device.clone());
    t!("ilp-recorded", device)
}

fn words(chains: &Ilp) -> Vec<String> {
    let mut sentences = Vec::new();
    if chains.busy() < SCHEDULERS {
        sentences.push(t!("ilp-idle", n = chains.busy(), all = SCHEDULERS));
    }
    let takes = chains.known.as_ref().map_or(0.0, |known| known.summary.dependent_fma);
    sentences.push(t!("ilp-independent", n = chains.independent(), takes = format!("{takes:.0}")));
    sentences
}
