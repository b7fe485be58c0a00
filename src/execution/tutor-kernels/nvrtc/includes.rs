/*! Collects the headers that a source includes, so that the compiler needs no file.

The compiler runs where it can read no file at all, because a source may include anything and quote it in a message. So
this module reads the headers and hands their texts over. It follows each `#include "…"` and `#include <…>` with a
literal name, as a compiler does: first in the directory of the including file, then in the directories that the user
named. A header must be a regular file in one of them, without a hidden directory on its way, and its name must end as a
header's does. Everything else stays unresolved, and the compiler reports it.
*/

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// Maximum number of headers, of bytes in one, and of bytes in all.
const MAX_HEADERS: usize = 4096;
const MAX_BYTES: u64 = 8 << 20;
const MAX_ALL_BYTES: u64 = 64 << 20;

/// Endings of headers. Headers of the C++ library have none.
const ENDINGS: [&str; 13] = ["h", "hh", "hpp", "hxx", "h++", "cuh", "cu", "inl", "inc", "ipp", "tpp", "def", "impl"];

/// True if a header of CUDA has functions and types for kernels.
pub fn is_for_kernels(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "cooperative_groups",
        "crt/",
        "cub/",
        "cuComplex.h",
        "cuda/",
        "cuda_awbarrier",
        "cuda_bf",
        "cuda_fp",
        "cuda_pipeline",
        "math_constants.h",
        "mma.h",
        "nv/",
    ];
    NAMES.iter().any(|of| name.starts_with(of))
}

/// A source whose headers are texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gathered {
    /// The source, with the names by which `headers` are known.
    pub source: String,
    /// Names as written in `#include`, and texts.
    pub headers: Vec<(String, String)>,
}

/// Collects the headers of a source in the directory `own`, which is searched first, and of `include`.
///
/// # Errors
/// If there are too many headers, or a header cannot be read.
pub fn gather(source: &str, own: &Path, include: &[PathBuf]) -> Result<Gathered, Sentence> {
    let roots = std::iter::once(own).chain(include.iter().map(PathBuf::as_path));
    let roots: Vec<PathBuf> = roots.filter_map(|root| root.canonicalize().ok()).collect();
    let mut gathering = Gathering { roots, names: BTreeMap::new(), waiting: Vec::new() };
    let folder = own.canonicalize().unwrap_or_default();
    let source = gathering.renamed(source, &folder);
    let (mut headers, mut bytes) = (Vec::new(), 0);
    while let Some(path) = gathering.waiting.pop() {
        let text = tutor_support::text::read_within(&path, MAX_BYTES)?;
        bytes += text.len() as u64;
        if headers.len() == MAX_HEADERS || bytes > MAX_ALL_BYTES {
            return Err(sentence!("kernels-too-many-headers", headers = MAX_HEADERS, most = MAX_ALL_BYTES >> 20));
        }
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let text = gathering.renamed(&text, &folder);
        headers.push((gathering.names[&path].clone(), text));
    }
    Ok(Gathered { source, headers })
}

struct Gathering {
    /// The directories that are searched, in order, without links.
    roots: Vec<PathBuf>,
    /// The name of each header that was found, by its path.
    names: BTreeMap<PathBuf, String>,
    /// Headers that are still to be read.
    waiting: Vec<PathBuf>,
}

