//! Draws a terminal's screen as an SVG picture. The same cells always give the same bytes.

use std::fmt::Write as _;

/// Width and height of a cell in pixels. `TYPE` is the font size.
const CELL: (f64, f64) = (8.4, 18.0);
const TYPE: f64 = 14.0;
const MARGIN: f64 = 14.0;
const PAPER: &str = "#14161b";
const INK: &str = "#d8dae0";
const SIXTEEN: [&str; 16] = [
    "#14161b", "#d0545c", "#6dbf67", "#d8b44a", "#5b8de0", "#b968c7", "#4dbcc4", "#d8dae0", "#7a7f8a", "#ff6b74",
    "#8fe388", "#f5d76e", "#82aaff", "#dd8cf0", "#7fe3ea", "#ffffff",
];

#[derive(Clone, PartialEq)]
struct Face {
    ink: String,
    paper: String,
    bold: bool,
    dim: bool,
    italic: bool,
    underline: bool,
}

fn colour(colour: vt100::Color, default: &str) -> String {
    match colour {
        vt100::Color::Default => default.to_owned(),
        vt100::Color::Idx(n @ 0..16) => SIXTEEN[usize::from(n)].to_owned(),
        vt100::Color::Idx(n @ 16..232) => {
            let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            format!("#{:02x}{:02x}{:02x}", level((n - 16) / 36), level((n - 16) / 6 % 6), level((n - 16) % 6))
        }
        vt100::Color::Idx(n) => format!("#{0:02x}{0:02x}{0:02x}", 8 + 10 * (n - 232)),
        vt100::Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
    }
}

fn face(cell: &vt100::Cell) -> Face {
    let (mut ink, mut paper) = (colour(cell.fgcolor(), INK), colour(cell.bgcolor(), PAPER));
    if cell.inverse() {
        std::mem::swap(&mut ink, &mut paper);
    }
    Face { ink, paper, bold: cell.bold(), dim: cell.dim(), italic: cell.italic(), underline: cell.underline() }
}

/// Returns the part of a cell that a block character fills: x, y, width and height. Drawn as rectangles, rows meet without gaps.
fn block(sign: &str) -> Option<[f64; 4]> {
    let eighths = |n: f64| n / 8.0;
    Some(match sign {
        "█" => [0.0, 0.0, 1.0, 1.0],
        "▀" => [0.0, 0.0, 1.0, 0.5],
        "▄" => [0.0, 0.5, 1.0, 0.5],
        "▐" => [0.5, 0.0, 0.5, 1.0],
        _ => {
            let left = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"];
            let low = ["▁", "▂", "▃", "▄", "▅", "▆", "▇"];
            let at = |signs: &[&str]| signs.iter().position(|known| *known == sign).map(|at| eighths(at as f64 + 1.0));
            match (at(&left), at(&low)) {
                (Some(width), _) => [0.0, 0.0, width, 1.0],
                (None, Some(height)) => [0.0, 1.0 - height, 1.0, height],
                (None, None) => return None,
            }
        }
    })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Width and height of a screen's picture, in pixels.
fn extent(screen: &vt100::Screen) -> (f64, f64) {
    let (rows, columns) = screen.size();
    (f64::from(columns.get()) * CELL.0 + 2.0 * MARGIN, f64::from(rows.get()) * CELL.1 + 2.0 * MARGIN)
}

/// The beginning of every picture. `title` is the picture's text for screen readers, `style` its style sheet.
fn head(title: &str, style: &str, (width, height): (f64, f64)) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
         <title>{}</title>\n{style}<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{PAPER}\"/>\n\
         <g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"{TYPE}\" xml:space=\"preserve\">\n",
        escaped(title)
    )
}

pub(crate) fn picture(screen: &vt100::Screen, title: &str) -> String {
    head(title, "", extent(screen)) + &rows(screen).concat() + "</g>\n</svg>\n"
}

/// The elements of each row of a screen.
fn rows(screen: &vt100::Screen) -> Vec<String> {
    let (rows, columns) = {
        let (rows, columns) = screen.size();
        (rows.get(), columns.get())
    };
    let row = |y| {
        let (mut svg, mut x) = (String::new(), 0);
        while x < columns {
            let Some(cell) = screen.cell(y, x) else { break };
            let (first, start) = (face(cell), x);
            let mut text = String::new();
            // Collects cells with the same face. A character outside ASCII is an element of its own, at its cell.
            while let Some(cell) = screen.cell(y, x).filter(|cell| face(cell) == first) {
                let sign = if cell.has_contents() { cell.contents() } else { " " };
                let alone = !sign.is_ascii();
                if alone && x > start {
                    break;
                }
                text.push_str(sign);
                x += if cell.is_wide() { 2 } else { 1 };
                if alone {
                    break;
                }
            }
            run(&mut svg, &first, &text, (start, y), x - start);
        }
        svg
    };
    (0..rows).map(row).collect()
}

/// Text that a [`Tour`] leaves out.
pub(crate) const NOT_DRAWN: &str = "Judged in";

/// Height of the strip above the terminal of a [`Tour`].
const STRIP: f64 = 46.0;

