//! Loads `kernels/catalog.yaml` with its sources and PTX, and finds kernels in it.

use super::edition::CatalogEdition;
use super::elements::{Elements, Multiples, Needs};
use super::files::Files;
use super::kernel::Kernel;
use super::read::{Sources, at, read_kernel, unreadable};
use super::written::{CatalogFile, KernelEntry};
use crate::base_course::BaseCourse;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};
use tutor_assets::Kernels;
use tutor_support::text;
use tutor_support::yaml;
use tutor_support::yaml::At;

/// All kernels of a course.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Catalog {
    kernels: Vec<Kernel>,
}

/// A problem in a catalogue or a source, with its location.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct CatalogProblem {
    /// Path relative to the course directory, e.g. `kernels/catalog.yaml`.
    pub file: String,
    /// 1-based line number; 0 if the problem concerns the whole file.
    pub line: u32,
    /// 1-based column number; 0 if the problem concerns the whole line.
    pub column: u32,
    /// What is wrong, as a sentence.
    pub message: String,
    pub help: Option<String>,
}

pub(super) const CATALOG: &str = "kernels/catalog.yaml";
/// The end of the name of a kernel that runs on copies of the matrices, whose rows are whole lines of 128 bytes.
pub const PADDED: &str = "+padded";
const FOLDER: &str = "kernels/";

/// Maximum number of kernels in a catalogue.
pub const MAX_KERNELS: usize = 200;

impl CatalogProblem {
    /// Describes a problem in `file`. Characters that must not be shown are replaced.
    pub(super) fn new(file: &str, (line, column): (u32, u32), message: &str, help: Option<&str>) -> Self {
        let clean = |text: &str| text::line(text).into_owned();
        Self { file: clean(file), line, column, message: clean(message), help: help.map(clean) }
    }
}