impl Gathering {
    /// Returns a text in which each include that was found has the header's unique name.
    fn renamed(&mut self, text: &str, folder: &Path) -> String {
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            match included(line).and_then(|(at, quoted)| Some((at.clone(), self.find(&line[at], quoted, folder)?))) {
                Some((at, name)) => out.extend([&line[..at.start], &name, &line[at.end..]]),
                None => out.push_str(line),
            }
        }
        out
    }

    /// Returns the name of the header that an include finds.
    fn find(&mut self, written: &str, quoted: bool, folder: &Path) -> Option<String> {
        let near = quoted.then_some(folder).into_iter();
        let candidates: Vec<PathBuf> =
            near.chain(self.roots.iter().map(PathBuf::as_path)).map(|directory| directory.join(written)).collect();
        let (path, root) = candidates.into_iter().find_map(|path| self.allowed(&path))?;
        if let Some(name) = self.names.get(&path) {
            return Some(name.clone());
        }
        let short = path.strip_prefix(&self.roots[root]).unwrap_or(&path).to_string_lossy().into_owned();
        let taken = self.names.values().any(|name| *name == short);
        let name = if taken { path.to_string_lossy().into_owned() } else { short };
        self.names.insert(path.clone(), name.clone());
        self.waiting.push(path);
        Some(name)
    }

    /// Returns the path without links and the number of its root, if it is a header that may be read.
    fn allowed(&self, path: &Path) -> Option<(PathBuf, usize)> {
        let path = path.canonicalize().ok()?;
        let inside = |root: &PathBuf| {
            let rest = path.strip_prefix(root).ok()?;
            let visible = |part: Component| !part.as_os_str().to_string_lossy().starts_with('.');
            rest.components().all(visible).then_some(())
        };
        let root = self.roots.iter().position(|root| inside(root).is_some())?;
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        // A file without an ending may be anything, except in a directory that the user named.
        let header = ending.map_or(root > 0, |ending| ENDINGS.contains(&ending.as_str()));
        (header && path.is_file()).then_some((path, root))
    }
}

/// Returns the place of the name in a line with an include, and whether it is in quotes.
fn included(line: &str) -> Option<(std::ops::Range<usize>, bool)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    let close = match rest.chars().next()? {
        '"' => '"',
        '<' => '>',
        _ => return None,
    };
    let start = line.len() - rest.len() + 1;
    let length = line[start..].find(close)?;
    Some((start..start + length, close == '"'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn headers_are_found_as_a_compiler_finds_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, text) in [
            ("own/k.cuh", "#include \"part/util.h\"\n"),
            ("own/part/util.h", "#include \"deep.h\"\n#  include <lib/util.h> // both\n#include \"../k.cuh\"\n"),
            ("own/part/deep.h", "#include <missing.h>\n"),
            ("named/lib/util.h", "#include \"../part/util.h\"\n"),
            ("named/part/util.h", "#define X 1\n"),
            ("named/plain", ""),
        ] {
            fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            fs::write(path(name), text).unwrap();
        }
        let source = "#include \"k.cuh\"\n#include <plain>\n#include NAME\nint x;\n";
        let found = gather(source, &path("own"), &[path("named")]).unwrap();
        assert_eq!(found.source, source);
        let headers: BTreeMap<_, _> = found.headers.into_iter().collect();
        let both = path("named/part/util.h").canonicalize().unwrap().display().to_string();
        let expected = [
            ("k.cuh", "#include \"part/util.h\"\n".to_owned()),
            (
                "part/util.h",
                "#include \"part/deep.h\"\n#  include <lib/util.h> // both\n#include \"k.cuh\"\n".to_owned(),
            ),
            ("part/deep.h", "#include <missing.h>\n".to_owned()),
            ("lib/util.h", format!("#include \"{both}\"\n")),
            (&both, "#define X 1\n".to_owned()),
            ("plain", String::new()),
        ];
        assert_eq!(headers, expected.map(|(name, text)| (name.to_owned(), text)).into());
    }

    #[test]
    fn nothing_else_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["own/.git/config.h", "own/secret", "own/secret.json", "outside.h"] {
            fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            fs::write(path(name), "secret").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(path("outside.h"), path("own/link.h")).unwrap();
        let names = [
            "/proc/self/environ",
            "/etc/passwd",
            ".git/config.h",
            "secret",
            "secret.json",
            "../outside.h",
            "link.h",
            "missing.h",
            ".",
            "",
        ];
        for name in names {
            let source = format!("#include \"{name}\"\n#include <{name}>\n");
            let found = gather(&source, &path("own"), &[]).unwrap();
            assert_eq!(found, Gathered { source, headers: Vec::new() }, "{name}");
        }
    }
}
