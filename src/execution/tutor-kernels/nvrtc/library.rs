//! Loads NVRTC, calls it, and closes it.

use super::assembler::{Assembled, Refusal};
use super::headers::HEADERS;
use super::search::{headers_of, version_of};
use super::{Compiled, Location, PATH_VARIABLE, is_static};
use crate::{Arch, Constants};
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tutor_support::sentence;
use tutor_support::words::Sentence;

/// How to compile a kernel.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    pub arch: Arch,
    pub constants: &'a Constants,
    /// True if the PTX contains the source line of each instruction.
    pub lines: bool,
    /// True to leave out all optimisations, and to keep reads of variables without a value.
    pub unoptimised: bool,
    /// Names as written in `#include`, and texts. They take the place of this module's headers of the same name.
    pub headers: &'a [(String, String)],
    /// C++ expressions that name kernels, such as `sum<float>`. They make NVRTC compile these instances of templates.
    pub instances: &'a [String],
    /// Other options of the compiler.
    pub extra: &'a [String],
}

impl Options<'_> {
    /// Options for every GPU from Turing on, with line numbers and without macros.
    pub const PLAIN: Options<'static> = {
        static NONE: Constants = Constants::new();
        Options {
            arch: Arch { capability: [7, 5], specific: false },
            constants: &NONE,
            lines: true,
            unoptimised: false,
            headers: &[],
            instances: &[],
            extra: &[],
        }
    };

    fn arguments(&self) -> Result<Vec<CString>, std::ffi::NulError> {
        let arch = format!("--gpu-architecture={}", self.arch.virtual_name());
        let macros = self.constants.iter().map(|(name, value)| format!("-D{name}={value}"));
        let lines = self.lines.then(|| "-lineinfo".to_owned());
        let debug = self.unoptimised.then(|| "--device-debug".to_owned());
        let all = std::iter::once(arch).chain(debug.or(lines)).chain(macros).chain(self.extra.iter().cloned());
        all.map(CString::new).collect()
    }
}

#[derive(Debug)]
pub struct Nvrtc {
    library: Library,
    path: PathBuf,
    place: Location,
    version: [u32; 2],
    /// Directories of CUDA's headers of this version.
    headers: Vec<PathBuf>,
    /// The version of the headers next to the library, if it is not the library's.
    other_headers: Option<[u32; 2]>,
}

/// Why a source could not be compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", Sentence::from(self))]
pub enum NvrtcError {
    /// No library was found.
    NotFound,
    /// The library that the user named does not work, or none of those found does.
    Unavailable(Sentence),
    /// The compiler refused the source, with these messages.
    Refused(String),
    Failed(Sentence),
}

impl From<&NvrtcError> for Sentence {
    fn from(error: &NvrtcError) -> Self {
        match error {
            NvrtcError::NotFound => sentence!("kernels-nvrtc-none"),
            NvrtcError::Unavailable(why) => sentence!("kernels-nvrtc-unavailable", why),
            NvrtcError::Refused(log) => sentence!("kernels-not-compiled") + format!("\n{log}"),
            NvrtcError::Failed(why) => sentence!("kernels-nvrtc-failed", why),
        }
    }
}

/// Returns help for a machine without NVRTC.
pub fn install_help() -> Sentence {
    sentence!("kernels-nvrtc-help", variable = PATH_VARIABLE)
}

type Status = c_int;
type Program = *mut c_void;

fn nul(_: std::ffi::NulError) -> NvrtcError {
    NvrtcError::Failed(sentence!("kernels-nvrtc-nul"))
}

impl Nvrtc {
    /// Returns the NVRTC of this process, loaded at the first call.
    ///
    /// # Errors
    /// [`NvrtcError::NotFound`], or [`NvrtcError::Unavailable`] if the library that was named or found cannot be
    /// loaded.
    pub fn get() -> Result<&'static Self, NvrtcError> {
        static LOADED: OnceLock<Result<Nvrtc, NvrtcError>> = OnceLock::new();
        LOADED.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    fn load() -> Result<Self, NvrtcError> {
        if is_static() {
            return Err(NvrtcError::Unavailable(sentence!("kernels-nvrtc-static")));
        }
        let mut reasons: Vec<Sentence> = Vec::new();
        for place in Location::ALL {
            for path in place.libraries() {
                match Self::open(path, place) {
                    Ok(nvrtc) => return Ok(nvrtc),
                    Err(why) if place == Location::Variable => {
                        let path = path.display().to_string();
                        return Err(NvrtcError::Unavailable(
                            Sentence::from(format!("{PATH_VARIABLE}=`{path}`: ")) + why,
                        ));
                    }
                    Err(why) if path.is_absolute() => reasons.push(why),
                    Err(_) => {}
                }
            }
        }
        let reasons = reasons.into_iter().take(2).reduce(|first, second| first + " " + second);
        Err(reasons.map_or(NvrtcError::NotFound, NvrtcError::Unavailable))
    }

