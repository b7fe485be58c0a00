/*! Draws the picture:

```text
 257 · 16                                       FP32, TF32, FP16 and BF16
 ▸ x           257 ◂▸
   FP32  0 10000111 00000001000000000000000  257
   BF16  0 10000111 0000000                  256  lost 0.39 %
   y            16
   …
 ─ x · y ────────────────────────────────────────────────────────────────
   FP32  4112
   BF16  4096   lost 0.39 %
```
*/

use super::{FloatFormat, Formats, KEPT, SIX, SUMMED, lost, parts};
use crate::prelude::*;
use tutor_support::figures::percent;

/// Maximum cells of sign, exponent and fraction together.
const DIGITS: usize = 34;
/// Width from which numbers and losses are in columns.
const COLUMNS: u16 = 72;
/// Relative error below which a value counts as exact.
const EXACT: f64 = 1e-12;

impl DrawControls for Formats {
    const KIND: &str = "formats";
    const LAYOUT: ControlLayout = ControlLayout { label: 2, value: 12 };

    fn draw(&self, rows: &mut Rows<usize>) {
        let (look, width) = (rows.look, rows.width);
        if self.sum {
            return sum(self, rows);
        }
        let both = format!("{} · {}", number(self.get(0)), number(self.get(1)));
        rows.title(&both, vec![look.span(Meaning::Muted, t!("formats-parts"))]);
        for (which, name) in ["x", "y"].into_iter().enumerate() {
            let value = self.get(which);
            rows.number(which, name, &number(value), Vec::new());
            // Only the selected factor shows its digits; the other one takes one row.
            if which != rows.chosen {
                continue;
            }
            if self.parts {
                rows.row(digits(
                    FloatFormat::Fp32.name(),
                    FloatFormat::Fp32,
                    FloatFormat::Fp32.holds(value),
                    width,
                    look,
                ));
                for (at, part) in parts(value).into_iter().enumerate() {
                    rows.row(digits(&pad(&named(name, at, look), 4), FloatFormat::Bf16, part, width, look));
                }
            } else {
                for format in self.formats {
                    rows.row(digits(format.name(), format, value, width, look));
                }
            }
        }
        rows.rule("x · y");
        if self.parts {
            return products(self, rows);
        }
        let should = self.get(0) * self.get(1);
        for format in self.formats {
            let product = self.product(format);
            rows.row(vec![
                look.span(Meaning::Strong, format!("   {} ", format.name())),
                look.span(Meaning::Text, pad(&number(product), 14)),
                loss(product, should, look),
            ]);
        }
        rows.text(Meaning::Muted, &t!("formats-sum"));
    }

    fn signs(&self) -> Vec<(&'static str, String)> {
        if self.sum {
            return vec![("|", t!("formats-kept"))];
        }
        let mut signs = vec![("0 01111 000", t!("formats-parts"))];
        signs.extend(self.parts.then(|| ("●", t!("formats-summed"))));
        signs
    }
}

/// Shows two numbers in binary, as a tensor core aligns them, and how much of the smaller one it adds.
fn sum(terms: &Formats, rows: &mut Rows<usize>) {
    let look = rows.look;
    let [x, y] = [0, 1].map(|which| terms.get(which));
    rows.title(&format!("{} + {}", number(x), number(y)), vec![look.span(Meaning::Muted, t!("formats-kept"))]);
    for (which, name) in ["x", "y"].into_iter().enumerate() {
        rows.number(which, name, &number(terms.get(which)), Vec::new());
        let [kept, dropped] = terms.binary(which);
        rows.row(vec![
            look.span(Meaning::MatrixB, format!("   {kept}")),
            look.span(Meaning::Text, "|"),
            look.span(Meaning::Muted, dropped),
        ]);
    }
    rows.rule("x + y");
    let smaller = usize::from(y.abs() < x.abs());
    for kept in KEPT {
        let aligned = terms.aligned(kept);
        let added = t!("formats-added", part = number(aligned[smaller]), whole = number(terms.get(smaller)));
        rows.row(vec![
            look.span(Meaning::Strong, format!("   {} ", pad(&t!("formats-bits", count = kept), 8))),
            look.span(Meaning::Text, pad(&number(aligned[0] + aligned[1]), 14)),
            look.span(if aligned[smaller] == terms.get(smaller) { Meaning::Text } else { Meaning::Warning }, added),
        ]);
    }
}

