/*! Shows a kernel: its source with line numbers, the page's region, notes and launch, its PTX, and its machine code.

```text
 <<<(256, 256), (16, 16)>>> n = 4096, 2048 bytes shared
   30 │     const int b_row = t * TILE + ty;
   31 ▌     A_tile[ty][tx] = A[row * lda + a_col];      ◂ 16 lanes a row
   32 ▌     B_tile[ty][tx] = B[b_row * ldb + col];
```
A note is to the right of its line, or below it if it does not fit there. This is also true for the PTX of a line
([`Side::Both`]). The `.loc` directives say which line an instruction comes from ([`ptx`]).
*/

mod machine;
pub mod ptx;
pub mod rows;

use crate::code::{HighlightRequest, Language};
use crate::prelude::*;
use crate::wrap::wrap_text;
use std::cell::RefCell;
use std::sync::Arc;
use tutor_course::CodeView;
use tutor_kernels::machine_code::MachineCode;
use tutor_kernels::{Catalog, Kernel};
use tutor_support::words::recognise;

pub use rows::Rows;

/// What the pane shows of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Source,
    /// Each line of the source with its PTX.
    Both,
    Ptx,
    /// Counts of the machine code's instructions.
    Machine,
}

#[derive(Debug)]
pub struct CodePane {
    view: CodeView,
    pub side: Side,
    /// True if notes, launch and comments outside the region are hidden, because they might reveal the answer.
    pub held_back: bool,
    /// The rows of the last layout, cached because a long PTX takes time to lay out.
    laid_out: RefCell<Option<(Layout, Arc<Rows>)>>,
}

/// Everything that the rows depend on, except the code.
#[derive(Debug, PartialEq, Eq)]
struct Layout {
    side: Side,
    held_back: bool,
    width: u16,
    ascii: bool,
    theme: String,
    coloured: [bool; 2],
    words: String,
}

impl CodePane {
    pub fn new(view: &CodeView) -> Self {
        Self { view: view.clone(), side: Side::Source, held_back: false, laid_out: RefCell::new(None) }
    }

    /// Takes the same page after a reload. Its notes may be in another language.
    pub fn read_again(&mut self, view: &CodeView) {
        self.view.clone_from(view);
        self.laid_out.take();
    }

    pub fn kernel(&self) -> &str {
        &self.view.kernel.value
    }

    /// Returns the region's first line in the file.
    pub fn first_line(&self, catalog: &Catalog) -> u32 {
        let region = |kernel: &Kernel| self.view.region.as_ref().and_then(|r| kernel.source.region(r)).cloned();
        catalog.kernel(self.kernel()).and_then(region).map_or(1, |region| *region.lines.start())
    }

    /// Switches from source to source with PTX, to PTX, to machine code, and back to source.
    pub fn next_side(&mut self) {
        self.side = match self.side {
            Side::Source => Side::Both,
            Side::Both => Side::Ptx,
            Side::Ptx => Side::Machine,
            Side::Machine => Side::Source,
        };
    }

    /// Returns the names of the file and of the region.
    pub fn title(&self, catalog: &Catalog) -> String {
        let Some(kernel) = catalog.kernel(self.kernel()) else { return self.kernel().to_owned() };
        let file = file_name(&kernel.file);
        match (self.side, &self.view.region) {
            (Side::Ptx, _) => t!("code-title-ptx", kernel = kernel.id),
            (Side::Machine, _) => t!("machine-title", kernel = kernel.id),
            (Side::Both, _) => t!("code-title-both", file),
            (Side::Source, Some(region)) => {
                t!("code-title-region", file, region = recognise("code-regions", &region.value))
            }
            (Side::Source, None) => t!("code-title", file),
        }
    }

    pub fn short_title(&self, catalog: &Catalog) -> String {
        match (catalog.kernel(self.kernel()), self.side) {
            (Some(kernel), Side::Source) => file_name(&kernel.file).to_owned(),
            _ => self.title(catalog),
        }
    }