    /// Opens the library at this path.
    ///
    /// # Errors
    /// The loader's message, if the file cannot be loaded or is not NVRTC.
    pub fn open(path: &Path, place: Location) -> Result<Self, Sentence> {
        // If the path were a pipe, the loader would wait for data that never comes. For a name without a directory, the
        // loader searches itself.
        if path.exists() {
            tutor_support::private::is_plain(path).map_err(|error| Sentence::from(error) + ".")?;
        }
        // SAFETY: Loading runs the library's initialisers. The path has the name of NVIDIA's library and is in a
        // directory of the system, of CUDA or of the active environment, or the user chose it.
        let library = unsafe { Library::new(path) }.map_err(|error| reason(&error))?;
        let (mut major, mut minor) = (0, 0);
        let symbol = b"nvrtcVersion\0";
        type Version = unsafe extern "C" fn(*mut c_int, *mut c_int) -> Status;
        // SAFETY: nvrtcVersion has this signature in every release.
        let (status, file) = unsafe {
            let version: libloading::Symbol<Version> =
                library.get(symbol).map_err(|error| Sentence::from(format!("{error}.")))?;
            (version(&raw mut major, &raw mut minor), file_of(*version as *const c_void))
        };
        if status != 0 {
            return Err(format!("nvrtcVersion: {status}.").into());
        }
        let path = file.filter(|_| !path.is_absolute()).unwrap_or_else(|| path.to_owned());
        let version = [major.unsigned_abs(), minor.unsigned_abs()];
        let headers = headers_of(&path);
        let other_headers = headers.iter().find_map(|folder| version_of(folder)).filter(|other| *other != version);
        let headers = if other_headers.is_some() { Vec::new() } else { headers };
        Ok(Self { library, path, place, version, headers, other_headers })
    }

    /// Returns the directories of CUDA's headers, such as `cuda_fp16.h`. They must have the version of the library.
    pub fn headers(&self) -> &[PathBuf] {
        &self.headers
    }

    /// Returns the version of the headers next to the library, if they cannot be used because it is not the library's.
    pub fn other_headers(&self) -> Option<[u32; 2]> {
        self.other_headers
    }

    /// Returns the place in which the library was found.
    pub fn place(&self) -> Location {
        self.place
    }

    /// Returns the version as text, e.g. `12.0`.
    pub fn version_text(&self) -> String {
        let [major, minor] = self.version;
        format!("{major}.{minor}")
    }

    /// Returns the path of the library, or a bare name if the system's loader found it and its path is unknown.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the major and minor version, e.g. `[12, 0]`.
    pub fn version(&self) -> [u32; 2] {
        self.version
    }

    /// Returns the full release that this NVRTC writes into its PTX, e.g. `12.0.140`.
    ///
    /// # Errors
    /// If an empty program does not compile.
    pub fn release(&self) -> Result<String, NvrtcError> {
        let ptx = self.compile("extern \"C\" __global__ void none() {}\n", "none.cu", &Options::PLAIN)?.ptx;
        let release = ptx.lines().find_map(|line| line.rsplit_once(", V").map(|(_, release)| release.to_owned()));
        release.ok_or_else(|| NvrtcError::Failed(sentence!("kernels-nvrtc-no-release")))
    }

    /// Compiles a kernel. `file` is its name in diagnostics and line information.
    ///
    /// # Errors
    /// If the source is not valid CUDA C++, or NVRTC fails.
    pub fn compile(&self, source: &str, file: &str, options: &Options) -> Result<Compiled, NvrtcError> {
        if options.unoptimised
            && let Ok(compiled) = self.compile_text(&super::unwritten::kept(source), file, options)
        {
            return Ok(compiled);
        }
        self.compile_text(source, file, options)
    }