/// Shows the sizes of the nine products of parts, marks those that are summed, and lists what sums of 1, 3, 6 and 9
/// lose.
fn products(factors: &Formats, sheet: &mut Sheet<'_>) {
    const CELL: usize = 10;
    let look = sheet.look;
    let [x, y] = [0, 1].map(|which| parts(factors.get(which)));
    let mut heads = vec![Span::raw(" ".repeat(6))];
    heads.extend((0..3).map(|at| look.span(Meaning::MatrixB, pad(&named("y", at, look), CELL))));
    sheet.row(heads);
    for (i, x) in x.into_iter().enumerate() {
        let mut row = vec![look.span(Meaning::MatrixA, format!("   {} ", named("x", i, look)))];
        for (j, y) in y.into_iter().enumerate() {
            let kept = i + j <= SIX;
            let mark = if kept { look.span(Meaning::Right, look.sign("●", "*").to_owned()) } else { Span::raw(" ") };
            let meaning = if kept { Meaning::Text } else { Meaning::Muted };
            row.extend([mark, look.span(meaning, format!(" {}", pad(&size(x * y, factors.exact()), CELL - 2)))]);
        }
        sheet.row(row);
    }
    for (count, most) in SUMMED {
        let sum = factors.of_parts(most);
        sheet.row(vec![
            look.span(Meaning::Strong, format!("   {} ", pad(&t!("formats-products", count), 11))),
            look.span(Meaning::Text, pad(&number(sum), 14)),
            loss(sum, factors.exact(), look),
        ]);
    }
    sheet.text(Meaning::Muted, &format!("{} {}", look.sign("●", "*"), t!("formats-summed")));
}

/// Returns the name of a factor's part by its index: `x₁` for 0.
fn named(factor: &str, at: usize, look: &Look) -> String {
    let sign = look.sign(["₁", "₂", "₃"][at % 3], ["1", "2", "3"][at % 3]);
    format!("{factor}{sign}")
}

/// Returns the ratio of a product of parts to the whole product, as a power of two.
fn size(product: f64, whole: f64) -> String {
    if product == 0.0 || whole == 0.0 { "0".to_owned() } else { format!("2^{:.0}", (product / whole).abs().log2()) }
}

/// Returns the digits of `value` in a format, the value they represent, and the loss.
///
/// A narrow row has no columns, and it shows the loss only if there is room.
fn digits(name: &str, format: FloatFormat, value: f64, width: u16, look: &Look) -> Vec<Span<'static>> {
    let held = format.holds(value);
    let [sign, exponent, fraction] = format.digits(held);
    let used = sign.len() + exponent.len() + fraction.len() + 2;
    let blank = if width < COLUMNS { 0 } else { DIGITS.saturating_sub(used) };
    let mut row = vec![
        look.span(Meaning::Strong, format!("   {name} ")),
        look.span(Meaning::Text, format!("{sign} ")),
        look.span(Meaning::MatrixA, format!("{exponent} ")),
        look.span(Meaning::MatrixB, format!("{fraction}{}", " ".repeat(blank))),
        look.span(Meaning::Text, format!(" {} ", number(held))),
    ];
    let loss = loss(held, value, look);
    if row.iter().map(Span::width).sum::<usize>() + loss.width() <= width.into() {
        row.push(loss);
    }
    row
}

/// Returns the loss as text; empty if there is none.
fn loss(is: f64, should: f64, look: &Look) -> Span<'static> {
    let lost = lost(is, should);
    if exact(lost) { Span::raw("") } else { look.span(Meaning::Warning, loss_words(lost)) }
}

/// True if a loss is not worth showing. NaN counts as exact.
fn exact(lost: f64) -> bool {
    lost.is_nan() || lost < EXACT
}

/// Returns a relative loss as text.
fn loss_words(lost: f64) -> String {
    if lost.is_infinite() {
        t!("formats-overflow")
    } else if lost < 1e-4 {
        t!("formats-lost", share = format!("{lost:.1e}"))
    } else {
        t!("formats-lost", share = percent(lost))
    }
}

/// Returns a number with enough digits to distinguish it from its neighbours.
pub(crate) fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size.is_infinite() => t!("formats-infinity"),
        size if !(1e-4..1e7).contains(&size) => format!("{value:.3e}"),
        size if size.fract() == 0.0 => format!("{value}"),
        size => {
            let text = if size < 10.0 { format!("{value:.7}") } else { format!("{value:.5}") };
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}
