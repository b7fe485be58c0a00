/*! Draws the picture:

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

use super::{Control, Divergence, Issued};
use crate::prelude::*;
use ui_kit::field::Field;
use ui_kit::keys::{KeyCode, KeyEvent};

/// Cells to the left of the lanes.
const LEFT: usize = 9;

impl DrawControls for Divergence {
    const KIND: &str = "divergence";
    const LAYOUT: ControlLayout = ControlLayout { label: 12, value: 14 };

    fn actions(&self, mut controls: Vec<Action>) -> Vec<Action> {
        if self.editing() {
            return self.taken.is_ok().then_some(Action::TakeExpression).into_iter().collect();
        }
        controls.push(Action::Expression);
        controls
    }

    fn perform(&mut self, action: Action) -> Option<Control> {
        if action == Action::TakeExpression {
            self.edit = None;
            return None;
        }
        let condition = self.condition().to_owned();
        self.edit = Some((Field::replacing(condition.clone()), condition));
        Some(Control::Condition)
    }

    fn editing(&self) -> bool {
        self.edit.is_some()
    }

    /// Handles a key for the condition, which the picture follows. Enter accepts a valid condition, Esc restores the
    /// old one.
    fn key(&mut self, key: KeyEvent) {
        let Some((text, before)) = &mut self.edit else { return };
        match key.code {
            KeyCode::Enter if self.taken.is_ok() => self.edit = None,
            KeyCode::Enter => {}
            KeyCode::Esc => {
                let before = std::mem::take(before);
                self.edit = None;
                self.set_condition(&before);
            }
            _ => {
                text.key(key);
                let text = text.text().to_owned();
                if text != self.condition() {
                    self.set_condition(&text);
                }
            }
        }
    }

    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        let result = match self.issued.as_ref() {
            Ok(issued) => look.span(Meaning::Accent, t!("divergence-issued", n = issued.all)),
            Err(_) => look.span(Meaning::Wrong, t!("divergence-no-condition")),
        };
        rows.title(&format!("if ({})", self.condition()), vec![result]);
        for &control in Self::CONTROLS {
            let (name, value) = match control {
                Control::Condition => (t!("divergence-condition"), self.condition().to_owned()),
                Control::Then => (t!("divergence-then-steps"), self.steps[0].to_string()),
                Control::Else => (t!("divergence-else-steps"), self.steps[1].to_string()),
            };
            match &self.edit {
                Some((text, _)) if control == Control::Condition => {
                    let label = look.span(Meaning::Strong, format!("   {}", pad(&name, Self::LAYOUT.label)));
                    let mut row = vec![label, look.span(Meaning::Field, " ")];
                    row.extend(text.pieces(true, look));
                    row.push(look.span(Meaning::Muted, format!("  {}", t!("divergence-names"))));
                    rows.typed(control, row);
                }
                _ => rows.number(control, &name, &value, Vec::new()),
            }
        }
        match self.issued.as_ref() {
            Ok(issued) => sides(self, issued, rows),
            Err(why) => rows.error(why),
        }
    }
}

/// Draws the lanes of each side and how many instructions the warp issues for them.
fn sides(branch: &Divergence, issued: &Issued, sheet: &mut Sheet) {
    let look = sheet.look;
    let axis = "0       8       16      24     31";
    sheet.drawn(vec![look.span(Meaning::Muted, format!("{}{axis}", " ".repeat(LEFT)))]);
    let names = [t!("divergence-then"), t!("divergence-else")];
    for (side, name) in names.into_iter().enumerate() {
        let (lanes, meaning) = (branch.lanes()[side], [Meaning::MatrixA, Meaning::MatrixB][side]);
        let mut cells = Cells::default();
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
        let text = t!("divergence-side", n = issued.sides[side], lanes = lanes.count_ones());
        row.push(look.span(Meaning::Muted, format!("  {text}")));
        sheet.row(row);
    }
    for sentence in words(branch, issued) {
        sheet.text(Meaning::Text, &sentence);
    }
}

fn words(branch: &Divergence, issued: &Issued) -> Vec<String> {
    let [then, other] = issued.alone;
    let way = match branch.lanes() {
        [0, _] | [_, 0] => t!("divergence-one-way"),
        _ if issued.sides.contains(&0) => t!("divergence-one-empty"),
        _ => t!("divergence-both"),
    };
    vec![way, t!("divergence-alone", all = issued.all, then, other), t!("divergence-step", n = issued.step)]
}
