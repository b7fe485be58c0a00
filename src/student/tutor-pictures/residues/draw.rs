/*! Draws the picture of an integer:

```text
 P = 7 · 9 · 10 = 630                                      from -315 to 314
 ▸ x                        400 ◂▸
   step                       1
   moduli                     3    not used: 11
       p  x mod p  P/p  q  d  d · P/p
       7        1   90  6  6      540
       9        4   70  4  7      490
      10        0   63  7  0        0
 q is the inverse of P/p modulo p. d = q · x modulo p.
 Sum for x: 1030
 1030 - 2 · 630 = -230
 ✘ x is out of range. Its result -230 is 400 - 1 · P.
```

and of a product, from the third row on:

```text
 exact   [ 48 -28;  20  36] · [ 3  8; -6 11] = [ 312   76; -156  556]
 mod 7   [ -1   0;  -1   1] · [ 3  1;  1 -3] = [  -3   -1;   -2    3]
 mod 9   [  3  -1;   2   0] · [ 3 -1;  3  2] = [  -3    4;   -3   -2]
 result                                        [  -3   13;  -30  -11]
```
*/

use super::{Control, Matrix, Residues};
use crate::ozaki::product;
use crate::prelude::*;

/// Cells of the label of a row.
const LABEL: usize = 8;

impl DrawControls for Residues {
    const KIND: &str = "residues";
    const LAYOUT: ControlLayout = ControlLayout { label: 10, value: 18 };

    fn draw(&self, rows: &mut Rows<Control>) {
        let (look, used, all) = (rows.look, self.used(), product(self.used()));
        let range = t!("residues-range", least = number(-(all / 2)), most = number(all - all / 2 - 1));
        let (short, whole) = (format!("P = {}", number(all)), format!("P = {} = {}", list(used, " · "), number(all)));
        let cells = |title: &str, range: &str| title.width() + range.width() + if range.is_empty() { 2 } else { 3 };
        let choices = [(&whole, range.as_str()), (&short, &range), (&whole, "")];
        let fits = choices.into_iter().find(|(title, range)| cells(title, range) <= rows.width.into());
        let (title, range) = fits.unwrap_or((&short, ""));
        rows.title(title, vec![look.span(Meaning::Accent, range.to_owned())]);
        let (subject, value) = match self.factors {
            None => ("x".to_owned(), number(self.value.into())),
            Some(_) => (t!("residues-element"), self.named(self.element)),
        };
        rows.number(Control::Subject, &subject, &value, Vec::new());
        let size = if self.factors.is_some() { t!("residues-factor") } else { t!("residues-step") };
        rows.number(Control::Size, &size, &number(self.size.into()), Vec::new());
        let left = &self.moduli[used.len()..];
        let left = if left.is_empty() { String::new() } else { t!("residues-left", moduli = list(left, ", ")) };
        rows.number(
            Control::Used,
            &t!("residues-moduli"),
            &used.len().to_string(),
            vec![look.span(Meaning::Warning, left)],
        );
        if self.factors.is_some() {
            products(self, rows);
        } else {
            terms(self, rows);
        }
        put_together(self, rows);
    }
}

impl Residues {
    /// Returns the name of an element of C, or of the integer.
    fn named(&self, at: usize) -> String {
        let columns = self.columns();
        if self.factors.is_some() { format!("C[{}][{}]", at / columns, at % columns) } else { "x".to_owned() }
    }
}

fn number(value: i128) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(value.unsigned_abs() as u64))
}

fn list(moduli: &[u32], between: &str) -> String {
    moduli.iter().map(u32::to_string).collect::<Vec<_>>().join(between)
}

/// Shows each modulus's part of an integer.
fn terms(picture: &Residues, sheet: &mut Sheet) {
    let look = sheet.look;
    let results = picture.results();
    let Some(result) = results.first() else { return };
    let mut table = vec![["p", "x mod p", "P/p", "q", "d", "d · P/p"].map(str::to_owned)];
    for (p, term) in picture.used().iter().zip(&result.terms) {
        let residue = crate::ozaki::residue(picture.value.into(), *p);
        let parts = [residue, term.others, term.inverse, term.digit, term.digit * term.others].map(number);
        let [residue, others, inverse, digit, part] = parts;
        table.push([p.to_string(), residue, others, inverse, digit, part]);
    }
    let widths: [usize; 6] = std::array::from_fn(|at| table.iter().map(|row| row[at].width()).max().unwrap_or(0));
    for (at, row) in table.iter().enumerate() {
        let cells = row.iter().zip(widths).map(|(cell, width)| pad_left(cell, width + 2));
        let meanings = if at == 0 { [Meaning::Muted; 6] } else { MEANINGS };
        let lead = Span::raw("    ");
        sheet.row(
            [lead].into_iter().chain(cells.zip(meanings).map(|(cell, meaning)| look.span(meaning, cell))).collect(),
        );
    }
    sheet.text(Meaning::Muted, &t!("residues-digit"));
}

/// The meanings of the columns of a modulus.
const MEANINGS: [Meaning; 6] =
    [Meaning::Strong, Meaning::MatrixA, Meaning::Text, Meaning::Text, Meaning::MatrixB, Meaning::Text];

/// A row of the product: its label, A and B if they are shown, and C.
type Product = (String, Option<[Matrix; 2]>, Matrix);

/// How much of a product is shown: all, what makes the selected element, all of C, or that element.
const DETAILS: [(Option<Part>, Part); 4] = [
    (Some(Part::Whole), Part::Whole),
    (Some(Part::Element), Part::Element),
    (None, Part::Whole),
    (None, Part::Element),
];

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Whole,
    Element,
}

