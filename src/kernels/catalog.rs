//! `kernels/catalog.yaml`: what it may say, and loading it with its sources and PTX.

use super::geometry::{Geometry, GeometryError, GridFormulas, check_block};
use super::source::Source;
use rust_embed::RustEmbed;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_yaml::Spanned;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// The file, as written.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CatalogFile {
    /// In the order in which they are shown.
    #[schemars(with = "Vec<KernelEntry>")]
    pub kernels: Vec<Spanned<KernelEntry>>,
}

/// A kernel, as written.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KernelEntry {
    /// Stable id: lower-case letters, digits and `_`.
    #[schemars(with = "String")]
    pub id: Spanned<String>,
    /// Id of the course level that teaches it.
    pub level: String,
    /// Short name for lists.
    pub title: String,
    /// Name of the `.cu` file in `kernels/`.
    #[schemars(with = "String")]
    pub file: Spanned<String>,
    /// Name of the `extern "C" __global__` function.
    #[schemars(with = "String")]
    pub entry: Spanned<String>,
    /// Threads of a block, x first.
    #[schemars(with = "[u32; 3]")]
    pub block: Spanned<[u32; 3]>,
    /// Blocks of the grid, x first: one to three formulas of M, N and K.
    #[schemars(with = "Vec<String>")]
    pub grid: Vec<Spanned<String>>,
    /// Oldest architecture that runs it, e.g. `sm_75`.
    #[schemars(with = "String")]
    pub min_arch: Spanned<String>,
    /// Whether its result is wrong, to show a fault.
    pub expected_wrong: bool,
    /// The fault it shows.
    #[serde(default)]
    #[schemars(with = "Option<HazardName>")]
    pub hazard: Option<Spanned<HazardName>>,
    /// One sentence.
    pub about: String,
}

/// The fault that a kernel shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum HazardName {
    /// Read after write.
    Raw,
    /// Write after read.
    War,
    /// Write after write.
    Waw,
}

/// A kernel ready to be shown and launched.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// Stable id.
    pub id: String,
    /// Id of the course level that teaches it.
    pub level: String,
    /// Short name for lists.
    pub title: String,
    /// `kernels/….cu`, as named in its PTX.
    pub file: String,
    /// Name of the `.entry` in the PTX.
    pub entry: String,
    /// Threads of a block.
    pub block: [u32; 3],
    /// The formulas of the grid, as written.
    pub grid: Vec<String>,
    /// Oldest compute capability, e.g. `[7, 5]`.
    pub min_capability: [u32; 2],
    /// Whether its result is wrong, to show a fault.
    pub expected_wrong: bool,
    /// The fault it shows.
    pub hazard: Option<HazardName>,
    /// One sentence.
    pub about: String,
    /// The CUDA C++.
    pub source: Source,
    /// `assets/ptx/….ptx`.
    pub ptx_file: String,
    /// The compiled PTX; absent if it has not been built.
    pub ptx: Option<Arc<str>>,
    formulas: GridFormulas,
}

impl Kernel {
    /// Blocks and threads for C[m×n] = A[m×k] · B[k×n].
    ///
    /// # Errors
    /// If the shape cannot be launched.
    pub fn geometry(&self, m: u32, n: u32, k: u32) -> Result<Geometry, GeometryError> {
        self.formulas.geometry(self.block, m, n, k)
    }

    /// The oldest architecture as NVIDIA writes it, e.g. `sm_75`.
    pub fn min_arch(&self) -> String {
        let [major, minor] = self.min_capability;
        format!("sm_{major}{minor}")
    }
}

/// All kernels of a course.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Catalog {
    kernels: Vec<Kernel>,
}

/// Something wrong with a catalogue or a source, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct CatalogProblem {
    /// Relative to the course directory, e.g. `kernels/catalog.yaml`.
    pub file: String,
    /// 1-based; 0 if the whole file is meant.
    pub line: u32,
    /// 1-based; 0 if the whole line is meant.
    pub column: u32,
    /// A sentence.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

