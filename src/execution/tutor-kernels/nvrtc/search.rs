/*! Searches for NVRTC, place by place.

The user's choice comes first, then what was installed for the tutor, then what an environment or the system has. An
NVRTC installed for another purpose may write PTX that is too new for the driver. Paths relative to the working
directory are never searched, because a library there could be a stranger's code.

The list of places is made once, before the worker's sandbox closes the directories. A running tutor without a
compiler looks again when a student edits or saves. If a compiler has appeared, it starts a new worker.
*/

use super::{Location, Looked, Nvrtc, PATH_VARIABLE, private};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

#[cfg(windows)]
const NAMES: [&str; 3] = ["nvrtc64_120_0.dll", "nvrtc64_130_0.dll", "nvrtc64_112_0.dll"];
#[cfg(not(windows))]
const NAMES: [&str; 4] = ["libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so.11.2", "libnvrtc.so"];

/// The directories and libraries of a place on this machine.
struct Found {
    roots: Vec<PathBuf>,
    libraries: Vec<PathBuf>,
}

impl Location {
    /// Returns the directories and libraries of this place.
    ///
    /// The search runs only once, so that a process in the sandbox still knows its results.
    fn found(self) -> &'static Found {
        static FOUND: LazyLock<[Found; Location::ALL.len()]> = LazyLock::new(|| {
            Location::ALL.map(|place| {
                let roots = place.roots();
                Found { libraries: place.libraries_in(&roots, &NAMES), roots }
            })
        });
        static NONE: Found = Found { roots: Vec::new(), libraries: Vec::new() };
        FOUND.get(self as usize).unwrap_or(&NONE)
    }

    /// Returns the libraries to try, in order. The loader resolves bare names.
    pub(super) fn libraries(self) -> &'static [PathBuf] {
        &self.found().libraries
    }

    /// Returns the current directories of this place; empty if nothing names one.
    fn roots(self) -> Vec<PathBuf> {
        match self {
            Self::Variable => std::env::var_os(PATH_VARIABLE).map(PathBuf::from).into_iter().collect(),
            Self::OwnWheel => own_environment().into_iter().collect(),
            Self::Private => private().map(Path::to_owned).into_iter().collect(),
            Self::Environment => absolute(["VIRTUAL_ENV", "CONDA_PREFIX"]),
            Self::Toolkit => absolute(["CUDA_HOME", "CUDA_PATH"]),
            Self::System => vec![PathBuf::from("/usr/local/cuda")],
        }
    }

    fn libraries_in(self, roots: &[PathBuf], names: &[&str]) -> Vec<PathBuf> {
        let in_each = |look: &dyn Fn(&Path) -> Vec<PathBuf>| roots.iter().flat_map(|root| look(root)).collect();
        match self {
            Self::Variable if names == NAMES => roots.to_vec(),
            // Another library of the same toolkit, or of NVIDIA's wheels next to this one's.
            Self::Variable => in_each(&|path| {
                let real = path.canonicalize().unwrap_or_default();
                let packages =
                    real.ancestors().nth(4).filter(|_| real.parent().is_some_and(|lib| lib.ends_with("lib")));
                let own = real.parent().map(|directory| files_in(directory, names)).unwrap_or_default();
                own.into_iter()
                    .chain(packages.map(|packages| in_packages(packages, names)).unwrap_or_default())
                    .collect()
            }),
            Self::OwnWheel => in_each(&|root| in_python(root, names)),
            Self::Private => in_each(&|root| in_packages(root, names)),
            Self::Environment => in_each(&|root| in_environment(root, names)),
            Self::Toolkit => in_each(&|root| in_toolkit(root, names)),
            Self::System => {
                let toolkit: Vec<PathBuf> = in_each(&|root| in_toolkit(root, names));
                names.iter().map(PathBuf::from).chain(toolkit).collect()
            }
        }
    }
}

/// True if any place has a library now, whatever an earlier search found. Libraries that only the loader can find are
/// not considered.
pub fn is_there() -> bool {
    let found = |place: Location| place.libraries_in(&place.roots(), &NAMES);
    Location::ALL.into_iter().flat_map(found).any(|path| path.is_absolute() && path.is_file())
}

