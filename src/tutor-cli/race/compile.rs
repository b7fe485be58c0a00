//! The PTX of a file: the file itself, or what NVRTC makes of it, in the worker.

use super::Args;
use super::database::{Flags, flags};
use super::program::{Program, program};
use crate::emulate::launch::{LaunchArgs, text_of};
use crate::limits::Exceeded;
use crate::session::{Session, interruption};
use ptx_emulator::Fault;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use tutor_exec::protocol::{CompileRequest, ExecError, ExecErrorKind};
use tutor_kernels::nvrtc::gather;
use tutor_support::t;

/// Bytes of stack for the reader of a program, whose statements may be nested.
const READER_STACK: usize = 256 << 20;

/// Why there is no PTX.
pub(super) enum Failed {
    Call(Fault),
    /// NVRTC refused the source, needed too much, or is not here.
    Compiler(ExecError),
}

impl Failed {
    pub(super) fn message(&self) -> String {
        match self {
            Self::Call(fault) => fault.message.clone(),
            Self::Compiler(error) => error.message.to_string(),
        }
    }
}

/// The PTX of a file.
#[derive(Clone)]
pub(super) struct Compiled {
    pub(super) ptx: String,
    /// The name in the PTX of a kernel that `--entry` names as in C++.
    pub(super) entry: Option<String>,
    /// Kernels of the program's launches, as in C++ and in the PTX.
    pub(super) instances: Vec<(String, String)>,
    pub(super) program: Option<Program>,
    /// True if the file compiles only for a newer GPU than the usual one.
    pub(super) newer: bool,
    /// Registers per thread of each kernel, if NVRTC's assembler knows them.
    pub(super) registers: BTreeMap<String, u32>,
    /// Directories in which headers were found.
    pub(super) include: Vec<PathBuf>,
    /// What NVRTC was given, for a `.cu` file.
    request: Option<CompileRequest>,
}

impl Compiled {
    /// Returns what NVRTC makes of the same text without optimisation, if it does.
    pub(super) fn without_optimisation(&self, described: &LaunchArgs) -> Option<Self> {
        let request = CompileRequest { unoptimised: true, ..self.request.clone()? };
        let session = Session::within(described.limits(), &interruption(false).ok()?).ok()?;
        let ptx = session.compile_as(request).ok()?.ptx;
        Some(Self { ptx, request: None, registers: BTreeMap::new(), include: Vec::new(), ..self.clone() })
    }
}

/// Returns the PTX of a `.ptx` file, or compiles a `.cu` file without its host part.
pub(super) fn ptx(args: &Args, entry: Option<&str>, started: Instant) -> Result<Compiled, Failed> {
    let ptx = text_of(&args.file).map_err(Failed::Call)?;
    if !is_source(&args.file) {
        return Ok(Compiled {
            ptx,
            entry: None,
            instances: Vec::new(),
            program: None,
            newer: false,
            registers: BTreeMap::new(),
            include: args.include.clone(),
            request: None,
        });
    }
    let flags = flags(&args.file, args.compile_commands.as_deref()).map_err(Failed::Call)?;
    compiled(args, &flags, &ptx, entry, started).map_err(Failed::Compiler)
}

/// Returns the C++ expression for an instance of a template, such as `sum<float>`, or for one of several functions of
/// the same name, such as `sum(float*)`. A simple name is none, because the kernel is found in the PTX by it.
fn expression(entry: &str) -> Option<String> {
    let (name, types) = match entry.strip_suffix(')').and_then(|entry| entry.split_once('(')) {
        Some((name, types)) => (name.trim(), Some(types)),
        None => (entry, None),
    };
    let types = types.map(|types| format!("(void (*)({types})) {name}"));
    types.or_else(|| name.contains('<').then(|| name.to_owned()))
}

/// True if the file is compiled by NVRTC.
pub(super) fn is_source(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cu"))
}

/// Returns an error of the PTX with its line in the CUDA file from which it was compiled.
pub(super) fn in_source(file: &Path, ptx: &str, mut fault: Fault) -> Fault {
    let at_ptx = format!("Line {}, column {}: ", fault.line, fault.column);
    let Some(what) = fault.message.strip_prefix(&at_ptx).filter(|_| is_source(file)) else { return fault };
    let what = what.to_owned();
    let number = |text: Option<&str>| text?.trim_end_matches(',').parse::<u32>().ok();
    let before = ptx.lines().take(fault.line as usize).collect::<Vec<_>>();
    let loc = before.iter().rev().find_map(|line| line.trim_start().strip_prefix(".loc"));
    // The outermost call, if the instruction is from an inlined function.
    let loc = loc.map(|loc| loc.rsplit_once("inlined_at").map_or(loc, |(_, site)| site));
    (fault.line, fault.column, fault.message) = match loc.and_then(|loc| number(loc.split_whitespace().nth(1))) {
        Some(line) => (line, 1, format!("Line {line}, column 1: {what}")),
        None => (0, 0, what),
    };
    fault
}