impl Catalog {
    /// Returns the catalogue in the binary.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Catalog> = LazyLock::new(|| Catalog::load(&Files::built_in(), None).0);
        &BUILT_IN
    }

    /// Returns the catalogue in the binary with the texts of a language, or with the original texts if there is no
    /// edition.
    pub fn built_in_in(lang: &str) -> &'static Self {
        static KNOWN: Mutex<BTreeMap<String, &'static Catalog>> = Mutex::new(BTreeMap::new());
        let Some(path) = CatalogEdition::path(lang)
            .filter(|path| path.strip_prefix(FOLDER).is_some_and(|name| Kernels::get(name).is_some()))
        else {
            return Self::built_in();
        };
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        // Each of the few languages is read once and then kept for the life of the process.
        known.entry(path).or_insert_with(|| {
            let mut catalog = Self::built_in().clone();
            catalog.speak(&Files::built_in(), lang);
            Box::leak(Box::new(catalog))
        })
    }

    /// Returns a text file of the catalogue in the binary: `kernels/catalog.yaml` or one of its editions.
    pub fn built_in_text(path: &str) -> Option<String> {
        Files::built_in().read(path).ok()
    }

    /// Returns the kernels with a planted fault in the binary. Questions show them, and `check` proves the fault.
    /// They are not part of the ladder.
    pub fn faulty() -> &'static Self {
        static FAULTY: LazyLock<Catalog> =
            LazyLock::new(|| Catalog::load(&Files::faulty(), Some(Catalog::built_in())).0);
        &FAULTY
    }

    /// Reads the kernels of a course directory. Returns those without a problem, and every problem found.
    pub fn from_directory(root: &Path) -> (Self, Vec<CatalogProblem>) {
        Self::load(&Files::of_directory(root), Some(Self::built_in()))
    }

    /// Returns the kernels that a course can launch: the built-in ones, those of its base courses, and those in its
    /// directory. A kernel of the course replaces an earlier one with the same id.
    pub fn of_course(root: Option<&Path>) -> (Self, Vec<CatalogProblem>) {
        Self::of_course_in(root, "")
    }

    /// Like [`Self::of_course`], with the texts of a language where an edition has them.
    pub fn of_course_in(root: Option<&Path>, lang: &str) -> (Self, Vec<CatalogProblem>) {
        let mut catalog = Self::built_in_in(lang).clone();
        let Some(root) = root else { return (catalog, Vec::new()) };
        // Start with the deepest base course, because each course replaces kernels of the courses below it.
        for base in BaseCourse::all(root).into_iter().rev() {
            if let BaseCourse::Directory(root) = base
                && Self::is_in(&root)
            {
                catalog.put_of(&root, lang);
            }
        }
        let problems = if Self::is_in(root) { catalog.put_of(root, lang) } else { Vec::new() };
        (catalog, problems)
    }

    /// Adds a directory's kernels with the texts of a language. Returns the problems found.
    fn put_of(&mut self, root: &Path, lang: &str) -> Vec<CatalogProblem> {
        let (mut own, problems) = Self::from_directory(root);
        own.speak(&Files::of_directory(root), lang);
        self.put(own);
        problems
    }

    /// Adds kernels; one with a known id replaces the existing kernel.
    fn put(&mut self, others: Self) {
        for kernel in others.kernels {
            match self.kernels.iter_mut().find(|known| known.id == kernel.id) {
                Some(known) => *known = kernel,
                None => self.kernels.push(kernel),
            }
        }
    }

    /// True if a course directory has a catalogue.
    pub fn is_in(root: &Path) -> bool {
        root.join(CATALOG).exists()
    }

    pub(super) fn kernels_mut(&mut self) -> &mut [Kernel] {
        &mut self.kernels
    }

    /// Returns all kernels in catalogue order.
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    pub fn kernel(&self, id: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.id == id)
    }

    /// Returns the kernel with this id, or the variant for an id like `kernel@variant`; either may end in [`PADDED`].
    pub fn find(&self, id: &str) -> Option<Cow<'_, Kernel>> {
        if let Some(given) = id.strip_suffix(PADDED).filter(|given| !given.ends_with(PADDED)) {
            let kernel = self.find(given)?.into_owned();
            // Whole lines meet every other requirement.
            let needs = Needs { multiple: Multiples { m: kernel.needs.multiple.m, ..Multiples::default() } };
            return Some(Cow::Owned(Kernel { id: id.to_owned(), needs, variants: None, ..kernel }));
        }
        match id.split_once('@') {
            None => self.kernel(id).map(Cow::Borrowed),
            Some((kernel, variant)) => self.kernel(kernel)?.variant(variant).map(Cow::Owned),
        }
    }

    /// Returns the known id most similar to `id`, for the help of an error.
    pub fn nearest(&self, id: &str) -> Option<&str> {
        text::nearest(id.trim_end_matches(PADDED), self.kernels.iter().map(|kernel| kernel.id.as_str()))
    }

    /// Reads a catalogue. Its entries may also refer to kernels in `others`.
    fn load(files: &Files, others: Option<&Self>) -> (Self, Vec<CatalogProblem>) {
        let text = match files.read(CATALOG) {
            Ok(text) => text,
            Err(error) => return (Self::default(), vec![unreadable(CATALOG, (0, 0), error)]),
        };
        let (mut file, mut problems) = entries(&text);
        let mut catalog = Self::default();
        if let Some(surplus) = file.kernels.get(MAX_KERNELS) {
            let message = format!("{} kernels are more than {MAX_KERNELS}.", file.kernels.len());
            problems.push(at(surplus, message, Some("The rest is left out.")));
            file.kernels.truncate(MAX_KERNELS);
        }
        let mut sources = Sources::default();
        for entry in &file.kernels {
            match read_kernel(&entry.value, files, &mut sources, &catalog) {
                Ok(kernel) => catalog.kernels.push(kernel),
                Err(found) => problems.extend(found),
            }
        }
        for entry in &file.kernels {
            if let Some(otherwise) = &entry.value.otherwise {
                problems.extend(catalog.misdirected(others, &entry.value.id.value, otherwise));
            }
        }
        (catalog, problems)
    }

    /// Returns what is wrong with the kernel that `id` names in `otherwise`.
    fn misdirected(&self, others: Option<&Self>, id: &str, otherwise: &At<String>) -> Option<CatalogProblem> {
        let from = self.kernel(id)?;
        let to = &otherwise.value;
        let Some(kernel) = self.kernel(to).or_else(|| others?.kernel(to)) else {
            let message = format!("`{id}` sends other shapes to `{}`, which is not a kernel.", to.escape_debug());
            return Some(at(otherwise, message, Some("Name a kernel of the catalogue.")));
        };
        let same =
            kernel.elements == from.elements || (from.elements == Elements::Tf32 && kernel.elements == Elements::F32);
        let message = if kernel.needs != Needs::default() {
            format!("`{id}` sends other shapes to `{to}`, which also does not run every shape.")
        } else if kernel.further != from.further {
            format!("`{id}` and `{to}`, which runs its other shapes, differ in their scales or their epilogue.")
        } else if !same {
            format!(
                "`{id}` has elements of {}, but `{to}`, which runs its other shapes, has elements of {}.",
                from.elements, kernel.elements
            )
        } else {
            return None;
        };
        Some(at(otherwise, message, Some("Name a kernel with the same elements that runs every shape.")))
    }
}