const CATALOG: &str = "kernels/catalog.yaml";
/// Longest file read from a course directory, so that no file exhausts memory.
const MAX_FILE_BYTES: u64 = 4 << 20;

#[derive(RustEmbed)]
#[folder = "kernels/"]
#[include = "*.cu"]
#[include = "catalog.yaml"]
struct BuiltInKernels;

#[derive(RustEmbed)]
#[folder = "assets/ptx/"]
#[include = "*.ptx"]
struct BuiltInPtx;

/// Where files come from: the binary, or a course directory.
enum Files<'a> {
    BuiltIn,
    Directory(&'a Path),
}

enum ReadError {
    Missing,
    Other(String),
}

impl Files<'_> {
    /// Reads `kernels/…` or `assets/ptx/…`; names come from the catalogue and are plain file names.
    fn read(&self, path: &str) -> Result<String, ReadError> {
        match self {
            Self::BuiltIn => {
                let file = match path.strip_prefix("kernels/") {
                    Some(name) => BuiltInKernels::get(name),
                    None => path.strip_prefix("assets/ptx/").and_then(BuiltInPtx::get),
                };
                let bytes = file.ok_or(ReadError::Missing)?.data;
                String::from_utf8(bytes.into_owned()).map_err(|_| not_utf8())
            }
            Self::Directory(root) => read_limited(root, path),
        }
    }
}

fn not_utf8() -> ReadError {
    ReadError::Other("It is not UTF-8 text.".to_owned())
}

fn read_limited(root: &Path, path: &str) -> Result<String, ReadError> {
    use std::io::Read as _;
    let other = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => ReadError::Missing,
        _ => ReadError::Other(format!("It cannot be read: {error}.")),
    };
    let root = root.canonicalize().map_err(other)?;
    let path: PathBuf = root.join(path).canonicalize().map_err(other)?;
    if !path.starts_with(&root) {
        return Err(ReadError::Other("It is a link that leaves the course directory.".to_owned()));
    }
    // A FIFO or a device would block or never end.
    if !std::fs::metadata(&path).map_err(other)?.is_file() {
        return Err(ReadError::Other("It is not a plain file.".to_owned()));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(other)?;
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(other)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(ReadError::Other(format!("It is longer than {} MiB.", MAX_FILE_BYTES >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| not_utf8())
}

impl Catalog {
    /// The catalogue in the binary.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Catalog> = LazyLock::new(|| Catalog::load(&Files::BuiltIn).0);
        &BUILT_IN
    }

    /// A course directory's own kernels, with every problem found; kernels without a problem are there.
    pub fn from_directory(root: &Path) -> (Self, Vec<CatalogProblem>) {
        Self::load(&Files::Directory(root))
    }

    /// What a course can launch: the built-in kernels, and its directory's own beside them or, by the same id, in
    /// their place.
    pub fn of_course(root: Option<&Path>) -> (Self, Vec<CatalogProblem>) {
        let mut catalog = Self::built_in().clone();
        let Some(root) = root.filter(|root| Self::is_in(root)) else { return (catalog, Vec::new()) };
        let (own, problems) = Self::from_directory(root);
        for kernel in own.kernels {
            match catalog.kernels.iter_mut().find(|known| known.id == kernel.id) {
                Some(known) => *known = kernel,
                None => catalog.kernels.push(kernel),
            }
        }
        (catalog, problems)
    }

    /// Whether a course directory brings its own kernels.
    pub fn is_in(root: &Path) -> bool {
        root.join(CATALOG).exists()
    }

    /// All kernels, in catalogue order.
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// The kernel of this id.
    pub fn kernel(&self, id: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.id == id)
    }

    /// The id that was probably meant, for an error's help.
    pub fn nearest(&self, id: &str) -> Option<&str> {
        let ids = self.kernels.iter().map(|kernel| kernel.id.as_str());
        ids.map(|known| (edit_distance(known, id), known))
            .min()
            .filter(|(distance, known)| *distance <= known.len() / 3)
            .map(|(_, known)| known)
    }

    fn load(files: &Files) -> (Self, Vec<CatalogProblem>) {
        let text = match files.read(CATALOG) {
            Ok(text) => text,
            Err(error) => return (Self::default(), vec![unreadable(CATALOG, 0, 0, error)]),
        };
        let file: CatalogFile = match serde_yaml::from_str(&text) {
            Ok(file) => file,
            Err(error) => return (Self::default(), vec![yaml_problem(&error)]),
        };
        let mut catalog = Self::default();
        let mut problems = Vec::new();
        for entry in file.kernels {
            match read_kernel(&entry.value, files, &catalog) {
                Ok(kernel) => catalog.kernels.push(kernel),
                Err(found) => problems.extend(found),
            }
        }
        (catalog, problems)
    }
}