/// Screens that follow each other in one picture, each for some seconds and below a caption.
///
/// A style sheet animates it, so it plays wherever a page may show a picture. A row that several screens share is stored once.
/// A viewer without animations shows the first screen.
#[derive(Default)]
pub(crate) struct Tour {
    extent: (f64, f64),
    seconds: Vec<f64>,
    /// Elements, and the indices of the screens that show them.
    parts: Vec<(String, Vec<usize>)>,
}

impl Tour {
    pub(crate) fn add(&mut self, screen: &vt100::Screen, seconds: f64, caption: &str) {
        self.extent = extent(screen);
        let at = self.seconds.len();
        self.seconds.push(seconds);
        let caption = format!(
            "<text x=\"{MARGIN}\" y=\"32\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"21\" \
             font-weight=\"bold\" fill=\"#f5d76e\">{}</text>\n",
            escaped(caption)
        );
        let moved = |row: String| {
            let lines = row.split_inclusive('\n').filter(|line| !line.contains(NOT_DRAWN));
            format!("<g transform=\"translate(0 {STRIP})\">\n{}</g>\n", lines.collect::<String>())
        };
        let rows = rows(screen).into_iter().filter(|row| !row.is_empty()).map(moved);
        for part in std::iter::once(caption).chain(rows) {
            match self.parts.iter_mut().find(|(known, _)| *known == part) {
                Some((_, shown)) => shown.push(at),
                None => self.parts.push((part, vec![at])),
            }
        }
    }

    pub(crate) fn picture(&self, title: &str) -> String {
        let whole: f64 = self.seconds.iter().sum();
        let mut style = String::from("<style>\n");
        let mut body = String::new();
        let mut sets: Vec<&[usize]> = Vec::new();
        for (part, shown) in &self.parts {
            if shown.len() == self.seconds.len() {
                body += part;
                continue;
            }
            let set = sets.iter().position(|known| known == shown).unwrap_or_else(|| {
                sets.push(shown);
                sets.len() - 1
            });
            let first = if shown[0] == 0 { "visible" } else { "hidden" };
            writeln!(body, "<g class=\"s{set}\" visibility=\"{first}\">\n{part}</g>").unwrap();
        }
        for (set, shown) in sets.iter().enumerate() {
            write!(style, ".s{set}{{animation:s{set} {whole}s step-end infinite}}@keyframes s{set}{{").unwrap();
            let mut begins = 0.0;
            for (at, seconds) in self.seconds.iter().enumerate() {
                let seen = if shown.contains(&at) { "visible" } else { "hidden" };
                write!(style, "{:.3}%{{visibility:{seen}}}", 100.0 * begins / whole).unwrap();
                begins += seconds;
            }
            style.push_str("}\n");
        }
        // Readers who prefer no motion see the first screen.
        style.push_str("@media (prefers-reduced-motion:reduce){g{animation:none!important}}\n</style>\n");
        head(title, &style, (self.extent.0, self.extent.1 + STRIP)) + &body + "</g>\n</svg>\n"
    }
}

fn run(svg: &mut String, face: &Face, text: &str, (x, y): (u16, u16), cells: u16) {
    let (left, top) = (MARGIN + f64::from(x) * CELL.0, MARGIN + f64::from(y) * CELL.1);
    let width = f64::from(cells) * CELL.0;
    if face.paper != PAPER {
        let paper = &face.paper;
        writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{paper}\"/>",
            CELL.1
        )
        .unwrap();
    }
    if let Some([bx, by, bw, bh]) = block(text) {
        let (bx, by, bw, bh) = (left + bx * CELL.0, top + by * CELL.1, bw * CELL.0, bh * CELL.1);
        writeln!(svg, "<rect x=\"{bx:.2}\" y=\"{by:.2}\" width=\"{bw:.2}\" height=\"{bh:.2}\" fill=\"{}\"/>", face.ink)
            .unwrap();
        return;
    }
    let shown = text.trim_end();
    if shown.is_empty() && !face.underline {
        return;
    }
    let spaces = shown.chars().take_while(|c| *c == ' ').count();
    let (shown, left) = (&shown[spaces..], left + spaces as f64 * CELL.0);
    let mut style = String::new();
    for (on, attribute) in [
        (face.bold, " font-weight=\"bold\""),
        (face.dim, " opacity=\"0.7\""),
        (face.italic, " font-style=\"italic\""),
        (face.underline, " text-decoration=\"underline\""),
    ] {
        style.push_str(if on { attribute } else { "" });
    }
    let stretch = match shown.chars().count() {
        0 | 1 => String::new(),
        count => format!(" textLength=\"{:.1}\"", count as f64 * CELL.0),
    };
    writeln!(
        svg,
        "<text x=\"{left:.1}\" y=\"{:.1}\" fill=\"{}\"{stretch}{style}>{}</text>",
        top + CELL.1 * 0.74,
        face.ink,
        // Some browsers collapse spaces whatever `xml:space` says.
        escaped(shown).replace("  ", "\u{a0}\u{a0}")
    )
    .unwrap();
}