/// Reads the entries of a catalogue's text, and the problems of those that cannot be read.
fn entries(text: &str) -> (CatalogFile, Vec<CatalogProblem>) {
    let problem = |fault: yaml::Fault| {
        let help = Some(fault.help).filter(|help| !help.is_empty());
        CatalogProblem::new(CATALOG, (fault.line, fault.column), &fault.message, help)
    };
    let none = |fault| (CatalogFile { kernels: Vec::new() }, vec![problem(fault)]);
    let mut tree = match yaml::read(text) {
        Ok(tree) => tree,
        Err(fault) => return none(fault),
    };
    let mut problems = Vec::new();
    if let yaml::Value::Map(fields) = &mut tree.value
        && let Some((_, list)) = fields.iter_mut().find(|(key, _)| key.text() == Some("kernels"))
        && let yaml::Value::List(entries) = &mut list.value
    {
        // An entry with a mistake leaves the others usable.
        entries.retain(|entry| match yaml::typed::<At<KernelEntry>>(entry) {
            Ok(_) => true,
            Err(fault) => {
                problems.push(problem(fault));
                false
            }
        });
    }
    match yaml::typed(&tree) {
        Ok(file) => (file, problems),
        Err(fault) => none(fault),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tutor_assets::Ptx;

    #[test]
    fn the_built_in_catalogue_has_no_problem_and_every_ptx_has_its_entry() {
        let (catalog, problems) = Catalog::load(&Files::built_in(), None);
        assert_eq!(problems, []);
        assert!(catalog.kernels().len() >= 14);
        for kernel in catalog.kernels() {
            let ptx = kernel.ptx.as_deref().unwrap_or_else(|| panic!("{} has no PTX", kernel.id));
            assert!(ptx.contains(&format!(".visible .entry {}(", kernel.entry)), "{}", kernel.id);
            assert!(ptx.contains(&format!(".file\t1 \"{}\"", kernel.file)), "{}", kernel.id);
            // Drivers of early 2023 take no newer PTX, and 8-bit products of `mma.sync` need 8.4.
            let version = if kernel.id == "e4m3_mma" { ".version 8.4" } else { ".version 8.0" };
            assert!(ptx.contains(version), "{}", kernel.id);
            for region in ["signature", "indices", "store"] {
                assert!(kernel.source.region(region).is_some(), "{} lacks region {region}", kernel.id);
            }
        }
    }

    #[test]
    fn every_kernel_file_and_every_ptx_file_is_in_the_catalogue() {
        let catalog = Catalog::built_in();
        for file in Kernels::iter().filter(|name| name.ends_with(".cu")) {
            assert!(catalog.kernels().iter().any(|k| k.file == format!("kernels/{file}")), "{file}");
        }
        let of_variants: Vec<String> = catalog
            .kernels()
            .iter()
            .flat_map(|k| {
                k.variants.iter().flat_map(|v| v.possible().filter_map(|point| Some(point.kernel(k)?.ptx_file)))
            })
            .collect();
        for file in Ptx::iter().map(|file| format!("assets/ptx/{file}")) {
            assert!(catalog.kernels().iter().any(|k| k.ptx_file == file) || of_variants.contains(&file), "{file}");
        }
    }

    #[test]
    fn a_misspelt_id_is_recognised() {
        assert_eq!(Catalog::built_in().nearest("sgem_tiled"), Some("sgemm_tiled"));
        assert_eq!(Catalog::built_in().nearest("cublas"), None);
    }
}
