/*! A region of a kernel with real line numbers, colours when they are ready, and notes.

```text
   31 │ A_tile[ty][tx] = A[row * lda + a_col];      ◂ 16 lanes a row,
   32 │ B_tile[ty][tx] = B[b_row * ldb + col];        2 rows a warp
```
Notes stand at the right of the line that they are anchored to, or below it where the screen is narrow.
*/

use crate::course::CodeView;
use crate::kernels::{Catalog, Kernel};
use crate::tui::code::{HighlightRequest, Language};
use crate::tui::look::Look;
use crate::tui::theme::Meaning;
use crate::tui::wrap::wrap_text;
use ratatui::text::{Line, Span};
use std::sync::Arc;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Cells that notes need to stand at the right.
const NOTE_WIDTH: usize = 20;
/// Longest note line, in cells.
const NOTE_LONGEST: usize = 44;

/// Code that a page shows.
#[derive(Debug, Clone)]
pub struct CodePane {
    view: CodeView,
    /// Whether the PTX is shown in the place of the source.
    pub ptx: bool,
    /// First row shown.
    pub scroll: usize,
}

impl CodePane {
    /// The pane of a page.
    pub fn new(view: &CodeView) -> Self {
        Self { view: view.clone(), ptx: false, scroll: 0 }
    }

    /// The kernel's id.
    pub fn kernel(&self) -> &str {
        &self.view.kernel.value
    }

    /// Line of the file that is shown first.
    pub fn first_line(&self, catalog: &Catalog) -> u32 {
        let region = |kernel: &Kernel| self.view.region.as_ref().and_then(|r| kernel.source.region(r)).cloned();
        catalog.kernel(self.kernel()).and_then(region).map_or(1, |region| *region.lines.start())
    }

    /// Shows the PTX, or the source again.
    pub fn toggle_ptx(&mut self, catalog: &Catalog, width: u16, look: &Look) {
        self.ptx = !self.ptx;
        // PTX begins with what the compiler says of itself; the kernel is what was asked for.
        let rows = if self.ptx { self.rows(catalog, width, look) } else { Vec::new() };
        self.scroll = rows.iter().position(|row| row.to_string().contains(".visible .entry")).unwrap_or(0);
    }

    /// The file's name and the region's.
    pub fn title(&self, catalog: &Catalog) -> String {
        let Some(kernel) = catalog.kernel(self.kernel()) else { return self.kernel().to_owned() };
        match (&self.view.region, self.ptx) {
            (_, true) => format!("PTX of {}", kernel.id),
            (Some(region), _) => format!("{}, region “{}”", file_name(&kernel.file), region.value),
            (None, _) => file_name(&kernel.file).to_owned(),
        }
    }

    /// What to colour.
    pub fn wants(&self, catalog: &Catalog) -> Option<HighlightRequest> {
        let kernel = catalog.kernel(self.kernel())?;
        let (file, language, source) = if self.ptx {
            (kernel.ptx_file.clone(), Language::Ptx, kernel.ptx.clone()?)
        } else {
            (kernel.file.clone(), Language::Cuda, Arc::from(kernel.source.text()))
        };
        Some(HighlightRequest { file, language, source })
    }

    /// All rows at this width.
    pub fn rows(&self, catalog: &Catalog, width: u16, look: &Look) -> Vec<Line<'static>> {
        let Some(kernel) = catalog.kernel(self.kernel()) else {
            let text = format!("There is no kernel `{}` in the catalogue.", self.kernel());
            return wrap_text(&text, look.style(Meaning::Warning), width);
        };
        if self.ptx {
            let Some(ptx) = &kernel.ptx else {
                let text = format!("`{}` has no PTX; `matmul-tutor kernels build` makes it.", kernel.id);
                return wrap_text(&text, look.style(Meaning::Warning), width);
            };
            let lines: Vec<(u32, &str)> = (1..).zip(ptx.lines()).collect();
            return layout(&kernel.ptx_file, &lines, &[], width, look);
        }
        let region = match &self.view.region {
            None => None,
            Some(name) => match kernel.source.region(name) {
                Some(region) => Some(region),
                None => {
                    let text = format!("{} has no region `{}`.", kernel.file, name.value);
                    return wrap_text(&text, look.style(Meaning::Warning), width);
                }
            },
        };
        let lines: Vec<(u32, &str)> = kernel.source.lines(region).collect();
        let notes: Vec<(usize, &str)> = self
            .view
            .notes
            .iter()
            .filter_map(|note| {
                let row = lines.iter().position(|(_, text)| text.contains(note.at.value.as_str()))?;
                Some((row, note.note.as_str()))
            })
            .collect();
        layout(&kernel.file, &lines, &notes, width, look)
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn layout(file: &str, lines: &[(u32, &str)], notes: &[(usize, &str)], width: u16, look: &Look) -> Vec<Line<'static>> {
    let digits = lines.last().map_or(1, |(number, _)| number.to_string().len()).max(4);
    let gutter = digits + 3;
    let indent = lines
        .iter()
        .filter(|(_, text)| !text.trim().is_empty() && !is_directive(text))
        .map(|(_, text)| text.len() - text.trim_start_matches(' ').len())
        .min()
        .unwrap_or(0);
    let room = usize::from(width).saturating_sub(gutter).max(8);
    let longest = lines.iter().map(|(_, text)| text[dropped(text, indent)..].width()).max().unwrap_or(0);
    let beside = !notes.is_empty() && longest + 3 + NOTE_WIDTH <= room;
    let note_at = longest + 2;
    let note_width = room.saturating_sub(note_at + 2).min(NOTE_LONGEST);
    let sign = look.sign("◂ ", "< ");
    let mut rows: Vec<Line> = Vec::new();
    let mut waiting: Vec<Line> = Vec::new(); // note lines that stand beside the coming rows
    for (at, (number, text)) in lines.iter().enumerate() {
        let mine = notes.iter().filter(|(row, _)| *row == at).map(|(_, note)| *note);
        let number_text = format!("{number:>digits$} {} ", look.sign("│", "|"));
        let runs = coloured(file, *number, text, indent, look);
        let mut code_rows = cut(runs, room, look);
        if beside {
            for note in mine {
                // A new note never stands above its own line, so what still waits goes first.
                waiting.extend(note_lines(note, note_width, sign, look));
            }
            if !waiting.is_empty() {
                let note = waiting.remove(0);
                if let Some(row) = code_rows.first_mut() {
                    row.spans.push(Span::raw(" ".repeat(note_at.saturating_sub(row.width()))));
                    row.spans.extend(note.spans);
                }
            }
            rows.extend(with_gutter(code_rows, &number_text, gutter, look));
        } else {
            rows.extend(with_gutter(code_rows, &number_text, gutter, look));
            for note in mine {
                for mut line in note_lines(note, room.min(NOTE_LONGEST + 16).saturating_sub(6), sign, look) {
                    line.spans.insert(0, Span::raw(" ".repeat(gutter + 4)));
                    rows.push(line);
                }
            }
        }
    }
    for mut line in waiting {
        line.spans.insert(0, Span::raw(" ".repeat(gutter + note_at)));
        rows.push(line);
    }
    rows
}

