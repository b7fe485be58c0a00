/*! The picture.

```text
 257 · 16                                       FP32, TF32, FP16 and BF16
 ▸ x           257 ◂▸
   FP32  0 10000111 00000001000000000000000  257
   BF16  0 10000111 0000000                  256  lost 0.39 %
   y            16
   …
 ─ x · y ────────────────────────────────────────────────────────────────
   FP32  4 112
   BF16  4 096   lost 0.39 %
```
*/

use super::super::control::{Controls, Hit};
use super::super::sheet::Sheet;
use super::Formats;
use super::model::{FORMATS, Format, SIX, SUMMED, lost, parts};
use crate::figures::percent;
use crate::t;
use crate::tui::look::{Look, pad};
use crate::tui::theme::Meaning;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Span;

const CONTROLS: Controls = Controls { label: 2, value: 12 };
/// Cells of sign, exponent and fraction at most.
const DIGITS: usize = 34;
/// Cells from which on numbers and losses stand in columns.
const COLUMNS: u16 = 72;
/// Share below which nothing is said to be lost.
const EXACT: f64 = 1e-12;

pub(super) fn draw(it: &Formats, frame: &mut Frame, area: Rect, look: &Look) {
    drawing(it, look, area.width).0.draw(frame, area);
}

/// Rows it needs at a width.
pub(super) fn height(it: &Formats, width: u16) -> u16 {
    super::super::plain(|look| drawing(it, look, width).0.len())
}

/// The factor at a cell.
pub(super) fn hit(it: &Formats, at: (u16, u16), width: u16) -> Option<Hit<usize>> {
    let rows = super::super::plain(|look| drawing(it, look, width).1);
    CONTROLS.hit(&rows, it.panel.chosen, at)
}

/// The rows, and on which of them each factor stands.
fn drawing<'l>(it: &Formats, look: &'l Look<'l>, width: u16) -> (Sheet<'l>, Vec<(usize, u16)>) {
    let (mut sheet, mut rows) = (Sheet::new(look, width), Vec::new());
    let (factors, chosen) = (&it.panel.dials, it.panel.chosen);
    let both = format!("{} · {}", number(factors.get(0)), number(factors.get(1)));
    sheet.title(&both, vec![look.span(Meaning::Muted, t!("formats-parts"))]);
    for (which, name) in ["x", "y"].into_iter().enumerate() {
        rows.push((which, sheet.len()));
        let value = factors.get(which);
        sheet.row(CONTROLS.row(look, which == chosen, name, &number(value)));
        // The digits of the factor that the keys change; the other one is one row.
        if which == chosen && it.parts {
            let float = Format::Fp32.holds(value);
            sheet.row(digits(Format::Fp32.name(), Format::Fp32, float, width, look));
            for (at, part) in parts(value).into_iter().enumerate() {
                sheet.row(digits(&pad(&named(name, at, look), 4), Format::Bf16, part, width, look));
            }
        } else if which == chosen {
            for format in FORMATS {
                sheet.row(digits(format.name(), format, value, width, look));
            }
        }
    }
    if it.parts {
        products(it, &mut sheet);
        return (sheet, rows);
    }
    sheet.rule("x · y");
    let should = factors.get(0) * factors.get(1);
    for format in FORMATS {
        let product = factors.product(format);
        let mut row = vec![look.span(Meaning::Strong, format!("   {} ", format.name()))];
        row.push(look.span(Meaning::Text, pad(&number(product), 14)));
        row.push(loss(product, should, look));
        sheet.row(row);
    }
    sheet.text(Meaning::Muted, &t!("formats-sum"));
    (sheet, rows)
}

/// The nine products of parts by their size, those marked that are summed, and what sums of 1, 3, 6 and 9 lose.
fn products(it: &Formats, sheet: &mut Sheet<'_>) {
    const CELL: usize = 10;
    let look = sheet.look;
    sheet.rule("x · y");
    let factors = &it.panel.dials;
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
            look.span(Meaning::Strong, format!("   {} ", pad(&t!("formats-products", count = count), 11))),
            look.span(Meaning::Text, pad(&number(sum), 14)),
            loss(sum, factors.exact(), look),
        ]);
    }
    sheet.text(Meaning::Muted, &format!("{} {}", look.sign("●", "*"), t!("formats-summed")));
}

