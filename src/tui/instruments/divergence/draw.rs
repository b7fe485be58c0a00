/*! The picture.

```text
 if (lane % 2)                                        issued: 79 instructions
 ▸ condition     lane % 2 ◂▸
   then, steps          8
   else, steps          8
               0       8       16      24      31
   then        ·█·█·█·█·█·█·█·█·█·█·█·█·█·█·█·█·█·█    8 issued for 16 lanes
   else        █·█·█·█·█·█·█·█·█·█·█·█·█·█·█·█·█·█·    8 issued for 16 lanes
 Both sides are issued, one after the other. …
```
*/

use super::super::control::{Controls, Dials, Hit};
use super::super::sheet::{Cells, Sheet};
use super::Divergence;
use super::model::{Branch, Field, Issued};
use crate::t;
use crate::tui::look::{Look, pad};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Span;

const CONTROLS: Controls = Controls { label: 12, value: 14 };
/// Cells left of the lanes.
const LEFT: usize = 9;

pub(super) fn draw(it: &Divergence, frame: &mut Frame, area: Rect, look: &Look) {
    drawing(it, look, area.width).0.draw(frame, area);
}

/// Rows it needs at a width.
pub(super) fn height(it: &Divergence, width: u16) -> u16 {
    super::super::plain(|look| drawing(it, look, width).0.len())
}

/// What a click in a cell meets.
pub(super) fn hit(it: &Divergence, at: (u16, u16), width: u16) -> Option<Hit<Field>> {
    let fields = super::super::plain(|look| drawing(it, look, width).1);
    CONTROLS.hit(&fields, it.panel.chosen, at)
}

fn drawing<'l>(it: &Divergence, look: &'l Look<'l>, width: u16) -> (Sheet<'l>, Vec<(Field, u16)>) {
    let branch = &it.panel.dials;
    let (mut sheet, mut fields) = (Sheet::new(look, width), Vec::new());
    let result = match branch.issued.as_ref() {
        Ok(issued) => look.span(Meaning::Accent, t!("divergence-issued", n = issued.all)),
        Err(_) => look.span(Meaning::Wrong, t!("divergence-no-condition")),
    };
    sheet.title(&format!("if ({})", branch.condition()), vec![result]);
    for &field in Branch::FIELDS {
        fields.push((field, sheet.len()));
        let (name, value) = match field {
            Field::Condition => (t!("divergence-condition"), branch.condition().to_owned()),
            Field::Then => (t!("divergence-then-steps"), branch.steps[0].to_string()),
            Field::Else => (t!("divergence-else-steps"), branch.steps[1].to_string()),
        };
        match &it.edit {
            Some((text, _)) if field == Field::Condition => {
                let (before, at, behind) = text.parts();
                let style = look.style(Meaning::Field).add_modifier(Modifier::REVERSED);
                sheet.row(vec![
                    look.span(Meaning::Strong, format!("   {}", pad(&name, CONTROLS.label))),
                    look.span(Meaning::Field, format!(" {before}")),
                    Span::styled(if at.is_empty() { " ".to_owned() } else { at.to_owned() }, style),
                    look.span(Meaning::Field, behind.to_owned()),
                    look.span(Meaning::Muted, format!("  {}", t!("divergence-names"))),
                ]);
            }
            _ => sheet.row(CONTROLS.row(look, field == it.panel.chosen, &name, &value)),
        }
    }
    match branch.issued.as_ref() {
        Ok(issued) => sides(branch, issued, &mut sheet),
        Err(why) => sheet.text(Meaning::Wrong, &format!("{} {why}", look.sign("✘", "x"))),
    }
    (sheet, fields)
}

/// The lanes of each side, and what is issued for them.
fn sides(branch: &Branch, issued: &Issued, sheet: &mut Sheet) {
    let look = sheet.look;
    let axis = "0       8       16      24     31";
    sheet.row(vec![look.span(Meaning::Muted, format!("{}{axis}", " ".repeat(LEFT)))]);
    let names = [t!("divergence-then"), t!("divergence-else")];
    for (side, name) in names.into_iter().enumerate() {
        let (lanes, meaning) = (branch.lanes()[side], [Meaning::MatrixA, Meaning::MatrixB][side]);
        let mut cells = Cells::new();
        cells.push(&format!("   {}", pad(&name, LEFT - 3)), look.style(Meaning::Strong));
        for lane in 0..32 {
            let (sign, meaning) = if lanes >> lane & 1 == 1 {
                (look.sign("█", "#"), meaning)
            } else {
                (look.sign("·", "."), Meaning::BarEmpty)
            };
            cells.push(sign, look.style(meaning));
        }
        let mut row = cells.done();
        let said = t!("divergence-side", n = issued.sides[side], lanes = lanes.count_ones());
        row.push(look.span(Meaning::Muted, format!("  {said}")));
        sheet.row(row);
    }
    for said in words(branch, issued) {
        sheet.text(Meaning::Text, &said);
    }
}

/// What the branch costs.
fn words(branch: &Branch, issued: &Issued) -> Vec<String> {
    let [then, other] = issued.alone;
    let way = match branch.lanes() {
        [0, _] | [_, 0] => t!("divergence-one-way"),
        _ if issued.sides.contains(&0) => t!("divergence-one-empty"),
        _ => t!("divergence-both"),
    };
    vec![way, t!("divergence-alone", all = issued.all, then = then, other = other)]
}

/// The picture in sentences.
pub(super) fn sentences(branch: &Branch) -> Vec<String> {
    let said = t!(
        "divergence-said",
        condition = branch.condition(),
        then = branch.steps[0],
        other = branch.steps[1]
    );
    let mut all = vec![said];
    match branch.issued.as_ref() {
        Ok(issued) => {
            for (side, name) in [t!("divergence-then"), t!("divergence-else")].into_iter().enumerate() {
                let lanes = branch.lanes()[side].count_ones();
                all.push(format!("{name}: {}.", t!("divergence-side", n = issued.sides[side], lanes = lanes)));
            }
            all.extend(words(branch, issued));
        }
        Err(why) => all.push(why.clone()),
    }
    all
}