/// Shows the product, its residues by each modulus, and what is put together from these.
fn products(picture: &Residues, sheet: &mut Sheet) {
    let (columns, results) = (picture.columns(), picture.results());
    let square = |all: Vec<i128>| all.chunks(columns).map(<[i128]>::to_vec).collect::<Matrix>();
    let mut table: Vec<Product> = vec![(t!("residues-exact"), picture.factors(), square(picture.exact()))];
    for p in picture.used() {
        let Some([a, b, c]) = picture.by(*p) else { return };
        table.push((t!("residues-by", p = *p), Some([a, b]), c));
    }
    table.push((t!("residues-result"), None, square(results.iter().map(|result| result.value).collect())));
    let (row, column) = (picture.element / columns, picture.element % columns);
    let rows_in = |(factors, of): (Option<Part>, Part)| {
        let part = |(label, both, c): &Product| {
            let both = both.clone().filter(|_| factors.is_some());
            let both = both.map(|[a, b]| match factors {
                Some(Part::Element) => [vec![a[row].clone()], b.iter().map(|b| vec![b[column]]).collect()],
                _ => [a, b],
            });
            (label.clone(), both, if of == Part::Whole { c.clone() } else { vec![vec![c[row][column]]] })
        };
        lines(picture, &table.iter().map(part).collect::<Vec<_>>(), of, sheet.look)
    };
    let across = |rows: &[Vec<Span>]| rows.iter().map(|row| row.iter().map(Span::width).sum()).max().unwrap_or(0);
    let mut choices = DETAILS.into_iter().map(rows_in);
    let fits = choices.find(|rows| across(rows) <= usize::from(sheet.width));
    fits.unwrap_or_else(|| rows_in(DETAILS[3])).into_iter().for_each(|row| sheet.row(row));
}

/// Returns the rows of a product, with the results of all rows below each other.
fn lines(picture: &Residues, table: &[Product], of: Part, look: &Look) -> Vec<Vec<Span<'static>>> {
    let cell = |of: &Matrix| of.iter().flatten().map(|value| number(*value).width()).max().unwrap_or(0);
    let factor = |at: usize| table.iter().filter_map(|row| Some(cell(&row.1.as_ref()?[at]))).max().unwrap_or(0);
    let (factors, c) = ([factor(0), factor(1)], table.iter().map(|row| cell(&row.2)).max().unwrap_or(0));
    let left = |[a, b]: &[Matrix; 2]| {
        let mut spans = in_brackets(a, factors[0], Meaning::MatrixA, |_| None, look);
        spans.push(Span::raw(" · "));
        spans.extend(in_brackets(b, factors[1], Meaning::MatrixB, |_| None, look));
        spans.push(Span::raw(" = "));
        spans
    };
    let first = table.first().and_then(|row| row.1.as_ref()).map(left).unwrap_or_default();
    let blank: usize = first.iter().map(Span::width).sum();
    let off = picture.off();
    let line = |(label, factors, c_of): &Product| {
        let mut row = vec![look.span(Meaning::Strong, format!(" {}", pad(label, LABEL)))];
        row.extend(factors.as_ref().map_or_else(|| vec![Span::raw(" ".repeat(blank))], left));
        let mark = |at: usize| match of == Part::Element || at == picture.element {
            true => Some(Meaning::Selected),
            false => (label == &table[table.len() - 1].0 && off[at] != 0).then_some(Meaning::Wrong),
        };
        row.extend(in_brackets(c_of, c, Meaning::Text, mark, look));
        row
    };
    table.iter().map(line).collect()
}

/// Returns a matrix in one row, `cell` cells per element. `mark` gives the meaning of an element that stands out.
fn in_brackets(
    of: &Matrix,
    cell: usize,
    meaning: Meaning,
    mark: impl Fn(usize) -> Option<Meaning>,
    look: &Look,
) -> Vec<Span<'static>> {
    let columns = of.first().map_or(1, Vec::len);
    let mut spans = Vec::new();
    for (at, value) in of.iter().flatten().enumerate() {
        let before = match at {
            0 => "[",
            at if at % columns == 0 => "; ",
            _ => " ",
        };
        spans.push(look.span(meaning, before.to_owned()));
        spans.push(look.span(mark(at).unwrap_or(meaning), pad_left(&number(*value), cell)));
    }
    spans.push(look.span(meaning, "]".to_owned()));
    spans
}

/// Shows the sum of the selected integer's parts, and which results are wrong by what multiple of P.
fn put_together(picture: &Residues, sheet: &mut Sheet) {
    let (results, exact, all) = (picture.results(), picture.exact(), product(picture.used()));
    if let Some(result) = results.get(picture.element) {
        let parts = result.terms.iter().map(|term| format!("{} · {}", term.digit, number(term.others)));
        let sum = number(result.value + result.times * all);
        let terms =
            if picture.factors.is_some() { parts.collect::<Vec<_>>().join(" + ") + " = " } else { String::new() };
        let (name, times, value) = (picture.named(picture.element), number(result.times), number(result.value));
        sheet.text(Meaning::Text, &format!("{}: {terms}{sum}", t!("residues-sum", name)));
        sheet.text(Meaning::Text, &format!("{sum} - {times} · {} = {value}", number(all)));
    }
    let off = picture.off();
    for (at, off) in off.iter().enumerate().filter(|(_, off)| **off != 0) {
        let is = format!("{} {} {} · P", number(exact[at]), if *off < 0 { "-" } else { "+" }, off.abs());
        sheet.error(t!("residues-wrong", name = picture.named(at), result = number(results[at].value), is));
    }
    if off.iter().all(|off| *off == 0) {
        let sentence = if off.len() == 1 { t!("residues-right") } else { t!("residues-all-right") };
        sheet.text(Meaning::Right, &format!("{} {sentence}", sheet.look.sign("✔", "+")));
    }
}