/// Describes what each place has, and which library is used.
pub fn look() -> Vec<Looked> {
    // Look at the system's library before another one is loaded for good. Afterwards the loader returns the loaded
    // one for any of the names.
    let system = looked(Location::System, None);
    let taken = Nvrtc::get().ok();
    let look = |place| match taken.filter(|taken| taken.place() == place) {
        None if place == Location::System => {
            let other = taken.is_some_and(|taken| system.path.as_deref() == taken.path().to_str());
            if other { Looked { path: None, version: None, ..system.clone() } } else { system.clone() }
        }
        taken => looked(place, taken),
    };
    Location::ALL.into_iter().map(look).collect()
}

fn looked(place: Location, taken: Option<&Nvrtc>) -> Looked {
    let root = place.found().roots.first().map(|root| root.display().to_string());
    let mut looked = Looked { place, root, path: None, version: None, problem: None, taken: taken.is_some() };
    if let Some(nvrtc) = taken {
        looked.path = Some(nvrtc.path().display().to_string());
        looked.version = Some(nvrtc.version_text());
        return looked;
    }
    for path in place.libraries() {
        match Nvrtc::open(path, place) {
            Ok(nvrtc) => {
                looked.path = Some(nvrtc.path().display().to_string());
                looked.version = Some(nvrtc.version_text());
                looked.problem = None;
                break;
            }
            Err(why) if (path.is_absolute() || place == Location::Variable) && looked.problem.is_none() => {
                looked.path = Some(path.display().to_string());
                looked.problem = Some(why);
            }
            Err(_) => {}
        }
    }
    looked
}

/// Returns the NVRTC library in a directory of installed Python packages.
pub fn library_in(packages: &Path) -> Option<PathBuf> {
    in_packages(packages, &NAMES).into_iter().next()
}

/// Returns the directories of all known libraries and of their headers, except those that only the loader finds.
#[cfg(target_os = "linux")]
pub fn directories() -> Vec<PathBuf> {
    let paths = Location::ALL.into_iter().flat_map(Location::libraries).filter(|path| path.is_absolute());
    let of = |path: &PathBuf| folders_of(path).into_iter().chain(headers_of(path)).collect::<Vec<_>>();
    paths.flat_map(of).chain(super::jit_link::FOUND.iter().flat_map(|path| folders_of(path))).collect()
}

/// Returns the directories of a library. Its path may be a link, and NVRTC's second library is next to the real file.
fn folders_of(library: &Path) -> Vec<PathBuf> {
    let real = [Some(library.to_owned()), library.canonicalize().ok()];
    real.into_iter().flatten().filter_map(|path| path.parent().map(Path::to_owned)).collect()
}

/// A file of each package of CUDA's headers: the runtime, the tensor cores' `mma`, and the C++ library.
const HEADER_MARKS: [&str; 3] = ["cuda_fp16.h", "crt/mma.h", "cuda/std/cstdint"];

/// Returns the directories of CUDA's headers that belong to a library: those of its toolkit, of its Conda environment,
/// or of NVIDIA's other wheels.
pub(super) fn headers_of(library: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for root in folders_of(library).iter().filter_map(|folder| folder.parent()) {
        // A wheel is one of several in `nvidia`. Debian's libraries are in `/usr/lib/ARCH`.
        let above = root.parent().filter(|above| above.ends_with("nvidia") || root.ends_with("lib"));
        // The sandbox of the compiler can read them, but not list them.
        const WHEELS: [&str; 5] = ["cuda_runtime", "cuda_nvcc", "cuda_crt", "cuda_cccl", "cccl"];
        let wheels = above.filter(|above| above.ends_with("nvidia"));
        let wheels = wheels.into_iter().flat_map(|above| WHEELS.map(|wheel| above.join(wheel)));
        let roots = std::iter::once(root).chain(above).map(Path::to_owned).chain(wheels);
        let inner = ["include", "include/cccl", "targets/x86_64-linux/include", "targets/sbsa-linux/include"];
        for folder in roots.flat_map(|root| inner.map(|inner| root.join(inner))) {
            let real = folder.canonicalize().unwrap_or(folder);
            if !found.contains(&real) && HEADER_MARKS.iter().any(|mark| real.join(mark).is_file()) {
                found.push(real);
            }
        }
    }
    found
}

/// Returns the version of CUDA that a directory of headers is of, e.g. `[12, 0]`, if its `cuda.h` states one.
pub(super) fn version_of(headers: &Path) -> Option<[u32; 2]> {
    let mut text = Vec::new();
    File::open(headers.join("cuda.h")).ok()?.take(1 << 16).read_to_end(&mut text).ok()?;
    let text = String::from_utf8_lossy(&text);
    let number = text.lines().find_map(|line| line.strip_prefix("#define CUDA_VERSION "))?;
    let number: u32 = number.trim().parse().ok()?;
    Some([number / 1000, number % 1000 / 10])
}