fn yaml_problem(error: &serde_yaml::Error) -> CatalogProblem {
    let place = error.location();
    CatalogProblem {
        file: CATALOG.to_owned(),
        line: place.map_or(0, |place| place.line() as u32),
        column: place.map_or(0, |place| place.column() as u32),
        message: without_place(&error.without_snippet().to_string()),
        help: None,
    }
}

/// The reader's sentence without the place at its end, which is told apart.
fn without_place(message: &str) -> String {
    let head = message.lines().next().unwrap_or_default();
    let head = head.rsplit_once(" at line ").map_or(head, |(head, _)| head);
    format!("{}.", head.trim_end_matches('.'))
}

fn unreadable(file: &str, line: u32, column: u32, error: ReadError) -> CatalogProblem {
    let (message, help) = match error {
        ReadError::Missing => (format!("`{file}` is not there."), Some("Create it, or correct its name.".to_owned())),
        ReadError::Other(why) => (format!("`{file}`: {why}"), None),
    };
    CatalogProblem { file: CATALOG.to_owned(), line, column, message, help }
}

fn is_name(text: &str) -> bool {
    let first = text.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    first && text.len() <= 100 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn capability(arch: &str) -> Option<[u32; 2]> {
    let number: u32 = arch.strip_prefix("sm_")?.parse().ok()?;
    (50..1000).contains(&number).then_some([number / 10, number % 10])
}

fn read_kernel(entry: &KernelEntry, files: &Files, known: &Catalog) -> Result<Kernel, Vec<CatalogProblem>> {
    let mut problems = Vec::new();
    fn at<T>(spanned: &Spanned<T>, message: String, help: Option<&str>) -> CatalogProblem {
        let place = spanned.referenced;
        CatalogProblem {
            file: CATALOG.to_owned(),
            line: place.line() as u32,
            column: place.column() as u32,
            message,
            help: help.map(str::to_owned),
        }
    }
    let id = &entry.id.value;
    if !is_name(id) || id.chars().any(|c| c.is_ascii_uppercase()) {
        let help = "Use lower-case letters, digits and `_`.";
        problems.push(at(&entry.id, format!("`{}` is no kernel id.", id.escape_debug()), Some(help)));
    } else if known.kernel(id).is_some() {
        problems.push(at(&entry.id, format!("There are two kernels `{id}`."), Some("Rename one.")));
    }
    if !is_name(&entry.entry.value) {
        let message = format!("`{}` is no name of a function.", entry.entry.value.escape_debug());
        problems.push(at(&entry.entry, message, None));
    }
    for text in [&entry.level, &entry.title, &entry.about] {
        if text.chars().any(char::is_control) {
            let message = format!("\"{}\" holds a control character.", text.escape_debug());
            problems.push(at(&entry.id, message, Some("Write it on one line, in printable characters.")));
        }
    }
    if let Err(error) = check_block(entry.block.value) {
        problems.push(at(&entry.block, error.message, None));
    }
    let formulas = GridFormulas::parse(entry.grid.iter().map(|formula| formula.value.as_str()))
        .map_err(|(index, error)| match entry.grid.get(index) {
            Some(formula) => problems.push(at(formula, error.message, None)),
            None => problems.push(at(&entry.id, error.message, None)),
        })
        .ok();
    let min_capability = capability(&entry.min_arch.value);
    if min_capability.is_none() {
        let message = format!("`{}` is no architecture.", entry.min_arch.value.escape_debug());
        problems.push(at(&entry.min_arch, message, Some("Write it like `sm_75`.")));
    }
    if let Some(hazard) = entry.hazard.as_ref().filter(|_| !entry.expected_wrong) {
        let message = format!("`{id}` has a hazard, but is expected to be right.");
        problems.push(at(hazard, message, Some("Set `expected_wrong: true`, or remove `hazard`.")));
    }
    let stem = entry.file.value.strip_suffix(".cu").filter(|stem| is_name(stem));
    let mut source = Source::default();
    if stem.is_none() {
        let message = format!("`{}` is no name of a kernel file.", entry.file.value.escape_debug());
        let help = "Give a plain `.cu` file name, without a directory, of letters, digits and `_`.";
        problems.push(at(&entry.file, message, Some(help)));
    } else {
        let path = format!("kernels/{}", entry.file.value);
        match files.read(&path) {
            Err(error) => {
                let place = entry.file.referenced;
                problems.push(unreadable(&path, place.line() as u32, place.column() as u32, error));
            }
            Ok(text) => {
                let (read, faults) = Source::read(text);
                source = read;
                problems.extend(faults.into_iter().map(|fault| CatalogProblem {
                    file: path.clone(),
                    line: fault.line,
                    column: 1,
                    message: fault.message,
                    help: Some(fault.help),
                }));
            }
        }
    }
    let (Some(formulas), Some(min_capability), true) = (formulas, min_capability, problems.is_empty()) else {
        return Err(problems);
    };
    let ptx_file = format!("assets/ptx/{id}.ptx");
    Ok(Kernel {
        id: id.clone(),
        level: entry.level.clone(),
        title: entry.title.clone(),
        file: format!("kernels/{}", entry.file.value),
        entry: entry.entry.value.clone(),
        block: entry.block.value,
        grid: entry.grid.iter().map(|formula| formula.value.clone()).collect(),
        min_capability,
        expected_wrong: entry.expected_wrong,
        hazard: entry.hazard.as_ref().map(|hazard| hazard.value),
        about: entry.about.clone(),
        source,
        ptx: files.read(&ptx_file).ok().map(Arc::from),
        ptx_file,
        formulas,
    })
}

/// Levenshtein's distance.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(100).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_catalogue_has_no_problem_and_every_ptx_has_its_entry() {
        let (catalog, problems) = Catalog::load(&Files::BuiltIn);
        assert_eq!(problems, []);
        assert!(catalog.kernels().len() >= 14);
        for kernel in catalog.kernels() {
            let ptx = kernel.ptx.as_deref().unwrap_or_else(|| panic!("{} has no PTX", kernel.id));
            assert!(ptx.contains(&format!(".visible .entry {}(", kernel.entry)), "{}", kernel.id);
            assert!(ptx.contains(&format!(".file\t1 \"{}\"", kernel.file)), "{}", kernel.id);
            assert!(ptx.contains(".version 8.0"), "{}: drivers of early 2023 take no newer PTX", kernel.id);
            for region in ["signature", "indices", "store"] {
                assert!(kernel.source.region(region).is_some(), "{} lacks region {region}", kernel.id);
            }
        }
    }

    #[test]
    fn every_kernel_file_and_every_ptx_file_is_in_the_catalogue() {
        let catalog = Catalog::built_in();
        for file in BuiltInKernels::iter().filter(|name| name.ends_with(".cu")) {
            assert!(catalog.kernels().iter().any(|k| k.file == format!("kernels/{file}")), "{file}");
        }
        for file in BuiltInPtx::iter() {
            assert!(catalog.kernels().iter().any(|k| k.ptx_file == format!("assets/ptx/{file}")), "{file}");
        }
    }

    #[test]
    fn a_misspelt_id_is_recognised() {
        assert_eq!(Catalog::built_in().nearest("sgem_tiled"), Some("sgemm_tiled"));
        assert_eq!(Catalog::built_in().nearest("cublas"), None);
    }
}
