//! Makes a kernel from a catalogue entry, and collects every problem.

use super::catalog::{CATALOG, Catalog, CatalogProblem};
use super::files::{Files, MAX_SOURCE_BYTES, ReadError};
use super::geometry::{Constants, GridFormulas};
use super::kernel::{Arch, Kernel};
use super::source::Source;
use super::variants::{Axis, BoxFormulas, Impossible, Launch, MAX_POINTS, Template, Variants, slug};
use super::written::{AxisEntry, Extent, KernelEntry, VariantsEntry};
use std::collections::BTreeMap;
use std::sync::Arc;
use tutor_support::expr::Expr;
use tutor_support::text::forbidden_place;
use tutor_support::yaml::At;
use tutor_support::yaml::forbidden;

/// Sources by path. Each is read once, even if several kernels name it. `None` marks a source that cannot be used and
/// has been reported.
pub(super) type Sources = BTreeMap<String, Option<Arc<Source>>>;

/// Maximum length of a title, sentence or name in an entry, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 10;

/// Reads one entry. `known` has the kernels of the entries above it.
///
/// # Errors
/// All problems of the entry that have not been reported before.
pub(super) fn read_kernel(
    entry: &KernelEntry,
    files: &Files,
    sources: &mut Sources,
    known: &Catalog,
) -> Result<Kernel, Vec<CatalogProblem>> {
    let mut reader = Reader { entry, problems: Vec::new() };
    reader.names(known);
    let constants = reader.constants();
    let template = reader.template(&constants);
    let launch = template.as_ref().and_then(|template| match template.apply(&constants) {
        Ok(launch) => Some(launch),
        Err(impossible) => {
            reader.impossible(&impossible);
            None
        }
    });
    let formulas = reader.grid(&constants);
    let arch = reader.arch();
    let axes = entry.variants.as_ref().map(|variants| reader.axes(&variants.value, &constants));
    if let Some(hazard) = entry.hazard.as_ref().filter(|_| !entry.expected_wrong) {
        let message = format!("`{}` has a hazard, but its result is expected to be correct.", entry.id.value);
        reader.problem(hazard, message, Some("Set `expected_wrong: true`, or remove `hazard`."));
    }
    let source = reader.source(files, sources);
    let id = &entry.id.value;
    let ptx_file = format!("assets/ptx/{id}.ptx");
    let ptx = if reader.problems.is_empty() { reader.ptx(files, &ptx_file) } else { None };
    let (Some(template), Some(launch), Some(formulas), Some(arch), Some(source), true) =
        (template, launch, formulas, arch, source, reader.problems.is_empty())
    else {
        return Err(reader.problems);
    };
    let Launch { block, shared_bytes, tensor_maps, further } = launch;
    let variants = axes.map(|axes| Arc::new(Variants::new(id, axes, &template, &constants, files)));
    let mut kernel = Kernel {
        id: id.clone(),
        level: entry.level.clone(),
        title: entry.title.clone(),
        label: entry.label.clone().unwrap_or_else(|| entry.title.clone()),
        file: format!("kernels/{}", entry.file.value),
        entry: entry.entry.value.clone(),
        constants,
        block,
        grid: entry.grid.iter().map(|formula| formula.value.clone()).collect(),
        shared_bytes,
        elements: entry.elements,
        tensor_maps,
        further,
        needs: entry.needs.clone().unwrap_or_default().with_maps(&tensor_maps, entry.elements),
        otherwise: entry.otherwise.as_ref().map(|id| id.value.clone()),
        arch,
        expected_wrong: entry.expected_wrong,
        hazard: entry.hazard.as_ref().map(|hazard| hazard.value),
        about: entry.about.clone(),
        source,
        ptx,
        refused: None,
        ptx_file,
        variants,
        formulas,
        template: Arc::new(template),
    };
    // A test proves this for the kernels in the binary.
    if !files.are_built_in() {
        kernel.refused = kernel.ptx.as_deref().and_then(|ptx| kernel.recipe().holds(ptx).err());
        kernel.ptx = kernel.ptx.filter(|_| kernel.refused.is_none());
    }
    Ok(kernel)
}

