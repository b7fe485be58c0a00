/*! The picture.

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

use super::super::control::{Controls, Dials, Hit};
use super::super::sheet::Sheet;
use super::Ilp;
use super::model::{Chains, Field, SCHEDULERS};
use crate::exec::latency::Chain;
use crate::t;
use crate::tui::look::{Look, pad};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

const CONTROLS: Controls = Controls { label: 14, value: 4 };
/// Cells of what a bar is of.
const LABEL: usize = 8;

pub(super) fn draw(it: &Ilp, frame: &mut Frame, area: Rect, look: &Look) {
    drawing(it, look, area.width).0.draw(frame, area);
}

/// Rows it needs at a width.
pub(super) fn height(it: &Ilp, width: u16) -> u16 {
    super::super::plain(|look| drawing(it, look, width).0.len())
}

/// What a click in a cell meets.
pub(super) fn hit(it: &Ilp, at: (u16, u16), width: u16) -> Option<Hit<Field>> {
    let fields = super::super::plain(|look| drawing(it, look, width).1);
    CONTROLS.hit(&fields, it.panel.chosen, at)
}

fn drawing<'l>(it: &Ilp, look: &'l Look<'l>, width: u16) -> (Sheet<'l>, Vec<(Field, u16)>) {
    let chains = &it.panel.dials;
    let (mut sheet, mut fields) = (Sheet::new(look, width), Vec::new());
    sheet.title(&t!("ilp-what"), vec![look.span(Meaning::Accent, recorded(chains))]);
    for &field in Chains::FIELDS {
        fields.push((field, sheet.len()));
        let (name, value) = match field {
            Field::Sums => (t!("ilp-sums"), chains.sums),
            Field::Warps => (t!("ilp-warps"), chains.warps),
        };
        sheet.row(CONTROLS.row(look, field == it.panel.chosen, &name, &value.to_string()));
    }
    for chain in chains.points() {
        let said = speed(chains, &chain);
        let chosen = chain.sums == chains.sums;
        let meaning = if chosen { Meaning::Strong } else { Meaning::Muted };
        let mut row = vec![look.span(meaning, format!("     {}", pad(&t!("ilp-bar", n = chain.sums), LABEL)))];
        let room = usize::from(width).saturating_sub(5 + LABEL + said.width() + 4);
        row.extend(look.bar(chain.fma_per_cycle / f64::from(chains.most()), room as u16));
        row.push(look.span(meaning, format!("  {said}")));
        sheet.row(row);
    }
    for said in words(chains) {
        sheet.text(Meaning::Text, &said);
    }
    if let Some(known) = &chains.known {
        sheet.text(Meaning::Muted, &t!("ilp-source", date = known.date.as_str(), driver = known.driver.as_str()));
    }
    (sheet, fields)
}

fn recorded(chains: &Chains) -> String {
    let device = chains.known.as_ref().map_or_else(String::new, |known| known.device.clone());
    t!("ilp-recorded", device = device)
}

fn speed(chains: &Chains, chain: &Chain) -> String {
    t!("ilp-of", n = format!("{:.1}", chain.fma_per_cycle), most = chains.most())
}

/// Why it is as fast as it is.
fn words(chains: &Chains) -> Vec<String> {
    let mut said = Vec::new();
    if chains.busy() < SCHEDULERS {
        said.push(t!("ilp-idle", n = chains.busy(), all = SCHEDULERS));
    }
    let takes = chains.known.as_ref().map_or(0.0, |known| known.summary.dependent_fma);
    said.push(t!("ilp-independent", n = chains.independent(), takes = format!("{takes:.0}")));
    said
}

/// The picture in sentences.
pub(super) fn sentences(chains: &Chains) -> Vec<String> {
    let mut all = vec![format!("{}, {}.", t!("ilp-what"), recorded(chains)), t!("ilp-said", n = chains.warps)];
    all.extend(chains.points().iter().map(|chain| format!("{}: {}.", t!("ilp-bar", n = chain.sums), speed(chains, chain))));
    all.extend(chains.point().map(|_| words(chains)).unwrap_or_default());
    all
}