    /// Returns a line with grid, block and shared memory per block of a launch for n×n matrices, or for many small ones.
    pub fn launch(&self, catalog: &Catalog, n: u32, width: u16, look: &Look) -> Line<'static> {
        catalog.kernel(self.kernel()).map_or_else(Line::default, |kernel| launch(kernel, n, width, look))
    }

    pub fn wants(&self, catalog: &Catalog) -> Vec<HighlightRequest> {
        let Some(kernel) = catalog.kernel(self.kernel()) else { return Vec::new() };
        let source = HighlightRequest {
            file: kernel.file.clone(),
            language: Language::Cuda,
            source: Arc::from(kernel.source.text()),
        };
        let compiled = |ptx: &Arc<str>| HighlightRequest {
            file: kernel.ptx_file.clone(),
            language: Language::Ptx,
            source: Arc::clone(ptx),
        };
        match self.side {
            Side::Source | Side::Machine => vec![source],
            Side::Both | Side::Ptx => std::iter::once(source).chain(kernel.ptx.as_ref().map(compiled)).collect(),
        }
    }

    pub fn rows(&self, catalog: &Catalog, width: u16, look: &Look) -> Arc<Rows> {
        let Some(kernel) = catalog.kernel(self.kernel()) else {
            return warning(&t!("code-no-kernel", kernel = self.kernel()), width, look);
        };
        let layout = Layout {
            side: self.side,
            held_back: self.held_back,
            width,
            ascii: look.ascii,
            theme: look.theme.name().to_owned(),
            coloured: [&kernel.file, &kernel.ptx_file].map(|file| look.highlights.has(file)),
            words: tutor_support::words::current().code().to_owned(),
        };
        if let Some((known, rows)) = &*self.laid_out.borrow()
            && *known == layout
        {
            return Arc::clone(rows);
        }
        let rows = self.lay_out(kernel, width, look);
        *self.laid_out.borrow_mut() = Some((layout, Arc::clone(&rows)));
        rows
    }

    fn lay_out(&self, kernel: &Kernel, width: u16, look: &Look) -> Arc<Rows> {
        let region = match &self.view.region {
            None => None,
            Some(name) => match kernel.source.region(name) {
                Some(region) => Some(region.lines.clone()),
                None => return warning(&t!("code-no-region", file = kernel.file, region = name.value), width, look),
            },
        };
        let marked = region.clone().unwrap_or(1..=u32::MAX);
        let about = |number: u32| marked.contains(&number);
        let about = region.is_some().then_some(&about as &dyn Fn(u32) -> bool);
        if self.held_back {
            let lines: Vec<(u32, &str)> = uncommented(kernel, |number| marked.contains(&number)).collect();
            let source = rows::AnnotatedSource { file: &kernel.file, lines: &lines, before: 0, notes: &[], about };
            return Arc::new(rows::source(&source, width, look));
        }
        if self.side == Side::Machine {
            return match MachineCode::built_in().of(kernel) {
                Some(assembled) => Arc::new(machine::rows(MachineCode::built_in(), assembled, width, look)),
                None => warning(&t!("machine-none", kernel = kernel.id), width, look),
            };
        }
        let compiled = match (&kernel.ptx, self.side) {
            (_, Side::Source) => None,
            (Some(ptx), _) => Some(&**ptx),
            (None, _) => return warning(&t!("code-no-ptx", kernel = kernel.id), width, look),
        };
        let places = compiled.map(|text| ptx::instruction_lines(text, file_name(&kernel.file)));
        if let (Side::Ptx, Some(text), Some(places)) = (self.side, compiled, &places) {
            return Arc::new(rows::ptx(&kernel.ptx_file, text, places, &marked, width, look));
        }
        let lines: Vec<(u32, &str)> = kernel.source.lines(None).collect();
        // A note belongs to the first line that contains its anchor, inside the region if there is one.
        let anchored = |at: &str| lines.iter().position(|(number, text)| marked.contains(number) && text.contains(at));
        let notes = self.view.notes.iter();
        let notes: Vec<(usize, &str)> =
            notes.filter_map(|note| Some((anchored(note.at.value.as_str())?, note.note.as_str()))).collect();
        let source = rows::AnnotatedSource { file: &kernel.file, lines: &lines, before: 0, notes: &notes, about };
        Arc::new(match (compiled, &places) {
            (Some(text), Some(places)) => rows::both(&source, &kernel.ptx_file, text, places, width, look),
            _ => rows::source(&source, width, look),
        })
    }
}

fn warning(text: &str, width: u16, look: &Look) -> Arc<Rows> {
    Arc::new(Rows { lines: wrap_text(text, look.style(Meaning::Warning), width), region: None })
}

/// Returns the lines of a source. Leaves out lines that are only a comment, unless `kept` accepts their number.
pub fn uncommented(kernel: &Kernel, kept: impl Fn(u32) -> bool) -> impl Iterator<Item = (u32, &str)> {
    let comment = |text: &str| text.trim_start().starts_with("//");
    let lines = kernel.source.lines(None).filter(move |(number, text)| kept(*number) || !comment(text));
    lines.skip_while(|(_, text)| text.trim().is_empty())
}

/// Multiprocessors of an H100 or H200: almost all kernels whose grid depends on this number are for these.
const MULTIPROCESSORS: u32 = 132;

/// Returns a line with grid, block and shared memory per block of a launch for n×n matrices.
pub fn launch(kernel: &Kernel, n: u32, width: u16, look: &Look) -> Line<'static> {
    let (n, batch) = if kernel.further.batched { (n / 32, 64) } else { (n, 1) };
    let geometry = kernel.formulas().geometry(kernel.block, [n, n, n, batch], MULTIPROCESSORS);
    let Ok(geometry) = geometry else { return Line::default() };
    let fixed = kernel.ptx.as_ref().map_or(0, |text| ptx::shared_bytes(text));
    let shared = fixed + u64::from(kernel.shared_bytes);
    let launch = format!("<<<{}, {}>>>", extents(geometry.grid), extents(geometry.block));
    let shared = match shared {
        0 => t!("code-no-shared"),
        bytes => t!("code-shared", bytes),
    };
    // A part that does not fit is left out completely.
    let all = t!("code-launch", n, batch, shared);
    let rest = usize::from(width).saturating_sub(launch.len() + 2);
    let sentence = [all, shared].into_iter().find(|sentence| sentence.width() <= rest).unwrap_or_default();
    Line::from(vec![look.span(Meaning::CodeCuda, format!(" {launch} ")), look.span(Meaning::Muted, sentence)])
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns extents without trailing ones: `(256, 256)`.
fn extents(of: [u32; 3]) -> String {
    let used = of.iter().rposition(|extent| *extent != 1).map_or(1, |last| last + 1);
    let shown: Vec<String> = of[..used].iter().map(ToString::to_string).collect();
    if used == 1 { shown.concat() } else { format!("({})", shown.join(", ")) }
}