/// Describes a problem at a location in the catalogue.
pub(super) fn at<T>(spanned: &At<T>, message: impl AsRef<str>, help: Option<&str>) -> CatalogProblem {
    CatalogProblem::new(CATALOG, (spanned.line, spanned.column), message.as_ref(), help)
}

pub(super) fn unreadable(file: &str, place: (u32, u32), error: ReadError) -> CatalogProblem {
    let (message, help) = match error {
        ReadError::Missing => (format!("`{file}` does not exist."), Some("Create it, or correct its name.")),
        ReadError::Other(why) => (format!("`{file}`: {why}"), None),
    };
    CatalogProblem::new(CATALOG, place, &message, help)
}

fn is_name(text: &str) -> bool {
    let first = text.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    first && text.len() <= 100 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

struct Reader<'a> {
    entry: &'a KernelEntry,
    problems: Vec<CatalogProblem>,
}

impl Reader<'_> {
    fn problem<T>(&mut self, place: &At<T>, message: String, help: Option<&str>) {
        self.problems.push(at(place, message, help));
    }

    fn names(&mut self, known: &Catalog) {
        let entry = self.entry;
        let id = &entry.id.value;
        if !is_name(id) || id.chars().any(|c| c.is_ascii_uppercase()) {
            let help = "Use lower-case letters, digits and `_`.";
            self.problem(&entry.id, format!("`{}` is not a kernel id.", id.escape_debug()), Some(help));
        } else if known.kernel(id).is_some() {
            self.problem(&entry.id, format!("There are two kernels `{id}`."), Some("Rename one."));
        }
        if !is_name(&entry.entry.value) {
            let message = format!("`{}` is not a function name.", entry.entry.value.escape_debug());
            self.problem(&entry.entry, message, None);
        }
        for text in [&entry.level, &entry.title, &entry.about].into_iter().chain(&entry.label) {
            if text.contains(['\n', '\t']) || text.len() > MAX_TEXT_BYTES {
                let begins: String = text.chars().take(40).collect();
                let message = format!("\"{}\" is longer than a line.", begins.escape_debug());
                self.problem(&entry.id, message, Some("Write a title or a sentence, on one line."));
            }
        }
    }

    fn constants(&mut self) -> Constants {
        let mut constants = Constants::new();
        for (name, value) in &self.entry.constants {
            if !is_name(name) || ["M", "N", "K", "SMS"].contains(&name.as_str()) {
                let message = format!("`{}` is not a name for a constant.", name.escape_debug());
                self.problem(value, message, Some("Use letters, digits and `_`; M, N, K and SMS are reserved."));
            }
            constants.insert(name.clone(), value.value);
        }
        constants
    }

    /// Parses a formula of the constants.
    fn formula<T>(&mut self, text: &str, place: &At<T>, constants: &Constants) -> Option<Expr> {
        let fault = match Expr::parse(text) {
            Err(error) => format!("`{}`: {error}", text.escape_debug()),
            Ok(expr) => match expr.variables().into_iter().find(|name| !constants.contains_key(*name)) {
                None => return Some(expr),
                Some(name) => format!("`{text}` names `{name}`, which is not one of the constants."),
            },
        };
        self.problem(place, fault, None);
        None
    }

    fn template(&mut self, constants: &Constants) -> Option<Template> {
        let entry = self.entry;
        let block: Vec<Option<Expr>> =
            entry.block.value.iter().map(|Extent(text)| self.formula(text, &entry.block, constants)).collect();
        let shared_bytes = match &entry.shared_bytes {
            Some(extent) => Some(self.formula(&extent.value.0, extent, constants)?),
            None => None,
        };
        let mut whole = Vec::new();
        for text in entry.variants.iter().flat_map(|variants| &variants.value.whole) {
            whole.push((text.value.clone(), self.formula(&text.value, text, constants)?));
        }
        let boxes = self.boxes(constants)?;
        let scales = entry.scales.as_ref();
        if let Some(scales) = scales.filter(|scales| !scales.value.are_possible() || entry.epilogue.is_some()) {
            let help = "Give A and B two extents from 1 to 2^30 each, and no `epilogue`.";
            self.problem(scales, "These blocks cannot have scales.".to_owned(), Some(help));
        }
        let scales = scales.map(|scales| scales.value);
        let epilogue = match &entry.epilogue {
            Some(extent) => Some(self.formula(&extent.value.0, extent, constants)?),
            None => None,
        };
        let moduli = match &entry.moduli {
            Some(extent) => Some(self.formula(&extent.value.0, extent, constants)?),
            None => None,
        };
        let block = block.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()?;
        let (batched, elements) = (entry.batched, entry.elements);
        Some(Template { block, shared_bytes, boxes, scales, epilogue, moduli, batched, elements, whole })
    }

    fn boxes(&mut self, constants: &Constants) -> Option<BoxFormulas> {
        let mut boxes = [None, None, None];
        let Some(place) = &self.entry.tensor_maps else { return Some(boxes) };
        if Arch::parse(&self.entry.min_arch.value).is_some_and(|arch| arch.capability < [9, 0]) {
            self.problem(place, "Tensor maps need sm_90.".to_owned(), Some("Set `min_arch` to sm_90 or sm_90a."));
        }
        let maps = &place.value;
        for (boxed, map) in boxes.iter_mut().zip([&maps.a, &maps.b, &maps.c]) {
            let Some(map) = map else { continue };
            let [columns, rows] = &map.extent;
            let columns = self.formula(&columns.0, place, constants);
            let rows = self.formula(&rows.0, place, constants);
            *boxed = Some(([columns?, rows?], map.swizzle));
        }
        Some(boxes)
    }

    /// Reports why the entry's constants are impossible, at the part of the entry that they make impossible.
    fn impossible(&mut self, impossible: &Impossible) {
        let entry = self.entry;
        match (impossible, &entry.tensor_maps, &entry.epilogue, &entry.moduli) {
            (Impossible::Map(..), Some(maps), ..) => self.problem(maps, impossible.to_string(), None),
            (Impossible::Epilogue(_), _, Some(place), _) | (Impossible::Moduli(_), .., Some(place)) => {
                self.problem(place, impossible.to_string(), None);
            }
            _ => self.problem(&entry.block, impossible.to_string(), None),
        }
    }

    fn grid(&mut self, constants: &Constants) -> Option<GridFormulas> {
        let entry = self.entry;
        let parsed = GridFormulas::parse(entry.grid.iter().map(|formula| formula.value.as_str()), constants);
        parsed
            .map_err(|(index, error)| match entry.grid.get(index) {
                Some(formula) => self.problem(formula, error.to_string(), None),
                None => self.problem(&entry.id, error.to_string(), None),
            })
            .ok()
    }

    fn arch(&mut self) -> Option<Arch> {
        let place = &self.entry.min_arch;
        let arch = Arch::parse(&place.value);
        if arch.is_none() {
            let message = format!("`{}` is not an architecture.", place.value.escape_debug());
            self.problem(place, message, Some("Write it like `sm_75` or `sm_90a`."));
        }
        arch
    }

    fn axes(&mut self, variants: &VariantsEntry, constants: &Constants) -> Vec<Axis> {
        let axes: Vec<Axis> = variants.axes.iter().map(|axis| self.axis(axis, constants)).collect();
        let Some(place) = &self.entry.variants else { return axes };
        let count = axes.iter().fold(1usize, |count, axis| count.saturating_mul(axis.values.len()));
        if axes.is_empty() || axes.len() > 3 {
            self.problem(place, format!("Variants have one to three axes, not {}.", axes.len()), None);
        }
        if count == 0 || count > MAX_POINTS {
            self.problem(place, format!("The axes make {count} variants; 1 to {MAX_POINTS} are possible."), None);
            return Vec::new();
        }
        axes
    }

    fn axis(&mut self, axis: &AxisEntry, constants: &Constants) -> Axis {
        for name in axis.constants.iter().filter(|name| !constants.contains_key(&name.value)) {
            let message = format!("`{}` is not one of the kernel's constants.", name.value.escape_debug());
            self.problem(name, message, Some("Give it a value in `constants` first."));
        }
        for value in axis.values.iter().filter(|value| value.value.len() != axis.constants.len()) {
            let message = format!("{} numbers for {} constants.", value.value.len(), axis.constants.len());
            self.problem(value, message, None);
        }
        let joined = |numbers: &[i32]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join("x");
        let mut labels: Vec<String> = axis.values.iter().map(|value| joined(&value.value)).collect();
        if let Some(own) = &axis.labels {
            if own.value.len() == axis.values.len() {
                labels.clone_from(&own.value);
            } else {
                let message = format!("{} labels for {} values.", own.value.len(), axis.values.len());
                self.problem(own, message, None);
            }
        }
        let mut slugs: Vec<String> = labels.iter().map(|label| slug(label)).collect();
        let control = labels.iter().chain([&axis.name.value]).any(|text| text.contains(['\n', '\t']));
        slugs.sort();
        if control
            || slugs.iter().any(|slug| slug.is_empty() || slug.len() > 40)
            || slugs.windows(2).any(|w| w[0] == w[1])
        {
            let message = format!("The labels of \"{}\" cannot name the variants.", axis.name.value.escape_debug());
            self.problem(&axis.name, message, Some("Give each value another short name of letters and digits."));
        }
        Axis {
            name: axis.name.value.clone(),
            constants: axis.constants.iter().map(|name| name.value.clone()).collect(),
            values: labels.into_iter().zip(axis.values.iter().map(|value| value.value.clone())).collect(),
        }
    }

    fn ptx(&mut self, files: &Files, path: &str) -> Option<Arc<str>> {
        match files.read(path) {
            Ok(text) => Some(text.into()),
            // It has not been built yet.
            Err(ReadError::Missing) => None,
            Err(error) => {
                let place = &self.entry.id;
                self.problems.push(unreadable(path, (place.line, place.column), error));
                None
            }
        }
    }

    fn source(&mut self, files: &Files, sources: &mut Sources) -> Option<Arc<Source>> {
        let place = &self.entry.file;
        if place.value.strip_suffix(".cu").is_none_or(|stem| !is_name(stem)) {
            let message = format!("`{}` is not the name of a kernel file.", place.value.escape_debug());
            let help = "Give a `.cu` file name of letters, digits and `_`, without a directory.";
            self.problem(place, message, Some(help));
            return None;
        }
        let path = format!("kernels/{}", place.value);
        if !self.entry.edits.is_empty() {
            return self.new_source(files, &path).map(Arc::new);
        }
        if let Some(known) = sources.get(&path) {
            return known.clone();
        }
        let source = self.new_source(files, &path).map(Arc::new);
        sources.insert(path, source.clone());
        source
    }

    /// Returns the text with the entry's edits, or `None` if an edit does not apply.
    fn edited(&mut self, mut text: String) -> Option<String> {
        let entry = self.entry;
        for edit in &entry.edits {
            let (find, found) = (&edit.find.value, text.matches(edit.find.value.as_str()).count());
            let lines = |text: &str| text.matches('\n').count();
            let problem = if found != 1 {
                format!("`{}` occurs {found} times in `{}`.", find.escape_debug(), entry.file.value)
            } else if lines(find) != lines(&edit.put) {
                format!("`{}` and its replacement have different numbers of lines.", find.escape_debug())
            } else {
                text = text.replacen(find.as_str(), &edit.put, 1);
                continue;
            };
            self.problem(
                &edit.find,
                problem,
                Some("`find` must occur once, and `put` must have the same number of lines."),
            );
            return None;
        }
        Some(text)
    }

    fn new_source(&mut self, files: &Files, path: &str) -> Option<Source> {
        let place = (self.entry.file.line, self.entry.file.column);
        let read = files.read(path).and_then(|text| {
            let too_long = || ReadError::Other(format!("It is longer than {} KiB.", MAX_SOURCE_BYTES >> 10));
            if text.len() > MAX_SOURCE_BYTES { Err(too_long()) } else { Ok(text) }
        });
        let text = match read {
            Ok(text) => text,
            Err(error) => {
                self.problems.push(unreadable(path, place, error));
                return None;
            }
        };
        if let Some(found) = forbidden_place(&text) {
            let fault = forbidden(found);
            let problem = CatalogProblem::new(path, (fault.line, fault.column), &fault.message, Some(fault.help));
            self.problems.push(problem);
            return None;
        }
        let (source, faults) = Source::read(self.edited(text)?);
        let usable = faults.is_empty();
        self.problems.extend(
            faults.iter().map(|fault| CatalogProblem::new(path, (fault.line, 1), &fault.message, Some(&fault.help))),
        );
        usable.then_some(source)
    }
}