    fn compile_text(&self, source: &str, file: &str, options: &Options) -> Result<Compiled, NvrtcError> {
        let program = self.program(source, file, options)?;
        let instances: Result<Vec<_>, _> = options.instances.iter().map(|name| CString::new(name.as_str())).collect();
        let instances = instances.map_err(nul)?;
        instances.iter().try_for_each(|expression| program.add(expression))?;
        let outcome = program.compile(&self.arguments(options)?);
        let log = program.text(b"nvrtcGetProgramLogSize\0", b"nvrtcGetProgramLog\0")?;
        match outcome {
            Ok(()) => {
                let ptx = program.text(b"nvrtcGetPTXSize\0", b"nvrtcGetPTX\0")?;
                let instances =
                    instances.iter().map(|expression| program.lowered(expression)).collect::<Result<_, _>>()?;
                let ptx = new_enough(relative_files(&ptx, file));
                Ok(Compiled { ptx, log, instances, ..Compiled::default() })
            }
            Err(_) if !log.trim().is_empty() => Err(NvrtcError::Refused(without_remarks(&log))),
            Err(error) => Err(error),
        }
    }

    /// Compiles a kernel as far as the code of a GPU. Returns `None` if the assembler says nothing about it.
    ///
    /// # Errors
    /// If the source does not compile, which [`Self::compile`] reports better, or NVRTC fails.
    pub fn assemble(
        &self,
        source: &str,
        file: &str,
        options: &Options,
    ) -> Result<Option<Result<Assembled, Refusal>>, NvrtcError> {
        let program = self.program(source, file, options)?;
        let mut arguments = self.arguments(options)?;
        arguments[0] = CString::new(format!("--gpu-architecture={}", options.arch)).map_err(nul)?;
        arguments.push(c"--ptxas-options=-v".to_owned());
        let outcome = program.compile(&arguments);
        let log = program.text(b"nvrtcGetProgramLogSize\0", b"nvrtcGetProgramLog\0")?;
        let (by, arch) = (format!("NVRTC {}", self.version_text()), options.arch.to_string());
        Ok(match outcome {
            Ok(()) => Some(Ok(Assembled::read(&log, by, arch))),
            Err(_) => {
                let ptx = program.text(b"nvrtcGetPTXSize\0", b"nvrtcGetPTX\0").unwrap_or_default();
                Refusal::read(&log, &relative_files(&ptx, file), file, by, arch).map(Err)
            }
        })
    }

    /// Returns the options of the compiler, with the directories of CUDA's headers.
    fn arguments(&self, options: &Options) -> Result<Vec<CString>, NvrtcError> {
        let headers = self.headers.iter().map(|folder| CString::new(format!("--include-path={}", folder.display())));
        options.arguments().map_err(nul)?.into_iter().map(Ok).chain(headers).collect::<Result<_, _>>().map_err(nul)
    }

    /// Opens a program with its headers.
    fn program(&self, source: &str, file: &str, options: &Options) -> Result<OpenProgram<'_>, NvrtcError> {
        let (text, name) = (CString::new(source).map_err(nul)?, CString::new(file).map_err(nul)?);
        let headers =
            options.headers.iter().map(|(name, text)| Ok((CString::new(name.as_str())?, CString::new(text.as_str())?)));
        let headers = headers.collect::<Result<Vec<_>, _>>().map_err(nul)?;
        OpenProgram::create(self, &text, &name, &headers)
    }

    fn symbol<T>(&self, name: &[u8]) -> Result<libloading::Symbol<'_, T>, NvrtcError> {
        // SAFETY: The callers give each symbol the signature that nvrtc.h declares.
        unsafe { self.library.get(name) }.map_err(|error| NvrtcError::Unavailable(format!("{error}.").into()))
    }

    fn check(&self, status: Status, doing: &str) -> Result<(), NvrtcError> {
        if status == 0 {
            return Ok(());
        }
        let name = self.symbol::<unsafe extern "C" fn(Status) -> *const c_char>(b"nvrtcGetErrorString\0").map(|name| {
            // SAFETY: The function returns a static, NUL-terminated string for every status.
            unsafe { CStr::from_ptr(name(status)) }.to_string_lossy().into_owned()
        });
        Err(NvrtcError::Failed(format!("{doing}: {}.", name.unwrap_or_else(|_| status.to_string())).into()))
    }
}