/// Runs a reader of the program, which gets the time at which it should end. One that goes on until all time is used up is left.
fn read<T: Send + 'static>(
    args: &Args,
    started: Instant,
    reader: impl FnOnce(Instant) -> T + Send + 'static,
) -> Result<T, ExecError> {
    let ends = started + Duration::from_secs_f64(args.launch.seconds / 2.0);
    let (sender, read) = mpsc::channel();
    // If nobody waits any more, the result is of no use.
    let run = move || drop(sender.send(reader(ends)));
    let thread = thread::Builder::new().stack_size(READER_STACK).spawn(run);
    thread.map_err(|error| ExecError::new(ExecErrorKind::Worker, error.to_string()))?;
    let left = args.launch.remaining(started).seconds;
    let seconds = args.launch.seconds.to_string();
    read.recv_timeout(Duration::from_secs_f64(left))
        .map_err(|_| ExecError::new(ExecErrorKind::TimedOut, t!("race-reader-time", seconds)))
}

fn compiled(
    args: &Args,
    flags: &Flags,
    source: &str,
    entry: Option<&str>,
    started: Instant,
) -> Result<Compiled, ExecError> {
    let own = args.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let include: Vec<PathBuf> = args.include.iter().chain(&flags.include).cloned().collect();
    let define: Vec<String> = flags.define.iter().chain(&args.define).cloned().collect();
    let gathered = gather(source, own, &include).map_err(|why| ExecError::new(ExecErrorKind::Compile, why))?;
    let arguments = args.argv.as_ref().map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    let hosts: Result<Vec<String>, Fault> = args.host.iter().map(|file| text_of(file)).collect();
    let hosts = hosts.map_err(|fault| ExecError::new(ExecErrorKind::Compile, fault.message))?;
    let mut program = read(args, started, {
        let (gathered, define) = (gathered.clone(), define.clone());
        move |ends| program(&gathered.source, &gathered.headers, &define, arguments.as_deref(), &hosts, ends)
    })?;
    let whole = program.clone();
    let mut extra: Vec<String> = define.iter().map(|define| format!("-D{define}")).collect();
    extra.extend(args.std.as_ref().or(flags.std.as_ref()).map(|version| format!("--std={version}")));
    let session = Session::within(args.launch.remaining(started).limits(), &interruption(false)?)?;
    let file = args.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let expression = entry.and_then(expression);
    let mut first: Option<ExecError> = None;
    let mut newer = false;
    loop {
        let (mut source, mut headers) = (gathered.source.clone(), gathered.headers.clone());
        let mut instances: Vec<String> = expression.clone().into_iter().collect();
        let mut options = extra.clone();
        if let Some(program) = &program {
            (source, headers) = (program.source.clone(), program.headers.clone());
            instances.extend(program.instances().into_iter().filter(|name| Some(name) != expression.as_ref()));
            options.extend(program.extra.iter().cloned());
        }
        let names = instances.clone();
        let usual = || if newer { "sm_90" } else { "sm_75" }.to_owned();
        let request = CompileRequest {
            file: file.clone(),
            source,
            headers,
            arch: Some(args.arch.map_or_else(usual, |arch| arch.to_string())),
            instances,
            extra: options,
            ..CompileRequest::default()
        };
        let error = match session.compile_as(request.clone()) {
            Ok(compiled) => {
                let instances: Vec<(String, String)> = names.into_iter().zip(compiled.instances).collect();
                let lowered = instances.iter().find(|(name, _)| Some(name) == expression.as_ref());
                let entry = lowered.map(|(_, name)| name.clone());
                let request = Some(request);
                let (ptx, registers) = (compiled.ptx, compiled.registers);
                return Ok(Compiled { ptx, entry, instances, program, newer, registers, include, request });
            }
            Err(error) => error,
        };
        let again = match (&mut program, error.kind, session.exceeded()) {
            (Some(program), ExecErrorKind::Compile, None) => program.leave_out(&error.message.to_string(), &file),
            _ => false,
        };
        if !again
            && !newer
            && args.arch.is_none()
            && error.kind == ExecErrorKind::Compile
            && session.exceeded().is_none()
        {
            (newer, first) = (true, Some(error));
            program = whole.clone();
        } else if !again {
            let error = first.unwrap_or(error);
            return Err(match session.exceeded() {
                Some(Exceeded::Time) => {
                    let seconds = args.launch.seconds.to_string();
                    ExecError::new(ExecErrorKind::TimedOut, t!("race-compiler-time", seconds))
                }
                Some(Exceeded::Memory) => ExecError::new(ExecErrorKind::TimedOut, t!("race-compiler-memory")),
                None => ExecError { help: error.help.map(|help| help + " " + t!("race-or-ptx")), ..error },
            });
        }
    }
}