/// `x₁`: a part of a factor, by its place from 0 on.
fn named(factor: &str, at: usize, look: &Look) -> String {
    let sign = look.sign(["₁", "₂", "₃"][at % 3], ["1", "2", "3"][at % 3]);
    format!("{factor}{sign}")
}

/// A product of parts over the whole product, as a power of two.
fn size(product: f64, whole: f64) -> String {
    if product == 0.0 || whole == 0.0 { "0".to_owned() } else { format!("2^{:.0}", (product / whole).abs().log2()) }
}

/// Sign, exponent and fraction, what they stand for, and what is lost; where it is narrow, without columns, and a loss
/// only if it has room.
fn digits(name: &str, format: Format, value: f64, width: u16, look: &Look) -> Vec<Span<'static>> {
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

/// What is lost of a number, if anything.
fn loss(is: f64, should: f64, look: &Look) -> Span<'static> {
    let lost = lost(is, should);
    if exact(lost) { Span::raw("") } else { look.span(Meaning::Warning, said(lost)) }
}

/// Whether there is nothing to say of a loss; what is no number has lost its size.
fn exact(lost: f64) -> bool {
    lost.is_nan() || lost < EXACT
}

/// A share that is lost.
fn said(lost: f64) -> String {
    if lost.is_infinite() {
        t!("formats-overflow")
    } else if lost < 1e-4 {
        t!("formats-lost", share = format!("{lost:.1e}"))
    } else {
        t!("formats-lost", share = percent(lost))
    }
}

/// A number with as many digits as tell it from its neighbours.
pub(super) fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size.is_infinite() => t!("formats-infinity"),
        size if !(1e-4..1e7).contains(&size) => format!("{value:.3e}"),
        size if size.fract() == 0.0 => format!("{value}"),
        size => {
            let said = if size < 10.0 { format!("{value:.7}") } else { format!("{value:.4}") };
            said.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

/// The picture in sentences.
pub(super) fn sentences(it: &Formats) -> Vec<String> {
    let mut all = Vec::new();
    for (which, name) in ["x", "y"].into_iter().enumerate() {
        let value = it.panel.dials.get(which);
        all.push(format!("{name} = {}.", number(value)));
        if it.parts {
            for (at, part) in parts(value).into_iter().enumerate() {
                let [sign, exponent, fraction] = Format::Bf16.digits(part);
                all.push(format!("{name}{}: {sign} {exponent} {fraction}: {}.", at + 1, number(part)));
            }
            continue;
        }
        for format in FORMATS {
            let held = format.holds(value);
            let [sign, exponent, fraction] = format.digits(held);
            let lost = lost(held, value);
            let lost = if exact(lost) { String::new() } else { format!(", {}", said(lost)) };
            all.push(format!("{}: {sign} {exponent} {fraction}: {}{lost}.", format.name(), number(held)));
        }
    }
    if it.parts {
        let factors = &it.panel.dials;
        let [x, y] = [0, 1].map(|which| parts(factors.get(which)));
        for (i, x) in x.into_iter().enumerate() {
            for (j, y) in y.into_iter().enumerate() {
                let mark = if i + j <= SIX { "*" } else { "" };
                all.push(format!("x{} · y{}: {}{mark}.", i + 1, j + 1, size(x * y, factors.exact())));
            }
        }
        all.push(format!("* {}", t!("formats-summed")));
        for (count, most) in SUMMED {
            let lost = lost(factors.of_parts(most), factors.exact());
            let lost = if exact(lost) { String::new() } else { format!(", {}", said(lost)) };
            let sum = number(factors.of_parts(most));
            all.push(format!("{}: {sum}{lost}.", t!("formats-products", count = count)));
        }
        return all;
    }
    let should = it.panel.dials.get(0) * it.panel.dials.get(1);
    for format in FORMATS {
        let product = it.panel.dials.product(format);
        let lost = lost(product, should);
        let lost = if exact(lost) { String::new() } else { format!(", {}", said(lost)) };
        all.push(format!("x · y, {}: {}{lost}.", format.name(), number(product)));
    }
    all.push(t!("formats-sum"));
    all
}
