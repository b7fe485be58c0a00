/*! Draws the picture:

```text
 blocks of 32 share a scale                            4.25 bits per number
 ▸ format         MXFP4 ◂▸
   number             2
   value           -1.2
 The largest magnitude is 6.5, and the largest E2M1 number is 6. Their exponents
 give the scale 1, stored as 01111111.
       value   / scale    stored   becomes
         0.3       0.3    0 00 1       0.5 off by 66.7 %
 ▸      -1.2      -1.2    1 01 0        -1 off by 16.7 %
   …
```
*/

use super::{BlockScales, Control};
use crate::formats::{self, lost};
use crate::prelude::*;
use tutor_course::BlockFormat;
use tutor_support::figures::percent;

/// Returns a number with five significant digits.
fn number(value: f64) -> String {
    formats::number(format!("{value:.4e}").parse().unwrap_or(value))
}

/// Cells of a column.
const CELL: usize = 10;
/// Relative error of a number that is shown as exact: a product of scales in FP32 may miss it.
const EXACT: f64 = 1e-6;

impl DrawControls for BlockScales {
    const KIND: &str = "block-scales";
    const LAYOUT: ControlLayout = ControlLayout { label: 8, value: 12 };

    fn draw(&self, rows: &mut Rows<Control>) {
        let look = rows.look;
        let (name, size, bits) = match self.format {
            BlockFormat::Mxfp4 => ("MXFP4", 32, "4.25"),
            BlockFormat::Nvfp4 => ("NVFP4", 16, "4.5"),
            BlockFormat::Mxfp8 => ("MXFP8", 32, "8.25"),
        };
        let bits = look.span(Meaning::Accent, t!("block-scales-bits", bits));
        rows.title(&t!("block-scales-what", size), vec![bits]);
        rows.number(Control::Format, &t!("block-scales-format"), name, Vec::new());
        rows.number(Control::Number, &t!("block-scales-number"), &(self.at + 1).to_string(), Vec::new());
        let value = self.values.get(self.at).copied().unwrap_or(0.0);
        rows.number(Control::Value, &t!("block-scales-value"), &number(value), Vec::new());
        let scale = self.scale();
        let (most, element, top) = (number(self.most()), self.element().name(), number(self.element().largest()));
        let (value, bits) = (number(scale.value), scale.bits.as_str());
        let sentence = match scale.parts {
            None => t!("block-scales-power", most, element, top, value, bits),
            Some([stored, matrix]) => {
                t!(
                    "block-scales-fine",
                    most,
                    element,
                    top,
                    value,
                    bits,
                    stored = number(stored),
                    matrix = number(matrix)
                )
            }
        };
        rows.text(Meaning::Text, &sentence);
        let heads = [
            t!("block-scales-value"),
            t!("block-scales-divided"),
            t!("block-scales-stored"),
            t!("block-scales-becomes"),
        ];
        let mut head = vec![Span::raw("  ")];
        // Ten digits and spaces fill a cell, so theirs has one more.
        let widths = [CELL, CELL, CELL + 1, CELL];
        head.extend(heads.iter().zip(widths).map(|(head, width)| look.span(Meaning::Muted, pad_left(head, width))));
        rows.row(head);
        for (at, value) in self.values.iter().enumerate() {
            let stored = self.stored(*value, &scale);
            let becomes = stored * scale.value;
            let divided = if scale.value == 0.0 { "-".to_owned() } else { number(value / scale.value) };
            let off = lost(becomes, *value);
            let off = if off < EXACT { String::new() } else { t!("block-scales-off", share = percent(off)) };
            let meaning = if at == self.at { Meaning::Strong } else { Meaning::Text };
            rows.row(vec![
                Span::raw(" "),
                look.cursor(at == self.at),
                look.span(meaning, pad_left(&number(*value), CELL - 1)),
                look.span(meaning, pad_left(&divided, CELL)),
                look.span(Meaning::MatrixB, pad_left(&self.element().digits(stored).join(" "), CELL + 1)),
                look.span(meaning, format!("{} ", pad_left(&number(becomes), CELL))),
                look.span(Meaning::Warning, off),
            ]);
        }
    }
}