/// Returns the file that a function was loaded from.
#[cfg(unix)]
fn file_of(function: *const c_void) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `dladdr` accepts any address and fills the structure if it knows the address. The name lives as long as
    // the library, which is loaded, and is copied here.
    let name = unsafe {
        let known = libc::dladdr(function, info.as_mut_ptr()) != 0;
        let info = info.assume_init();
        (known && !info.dli_fname.is_null()).then(|| CStr::from_ptr(info.dli_fname).to_bytes().to_owned())
    };
    name.map(|name| PathBuf::from(std::ffi::OsStr::from_bytes(&name))).filter(|path| path.is_absolute())
}

#[cfg(not(unix))]
fn file_of(_: *const c_void) -> Option<PathBuf> {
    None
}

/// Returns the loader's message, which libloading stores as the source of its error.
fn reason(error: &libloading::Error) -> Sentence {
    let source = std::error::Error::source(error).map(ToString::to_string);
    format!("{}.", source.unwrap_or_else(|| error.to_string())).into()
}

/// An NVRTC program that is destroyed on drop.
struct OpenProgram<'a> {
    nvrtc: &'a Nvrtc,
    program: Program,
}

impl<'a> OpenProgram<'a> {
    fn create(nvrtc: &'a Nvrtc, text: &CStr, name: &CStr, headers: &[(CString, CString)]) -> Result<Self, NvrtcError> {
        type Create = unsafe extern "C" fn(
            *mut Program,
            *const c_char,
            *const c_char,
            c_int,
            *const *const c_char,
            *const *const c_char,
        ) -> Status;
        let create = nvrtc.symbol::<Create>(b"nvrtcCreateProgram\0")?;
        let mut program = std::ptr::null_mut();
        let own = headers.iter().map(|(name, text)| (name.as_c_str(), text.as_c_str()));
        let common = HEADERS.into_iter().filter(|(known, _)| headers.iter().all(|(name, _)| name.as_c_str() != *known));
        let (names, texts): (Vec<_>, Vec<_>) =
            own.chain(common).map(|(name, text)| (name.as_ptr(), text.as_ptr())).unzip();
        let (count, texts, names) = (names.len() as c_int, texts.as_ptr(), names.as_ptr());
        // SAFETY: All strings are NUL-terminated, and there are as many headers as names. NVRTC copies what it keeps.
        let status = unsafe { create(&raw mut program, text.as_ptr(), name.as_ptr(), count, texts, names) };
        nvrtc.check(status, "nvrtcCreateProgram")?;
        Ok(Self { nvrtc, program })
    }

    /// Makes NVRTC compile the kernel that an expression names.
    fn add(&self, expression: &CStr) -> Result<(), NvrtcError> {
        let add =
            self.nvrtc.symbol::<unsafe extern "C" fn(Program, *const c_char) -> Status>(b"nvrtcAddNameExpression\0")?;
        // SAFETY: The program is open and not compiled yet. The string is NUL-terminated, and NVRTC copies it.
        let status = unsafe { add(self.program, expression.as_ptr()) };
        self.nvrtc.check(status, "nvrtcAddNameExpression")
    }

    /// Returns the name in the PTX of the kernel that an expression names, after the compilation.
    fn lowered(&self, expression: &CStr) -> Result<String, NvrtcError> {
        type Lowered = unsafe extern "C" fn(Program, *const c_char, *mut *const c_char) -> Status;
        let lowered = self.nvrtc.symbol::<Lowered>(b"nvrtcGetLoweredName\0")?;
        let mut name = std::ptr::null();
        // SAFETY: The program is compiled. If NVRTC succeeds, the name is NUL-terminated and lives as long as the program.
        unsafe {
            let status = lowered(self.program, expression.as_ptr(), &raw mut name);
            self.nvrtc.check(status, "nvrtcGetLoweredName")?;
            Ok(CStr::from_ptr(name).to_string_lossy().into_owned())
        }
    }

