//! Rules of `kernels/catalog.yaml` that its loader does not check: what a course must provide with its kernels.

use crate::rules::severity;
use tutor_course::lint::{Lint, Path};
use tutor_course::{CourseSource, File, Files, Problem};
use tutor_kernels::{Catalog, CatalogFile, Kernel};
use tutor_support::yaml::{self, Value};

pub(super) const CATALOG: &str = "kernels/catalog.yaml";

/// The places of the kernels in a course's catalogue.
pub(crate) struct CatalogPlaces {
    file: Option<File<CatalogFile>>,
    /// `--course DIR` for use in help texts; empty for the built-in course.
    option: String,
}

impl CatalogPlaces {
    /// Returns the places of a course. The built-in course has none, because its catalogue is in the binary.
    pub(crate) fn of(files: &Files) -> Self {
        let file = match &files.source {
            CourseSource::BuiltIn => None,
            CourseSource::Directory(_) => File::<CatalogFile>::read(&files.source, CATALOG).ok(),
        };
        let option = files.source.directory().map_or_else(String::new, |root| format!(" --course {}", root.display()));
        Self { file, option }
    }

    /// True if the course's catalogue has a kernel with this id.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.index(id).is_some()
    }

    fn index(&self, id: &str) -> Option<usize> {
        self.file.as_ref()?.value.as_ref()?.kernels.iter().position(|entry| entry.value.id.value == id)
    }

    /// Returns a problem at a field of a kernel.
    pub(crate) fn problem(
        &self,
        code: &'static str,
        id: &str,
        field: &'static str,
        message: &str,
        help: &str,
    ) -> Problem {
        match self.file.as_ref().zip(self.index(id)) {
            None => Problem { severity: severity(code), ..Problem::error(code, CATALOG, message).help(help) },
            Some((file, index)) => {
                let mut lint = Lint::new(file, severity);
                lint.report(code, &Path::default().to("kernels").to(index).to(field), message, help);
                lint.into_problems().pop().unwrap_or_else(|| Problem::error(code, CATALOG, message).help(help))
            }
        }
    }
}

/// Returns the ids of the entries that could not be read. They are reported, and texts that name them are not.
pub(super) fn unusable(files: &Files, catalog: &Catalog) -> Vec<String> {
    let text = files.source.directory().and_then(|_| files.source.read(CATALOG).ok()).unwrap_or_default();
    let Ok(tree) = yaml::read(&text) else { return Vec::new() };
    let Some(Value::List(entries)) = tree.value_at(&["kernels".into()]).map(|list| &list.value) else {
        return Vec::new();
    };
    let ids = entries.iter().filter_map(|entry| entry.value_at(&["id".into()])?.text());
    ids.filter(|id| catalog.kernel(id).is_none()).map(str::to_owned).collect()
}

/// Returns the problems of the course's kernels that the loader does not report.
pub(super) fn check(files: &Files, catalog: &Catalog, levels: Option<&[&str]>) -> Vec<Problem> {
    let places = CatalogPlaces::of(files);
    let own = catalog.kernels().iter().filter(|kernel| places.has(&kernel.id));
    own.flat_map(|kernel| unbuilt(kernel, &places).into_iter().chain(homeless(kernel, levels, &places))).collect()
}

/// Reports PTX that is missing or does not belong to its source: the kernel's own, otherwise one of its variants'.
fn unbuilt(kernel: &Kernel, places: &CatalogPlaces) -> Option<Problem> {
    let help = format!("Run `matmul-tutor{} course build`.", places.option);
    // The PTX lacks a function that the source does not have.
    let field = if kernel.source.text().contains(kernel.entry.as_str()) { "id" } else { "entry" };
    let problem = |code, message: &str| places.problem(code, &kernel.id, field, message, &help);
    if let Some(why) = kernel.unbuilt() {
        return Some(problem(why.code(), &format!("`{}` {why}.", kernel.ptx_file)));
    }
    let variants = kernel.variants.iter().flat_map(|variants| variants.possible());
    let bad: Vec<_> = variants.filter_map(|point| point.kernel(kernel)?.unbuilt()).collect();
    let why = bad.first()?;
    Some(problem(why.code(), &format!("The PTX of {} of the variants of `{}` {why}.", bad.len(), kernel.id)))
}

/// Reports a kernel whose level the course does not have.
fn homeless(kernel: &Kernel, levels: Option<&[&str]>, places: &CatalogPlaces) -> Option<Problem> {
    // A course without levels has another problem.
    let levels = levels.filter(|levels| !levels.is_empty())?;
    if levels.contains(&kernel.level.as_str()) {
        return None;
    }
    let message = format!("`{}` belongs to the level `{}`, which the course does not have.", kernel.id, kernel.level);
    let help = match tutor_support::text::nearest(&kernel.level, levels.iter().copied()) {
        Some(near) => format!("Did you mean `{near}`?"),
        None => format!("The levels are {}.", levels.join(", ")),
    };
    Some(places.problem("unknown-level", &kernel.id, "level", &message, &help))
}