fn note_lines(note: &str, width: usize, sign: &str, look: &Look) -> Vec<Line<'static>> {
    let style = look.style(Meaning::Note);
    let lines = wrap_text(note, style, width as u16);
    crate::tui::wrap::hang(lines, &Span::styled(sign.to_owned(), style), &Span::raw("  "))
}

fn with_gutter(rows: Vec<Line<'static>>, number: &str, gutter: usize, look: &Look) -> Vec<Line<'static>> {
    let style = look.style(Meaning::CodeLineNumber);
    let blank = format!("{}{} ", " ".repeat(gutter - 2), look.sign("│", "|"));
    crate::tui::wrap::hang(rows, &Span::styled(number.to_owned(), style), &Span::styled(blank, style))
}

/// Whether a line is for the preprocessor, and so begins at the margin however deep the code around it is.
fn is_directive(text: &str) -> bool {
    text.starts_with('#')
}

/// How many bytes of a line's indentation are not shown.
fn dropped(text: &str, indent: usize) -> usize {
    indent.min(text.len() - text.trim_start_matches(' ').len())
}

/// The runs of a line without up to `indent` bytes of indentation, in colour if that is ready.
fn coloured(file: &str, number: u32, text: &str, indent: usize, look: &Look) -> Vec<(Meaning, String)> {
    let indent = dropped(text, indent);
    let plain = || vec![(Meaning::Code, text[indent..].replace('\t', "    "))];
    let Some(runs) = look.highlights.line(file, number, text) else { return plain() };
    let mut skip = indent;
    runs.iter()
        .filter_map(|(meaning, run)| {
            let dropped = skip.min(run.len());
            skip -= dropped;
            let rest = run.get(dropped..)?.replace('\t', "    ");
            (!rest.is_empty()).then_some((*meaning, rest))
        })
        .collect()
}

/// Cuts runs into rows of `width` cells, where words end if possible; the rows after the first are indented.
fn cut(runs: Vec<(Meaning, String)>, width: usize, look: &Look) -> Vec<Line<'static>> {
    let mut rows: Vec<Vec<Span>> = vec![Vec::new()];
    let mut used = 0;
    let mut push = |meaning: Meaning, piece: &str| {
        let cells = piece.width();
        let fits = used + cells <= width;
        if !fits && cells + 4 <= width {
            rows.push(vec![Span::raw("    ")]);
            used = 4;
        }
        // Only a word that is wider than a whole row is cut within.
        for part in if used + cells <= width { vec![piece] } else { piece.graphemes(true).collect() } {
            if used + part.width() > width {
                rows.push(vec![Span::raw("    ")]);
                used = 4;
            }
            used += part.width();
            if let Some(row) = rows.last_mut() {
                match row.last_mut() {
                    Some(last) if last.style == look.style(meaning) && row_has_code(last) => {
                        last.content.to_mut().push_str(part);
                    }
                    _ => row.push(look.span(meaning, part.to_owned())),
                }
            }
        }
    };
    for (meaning, run) in runs {
        run.split_inclusive(' ').for_each(|piece| push(meaning, piece));
    }
    rows.into_iter().map(Line::from).collect()
}

/// Whether a span is code, and not the indentation of a row that goes on.
fn row_has_code(span: &Span) -> bool {
    span.content != "    "
}