    fn compile(&self, arguments: &[CString]) -> Result<(), NvrtcError> {
        type Compile = unsafe extern "C" fn(Program, c_int, *const *const c_char) -> Status;
        let compile = self.nvrtc.symbol::<Compile>(b"nvrtcCompileProgram\0")?;
        let options: Vec<_> = arguments.iter().map(|argument| argument.as_ptr()).collect();
        // SAFETY: The program is open. The options are NUL-terminated and outlive the call.
        let status = unsafe { compile(self.program, options.len() as c_int, options.as_ptr()) };
        self.nvrtc.check(status, "nvrtcCompileProgram")
    }

    fn text(&self, size_name: &[u8], text_name: &[u8]) -> Result<String, NvrtcError> {
        type Size = unsafe extern "C" fn(Program, *mut usize) -> Status;
        type Text = unsafe extern "C" fn(Program, *mut c_char) -> Status;
        let (size_of, text_of) = (self.nvrtc.symbol::<Size>(size_name)?, self.nvrtc.symbol::<Text>(text_name)?);
        let called = |symbol: &[u8]| String::from_utf8_lossy(symbol).trim_end_matches('\0').to_owned();
        let mut size = 0;
        // SAFETY: The program is open. The size includes the closing NUL.
        self.nvrtc.check(unsafe { size_of(self.program, &raw mut size) }, &called(size_name))?;
        let mut bytes = vec![0u8; size + 1];
        // SAFETY: The buffer has room for `size` bytes and one more.
        self.nvrtc.check(unsafe { text_of(self.program, bytes.as_mut_ptr().cast()) }, &called(text_name))?;
        Ok(joined(bytes))
    }
}

/// Returns a C string as text. A log consists of several strings: the assembler's messages follow a NUL.
pub(super) fn joined(mut bytes: Vec<u8>) -> String {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    bytes.truncate(end);
    String::from_utf8_lossy(&bytes).replace('\0', "\n")
}

impl Drop for OpenProgram<'_> {
    fn drop(&mut self) {
        if let Ok(destroy) = self.nvrtc.symbol::<unsafe extern "C" fn(*mut Program) -> Status>(b"nvrtcDestroyProgram\0")
        {
            // SAFETY: The program is open and is not used again.
            unsafe { destroy(&raw mut self.program) };
        }
    }
}

/// Raises the PTX ISA version for inline PTX that needs a newer one: NVRTC copies such instructions, and writes its own
/// version. Drivers since 2024 accept 8.4.
fn new_enough(ptx: String) -> String {
    const OLD: &str = "\n.version 8.0\n";
    let needs =
        |line: &str| line.contains("mma.sync.aligned.m16n8k") && (line.contains("e4m3") || line.contains("e5m2"));
    if ptx.lines().any(needs) { ptx.replacen(OLD, "\n.version 8.4\n", 1) } else { ptx }
}

/// Removes the working directory, which NVRTC writes before the file's name. The PTX file must not depend on it.
fn relative_files(ptx: &str, file: &str) -> String {
    let mut text = String::with_capacity(ptx.len());
    for line in ptx.split_inclusive('\n') {
        match line.split_once('"').and_then(|(head, rest)| Some((head, rest.split_once('"')?))) {
            Some((head, (path, tail))) if head.trim_start().starts_with(".file") && path.ends_with(file) => {
                text.extend([head, "\"", file, "\"", tail]);
            }
            _ => text.push_str(line),
        }
    }
    text
}

/// Removes remarks that name a compiler option to suppress a warning. Users of the tutor cannot pass options.
fn without_remarks(log: &str) -> String {
    let kept: Vec<&str> = log.split("\n\n").filter(|part| !part.trim_start().starts_with("Remark:")).collect();
    kept.join("\n\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_working_directory_does_not_enter_the_ptx() {
        let ptx = "\tret;\n\t.file\t1 \"/home/x/kernels/a.cu\"\n\t.file\t2 \"/usr/include/b.h\"\n";
        let expected = "\tret;\n\t.file\t1 \"kernels/a.cu\"\n\t.file\t2 \"/usr/include/b.h\"\n";
        assert_eq!(relative_files(ptx, "kernels/a.cu"), expected);
    }

    #[test]
    fn advice_about_the_compilers_options_is_left_out() {
        let log = "a.cu(2): error: expected a \";\"\n\na.cu(9): warning #549-D: unset\n\n\
                   Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n1 error detected.\n";
        let kept = "a.cu(2): error: expected a \";\"\n\na.cu(9): warning #549-D: unset\n\n1 error detected.";
        assert_eq!(without_remarks(log), kept);
    }
}