/// Returns the Python environment in which this program is installed as a wheel.
fn own_environment() -> Option<PathBuf> {
    environment_of(&std::env::current_exe().ok()?)
}

/// Returns the environment whose `bin` contains a program, if the tutor's wheel is among its packages.
fn environment_of(program: &Path) -> Option<PathBuf> {
    let bin = program.parent()?;
    let root = matches!(bin.file_name()?.to_str()?, "bin" | "Scripts").then(|| bin.parent()).flatten()?;
    let is_wheel = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("matmul_tutor-") && name.ends_with(".dist-info")
    };
    packages(root).iter().flat_map(|packages| children(packages)).any(|path| is_wheel(&path)).then(|| root.to_owned())
}

/// Returns the libraries with these names in all places, in search order. The loader resolves bare names.
pub fn libraries_named(names: &[&str]) -> Vec<PathBuf> {
    Location::ALL.into_iter().flat_map(|place| place.libraries_in(&place.roots(), names)).collect()
}

fn absolute<const N: usize>(variables: [&str; N]) -> Vec<PathBuf> {
    let paths = variables.into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    paths.filter(|path| path.is_absolute()).collect()
}

fn in_toolkit(root: &Path, names: &[&str]) -> Vec<PathBuf> {
    let directories = ["lib64", "lib", "bin", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"];
    directories.iter().flat_map(|directory| files_in(&root.join(directory), names)).collect()
}

fn files_in(directory: &Path, names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| directory.join(name)).filter(|path| path.is_file()).collect()
}

/// Returns the libraries of an environment of Python or Conda.
fn in_environment(root: &Path, names: &[&str]) -> Vec<PathBuf> {
    in_python(root, names).into_iter().chain(files_in(&root.join("lib"), names)).collect()
}

/// Returns the libraries of NVIDIA's wheels in a Python environment.
fn in_python(root: &Path, names: &[&str]) -> Vec<PathBuf> {
    packages(root).iter().flat_map(|packages| in_packages(packages, names)).collect()
}

/// Returns the package directories of an environment. Debian's Python uses `dist-packages`.
fn packages(root: &Path) -> Vec<PathBuf> {
    let pythons = children(&root.join("lib"));
    let folders = ["site-packages", "dist-packages"];
    let unix = pythons.iter().flat_map(|python| folders.map(|folder| python.join(folder)));
    std::iter::once(root.join("Lib/site-packages")).chain(unix).collect()
}

/// Returns the libraries of NVIDIA's wheels in a package directory: `nvidia/*/{lib,bin}/NAME`.
fn in_packages(packages: &Path, names: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for wheel in children(&packages.join("nvidia")) {
        for directory in ["lib", "bin"] {
            found.extend(files_in(&wheel.join(directory), names));
        }
    }
    found
}

/// Lists at most 5000 entries of a directory, sorted by name. A larger directory is not one of NVIDIA's.
fn children(path: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).take(5000).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(path: &Path) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }

    #[test]
    fn a_program_knows_the_environment_that_its_wheel_is_in_and_no_other_one() {
        for (folder, packages) in [
            ("bin", "lib/python3.12/site-packages"),
            ("bin", "lib/python3/dist-packages"),
            ("Scripts", "Lib/site-packages"),
        ] {
            let root = tempfile::tempdir().unwrap();
            let program = root.path().join(folder).join("matmul-tutor");
            touch(&program);
            touch(&root.path().join(packages).join("nvidia/cuda_nvrtc/lib").join(NAMES[0]));
            assert_eq!(environment_of(&program), None, "a folder of that name alone is no environment of ours");
            touch(&root.path().join(packages).join("matmul_tutor-0.1.0.dist-info/METADATA"));
            assert_eq!(environment_of(&program).as_deref(), Some(root.path()));
            let library = root.path().join(packages).join("nvidia/cuda_nvrtc/lib").join(NAMES[0]);
            assert_eq!(in_python(root.path(), &NAMES), [library]);
            assert_eq!(environment_of(&root.path().join("matmul-tutor")), None);
        }
    }

    #[test]
    fn packages_without_an_environment_around_them_are_found() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(library_in(root.path()), None);
        let library = root.path().join("nvidia/cuda_nvrtc/lib").join(NAMES[0]);
        touch(&library);
        assert_eq!(library_in(root.path()), Some(library));
    }
}
